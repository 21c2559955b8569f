"""A box as six numbers that stay in registers: low corner, high corner."""

import math

from .._jit import inline

EMPTY = (math.inf, math.inf, math.inf, -math.inf, -math.inf, -math.inf)


@inline
def include(box, x, y, z):
    """Return the box grown to hold a point."""
    return (
        min(box[0], x),
        min(box[1], y),
        min(box[2], z),
        max(box[3], x),
        max(box[4], y),
        max(box[5], z),
    )
