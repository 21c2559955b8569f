"""Motions of all joints of real robots, compared with pinocchio and coal: one process, the same triangles, boxes and pairs.

pinocchio tests configurations; along a motion it does so at every degree of the joint that moves most, up to the first that
collides, as planners usually do. It may miss what is thinner than a step; our answers are proved. The answers are checked
before anything is timed: no contact may be missed or late at any of these configurations, and every contact must be within its
bound. Each part can be measured alone: `--only NAME`.

In the table, "pinocchio" tests pair by pair, as `computeCollisions` with a model and a configuration does; "broad phase" is the
same function with the fastest of coal's broad phases that finds all collisions. It is 3 to 30 times as fast.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import LinkHit, PointCloud, SweepscopeError

from ..reference.pinocchio_robot import PinocchioRobot
from ..scenes.motion_problems import MotionProblem, problem_motions, read_problems
from ..scenes.urdf_robots import ROBOTS, add_boxes, load_robot
from ..verify.motions import FREE, MotionAnswer, Motions
from .rows import Row, best, best_of_rounds, peer

_DEGREE = math.radians(1.0)
_CONFIGURATIONS = 10_000
_EDGES = 10_000
_ASKED = 400
"""pinocchio answers so many of many rows; its time is scaled."""
_MOTIONS = 200
_LENGTHS = (0.1, 0.5, 1.5)
_ARM = 7
"""The first joints of the Panda; motions do not move its fingers."""
_PIECES = 20
_SPLINES = 20
_SPOTS = 100
"""Free configurations of which splines are made."""
_SWING = 0.35
"""Waypoints of splines stay this far from limits [share of the range]."""
_STEP_LENGTH = 0.3
"""From one waypoint to the next, where they are near each other [radians]."""
_POINTS = 20_000
_POINT_RADIUS = 0.005
_DISTANCES = 100
_EQUAL = 1e-6
_DIFFERENCE = 1e-6  # step of differences [radians]
_SMOOTH = 1e-4
_PIN = "pinocchio"
_BROAD = "broad phase"
_TWO = "two threads"

Array = NDArray[np.float64]
Say = Callable[[str], object]
Columns = slice | NDArray[np.int64]
"""Joints that move, as an index of the columns of configurations."""


def measure(repeats: int, say: Say, only: str | None = None, problems: Path | None = None) -> list[Row]:
    """Return the rows of the table. only: the name of one part. problems: file of the part "problems", left out without it."""
    if only is not None and only not in PARTS:
        raise SweepscopeError(f"--only is {only!r}; accepted: {', '.join(PARTS)}")
    if only == "problems" and problems is None:
        raise SweepscopeError("bench motions --only problems needs --problems FILE")
    rows: list[Row] = []
    for name, part in PARTS.items():
        if only in (None, name):
            say(f"{name} ...")
            if name != "problems":
                rows += part(repeats)
            elif problems is not None:
                rows += problem_rows(read_problems(problems), repeats)
    return rows


def free_configurations(motions: Motions, count: int, seed: int, columns: Columns = slice(None), away: float = 0.0) -> Array:
    """Return configurations that are free for both sides, shape (count, dof): some columns are random, the others stand.

    away: how far they stay from limits [share of the range].
    """
    rng = np.random.default_rng(seed)
    low, high = motions.limits.T
    low, high = low + away * (high - low), high - away * (high - low)
    found = np.empty((0, len(low)))
    while len(found) < count:
        some = np.tile(motions.stand, (count, 1))
        some[:, columns] = (low + (high - low) * rng.random((count, len(low))))[:, columns]
        found = np.concatenate((found, some[~motions.theirs.hits(some) & np.asarray(motions.robot.free(some))]))
    return found[:count]


def straight_motions(
    motions: Motions, count: int, length: float, seed: int, columns: Columns = slice(None)
) -> tuple[Array, Array]:
    """Return free starts and ends in random directions at a distance, clipped to limits, shapes (count, dof) [radians]."""
    starts = free_configurations(motions, count, seed, columns)
    ways = np.random.default_rng(seed + 1).normal(size=starts.shape)
    kept = np.zeros(starts.shape[1], bool)
    kept[columns] = True
    ways[:, ~kept] = 0.0
    ways *= length / np.linalg.norm(ways, axis=1)[:, None]
    return starts, np.clip(starts + ways, *motions.limits.T)


def degrees(motions: Motions, starts: Array, ends: Array) -> list[Array]:
    """Return pinocchio's configurations at every degree of each motion."""
    steps = np.maximum(1, np.ceil(motions.width(ends - starts) / _DEGREE)).astype(int)
    return [
        motions.theirs.rows(a + np.arange(n + 1)[:, None] / n * (b - a)) for a, b, n in zip(starts, ends, steps, strict=True)
    ]


def _check_walks(motions: Motions, rows: Sequence[Array]) -> None:
    """Raise unless pinocchio finds the same first collision with and without its broad phase."""
    if any(motions.theirs.walk(row) != motions.theirs.walk_fast(row) for row in rows):
        raise SweepscopeError(
            f"{motions.name}: pinocchio's broad phase finds another first collision than its tests pair by pair"
        )


def answer_of(hit: LinkHit | None) -> MotionAnswer:
    """Return a single sweep's answer."""
    return FREE if hit is None else MotionAnswer(hit.time, hit.bound, frozenset((hit.mover.name, hit.obstacle.name)))


def check(motions: Motions, starts: Array, ends: Array, answers: Sequence[MotionAnswer], proved: NDArray[np.bool_]) -> str:
    """Raise if an answer is missed, late or beyond its bound at every degree; return a note."""
    for row in zip(starts, ends, answers, proved.tolist(), strict=True):
        verdict = motions.judge("", *row, step=_DEGREE)
        if verdict.wrong:
            raise SweepscopeError(f"{motions.name}, from {row[0].tolist()} to {row[1].tolist()}: {', '.join(verdict.wrong)}")
    hits = sum(not math.isnan(answer.time) for answer in answers)
    return f"{hits} of {len(answers)} hit; 0 missed, 0 late"


def ask(motions: Motions, start: Array, end: Array) -> LinkHit | None:
    """Return the first contact of a motion, as a program asks for it."""
    motions.robot.q = start
    return motions.robot.sweep(end)


def slowest(work: Callable[[int], object], count: int, repeats: int) -> tuple[float, float, float]:
    """Return mean, median and slowest of `count` calls [s], of each the best of several runs."""
    times = np.full(count, np.inf)
    for _ in range(max(2, repeats)):
        for k in range(count):
            begin = time.perf_counter()
            work(k)
            times[k] = min(times[k], time.perf_counter() - begin)
    return float(times.mean()), float(np.median(times)), float(times.max())


def sweep_row(name: str, motions: Motions, starts: Array, ends: Array, bar: str, repeats: int) -> Row:
    """Return the row of first contacts asked one at a time from Python, and pinocchio at every degree."""
    answers = [answer_of(ask(motions, a, b)) for a, b in zip(starts, ends, strict=True)]
    note = check(motions, starts, ends, answers, np.asarray(motions.robot.edges(starts, ends)))
    rows = degrees(motions, starts, ends)
    _check_walks(motions, rows)
    mean, median, worst = slowest(lambda k: ask(motions, starts[k], ends[k]), len(starts), repeats)
    plain, _, _ = slowest(lambda k: motions.theirs.walk(rows[k]), len(starts), min(repeats, 2))
    broad, _, their_worst = slowest(lambda k: motions.theirs.walk_fast(rows[k]), len(starts), repeats)
    note += f"; median {1e3 * median:.2f} ms, slowest {1e3 * worst:.1f} ms, of the broad phase {1e3 * their_worst:.1f} ms"
    return Row(name, mean, bar, {_PIN: plain, _BROAD: broad}, note)


def configuration_rows(repeats: int) -> list[Row]:
    """One configuration from Python."""
    motions = Motions.load("panda")
    robot, theirs, count = motions.robot, motions.theirs, 1000
    some = motions.random(np.random.default_rng(1), count)
    note = _check_free(motions, some)
    rows = theirs.rows(some)
    works = {
        "sweepscope": lambda: [robot.free(q) for q in some],
        _PIN: lambda: [theirs.collides(row) for row in rows],
        _BROAD: lambda: [theirs.collides_fast(row) for row in rows],
    }
    times = {name: taken / count for name, taken in best_of_rounds(works, repeats).items()}
    peers = {name: times[name] for name in (_PIN, _BROAD)}
    return [Row("Panda, 12 boxes, one configuration", times["sweepscope"], "4 x", peers, note)]


def free_rows(repeats: int) -> list[Row]:
    """Ten thousand configurations in one call."""
    motions = Motions.load("panda")
    robot, theirs = motions.robot, motions.theirs
    some = motions.random(np.random.default_rng(2), _CONFIGURATIONS)
    note = _check_free(motions, some[: 10 * _ASKED])
    rows = theirs.rows(some)
    pool = theirs.pool(2)
    if (theirs.hits_on(pool, 2, rows[:_ASKED]) != theirs.hits(some[:_ASKED])).any():
        raise SweepscopeError("pinocchio's answers on two threads differ from those on one")
    works = {
        "sweepscope": lambda: robot.free(some, threads=2),
        _PIN: lambda: [theirs.collides(row) for row in rows],
        _BROAD: lambda: [theirs.collides_fast(row) for row in rows],
        _TWO: lambda: theirs.hits_on(pool, 2, rows),
    }
    times = {name: taken / len(some) for name, taken in best_of_rounds(works, repeats).items()}
    peers = {name: times[name] for name in (_PIN, _BROAD, _TWO)}
    return [Row("the same, free(Q) of 10,000, two threads", times["sweepscope"], "10 x", peers, note)]


def _check_free(motions: Motions, some: Array) -> str:
    """Raise if we call a configuration free that collides for pinocchio; return a note."""
    motions.theirs.check_broad_phase(some)
    ours, theirs = np.asarray(motions.robot.free(some)), ~motions.theirs.hits(some)
    if (ours & ~theirs).any():
        q = some[np.flatnonzero(ours & ~theirs)[0]]
        raise SweepscopeError(f"{motions.name}: {q.tolist()} is free for us, pinocchio finds {motions.theirs.pairs_hit(q)}")
    only = int((theirs & ~ours).sum())
    return f"{int(ours.sum()):,} of {len(some):,} free, equal" + (
        f" but for {only} that only we call overlapping" if only else ""
    )


def motion_rows(repeats: int) -> list[Row]:
    """First contact of motions of seven joints, from Python."""
    motions = Motions.load("panda")
    rows = []
    for length in _LENGTHS:
        starts, ends = straight_motions(motions, _MOTIONS, length, 3, slice(_ARM))
        name = f"Panda, 12 boxes, seven joints by {length} rad, first contact"
        rows.append(sweep_row(name, motions, starts, ends, "4 x; slowest 20 ms", repeats))
    return rows


def edge_rows(repeats: int) -> list[Row]:
    """Yes or no for ten thousand motions in one call; many share a start."""
    motions = Motions.load("panda")
    rows = []
    for length in _LENGTHS:
        few, few_ends = straight_motions(motions, _EDGES // 10, length, 5, slice(_ARM))
        rng = np.random.default_rng(6)
        starts = few[np.arange(_EDGES) % len(few)]
        ways = rng.normal(size=starts.shape)
        ways[:, _ARM:] = 0.0
        ends = np.clip(starts + length * ways / np.linalg.norm(ways, axis=1)[:, None], *motions.limits.T)
        ends[: len(few)] = few_ends
        rows.append(
            _edges_row(f"{_EDGES:,} edges of {length} rad, yes or no, two threads", motions, starts, ends, "12 x", repeats)
        )
    return rows


def _edges_row(name: str, motions: Motions, starts: Array, ends: Array, bar: str, repeats: int) -> Row:
    """Return the row of yes or no for many motions, and pinocchio at every degree of some."""
    robot, theirs = motions.robot, motions.theirs
    asked = np.linspace(0, len(starts) - 1, min(_ASKED, len(starts))).astype(int)
    free = np.asarray(robot.edges(starts, ends, threads=2))
    steps = degrees(motions, starts[asked], ends[asked])
    _check_walks(motions, steps)
    sampled = np.array([theirs.walk(row) is None for row in steps])
    if (free[asked] & ~sampled).any():
        raise SweepscopeError(f"{motions.name}: {int((free[asked] & ~sampled).sum())} edges are not free for pinocchio")
    works = {
        "sweepscope": lambda: robot.edges(starts, ends, threads=2),
        _PIN: lambda: [theirs.walk(row) for row in steps],
        _BROAD: lambda: [theirs.walk_fast(row) for row in steps],
    }
    times = best_of_rounds(works, repeats)
    peers = {name: times[name] / len(asked) for name in (_PIN, _BROAD)}
    unsure = int((~free[asked] & sampled).sum())
    note = f"{int(free.sum()):,} of {len(free):,} free; of {len(asked)} checked 0 missed; {unsure} not free only for us"
    return Row(name, times["sweepscope"] / len(starts), bar, peers, note)


def problem_rows(problems: Sequence[MotionProblem], repeats: int) -> list[Row]:
    """Straight edges from start to goal and near the start in the problems of MotionBenchMaker.

    Ends are not always free: a motion counts if its start is free for both sides.
    """
    files = ROBOTS["panda"]
    names = ("start to goal", "near the start")
    times: dict[str, list[tuple[float, ...]]] = {name: [] for name in names}
    hits, left_out = dict.fromkeys(names, 0), 0
    for number, problem in enumerate(problems):
        robot = load_robot(files)
        motions = Motions(robot, PinocchioRobot(robot, files, problem.add_obstacles(robot.scene)))
        starts, ends = problem_motions(problem, motions.limits, number)
        if motions.theirs.collides(motions.theirs.rows(starts[0])) or not robot.free(starts[0]):
            left_out += 1
            continue
        answers = [answer_of(ask(motions, a, b)) for a, b in zip(starts, ends, strict=True)]
        check(motions, starts, ends, answers, np.asarray(robot.edges(starts, ends)))
        _check_walks(motions, degrees(motions, starts, ends))
        for k, taken in enumerate(_times(motions, starts, ends, repeats)):
            name = names[min(k, 1)]
            hits[name] += not math.isnan(answers[k].time)
            times[name].append(taken)
    table = []
    for name in names:
        mine, edge, plain, broad = np.mean(times[name], axis=0).tolist()
        peers = {_PIN: plain, _BROAD: broad}
        worst = 1e3 * max(row[0] for row in times[name])
        note = (
            f"{len(times[name])} edges, {hits[name]} hit; 0 missed, 0 late; {left_out} problems left out: their start collides"
        )
        table.append(Row(f"motion problems, {name}, first contact", mine, "5 x", peers, f"{note}; slowest {worst:.1f} ms"))
        table.append(Row(f"motion problems, {name}, yes or no", edge, "", peers))
    return table


def _times(motions: Motions, starts: Array, ends: Array, repeats: int) -> Iterator[tuple[float, ...]]:
    """Yield the times of each motion [s]: our first contact, our yes or no, pinocchio at every degree, with a broad phase."""
    for start, end, rows in zip(starts, ends, degrees(motions, starts, ends), strict=True):
        works: tuple[Callable[[], object], ...] = (
            partial(ask, motions, start, end),
            partial(motions.robot.edges, start, end),
            partial(motions.theirs.walk, rows),
            partial(motions.theirs.walk_fast, rows),
        )
        yield tuple(best(work, repeats) for work in works)


def robot_rows(repeats: int) -> list[Row]:
    """Motions of other robots: UR5, the left arm of Talos, the G1 with hands, all joints at once."""
    table = []
    for name, title, part in (("ur5", "UR5", ""), ("talos", "Talos, left arm", "arm_left"), ("g1", "G1, 43 joints", "")):
        motions = Motions.load(name)
        columns = np.array([k for k, joint in enumerate(motions.robot.actuated_joints) if joint.startswith(part)])
        for length in _LENGTHS[1:]:
            starts, ends = straight_motions(motions, _MOTIONS // 2, length, 7, columns)
            table.append(sweep_row(f"{title}, {length} rad, first contact", motions, starts, ends, "1 x", repeats))
    return table


def spline_rows(repeats: int) -> list[Row]:
    """Cubic splines through free configurations of the Panda."""
    splines = peer("scipy").interpolate
    motions = Motions.load("panda")
    curves = [splines.CubicSpline(np.arange(_PIECES + 1.0), points) for points in _waypoints(motions)]
    hits = [motions.robot.follow(curve) for curve in curves]
    rows = []
    for curve, hit in zip(curves, hits, strict=True):
        moments = _moments(motions, curve)
        rows.append(motions.theirs.rows(curve(moments)))
        first = motions.theirs.walk(rows[-1])
        if first is not None and (hit is None or moments[first] < hit.time - 1e-9):
            raise SweepscopeError(f"a spline is {hit}, pinocchio hits it at {moments[first]}")
    _check_walks(motions, rows)
    mean, median, worst = slowest(lambda k: motions.robot.follow(curves[k]), len(curves), repeats)
    plain, _, _ = slowest(lambda k: motions.theirs.walk(rows[k]), len(curves), 2)
    broad, _, _ = slowest(lambda k: motions.theirs.walk_fast(rows[k]), len(curves), repeats)
    met = sum(hit is not None for hit in hits)
    note = f"{met} of {len(curves)} hit; 0 missed, 0 late; median {1e3 * median:.2f} ms, slowest {1e3 * worst:.1f} ms"
    return [Row(f"Panda, 12 boxes, cubic spline of {_PIECES} pieces", mean, "10 ms", {_PIN: plain, _BROAD: broad}, note)]


def _waypoints(motions: Motions) -> list[Array]:
    """Return ways through free configurations: half near each other with free edges between, half anywhere.

    All stay away from limits, beyond which a spline could swing.
    """
    result = []
    rng = np.random.default_rng(8)
    low, high = motions.limits.T
    low, high = low + _SWING * (high - low), high - _SWING * (high - low)
    anywhere = free_configurations(motions, _SPOTS, 12, slice(_ARM), _SWING)
    for number in range(_SPLINES):
        some = anywhere[rng.integers(len(anywhere), size=_PIECES + 1)]
        if number % 2 == 0:
            way = [some[0]]
            while len(way) <= _PIECES:
                step = np.zeros(len(low))
                step[:_ARM] = rng.normal(size=_ARM)
                there = way[-1] + _STEP_LENGTH * step / np.linalg.norm(step)
                inside = (low <= there)[:_ARM].all() and (there <= high)[:_ARM].all()
                if inside and motions.robot.edges(way[-1], there):
                    way.append(there)
            some = np.array(way)
        result.append(some)
    return result


def _moments(motions: Motions, curve: Any) -> Array:
    """Return times at which the joint that moves most has moved by a degree at most."""
    fine = np.linspace(curve.x[0], curve.x[-1], 200 * _PIECES + 1)
    moved = np.concatenate(([0.0], np.cumsum(motions.width(np.diff(curve(fine), axis=0)))))
    count = math.ceil(moved[-1] / _DEGREE)
    return np.interp(np.linspace(0.0, moved[-1], count + 1), moved, fine)


def cloud_rows(repeats: int) -> list[Row]:
    """The Panda among points on the boxes, which pinocchio does not have: checked by our static test at every degree."""
    motions = Motions.load("panda")
    starts, ends = straight_motions(motions, _MOTIONS, 0.5, 9, slice(_ARM))
    robot = load_robot(ROBOTS["panda"])
    shelf = load_robot(ROBOTS["panda"])
    boxes = add_boxes(shelf, ROBOTS["panda"], 12)
    points = surface_points([np.array(box.bounds) for box in boxes], _POINTS)
    robot.scene.add(PointCloud(points, _POINT_RADIUS), name="cloud")
    free = np.asarray(robot.free(starts))
    starts, ends = starts[free], ends[free]

    def one(k: int) -> LinkHit | None:
        robot.q = starts[k]
        return robot.sweep(ends[k])

    hits = [one(k) for k in range(len(starts))]
    for start, end, hit in zip(starts, ends, hits, strict=True):
        steps = max(1, math.ceil(float(motions.width(end - start)) / _DEGREE))
        shares = np.arange(steps + 1) / steps
        apart = np.asarray(robot.free(start + shares[:, None] * (end - start)))
        if not apart[shares < (math.inf if hit is None else hit.time)].all():
            raise SweepscopeError(f"cloud, from {start.tolist()} to {end.tolist()}: a configuration before the answer overlaps")
    _, median, worst = slowest(one, len(starts), repeats)
    met = sum(hit is not None for hit in hits)
    note = f"{met} of {len(hits)} hit, none late; points on 12 boxes, radius {_POINT_RADIUS}; slowest {1e3 * worst:.1f} ms"
    return [Row(f"Panda, cloud of {_POINTS:,} points, 0.5 rad, median", median, "2 ms; slowest 20 ms", {}, note)]


def surface_points(boxes: Sequence[Array], count: int, seed: int = 10) -> Array:
    """Return random points on boxes (2, 3), uniform over their surfaces, shape (count, 3)."""
    rng = np.random.default_rng(seed)
    widths = np.array([high - low for low, high in boxes])
    areas = np.stack([widths[:, (k + 1) % 3] * widths[:, (k + 2) % 3] for k in range(3)], axis=1).ravel()
    sides = rng.choice(len(areas), count, p=areas / areas.sum())
    box, axis = sides // 3, sides % 3
    share = rng.random((count, 3))
    share[np.arange(count), axis] = rng.integers(2, size=count)
    return np.array([low for low, _ in boxes])[box] + share * widths[box]


def clearance_rows(repeats: int) -> list[Row]:
    """The least distance of ten thousand configurations, and its gradient by differences."""
    motions = Motions.load("panda")
    robot, theirs = motions.robot, motions.theirs
    some = motions.random(np.random.default_rng(11), _CONFIGURATIONS)
    some = some[np.asarray(robot.free(some))]
    rows = theirs.rows(some[:_DISTANCES])
    found = robot.clearance(some, threads=2)
    off = float(np.abs(found.distance[:_DISTANCES] - [theirs.least_distance(row) for row in rows]).max())
    if off > _EQUAL:
        raise SweepscopeError(f"pinocchio's distances differ by {off:.1e}")
    smooth, apart = _gradient_error(motions, some[:_DISTANCES], found.jacobian[:_DISTANCES])
    works = {"sweepscope": lambda: robot.clearance(some, threads=2), _PIN: lambda: [theirs.least_distance(row) for row in rows]}
    times = best_of_rounds(works, repeats)
    note = (
        f"with gradient; distance equal to {off:.0e}; gradient equal to differences to {apart:.0e} at {smooth} of {_DISTANCES} "
        f"that are smooth"
    )
    peers = {_PIN: times[_PIN] / len(rows)}
    return [
        Row(f"clearance of {len(some):,} configurations, two threads", times["sweepscope"] / len(some), "10 x", peers, note)
    ]


def _gradient_error(motions: Motions, some: Array, gradients: Array) -> tuple[int, float]:
    """Return at how many configurations the distance is smooth, and the largest error of the gradient there.

    It is smooth where the differences to both sides agree.
    """
    dof = some.shape[1]
    steps = _DIFFERENCE * np.eye(dof)
    here = motions.robot.clearance(some).distance[:, None]
    forward = (motions.robot.clearance(some[:, None] + steps).distance - here) / _DIFFERENCE
    backward = (here - motions.robot.clearance(some[:, None] - steps).distance) / _DIFFERENCE
    smooth = np.abs(forward - backward).max(axis=1) < _SMOOTH
    off = np.abs(0.5 * (forward + backward) - gradients).max(axis=1)
    if not smooth.any() or off[smooth].max() > 10.0 * _SMOOTH:
        raise SweepscopeError(f"gradients differ from differences by {off[smooth].max() if smooth.any() else math.nan:.1e}")
    return int(smooth.sum()), float(off[smooth].max())


PARTS: dict[str, Callable[..., list[Row]]] = {
    "configuration": configuration_rows,
    "free": free_rows,
    "motions": motion_rows,
    "edges": edge_rows,
    "problems": problem_rows,
    "robots": robot_rows,
    "splines": spline_rows,
    "cloud": cloud_rows,
    "clearance": clearance_rows,
}
"""What can be measured alone, by name."""
