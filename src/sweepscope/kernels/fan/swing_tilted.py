"""When a turning box meets a ball, in any pose of the box: there is no closed form, so certain steps.

Seen from the box, the ball's middle moves backwards on a circle. A clearance f > 0 with the slope f' surely lasts up to the
root of f + f' h - M h^2 / 2, where M bounds its second derivative. That is Newton's step if the ball is met head on, and half
of the rest if it is grazed. Two clearances are known, and the longer step is taken. One is the distance from a plane that
separates box and ball: M is the radius of the circle as seen along the plane. The other is distance^2 - radius^2. Between the
angles at which the circle crosses the plane of a side (closed form, twelve at most) it is a trigonometric polynomial of
degree two, C + A1 cos(phi - ..) + A2 cos(2 phi - ..), and M = A1 + 4 A2. It goes far where the distance hardly changes, for
example about a corner on the axis. Never late; early by at most a few `loose` of distance, as in swing.py.
"""

import math

from .._jit import inline, kernel, step
from ..tolerances import ONE_CROSSING, TILTED_STEPS
from .swing import ANGLE, HALF, LOOSE, LOOSE_RATE, TURN, at_start, framed, never, point_time, share, slab


@inline
def ahead(angle, phi):
    """Return the angle from phi forwards to `angle`, 0 .. 2 pi; a whole turn if it is already there."""
    path = angle - phi
    path -= TURN * math.floor(path / TURN)
    return path if path > ONE_CROSSING else TURN


@step
def crossing(planes, loose):
    """Return the angle at which a coordinate is greatest, and how far from there it crosses its planes [radians].

    -1 if it does not cross.
    """
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
def until(crosses, phi, path):
    """Return the lesser of a path [radians] and that from phi to the next crossing."""
    top, high, low = crosses
    if high >= 0.0:
        path = min(path, ahead(top + high, phi), ahead(top - high, phi))
    if low >= 0.0:
        path = min(path, ahead(top + low, phi), ahead(top - low, phi))
    return path


@inline
def beyond(planes, cosine, sine):
    """Return the signed distance of a point beyond planes, 0 if between, and its rate by the angle."""
    a, b, c, w = planes
    value = a * cosine + b * sine + c
    if abs(value) <= w:
        return 0.0, 0.0
    off = value - w if value > 0.0 else value + w
    return off, b * cosine - a * sine


@inline
def harmonics(planes, cosine, sine):
    """Return the factors of cos, sin, cos 2, sin 2 in the squared distance from planes.

    They hold on the side of the planes where the angle is.
    """
    a, b, c, w = planes
    value = a * cosine + b * sine + c
    if abs(value) <= w:
        return 0.0, 0.0, 0.0, 0.0
    c = c - w if value > 0.0 else c + w
    return 2.0 * a * c, 2.0 * b * c, 0.5 * (a * a - b * b), a * b


@step
def bend(first, second, third, phi):
    """Return a bound of the second derivative of the squared distance, between the crossings before and after phi."""
    cosine, sine = math.cos(phi), math.sin(phi)
    p0, p1, p2, p3 = harmonics(first, cosine, sine)
    q0, q1, q2, q3 = harmonics(second, cosine, sine)
    r0, r1, r2, r3 = harmonics(third, cosine, sine)
    return math.hypot(p0 + q0 + r0, p1 + q1 + r1) + 4.0 * math.hypot(p2 + q2 + r2, p3 + q3 + r3)


@inline
def lasts(room, slope, most):
    """Return how long a clearance lasts that changes with a slope, which itself falls by at most `most`."""
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
    for _ in range(TILTED_STEPS):
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
            path = until(crosses[0], phi, until(crosses[1], phi, until(crosses[2], phi, TURN)))
            end = min(phi + path, whole)
            most = bend(first, second, third, 0.5 * (phi + end))
        slope = d0 * s0 + d1 * s1 + d2 * s2
        free = min(phi + lasts(gap, 2.0 * slope, most), end)
        # A plane square to the direction from box to ball separates them, too, while the ball's circle is beyond it.
        distance = math.sqrt(gap + reach * reach)
        a = (d0 * first[0] + d1 * second[0] + d2 * third[0]) / distance
        b = (d0 * first[1] + d1 * second[1] + d2 * third[1]) / distance
        parted = phi + lasts(distance - reach, slope / distance, math.hypot(a, b))
        phi = min(max(free, parted), whole)
    return share(phi, n[ANGLE])


@kernel
def tilted_ball_times(centers, radii, n, times):
    """Write when balls are first met into times (n,): shares of the turn, NaN for never.

    centers (n, 3), radii (n,) [length], world.
    """
    for i in range(len(centers)):
        x, y, z = framed(centers[i, 0], centers[i, 1], centers[i, 2], n)
        times[i] = ball_time(x, y, z, radii[i], n)
