"""Distance of two faces and the direction that separates them, for many pairs at once, by trying every pair of features.

Faces are (3 corners, 3 coordinates, k pairs); repeated corners make segments and points. There are nine pairs of edges, six of
a corner and a face, and a test whether an edge of one goes through the other. A proof needs the direction only: six dot
products check that a plane square to it separates two faces, no matter how the direction was found.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .brute_force import face_distance
from .vectors import cross, dot

Array = NDArray[np.float64]

CHUNK = 4096
"""Pairs of faces in one NumPy call, so that arrays stay in the cache."""
_NEXT = (1, 2, 0)
_PARALLEL = 1e-12  # below this squared sine the cross product of two edges has no reliable direction
_TINY = np.finfo(float).tiny


def _edges(a: Array, b: Array) -> tuple[Array, Array]:
    """Return distances (9, k) and unit directions (3, 9, k) from the edges of a to those of b; a, b: (3 xyz, 3 corners, k)."""
    p, q = a[:, :, None], b[:, None, :]
    d, e = a[:, _NEXT, None] - p, b[:, None, _NEXT] - q
    r = p - q
    dd, ee, de, dr, er = dot(d, d), dot(e, e), dot(d, e), dot(d, r), dot(e, r)
    square = dd * ee - de * de
    skew = square > _PARALLEL * dd * ee
    s = np.where(skew, np.clip((de * er - dr * ee) / np.where(skew, square, 1.0), 0.0, 1.0), 0.0)
    t = np.where(ee > 0.0, np.clip((de * s + er) / np.where(ee > 0.0, ee, 1.0), 0.0, 1.0), 0.0)
    s = np.where(dd > 0.0, np.clip((de * t - dr) / np.where(dd > 0.0, dd, 1.0), 0.0, 1.0), 0.0)
    away = t * e - s * d - r
    distance = np.sqrt(dot(away, away))
    # Between the insides of two edges the cross product keeps its digits; the difference loses them.
    inner = skew & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
    n = cross(np.broadcast_to(d, away.shape), np.broadcast_to(e, away.shape))
    n *= np.where(dot(n, away) < 0.0, -1.0, 1.0)
    # Between a corner and an edge's inside, the part along the edge is rounding. A long edge would amplify it.
    along = np.where((t > 0.0) & (t < 1.0), e, np.where((s > 0.0) & (s < 1.0), d, 0.0))
    square = along * (dot(along, away) / np.maximum(dot(along, along), _TINY))
    direction = np.where(inner, n, away - square)
    k = a.shape[-1]
    return distance.reshape(9, k), _unit(direction).reshape(3, 9, k)


def _unit(v: Array) -> Array:
    return v / np.maximum(np.sqrt(dot(v, v)), _TINY)


def _corners(points: Array, face: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return distances (3, k), inf beside the face; unit directions (3, 3, k) to it; whether an edge goes through, (k,)."""
    a = face[:, :1]
    e, f = face[:, 1:2] - a, face[:, 2:] - a
    n = cross(e, f)
    n_sq = dot(n, n)
    flat = n_sq > 0.0
    safe = np.where(flat, n_sq, 1.0)
    u, v = cross(f, n) / safe, cross(n, e) / safe

    r = points - a
    s, t = dot(r, u), dot(r, v)
    over = flat & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    n = n / np.sqrt(safe)
    height = dot(r, n)
    distance = np.where(over, np.abs(height), np.inf)
    direction = np.where(height > 0.0, -1.0, 1.0) * n
    # The ends of an edge are on different sides: where does the edge pass?
    step = height - height[_NEXT, :]
    differ = ((height > 0.0) & (height[_NEXT, :] < 0.0)) | ((height < 0.0) & (height[_NEXT, :] > 0.0))
    share = np.where(differ, height / np.where(differ, step, 1.0), 0.0)
    x = r + share * (r[:, _NEXT] - r)
    s, t = dot(x, u), dot(x, v)
    # The border does not count: bodies that touch along it do not cross.
    pierced = differ & flat & (s > 0.0) & (t > 0.0) & (s + t < 1.0)
    return distance, direction, np.logical_or.reduce(pierced, axis=0)


def nearest(mover: Array, obstacle: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return distances (k,), unit directions from mover to obstacle (3, k), and whether the faces cross (k,).

    Crossing faces have distance 0; their direction means nothing. mover, obstacle: (3 corners, 3 xyz, k) [length].
    """
    a, b = mover.transpose(1, 0, 2), obstacle.transpose(1, 0, 2)
    edge, edge_directions = _edges(a, b)
    on_b, to_b, through_b = _corners(a, b)
    on_a, to_a, through_a = _corners(b, a)
    distance = np.concatenate((edge, on_b, on_a))
    directions = np.concatenate(
        (edge_directions, np.broadcast_to(to_b, (3, *on_b.shape)), -np.broadcast_to(to_a, (3, *on_a.shape))), axis=1
    )
    # Of equally near features a face's normal stays valid longest. Faces come last, so search from the end.
    best = distance.shape[0] - 1 - np.argmin(distance[::-1], axis=0)
    crossing = through_a | through_b
    every = np.arange(distance.shape[1])
    return np.where(crossing, 0.0, distance[best, every]), directions[:, best, every], crossing


def winding(points: Array, faces: Array) -> Array:
    """Return the winding number of a closed surface (m, 3, 3) about each point (n, 3): sum of solid angles over 4 pi."""
    total = np.zeros(len(points))
    for k, point in enumerate(points):
        a, b, c = (np.ascontiguousarray((faces[:, i] - point).T) for i in range(3))
        la, lb, lc = (np.sqrt(dot(x, x)) for x in (a, b, c))
        volume = dot(a, cross(b, c))
        total[k] = 2.0 * np.arctan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb).sum()
    return total / (4.0 * np.pi)


def balls(faces: Array) -> tuple[Array, Array]:
    """Return a ball round each face (n, 3, 3): centers (n, 3), radii (n,)."""
    center = faces.mean(axis=1)
    return center, np.linalg.norm(faces - center[:, None], axis=2).max(axis=1)


def near_pairs(one: tuple[Array, Array], two: tuple[Array, Array]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the pairs of faces, given by their balls, that can be the nearest: indices (k,) into each."""
    far = np.linalg.norm(one[0][:, None] - two[0][None], axis=2)
    around = one[1][:, None] + two[1][None]
    # The slack keeps the pair that sets the limit.
    i, j = np.nonzero(far - around <= (far + around).min() * (1.0 + 1e-12))
    return i, j


def soup_distance(one: Array, two: Array) -> tuple[float, bool, Array]:
    """Return the least distance of faces (n, 3, 3) and (m, 3, 3), whether any cross, and a direction.

    The direction is a unit vector (3,) from the first to the second where they are nearest.
    """
    i, j = near_pairs(balls(one), balls(two))
    least, crossing, direction = math.inf, False, np.zeros(3)
    for first in range(0, len(i), CHUNK):
        a, b = one[i[first : first + CHUNK]], two[j[first : first + CHUNK]]
        distance, directions, through = nearest(a.transpose(1, 2, 0), b.transpose(1, 2, 0))
        crossing = crossing or bool(through.any())
        best = int(np.argmin(distance))
        if distance[best] < least:
            least, direction = float(distance[best]), directions[:, best]
    return least, crossing, direction


def corner_inside(corners: Array, faces: Array, touching: float) -> bool:
    """True if one of the corners (n, 3) is deeper than `touching` [length] inside a closed surface (m, 3, 3)."""
    low, high = faces.reshape(-1, 3).min(axis=0), faces.reshape(-1, 3).max(axis=0)
    corners = np.unique(corners[((corners > low) & (corners < high)).all(axis=1)], axis=0)
    turns = winding(corners, faces)
    # On the surface itself the winding number is a fraction.
    inside = (np.abs(turns - np.round(turns)) < 1e-6) & (np.abs(turns) > 0.5)
    return any(face_distance(np.broadcast_to(corner, faces.shape), faces).min() > touching for corner in corners[inside])
