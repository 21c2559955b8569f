"""Read OFF files: a line for each vertex and each face."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from . import numbers
from .content import Content, FilePart, Geometry
from .file_reader import FileReader
from .polygons import polygons

_HEAD = re.compile(rb"(?:\s|#[^\n]*(?:\n|\Z))*(ST)?(C)?(N)?(4)?(n)?OFF(\s+BINARY)?", re.ASCII)


def read_off(reader: FileReader, file: Path, content: bytes) -> Content:
    """Return all polygons as triangles, with the vertices as they are in the file. Colors and normals are not kept."""
    head = _HEAD.match(content)
    if head is None:
        raise InvalidGeometry(f"{file}: does not begin with 'OFF'")
    if head.group(4) or head.group(5) or head.group(6):
        kind = " ".join(head.group(0).decode("ascii", "replace").split()[-2:])
        raise InvalidGeometry(f"{file}: is {checks.shown(kind)}; accepted: texts with three coordinates for each vertex")
    try:
        found = numbers.scan(content, head.end(), b"#")
    except numbers.NotANumber as error:
        raise InvalidGeometry(f"{file}: line {numbers.line_at(content, error.place)}: {error}") from None
    # The numbers of a line, by line.
    begins = np.flatnonzero(found.firsts)
    lengths = np.diff(np.concatenate((begins, [len(found.values)])))
    count = _declared(file, found.values[: lengths[0] if len(lengths) else 0], len(begins) - 1)
    vertices = _vertices(file, found.values, begins[1 : 1 + count], lengths[1 : 1 + count])
    corners, counts = _corners(file, found.values, begins[1 + count :], lengths[1 + count :], count)
    try:
        return Content([FilePart("", Geometry(vertices, polygons(corners, counts, vertices)))])
    except ValueError as error:
        raise InvalidGeometry(f"{file}: {error}") from None


def _declared(file: Path, head: NDArray[np.float64], lines: int) -> int:
    """Return the number of vertices that the file declares, if it has a line for each of them and for each face."""
    if not 2 <= len(head) <= 3 or not all(0.0 <= x < 2.0**53 and x == int(x) for x in head.tolist()):
        raise InvalidGeometry(f"{file}: expected the numbers of vertices, faces and edges after 'OFF'")
    count, faces = int(head[0]), int(head[1])
    if count + faces != lines:
        raise InvalidGeometry(
            f"{file}: declares {count} vertices and {faces} faces, a line each, but has {lines} lines of them"
        )
    return count


def _vertices(
    file: Path, values: NDArray[np.float64], begins: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.float64]:
    short = np.flatnonzero(lengths < 3)
    if len(short):
        raise InvalidGeometry(
            f"{file}: vertex {short[0]} has {lengths[short[0]]} numbers; expected 3 or more on a line of its own"
        )
    return values[begins[:, None] + np.arange(3)]


def _corners(
    file: Path, values: NDArray[np.float64], begins: NDArray[np.int64], lengths: NDArray[np.int64], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the corners of all faces one after the other, and how many each has; what follows them on a line is a color."""
    sizes = values[begins]
    wrong = np.flatnonzero(~((sizes >= 3.0) & (sizes == np.floor(sizes)) & (sizes < lengths)))
    if len(wrong):
        face = int(wrong[0])
        given = f"declares {sizes[face]:g} corners and has {lengths[face] - 1} numbers after that"
        raise InvalidGeometry(f"{file}: face {face} {given}; expected 3 corners or more, on a line of its own")
    counts = sizes.astype(np.int64)
    inside = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    corners = values[np.repeat(begins, counts) + 1 + inside]
    wrong = np.flatnonzero(~((corners >= 0.0) & (corners < count) & (corners == np.floor(corners))))
    if len(wrong):
        face = int(np.repeat(np.arange(len(counts)), counts)[wrong[0]])
        raise InvalidGeometry(f"{file}: face {face} uses vertex {corners[wrong[0]]:g}; the file has {count}, counted from 0")
    return corners.astype(np.int64), counts
