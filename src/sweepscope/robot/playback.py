"""Where a robot is along a path of configurations: for animations and recordings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .robot import Robot, poses_at

_Array = NDArray[np.float64]


class PathPlayback:
    """Poses of a robot's bodies along a path: 0 is the start, 1 the end, at constant speed in joint space."""

    def __init__(self, robot: Robot, waypoints: _Array) -> None:
        """waypoints: configurations of the robot, shape (n, dof)."""
        self.robot = robot
        self.waypoints = waypoints
        self.movers = [body for body in robot.bodies if not body.shape.empty]
        lengths = np.linalg.norm(np.diff(waypoints, axis=0), axis=1)
        self._along = np.concatenate(([0.0], np.cumsum(lengths)))

    def q(self, time: float) -> _Array:
        """Return the configuration at a time, shape (dof,)."""
        return np.array([np.interp(time * self._along[-1], self._along, axis) for axis in self.waypoints.T])

    def poses(self, time: float) -> list[_Array]:
        """Return the poses of all movers, world."""
        there = poses_at(self.robot, dict(zip(self.robot.actuated_joints, self.q(time).tolist(), strict=True)))
        return [there[body] for body in self.movers]
