"""The small parts of the plane from which the thesis builds its tests (2.9): crossings, distances of points and segments.

Yamamoto (2023), 2.9.1 to 2.9.5, with the errata corrected: (2.34)'s denominator, no clamping in 2.9.2, parallel and pointlike
segments. Points are pairs of numbers.
"""

import math

from .._jit import inline

INF = math.inf


@inline
def cross_2d(ax, ay, bx, by):
    return ax * by - ay * bx


@inline
def segments_cross(e, f, g, h):
    """Return (True, s, t) where e + s (f - e) = g + t (h - g) with both in 0..1 (2.9.1); parallel ones do not cross."""
    ux, uy = f[0] - e[0], f[1] - e[1]
    vx, vy = h[0] - g[0], h[1] - g[1]
    wx, wy = g[0] - e[0], g[1] - e[1]
    turn = cross_2d(ux, uy, vx, vy)
    if turn == 0.0:
        return False, 0.0, 0.0
    s = cross_2d(wx, wy, vx, vy) / turn
    t = cross_2d(wx, wy, ux, uy) / turn
    return 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0, s, t


@inline
def line_meets_circle(e, f, radius):
    """Return (True, s, t): where e + s (f - e) enters and leaves the circle about the origin, s <= t (2.9.2, unclamped)."""
    vx, vy = f[0] - e[0], f[1] - e[1]
    a = vx * vx + vy * vy
    if a == 0.0:
        return False, 0.0, 0.0
    # Measured from the foot of the perpendicular: a long segment then costs a small circle no digits.
    foot = -(vx * e[0] + vy * e[1]) / a
    x, y = e[0] + foot * vx, e[1] + foot * vy
    d = radius * radius - (x * x + y * y)
    if d < 0.0:
        return False, 0.0, 0.0
    half = math.sqrt(d / a)
    return True, foot - half, foot + half


@inline
def in_rectangle(p, a, b, c, d):
    """True if p lies in the rectangle with corners a, b, c, d in turn (2.9.3)."""
    ka = cross_2d(b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1])
    kb = cross_2d(c[0] - b[0], c[1] - b[1], p[0] - b[0], p[1] - b[1])
    kc = cross_2d(d[0] - c[0], d[1] - c[1], p[0] - c[0], p[1] - c[1])
    kd = cross_2d(a[0] - d[0], a[1] - d[1], p[0] - d[0], p[1] - d[1])
    if ka == kb == kc == kd == 0.0:  # a rectangle without an inside
        return False
    return min(min(ka, kb), min(kc, kd)) >= 0.0 or max(max(ka, kb), max(kc, kd)) <= 0.0


@inline
def point_segment_sq(q, s, e):
    """Return the squared distance of q from the segment s..e (2.9.4); s = e is a point."""
    vx, vy = e[0] - s[0], e[1] - s[1]
    wx, wy = q[0] - s[0], q[1] - s[1]
    length_sq = vx * vx + vy * vy
    t = min(1.0, max(0.0, (wx * vx + wy * vy) / length_sq)) if length_sq > 0.0 else 0.0
    wx -= t * vx
    wy -= t * vy
    return wx * wx + wy * wy


@inline
def segment_segment_sq(c, d, e, f):
    """Return the squared distance of the segments c..d and e..f (2.9.5): 0 if they cross, else from some end."""
    crossed, _, _ = segments_cross(c, d, e, f)
    if crossed:
        return 0.0
    ends = min(point_segment_sq(c, e, f), point_segment_sq(d, e, f))
    return min(ends, min(point_segment_sq(e, c, d), point_segment_sq(f, c, d)))
