"""Pairs of small shapes to try an exact sweep on: random ones, and the nasty kinds that break others.

Each kind is a function of a random generator that returns (mover vertices, mover faces, obstacle vertices, obstacle faces,
vector), all float64 or whole numbers, so that rational arithmetic sees exactly what the kernels see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TETRAHEDRON = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
TRIANGLE = np.array([(0, 1, 2)])
SEGMENT = np.array([(0, 1, 1)])
POINT = np.array([(0, 0, 0)])


@dataclass(frozen=True, slots=True)
class Case:
    """One question."""

    kind: str
    mover: NDArray[np.float64]
    mover_faces: NDArray[np.int64]
    obstacle: NDArray[np.float64]
    obstacle_faces: NDArray[np.int64]
    vector: NDArray[np.float64]

    @property
    def size(self) -> float:
        """Extent of all that takes part [length]: what errors are measured against."""
        everything = np.concatenate((self.mover, self.obstacle, self.mover + self.vector))
        return float(np.ptp(everything, axis=0).max())


Rng = np.random.Generator
Made = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]


def _aim(rng: Rng, mover: NDArray[np.float64], obstacle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a vector that takes a random point of the mover about 1 to 2 times as far as one of the obstacle."""
    a = rng.dirichlet(np.ones(len(mover))) @ mover
    b = rng.dirichlet(np.ones(len(obstacle))) @ obstacle
    return (b - a) * rng.uniform(0.6, 2.0)


def triangles(rng: Rng) -> Made:
    """Two triangles in general position."""
    mover, obstacle = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)) + rng.normal(size=3) * 3.0
    return mover, TRIANGLE, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def tetrahedra(rng: Rng) -> Made:
    """Two closed bodies."""
    mover, obstacle = rng.normal(size=(4, 3)), rng.normal(size=(4, 3)) + rng.normal(size=3) * 4.0
    return mover, TETRAHEDRON, obstacle, TETRAHEDRON, _aim(rng, mover, obstacle)


def point_triangle(rng: Rng) -> Made:
    """A point against a triangle, or the other way round."""
    point, face = rng.normal(size=(1, 3)), rng.normal(size=(3, 3)) + rng.normal(size=3) * 2.0
    if rng.random() < 0.5:
        return point, POINT, face, TRIANGLE, _aim(rng, point, face)
    return face, TRIANGLE, point, POINT, _aim(rng, face, point)


def segments(rng: Rng) -> Made:
    """Two segments whose ways cross."""
    mover, obstacle = rng.normal(size=(2, 3)), rng.normal(size=(2, 3)) + rng.normal(size=3) * 2.0
    return mover, SEGMENT, obstacle, SEGMENT, _aim(rng, mover, obstacle)


def segment_triangle(rng: Rng) -> Made:
    """A segment against a triangle."""
    mover, obstacle = rng.normal(size=(2, 3)), rng.normal(size=(3, 3)) + rng.normal(size=3) * 2.0
    return mover, SEGMENT, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def lattice(rng: Rng) -> Made:
    """Small whole coordinates: touching, coplanar, parallel and collinear features all the time."""
    mover = rng.integers(-2, 3, (3, 3)).astype(float)
    obstacle = rng.integers(-2, 3, (3, 3)).astype(float)
    vector = rng.integers(-4, 5, 3).astype(float)
    return mover, TRIANGLE, obstacle, TRIANGLE, vector


def coplanar(rng: Rng) -> Made:
    """Two triangles that move in the plane that both lie in."""
    mover = np.column_stack((rng.integers(-8, 9, (3, 2)) / 4.0, np.zeros(3)))
    obstacle = np.column_stack((rng.integers(-8, 9, (3, 2)) / 4.0 + (4.0, 0.0), np.zeros(3)))
    return mover, TRIANGLE, obstacle, TRIANGLE, np.array((rng.integers(1, 25) / 4.0, rng.integers(-8, 9) / 4.0, 0.0))


def edge_on(rng: Rng) -> Made:
    """A triangle that moves within its own plane, seen edge-on, against another that is not."""
    mover = rng.normal(size=(3, 3))
    a, b = rng.normal(size=2) * 4.0
    vector = a * (mover[1] - mover[0]) + b * (mover[2] - mover[0])
    obstacle = rng.normal(size=(3, 3)) + mover.mean(axis=0) + rng.uniform(0.3, 1.2) * vector
    return mover, TRIANGLE, obstacle, TRIANGLE, vector


def needles(rng: Rng) -> Made:
    """Triangles a millionth to a billionth as wide as they are long."""

    def needle() -> NDArray[np.float64]:
        a, b = rng.normal(size=(2, 3))
        return np.array((a, b, a + rng.uniform(0.0, 1.0) * (b - a) + rng.normal(size=3) * 10.0 ** rng.uniform(-9.0, -6.0)))

    mover, obstacle = needle(), needle() + rng.normal(size=3) * 2.0
    return mover, TRIANGLE, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def slabs(rng: Rng) -> Made:
    """A small body against a face a thousand times as large."""
    mover = rng.normal(size=(4, 3))
    obstacle = rng.normal(size=(3, 3)) * 1000.0
    obstacle -= obstacle.mean(axis=0)
    obstacle += rng.normal(size=3) * 5.0
    return mover, TETRAHEDRON, obstacle, TRIANGLE, rng.normal(size=3) * 20.0


def specks(rng: Rng) -> Made:
    """A face of 1e-9 against one of 1."""
    mover, obstacle = rng.normal(size=(3, 3)) * 1e-9, rng.normal(size=(3, 3)) + rng.normal(size=3)
    return mover, TRIANGLE, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def giants(rng: Rng) -> Made:
    """Everything a million times larger."""
    a, f, b, g, v = tetrahedra(rng)
    return a * 1e6, f, b * 1e6, g, v * 1e6


def dwarfs(rng: Rng) -> Made:
    """Everything a billion times smaller."""
    a, f, b, g, v = tetrahedra(rng)
    return a * 1e-9, f, b * 1e-9, g, v * 1e-9


def far_away(rng: Rng) -> Made:
    """Everything a million units from the origin."""
    a, f, b, g, v = tetrahedra(rng)
    shift = rng.normal(size=3) * 1e6
    return a + shift, f, b + shift, g, v


def parallel_edges(rng: Rng) -> Made:
    """Segments that stay parallel, in one plane with the motion more often than not."""
    d = rng.integers(-2, 3, 3).astype(float)
    a, b = rng.integers(-3, 4, (2, 3)).astype(float)
    vector = b - a + d * rng.integers(-1, 2) if rng.random() < 0.7 else rng.integers(-4, 5, 3).astype(float)
    return np.array((a, a + d)), SEGMENT, np.array((b, b + d * rng.integers(1, 3))), SEGMENT, vector


def touching_end(rng: Rng) -> Made:
    """Bodies on a lattice whose last moment is their first contact."""
    mover = rng.integers(-2, 3, (4, 3)).astype(float)
    obstacle = rng.integers(-2, 3, (4, 3)).astype(float)
    obstacle[:, 2] += 8.0
    vector = np.array((*rng.integers(-2, 3, 2), obstacle[:, 2].min() - mover[:, 2].max())).astype(float)
    return mover, TETRAHEDRON, obstacle, TETRAHEDRON, vector


def still(rng: Rng) -> Made:
    """No motion at all: the question is whether they overlap now."""
    mover, obstacle = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)) * 2.0
    return mover, TRIANGLE, obstacle, TRIANGLE, np.zeros(3)


def long_way(rng: Rng) -> Made:
    """A motion 1e5 times as long as the mover."""
    mover = rng.normal(size=(3, 3))
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    obstacle = rng.normal(size=(3, 3)) * 3.0 + direction * rng.uniform(10.0, 9e4)
    return mover, TRIANGLE, obstacle, TRIANGLE, direction * 1e5


KINDS: tuple[Callable[[Rng], Made], ...] = (
    triangles,
    tetrahedra,
    point_triangle,
    segments,
    segment_triangle,
    lattice,
    coplanar,
    edge_on,
    needles,
    slabs,
    specks,
    giants,
    dwarfs,
    far_away,
    parallel_edges,
    touching_end,
    still,
    long_way,
)


def make(kind: Callable[[Rng], Made], seed: int) -> Case:
    """Return the case of a kind and a seed: always the same one."""
    return Case(kind.__name__, *kind(np.random.default_rng([KINDS.index(kind), seed])))
