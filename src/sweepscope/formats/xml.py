"""Read XML from untrusted sources: no document types, no entities, limited depth and number of elements, well-formed only.

The parser is expat, of the standard library. Texts may be of any length; comments and processing instructions vanish.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from xml.parsers import expat

from ..errors import InvalidGeometry
from .file_reader import Limits

_ENCODINGS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "us-ascii": "ascii",
    "ascii": "ascii",
    "iso-8859-1": "latin-1",
    "latin1": "latin-1",
    "windows-1252": "cp1252",
}
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.-]+)")
_CHUNK = 1 << 20  # how much is parsed at once [bytes]
_LONGEST = 16 << 20  # of a tag or a comment [bytes]: expat reads an unfinished one from its start again with each chunk


class Element(ElementTree.Element):
    """An element of a file, its children, and the line where it begins. Text lies in elements without children only.

    Elements in the namespace of the root have plain tags, others "{namespace}tag".
    """

    __slots__ = ("line",)

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        super().__init__(tag, attributes)
        self.line = line

    if TYPE_CHECKING:  # its children have lines too

        def __iter__(self) -> Iterator[Element]: ...
        def iter(self, tag: str | None = None) -> Generator[Element, None, None]: ...  # noqa: D102
        def find(self, path: str, namespaces: dict[str, str] | None = None) -> Element | None: ...  # noqa: D102
        def findall(  # noqa: D102  # pyright: ignore[reportIncompatibleMethodOverride]
            self, path: str, namespaces: dict[str, str] | None = None
        ) -> list[Element]: ...


def read_xml(content: bytes, limits: Limits) -> Element:
    """Return the root element of a file; the message of an InvalidGeometry says where, but does not name the file."""
    return _XmlBuilder(limits).built(_utf8(content))


def _utf8(content: bytes) -> bytes:
    """Return a text as UTF-8, whatever its declared encoding."""
    declared = _DECLARED.match(content)
    name = "utf-8" if declared is None else declared.group(1).decode("ascii", "replace").lower()
    if name not in _ENCODINGS or b"\0" in content:
        raise InvalidGeometry(f"its text is not UTF-8 ({name!r} is declared, or it is binary); save it as UTF-8")
    try:
        text = content.decode(_ENCODINGS[name])
    except UnicodeDecodeError as error:
        raise InvalidGeometry(f"is not valid {name} text: byte {error.start} is {content[error.start]:#x}") from None
    return content if _ENCODINGS[name] in ("utf-8", "ascii") else text.encode()


class _XmlBuilder:
    """Builds the tree of a text while it is parsed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: list[tuple[Element, list[str]]] = []  # elements that have begun, with their texts
        self._count = 0
        self._home = ""  # namespace of the root, as it precedes tags
        self._root: Element | None = None
        # The text is UTF-8 whatever it declares. Namespaces come before tags, "namespace}tag".
        parser = self._parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.buffer_size = _CHUNK
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype

    def built(self, text: bytes) -> Element:
        """Return the root element of a text in UTF-8."""
        parser = self._parser
        try:
            for begin in range(0, len(text), _CHUNK):
                parser.Parse(text[begin : begin + _CHUNK], False)
                if begin + _CHUNK - parser.CurrentByteIndex > _LONGEST:
                    raise self._fault(f"a tag or a comment is longer than {_LONGEST >> 20} MiB; shorten it")
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise InvalidGeometry(f"line {error.lineno}: not well-formed XML: {expat.ErrorString(error.code)}") from None
        assert self._root is not None  # expat has seen one, or it raises
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        limits = self._limits
        self._count += 1
        if self._count > limits.max_elements:
            raise self._fault(
                f"has more than {limits.max_elements} elements; to allow more: "
                f"limits=Limits(max_elements={2 * limits.max_elements})"
            )
        if len(self._open) >= limits.max_depth:
            raise self._fault(
                f"elements are nested more than {limits.max_depth} deep; to allow more: "
                f"limits=Limits(max_depth={2 * limits.max_depth})"
            )
        if self._root is None:
            self._home = tag[: tag.rfind("}") + 1]
        element = Element(self._plain(tag), attributes, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1][0].append(element)
        else:
            self._root = element
        self._open.append((element, []))

    def _plain(self, tag: str) -> str:
        end = tag.rfind("}") + 1
        return tag[end:] if tag[:end] == self._home else f"{{{tag}" if end else tag

    def _end(self, _tag: str) -> None:
        element, texts = self._open.pop()
        if len(element) == 0:
            element.text = "".join(texts)

    def _text(self, text: str) -> None:
        self._open[-1][1].append(text)

    def _doctype(self, *_declared: Any) -> None:
        raise self._fault("holds a <!DOCTYPE; document types and entities are not accepted, remove it")

    def _fault(self, text: str) -> InvalidGeometry:
        return InvalidGeometry(f"line {self._parser.CurrentLineNumber}: {text}")
