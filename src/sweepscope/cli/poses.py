"""Poses on the command line."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidPose
from ..pose import Pose
from .options import Triple, Turn


def pose_of(at: Triple, orient: Turn | None, suffix: str = "") -> NDArray[np.float64]:
    """Return the pose that --at and --orient describe: turned about its own origin, then moved.

    suffix: added to the names of the options in messages.
    """
    position = checks.vector(at, f"--at{suffix}", InvalidPose)
    if orient is None:
        return checks.pose(position)
    *axis, degrees = orient
    name = f"--orient{suffix}"
    angle = math.radians(checks.number(degrees, f"angle of {name}", InvalidPose))
    if not math.isfinite(angle):
        raise InvalidPose(f"angle of {name} is {degrees}; it must be finite")
    return Pose.from_axis_angle(position, checks.direction(axis, f"axis of {name}", InvalidPose), angle)
