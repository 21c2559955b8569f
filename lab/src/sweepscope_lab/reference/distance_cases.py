"""Pairs of bodies for distances: every kind of shape, near and far, flush, nested, needle-thin, and far from the origin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Mesh, PointCloud, Shape, Sphere, Volume
from sweepscope.fan import Fan

from .vectors import random_rotation

Array = NDArray[np.float64]
Rng = np.random.Generator

_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_SIDES = np.array(
    (
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DistanceCase:
    """Two shapes at their poses."""

    kind: str
    seed: int
    shapes: tuple[Shape, Shape]
    poses: tuple[Array, Array]


def _box(rng: Rng) -> Shape:
    return Box(tuple(rng.uniform(0.2, 2.0, 3)))


def _whole_box(rng: Rng) -> Shape:
    return Box(tuple(rng.integers(1, 4, 3).astype(float)))


def _hull(rng: Rng) -> Shape:
    return (
        Mesh.sphere(1.0, rows=int(rng.integers(3, 6)), sections=int(rng.integers(3, 8)))
        if rng.random() < 0.5
        else _tetrahedron(rng)
    )


def _tetrahedron(rng: Rng) -> Shape:
    vertices = rng.normal(size=(4, 3))
    if np.linalg.det(vertices[1:] - vertices[0]) < 0.0:
        vertices = vertices[[1, 0, 2, 3]]
    return Mesh(vertices, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])


def _needle(rng: Rng) -> Shape:
    return Mesh.cylinder(10.0 ** rng.uniform(-6.0, -1.0), 2.0, sections=5)


def _open(rng: Rng) -> Shape:
    count = int(rng.integers(2, 5))
    return Mesh.terrain(rng.uniform(-0.3, 0.3, (count, count)), 1.0)


def _soup(rng: Rng) -> Shape:
    count = int(rng.integers(1, 7))
    return Mesh(rng.normal(size=(3 * count, 3)), np.arange(3 * count).reshape(-1, 3), solid=False)


def _ball(rng: Rng) -> Shape:
    return Sphere(rng.uniform(0.1, 1.0))


def _capsule(rng: Rng) -> Shape:
    return Capsule(rng.uniform(0.05, 0.6), rng.uniform(0.1, 2.0))


def _cloud(rng: Rng) -> Shape:
    return PointCloud(rng.normal(size=(int(rng.integers(1, 30)), 3)), radius=float(rng.choice((0.0, 0.05, 0.2))))


def _segments(rng: Rng) -> Shape:
    count = int(rng.integers(2, 6))
    return Mesh(rng.normal(size=(count, 3)), [(k, k + 1, k + 1) for k in range(count - 1)], solid=False)


def _volume(rng: Rng) -> Shape:
    filled = rng.random((3, 3, 3)) < 0.3
    filled[tuple(rng.integers(0, 3, 3))] = True
    return Volume(filled, float(rng.uniform(0.2, 0.6)), origin=tuple(rng.normal(size=3)))


def _fan(rng: Rng) -> Shape:
    inner = float(rng.uniform(0.0, 1.0))
    return Fan(
        rng.normal(size=3), (0.0, 0.0, 1.0), mid=(1.0, 0.0, 0.0), half_angle=float(rng.uniform(0.05, 0.4)), inner=inner,
        outer=inner + float(rng.uniform(0.2, 1.0)), half_thickness=float(rng.uniform(0.02, 0.3)),
    )  # fmt: skip


SHAPES: dict[str, Callable[[Rng], Shape]] = {
    "box": _box, "hull": _hull, "needle": _needle, "open mesh": _open, "soup": _soup, "ball": _ball, "capsule": _capsule,
    "cloud": _cloud, "segments": _segments, "volume": _volume, "fan": _fan,
}  # fmt: skip
KINDS = ("near", "lattice", "far away", "nested", "hair")
"""Any place; whole coordinates, so that faces are flush; a million from the origin; one in the other; nearly touching."""


def _pose(rotation: Array, place: Array) -> Array:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, place
    return pose


def distance_case(seed: int) -> DistanceCase:
    """Return the case of a seed."""
    rng = np.random.default_rng((seed, 7))
    kind = KINDS[seed % len(KINDS)]
    names = list(SHAPES)
    if kind == "lattice":
        shapes = _whole_box(rng), _whole_box(rng)
        place = rng.integers(-4, 5, 3).astype(float)
        return DistanceCase(kind, seed, shapes, (np.eye(4), _pose(np.eye(3), place)))
    first, second = (SHAPES[str(rng.choice(names))](rng) for _ in range(2))
    if kind == "nested":
        first = Box((9.0, 9.0, 9.0)) if rng.random() < 0.5 else Mesh.sphere(8.0, rows=5, sections=6)
    away = rng.normal(size=3)
    away *= {"near": rng.uniform(0.5, 4.0), "far away": rng.uniform(0.5, 4.0), "nested": rng.uniform(0.0, 3.0), "hair": 1.0}[
        kind
    ] / np.linalg.norm(away)
    if kind == "hair":
        # The second is put so that a point of it lies next to a point of the first.
        spots = [shape_points(shape)[int(rng.integers(len(shape_points(shape))))] for shape in (first, second)]
        turn = random_rotation(rng)
        place = spots[0] - turn @ spots[1] + away * (10.0 ** rng.uniform(-9.0, -2.0))
        return DistanceCase(kind, seed, (first, second), (np.eye(4), _pose(turn, place)))
    base = 1e6 * rng.normal(size=3) if kind == "far away" else np.zeros(3)
    return DistanceCase(
        kind, seed, (first, second), (_pose(random_rotation(rng), base), _pose(random_rotation(rng), base + away))
    )


def shape_points(shape: Shape) -> Array:
    """Return the corners of a shape's faces, shape (n, 3), local."""
    vertices, _ = faces_of(shape)
    return vertices


def faces_of(shape: Shape) -> tuple[Array, NDArray[np.int64]]:
    """Return vertices (n, 3) and faces (m, 3) of a shape; of a volume, twelve triangles of each voxel."""
    if not isinstance(shape, Volume):
        return np.asarray(shape.vertices, np.float64), np.asarray(shape.faces, np.int64)
    voxels = np.argwhere(shape.occupied)
    corners = np.array(shape.origin, np.float64) + (voxels[:, None, :] + _CORNERS[None]) * np.array(shape.spacing, np.float64)
    faces: NDArray[np.int64] = _SIDES[None] + 8 * np.arange(len(voxels))[:, None, None]
    return np.asarray(corners.reshape(-1, 3), np.float64), faces.reshape(-1, 3)
