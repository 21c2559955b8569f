"""The thesis' tests as its text has them, in the fan's frame, with only its errata corrected.

Yamamoto (2023), 2.2 to 2.7, from the small parts of 2.9. Corrected: (2.8), (2.15), (2.17) with r_c > r; the condition in 2.4;
(2.6) at the axis; theta = pi, which has no sides; theta = 0 in (2.20), which then holds on both sides of the axis; (2.12) and
(2.22) more than a radius from the slab; (2.30) clamped; (2.34)'s denominator; divisions by zero, which the text leaves open.
2.9.2 limits s to 0..1, as printed: a crossing beyond an end of a side becomes that corner, a point of the rectangle, so 2.3
stays exact. To leave such crossings out saves tests of points: `published_rectangle_rejecting`. 2.3 needs a tolerance, since
it tests points on the border: `slack` [length], which the other tests get by a radius that the caller enlarges. Distances are
compared by their squares, and conditions of points, circles and spheres are joined without a branch, so that LLVM tests
several at a time. The 3D capsule is an enclosure: it may report hits that are not there.

A sector is (cos theta, sin theta, r, R). Points of the plane are pairs of numbers.
"""

import math

from sweepscope.kernels.fan.sector import cut_run

from ._jit import inline, step


@inline
def _clamped(t):
    """(2.44)."""
    return max(0.0, min(t, 1.0))


@inline
def _place(s, vx, vy, q):
    """(2.43): where the line s + t v is nearest to q; 0 if v = 0, which the text leaves open."""
    size = vx * vx + vy * vy
    return ((q[0] - s[0]) * vx + (q[1] - s[1]) * vy) / size if size > 0.0 else 0.0


@inline
def _apart_sq(a, b):
    x, y = a[0] - b[0], a[1] - b[1]
    return x * x + y * y


@inline
def point_segment_sq(q, s, e):
    """Return the squared distance of q from the segment s..e (2.9.4)."""
    vx, vy = e[0] - s[0], e[1] - s[1]
    t = _clamped(_place(s, vx, vy, q))
    return _apart_sq(q, (s[0] + t * vx, s[1] + t * vy))


@inline
def segment_segment_sq(c, d, e, f):
    """Return the squared distance of the segments c..d and e..f (2.9.5): nearest places of the lines, clamped by turns.

    Parallel lines and points, which the text leaves open: t_M = 0, so the clamping starts with the place nearest to e.
    """
    lx, ly, mx, my = d[0] - c[0], d[1] - c[1], f[0] - e[0], f[1] - e[1]
    wx, wy = e[0] - c[0], e[1] - c[1]
    ll, mm, lm = lx * lx + ly * ly, mx * mx + my * my, lx * mx + ly * my
    lw, mw = lx * wx + ly * wy, mx * wx + my * wy
    below = lm * lm - ll * mm
    t = (mw * ll - lw * lm) / below if below != 0.0 else 0.0  # (2.53)
    s = _clamped((lw + t * lm) / ll if ll > 0.0 else 0.0)  # (2.51)
    at = (c[0] + s * lx, c[1] + s * ly)
    t = _place(e, mx, my, at)
    if t < 0.0 or t > 1.0:
        t = _clamped(t)
        s = _clamped(_place(c, lx, ly, (e[0] + t * mx, e[1] + t * my)))
        at = (c[0] + s * lx, c[1] + s * ly)
    return _apart_sq(at, (e[0] + t * mx, e[1] + t * my))


@inline
def segments_cross(e, f, g, h):
    """Return (True, P) where the segments e..f and g..h cross (2.9.1); parallel ones do not."""
    ux, uy, vx, vy = f[0] - e[0], f[1] - e[1], h[0] - g[0], h[1] - g[1]
    wx, wy = g[0] - e[0], g[1] - e[1]
    below = ux * vy - uy * vx
    if below == 0.0:
        return False, e
    s, t = (wx * vy - wy * vx) / below, (wx * uy - wy * ux) / below
    return 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0, (e[0] + s * ux, e[1] + s * uy)


@inline
def line_meets_circle(e, vx, vy, radius):
    """Return (True, s, t), s <= t: where e + s v is on the circle about the origin, by the quadratic (2.39); v is not 0.

    It is solved for s measured from the foot of the perpendicular: a long segment then costs a small circle no digits.
    """
    a = vx * vx + vy * vy
    foot = -(e[0] * vx + e[1] * vy) / a
    x, y = e[0] + foot * vx, e[1] + foot * vy
    under = radius * radius - (x * x + y * y)
    if under < 0.0:
        return False, 0.0, 0.0
    half = math.sqrt(under / a)
    return True, foot - half, foot + half


@inline
def in_rectangle(p, a, b, c, d):
    """True if p lies in the rectangle with corners a, b, c, d in turn (2.9.3)."""
    ka = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    kb = (c[0] - b[0]) * (p[1] - b[1]) - (c[1] - b[1]) * (p[0] - b[0])
    kc = (d[0] - c[0]) * (p[1] - c[1]) - (d[1] - c[1]) * (p[0] - c[0])
    kd = (a[0] - d[0]) * (p[1] - d[1]) - (a[1] - d[1]) * (p[0] - d[0])
    if ka == kb == kc == kd == 0.0:  # a rectangle without an inside
        return False
    return min(min(ka, kb), min(kc, kd)) >= 0.0 or max(max(ka, kb), max(kc, kd)) <= 0.0


@inline
def _within_angle(sector, x, y, slack):
    """(2.6) and (2.7), multiplied by |P'|, so that the axis is within every angle."""
    return x + slack >= sector[0] * math.sqrt(x * x + y * y)


@inline
def published_point(sector, x, y, slack):
    """(2.5) to (2.7)."""
    _, _, r, far = sector
    rho_sq = x * x + y * y
    near = max(0.0, r - slack)
    return (near * near <= rho_sq) & (rho_sq <= (far + slack) * (far + slack)) & _within_angle(sector, x, y, slack)


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
    """2.4."""
    _, _, r, far = sector
    if _within_angle(sector, x, y, 0.0):
        near = max(0.0, r - radius)
        return (near * near <= x * x + y * y) & (x * x + y * y <= (far + radius) * (far + radius))
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
    """2.5."""
    return (abs(z) <= h + radius) & published_circle(sector, x, y, _in_slab(z, h, radius))


@inline
def _some_within(sector, sx, sy, vx, vy, low, high):
    """True if some t of low..high satisfies (2.20)."""
    if low > high:
        return False
    c, s, _, _ = sector
    g, g_slope = sx * s - sy * c, vx * s - vy * c  # (2.18)
    h, h_slope = -sx * s - sy * c, -vx * s - vy * c  # (2.19)
    a, b = cut_run(low, high, g, g_slope)
    if c > 0.0:
        a, b = cut_run(a, b, -h, -h_slope)
        if s == 0.0:
            a, b = cut_run(a, b, sx, vx)
        return a <= b
    e, f = cut_run(low, high, -h, -h_slope)
    return a <= b or e <= f


@inline
def capsule_by_ranges(sector, px, py, qx, qy, radius):
    """2.6 without its last step: True if some t fulfills (2.14), (2.15) and (2.20); the ends differ."""
    _, _, r, far = sector
    vx, vy = qx - px, qy - py
    found, a, b = line_meets_circle((px, py), vx, vy, far + radius)  # (2.16)
    if not found:
        return False
    a, b = max(0.0, a), min(1.0, b)
    hollow, e, f = line_meets_circle((px, py), vx, vy, max(0.0, r - radius))  # (2.17)
    if hollow:
        return _some_within(sector, px, py, vx, vy, a, min(b, e)) or _some_within(sector, px, py, vx, vy, max(a, f), b)
    return _some_within(sector, px, py, vx, vy, a, b)


@inline
def published_capsule_2d(sector, px, py, qx, qy, radius):
    """2.6."""
    if px == qx and py == qy:
        return published_circle(sector, px, py, radius)
    if capsule_by_ranges(sector, px, py, qx, qy, radius):
        return True
    if _whole(sector):
        return False
    p, q = (px, py), (qx, qy)
    g, gg, h, hh = _sides(sector)
    return min(segment_segment_sq(p, q, g, gg), segment_segment_sq(p, q, h, hh)) <= radius * radius


@inline
def capsule_of_plane(h, px, py, pz, qx, qy, qz, radius):
    """Return (px, py, qx, qy, radius) of the capsule of the plane that encloses a capsule within the slab, p above q (2.7)."""
    vx, vy, vz = qx - px, qy - py, qz - pz
    flat = math.sqrt(vx * vx + vy * vy)
    if vz == 0.0 or (pz <= h and qz >= -h):
        return px, py, qx, qy, _in_slab(pz, h, radius)
    if flat == 0.0:
        nearest = min(pz, max(qz, min(h, max(-h, pz))))
        return px, py, px, py, _in_slab(nearest, h, radius)
    # (2.22)
    wide = radius
    if pz < -h or qz > h:
        wide = max(_in_slab(pz, h, radius), _in_slab(qz, h, radius))
    # (2.26) to (2.29): the heights whose circles reach farthest along the capsule.
    w = radius * flat / -vz
    rise = radius * w / math.sqrt(w * w + radius * radius) if radius > 0.0 else 0.0
    # (2.30), clamped to the segment.
    high = max(qz, min(pz, h + rise))
    low = min(pz, max(qz, -h - rise))
    # (2.31)
    s = (high - pz) / vz + (wide - _in_slab(high, h, radius)) / flat
    e = (low - pz) / vz - (wide - _in_slab(low, h, radius)) / flat
    return px + s * vx, py + s * vy, px + e * vx, py + e * vy, wide


@step
def published_capsule(sector, h, px, py, pz, qx, qy, qz, radius):
    """2.7."""
    if pz < qz:
        px, py, pz, qx, qy, qz = qx, qy, qz, px, py, pz
    if pz + radius < -h or qz - radius > h:  # (2.21)
        return False
    ax, ay, bx, by, wide = capsule_of_plane(h, px, py, pz, qx, qy, qz, radius)
    return published_capsule_2d(sector, ax, ay, bx, by, wide)


@inline
def _rectangle(sector, x, y, a, b, ux, uy, slack, limits):
    """2.3: crossings of the sides with the fan's segments and circles, each tested; then one inside the other.

    limits: True limits places on a side to 0..1, False leaves out those beyond; a constant of the caller.
    """
    _, _, r, far = sector
    p, q = (x + a * ux - b * uy, y + a * uy + b * ux), (x - a * ux - b * uy, y - a * uy + b * ux)
    v, w = (x - a * ux + b * uy, y - a * uy - b * ux), (x + a * ux + b * uy, y + a * uy - b * ux)
    g, gg, h, hh = _sides(sector)
    for k in range(4):
        e = p if k == 0 else (q if k == 1 else (v if k == 2 else w))
        f = q if k == 0 else (v if k == 1 else (w if k == 2 else p))
        if not _whole(sector):
            found, at = segments_cross(e, f, g, gg)
            if found and published_point(sector, at[0], at[1], slack):
                return True
            found, at = segments_cross(e, f, h, hh)
            if found and published_point(sector, at[0], at[1], slack):
                return True
        vx, vy = f[0] - e[0], f[1] - e[1]
        if vx == 0.0 and vy == 0.0:
            continue
        for circle in range(2):
            found, s, t = line_meets_circle(e, vx, vy, far if circle == 0 else r)
            if found:
                for m in range(2):
                    place = s if m == 0 else t
                    on = _clamped(place)
                    if (limits or on == place) and published_point(sector, e[0] + on * vx, e[1] + on * vy, slack):
                        return True
    return published_point(sector, p[0], p[1], slack) or in_rectangle((0.5 * (r + far), 0.0), p, q, v, w)


@step
def published_rectangle(sector, x, y, a, b, ux, uy, slack):
    """2.3, with crossings of 2.9.2 as printed: s is limited to 0..1."""
    return _rectangle(sector, x, y, a, b, ux, uy, slack, True)


@step
def published_rectangle_rejecting(sector, x, y, a, b, ux, uy, slack):
    """2.3, without crossings whose s is not in 0..1: the same answers."""
    return _rectangle(sector, x, y, a, b, ux, uy, slack, False)
