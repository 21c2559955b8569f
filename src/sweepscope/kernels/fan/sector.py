"""The fan seen along its axis: a sector of a ring, r <= rho <= R within theta of the x axis, and what meets it.

A point is mirrored to y >= 0. It is then within the angle if it is not left of the ray G = (cos theta, sin theta): one cross
product, for theta from 0 to pi. Beyond the angle the nearest point is on the straight side from r G to R G; within it, on an
arc.

A convex thing cut by a wedge of at most pi stays convex, so the distances from the axis in it are one interval without gaps. It
meets the sector if that interval meets [r, R]. This replaces the thesis' cascade of crossings (its 4.3).

A sector is (cos theta, sin theta, r, R). `slack` [length]: things that are nearer touch.
"""

import math

from .._jit import inline, step
from ..tolerances import LEVEL_RAY

INF = math.inf


@inline
def within_angle(c, s, x, y, slack):
    """True if a point, mirrored to y >= 0, is within the angle or nearer than slack to its ray."""
    return (c * y - s * x <= slack) & ((c <= 0.0) | (c * x + s * y >= -slack))


@inline
def holds(sector, x, y, slack):
    """True if the sector contains a point."""
    c, s, r, far = sector
    y = abs(y)
    rho_sq = x * x + y * y
    near = max(0.0, r - slack)
    # With theta = 0 the ray starts at the origin, which belongs to the sector if r = 0.
    return (near * near <= rho_sq) & (rho_sq <= (far + slack) * (far + slack)) & within_angle(c, s, x, y, slack)


@inline
def distance_sq(sector, x, y):
    """Return the squared distance of a point from the sector, 0 inside."""
    c, s, r, far = sector
    y = abs(y)
    rho = math.sqrt(x * x + y * y)
    along = c * x + s * y
    beside = c * y - s * x
    inside = (beside <= 0.0) & ((c <= 0.0) | (along >= 0.0))
    out = rho if inside else along
    out = max(0.0, max(out - far, r - out))
    side = 0.0 if inside else beside
    return out * out + side * side


@inline
def beyond_angle(c, s, px, py, qx, qy, reach):
    """True if all of the segment p..q is surely further than `reach` from the angle."""
    left = min(c * py - s * px, c * qy - s * qx) > reach
    right = min(-c * py - s * px, -c * qy - s * qx) > reach
    # An angle of up to pi is the intersection of two half planes, a wider one their union.
    return (left | right) if c > 0.0 else (left & right)


@inline
def _rho_range(ax, ay, bx, by):
    """Return the least and greatest squared distance from the origin along the segment a..b."""
    dx, dy = bx - ax, by - ay
    dd = dx * dx + dy * dy
    t = min(1.0, max(0.0, -(ax * dx + ay * dy) / dd)) if dd > 0.0 else 0.0
    nx, ny = ax + t * dx, ay + t * dy
    return nx * nx + ny * ny, max(ax * ax + ay * ay, bx * bx + by * by)


@inline
def cut_run(low, high, value, slope):
    """Return the part of low..high where value + slope t >= 0."""
    if slope > 0.0:
        return max(low, -value / slope), high
    if slope < 0.0:
        return low, min(high, -value / slope)
    return (low, high) if value >= 0.0 else (1.0, 0.0)


@inline
def _run_meets(px, py, dx, dy, low, high, near, far):
    """True if p + t d, t in low..high, has a distance in near..far from the origin."""
    if low > high:
        return False
    least, most = _rho_range(px + low * dx, py + low * dy, px + high * dx, py + high * dy)
    return least <= far * far and most >= near * near


@inline
def runs_within(sector, px, py, dx, dy, slack):
    """Return the pieces of p + t d, t in 0..1, within the angle: (low, high, low, high), empty where low > high."""
    c, s, _, _ = sector
    left, left_rate = s * px - c * py + slack, s * dx - c * dy
    right, right_rate = s * px + c * py + slack, s * dx + c * dy
    if c > 0.0:
        low, high = cut_run(0.0, 1.0, left, left_rate)
        low, high = cut_run(low, high, right, right_rate)
        low, high = cut_run(low, high, px + slack, dx)
        return low, high, 1.0, 0.0
    low, high = cut_run(0.0, 1.0, left, left_rate)
    low_2, high_2 = cut_run(0.0, 1.0, right, right_rate)
    if low <= high and low_2 <= high_2 and low <= high_2 and low_2 <= high:
        return min(low, low_2), max(high, high_2), 1.0, 0.0
    return low, high, low_2, high_2


@inline
def _near_point(px, py, dx, dy, dd, x, y, reach_sq):
    """True if the segment p + t d comes as near as that to the point (x, y)."""
    wx, wy = x - px, y - py
    t = min(1.0, max(0.0, (wx * dx + wy * dy) / dd)) if dd > 0.0 else 0.0
    wx -= t * dx
    wy -= t * dy
    return wx * wx + wy * wy <= reach_sq


@inline
def meets_capsule(sector, px, py, qx, qy, radius):
    """True if the sector meets all points within `radius` of the segment p..q. The caller adds the slack to the radius.

    The nearest place is an end of the segment, a corner of the sector, or a place within the angle, where only rho counts.
    """
    c, s, r, far = sector
    dx, dy = qx - px, qy - py
    dd = dx * dx + dy * dy
    reach_sq = radius * radius
    t = min(1.0, max(0.0, -(px * dx + py * dy) / dd)) if dd > 0.0 else 0.0
    nx, ny = px + t * dx, py + t * dy
    if nx * nx + ny * ny > (far + radius) * (far + radius) or beyond_angle(c, s, px, py, qx, qy, radius):
        return False
    if distance_sq(sector, px, py) <= reach_sq or distance_sq(sector, qx, qy) <= reach_sq:
        return True
    if distance_sq(sector, nx, ny) <= reach_sq:
        return True
    near = max(0.0, r - radius)
    a, b, a_2, b_2 = runs_within(sector, px, py, dx, dy, 0.0)
    if _run_meets(px, py, dx, dy, a, b, near, far + radius) or _run_meets(px, py, dx, dy, a_2, b_2, near, far + radius):
        return True
    if s == 0.0 and c < 0.0:
        return False
    if _near_point(px, py, dx, dy, dd, far * c, far * s, reach_sq) or _near_point(
        px, py, dx, dy, dd, far * c, -far * s, reach_sq
    ):
        return True
    return _near_point(px, py, dx, dy, dd, r * c, r * s, reach_sq) or _near_point(px, py, dx, dy, dd, r * c, -r * s, reach_sq)


@inline
def _ray_in_box(ox, oy, gx, gy, a, b):
    """Return the squares of t where the ray o + t g, t >= 0, enters and leaves |x| <= a, |y| <= b; (inf, -1) if it misses."""
    # A ray along an edge gets a tiny slope and counts as inside.
    gx = gx if abs(gx) > LEVEL_RAY else LEVEL_RAY
    gy = gy if abs(gy) > LEVEL_RAY else LEVEL_RAY
    p, q, u, v = (-a - ox) / gx, (a - ox) / gx, (-b - oy) / gy, (b - oy) / gy
    low = max(0.0, max(min(p, q), min(u, v)))
    high = min(max(p, q), max(u, v))
    met = low <= high
    return low * low if met else INF, high * high if met else -1.0


@inline
def meets_rectangle(sector, x, y, a, b, ux, uy, slack):
    """True if the sector meets the rectangle about (x, y) with half widths a along the unit vector u, b across it.

    The sector's halves, above and below the x axis, are convex. There is no branch, so the compiler tests eight at a time.
    """
    c, s, r, far = sector
    a += slack
    b += slack
    # The origin in the rectangle's frame, and the rectangle's nearest point to it.
    ox, oy = -(x * ux + y * uy), x * uy - y * ux
    nx, ny = min(a, max(-a, ox)) - ox, min(b, max(-b, oy)) - oy
    hx, hy = nx * ux - ny * uy, nx * uy + ny * ux
    least = nx * nx + ny * ny if within_angle(c, s, hx, abs(hy), 0.0) else INF
    upper = _ray_in_box(ox, oy, c * ux + s * uy, s * ux - c * uy, a, b)
    middle = _ray_in_box(ox, oy, ux, -uy, a, b)
    lower = _ray_in_box(ox, oy, c * ux - s * uy, -s * ux - c * uy, a, b)
    up, down = max(upper[1], middle[1]), max(lower[1], middle[1])
    ax, ay, bx, by = a * ux, a * uy, -b * uy, b * ux
    for px, py in ((ax + bx, ay + by), (ax - bx, ay - by), (bx - ax, by - ay), (-ax - bx, -ay - by)):
        px, py = x + px, y + py
        rho_sq = px * px + py * py if within_angle(c, s, px, abs(py), 0.0) else -1.0
        up = max(up, rho_sq if py >= 0.0 else -1.0)
        down = max(down, rho_sq if py <= 0.0 else -1.0)
    above = min(min(upper[0], middle[0]), least if hy >= 0.0 else INF)
    below = min(min(lower[0], middle[0]), least if hy <= 0.0 else INF)
    return ((above <= far * far) & (up >= r * r)) | ((below <= far * far) & (down >= r * r))


@inline
def _clip(points, count, into, nx, ny, slack):
    """Write the part of a convex polygon with n . p >= -slack. Return how many corners remain."""
    remaining = 0
    for k in range(count):
        ax, ay = points[k, 0], points[k, 1]
        j = k + 1 if k + 1 < count else 0
        bx, by = points[j, 0], points[j, 1]
        a = nx * ax + ny * ay + slack
        b = nx * bx + ny * by + slack
        if a >= 0.0:
            into[remaining, 0] = ax
            into[remaining, 1] = ay
            remaining += 1
        if (a > 0.0 and b < 0.0) or (a < 0.0 and b > 0.0):
            t = a / (a - b)
            into[remaining, 0] = ax + t * (bx - ax)
            into[remaining, 1] = ay + t * (by - ay)
            remaining += 1
    return remaining


@step
def _half_meets(c, s, r, far, points, count, spare, other, slack):
    """True if a convex polygon meets the half of the sector from the x axis up to the angle."""
    n = _clip(points, count, spare, 0.0, 1.0, slack)
    n = _clip(spare, n, other, s, -c, slack)
    piece = other
    if c > 0.0:
        n = _clip(other, n, spare, c, s, slack)
        piece = spare
    if n == 0:
        return False
    # If the polygon contains the origin, the cut has an edge one slack away from it: no special case.
    least_sq, most_sq = INF, 0.0
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        low, high = _rho_range(piece[k, 0], piece[k, 1], piece[j, 0], piece[j, 1])
        least_sq = min(least_sq, low)
        most_sq = max(most_sq, high)
    near, wide = max(0.0, r - slack), far + 2.0 * slack
    return least_sq <= wide * wide and most_sq >= near * near


@step
def meets_polygon(sector, points, count, spare, other, slack):
    """True if the sector meets a convex polygon: its first `count` corners, in order. spare, other: room for 3 more corners.

    The points are mirrored in place, and back.
    """
    c, s, r, far = sector
    if _half_meets(c, s, r, far, points, count, spare, other, slack):
        return True
    for k in range(count):
        points[k, 1] = -points[k, 1]
    found = _half_meets(c, s, r, far, points, count, spare, other, slack)
    for k in range(count):
        points[k, 1] = -points[k, 1]
    return found
