"""Pairs of small shapes that test an exact sweep by a translation: random pairs, and kinds that break other methods.

Each kind is a function of a random generator. It returns (mover vertices, mover faces, obstacle vertices, obstacle faces,
vector). All are float64 or whole numbers, so rational arithmetic sees exactly what the kernels see.
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
class TranslateCase:
    """One sweep by a translation."""

    kind: str
    mover: NDArray[np.float64]
    mover_faces: NDArray[np.int64]
    obstacle: NDArray[np.float64]
    obstacle_faces: NDArray[np.int64]
    vector: NDArray[np.float64]

    @property
    def size(self) -> float:
        """Extent of mover, obstacle and motion [length]; errors are shares of it."""
        everything = np.concatenate((self.mover, self.obstacle, self.mover + self.vector))
        return float(np.ptp(everything, axis=0).max())


Rng = np.random.Generator
CaseParts = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]


def _aim(rng: Rng, mover: NDArray[np.float64], obstacle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a vector that moves a random point of the mover 0.6 to 2 times as far as a random point of the obstacle."""
    a = rng.dirichlet(np.ones(len(mover))) @ mover
    b = rng.dirichlet(np.ones(len(obstacle))) @ obstacle
    return (b - a) * rng.uniform(0.6, 2.0)


def triangles(rng: Rng) -> CaseParts:
    """Two triangles in general position."""
    mover, obstacle = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)) + rng.normal(size=3) * 3.0
    return mover, TRIANGLE, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def tetrahedra(rng: Rng) -> CaseParts:
    """Two closed bodies."""
    mover, obstacle = rng.normal(size=(4, 3)), rng.normal(size=(4, 3)) + rng.normal(size=3) * 4.0
    return mover, TETRAHEDRON, obstacle, TETRAHEDRON, _aim(rng, mover, obstacle)


def point_triangle(rng: Rng) -> CaseParts:
    """A point against a triangle, or a triangle against a point."""
    point, face = rng.normal(size=(1, 3)), rng.normal(size=(3, 3)) + rng.normal(size=3) * 2.0
    if rng.random() < 0.5:
        return point, POINT, face, TRIANGLE, _aim(rng, point, face)
    return face, TRIANGLE, point, POINT, _aim(rng, face, point)


def segments(rng: Rng) -> CaseParts:
    """Two segments whose paths cross."""
    mover, obstacle = rng.normal(size=(2, 3)), rng.normal(size=(2, 3)) + rng.normal(size=3) * 2.0
    return mover, SEGMENT, obstacle, SEGMENT, _aim(rng, mover, obstacle)


def segment_triangle(rng: Rng) -> CaseParts:
    """A segment against a triangle."""
    mover, obstacle = rng.normal(size=(2, 3)), rng.normal(size=(3, 3)) + rng.normal(size=3) * 2.0
    return mover, SEGMENT, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def lattice(rng: Rng) -> CaseParts:
    """Small whole coordinates: features often touch, or are coplanar, parallel or collinear."""
    mover = rng.integers(-2, 3, (3, 3)).astype(float)
    obstacle = rng.integers(-2, 3, (3, 3)).astype(float)
    vector = rng.integers(-4, 5, 3).astype(float)
    return mover, TRIANGLE, obstacle, TRIANGLE, vector


def coplanar(rng: Rng) -> CaseParts:
    """Two triangles in one plane, moving in that plane."""
    mover = np.column_stack((rng.integers(-8, 9, (3, 2)) / 4.0, np.zeros(3)))
    obstacle = np.column_stack((rng.integers(-8, 9, (3, 2)) / 4.0 + (4.0, 0.0), np.zeros(3)))
    return mover, TRIANGLE, obstacle, TRIANGLE, np.array((rng.integers(1, 25) / 4.0, rng.integers(-8, 9) / 4.0, 0.0))


def edge_on(rng: Rng) -> CaseParts:
    """A triangle that moves in its own plane, against a triangle in another plane."""
    mover = rng.normal(size=(3, 3))
    a, b = rng.normal(size=2) * 4.0
    vector = a * (mover[1] - mover[0]) + b * (mover[2] - mover[0])
    obstacle = rng.normal(size=(3, 3)) + mover.mean(axis=0) + rng.uniform(0.3, 1.2) * vector
    return mover, TRIANGLE, obstacle, TRIANGLE, vector


def needles(rng: Rng) -> CaseParts:
    """Triangles a millionth to a billionth as wide as they are long."""

    def needle() -> NDArray[np.float64]:
        a, b = rng.normal(size=(2, 3))
        return np.array((a, b, a + rng.uniform(0.0, 1.0) * (b - a) + rng.normal(size=3) * 10.0 ** rng.uniform(-9.0, -6.0)))

    mover, obstacle = needle(), needle() + rng.normal(size=3) * 2.0
    return mover, TRIANGLE, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def slabs(rng: Rng) -> CaseParts:
    """A small body against a face a thousand times as large."""
    mover = rng.normal(size=(4, 3))
    obstacle = rng.normal(size=(3, 3)) * 1000.0
    obstacle -= obstacle.mean(axis=0)
    obstacle += rng.normal(size=3) * 5.0
    return mover, TETRAHEDRON, obstacle, TRIANGLE, rng.normal(size=3) * 20.0


def specks(rng: Rng) -> CaseParts:
    """A face of 1e-9 against one of 1."""
    mover, obstacle = rng.normal(size=(3, 3)) * 1e-9, rng.normal(size=(3, 3)) + rng.normal(size=3)
    return mover, TRIANGLE, obstacle, TRIANGLE, _aim(rng, mover, obstacle)


def giants(rng: Rng) -> CaseParts:
    """Everything a million times larger."""
    a, f, b, g, v = tetrahedra(rng)
    return a * 1e6, f, b * 1e6, g, v * 1e6


def dwarfs(rng: Rng) -> CaseParts:
    """Everything a billion times smaller."""
    a, f, b, g, v = tetrahedra(rng)
    return a * 1e-9, f, b * 1e-9, g, v * 1e-9


def far_away(rng: Rng) -> CaseParts:
    """Everything a million units from the origin."""
    a, f, b, g, v = tetrahedra(rng)
    shift = rng.normal(size=3) * 1e6
    return a + shift, f, b + shift, g, v


def parallel_edges(rng: Rng) -> CaseParts:
    """Segments that stay parallel, mostly in one plane with the motion."""
    d = rng.integers(-2, 3, 3).astype(float)
    a, b = rng.integers(-3, 4, (2, 3)).astype(float)
    vector = b - a + d * rng.integers(-1, 2) if rng.random() < 0.7 else rng.integers(-4, 5, 3).astype(float)
    return np.array((a, a + d)), SEGMENT, np.array((b, b + d * rng.integers(1, 3))), SEGMENT, vector


def touching_end(rng: Rng) -> CaseParts:
    """Bodies on a lattice whose first contact is at the very end of the motion."""
    mover = rng.integers(-2, 3, (4, 3)).astype(float)
    obstacle = rng.integers(-2, 3, (4, 3)).astype(float)
    obstacle[:, 2] += 8.0
    vector = np.array((*rng.integers(-2, 3, 2), obstacle[:, 2].min() - mover[:, 2].max())).astype(float)
    return mover, TETRAHEDRON, obstacle, TETRAHEDRON, vector


def still(rng: Rng) -> CaseParts:
    """No motion; asks whether they overlap now."""
    mover, obstacle = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)) * 2.0
    return mover, TRIANGLE, obstacle, TRIANGLE, np.zeros(3)


def long_motion(rng: Rng) -> CaseParts:
    """A motion 1e5 times as long as the mover."""
    mover = rng.normal(size=(3, 3))
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    obstacle = rng.normal(size=(3, 3)) * 3.0 + direction * rng.uniform(10.0, 9e4)
    return mover, TRIANGLE, obstacle, TRIANGLE, direction * 1e5


KINDS: tuple[Callable[[Rng], CaseParts], ...] = (
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
    long_motion,
)


def make(kind: Callable[[Rng], CaseParts], seed: int) -> TranslateCase:
    """Return the case of a kind and a seed; the same arguments give the same case."""
    return TranslateCase(kind.__name__, *kind(np.random.default_rng([KINDS.index(kind), seed])))
