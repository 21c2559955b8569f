"""Which bodies a mover may meet: by their world boxes, and by the groups and pairs that ignore each other."""

from .. import layout as at
from .._jit import inline
from ..base.hierarchy import near_bodies


@inline
def meets(boxes, b, box, wide):
    """True if body b's world box meets a box."""
    lo = at.WORLD_LOW
    hi = at.WORLD_HIGH
    if boxes[lo, b] > box[3] + wide or boxes[hi, b] < box[0] - wide:
        return False
    if boxes[lo + 1, b] > box[4] + wide or boxes[hi + 1, b] < box[1] - wide:
        return False
    return boxes[lo + 2, b] <= box[5] + wide and boxes[hi + 2, b] >= box[2] - wide


@inline
def box_of(boxes, b):
    """Return body b's world box."""
    return boxes[0, b], boxes[1, b], boxes[2, b], boxes[3, b], boxes[4, b], boxes[5, b]


@inline
def bodies_reached(world, movers, chart, motion, travel, box, wide, only, found):
    """List the body rows of all bodies that the motion may reach, without the movers, in order; return how many.

    -1: they are more than `found` holds. box: of the movers. wide: how far boxes are widened. only: the only body row that
    counts; -1: all count.
    """
    swept = chart.swept(motion, travel, box)
    swept = (swept[0] - wide, swept[1] - wide, swept[2] - wide, swept[3] + wide, swept[4] + wide, swept[5] + wide)
    if only < 0:
        near = near_bodies(world.nodes, world.ints, world.boxes, world.rows, swept, found)
    else:
        near = 1 if meets(world.boxes, only, swept, 0.0) else 0
    if near > len(found):
        return -1
    if only >= 0 and near == 1:
        found[0] = only
    moving = len(movers.rows)
    count = 0
    for i in range(near):
        b = found[i]
        # The common box of one mover is its own box.
        reached = moving == 1
        for k in range(moving if moving > 1 else 0):
            reached = reached or meets(world.boxes, b, chart.swept(motion, travel, box_of(movers.boxes, k)), wide)
        for k in range(moving):
            reached = reached and movers.rows[k] != b
        if reached:
            found[count] = b
            count += 1
    return count


@inline
def may_meet(body_ints, ignored_pairs, mover, other):
    if (body_ints[mover, at.IGNORES] >> body_ints[other, at.GROUP]) & 1:
        return False
    free = False
    for k in range(len(ignored_pairs)):
        free = free or (ignored_pairs[k, 1] == other and (ignored_pairs[k, 0] == mover or ignored_pairs[k, 0] < 0))
    return not free
