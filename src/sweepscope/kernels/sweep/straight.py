"""The straight sweep, compiled as kernels of its own."""

from .._jit import kernel
from ..charts import straight as chart
from ..contact import straight as contact
from ..layout import Bodies, Geometry
from .rows import answerer

_answer, _prepare = answerer(chart, contact)


@kernel
def answer(
    vertices, block_vertices, starts, corners, face_ids, nodes, shape_ints, shape_reals, part_starts, members,
    body_ints, poses, boxes, bodies, movers, stands, ignored_pairs, tolerance, questions, lo, hi, scratch, answers,
):  # fmt: skip
    """Answer rows lo .. hi: see `rows`. Numba takes arrays one by one in half the time that tuples of them need."""
    geometry = Geometry(
        vertices, block_vertices, starts, corners, face_ids, nodes, shape_ints, shape_reals, part_starts, members
    )
    world = Bodies(geometry, body_ints, poses, boxes, bodies)
    return _answer(world, movers, stands, ignored_pairs, tolerance, questions, lo, hi, scratch, answers)


@kernel
def prepare(geometry, body_ints, poses, boxes, bodies, movers, stands, tolerance, questions, everywhere, wanted):
    """Make shapes in reach ready: see `rows`."""
    world = Bodies(geometry, body_ints, poses, boxes, bodies)
    _prepare(world, movers, stands, tolerance, questions, everywhere, wanted)
