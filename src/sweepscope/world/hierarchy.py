"""The hierarchy over the world boxes of a scene's bodies. It is brought up to date with changes when a query needs it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.layout import HIERARCHY_LEVELS

FEWEST = 512  # body rows: testing the boxes of fewer is as fast


class Hierarchy(NamedTuple):
    """What `kernels.base.hierarchy.near_bodies` takes first."""

    nodes: NDArray[np.float64]
    """Boxes of bodies and groups, shape (groups, 6, FAN)."""
    ints: NDArray[np.int64]
    """Levels, body rows and places."""


NO_HIERARCHY = Hierarchy(np.empty((0, 6, 8)), np.zeros(HIERARCHY_LEVELS + 1, np.int64))
"""Every body is tested. Belongs to worlds with bodies at other poses than the scene's, and to those with few."""


def build(boxes: NDArray[np.float64], rows: int) -> Hierarchy:
    """Return a hierarchy over world boxes, shape (6, at least rows)."""
    from ..kernels.base import blocks  # not before it is needed: importing kernels takes a second
    from ..kernels.base import hierarchy as kernels

    centers, order = np.empty((rows, 3)), np.empty(rows, np.int32)
    small, count = kernels.measure(boxes, rows, centers, order)
    blocks.halve(centers, order, 0, small)
    blocks.halve(centers, order, small, count)
    first, taken = kernels.places_of(small, count)
    made = Hierarchy(*kernels.empty_hierarchy(count, taken, rows))
    if made.ints[kernels.LEVELS]:
        kernels.fill(*made, boxes, order, small, count, first)
    return made


def updated(old: Hierarchy, boxes: NDArray[np.float64], rows: int, changed: Collection[int]) -> Hierarchy:
    """Return a hierarchy over world boxes, shape (6, at least rows): the old one, changed in place, or a new one.

    changed: the body rows whose boxes differ from those that the old one has.
    """
    if rows < FEWEST:
        return NO_HIERARCHY
    from ..kernels.base import hierarchy as kernels

    if old.ints[kernels.LEVELS] and kernels.update(*old, boxes, np.fromiter(changed, np.int64, len(changed))):
        return old
    return build(boxes, rows)
