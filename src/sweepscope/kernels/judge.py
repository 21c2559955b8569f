"""Two faces: do they meet, when, and what do their bodies make of it.

`confirm` looks at the faces alone. `judge` asks the bodies about what the faces cannot tell: whether a face that touches at the
start is inside the other body, whether a graze or a touch may be excused as sliding or lifting.
"""

import math

from . import layout as at
from ._jit import once, step
from .closest import closest
from .inside import one_buried
from .planes import SUPPORTS, TRIED, held_until, hold
from .sharp import stretch
from .slots import BODY, REACH, SHAPE, SLACK, THICK
from .thick import advance
from .tolerances import TOUCH_ROUNDING
from .touching import above, presses, slides
from .verdicts import CROSSING, HELD, UNKNOWN

INF = math.inf

_MISS = 0
_MEET = 1
_CROSS = 2


@step
def confirm(mover, mover_rank, obstacle, obstacle_rank, thick, slack, touch, travel, limit, closed):
    """Judge two faces: return (verdict, travel, normal 3, resting, flat, plane 3, lead).

    _MISS; _MEET at a travel before `limit`; _CROSS now. resting: an axis holds them apart all the way, so they may be excused;
    flat, plane, lead: they lie in one plane now and cross it, as `sharp.stretch` says.
    """
    none = (0.0, 0.0, 0.0)
    entry, _, resting, shallow, normal, flat, lead, plane = stretch(mover, obstacle, thick, slack, touch, travel, limit)
    if entry == INF:
        return _MISS, INF, none, False, False, none, 0.0
    if thick <= touch:
        if entry <= 0.0 and not shallow:
            return _CROSS, 0.0, normal, False, False, none, 0.0
        return _MEET, max(entry, 0.0), normal, resting, flat, plane, lead
    # Thick faces have an inside of their own: what an axis holds apart is apart.
    if resting and not closed:
        return _MISS, INF, none, False, False, none, 0.0
    if entry <= 0.0:
        gap_sq, p, q, _, _ = closest(mover, mover_rank, obstacle, obstacle_rank)
        gap = math.sqrt(gap_sq)
        if gap < thick - touch:
            return _CROSS, 0.0, normal, False, False, none, 0.0
        if gap <= thick + slack:
            normal = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
            if closed or gap - thick + normal[2] * travel < -touch:
                return _MEET, 0.0, normal, False, False, none, 0.0
            return _MISS, INF, none, False, False, none, 0.0
    t, nu, nv, nw = advance(mover, mover_rank, obstacle, obstacle_rank, thick, slack, max(entry, 0.0), limit)
    return _MISS if t == INF else _MEET, t, (nu, nv, nw), False, False, none, 0.0


@once
def judge(
    geometry,
    body_ints,
    poses,
    slots,
    rows,
    pair,
    faces,
    ranks,
    numbers,
    touch,
    best,
    closed,
    asked,
    asked_at,
    held,
    way,
    patches,
):
    """Judge two faces in the chart: return (travel, normal) of contact before `best`; or inf, CROSSING, UNKNOWN or HELD.

    pair: the slots of mover and obstacle; faces, ranks, numbers (in block order): of each side. asked, asked_at: see
    `inside.one_buried`; held: see `planes`. way, patches: for motions that turn.
    """
    a, b = pair
    one, two = faces
    none = (0.0, 0.0, 0.0)
    row = a * len(rows) + b
    if held_until(two, held, row) > 0.0:
        return INF, none
    sa = rows[a, SHAPE]
    sb = rows[b, SHAPE]
    thick = slots[a, THICK] + slots[b, THICK]
    slack = slots[a, SLACK] + slots[b, SLACK]
    touch = max(touch, TOUCH_ROUNDING * slack)
    travel = slots[b, REACH]
    verdict, t, normal, resting, flat, plane, lead = confirm(
        one, ranks[0], two, ranks[1], thick, slack, touch, travel, best, closed
    )
    if verdict == _MISS:
        return INF, none
    if verdict == _CROSS:
        return CROSSING, normal
    ints = geometry.shape_ints
    if (t == 0.0 or resting) and (ints[sa, at.PART] < 0 or ints[sb, at.PART] < 0):
        return UNKNOWN, none
    if t == 0.0 and not flat:
        bodies = (rows[a, BODY], rows[b, BODY])
        if one_buried(geometry, body_ints, poses, pair, bodies, numbers, asked, asked_at, touch):
            return CROSSING, normal
    if closed:
        return t, normal
    if resting:
        excused, up, height = slides(geometry, slots, a, sa, one, ranks[0], b, sb, two, ranks[1], t, touch, travel)
        if excused:
            # A mover that stays wholly above a plane cannot meet what lies below it.
            held[row, TRIED] += 1.0
            if held[row, TRIED] <= SUPPORTS and above(geometry, sa, slots, a, up, height, touch):
                hold(held, row, up, height + touch, INF)
                return HELD, none
            return INF, none
    if flat:
        if not presses(geometry, slots, a, sa, b, sb, one, two, plane, lead, slack, touch):
            return INF, none
        return t, plane
    return t, normal
