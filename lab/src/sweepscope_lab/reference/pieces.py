"""When do solids begin to overlap? In whole numbers, for bodies that are unions of convex pieces.

The interiors of two unions overlap if and only if the interiors of two of their pieces do. Two convex polytopes have disjoint
interiors if and only if their shadows on some axis do; the axes to try are the normals of the faces of both, and the cross
products of an edge of one with an edge of the other. Corners, edges and normals are whole numbers, so nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Whole = NDArray[Any]  # int64, or Python's whole numbers where those would overflow

SOON = 10**12
"""One over the tangent of the small half turn that stands for the very beginning of a turn.

Each shadow is a polynomial in that tangent with whole coefficients. Corners within 50 of the axis and axes up to 5 long keep
coefficients below 1e11, so the first that is not zero, at least 1, outweighs all after it: the sign is that of the beginning.
"""


@dataclass(frozen=True, slots=True)
class SurfacePiece:
    """A convex polytope with an inside. vertices (n, 3); normals (f, 3) of its faces; directions of its edges (e, 3)."""

    vertices: Whole
    normals: Whole
    edges: Whole

    def shifted(self, offset: ArrayLike) -> SurfacePiece:
        """Return the piece moved by whole numbers."""
        return SurfacePiece(self.vertices + np.asarray(offset), self.normals, self.edges)

    def mapped(self, matrix: NDArray[np.int64]) -> SurfacePiece:
        """Return the image under a whole matrix (3, 3) that is not singular."""
        a, b, c = matrix.T
        cofactors = np.stack((np.cross(b, c), np.cross(c, a), np.cross(a, b)), axis=1)
        return SurfacePiece(self.vertices @ matrix.T, self.normals @ cofactors.T, self.edges @ matrix.T)


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """A turn about a whole axis, with a slide of `pitch` along the axis for each radian, a whole number too."""

    axis: tuple[int, int, int]
    about: tuple[int, int, int]
    pitch: int = 0


def box_piece(low: ArrayLike, high: ArrayLike) -> SurfacePiece:
    """Return an upright box."""
    corners = np.array(list(product(*zip(np.asarray(low).tolist(), np.asarray(high).tolist(), strict=True))), np.int64)
    return SurfacePiece(corners, np.eye(3, dtype=np.int64), np.eye(3, dtype=np.int64))


def convex_piece(points: ArrayLike) -> SurfacePiece:
    """Return the hull of whole points that do not lie in one plane."""
    corners, facets = hull(points)
    normals = np.array([normal for normal, _ in facets])
    edges = [corners[i] - corners[j] for i, j in _hull_edges(len(corners), [on for _, on in facets])]
    return SurfacePiece(corners, _different(normals), _different(np.array(edges)))


def hull(points: ArrayLike) -> tuple[NDArray[np.int64], list[tuple[NDArray[np.int64], list[int]]]]:
    """Return the corners (n, 3) of a hull, and for each facet its outward normal and its corners in no order."""
    places = np.unique(np.asarray(points, np.int64), axis=0)
    triples = np.array(list(combinations(range(len(places)), 3)))
    first = places[triples[:, 0]]
    normals = np.cross(places[triples[:, 1]] - first, places[triples[:, 2]] - first)
    heights = normals @ places.T - (normals * first).sum(axis=1)[:, None]
    sign = np.where((heights <= 0).all(axis=1), 1, np.where((heights >= 0).all(axis=1), -1, 0)) * normals.any(axis=1)
    planes = {frozenset(np.nonzero(heights[k] == 0)[0].tolist()): sign[k] * normals[k] for k in np.nonzero(sign)[0]}
    if len(planes) < 4:
        raise ValueError("the points lie in one plane")
    meets = [sum(k in on for on in planes) for k in range(len(places))]
    kept = [k for k, count in enumerate(meets) if count >= 3]  # a corner is on three facets, a point of an edge on two
    number = {k: n for n, k in enumerate(kept)}
    return places[kept], [(normal, [number[k] for k in sorted(on) if k in number]) for on, normal in planes.items()]


def _hull_edges(count: int, facets: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield pairs of corners that two facets share."""
    own = [{k for k, on in enumerate(facets) if i in on} for i in range(count)]
    return ((i, j) for i, j in combinations(range(count), 2) if len(own[i] & own[j]) >= 2)


def _different(vectors: Whole) -> Whole:
    """Return the vectors that are not zero, divided by common factors, each direction once, whatever its sign."""
    if vectors.dtype == object:
        return vectors[(vectors != 0).any(axis=1)]
    reduced = vectors[vectors.any(axis=1)]
    reduced = reduced // np.gcd.reduce(reduced, axis=1)[:, None]
    first = np.take_along_axis(reduced, (reduced != 0).argmax(axis=1)[:, None], axis=1)
    return np.unique(reduced * np.sign(first), axis=0)


@dataclass(frozen=True, slots=True)
class PieceShadows:
    """Axes (k, 3) and the gaps along them, negative if shadows overlap: mover below obstacle (k,), mover above it (k,)."""

    axes: Whole
    below: Whole
    above: Whole


def shadows(mover: SurfacePiece, obstacle: SurfacePiece) -> PieceShadows:
    """Return the shadows of two pieces on all axes that may separate them."""
    crossed = np.cross(mover.edges[:, None], obstacle.edges[None]).reshape(-1, 3)
    axes = _different(np.concatenate((mover.normals, obstacle.normals, crossed)))
    own, other = mover.vertices @ axes.T, obstacle.vertices @ axes.T
    return PieceShadows(axes, other.min(axis=0) - own.max(axis=0), own.min(axis=0) - other.max(axis=0))


def all_shadows(movers: Sequence[SurfacePiece], obstacles: Sequence[SurfacePiece]) -> list[PieceShadows]:
    """Return the shadows of each piece of one body with each of the other."""
    return [shadows(mover, obstacle) for mover in movers for obstacle in obstacles]


def overlap_now(pairs: Sequence[PieceShadows]) -> bool:
    """True if the interiors of two bodies overlap."""
    return any(bool((pair.below < 0).all() and (pair.above < 0).all()) for pair in pairs)


def touch_now(pairs: Sequence[PieceShadows]) -> bool:
    """True if two bodies meet and their interiors do not overlap."""
    return not overlap_now(pairs) and any(bool((pair.below <= 0).all() and (pair.above <= 0).all()) for pair in pairs)


def placed(pairs: Sequence[PieceShadows], offsets: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return for the mover at each of n offsets (n, 3) whether interiors overlap, and how many pairs of pieces meet."""
    inside, meeting = np.zeros(len(offsets), bool), np.zeros(len(offsets), np.int64)
    for pair in pairs:
        moved = offsets @ pair.axes.T
        gap = np.maximum(pair.below - moved, pair.above + moved)
        inside |= (gap < 0).all(axis=1)
        meeting += (gap <= 0).all(axis=1)
    return inside, meeting


def press(pairs: Sequence[PieceShadows], vectors: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for each of n motions (n, 3) of bodies that do not overlap whether they overlap from the start, shape (n,)."""
    found = np.zeros(len(vectors), bool)
    for pair in pairs:
        speed = vectors @ pair.axes.T
        nearing = (pair.below < 0) | ((pair.below == 0) & (speed > 0))
        found |= (nearing & ((pair.above < 0) | ((pair.above == 0) & (speed < 0)))).all(axis=1)
    return found


def overlap_begins(pairs: Sequence[PieceShadows], vector: ArrayLike) -> Fraction | None:
    """Return the time in [0, 1) from which interiors overlap in a straight motion by a whole vector; None if they never do."""
    begins = [_pair_begins(pair, np.asarray(vector, np.int64)) for pair in pairs]
    return min((time for time in begins if time is not None), default=None)


def _pair_begins(pair: PieceShadows, vector: NDArray[np.int64]) -> Fraction | None:
    begin, end = Fraction(0), Fraction(1)
    for below, above, speed in zip(pair.below.tolist(), pair.above.tolist(), (pair.axes @ vector).tolist(), strict=True):
        if speed < 0:
            below, above, speed = above, below, -speed
        if speed == 0:
            if below >= 0 or above >= 0:
                return None
            continue
        begin, end = max(begin, Fraction(below, speed)), min(end, Fraction(-above, speed))
        if begin >= end:
            return None
    return begin


def overlap_after(
    movers: Sequence[SurfacePiece], obstacles: Sequence[SurfacePiece], turn: WholeTurn, cotangent: int = SOON
) -> bool:
    """True if interiors overlap after a turn by twice the angle whose tangent is the length of the axis / `cotangent`."""
    turned = [_turned(piece, turn, cotangent) for piece in movers]
    scale = _scale(turn, cotangent)
    grown = [SurfacePiece(piece.vertices.astype(object) * scale, *_exact(piece)) for piece in obstacles]
    return any(_overlap(a, b) for a in turned for b in grown)


def _overlap(a: SurfacePiece, b: SurfacePiece) -> bool:
    """True if the interiors of two pieces overlap. Boxes about them are tried first."""
    if (a.vertices.max(axis=0) <= b.vertices.min(axis=0)).any() or (b.vertices.max(axis=0) <= a.vertices.min(axis=0)).any():
        return False
    return overlap_now([shadows(a, b)])


def _exact(piece: SurfacePiece) -> tuple[Whole, Whole]:
    return piece.normals.astype(object), piece.edges.astype(object)


def _scale(turn: WholeTurn, cotangent: int) -> int:
    """Return the factor that makes everything whole: of the turn, and of the slide if there is one."""
    size = sum(x * x for x in turn.axis)
    return (cotangent**2 + size) * (15 * cotangent**5 if turn.pitch else 1)


def _turned(piece: SurfacePiece, turn: WholeTurn, cotangent: int) -> SurfacePiece:
    """Return a piece after the turn, times `_scale`.

    A slide takes the angle itself, which is not rational: 2 atan(x) = 2 (x - x^3 / 3 + x^5 / 5), wrong by x^7.
    """
    x, y, z = turn.axis
    size = x * x + y * y + z * z
    cross = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0)), object)
    square = np.array(turn.axis, object)[:, None] * np.array(turn.axis, object)[None]
    matrix = (cotangent**2 - size) * np.eye(3, dtype=int).astype(object) + 2 * cotangent * cross + 2 * square
    about, norm, scale = np.array(turn.about, object), cotangent**2 + size, _scale(turn, cotangent)
    places = (scale // norm) * ((piece.vertices.astype(object) - about) @ matrix.T) + scale * about
    if turn.pitch:
        series = 2 * (15 * cotangent**4 - 5 * size * cotangent**2 + 3 * size**2)
        places = places + turn.pitch * norm * series * np.array(turn.axis, object)
    normals, edges = _exact(piece)
    return SurfacePiece(places, normals @ matrix.T, edges @ matrix.T)
