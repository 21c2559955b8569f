"""How long planes surely separate two things that both move: boxes of groups, and faces.

A plane may stand (and drift along its normal, so that both sides need equally long to reach it), ride on one of the two, or
roll along an edge of each. The distance of a corner from it is a smooth function of time. From its value, its rate and a
bound of its bend follows a parabola below it, and from that a time for which the corner surely stays on its side
(`orbit.stays`). The best plane depends on what is nearest: with it the steps converge as Newton's do. After Tang, Kim &
Manocha (2009), both sides moving.

For a plane that rides on A, the acceleration of a point x of B seen from A has three parts: that of its own orbit, twice A's
rate times its speed, and A's rate squared times its distance from A's axis. The last two count only with the part of the
normal that lies across A's axis.
"""

import math

from .._jit import inline, step
from ..base.closest import closest, corner, cross, dot, minus
from ..charts.orbit import highest, lowest, stays
from ..tolerances import BOX_EDGES_PARALLEL_SQ, EDGES_PARALLEL_SQ, LEAST_DIVISOR, LONGEST_SPAN, ROLL_SHARE
from .motions import along, beside, direction_rate, length, radius_at, speed_at, to_world, unit

INF = math.inf

# which plane
_STANDS = 0
_RIDES_A = 1
_RIDES_B = 2
_ROLLS = 3


@inline
def longest_step(motion_a, motion_b, left):
    """Return the time for which bounds of bends hold, at most `left`."""
    return min(left, LONGEST_SPAN / max(motion_a[1] + motion_b[1], LEAST_DIVISOR))


# Boxes.


@inline
def reach_of(stand, half, n):
    """Return how far a box reaches from its center along n, and the signed share of each half width."""
    x = half[0] * dot(stand[0], n)
    y = half[1] * dot(stand[1], n)
    z = half[2] * dot(stand[2], n)
    return abs(x) + abs(y) + abs(z), (x, y, z)


@step
def part(stand_a, box_a, stand_b, box_b):
    """Return (gap, n 3, plane): the direction from B to A along which two boxes are furthest apart, of the usual sixteen.

    A box is (center 3, half widths 3) in its body's frame. The gap is negative if the boxes overlap.
    """
    center, half_a = box_a
    a = to_world(stand_a, center[0], center[1], center[2])
    center, half_b = box_b
    b = to_world(stand_b, center[0], center[1], center[2])
    d = minus(a, b)
    best = -INF
    best_n = (0.0, 0.0, 1.0)
    kind = _STANDS
    away = length(d)
    if away > 0.0:
        best_n = (d[0] / away, d[1] / away, d[2] / away)
        best = away - reach_of(stand_a, half_a, best_n)[0] - reach_of(stand_b, half_b, best_n)[0]
    # Along their own axes: only the pose of one relative to the other matters.
    m = (
        (dot(stand_a[0], stand_b[0]), dot(stand_a[0], stand_b[1]), dot(stand_a[0], stand_b[2])),
        (dot(stand_a[1], stand_b[0]), dot(stand_a[1], stand_b[1]), dot(stand_a[1], stand_b[2])),
        (dot(stand_a[2], stand_b[0]), dot(stand_a[2], stand_b[1]), dot(stand_a[2], stand_b[2])),
    )
    t = (dot(stand_a[0], d), dot(stand_a[1], d), dot(stand_a[2], d))
    for i in range(3):
        gap = abs(t[i]) - half_a[i] - half_b[0] * abs(m[i][0]) - half_b[1] * abs(m[i][1]) - half_b[2] * abs(m[i][2])
        if gap > best:
            side = 1.0 if t[i] >= 0.0 else -1.0
            n = stand_a[i]
            best, best_n, kind = gap, (side * n[0], side * n[1], side * n[2]), _RIDES_A
    for j in range(3):
        u = dot(stand_b[j], d)
        gap = abs(u) - half_b[j] - half_a[0] * abs(m[0][j]) - half_a[1] * abs(m[1][j]) - half_a[2] * abs(m[2][j])
        if gap > best:
            side = 1.0 if u >= 0.0 else -1.0
            n = stand_b[j]
            best, best_n, kind = gap, (side * n[0], side * n[1], side * n[2]), _RIDES_B
    for i in range(3):
        for j in range(3):
            square = 1.0 - m[i][j] * m[i][j]
            if square <= BOX_EDGES_PARALLEL_SQ:
                continue
            i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
            u = t[i2] * m[i1][j] - t[i1] * m[i2][j]
            reach = half_a[i1] * abs(m[i2][j]) + half_a[i2] * abs(m[i1][j])
            reach += half_b[j1] * abs(m[i][j2]) + half_b[j2] * abs(m[i][j1])
            gap = (abs(u) - reach) / math.sqrt(square)
            if gap > best:
                n = unit(cross(stand_a[i], stand_b[j]))
                side = 1.0 if dot(n, d) >= 0.0 else -1.0
                best, best_n, kind = gap, (side * n[0], side * n[1], side * n[2]), _STANDS
    return best, best_n, kind


@inline
def _corners_stay(value, values, rate, rates, bend):
    """Return how long all corners of a box stay on their side.

    value, rate: of its middle; values, rates: shares of each half width; bend: common to all.
    """
    least = INF
    for k in range(8):
        x = 1.0 if k & 1 else -1.0
        y = 1.0 if k & 2 else -1.0
        z = 1.0 if k & 4 else -1.0
        v = value + x * values[0] + y * values[1] + z * values[2]
        r = rate + x * rates[0] + y * rates[1] + z * rates[2]
        least = min(least, stays(max(v, 0.0), r, bend))
    return least


@inline
def _turning(motion, stand, half, n):
    """Return for each half width how much it adds to the speed along n."""
    w = direction_rate(motion, n)  # n . (w x e) = -(w x n) . e
    return -half[0] * dot(stand[0], w), -half[1] * dot(stand[1], w), -half[2] * dot(stand[2], w)


@inline
def _bend_riding(motion_a, motion_b, n, radius_a, radius_b, span):
    """Return the bend of a point of B relative to a plane across n that rides on A, for a time of `span`.

    radius_a, radius_b: its distances from both axes.
    """
    across_a = beside(motion_a[0], n)
    speed = motion_b[1] * radius_b + length(minus(motion_b[2], motion_a[2]))
    across_b = min(1.0, beside(motion_b[0], n) + across_a * motion_a[1] * span)
    far = radius_a + speed * span if motion_a[1] > 0.0 else 0.0
    return motion_b[1] * motion_b[1] * radius_b * across_b + across_a * motion_a[1] * (2.0 * speed + motion_a[1] * far)


@inline
def _box_rides(motion_a, stand_a, motion_b, stand_b, b, half_b, n, room, span):
    """Return how long box B stays below a plane across n that rides on A and is `room` away from it."""
    reach, parts = reach_of(stand_b, half_b, n)
    wide = length(half_b)
    bend = _bend_riding(
        motion_a, motion_b, n, radius_at(motion_a, stand_a, b) + wide, radius_at(motion_b, stand_b, b) + wide, span
    )
    rate = dot(n, minus(speed_at(motion_a, stand_a, b), speed_at(motion_b, stand_b, b)))
    rates = minus(_turning(motion_a, stand_b, half_b, n), _turning(motion_b, stand_b, half_b, n))
    return _corners_stay(room + reach, (-parts[0], -parts[1], -parts[2]), rate, rates, bend)


@inline
def _signed(parts, rates):
    """Return the sum of rates, each with the sign of its part."""
    total = rates[0] if parts[0] >= 0.0 else -rates[0]
    total += rates[1] if parts[1] >= 0.0 else -rates[1]
    return total + (rates[2] if parts[2] >= 0.0 else -rates[2])


@step
def boxes_last(motion_a, stand_a, box_a, motion_b, stand_b, box_b, n, kind, room, span):
    """Return how long two boxes surely stay apart, at most `span`.

    room (> 0): their gap along n, less what must be left.
    """
    center, half_a = box_a
    a = to_world(stand_a, center[0], center[1], center[2])
    center, half_b = box_b
    b = to_world(stand_b, center[0], center[1], center[2])
    # The plane drifts so that the nearest corners of both approach it equally fast.
    reach_a, parts_a = reach_of(stand_a, half_a, n)
    reach_b, parts_b = reach_of(stand_b, half_b, n)
    rate_a, rates_a = dot(n, speed_at(motion_a, stand_a, a)), _turning(motion_a, stand_a, half_a, n)
    rate_b, rates_b = dot(n, speed_at(motion_b, stand_b, b)), _turning(motion_b, stand_b, half_b, n)
    drift = 0.5 * (rate_a - _signed(parts_a, rates_a) + rate_b + _signed(parts_b, rates_b))
    bend_a = motion_a[1] * motion_a[1] * beside(motion_a[0], n) * (radius_at(motion_a, stand_a, a) + length(half_a))
    bend_b = motion_b[1] * motion_b[1] * beside(motion_b[0], n) * (radius_at(motion_b, stand_b, b) + length(half_b))
    far = _corners_stay(0.5 * room + reach_a, parts_a, rate_a - drift, rates_a, bend_a)
    parts_b = (-parts_b[0], -parts_b[1], -parts_b[2])
    rates_b = (-rates_b[0], -rates_b[1], -rates_b[2])
    far = min(far, _corners_stay(0.5 * room + reach_b, parts_b, drift - rate_b, rates_b, bend_b))
    if far >= span:
        return span
    if kind == _RIDES_A:
        far = max(far, _box_rides(motion_a, stand_a, motion_b, stand_b, b, half_b, n, room, span))
    elif kind == _RIDES_B:
        back = (-n[0], -n[1], -n[2])
        far = max(far, _box_rides(motion_b, stand_b, motion_a, stand_a, a, half_a, back, room, span))
    return min(far, span)


# Faces.


@inline
def _face_stands(motion_a, stand_a, a, p, motion_b, stand_b, b, q, n, keep):
    """Return how long a plane across n that drifts between faces a and b has them on its sides, `keep` apart.

    p, q: their nearest points.
    """
    low = lowest(n, a)
    high = highest(n, b)
    room = low - high - keep
    if room <= 0.0:
        return 0.0
    drift = 0.5 * (dot(n, speed_at(motion_a, stand_a, p)) + dot(n, speed_at(motion_b, stand_b, q)))
    turn_a = motion_a[1] * motion_a[1] * beside(motion_a[0], n)
    turn_b = motion_b[1] * motion_b[1] * beside(motion_b[0], n)
    least = INF
    for k in range(3):
        x = corner(a, k)
        rate = dot(n, speed_at(motion_a, stand_a, x)) - drift
        least = min(least, stays(dot(n, x) - low + 0.5 * room, rate, turn_a * radius_at(motion_a, stand_a, x)))
        x = corner(b, k)
        rate = drift - dot(n, speed_at(motion_b, stand_b, x))
        least = min(least, stays(high - dot(n, x) + 0.5 * room, rate, turn_b * radius_at(motion_b, stand_b, x)))
    return least


@inline
def _face_rides(motion_a, stand_a, a, motion_b, stand_b, b, n, keep, span):
    """Return how long a plane across n that rides on face a has face b below it, `keep` away."""
    low = lowest(n, a) - keep
    if low <= highest(n, b):
        return 0.0
    least = INF
    for k in range(3):
        x = corner(b, k)
        bend = _bend_riding(motion_a, motion_b, n, radius_at(motion_a, stand_a, x), radius_at(motion_b, stand_b, x), span)
        rate = dot(n, minus(speed_at(motion_a, stand_a, x), speed_at(motion_b, stand_b, x)))
        least = min(least, stays(low - dot(n, x), rate, bend))
    return least


@inline
def _face_rolls(motion_a, stand_a, a, p, e, motion_b, stand_b, b, q, f, n, keep, span):
    """Return how long a plane along edge e of face a and edge f of face b has the faces on its sides.

    p, q: their nearest points. The plane turns as the cross product of the edges does now, at a constant rate, about the middle
    between p and q.
    """
    m = cross(e, f)
    size = length(m)
    grown = dot(m, n)
    more = cross(direction_rate(motion_a, e), f)
    more = along(more, 1.0, cross(e, direction_rate(motion_b, f)))
    more = (more[0] / grown, more[1] / grown, more[2] / grown) if size > 0.0 else (0.0, 0.0, 0.0)
    more = along(more, -dot(n, more), n)
    rate_n = length(more)
    middle = (0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2]))
    speed_p = speed_at(motion_a, stand_a, p)
    speed_q = speed_at(motion_b, stand_b, q)
    speed = (0.5 * (speed_p[0] + speed_q[0]), 0.5 * (speed_p[1] + speed_q[1]), 0.5 * (speed_p[2] + speed_q[2]))
    turn_a = motion_a[1] * motion_a[1]
    turn_b = motion_b[1] * motion_b[1]
    bend = 0.5 * (turn_a * radius_at(motion_a, stand_a, p) + turn_b * radius_at(motion_b, stand_b, q))
    least = INF
    for k in range(6):
        side = 1.0 if k < 3 else -1.0
        x = corner(a, k) if k < 3 else corner(b, k - 3)
        v = speed_at(motion_a, stand_a, x) if k < 3 else speed_at(motion_b, stand_b, x)
        own = turn_a * radius_at(motion_a, stand_a, x) if k < 3 else turn_b * radius_at(motion_b, stand_b, x)
        d = minus(x, middle)
        v = minus(v, speed)
        total = own + bend
        fast = length(v) + span * total
        wide = length(d) + span * fast
        rate = dot(more, d) + dot(n, v)
        h = side * dot(n, d) - 0.5 * keep
        if h <= 0.0:
            return 0.0
        least = min(least, stays(h, side * rate, total + rate_n * (2.0 * fast + rate_n * wide)))
    return least


@inline
def edge_of(face, rank, k):
    """Return the direction of edge k."""
    if rank < 3:
        return minus(corner(face, 1), corner(face, 0))
    return minus(corner(face, (k + 1) % 3), corner(face, k))


@inline
def _across_face(face):
    return unit(cross(minus(corner(face, 1), corner(face, 0)), minus(corner(face, 2), corner(face, 0))))


@inline
def _spans(e, f):
    m = cross(e, f)
    return dot(m, m) > EDGES_PARALLEL_SQ * dot(e, e) * dot(f, f)


@inline
def direction(a, rank_a, b, rank_b, p, q, f, g):
    """Return (n 3, plane): the unit direction from b to a between their nearest points p, q on features f, g.

    Where a face or two edges touch, it is their own normal: if p and q are nearer than rounding, they give no direction.
    """
    n = minus(p, q)
    if f == 6 or g == 6:
        m = _across_face(a if f == 6 else b)
        side = 1.0 if dot(m, n) >= 0.0 else -1.0
        return (side * m[0], side * m[1], side * m[2]), _RIDES_A if f == 6 else _RIDES_B
    if 3 <= f < 6 and 3 <= g < 6:
        e = edge_of(a, rank_a, f - 3)
        d = edge_of(b, rank_b, g - 3)
        if _spans(e, d):
            m = unit(cross(e, d))
            side = 1.0 if dot(m, n) >= 0.0 else -1.0
            return (side * m[0], side * m[1], side * m[2]), _ROLLS
    return unit(n), _RIDES_B if f < 3 and g >= 3 else (_RIDES_A if g < 3 and f >= 3 else _STANDS)


@inline
def _fastest(motion, stand, face):
    """Return the greatest speed of a face's corners."""
    fastest = 0.0
    for k in range(3):
        fastest = max(fastest, length(speed_at(motion, stand, corner(face, k))))
    return fastest


@step
def faces_last(motion_a, stand_a, a, rank_a, motion_b, stand_b, b, rank_b, thick, slack, span):
    """Return (gap, time) of two faces: how long they surely stay apart; 0 if their gap is at most thick + slack."""
    gap_sq, p, q, f, g = closest(a, rank_a, b, rank_b)
    gap = math.sqrt(gap_sq)
    if gap <= thick + slack:
        return gap, 0.0
    n, kind = direction(a, rank_a, b, rank_b, p, q, f, g)
    # Aim at the middle of the slack, so that rounding cannot keep the last step just outside it.
    keep = thick + 0.5 * slack
    # By their speeds alone; then by a plane.
    least = (gap - keep) / max(_fastest(motion_a, stand_a, a) + _fastest(motion_b, stand_b, b), LEAST_DIVISOR)
    far = 0.0
    if kind == _RIDES_A:
        far = _face_rides(motion_a, stand_a, a, motion_b, stand_b, b, n, keep, span)
    elif kind == _RIDES_B:
        far = _face_rides(motion_b, stand_b, b, motion_a, stand_a, a, (-n[0], -n[1], -n[2]), keep, span)
    elif kind == _ROLLS:
        e = edge_of(a, rank_a, f - 3)
        d = edge_of(b, rank_b, g - 3)
        short = ROLL_SHARE * span
        far = min(short, _face_rolls(motion_a, stand_a, a, p, e, motion_b, stand_b, b, q, d, n, keep, short))
    if far <= least:
        m = minus(p, q)
        far = max(
            least, _face_stands(motion_a, stand_a, a, p, motion_b, stand_b, b, q, (m[0] / gap, m[1] / gap, m[2] / gap), keep)
        )
    return gap, min(far, span)
