"""Movers of one question: where each starts."""

from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import inline
from .._memory import INDICES, REALS
from ..base.bodies import finalize_pose, put_pose

Array = np.ndarray[Any, Any]


class Movers(NamedTuple):
    """The bodies that move as one, in a scratch: the world itself stays as it is."""

    rows: Array  # their body rows
    shapes: Array
    poses: Array  # (movers, POSE)
    boxes: Array  # (6, movers)


@inline
def movers_scratch(count):
    """Return how much scratch movers take."""
    return count * (at.POSE + 7)


@inline
def new_movers(rows, scratch, used):
    """Return movers whose places are not written yet."""
    count = len(rows)
    poses = REALS(scratch, used + count, count, at.POSE)
    return Movers(rows, INDICES(scratch, used, count), poses, REALS(scratch, used + count * (1 + at.POSE), 6, count))


@inline
def movers_at_home(body_ints, all_poses, all_boxes, rows, scratch, used):
    """Return movers where they are in the world."""
    movers = new_movers(rows, scratch, used)
    for k in range(len(rows)):
        b = rows[k]
        movers.shapes[k] = body_ints[b, at.SHAPE]
        for c in range(at.POSE):
            movers.poses[k, c] = all_poses[b, c]
        for c in range(6):
            movers.boxes[c, k] = all_boxes[c, b]
    return movers


@inline
def put_movers(reals, home, movers, pose):
    """Place movers: the first at a pose (4, 4), the others relative to it as they are at home."""
    first = movers.rows[0]
    put_pose(movers.poses, movers.boxes, 0, reals, movers.shapes[0], pose)
    for k in range(1, len(movers.rows)):
        m = movers.rows[k]
        for r in range(3):
            x = 0.0
            y = 0.0
            z = 0.0
            for c in range(3):
                x += pose[r, c] * home[first, c]
                y += pose[r, c] * home[first, 3 + c]
                z += pose[r, c] * home[first, 6 + c]
            for c in range(3):
                movers.poses[k, 3 * r + c] = x * home[m, c] + y * home[m, 3 + c] + z * home[m, 6 + c]
            far = x * (home[m, at.PLACE] - home[first, at.PLACE])
            far += y * (home[m, at.PLACE + 1] - home[first, at.PLACE + 1])
            far += z * (home[m, at.PLACE + 2] - home[first, at.PLACE + 2])
            movers.poses[k, at.PLACE + r] = pose[r, 3] + far
        finalize_pose(movers.poses, movers.boxes, k, reals, movers.shapes[k])
