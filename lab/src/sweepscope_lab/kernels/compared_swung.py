"""What a box that swings in the thesis' pose sweeps: exactly, at single poses, and by the boxes of speculative CCD.

A swing is a row of numbers: axis U and start direction Y' (unit, square to each other), distance d from the axis to the box's
center along Y', widths (W_x, W_y, W_z) along U x Y', Y' and U, angle alpha. Seen from the box, a point moves along an arc. It
is in the box where the size of its angle from Y' is in [near, far]: `far` comes from W_x or the near side, `near` from the
far side. This needs d >= W_y / 2, so that the axis is on or outside the box.

Comparisons are widened by a tolerance that the caller gives. A pose near an end of its interval is tested as it stands, so
poses give the result that a loop over all of them would give.
"""

import math

from ._jit import inline, kernel, step
from .tolerances import POSE_UNSURE

AXIS, OUT, DISTANCE, WIDTHS, ANGLE, SWING = 0, 3, 6, 7, 10, 11
"""Columns of a swing, and how many there are."""

A1, A2, D1, PHYSX = range(4)
"""Kinds of box that speculative CCD puts around a motion."""

TURN = 2.0 * math.pi


@inline
def frame_of(swings, i):
    """Return U, Y' and K = U x Y' of a swing: nine numbers."""
    ux, uy, uz = swings[i, AXIS], swings[i, AXIS + 1], swings[i, AXIS + 2]
    yx, yy, yz = swings[i, OUT], swings[i, OUT + 1], swings[i, OUT + 2]
    return ux, uy, uz, yx, yy, yz, uy * yz - uz * yy, uz * yx - ux * yz, ux * yy - uy * yx


@inline
def span(rho, inner, outer, half):
    """Return (near, far): a point `rho` from the axis is in the box where the size of its angle from Y' is between them.

    near > far: it is never in it. half: half the box's width across, widened as inner and outer are.
    """
    if rho < inner:
        return 1.0, 0.0
    near = math.acos(outer / rho) if rho > outer else 0.0
    if inner * inner + half * half > rho * rho:
        far = math.acos(max(-1.0, inner / rho)) if rho > 0.0 else math.pi
    else:
        far = math.asin(half / rho)
    return near, far


@inline
def _meets(low, high, angle, slack):
    """Return whether the interval [low, high] meets [0, angle], widened by `slack`."""
    return low <= angle + slack and high >= -slack


@inline
def in_sweep(phi, near, far, angle, slack):
    """Return whether a point at angle phi (-pi to pi) is in the box at some moment of its swing, angle 0 to 2 pi."""
    if near > far:
        return False
    return (
        _meets(phi - far, phi - near, angle, slack)
        or _meets(phi - far + TURN, phi - near + TURN, angle, slack)
        or _meets(phi + near, phi + far, angle, slack)
        or _meets(phi + near + TURN, phi + far + TURN, angle, slack)
    )


@step
def _one_of(low, high, a, b, pitch, first, last, inner, outer, half):
    """Return whether one of the poses first..last, `pitch` apart, lies in [low, high]."""
    if pitch > 0.0:
        k = max(math.ceil((low + POSE_UNSURE) / pitch), float(first))
        if k * pitch <= high - POSE_UNSURE and k <= last:
            return True
        k0 = max(math.ceil((low - POSE_UNSURE) / pitch), float(first))
        k1 = min(math.floor((high + POSE_UNSURE) / pitch), float(last))
    else:
        k0, k1 = float(first), float(first)
    k = k0
    while k <= k1:
        cosine, sine = math.cos(k * pitch), math.sin(k * pitch)
        along = cosine * a + sine * b
        if inner <= along and along <= outer and abs(cosine * b - sine * a) <= half:
            return True
        k += 1.0
    return False


@inline
def in_poses(a, b, phi, near, far, pitch, first, last, inner, outer, half):
    """Return whether a point (a, b) across the axis, at angle phi, is in the box at a pose k * pitch, k = first..last."""
    if near > far:
        return False
    if near == 0.0:
        return _one_of(phi - far, phi + far, a, b, pitch, first, last, inner, outer, half) or _one_of(
            phi - far + TURN, phi + far + TURN, a, b, pitch, first, last, inner, outer, half
        )
    return (
        _one_of(phi - far, phi - near, a, b, pitch, first, last, inner, outer, half)
        or _one_of(phi - far + TURN, phi - near + TURN, a, b, pitch, first, last, inner, outer, half)
        or _one_of(phi + near, phi + far, a, b, pitch, first, last, inner, outer, half)
        or _one_of(phi + near + TURN, phi + far + TURN, a, b, pitch, first, last, inner, outer, half)
    )


@inline
def enclosing_of(distance, wx, wy, angle):
    """Return (half angle, inner, outer) of the fan that contains all that a swing sweeps."""
    inner = distance - 0.5 * wy
    spread = math.atan2(0.5 * wx, inner) if wx > 0.0 else 0.0
    return min(math.pi, 0.5 * angle + spread), inner, math.hypot(distance + 0.5 * wy, 0.5 * wx)


@kernel
def points_in_poses(swing, points, poses, first, tolerance, out):
    """Write whether the box (1, 11) contains points (n, 3), relative to a point on the axis, at a pose.

    The poses are k * alpha / poses, k = first..poses.
    """
    ux, uy, uz, yx, yy, yz, kx, ky, kz = frame_of(swing, 0)
    distance, wx, wy, wz = swing[0, DISTANCE], swing[0, WIDTHS], swing[0, WIDTHS + 1], swing[0, WIDTHS + 2]
    inner, outer = distance - 0.5 * wy - tolerance, distance + 0.5 * wy + tolerance
    half, high, pitch = 0.5 * wx + tolerance, 0.5 * wz + tolerance, swing[0, ANGLE] / poses
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        out[i] = False
        if abs(ux * x + uy * y + uz * z) <= high:
            a, b = yx * x + yy * y + yz * z, kx * x + ky * y + kz * z
            near, far = span(math.hypot(a, b), inner, outer, half)
            out[i] = in_poses(a, b, math.atan2(b, a), near, far, pitch, first, poses, inner, outer, half)


# ---- boxes around a motion


@inline
def _passes(a, b, angle, cosine, sine):
    """Return whether the turn from (1, 0) by `angle`, 0 to 2 pi, passes the direction (a, b)."""
    ahead = b * cosine - a * sine
    return not (b < 0.0 and ahead > 0.0) if angle > math.pi else (b >= 0.0 and ahead <= 0.0)


@inline
def _arc_extremes(a, b, angle, cosine, sine):
    """Return the least and the greatest of a cos t + b sin t, t = 0..angle (0 to 2 pi).

    cosine, sine: of `angle`.
    """
    end = a * cosine + b * sine
    low, high = min(a, end), max(a, end)
    size = math.sqrt(a * a + b * b)
    if _passes(a, b, angle, cosine, sine):
        high = max(high, size)
    if _passes(-a, -b, angle, cosine, sine):
        low = min(low, -size)
    return low, high


@inline
def _side(kind, u, y, k, distance, wx, wy, wz, angle, cosine, sine):
    """Return (low, high) of a swing's corners along a world axis. u, y, k: components of U, Y' and K along it.

    A2: over the whole swing. PHYSX: at the start. Otherwise: at both ends.
    """
    low, high = math.inf, -math.inf
    for corner in range(4):
        p = distance + (0.5 * wy if corner & 1 else -0.5 * wy)
        q = 0.5 * wx if corner & 2 else -0.5 * wx
        a, b = p * y + q * k, p * k - q * y
        if kind == A2:
            least, most = _arc_extremes(a, b, angle, cosine, sine)
        elif kind == PHYSX:
            least, most = a, a
        else:
            end = a * cosine + b * sine
            least, most = min(a, end), max(a, end)
        low, high = min(low, least), max(high, most)
    lift = 0.5 * wz * abs(u)
    return low - lift, high + lift


@step
def speculative_box(swings, i, kind):
    """Return the box (low 3, high 3) that speculative CCD puts around a swing, see `speculative_boxes`."""
    ux, uy, uz, yx, yy, yz, kx, ky, kz = frame_of(swings, i)
    distance, angle = swings[i, DISTANCE], swings[i, ANGLE]
    wx, wy, wz = swings[i, WIDTHS], swings[i, WIDTHS + 1], swings[i, WIDTHS + 2]
    cosine, sine = math.cos(angle), math.sin(angle)
    x0, x1 = _side(kind, ux, yx, kx, distance, wx, wy, wz, angle, cosine, sine)
    y0, y1 = _side(kind, uy, yy, ky, distance, wx, wy, wz, angle, cosine, sine)
    z0, z1 = _side(kind, uz, yz, kz, distance, wx, wy, wz, angle, cosine, sine)
    if kind == D1:
        # The full size is used as half size, about the middle.
        ex, ey, ez = 0.5 * (x1 - x0), 0.5 * (y1 - y0), 0.5 * (z1 - z0)
    elif kind == PHYSX:
        extents = 0.5 * math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2 + (z1 - z0) ** 2)
        ex = ey = ez = angle * (distance + extents)
    else:
        ex = ey = ez = 0.0
    return x0 - ex, y0 - ey, z0 - ez, x1 + ex, y1 + ey, z1 + ez


@kernel
def speculative_boxes(swings, kind, out):
    """Write for swings (n, 11) the box around the motion, out (n, 6): low 3, high 3, relative to the center of rotation.

    A1: around the box at its start and its end. A2: around all that it sweeps. D1: A1 with its full size used as half size.
    PHYSX: around the start, widened by distance traveled + angle * extents.
    """
    for i in range(len(swings)):
        x0, y0, z0, x1, y1, z1 = speculative_box(swings, i, kind)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = x0, y0, z0, x1, y1, z1


@inline
def _extents(u, y, k, distance, wx, wy, wz, cosine, sine):
    """Return (low, high) along a world axis of a swing's box at both ends, from its center and half sizes. See `_side`."""
    out, aside = y * cosine + k * sine, k * cosine - y * sine
    half, turned = 0.5 * (wy * abs(y) + wx * abs(k)), 0.5 * (wy * abs(out) + wx * abs(aside))
    lift = 0.5 * wz * abs(u)
    return min(distance * y - half, distance * out - turned) - lift, max(distance * y + half, distance * out + turned) + lift


@kernel
def speculative_boxes_by_extents(swings, out):
    """Write the boxes A1 of `speculative_boxes`, without visiting corners: faster, and equal up to rounding."""
    for i in range(len(swings)):
        ux, uy, uz, yx, yy, yz, kx, ky, kz = frame_of(swings, i)
        distance, angle = swings[i, DISTANCE], swings[i, ANGLE]
        wx, wy, wz = swings[i, WIDTHS], swings[i, WIDTHS + 1], swings[i, WIDTHS + 2]
        cosine, sine = math.cos(angle), math.sin(angle)
        out[i, 0], out[i, 3] = _extents(ux, yx, kx, distance, wx, wy, wz, cosine, sine)
        out[i, 1], out[i, 4] = _extents(uy, yy, ky, distance, wx, wy, wz, cosine, sine)
        out[i, 2], out[i, 5] = _extents(uz, yz, kz, distance, wx, wy, wz, cosine, sine)


# ---- many fans at once


@kernel
def fans_of_swings(swings, frames, fans):
    """Write for swings (n, 11) the published fan: frames (n, 9) with rows A, K, U; fans (5, n): cos, sin, r, R, h."""
    for i in range(len(swings)):
        ux, uy, uz, yx, yy, yz, kx, ky, kz = frame_of(swings, i)
        theta, distance = 0.5 * swings[i, ANGLE], swings[i, DISTANCE]
        cosine, sine = math.cos(theta), math.sin(theta)
        frames[i, 0], frames[i, 1], frames[i, 2] = cosine * yx + sine * kx, cosine * yy + sine * ky, cosine * yz + sine * kz
        frames[i, 3], frames[i, 4], frames[i, 5] = cosine * kx - sine * yx, cosine * ky - sine * yy, cosine * kz - sine * yz
        frames[i, 6], frames[i, 7], frames[i, 8] = ux, uy, uz
        tall = 0.5 * swings[i, WIDTHS + 1]
        fans[0, i], fans[1, i], fans[2, i], fans[3, i] = cosine, sine, distance - tall, distance + tall
        fans[4, i] = 0.5 * swings[i, WIDTHS + 2]


@kernel
def into_frames(frames, points, out):
    """Write points (n, 3) as seen in frames (n, 9) with rows A, K, U about the same origin, out (n, 3)."""
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        out[i, 0] = frames[i, 0] * x + frames[i, 1] * y + frames[i, 2] * z
        out[i, 1] = frames[i, 3] * x + frames[i, 4] * y + frames[i, 5] * z
        out[i, 2] = frames[i, 6] * x + frames[i, 7] * y + frames[i, 8] * z


@kernel
def spheres_on_boxes(boxes, centers, radii, out):
    """Write whether spheres (n, 3), (n,) meet the boxes (n, 6): low 3, high 3, sphere i box i."""
    sides, places = boxes.reshape(-1), centers.reshape(-1)
    for i in range(len(out)):
        b, c = 6 * i, 3 * i
        x = max(max(sides[b] - places[c], places[c] - sides[b + 3]), 0.0)
        y = max(max(sides[b + 1] - places[c + 1], places[c + 1] - sides[b + 4]), 0.0)
        z = max(max(sides[b + 2] - places[c + 2], places[c + 2] - sides[b + 5]), 0.0)
        out[i] = x * x + y * y + z * z <= radii[i] * radii[i]
