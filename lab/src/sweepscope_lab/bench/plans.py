"""RRTConnect on problems of MotionBenchMaker for the Panda: with certain motions, and with sampled ones.

Each problem is planned with OMPL's RRTConnect three times, with the same seed and time limit. Times are those of the processor
[s], so that other work on the machine does not count:

* certain: `sweepscope.planning`: every motion is proven free;
* 1 degree: pinocchio and coal test configurations at every degree of the joint that moves most, the middle ones first;
* 1 %: OMPL's own discrete motion validator tests configurations with pinocchio and coal at every 1 % of the extent of the
  space, OMPL's default.

Each path is simplified by OMPL's simplifier, which asks the same validator. Then `Robot.path` decides for each path whether it
is free, to a micrometer, and pinocchio looks at it every 0.02 degrees. One thread each. A file gets one line of JSON for each
problem; an interrupted run goes on after the last one.
"""

from __future__ import annotations

import json
import math
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Robot, SweepscopeError
from sweepscope.planning import Validator, motion_validator, state_validity_checker
from sweepscope.planning.ompl_validity import bounds_of, ompl_modules
from sweepscope.planning.shortcut import length_of

from .pinocchio_arm import ARM, PinocchioArm, panda_among

METHODS = ("certain", "1 degree", "1 %")
_DEGREE = math.radians(1.0)
_DENSE = math.radians(0.02)
_SEEDS = 1000
_ACCURACY = 1e-6  # of `Robot.path` [m]: what it reports as contact is one, up to a micrometer
_AROUND = math.radians(0.1)
_LOOKS = 20_000
_COMPARED = 50


def run_plans(
    problems: Path, out: Path, robots: Path, *, seconds: float, limit: int | None, say: Callable[[str], object]
) -> None:
    """Plan all problems of a file that are not in `out` yet, and append a line for each. limit: at most so many problems."""
    given = json.loads(problems.read_text("utf-8"))
    done = {(line["set"], line["problem"]) for line in read_lines(out)}
    rows = [(k, each) for k, each in _in_turns(given) if (each["set"], each["problem"]) not in done]
    for k, each in rows if limit is None else rows[:limit]:
        line = solve(each, robots, seconds, _SEEDS + k)
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        texts = [f"{name}: {_word(line[name])}" for name in METHODS if name in line]
        say(f"{k + 1} of {len(given)}, {line['set']} {line['problem']}: {'; '.join(texts) or 'start or goal is not free'}")


def _in_turns(problems: Sequence[Mapping[str, Any]]) -> list[tuple[int, Mapping[str, Any]]]:
    """Return problems with their indices: the first of each set, then the second of each, so that a part of them is fair."""
    seen: Counter[str] = Counter()
    order = []
    for k, each in enumerate(problems):
        order.append((seen[each["set"]], k))
        seen[each["set"]] += 1
    return [(k, problems[k]) for _, k in sorted(order)]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file of results; an incomplete last line is cut off from the file."""
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, "utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def solve(problem: Mapping[str, Any], robots: Path, seconds: float, seed: int) -> dict[str, Any]:
    """Plan one problem with each method; return the results as plain data."""
    obstacles = problem["obstacles"]
    robot = panda_among(obstacles, robots)
    arm = PinocchioArm(robot, obstacles, robots)
    validator = Validator(robot, ARM, threads=1)
    ends = [np.array(problem[name], dtype=np.float64) for name in ("start", "goal")]
    line: dict[str, Any] = {"set": problem["set"], "problem": problem["problem"], "pairs": arm.pairs}
    line["free"] = {
        "sweepscope": [bool(validator.validate(end)) for end in ends],
        "pinocchio": [not arm.collides(end) for end in ends],
    }
    validator.validate_motion(*ends)  # compiles its kernels before a search is timed
    _check_broad_phase(arm, ends, seed)
    if all(map(all, line["free"].values())):
        for name in METHODS:
            path, result = _plan(name, validator, arm, ends, seconds, seed)
            line[name] = result if path is None else {**result, **_judge(robot, validator, arm, path)}
    return line


def _check_broad_phase(arm: PinocchioArm, ends: Sequence[NDArray[np.float64]], seed: int) -> None:
    """Raise if pinocchio's broad phase differs from tests pair by pair, at random configurations around both ends."""
    rng = np.random.default_rng(seed)
    for end in ends:
        for q in end + rng.normal(size=(_COMPARED, len(ARM))):
            if arm.collides(q) != arm.collides_by_pairs(q):
                raise SweepscopeError(f"pinocchio's broad phase is wrong about {q.tolist()}")


def _plan(
    method: str, validator: Validator, arm: PinocchioArm, ends: Sequence[NDArray[np.float64]], seconds: float, seed: int
) -> tuple[NDArray[np.float64] | None, dict[str, Any]]:
    """Return a simplified path, or None, and what was measured."""
    base, geometric, util = ompl_modules()
    util.setLogLevel(util.LogLevel.LOG_NONE)
    util.RNG.setSeed(seed)
    space = base.RealVectorStateSpace(len(ARM))
    limits = base.RealVectorBounds(len(ARM))
    for k, (low, high) in enumerate(bounds_of(validator, None)):
        limits.setLow(k, low)
        limits.setHigh(k, high)
    space.setBounds(limits)
    si = base.SpaceInformation(space)
    if method == "certain":
        si.setStateValidityChecker(state_validity_checker(si, validator))
        si.setMotionValidator(motion_validator(si, validator))
    else:
        checker, by_degrees = _sampling_classes()
        si.setStateValidityChecker(checker(si, arm))
        if method == "1 degree":
            si.setMotionValidator(by_degrees(si, arm))
    si.setup()
    states = [si.allocState(), si.allocState()]
    for state, end in zip(states, ends, strict=True):
        for k, value in enumerate(end.tolist()):
            state[k] = value
    problem = base.ProblemDefinition(si)
    problem.setStartAndGoalStates(*states)
    planner = geometric.RRTConnect(si)
    planner.setProblemDefinition(problem)
    planner.setup()
    began = time.process_time()
    planner.solve(base.PlannerTerminationCondition(_after(seconds)))
    result: dict[str, Any] = {"seconds": time.process_time() - began, "solved": bool(problem.hasExactSolution())}
    if not result["solved"]:
        return None, result
    found = problem.getSolutionPath()
    result["raw length"] = found.length()
    began = time.process_time()
    geometric.PathSimplifier(si).simplify(found, base.PlannerTerminationCondition(_after(seconds)))
    result["simplify seconds"] = time.process_time() - began
    path = np.array([[state[k] for k in range(len(ARM))] for state in found.getStates()])
    return path, {**result, "length": length_of(path), "path": path.tolist()}


def _after(seconds: float) -> Callable[[], bool]:
    """Return a function that is true when this process has worked for so long from now on."""
    end = time.process_time() + seconds
    return lambda: time.process_time() >= end


def _judge(robot: Robot, validator: Validator, arm: PinocchioArm, path: NDArray[np.float64]) -> dict[str, Any]:
    """Return where a path is in contact: by `Robot.path`, and by pinocchio at every 0.02 degrees; None if nowhere.

    Places are the number of the segment plus the share of it. If only the first finds contact, pinocchio looks at the place
    again, at 20,000 configurations of the 0.2 degrees around it.
    """
    began = time.process_time()
    hit = robot.path(validator.configurations(path), accuracy=_ACCURACY)
    spent = time.process_time() - began
    found, runs = _dense(arm, path)
    seen = found is not None
    if hit is not None and not seen:
        segment = min(int(hit.time), len(path) - 2)
        a, b = path[segment], path[segment + 1]
        width, share = _AROUND / max(float(np.abs(b - a).max()), _AROUND), hit.time - segment
        shares = np.clip(np.linspace(share - width, share + width, _LOOKS), 0.0, 1.0)
        seen = any(arm.collides(a + each * (b - a)) for each in shares)
    place = None if hit is None else float(hit.time)
    return {"hit": place, "hit seconds": spent, "dense hit": found, "dense runs": runs, "seen": seen}


def _dense(arm: PinocchioArm, path: NDArray[np.float64]) -> tuple[float | None, list[float]]:
    """Return the first place of a path where pinocchio finds contact, and the lengths of the parts in contact.

    The length of a part is the change of the joint that moves most [radians].
    """
    first: float | None = None
    runs: list[float] = []
    inside = False
    for k, (a, b) in enumerate(pairwise(path)):
        change = float(np.abs(b - a).max())
        count = max(1, math.ceil(change / _DENSE))
        for n in range(count + (k == len(path) - 2)):
            touching = arm.collides(a + n / count * (b - a))
            if touching and first is None:
                first = k + n / count
            if touching and inside:
                runs[-1] += change / count
            elif touching:
                runs.append(0.0)
            inside = touching
    return first, runs


@cache
def _sampling_classes() -> tuple[Any, Any]:
    """Return OMPL's state validity checker by pinocchio, and its motion validator at every degree."""
    base, _, _ = ompl_modules()
    axes = range(len(ARM))

    class Checker(base.StateValidityChecker):
        def __init__(self, si: Any, arm: PinocchioArm) -> None:
            super().__init__(si)
            self._collides = arm.collides

        def isValid(self, state: Any) -> bool:  # noqa: N802  (OMPL's name)
            return not self._collides([state[k] for k in axes])

    class ByDegrees(base.MotionValidator):
        def __init__(self, si: Any, arm: PinocchioArm) -> None:
            super().__init__(si)
            self._collides = arm.collides

        def checkMotion(self, a: Any, b: Any) -> bool:  # noqa: N802  (OMPL's name)
            start, end = (np.array([state[k] for k in axes]) for state in (a, b))
            change = end - start
            steps = max(1, math.ceil(float(np.abs(change).max()) / _DEGREE))
            return not any(self._collides(start + share * change) for share in _shares(steps))

    return Checker, ByDegrees


@cache
def _shares(steps: int) -> tuple[float, ...]:
    """Return the shares 1/steps to 1 of a motion: its end, then the middle, then the middles of both halves, and so on."""
    order, waiting = [steps], [(1, steps - 1)]
    for low, high in waiting:  # grows
        if low <= high:
            middle = (low + high) // 2
            order.append(middle)
            waiting += [(low, middle - 1), (middle + 1, high)]
    return tuple(k / steps for k in order)


def summary(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each method: how many problems were solved, times [s], and how many paths are in contact."""
    tried = [line for line in lines if METHODS[0] in line]
    rows = []
    for name in METHODS:
        results = [line[name] for line in tried]
        solved = [each for each in results if each["solved"]]
        times = [each["seconds"] for each in results]
        whole = [each["seconds"] + each["simplify seconds"] for each in solved]
        rows.append(
            {
                "method": name,
                "problems": len(tried),
                "solved": len(solved),
                "median s": _of(statistics.median, times),
                "mean s": _of(statistics.mean, times),
                "median s with simplification": _of(statistics.median, whole),
                "mean s with simplification": _of(statistics.mean, whole),
                "mean length": _of(statistics.mean, [each["length"] for each in solved]),
                "in contact by robot.path": sum(each["hit"] is not None for each in solved),
                "in contact at 0.02 degrees": sum(each["dense hit"] is not None for each in solved),
                "contact seen by pinocchio": sum(each["seen"] for each in solved),
                "free by robot.path, contact at 0.02 degrees": sum(
                    each["hit"] is None and each["dense hit"] is not None for each in solved
                ),
            }
        )
    return rows


def _of(function: Callable[[list[float]], float], values: list[float]) -> float:
    return function(values) if values else math.nan


def _word(result: Mapping[str, Any]) -> str:
    if not result["solved"]:
        return f"not solved in {result['seconds']:.2f} s"
    contact = "in contact" if result["hit"] is not None else "free"
    seen = "contact seen" if result["seen"] else "no contact seen"
    return f"{result['seconds']:.2f} s, path {contact}, {seen}"
