"""Contacts by definition: where two soups of triangles are near, by brute force; and the common area of flat convex polygons.

Nothing is shared with the kernels. A place of contact is checked by points that are sampled densely on all faces around it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .nearest import soup_distance
from .vectors import cross, dot

Array = NDArray[np.float64]

_STEPS = 12  # points along a side of a face


def _grid() -> Array:
    """Return barycentric coordinates of points all over a triangle, its border included, shape (k, 3)."""
    rows = [(i, j, _STEPS - i - j) for i in range(_STEPS + 1) for j in range(_STEPS + 1 - i)]
    return np.array(rows) / _STEPS


def distance_to_faces(point: Array, faces: Array) -> Array:
    """Return the distance of a point from each face (n, 3, 3): shape (n,)."""
    a, b, c = (faces[:, k].T for k in range(3))
    p = point[:, None]
    least = np.full(len(faces), np.inf)
    for first, last in ((a, b), (b, c), (c, a)):
        d = last - first
        t = np.clip(dot(p - first, d) / np.maximum(dot(d, d), 1e-300), 0.0, 1.0)
        r = p - first - t * d
        least = np.minimum(least, np.sqrt(dot(r, r)))
    n = cross(b - a, c - a)
    square = dot(n, n)
    inside = square > 0.0
    for first, last in ((a, b), (b, c), (c, a)):
        inside &= dot(cross(last - first, p - first), n) >= 0.0
    height = np.abs(dot(p - a, n)) / np.sqrt(np.maximum(square, 1e-300))
    return np.where(inside, np.minimum(least, height), least)


def rise_around(point: Array, direction: Array, faces: Array, size: float) -> float:
    """Return how steeply the faces (n, 3, 3) through a point rise ahead of the plane across a direction: the greatest sine.

    size [length]: a face counts if the point is nearer to it than this share of 1e-9.
    """
    through = faces[distance_to_faces(point, faces) < 1e-9 * size]
    away = (np.einsum("gk,nkc->ngc", _grid(), through) - point).reshape(-1, 3)
    far = np.linalg.norm(away, axis=1)
    away, far = away[far > 1e-6 * size], far[far > 1e-6 * size]
    return float((away @ direction / far).max(initial=-1.0))


def least_distance(one: Array, two: Array) -> float:
    """Return the least distance of two soups of faces; 0 if any cross."""
    distance, crossing, _ = soup_distance(one, two)
    return 0.0 if crossing else distance


def common_area(one: Array, two: Array) -> Array:
    """Return the corners of the common part of two convex polygons, shape (n, 2) each, both counterclockwise."""
    kept = one
    for a, b in zip(two, np.roll(two, -1, axis=0), strict=True):
        side = b - a
        heights = side[0] * (kept[:, 1] - a[1]) - side[1] * (kept[:, 0] - a[0])
        corners = []
        for k in range(len(kept)):
            j = (k + 1) % len(kept)
            if heights[k] >= 0.0:
                corners.append(kept[k])
            if (heights[k] > 0.0) != (heights[j] > 0.0) and heights[k] != heights[j]:
                corners.append(kept[k] + heights[k] / (heights[k] - heights[j]) * (kept[j] - kept[k]))
        if not corners:
            return np.empty((0, 2))
        kept = np.array(corners)
    return kept


def area_of(corners: Array) -> float:
    """Return the area of a convex polygon, corners (n, 2) in any order."""
    if len(corners) < 3:
        return 0.0
    away = corners - corners.mean(axis=0)
    around = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    following = np.roll(around, -1, axis=0)
    return 0.5 * abs(float((around[:, 0] * following[:, 1] - around[:, 1] * following[:, 0]).sum()))
