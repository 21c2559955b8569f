"""Bounding volumes against each other, many at once: circles, spheres, capsules, AABBs and OBBs, in pairs or one against many.

These are the tests of every engine, as in the textbooks; fans are timed against them. Touching is a hit. `pairs_*` test
volume i of one side against volume i of the other; `one_*` test one, arrays of length 1, against all. Tests of a few
operations have no branch and use flat arrays, so that several are done at a time. Capsules: nearest points of two segments
(Ericson, Real-Time Collision Detection, 5.1.9). OBBs: separating axes up to the first that separates (Gottschalk 1996), each
widened by PARALLEL, relative to the sizes, because nearly parallel axes need it. `compared_wide` has capsules and rectangles
without branches.
"""

from ._jit import inline, kernel
from .tolerances import PARALLEL

# ---- circles, spheres


@kernel
def pairs_circles(centers, radii, others, other_radii, out):
    """Write whether circles (n, 2), (n,) meet."""
    a, b = centers.reshape(-1), others.reshape(-1)
    for i in range(len(out)):
        x, y = b[2 * i] - a[2 * i], b[2 * i + 1] - a[2 * i + 1]
        reach = radii[i] + other_radii[i]
        out[i] = x * x + y * y <= reach * reach


@kernel
def one_circles(centers, radii, others, other_radii, out):
    """Write whether one circle meets circles (n, 2), (n,)."""
    b = others.reshape(-1)
    cx, cy, radius = centers[0, 0], centers[0, 1], radii[0]
    for i in range(len(out)):
        x, y = b[2 * i] - cx, b[2 * i + 1] - cy
        reach = radius + other_radii[i]
        out[i] = x * x + y * y <= reach * reach


@kernel
def pairs_spheres(centers, radii, others, other_radii, out):
    """Write whether spheres (n, 3), (n,) meet."""
    a, b = centers.reshape(-1), others.reshape(-1)
    for i in range(len(out)):
        x, y, z = b[3 * i] - a[3 * i], b[3 * i + 1] - a[3 * i + 1], b[3 * i + 2] - a[3 * i + 2]
        reach = radii[i] + other_radii[i]
        out[i] = x * x + y * y + z * z <= reach * reach


@kernel
def one_spheres(centers, radii, others, other_radii, out):
    """Write whether one sphere meets spheres (n, 3), (n,)."""
    b = others.reshape(-1)
    cx, cy, cz, radius = centers[0, 0], centers[0, 1], centers[0, 2], radii[0]
    for i in range(len(out)):
        x, y, z = b[3 * i] - cx, b[3 * i + 1] - cy, b[3 * i + 2] - cz
        reach = radius + other_radii[i]
        out[i] = x * x + y * y + z * z <= reach * reach


# ---- capsules


@inline
def _clamp(value):
    return min(max(value, 0.0), 1.0)


@inline
def _along(a, b, c, e, f):
    """Return the parameters, 0..1, of the nearest points of two segments.

    With p, q from start to end and w from the second's start to the first's: a = p.p, e = q.q, b = p.q, c = p.w, f = q.w.
    """
    if a <= 0.0:
        return 0.0, (_clamp(f / e) if e > 0.0 else 0.0)
    if e <= 0.0:
        return _clamp(-c / a), 0.0
    square = a * e - b * b
    s = _clamp((b * f - c * e) / square) if square > 0.0 else 0.0
    t = (b * s + f) / e
    if t < 0.0:
        return _clamp(-c / a), 0.0
    if t > 1.0:
        return _clamp((b - c) / a), 1.0
    return s, t


@inline
def _capsules_2d(p0, p1, i, q0, q1, k, reach):
    px, py = p1[i, 0] - p0[i, 0], p1[i, 1] - p0[i, 1]
    qx, qy = q1[k, 0] - q0[k, 0], q1[k, 1] - q0[k, 1]
    wx, wy = p0[i, 0] - q0[k, 0], p0[i, 1] - q0[k, 1]
    s, t = _along(px * px + py * py, px * qx + py * qy, px * wx + py * wy, qx * qx + qy * qy, qx * wx + qy * wy)
    x, y = wx + s * px - t * qx, wy + s * py - t * qy
    return x * x + y * y <= reach * reach


@kernel
def pairs_capsules_2d(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether capsules (n, 2), (n, 2), (n,) meet."""
    for i in range(len(out)):
        out[i] = _capsules_2d(p0, p1, i, q0, q1, i, radii[i] + other_radii[i])


@kernel
def one_capsules_2d(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether one capsule meets capsules (n, 2), (n, 2), (n,)."""
    for i in range(len(out)):
        out[i] = _capsules_2d(p0, p1, 0, q0, q1, i, radii[0] + other_radii[i])


@inline
def _capsules(p0, p1, i, q0, q1, k, reach):
    px, py, pz = p1[i, 0] - p0[i, 0], p1[i, 1] - p0[i, 1], p1[i, 2] - p0[i, 2]
    qx, qy, qz = q1[k, 0] - q0[k, 0], q1[k, 1] - q0[k, 1], q1[k, 2] - q0[k, 2]
    wx, wy, wz = p0[i, 0] - q0[k, 0], p0[i, 1] - q0[k, 1], p0[i, 2] - q0[k, 2]
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
    for i in range(len(out)):
        out[i] = _capsules(p0, p1, i, q0, q1, i, radii[i] + other_radii[i])


@kernel
def one_capsules(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether one capsule meets capsules (n, 3), (n, 3), (n,)."""
    for i in range(len(out)):
        out[i] = _capsules(p0, p1, 0, q0, q1, i, radii[0] + other_radii[i])


# ---- axis-aligned boxes


@kernel
def pairs_aabbs_2d(low, high, other_low, other_high, out):
    """Write whether boxes between corners (n, 2) meet."""
    a, b, c, d = low.reshape(-1), high.reshape(-1), other_low.reshape(-1), other_high.reshape(-1)
    for i in range(len(out)):
        x, y = 2 * i, 2 * i + 1
        out[i] = (max(a[x], c[x]) <= min(b[x], d[x])) & (max(a[y], c[y]) <= min(b[y], d[y]))


@kernel
def one_aabbs_2d(low, high, other_low, other_high, out):
    """Write whether one box meets boxes between corners (n, 2)."""
    c, d = other_low.reshape(-1), other_high.reshape(-1)
    x0, y0, x1, y1 = low[0, 0], low[0, 1], high[0, 0], high[0, 1]
    for i in range(len(out)):
        x, y = 2 * i, 2 * i + 1
        out[i] = (x0 <= d[x]) & (c[x] <= x1) & (y0 <= d[y]) & (c[y] <= y1)


@kernel
def pairs_aabbs(low, high, other_low, other_high, out):
    """Write whether boxes between corners (n, 3) meet."""
    a, b, c, d = low.reshape(-1), high.reshape(-1), other_low.reshape(-1), other_high.reshape(-1)
    for i in range(len(out)):
        x, y, z = 3 * i, 3 * i + 1, 3 * i + 2
        across = (max(a[x], c[x]) <= min(b[x], d[x])) & (max(a[y], c[y]) <= min(b[y], d[y]))
        out[i] = across & (max(a[z], c[z]) <= min(b[z], d[z]))


@kernel
def one_aabbs(low, high, other_low, other_high, out):
    """Write whether one box meets boxes between corners (n, 3)."""
    c, d = other_low.reshape(-1), other_high.reshape(-1)
    x0, y0, z0, x1, y1, z1 = low[0, 0], low[0, 1], low[0, 2], high[0, 0], high[0, 1], high[0, 2]
    for i in range(len(out)):
        x, y, z = 3 * i, 3 * i + 1, 3 * i + 2
        across = (x0 <= d[x]) & (c[x] <= x1) & (y0 <= d[y]) & (c[y] <= y1)
        out[i] = across & (z0 <= d[z]) & (c[z] <= z1)


# ---- oriented boxes


@inline
def _rectangles(x, y, ax, ay, width, height, bx, by, other_width, other_height):
    """Return whether two rectangles meet: (x, y) between their centers, first axes (unit) and full sizes of each."""
    cosine, sine = abs(ax * bx + ay * by) + PARALLEL, abs(ax * by - ay * bx) + PARALLEL
    return (
        2.0 * abs(x * ax + y * ay) <= width + other_width * cosine + other_height * sine
        and 2.0 * abs(y * ax - x * ay) <= height + other_width * sine + other_height * cosine
        and 2.0 * abs(x * bx + y * by) <= other_width + width * cosine + height * sine
        and 2.0 * abs(y * bx - x * by) <= other_height + width * sine + height * cosine
    )


@kernel
def pairs_obbs_2d(centers, sizes, axes, others, other_sizes, other_axes, out):
    """Write whether rectangles meet: centers (n, 2), full sizes (n, 2), directions of their first sides (n, 2), unit."""
    for i in range(len(out)):
        out[i] = _rectangles(
            others[i, 0] - centers[i, 0],
            others[i, 1] - centers[i, 1],
            *(axes[i, 0], axes[i, 1], sizes[i, 0], sizes[i, 1]),
            *(other_axes[i, 0], other_axes[i, 1], other_sizes[i, 0], other_sizes[i, 1]),
        )


@kernel
def one_obbs_2d(centers, sizes, axes, others, other_sizes, other_axes, out):
    """Write whether one rectangle meets rectangles, see `pairs_obbs_2d`."""
    cx, cy, ax, ay, width, height = centers[0, 0], centers[0, 1], axes[0, 0], axes[0, 1], sizes[0, 0], sizes[0, 1]
    for i in range(len(out)):
        out[i] = _rectangles(
            others[i, 0] - cx,
            others[i, 1] - cy,
            *(ax, ay, width, height),
            *(other_axes[i, 0], other_axes[i, 1], other_sizes[i, 0], other_sizes[i, 1]),
        )


@inline
def _axis_of(pose, i, k):
    return pose[i, 0, k], pose[i, 1, k], pose[i, 2, k]


@inline
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def _obbs(sizes, poses, i, other_sizes, other_poses, k):
    """Return whether two boxes meet: 15 axes, those of the faces first."""
    ax, ay, az = 0.5 * sizes[i, 0], 0.5 * sizes[i, 1], 0.5 * sizes[i, 2]
    bx, by, bz = 0.5 * other_sizes[k, 0], 0.5 * other_sizes[k, 1], 0.5 * other_sizes[k, 2]
    x, y, z = _axis_of(poses, i, 0), _axis_of(poses, i, 1), _axis_of(poses, i, 2)
    u, v, w = _axis_of(other_poses, k, 0), _axis_of(other_poses, k, 1), _axis_of(other_poses, k, 2)
    t = (
        other_poses[k, 0, 3] - poses[i, 0, 3],
        other_poses[k, 1, 3] - poses[i, 1, 3],
        other_poses[k, 2, 3] - poses[i, 2, 3],
    )
    xu, xv, xw = _dot(x, u), _dot(x, v), _dot(x, w)
    xu_size, xv_size, xw_size = abs(xu) + PARALLEL, abs(xv) + PARALLEL, abs(xw) + PARALLEL
    tx = _dot(t, x)
    if abs(tx) > ax + bx * xu_size + by * xv_size + bz * xw_size:
        return False
    yu, yv, yw = _dot(y, u), _dot(y, v), _dot(y, w)
    yu_size, yv_size, yw_size = abs(yu) + PARALLEL, abs(yv) + PARALLEL, abs(yw) + PARALLEL
    ty = _dot(t, y)
    if abs(ty) > ay + bx * yu_size + by * yv_size + bz * yw_size:
        return False
    zu, zv, zw = _dot(z, u), _dot(z, v), _dot(z, w)
    zu_size, zv_size, zw_size = abs(zu) + PARALLEL, abs(zv) + PARALLEL, abs(zw) + PARALLEL
    tz = _dot(t, z)
    if abs(tz) > az + bx * zu_size + by * zv_size + bz * zw_size:
        return False
    if abs(tx * xu + ty * yu + tz * zu) > bx + ax * xu_size + ay * yu_size + az * zu_size:
        return False
    if abs(tx * xv + ty * yv + tz * zv) > by + ax * xv_size + ay * yv_size + az * zv_size:
        return False
    if abs(tx * xw + ty * yw + tz * zw) > bz + ax * xw_size + ay * yw_size + az * zw_size:
        return False
    return (
        abs(tz * yu - ty * zu) <= ay * zu_size + az * yu_size + by * xw_size + bz * xv_size
        and abs(tz * yv - ty * zv) <= ay * zv_size + az * yv_size + bx * xw_size + bz * xu_size
        and abs(tz * yw - ty * zw) <= ay * zw_size + az * yw_size + bx * xv_size + by * xu_size
        and abs(tx * zu - tz * xu) <= ax * zu_size + az * xu_size + by * yw_size + bz * yv_size
        and abs(tx * zv - tz * xv) <= ax * zv_size + az * xv_size + bx * yw_size + bz * yu_size
        and abs(tx * zw - tz * xw) <= ax * zw_size + az * xw_size + bx * yv_size + by * yu_size
        and abs(ty * xu - tx * yu) <= ax * yu_size + ay * xu_size + by * zw_size + bz * zv_size
        and abs(ty * xv - tx * yv) <= ax * yv_size + ay * xv_size + bx * zw_size + bz * zu_size
        and abs(ty * xw - tx * yw) <= ax * yw_size + ay * xw_size + bx * zv_size + by * zu_size
    )


@kernel
def pairs_obbs(sizes, poses, other_sizes, other_poses, out):
    """Write whether boxes of full sizes (n, 3) at poses (n, 4, 4) meet."""
    for i in range(len(out)):
        out[i] = _obbs(sizes, poses, i, other_sizes, other_poses, i)


@kernel
def one_obbs(sizes, poses, other_sizes, other_poses, out):
    """Write whether one box meets boxes of full sizes (n, 3) at poses (n, 4, 4)."""
    for i in range(len(out)):
        out[i] = _obbs(sizes, poses, 0, other_sizes, other_poses, i)
