"""The Cartesian chart: (u, v) across the motion, w along it. An orbit is a line of constant (u, v).

A chart provides all that the walk needs: the bounds of a box or of some faces (`node_box`, `patch`), and how soon two of them
can meet (`box_gap`, `patch_gap`). `helix` provides the same for motions that turn. A patch is a box and two slopes: w lies
between a u + b v + low and a u + b v + high. It fits a nearly flat group of faces tightly at any tilt. `chart_params` is what
a chart needs to know of the motion; this chart needs nothing.

Rounding: bounds are widened by the caller's `slack`, which covers the error of placing points in the chart.
"""

import math

from .. import layout as at
from .._jit import inline, step
from ..tolerances import STEEPEST

INF = math.inf

# Columns of a placement: nine of the matrix, three of the offset.
PLACE = 12
POINT = 3
# Columns of a patch: u range, v range, w range, slopes a and b, low and high.
PATCH = 10
NONE = (0.0, 0.0, 0.0)  # the sum of no patches
OUTLINE = 6  # columns: its u, v and w range
SEVERAL_PLACES = False  # all points move alike: it does not matter which of several places of contact is reported


@inline
def begin(direction, travel, ox, oy, oz, radius):
    """Return (frame 9, chart parameters, travel, speed of the fastest point, length of its path).

    ox, oy, oz, radius: a ball around the movers. direction: unit. Frame rows: u and v across it, w along it.
    """
    x = direction[0]
    y = direction[1]
    z = direction[2]
    # u is square to the coordinate that w is least along: exact for motion along an axis.
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        ux, uy, uz = 0.0, z, -y
    elif abs(y) <= abs(z):
        ux, uy, uz = -z, 0.0, x
    else:
        ux, uy, uz = y, -x, 0.0
    size = math.sqrt(ux * ux + uy * uy + uz * uz)
    ux, uy, uz = ux / size, uy / size, uz / size
    return (ux, uy, uz, y * uz - z * uy, z * ux - x * uz, x * uy - y * ux, x, y, z), (), travel, 1.0, travel


@inline
def swept(direction, travel, box):
    """Return the world box of a world box during the motion."""
    x = direction[0] * travel
    y = direction[1] * travel
    z = direction[2] * travel
    return (
        box[0] + min(x, 0.0),
        box[1] + min(y, 0.0),
        box[2] + min(z, 0.0),
        box[3] + max(x, 0.0),
        box[4] + max(y, 0.0),
        box[5] + max(z, 0.0),
    )


@inline
def reach(path, across):
    """Return the part of the path that matters for a body that is at most `across` away."""
    return min(path, across)


@inline
def carry_face(chart_params, t, face):
    """Return a face after a travel of t."""
    return face[0], face[1], face[2] + t, face[3], face[4], face[5] + t, face[6], face[7], face[8] + t


@inline
def carry_pose(direction, t, poses, b, out):
    """Write the rotation and place of body b after a travel of t to out[b]."""
    for c in range(9):
        out[b, at.ROTATION + c] = poses[b, at.ROTATION + c]
    for r in range(3):
        out[b, at.PLACE + r] = poses[b, at.PLACE + r] + t * direction[r]


@inline
def carry_place(chart_params, t, place, k, out, q):
    """Write placement row k after a travel of t to out[q]."""
    for c in range(PLACE):
        out[q, c] = place[k, c]
    out[q, 11] += t


@inline
def rate_of(chart_params, n, p):
    """Return the rate of n . p while p moves."""
    return n[2]


@inline
def speed_of(chart_params, face):
    """Return the speed of the fastest corner of a face."""
    return 1.0


@inline
def to_chart(place, k, x, y, z):
    """Return body-local (x, y, z) in the chart, by placement row k."""
    u = place[k, 0] * x + place[k, 1] * y + place[k, 2] * z + place[k, 9]
    v = place[k, 3] * x + place[k, 4] * y + place[k, 5] * z + place[k, 10]
    w = place[k, 6] * x + place[k, 7] * y + place[k, 8] * z + place[k, 11]
    return u, v, w


@inline
def face_to_chart(place, k, face):
    """Return a body-local face in the chart, by placement row k."""
    a = to_chart(place, k, face[0], face[1], face[2])
    b = to_chart(place, k, face[3], face[4], face[5])
    c = to_chart(place, k, face[6], face[7], face[8])
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inline
def direction_to_chart(place, k, d):
    """Return a body-local direction in the chart, by placement row k."""
    u = place[k, 0] * d[0] + place[k, 1] * d[1] + place[k, 2] * d[2]
    v = place[k, 3] * d[0] + place[k, 4] * d[1] + place[k, 5] * d[2]
    w = place[k, 6] * d[0] + place[k, 7] * d[1] + place[k, 8] * d[2]
    return u, v, w


@inline
def to_local(place, k, p):
    """Return a chart point in the frame of the body of placement row k. The placement's matrix is a rotation."""
    return direction_to_local(place, k, (p[0] - place[k, 9], p[1] - place[k, 10], p[2] - place[k, 11]))


@inline
def direction_to_local(place, k, d):
    """Return a direction of the chart in the frame of the body of placement row k."""
    x = place[k, 0] * d[0] + place[k, 3] * d[1] + place[k, 6] * d[2]
    y = place[k, 1] * d[0] + place[k, 4] * d[1] + place[k, 7] * d[2]
    z = place[k, 2] * d[0] + place[k, 5] * d[1] + place[k, 8] * d[2]
    return x, y, z


@inline
def node_box(nodes, m, place, k, wide, chart_params, out, q):
    """Write the chart box of node m, widened by `wide`, to out[q, :6]."""
    u, v, w = to_chart(place, k, nodes[m, 0], nodes[m, 1], nodes[m, 2])
    x = nodes[m, 3]
    y = nodes[m, 4]
    z = nodes[m, 5]
    hu = abs(place[k, 0]) * x + abs(place[k, 1]) * y + abs(place[k, 2]) * z + wide
    hv = abs(place[k, 3]) * x + abs(place[k, 4]) * y + abs(place[k, 5]) * z + wide
    hw = abs(place[k, 6]) * x + abs(place[k, 7]) * y + abs(place[k, 8]) * z + wide
    out[q, 0] = u - hu
    out[q, 1] = u + hu
    out[q, 2] = v - hv
    out[q, 3] = v + hv
    out[q, 4] = w - hw
    out[q, 5] = w + hw


@inline
def outline(points, wide, chart_params, out, q):
    """Write the bounds of a face, its points in rows 0 .. 2, widened by `wide`, to out[q]: a box, without slopes."""
    for c in range(3):
        out[q, 2 * c] = min(points[0, c], min(points[1, c], points[2, c])) - wide
        out[q, 2 * c + 1] = max(points[0, c], max(points[1, c], points[2, c])) + wide


@inline
def box_gap(a, i, b, j, chart_params):
    """Return a lower bound of the travel from mover box a[i] to obstacle box b[j]; infinite if they cannot meet."""
    if a[i, 0] > b[j, 1] or b[j, 0] > a[i, 1]:
        return INF
    if a[i, 2] > b[j, 3] or b[j, 2] > a[i, 3]:
        return INF
    if b[j, 5] < a[i, 4]:
        return INF
    return b[j, 4] - a[i, 5]


outline_gap = box_gap


@step
def place_points(vertices, v0, block_vertices, first, last, place, k, chart_params, points, p0):
    """Write the vertices of a block in the chart, from points[p0] on."""
    for q in range(first, last):
        m = v0 + block_vertices[q]
        u, v, w = to_chart(place, k, vertices[m, 0], vertices[m, 1], vertices[m, 2])
        points[p0 + q - first, 0] = u
        points[p0 + q - first, 1] = v
        points[p0 + q - first, 2] = w


@step
def patch(points, p0, corners, i0, i1, wide, chart_params, out, q):
    """Write the patch of faces i0 .. i1 (corners index points from p0 on), widened by `wide`, to out[q].

    Return the sum of the faces' normals, each as long as twice the face's area.
    """
    u0 = INF
    v0 = INF
    w0 = INF
    u1 = -INF
    v1 = -INF
    w1 = -INF
    nu = 0.0
    nv = 0.0
    nw = 0.0
    for i in range(i0, i1):
        a = p0 + corners[i, 0]
        b = p0 + corners[i, 1]
        c = p0 + corners[i, 2]
        au = points[a, 0]
        av = points[a, 1]
        aw = points[a, 2]
        bu = points[b, 0]
        bv = points[b, 1]
        bw = points[b, 2]
        cu = points[c, 0]
        cv = points[c, 1]
        cw = points[c, 2]
        u0 = min(u0, min(au, min(bu, cu)))
        v0 = min(v0, min(av, min(bv, cv)))
        w0 = min(w0, min(aw, min(bw, cw)))
        u1 = max(u1, max(au, max(bu, cu)))
        v1 = max(v1, max(av, max(bv, cv)))
        w1 = max(w1, max(aw, max(bw, cw)))
        bu -= au
        bv -= av
        bw -= aw
        cu -= au
        cv -= av
        cw -= aw
        nu += bv * cw - bw * cv
        nv += bw * cu - bu * cw
        nw += bu * cv - bv * cu
    out[q, 0] = u0 - wide
    out[q, 1] = u1 + wide
    out[q, 2] = v0 - wide
    out[q, 3] = v1 + wide
    out[q, 4] = w0 - wide
    out[q, 5] = w1 + wide
    low = INF
    high = -INF
    slope_u, slope_v = _slopes(nu, nv, nw)
    for i in range(i0, i1):
        for k in range(3):
            a = p0 + corners[i, k]
            rest = points[a, 2] - slope_u * points[a, 0] - slope_v * points[a, 1]
            low = min(low, rest)
            high = max(high, rest)
    _put_slopes(slope_u, slope_v, low, high, wide, out, q)
    return nu, nv, nw


@step
def patch_of_patches(points, p0, p1, sums, wide, chart_params, out, q, first, last):
    """Write to out[q] the patch of points p0 .. p1. It joins the patches first .. last; sums: what those returned."""
    for c in range(6):
        out[q, c] = out[first, c]
    for k in range(first + 1, last):
        for c in range(0, 6, 2):
            out[q, c] = min(out[q, c], out[k, c])
            out[q, c + 1] = max(out[q, c + 1], out[k, c + 1])
    low = INF
    high = -INF
    slope_u, slope_v = _slopes(sums[0], sums[1], sums[2])
    for a in range(p0, p1):
        rest = points[a, 2] - slope_u * points[a, 0] - slope_v * points[a, 1]
        low = min(low, rest)
        high = max(high, rest)
    _put_slopes(slope_u, slope_v, low, high, wide, out, q)


@inline
def both(sums, more):
    """Return the sums of two patches together."""
    return sums[0] + more[0], sums[1] + more[1], sums[2] + more[2]


@inline
def _slopes(nu, nv, nw):
    """Return the slopes of a plane across this normal; 0 if it is too steep to be useful."""
    if abs(nw) * STEEPEST > abs(nu) + abs(nv):
        return -nu / nw, -nv / nw
    return 0.0, 0.0


@inline
def _put_slopes(slope_u, slope_v, low, high, wide, out, q):
    # A ball of radius `wide` reaches at most this far in w over a plane of these slopes.
    reach = wide * (1.0 + abs(slope_u) + abs(slope_v))
    out[q, 6] = slope_u
    out[q, 7] = slope_v
    out[q, 8] = low - reach
    out[q, 9] = high + reach


@inline
def patch_gap(a, i, b, j, chart_params):
    """Return a lower bound of the travel from mover patch a[i] to obstacle patch b[j]; infinite if they cannot meet."""
    u0 = max(a[i, 0], b[j, 0])
    u1 = min(a[i, 1], b[j, 1])
    v0 = max(a[i, 2], b[j, 2])
    v1 = min(a[i, 3], b[j, 3])
    if u0 > u1 or v0 > v1 or b[j, 5] < a[i, 4]:
        return INF
    du = b[j, 6] - a[i, 6]
    dv = b[j, 7] - a[i, 7]
    sloped = b[j, 8] - a[i, 9] + min(du * u0, du * u1) + min(dv * v0, dv * v1)
    return max(b[j, 4] - a[i, 5], sloped)
