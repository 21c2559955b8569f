"""How movers lie about the axis of a view: their radii and heights, the part of the circle that they take, their inside."""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel
from ..base.blocks import BLOCK
from ..base.inside import INSIDE, inside
from ..charts.cylinder import TURN, arc_of, place_about, placed, wrapped
from ..tolerances import GAP_BINS, INSIDE_SAMPLES
from .annulus import GRID

INF = math.inf


@kernel
def reach(geometry, body_ints, poses, boxes, bodies, movers, view):
    """Return the extent of the movers about the axis: (least, greatest radius, least, greatest height, seam, rear, extent).

    seam: the middle of the widest gap that they leave on the circle. rear: the angle from the seam at which they begin.
    extent: the angle that they take from there, 2 pi if there is no gap. Without faces the least radius is infinite.
    """
    ints, vertices, listed, corners = geometry.shape_ints, geometry.vertices, geometry.block_vertices, geometry.corners
    block_starts, reals = geometry.starts, geometry.shape_reals
    place = np.empty(12)
    total = 0
    for b in movers:
        total += ints[body_ints[b, at.SHAPE], at.FACES]
    arcs = np.empty((total, 2))
    count = 0
    rho_low = INF
    rho_high = 0.0
    bottom = INF
    top = -INF
    whole = False
    for b in movers:
        s = body_ints[b, at.SHAPE]
        r = reals[s, at.RADIUS]
        place_about(view, poses, b, place)
        for f in range(ints[s, at.FACES]):
            first = ints[s, at.LISTED] + block_starts[ints[s, at.START] + f // BLOCK]
            row = ints[s, at.FACE] + f
            u = ints[s, at.VERTEX] + listed[first + corners[row, 0]]
            v = ints[s, at.VERTEX] + listed[first + corners[row, 1]]
            w = ints[s, at.VERTEX] + listed[first + corners[row, 2]]
            a = placed(place, vertices[u, 0], vertices[u, 1], vertices[u, 2])
            c = placed(place, vertices[v, 0], vertices[v, 1], vertices[v, 2])
            e = placed(place, vertices[w, 0], vertices[w, 1], vertices[w, 2])
            far_sq = max(a[0] * a[0] + a[1] * a[1], max(c[0] * c[0] + c[1] * c[1], e[0] * e[0] + e[1] * e[1]))
            arcs[count, 0], arcs[count, 1], near = arc_of(a, c, e, r)
            whole = whole or arcs[count, 1] >= TURN
            rho_low = min(rho_low, near)
            rho_high = max(rho_high, math.sqrt(far_sq) + r)
            bottom = min(bottom, min(a[2], min(c[2], e[2])) - r)
            top = max(top, max(a[2], max(c[2], e[2])) + r)
            count += 1
    if whole or count == 0:
        return rho_low, rho_high, bottom, top, 0.0, 0.0, TURN
    covered = np.zeros(GAP_BINS, np.bool_)
    for k in range(count):
        first = int(wrapped(arcs[k, 0]) / TURN * GAP_BINS)
        for n in range(min(int(arcs[k, 1] / TURN * GAP_BINS) + 2, GAP_BINS)):
            covered[(first + n) % GAP_BINS] = True
    longest = 0
    ends = 0
    run = 0
    for n in range(2 * GAP_BINS):
        run = 0 if covered[n % GAP_BINS] else run + 1
        if run > longest:
            longest = run
            ends = n
    if longest == 0 or longest >= GAP_BINS:
        return rho_low, rho_high, bottom, top, 0.0, 0.0, TURN
    gap = (ends + 1 - 0.5 * longest) * (TURN / GAP_BINS)
    rear = INF
    front = 0.0
    for k in range(count):
        begin = wrapped(arcs[k, 0] - gap)
        rear = min(rear, begin)
        front = max(front, begin + arcs[k, 1])
    return rho_low, rho_high, bottom, top, wrapped(gap), rear, front - rear


@inline
def _within(geometry, s, place, x, y, z):
    """True if a point of the chart is inside shape s. The shape is round, or closed and its parts are known."""
    x -= place[9]
    y -= place[10]
    z -= place[11]
    px = place[0] * x + place[3] * y + place[6] * z
    py = place[1] * x + place[4] * y + place[7] * z
    pz = place[2] * x + place[5] * y + place[8] * z
    ints, vertices = geometry.shape_ints, geometry.vertices
    r = geometry.shape_reals[s, at.RADIUS]
    if r == 0.0:
        return ints[s, at.SOLID] > 0 and inside(geometry, s, px, py, pz, 0.0) == INSIDE
    for f in range(ints[s, at.FACES]):
        first = ints[s, at.LISTED] + geometry.starts[ints[s, at.START] + f // BLOCK]
        u = ints[s, at.VERTEX] + geometry.block_vertices[first + geometry.corners[ints[s, at.FACE] + f, 0]]
        v = ints[s, at.VERTEX] + geometry.block_vertices[first + geometry.corners[ints[s, at.FACE] + f, 1]]
        ax, ay, az = vertices[u, 0] - px, vertices[u, 1] - py, vertices[u, 2] - pz
        dx, dy, dz = vertices[v, 0] - vertices[u, 0], vertices[v, 1] - vertices[u, 1], vertices[v, 2] - vertices[u, 2]
        dd = dx * dx + dy * dy + dz * dz
        t = min(max(-(ax * dx + ay * dy + az * dz) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
        if (ax + t * dx) ** 2 + (ay + t * dy) ** 2 + (az + t * dz) ** 2 <= r * r:
            return True
    return False


@kernel
def filled(geometry, body_ints, poses, boxes, bodies, movers, view, columns, rows):
    """True if circles that cross no surface of the movers run inside one. The movers' shapes are ready."""
    place = np.empty(12)
    stride = columns * rows // INSIDE_SAMPLES + 1
    for b in movers:
        s = body_ints[b, at.SHAPE]
        place_about(view, poses, b, place)
        for p in range(stride // 2, columns * rows, stride):
            rho = view[GRID] + (p % columns + 0.5) * view[GRID + 1]
            z = view[GRID + 2] - (p // columns + 0.5) * view[GRID + 3]
            if _within(geometry, s, place, rho, 0.0, z):
                return True
    return False
