"""Meshes for tests: bumpy, hilly, hooked, with a hole, thin."""

import math

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh


def bumpy_ball(rows: int, columns: int, radius: float = 20.0, seed: int = 3) -> Mesh:
    """Return a ball with twelve waves on its radius: 2 columns (rows - 1) triangles."""
    ball = Mesh.sphere(1.0, rows=rows, sections=columns)
    rng = np.random.default_rng(seed)
    waves = rng.normal(size=(12, 3)) * 6.0
    phases = rng.uniform(0.0, 6.0, 12)
    height = 1.0 + 0.04 * np.sin(ball.vertices @ waves.T + phases).sum(axis=1)
    return Mesh(ball.vertices * (radius * height)[:, None], ball.faces)


def hills(count: int, size: float = 200.0, seed: int = 5) -> Mesh:
    """Return steep ground over a square of side `size`, count x count vertices, 2 (count - 1)^2 triangles."""
    x = np.linspace(-0.5 * size, 0.5 * size, count)
    waves = np.random.default_rng(seed).uniform(-0.5, 0.5, (10, 3))
    height = sum(3.0 * np.sin(x[:, None] * a + x[None, :] * b + c) for a, b, c in waves)
    return Mesh.terrain(height, size / (count - 1))


def scattered_balls(count: int, side: float, hole: float, seed: int = 0, near: float = 80.0) -> NDArray[np.float64]:
    """Return up to `count` places in a cube of `side`, none within `hole` of its middle, no two in 200 within `near`."""
    rng = np.random.default_rng(seed)
    places: list[NDArray[np.float64]] = []
    for place in rng.uniform(-0.5 * side, 0.5 * side, (8 * count, 3)):
        if len(places) == count:
            break
        if np.linalg.norm(place) > hole and all(np.linalg.norm(place - other) > near for other in places[-200:]):
            places.append(place)
    return np.array(places)


def _extrude(outline: NDArray[np.float64], depth: float) -> Mesh:
    """Return the prism over a strip of quads; outline (k, 2, 2): inner and outer point of each cross line."""
    k = len(outline)
    flat = outline.reshape(-1, 2)
    vertices = np.concatenate(
        (np.column_stack((flat, np.full(2 * k, -0.5 * depth))), np.column_stack((flat, np.full(2 * k, 0.5 * depth))))
    )
    top = 2 * k
    quads = []
    for i in range(k - 1):
        a, b, c, d = 2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2  # inner, outer, next outer, next inner
        quads += [(a, d, c, b), (top + a, top + b, top + c, top + d)]
        quads += [(b, c, top + c, top + b), (d, a, top + a, top + d)]
    end = 2 * k - 2
    quads += [(0, 1, top + 1, top), (end + 1, end, top + end, top + end + 1)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return Mesh(vertices, faces)


def hook(inner: float = 1.0, outer: float = 1.3, depth: float = 0.4, opening: float = 1.2) -> Mesh:
    """Return a hook: an arc in the xy plane that leaves `opening` radians free towards -y."""
    angle = np.linspace(-0.5 * math.pi + 0.5 * opening, 1.5 * math.pi - 0.5 * opening, 41)
    ray = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    return _extrude(np.stack((inner * ray, outer * ray), axis=1), depth)


def ring(inner: float, outer: float, height: float, columns: int = 48) -> Mesh:
    """Return a flat closed ring about the z axis, centered."""
    angle = np.linspace(0.0, 2.0 * math.pi, columns, endpoint=False)
    circle = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    layers = [(inner, -0.5 * height), (outer, -0.5 * height), (outer, 0.5 * height), (inner, 0.5 * height)]
    vertices = np.concatenate([np.column_stack((r * circle, np.full(columns, z))) for r, z in layers])
    here = np.arange(columns)
    there = (here + 1) % columns
    faces = []
    for k in range(4):
        low, high = k * columns, (k + 1) % 4 * columns
        faces.append(np.stack((low + here, high + there, high + here), axis=1))
        faces.append(np.stack((low + here, low + there, high + there), axis=1))
    return Mesh(vertices, np.concatenate(faces))


def nut(hole: float = 1.0, across: float = 2.0, height: float = 0.8) -> Mesh:
    """Return a ring with a hole of radius `hole` for a bolt."""
    return ring(hole, across, height, columns=48)


def peg(radius: float = 0.9, length: float = 4.0) -> Mesh:
    """Return a closed cylinder about the z axis: a bolt or a peg."""
    return Mesh.cylinder(radius, length, sections=48)


def wall(thickness: float = 1e-6, side: float = 2.0) -> Mesh:
    """Return a thin wall in the yz plane."""
    return Mesh.box((thickness, side, side))
