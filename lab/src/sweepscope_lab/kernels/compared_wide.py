"""Capsules and rectangles against each other without a branch, so that several tests are done at a time.

The results are those of `compared_volumes`, whose loops stop early and test one by one. Nearest points of two segments: the
place on the first line nearest to the second, clamped to the segment; the place on the second segment nearest to that; and back
once. This is exact, also for parallel segments. For nearly parallel ones the distance may be too large by 1e-8 of their length,
as with the textbook's method.
"""

from ._jit import inline, kernel
from .tolerances import NO_LENGTH_SQ, PARALLEL


@inline
def _clamp(value):
    return min(max(value, 0.0), 1.0)


@inline
def _along(a, b, c, e, f):
    """Return the parameters, 0..1, of the nearest points of two segments; see `compared_volumes`."""
    a, e = max(a, NO_LENGTH_SQ), max(e, NO_LENGTH_SQ)
    s = _clamp((b * f - c * e) / max(a * e - b * b, NO_LENGTH_SQ))
    t = _clamp((b * s + f) / e)
    return _clamp((b * t - c) / a), t


@inline
def _capsules_2d(x, y, px, py, u, v, qx, qy, reach):
    """Return whether capsules meet that start at (x, y) and (u, v) and extend by p and q."""
    wx, wy = x - u, y - v
    s, t = _along(px * px + py * py, px * qx + py * qy, px * wx + py * wy, qx * qx + qy * qy, qx * wx + qy * wy)
    x, y = wx + s * px - t * qx, wy + s * py - t * qy
    return x * x + y * y <= reach * reach


@kernel
def pairs_capsules_2d(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether capsules (n, 2), (n, 2), (n,) meet."""
    a, b, c, d = p0.reshape(-1), p1.reshape(-1), q0.reshape(-1), q1.reshape(-1)
    for i in range(len(out)):
        x, y = 2 * i, 2 * i + 1
        reach = radii[i] + other_radii[i]
        out[i] = _capsules_2d(a[x], a[y], b[x] - a[x], b[y] - a[y], c[x], c[y], d[x] - c[x], d[y] - c[y], reach)


@kernel
def one_capsules_2d(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether one capsule meets capsules (n, 2), (n, 2), (n,)."""
    c, d = q0.reshape(-1), q1.reshape(-1)
    ax, ay, radius = p0[0, 0], p0[0, 1], radii[0]
    px, py = p1[0, 0] - ax, p1[0, 1] - ay
    for i in range(len(out)):
        x, y = 2 * i, 2 * i + 1
        out[i] = _capsules_2d(ax, ay, px, py, c[x], c[y], d[x] - c[x], d[y] - c[y], radius + other_radii[i])


@inline
def _capsules(x, y, z, px, py, pz, u, v, w, qx, qy, qz, reach):
    """Return whether capsules meet that start at (x, y, z) and (u, v, w) and extend by p and q."""
    wx, wy, wz = x - u, y - v, z - w
    s, t = _along(
        px * px + py * py + pz * pz,
        px * qx + py * qy + pz * qz,
        px * wx + py * wy + pz * wz,
        qx * qx + qy * qy + qz * qz,
        qx * wx + qy * wy + qz * wz,
    )
    x, y, z = wx + s * px - t * qx, wy + s * py - t * qy, wz + s * pz - t * qz
    return x * x + y * y + z * z <= reach * reach


@kernel
def pairs_capsules(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether capsules (n, 3), (n, 3), (n,) meet."""
    a, b, c, d = p0.reshape(-1), p1.reshape(-1), q0.reshape(-1), q1.reshape(-1)
    for i in range(len(out)):
        x, y, z = 3 * i, 3 * i + 1, 3 * i + 2
        out[i] = _capsules(
            *(a[x], a[y], a[z], b[x] - a[x], b[y] - a[y], b[z] - a[z]),
            *(c[x], c[y], c[z], d[x] - c[x], d[y] - c[y], d[z] - c[z]),
            radii[i] + other_radii[i],
        )


@kernel
def one_capsules(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether one capsule meets capsules (n, 3), (n, 3), (n,)."""
    c, d = q0.reshape(-1), q1.reshape(-1)
    ax, ay, az, radius = p0[0, 0], p0[0, 1], p0[0, 2], radii[0]
    px, py, pz = p1[0, 0] - ax, p1[0, 1] - ay, p1[0, 2] - az
    for i in range(len(out)):
        x, y, z = 3 * i, 3 * i + 1, 3 * i + 2
        out[i] = _capsules(
            *(ax, ay, az, px, py, pz),
            *(c[x], c[y], c[z], d[x] - c[x], d[y] - c[y], d[z] - c[z]),
            radius + other_radii[i],
        )


@inline
def _rectangles(x, y, ax, ay, width, height, bx, by, other_width, other_height):
    """Return whether two rectangles meet: (x, y) between their centers, first axes (unit) and full sizes of each."""
    cosine, sine = abs(ax * bx + ay * by) + PARALLEL, abs(ax * by - ay * bx) + PARALLEL
    return (
        (2.0 * abs(x * ax + y * ay) <= width + other_width * cosine + other_height * sine)
        & (2.0 * abs(y * ax - x * ay) <= height + other_width * sine + other_height * cosine)
        & (2.0 * abs(x * bx + y * by) <= other_width + width * cosine + height * sine)
        & (2.0 * abs(y * bx - x * by) <= other_height + width * sine + height * cosine)
    )


@kernel
def pairs_obbs_2d(centers, sizes, axes, others, other_sizes, other_axes, out):
    """Write whether rectangles meet: centers (n, 2), full sizes (n, 2), directions of their first sides (n, 2), unit."""
    a, s, u = centers.reshape(-1), sizes.reshape(-1), axes.reshape(-1)
    b, t, v = others.reshape(-1), other_sizes.reshape(-1), other_axes.reshape(-1)
    for i in range(len(out)):
        x, y = 2 * i, 2 * i + 1
        out[i] = _rectangles(b[x] - a[x], b[y] - a[y], u[x], u[y], s[x], s[y], v[x], v[y], t[x], t[y])


@kernel
def one_obbs_2d(centers, sizes, axes, others, other_sizes, other_axes, out):
    """Write whether one rectangle meets rectangles, see `pairs_obbs_2d`."""
    b, t, v = others.reshape(-1), other_sizes.reshape(-1), other_axes.reshape(-1)
    cx, cy, ux, uy, width, height = centers[0, 0], centers[0, 1], axes[0, 0], axes[0, 1], sizes[0, 0], sizes[0, 1]
    for i in range(len(out)):
        x, y = 2 * i, 2 * i + 1
        out[i] = _rectangles(b[x] - cx, b[y] - cy, ux, uy, width, height, v[x], v[y], t[x], t[y])
