"""Planes above which a whole mover stays through the motion. It cannot meet faces that lie below.

A row for each pair of bodies: direction 3, height, number of planes tried.
"""

import math

from .._jit import inline
from ..base.closest import corner

INF = math.inf

HEIGHT = 3
TRIED = 4
PLANE = 5


@inline
def forget_planes(planes):
    """Write that no plane is found yet."""
    for row in range(len(planes)):
        for c in range(PLANE):
            planes[row, c] = 0.0
        planes[row, HEIGHT] = -INF  # nothing is below this


@inline
def passed(points, first, count, planes, row):
    """True if points first .. first + count are below the plane of this row."""
    if planes[row, HEIGHT] == -INF:
        return False
    top = -INF
    for p in range(first, first + count):
        top = max(top, planes[row, 0] * points[p, 0] + planes[row, 1] * points[p, 1] + planes[row, 2] * points[p, 2])
    return top <= planes[row, HEIGHT]


@inline
def below(face, planes, row):
    """True if a face is below the plane of this row."""
    top = -INF
    for k in range(3):
        p = corner(face, k)
        top = max(top, planes[row, 0] * p[0] + planes[row, 1] * p[1] + planes[row, 2] * p[2])
    return top <= planes[row, HEIGHT]


@inline
def hold(planes, row, up, height):
    """Store a plane."""
    planes[row, 0] = up[0]
    planes[row, 1] = up[1]
    planes[row, 2] = up[2]
    planes[row, HEIGHT] = height
