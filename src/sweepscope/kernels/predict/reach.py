"""What moving bodies sweep, and which of them can meet at all: fans as broad phase (the thesis' 4.4).

A body that turns stays in a fan: the box of the cylindrical chart about its axis that holds it at the start, made longer by
the angle of the turn. Only the angle depends on time, so the fan of any window of time is known at once. A body that does not
turn stays in its own box, extended along its drift. The reach of either along a direction is a closed form. Two sweeps do not
meet if a direction separates them, or if one passes through the other's hole. In long windows fans become rings; such windows
are halved while their fans may meet. Every test errs towards meeting.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from ..base.closest import cross, dot, minus
from ..base.faces import local_face
from ..charts.cylinder import arc_of
from ..charts.orbit import turned
from ..tolerances import EPS, FAR_FROM_X, MIDDLE_ON_AXIS, REACH_MARGIN, ROUNDING
from . import motions as of
from .motions import along, beside, length, triple, turned_by, unit

INF = math.inf

# the 16 numbers of a fan: center 3, mid 3, side 3, axis 3, half angle, inner, outer radius, half thickness
_CENTER = of.FAN
_MID = of.FAN + 3
_SIDE = of.FAN + 6
_UP = of.FAN + 9
_HALF = of.FAN + 12  # half angle at time 0; negative: a box, whose half axes are in the 9 columns before
_INNER = of.FAN + 13
_OUTER = of.FAN + 14
_THICK = of.FAN + 15


@inline
def _put_fan(geometry, s, motions, k):
    """Write the fan that holds the body at time 0: the box of its faces in the chart about its axis."""
    axis = triple(motions, k, of.AXIS)
    lever = triple(motions, k, of.LEVER)
    reals = geometry.shape_reals
    r = motions[k, of.THICK]
    turn = (
        (motions[k, of.TURN], motions[k, of.TURN + 3], motions[k, of.TURN + 6]),
        (motions[k, of.TURN + 1], motions[k, of.TURN + 4], motions[k, of.TURN + 7]),
        (motions[k, of.TURN + 2], motions[k, of.TURN + 5], motions[k, of.TURN + 8]),
    )
    # Angles count from the middle of the body.
    x = 0.5 * (reals[s, at.BOX_LOW] + reals[s, at.BOX_HIGH])
    y = 0.5 * (reals[s, at.BOX_LOW + 1] + reals[s, at.BOX_HIGH + 1])
    z = 0.5 * (reals[s, at.BOX_LOW + 2] + reals[s, at.BOX_HIGH + 2])
    middle = along(along(along(lever, x, turn[0]), y, turn[1]), z, turn[2])
    ahead = along(middle, -dot(middle, axis), axis)
    if length(ahead) <= MIDDLE_ON_AXIS * length(middle):
        ahead = cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < FAR_FROM_X else (0.0, 1.0, 0.0))
    ahead = unit(ahead)
    left = cross(axis, ahead)
    # The chart's axes in the body's frame.
    u = (dot(ahead, turn[0]), dot(ahead, turn[1]), dot(ahead, turn[2]))
    v = (dot(left, turn[0]), dot(left, turn[1]), dot(left, turn[2]))
    w = (dot(axis, turn[0]), dot(axis, turn[1]), dot(axis, turn[2]))
    ou = dot(ahead, lever)
    ov = dot(left, lever)
    begin = INF
    end = -INF
    inner = INF
    outer_sq = 0.0
    bottom = INF
    top = -INF
    for i in range(geometry.shape_ints[s, at.FACES]):
        f = local_face(geometry, s, i)
        p, q, o = (f[0], f[1], f[2]), (f[3], f[4], f[5]), (f[6], f[7], f[8])
        a = (ou + dot(u, p), ov + dot(v, p))
        b = (ou + dot(u, q), ov + dot(v, q))
        c = (ou + dot(u, o), ov + dot(v, o))
        first, extent, near = arc_of(a, b, c, r)
        begin = min(begin, first)
        end = max(end, first + extent)
        inner = min(inner, near)
        outer_sq = max(outer_sq, max(a[0] * a[0] + a[1] * a[1], b[0] * b[0] + b[1] * b[1]))
        outer_sq = max(outer_sq, c[0] * c[0] + c[1] * c[1])
        bottom = min(bottom, min(dot(w, p), min(dot(w, q), dot(w, o))))
        top = max(top, max(dot(w, p), max(dot(w, q), dot(w, o))))
    outer = math.sqrt(outer_sq) + r
    place = triple(motions, k, of.PLACE)
    center = along(minus(place, lever), 0.5 * (bottom + top), axis)
    half = min(0.5 * (end - begin), math.pi)
    sine, rest = turned(0.5 * (begin + end) if half < math.pi else 0.0)
    mid = turned_by(axis, sine, rest, ahead)
    side = cross(axis, mid)
    for c in range(3):
        motions[k, _CENTER + c] = center[c]
        motions[k, _MID + c] = mid[c]
        motions[k, _SIDE + c] = side[c]
        motions[k, _UP + c] = axis[c]
    motions[k, _HALF] = half
    motions[k, _INNER] = inner
    motions[k, _OUTER] = outer
    motions[k, _THICK] = 0.5 * (top - bottom) + r
    motions[k, of.FAR] = outer


@inline
def _put_box(reals, s, motions, k):
    """Write the box that holds a body that does not turn."""
    for r in range(3):
        middle = motions[k, of.PLACE + r]
        for c in range(3):
            turn = motions[k, of.TURN + 3 * r + c]
            middle += turn * 0.5 * (reals[s, at.BOX_LOW + c] + reals[s, at.BOX_HIGH + c])
            motions[k, _MID + 3 * c + r] = turn * 0.5 * (reals[s, at.BOX_HIGH + c] - reals[s, at.BOX_LOW + c])
        motions[k, _CENTER + r] = middle
    motions[k, _HALF] = -1.0
    motions[k, _INNER] = 0.0
    motions[k, _OUTER] = 0.0
    motions[k, _THICK] = motions[k, of.THICK]
    motions[k, of.FAR] = 0.0


@inline
def window(motions, k, begin, end):
    """Return what body k sweeps from one time to another.

    (center, mid, side, up, (half angle, cos, sin), sizes, extension by the drift).
    """
    middle = 0.5 * (begin + end)
    drift = triple(motions, k, of.DRIFT)
    center = along(triple(motions, k, _CENTER), middle, drift)
    half = 0.5 * (end - begin)
    drawn = (half * drift[0], half * drift[1], half * drift[2])
    mid, side, up = triple(motions, k, _MID), triple(motions, k, _SIDE), triple(motions, k, _UP)
    sizes = (motions[k, _INNER], motions[k, _OUTER], motions[k, _THICK])
    theta = motions[k, _HALF]
    if theta < 0.0:
        return center, mid, side, up, (-1.0, 1.0, 0.0), sizes, drawn
    rate = motions[k, of.RATE]
    theta += rate * half
    if theta >= math.pi:
        return center, mid, side, up, (math.pi, -1.0, 0.0), sizes, drawn
    s, r = turned(rate * middle)
    mid = turned_by(up, s, r, mid)
    return center, mid, cross(up, mid), up, (theta, math.cos(theta), math.sin(theta)), sizes, drawn


@inline
def _reaches(swept, n):
    """Return how far a sweep reaches from its center along the unit direction n."""
    _, mid, side, up, angle, sizes, drawn = swept
    x = dot(mid, n)
    y = abs(dot(side, n))
    z = abs(dot(up, n))
    far = abs(dot(drawn, n))
    if angle[0] < 0.0:
        return far + abs(x) + y + z + sizes[2]
    far += z * sizes[2]
    flat = math.sqrt(x * x + y * y)
    if x >= flat * angle[1]:
        return far + flat * sizes[1]
    edge = x * angle[1] + y * angle[2]
    return far + edge * (sizes[1] if edge > 0.0 else sizes[0])


@inline
def _ball(swept):
    """Return the center (relative to the sweep's own) and the radius of a ball that holds a sweep."""
    _, mid, side, up, angle, sizes, drawn = swept
    if angle[0] < 0.0:
        wide = math.sqrt(dot(mid, mid) + dot(side, side) + dot(up, up)) + sizes[2]
        return (0.0, 0.0, 0.0), wide + length(drawn)
    _, c, s = angle
    inner, outer, thick = sizes
    if c <= 0.0:
        return (0.0, 0.0, 0.0), math.sqrt(outer * outer + thick * thick) + length(drawn)
    away = 0.5 * (outer + inner * c)
    flat_sq = max((outer - away) ** 2, (outer * c - away) ** 2 + (outer * s) ** 2)
    flat_sq = max(flat_sq, (inner * c - away) ** 2 + (inner * s) ** 2)
    return (away * mid[0], away * mid[1], away * mid[2]), math.sqrt(flat_sq + thick * thick) + length(drawn)


@inline
def _parted(a, b, d, n, wide):
    """True if the direction n separates two sweeps. d: from a's center to b's."""
    size = length(n)
    if size == 0.0:
        return False
    n = (n[0] / size, n[1] / size, n[2] / size)
    back = (-n[0], -n[1], -n[2])
    off = dot(d, n)
    return off > _reaches(a, n) + _reaches(b, back) + wide or -off > _reaches(a, back) + _reaches(b, n) + wide


@inline
def _in_hole(a, ball, away, wide):
    """True if a ball is in the hole of fan a. away: from a's center to the ball's."""
    return a[4][0] >= 0.0 and beside(a[3], away) + ball < a[5][0] - wide


@step
def apart(a, b, wide):
    """True if two sweeps are surely further apart than `wide`."""
    d = minus(b[0], a[0])
    ball_a, wide_a = _ball(a)
    ball_b, wide_b = _ball(b)
    between = along(minus(d, ball_a), 1.0, ball_b)
    if length(between) > wide_a + wide_b + wide:
        return True
    if _in_hole(a, wide_b, along(d, 1.0, ball_b), wide) or _in_hole(b, wide_a, minus(ball_a, d), wide):
        return True
    if _parted(a, b, d, a[3], wide) or _parted(a, b, d, b[3], wide) or _parted(a, b, d, between, wide):
        return True
    if _parted(a, b, d, cross(a[3], b[3]), wide):
        return True
    # Across the axis of each, towards the other.
    flat = along(between, -dot(between, a[3]), a[3]) if a[4][0] >= 0.0 else a[1]
    if _parted(a, b, d, flat, wide):
        return True
    flat = along(between, -dot(between, b[3]), b[3]) if b[4][0] >= 0.0 else b[1]
    return _parted(a, b, d, flat, wide)


@inline
def _put_motion(geometry, body_ints, poses, body_boxes, b, given, k, horizon, ints, motions):
    """Write row k: body b with its motion `given` (axis 3, arm 3, point 3, rate, drift 3), and what it sweeps."""
    s = body_ints[b, at.SHAPE]
    reals = geometry.shape_reals
    ints[k, of.BODY] = b
    ints[k, of.SHAPE] = s
    for c in range(9):
        motions[k, of.TURN + c] = poses[b, at.ROTATION + c]
    away = 0.0
    size_sq = 0.0
    for c in range(3):
        motions[k, of.AXIS + c] = given[c]
        motions[k, of.DRIFT + c] = given[10 + c]
        motions[k, of.PLACE + c] = poses[b, at.POSITION + c]
        motions[k, of.REST + c] = poses[b, at.POSITION_REST + c]
        motions[k, of.LEVER + c] = given[3 + c] + ((poses[b, at.POSITION + c] - given[6 + c]) + poses[b, at.POSITION_REST + c])
        away = max(away, abs(poses[b, at.POSITION + c]))
        size_sq += (body_boxes[at.WORLD_HIGH + c, b] - body_boxes[at.WORLD_LOW + c, b]) ** 2
    lever = triple(motions, k, of.LEVER)
    axis = triple(motions, k, of.AXIS)
    lever = along(lever, -dot(lever, axis), axis)
    for c in range(3):
        motions[k, of.LEVER + c] = lever[c]
    motions[k, of.RATE] = given[9]
    motions[k, of.THICK] = reals[s, at.RADIUS]
    motions[k, of.SIZE] = math.sqrt(size_sq)
    if given[9] > 0.0:
        _put_fan(geometry, s, motions, k)
    else:
        _put_box(reals, s, motions, k)
    far = motions[k, of.FAR]
    path = far * given[9] * horizon + length(triple(motions, k, of.DRIFT)) * horizon
    motions[k, of.SLACK] = ROUNDING * EPS * (away + motions[k, of.SIZE] + far + path)
    swept = window(motions, k, 0.0, horizon)
    for c in range(3):
        n = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        back = (-n[0], -n[1], -n[2])
        motions[k, of.LOW + c] = swept[0][c] - _reaches(swept, back) - motions[k, of.SLACK]
        motions[k, of.HIGH + c] = swept[0][c] + _reaches(swept, n) + motions[k, of.SLACK]


@kernel
def gather(geometry, body_ints, poses, body_boxes, bodies, movers, given, left_out, horizon, wide):
    """Return (ints, motions, number of movers): the movers, then the bodies at rest within reach of their common box.

    movers: body rows, shape (m,). given (m, 13): the motion of each, as in `_put_motion`. left_out: bool per body.
    wide [length]: how far beyond a box the reach goes.
    """
    moving = np.zeros(bodies, np.bool_)
    ints = np.empty((len(movers), of.MOTION_INTS), np.int64)
    motions = np.empty((len(movers), of.MOTION_REALS))
    low = (INF, INF, INF)
    high = (-INF, -INF, -INF)
    m = 0
    for i in range(len(movers)):
        b = movers[i]
        moving[b] = True
        if left_out[b] or body_boxes[at.WORLD_LOW, b] > body_boxes[at.WORLD_HIGH, b]:
            continue
        _put_motion(geometry, body_ints, poses, body_boxes, b, given[i], m, horizon, ints, motions)
        low = (min(low[0], motions[m, of.LOW]), min(low[1], motions[m, of.LOW + 1]), min(low[2], motions[m, of.LOW + 2]))
        high = (max(high[0], motions[m, of.HIGH]), max(high[1], motions[m, of.HIGH + 1]), max(high[2], motions[m, of.HIGH + 2]))
        m += 1
    still = np.empty(bodies, np.int64)
    count = 0
    for b in range(bodies):
        reached = not moving[b] and not left_out[b] and body_boxes[at.WORLD_LOW, b] <= body_boxes[at.WORLD_HIGH, b]
        for c in range(3):
            more = wide + REACH_MARGIN * (high[c] - low[c]) + ROUNDING * EPS * (abs(low[c]) + abs(high[c]))
            reached = reached and body_boxes[at.WORLD_LOW + c, b] <= high[c] + more
            reached = reached and body_boxes[at.WORLD_HIGH + c, b] >= low[c] - more
        if reached:
            still[count] = b
            count += 1
    all_ints = np.empty((m + count, of.MOTION_INTS), np.int64)
    all_motions = np.empty((m + count, of.MOTION_REALS))
    all_ints[:m] = ints[:m]
    all_motions[:m] = motions[:m]
    nothing = np.zeros(13)
    nothing[2] = 1.0
    for i in range(count):
        _put_motion(geometry, body_ints, poses, body_boxes, still[i], nothing, m + i, horizon, all_ints, all_motions)
    return all_ints, all_motions, m


@inline
def _boxes_meet(motions, i, j, wide):
    meets = True
    for c in range(3):
        meets = meets and motions[i, of.LOW + c] <= motions[j, of.HIGH + c] + wide
        meets = meets and motions[j, of.LOW + c] <= motions[i, of.HIGH + c] + wide
    return meets


@inline
def _may_meet(body_ints, a, b):
    return not (body_ints[a, at.IGNORES] >> body_ints[b, at.GROUP]) & 1


@kernel
def pairs_in_reach(body_ints, ints, motions, movers, wide):
    """Return the pairs of rows, shape (p, 2), whose boxes of the whole sweep meet. At least one row is below `movers`.

    The rows are sorted along the axis on which they are spread most, and swept once. Bodies at rest are not paired.
    """
    count = len(motions)
    axis = 0
    spread = -1.0
    for c in range(3):
        mean = 0.0
        square = 0.0
        for i in range(count):
            mean += motions[i, of.LOW + c] / count
        for i in range(count):
            square += (motions[i, of.LOW + c] - mean) ** 2
        if square > spread:
            spread = square
            axis = c
    order = np.argsort(motions[:, of.LOW + axis])
    moving = np.empty(movers, np.int64)  # open rows: movers, and bodies at rest
    still = np.empty(count - movers, np.int64)
    m = 0
    n = 0
    pairs = np.empty((max(64, count), 2), np.int64)
    found = 0
    for k in range(count):
        i = order[k]
        start = motions[i, of.LOW + axis] - wide
        # Rows that end before this one starts are closed.
        open_count = 0
        for q in range(m):
            if motions[moving[q], of.HIGH + axis] >= start:
                moving[open_count] = moving[q]
                open_count += 1
        m = open_count
        if i < movers:
            open_count = 0
            for q in range(n):
                if motions[still[q], of.HIGH + axis] >= start:
                    still[open_count] = still[q]
                    open_count += 1
            n = open_count
        if found + m + n > len(pairs):
            bigger = np.empty((2 * (found + m + n), 2), np.int64)
            bigger[:found] = pairs[:found]
            pairs = bigger
        for q in range(m + (n if i < movers else 0)):
            j = moving[q] if q < m else still[q - m]
            if _boxes_meet(motions, i, j, wide) and _may_meet(body_ints, ints[i, of.BODY], ints[j, of.BODY]):
                pairs[found, 0] = min(i, j)
                pairs[found, 1] = max(i, j)
                found += 1
        if i < movers:
            moving[m] = i
            m += 1
        else:
            still[n] = i
            n += 1
    return pairs[:found].copy()
