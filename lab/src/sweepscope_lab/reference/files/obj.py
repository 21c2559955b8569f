"""OBJ files: random ones, and a slow reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .parts import Face, Vertex, place, polygons


def _corner(rng: np.random.Generator, index: int) -> str:
    return f"{index}" + ("", "/1", "//-2", "/3/4", "/")[rng.integers(5)]


def random_file(rng: np.random.Generator, folder: Path) -> Path:
    """Write a random valid file; return its path."""
    vertices, faces, free = polygons(rng, 12)
    lines, written = [], 0
    for face in faces:
        while written < len(vertices) and (written <= max(face) or rng.random() < 0.3) and rng.random() < 0.9:
            extra = ("", " 1.0", " 0.5 0.5 0.5", " 1 .1 .2 .3")[rng.integers(4)]
            lines.append("v " + place(rng, vertices, written, free) + extra)
            written += 1
        # A vertex that was not written yet can only be named from the front.
        names = [k - written if k < written and rng.random() < 0.4 else k + 1 for k in face]
        blanks = (" ", "\t", "  ")[rng.integers(3)]
        lines.append(("f", "fo")[rng.random() < 0.1] + blanks + blanks.join(_corner(rng, k) for k in names))
        if rng.random() < 0.5:
            more = (
                "",
                "# a face",
                "vt 0 1",
                "vn 0 0 1",
                "vp 1",
                "g a b",
                "o part",
                "s off",
                "usemtl x",
                "l 1 2",
                "p 1",
                "mtllib é.mtl",
            )
            lines.append(more[rng.integers(len(more))])
    lines += ["v " + place(rng, vertices, k, free) for k in range(written, len(vertices))]
    spaced = [("", "  ", "\t")[rng.integers(3)] + line + ("", " ", " # end")[rng.integers(3)] for line in lines]
    broken = [line.replace(" ", " \\\n", 1) if rng.random() < 0.05 and "#" not in line else line for line in spaced]
    text = "\n".join(broken) + ("\n" if rng.random() < 0.8 else "")
    data = (text.replace("\n", "\r\n") if rng.random() < 0.3 else text).encode()
    path = folder / "random.obj"
    path.write_bytes((b"\xef\xbb\xbf" if rng.random() < 0.1 else b"") + data)
    return path


def slow_read(path: Path) -> tuple[list[Vertex], list[Face]]:
    """Return the vertices and polygons of a file."""
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\\\n", b" ")
    vertices: list[Vertex] = []
    faces: list[Face] = []
    for line in data.split(b"\n"):
        words = line.split(b"#")[0].split()
        if words[:1] == [b"v"]:
            vertices.append((float(words[1]), float(words[2]), float(words[3])))
        elif words and words[0] in (b"f", b"fo"):
            named = [int(word.split(b"/")[0]) for word in words[1:]]
            faces.append(tuple(k - 1 if k > 0 else len(vertices) + k for k in named))
    return vertices, faces
