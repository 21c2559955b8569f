"""Results in the scene as it was when they were found: pictures of hits and slides show that, or refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..results import Hit, LinkHit, SlideResult, SweepAllResult
from ..results.hits import snapshot_of
from ..robot.robot import poses_at
from ..world.body import Body, entry_of

if TYPE_CHECKING:
    from ..robot.robot import Robot

_SAME = 1e-9  # largest difference of two poses [length, or none] that rounding explains


def as_found(result: Hit | SlideResult | SweepAllResult) -> dict[Body, NDArray[np.float64]]:
    """Return where the movers were when a result was found. Raise if anything else has changed since."""
    for body in result.movers:
        entry_of(body).home()  # raises if it was removed
    snapshot = snapshot_of(result)
    change = snapshot.change()
    start = dict(zip(result.movers, snapshot.poses, strict=True))
    if change is None and isinstance(result, LinkHit) and snapshot.moved():
        there = poses_at_time(robot_of_hit(result), result, 0.0)
        if not all(np.allclose(there[body], pose, atol=_SAME) for body, pose in start.items()):
            change = "the base of the robot has moved"
    if change is not None:
        raise InvalidQuery(f"the scene has changed since this result was found: {change}; draw it before that, or ask again")
    return start


def robot_of_hit(hit: LinkHit) -> Robot:
    """Return the robot of a hit's mover."""
    return next(robot for robot in hit.mover.scene.robots.values() if robot.link_of(hit.mover) is not None)


def poses_at_time(robot: Robot, hit: LinkHit, time: float) -> dict[Body, NDArray[np.float64]]:
    """Return the poses of all bodies of a robot, world, at a time of its hit: 0 is the start, 1 the contact."""
    moved = {name: hit.start[name] + time * (end - hit.start[name]) for name, end in hit.positions.items()}
    return poses_at(robot, hit.start | moved)
