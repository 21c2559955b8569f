"""What a turning box meets first: points in any pose, balls and rods where the axis is parallel to an edge of the box.

Seen from the box, what it may hit runs backwards on a circle: after the angle phi the box's own coordinate k of a point is
a cos phi + b sin phi + c. A point is in the box while it is between three pairs of planes, so it goes in where it comes between
one pair and is between the others already: six angles at most, each in closed form. With the axis parallel to an edge
everything happens in a plane: a ball is a point against a rectangle with round corners (four planes, four circles), a rod
square to the axis is two balls, and the rectangle's corners, which run forwards, against the rod's straight sides.

An angle is known by its sine and cosine; only those at which there is contact become angles. Every set is widened by `loose`,
the rounding of all that went in, and what is entered is checked with twice that: an answer is never late, and at most a few
`loose` of distance too early (farther in angle where it only grazes).
"""

import math

from ._jit import inline, kernel, step
from .tolerances import EPS

TURN = 2.0 * math.pi

# What is known of a swing: its numbers.
ABOUT = 0  # a point on the axis [length], world
FRAME = 3  # rows x, y, z: z is the axis, so that the turn is forwards; world
AXES = 12  # rows: the box's axes in that frame
MIDDLE = 21  # the box's centre, counted from ABOUT, along its own axes [length]
HALF = 24  # half widths [length]
ANGLE = 27  # how far it turns, >= 0 [radians]
LOOSE = 28  # rounding that the box and its pose bring in [length]
LOOSE_RATE = 29  # and what the place of a thing adds to that, for each length that it is away from ABOUT
NUMBERS = 30

ROUNDING = 16.0 * EPS  # of one frame, one circle and one angle, as a share of the coordinates


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
    """Return an angle as a share of the whole turn; NaN if it is beyond."""
    return min(angle / whole, 1.0) if angle <= whole else math.nan


@inline
def sooner(found, cosine, sine):
    """Return the lesser of an angle found and another, 0 .. 2 pi, given by multiples of its cosine and sine."""
    angle = math.atan2(sine, cosine)
    return min(found, angle + TURN if angle < 0.0 else angle)


@inline
def between(cosine, sine, a, b, c, w):
    """Return whether a coordinate is within w of zero at an angle."""
    return abs(a * cosine + b * sine + c) <= w


@step
def enter(found, first, second, third, loose):
    """Return the lesser of an angle found and that at which a point comes between the first planes, being between the others.

    Planes: (a, b, c, w), those where a cos phi + b sin phi + c is -w and w.
    """
    a, b, c, w = first
    a1, b1, c1, w1 = second
    a2, b2, c2, w2 = third
    size_sq = a * a + b * b
    if size_sq <= loose * loose:
        return found  # it stays where it was at the start
    w, w1, w2 = w + loose, w1 + 2.0 * loose, w2 + 2.0 * loose
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
    return abs(planes[0] + planes[2]) <= planes[3] + 3.0 * loose


@step
def slab(x, y, z, n, k, w):
    """Return the planes of the box's axis k for a point of the frame, w apart from its middle."""
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
    """Return the lesser of an angle found and that at which (x, y), turning backwards at rho, comes into a circle about v."""
    far = math.sqrt(vx * vx + vy * vy)
    apart = rho - far
    if abs(apart) > radius or rho + far <= radius:
        return found
    # Of the triangle with sides rho, far, radius: twice the area, and the cosine times two sides. In factors, which keep
    # their digits when the circle is small or hardly reached (Kahan).
    area = 0.5 * math.sqrt((radius - apart) * (radius + apart) * ((rho + far) - radius) * ((rho + far) + radius))
    along = 0.5 * ((rho - radius) * (rho + radius) + far * far)
    dot, cross = x * vx + y * vy, y * vx - x * vy
    return sooner(found, dot * along + cross * area, cross * along - dot * area)


@step
def enter_rectangle(found, x, y, n, radius, loose):
    """Return the lesser of an angle found and that at which (x, y) comes within radius of the turning rectangle."""
    mx, my, wx, wy = n[MIDDLE], n[MIDDLE + 1], n[HALF], n[HALF + 1]
    rho = math.sqrt(x * x + y * y)
    # The rectangle's nearest and farthest points from the axis bound where anything can be met.
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
    """Return how far a ball reaches at a height of `gap` beside its middle; 0 <= gap <= radius."""
    return math.sqrt((radius - gap) * (radius + gap))


@inline
def height_gap(z0, z1, n):
    """Return by how much heights z0 <= z1 are above or below the box."""
    return max(z0 - n[MIDDLE + 2] - n[HALF + 2], n[MIDDLE + 2] - n[HALF + 2] - z1, 0.0)


@step
def upright_time(x, y, z0, z1, lean, radius, n):
    """Return when a rod parallel to the axis, z0 <= z1, or a ball, is first met, as a share of the turn; NaN if never.

    lean: how far the rod's ends are off (x, y) [length], rounding.
    """
    loose = n[LOOSE] + n[LOOSE_RATE] * (abs(x) + abs(y) + max(abs(z0), abs(z1)) + radius) + lean
    gap = height_gap(z0, z1, n)
    if gap > radius + loose:
        return math.nan
    if beside(x, y, n) <= across(radius + 3.0 * loose, gap) ** 2:
        return 0.0
    found = enter_rectangle(math.inf, x, y, n, across(radius + loose, gap), loose)
    return share(found, n[ANGLE])


@step
def segment_gap_sq(px, py, tx, ty, half, n):
    """Return the squared distance of a segment, middle p, unit direction t, half long, from the rectangle at the start."""
    mx, my, wx, wy = n[MIDDLE], n[MIDDLE + 1], n[HALF], n[HALF + 1]
    x, y = px - mx, py - my
    # What separates a segment from a rectangle is square to a side, to the segment, or from corner to end.
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

    z0 <= z1: its height, which rounding may have made two.
    """
    loose = n[LOOSE] + n[LOOSE_RATE] * (max(abs(x0) + abs(y0), abs(x1) + abs(y1)) + max(abs(z0), abs(z1)) + radius)
    gap = height_gap(z0, z1, n)
    if gap > radius + loose:
        return math.nan
    px, py = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    tx, ty = 0.5 * (x1 - x0), 0.5 * (y1 - y0)
    half = math.sqrt(tx * tx + ty * ty)
    tx, ty = (tx / half, ty / half) if half > 0.0 else (1.0, 0.0)
    if segment_gap_sq(px, py, tx, ty, half, n) <= across(radius + 3.0 * loose, gap) ** 2:
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
def ball_times(centres, radii, n, times):
    """Write when balls are first met into times (n,): shares of the turn, NaN for never.

    centres (n, 3), radii (n,) [length], world.
    """
    for i in range(len(centres)):
        x, y, z = framed(centres[i, 0], centres[i, 1], centres[i, 2], n)
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
