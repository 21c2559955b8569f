"""Counts the points of a cubic lattice that are in a swing, in its fans and in boxes around it, by combination.

Along a row of the lattice, the distance along the axis is linear and the squared distance from it a parabola. A row is
therefore cut to what the enclosing fan can reach before any point is tested; all other counted volumes lie in that fan. A
point there costs a root, an arc tangent and an arc sine or cosine (`compared_swung.span`). The number of points in a box is a
product.
"""

import math

from ._jit import inline, kernel
from .compared_swung import ANGLE, DISTANCE, WIDTHS, enclosing_of, frame_of, in_poses, in_sweep, span
from .tolerances import AXIAL_ROW, AXIAL_ROW_MARGIN_SQ, LEVEL_ROW, LEVEL_ROW_MARGIN, ROW_MARGIN

POSES, FAN, ENCLOSING, SWEPT, STATES = 1, 2, 4, 8, 16
"""Bits of a point's state: in the box at one of the poses, in the published fan, in the enclosing fan, in the whole sweep."""


@inline
def _cells(low, high, count):
    """Return (first, last) index of lattice points in [low, high]; points are at k - (count - 1) / 2."""
    half = 0.5 * (count - 1)
    return int(max(0.0, math.ceil(low + half))), int(min(count - 1.0, math.floor(high + half)))


@inline
def _across(slope, offset, most):
    """Return the x for which |slope x + offset| <= most, as (low, high)."""
    if abs(slope) < LEVEL_ROW:
        return (-math.inf, math.inf) if abs(offset) <= most + LEVEL_ROW_MARGIN else (1.0, -1.0)
    u, v = (-most - offset) / slope, (most - offset) / slope
    return min(u, v), max(u, v)


@inline
def _within(square, linear, constant):
    """Return the x for which square x^2 + 2 linear x + constant <= 0, as (low, high); square >= 0."""
    if square < AXIAL_ROW:
        return (-math.inf, math.inf) if constant <= AXIAL_ROW_MARGIN_SQ else (1.0, -1.0)
    root = linear * linear - square * constant
    if root < 0.0:
        return 1.0, -1.0
    root = math.sqrt(root)
    return (-linear - root) / square, (-linear + root) / square


@inline
def state_of(a, b, rho, inner, outer, half, angle, half_angle, reach, first, poses, tolerance):
    """Return the bits of a point at (a, b) across the axis, `rho` from it, between the sides along the axis.

    inner, outer, half: of the box, widened by the tolerance; half_angle, reach: of the enclosing fan, widened.
    """
    phi = math.atan2(b, a)
    # The fans lie about the middle of the swing.
    off = abs(phi - 0.5 * angle)
    off = min(off, 2.0 * math.pi - off)
    state = 0
    if inner <= rho and rho <= reach and off <= half_angle:
        state |= ENCLOSING
    if inner <= rho and rho <= outer and off <= 0.5 * angle + tolerance:
        state |= FAN
    near, far = span(rho, inner, outer, half)
    if in_sweep(phi, near, far, angle, tolerance):
        state |= SWEPT
    if in_poses(a, b, phi, near, far, angle / poses, first, poses, inner, outer, half):
        state |= POSES
    return state


@kernel
def count_swings(swings, start, stop, boxes, count, poses, first, tolerance, held, boxed, totals):
    """Count the lattice's points by state for swings[start:stop], and by state within each of a swing's boxes.

    boxes (n, b, 6): low 3, high 3. The lattice has count^3 points, 1 apart, about the origin. Written: held (n, 16), boxed
    (n, b, 16), totals (n, b) (points in a box, with any state). State 0 is counted only near the swing.
    """
    for i in range(start, stop):
        held[i] = 0
        boxed[i] = 0
        _count(swings, i, boxes, count, poses, first, tolerance, held, boxed, totals)


@inline
def _count(swings, i, boxes, count, poses, first, tolerance, held, boxed, totals):
    ux, uy, uz, yx, yy, yz, kx, ky, kz = frame_of(swings, i)
    distance, angle = swings[i, DISTANCE], swings[i, ANGLE]
    wx, wy, wz = swings[i, WIDTHS], swings[i, WIDTHS + 1], swings[i, WIDTHS + 2]
    half_angle, inner, reach = enclosing_of(distance, wx, wy, angle)
    outer, half, high = distance + 0.5 * wy + tolerance, 0.5 * wx + tolerance, 0.5 * wz + tolerance
    half_angle, inner, reach = half_angle + tolerance, inner - tolerance, reach + tolerance
    cosine, sine = math.cos(0.5 * angle), math.sin(0.5 * angle)
    least = math.cos(min(math.pi, half_angle + ROW_MARGIN)) if half_angle + ROW_MARGIN < math.pi else -2.0
    for box in range(boxes.shape[1]):
        size = 1
        for k in range(3):
            c0, c1 = _cells(boxes[i, box, k] - tolerance, boxes[i, box, k + 3] + tolerance, count)
            size *= max(0, c1 - c0 + 1)
        totals[i, box] = size
    # The ring of which the enclosing fan is a part.
    wide = reach + ROW_MARGIN
    top = wide * math.sqrt(max(0.0, 1.0 - uz * uz)) + (high + ROW_MARGIN) * abs(uz)
    side = wide * math.sqrt(max(0.0, 1.0 - uy * uy)) + (high + ROW_MARGIN) * abs(uy)
    z0, z1 = _cells(-top, top, count)
    y0, y1 = _cells(-side, side, count)
    middle = 0.5 * (count - 1)
    for iz in range(z0, z1 + 1):
        z = iz - middle
        for iy in range(y0, y1 + 1):
            y = iy - middle
            a0, b0, c0 = yy * y + yz * z, ky * y + kz * z, uy * y + uz * z
            low, up = _across(ux, c0, high + ROW_MARGIN)
            low2, up2 = _within(yx * yx + kx * kx, yx * a0 + kx * b0, a0 * a0 + b0 * b0 - wide * wide)
            x0, x1 = _cells(max(low, low2) - ROW_MARGIN, min(up, up2) + ROW_MARGIN, count)
            for ix in range(x0, x1 + 1):
                x = ix - middle
                a, b = a0 + yx * x, b0 + kx * x
                rho = math.sqrt(a * a + b * b)
                if rho < inner or a * cosine + b * sine < least * rho or abs(c0 + ux * x) > high:
                    continue
                state = state_of(a, b, rho, inner, outer, half, angle, half_angle, reach, first, poses, tolerance)
                held[i, state] += 1
                for box in range(boxes.shape[1]):
                    if (
                        boxes[i, box, 0] - tolerance <= x
                        and x <= boxes[i, box, 3] + tolerance
                        and boxes[i, box, 1] - tolerance <= y
                        and y <= boxes[i, box, 4] + tolerance
                        and boxes[i, box, 2] - tolerance <= z
                        and z <= boxes[i, box, 5] + tolerance
                    ):
                        boxed[i, box, state] += 1


@kernel
def states(swing, points, poses, first, tolerance, out):
    """Write the bits of points (n, 3), relative to the center of rotation, for one swing (1, 11)."""
    ux, uy, uz, yx, yy, yz, kx, ky, kz = frame_of(swing, 0)
    distance, angle = swing[0, DISTANCE], swing[0, ANGLE]
    wx, wy, wz = swing[0, WIDTHS], swing[0, WIDTHS + 1], swing[0, WIDTHS + 2]
    half_angle, inner, reach = enclosing_of(distance, wx, wy, angle)
    outer, half, high = distance + 0.5 * wy + tolerance, 0.5 * wx + tolerance, 0.5 * wz + tolerance
    half_angle, inner, reach = half_angle + tolerance, inner - tolerance, reach + tolerance
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        out[i] = 0
        if abs(ux * x + uy * y + uz * z) <= high:
            a, b = yx * x + yy * y + yz * z, kx * x + ky * y + kz * z
            rho = math.sqrt(a * a + b * b)
            out[i] = state_of(a, b, rho, inner, outer, half, angle, half_angle, reach, first, poses, tolerance)
