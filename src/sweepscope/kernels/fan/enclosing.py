"""The box of the cylindrical chart around a shape: its distances from an axis, its heights, and its angles.

That box is a fan. Each face takes an arc of the circle. The fan's angle is the circle without the widest gap between the arcs.
"""

import math

import numpy as np

from .._jit import inline, kernel
from ..charts.cylinder import TURN, arc_of
from ..tolerances import EPS, FACE_ON_AXIS, ONE_DIRECTION, ROUNDING, UNKNOWN_ANGLES

INF = math.inf


@inline
def _gap(a, b):
    """Return the angle from direction a forwards to direction b, 0 to 2 pi."""
    return (b - a) % TURN


@inline
def _arc_at_axis(a, b, c, on):
    """Return (begin, extent, begin, extent) of a face whose edge the axis touches; a negative extent means none.

    Its corners away from the axis lie in half a turn. Two opposite corners alone are a face seen edge-on: two directions.
    """
    p = math.atan2(a[1], a[0]) % TURN
    q = math.atan2(b[1], b[0]) % TURN
    r = math.atan2(c[1], c[0]) % TURN
    keep_p, keep_q, keep_r = math.hypot(a[0], a[1]) > on, math.hypot(b[0], b[1]) > on, math.hypot(c[0], c[1]) > on
    if not keep_p:
        p = q if keep_q else r
    if not keep_q:
        q = p if keep_p else r
    if not keep_r:
        r = q if keep_q else p
    if not (keep_p or keep_q or keep_r):
        return 0.0, -1.0, 0.0, -1.0
    low, high = min(p, min(q, r)), max(p, max(q, r))
    mid = p + q + r - low - high
    inner, outer, rest = mid - low, high - mid, TURN - (high - low)
    least = min(inner, min(outer, rest))
    widest = max(inner, max(outer, rest))
    if least < ONE_DIRECTION and TURN - 2.0 * widest > -ONE_DIRECTION:
        # Two opposite directions, one of them a narrow arc.
        if least == inner:
            return low, inner, high, 0.0
        if least == outer:
            return mid, outer, low, 0.0
        return high, rest, mid, 0.0
    if widest == rest:
        return low, high - low, 0.0, -1.0
    if widest == inner:
        return mid, TURN - inner, 0.0, -1.0
    return high, TURN - outer, 0.0, -1.0


@inline
def _towards(a, b, near, to):
    """Return the place nearest to the axis: `near`, or a place of the edge a..b; and its squared distance."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    dd = dx * dx + dy * dy
    t = min(1.0, max(0.0, -(a[0] * dx + a[1] * dy) / dd)) if dd > 0.0 else 0.0
    x, y = a[0] + t * dx, a[1] + t * dy
    return ((x, y), x * x + y * y) if x * x + y * y < to else (near, to)


@inline
def _deep(a, b, c, on):
    """True if the face, seen along the axis, contains the axis deeper than `on`."""
    ab = a[0] * b[1] - a[1] * b[0]
    bc = b[0] * c[1] - b[1] * c[0]
    ca = c[0] * a[1] - c[1] * a[0]
    p = on * math.hypot(b[0] - a[0], b[1] - a[1])
    q = on * math.hypot(c[0] - b[0], c[1] - b[1])
    r = on * math.hypot(a[0] - c[0], a[1] - c[1])
    return (ab > p and bc > q and ca > r) or (ab < -p and bc < -q and ca < -r)


@kernel
def lie(vertices, faces, radius, matrix, numbers):
    """Return the extent of a shape about an axis: (least, greatest rho, least, greatest z, begin, extent of its angles).

    numbers: of a fan; only the frame is used. matrix: (4, 4), local to world. Without faces the least rho is infinite.
    """
    arcs = np.empty((2 * len(faces), 2))
    count = 0
    near, far, bottom, top = INF, 0.0, INF, -INF
    whole = False
    place = np.empty((3, 4))
    for i in range(3):
        for j in range(4):
            total = 0.0
            for k in range(3):
                moved = matrix[k, j] - numbers[k] if j == 3 else matrix[k, j]
                total += numbers[3 + 3 * i + k] * moved
            place[i, j] = total
    placed = np.empty((len(vertices), 3))
    for v in range(len(vertices)):
        for i in range(3):
            placed[v, i] = (
                place[i, 0] * vertices[v, 0] + place[i, 1] * vertices[v, 1] + place[i, 2] * vertices[v, 2] + place[i, 3]
            )
    # The rounding of a shape far from its own origin may be greater than its distance from the axis.
    rounded = abs(place[0, 3]) + abs(place[1, 3]) + abs(place[2, 3])
    for v in range(len(vertices)):
        far = max(far, math.hypot(placed[v, 0], placed[v, 1]) + radius)
        rounded = max(rounded, abs(vertices[v, 0]) + abs(vertices[v, 1]) + abs(vertices[v, 2]))
    rounded *= ROUNDING * EPS
    on = max(FACE_ON_AXIS * far, rounded)
    far = 0.0
    for f in range(len(faces)):
        i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
        a = (placed[i, 0], placed[i, 1], placed[i, 2])
        b = (placed[j, 0], placed[j, 1], placed[j, 2])
        c = (placed[k, 0], placed[k, 1], placed[k, 2])
        begin, extent, least = arc_of(a, b, c, radius)
        if least <= on and radius == 0.0 and not _deep(a, b, c, on):
            least = 0.0
            begin, extent, second, more = _arc_at_axis(a, b, c, on)
            if more >= 0.0:
                arcs[count, 0], arcs[count, 1] = second % TURN, more
                count += 1
        elif least <= on and radius > 0.0:
            spot, to = _towards(a, b, (1.0, 0.0), INF)
            spot, to = _towards(b, c, spot, to)
            spot, to = _towards(c, a, spot, to)
            if math.sqrt(to) >= radius - on and not _deep(a, b, c, on):
                # A round thing that the axis touches takes half a turn about its direction.
                begin, extent = math.atan2(spot[1], spot[0]) - 0.5 * math.pi, math.pi
        if extent >= 0.0:
            arcs[count, 0], arcs[count, 1] = begin % TURN, extent
            count += 1
        whole = whole or extent >= TURN
        near = min(near, least)
        far_sq = max(a[0] * a[0] + a[1] * a[1], max(b[0] * b[0] + b[1] * b[1], c[0] * c[0] + c[1] * c[1]))
        far = max(far, math.sqrt(far_sq) + radius)
        bottom = min(bottom, min(a[2], min(b[2], c[2])) - radius)
        top = max(top, max(a[2], max(b[2], c[2])) + radius)
    near, far, bottom, top = near - rounded, far + rounded, bottom - rounded, top + rounded
    if whole or len(faces) == 0 or (rounded > FACE_ON_AXIS * far and near < UNKNOWN_ANGLES * rounded):
        return near, far, bottom, top, 0.0, TURN
    wider = rounded / near if rounded > FACE_ON_AXIS * far else 0.0
    if count == 0:  # all of it is on the axis
        return near, far, bottom, top, 0.0, 0.0
    order = np.argsort(arcs[:count, 0])
    # Once around the circle: the widest gap between the end of all arcs so far and the begin of the next.
    reached = 0.0
    for f in order:
        reached = max(reached, arcs[f, 0] + arcs[f, 1] - TURN)
    widest, begin = 0.0, 0.0
    for f in order:
        if arcs[f, 0] - reached > widest:
            widest = arcs[f, 0] - reached
            begin = arcs[f, 0]
        reached = max(reached, arcs[f, 0] + arcs[f, 1])
    last = arcs[order[0], 0] + TURN
    if last - reached > widest:
        widest = last - reached
        begin = arcs[order[0], 0]
    return near, far, bottom, top, begin - wider, min(TURN, TURN - widest + 2.0 * wider)
