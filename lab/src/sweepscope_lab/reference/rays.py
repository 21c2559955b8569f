"""Ray casts, the slow twin of the scopes: every ray against every face, in world space.

`first_on_lattice` is exact: whole numbers only. The others use numpy's long double (64 bits of mantissa on common machines) and
their own formulas: planes and volumes instead of image coordinates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Long = np.longdouble


def first_on_lattice(
    corners: NDArray[np.int64], x: NDArray[np.int64], y: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first depth z, as numerator and denominator (n,), of rays along +z through (x, y); denominator 0: none.

    corners (m, 3, 3): whole numbers below 2**9, z not negative. Edges, corners, and rays that lie in a triangle count as hits.
    """
    best_top = np.zeros(len(x), np.int64)
    best_low = np.zeros(len(x), np.int64)

    def offer(where: NDArray[np.bool_], top: NDArray[np.int64], low: NDArray[np.int64]) -> None:
        top, low = np.where(low < 0, -top, top), np.abs(low)
        nearer = where & ((best_low == 0) | (top * best_low < best_top * low))
        best_top[nearer] = top[nearer]
        best_low[nearer] = low[nearer]

    for a, b, c in corners:
        normal = np.cross(b - a, c - a)
        if normal[2] != 0:
            # Signed volumes over the edges, along the ray: inside, all have one sign.
            sides = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in ((a, b), (b, c), (c, a))]
            inside = np.all([side >= 0 for side in sides], axis=0) | np.all([side <= 0 for side in sides], axis=0)
            top = normal @ a - normal[0] * x - normal[1] * y
            offer(inside, top, np.full(len(x), normal[2]))
            continue
        for p, q in ((a, b), (b, c), (c, a)):
            dx, dy, dz = q - p
            on = (dx * (y - p[1]) == dy * (x - p[0])) & (np.minimum(p[0], q[0]) <= x) & (x <= np.maximum(p[0], q[0]))
            on &= (np.minimum(p[1], q[1]) <= y) & (y <= np.maximum(p[1], q[1]))
            if dx == 0 and dy == 0:
                offer(on, np.full(len(x), min(p[2], q[2])), np.ones(len(x), np.int64))
            elif abs(dx) >= abs(dy):
                offer(on, p[2] * dx + dz * (x - p[0]), np.full(len(x), dx))
            else:
                offer(on, p[2] * dy + dz * (y - p[1]), np.full(len(x), dy))
    return best_top, best_low


def crossings(corners: NDArray[np.float64], origins: NDArray, toward: NDArray) -> tuple[NDArray, NDArray]:
    """Return where rays meet triangles: depths (n, m), NaN where they miss, and distances from the edges (n, m).

    corners (m, 3, 3), origins (n, 3), toward (3,) [length], world. A distance is the least one from an edge's line, seen along
    the ray [length].
    """
    o = np.asarray(origins, Long)
    d = np.asarray(toward, Long)
    depths = np.full((len(o), len(corners)), np.nan, Long)
    margins = np.full((len(o), len(corners)), np.inf, Long)
    for k, (a, b, c) in enumerate(np.asarray(corners, Long)):
        normal = np.cross(b - a, c - a)
        lean = normal @ d
        sides = []
        for p, q in ((a, b), (b, c), (c, a)):
            # The plane through an edge and along the ray.
            across = np.cross(q - p, d)
            size = np.sqrt(across @ across)
            sides.append((o - p) @ across / size if size > 0 else np.zeros(len(o), Long))
        inside = np.all([side >= 0 for side in sides], axis=0) | np.all([side <= 0 for side in sides], axis=0)
        if lean != 0:
            depths[inside, k] = ((a - o) @ normal / lean)[inside]
        margins[:, k] = np.min(np.abs(sides), axis=0)
    return depths, margins


def first(depths: NDArray, near: NDArray | float, far: float) -> NDArray:
    """Return the first depth (n,) of each row from `near` to `far`; infinite if there is none."""
    counted = np.where((depths >= np.asarray(near)[..., None]) & (depths <= far), depths, np.inf)
    return counted.min(axis=1, initial=np.inf)


def ball(center: NDArray, radius: float, origins: NDArray, toward: NDArray) -> NDArray:
    """Return where rays enter and leave a ball, (n, 2); NaN where they miss it."""
    o = np.asarray(origins, Long) - np.asarray(center, Long)
    d = np.asarray(toward, Long)
    half = -(o @ d)
    rest = half * half - (d @ d) * ((o * o).sum(axis=1) - Long(radius) ** 2)
    root = np.sqrt(np.where(rest >= 0, rest, np.nan))
    return np.stack((half - root, half + root), axis=1) / (d @ d)


def rod(p: NDArray, q: NDArray, radius: float, origins: NDArray, toward: NDArray) -> NDArray:
    """Return where rays enter and leave a rod, all points within `radius` of a segment, (n, 2); NaN where they miss it."""
    p, q = np.asarray(p, Long), np.asarray(q, Long)
    o = np.asarray(origins, Long)
    d = np.asarray(toward, Long)
    axis = q - p
    size = axis @ axis
    found = [ball(p, radius, o, d), ball(q, radius, o, d)]
    if size > 0:
        # An infinite cylinder, cut by the planes at the segment's ends.
        d_across = d - axis * (d @ axis / size)
        o_across = (o - p) - np.outer((o - p) @ axis / size, axis)
        a = d_across @ d_across
        if a > 0:
            b = o_across @ d_across
            rest = b * b - a * ((o_across * o_across).sum(axis=1) - Long(radius) ** 2)
            root = np.sqrt(np.where(rest >= 0, rest, np.nan))
            for depth in ((-b - root) / a, (-b + root) / a):
                share = ((o - p) @ axis + depth * (d @ axis)) / size
                kept = np.where((share >= 0) & (share <= 1), depth, np.nan)
                found.append(np.stack((kept, kept), axis=1))
    spans = np.stack(found)
    none = np.asarray(np.isnan(spans).all(axis=(0, 2)))
    enter = np.where(np.isnan(spans), np.inf, spans).min(axis=(0, 2))
    leave = np.where(np.isnan(spans), -np.inf, spans).max(axis=(0, 2))
    return np.where(none[:, None], np.nan, np.stack((enter, leave), axis=1))
