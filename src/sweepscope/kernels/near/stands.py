"""Whether movers overlap other bodies at many poses, and which. Nothing but the answers changes.

Movers are placed in the scratch, bodies whose world boxes meet theirs are found by the hierarchy, and each pair is decided by
`overlap_of`, in the order of body rows; the first that overlaps is the answer.

Degenerate cases: bodies without faces, and removed ones, have empty boxes and are never met. Error: that of `overlap_of`.
"""

from .. import layout as at
from .._jit import inline, kernel
from .._memory import INDICES
from ..base.bodies import touch_of
from ..base.boxes import EMPTY, include
from ..base.geometry import geometry_at
from ..base.hierarchy import near_bodies
from ..base.walk import FULL
from ..contact.case import two_poses
from ..statuses import FREE
from ..sweep.movers import movers_at_home, movers_scratch, put_movers
from ..sweep.reached import box_of, may_meet, meets
from ..tolerances import GRAIN
from .overlap import diagonal_of, overlap_of

_MISS = -1  # else the mover that overlaps
_FULL = -2


@inline
def _frame(geometry, movers, margin, tolerance):
    """Return (common box of the movers, tolerance of the largest); the box is empty if none has faces."""
    box = EMPTY
    size = 0.0
    for k in range(len(movers.rows)):
        if movers.boxes[at.WORLD_LOW, k] <= movers.boxes[at.WORLD_HIGH, k]:
            box = include(box, movers.boxes[0, k], movers.boxes[1, k], movers.boxes[2, k])
            box = include(box, movers.boxes[3, k], movers.boxes[4, k], movers.boxes[5, k])
            size = max(size, diagonal_of(geometry, movers.shapes[k]))
    away = 0.0
    for r in range(3):
        away = max(away, abs(0.5 * box[r] + 0.5 * box[3 + r]))
    return box, touch_of(tolerance, size + margin, away)


@inline
def _overlapping(world, movers, b, ignored_pairs, margin, touch, wide, scratch, used):
    """Return which mover overlaps body row b: its number, _MISS or _FULL."""
    if world.boxes[at.WORLD_LOW, b] > world.boxes[at.WORLD_HIGH, b]:
        return _MISS
    two = two_poses()
    for k in range(len(movers.rows)):
        if movers.rows[k] == b:
            return _MISS
    for k in range(len(movers.rows)):
        if not meets(world.boxes, b, box_of(movers.boxes, k), wide):
            continue
        if not may_meet(world.body_ints, ignored_pairs, movers.rows[k], b):
            continue
        for c in range(at.POSE):
            two[0, c] = movers.poses[k, c]
            two[1, c] = world.poses[b, c]
        shapes = (movers.shapes[k], world.body_ints[b, at.SHAPE])
        verdict, how, _, _, _ = overlap_of(world.geometry, shapes, two, margin, touch, False, scratch, used)
        if verdict == FULL:
            return _FULL
        if how != FREE:
            return k
    return _MISS


@inline
def _answer_row(world, movers, targets, ignored_pairs, margin, tolerance, scratch, used):
    """Return (number of a mover, body row that it overlaps), among the targets; of all bodies if there are none.

    Instead of a number: _MISS, or _FULL if more scratch is needed.
    """
    box, touch = _frame(world.geometry, movers, margin, tolerance)
    if box[0] > box[3]:
        return _MISS, -1
    far = margin
    for c in range(6):
        far = max(far, abs(box[c]))
    wide = margin + GRAIN * far
    if len(targets) > 0:
        for b in targets:
            found = _overlapping(world, movers, b, ignored_pairs, margin, touch, wide, scratch, used)
            if found != _MISS:
                return found, b
        return _MISS, -1
    box = (box[0] - wide, box[1] - wide, box[2] - wide, box[3] + wide, box[4] + wide, box[5] + wide)
    near = INDICES(scratch, used, len(scratch) - used)
    count = near_bodies(world.nodes, world.ints, world.boxes, world.rows, box, near)
    if count > len(near):
        return _FULL, -1
    for k in range(count):
        found = _overlapping(world, movers, near[k], ignored_pairs, margin, touch, wide, scratch, used + count)
        if found != _MISS:
            return found, near[k]
    return _MISS, -1


@kernel
def answer(
    table, body_ints, poses, boxes, bodies, nodes, ints, rows, stands, targets, ignored_pairs, margin, tolerance, lo, hi,
    scratch, answers,
):  # fmt: skip
    """Write which mover overlaps which other body at the poses lo .. hi of the first: their body rows, or -1 and -1.

    Return the first pose that needs more scratch; else hi. table: of all shapes, see `base.geometry`. nodes, ints: see
    `base.hierarchy`. rows: of the movers. stands (n, 4, 4); none: they stay where they are. targets: body rows that count;
    none: all. margin [length]: how much thicker the movers are taken.
    """
    world = at.Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    used = movers_scratch(len(rows))
    if len(scratch) < 2 * used:
        return lo
    for row in range(lo, hi):
        movers = movers_at_home(body_ints, poses, boxes, rows, scratch, 0)
        if len(stands) > 0:
            put_movers(world.geometry.shape_reals, poses, movers, stands[row])
        found, other = _answer_row(world, movers, targets, ignored_pairs, margin, tolerance, scratch, used)
        if found == _FULL:
            return row
        answers[row, 0] = -1 if found == _MISS else rows[found]
        answers[row, 1] = -1 if found == _MISS else other
    return hi
