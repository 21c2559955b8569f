"""The sweep about an axis: turns and screws. A kernel of its own, so that straight sweeps need not wait for it."""

from . import helix
from ._jit import kernel
from .sweep import sweeper
from .turning import judge

_turn = sweeper(helix, judge)


@kernel
def turn(geometry, body_ints, poses, body_boxes, bodies, movers, skips, orbit, angle, margin, tolerance, closed):
    """Sweep bodies by `angle` (> 0) on their orbits (see `helix.begin`). Arguments and answer as of `sweep_in`."""
    return _turn(geometry, body_ints, poses, body_boxes, bodies, movers, skips, orbit, angle, margin, tolerance, closed)
