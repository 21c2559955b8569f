"""The fan seen along its axis: a sector of a ring, r <= rho <= R within theta of the x axis, and what meets it.

Mirrored to y >= 0, a point is within the angle if it is not left of the ray G = (cos theta, sin theta): one cross product, for
theta from 0 to pi. Beyond the angle the nearest point is on the straight side, from r G to R G; within it, on an arc.

A convex thing cut by a wedge of at most pi stays convex, so the distances from the axis that occur in it are one interval
without gaps: it meets the sector if that interval meets [r, R]. That replaces the thesis' cascade of crossings (its 4.3).

A sector is (cos theta, sin theta, r, R). `slack` [length] is how far apart things may be and still touch.
"""

import math

from ._jit import inline, step

INF = math.inf


@inline
def within_angle(c, s, x, y, slack):
    """True if a point, mirrored to y >= 0, is within the angle, or nearer than slack to its ray."""
    return (c * y - s * x <= slack) & ((c <= 0.0) | (c * x + s * y >= -slack))


@inline
def holds(sector, x, y, slack):
    """True if the sector holds a point."""
    c, s, r, far = sector
    y = abs(y)
    rho_sq = x * x + y * y
    near = max(0.0, r - slack)
    # The ray of theta = 0 is left behind at the origin, which belongs to the sector if r = 0.
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
    # An angle of up to pi is where both half planes are, a wider one where either is.
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
def _cut(low, high, value, slope):
    """Return what remains of low..high where value + slope t >= 0."""
    if slope > 0.0:
        return max(low, -value / slope), high
    if slope < 0.0:
        return low, min(high, -value / slope)
    return (low, high) if value >= 0.0 else (1.0, 0.0)


@inline
def _run_meets(px, py, dx, dy, low, high, near, far):
    """True if p + t d comes into near..far from the origin for some t of low..high."""
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
        low, high = _cut(0.0, 1.0, left, left_rate)
        low, high = _cut(low, high, right, right_rate)
        low, high = _cut(low, high, px + slack, dx)
        return low, high, 1.0, 0.0
    low, high = _cut(0.0, 1.0, left, left_rate)
    low_2, high_2 = _cut(0.0, 1.0, right, right_rate)
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
    """True if the sector meets all that is within `radius` of the segment p..q. Widen the radius by the slack.

    Nearest are an end of the segment, a corner of the sector, or a place within the angle, where only rho counts.
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
    """Return the piece of the ray o + t g, t >= 0, in |x| <= a, |y| <= b; empty where low > high."""
    low, high = _cut(0.0, INF, ox + a, gx)
    low, high = _cut(low, high, a - ox, -gx)
    low, high = _cut(low, high, oy + b, gy)
    return _cut(low, high, b - oy, -gy)


@inline
def _least(run, so_far):
    return min(run[0], so_far) if run[0] <= run[1] else so_far


@inline
def _most(run, so_far):
    return max(run[1], so_far) if run[0] <= run[1] else so_far


@inline
def meets_rectangle(sector, x, y, a, b, ux, uy, slack):
    """True if the sector meets the rectangle about (x, y) with half widths a along the unit vector u, b across it."""
    c, s, r, far = sector
    a += slack
    b += slack
    # The origin seen from the rectangle; the nearest and the farthest it comes.
    ox, oy = -(x * ux + y * uy), x * uy - y * ux
    fx, fy = min(a, max(-a, ox)), min(b, max(-b, oy))
    nx, ny = fx - ox, fy - oy
    least_sq = nx * nx + ny * ny
    wx, wy = abs(ox) + a, abs(oy) + b
    if least_sq > far * far or wx * wx + wy * wy < r * r:
        return False
    if s == 0.0 and c < 0.0:
        return True
    # How far beyond each ray's line the middle is, and how far the corners are from there: all within, or all beyond?
    left, left_wide = c * y - s * x, a * abs(c * uy - s * ux) + b * abs(c * ux + s * uy)
    right, right_wide = -c * y - s * x, a * abs(c * uy + s * ux) + b * abs(c * ux - s * uy)
    if c > 0.0:
        if left > left_wide or right > right_wide:
            return False
        if left < -left_wide and right < -right_wide:
            return True
    else:
        if left > left_wide and right > right_wide:
            return False
        if left < -left_wide or right < -right_wide:
            return True
    # The nearest point, back in the sector's frame, and the rays' runs in the rectangle.
    hx, hy = nx * ux - ny * uy, nx * uy + ny * ux
    nearest_within = within_angle(c, s, hx, abs(hy), 0.0)
    if nearest_within and least_sq >= r * r:
        return True
    upper = _ray_in_box(ox, oy, c * ux + s * uy, s * ux - c * uy, a, b)
    lower = _ray_in_box(ox, oy, c * ux - s * uy, -s * ux - c * uy, a, b)
    least = math.sqrt(least_sq)
    if c > 0.0:
        low = least if nearest_within else INF
        low = _least(upper, _least(lower, low))
        high_sq = 0.0
        high = _most(upper, _most(lower, 0.0))
        for k in range(4):
            sa = a if k < 2 else -a
            sb = b if k % 2 == 0 else -b
            px, py = x + sa * ux - sb * uy, y + sa * uy + sb * ux
            if within_angle(c, s, px, abs(py), 0.0):
                high_sq = max(high_sq, px * px + py * py)
        return low <= far and (high >= r or high_sq >= r * r)
    # More than a right angle on each side: two convex halves, above and below the x axis.
    middle = _ray_in_box(ox, oy, ux, -uy, a, b)
    up_low = _least(upper, _least(middle, least if nearest_within and hy >= 0.0 else INF))
    down_low = _least(lower, _least(middle, least if nearest_within and hy <= 0.0 else INF))
    up_high = _most(upper, _most(middle, 0.0))
    down_high = _most(lower, _most(middle, 0.0))
    up_sq = down_sq = 0.0
    for k in range(4):
        sa = a if k < 2 else -a
        sb = b if k % 2 == 0 else -b
        px, py = x + sa * ux - sb * uy, y + sa * uy + sb * ux
        if within_angle(c, s, px, abs(py), 0.0):
            rho_sq = px * px + py * py
            if py >= 0.0:
                up_sq = max(up_sq, rho_sq)
            if py <= 0.0:
                down_sq = max(down_sq, rho_sq)
    if up_low <= far and (up_high >= r or up_sq >= r * r):
        return True
    return down_low <= far and (down_high >= r or down_sq >= r * r)


@inline
def _clip(points, count, into, nx, ny, slack):
    """Keep what of a convex polygon has n . p >= -slack; return how many corners remain."""
    kept = 0
    for k in range(count):
        ax, ay = points[k, 0], points[k, 1]
        j = k + 1 if k + 1 < count else 0
        bx, by = points[j, 0], points[j, 1]
        a = nx * ax + ny * ay + slack
        b = nx * bx + ny * by + slack
        if a >= 0.0:
            into[kept, 0] = ax
            into[kept, 1] = ay
            kept += 1
        if (a > 0.0 and b < 0.0) or (a < 0.0 and b > 0.0):
            t = a / (a - b)
            into[kept, 0] = ax + t * (bx - ax)
            into[kept, 1] = ay + t * (by - ay)
            kept += 1
    return kept


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
    # Where the polygon holds the origin, the cut has an edge a slack away from it: no question of its own.
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
    """True if the sector meets a convex polygon: its first `count` corners, in turn. spare, other: room for 3 corners more.

    The points are mirrored on the way, and back.
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
