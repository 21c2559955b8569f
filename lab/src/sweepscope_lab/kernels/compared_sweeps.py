"""Spheres and points against the substitutes of other methods for a moving box: a box, a capsule, a straight sweep, poses.

A point is a sphere of radius 0. Each test compares the distance from the sphere's center with its radius, widened by a
tolerance [length] against rounding.
"""

import math

from ._jit import inline, kernel


@inline
def _beyond(value, half):
    """Return how far a coordinate is outside -half..half."""
    return max(abs(value) - half, 0.0)


@kernel
def spheres_on_box(low, high, centers, radii, tolerance, out):
    """Write whether spheres (n, 3), (n,) meet the box between corners low and high (3,)."""
    x0, y0, z0, x1, y1, z1 = low[0], low[1], low[2], high[0], high[1], high[2]
    # Read as one line of numbers, and with maxima of two: LLVM then works on several spheres at a time.
    flat = centers.reshape(-1)
    for i in range(len(out)):
        k = 3 * i
        x = max(max(x0 - flat[k], flat[k] - x1), 0.0)
        y = max(max(y0 - flat[k + 1], flat[k + 1] - y1), 0.0)
        z = max(max(z0 - flat[k + 2], flat[k + 2] - z1), 0.0)
        reach = radii[i] + tolerance
        out[i] = x * x + y * y + z * z <= reach * reach


@kernel
def spheres_on_capsule(p0, p1, radius, centers, radii, tolerance, out):
    """Write whether spheres (n, 3), (n,) meet the capsule from p0 to p1 (3,)."""
    x0, y0, z0 = p0[0], p0[1], p0[2]
    px, py, pz = p1[0] - x0, p1[1] - y0, p1[2] - z0
    square = px * px + py * py + pz * pz
    inverse = 1.0 / square if square > 0.0 else 0.0
    for i in range(len(out)):
        x, y, z = centers[i, 0] - x0, centers[i, 1] - y0, centers[i, 2] - z0
        t = min(max((x * px + y * py + z * pz) * inverse, 0.0), 1.0)
        x, y, z = x - t * px, y - t * py, z - t * pz
        reach = radius + radii[i] + tolerance
        out[i] = x * x + y * y + z * z <= reach * reach


@inline
def _slope(t, x, y, z, vx, vy, vz, hx, hy, hz):
    """Return half the derivative by t of the squared distance from (x, y, z) - t v to the box of half sizes h."""
    px, py, pz = x - t * vx, y - t * vy, z - t * vz
    return (
        -vx * math.copysign(_beyond(px, hx), px)
        - vy * math.copysign(_beyond(py, hy), py)
        - vz * math.copysign(_beyond(pz, hz), pz)
    )


@inline
def _part(low, high, t, x, y, z, vx, vy, vz, hx, hy, hz):
    """Return the part of [low, high], cut at t, that contains the zero of the growing slope."""
    if not (low < t and t < high):
        return low, high
    return (t, high) if _slope(t, x, y, z, vx, vy, vz, hx, hy, hz) < 0.0 else (low, t)


@kernel
def spheres_on_straight(frame, half, vector, centers, radii, tolerance, out):
    """Write whether spheres (n, 3), (n,) meet a box that moves by `vector` (3,), given in its own frame, without turning.

    frame (3, 4): from the world into the box's frame; half (3,): half sizes. The squared distance is convex along the path.
    Its slope is linear between the moments at which the center crosses the plane of a side. Those narrow the path down, and
    one step remains.
    """
    hx, hy, hz = half[0], half[1], half[2]
    vx, vy, vz = vector[0], vector[1], vector[2]
    for i in range(len(out)):
        cx, cy, cz = centers[i, 0], centers[i, 1], centers[i, 2]
        x = frame[0, 0] * cx + frame[0, 1] * cy + frame[0, 2] * cz + frame[0, 3]
        y = frame[1, 0] * cx + frame[1, 1] * cy + frame[1, 2] * cz + frame[1, 3]
        z = frame[2, 0] * cx + frame[2, 1] * cy + frame[2, 2] * cz + frame[2, 3]
        low, high = 0.0, 1.0
        if vx != 0.0:
            low, high = _part(low, high, (x - hx) / vx, x, y, z, vx, vy, vz, hx, hy, hz)
            low, high = _part(low, high, (x + hx) / vx, x, y, z, vx, vy, vz, hx, hy, hz)
        if vy != 0.0:
            low, high = _part(low, high, (y - hy) / vy, x, y, z, vx, vy, vz, hx, hy, hz)
            low, high = _part(low, high, (y + hy) / vy, x, y, z, vx, vy, vz, hx, hy, hz)
        if vz != 0.0:
            low, high = _part(low, high, (z - hz) / vz, x, y, z, vx, vy, vz, hx, hy, hz)
            low, high = _part(low, high, (z + hz) / vz, x, y, z, vx, vy, vz, hx, hy, hz)
        falls = _slope(low, x, y, z, vx, vy, vz, hx, hy, hz)
        rises = _slope(high, x, y, z, vx, vy, vz, hx, hy, hz)
        if falls >= 0.0:
            t = low
        elif rises <= 0.0:
            t = high
        else:
            t = low - falls * (high - low) / (rises - falls)
        px, py, pz = _beyond(x - t * vx, hx), _beyond(y - t * vy, hy), _beyond(z - t * vz, hz)
        reach = radii[i] + tolerance
        out[i] = px * px + py * py + pz * pz <= reach * reach


@kernel
def spheres_on_poses(frame, axis, half, cosines, sines, centers, radii, tolerance, out):
    """Write whether spheres (n, 3), (n,), relative to a point on the axis, meet a box at one of several poses about the axis.

    frame (3, 4): into the box's frame at its start; half (3,): half sizes; cosines, sines (m,): of the poses' angles. The
    center is turned back instead of the box, and tested against a box enlarged by the tolerance.
    """
    hx, hy, hz = half[0] + tolerance, half[1] + tolerance, half[2] + tolerance
    ux, uy, uz = axis[0], axis[1], axis[2]
    for i in range(len(out)):
        x, y, z = centers[i, 0], centers[i, 1], centers[i, 2]
        along = ux * x + uy * y + uz * z
        # A point turned back by t: its part along the axis + cos t * (the rest) - sin t * (axis x point).
        lx, ly, lz = along * ux, along * uy, along * uz
        px, py, pz = x - lx, y - ly, z - lz
        qx, qy, qz = uz * y - uy * z, ux * z - uz * x, uy * x - ux * y
        ax = frame[0, 0] * lx + frame[0, 1] * ly + frame[0, 2] * lz + frame[0, 3]
        ay = frame[1, 0] * lx + frame[1, 1] * ly + frame[1, 2] * lz + frame[1, 3]
        az = frame[2, 0] * lx + frame[2, 1] * ly + frame[2, 2] * lz + frame[2, 3]
        bx = frame[0, 0] * px + frame[0, 1] * py + frame[0, 2] * pz
        by = frame[1, 0] * px + frame[1, 1] * py + frame[1, 2] * pz
        bz = frame[2, 0] * px + frame[2, 1] * py + frame[2, 2] * pz
        cx = frame[0, 0] * qx + frame[0, 1] * qy + frame[0, 2] * qz
        cy = frame[1, 0] * qx + frame[1, 1] * qy + frame[1, 2] * qz
        cz = frame[2, 0] * qx + frame[2, 1] * qy + frame[2, 2] * qz
        reach_sq = radii[i] * radii[i]
        met = False
        for k in range(len(cosines)):
            cosine, sine = cosines[k], sines[k]
            dx = _beyond(ax + cosine * bx + sine * cx, hx)
            dy = _beyond(ay + cosine * by + sine * cy, hy)
            dz = _beyond(az + cosine * bz + sine * cz, hz)
            if dx * dx + dy * dy + dz * dz <= reach_sq:
                met = True
                break
        out[i] = met
