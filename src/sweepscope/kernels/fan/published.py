"""The thesis' tests as published, in the fan's frame, with only its errata corrected.

Yamamoto (2023), 2.2 to 2.7. Corrected: (2.8), (2.15), (2.17) with r_c > r; the condition in 2.4; (2.6) at the axis; theta = pi,
which has no sides; (2.12) and (2.22) more than a radius from the slab; (2.27); (2.30) clamped; divisions by zero. A slack
replaces the tolerance that 2.3 needs. The 3D capsule is the published enclosure, which may report hits that are not there.
"""

import math

from .._jit import inline, step
from .planar import in_rectangle, line_meets_circle, point_segment_sq, segment_segment_sq, segments_cross
from .sector import cut_run

INF = math.inf


@inline
def _within_angle(sector, x, y, slack):
    """(2.6), (2.7)."""
    size = math.sqrt(x * x + y * y)
    return x >= sector[0] * size - slack


@inline
def published_point(sector, x, y, slack):
    """(2.5) to (2.7). The centre belongs to a fan without a hole."""
    _, _, r, far = sector
    rho_sq = x * x + y * y
    near = max(0.0, r - slack)
    return near * near <= rho_sq <= (far + slack) * (far + slack) and _within_angle(sector, x, y, slack)


@inline
def _sides(sector):
    """Return G', G'', H', H'' (2.10)."""
    c, s, r, far = sector
    return (r * c, r * s), (far * c, far * s), (r * c, -r * s), (far * c, -far * s)


@inline
def _whole(sector):
    return sector[1] == 0.0 and sector[0] < 0.0


@inline
def published_circle(sector, x, y, radius):
    """2.4. The caller adds the slack to the radius."""
    _, _, r, far = sector
    if _within_angle(sector, x, y, 0.0):
        near = max(0.0, r - radius)
        return near * near <= x * x + y * y <= (far + radius) * (far + radius)
    g, gg, h, hh = _sides(sector)
    return min(point_segment_sq((x, y), g, gg), point_segment_sq((x, y), h, hh)) <= radius * radius


@inline
def _in_slab(z, h, radius):
    """Return R_m, the radius of a ball's widest circle in the slab (2.12); 0 if the ball does not reach it."""
    over = abs(z) - h
    if over <= 0.0:
        return radius
    return math.sqrt(max(0.0, radius * radius - over * over))


@inline
def published_sphere(sector, h, x, y, z, radius):
    """2.5. The caller adds the slack to the radius."""
    return abs(z) <= h + radius and published_circle(sector, x, y, _in_slab(z, h, radius))


@inline
def _both_ways(sector, sx, sy, vx, vy, low, high):
    """True if some t of low..high satisfies (2.20)."""
    if low > high:
        return False
    c, s, _, _ = sector
    g, g_rate = sx * s - sy * c, vx * s - vy * c
    h, h_rate = sx * s + sy * c, vx * s + vy * c
    a, b = cut_run(low, high, g, g_rate)
    if c > 0.0:
        a, b = cut_run(a, b, h, h_rate)
        a, b = cut_run(a, b, sx, vx)
        return a <= b
    e, f = cut_run(low, high, h, h_rate)
    return a <= b or e <= f


@inline
def published_capsule_2d(sector, px, py, qx, qy, radius):
    """2.6. The caller adds the slack to the radius."""
    _, _, r, far = sector
    vx, vy = qx - px, qy - py
    if vx == 0.0 and vy == 0.0:
        return published_circle(sector, px, py, radius)
    found, a, b = line_meets_circle((px, py), (qx, qy), far + radius)
    if found:
        a, b = max(0.0, a), min(1.0, b)
        hollow, e, f = line_meets_circle((px, py), (qx, qy), max(0.0, r - radius))
        if hollow:
            if _both_ways(sector, px, py, vx, vy, a, min(b, e)) or _both_ways(sector, px, py, vx, vy, max(a, f), b):
                return True
        elif _both_ways(sector, px, py, vx, vy, a, b):
            return True
    if _whole(sector):
        return False
    g, gg, h, hh = _sides(sector)
    p, q = (px, py), (qx, qy)
    return min(segment_segment_sq(p, q, g, gg), segment_segment_sq(p, q, h, hh)) <= radius * radius


@step
def published_capsule(sector, h, px, py, pz, qx, qy, qz, radius):
    """2.7: the capsule within the slab, seen along the axis, is enclosed in a capsule of the plane.

    The caller adds the slack to the radius.
    """
    if pz < qz:
        px, py, pz, qx, qy, qz = qx, qy, qz, px, py, pz
    if pz + radius < -h or qz - radius > h:
        return False
    vx, vy, vz = qx - px, qy - py, qz - pz
    flat = math.sqrt(vx * vx + vy * vy)
    if vz == 0.0 or (pz <= h and qz >= -h):
        return published_capsule_2d(sector, px, py, qx, qy, _in_slab(pz, h, radius))
    if flat == 0.0:
        nearest = min(pz, max(qz, min(h, max(-h, pz))))
        return published_circle(sector, px, py, _in_slab(nearest, h, radius))
    # (2.22): where the segment is in the slab at all, the widest circle has the full radius.
    wide = radius
    if pz < -h or qz > h:
        wide = max(_in_slab(pz, h, radius), _in_slab(qz, h, radius))
    # (2.26) to (2.29): the heights whose circles reach farthest along the capsule.
    w = radius * flat / -vz
    rise = radius * w / math.sqrt(w * w + radius * radius) if radius > 0.0 else 0.0
    top, bottom = h + rise, -h - rise
    # (2.30), clamped to the segment.
    high = max(qz, min(pz, top))
    low = min(pz, max(qz, bottom))
    s, e = (high - pz) / vz, (low - pz) / vz
    # (2.31)
    back, on = wide - _in_slab(high, h, radius), wide - _in_slab(low, h, radius)
    s += back / flat
    e -= on / flat
    if s > e:
        # Shorter than the circles' difference: one circle in its middle encloses it.
        wide += 0.5 * (s - e) * flat
        s = e = 0.5 * (s + e)
    return published_capsule_2d(sector, px + s * vx, py + s * vy, px + e * vx, py + e * vy, wide)


@step
def published_rectangle(sector, x, y, a, b, ux, uy, slack):
    """2.3: sides against sides and circles, and each crossing is tested; or one contains a point of the other."""
    _, _, r, far = sector
    p, q = (x + a * ux - b * uy, y + a * uy + b * ux), (x - a * ux - b * uy, y - a * uy + b * ux)
    v, w = (x - a * ux + b * uy, y - a * uy - b * ux), (x + a * ux + b * uy, y + a * uy - b * ux)
    if published_point(sector, p[0], p[1], slack):
        return True
    g, gg, h, hh = _sides(sector)
    middle = 0.5 * (r + far)
    if in_rectangle((middle, 0.0), p, q, v, w):
        return True
    for k in range(4):
        e = p if k == 0 else (q if k == 1 else (v if k == 2 else w))
        f = q if k == 0 else (v if k == 1 else (w if k == 2 else p))
        if not _whole(sector):
            found, _, _ = segments_cross(e, f, g, gg)
            if found:
                return True
            found, _, _ = segments_cross(e, f, h, hh)
            if found:
                return True
        for circle in range(2):
            found, s, t = line_meets_circle(e, f, far if circle == 0 else r)
            if not found:
                continue
            for m in range(2):
                at = s if m == 0 else t
                if 0.0 <= at <= 1.0:
                    cx, cy = e[0] + at * (f[0] - e[0]), e[1] + at * (f[1] - e[1])
                    if published_point(sector, cx, cy, slack):
                        return True
    return False
