"""Triangles out of polygons: a fan where that covers the polygon and nothing else, else ear by ear.

A polygon is judged in the plane of two coordinates, the two along which it is widest seen: dropping the third rounds nothing.
"""

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import POLYGON_FLAT, POLYGON_SLIVER, POLYGON_STEPS

FINE = -1
OUT_OF_STEPS = -2

_BELOW = 0  # no corner in or on the ear
_ON = 1  # corners may lie on its border
_FLAT = 2  # the ear has no area


@inline
def _turn(points, a, b, c):
    """Return twice the signed area of a triangle."""
    return (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1]) - (points[b, 1] - points[a, 1]) * (
        points[c, 0] - points[a, 0]
    )


@step
def _lay_flat(vertices, corners, begin, n, points):
    """Write the corners in the plane in which they turn to the left. Return the area below which a triangle has none."""
    normal = np.zeros(3)
    shares = np.zeros(3)  # without signs, for a polygon whose halves cancel each other
    low = np.full(3, np.inf)
    high = np.full(3, -np.inf)
    origin = vertices[corners[begin]]
    for k in range(n):
        here = vertices[corners[begin + k]]
        after = vertices[corners[begin + (k + 1 if k + 1 < n else 0)]]
        for r in range(3):
            s = r + 1 if r < 2 else 0
            t = s + 1 if s < 2 else 0
            share = (here[s] - origin[s]) * (after[t] - origin[t]) - (here[t] - origin[t]) * (after[s] - origin[s])
            normal[r] += share
            shares[r] += abs(share)
            low[r] = min(low[r], here[r])
            high[r] = max(high[r], here[r])
    size = max(high[0] - low[0], max(high[1] - low[1], high[2] - low[2]))
    flat = POLYGON_FLAT * size * size
    if max(abs(normal[0]), max(abs(normal[1]), abs(normal[2]))) > flat:
        shares = np.abs(normal)
    axis = 0
    if shares[1] > shares[0]:
        axis = 1
    if shares[2] > max(shares[0], shares[1]):
        axis = 2
    u = axis + 1 if axis < 2 else 0
    v = u + 1 if u < 2 else 0
    for k in range(n):
        here = vertices[corners[begin + k]]
        points[k, 0] = here[u] - origin[u]
        points[k, 1] = here[v] - origin[v]
        if normal[axis] < 0.0:
            points[k, 0] = -points[k, 0]
    return flat


@step
def _is_fan(points, n, flat):
    """Return whether the triangles at the first corner all turn to the left, once round at most."""
    beyond = False
    for k in range(1, n - 1):
        if _turn(points, 0, k, k + 1) < -flat:
            return False
        behind = _turn(points, 0, 1, k + 1) < -flat
        if beyond and not behind:
            return False
        beyond = beyond or behind
    return True


@step
def _is_ear(points, left, n, k, flat, level):
    """Return whether corner k of those left can be cut off."""
    a = left[k - 1 if k > 0 else n - 1]
    b = left[k]
    c = left[k + 1 if k + 1 < n else 0]
    turn = _turn(points, a, b, c)
    if level == _FLAT:
        return abs(turn) <= flat
    if turn <= flat:
        return False
    least = 0.0 if level == _BELOW else flat
    for m in range(n):
        p = left[m]
        same = False
        for q in (a, b, c):
            same = same or p == q or (points[p, 0] == points[q, 0] and points[p, 1] == points[q, 1])
        if same:
            continue
        inside = min(_turn(points, a, b, p), min(_turn(points, b, c, p), _turn(points, c, a, p)))
        if inside > least or (level == _BELOW and inside == 0.0):
            return False
    return True


@step
def _cut_ears(points, left, corners, begin, n, flat, faces, m, steps):
    """Cut off ears until a triangle is left. Return (whether that was possible, number of faces, steps left)."""
    for k in range(n):
        left[k] = k
    while n > 3:
        ear = -1
        for level in range(3):
            for k in range(n):
                steps -= n
                if _is_ear(points, left, n, k, flat, level):
                    ear = k
                    break
            if ear >= 0 or steps < 0:
                break
        if ear < 0 or steps < 0:
            return False, m, steps
        faces[m, 0] = corners[begin + left[ear - 1 if ear > 0 else n - 1]]
        faces[m, 1] = corners[begin + left[ear]]
        faces[m, 2] = corners[begin + left[ear + 1 if ear + 1 < n else 0]]
        m += 1
        for k in range(ear, n - 1):
            left[k] = left[k + 1]
        n -= 1
    for r in range(3):
        faces[m, r] = corners[begin + left[r]]
    return _turn(points, left[0], left[1], left[2]) >= -flat, m + 1, steps


@step
def _is_sliver(points, n, flat):
    """Return whether a polygon is so narrow that rounded coordinates may have made it cross itself."""
    area = 0.0
    for k in range(1, n - 1):
        area += abs(_turn(points, 0, k, k + 1))
    return area <= POLYGON_SLIVER / POLYGON_FLAT * flat


@inline
def _fan(corners, begin, n, faces, m):
    for k in range(1, n - 1):
        faces[m, 0] = corners[begin]
        faces[m, 1] = corners[begin + k]
        faces[m, 2] = corners[begin + k + 1]
        m += 1
    return m


@kernel
def cut(vertices, corners, counts, faces):
    """Cut polygons into triangles. Return FINE, or the number of a polygon that crosses itself, or OUT_OF_STEPS."""
    widest = 3
    for p in range(len(counts)):
        widest = max(widest, counts[p])
    points = np.empty((widest, 2))
    left = np.empty(widest, np.int64)
    steps = np.int64(POLYGON_STEPS)
    begin = 0
    m = 0
    for p in range(len(counts)):
        n = counts[p]
        plain = n == 3
        flat = 0.0
        if not plain:
            flat = _lay_flat(vertices, corners, begin, n, points)
            plain = _is_fan(points, n, flat)
        if not plain:
            done, after, steps = _cut_ears(points, left, corners, begin, n, flat, faces, m, steps)
            if steps < 0:
                return OUT_OF_STEPS
            if not done and not _is_sliver(points, n, flat):
                return p
            plain = not done
            m = m if plain else after
        if plain:
            m = _fan(corners, begin, n, faces, m)
        begin += n
    return FINE
