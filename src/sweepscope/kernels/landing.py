"""Where two faces touch that may do so in several places at once: on a pivot, and where they land."""

import math

from ._jit import inline, step
from .closest import closest, corner
from .orbit import dot, highest, lowest, rate_of
from .sharp import OBSTACLE_NORMAL, axis_of, plane_of


@inline
def _coming(way, up, mover, obstacle, touch):
    """Return the least rate, of what touches the plane across `up` between two faces, at which it comes on."""
    floor = highest(up, obstacle)
    ceiling = lowest(up, mover)
    least = 0.0
    for k in range(3):
        p = corner(mover, k)
        if dot(up, p) - floor <= touch:
            least = min(least, rate_of(way, up, p))
        p = corner(obstacle, k)
        if ceiling - dot(up, p) <= touch:
            least = min(least, rate_of(way, up, p))
    return least


@step
def _facing(way, mover, obstacle, touch, normal):
    """Return, of the directions along which two touching faces do not overlap, the one in which they come on fastest.

    normal: what to return if there is none.
    """
    plane = plane_of(mover, obstacle)
    fastest = 1.0
    for k in range(OBSTACLE_NORMAL, 23):
        axis = axis_of(mover, obstacle, plane, k)
        size = math.sqrt(dot(axis, axis))
        if size == 0.0:
            continue
        for side in range(2):
            size = -size if side == 1 else size
            up = (axis[0] / size, axis[1] / size, axis[2] / size)
            if lowest(up, mover) - highest(up, obstacle) < -touch:
                continue
            rate = _coming(way, up, mover, obstacle, touch)
            # The first of equals stays: the obstacle's own normal.
            if rate < fastest - 1e-9 * abs(fastest):
                fastest = rate
                normal = up
    return normal


@step
def contact(way, mover, mover_rank, obstacle, obstacle_rank, thick, touch, normal):
    """Return (gap squared, point on the mover, on the obstacle, feature of each, normal 3) of two faces in contact.

    Faces may touch in several places at once: on a pivot, and where they land. The one that comes on fastest is told.
    """
    gap_sq, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    if thick <= touch:
        normal = _facing(way, mover, obstacle, touch, normal)
    fastest = rate_of(way, normal, p)
    for side in range(2):
        face = mover if side == 0 else obstacle
        for k in range(mover_rank if side == 0 else obstacle_rank):
            c = corner(face, k)
            point = (c[0], c[1], c[2], c[0], c[1], c[2], c[0], c[1], c[2])
            rate = rate_of(way, normal, c)
            if rate >= fastest - 1e-9 * abs(fastest):
                continue
            if side == 0:
                found_sq, p_here, q_here, _, g_here = closest(point, 1, obstacle, obstacle_rank)
                f_here = k
            else:
                found_sq, p_here, q_here, f_here, _ = closest(mover, mover_rank, point, 1)
                g_here = k
            if found_sq <= (thick + touch) ** 2:
                fastest = rate
                gap_sq, p, q, f, g = found_sq, p_here, q_here, f_here, g_here
    return gap_sq, p, q, f, g, normal
