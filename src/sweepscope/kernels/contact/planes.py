"""Planes that hold a whole mover above an obstacle. Faces below cannot be met before the mover goes below the plane.

Row a * slots + b is for mover a and obstacle b: direction 3, height, number of planes tried, travel until which it holds.
"""

import math

import numpy as np

from .._jit import inline
from ..base.closest import corner

INF = math.inf

HEIGHT = 3
TRIED = 4
UNTIL = 5
_PLANE = 6


@inline
def no_planes(movers, slots):
    """Return room for planes; none is found yet."""
    planes = np.empty((movers * slots, _PLANE))
    for row in range(movers * slots):
        for c in range(_PLANE):
            planes[row, c] = 0.0
        planes[row, HEIGHT] = -INF  # nothing is below this
    return planes


@inline
def passed(points, first, count, planes, row, best):
    """True if points first .. first + count are below the plane of this row and it holds until `best`."""
    if planes[row, HEIGHT] == -INF or planes[row, UNTIL] < best:
        return False
    top = -INF
    for p in range(first, first + count):
        top = max(top, planes[row, 0] * points[p, 0] + planes[row, 1] * points[p, 1] + planes[row, 2] * points[p, 2])
    return top <= planes[row, HEIGHT]


@inline
def held_until(face, planes, row):
    """Return the travel until which a face stays below the plane of this row; 0 if it is not below."""
    top = -INF
    for k in range(3):
        p = corner(face, k)
        top = max(top, planes[row, 0] * p[0] + planes[row, 1] * p[1] + planes[row, 2] * p[2])
    return planes[row, UNTIL] if top <= planes[row, HEIGHT] else 0.0


@inline
def undone(travel, face, planes, row):
    """True if an earlier contact does not count: the plane of this row holds the mover above that face until later."""
    return travel < held_until(face, planes, row)


@inline
def hold(planes, row, up, height, until):
    """Store a plane."""
    planes[row, 0] = up[0]
    planes[row, 1] = up[1]
    planes[row, 2] = up[2]
    planes[row, HEIGHT] = height
    planes[row, UNTIL] = until
