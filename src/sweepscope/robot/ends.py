"""How far a joint may move."""

from __future__ import annotations

import math

from .joint import Joint
from .robot import Robot


def ends(robot: Robot, joint: Joint) -> tuple[float, float]:
    """Return the lowest and highest value of a joint: its limits and those of its followers, or one turn down and up.

    A joint that slides without a limit has infinite ends.
    """
    low, high = joint.limits
    # The value of a follower, direct or indirect, is factor * value + offset.
    terms = {joint.name: (1.0, 0.0)}
    for each in robot.joints.values():
        if each.mimic is None or each.mimic[0] not in terms:
            continue
        (factor, offset), (_, times, plus) = terms[each.mimic[0]], each.mimic
        factor, offset = terms[each.name] = times * factor, times * offset + plus
        if factor != 0.0:
            bounds = sorted((limit - offset) / factor for limit in each.limits)
            low, high = max(low, bounds[0]), min(high, bounds[1])
    now = robot[joint.name]
    if joint.kind == "revolute":
        low = now - 2.0 * math.pi if math.isinf(low) else low
        high = now + 2.0 * math.pi if math.isinf(high) else high
    return min(low, now), max(high, now)
