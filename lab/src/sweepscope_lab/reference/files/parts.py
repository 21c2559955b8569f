"""What the makers of random files share: numbers in every spelling, and polygons."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Vertex = tuple[float, float, float]
Face = tuple[int, ...]
"""Corners of a polygon, three or more."""


def spelled(rng: np.random.Generator, value: float) -> str:
    """Return a number in one of the ways in which programs write it, all digits or some."""
    if rng.random() < 0.5:
        return digits(rng, value)
    some = (
        f"{value:.6f}",
        f"{value:g}",
        f"{value:.9e}",
        f"{value:.3E}",
        f"{round(value)}",
        f"{round(value)}.",
        f"{value:.22f}",
    )
    text = some[rng.integers(len(some))]
    return text[1:] if text.startswith("0.") and len(text) > 2 else text


def digits(rng: np.random.Generator, value: float) -> str:
    """Return a number with all of its digits."""
    return (repr(float(value)), f"{value:.18e}", f"{value:+.17g}")[rng.integers(3)]


def place(rng: np.random.Generator, vertices: Sequence[Vertex], k: int, free: int) -> str:
    """Return the coordinates of a vertex; from number `free` on they are corners of polygons, which must stay flat."""
    return " ".join((spelled if k < free else digits)(rng, x) for x in vertices[k])


def value(rng: np.random.Generator) -> float:
    """Return a random number of any size, sometimes a special one."""
    if rng.random() < 0.1:
        return float(rng.choice([0.0, -0.0, 1.0, 1e-7, 123456789.0, 5e-320, 1e22, 1e23, 0.1, 1 / 3]))
    return float(rng.normal() * 10.0 ** rng.integers(-9, 9))


def polygons(rng: np.random.Generator, most: int) -> tuple[list[Vertex], list[list[int]], int]:
    """Return vertices, faces of three corners or more, and the number of vertices that are only corners of triangles.

    Triangles are of any vertices; polygons are convex, with vertices of their own.
    """
    vertices: list[Vertex] = [(value(rng), value(rng), value(rng)) for _ in range(rng.integers(3, most))]
    free = len(vertices)
    faces = [rng.integers(0, free, 3).tolist() for _ in range(rng.integers(1, most))]
    for _ in range(rng.integers(0, 4)):
        n, begin = int(rng.integers(4, 9)), len(vertices)
        u, v = np.linalg.qr(rng.normal(size=(3, 3)))[0][:2] * 10.0 ** rng.integers(-3, 3)
        center = rng.normal(size=3)
        angles = [2.0 * math.pi * (k + 0.3 * rng.random()) / n for k in range(n)]
        vertices += [tuple((center + math.cos(a) * u + math.sin(a) * v).tolist()) for a in angles]
        faces.append(np.roll(np.arange(begin, begin + n), rng.integers(n)).tolist())
    order = rng.permutation(len(faces))
    return vertices, [faces[k] for k in order], free
