"""XML from strangers: what is read, and what is refused, with the line."""

import re

import pytest

from sweepscope.errors import InvalidGeometry
from sweepscope.formats.file_reader import Limits
from sweepscope.formats.xml import read_xml


def test_tags_texts_lines():
    """Tags in the namespace of the root are plain, comments and instructions vanish, text is that of leaves."""
    root = read_xml(
        b"<a xmlns='u' x='1'>\n <b xmlns='v'/>\n <c>1 <!-- 2 -->3<?four?><![CDATA[ 5]]>&lt;</c>\n</a>\n<!-- end -->", Limits()
    )
    assert [(each.tag, each.text, each.line) for each in root.iter()] == [("a", None, 1), ("{v}b", "", 2), ("c", "1 3 5<", 3)]
    assert root.get("x") == "1"
    assert [each.tag for each in read_xml(b"<p:a xmlns:p='u'><p:b/></p:a>", Limits()).iter()] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "<a>\u00fc</a>".encode(),
        b"\xef\xbb\xbf" + "<a>\u00fc</a>".encode(),
        '<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00fc</a>'.encode("latin-1"),
        "<?xml version='1.0' encoding='windows-1252'?><a>\u00fc</a>".encode("cp1252"),
    ],
)
def test_encodings(text):
    assert read_xml(text, Limits()).text == "\u00fc"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "line 1: not well-formed XML: no element found"),
        (b"hello", "line 1: not well-formed XML: syntax error"),
        (b"<a>\n<b>\n</a>", "line 3: not well-formed XML: mismatched tag"),
        (b"<a/>\n<b/>", "line 2: not well-formed XML: junk after document element"),
        (b"<a>&b;</a>", "line 1: not well-formed XML: undefined entity"),
        (b"<a><b:c/></a>", "unbound prefix"),
        (b"\n<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "line 2: holds a <!DOCTYPE; document types and entities are not accepted"),
        (b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "line 1: holds a <!DOCTYPE"),
        (b"<a>\n<!ENTITY b 'c'></a>", "line 2: not well-formed XML"),
        (b"<a>\n\n<b>\n<c><d><e/></d></c></b></a>", "line 4: elements are nested more than 4 deep; to allow more: limits=Limits(max_depth=8)"),
        (b"<a>" + b"\n<b/>" * 20 + b"</a>", "line 11: has more than 10 elements; to allow more: limits=Limits(max_elements=20)"),
        (b"<a>\0</a>", "its text is not UTF-8 ('utf-8' is declared, or it is binary); save it as UTF-8"),
        ("<a/>".encode("utf-16"), "save it as UTF-8"),
        (b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE x><a/>', "'utf-7' is declared"),
        (b"<a x='\xff'/>", "is not valid utf-8 text: byte 6 is 0xff"),
        (b'<?xml version="1.0" encoding="ascii"?><a>\xc3\xbc</a>', "is not valid ascii text: byte 41 is 0xc3"),
        (b"<a x='" + b" " * (20 << 20) + b"'/>", "line 1: a tag or a comment is longer than 16 MiB; shorten it"),
        (b"<a><!--" + b"x\n" * (10 << 20) + b"--></a>", "a tag or a comment is longer than 16 MiB"),
    ],
    ids=lambda value: str(value[:30]),
)  # fmt: skip
def test_refused(text, message):
    with pytest.raises(InvalidGeometry, match=re.escape(message)) as caught:
        read_xml(text, Limits(max_depth=4, max_elements=10))
    assert "\n" not in str(caught.value)


def test_texts_of_any_length():
    long = b"0.25 " * (3 << 20)
    assert read_xml(b"<a><b>" + long + b"</b></a>", Limits()).find("b").text == long.decode()
