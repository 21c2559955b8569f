"""Distance of two bodies in rational arithmetic, by trying every pair of features; and winding numbers by solid angles.

A face has one, two or three corners. The nearest points of two faces that do not meet lie on two features: vertex and vertex,
vertex and edge, two edges, or vertex and face. Each pair is a linear system, solved exactly; solutions off a feature are left
out. Faces that meet have distance 0: `exact.face_time` without a motion decides that.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .brute_force import face_distance
from .exact import Face, Point, face_time

Array = NDArray[np.float64]

_CLOSE = 1e-6  # float64 is trusted to so much of the size; nearer pairs of faces are compared exactly
_STILL: Point = (Fraction(0), Fraction(0), Fraction(0))


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Point, b: Point) -> Fraction:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _point_line(p: Point, a: Point, b: Point) -> Fraction | None:
    """Return the squared distance of p from the inside of the segment from a to b; None beside it."""
    d, r = _minus(b, a), _minus(p, a)
    dd, dr = _dot(d, d), _dot(d, r)
    return _dot(r, r) - dr * dr / dd if 0 < dr < dd else None


def _lines(a: Point, b: Point, c: Point, e: Point) -> Fraction | None:
    """Return the squared distance of the insides of two segments; None beside them, or if they are parallel."""
    d, f, r = _minus(b, a), _minus(e, c), _minus(a, c)
    dd, ff, df, dr, fr = _dot(d, d), _dot(f, f), _dot(d, f), _dot(d, r), _dot(f, r)
    area = dd * ff - df * df
    if area == 0:
        return None
    s, t = (df * fr - ff * dr) / area, (dd * fr - df * dr) / area
    if not (0 < s < 1 and 0 < t < 1):
        return None
    return _dot(r, r) + 2 * s * dr - 2 * t * fr + s * s * dd + t * t * ff - 2 * s * t * df


def _point_plane(p: Point, face: Face) -> Fraction | None:
    """Return the squared distance of p from the inside of a triangle; None beside it, or if it has no area."""
    e, f, r = _minus(face[1], face[0]), _minus(face[2], face[0]), _minus(p, face[0])
    ee, ff, ef, er, fr = _dot(e, e), _dot(f, f), _dot(e, f), _dot(e, r), _dot(f, r)
    area = ee * ff - ef * ef
    if area == 0:
        return None
    s, t = (ff * er - ef * fr) / area, (ee * fr - ef * er) / area
    if s < 0 or t < 0 or s + t > 1:
        return None
    return _dot(r, r) - s * er - t * fr


def _edges(face: Face) -> list[tuple[Point, Point]]:
    ends = [(0, 1), (1, 2), (2, 0)] if len(face) == 3 else [(0, 1)] if len(face) == 2 else []
    return [(face[i], face[j]) for i, j in ends]


def face_distance_sq(one: Face, two: Face) -> Fraction:
    """Return the squared distance of two faces."""
    if face_time(one, two, _STILL) is not None:
        return Fraction(0)
    found: list[Fraction | None] = [_dot(_minus(p, q), _minus(p, q)) for p in one for q in two]
    for corners, other in ((one, two), (two, one)):
        found += [_point_line(p, *edge) for p in corners for edge in _edges(other)]
        if len(other) == 3:
            found += [_point_plane(p, other) for p in corners]
    found += [_lines(*edge, *rival) for edge in _edges(one) for rival in _edges(two)]
    return min(each for each in found if each is not None)


def surface_distance(ones: Sequence[Face], twos: Sequence[Face]) -> float:
    """Return the distance of the faces of two bodies, the nearest of them compared exactly."""
    first, second = (
        np.array([[[float(x) for x in each[min(k, len(each) - 1)]] for k in range(3)] for each in faces])
        for faces in (ones, twos)
    )
    middle = first.reshape(-1, 3).mean(axis=0)
    first, second = first - middle, second - middle
    i, j = (index.ravel() for index in np.indices((len(first), len(second))))
    rough = face_distance(first[i], second[j])
    size = max(float(np.abs(first).max()), float(np.abs(second).max()))
    near = np.flatnonzero(~(rough > rough[~np.isnan(rough)].min() + _CLOSE * size))
    return float(min(face_distance_sq(ones[i[k]], twos[j[k]]) for k in near)) ** 0.5


def winding(points: Array, faces: Array) -> Array:
    """Return how often a closed surface of triangles (m, 3, 3) goes around points (n, 3), by their solid angles."""
    a, b, c = (faces[None, :, k] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=-1) for side in (a, b, c))
    top = (a * np.cross(b, c)).sum(axis=-1)
    bottom = la * lb * lc + (a * b).sum(axis=-1) * lc + (b * c).sum(axis=-1) * la + (c * a).sum(axis=-1) * lb
    return np.arctan2(top, bottom).sum(axis=-1) / (2.0 * np.pi)
