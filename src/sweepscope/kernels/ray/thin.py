"""A ray and a triangle: watertight, so a ray through an edge or a vertex that triangles share never slips between them.

The ray is sheared to an axis: seen along it, the triangle is flat, and three edge functions tell on which side of each edge the
ray passes. Both triangles at an edge compute the same number with opposite signs (Woop, Benthin, Wald 2013, "Watertight
ray/triangle intersection"). Where rounding hides a sign, products are taken with their rounding errors, so signs are right for
the rounded corners. A sign of 0 counts as inside for both triangles.

Degenerate cases: a triangle that is seen from its edge has no area and is not met; its neighbors are. Error: corners are moved
by a few EPS of their distance from the origin. The compiler must not contract products to fused operations; `_jit` forbids it.
"""

import numpy as np

from .._jit import cold, inline
from ..base.bodies import exact_product
from ..tolerances import EDGE_DOUBT, EPS

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@inline
def shear_of(d):
    """Return (axes 3, shear 3) of a direction: the axis along which it is longest comes last."""
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    if x > y and x > z:
        return (_ONE, _TWO, _ZERO), (d[1] / d[0], d[2] / d[0], 1.0 / d[0])
    if y > z:
        return (_TWO, _ZERO, _ONE), (d[2] / d[1], d[0] / d[1], 1.0 / d[1])
    return (_ZERO, _ONE, _TWO), (d[0] / d[2], d[1] / d[2], 1.0 / d[2])


@cold
def _exact_side(a, b, c, d):
    """Return a * b - c * d with the correct sign, or 0."""
    one, one_rest = exact_product(a, b)
    two, two_rest = exact_product(c, d)
    return (one - two) + (one_rest - two_rest)


@inline
def _side(px, py, qx, qy):
    """Return on which side of the edge from p to q the origin is."""
    one, two = px * qy, py * qx
    side = one - two
    if abs(side) <= EDGE_DOUBT * EPS * (abs(one) + abs(two)):
        side = _exact_side(px, qy, py, qx)
    return side


@inline
def _sheared(vertices, v, origin, axes, shear):
    """Return a vertex relative to the origin, sheared: across the ray 2, and along its main axis."""
    z = vertices[v, axes[2]] - origin[2]
    x = vertices[v, axes[0]] - origin[0]
    y = vertices[v, axes[1]] - origin[1]
    return x - shear[0] * z, y - shear[1] * z, z


@inline
def meet_triangle(vertices, a, b, c, origin, axes, shear):
    """Return (whether a ray's line meets a triangle, where along it, the weights of the three corners).

    origin: in the order of the axes.
    """
    ax, ay, az = _sheared(vertices, a, origin, axes, shear)
    bx, by, bz = _sheared(vertices, b, origin, axes, shear)
    cx, cy, cz = _sheared(vertices, c, origin, axes, shear)
    u = _side(cx, cy, bx, by)
    v = _side(ax, ay, cx, cy)
    w = _side(bx, by, ax, ay)
    total = u + v + w
    if (min(u, min(v, w)) < 0.0 and max(u, max(v, w)) > 0.0) or total == 0.0:
        return False, 0.0, 0.0, 0.0, 0.0
    u, v, w = u / total, v / total, w / total
    return True, (u * az + v * bz + w * cz) * shear[2], u, v, w
