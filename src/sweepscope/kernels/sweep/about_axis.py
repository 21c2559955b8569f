"""The sweep about an axis: turns and screws. It is a kernel of its own: straight sweeps do not wait for its compilation."""

from .._jit import kernel
from ..charts import helix as chart
from ..contact import about_axis as contact
from .sweeper import sweeper

_sweep = sweeper(chart, contact)


@kernel
def sweep(geometry, body_ints, poses, body_boxes, bodies, movers, ignored_pairs, orbit, angle, margin, tolerance, resting_hits):
    """Sweep bodies by `angle` (> 0) on their orbits (see `helix.begin`). Arguments and result as in `sweep_in`."""
    return _sweep(
        geometry, body_ints, poses, body_boxes, bodies, movers, ignored_pairs, orbit, angle, margin, tolerance, resting_hits
    )
