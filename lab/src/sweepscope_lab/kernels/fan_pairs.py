"""Many fans, each in its own frame, against one thing each: the pairs of the paper's tables of speed."""

import numpy as np

from sweepscope.kernels.fan.fan import apart_sq, meets_capsule_3d
from sweepscope.kernels.fan.sector import distance_sq, holds, meets_capsule, meets_rectangle
from sweepscope.kernels.tolerances import ARC_PIECES, FAN_TOUCH

from ._jit import kernel


@kernel
def pairs_points(fans, places, out):
    """Test fans (5, n) against places (n, 3)."""
    cos, sin, inner, outer, thick = fans[0], fans[1], fans[2], fans[3], fans[4]
    flat = places.reshape(-1)
    for i in range(len(out)):
        sector, h = (cos[i], sin[i], inner[i], outer[i]), thick[i]
        slack = FAN_TOUCH * (outer[i] + h)
        out[i] = (abs(flat[3 * i + 2]) <= h + slack) & holds(sector, flat[3 * i], flat[3 * i + 1], slack)


@kernel
def pairs_circles(fans, centers, radii, out):
    """Test fans (5, n) against circles of the plane: centers (n, 2), radii (n,)."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    flat = centers.reshape(-1)
    for i in range(len(out)):
        sector = (cos[i], sin[i], inner[i], outer[i])
        reach = radii[i] + FAN_TOUCH * outer[i]
        out[i] = distance_sq(sector, flat[2 * i], flat[2 * i + 1]) <= reach * reach


@kernel
def pairs_spheres(fans, centers, radii, out):
    """Test fans (5, n) against balls: centers (n, 3), radii (n,)."""
    cos, sin, inner, outer, thick = fans[0], fans[1], fans[2], fans[3], fans[4]
    flat = centers.reshape(-1)
    for i in range(len(out)):
        sector, h = (cos[i], sin[i], inner[i], outer[i]), thick[i]
        reach = radii[i] + FAN_TOUCH * (outer[i] + h)
        out[i] = apart_sq(sector, h, flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]) <= reach * reach


@kernel
def pairs_rectangles(fans, centers, sizes, directions, out):
    """Test fans (5, n) against rectangles of the plane: centers (n, 2), full widths (n, 2), unit directions (n, 2)."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    places, widths, turns = centers.reshape(-1), sizes.reshape(-1), directions.reshape(-1)
    for i in range(len(out)):
        k, sector = 2 * i, (cos[i], sin[i], inner[i], outer[i])
        x, y, a, b, ux, uy = places[k], places[k + 1], 0.5 * widths[k], 0.5 * widths[k + 1], turns[k], turns[k + 1]
        out[i] = meets_rectangle(sector, x, y, a, b, ux, uy, FAN_TOUCH * outer[i])


@kernel
def pairs_capsules_2d(fans, starts, ends, radii, out):
    """Test fans (5, n) against capsules of the plane: starts, ends (n, 2), radii (n,)."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    for i in range(len(out)):
        sector = (cos[i], sin[i], inner[i], outer[i])
        reach = radii[i] + FAN_TOUCH * outer[i]
        out[i] = meets_capsule(sector, starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1], reach)


@kernel
def pairs_capsules(fans, starts, ends, radii, out):
    """Test fans (5, n) against capsules: starts, ends (n, 3), radii (n,)."""
    cos, sin, inner, outer, thick = fans[0], fans[1], fans[2], fans[3], fans[4]
    stack = np.empty((ARC_PIECES, 2))
    for i in range(len(out)):
        sector, h = (cos[i], sin[i], inner[i], outer[i]), thick[i]
        reach = radii[i] + FAN_TOUCH * (outer[i] + h)
        px, py, pz, qx, qy, qz = starts[i, 0], starts[i, 1], starts[i, 2], ends[i, 0], ends[i, 1], ends[i, 2]
        out[i] = meets_capsule_3d(sector, h, px, py, pz, qx, qy, qz, reach, stack)
