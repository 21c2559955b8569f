"""Solids on a lattice that touch and do not overlap, with motions that press, slide or part them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .lattice_solids import SOLIDS, Solid, boxes_solid, grown
from .pieces import SurfacePiece, WholeTurn, all_shadows, overlap_after, overlap_begins, placed, press, touch_now

KINDS = (*SOLIDS, "mixed", "molds")
AXES = (
    *np.eye(3, dtype=int).tolist(),
    (1, 1, 0),
    (1, -1, 0),
    (0, 1, 1),
    (0, 1, -1),
    (1, 0, 1),
    (1, 0, -1),
    (1, 1, 1),
    (1, 2, 3),
)
COTANGENTS = (1000, 100, 30, 10, 5)
"""Of half turns at which overlap is looked for, on the way. Slides are exact enough for the first two only."""
_OFFSETS = 250
_MOTIONS = 16


@dataclass(frozen=True, slots=True)
class LatticeFrame:
    """Where the lattice is: turned by a rotation (3, 3), then shifted (3,)."""

    rotation: NDArray[np.float64]
    shift: NDArray[np.float64]

    @property
    def pose(self) -> NDArray[np.float64]:
        """As a matrix (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = self.rotation, self.shift
        return matrix

    def of(self, points: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return points (n, 3) in the world."""
        return points @ self.rotation.T + self.shift


@dataclass(frozen=True, slots=True)
class LatticeCase:
    """Two solids that touch, and a motion: straight by `vector`, or `turn` by `angle` [radians]."""

    kind: str
    mover: Solid
    obstacle: Solid
    vector: NDArray[np.int64] | None
    turn: WholeTurn | None
    angle: float
    frame: LatticeFrame
    baked: bool
    """The frame is in the vertices, not in the poses."""
    touching: bool
    """They meet and do not overlap."""
    presses: bool
    """Interiors overlap from the start."""
    begins: Fraction | None
    """When they overlap, if the motion is straight; None: never."""

    @property
    def limit(self) -> float:
        """Return the largest travel without overlap that is known for a turn [radians]; infinite if none is."""
        if self.turn is None:
            raise ValueError("a straight motion has `begins`")
        size = math.sqrt(sum(x * x for x in self.turn.axis))
        for cotangent in COTANGENTS[:2] if self.turn.pitch else COTANGENTS:
            travel = 2.0 * math.atan(size / cotangent)
            if travel < self.angle and overlap_after(self.mover.pieces, self.obstacle.pieces, self.turn, cotangent):
                return travel
        return math.inf


def lattice_case(seed: int, turning: bool) -> LatticeCase:
    """Return the case of a seed. Of the motions tried, half of the time one is taken that presses, else one that does not."""
    rng = np.random.default_rng((seed, int(turning)))
    kind = KINDS[seed % len(KINDS)]
    mover, obstacle = _touching(kind, rng)
    if rng.random() < 0.3:
        matrix = _sheared(rng)
        mover, obstacle = mover.mapped(matrix), obstacle.mapped(matrix)
    frame, baked = _frame(rng), bool(rng.random() < 0.5)
    wanted = bool(rng.random() < 0.5)
    pairs = all_shadows(mover.pieces, obstacle.pieces)
    touching = touch_now(pairs)
    if not turning:
        vectors = _vectors(mover, obstacle, rng)
        found = press(pairs, vectors)
        fitting = np.nonzero(found == wanted)[0]
        vector = vectors[fitting[0] if len(fitting) else 0]
        begins = overlap_begins(pairs, vector)
        return LatticeCase(kind, mover, obstacle, vector, None, 0.0, frame, baked, touching, begins == 0, begins)
    turn, presses = WholeTurn((0, 0, 1), (0, 0, 0)), False
    for _ in range(_MOTIONS):
        turn = _turn(mover, obstacle, rng)
        presses = overlap_after(mover.pieces, obstacle.pieces, turn)
        if presses == wanted:
            break
    angle = float(rng.uniform(0.1, 2.0))
    return LatticeCase(kind, mover, obstacle, None, turn, angle, frame, baked, touching, presses, None)


def _touching(kind: str, rng: np.random.Generator) -> tuple[Solid, Solid]:
    """Return a mover and an obstacle that touch and do not overlap."""
    if kind == "molds":
        return _mold(rng)
    names = list(SOLIDS)
    while True:
        first, second = (kind, kind) if kind in names else rng.choice(names, 2).tolist()
        mover, obstacle = SOLIDS[first](rng), SOLIDS[second](rng)
        low = obstacle.vertices.min(axis=0) - mover.vertices.max(axis=0)
        high = obstacle.vertices.max(axis=0) - mover.vertices.min(axis=0)
        offsets = rng.integers(low, high + 1, (_OFFSETS, 3))
        inside, meeting = placed(all_shadows(mover.pieces, obstacle.pieces), offsets)
        fits = np.nonzero(~inside & (meeting > 0))[0]
        if len(fits):
            # Half of the time where most pieces meet: that is where shapes fit into each other.
            snug = fits[np.argsort(-meeting[fits], kind="stable")][:5]
            return mover.shifted(offsets[rng.choice(snug if rng.random() < 0.5 else fits)]), obstacle


def _mold(rng: np.random.Generator) -> tuple[Solid, Solid]:
    """Return cells and cells that grow about them, or a peg in its hole, without play."""
    if rng.random() < 0.3:
        a, b, deep, longer = rng.integers(1, 3, 4).tolist()
        peg = [((1, 1, int(rng.integers(0, 2))), (1 + a, 1 + b, deep + longer - 1))]
        hole = [
            ((0, 0, 0), (1, 2 + b, deep)),
            ((1 + a, 0, 0), (2 + a, 2 + b, deep)),
            ((1, 0, 0), (1 + a, 1, deep)),
            ((1, 1 + b, 0), (1 + a, 2 + b, deep)),
        ]
        if peg[0][1][2] > peg[0][0][2]:
            return boxes_solid(peg, bool(rng.random() < 0.5), rng), boxes_solid(hole, bool(rng.random() < 0.5), rng)
    own = grown(rng, int(rng.integers(1, 5)))
    other = grown(rng, int(rng.integers(2, 8)), own, loose=bool(rng.random() < 0.3))
    bodies = [[(cell, tuple(x + 1 for x in cell)) for cell in sorted(cells)] for cells in (own, other)]
    return boxes_solid(bodies[0], True, rng), boxes_solid(bodies[1], True, rng)


def _sheared(rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a whole matrix (3, 3) that shears, with determinant 1."""
    matrix = np.eye(3, dtype=np.int64)
    for _ in range(2):
        i, j = rng.choice(3, 2, replace=False)
        step = np.eye(3, dtype=np.int64)
        step[i, j] = rng.choice((-1, 1))
        matrix = step @ matrix
    return matrix


def _frame(rng: np.random.Generator) -> LatticeFrame:
    """Return the lattice itself, or, for a third of the cases, one that is turned and shifted, so that places are rounded."""
    if rng.random() < 2.0 / 3.0:
        return LatticeFrame(np.eye(3), np.zeros(3))
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return LatticeFrame(turn * np.linalg.det(turn), rng.normal(size=3) * 10.0)


def _vectors(mover: Solid, obstacle: Solid, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return motions (n, 3) in a random order: along edges of both, along axes, and any."""
    edges = np.concatenate([piece.edges for piece in (*mover.pieces, *obstacle.pieces)])
    along = edges[rng.integers(len(edges), size=_MOTIONS)] * rng.choice((-2, -1, 1, 2), (_MOTIONS, 1))
    upright = np.array(AXES)[rng.integers(len(AXES), size=_MOTIONS)] * rng.choice((-2, -1, 1, 2), (_MOTIONS, 1))
    vectors = np.concatenate((along, upright, rng.integers(-3, 4, (_MOTIONS, 3))))
    return rng.permutation(vectors[vectors.any(axis=1)])


def _turn(mover: Solid, obstacle: Solid, rng: np.random.Generator) -> WholeTurn:
    """Return a turn about an edge, a normal or an axis; through a corner that is in contact, most of the time."""
    pieces: list[SurfacePiece] = [*mover.pieces, *obstacle.pieces]
    piece = pieces[rng.integers(len(pieces))]
    directions = (AXES, piece.edges, piece.normals)[rng.choice(3, p=(0.4, 0.4, 0.2))]
    axis = np.asarray(directions[rng.integers(len(directions))]) * rng.choice((-1, 1))
    if (axis**2).sum() > 25:  # see SOON
        axis = np.array(AXES[rng.integers(len(AXES))])
    corners = np.concatenate((mover.vertices, obstacle.vertices))
    inner = _held(corners, mover.vertices, obstacle.vertices)
    places = inner if len(inner) and rng.random() < 0.7 else corners
    about = places[rng.integers(len(places))]
    pitch = int(rng.choice((-1, 1))) if rng.random() < 0.15 else 0
    x, y, z = (int(k) for k in axis)
    return WholeTurn((x, y, z), (int(about[0]), int(about[1]), int(about[2])), pitch)


def _held(corners: NDArray[np.int64], *bodies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the corners that lie in the upright boxes about all bodies."""
    held = np.ones(len(corners), bool)
    for body in bodies:
        held &= ((corners >= body.min(axis=0)) & (corners <= body.max(axis=0))).all(axis=1)
    return corners[held]
