"""The straight sweep, compiled as a kernel of its own."""

from .._jit import kernel
from ..charts import straight as chart
from ..contact import straight as contact
from ..layout import Geometry
from .sweeper import sweeper

_sweep = sweeper(chart, contact)


@kernel
def _sweep_flat(
    vertices, block_vertices, starts, corners, face_ids, nodes, shape_ints, shape_reals, part_starts, members,
    body_ints, poses, body_boxes, bodies, movers, ignored_pairs, x, y, z, travel, margin, tolerance, resting_hits,
):  # fmt: skip
    geometry = Geometry(
        vertices, block_vertices, starts, corners, face_ids, nodes, shape_ints, shape_reals, part_starts, members
    )
    return _sweep(
        geometry,
        body_ints,
        poses,
        body_boxes,
        bodies,
        movers,
        ignored_pairs,
        (x, y, z),
        travel,
        margin,
        tolerance,
        resting_hits,
    )


def sweep(
    geometry, body_ints, poses, body_boxes, bodies, movers, ignored_pairs, direction, travel, margin, tolerance, resting_hits
):
    """Sweep bodies along a unit direction by `travel`. Arguments and result as in `sweep_in`.

    Numba takes arrays and numbers one by one in half the time that tuples of them need, and small sweeps are that short.
    """
    return _sweep_flat(
        *geometry,
        body_ints,
        poses,
        body_boxes,
        bodies,
        movers,
        ignored_pairs,
        *direction,
        travel,
        margin,
        tolerance,
        resting_hits,
    )
