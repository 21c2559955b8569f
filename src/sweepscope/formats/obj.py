"""Read OBJ files."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidGeometry
from ..kernels.files import obj as kernel
from . import numbers
from .content import Content, FilePart, Geometry
from .file_reader import FileReader
from .polygons import polygons

_FAULTS = {
    kernel.NOT_A_NUMBER: "{} is not a number",
    kernel.NOT_A_VERTEX: "a vertex has 3 numbers, 4 with its weight, 3 more with its color",
    kernel.WEIGHTED: "a vertex has a weight other than 1, which is not supported",
    kernel.NOT_AN_INDEX: "{} is not a corner; accepted: vertices counted from 1, or from -1 backwards, as 5 or 5/1/2",
    kernel.NO_SUCH_VERTEX: "{} is not a vertex of the file",
    kernel.TOO_FEW: "a face has fewer than 3 corners",
}
_COMMENT = re.compile(rb"\s#")
_LONGEST_NAME = 256  # bytes
_LOST = (b"surf", b"bzp", b"bsp", b"cdp", b"cdc", b"res", b"call", b"csh")
_LINES = {b"l": "lines", b"p": "points", b"curv": "curves", b"curv2": "curves"}
_KNOWN = frozenset(
    b"g o s mg usemtl mtllib usemap maplib lod bevel c_interp d_interp shadow_obj trace_obj ctech stech cstype deg bmat step "
    b"parm trim hole scrv sp end con".split()
)


def read_obj(reader: FileReader, file: Path, content: bytes) -> Content:
    """Return all polygons as triangles, with the vertices as they are in the file."""
    # A line that ends with a backslash goes on; blanks keep every place where it was.
    joined = content.replace(b"\\\r\n", b"   ").replace(b"\\\n", b"  ").replace(b"\xef\xbb\xbf", b"   ", 1)
    if b"\r" in joined and b"\n" not in joined:
        joined = joined.replace(b"\r", b"\n")
    text = np.frombuffer(joined, np.uint8)
    count, faces, corner_count, other_count = kernel.count(text)
    if other_count > reader.limits.max_elements:
        raise InvalidGeometry(
            f"{file}: has {other_count:,} statements besides vertices and faces; accepted: up to "
            f"{reader.limits.max_elements:,}; to allow it: limits=Limits(max_elements={other_count})"
        )
    vertices, longs = np.empty((count, 3)), np.empty((3 * count, 2), np.int64)
    counts, corners, others = np.empty(faces, np.int64), np.empty(corner_count, np.int64), np.empty(other_count, np.int64)
    listed, fault, place = kernel.read(text, vertices, counts, corners, others, longs)
    if fault != kernel.FINE:
        what = _FAULTS[fault].format(repr(numbers.word_at(joined, place)))
        raise InvalidGeometry(f"{file}: line {numbers.line_at(content, place)}: {what}")
    numbers.read_longs(joined, vertices.reshape(-1), longs[:listed, 0], longs[:listed, 1])
    left_out: dict[str, int] = {}
    for place in others.tolist():
        _other(file, joined, place, left_out)
    try:
        triangles = polygons(corners, counts, vertices)
    except ValueError as error:
        raise InvalidGeometry(f"{file}: {error}") from None
    found = Content([FilePart("", Geometry(vertices, triangles))], [f"{n} {what}" for what, n in left_out.items()])
    found.groups = _groups(joined, text, others, counts - 2)
    return found


def _groups(
    joined: bytes, text: NDArray[np.uint8], others: NDArray[np.int64], triangles: NDArray[np.int64]
) -> dict[str, NDArray[np.int64]]:
    """Return the triangles of each object, by name; those of each group if the file has no two objects.

    others: places of statements that may begin a group; triangles: how many each polygon has. Empty if there is one group.
    """
    named = {b"o": "", b"g": ""}
    places, labels = [0], [("", "")]
    for place in others.tolist():
        kind = joined[place : place + 1]
        if kind in named and joined[place + 1 : place + 2].isspace():
            line = joined[place + 1 : place + 1 + _LONGEST_NAME].partition(b"\n")[0]
            named[kind] = " ".join(_COMMENT.split(line, 1)[0].decode(errors="replace").split())
            places.append(place)
            labels.append((named[b"o"], named[b"g"]))
    if len(places) == 1:
        return {}
    # A statement stands at the beginning of a line, so that the faces between two of them can be counted by themselves.
    counts = [kernel.count(text[a:b])[1] for a, b in pairwise([*places, len(text)])]
    chosen = 0 if len({label[0] for label, count in zip(labels, counts, strict=True) if count}) > 1 else 1
    ends = np.concatenate(([0], np.cumsum(triangles)))[np.cumsum([0, *counts])].tolist()
    rows: dict[str, list[NDArray[np.int64]]] = {}
    for label, (begin, end) in zip(labels, pairwise(ends), strict=True):
        if end > begin:
            rows.setdefault(label[chosen] or label[1 - chosen], []).append(np.arange(begin, end))
    return {name: np.concatenate(each) for name, each in rows.items()}


def _other(file: Path, text: bytes, place: int, left_out: dict[str, int]) -> None:
    """Count a statement that is neither a vertex nor a face, or raise if something would be lost."""
    words = text[place : place + 41].split(None, 1)
    word = words[0]
    if word in _LINES:
        left_out[_LINES[word]] = left_out.get(_LINES[word], 0) + 1
    elif word in _LOST:
        what = "is not supported; export triangles"
        raise InvalidGeometry(f"{file}: line {numbers.line_at(text, place)}: {word.decode()!r} {what}")
    elif word not in _KNOWN:
        what = f"{numbers.word_at(text, place)!r} is not a statement of OBJ"
        raise InvalidGeometry(f"{file}: line {numbers.line_at(text, place)}: {what}")
