"""Two faces, one of which turns: whether and when they meet, and whether their bodies confirm it.

`advance` makes certain steps until the faces touch. Contact is excused for as long as a plane keeps the faces apart
(`lasting`) and the bodies around it agree (`touching.agrees`); then the faces are tested again. A contact that is not excused
is the hit: at the start if the faces press, later where something lands.
"""

import math

from .. import layout as at
from .._jit import inline, step
from ..base.closest import closest, corner, cross, dot, minus, segments
from ..base.inside import one_buried
from ..charts.helix import window
from ..charts.orbit import across, carry_back, carry_face, highest, leap, lowest, radius, rate_of, step_on, turn_back, turned
from ..charts.slots import BODY, SHAPE, SLACK, THICK
from ..tolerances import HAS_LEFT, HAS_SLID, LEAST_DIVISOR, LOOK_PAST, MOST_EXCUSES, MOST_SUPPORTS, TOUCH_ROUNDING, TURN_STEPS
from .landing import place  # noqa: F401  (the sweeper takes it from here)
from .lasting import point_lasts, riding_lasts, spanned_lasts, standing_lasts
from .planes import TRIED, held_until, hold
from .sharp import MOVER_NORMAL, OBSTACLE_NORMAL, axis_of, parting, plane_of
from .touching import agrees, common_point, to_local, to_local_direction
from .verdicts import CROSSING, HELD, UNKNOWN

INF = math.inf

_STANDING = 0
_RIDING = 1
_SPANNED = 2


@step
def advance(chart_params, mover, mover_rank, obstacle, obstacle_rank, thick, slack, patches, start, limit):
    """Return (travel, normal 3) of the first contact from `start` on; infinite if there is none before `limit`."""
    mine, i, theirs, j = patches
    normal = (0.0, -1.0, 0.0)
    begin, end = window(mine, i, theirs, j, chart_params, start)
    t = max(begin, start)
    if t < limit:
        t += leap(chart_params, carry_face(chart_params, t, mover), obstacle, -(thick + 0.5 * slack))
    for _ in range(TURN_STEPS):
        if t > end:
            begin, end = window(mine, i, theirs, j, chart_params, t)
            t = max(begin, t)
        # An overlap at the start is reported even if another pair presses there.
        if t >= limit and t > 0.0:
            return INF, normal
        gap, far, nx, ny, nz = step_on(
            chart_params, carry_face(chart_params, t, mover), mover_rank, obstacle, obstacle_rank, thick, slack
        )
        # So near, the direction is rounding; the previous one is better.
        if gap > thick + slack or thick > slack:
            normal = (nx, ny, nz)
        if gap <= thick + slack:
            break
        t += far
    return t, normal


@inline
def _kind(k):
    if k == OBSTACLE_NORMAL or 17 <= k < 20:
        return _STANDING
    if k == MOVER_NORMAL or k >= 20:
        return _RIDING
    return _SPANNED


@inline
def _slid(chart_params, n, p, t, touch):
    """True if a point that turns on from p stays in a plane across n for a travel of t."""
    return abs(rate_of(chart_params, n, p)) * t + 0.5 * across(n) * radius(chart_params, p) * t * t <= HAS_SLID * touch


@inline
def _flush(chart_params, t, up, kind, mover, there, obstacle, thick, touch):
    """True if all that touches the plane at t has slid along it from the start. What was away in between has landed."""
    s, r = turned(t)
    near = thick + touch
    if kind == _STANDING:
        floor = highest(up, obstacle)
        for k in range(3):
            p = corner(mover, k)
            if dot(up, corner(there, k)) - floor <= near and not (
                dot(up, p) - floor <= near and _slid(chart_params, up, p, t, touch)
            ):
                return False
        return True
    before = turn_back(s, r, up[0], up[1], up[2])
    ceiling = lowest(up, there)
    ceiling_before = lowest(before, mover)
    for k in range(3):
        p = corner(obstacle, k)
        if ceiling - dot(up, p) <= near and not (
            ceiling_before - dot(before, p) <= near and _slid(chart_params, before, p, t, touch)
        ):
            return False
    return True


@inline
def _lasts(chart_params, kind, k, up, p, q, there, mover_rank, obstacle, obstacle_rank, thick, touch, slack, left):
    if kind == _STANDING:
        return standing_lasts(chart_params, up, there, obstacle, thick, touch, slack, left)
    if kind == _RIDING:
        return riding_lasts(chart_params, up, there, obstacle, thick, touch, slack, left)
    i = (k - 8) // 3
    j = (k - 8) % 3
    return spanned_lasts(chart_params, up, p, q, there, mover_rank, i, obstacle, obstacle_rank, j, touch, slack, left)


@inline
def _crossing(mover, i, obstacle, j):
    """Return (distance squared, p, q): where edge i of the mover and edge j of the obstacle are nearest."""
    a = corner(mover, i)
    b = corner(mover, (i + 1) % 3)
    c = corner(obstacle, j)
    d = corner(obstacle, (j + 1) % 3)
    e = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    f = (d[0] - c[0], d[1] - c[1], d[2] - c[2])
    s, t = segments(a, e, c, f)
    p = (a[0] + s * e[0], a[1] + s * e[1], a[2] + s * e[2])
    q = (c[0] + t * f[0], c[1] + t * f[1], c[2] + t * f[2])
    r = (p[0] - q[0], p[1] - q[1], p[2] - q[2])
    return dot(r, r), p, q


@step
def sharp_lasts(
    geometry, slots, chart_params, a, mover_shape, mover, mover_rank, b, obstacle_shape, obstacle, obstacle_rank, t, chained,
    touch, slack, limit,
):  # fmt: skip
    """Return (until, standing, up 3, height): the travel until which a contact at t is excused, and the plane that excuses it.

    chained: the faces have been in contact since the start. standing: the plane stands still. `until` is UNKNOWN if the parts
    of the bodies must be known first.
    """
    there = carry_face(chart_params, t, mover)
    _, p, q, _, _ = closest(there, mover_rank, obstacle, obstacle_rank)
    plane = plane_of(there, obstacle)
    s, r = turned(t)
    before = carry_back(chart_params, t, s, r, p[0], p[1], p[2])
    moved = (p[0] - before[0], p[1] - before[1], p[2] - before[2])
    best = t
    best_up = (0.0, 0.0, 0.0)
    best_height = 0.0
    stands = False
    known = geometry.shape_ints[mover_shape, at.PART] >= 0 and geometry.shape_ints[obstacle_shape, at.PART] >= 0
    for k in range(OBSTACLE_NORMAL, 23):
        kind = _kind(k)
        if kind == _SPANNED and t > 0.0 and not chained:
            continue
        axis = axis_of(there, obstacle, plane, k)
        size = math.sqrt(dot(axis, axis))
        if size == 0.0:
            continue
        if t > 0.0 and kind != _SPANNED:
            # What slides along a plane has not moved across it. Nearly all contacts end here.
            normal = axis if kind == _STANDING else turn_back(s, r, axis[0], axis[1], axis[2])
            if abs(dot(normal, moved)) > HAS_SLID * touch * size:
                continue
        for side in range(2):
            size = -size if side == 1 else size
            up = (axis[0] / size, axis[1] / size, axis[2] / size)
            p_there = p
            q_there = q
            if lowest(up, there) - highest(up, obstacle) < -touch:
                continue
            if kind == _SPANNED:
                gap_sq, p_there, q_there = _crossing(there, (k - 8) // 3, obstacle, (k - 8) % 3)
                if gap_sq > touch * touch:
                    continue
            elif t > 0.0 and not _flush(chart_params, t, up, kind, mover, there, obstacle, 0.0, touch):
                continue
            until = t + _lasts(
                chart_params, kind, k, up, p_there, q_there, there, mover_rank, obstacle, obstacle_rank, 0.0, touch, slack,
                limit - t,
            )  # fmt: skip
            if until <= best:
                continue
            if not known:
                return UNKNOWN, False, up, 0.0
            if highest(up, there) - lowest(up, obstacle) <= touch:
                # Both lie in the plane: test in the middle of what they share, not at its edge.
                found, x, y, z = common_point(there, obstacle, up)
                if found:
                    p_there = (x, y, z)
                    q_there = (x, y, z)
            at_start = carry_back(chart_params, t, s, r, p_there[0], p_there[1], p_there[2])
            mine = to_local(slots, a, at_start[0], at_start[1], at_start[2])
            theirs = to_local(slots, b, q_there[0], q_there[1], q_there[2])
            up_m = to_local_direction(slots, a, turn_back(s, r, up[0], up[1], up[2]))
            up_o = to_local_direction(slots, b, up)
            if agrees(
                geometry, slots, a, mover_shape, mover, mine, up_m, b, obstacle_shape, obstacle, obstacle_rank, theirs, up,
                up_o, k, touch,
            ):  # fmt: skip
                best = until
                best_up = up
                best_height = highest(up, obstacle)
                stands = kind == _STANDING
                if best >= limit:
                    return INF, stands, best_up, best_height
    return best, stands, best_up, best_height


@inline
def _square(chart_params, n, mover, mover_rank, obstacle, obstacle_rank):
    """Return the unit direction nearest to n that is square to the motion, and to the edge if one touches.

    Where a round body slides over an edge, the direction between them leans a little until it is above the edge.
    """
    _, p, _, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    v = (-p[1], chart_params[0] + p[0], chart_params[1])
    speed_sq = dot(v, v)
    if speed_sq == 0.0:
        return n
    share = dot(v, n) / speed_sq
    up = (n[0] - share * v[0], n[1] - share * v[1], n[2] - share * v[2])
    if 3 <= g < 6:
        up = cross(minus(corner(obstacle, (g - 2) % 3), corner(obstacle, g - 3)), v)
    elif 3 <= f < 6:
        up = cross(minus(corner(mover, (f - 2) % 3), corner(mover, f - 3)), v)
    size = math.sqrt(dot(up, up))
    if size == 0.0:
        return n
    size = -size if dot(up, n) < 0.0 else size
    return up[0] / size, up[1] / size, up[2] / size


@step
def thick_lasts(chart_params, mover, mover_rank, obstacle, obstacle_rank, t, normal, thick, touch, slack, limit):
    """Return the travel until which a contact at t of two faces with a radius is excused; t if it is not."""
    there = carry_face(chart_params, t, mover)
    best = t
    # The direction between them, both normals with both signs, and the direction square to the sliding.
    for k in range(6):
        up = normal
        if k == 5:
            up = _square(chart_params, normal, there, mover_rank, obstacle, obstacle_rank)
        elif k > 0:
            axis = axis_of(there, obstacle, normal, OBSTACLE_NORMAL if k < 3 else MOVER_NORMAL)
            size = math.sqrt(dot(axis, axis))
            if size == 0.0:
                continue
            size = -size if k % 2 == 0 else size
            up = (axis[0] / size, axis[1] / size, axis[2] / size)
        if lowest(up, there) - highest(up, obstacle) < thick - touch:
            continue
        for kind in range(2):
            if t > 0.0 and not _flush(chart_params, t, up, kind, mover, there, obstacle, thick, touch):
                continue
            if kind == _STANDING:
                far = standing_lasts(chart_params, up, there, obstacle, thick, touch, slack, limit - t)
            else:
                far = riding_lasts(chart_params, up, there, obstacle, thick, touch, slack, limit - t)
            best = max(best, t + far)
    return INF if best >= limit else best


@step
def above_until(geometry, s, slots, k, chart_params, up, height, touch, slack, limit):
    """Return the travel until which all of shape s, placed by slot k, stays above the plane; 0 if not at the start."""
    first = geometry.shape_ints[s, at.VERTEX]
    top = -INF
    least = limit
    for v in range(first, first + geometry.shape_ints[s, at.VERTICES]):
        x = geometry.vertices[v, 0]
        y = geometry.vertices[v, 1]
        z = geometry.vertices[v, 2]
        p = (
            slots[k, 0] * x + slots[k, 1] * y + slots[k, 2] * z + slots[k, 9],
            slots[k, 3] * x + slots[k, 4] * y + slots[k, 5] * z + slots[k, 10],
            slots[k, 6] * x + slots[k, 7] * y + slots[k, 8] * z + slots[k, 11],
        )
        h = dot(up, p)
        if h < height - touch:
            return 0.0
        top = max(top, h)
        least = min(least, point_lasts(chart_params, False, up, height, p, touch, slack, least))
        if least == 0.0:
            return 0.0
    return least if top > height + LOOK_PAST[0] * touch else 0.0


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
    """Judge two faces in the frame, as `straight.judge` does for straight motion. patches: (array, row) of each side."""
    a, b = pair
    one, two = faces
    none = (0.0, 0.0, 0.0)
    row = a * len(slot_ints) + b
    sa = slot_ints[a, SHAPE]
    sb = slot_ints[b, SHAPE]
    thick = slots[a, THICK] + slots[b, THICK]
    slack = slots[a, SLACK] + slots[b, SLACK]
    touch = max(touch, TOUCH_ROUNDING * slack)
    ints = geometry.shape_ints
    fastest = 0.0
    for k in range(3):
        fastest = max(fastest, radius(chart_params, corner(one, k)))
    least = touch / max(math.sqrt(fastest * fastest + chart_params[1] * chart_params[1]), LEAST_DIVISOR)
    t = held_until(two, planes, row)
    normal = none
    for _ in range(MOST_EXCUSES):
        if t >= best and t > 0.0:
            return INF, none
        # An excused contact may have sunk in by `touch`: the faces have left only when they are further apart than that.
        chained = False
        if t > 0.0:
            gap = math.sqrt(closest(carry_face(chart_params, t, one), ranks[0], two, ranks[1])[0])
            chained = gap <= thick + HAS_LEFT * touch
        if not chained:
            t, normal = advance(chart_params, one, ranks[0], two, ranks[1], thick, slack, patches, t, best)
            if t == INF:
                return INF, none
        there = carry_face(chart_params, t, one)
        if thick > touch:
            gap_sq, p, q, _, _ = closest(there, ranks[0], two, ranks[1])
            if gap_sq > 0.0:
                gap = math.sqrt(gap_sq)
                normal = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
            if t == 0.0 and gap_sq < (thick - touch) * (thick - touch):
                return CROSSING, normal
            if resting_hits:
                return t, normal
            until = thick_lasts(chart_params, one, ranks[0], two, ranks[1], t, normal, thick, touch, slack, best)
        else:
            if t == 0.0:
                depth = parting(there, two, touch)[3]
                if depth < -touch and depth > -INF:
                    return CROSSING, normal
                if ints[sa, at.PART] < 0 or ints[sb, at.PART] < 0:
                    return UNKNOWN, none
                bodies = (slot_ints[a, BODY], slot_ints[b, BODY])
                if one_buried(geometry, body_ints, poses, pair, bodies, numbers, asked, asked_at, touch):
                    return CROSSING, normal
            if resting_hits:
                return t, normal
            until, stands, up, height = sharp_lasts(
                geometry, slots, chart_params, a, sa, one, ranks[0], b, sb, two, ranks[1], t, chained, touch, slack, best
            )
            if until == UNKNOWN:
                return UNKNOWN, none
            if until > t + least and stands:
                # A mover that stays above a plane as a whole cannot meet what lies below it.
                planes[row, TRIED] += 1.0
                if planes[row, TRIED] <= MOST_SUPPORTS:
                    whole = above_until(geometry, sa, slots, a, chart_params, up, height, touch, slack, best)
                    if whole > t + least:
                        hold(planes, row, up, height + touch, whole)
                        return HELD, none
        if until == INF:
            return INF, none
        if until <= t + least:
            break
        t = until
    return t, normal
