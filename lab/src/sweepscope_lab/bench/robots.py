"""Joints of a robot, compared with python-fcl, which has static tests only: the same arm and balls, one process, one thread.

The answers are checked first: python-fcl finds the arm apart just before the contact and touching just after. We time two
methods on it, with its trees built beforehand. *Certain*: each step is the distance to the nearest body divided by the greatest
speed of any point, until that distance is below the error bound of our answer; this is as safe as our answer. *By degrees*: a
static test at every degree of the fastest joint, as planners usually do; it knows the contact to a degree and may miss what is
thinner than a step. python-fcl ignores contacts of the arm with itself here; our sweep includes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from sweepscope import LinkHit, Robot, Rotate, SweepscopeError

from ..scenes.arm import arm_among_balls
from .rows import Row, best, fcl_model, peer

_STEP = math.radians(1.0)
_CLOSE = 1e-5  # contact is checked this share of the motion before and after
_TRIALS = 12
_ROUNDS = 3
_RADIUS = 0.16  # of the thickest link
_NEAR = 2e-4  # `advance` stops at this distance; about the bound of our own answer
_Goal = dict[str, float]
_Poses = dict[Any, Any]


class _FclArm:
    """python-fcl's static tests of an arm against the bodies around it."""

    def __init__(self, fcl: Any, robot: Robot) -> None:
        self._fcl, self._robot = fcl, robot
        models = {id(body.shape): fcl_model(fcl, body.shape) for body in robot.scene.bodies}  # type: ignore[arg-type]
        self._objects = {body: self._object(models, body) for body in robot.scene.bodies}
        self._arm, self._obstacles = fcl.DynamicAABBTreeCollisionManager(), fcl.DynamicAABBTreeCollisionManager()
        self._arm.registerObjects([self._objects[body] for body in robot.bodies])
        self._obstacles.registerObjects([item for body, item in self._objects.items() if robot.link_of(body) is None])
        self._arm.setup()
        self._obstacles.setup()

    def _object(self, models: Mapping[int, Any], body: Any) -> Any:
        pose = self._fcl.Transform(body.pose[:3, :3].copy(), body.pose[:3, 3].copy())
        return self._fcl.CollisionObject(models[id(body.shape)], pose)

    def _move(self, poses: _Poses) -> None:
        for body, pose in poses.items():
            self._objects[body].setTransform(self._fcl.Transform(pose[:3, :3].copy(), pose[:3, 3].copy()))
        self._arm.update()

    def touching(self, poses: _Poses) -> bool:
        """Return whether the arm touches anything when its bodies are at `poses`."""
        self._move(poses)
        data = self._fcl.CollisionData()
        self._arm.collide(self._obstacles, data, self._fcl.defaultCollisionCallback)
        return bool(data.result.is_collision)

    def distance(self, poses: _Poses) -> float:
        """Return the distance from the arm to the nearest obstacle when its bodies are at `poses` [length]."""
        self._move(poses)
        data = self._fcl.DistanceData()
        self._arm.distance(self._obstacles, data, self._fcl.defaultDistanceCallback)
        return float(data.result.min_distance)

    def advance(self, goal: _Goal) -> tuple[float, int]:
        """Return the share of a motion that is proved free, to the accuracy `_NEAR`, and how many distances this took."""
        speed = sum(abs(value) * _reach(self._robot, name) for name, value in goal.items())
        share, tests = 0.0, 0
        while share < 1.0:
            apart = self.distance(_poses(self._robot, goal, share))
            tests += 1
            if apart <= _NEAR:
                break
            share += apart / speed
        return min(share, 1.0), tests

    def walk(self, poses: Sequence[_Poses]) -> None:
        """Test poses in order, up to the first that touches."""
        for each in poses:
            if self.touching(each):
                return


def _poses(robot: Robot, goal: _Goal, share: float) -> _Poses:
    """Return the poses of the arm's bodies after a share of a motion from zero."""
    robot.positions = {name: share * value for name, value in goal.items()}
    poses = {body: body.pose for body in robot.bodies}
    robot.positions = dict.fromkeys(goal, 0.0)
    return poses


def _reach(robot: Robot, joint: str) -> float:
    """Return the greatest distance of the arm from a joint's axis [length]: its reach when upright."""
    motion = robot.motion(joint, 1.0)
    assert isinstance(motion, Rotate)
    return max(float(body.bounds[1, 2]) for body in robot.bodies) - motion.about[2] + _RADIUS


def _degrees(robot: Robot, goal: _Goal, hit: LinkHit | None) -> list[_Poses]:
    """Return the poses of a motion, degree by degree, to just after its contact."""
    steps = max(1, math.ceil(max(abs(value) for value in goal.values()) / _STEP))
    last = steps if hit is None else min(steps, math.ceil(hit.time * steps) + 1)
    return [_poses(robot, goal, k / steps) for k in range(last + 1)]


def _check(static: _FclArm, robot: Robot, goal: _Goal, hit: LinkHit | None) -> None:
    """Raise if python-fcl disagrees."""
    if hit is not None and hit.obstacle_link is not None:
        return
    share, _ = static.advance(goal)
    if hit is None:
        if share < 1.0 or any(map(static.touching, _degrees(robot, goal, None))):
            raise SweepscopeError(f"{goal}: the sweep finds no contact, python-fcl does")
        return
    if static.touching(_poses(robot, goal, max(hit.time - _CLOSE, 0.0))):
        raise SweepscopeError(f"{goal}: python-fcl finds contact before {hit.time}")
    # With several joints a hit is reported early, by its bound; in a grazing contact this is a longer time.
    if not any(static.touching(_poses(robot, goal, min(hit.time + k * _CLOSE, 1.0))) for k in (1, 10, 100, 1000)):
        raise SweepscopeError(f"{goal}: python-fcl finds no contact after {hit.time}")


def _trials(robot: Robot, joints: int) -> list[_Goal]:
    """Return motions of `joints` random joints, by up to two radians each."""
    rng = np.random.default_rng(joints)
    names = list(robot.joints)
    chosen = [sorted(rng.choice(len(names), joints, replace=False)) for _ in range(_TRIALS)]
    return [{names[k]: float(rng.uniform(0.6, 2.0) * rng.choice((-1.0, 1.0))) for k in some} for some in chosen]


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    robot = arm_among_balls()
    static = _FclArm(peer("fcl"), robot)
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
