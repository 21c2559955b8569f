"""Whether a robot at a configuration overlaps anything: its own pieces, or bodies of the world.

Balls and boxes settle most pairs. The others are asked whether they are farther apart than the tolerance (`apart`); what is not
is decided by `near.overlap`, which tells what touches from what overlaps. Pairs that no joint moves relative to each other are
not asked. Degenerate cases: pieces without faces meet nothing. Error: that of `near.overlap`.
"""

from .. import layout as at
from .._jit import inline, step
from .._memory import INDICES
from ..base.hierarchy import near_bodies
from ..base.walk import FULL, NEXT
from ..statuses import FREE
from .layout import HIDDEN, OBSTACLE, ONE, OTHER, ROW, SHAPE
from .work import ball_beside, balls_apart, box_of_piece, may_hit, overlaps, place_all, touch_at


@step
def find_overlap(model, boxes, nodes, ints, bodies, margin, work, scratch, used):
    """Return (verdict, piece, other, whether the other is a piece too) of two bodies that overlap at `work.q`.

    Else piece is -1. The other is a piece, or a body row. verdict FULL: the scratch, free from `used` on, is too small. boxes,
    nodes, ints, bodies: of the world, see `base.hierarchy`. The places of moment 0 are those of this configuration afterwards.
    """
    place_all(model, work, 0)
    pieces = model.piece_ints
    for p in range(len(model.pairs)):
        a, b = model.pairs[p, ONE], model.pairs[p, OTHER]
        touch = touch_at(model, work, a, a, margin)
        if balls_apart(model, work, 0, a, b, margin + touch):
            continue
        s, t = pieces[a, SHAPE], pieces[b, SHAPE]
        verdict, how = overlaps(model, s, work.places, a, t, work.places, b, margin, touch, scratch, used)
        if verdict == FULL or how != FREE:
            return verdict, a, b, True
    near = INDICES(scratch, used, len(scratch) - used)
    for k in range(len(pieces)):
        if is_idle(model, k):
            continue
        touch = touch_at(model, work, k, k, margin)
        count = near_bodies(nodes, ints, boxes, bodies, box_of_piece(model, work, k, k, margin + touch), near)
        if count > len(near):
            return FULL, k, k, True
        for n in range(count):
            b = near[n]
            if (
                model.owner[b] != OBSTACLE
                or ball_beside(model, work, k, k, boxes, b, margin + touch)
                or not may_hit(model, k, b)
            ):
                continue
            s, t = pieces[k, SHAPE], model.body_ints[b, at.SHAPE]
            verdict, how = overlaps(model, s, work.places, k, t, model.poses, b, margin, touch, scratch, used + count)
            if verdict == FULL or how != FREE:
                return verdict, k, b, False
    return NEXT, -1, -1, False


@inline
def is_idle(model, k):
    """True if piece k meets nothing: it has no faces, or does not count."""
    pieces = model.piece_ints
    return model.geometry.shape_ints[pieces[k, SHAPE], at.FACES] == 0 or model.owner[pieces[k, ROW]] == HIDDEN
