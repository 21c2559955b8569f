"""The sweep about an axis: turns and screws. Its kernels are its own: straight sweeps do not wait for their compilation."""

from .._jit import kernel
from ..base.geometry import geometry_at
from ..charts import helix as chart
from ..contact import about_axis as contact
from ..layout import Bodies
from .rows import answerer

_answer, _prepare, _reach, answer_plain = answerer(chart, contact)  # the last is for other devices


@kernel
def answer(
    table, body_ints, poses, boxes, bodies, nodes, ints, movers, stands, ignored_pairs, tolerance, questions, lo, hi, scratch,
    answers,
):  # fmt: skip
    """Answer rows lo .. hi: see `rows`. table: of all shapes, see `base.geometry`. nodes, ints: see `base.hierarchy`."""
    world = Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    return _answer(world, movers, stands, ignored_pairs, tolerance, questions, lo, hi, scratch, answers)


@kernel
def prepare(geometry, body_ints, poses, boxes, bodies, movers, stands, tolerance, questions, everywhere, wanted):
    """Make shapes in reach ready: see `rows`."""
    _prepare(geometry, body_ints, poses, boxes, bodies, movers, stands, tolerance, questions, everywhere, wanted)


@kernel
def reach(table, body_ints, poses, boxes, bodies, nodes, ints, movers, ignored_pairs, tolerance, question, found):
    """List the obstacles that a question may reach: see `rows`."""
    world = Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    return _reach(world, movers, ignored_pairs, tolerance, question, found)
