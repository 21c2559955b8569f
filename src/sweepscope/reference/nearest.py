"""Distance of two faces and the direction that parts them, over many pairs at once, by trying every pair of features.

Faces are (3 corners, 3 coordinates, k pairs), repeated corners making segments and points. Nine pairs of edges, six of a
corner and a face, and whether an edge of one goes through the other. Whoever needs a proof takes the direction alone: that
a plane square to it keeps two faces apart is checked by six dot products, however the direction was found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NEXT = (1, 2, 0)
_PARALLEL = 1e-12  # squared sine below which the cross product of two edges has lost its direction
_TINY = np.finfo(float).tiny


def dot(a: Array, b: Array) -> Array:
    """Return dot products over the first axis."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Array, b: Array) -> Array:
    """Return cross products over the first axis."""
    return np.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


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
    # Between two edges that pass each other, the cross product keeps its digits where the difference has lost them.
    inner = skew & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
    n = cross(np.broadcast_to(d, away.shape), np.broadcast_to(e, away.shape))
    n *= np.where(dot(n, away) < 0.0, -1.0, 1.0)
    # Where a corner meets an edge's inside, what is left along the edge is rounding; a long edge would make much of it.
    along = np.where((t > 0.0) & (t < 1.0), e, np.where((s > 0.0) & (s < 1.0), d, 0.0))
    square = along * (dot(along, away) / np.maximum(dot(along, along), _TINY))
    direction = np.where(inner, n, away - square)
    k = a.shape[-1]
    return distance.reshape(9, k), _unit(direction).reshape(3, 9, k)


def _unit(v: Array) -> Array:
    return v / np.maximum(np.sqrt(dot(v, v)), _TINY)


def _corners(points: Array, face: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return distances (3, k), inf beside the face; unit directions (3, 3, k) to it; and whether an edge goes through (k,)."""
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
    # Where an edge's ends are on different sides, where does it pass?
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
    edge, edge_way = _edges(a, b)
    on_b, to_b, through_b = _corners(a, b)
    on_a, to_a, through_a = _corners(b, a)
    distance = np.concatenate((edge, on_b, on_a))
    ways = np.concatenate((edge_way, np.broadcast_to(to_b, (3, *on_b.shape)), -np.broadcast_to(to_a, (3, *on_a.shape))), axis=1)
    # Of features as near as each other, a face's normal holds longest: faces come last, so look from the back.
    best = distance.shape[0] - 1 - np.argmin(distance[::-1], axis=0)
    crossing = through_a | through_b
    every = np.arange(distance.shape[1])
    return np.where(crossing, 0.0, distance[best, every]), ways[:, best, every], crossing


def winding(points: Array, faces: Array) -> Array:
    """Return how often a closed surface (m, 3, 3) goes round each point (n, 3): its solid angles added up, over 4 pi."""
    total = np.zeros(len(points))
    for k, point in enumerate(points):
        a, b, c = (np.ascontiguousarray((faces[:, i] - point).T) for i in range(3))
        la, lb, lc = (np.sqrt(dot(x, x)) for x in (a, b, c))
        volume = dot(a, cross(b, c))
        total[k] = 2.0 * np.arctan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb).sum()
    return total / (4.0 * np.pi)
