"""Many tests of fans in one call: one fan against many things.

Points and balls are tested without a branch and read from flat arrays, three numbers each: LLVM then works on eight at a time.
NaN answers no to every comparison. The loops therefore also return whether all numbers were sound, and the caller finds the bad
one.
"""

import numpy as np

from .._jit import kernel
from ..tolerances import ARC_PIECES, GRAIN
from .fan import apart_sq, fan_of, frame_of, meets_capsule_3d, slack_of, to_frame
from .sector import holds, meets_rectangle


@kernel
def points(numbers, places, first, last, most, out):
    """Write which of places (n, 3) are in the fan. Return whether all are finite and at most `most` in size."""
    flat, out = places[first:last].reshape(-1), out[first:last]
    frame = frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    tall = h + slack
    bad = 0
    for i in range(len(out)):
        x, y, z = to_frame(frame, flat[3 * i], flat[3 * i + 1], flat[3 * i + 2])
        bad += 0 if abs(x) + abs(y) + abs(z) <= most else 1
        out[i] = (abs(z) <= tall) & holds(sector, x, y, slack)
    return bad == 0


@kernel
def spheres(numbers, places, radii, first, last, most, out):
    """Write which balls about places (n, 3) with radii (n,) meet the fan. Return whether all are sound."""
    flat, radii, out = places[first:last].reshape(-1), radii[first:last], out[first:last]
    frame = frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    bad = 0
    for i in range(len(out)):
        x, y, z = to_frame(frame, flat[3 * i], flat[3 * i + 1], flat[3 * i + 2])
        radius = radii[i]
        bad += 0 if (abs(x) + abs(y) + abs(z) + radius <= most) & (radius >= 0.0) else 1
        reach = radius + slack + GRAIN * radius
        out[i] = apart_sq(sector, h, x, y, z) <= reach * reach
    return bad == 0


@kernel
def capsules(numbers, starts, ends, radii, first, last, most, out):
    """Write which capsules from starts to ends (n, 3) with radii (n,) meet the fan. Return whether all are sound."""
    starts, ends, radii, out = starts[first:last], ends[first:last], radii[first:last], out[first:last]
    frame = frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    stack = np.empty((ARC_PIECES, 2))
    bad = 0
    for i in range(len(out)):
        px, py, pz = to_frame(frame, starts[i, 0], starts[i, 1], starts[i, 2])
        qx, qy, qz = to_frame(frame, ends[i, 0], ends[i, 1], ends[i, 2])
        radius = radii[i]
        size = abs(px) + abs(py) + abs(pz) + abs(qx) + abs(qy) + abs(qz) + radius
        bad += 0 if (size <= most) & (radius >= 0.0) else 1
        reach = radius + slack + GRAIN * size
        out[i] = meets_capsule_3d(sector, h, px, py, pz, qx, qy, qz, reach, stack)
    return bad == 0


@kernel
def rectangles(numbers, centers, sizes, cos, sin, first, last, most, out):
    """Write which rectangles of the xy plane meet the fan, which lies in that plane. Return whether all are sound.

    cos, sin: of their directions.
    """
    places, widths = centers[first:last].reshape(-1), sizes[first:last].reshape(-1)
    cos, sin, out = cos[first:last], sin[first:last], out[first:last]
    frame = frame_of(numbers)
    sector, _ = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    slack = slack_of(numbers)
    bad = 0
    for i in range(len(out)):
        x, y, _ = to_frame(frame, places[2 * i], places[2 * i + 1], frame[2])
        a, b = 0.5 * widths[2 * i], 0.5 * widths[2 * i + 1]
        size = abs(x) + abs(y) + a + b
        bad += 0 if (size <= most) & (a >= 0.0) & (b >= 0.0) else 1
        ux, uy = frame[3] * cos[i] + frame[4] * sin[i], frame[6] * cos[i] + frame[7] * sin[i]
        out[i] = meets_rectangle(sector, x, y, a, b, ux, uy, slack + GRAIN * size)
    return bad == 0
