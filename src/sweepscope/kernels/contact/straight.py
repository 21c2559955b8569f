"""Two faces that move straight: whether and when they meet, and whether their bodies confirm it.

`confirm` tests the faces alone. `judge` tests the bodies for what the faces do not show: whether a face that touches at the
start is inside the other body, and whether a graze or a touch may be excused as sliding or lifting.
"""

import math

from .. import layout as at
from .._jit import inline, step
from ..base.closest import closest
from ..base.inside import one_buried
from ..charts.slots import BODY, REACH, SHAPE, SLACK, THICK
from ..tolerances import MOST_SUPPORTS, TOUCH_ROUNDING
from .planes import TRIED, held_until, hold
from .sharp import stretch
from .thick import advance
from .touching import above, presses, slides
from .verdicts import CROSSING, HELD, UNKNOWN

INF = math.inf

_MISS = 0
_MEET = 1
_CROSS = 2


@step
def confirm(mover, mover_rank, obstacle, obstacle_rank, thick, slack, touch, travel, limit, resting_hits):
    """Judge two faces: return (verdict, travel, normal 3, resting, flat, plane 3, lead).

    verdict: _MISS; _MEET at a travel before `limit`; _CROSS now. resting: an axis separates them through the travel, so they
    may be excused. flat, plane, lead: they lie in one plane now and cross it, as in `sharp.stretch`.
    """
    none = (0.0, 0.0, 0.0)
    entry, _, resting, shallow, normal, flat, lead, plane = stretch(mover, obstacle, thick, slack, touch, travel, limit)
    if entry == INF:
        return _MISS, INF, none, False, False, none, 0.0
    if thick <= touch:
        if entry <= 0.0 and not shallow:
            return _CROSS, 0.0, normal, False, False, none, 0.0
        return _MEET, max(entry, 0.0), normal, resting, flat, plane, lead
    # Thick faces have an inside of their own: if an axis separates them, they are apart.
    if resting and not resting_hits:
        return _MISS, INF, none, False, False, none, 0.0
    if entry <= 0.0:
        gap_sq, p, q, _, _ = closest(mover, mover_rank, obstacle, obstacle_rank)
        gap = math.sqrt(gap_sq)
        if gap < thick - touch:
            return _CROSS, 0.0, normal, False, False, none, 0.0
        if gap <= thick + slack:
            normal = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
            if resting_hits or gap - thick + normal[2] * travel < -touch:
                return _MEET, 0.0, normal, False, False, none, 0.0
            return _MISS, INF, none, False, False, none, 0.0
    t, nu, nv, nw = advance(mover, mover_rank, obstacle, obstacle_rank, thick, slack, max(entry, 0.0), limit)
    return _MISS if t == INF else _MEET, t, (nu, nv, nw), False, False, none, 0.0


@inline
def judge(
    geometry,
    body_ints,
    poses,
    slots,
    slot_ints,
    pair,
    faces,
    ranks,
    numbers,
    touch,
    best,
    resting_hits,
    asked,
    asked_at,
    planes,
    chart_params,
    patches,
):
    """Judge two faces in the chart: return (travel, normal) of contact before `best`; or inf, CROSSING, UNKNOWN or HELD.

    pair: the slots of mover and obstacle. faces, ranks, numbers (in block order): of each side. asked, asked_at: see
    `inside.one_buried`. planes: see `planes`. chart_params, patches: for motions that turn.
    """
    a, b = pair
    one, two = faces
    none = (0.0, 0.0, 0.0)
    row = a * len(slot_ints) + b
    if held_until(two, planes, row) > 0.0:
        return INF, none
    sa = slot_ints[a, SHAPE]
    sb = slot_ints[b, SHAPE]
    thick = slots[a, THICK] + slots[b, THICK]
    slack = slots[a, SLACK] + slots[b, SLACK]
    touch = max(touch, TOUCH_ROUNDING * slack)
    travel = slots[b, REACH]
    verdict, t, normal, resting, flat, plane, lead = confirm(
        one, ranks[0], two, ranks[1], thick, slack, touch, travel, best, resting_hits
    )
    if verdict == _MISS:
        return INF, none
    if verdict == _CROSS:
        return CROSSING, normal
    ints = geometry.shape_ints
    if (t == 0.0 or resting) and (ints[sa, at.PART] < 0 or ints[sb, at.PART] < 0):
        return UNKNOWN, none
    if t == 0.0 and not flat:
        bodies = (slot_ints[a, BODY], slot_ints[b, BODY])
        if one_buried(geometry, body_ints, poses, pair, bodies, numbers, asked, asked_at, touch):
            return CROSSING, normal
    if resting_hits:
        return t, normal
    if resting:
        excused, up, height = slides(geometry, slots, a, sa, one, ranks[0], b, sb, two, ranks[1], t, touch, travel)
        if excused:
            # A mover that stays above a plane as a whole cannot meet what lies below it.
            planes[row, TRIED] += 1.0
            if planes[row, TRIED] <= MOST_SUPPORTS and above(geometry, sa, slots, a, up, height, touch):
                hold(planes, row, up, height + touch, INF)
                return HELD, none
            return INF, none
    if flat:
        if not presses(geometry, slots, a, sa, b, sb, one, two, plane, lead, slack, touch):
            return INF, none
        return t, plane
    return t, normal


@inline
def place(
    geometry, slots, chart_params, t, a, mover_shape, mover, mover_rank, b, obstacle_shape, obstacle, obstacle_rank, thick,
    touch, normal,
):  # fmt: skip
    """Return (gap squared, point on the mover, on the obstacle, feature of each, normal 3) of two faces in contact."""
    gap_sq, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    return gap_sq, p, q, f, g, normal
