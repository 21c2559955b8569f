"""Substeps: the box at several poses of its rotation, each tested alone. The thesis takes 100 poses as "truth"."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Box, Mesh, Rotate, Shape, checks
from sweepscope.errors import InvalidQuery

from .box_rotation import SweptVolume, box_rotation

_MOST = 10_000_000
_TURN = 2.0 * np.pi


class Substeps(SweptVolume):
    """A box at the poses k * angle / poses, k = 1 to poses; `start` adds k = 0. It misses what lies between two poses.

    In the pose of the thesis, a test of points costs the same for any number of poses.
    """

    def __init__(
        self,
        box: Box,
        pose: ArrayLike | None,
        axis: ArrayLike,
        angle: float,
        about: ArrayLike = (0.0, 0.0, 0.0),
        *,
        poses: int = 100,
        start: bool = False,
    ) -> None:
        if isinstance(poses, bool) or not isinstance(poses, (int, np.integer)) or not 1 <= poses <= _MOST:
            raise InvalidQuery(f"poses is {checks.shown(poses)}; accepted: a whole number, 1 to {_MOST}")
        self.poses = int(poses)
        self.start = checks.flag(start, "start")
        self._motion = box_rotation(box, pose, axis, angle, about)
        self._swing = self._motion.swing() if abs(self._motion.angle) <= _TURN else None

    def solid(self) -> tuple[Shape, NDArray[np.float64], NDArray[np.float64]]:
        """Return the boxes at all poses as one mesh."""
        motion = self._motion
        start = np.eye(4)
        start[:3, :3], start[:3, 3] = motion.turn, motion.center + motion.about
        box = Box(motion.widths)
        shares = np.arange(int(not self.start), self.poses + 1) / self.poses
        turn = Rotate(motion.axis, motion.angle, about=motion.about)
        poses = [turn.at(float(share)) @ start for share in shares]
        vertices = np.concatenate([box.vertices @ pose[:3, :3].T + pose[:3, 3] for pose in poses])
        faces = np.concatenate([box.faces + k * len(box.vertices) for k in range(len(poses))])
        return Mesh(vertices, faces), np.eye(4), np.zeros(3)

    def _contains(self, places: NDArray[np.float64]) -> NDArray[np.bool_]:
        if self._swing is None:
            return super()._contains(places)
        from ..kernels.compared_swung import points_in_poses

        motion = self._motion
        out = np.zeros(len(places), np.bool_)
        # In the frame of the thesis the box is at height 0 on the axis.
        origin = motion.about + motion.axis * (motion.axis @ motion.center)
        points_in_poses(self._swing, places - origin, self.poses, int(not self.start), motion.rounding, out)
        return out

    def _hits(self, places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.bool_]:
        from ..kernels.compared_sweeps import spheres_on_poses

        motion = self._motion
        angles = motion.angle * np.arange(int(not self.start), self.poses + 1) / self.poses
        frame = np.column_stack((motion.turn.T, -motion.turn.T @ motion.center))
        out = np.zeros(len(places), np.bool_)
        spheres_on_poses(
            *(frame, motion.axis, 0.5 * motion.widths, np.cos(angles), np.sin(angles)),
            *(places - motion.about, radii, motion.rounding, out),
        )
        return out
