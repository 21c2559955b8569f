"""The straight sweep, compiled as a kernel of its own."""

from .._jit import kernel
from ..charts import straight as chart
from ..contact import straight as contact
from .sweeper import sweeper

_sweep = sweeper(chart, contact)


@kernel
def sweep(geometry, body_ints, poses, body_boxes, bodies, movers, skips, direction, travel, margin, tolerance, resting_hits):
    """Sweep bodies along a unit direction by `travel`. Arguments and result as in `sweep_in`."""
    return _sweep(
        geometry, body_ints, poses, body_boxes, bodies, movers, skips, direction, travel, margin, tolerance, resting_hits
    )
