"""Fan against fan, with any axes: one is cut into pieces of its angle, each between two convex solids.

Around a piece: the chord of the inner arc, the tangents of the outer one. Within it: the tangent of the inner arc, the chord
of the outer one. Both are tested exactly against the other fan (`convex`). If the outer solid misses, the piece misses. If
the inner solid hits, the fans meet. Otherwise the piece is halved. The difference of the two solids falls as the square of
the angle, so contact at a point costs the same few pieces at every halving. Fans that touch along a length are decided at the
end of the budget, as a hit.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import FAN_BUDGET, FAN_PIECES, FIRST_PIECE, FIRST_PIECE_MARGIN
from .convex import buffers, meets_solid
from .fan import fan_of, slack_of, to_frame


@inline
def _put(corners, n, frame, rho, c, s, z):
    """Write the point (rho, direction (c, s), z) of the cut fan into row n of corners, in the other fan's frame."""
    x, y = rho * c, rho * s
    corners[n, 0] = frame[0] + x * frame[3] + y * frame[6] + z * frame[9]
    corners[n, 1] = frame[1] + x * frame[4] + y * frame[7] + z * frame[10]
    corners[n, 2] = frame[2] + x * frame[5] + y * frame[8] + z * frame[11]


@inline
def _around(corners, frame, r, far, h, a, b):
    """Write a prism around the piece from angle a to b into ten rows: five corners below, five above."""
    m = 0.5 * (a + b)
    out = far / math.cos(0.5 * (b - a))
    ca, sa, cb, sb, cm, sm = math.cos(a), math.sin(a), math.cos(b), math.sin(b), math.cos(m), math.sin(m)
    for side in range(2):
        z = h if side else -h
        n = 5 * side
        _put(corners, n, frame, r, ca, sa, z)
        _put(corners, n + 1, frame, far, ca, sa, z)
        _put(corners, n + 2, frame, out, cm, sm, z)
        _put(corners, n + 3, frame, far, cb, sb, z)
        _put(corners, n + 4, frame, r, cb, sb, z)


@inline
def _within(corners, frame, r, far, h, a, b):
    """Write a prism inside the piece into the same ten rows. If the piece is too narrow, it is its middle slice."""
    near = r / math.cos(0.5 * (b - a))
    if near > far:
        a = b = 0.5 * (a + b)
        near = r
    ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
    for side in range(2):
        z = h if side else -h
        n = 5 * side
        _put(corners, n, frame, near, ca, sa, z)
        _put(corners, n + 1, frame, far, ca, sa, z)
        _put(corners, n + 2, frame, far, cb, sb, z)
        _put(corners, n + 3, frame, far, cb, sb, z)
        _put(corners, n + 4, frame, near, cb, sb, z)


@inline
def _relative(one, two):
    """Return the frame of fan `two` in the frame of fan `one`: its center, then its three axes."""
    cx, cy, cz = to_frame(one, two[0], two[1], two[2])
    return (
        cx, cy, cz,
        _along(one, 3, two, 3), _along(one, 6, two, 3), _along(one, 9, two, 3),
        _along(one, 3, two, 6), _along(one, 6, two, 6), _along(one, 9, two, 6),
        _along(one, 3, two, 9), _along(one, 6, two, 9), _along(one, 9, two, 9),
    )  # fmt: skip


@inline
def _along(one, i, two, j):
    return one[i] * two[j] + one[i + 1] * two[j + 1] + one[i + 2] * two[j + 2]


@inline
def extent(theta, r, far, h, x, y, z):
    """Return how far a fan reaches along (x, y, z), in its own frame and from its center: its support function."""
    flat = math.sqrt(x * x + y * y)
    off = abs(math.atan2(y, x)) if flat > 0.0 else 0.0
    most = 1.0 if off <= theta else math.cos(off - theta)
    return h * abs(z) + flat * (far * most if most > 0.0 else r * most)


@inline
def _between(one, two, x, y, z, gap, slack):
    """True if a plane across the unit vector (x, y, z) separates the fans. gap: distance of the centers along it."""
    ax, ay, az = _turned(one, x, y, z)
    bx, by, bz = _turned(two, -x, -y, -z)
    near = extent(one[12], one[13], one[14], one[15], ax, ay, az)
    return gap - near - extent(two[12], two[13], two[14], two[15], bx, by, bz) > slack


@step
def surely_apart(one, two, slack):
    """True if a plane across one of a few likely directions separates two fans: cheap, and never wrong."""
    dx, dy, dz = two[0] - one[0], two[1] - one[1], two[2] - one[2]
    for k in range(6):
        if k == 0:
            x, y, z = dx, dy, dz
        elif k == 1:
            x, y, z = one[9], one[10], one[11]
        elif k == 2:
            x, y, z = two[9], two[10], two[11]
        elif k == 3:
            # From center to center, in the plane of the first fan, then of the second.
            t = dx * one[9] + dy * one[10] + dz * one[11]
            x, y, z = dx - t * one[9], dy - t * one[10], dz - t * one[11]
        elif k == 4:
            t = dx * two[9] + dy * two[10] + dz * two[11]
            x, y, z = dx - t * two[9], dy - t * two[10], dz - t * two[11]
        else:
            x = one[10] * two[11] - one[11] * two[10]
            y = one[11] * two[9] - one[9] * two[11]
            z = one[9] * two[10] - one[10] * two[9]
        size = math.sqrt(x * x + y * y + z * z)
        if size == 0.0:
            continue
        x, y, z = x / size, y / size, z / size
        gap = x * dx + y * dy + z * dz
        if _between(one, two, x, y, z, gap, slack) or _between(one, two, -x, -y, -z, -gap, slack):
            return True
    return False


@inline
def _turned(fan, x, y, z):
    """Return a direction in a fan's frame."""
    return (
        fan[3] * x + fan[4] * y + fan[5] * z,
        fan[6] * x + fan[7] * y + fan[8] * z,
        fan[9] * x + fan[10] * y + fan[11] * z,
    )


@step
def meet(one, two, edges, corners, stack, spaces):
    """True if two fans, given by their 16 numbers each, meet."""
    slack = slack_of(one) + slack_of(two)
    if surely_apart(one, two, slack):
        return False
    # The fan with the shorter arc is cut into pieces.
    if one[12] * one[14] < two[12] * two[14]:
        one, two = two, one
    sector, h = fan_of(one[12], one[13], one[14], one[15])
    frame = _relative(one, two)
    theta, r, far, thick = two[12], two[13], two[14], two[15]
    points, hull, spare, other = spaces
    pieces = math.ceil(2.0 * theta / FIRST_PIECE - FIRST_PIECE_MARGIN) if theta > 0.0 else 1
    waiting = 0
    for k in range(pieces):
        stack[k, 0] = -theta + 2.0 * theta * k / pieces
        stack[k, 1] = -theta + 2.0 * theta * (k + 1) / pieces
        waiting += 1
    for _ in range(FAN_BUDGET):
        if waiting == 0:
            return False
        waiting -= 1
        a, b = stack[waiting, 0], stack[waiting, 1]
        _around(corners, frame, r, far, thick, a, b)
        if not meets_solid(sector, h, corners, 10, edges, len(edges), slack, points, hull, spare, other):
            continue
        _within(corners, frame, r, far, thick, a, b)
        if meets_solid(sector, h, corners, 10, edges, len(edges), slack, points, hull, spare, other):
            return True
        half = math.sin(0.25 * (b - a))
        if 4.0 * far * half * half <= slack or waiting + 2 > FAN_PIECES:
            return True
        m = 0.5 * (a + b)
        stack[waiting, 0], stack[waiting, 1] = a, m
        stack[waiting + 1, 0], stack[waiting + 1, 1] = m, b
        waiting += 2
    return True


@kernel
def fans(numbers, others, edges, out):
    """Write for each of the fans `others` (n, 16) whether it meets the fan with these 16 numbers."""
    corners = np.empty((10, 3))
    stack = np.empty((FAN_PIECES, 2))
    spaces = buffers()
    for i in range(len(others)):
        out[i] = meet(numbers, others[i], edges, corners, stack, spaces)
