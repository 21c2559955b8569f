"""STL files: random ones, and a slow reader."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from .parts import Face, Vertex, spelled, value


def random_file(rng: np.random.Generator, folder: Path) -> Path:
    """Write a random valid file; return its path."""
    path = folder / "random.stl"
    triangles = [[(value(rng), value(rng), value(rng)) for _ in range(3)] for _ in range(rng.integers(1, 12))]
    if rng.random() < 0.5:
        head = (b"solid facet normal", b"made by hand", bytes(rng.integers(0, 256, 80, np.uint8)))[rng.integers(3)].ljust(80)[
            :80
        ]
        rows = [
            struct.pack("<12fH", 0, 0, 1, *(x for corner in each for x in corner), rng.integers(65536)) for each in triangles
        ]
        path.write_bytes(head + struct.pack("<I", len(rows)) + b"".join(rows))
        return path
    words = []
    for k, corners in enumerate(triangles):
        if k == 0 or rng.random() < 0.2:
            words += (["endsolid a part"] if k else []) + [f"solid {('', 'name', 'facet vertex')[rng.integers(3)]}"]
        normal = ("0 0 1", "nan nan nan", "-1e-3 .5 0")[rng.integers(3)]
        words += [f"facet normal {normal}", "outer loop"]
        words += ["vertex " + " ".join(spelled(rng, x) for x in corner) for corner in corners]
        words += ["endloop", "endfacet"]
    words.append("endsolid")
    if rng.random() < 0.3:
        words = [word.upper().replace("E", "E") if "vertex" in word else word for word in words]
    between = ("\n", "\r\n", "\n\n\t ")[rng.integers(3)]
    path.write_bytes(between.join(words).encode() + (b"\n" if rng.random() < 0.8 else b""))
    return path


def slow_read(path: Path) -> tuple[list[Vertex], list[Face]]:
    """Return the vertices and triangles of a file."""
    data = path.read_bytes()
    vertices: list[Vertex] = []
    if len(data) >= 84 and len(data) == 84 + 50 * struct.unpack_from("<I", data, 80)[0]:
        for begin in range(84, len(data), 50):
            row = struct.unpack_from("<12f", data, begin)
            vertices += [row[3:6], row[6:9], row[9:12]]
    else:
        for line in data.split(b"\n"):
            words = line.split()
            if words and words[0].lower() == b"vertex":
                vertices.append((float(words[1]), float(words[2]), float(words[3])))
    return vertices, [(k, k + 1, k + 2) for k in range(0, len(vertices), 3)]
