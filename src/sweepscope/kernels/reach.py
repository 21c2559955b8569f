"""What moving bodies sweep, and which of them can meet at all: fans as broad phase (the thesis' 4.4).

A body that turns stays in the box of the cylindrical chart about its axis that holds it at the start, made longer by the angle
that it turns through: a fan. Only the angle depends on the time, so the fan of any window of time is known at once. A body that
does not turn stays in its own box, drawn out along its drift. How far either reaches along a direction is a closed form: two
sweeps that a direction parts do not meet, nor do they if one passes through the other's hole. Long windows, where fans have
become rings, are halved while their fans may meet. Everything errs towards meeting.
"""

import math

import numpy as np

from . import layout as at
from . import spins as of
from ._jit import inline, kernel, once, step
from .axle import arc_of
from .closest import cross, dot, minus
from .faces import local_face
from .orbit import turned
from .spins import along, beside, length, triple, turned_by, unit
from .tolerances import EPS, ROUNDING

INF = math.inf

_TOUCH = 1e-6  # share of the reach that is added to it: more than any default tolerance

# the 16 numbers of a fan: centre 3, mid 3, side 3, axis 3, half angle, inner, outer radius, half thickness
_CENTRE = of.FAN
_MID = of.FAN + 3
_SIDE = of.FAN + 6
_UP = of.FAN + 9
_HALF = of.FAN + 12  # half angle at time 0; negative: no fan but a box, whose half axes are in the 9 columns before
_INNER = of.FAN + 13
_OUTER = of.FAN + 14
_THICK = of.FAN + 15


@once
def _put_fan(geometry, s, spins, k):
    """Write the fan that holds the body at time 0: the box of its faces in the chart about its axis."""
    axis = triple(spins, k, of.AXIS)
    lever = triple(spins, k, of.LEVER)
    reals = geometry.shape_reals
    r = spins[k, of.THICK]
    turn = (
        (spins[k, of.TURN], spins[k, of.TURN + 3], spins[k, of.TURN + 6]),
        (spins[k, of.TURN + 1], spins[k, of.TURN + 4], spins[k, of.TURN + 7]),
        (spins[k, of.TURN + 2], spins[k, of.TURN + 5], spins[k, of.TURN + 8]),
    )
    # Angles are counted from where the middle of the body is.
    x = 0.5 * (reals[s, at.BOX_LOW] + reals[s, at.BOX_HIGH])
    y = 0.5 * (reals[s, at.BOX_LOW + 1] + reals[s, at.BOX_HIGH + 1])
    z = 0.5 * (reals[s, at.BOX_LOW + 2] + reals[s, at.BOX_HIGH + 2])
    middle = along(along(along(lever, x, turn[0]), y, turn[1]), z, turn[2])
    ahead = along(middle, -dot(middle, axis), axis)
    if length(ahead) <= 1e-12 * length(middle):
        ahead = cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.6 else (0.0, 1.0, 0.0))
    ahead = unit(ahead)
    left = cross(axis, ahead)
    # Rows of the chart's axes as the body sees them.
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
    place = triple(spins, k, of.PLACE)
    centre = along(minus(place, lever), 0.5 * (bottom + top), axis)
    half = min(0.5 * (end - begin), math.pi)
    sine, rest = turned(0.5 * (begin + end) if half < math.pi else 0.0)
    mid = turned_by(axis, sine, rest, ahead)
    side = cross(axis, mid)
    for c in range(3):
        spins[k, _CENTRE + c] = centre[c]
        spins[k, _MID + c] = mid[c]
        spins[k, _SIDE + c] = side[c]
        spins[k, _UP + c] = axis[c]
    spins[k, _HALF] = half
    spins[k, _INNER] = inner
    spins[k, _OUTER] = outer
    spins[k, _THICK] = 0.5 * (top - bottom) + r
    spins[k, of.FAR] = outer


@once
def _put_box(reals, s, spins, k):
    """Write the box that holds a body that does not turn."""
    for r in range(3):
        middle = spins[k, of.PLACE + r]
        for c in range(3):
            turn = spins[k, of.TURN + 3 * r + c]
            middle += turn * 0.5 * (reals[s, at.BOX_LOW + c] + reals[s, at.BOX_HIGH + c])
            spins[k, _MID + 3 * c + r] = turn * 0.5 * (reals[s, at.BOX_HIGH + c] - reals[s, at.BOX_LOW + c])
        spins[k, _CENTRE + r] = middle
    spins[k, _HALF] = -1.0
    spins[k, _INNER] = 0.0
    spins[k, _OUTER] = 0.0
    spins[k, _THICK] = spins[k, of.THICK]
    spins[k, of.FAR] = 0.0


@inline
def window(spins, k, begin, end):
    """Return what body k sweeps from one time to another: (centre, mid, side, up, (half angle, cos, sin), sizes, drawn out)."""
    middle = 0.5 * (begin + end)
    drift = triple(spins, k, of.DRIFT)
    centre = along(triple(spins, k, _CENTRE), middle, drift)
    half = 0.5 * (end - begin)
    drawn = (half * drift[0], half * drift[1], half * drift[2])
    mid, side, up = triple(spins, k, _MID), triple(spins, k, _SIDE), triple(spins, k, _UP)
    sizes = (spins[k, _INNER], spins[k, _OUTER], spins[k, _THICK])
    theta = spins[k, _HALF]
    if theta < 0.0:
        return centre, mid, side, up, (-1.0, 1.0, 0.0), sizes, drawn
    rate = spins[k, of.RATE]
    theta += rate * half
    if theta >= math.pi:
        return centre, mid, side, up, (math.pi, -1.0, 0.0), sizes, drawn
    s, r = turned(rate * middle)
    mid = turned_by(up, s, r, mid)
    return centre, mid, cross(up, mid), up, (theta, math.cos(theta), math.sin(theta)), sizes, drawn


@inline
def _reaches(swept, n):
    """Return how far from its centre a sweep reaches along the unit direction n."""
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
    """Return the centre (seen from the sweep's own) and radius of a ball that holds a sweep."""
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
    """True if the direction n parts two sweeps, whose centres are d apart (b's seen from a's)."""
    size = length(n)
    if size == 0.0:
        return False
    n = (n[0] / size, n[1] / size, n[2] / size)
    back = (-n[0], -n[1], -n[2])
    off = dot(d, n)
    return off > _reaches(a, n) + _reaches(b, back) + wide or -off > _reaches(a, back) + _reaches(b, n) + wide


@inline
def _in_hole(a, ball, away, wide):
    """True if a ball, so far away from a's centre, is in the hole of fan a."""
    return a[4][0] >= 0.0 and beside(a[3], away) + ball < a[5][0] - wide


@step
def apart(a, b, wide):
    """True if two sweeps surely do not come nearer than `wide`."""
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
    # As the one sees the other from its axis.
    flat = along(between, -dot(between, a[3]), a[3]) if a[4][0] >= 0.0 else a[1]
    if _parted(a, b, d, flat, wide):
        return True
    flat = along(between, -dot(between, b[3]), b[3]) if b[4][0] >= 0.0 else b[1]
    return _parted(a, b, d, flat, wide)


@once
def _put_spin(geometry, body_ints, poses, body_boxes, b, ways, k, horizon, ints, spins):
    """Write row k: body b on its way (axis 3, arm 3, point 3, rate, drift 3), and what it sweeps within the horizon."""
    s = body_ints[b, at.SHAPE]
    reals = geometry.shape_reals
    ints[k, of.BODY] = b
    ints[k, of.SHAPE] = s
    for c in range(9):
        spins[k, of.TURN + c] = poses[b, at.ROTATION + c]
    away = 0.0
    size_sq = 0.0
    for c in range(3):
        spins[k, of.AXIS + c] = ways[c]
        spins[k, of.DRIFT + c] = ways[10 + c]
        spins[k, of.PLACE + c] = poses[b, at.POSITION + c]
        spins[k, of.REST + c] = poses[b, at.POSITION_REST + c]
        spins[k, of.LEVER + c] = ways[3 + c] + ((poses[b, at.POSITION + c] - ways[6 + c]) + poses[b, at.POSITION_REST + c])
        away = max(away, abs(poses[b, at.POSITION + c]))
        size_sq += (body_boxes[at.WORLD_HIGH + c, b] - body_boxes[at.WORLD_LOW + c, b]) ** 2
    lever = triple(spins, k, of.LEVER)
    axis = triple(spins, k, of.AXIS)
    lever = along(lever, -dot(lever, axis), axis)
    for c in range(3):
        spins[k, of.LEVER + c] = lever[c]
    spins[k, of.RATE] = ways[9]
    spins[k, of.THICK] = reals[s, at.RADIUS]
    spins[k, of.SIZE] = math.sqrt(size_sq)
    if ways[9] > 0.0:
        _put_fan(geometry, s, spins, k)
    else:
        _put_box(reals, s, spins, k)
    far = spins[k, of.FAR]
    path = far * ways[9] * horizon + length(triple(spins, k, of.DRIFT)) * horizon
    spins[k, of.SLACK] = ROUNDING * EPS * (away + spins[k, of.SIZE] + far + path)
    swept = window(spins, k, 0.0, horizon)
    for c in range(3):
        n = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        back = (-n[0], -n[1], -n[2])
        spins[k, of.LOW + c] = swept[0][c] - _reaches(swept, back) - spins[k, of.SLACK]
        spins[k, of.HIGH + c] = swept[0][c] + _reaches(swept, n) + spins[k, of.SLACK]


@kernel
def gather(geometry, body_ints, poses, body_boxes, bodies, movers, ways, left_out, horizon, wide):
    """Return (ints, spins), movers first, then the bodies that stand still within reach of their common box.

    movers: rows of bodies, shape (m,), ways (m, 13) of each as in `_put_spin`; left_out: bool per body; wide [length]: what
    counts as reach beyond a box.
    """
    moving = np.zeros(bodies, np.bool_)
    ints = np.empty((len(movers), of.SPIN_INTS), np.int64)
    spins = np.empty((len(movers), of.SPIN_REALS))
    low = (INF, INF, INF)
    high = (-INF, -INF, -INF)
    m = 0
    for i in range(len(movers)):
        b = movers[i]
        moving[b] = True
        if left_out[b] or body_boxes[at.WORLD_LOW, b] > body_boxes[at.WORLD_HIGH, b]:
            continue
        _put_spin(geometry, body_ints, poses, body_boxes, b, ways[i], m, horizon, ints, spins)
        low = (min(low[0], spins[m, of.LOW]), min(low[1], spins[m, of.LOW + 1]), min(low[2], spins[m, of.LOW + 2]))
        high = (max(high[0], spins[m, of.HIGH]), max(high[1], spins[m, of.HIGH + 1]), max(high[2], spins[m, of.HIGH + 2]))
        m += 1
    still = np.empty(bodies, np.int64)
    count = 0
    for b in range(bodies):
        reached = not moving[b] and not left_out[b] and body_boxes[at.WORLD_LOW, b] <= body_boxes[at.WORLD_HIGH, b]
        for c in range(3):
            more = wide + _TOUCH * (high[c] - low[c]) + ROUNDING * EPS * (abs(low[c]) + abs(high[c]))
            reached = reached and body_boxes[at.WORLD_LOW + c, b] <= high[c] + more
            reached = reached and body_boxes[at.WORLD_HIGH + c, b] >= low[c] - more
        if reached:
            still[count] = b
            count += 1
    all_ints = np.empty((m + count, of.SPIN_INTS), np.int64)
    all_spins = np.empty((m + count, of.SPIN_REALS))
    all_ints[:m] = ints[:m]
    all_spins[:m] = spins[:m]
    nothing = np.zeros(13)
    nothing[2] = 1.0
    for i in range(count):
        _put_spin(geometry, body_ints, poses, body_boxes, still[i], nothing, m + i, horizon, all_ints, all_spins)
    return all_ints, all_spins, m


@inline
def _boxes_meet(spins, i, j, wide):
    meets = True
    for c in range(3):
        meets = meets and spins[i, of.LOW + c] <= spins[j, of.HIGH + c] + wide
        meets = meets and spins[j, of.LOW + c] <= spins[i, of.HIGH + c] + wide
    return meets


@inline
def _may_meet(body_ints, a, b):
    return not (body_ints[a, at.IGNORES] >> body_ints[b, at.GROUP]) & 1


@kernel
def pairs_in_reach(body_ints, ints, spins, movers, wide):
    """Return the pairs of rows, shape (p, 2), at least one of them below `movers`, whose boxes of the whole sweep meet.

    Sorted along the axis on which they are spread most, swept once; those that stand still are not held against each other.
    """
    count = len(spins)
    axis = 0
    spread = -1.0
    for c in range(3):
        mean = 0.0
        square = 0.0
        for i in range(count):
            mean += spins[i, of.LOW + c] / count
        for i in range(count):
            square += (spins[i, of.LOW + c] - mean) ** 2
        if square > spread:
            spread = square
            axis = c
    order = np.argsort(spins[:, of.LOW + axis])
    moving = np.empty(movers, np.int64)  # rows that are open, movers and others
    still = np.empty(count - movers, np.int64)
    m = 0
    n = 0
    pairs = np.empty((max(64, count), 2), np.int64)
    found = 0
    for k in range(count):
        i = order[k]
        start = spins[i, of.LOW + axis] - wide
        # What ended before this one starts is closed.
        kept = 0
        for q in range(m):
            if spins[moving[q], of.HIGH + axis] >= start:
                moving[kept] = moving[q]
                kept += 1
        m = kept
        if i < movers:
            kept = 0
            for q in range(n):
                if spins[still[q], of.HIGH + axis] >= start:
                    still[kept] = still[q]
                    kept += 1
            n = kept
        if found + m + n > len(pairs):
            bigger = np.empty((2 * (found + m + n), 2), np.int64)
            bigger[:found] = pairs[:found]
            pairs = bigger
        for q in range(m + (n if i < movers else 0)):
            j = moving[q] if q < m else still[q - m]
            if _boxes_meet(spins, i, j, wide) and _may_meet(body_ints, ints[i, of.BODY], ints[j, of.BODY]):
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
