"""The helical chart: orbits are helices about an axis, or circles if nothing slides.

Ring: u is the distance from the axis less the arm, v = z - pitch * w, and w is the angle. Angles repeat: a point at w is also
at w + 2 pi k, with v less by 2 pi k pitch. Twist, for a pitch that is long compared with the arm: space is unscrewed to z =
0, which leaves (u, v) across the axis and w = z / pitch. Nothing repeats there.

Straight faces are bent in a chart. The second derivatives of a function bound how far it leaves the plane through a triangle's
corners: half the mean of d H d over the corners, d from the point to them. For the angle they are -1 / rho**2, radially times
tangentially; for the distance 1 / rho, tangentially. The mean of a product of two extents is at most its quarter.

Chart parameters: (arm, pitch, 1 for ring or 0 for twist). Points have six columns: x, y, z in the frame (see `orbit`), u, v, w.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, step
from ..tolerances import (
    ARC_TANGENT_MARGIN,
    AXIS_WIDENINGS,
    EPS,
    LEAST_DIVISOR,
    NEAR_AXIS,
    ROUNDING,
    SMALL_TANGENT,
    STEEPEST,
    WIDEST_FACE,
)
from .orbit import carry_face  # noqa: F401
from .straight import to_chart

INF = math.inf
TURN = 2.0 * math.pi

POINT = 6
# Columns of a patch: u range, v range, w range, slopes a and b, low and high, as in the straight chart.
PATCH = 10
OUTLINE = PATCH
NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # the sum of no patches


@inline
def begin(orbit, angle, ox, oy, oz, radius):
    """Return (frame 9, chart parameters, angle, speed of the fastest point, length of its path).

    ox, oy, oz, radius: a ball around the movers. orbit: axis 3, arm 3, point 3, angle, slide. Frame rows: away from the axis,
    along the motion, along the axis.
    """
    kx = orbit[0]
    ky = orbit[1]
    kz = orbit[2]
    x = ox - orbit[6]
    y = oy - orbit[7]
    z = oz - orbit[8]
    away = abs(x) + abs(y) + abs(z)
    along = kx * x + ky * y + kz * z
    x = orbit[3] + (x - along * kx)
    y = orbit[4] + (y - along * ky)
    z = orbit[5] + (z - along * kz)
    along = kx * x + ky * y + kz * z
    x -= along * kx
    y -= along * ky
    z -= along * kz
    arm = math.sqrt(x * x + y * y + z * z)
    if arm <= ROUNDING * EPS * away or arm == 0.0:
        # On the axis: any direction across it serves. It is square to the coordinate that the axis is least along.
        arm = 0.0
        if abs(kx) <= abs(ky) and abs(kx) <= abs(kz):
            x, y, z = 0.0, kz, -ky
        elif abs(ky) <= abs(kz):
            x, y, z = -kz, 0.0, kx
        else:
            x, y, z = ky, -kx, 0.0
    size = math.sqrt(x * x + y * y + z * z)
    x /= size
    y /= size
    z /= size
    frame = (x, y, z, ky * z - kz * y, kz * x - kx * z, kx * y - ky * x, kx, ky, kz)
    pitch = orbit[10] / angle
    far = arm + radius
    if pitch == 0.0:
        angle = min(angle, TURN)  # after a full turn everything has been met
    rate = max(math.sqrt(far * far + pitch * pitch), LEAST_DIVISOR)
    # The rounding of an axis with a far point counts as path length.
    return frame, (arm, pitch, 1.0 if abs(pitch) <= far else 0.0), angle, rate, rate * angle + away


@inline
def swept(orbit, angle, box):
    """Return a world box that holds a world box during the motion."""
    x = 0.5 * (box[0] + box[3])
    y = 0.5 * (box[1] + box[4])
    z = 0.5 * (box[2] + box[5])
    hx = box[3] - x
    hy = box[4] - y
    hz = box[5] - z
    _, chart_params, angle, _, _ = begin(orbit, angle, x, y, z, math.sqrt(hx * hx + hy * hy + hz * hz))
    far = chart_params[0] + math.sqrt(hx * hx + hy * hy + hz * hz)
    off = 2.0 * far * math.sin(0.5 * min(angle, math.pi))
    slide = chart_params[1] * angle
    # Reach of a unit circle about the axis along each coordinate. Not 1 - k * k: a slightly tilted axis would lose its reach.
    x = math.sqrt(orbit[1] * orbit[1] + orbit[2] * orbit[2])
    y = math.sqrt(orbit[2] * orbit[2] + orbit[0] * orbit[0])
    z = math.sqrt(orbit[0] * orbit[0] + orbit[1] * orbit[1])
    return (
        box[0] - off * x + min(0.0, slide * orbit[0]),
        box[1] - off * y + min(0.0, slide * orbit[1]),
        box[2] - off * z + min(0.0, slide * orbit[2]),
        box[3] + off * x + max(0.0, slide * orbit[0]),
        box[4] + off * y + max(0.0, slide * orbit[1]),
        box[5] + off * z + max(0.0, slide * orbit[2]),
    )


@inline
def _turn_vector(orbit, sine, rest, x, y, z):
    """Return a vector turned about the axis. rest: 1 - cosine."""
    ax = orbit[1] * z - orbit[2] * y
    ay = orbit[2] * x - orbit[0] * z
    az = orbit[0] * y - orbit[1] * x
    return (
        x + sine * ax + rest * (orbit[1] * az - orbit[2] * ay),
        y + sine * ay + rest * (orbit[2] * ax - orbit[0] * az),
        z + sine * az + rest * (orbit[0] * ay - orbit[1] * ax),
    )


@inline
def carry_pose(orbit, t, poses, b, out):
    """Write the rotation and place of body b after a turn of t to out[b]."""
    sine = math.sin(t)
    rest = 2.0 * math.sin(0.5 * t) ** 2
    for c in range(3):
        x, y, z = _turn_vector(orbit, sine, rest, poses[b, c], poses[b, 3 + c], poses[b, 6 + c])
        out[b, c] = x
        out[b, 3 + c] = y
        out[b, 6 + c] = z
    # The arm goes from the axis to a point; other points are relative to that one.
    x = poses[b, at.PLACE] - orbit[6]
    y = poses[b, at.PLACE + 1] - orbit[7]
    z = poses[b, at.PLACE + 2] - orbit[8]
    far = _turn_vector(orbit, sine, rest, x + orbit[3], y + orbit[4], z + orbit[5])
    slide = orbit[10] * (t / orbit[9])
    for r in range(3):
        out[b, at.PLACE + r] = orbit[6 + r] - orbit[3 + r] + far[r] + slide * orbit[r]


@inline
def reach(path, across):
    """Return the part of the path that matters for the rounding of a contact: all of it, because a turn returns."""
    return path


@inline
def _off(chart_params, x, y):
    """Return (distance from the axis less the arm, distance from the axis)."""
    far = chart_params[0] + x
    rho = math.sqrt(far * far + y * y)
    if rho + chart_params[0] == 0.0:
        return 0.0, 0.0
    return (x * (2.0 * chart_params[0] + x) + y * y) / (rho + chart_params[0]), rho


@inline
def node_box(nodes, m, place, k, wide, chart_params, out, q):
    """Write the chart box of node m, widened by `wide`, to out[q, :6]."""
    x, y, z = to_chart(place, k, nodes[m, 0], nodes[m, 1], nodes[m, 2])
    hx = nodes[m, 3]
    hy = nodes[m, 4]
    hz = nodes[m, 5]
    arm, pitch, ring = chart_params
    high = abs(place[k, 6]) * hx + abs(place[k, 7]) * hy + abs(place[k, 8]) * hz + wide
    if ring != 0.0:
        u, rho = _off(chart_params, x, y)
        ex = 1.0
        ey = 0.0
        if rho > 0.0:
            ex = (arm + x) / rho
            ey = y / rho
        out_ = (
            abs(ex * place[k, 0] + ey * place[k, 3]) * hx
            + abs(ex * place[k, 1] + ey * place[k, 4]) * hy
            + abs(ex * place[k, 2] + ey * place[k, 5]) * hz
            + wide
        )
        side = (
            abs(ex * place[k, 3] - ey * place[k, 0]) * hx
            + abs(ex * place[k, 4] - ey * place[k, 1]) * hy
            + abs(ex * place[k, 5] - ey * place[k, 2]) * hz
            + wide
        )
        near = rho - out_
        out[q, 1] = u + out_ + side * side / (2.0 * (rho + out_))
        if near <= side * NEAR_AXIS:
            out[q, 0] = -arm
            out[q, 2] = z - high - abs(pitch) * math.pi
            out[q, 3] = z + high + abs(pitch) * math.pi
            out[q, 4] = -math.pi
            out[q, 5] = math.pi
            return
        half = side / near
        if half > SMALL_TANGENT:
            half = math.atan(half) * ARC_TANGENT_MARGIN
        w = math.atan2(y, arm + x)
        high += abs(pitch) * half
        out[q, 0] = u - out_
        out[q, 2] = z - pitch * w - high
        out[q, 3] = z - pitch * w + high
        out[q, 4] = w - half
        out[q, 5] = w + half
        return
    w = z / pitch
    s = math.sin(w)
    c = math.cos(w)
    half = high / abs(pitch)
    u, v = _untwist(chart_params, x, y, w)
    hu = (
        abs(c * place[k, 0] + s * place[k, 3]) * hx
        + abs(c * place[k, 1] + s * place[k, 4]) * hy
        + abs(c * place[k, 2] + s * place[k, 5]) * hz
    )
    hv = (
        abs(c * place[k, 3] - s * place[k, 0]) * hx
        + abs(c * place[k, 4] - s * place[k, 1]) * hy
        + abs(c * place[k, 5] - s * place[k, 2]) * hz
    )
    far = math.sqrt((arm + x) ** 2 + y * y) + hu + hv + wide
    spread = wide + far * min(half, 2.0)
    out[q, 0] = u - hu - spread
    out[q, 1] = u + hu + spread
    out[q, 2] = v - hv - spread
    out[q, 3] = v + hv + spread
    out[q, 4] = w - half
    out[q, 5] = w + half


@inline
def _untwist(chart_params, x, y, w):
    s = math.sin(w)
    half = math.sin(0.5 * w)
    r = 2.0 * half * half
    far = chart_params[0] + x
    return x - far * r + y * s, y - far * s - y * r


@inline
def _image(chart_params, end, v0, v1, o0, o1):
    """Return how many turns the obstacle's box must be advanced before it can be met; inf if never.

    end: the travel after which the mover is past it. v0 .. v1: of the mover; o0 .. o1: of the obstacle.
    """
    if chart_params[2] == 0.0:
        return 0.0 if end >= 0.0 and v0 <= o1 and o0 <= v1 else INF
    least = math.ceil(-end / TURN)
    rise = TURN * chart_params[1]
    if rise == 0.0:
        return least if v0 <= o1 and o0 <= v1 else INF
    a = (o0 - v1) / rise
    b = (o1 - v0) / rise
    least = max(least, math.ceil(min(a, b)))
    return least if least <= max(a, b) else INF


@inline
def box_gap(a, i, b, j, chart_params):
    """Return a lower bound of the travel from mover box a[i] to obstacle box b[j]; infinite if they cannot meet."""
    if a[i, 0] > b[j, 1] or b[j, 0] > a[i, 1]:
        return INF
    k = _image(chart_params, b[j, 5] - a[i, 4], a[i, 2], a[i, 3], b[j, 2], b[j, 3])
    if k == INF:
        return INF
    return b[j, 4] - a[i, 5] + TURN * k


@step
def place_points(vertices, v0, block_vertices, first, last, place, k, chart_params, points, p0):
    """Write the vertices of a block in the chart, from points[p0] on."""
    arm, pitch, ring = chart_params
    middle = 0.0
    for q in range(first, last):
        m = v0 + block_vertices[q]
        x, y, z = to_chart(place, k, vertices[m, 0], vertices[m, 1], vertices[m, 2])
        row = p0 + q - first
        points[row, 0] = x
        points[row, 1] = y
        points[row, 2] = z
        if ring != 0.0:
            w = math.atan2(y, arm + x)
            if q == first:
                middle = w
            elif w - middle > math.pi:
                w -= TURN
            elif middle - w > math.pi:
                w += TURN
            points[row, 3] = _off(chart_params, x, y)[0]
            points[row, 4] = z - pitch * w
            points[row, 5] = w
        else:
            w = z / pitch
            u, v = _untwist(chart_params, x, y, w)
            points[row, 3] = u
            points[row, 4] = v
            points[row, 5] = w


@step
def patch(points, p0, corners, i0, i1, wide, chart_params, out, q):
    """Write the patch of faces i0 .. i1 (corners index points from p0 on), widened by `wide`, to out[q].

    Return (sum of the faces' normals in the chart 3, longest extent of a face along u, v and w).
    """
    u0 = INF
    v0 = INF
    w0 = INF
    z0 = INF
    u1 = -INF
    v1 = -INF
    w1 = -INF
    z1 = -INF
    nu = 0.0
    nv = 0.0
    nw = 0.0
    long_u = 0.0
    long_v = 0.0
    long_w = 0.0
    for i in range(i0, i1):
        a = p0 + corners[i, 0]
        b = p0 + corners[i, 1]
        c = p0 + corners[i, 2]
        au = points[a, 3]
        av = points[a, 4]
        aw = points[a, 5]
        bu = points[b, 3]
        bv = points[b, 4]
        bw = points[b, 5]
        cu = points[c, 3]
        cv = points[c, 4]
        cw = points[c, 5]
        low = min(au, min(bu, cu))
        high = max(au, max(bu, cu))
        u0 = min(u0, low)
        u1 = max(u1, high)
        long_u = max(long_u, high - low)
        low = min(av, min(bv, cv))
        high = max(av, max(bv, cv))
        v0 = min(v0, low)
        v1 = max(v1, high)
        long_v = max(long_v, high - low)
        low = min(aw, min(bw, cw))
        high = max(aw, max(bw, cw))
        w0 = min(w0, low)
        w1 = max(w1, high)
        long_w = max(long_w, high - low)
        z0 = min(z0, min(points[a, 2], min(points[b, 2], points[c, 2])))
        z1 = max(z1, max(points[a, 2], max(points[b, 2], points[c, 2])))
        bu -= au
        bv -= av
        bw -= aw
        cu -= au
        cv -= av
        cw -= aw
        nu += bv * cw - bw * cv
        nv += bw * cu - bu * cw
        nw += bu * cv - bv * cu
    out[q, 0] = u0
    out[q, 1] = u1
    out[q, 2] = v0
    out[q, 3] = v1
    out[q, 4] = w0
    out[q, 5] = w1
    if _widen(out, q, z0, z1, long_u, long_v, long_w, wide, chart_params):
        a, b = _slopes(nu, nv, nw, out, q, chart_params)
        low = INF
        high = -INF
        for i in range(i0, i1):
            for k in range(3):
                p = p0 + corners[i, k]
                rest = points[p, 5] - a * points[p, 3] - b * points[p, 4]
                low = min(low, rest)
                high = max(high, rest)
        _put_slopes(a, b, low, high, long_u, long_v, long_w, wide, chart_params, out, q)
    return nu, nv, nw, long_u, long_v, long_w


_ONE_FACE = np.array([[0, 1, 2]], np.uint8)


@inline
def outline(points, wide, chart_params, out, q):
    """Write the bounds of a face, its points in rows 0 .. 2, widened by `wide`, to out[q]: its patch."""
    patch(points, 0, _ONE_FACE, 0, 1, wide, chart_params, out, q)


@step
def patch_of_patches(points, p0, p1, sums, wide, chart_params, out, q, first, last):
    """Write to out[q] the patch of points p0 .. p1. It joins the patches first .. last; sums: what those returned."""
    nu, nv, nw, long_u, long_v, long_w = sums
    whole = False
    for c in range(6):
        out[q, c] = out[first, c]
    for k in range(first, last):
        for c in range(0, 6, 2):
            out[q, c] = min(out[q, c], out[k, c])
            out[q, c + 1] = max(out[q, c + 1], out[k, c + 1])
        whole = whole or out[k, 8] == -INF
    if whole:
        _no_slopes(out, q)
        return
    a, b = _slopes(nu, nv, nw, out, q, chart_params)
    low = INF
    high = -INF
    for p in range(p0, p1):
        rest = points[p, 5] - a * points[p, 3] - b * points[p, 4]
        low = min(low, rest)
        high = max(high, rest)
    _put_slopes(a, b, low, high, long_u, long_v, long_w, wide, chart_params, out, q)


@inline
def both(sums, more):
    """Return the sums of two patches together."""
    return (
        sums[0] + more[0],
        sums[1] + more[1],
        sums[2] + more[2],
        max(sums[3], more[3]),
        max(sums[4], more[4]),
        max(sums[5], more[5]),
    )


@inline
def _bent_ring(near, far, long_u, long_w):
    """Return how much the angle and the distance bend within a face that is between near and far from the axis."""
    side = far * long_w
    return (long_u + 0.5 * side * long_w) * side / (4.0 * near * near), side * side / (8.0 * near)


@inline
def _bent_twist(far, long_u, long_v, long_w):
    """Return how much u and v bend within a face."""
    side = far * long_w
    return (long_u + long_v + side) * long_w / 4.0 + side * long_w / 8.0


@inline
def _widen(out, q, z0, z1, long_u, long_v, long_w, wide, chart_params):
    """Widen the ranges of the corners to those of bent faces with a radius.

    Return False if the result is the whole circle, which has no slopes.
    """
    arm, pitch, ring = chart_params
    if ring != 0.0:
        # An edge comes nearer to the axis than its ends: at most by the cosine of half its angle.
        bulge = (arm + out[q, 0]) * long_w * long_w / 8.0
        near = arm + out[q, 0] - bulge
        far = arm + out[q, 1]
        out[q, 1] += wide
        if near <= AXIS_WIDENINGS * wide or long_w > WIDEST_FACE:
            out[q, 0] = -arm
            rise = abs(pitch) * math.pi + wide
            out[q, 2] = z0 - rise
            out[q, 3] = z1 + rise
            out[q, 4] = -math.pi
            out[q, 5] = math.pi
            _no_slopes(out, q)
            return False
        out[q, 0] -= bulge + wide
        bent, _ = _bent_ring(near, far, long_u + bulge, long_w)
        side = wide / (near - wide)
        rise = abs(pitch) * (bent + side) + wide
        out[q, 2] -= rise
        out[q, 3] += rise
        out[q, 4] -= side
        out[q, 5] += side
        return True
    side = wide / abs(pitch)
    far = _far(out, q, chart_params) + wide
    rise = _bent_twist(far, long_u, long_v, long_w) + wide + far * side
    for c in range(0, 4, 2):
        out[q, c] -= rise
        out[q, c + 1] += rise
    out[q, 4] -= side
    out[q, 5] += side
    return True


@inline
def _far(out, q, chart_params):
    """Return the greatest distance from the axis of a patch of a twist."""
    return chart_params[0] + max(abs(out[q, 0]), abs(out[q, 1])) + max(abs(out[q, 2]), abs(out[q, 3]))


@inline
def _no_slopes(out, q):
    out[q, 6] = 0.0
    out[q, 7] = 0.0
    out[q, 8] = -INF
    out[q, 9] = INF


@inline
def _slopes(nu, nv, nw, out, q, chart_params):
    """Return the slopes of a plane across this normal; 0 if it is too steep to be useful."""
    # Slopes are angles per length: times the distance from the axis, or the pitch, they are numbers.
    far = chart_params[0] + out[q, 1] if chart_params[2] != 0.0 else abs(chart_params[1])
    if abs(nw) * STEEPEST > (abs(nu) + abs(nv)) * far:
        return -nu / nw, -nv / nw
    return 0.0, 0.0


@inline
def _put_slopes(a, b, low, high, long_u, long_v, long_w, wide, chart_params, out, q):
    arm, pitch, ring = chart_params
    if ring != 0.0:
        # The patch is widened already: its least radius is that of a ball on it.
        near = arm + out[q, 0] + wide
        bent, bent_u = _bent_ring(near, arm + out[q, 1], long_u + (arm + out[q, 1]) * long_w * long_w / 8.0, long_w)
        side = wide / (near - wide)
        # The angle counts once in w and `pitch` times in v.
        reach = bent * abs(1.0 + b * pitch) + abs(a) * bent_u + side * (1.0 + abs(b * pitch)) + (abs(a) + abs(b)) * wide
    else:
        side = wide / abs(pitch)
        far = _far(out, q, chart_params)
        bent = _bent_twist(far, long_u, long_v, long_w)
        reach = side + (abs(a) + abs(b)) * (bent + wide + far * side)
    out[q, 6] = a
    out[q, 7] = b
    out[q, 8] = low - reach
    out[q, 9] = high + reach


@inline
def patch_gap(a, i, b, j, chart_params):
    """Return a lower bound of the travel from mover patch a[i] to obstacle patch b[j]; infinite if they cannot meet."""
    return window(a, i, b, j, chart_params, 0.0)[0]


outline_gap = patch_gap


@inline
def window(a, i, b, j, chart_params, after):
    """Return (from, to): the first interval of travel in which the patches may meet and that ends at or past `after`."""
    u0 = max(a[i, 0], b[j, 0])
    u1 = min(a[i, 1], b[j, 1])
    if u0 > u1:
        return INF, INF
    k = _image(chart_params, b[j, 5] - a[i, 4] - after, a[i, 2], a[i, 3], b[j, 2], b[j, 3])
    if k == INF:
        return INF, INF
    start = b[j, 4] - a[i, 5] + TURN * k
    end = b[j, 5] - a[i, 4] + TURN * k
    rise = TURN * chart_params[1] * k
    v0 = max(a[i, 2], b[j, 2] - rise)
    v1 = min(a[i, 3], b[j, 3] - rise)
    du = b[j, 6] - a[i, 6]
    dv = b[j, 7] - a[i, 7]
    # The obstacle's plane after k turns: at v it is where it was at v + rise.
    sloped = b[j, 8] + TURN * k + b[j, 7] * rise - a[i, 9] + min(du * u0, du * u1) + min(dv * v0, dv * v1)
    return max(start, sloped), end
