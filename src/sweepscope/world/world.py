"""World: all bodies of a scene as arrays for kernels, at their own poses or at poses that a query chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.layout import BOX_HIGH, BOX_LOW, PLACE, RADIUS, SHAPE, Geometry
from ..kernels.tolerances import contact_tolerance

Rows = Sequence[int] | NDArray[np.int64]
_NOWHERE = np.repeat((np.inf, -np.inf), 3)[:, None]


class World(NamedTuple):
    """The first arguments of every kernel: `kernel(*world, ...)`. Columns are those of `kernels.layout`.

    Each body has a row. `moved` and `hiding` return a changed copy; this world does not change.
    """

    geometry: Geometry
    """All shapes."""
    bodies: NDArray[np.int64]
    """Shape, group and id of each body, shape (rows, BODY_INTS)."""
    poses: NDArray[np.float64]
    """Shape (rows, POSE)."""
    boxes: NDArray[np.float64]
    """World boxes, shape (6, rows): empty for unused rows and hidden bodies."""
    rows: int
    """Number of body rows in use."""

    def hiding(self, rows: Rows) -> World:
        """Return the world without some bodies: kernels skip empty boxes."""
        boxes = self.boxes.copy()
        boxes[:, rows] = _NOWHERE
        return self._replace(boxes=boxes)

    def moved(self, poses: Mapping[int, NDArray[np.float64]], hiding: Rows = ()) -> World:
        """Return the world with some bodies, given by their rows, at other poses, shape (4, 4); they become visible.

        hiding: rows of bodies that it leaves out.
        """
        there = self._replace(poses=self.poses.copy(), boxes=self.boxes.copy())
        if len(hiding):
            there.boxes[:, hiding] = _NOWHERE
        put_body, shapes = body_kernels().put_body, self.bodies[:, SHAPE]
        for row, pose in poses.items():
            put_body(there.poses, there.boxes, row, self.geometry.shape_reals, shapes[row], pose)
        return there

    def only(self, rows: NDArray[np.int64]) -> World:
        """Return a world with these bodies only: row k is rows[k]."""
        boxes = np.ascontiguousarray(self.boxes[:, rows])
        return World(self.geometry, self.bodies[rows], self.poses[rows], boxes, len(rows))

    def pose(self, row: int) -> NDArray[np.float64]:
        """Return the pose of a body, local to world, shape (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.poses[row, :9].reshape(3, 3)
        matrix[:3, 3] = self.poses[row, PLACE : PLACE + 3]
        return matrix

    def matrices(self, rows: Rows) -> NDArray[np.float64]:
        """Return the poses of bodies, local to world, shape (n, 4, 4)."""
        poses = self.poses[rows]
        matrices = np.zeros((len(poses), 4, 4))
        matrices[:, :3, :3] = poses[:, :9].reshape(-1, 3, 3)
        matrices[:, :3, 3] = poses[:, PLACE : PLACE + 3]
        matrices[:, 3, 3] = 1.0
        return matrices

    def poses_of(self, shape: int) -> list[NDArray[np.float64]]:
        """Return the poses of the visible bodies with a shape, given by its row in the arena."""
        low, high = self.boxes[0, : self.rows], self.boxes[3, : self.rows]
        rows = np.flatnonzero((self.bodies[: self.rows, SHAPE] == shape) & (low <= high))
        return [self.pose(row) for row in rows.tolist()]

    def box_of(self, rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the low and the high corner [length], shape (3,), of the common box of some bodies; empty without faces."""
        boxes = self.boxes[:, rows]
        return boxes[:3].min(axis=1), boxes[3:].max(axis=1)

    def tolerance_of(self, rows: Rows, asked: float, margin: float) -> float:
        """Return the contact tolerance [length] of movers. asked: the scene's tolerance; below 0 it is the default."""
        low, high = self.box_of(rows)
        return contact_tolerance(asked, self.size_of(rows) + margin, float(np.abs(0.5 * (low + high)).max()))

    def size_of(self, rows: Rows) -> float:
        """Return the diagonal [length] of the largest of some bodies' own boxes, radius included; 0 without faces."""
        return float(self.sizes_of(rows).max(initial=0.0))

    def sizes_of(self, rows: Rows) -> NDArray[np.float64]:
        """Return the diagonals [length] of some bodies' own boxes, radius included; 0 without faces."""
        shapes = self.geometry.shape_reals[self.bodies[rows, SHAPE]]
        sides = shapes[:, BOX_HIGH : BOX_HIGH + 3] - shapes[:, BOX_LOW : BOX_LOW + 3] + 2.0 * shapes[:, RADIUS, None]
        return np.linalg.norm(np.where(sides[:, :1] >= 0.0, sides, 0.0), axis=1)


@cache
def body_kernels() -> Any:
    """Return the kernels that write poses, vertices and boxes of bodies; imported once, when the first body is added."""
    from ..kernels.base import bodies

    return bodies


def no_boxes(count: int) -> NDArray[np.float64]:
    """Return empty world boxes, shape (6, count): from infinity to minus infinity."""
    return _NOWHERE.repeat(count, axis=1)
