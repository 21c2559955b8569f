"""Read PLY files, binary and text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from ..kernels.files import ply as kernel
from . import numbers
from .content import Content, FilePart, Geometry
from .file_reader import FileReader
from .polygons import polygons, strips

_LONGEST_HEAD = 1 << 16  # bytes
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_KINDS = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
_LISTS = ("vertex_indices", "vertex_index")
_FAULTS = {
    kernel.CUT_OFF: "the file ends before it: it is cut off",
    kernel.NEGATIVE: "a list has no whole number of items, from 0",
    kernel.NOT_ITS_OWN_LINE: "it is not a line of its own, with a number for each property",
    kernel.NOT_WHOLE: "an index is not a whole number",
}


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    kind: str
    """As NumPy names it, without the order of bytes."""
    counted: str
    """Kind of the count before a list; empty if it is not a list."""


@dataclass(slots=True)
class _Element:
    name: str
    count: int
    properties: list[_Property] = field(default_factory=list)

    def find(self, *names: str) -> int:
        """Return the place of the first property with one of these names; -1 without any."""
        return next((k for k, each in enumerate(self.properties) if each.name in names), -1)

    @property
    def has_lists(self) -> bool:
        return any(each.counted for each in self.properties)

    @property
    def layout(self) -> NDArray[np.int64]:
        """A row for each property, as `kernels.files.ply.walk` takes it."""
        rows = [(_size(p.kind), p.kind[0] == "i", _size(p.counted), p.counted[:1] == "i") for p in self.properties]
        return np.array(rows, np.int64).reshape(-1, 4)

    def row(self, order: str) -> np.dtype:
        return np.dtype([(f"{k}", order + each.kind) for k, each in enumerate(self.properties)])


def _size(kind: str) -> int:
    return int(kind[1]) if kind else 0


_Lists = dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]
"""By name of an element: the items of its lists of vertices, one list after the other, and how many each has."""
_Read = tuple[NDArray[np.float64] | None, _Lists]
"""Places of the vertices, None if there is no such element; and the lists."""


def read_ply(reader: FileReader, file: Path, content: bytes) -> Content:
    """Return all polygons as triangles, with the vertices as they are in the file. Colors and the like are not kept."""
    try:
        order, elements, start = _header(content)
        read = _binary if order else _text
        return _content(elements, *read(content, start, elements, order))
    except ValueError as error:  # InvalidGeometry too: it gets the name of the file here
        raise InvalidGeometry(f"{file}: {error}") from None


def _header(content: bytes) -> tuple[str, list[_Element], int]:
    """Return the order of bytes (empty for a text), the elements and where their data begin."""
    if content[:3] != b"ply" or content[3:4] not in (b"\n", b"\r"):
        raise InvalidGeometry("does not begin with a line 'ply'")
    end = content.find(b"end_header", 0, _LONGEST_HEAD)
    stop = content.find(b"\n", end)
    if end < 0 or stop < 0:
        raise InvalidGeometry("its header has no line 'end_header'")
    order, elements = None, []
    for line in content[:end].replace(b"\r", b"\n").split(b"\n")[1:]:
        match [word.decode("latin-1") for word in line.split()]:
            case [] | ["comment", *_] | ["obj_info", *_]:
                pass
            case ["format", kind, "1.0"] if kind in _ORDERS and order is None:
                order = _ORDERS[kind]
            case ["element", name, count] if count.isascii() and count.isdigit() and len(count) <= 15:
                if any(each.name == name for each in elements):
                    raise InvalidGeometry(f"its header declares the element {checks.shown(name)} twice")
                elements.append(_Element(name, int(count)))
            case ["property", "list", counted, kind, name] if elements and counted in _KINDS and kind in _KINDS:
                if _KINDS[counted][0] == "f":
                    raise InvalidGeometry(f"its header counts the list {checks.shown(name)} with {counted}")
                elements[-1].properties.append(_Property(name, _KINDS[kind], _KINDS[counted]))
            case ["property", kind, name] if elements and kind in _KINDS:
                elements[-1].properties.append(_Property(name, _KINDS[kind], ""))
            case _:
                raise InvalidGeometry(
                    f"its header has a line {checks.shown(line.decode('latin-1'))}, which PLY 1.0 does not define"
                )
    if order is None:
        raise InvalidGeometry("its header has no line 'format'")
    for element in elements:
        if element.count and not element.properties:
            raise InvalidGeometry(f"its header declares {element.count} of {checks.shown(element.name)} without properties")
    return order, elements, stop + 1


def _columns(element: _Element) -> list[int]:
    """Return the places of x, y and z among a vertex's properties."""
    if element.has_lists:
        raise InvalidGeometry("its vertices have lists, which is not supported")
    columns = [element.find(axis) for axis in "xyz"]
    if -1 in columns:
        raise InvalidGeometry("its vertices have no x, y and z")
    return columns


def _wanted(element: _Element) -> int:
    """Return the place of the list of vertices among an element's properties; -1 if nothing is wanted of it."""
    if element.name not in ("face", "tristrips"):
        return -1
    wanted = element.find(*_LISTS)
    if wanted < 0 or not element.properties[wanted].counted or element.properties[wanted].kind[0] == "f":
        raise InvalidGeometry(f"its element {element.name!r} has no list of whole numbers 'vertex_indices'")
    return wanted


def _cut_off(element: _Element, row: int, fault: int) -> InvalidGeometry:
    return InvalidGeometry(f"{element.name} {row} of {element.count}: {_FAULTS[fault]}")


def _binary(content: bytes, start: int, elements: list[_Element], order: str) -> _Read:
    data, big = np.frombuffer(content, np.uint8), order == ">"
    places, lists = None, _Lists()
    for element in elements:
        if element.has_lists:
            wanted, layout = _wanted(element), element.layout
            least = int(np.where(layout[:, 2] > 0, layout[:, 2], layout[:, 0]).sum())
            rows = min(element.count, (len(content) - start) // least + 1)  # no room for more than the file can have
            counts = np.empty(rows, np.int64)
            fault, row, items, end = kernel.walk(data, start, rows, layout, wanted, big, counts)
            if fault != kernel.FINE or rows < element.count:
                raise _cut_off(element, row, fault if fault != kernel.FINE else kernel.CUT_OFF)
            if wanted >= 0:
                found = np.empty(items, np.int64)
                kernel.gather(data, start, rows, layout, wanted, big, found)
                lists[element.name] = found, counts
            start = end
            continue
        columns = _columns(element) if element.name == "vertex" else []
        if element.name in ("face", "tristrips"):
            _wanted(element)
        row = element.row(order)
        there = (len(content) - start) // max(row.itemsize, 1)
        if element.count > there:
            raise _cut_off(element, there, kernel.CUT_OFF)
        if columns:
            rows = np.frombuffer(content, row, element.count, start)
            places = np.stack([rows[f"{k}"] for k in columns], axis=1, dtype=np.float64, casting="unsafe")
        start += element.count * row.itemsize
    if start != len(content):
        raise InvalidGeometry(f"has {checks.amount(len(content) - start, 'byte')} more than its header declares")
    return places, lists


def _text(content: bytes, start: int, elements: list[_Element], _order: str) -> _Read:
    try:
        found = numbers.scan(content, start)
    except numbers.NotANumber as error:
        raise InvalidGeometry(f"line {numbers.line_at(content, error.place)}: {error}") from None
    at, places, lists = 0, None, _Lists()
    for element in elements:
        wanted = _wanted(element)
        columns = _columns(element) if element.name == "vertex" else []
        counted = np.array([bool(each.counted) for each in element.properties], np.bool_)
        rows = min(element.count, len(found.values) - at + 1)
        counts, items = np.empty(rows if wanted >= 0 else 0, np.int64), np.empty(len(found.values) - at, np.int64)
        fault, row, used, end = kernel.walk_text(found.values, found.firsts, at, rows, counted, wanted, counts, items)
        if fault != kernel.FINE or rows < element.count:
            raise _cut_off(element, row, fault if fault != kernel.FINE else kernel.CUT_OFF)
        if wanted >= 0:
            lists[element.name] = items[:used].copy(), counts
        if columns:
            places = found.values[at:end].reshape(-1, len(element.properties))[:, columns]
        at = end
    if at != len(found.values):
        raise InvalidGeometry(f"has {checks.amount(len(found.values) - at, 'number')} more than its header declares")
    return places, lists


def _content(elements: list[_Element], vertices: NDArray[np.float64] | None, lists: _Lists) -> Content:
    if vertices is None:
        raise InvalidGeometry("its header declares no vertices")
    faces = [_triangles(name, *lists[name], vertices) for name in ("face", "tristrips") if name in lists]
    left_out = [
        f"{each.count} of {each.name}" for each in elements if each.name not in ("vertex", "face", "tristrips") and each.count
    ]
    triangles = np.concatenate([np.empty((0, 3), np.int64), *faces])
    return Content([FilePart("", Geometry(vertices, triangles))], left_out)


def _triangles(
    name: str, items: NDArray[np.int64], counts: NDArray[np.int64], vertices: NDArray[np.float64]
) -> NDArray[np.int64]:
    if name == "tristrips":  # -1 ends a strip within a list
        ends = np.union1d(np.cumsum(counts[counts > 0]), np.flatnonzero(items == -1) + 1)
        counts = np.diff(np.concatenate(([0], ends))) - (items[ends - 1] == -1)
        items = items[items != -1]
    wrong = np.flatnonzero((items < 0) | (items >= len(vertices)))
    if len(wrong):
        row = int(np.searchsorted(np.cumsum(counts), wrong[0], side="right"))
        raise InvalidGeometry(f"{name} {row} uses vertex {items[wrong[0]]} of {len(vertices)}, counted from 0")
    if name == "tristrips":
        return strips(items, counts)
    few = np.flatnonzero(counts < 3)
    if len(few):
        raise InvalidGeometry(f"face {few[0]} has {counts[few[0]]} corners; expected 3 or more")
    return polygons(items, counts, vertices)
