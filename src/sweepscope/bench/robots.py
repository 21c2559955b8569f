"""Joints of a robot beside python-fcl, which has static tests only: the same arm and balls, one process, one thread.

The answers are checked first: python-fcl finds the arm apart just before the contact and touching just after. It is timed in
two ways, its trees built beforehand. *Certain*: the motion goes on by the distance to the nearest thing over the greatest speed
of any point, until that distance is below the bound of our answer; as sure as ours. *By degrees*: a static test at every degree
that the fastest joint turns, the usual way of a planner, which knows the contact to a degree and may miss what is thinner than
a step. Contacts of the arm with itself are not python-fcl's concern here; they are ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import SweepscopeError
from ..motion import Rotate
from ..results import LinkHit
from ..robot import Robot
from ..scenes.arm import arm_among_balls
from .rows import Row, best, fcl_model, peer

_STEP = math.radians(1.0)
_CLOSE = 1e-5  # share of the motion before and after a contact that is checked
_TRIALS = 12
_ROUNDS = 3
_RADIUS = 0.16  # of the arm's thickest member
_WITHIN = 2e-4  # how near is contact for those that advance; about the bound of our own answer
_Goal = dict[str, float]
_Poses = dict[Any, Any]


class _Static:
    """python-fcl's static tests of an arm against what is about it."""

    def __init__(self, fcl: Any, robot: Robot) -> None:
        self._fcl, self._robot = fcl, robot
        models = {id(body.shape): fcl_model(fcl, body.shape) for body in robot.scene.bodies}  # type: ignore[arg-type]
        self._objects = {body: self._object(models, body) for body in robot.scene.bodies}
        self._arm, self._rest = fcl.DynamicAABBTreeCollisionManager(), fcl.DynamicAABBTreeCollisionManager()
        self._arm.registerObjects([self._objects[body] for body in robot.bodies])
        self._rest.registerObjects([made for body, made in self._objects.items() if robot.link_of(body) is None])
        self._arm.setup()
        self._rest.setup()

    def _object(self, models: Mapping[int, Any], body: Any) -> Any:
        place = self._fcl.Transform(body.pose[:3, :3].copy(), body.pose[:3, 3].copy())
        return self._fcl.CollisionObject(models[id(body.shape)], place)

    def _put(self, poses: _Poses) -> None:
        for body, pose in poses.items():
            self._objects[body].setTransform(self._fcl.Transform(pose[:3, :3].copy(), pose[:3, 3].copy()))
        self._arm.update()

    def touching(self, poses: _Poses) -> bool:
        """True if the arm, its bodies at poses, meets anything."""
        self._put(poses)
        data = self._fcl.CollisionData()
        self._arm.collide(self._rest, data, self._fcl.defaultCollisionCallback)
        return bool(data.result.is_collision)

    def distance(self, poses: _Poses) -> float:
        """Return how far the arm, its bodies at poses, is from anything else [length]."""
        self._put(poses)
        data = self._fcl.DistanceData()
        self._arm.distance(self._rest, data, self._fcl.defaultDistanceCallback)
        return float(data.result.min_distance)

    def advance(self, goal: _Goal) -> tuple[float, int]:
        """Return the share of a motion that is surely free, but for the last bit, and how many distances it took."""
        speed = sum(abs(value) * _reach(self._robot, name) for name, value in goal.items())
        share, tests = 0.0, 0
        while share < 1.0:
            apart = self.distance(_poses(self._robot, goal, share))
            tests += 1
            if apart <= _WITHIN:
                break
            share += apart / speed
        return min(share, 1.0), tests

    def walk(self, poses: Sequence[_Poses]) -> None:
        """Test poses one after the other, up to the first that touches."""
        for each in poses:
            if self.touching(each):
                return


def _poses(robot: Robot, goal: _Goal, share: float) -> _Poses:
    """Return where the arm's bodies are after a share of a motion from zero."""
    robot.values = {name: share * value for name, value in goal.items()}
    poses = {body: body.pose for body in robot.bodies}
    robot.values = dict.fromkeys(goal, 0.0)
    return poses


def _reach(robot: Robot, joint: str) -> float:
    """Return how far from a joint's axis the arm may get [length]: as far as it reaches upright."""
    motion = robot.motion(joint, 1.0)
    assert isinstance(motion, Rotate)
    return max(float(body.bounds[1, 2]) for body in robot.bodies) - motion.about[2] + _RADIUS


def _degrees(robot: Robot, goal: _Goal, hit: LinkHit | None) -> list[_Poses]:
    """Return the poses of a motion, degree by degree, up to a little after its contact."""
    steps = max(1, math.ceil(max(abs(value) for value in goal.values()) / _STEP))
    last = steps if hit is None else min(steps, math.ceil(hit.time * steps) + 1)
    return [_poses(robot, goal, k / steps) for k in range(last + 1)]


def _check(static: _Static, robot: Robot, goal: _Goal, hit: LinkHit | None) -> None:
    """Raise unless python-fcl agrees."""
    if hit is not None and hit.other is not None:
        return
    share, _ = static.advance(goal)
    if hit is None:
        if share < 1.0 or any(map(static.touching, _degrees(robot, goal, None))):
            raise SweepscopeError(f"{goal}: said to be free, but python-fcl finds contact")
        return
    if static.touching(_poses(robot, goal, max(hit.time - _CLOSE, 0.0))):
        raise SweepscopeError(f"{goal}: python-fcl finds contact before {hit.time}")
    # Of several joints a hit is told early, by its bound; where it grazes, that is a longer time.
    if not any(static.touching(_poses(robot, goal, min(hit.time + k * _CLOSE, 1.0))) for k in (1, 10, 100, 1000)):
        raise SweepscopeError(f"{goal}: python-fcl finds no contact after {hit.time}")


def _trials(robot: Robot, joints: int) -> list[_Goal]:
    """Return motions of some joints by up to two radians each."""
    rng = np.random.default_rng(joints)
    names = list(robot.joints)
    chosen = [sorted(rng.choice(len(names), joints, replace=False)) for _ in range(_TRIALS)]
    return [{names[k]: float(rng.uniform(0.6, 2.0) * rng.choice((-1.0, 1.0))) for k in some} for some in chosen]


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows, saying what is going on."""
    robot = arm_among_balls()
    static = _Static(peer("fcl"), robot)
    faces = sum(len(body.shape.faces) for body in robot.bodies)
    rows = []
    for joints in (1, 3, 6):
        say(f"{joints} of six joints ...")
        goals = _trials(robot, joints)
        hits = [robot.sweep(goal) for goal in goals]
        for goal, hit in zip(goals, hits, strict=True):
            _check(static, robot, goal, hit)
        walks = [_degrees(robot, goal, hit) for goal, hit in zip(goals, hits, strict=True)]
        ours = best(lambda goals=goals: [robot.sweep(goal) for goal in goals], _ROUNDS * repeats)
        certain = best(lambda goals=goals: [static.advance(goal) for goal in goals], 1)
        degrees = best(lambda walks=walks: [static.walk(poses) for poses in walks], repeats)
        met = sum(hit is not None for hit in hits)
        distances = sum(static.advance(goal)[1] for goal in goals) / _TRIALS
        tests = sum(map(len, walks)) / _TRIALS
        rows.append(
            Row(
                f"{joints} of six joints, {faces:,} triangles among 60 x 1,000",
                ours / _TRIALS,
                "-",
                {"python-fcl, certain": certain / _TRIALS, "python-fcl, by degrees": degrees / _TRIALS},
                f"{met} of {_TRIALS} hit, confirmed by python-fcl; {distances:.0f} distances or {tests:.0f} tests a motion",
            )
        )
    return rows
