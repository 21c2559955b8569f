"""Read STL files, binary and text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import InvalidGeometry
from ..kernels.files import stl as kernel
from . import numbers
from .content import Content, FilePart, Geometry
from .file_reader import FileReader

_HEAD = 84  # bytes
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
_FAULTS = {
    kernel.NOT_A_NUMBER: "{} is not a number",
    kernel.UNEXPECTED: "{} is not expected here; a facet is 'facet normal x y z', 'outer loop', three times 'vertex x y z', "
    "'endloop', 'endfacet'",
    kernel.CUT_OFF: "the file ends inside of a solid, so it may be cut off",
}


def read_stl(reader: FileReader, file: Path, content: bytes) -> Content:
    """Return the triangles as they are in the file: three vertices each."""
    size = len(content)
    count = int.from_bytes(content[80:_HEAD], "little") if size >= _HEAD else -1
    # A binary file may begin with "solid" too, but no text has its count.
    if count >= 0 and size == _HEAD + count * _TRIANGLE.itemsize:
        corners = np.frombuffer(content, _TRIANGLE, offset=_HEAD)["corners"]
        vertices = corners.astype(np.float64).reshape(-1, 3)
    elif content.lstrip()[:5].lower() == b"solid" and b"\0" not in content[:_HEAD]:
        vertices = _text(file, content)
    elif count < 0:
        raise InvalidGeometry(f"{file}: a binary STL has at least {_HEAD} bytes, this has {size}; a text begins with 'solid'")
    else:
        promised = _HEAD + count * _TRIANGLE.itemsize
        raise InvalidGeometry(
            f"{file}: its header promises {count} triangles ({promised} bytes), it has {size} bytes: it is cut off, or no STL"
        )
    return Content([FilePart("", Geometry(vertices, np.arange(len(vertices)).reshape(-1, 3)))])


def _text(file: Path, content: bytes) -> np.ndarray:
    text = np.frombuffer(content, np.uint8)
    room = kernel.count(text)
    vertices, longs = np.empty((room, 3)), np.empty((3 * room, 2), np.int64)
    count, listed, fault, place = kernel.read(text, vertices, longs)
    if fault != kernel.FINE:
        what = _FAULTS[fault].format(repr(numbers.word_at(content, place)))
        raise InvalidGeometry(f"{file}: line {numbers.line_at(content, place)}: {what}")
    if count == 0:
        raise InvalidGeometry(f"{file}: an ASCII STL without facets: it holds no triangles")
    numbers.read_longs(content, vertices.reshape(-1), longs[:listed, 0], longs[:listed, 1])
    return vertices[:count]
