"""Planes that hold a whole mover above an obstacle: what lies below cannot be met before the mover dips into it.

Row a * slots + b is for mover a and obstacle b: direction 3, height, how many were tried, until which travel.
"""

import math

import numpy as np

from ._jit import inline, once
from .closest import corner

INF = math.inf

HEIGHT = 3
TRIED = 4
UNTIL = 5
_PLANE = 6
SUPPORTS = 4  # planes tried as a whole mover's support before it is taken to have none


@once
def no_planes(movers, slots):
    """Return room for planes, none of them found yet."""
    held = np.empty((movers * slots, _PLANE))
    for row in range(movers * slots):
        for c in range(_PLANE):
            held[row, c] = 0.0
        held[row, HEIGHT] = -INF  # nothing is below this
    return held


@inline
def passed(points, first, count, held, row, best):
    """True if points first .. first + count are below the plane of this row, and it holds until `best`."""
    if held[row, HEIGHT] == -INF or held[row, UNTIL] < best:
        return False
    top = -INF
    for p in range(first, first + count):
        top = max(top, held[row, 0] * points[p, 0] + held[row, 1] * points[p, 1] + held[row, 2] * points[p, 2])
    return top <= held[row, HEIGHT]


@inline
def held_until(face, held, row):
    """Return until which travel a face is below the plane of this row; 0 if it is not."""
    top = -INF
    for k in range(3):
        p = corner(face, k)
        top = max(top, held[row, 0] * p[0] + held[row, 1] * p[1] + held[row, 2] * p[2])
    return held[row, UNTIL] if top <= held[row, HEIGHT] else 0.0


@inline
def undone(travel, face, held, row):
    """True if a contact found before does not count: the plane of this row holds the mover above that face until later."""
    return travel < held_until(face, held, row)


@inline
def hold(held, row, up, height, until):
    """Keep a plane."""
    held[row, 0] = up[0]
    held[row, 1] = up[1]
    held[row, 2] = up[2]
    held[row, HEIGHT] = height
    held[row, UNTIL] = until
