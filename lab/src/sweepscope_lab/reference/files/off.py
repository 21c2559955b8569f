"""OFF files: random ones, and a slow reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .parts import Face, Vertex, place, polygons


def random_file(rng: np.random.Generator, folder: Path) -> Path:
    """Write a random valid file; return its path."""
    vertices, faces, free = polygons(rng, 12)
    kind = ("", "C", "N", "CN", "ST", "STCN")[rng.integers(6)]
    extra = 2 * ("ST" in kind) + 4 * ("C" in kind) + 3 * kind.endswith("N")
    counts = f"{len(vertices)} {len(faces)}" + (" 0" if rng.random() < 0.8 else "")
    lines = [f"{kind}OFF {counts}"] if rng.random() < 0.3 else [f"{kind}OFF", counts]
    lines += [" ".join([place(rng, vertices, k, free), *["0.5"] * extra]) for k in range(len(vertices))]
    for face in faces:
        color = ("", " 255 0 0", " 0.1 0.2 0.3 1", " 7")[rng.integers(4)]
        lines.append(f"{len(face)}  {' '.join(map(str, face))}{color}")
    mixed = []
    for line in lines:
        mixed += [("", "\t")[rng.integers(2)] + line + ("", "  ", " # said")[rng.integers(3)]] if mixed else [line]
        mixed += ["", "# a comment 1 2 3"][: rng.integers(3)] if rng.random() < 0.2 else []
    text = ("# first\n" if rng.random() < 0.2 else "") + "\n".join(mixed) + ("\n" if rng.random() < 0.8 else "")
    path = folder / "random.off"
    path.write_bytes((text.replace("\n", "\r\n") if rng.random() < 0.3 else text).encode())
    return path


def slow_read(path: Path) -> tuple[list[Vertex], list[Face]]:
    """Return the vertices and polygons of a file."""
    lines = [line.split(b"#")[0].split() for line in path.read_bytes().split(b"\n")]
    lines = [words for words in lines if words]
    if len(lines[0]) == 1:
        lines = [lines[0] + lines[1], *lines[2:]]
    count, faces = int(lines[0][1]), int(lines[0][2])
    vertices = [(float(x), float(y), float(z)) for x, y, z, *_ in lines[1 : 1 + count]]
    found: list[Face] = []
    for words in lines[1 + count : 1 + count + faces]:
        found.append(tuple(int(word) for word in words[1 : 1 + int(words[0])]))
    return vertices, found
