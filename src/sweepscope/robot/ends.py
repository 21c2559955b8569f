"""How far a joint may move."""

from __future__ import annotations

import math

from .joint import Joint
from .robot import Robot, tree_of


def ends(robot: Robot, joint: Joint) -> tuple[float, float]:
    """Return the lowest and highest value of a joint: its limits and those of its followers, or one turn down and up.

    A joint that slides without a limit has infinite ends.
    """
    low, high = tree_of(robot).reach(joint.name)
    now = robot[joint.name]
    if joint.kind == "revolute":
        low = now - 2.0 * math.pi if math.isinf(low) else low
        high = now + 2.0 * math.pi if math.isinf(high) else high
    return min(low, now), max(high, now)
