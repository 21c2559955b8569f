"""Fans: {|z| <= h, r <= rho <= R, |phi| <= theta} about an axis, a box in the cylindrical chart, and what meets them.

A fan is the product of a sector of the plane (`sector.py`) and an interval along the axis. The distance of a point combines the
distances in the plane and along the axis by Pythagoras. The thesis' sphere test (2.5) is therefore exact, and so is this one.

The 3D capsule (its 4.1): between the two faces it is a capsule of the plane. Beyond a face it meets the edges of that face:
the straight ones (two segments), the outer arc (within the angle, the distance from the disc is convex along the segment),
the inner arc. At the inner arc the distance is not convex, but rho is, and a chord bounds it from above: pieces are halved
until decided.
"""

import math

from .._jit import inline, step
from ..base.closest import segments
from ..tolerances import ARC_PIECES, ARC_STEPS, FAN_TOUCH, GRAIN
from .sector import beyond_angle, distance_sq, meets_capsule, runs_within

INF = math.inf


@inline
def fan_of(theta, r, far, h):
    """Return (cos, sin, r, R), h of a fan. With a half angle of pi it has no sides."""
    if theta >= math.pi:
        return (-1.0, 0.0, r, far), h
    return (math.cos(theta), math.sin(theta), r, far), h


@inline
def slack_of(numbers):
    """Return the distance from a fan, given by its 16 numbers, at which things touch it."""
    away = abs(numbers[0]) + abs(numbers[1]) + abs(numbers[2])
    return FAN_TOUCH * (numbers[14] + numbers[15]) + GRAIN * away


@inline
def frame_of(numbers):
    """Return center and axes of a fan as a tuple. It stays in registers, so loops do not read it again after each write."""
    return (
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
        numbers[6], numbers[7], numbers[8], numbers[9], numbers[10], numbers[11],
    )  # fmt: skip


@inline
def to_frame(frame, x, y, z):
    """Return a point in the fan's frame."""
    x -= frame[0]
    y -= frame[1]
    z -= frame[2]
    return (
        frame[3] * x + frame[4] * y + frame[5] * z,
        frame[6] * x + frame[7] * y + frame[8] * z,
        frame[9] * x + frame[10] * y + frame[11] * z,
    )


@inline
def apart_sq(sector, h, x, y, z):
    """Return the squared distance of a point from a fan, 0 inside."""
    over = max(0.0, abs(z) - h)
    return distance_sq(sector, x, y) + over * over


@inline
def _outer_arc(px, py, pw, dx, dy, dw, low, high, far, reach_sq):
    """True if p + t d, t in low..high, comes that near to a disc of radius `far` at w = 0. The distance is convex in t."""
    t = 0.5 * (low + high)
    for _ in range(ARC_STEPS):
        x, y, w = px + t * dx, py + t * dy, pw + t * dw
        rho = math.sqrt(x * x + y * y)
        out = max(0.0, rho - far)
        value = out * out + w * w
        if value <= reach_sq:
            return True
        speed = (x * dx + y * dy) / rho if out > 0.0 else 0.0
        slope = out * speed + w * dw
        if slope == 0.0:
            return False
        end = low if slope > 0.0 else high
        # A convex function lies above its tangent.
        if value + 2.0 * slope * (end - t) > reach_sq:
            return False
        if slope > 0.0:
            high = t
        else:
            low = t
        bend = speed * speed + dw * dw + (out * (dx * dx + dy * dy - speed * speed) / rho if out > 0.0 else 0.0)
        t -= slope / bend
        if not low < t < high:
            t = 0.5 * (low + high)
            if not low < t < high:
                break
    return True


@inline
def _inner_arc(px, py, pw, dx, dy, dw, low, high, r, reach_sq, stack):
    """True if p + t d, t in low..high, comes that near to the circle of radius r at w = 0.

    All of it is nearer to the axis than r.
    """
    stack[0, 0] = low
    stack[0, 1] = high
    waiting = 1
    while waiting > 0:
        waiting -= 1
        a, b = stack[waiting, 0], stack[waiting, 1]
        ax, ay, bx, by = px + a * dx, py + a * dy, px + b * dx, py + b * dy
        # A bound of the depth inside the circle: rho is convex, so its chord is above it.
        e, w = r - math.sqrt(ax * ax + ay * ay), pw + a * dw
        de, dh = r - math.sqrt(bx * bx + by * by) - e, (b - a) * dw
        dd = de * de + dh * dh
        u = min(1.0, max(0.0, -(e * de + w * dh) / dd)) if dd > 0.0 else 0.0
        e += u * de
        w += u * dh
        if e * e + w * w > reach_sq:
            continue
        t = a + u * (b - a)
        x, y = px + t * dx, py + t * dy
        e = r - math.sqrt(x * x + y * y)
        if e * e + w * w <= reach_sq or waiting + 2 > ARC_PIECES:
            return True
        if not a < t < b:
            t = 0.5 * (a + b)
            if not a < t < b:
                return True
        stack[waiting, 0] = a
        stack[waiting, 1] = t
        stack[waiting + 1, 0] = t
        stack[waiting + 1, 1] = b
        waiting += 2
    return False


@step
def _arcs(sector, px, py, pw, dx, dy, dw, low, high, reach_sq, stack):
    """True if p + t d, t in low..high, all within the angle, comes that near to the sector at w = 0."""
    if low > high:
        return False
    _, _, r, far = sector
    dd = dx * dx + dy * dy
    along = px * dx + py * dy
    past = px * px + py * py - r * r
    # The interval in the hole, if there is one.
    enter, leave = INF, INF
    if dd == 0.0:
        if past < 0.0:
            enter = low
            leave = high
    else:
        root = along * along - dd * past
        if root > 0.0:
            root = math.sqrt(root)
            enter = (-along - root) / dd
            leave = (-along + root) / dd
    if leave <= low or enter >= high:
        return _outer_arc(px, py, pw, dx, dy, dw, low, high, far, reach_sq)
    if enter > low and _outer_arc(px, py, pw, dx, dy, dw, low, enter, far, reach_sq):
        return True
    if leave < high and _outer_arc(px, py, pw, dx, dy, dw, leave, high, far, reach_sq):
        return True
    return _inner_arc(px, py, pw, dx, dy, dw, max(low, enter), min(high, leave), r, reach_sq, stack)


@inline
def _near_side(px, py, pw, dx, dy, dw, c, s, r, far, reach_sq):
    """True if the segment p + t d comes that near to the straight edge from r (c, s) to far (c, s) at w = 0."""
    a, d = (px, py, pw), (dx, dy, dw)
    b, e = (r * c, r * s, 0.0), ((far - r) * c, (far - r) * s, 0.0)
    t, u = segments(a, d, b, e)
    x, y, w = px + t * dx - b[0] - u * e[0], py + t * dy - b[1] - u * e[1], pw + t * dw
    return x * x + y * y + w * w <= reach_sq


@step
def _meets_face(sector, px, py, pw, qx, qy, qw, reach, stack):
    """True if a segment on one side of the plane w = 0 comes as near as `reach` to the sector in it."""
    dx, dy, dw = qx - px, qy - py, qw - pw
    reach_sq = reach * reach
    if distance_sq(sector, px, py) + pw * pw <= reach_sq or distance_sq(sector, qx, qy) + qw * qw <= reach_sq:
        return True
    c, s, r, far = sector
    if s != 0.0 or c > 0.0:
        if _near_side(px, py, pw, dx, dy, dw, c, s, r, far, reach_sq):
            return True
        if _near_side(px, py, pw, dx, dy, dw, c, -s, r, far, reach_sq):
            return True
    a, b, a_2, b_2 = runs_within(sector, px, py, dx, dy, 0.0)
    if _arcs(sector, px, py, pw, dx, dy, dw, a, b, reach_sq, stack):
        return True
    return _arcs(sector, px, py, pw, dx, dy, dw, a_2, b_2, reach_sq, stack)


@inline
def meets_capsule_3d(sector, h, px, py, pz, qx, qy, qz, reach, stack):
    """True if a fan meets all points within `reach` of the segment p..q. The caller adds the slack to the reach."""
    r, far = sector[2], sector[3]
    if min(pz, qz) - reach > h or max(pz, qz) + reach < -h:
        return False
    dx, dy, dz = qx - px, qy - py, qz - pz
    dd = dx * dx + dy * dy
    t = min(1.0, max(0.0, -(px * dx + py * dy) / dd)) if dd > 0.0 else 0.0
    nx, ny = px + t * dx, py + t * dy
    wide = far + reach
    if nx * nx + ny * ny > wide * wide:
        return False
    if r > reach and max(px * px + py * py, qx * qx + qy * qy) < (r - reach) * (r - reach):
        return False
    if beyond_angle(sector[0], sector[1], px, py, qx, qy, reach):
        return False
    start, middle = apart_sq(sector, h, px, py, pz), apart_sq(sector, h, nx, ny, pz + t * dz)
    end = apart_sq(sector, h, qx, qy, qz)
    if min(start, min(middle, end)) <= reach * reach:
        return True
    # Nothing between comes nearer than this: the distance changes no faster than the place.
    start, middle, end, length = math.sqrt(start), math.sqrt(middle), math.sqrt(end), math.sqrt(dd + dz * dz)
    if min(start + middle - t * length, middle + end - (1.0 - t) * length) > 2.0 * reach:
        return False
    return _between_ends(sector, h, px, py, pz, dx, dy, dz, reach, stack)


@step
def _between_ends(sector, h, px, py, pz, dx, dy, dz, reach, stack):
    """The rest of `meets_capsule_3d`: some place between the ends may meet the fan."""
    # The part between the planes of the two faces, and the parts beyond one of them within reach.
    if dz == 0.0:
        over = max(0.0, abs(pz) - h)
        return meets_capsule(sector, px, py, px + dx, py + dy, math.sqrt(max(0.0, reach * reach - over * over)))
    low, high = (-h - pz) / dz, (h - pz) / dz
    if dz < 0.0:
        low, high = high, low
    enter, leave = max(0.0, low), min(1.0, high)
    if enter <= leave and meets_capsule(sector, px + enter * dx, py + enter * dy, px + leave * dx, py + leave * dy, reach):
        return True
    room = reach / abs(dz)
    begin, end = max(0.0, low - room), min(1.0, low)
    if begin <= end and _beyond(sector, h, px, py, pz, dx, dy, dz, begin, end, reach, stack):
        return True
    begin, end = max(0.0, high), min(1.0, high + room)
    return begin <= end and _beyond(sector, h, px, py, pz, dx, dy, dz, begin, end, reach, stack)


@step
def _beyond(sector, h, px, py, pz, dx, dy, dz, begin, end, reach, stack):
    """True if the piece begin..end of the segment, beyond one face, comes as near as `reach` to that face."""
    a, b = abs(pz + begin * dz) - h, abs(pz + end * dz) - h
    ax, ay = px + begin * dx, py + begin * dy
    bx, by = px + end * dx, py + end * dy
    return _meets_face(sector, ax, ay, max(0.0, a), bx, by, max(0.0, b), reach, stack)
