"""First contact of two faces thickened by a radius: advancement on a convex function.

While a face moves straight, its distance from another face is a convex function of travel, so the tangent lies below it. A step
to where the tangent reaches the radius is never late, and the steps converge as Newton's method does. They start at the lower
bound of `sharp.stretch`. Grazing contact converges more slowly; each step at least halves what is left.

The slope has few digits: where the nearest point lies beside an edge, rounding may put it on the edge, off by the root of the
rounding. So a path that seems to go level is searched for its lowest place, which needs distances alone.
"""

import math

from .._jit import cold, step
from ..base.closest import closest
from ..charts.straight import carry_face
from ..tolerances import LEVEL, LOWEST_STEPS, STRAIGHT_STEPS

INF = math.inf


@step
def _gap(mover, mover_rank, obstacle, obstacle_rank, t):
    """Return the distance of two faces after a travel of t."""
    return math.sqrt(closest(carry_face((), t, mover), mover_rank, obstacle, obstacle_rank)[0])


@cold
def _level(mover, mover_rank, obstacle, obstacle_rank, reach, start, limit):
    """Return the travel at which a distance that is convex falls to `reach`; infinite if not before `limit`."""
    low = start
    high = limit
    for _ in range(LOWEST_STEPS):
        one = low + (high - low) / 3.0
        two = high - (high - low) / 3.0
        if _gap(mover, mover_rank, obstacle, obstacle_rank, one) <= _gap(mover, mover_rank, obstacle, obstacle_rank, two):
            high = two
        else:
            low = one
    # Of equally low places the last one counts too: the end.
    if _gap(mover, mover_rank, obstacle, obstacle_rank, limit) <= reach:
        high = limit
    elif _gap(mover, mover_rank, obstacle, obstacle_rank, high) > reach:
        return INF
    low = start
    for _ in range(LOWEST_STEPS):
        middle = 0.5 * (low + high)
        if _gap(mover, mover_rank, obstacle, obstacle_rank, middle) <= reach:
            high = middle
        else:
            low = middle
    return low


@step
def advance(mover, mover_rank, obstacle, obstacle_rank, thick, slack, start, limit):
    """Return (travel, normal u, v, w) at which the distance falls to thick + slack; infinite if not before limit.

    At `start` the faces must be further apart than that. The normal points from the obstacle to the mover.
    """
    t = start
    nu = 0.0
    nv = 0.0
    nw = -1.0
    reach = thick + slack
    for _ in range(STRAIGHT_STEPS):
        gap_sq, p, q, _, _ = closest(carry_face((), t, mover), mover_rank, obstacle, obstacle_rank)
        gap = math.sqrt(gap_sq)
        if gap > 0.0:
            nu = (p[0] - q[0]) / gap
            nv = (p[1] - q[1]) / gap
            nw = (p[2] - q[2]) / gap
        if gap <= reach:
            return t, nu, nv, nw
        if nw > LEVEL:
            return INF, nu, nv, nw
        if nw > -LEVEL and limit < INF:
            return _level(mover, mover_rank, obstacle, obstacle_rank, reach, t, limit), nu, nv, nw
        if nw >= 0.0:
            return INF, nu, nv, nw
        # Aim at the middle of the slack, so that rounding cannot keep the last step just outside it.
        t += (gap - thick - 0.5 * slack) / -nw
        if t >= limit:
            return INF, nu, nv, nw
    return t, nu, nv, nw
