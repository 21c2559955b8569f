"""Two faces: do they meet, when, and what do their bodies make of it.

`confirm` looks at the faces alone. `judge` asks the bodies about what the faces cannot tell: whether a face that touches at the
start is inside the other body, whether a graze or a touch may be excused as sliding or lifting.
"""

import math

import numpy as np

from . import layout as at
from ._jit import inline, once, step
from .closest import closest, corner
from .inside import buried
from .sharp import stretch
from .slots import BODY, REACH, SHAPE, SLACK, THICK
from .thick import advance
from .tolerances import TOUCH_ROUNDING
from .touching import above, presses, slides

INF = math.inf

_MISS = 0
_MEET = 1
_CROSS = 2

# Instead of a travel:
CROSSING = -1.0  # they overlap at the start
UNKNOWN = -2.0  # whether a body is closed must be known first
HELD = -3.0  # excused, by a plane that the mover stays above as a whole
AGAIN = -4.0  # to be walked again, with the planes found

_SUPPORTS = 4  # planes tried as a whole mover's support before it is taken to have none


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
def no_planes(movers, slots):
    """Return room for the planes that hold movers above obstacles: direction 3, height, how many were tried.

    Row a * slots + b is for mover a and obstacle b.
    """
    held = np.empty((movers * slots, 5))
    for row in range(movers * slots):
        for c in range(5):
            held[row, c] = 0.0
        held[row, 3] = -INF  # nothing is below this
    return held


@inline
def points_below(points, first, count, held, row):
    """True if points first .. first + count are below the plane of this row."""
    if held[row, 3] == -INF:
        return False
    top = -INF
    for p in range(first, first + count):
        top = max(top, held[row, 0] * points[p, 0] + held[row, 1] * points[p, 1] + held[row, 2] * points[p, 2])
    return top <= held[row, 3]


@inline
def face_below(face, held, row):
    """True if a face is below the plane of this row."""
    top = -INF
    for k in range(3):
        p = corner(face, k)
        top = max(top, held[row, 0] * p[0] + held[row, 1] * p[1] + held[row, 2] * p[2])
    return top <= held[row, 3]


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
):
    """Judge two faces in the chart: return (travel, normal) of contact before `best`; or inf, CROSSING, UNKNOWN or HELD.

    pair: the slots of mover and obstacle; faces, ranks, numbers (in block order): of each side. asked[asked_at] remembers
    of which slot's body a face was last asked to be inside of; held: see `no_planes`.
    """
    a, b = pair
    one, two = faces
    none = (0.0, 0.0, 0.0)
    row = a * len(rows) + b
    if face_below(two, held, row):
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
        # They touch. A face that crosses no other may yet lie inside the other's body.
        m, o = rows[a, BODY], rows[b, BODY]
        mine, theirs = asked_at
        if ints[sb, at.SOLID] and asked[mine[0], mine[1]] != b:
            asked[mine[0], mine[1]] = b
            if buried(geometry, body_ints, poses, m, o, numbers[0], touch):
                return CROSSING, normal
        if ints[sa, at.SOLID] and asked[theirs[0], theirs[1]] != a:
            asked[theirs[0], theirs[1]] = a
            if buried(geometry, body_ints, poses, o, m, numbers[1], touch):
                return CROSSING, normal
    if closed:
        return t, normal
    if resting:
        excused, up, height = slides(geometry, slots, a, sa, one, ranks[0], b, sb, two, ranks[1], t, touch, travel)
        if excused:
            # A mover that stays wholly above a plane cannot meet what lies below it.
            held[row, 4] += 1.0
            if held[row, 4] <= _SUPPORTS and above(geometry, sa, slots, a, up, height, touch):
                held[row, 0] = up[0]
                held[row, 1] = up[1]
                held[row, 2] = up[2]
                held[row, 3] = height + touch
                return HELD, none
            return INF, none
    if flat:
        if not presses(geometry, slots, a, sa, b, sb, one, two, plane, lead, slack, touch):
            return INF, none
        return t, plane
    return t, normal
