"""Cylindrical coordinates about an axis: radius, height and angle of points, and the arc that holds a face.

A view about an axis begins with a point of the axis and a frame; `place_about` transforms a body into that frame.
"""

import math

from .. import layout as at
from .._jit import inline

TURN = 2.0 * math.pi

# First columns of a view about an axis.
ABOUT = 0  # 3 columns: a point of the axis, world
FRAME = 3  # 9 columns: unit vectors x, y and, along the axis, z


@inline
def wrapped(angle):
    """Return the angle in 0 .. 2 pi."""
    angle -= TURN * math.floor(angle / TURN)
    return angle if 0.0 <= angle < TURN else 0.0


@inline
def distance_to_axis(a, b):
    """Return how near the segment from a to b comes to the axis."""
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    dd = dx * dx + dy * dy
    t = min(max(-(a[0] * dx + a[1] * dy) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    return math.sqrt((a[0] + t * dx) ** 2 + (a[1] + t * dy) ** 2)


@inline
def place_about(view, poses, b, place):
    """Write the matrix (9) and offset (3) that transform body b's local points into the chart."""
    x = (poses[b, at.POSITION] - view[ABOUT]) + poses[b, at.POSITION_REST]
    y = (poses[b, at.POSITION + 1] - view[ABOUT + 1]) + poses[b, at.POSITION_REST + 1]
    z = (poses[b, at.POSITION + 2] - view[ABOUT + 2]) + poses[b, at.POSITION_REST + 2]
    for r in range(3):
        fx = view[FRAME + 3 * r]
        fy = view[FRAME + 3 * r + 1]
        fz = view[FRAME + 3 * r + 2]
        for c in range(3):
            place[3 * r + c] = fx * poses[b, c] + fy * poses[b, 3 + c] + fz * poses[b, 6 + c]
        place[9 + r] = fx * x + fy * y + fz * z


@inline
def placed(place, x, y, z):
    """Return a local point in the chart."""
    return (
        place[0] * x + place[1] * y + place[2] * z + place[9],
        place[3] * x + place[4] * y + place[5] * z + place[10],
        place[6] * x + place[7] * y + place[8] * z + place[11],
    )


@inline
def arc_of(a, b, c, r):
    """Return the arc that holds a face, thickened by r: its begin, its width, and its least distance from the axis.

    The arc is the whole circle if the face contains the axis.
    """
    near = min(distance_to_axis(a, b), min(distance_to_axis(b, c), distance_to_axis(c, a)))
    ab = a[0] * b[1] - a[1] * b[0]
    bc = b[0] * c[1] - b[1] * c[0]
    ca = c[0] * a[1] - c[1] * a[0]
    if near <= r or min(ab, min(bc, ca)) > 0.0 or max(ab, max(bc, ca)) < 0.0:
        return 0.0, TURN, 0.0
    # The axis is outside, so the other corners are less than half a turn away from the first.
    to_b = math.atan2(ab, a[0] * b[0] + a[1] * b[1])
    to_c = math.atan2(-ca, a[0] * c[0] + a[1] * c[1])
    a_half = b_half = c_half = 0.0
    if r > 0.0:
        a_half = math.asin(r / math.hypot(a[0], a[1]))
        b_half = math.asin(r / math.hypot(b[0], b[1]))
        c_half = math.asin(r / math.hypot(c[0], c[1]))
    low = min(-a_half, min(to_b - b_half, to_c - c_half))
    high = max(a_half, max(to_b + b_half, to_c + c_half))
    return math.atan2(a[1], a[0]) + low, high - low, near - r
