"""Which bodies a mover may meet: by their world boxes, and by the groups and pairs that ignore each other."""

from .. import layout as at
from .._jit import inline
from .._memory import INDICES, MARKS


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
def _mark(boxes, bodies, box, wide, near):
    """Mark in `near` the bodies whose world box meets a box."""
    x0 = box[0] - wide
    y0 = box[1] - wide
    z0 = box[2] - wide
    x1 = box[3] + wide
    y1 = box[4] + wide
    z1 = box[5] + wide
    # No branches: the compiler tests several bodies at once.
    for b in range(bodies):
        near[b] = (
            (boxes[at.WORLD_LOW, b] <= x1)
            & (boxes[at.WORLD_HIGH, b] >= x0)
            & (boxes[at.WORLD_LOW + 1, b] <= y1)
            & (boxes[at.WORLD_HIGH + 1, b] >= y0)
            & (boxes[at.WORLD_LOW + 2, b] <= z1)
            & (boxes[at.WORLD_HIGH + 2, b] >= z0)
        )


@inline
def bodies_near(world, movers, chart, motion, travel, box, wide, scratch, used):
    """Write the body rows of all bodies that the motion may reach to the scratch, without the movers, in order.

    Return how many; -1 if the scratch is too small. box: of the movers. wide: how far boxes are widened.
    """
    bodies = world.rows
    end = len(scratch) - (bodies + 7) // 8
    if used > end:
        return -1
    marks = MARKS(scratch, end, bodies)
    found = INDICES(scratch, used, end - used)
    several = len(movers.rows) > 1
    _mark(world.boxes, bodies, chart.swept(motion, travel, box), wide, marks)
    for m in movers.rows:
        marks[m] = 0
    count = 0
    for b in range(bodies):
        if marks[b]:
            # The common box of one mover is its own box.
            near = not several
            for k in range(len(movers.rows) if several else 0):
                near = near or meets(world.boxes, b, chart.swept(motion, travel, box_of(movers.boxes, k)), wide)
            if near:
                if count == len(found):
                    return -1
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
