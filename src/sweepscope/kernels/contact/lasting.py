"""How long contact stays harmless: until when a plane separates two touching faces, up to the tolerance.

The plane may stand on the obstacle, ride on the mover, or be spanned by an edge of each. A corner that touches it may sink
below by `touch`, not further. When one sinks further, the contact ends where that corner was last clear of the plane: there
it lands. A corner that was never clear presses from the beginning.
"""

import math

from .._jit import inline, step
from ..base.closest import corner, cross, dot, minus
from ..charts.orbit import (
    across,
    carry,
    carry_back,
    carry_face,
    ends,
    highest,
    lowest,
    radius,
    rate_of,
    spanned,
    stays,
    turn_on,
    turned,
)
from ..tolerances import CLEAR_HALVINGS, HAS_LEFT, LEAST_DIVISOR, LEAST_SLIDE, PLANE_STEPS

INF = math.inf


@inline
def _height(chart_params, back, n, floor, p, t):
    """Return the height of a point above a plane after a travel of t, or before it (back)."""
    s, r = turned(t)
    q = carry_back(chart_params, t, s, r, p[0], p[1], p[2]) if back else carry(chart_params, t, s, r, p[0], p[1], p[2])
    return dot(n, q) - floor


@step
def point_lasts(chart_params, back, n, floor, p, touch, slack, left):
    """Return how long a point stays above a plane, up to `touch`; infinite if through `left`.

    back: the plane rides on the mover, so the point seems to move backwards.
    """
    bend = across(n) * radius(chart_params, p)
    speed = math.sqrt(radius(chart_params, p) ** 2 + chart_params[1] * chart_params[1])
    if speed == 0.0:
        return INF
    least = LEAST_SLIDE * touch / speed
    # A point that is clear of the plane lands when it touches it. A point that touches it may sink by `touch`.
    clear = dot(n, p) - floor > touch
    room = -0.5 * slack if clear else touch
    t = 0.0
    for _ in range(PLANE_STEPS):
        s, r = turned(t)
        q = carry_back(chart_params, t, s, r, p[0], p[1], p[2]) if back else carry(chart_params, t, s, r, p[0], p[1], p[2])
        height = dot(n, q) - floor
        if clear and height <= slack:
            return t
        if not clear and height > HAS_LEFT * touch:
            # It has left. If it comes back, it lands.
            clear = True
            room = -0.5 * slack
        far = stays(height + room, -rate_of(chart_params, n, q) if back else rate_of(chart_params, n, q), bend)
        if not clear:
            far *= 0.5  # not past the top of a path out and back
        if t + far >= left:
            return INF
        if far <= least and not clear:
            break
        t += max(far, 0.5 * slack / speed if clear else 0.0)
    if clear:
        return t
    # It sinks below. Find where it was last clear.
    early = least
    while t > early and _height(chart_params, back, n, floor, p, t - early) < slack:
        early *= 2.0
    if early >= t:
        return 0.0
    late = 0.5 * early
    for _ in range(CLEAR_HALVINGS):
        middle = 0.5 * (early + late)
        if _height(chart_params, back, n, floor, p, t - middle) < slack:
            late = middle
        else:
            early = middle
    return t - early


@step
def standing_lasts(chart_params, n, mover, obstacle, thick, touch, slack, left):
    """Return how long a plane across n (unit, towards the mover) that stands on the obstacle holds the mover above it."""
    floor = highest(n, obstacle) + thick
    least = left
    for k in range(3):
        least = min(least, point_lasts(chart_params, False, n, floor, corner(mover, k), touch, slack, least))
        if least == 0.0:
            break
    return least


@step
def riding_lasts(chart_params, n, mover, obstacle, thick, touch, slack, left):
    """Return how long a plane across n that rides on the mover holds the obstacle below it."""
    floor = -(lowest(n, mover) - thick)
    least = left
    for k in range(3):
        down = (-n[0], -n[1], -n[2])
        least = min(least, point_lasts(chart_params, True, down, floor, corner(obstacle, k), touch, slack, least))
        if least == 0.0:
            break
    return least


@inline
def _spanned_height(chart_params, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, t, which):
    """Return a height relative to the plane of both edges after a travel of t.

    which: 0 the distance of the edges, 1 the mover above the plane, 2 the obstacle below it.
    """
    s, r = turned(t)
    here = carry(chart_params, t, s, r, p[0], p[1], p[2])
    up = turn_on(s, r, n[0], n[1], n[2])
    a, b, c = ends(carry_face(chart_params, t, mover), mover_rank, i)
    d, e, f = ends(obstacle, obstacle_rank, j)
    m = cross(minus(b, a), minus(e, d))
    size = math.sqrt(dot(m, m))
    if size == 0.0:
        return -INF
    size = -size if dot(m, up) < 0.0 else size
    if which == 0:
        return dot(m, minus(here, q)) / size
    return dot(m, minus(c, here)) / size if which == 1 else dot(m, minus(q, f)) / size


@step
def spanned_lasts(chart_params, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, touch, slack, left):
    """Return how long a plane along edge i of the mover and edge j of the obstacle separates the faces.

    p, q: points of those edges.
    """
    speed = 0.0
    for k in range(3):
        speed = max(speed, radius(chart_params, corner(mover, k)))
    least = LEAST_SLIDE * touch / max(math.sqrt(speed * speed + chart_params[1] * chart_params[1]), LEAST_DIVISOR)
    t = 0.0
    for _ in range(PLANE_STEPS):
        s, r = turned(t)
        here = carry(chart_params, t, s, r, p[0], p[1], p[2])
        up = turn_on(s, r, n[0], n[1], n[2])
        there = carry_face(chart_params, t, mover)
        far = spanned(chart_params, up, here, q, there, mover_rank, i, obstacle, obstacle_rank, j, touch)
        if t + far >= left:
            return left
        if far <= least:
            break
        t += far
    # Something sinks below: the edges, or the rest of a face. Find where it was last clear.
    which = 0
    lowest_of_all = INF
    for k in range(3):
        h = _spanned_height(chart_params, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, t, k)
        if h < lowest_of_all:
            lowest_of_all = h
            which = k
    early = least
    while t > early and (
        _spanned_height(chart_params, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, t - early, which) < slack
    ):
        early *= 2.0
    return max(t - early, 0.0)
