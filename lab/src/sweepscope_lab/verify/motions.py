"""Compare motions of all joints of real robots with pinocchio, which tests configurations along them one after the other.

A motion that we call free must be free at every one of pinocchio's configurations. A contact must not come after the first of
them that collides. At the reported configuration the named pair must be within the reported bound. Most motions are short and
start close to a contact that was found by bisection, so that a few dozen configurations decide each, and half of them hit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Robot

from ..reference.pinocchio_robot import PinocchioRobot
from ..scenes.urdf_robots import ROBOTS, add_boxes, limits_of, load_robot

STEP = math.radians(0.1)
"""The joint that moves most moves this far from one of pinocchio's configurations to the next [radians]."""
RATE = (0.3, 0.7)
"""Accepted share of hits; cases that hit less or more often prove little."""
GAP = 2e-6
"""Largest distance of the named pair at the reported configuration beyond the bound [length]: coal's accuracy."""
KINDS = ("near", "far", "long")
_SHARES = (0.8, 0.18, 0.02)
_LENGTHS = ((1.0, 5.0), (5.0, 20.0), (20.0, 180.0))
"""Degrees of the joint that moves most, for each kind."""
_CLOSE = math.radians(2.0)
"""Near motions start at a free configuration so close to one that collides."""
_SLIDING = 10.0
"""A joint that slides by one unit of length counts as one that turns by this many radians."""
_ROUNDING = 1e-9
"""Differences of shares of a motion that rounding explains."""
_PARTLY = 0.7
"""Share of motions in which some joints stand still."""
_TOWARDS = 0.35
"""Share of the near motions that go towards the configuration that collides."""
_BOXES = 12
_BATCH = 500
_COMPARED = 100
"""Random configurations of each batch for which pinocchio's broad phase is compared with its tests pair by pair."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MotionAnswer:
    """Our answer about one motion."""

    time: float
    """Share of the motion at contact; NaN if it is free."""
    bound: float
    pair: frozenset[str]
    """Names of the two bodies in contact; empty if it is free."""


FREE = MotionAnswer(math.nan, math.nan, frozenset())


@dataclass(frozen=True, slots=True)
class MotionVerdict:
    """A motion, the answer, and what is wrong with it."""

    robot: str
    kind: str
    start: Array
    end: Array
    answer: MotionAnswer
    first: float
    """Share of the motion at the first of pinocchio's configurations that collides; NaN if none was found."""
    gap: float
    """Distance of the named pair at the contact, beyond the bound [length]; 0 for free motions."""
    begun: bool
    """It starts nearer than the bound; a contact that is no deeper may then be free."""
    wrong: tuple[str, ...]


class Motions:
    """Motions of one robot among boxes: both sides, and random cases."""

    def __init__(self, robot: Robot, theirs: PinocchioRobot) -> None:
        self.name = robot.name
        self.robot, self.theirs = robot, theirs
        self.limits = limits_of(robot)
        self.stand = robot.q
        joints = robot.joints
        kinds = [joints[joint].kind for joint in robot.actuated_joints]
        self.weights = np.array([_SLIDING if kind == "prismatic" else 1.0 for kind in kinds])
        self.pairs = theirs.pairs()

    @classmethod
    def load(cls, name: str, seed: int = 0, boxes: int = _BOXES) -> Motions:
        """Load a robot of `ROBOTS`, put boxes around it, and build the same for pinocchio."""
        files = ROBOTS[name]
        robot = load_robot(files)
        return cls(robot, PinocchioRobot(robot, files, add_boxes(robot, files, boxes, seed)))

    def width(self, changes: Array) -> Array:
        """Return how far the joint that moves most moves, shape (...) [radians]; sliding counts ten times."""
        return np.abs(changes * self.weights).max(axis=-1)

    def random(self, rng: np.random.Generator, count: int) -> Array:
        """Return configurations between where the robot stands and anywhere within its limits, shape (count, dof)."""
        low, high = self.limits.T
        anywhere = low + (high - low) * rng.random((count, len(low)))
        share = rng.uniform(0.1, 1.0, (count, 1)) ** 0.5
        return np.clip(self.stand + share * (anywhere - self.stand), low, high)

    def free_and_not(self, rng: np.random.Generator, count: int) -> tuple[Array, Array]:
        """Return at least `count` free configurations by pinocchio, and some that collide, shapes (n, dof) and (m, dof)."""
        free: list[Array] = []
        hits: list[Array] = []
        while sum(map(len, free)) < count or not sum(map(len, hits)):
            some = self.random(rng, count)
            found = self.theirs.hits(some)
            free.append(some[~found])
            hits.append(some[found])
        return np.concatenate(free), np.concatenate(hits)

    def close_to_contact(self, free: Array, hits: Array) -> tuple[Array, Array]:
        """Return free configurations and ones that collide close to them, on the lines between those given, shapes (n, dof)."""
        free, hits = free.copy(), hits.copy()
        while (wide := np.flatnonzero(self.width(hits - free) > _CLOSE)).size:
            middle = 0.5 * (free[wide] + hits[wide])
            found = self.theirs.hits(middle)
            hits[wide[found]] = middle[found]
            free[wide[~found]] = middle[~found]
        return free, hits

    def cases(self, rng: np.random.Generator, count: int) -> tuple[list[str], Array, Array]:
        """Return kinds, starts and ends of random motions; all starts are free for both sides."""
        free, hits = self.free_and_not(rng, count)
        starts = free[:count].copy()
        kinds = rng.choice(len(KINDS), count, p=_SHARES)
        near = np.flatnonzero(kinds == 0)
        others = hits[rng.integers(len(hits), size=len(near))]
        starts[near], others = self.close_to_contact(starts[near], others)
        ways = rng.normal(size=starts.shape) * (self.limits[:, 1] > self.limits[:, 0]) / self.weights
        for k in np.flatnonzero(rng.random(count) < _PARTLY):
            still = rng.choice(ways.shape[1], int(rng.integers(ways.shape[1])), replace=False)
            ways[k, still] = 0.0
        towards = rng.random(len(near)) < _TOWARDS
        ways[near[towards]] = (others - starts[near])[towards] * (1.0 + 0.3 * rng.normal(size=(int(towards.sum()), 1)))
        ways /= np.maximum(self.width(ways), 1e-300)[:, None]
        lengths = np.radians(rng.uniform(*np.array(_LENGTHS)[kinds].T))
        low, high = self.limits.T
        ends = np.clip(starts + lengths[:, None] * ways, low, high)
        good = (starts != ends).any(axis=1) & np.asarray(self.robot.free(starts))
        return [KINDS[k] for k in kinds[good]], starts[good], ends[good]

    def answers(self, starts: Array, ends: Array) -> list[MotionAnswer]:
        """Return our answers, all asked in one call."""
        hits = self.robot.sweep_many(starts, ends)
        scene = self.robot.scene
        return [
            MotionAnswer(float(time), float(bound), frozenset((scene[int(a)].name, scene[int(b)].name))) if hit else FREE
            for hit, time, bound, a, b in zip(~hits.free, hits.time, hits.bound, hits.mover, hits.obstacle, strict=True)
        ]

    def judge(
        self, kind: str, start: Array, end: Array, answer: MotionAnswer, proved: bool, step: float = STEP
    ) -> MotionVerdict:
        """Compare an answer with pinocchio's configurations. proved: whether `Robot.edges` calls the motion free."""
        free = math.isnan(answer.time)
        until = 1.0 if free or proved else answer.time - _ROUNDING
        count = max(1, math.ceil(float(self.width(end - start)) / step))
        first = self.theirs.first_hit(start, end, count, until)
        wrong: list[str] = []
        gap, begun = 0.0, False
        if not math.isnan(first):
            begun = self._begins_close(start, answer.bound)
            if not begun:
                if free or first < answer.time - _ROUNDING:
                    wrong.append("missed" if free else "late")
                if proved:
                    wrong.append("missed by edges")
        if not free:
            if answer.pair not in self.pairs:
                wrong.append("named a pair that may not meet")
            else:
                there = start + answer.time * (end - start)
                gap = max(0.0, self.theirs.distance_of(there, *answer.pair) - answer.bound)
                if gap > GAP:
                    wrong.append("named a pair that is apart")
            if not 0.0 <= answer.time <= 1.0:
                wrong.append("time")
        return MotionVerdict(self.name, kind, start, end, answer, first, gap, begun, tuple(wrong))

    def _begins_close(self, start: Array, bound: float) -> bool:
        """True if a motion starts nearer than the bound; that of a free motion is the robot's default accuracy."""
        if math.isnan(bound):
            corners = np.array([body.bounds for body in self.robot.bodies])
            bound = 1e-4 * float(np.linalg.norm(corners[:, 1].max(axis=0) - corners[:, 0].min(axis=0)))
        return self.theirs.distance(start)[0] <= bound


def judge_motions(name: str, count: int, seed: int = 0) -> Iterator[MotionVerdict]:
    """Judge `count` random motions of a robot. Each batch of 500 has other boxes around the robot."""
    done = 0
    batch = 0
    while done < count:
        rng = np.random.default_rng((seed, batch, sorted(ROBOTS).index(name)))
        motions = Motions.load(name, int(rng.integers(1 << 30)))
        kinds, starts, ends = motions.cases(rng, min(_BATCH, count - done))
        motions.theirs.check_broad_phase(np.concatenate((starts, ends, motions.random(rng, _COMPARED))))
        proved = np.asarray(motions.robot.edges(starts, ends))
        for row in zip(kinds, starts, ends, motions.answers(starts, ends), proved.tolist(), strict=True):
            yield motions.judge(*row)
        done += len(kinds)
        batch += 1


def differing_configurations(motions: Motions, rng: np.random.Generator, count: int) -> tuple[int, int]:
    """Return how many of `count` random configurations only pinocchio calls free, and how many only we do."""
    some = motions.random(rng, count)
    ours, theirs = np.asarray(motions.robot.free(some)), ~motions.theirs.hits(some)
    return int((theirs & ~ours).sum()), int((ours & ~theirs).sum())


def wording(verdict: MotionVerdict) -> str:
    """Return a wrong case in one line, with all that repeats it."""
    answer = "free" if math.isnan(verdict.answer.time) else f"{verdict.answer.time:.9g}"
    first = "free" if math.isnan(verdict.first) else f"{verdict.first:.9g}"
    names = " and ".join(sorted(verdict.answer.pair))
    motion = f"from {verdict.start.tolist()} to {verdict.end.tolist()}"
    return (
        f"{verdict.robot}, {verdict.kind}: {', '.join(verdict.wrong)}; answered {answer} {names}, pinocchio {first}; {motion}"
    )


@dataclass(slots=True)
class MotionTally:
    """Counts for the motions of one robot."""

    robot: str
    cases: int = 0
    hits: int = 0
    own: int = 0
    """Hits between links."""
    missed: int = 0
    late: int = 0
    wrong: int = 0
    begun: int = 0
    worst_gap: float = 0.0
    worst_bound: float = 0.0

    def add(self, verdict: MotionVerdict) -> None:
        """Count one more."""
        hit = not math.isnan(verdict.answer.time)
        self.cases += 1
        self.hits += hit
        self.own += hit and not any(name.startswith("box") for name in verdict.answer.pair)
        self.missed += any(fault.startswith("missed") for fault in verdict.wrong)
        self.late += "late" in verdict.wrong
        self.wrong += bool(verdict.wrong)
        self.begun += verdict.begun
        self.worst_gap = max(self.worst_gap, verdict.gap)
        if hit:
            self.worst_bound = max(self.worst_bound, verdict.answer.bound)
