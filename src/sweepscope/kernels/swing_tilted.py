"""When a turning box meets a ball, in any pose of the box: no closed form, so certain steps.

Seen from the box the ball's middle runs backwards on a circle. Some room f > 0 with the slope f' surely lasts up to the root of
f + f' h - M h^2 / 2, where M bounds its second derivative: Newton's step where the ball is met head on, half of the rest where
it is grazed. Two such rooms are known, and the longer step is taken. One is the distance from a plane that parts box and ball:
M is the radius of the circle as seen along the plane. The other is distance^2 - radius^2: between the angles at which the
circle crosses a plane of a side (closed form, twelve at most) that is a trigonometric polynomial of degree two, C + A1
cos(phi - ..) + A2 cos(2 phi - ..), and M = A1 + 4 A2; it goes far where the distance hardly changes, as about a corner on the
axis. Never late; early by at most a few `loose` of distance, as in swing.py.
"""

import math

from ._jit import inline, kernel, step
from .swing import ANGLE, HALF, LOOSE, LOOSE_RATE, TURN, at_start, framed, never, point_time, share, slab

# Three steps are usual, 85 were the most in half a million grazes; what is this near after so many is called contact.
MOST_STEPS = 10_000
_SAME = 1e-13  # angles nearer than this [radians] are one crossing


@inline
def ahead(angle, phi):
    """Return how far it is from phi on to an angle, 0 .. 2 pi; a whole turn if it is there already."""
    way = angle - phi
    way -= TURN * math.floor(way / TURN)
    return way if way > _SAME else TURN


@step
def crossing(planes, loose):
    """Return where a coordinate is greatest, and how far from there it crosses its planes, -1 where it does not [radians]."""
    a, b, c, w = planes
    size = math.sqrt(a * a + b * b)
    if size <= loose:
        return 0.0, -1.0, -1.0
    high, low = w - c, -w - c
    return (
        math.atan2(b, a),
        math.acos(high / size) if abs(high) < size else -1.0,
        math.acos(low / size) if abs(low) < size else -1.0,
    )


@step
def until(crosses, phi, way):
    """Return the lesser of a way and that from phi on to the next crossing."""
    top, high, low = crosses
    if high >= 0.0:
        way = min(way, ahead(top + high, phi), ahead(top - high, phi))
    if low >= 0.0:
        way = min(way, ahead(top + low, phi), ahead(top - low, phi))
    return way


@inline
def beyond(planes, cosine, sine):
    """Return by how much a point is beyond planes, signed, 0 if between, and how fast that grows with the angle."""
    a, b, c, w = planes
    value = a * cosine + b * sine + c
    if abs(value) <= w:
        return 0.0, 0.0
    off = value - w if value > 0.0 else value + w
    return off, b * cosine - a * sine


@inline
def harmonics(planes, cosine, sine):
    """Return the factors of cos, sin, cos 2, sin 2 of the squared distance from planes, on the side where the angle is."""
    a, b, c, w = planes
    value = a * cosine + b * sine + c
    if abs(value) <= w:
        return 0.0, 0.0, 0.0, 0.0
    c = c - w if value > 0.0 else c + w
    return 2.0 * a * c, 2.0 * b * c, 0.5 * (a * a - b * b), a * b


@step
def bend(first, second, third, phi):
    """Return a bound of the second derivative of the squared distance, between the crossings that phi is between."""
    cosine, sine = math.cos(phi), math.sin(phi)
    p0, p1, p2, p3 = harmonics(first, cosine, sine)
    q0, q1, q2, q3 = harmonics(second, cosine, sine)
    r0, r1, r2, r3 = harmonics(third, cosine, sine)
    return math.hypot(p0 + q0 + r0, p1 + q1 + r1) + 4.0 * math.hypot(p2 + q2 + r2, p3 + q3 + r3)


@inline
def lasts(room, slope, most):
    """Return how long some room lasts that changes with a slope, which itself falls by at most `most`."""
    root = math.sqrt(slope * slope + 2.0 * most * room)
    if slope < 0.0:
        return 2.0 * room / (root - slope)
    return (root + slope) / most if most > 0.0 else math.inf


@step
def ball_time(x, y, z, radius, n):
    """Return when a ball of the frame is first met, as a share of the turn; NaN if never."""
    if radius == 0.0:
        return point_time(x, y, z, n)
    loose = n[LOOSE] + n[LOOSE_RATE] * (abs(x) + abs(y) + abs(z) + radius)
    first = slab(x, y, z, n, 0, n[HALF])
    second = slab(x, y, z, n, 1, n[HALF + 1])
    third = slab(x, y, z, n, 2, n[HALF + 2])
    reach = radius + loose
    if never(first, reach) or never(second, reach) or never(third, reach):
        return math.nan
    if at_start(first, loose) and at_start(second, loose) and at_start(third, loose):
        return 0.0
    crosses = crossing(first, loose), crossing(second, loose), crossing(third, loose)
    touch = loose * (2.0 * radius + 3.0 * loose)
    whole = min(n[ANGLE], TURN)
    phi = end = 0.0
    most = 0.0
    for _ in range(MOST_STEPS):
        cosine, sine = math.cos(phi), math.sin(phi)
        d0, s0 = beyond(first, cosine, sine)
        d1, s1 = beyond(second, cosine, sine)
        d2, s2 = beyond(third, cosine, sine)
        gap = d0 * d0 + d1 * d1 + d2 * d2 - reach * reach
        if gap <= touch:
            return share(phi, n[ANGLE]) if phi > 0.0 else 0.0
        if phi >= whole:
            return math.nan
        if phi >= end:
            way = until(crosses[0], phi, until(crosses[1], phi, until(crosses[2], phi, TURN)))
            end = min(phi + way, whole)
            most = bend(first, second, third, 0.5 * (phi + end))
        slope = d0 * s0 + d1 * s1 + d2 * s2
        free = min(phi + lasts(gap, 2.0 * slope, most), end)
        # A plane square to the way from box to ball parts them, too, for as long as the ball's circle is beyond it.
        distance = math.sqrt(gap + reach * reach)
        a = (d0 * first[0] + d1 * second[0] + d2 * third[0]) / distance
        b = (d0 * first[1] + d1 * second[1] + d2 * third[1]) / distance
        parted = phi + lasts(distance - reach, slope / distance, math.hypot(a, b))
        phi = min(max(free, parted), whole)
    return share(phi, n[ANGLE])


@kernel
def tilted_ball_times(centres, radii, n, times):
    """Write when balls are first met into times (n,): shares of the turn, NaN for never.

    centres (n, 3), radii (n,) [length], world.
    """
    for i in range(len(centres)):
        x, y, z = framed(centres[i, 0], centres[i, 1], centres[i, 2], n)
        times[i] = ball_time(x, y, z, radii[i], n)
