"""Poses on the command line."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidPose
from ..pose import Pose
from .options import Triple, Turn


def pose_of(at: Triple, orient: Turn | None, prefix: str = "") -> NDArray[np.float64]:
    """Return the pose that --at and --orient describe: turned about its own origin, then moved.

    prefix: what messages begin with.
    """
    position = checks.vector(at, f"{prefix}--at", InvalidPose)
    if orient is None:
        return checks.pose(position)
    *axis, degrees = orient
    name = f"{prefix}--orient"
    angle = math.radians(checks.number(degrees, f"{name} angle", InvalidPose))
    if not math.isfinite(angle):
        raise InvalidPose(f"{name} angle is {degrees}; it must be finite")
    return Pose.from_axis_angle(position, checks.direction(axis, f"{name} axis", InvalidPose), angle=angle)
