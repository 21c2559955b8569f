"""Closed meshes and points for `point_distance`: points near faces, edges and corners, in the planes of faces, far away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .lattice_solids import random_hull

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class PointCase:
    """A closed mesh, and points."""

    name: str
    vertices: Array
    faces: Whole
    points: Array
    """Shape (n, 3) [length]."""
    oriented: bool = True
    """Whether its winding number decides; else the parity."""

    @property
    def size(self) -> float:
        """Largest coordinate [length], relative to which errors are counted."""
        return float(max(np.abs(self.vertices).max(), np.abs(self.points).max()))


def subdivided(vertices: Array, faces: Whole, times: int) -> tuple[Array, Whole]:
    """Return a mesh whose triangles are cut in four, a number of times; the surface stays the same."""
    for _ in range(times):
        ends = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        edges, which = np.unique(ends, axis=0, return_inverse=True)
        ab, bc, ca = (which.reshape(-1, 3) + len(vertices)).T
        vertices = np.concatenate((vertices, vertices[edges].mean(axis=1)))
        a, b, c = faces.T
        faces = np.concatenate([np.column_stack(each) for each in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
    return vertices, faces


def box(low: Array, high: Array) -> tuple[Array, Whole]:
    """Return a box of twelve triangles, faces outwards."""
    choice = np.array([[(k >> r) & 1 for r in (2, 1, 0)] for k in range(8)], bool)
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [(q[0], q[i], q[i + 1]) for q in quads for i in (1, 2)]
    return np.where(choice, high, low), np.array(faces)


def ball(rng: Rng, columns: int, bumps: float) -> tuple[Array, Whole]:
    """Return a bumpy ball."""
    rows = columns // 2
    turn, tilt = np.meshgrid(np.arange(columns) * 2 * np.pi / columns, np.arange(1, rows) * np.pi / rows)
    around = np.stack((np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)), axis=-1).reshape(-1, 3)
    vertices = np.concatenate((around, ((0, 0, 1), (0, 0, -1)))) * (1 + bumps * rng.random(len(around) + 2))[:, None]
    faces = []
    for j in range(columns):
        k = (j + 1) % columns
        faces.append((len(around), j, k))
        faces.append((len(around) + 1, (rows - 2) * columns + k, (rows - 2) * columns + j))
        for i in range(rows - 2):
            a, b, c, d = i * columns + j, i * columns + k, (i + 1) * columns + j, (i + 1) * columns + k
            faces += [(a, c, d), (a, d, b)]
    return vertices, np.array(faces)


def merged(*meshes: tuple[Array, Whole]) -> tuple[Array, Whole]:
    """Return meshes as one."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    faces = [mesh[1] + start for mesh, start in zip(meshes, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(faces)


def _cube(rng: Rng) -> tuple[Array, Whole]:
    return subdivided(*box(-np.ones(3), np.ones(3)), int(rng.integers(0, 4)))


def _bumpy(rng: Rng) -> tuple[Array, Whole]:
    return ball(rng, 24, 0.3)


def _hull(rng: Rng) -> tuple[Array, Whole]:
    solid = random_hull(rng)
    return np.asarray(solid.vertices, np.float64), np.asarray(solid.faces)


def _slab(rng: Rng) -> tuple[Array, Whole]:
    thin = 10.0 ** -rng.uniform(1, 9)
    return subdivided(*box(np.array((-1.0, -1.0, 0.0)), np.array((1.0, 1.0, thin))), 2)


def _needle(rng: Rng) -> tuple[Array, Whole]:
    wide = 10.0 ** -rng.uniform(1, 9)
    vertices, faces = box(np.array((0.0, 0.0, 0.0)), np.array((wide, wide, 1.0)))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return vertices @ (turn * np.sign(np.linalg.det(turn))).T, faces


def _crossing(rng: Rng) -> tuple[Array, Whole]:
    """Two balls that cross each other."""
    one, two = ball(rng, 16, 0.1), ball(rng, 14, 0.1)
    return merged(one, (two[0] + rng.uniform(0.2, 0.9, 3), two[1]))


def _hollow(rng: Rng) -> tuple[Array, Whole]:
    """A ball with a cavity."""
    one, two = ball(rng, 16, 0.1), ball(rng, 14, 0.0)
    return merged(one, (0.5 * two[0], two[1][:, ::-1]))


def _inverted(rng: Rng) -> tuple[Array, Whole]:
    vertices, faces = ball(rng, 16, 0.3)
    return vertices, faces[:, ::-1]


def _turned_faces(rng: Rng) -> tuple[Array, Whole]:
    """A closed mesh without a common orientation."""
    vertices, faces = ball(rng, 16, 0.3)
    some = rng.random(len(faces)) < 0.4
    faces[some] = faces[some, ::-1]
    return vertices, faces


def _loose(rng: Rng) -> tuple[Array, Whole]:
    """Triangles with corners of their own, as in STL files, and some without area."""
    vertices, faces = ball(rng, 16, 0.2)
    flat = np.array([(a, a, b) for a, b in rng.integers(0, len(vertices), (5, 2))])
    faces = np.concatenate((faces, flat))
    return vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)


KINDS: tuple[Callable[[Rng], tuple[Array, Whole]], ...] = (
    _cube, _bumpy, _hull, _slab, _needle, _crossing, _hollow, _inverted, _turned_faces, _loose,
)  # fmt: skip


def make(seed: int, count: int = 40) -> PointCase:
    """Return a case. Coordinates are small, usual or large; some bodies are far from the origin."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    vertices, faces = kind(rng)
    points = _points(rng, vertices, faces, count)
    scale = rng.choice((1e-6, 1.0, 1.0, 1e6))
    shift = rng.normal(size=3) * rng.choice((0.0, 0.0, 100.0))
    return PointCase(
        kind.__name__[1:], scale * (vertices + shift), faces, scale * (points + shift), kind is not _turned_faces
    )  # fmt: skip


def _points(rng: Rng, vertices: Array, faces: Whole, count: int) -> Array:
    """Return points around a mesh, in it, near it, and in line with its corners."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    wide = 0.3 * float((high - low).max())
    anywhere = rng.uniform(low - wide, high + wide, (count, 3))
    share = rng.dirichlet((1.0, 1.0, 1.0), count)
    share[: count // 4, 2] = 0.0  # on edges
    share[: count // 8, 1] = 0.0  # on corners
    share /= share.sum(axis=1, keepdims=True)
    corners = vertices[faces[rng.integers(0, len(faces), count)]]
    on = (share[:, :, None] * corners).sum(axis=1)
    near = on + rng.normal(size=(count, 3)) * (10.0 ** -rng.uniform(1, 12, count))[:, None] * wide
    lined = np.where(rng.random((count, 3)) < 0.5, vertices[rng.integers(0, len(vertices), count)], anywhere)
    inside = 0.5 * (on + on[rng.permutation(count)])
    chosen = rng.permutation(4 * count)[:count]
    return np.concatenate((anywhere, near, lined, inside))[chosen]
