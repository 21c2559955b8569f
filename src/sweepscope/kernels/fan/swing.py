"""What a turning box meets first: points in any pose, balls and rods if the axis is parallel to an edge of the box.

Seen from the box, an obstacle moves backwards on a circle: after the angle phi, coordinate k of a point in the box's frame is
a cos phi + b sin phi + c. A point is in the box while it is between three pairs of planes. It enters where it comes between
one pair while it is between the others: six angles at most, each in closed form. If the axis is parallel to an edge,
everything happens in a plane: a ball is a point against a rectangle with round corners (four planes, four circles). A rod
square to the axis is two balls, and the rectangle's corners, which move forwards, against the rod's straight sides.

An angle is represented by its sine and cosine; only angles of contact are computed. Every set is widened by `loose`, the
rounding of all inputs, and an entered point is checked with twice that. An answer is never late, and at most a few `loose` of
distance too early (more in angle where the contact only grazes).
"""

import math

from .._jit import inline, kernel, step
from ..tolerances import CHECKED_LOOSE, START_LOOSE

TURN = 2.0 * math.pi

# The numbers of a swing.
ABOUT = 0  # a point on the axis [length], world
FRAME = 3  # rows x, y, z: z is the axis, so that the turn is forwards; world
AXES = 12  # rows: the box's axes in that frame
MIDDLE = 21  # the box's center, counted from ABOUT, along its own axes [length]
HALF = 24  # half widths [length]
ANGLE = 27  # how far it turns, >= 0 [radians]
LOOSE = 28  # rounding of the box and its pose [length]
LOOSE_RATE = 29  # rounding that a thing adds for each unit of length from ABOUT
NUMBERS = 30


@inline
def framed(px, py, pz, n):
    """Return a place in the frame of a swing."""
    px, py, pz = px - n[ABOUT], py - n[ABOUT + 1], pz - n[ABOUT + 2]
    return (
        n[FRAME] * px + n[FRAME + 1] * py + n[FRAME + 2] * pz,
        n[FRAME + 3] * px + n[FRAME + 4] * py + n[FRAME + 5] * pz,
        n[FRAME + 6] * px + n[FRAME + 7] * py + n[FRAME + 8] * pz,
    )


@inline
def share(angle, whole):
    """Return an angle as a share of the whole turn; NaN if it is greater."""
    return min(angle / whole, 1.0) if angle <= whole else math.nan


@inline
def sooner(found, cosine, sine):
    """Return the lesser of two angles, 0 .. 2 pi. The second is given by multiples of its cosine and sine."""
    angle = math.atan2(sine, cosine)
    return min(found, angle + TURN if angle < 0.0 else angle)


@inline
def between(cosine, sine, a, b, c, w):
    """Return whether a coordinate is at most w from zero at an angle."""
    return abs(a * cosine + b * sine + c) <= w


@step
def enter(found, first, second, third, loose):
    """Return the lesser of `found` and the angle at which a point comes between the first planes while between the others.

    Planes: (a, b, c, w), where a cos phi + b sin phi + c is -w and w.
    """
    a, b, c, w = first
    a1, b1, c1, w1 = second
    a2, b2, c2, w2 = third
    size_sq = a * a + b * b
    if size_sq <= loose * loose:
        return found  # the coordinate does not change
    w, w1, w2 = w + loose, w1 + CHECKED_LOOSE * loose, w2 + CHECKED_LOOSE * loose
    high = w - c
    room = size_sq - high * high
    if room > 0.0:
        root = math.sqrt(room)
        cosine, sine = (a * high - b * root) / size_sq, (b * high + a * root) / size_sq
        if between(cosine, sine, a1, b1, c1, w1) and between(cosine, sine, a2, b2, c2, w2):
            found = sooner(found, cosine, sine)
    low = -w - c
    room = size_sq - low * low
    if room > 0.0:
        root = math.sqrt(room)
        cosine, sine = (a * low + b * root) / size_sq, (b * low - a * root) / size_sq
        if between(cosine, sine, a1, b1, c1, w1) and between(cosine, sine, a2, b2, c2, w2):
            found = sooner(found, cosine, sine)
    return found


@inline
def never(planes, loose):
    """Return whether a point is never between planes."""
    a, b, c, w = planes
    beyond = abs(c) - w - loose
    return beyond > 0.0 and beyond * beyond > a * a + b * b


@inline
def at_start(planes, loose):
    """Return whether a point is between planes at the start."""
    return abs(planes[0] + planes[2]) <= planes[3] + START_LOOSE * loose


@step
def slab(x, y, z, n, k, w):
    """Return the planes of the box's axis k, at distance w from its middle, for a point of the frame."""
    ex, ey, ez = n[AXES + 3 * k], n[AXES + 3 * k + 1], n[AXES + 3 * k + 2]
    return ex * x + ey * y, ex * y - ey * x, ez * z - n[MIDDLE + k], w


@step
def point_time(x, y, z, n):
    """Return when a point of the frame is first in the box, as a share of the turn; NaN if never."""
    loose = n[LOOSE] + n[LOOSE_RATE] * (abs(x) + abs(y) + abs(z))
    first = slab(x, y, z, n, 0, n[HALF])
    if never(first, loose):
        return math.nan
    second = slab(x, y, z, n, 1, n[HALF + 1])
    if never(second, loose):
        return math.nan
    third = slab(x, y, z, n, 2, n[HALF + 2])
    if never(third, loose):
        return math.nan
    if at_start(first, loose) and at_start(second, loose) and at_start(third, loose):
        return 0.0
    found = enter(math.inf, first, second, third, loose)
    found = enter(found, second, third, first, loose)
    found = enter(found, third, first, second, loose)
    return share(found, n[ANGLE])


@kernel
def point_times(points, n, times):
    """Write when points (n, 3), world, are first in the box into times (n,): shares of the turn, NaN for never."""
    for i in range(len(points)):
        x, y, z = framed(points[i, 0], points[i, 1], points[i, 2], n)
        times[i] = point_time(x, y, z, n)


@step
def enter_circle(found, x, y, rho, vx, vy, radius):
    """Return the lesser of `found` and the angle at which (x, y), which turns backwards at rho, enters a circle about v."""
    far = math.sqrt(vx * vx + vy * vy)
    apart = rho - far
    if abs(apart) > radius or rho + far <= radius:
        return found
    # In the triangle with sides rho, far, radius: twice the area, and the cosine times two sides. They are products, which
    # lose no digits if the circle is small or hardly reached (Kahan).
    area = 0.5 * math.sqrt((radius - apart) * (radius + apart) * ((rho + far) - radius) * ((rho + far) + radius))
    along = 0.5 * ((rho - radius) * (rho + radius) + far * far)
    dot, cross = x * vx + y * vy, y * vx - x * vy
    return sooner(found, dot * along + cross * area, cross * along - dot * area)


@step
def enter_rectangle(found, x, y, n, radius, loose):
    """Return the lesser of `found` and the angle at which (x, y) comes within radius of the turning rectangle."""
    mx, my, wx, wy = n[MIDDLE], n[MIDDLE + 1], n[HALF], n[HALF + 1]
    rho = math.sqrt(x * x + y * y)
    # The rectangle's nearest and farthest points from the axis bound where it can meet anything.
    far = math.hypot(abs(mx) + wx, abs(my) + wy)
    near = math.hypot(max(abs(mx) - wx, 0.0), max(abs(my) - wy, 0.0))
    if rho > far + radius + loose or rho < near - radius - loose:
        return found
    none = (0.0, 0.0, 0.0, 0.0)
    found = enter(found, (x, y, -mx, wx + radius), (y, -x, -my, wy), none, loose)
    found = enter(found, (y, -x, -my, wy + radius), (x, y, -mx, wx), none, loose)
    if radius > 0.0:
        wide = radius + loose
        found = enter_circle(found, x, y, rho, mx - wx, my - wy, wide)
        found = enter_circle(found, x, y, rho, mx - wx, my + wy, wide)
        found = enter_circle(found, x, y, rho, mx + wx, my - wy, wide)
        found = enter_circle(found, x, y, rho, mx + wx, my + wy, wide)
    return found


@inline
def beside(x, y, n):
    """Return the squared distance of (x, y) from the rectangle at the start."""
    dx = max(abs(x - n[MIDDLE]) - n[HALF], 0.0)
    dy = max(abs(y - n[MIDDLE + 1]) - n[HALF + 1], 0.0)
    return dx * dx + dy * dy


@inline
def across(radius, gap):
    """Return the radius of a ball's section at a distance of `gap` from its middle; 0 <= gap <= radius."""
    return math.sqrt((radius - gap) * (radius + gap))


@inline
def height_gap(z0, z1, n):
    """Return how far the heights z0 <= z1 are above or below the box."""
    return max(z0 - n[MIDDLE + 2] - n[HALF + 2], n[MIDDLE + 2] - n[HALF + 2] - z1, 0.0)


@step
def upright_time(x, y, z0, z1, lean, radius, n):
    """Return when a rod parallel to the axis, z0 <= z1, or a ball, is first met, as a share of the turn; NaN if never.

    lean: how far the rod's ends are off (x, y) [length], by rounding.
    """
    loose = n[LOOSE] + n[LOOSE_RATE] * (abs(x) + abs(y) + max(abs(z0), abs(z1)) + radius) + lean
    gap = height_gap(z0, z1, n)
    if gap > radius + loose:
        return math.nan
    if beside(x, y, n) <= across(radius + START_LOOSE * loose, gap) ** 2:
        return 0.0
    found = enter_rectangle(math.inf, x, y, n, across(radius + loose, gap), loose)
    return share(found, n[ANGLE])


@step
def segment_gap_sq(px, py, tx, ty, half, n):
    """Return the squared distance of a segment from the rectangle at the start.

    The segment has the middle p, the unit direction t and half length `half`.
    """
    mx, my, wx, wy = n[MIDDLE], n[MIDDLE + 1], n[HALF], n[HALF + 1]
    x, y = px - mx, py - my
    # The separating direction is square to a side, square to the segment, or from a corner to an end.
    square = abs(x * ty - y * tx) - (wx * abs(ty) + wy * abs(tx))
    if max(abs(x) - wx - half * abs(tx), abs(y) - wy - half * abs(ty), square) <= 0.0:
        return 0.0
    least = min(beside(px - half * tx, py - half * ty, n), beside(px + half * tx, py + half * ty, n))
    for i in range(4):
        cx = (wx if i & 1 else -wx) - x
        cy = (wy if i & 2 else -wy) - y
        along = max(abs(cx * tx + cy * ty) - half, 0.0)
        off = cx * ty - cy * tx
        least = min(least, along * along + off * off)
    return least


@step
def level_time(x0, y0, x1, y1, z0, z1, radius, n):
    """Return when a rod square to the axis is first met, as a share of the turn; NaN if never.

    z0 <= z1: the heights of its ends, which differ by rounding.
    """
    loose = n[LOOSE] + n[LOOSE_RATE] * (max(abs(x0) + abs(y0), abs(x1) + abs(y1)) + max(abs(z0), abs(z1)) + radius)
    gap = height_gap(z0, z1, n)
    if gap > radius + loose:
        return math.nan
    px, py = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    tx, ty = 0.5 * (x1 - x0), 0.5 * (y1 - y0)
    half = math.sqrt(tx * tx + ty * ty)
    tx, ty = (tx / half, ty / half) if half > 0.0 else (1.0, 0.0)
    if segment_gap_sq(px, py, tx, ty, half, n) <= across(radius + START_LOOSE * loose, gap) ** 2:
        return 0.0
    reach = across(radius + loose, gap)
    found = enter_rectangle(math.inf, x0, y0, n, reach, loose)
    found = enter_rectangle(found, x1, y1, n, reach, loose)
    none = (0.0, 0.0, 0.0, 0.0)
    for i in range(4):
        vx = n[MIDDLE] + (n[HALF] if i & 1 else -n[HALF])
        vy = n[MIDDLE + 1] + (n[HALF + 1] if i & 2 else -n[HALF + 1])
        dot, cross = tx * vx + ty * vy, tx * vy - ty * vx
        side = (cross, dot, ty * px - tx * py, reach)
        ends = (dot, -cross, -tx * px - ty * py, half)
        found = enter(found, side, ends, none, loose)
    return share(found, n[ANGLE])


@kernel
def ball_times(centers, radii, n, times):
    """Write when balls are first met into times (n,): shares of the turn, NaN for never.

    centers (n, 3), radii (n,) [length], world.
    """
    for i in range(len(centers)):
        x, y, z = framed(centers[i, 0], centers[i, 1], centers[i, 2], n)
        times[i] = upright_time(x, y, z, z, 0.0, radii[i], n)


@kernel
def rod_times(p0, p1, radii, upright, n, times):
    """Write when rods are first met into times (n,): shares of the turn, NaN for never.

    p0, p1 (n, 3), radii (n,) [length], world. upright (n,): True if parallel to the axis, False if square to it.
    """
    for i in range(len(p0)):
        x0, y0, z0 = framed(p0[i, 0], p0[i, 1], p0[i, 2], n)
        x1, y1, z1 = framed(p1[i, 0], p1[i, 1], p1[i, 2], n)
        low, high = min(z0, z1), max(z0, z1)
        if upright[i]:
            lean = abs(x1 - x0) + abs(y1 - y0)
            times[i] = upright_time(0.5 * (x0 + x1), 0.5 * (y0 + y1), low, high, lean, radii[i], n)
        else:
            times[i] = level_time(x0, y0, x1, y1, low, high, radii[i], n)
