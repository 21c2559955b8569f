"""Coplanar faces: where faces of two bodies lie in one plane, the smaller body is shown.

A look returns either of two bodies at the same depth, which one depends on rounding. Pictures would show a pattern of both, and
films would flicker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .arrangement import Placed

_MOST = 1000  # bodies: larger scenes are not searched
_SAME = 1e-9  # distance of two planes that are the same, relative to the size of the bodies
_DEEP = 1e-6  # overlap of two bodies, relative to their size: bodies that only touch do not count


def order_by_size(bodies: Sequence[Placed]) -> NDArray[np.int64]:
    """Return the rank of each body, the smallest first; of equally large ones, the one given first."""
    # Local boxes: their sizes do not change while bodies move.
    sizes = [float(np.linalg.norm(np.diff(body.shape.bounds, axis=0))) for body in bodies]
    return np.argsort(np.argsort(sizes, kind="stable"), kind="stable")


def smaller_of_pairs(bodies: Sequence[Placed], ahead: NDArray[np.float64]) -> list[Placed]:
    """Return the bodies that overlap a larger one and share a plane with it, on a side that faces the camera.

    ahead: direction of view. Planes are sides of the bounding boxes: other coplanar faces are not found.
    """
    bodies = [body for body in bodies if not body.shape.empty and body.shape.radius == 0.0]  # round ones have no plane
    if not 1 < len(bodies) <= _MOST:
        return []
    boxes = np.array([body.bounds for body in bodies])
    sizes = np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)
    side = (ahead < 0.0).astype(np.int64)  # of each axis, the visible side of a box: its minimum or its maximum
    planes = boxes[:, side, np.arange(3)]
    rank = order_by_size(bodies)
    found = np.zeros(len(bodies), np.bool_)
    for axis in range(3):
        order = np.argsort(planes[:, axis], kind="stable")
        apart = np.diff(planes[order, axis]) > _SAME * np.maximum(sizes[order[1:]], sizes[order[:-1]])
        for run in np.split(order, np.flatnonzero(apart) + 1):
            if len(run) > 1:
                low, high = boxes[run, 0], boxes[run, 1]
                deep = (np.minimum(high[:, None], high) - np.maximum(low[:, None], low)).min(axis=2)
                over = deep > _DEEP * np.minimum(sizes[run, None], sizes[run])
                found[run] |= (over & (rank[run, None] < rank[run])).any(axis=1)
    return [body for body, small in zip(bodies, found, strict=True) if small]
