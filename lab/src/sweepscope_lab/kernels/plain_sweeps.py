"""Plain sweeps, which graphics cards answer, on the processor: to compare them with the library's sweeps without a card."""

from sweepscope.kernels import layout as at
from sweepscope.kernels.base.blocks import LEAF
from sweepscope.kernels.base.geometry import geometry_at
from sweepscope.kernels.layout import Bodies
from sweepscope.kernels.sweep import about_axis, straight
from sweepscope.kernels.sweep.plain import Flat, flatten, plain_scratch

from ._jit import kernel

_straight, _about_axis = straight.answer_plain, about_axis.answer_plain


@kernel
def flatten_shapes(table, shapes, points, leaves):
    """Write all faces of some shapes, given by their rows."""
    geometry = geometry_at(table)
    for s in shapes:
        for leaf in range((geometry.shape_ints[s, at.FACES] + LEAF - 1) // LEAF):
            flatten(geometry, s, leaf, Flat(points, leaves))


@kernel
def sweep_straight(
    table, body_ints, poses, boxes, bodies, nodes, ints, points, leaves, movers, stands, ignored_pairs, tolerance, questions,
    answers, undecided,
):  # fmt: skip
    """Answer questions about translations that a few faces decide; mark the others."""
    world = Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    scratch = plain_scratch()
    for row in range(len(questions)):
        undecided[row] = not _straight(
            world, Flat(points, leaves), movers, stands, ignored_pairs, tolerance, questions, row, scratch, answers
        )


@kernel
def sweep_about_axis(
    table, body_ints, poses, boxes, bodies, nodes, ints, points, leaves, movers, stands, ignored_pairs, tolerance, questions,
    answers, undecided,
):  # fmt: skip
    """The same for turns and screws."""
    world = Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    scratch = plain_scratch()
    for row in range(len(questions)):
        undecided[row] = not _about_axis(
            world, Flat(points, leaves), movers, stands, ignored_pairs, tolerance, questions, row, scratch, answers
        )
