"""Convex bodies at a small distance, or none, and motions; when they overlap is found by steps and halving.

The gap is the largest over all axes that may separate two convex bodies: normals of faces, and cross products of edges. A
negative gap says how deep the bodies overlap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .lattice_solids import Solid, random_box, random_hull
from .tip_shapes import Floats, any_rotation, rotation_about

KINDS = ("turn", "turn, flush", "straight", "straight, flush")
_SHARES = np.unique(np.concatenate((np.geomspace(1e-9, 1.0, 60), np.linspace(0.0, 1.0, 101))))
_BEGINNING = 0.01
_HALVINGS = 60
_MOTIONS = 8
_SKEW = 1e-6  # shorter cross products of edges are rounding
_SURE = 1e-12
"""Depth that is overlap and no rounding [length, of bodies about 1 to 10 wide]."""


@dataclass(frozen=True, slots=True)
class GapMotion:
    """Straight by `vector`, or a turn by `angle` about it through `about`."""

    vector: Floats
    about: Floats | None
    angle: float

    def at(self, share: float) -> tuple[Floats, Floats]:
        """Return rotation (3, 3) and shift (3,) at a share of the motion."""
        if self.about is None:
            return np.eye(3), share * self.vector
        rotation = rotation_about(self.vector, share * self.angle)
        return rotation, self.about - rotation @ self.about


@dataclass(frozen=True, slots=True)
class ConvexCase:
    """A convex body: vertices (n, 3), unit normals of faces (f, 3), unit directions of edges (e, 3)."""

    vertices: Floats
    normals: Floats
    edges: Floats

    def moved(self, rotation: Floats, shift: Floats) -> ConvexCase:
        """Return the body turned, then shifted."""
        return ConvexCase(self.vertices @ rotation.T + shift, self.normals @ rotation.T, self.edges @ rotation.T)


@dataclass(frozen=True, slots=True)
class GapCase:
    """A mover and an obstacle at a distance of at most the tolerance, and a motion."""

    kind: str
    solids: tuple[Solid, Solid]
    scales: tuple[float, float]
    rotation: Floats
    shift: Floats
    """Where the mover is; the obstacle is not moved."""
    motion: GapMotion
    tolerance: float
    gap: float
    """At the start."""
    begins: float
    """Share of the motion at which they surely overlap; infinite: never found."""
    deepest: float
    """Depth of their overlap [length], as far as found."""
    approaching: bool
    """The gap closes at the beginning."""
    posed: tuple[Floats, Floats]
    """Rotation and shift of the whole."""


def convex_of(solid: Solid, scale: float) -> ConvexCase:
    """Return a solid of one piece, scaled."""
    (piece,) = solid.pieces
    return ConvexCase(scale * solid.vertices.astype(np.float64), _units(piece.normals), _units(piece.edges))


def _units(vectors: Floats) -> Floats:
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def gaps(mover: ConvexCase, obstacle: ConvexCase, rotations: Floats, shifts: Floats) -> Floats:
    """Return the gap, largest over all axes, of the mover turned and shifted in k ways, shape (k,)."""
    normals, edges = mover.normals @ rotations.transpose(0, 2, 1), mover.edges @ rotations.transpose(0, 2, 1)
    crossed = np.cross(edges[:, :, None], obstacle.edges).reshape(len(rotations), -1, 3)
    size = np.linalg.norm(crossed, axis=2, keepdims=True)
    crossed /= np.maximum(size, _SKEW)
    same = np.broadcast_to(obstacle.normals, (len(rotations), *obstacle.normals.shape))
    axes = np.concatenate((normals, same, crossed), axis=1).transpose(0, 2, 1)
    # Subtract first: bodies that are near each other lose no digits.
    origin = obstacle.vertices[0]
    own = (mover.vertices @ rotations.transpose(0, 2, 1) + (shifts - origin)[:, None]) @ axes
    other = (obstacle.vertices - origin) @ axes
    found = np.maximum(other.min(axis=1) - own.max(axis=1), own.min(axis=1) - other.max(axis=1))
    found[:, -crossed.shape[1] :][size[..., 0] <= _SKEW] = -np.inf
    return found.max(axis=1)


def gap_of(mover: ConvexCase, obstacle: ConvexCase, rotation: Floats, shift: Floats) -> float:
    """Return the gap of the mover turned and shifted; negative: how deep they overlap."""
    return float(gaps(mover, obstacle, rotation[None], shift[None])[0])


def gap_case(seed: int) -> GapCase:
    """Return the case of a seed."""
    rng = np.random.default_rng((seed, 3))
    kind = KINDS[seed % len(KINDS)]
    flush = kind.endswith("flush")
    solids = _solid(rng, flush), _solid(rng, flush)
    scales = float(rng.uniform(0.3, 1.0)), float(rng.uniform(0.3, 1.0))
    plain, obstacle = convex_of(solids[0], scales[0]), convex_of(solids[1], scales[1])
    size = float(np.linalg.norm(np.ptp(plain.vertices, axis=0)))
    tolerance = size * 10.0 ** rng.uniform(-9.0, -2.0)
    aim = float(rng.choice((0.0, 0.999, rng.random(), rng.random())) * tolerance)
    rotation = np.eye(3) if flush else any_rotation(rng)
    shift = _shift(plain.moved(rotation, np.zeros(3)), obstacle, aim, flush, rng)
    mover = plain.moved(rotation, shift)
    wanted = bool(rng.random() < 0.7)
    motion = _motion(mover, obstacle, kind.startswith("turn"), rng)
    begins, deepest, approaching = _truth(mover, obstacle, motion)
    for _ in range(_MOTIONS):
        if (approaching and begins < math.inf) == wanted:
            break
        motion = _motion(mover, obstacle, kind.startswith("turn"), rng)
        begins, deepest, approaching = _truth(mover, obstacle, motion)
    posed = (any_rotation(rng), 3.0 * rng.normal(size=3)) if rng.random() < 0.5 else (np.eye(3), np.zeros(3))
    gap = gap_of(mover, obstacle, np.eye(3), np.zeros(3))
    return GapCase(kind, solids, scales, rotation, shift, motion, tolerance, gap, begins, deepest, approaching, posed)


def _solid(rng: np.random.Generator, flush: bool) -> Solid:
    return random_box(rng) if flush or rng.random() < 0.5 else random_hull(rng)


def _shift(mover: ConvexCase, obstacle: ConvexCase, gap: float, flush: bool, rng: np.random.Generator) -> Floats:
    """Return a shift that brings the mover to a gap from the obstacle, along a random direction."""
    direction = obstacle.normals[rng.integers(len(obstacle.normals))] * rng.choice((-1.0, 1.0))
    if not flush:
        direction = rng.normal(size=3)
        direction /= np.linalg.norm(direction)
    aside = rng.uniform(-0.4, 0.4, 3) * np.ptp(obstacle.vertices, axis=0)
    start = obstacle.vertices.mean(axis=0) - mover.vertices.mean(axis=0) + aside
    near, far = 0.0, 20.0
    if gap_of(mover, obstacle, np.eye(3), start) > gap:
        start = start - aside
    for _ in range(_HALVINGS):
        middle = 0.5 * (near + far)
        if gap_of(mover, obstacle, np.eye(3), start + middle * direction) < gap:
            near = middle
        else:
            far = middle
    return start + far * direction


def _motion(mover: ConvexCase, obstacle: ConvexCase, turning: bool, rng: np.random.Generator) -> GapMotion:
    towards = obstacle.vertices.mean(axis=0) - mover.vertices.mean(axis=0)
    if not turning:
        vector = rng.normal(size=3) + rng.choice((0.0, 1.0)) * towards
        return GapMotion(vector / np.linalg.norm(vector) * 10.0 ** rng.uniform(-3.0, 0.0), None, 0.0)
    edges = (*mover.edges, *obstacle.edges, rng.normal(size=3))
    axis = edges[rng.integers(len(edges))] * rng.choice((-1.0, 1.0))
    corners = np.concatenate((mover.vertices, obstacle.vertices, mover.vertices[:1] + rng.normal(size=3)))
    return GapMotion(axis, corners[rng.integers(len(corners))], float(10.0 ** rng.uniform(-3.0, 0.2)))


def _truth(mover: ConvexCase, obstacle: ConvexCase, motion: GapMotion) -> tuple[float, float, bool]:
    """Return the share of the motion from which they surely overlap, how deep they do, and whether they approach at first."""
    rotations, shifts = zip(*(motion.at(float(share)) for share in _SHARES), strict=True)
    found = gaps(mover, obstacle, np.array(rotations), np.array(shifts))
    approaching = bool(found[_SHARES <= _BEGINNING].min() < found[0] - _SURE)
    inside = np.nonzero(found < -_SURE)[0]
    if not len(inside):
        return math.inf, 0.0, approaching
    before, after = float(_SHARES[max(inside[0] - 1, 0)]), float(_SHARES[inside[0]])
    for _ in range(_HALVINGS):
        middle = 0.5 * (before + after)
        if gap_of(mover, obstacle, *motion.at(middle)) < -_SURE:
            after = middle
        else:
            before = middle
    return after, float(-found.min()), approaching
