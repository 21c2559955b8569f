"""Results in the scene as it was when they were found: pictures of hits and slides show that, or refuse."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..errors import InvalidQuery
from ..results import Hit, LinkHit, SlideResult
from ..results.hits import snapshot_of
from ..scene import Scene, store_of
from ..world.body import Body, entry_of
from ..world.snapshot import Snapshot

if TYPE_CHECKING:
    from ..robot.robot import Robot

_Result = TypeVar("_Result", Hit, SlideResult)
_SAME = 1e-9  # largest difference of two poses [length, or none] that rounding explains


def as_found(result: _Result, options: dict[str, Any]) -> tuple[_Result, dict[str, Any]]:
    """Return a result, and options of its picture, in the scene as it was when the result was found.

    If the movers have moved since, that is a copy of the scene. Raise if anything else has changed.
    """
    for body in result.movers:
        entry_of(body).home()  # raises if it was removed
    snapshot = snapshot_of(result)
    change = snapshot.change()
    if change is not None:
        raise _changed(change)
    if not snapshot.moved():
        return result, options
    if isinstance(result, LinkHit):
        robot = copy.copy(robot_of_hit(result))
        robot.positions = result.start
        scene = robot.scene
    else:
        scene = copy.copy(result.movers[0].scene)
        for body, pose in zip(result.movers, snapshot.poses, strict=True):
            scene[body.id].pose = pose
    movers = tuple(scene[body.id] for body in result.movers)
    if not all(np.allclose(body.pose, pose, atol=_SAME) for body, pose in zip(movers, snapshot.poses, strict=True)):
        raise _changed("the base of the robot has moved")
    there = {"movers": movers, "_snapshot": Snapshot(store_of(scene), [entry_of(body) for body in movers])}
    if isinstance(result, SlideResult):
        found: Any = replace(result, hits=tuple(_in_scene(hit, scene) for hit in result.hits), **there)
    else:
        found = replace(_in_scene(result, scene), **there)
    return found, {name: _option_in(value, scene) for name, value in options.items()}


def robot_of_hit(hit: LinkHit) -> Robot:
    """Return the robot of a hit's mover."""
    return next(robot for robot in hit.mover.scene.robots.values() if robot.link_of(hit.mover) is not None)


def _changed(how: str) -> InvalidQuery:
    return InvalidQuery(f"the scene has changed since this result was found: {how}; draw it before that, or ask again")


def _in_scene(hit: Hit, scene: Scene) -> Hit:
    """Return a hit of the same bodies in a copy of their scene."""
    return replace(hit, mover=scene[hit.mover.id], obstacle=scene[hit.obstacle.id])


def _option_in(value: Any, scene: Scene) -> Any:
    """Return an option whose bodies, if any, are those of a copy of their scene."""
    if isinstance(value, Mapping):
        return {_option_in(key, scene): each for key, each in value.items()}
    if isinstance(value, (list, tuple, set)) and any(isinstance(each, Body) for each in value):
        return [_option_in(each, scene) for each in value]
    return scene[value.id] if isinstance(value, Body) else value
