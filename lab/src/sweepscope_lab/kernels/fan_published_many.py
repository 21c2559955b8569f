"""The thesis' tests (`fan_published`) in loops: many fans, each in its own frame, against one thing each; one fan against many.

Fans in pairs are columns (cos, sin, r, R, h), shape (5, n). One fan is a row of 16 numbers, see `sweepscope.fan.fan`;
things are brought into its frame first (2.3). What comes nearer than FAN_TOUCH of the fan's size touches.
"""

from sweepscope.kernels.fan.fan import fan_of, frame_of, slack_of, to_frame
from sweepscope.kernels.tolerances import FAN_TOUCH, GRAIN

from ._jit import kernel
from .fan_published import (
    capsule_by_ranges,
    capsule_of_plane,
    published_capsule,
    published_capsule_2d,
    published_circle,
    published_point,
    published_rectangle,
    published_rectangle_rejecting,
    published_sphere,
)


@kernel
def pairs_points(fans, places, out):
    """Test fans (5, n) against places (n, 3)."""
    cos, sin, inner, outer, thick = fans[0], fans[1], fans[2], fans[3], fans[4]
    flat = places.reshape(-1)
    for i in range(len(out)):
        sector, h = (cos[i], sin[i], inner[i], outer[i]), thick[i]
        slack = FAN_TOUCH * (outer[i] + h)
        out[i] = (abs(flat[3 * i + 2]) <= h + slack) & published_point(sector, flat[3 * i], flat[3 * i + 1], slack)


@kernel
def pairs_circles(fans, centers, radii, out):
    """Test fans (5, n) against circles of the plane: centers (n, 2), radii (n,)."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    flat = centers.reshape(-1)
    for i in range(len(out)):
        sector = (cos[i], sin[i], inner[i], outer[i])
        out[i] = published_circle(sector, flat[2 * i], flat[2 * i + 1], radii[i] + FAN_TOUCH * outer[i])


@kernel
def pairs_spheres(fans, centers, radii, out):
    """Test fans (5, n) against balls: centers (n, 3), radii (n,)."""
    cos, sin, inner, outer, thick = fans[0], fans[1], fans[2], fans[3], fans[4]
    flat = centers.reshape(-1)
    for i in range(len(out)):
        sector, h = (cos[i], sin[i], inner[i], outer[i]), thick[i]
        reach = radii[i] + FAN_TOUCH * (outer[i] + h)
        out[i] = published_sphere(sector, h, flat[3 * i], flat[3 * i + 1], flat[3 * i + 2], reach)


@kernel
def pairs_rectangles(fans, centers, sizes, directions, out):
    """Test fans (5, n) against rectangles of the plane: centers (n, 2), full widths (n, 2), unit directions (n, 2)."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    places, widths, turns = centers.reshape(-1), sizes.reshape(-1), directions.reshape(-1)
    for i in range(len(out)):
        k, sector = 2 * i, (cos[i], sin[i], inner[i], outer[i])
        x, y, a, b, ux, uy = places[k], places[k + 1], 0.5 * widths[k], 0.5 * widths[k + 1], turns[k], turns[k + 1]
        out[i] = published_rectangle(sector, x, y, a, b, ux, uy, FAN_TOUCH * outer[i])


@kernel
def pairs_rectangles_rejecting(fans, centers, sizes, directions, out):
    """Test the same, without crossings beyond the ends of a side (`fan_published`)."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    places, widths, turns = centers.reshape(-1), sizes.reshape(-1), directions.reshape(-1)
    for i in range(len(out)):
        k, sector = 2 * i, (cos[i], sin[i], inner[i], outer[i])
        x, y, a, b, ux, uy = places[k], places[k + 1], 0.5 * widths[k], 0.5 * widths[k + 1], turns[k], turns[k + 1]
        out[i] = published_rectangle_rejecting(sector, x, y, a, b, ux, uy, FAN_TOUCH * outer[i])


@kernel
def pairs_capsules_2d(fans, starts, ends, radii, out):
    """Test fans (5, n) against capsules of the plane: starts, ends (n, 2), radii (n,)."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    for i in range(len(out)):
        sector = (cos[i], sin[i], inner[i], outer[i])
        reach = radii[i] + FAN_TOUCH * outer[i]
        out[i] = published_capsule_2d(sector, starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1], reach)


@kernel
def pairs_capsules_2d_by_ranges(fans, starts, ends, radii, out):
    """Write which of these are decided before the distances of 2.9.5 are needed."""
    cos, sin, inner, outer = fans[0], fans[1], fans[2], fans[3]
    for i in range(len(out)):
        sector = (cos[i], sin[i], inner[i], outer[i])
        reach = radii[i] + FAN_TOUCH * outer[i]
        out[i] = capsule_by_ranges(sector, starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1], reach)


@kernel
def pairs_capsules(fans, starts, ends, radii, out):
    """Test fans (5, n) against capsules: starts, ends (n, 3), radii (n,)."""
    cos, sin, inner, outer, thick = fans[0], fans[1], fans[2], fans[3], fans[4]
    for i in range(len(out)):
        sector, h = (cos[i], sin[i], inner[i], outer[i]), thick[i]
        reach = radii[i] + FAN_TOUCH * (outer[i] + h)
        px, py, pz, qx, qy, qz = starts[i, 0], starts[i, 1], starts[i, 2], ends[i, 0], ends[i, 1], ends[i, 2]
        out[i] = published_capsule(sector, h, px, py, pz, qx, qy, qz, reach)


@kernel
def points(numbers, places, out):
    """Write which of places (n, 3) are in the fan."""
    flat, frame = places.reshape(-1), frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    for i in range(len(out)):
        x, y, z = to_frame(frame, flat[3 * i], flat[3 * i + 1], flat[3 * i + 2])
        out[i] = (abs(z) <= h + slack) & published_point(sector, x, y, slack)


@kernel
def spheres(numbers, places, radii, out):
    """Write which balls about places (n, 3) with radii (n,) meet the fan."""
    flat, frame = places.reshape(-1), frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    for i in range(len(out)):
        x, y, z = to_frame(frame, flat[3 * i], flat[3 * i + 1], flat[3 * i + 2])
        out[i] = published_sphere(sector, h, x, y, z, radii[i] + slack + GRAIN * radii[i])


@kernel
def capsules(numbers, starts, ends, radii, out):
    """Write which capsules from starts to ends (n, 3) with radii (n,) meet the fan."""
    frame = frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    for i in range(len(out)):
        px, py, pz = to_frame(frame, starts[i, 0], starts[i, 1], starts[i, 2])
        qx, qy, qz = to_frame(frame, ends[i, 0], ends[i, 1], ends[i, 2])
        size = abs(px) + abs(py) + abs(pz) + abs(qx) + abs(qy) + abs(qz) + radii[i]
        out[i] = published_capsule(sector, h, px, py, pz, qx, qy, qz, radii[i] + slack + GRAIN * size)


@kernel
def capsules_of_plane(half_thickness, starts, ends, radii, out):
    """Write the capsules of the plane by which the thesis replaces capsules in the fan's frame (2.7), out (n, 5): ends, radius.

    Those that do not reach the slab get a radius of -1.
    """
    h = half_thickness
    for i in range(len(out)):
        px, py, pz, qx, qy, qz = starts[i, 0], starts[i, 1], starts[i, 2], ends[i, 0], ends[i, 1], ends[i, 2]
        if pz < qz:
            px, py, pz, qx, qy, qz = qx, qy, qz, px, py, pz
        if pz + radii[i] < -h or qz - radii[i] > h:
            out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4] = px, py, qx, qy, -1.0
        else:
            ax, ay, bx, by, wide = capsule_of_plane(h, px, py, pz, qx, qy, qz, radii[i])
            out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4] = ax, ay, bx, by, wide


@kernel
def rectangles(numbers, centers, sizes, cos, sin, out):
    """Write which rectangles of the xy plane meet the fan, which lies in that plane: centers, full widths (n, 2)."""
    places, widths, frame = centers.reshape(-1), sizes.reshape(-1), frame_of(numbers)
    sector, _ = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    for i in range(len(out)):
        x, y, _ = to_frame(frame, places[2 * i], places[2 * i + 1], frame[2])
        a, b = 0.5 * widths[2 * i], 0.5 * widths[2 * i + 1]
        ux, uy = frame[3] * cos[i] + frame[4] * sin[i], frame[6] * cos[i] + frame[7] * sin[i]
        out[i] = published_rectangle(sector, x, y, a, b, ux, uy, slack + GRAIN * (abs(x) + abs(y) + a + b))
