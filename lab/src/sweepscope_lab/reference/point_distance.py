"""Signed distance of points in rational arithmetic: the squared distance from every face that can be nearest, and the winding.

The winding number counts the faces over a point, with sign, along +z. Ties do not exist: the point is moved by (e, e**2) in x
and y with an infinitely small e (simulation of simplicity, Edelsbrunner and Muecke 1990), so its ray meets no edge. Signs of
determinants are those of rational numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Point = Sequence[Fraction]

_NEAR = 1e-6  # faces whose distance in float64 exceeds the least by more than this share cannot be nearest


@dataclass(frozen=True, slots=True)
class ExactDistance:
    """What is true of a point."""

    square: Fraction
    """Squared distance from the surface."""
    faces: tuple[int, ...]
    """All faces at this distance."""
    winding: int
    """Winding number of the surface about it; without a meaning on the surface."""
    crossings: int
    """Faces over it."""


def exact_distance(point: Array, vertices: Array, faces: NDArray[np.integer]) -> ExactDistance:
    """Return the distance of a point (3,) from triangles, segments and points, and its winding number."""
    corners = vertices[faces]
    place = _exact(point)
    low, high = _rough_squares(point, corners)
    size = float(np.abs(corners - point).max())
    near = np.flatnonzero(low <= high.min() * (1.0 + _NEAR) + (1e-12 * size) ** 2)
    squares = {int(k): exact_square(place, [_exact(corner) for corner in corners[k]]) for k in near}
    best = min(squares.values())
    winding, crossings = exact_winding(point, corners)
    return ExactDistance(best, tuple(k for k, square in squares.items() if square == best), winding, crossings)


def exact_square(point: Point, face: Sequence[Point]) -> Fraction:
    """Return the squared distance of a point from a face of three corners, which may be equal."""
    a, b, c = face
    best = min(_edge_square(point, *ends) for ends in ((a, b), (b, c), (c, a)))
    d, e, r = _minus(b, a), _minus(c, a), _minus(point, a)
    n = _cross(d, e)
    area = _dot(n, n)
    if area:
        s, t = _dot(_cross(r, e), n), _dot(_cross(d, r), n)
        if s >= 0 and t >= 0 and s + t <= area:
            high = _dot(r, n)
            best = min(best, high * high / area)
    return best


def boxes_of(corners: Array) -> Array:
    """Return the boxes of triangles (m, 3, 3), low sides 3 and high sides 3, (6, m): `exact_winding` takes them."""
    return np.ascontiguousarray(np.concatenate((corners.min(axis=1), corners.max(axis=1)), axis=1).T)


def exact_winding(point: Array, corners: Array, boxes: Array | None = None) -> tuple[int, int]:
    """Return (winding number, number of faces over the point) of triangles (m, 3, 3)."""
    x, y, z = point
    box = boxes_of(corners) if boxes is None else boxes
    over = (box[0] <= x) & (box[3] >= x) & (box[1] <= y) & (box[4] >= y) & (box[5] >= z)
    place = _exact(point)
    winding = crossings = 0
    for face in corners[over]:
        a, b, c = ([u - v for u, v in zip(_exact(corner), place, strict=True)] for corner in face)
        sides = {_turn(a, b), _turn(b, c), _turn(c, a)}
        if len(sides) > 1:
            continue
        turn = sides.pop()
        volume = _dot(a, _cross(b, c))
        # The plane is over the point if its height, volume / area, is positive.
        if turn * volume > 0:
            winding += turn
            crossings += 1
    return winding, crossings


def _turn(a: Point, b: Point) -> int:
    """Return on which side of the line a b, seen along z, the moved origin is: 1 or -1; 0 if the line is a point."""
    for number in (a[0] * b[1] - a[1] * b[0], a[1] - b[1], b[0] - a[0]):
        if number:
            return 1 if number > 0 else -1
    return 0


def _rough_squares(point: Array, corners: Array) -> tuple[Array, Array]:
    """Return a lower and an upper bound of squared distances, in float64, except for rounding.

    They are equal, but of thin faces the lower bound is that of the box.
    """
    best = np.full(len(corners), np.inf)
    for k in range(3):
        a, along = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
        size = (along * along).sum(axis=1)
        share = np.clip(((point - a) * along).sum(axis=1) / np.where(size > 0.0, size, 1.0), 0.0, 1.0)
        best = np.minimum(best, np.square(a + share[:, None] * along - point).sum(axis=1))
    d, e, r = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], point - corners[:, 0]
    gram = np.stack(((d * d).sum(1), (d * e).sum(1), (e * e).sum(1), (d * r).sum(1), (e * r).sum(1)))
    whole = gram[0] * gram[2] - gram[1] ** 2
    fine = whole > 1e-4 * gram[0] * gram[2]
    safe = np.where(fine, whole, 1.0)
    s, t = (gram[2] * gram[3] - gram[1] * gram[4]) / safe, (gram[0] * gram[4] - gram[1] * gram[3]) / safe
    inside = fine & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    flat = np.square(r - s[:, None] * d - t[:, None] * e).sum(axis=1)
    high = np.where(inside, np.minimum(best, flat), best)
    gap = np.maximum(np.maximum(corners.min(axis=1) - point, point - corners.max(axis=1)), 0.0)
    return np.where(fine, high, np.square(gap).sum(axis=1)), high


def _edge_square(point: Point, a: Point, b: Point) -> Fraction:
    along, r = _minus(b, a), _minus(point, a)
    whole = _dot(along, along)
    share = min(max(_dot(r, along) / whole, Fraction(0)), Fraction(1)) if whole else Fraction(0)
    off = [u - share * v for u, v in zip(r, along, strict=True)]
    return _dot(off, off)


def _exact(point: Array) -> list[Fraction]:
    return [Fraction(float(x)) for x in point]


def _minus(a: Point, b: Point) -> list[Fraction]:
    return [u - v for u, v in zip(a, b, strict=True)]


def _dot(a: Point, b: Point) -> Fraction:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> list[Fraction]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
