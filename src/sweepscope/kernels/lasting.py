"""How long contact stays harmless: until when a plane holds two touching faces apart, within the tolerance.

A plane may stand on the obstacle, ride on the mover, or be spanned by an edge of each. A corner that touches it may slip below
by `touch`, not further. When one does, the contact is said to end where that corner was last clear of the plane: that is where
it lands. A corner that was never clear presses from the beginning.
"""

import math

from ._jit import inline, step
from .closest import corner, cross, dot, minus
from .orbit import (
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

INF = math.inf
_MOST = 20000  # steps: a bound, not a budget
_HALVINGS = 60


@inline
def _height(way, back, n, floor, p, t):
    """Return how far a point is above a plane after a travel of t, or, back, before it."""
    s, r = turned(t)
    q = carry_back(way, t, s, r, p[0], p[1], p[2]) if back else carry(way, t, s, r, p[0], p[1], p[2])
    return dot(n, q) - floor


@step
def point_lasts(way, back, n, floor, p, touch, slack, left):
    """Return how long a point stays above a plane, less `touch`; infinite if through `left`.

    back: the plane rides on the mover; the point then seems to move backwards.
    """
    bend = across(n) * radius(way, p)
    speed = math.sqrt(radius(way, p) ** 2 + way[1] * way[1])
    if speed == 0.0:
        return INF
    least = 1e-3 * touch / speed
    # What is clear of the plane lands as soon as it touches it; what touches it may slip by `touch`.
    clear = dot(n, p) - floor > touch
    room = -0.5 * slack if clear else touch
    t = 0.0
    for _ in range(_MOST):
        s, r = turned(t)
        q = carry_back(way, t, s, r, p[0], p[1], p[2]) if back else carry(way, t, s, r, p[0], p[1], p[2])
        height = dot(n, q) - floor
        if clear and height <= slack:
            return t
        if not clear and height > 2.0 * touch:
            # It has left. What comes back lands.
            clear = True
            room = -0.5 * slack
        far = stays(height + room, -rate_of(way, n, q) if back else rate_of(way, n, q), bend)
        if not clear:
            far *= 0.5  # not past the top of a way out and back
        if t + far >= left:
            return INF
        if far <= least and not clear:
            break
        t += max(far, 0.5 * slack / speed if clear else 0.0)
    if clear:
        return t
    # It slips below. Where was it last clear?
    early = least
    while t > early and _height(way, back, n, floor, p, t - early) < slack:
        early *= 2.0
    if early >= t:
        return 0.0
    late = 0.5 * early
    for _ in range(_HALVINGS):
        middle = 0.5 * (early + late)
        if _height(way, back, n, floor, p, t - middle) < slack:
            late = middle
        else:
            early = middle
    return t - early


@step
def standing_lasts(way, n, mover, obstacle, thick, touch, slack, left):
    """Return how long the plane across n (unit, towards the mover) that stands on the obstacle holds the mover above it."""
    floor = highest(n, obstacle) + thick
    least = left
    for k in range(3):
        least = min(least, point_lasts(way, False, n, floor, corner(mover, k), touch, slack, least))
        if least == 0.0:
            break
    return least


@step
def riding_lasts(way, n, mover, obstacle, thick, touch, slack, left):
    """Return how long the plane across n that rides on the mover holds the obstacle below it."""
    floor = -(lowest(n, mover) - thick)
    least = left
    for k in range(3):
        down = (-n[0], -n[1], -n[2])
        least = min(least, point_lasts(way, True, down, floor, corner(obstacle, k), touch, slack, least))
        if least == 0.0:
            break
    return least


@inline
def _spanned_height(way, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, t, which):
    """Return, after a travel of t, how far the edges are apart (0), the mover above (1), the obstacle below (2) their plane."""
    s, r = turned(t)
    here = carry(way, t, s, r, p[0], p[1], p[2])
    up = turn_on(s, r, n[0], n[1], n[2])
    a, b, c = ends(carry_face(way, t, mover), mover_rank, i)
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
def spanned_lasts(way, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, touch, slack, left):
    """Return how long the plane along edge i of the mover and edge j of the obstacle holds them apart; p, q on those."""
    speed = 0.0
    for k in range(3):
        speed = max(speed, radius(way, corner(mover, k)))
    least = 1e-3 * touch / max(math.sqrt(speed * speed + way[1] * way[1]), 1e-300)
    t = 0.0
    for _ in range(_MOST):
        s, r = turned(t)
        here = carry(way, t, s, r, p[0], p[1], p[2])
        up = turn_on(s, r, n[0], n[1], n[2])
        there = carry_face(way, t, mover)
        far = spanned(way, up, here, q, there, mover_rank, i, obstacle, obstacle_rank, j, touch)
        if t + far >= left:
            return left
        if far <= least:
            break
        t += far
    # Something slips below: the edges, or the rest of a face. Where was it last clear?
    which = 0
    lowest_of_all = INF
    for k in range(3):
        h = _spanned_height(way, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, t, k)
        if h < lowest_of_all:
            lowest_of_all = h
            which = k
    early = least
    while t > early and (
        _spanned_height(way, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, t - early, which) < slack
    ):
        early *= 2.0
    return max(t - early, 0.0)
