"""Poses and boxes of bodies and shapes, written into the scene's arrays."""

import math

from .. import layout as at
from .._jit import inline, kernel, once
from ..tolerances import contact_tolerance
from .blocks import refit
from .boxes import EMPTY, include

INF = math.inf

touch_of = inline(contact_tolerance)


@kernel
def extent(points, largest):
    """Return (low 3, high 3, sound): the box of points (n, 3), and whether all are finite and at most `largest` in size."""
    box = EMPTY
    sound = True
    for i in range(len(points)):
        x = points[i, 0]
        y = points[i, 1]
        z = points[i, 2]
        # NaN compares false, so it is not sound.
        sound = sound and abs(x) <= largest and abs(y) <= largest and abs(z) <= largest
        box = include(box, x, y, z)
    return box[:3], box[3:], sound


@kernel
def put_vertices(given, out, v0, centre):
    """Copy vertices, less the centre, to out[v0:]."""
    cx = centre[0]
    cy = centre[1]
    cz = centre[2]
    for i in range(len(given)):
        out[v0 + i, 0] = given[i, 0] - cx
        out[v0 + i, 1] = given[i, 1] - cy
        out[v0 + i, 2] = given[i, 2] - cz


@inline
def _exact_product(a, b):
    """Return a * b and its rounding error (Dekker 1971)."""
    product = a * b
    t = 134217729.0 * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = 134217729.0 * b
    b_high = t - (t - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@inline
def _exact_sum(a, b):
    """Return a + b and its rounding error (Knuth)."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


@kernel
def put_body(poses, boxes, b, shape_reals, s, pose):
    """Write body b's rotation, the position of its shape's centre, and its world box. An empty shape has an empty box.

    The position is stored with its rounding error, so that bodies far from the origin lose no digits.
    """
    empty = shape_reals[s, at.BOX_LOW] > shape_reals[s, at.BOX_HIGH]
    for r in range(3):
        middle = pose[r, 3]
        rest = 0.0
        half = shape_reals[s, at.RADIUS]
        for c in range(3):
            poses[b, at.ROTATION + 3 * r + c] = pose[r, c]
            product, lost = _exact_product(pose[r, c], shape_reals[s, at.CENTRE + c])
            middle, lost_too = _exact_sum(middle, product)
            rest += lost + lost_too
        poses[b, at.POSITION + r] = middle
        poses[b, at.POSITION_REST + r] = rest
        for c in range(3):
            low = shape_reals[s, at.BOX_LOW + c]
            high = shape_reals[s, at.BOX_HIGH + c]
            middle += pose[r, c] * (0.5 * low + 0.5 * high)
            half += abs(pose[r, c]) * (0.5 * high - 0.5 * low)
        boxes[at.WORLD_LOW + r, b] = INF if empty else middle - half
        boxes[at.WORLD_HIGH + r, b] = -INF if empty else middle + half


@once
def refit_shape(geometry, s):
    """Bring the boxes of shape s up to date with its vertices."""
    ints = geometry.shape_ints
    refit(
        geometry.vertices,
        ints[s, at.VERTEX],
        geometry.block_vertices,
        ints[s, at.LISTED],
        geometry.starts,
        ints[s, at.START],
        geometry.nodes,
        ints[s, at.NODE],
        ints[s, at.OFFSET :],
        ints[s, at.LEVELS],
    )
    ints[s, at.DIRTY] = 0
