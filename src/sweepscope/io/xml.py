"""Read XML from untrusted sources: no document types, no entities, limited size, well-formed only."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import InvalidRobot, SweepscopeError

MOST_DEPTH = 64
MOST_ELEMENTS = 200_000
_ENCODINGS = {
    "utf-8": "utf-8-sig",
    "utf8": "utf-8-sig",
    "us-ascii": "ascii",
    "ascii": "ascii",
    "iso-8859-1": "latin-1",
    "latin1": "latin-1",
    "windows-1252": "cp1252",
}
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.-]+)")
_TYPES = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)


def lxml_etree() -> Any:
    """Return the module lxml.etree, which yourdfpy installs."""
    try:
        import_module("yourdfpy")
        return import_module("lxml.etree")
    except ImportError:
        raise SweepscopeError("URDF files need yourdfpy: pip install 'sweepscope[urdf]'") from None


def read_xml(file: Path, most: int) -> Any:
    """Return the root element of a file, without comments; most: largest size of the file [bytes]."""
    size = file.stat().st_size
    if size > most:
        raise InvalidRobot(f"has {size} bytes; accepted: up to {most} ({most >> 20} MiB)")
    etree = lxml_etree()
    # Parse the same text that was searched: the file's declared encoding must not change it.
    content = _text(file.read_bytes()).encode()
    try:
        etree.fromstring(content, etree.XMLParser(encoding="utf-8", target=_Counter(), resolve_entities=False))
        safe = {"remove_comments": True, "remove_pis": True, "resolve_entities": False, "no_network": True}
        return etree.fromstring(content, etree.XMLParser(encoding="utf-8", **safe))
    except etree.XMLSyntaxError as error:
        raise InvalidRobot(f"line {error.lineno}: not well-formed XML: {error.msg}") from None


def _text(content: bytes) -> str:
    declared = _DECLARED.match(content)
    name = "utf-8" if declared is None else declared.group(1).decode().lower()
    if name not in _ENCODINGS or b"\0" in content:
        raise InvalidRobot(f"its text is not UTF-8 ({name!r} is declared, or it is binary); save it as UTF-8")
    try:
        text = content.decode(_ENCODINGS[name])
    except UnicodeDecodeError as error:
        raise InvalidRobot(f"is not valid {name} text: byte {error.start} is {content[error.start]:#x}") from None
    found = _TYPES.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise InvalidRobot(
            f"line {line}: holds a <!{found.group(1).upper()}; document types and entities are not accepted, remove them"
        )
    return text


class _Counter:
    """Counts a file's elements before a tree is built."""

    def __init__(self) -> None:
        self._depth = self._count = 0

    def start(self, _tag: Any, _attributes: Any) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > MOST_DEPTH:
            raise InvalidRobot(f"elements are nested more than {MOST_DEPTH} deep")
        if self._count > MOST_ELEMENTS:
            raise InvalidRobot(f"has more than {MOST_ELEMENTS} elements")

    def end(self, _tag: Any) -> None:
        self._depth -= 1

    def close(self) -> None:
        pass
