"""PLY files: random ones, and a slow reader."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from .parts import Face, Vertex, digits, polygons

_CODES = {
    "char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H", "uint16": "H",
    "int": "i", "int32": "i", "uint": "I", "uint32": "I", "float": "f", "float32": "f", "double": "d", "float64": "d",
}  # fmt: skip
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_COUNTS = ("uchar", "uint8", "char", "int", "ushort", "int32")
_INDICES = ("int", "uint", "short", "uint8", "int32", "uint16")

Property = tuple[str, str, str]  # name, kind, kind of its count or ""
Element = tuple[str, list[Property], list[list[Any]]]


def _strips(rng: np.random.Generator, count: int) -> list[int]:
    """Return the items of a list of strips, -1 between them, sometimes at the end."""
    items = []
    for _ in range(rng.integers(1, 4)):
        items += [*rng.integers(0, count, rng.integers(0, 7)).tolist(), -1]
    return items if rng.random() < 0.5 else items[:-1]


def _elements(rng: np.random.Generator) -> list[Element]:
    vertices, faces, _ = polygons(rng, 12)
    real = ("float", "double", "float32", "float64")[rng.integers(4)]
    properties: list[Property] = [(axis, real, "") for axis in "xyz"]
    rows: list[list[Any]] = [list(vertex) for vertex in vertices]
    for k in range(rng.integers(0, 4)):
        place = int(rng.integers(len(properties) + 1))
        properties.insert(place, (f"extra{k}", ("uchar", "float", "int")[rng.integers(3)], ""))
        for row in rows:
            row.insert(place, int(rng.integers(0, 99)))
    name = ("vertex_indices", "vertex_index")[rng.integers(2)]
    counted, index = _COUNTS[rng.integers(6)], _INDICES[rng.integers(6)]
    lists: list[Property] = [(name, index, counted)]
    face_rows: list[list[Any]] = [[face] for face in faces]
    for k in range(rng.integers(0, 3)):
        place, many = int(rng.integers(len(lists) + 1)), rng.random() < 0.5
        lists.insert(place, (f"more{k}", "float" if many else "uchar", "uchar" if many else ""))
        for row in face_rows:
            row.insert(place, [0.5] * int(rng.integers(0, 4)) if many else 7)
    found: list[Element] = [("vertex", properties, rows), ("face", lists, face_rows)]
    if rng.random() < 0.3:
        found.append(("tristrips", [(name, "int", "int")], [[_strips(rng, len(vertices))] for _ in range(rng.integers(0, 3))]))
    if rng.random() < 0.3:
        edges: Element = ("edge", [("vertex1", "int", ""), ("vertex2", "int", "")], [[0, 1]] * int(rng.integers(0, 3)))
        found.insert(int(rng.integers(len(found) + 1)), edges)
    if rng.random() < 0.3:
        user: Element = (
            "user",
            [("a", "double", ""), ("b", "short", "uint")],
            [[0.5, [1] * int(k)] for k in rng.integers(0, 5, 2)],
        )
        found.insert(int(rng.integers(len(found) + 1)), user)
    return found


def random_file(rng: np.random.Generator, folder: Path) -> Path:
    """Write a random valid file; return its path."""
    elements = _elements(rng)
    kind = list(_ORDERS)[rng.integers(3)]
    end = "\r\n" if kind == "ascii" and rng.random() < 0.3 else "\n"
    lines = ["ply", f"format {kind} 1.0", "comment é a comment", "obj_info nothing"][: int(rng.integers(2, 5))]
    body = bytearray()
    for name, properties, rows in elements:
        lines.append(f"element {name} {len(rows)}")
        lines += [f"property {f'list {counted} ' if counted else ''}{one} {p}" for p, one, counted in properties]
        for row in rows:
            body += _row(rng, properties, row, _ORDERS[kind], end)
    path = folder / "random.ply"
    path.write_bytes((end.join([*lines, "end_header"]) + end).encode() + bytes(body))
    return path


def _row(rng: np.random.Generator, properties: list[Property], row: list[Any], order: str, end: str) -> bytes:
    if not order:
        words = []
        for value in row:
            items = value if isinstance(value, list) else [value]
            words += [str(len(items))] if isinstance(value, list) else []
            words += [digits(rng, x) if isinstance(x, float) else str(x) for x in items]
        return (" ".join(words) + end).encode()
    data = b""
    for (_, kind, counted), value in zip(properties, row, strict=True):
        if counted:
            data += struct.pack(order + _CODES[counted], len(value))
        for item in value if counted else [value]:
            data += struct.pack(order + _CODES[kind], item)
    return data


def _header(data: bytes) -> tuple[str, list[tuple[str, int, list[Property]]], bytes]:
    head, _, rest = data.partition(b"end_header")
    order, elements = "", []
    for line in head.split(b"\n"):
        words = [word.decode("latin-1") for word in line.split()]
        if words[:1] == ["format"]:
            order = _ORDERS[words[1]]
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:2] == ["property", "list"]:
            elements[-1][2].append((words[4], words[3], words[2]))
        elif words[:1] == ["property"]:
            elements[-1][2].append((words[2], words[1], ""))
    return order, elements, rest.partition(b"\n")[2]


def slow_read(path: Path) -> tuple[list[Vertex], list[Face]]:
    """Return the vertices and polygons of a file."""
    order, elements, body = _header(path.read_bytes())
    words = iter([] if order else body.split())
    at = 0

    def take(kind: str) -> Any:
        nonlocal at
        if not order:
            return float(next(words))
        code = order + _CODES[kind]
        (one,) = struct.unpack_from(code, body, at)
        at += struct.calcsize(code)
        return one

    vertices: list[Vertex] = []
    faces: list[Face] = []
    strips: list[Face] = []
    for name, count, properties in elements:
        for _ in range(count):
            row: dict[str, Any] = {
                p: [take(kind) for _ in range(int(take(counted)))] if counted else take(kind) for p, kind, counted in properties
            }
            if name == "vertex":
                vertices.append((row["x"], row["y"], row["z"]))
            indices = [int(k) for k in row.get("vertex_indices", row.get("vertex_index", []))]
            if name == "face":
                faces.append(tuple(indices))
            elif name == "tristrips":
                strips += _strip(indices)
    return vertices, faces + strips


def _strip(items: list[int]) -> list[Face]:
    found: list[Face] = []
    strip: list[int] = []
    for item in [*items, -1]:
        if item == -1:
            for k in range(len(strip) - 2):
                a, b, c = strip[k : k + 3]
                found.append((a, b, c) if k % 2 == 0 else (a, c, b))
            strip = []
        else:
            strip.append(item)
    return found
