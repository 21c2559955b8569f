"""How two bodies overlap, the slow twin of `scene.overlaps`. Nothing here is shared with the kernels.

`cells_relation` is exact: bodies are sets of unit cubes with whole corners. `relation` compares every pair of faces in float64,
and takes the winding number of corners, as the sum of solid angles (Van Oosterom and Strackee 1983). It is for bodies in
general position: nothing that nearly touches.
"""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .brute_force import face_distance

Cell = tuple[int, int, int]
Floats = NDArray[np.float64]

_PAIRS = 200_000  # pairs of faces that are compared at once


@dataclass(frozen=True, slots=True)
class Relation:
    """How two bodies lie: the kind of `PairDistance`, which is inside the other (0, 1, else -1), and the distance [length]."""

    kind: str
    inner: int
    distance: float


def cells_relation(one: AbstractSet[Cell], other: AbstractSet[Cell]) -> Relation:
    """Return how two unions of unit cubes lie, each given by its lowest corner."""
    if one & other:
        if one == other:
            return Relation("duplicate", -1, 0.0)
        inner = 0 if one <= other else 1 if other <= one else -1
        return Relation("crossing" if inner < 0 else "inside", inner, 0.0)
    a, b = np.array(sorted(one)), np.array(sorted(other))
    gaps = np.maximum(np.abs(a[:, None] - b[None]) - 1, 0)
    nearest = int((gaps**2).sum(axis=2).min())
    return Relation("apart" if nearest else "touching", -1, math.sqrt(nearest))


@dataclass(frozen=True, slots=True)
class PlacedBody:
    """The faces of a body, shape (n, 3, 3) [length], world; its radius [length]; whether it has an inside."""

    faces: Floats
    radius: float
    solid: bool


def relation(one: PlacedBody, other: PlacedBody) -> Relation:
    """Return how two bodies in general position lie. A body with a radius contains nothing but what its core's balls do."""
    gap = _least_distance(one.faces, other.faces) - one.radius - other.radius
    within = [_is_within(one, other, gap), _is_within(other, one, gap)]
    if within[0] or within[1]:
        return Relation("duplicate", -1, 0.0) if all(within) else Relation("inside", 0 if within[0] else 1, 0.0)
    if gap <= 0.0 or _some_inside(one, other) or _some_inside(other, one):
        return Relation("crossing", -1, 0.0)
    return Relation("apart", -1, gap)


def _least_distance(one: Floats, other: Floats) -> float:
    """Return the least distance of two sets of faces."""
    rows = max(1, _PAIRS // len(other))
    best = math.inf
    for k in range(0, len(one), rows):
        some = one[k : k + rows]
        pairs = np.repeat(some, len(other), axis=0), np.tile(other, (len(some), 1, 1))
        best = min(best, float(face_distance(*pairs).min()))
    return best


def winding(points: Floats, faces: Floats) -> Floats:
    """Return how often closed faces (n, 3, 3) wind around points (m, 3), shape (m,)."""
    a, b, c = np.moveaxis(faces[None] - points[:, None, None], 2, 0)
    la, lb, lc = (np.linalg.norm(v, axis=-1) for v in (a, b, c))
    top = np.einsum("...i,...i", a, np.cross(b, c))
    low = la * lb * lc + (a * b).sum(-1) * lc + (b * c).sum(-1) * la + (c * a).sum(-1) * lb
    return np.arctan2(top, low).sum(axis=1) / (2.0 * math.pi)


def _inside(points: Floats, body: PlacedBody) -> NDArray[np.bool_]:
    return np.round(winding(points, body.faces)) != 0 if body.solid else np.zeros(len(points), np.bool_)


def _some_inside(inner: PlacedBody, outer: PlacedBody) -> bool:
    return bool(_inside(inner.faces.reshape(-1, 3), outer).any())


def _is_within(inner: PlacedBody, outer: PlacedBody, gap: float) -> bool:
    """True if all of one body is inside the other. gap: of the surfaces; less than 0 if they meet."""
    if outer.radius > 0.0:
        # Each rounded face is convex. If one of them holds all corners of a face, it holds the face.
        room = outer.radius - inner.radius
        return room > 0.0 and all(_holds(face, outer.faces, room) for face in inner.faces)
    return gap > 0.0 and bool(_inside(inner.faces.reshape(-1, 3), outer).all())


def _holds(face: Floats, faces: Floats, room: float) -> bool:
    near = [face_distance(np.broadcast_to(corner, faces.shape), faces) <= room for corner in face]
    return bool(np.logical_and.reduce(near).any())
