"""Compare `Swing` with a slow twin and with `Scene.sweep`, case by case, and count wrong answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Scene, Sphere
from sweepscope.fan import Swing

from ..reference.swing import Rods, SwungBox, first_touch, gaps, sizes, witnesses
from ..reference.swing_cases import KINDS, THINGS, SwingCase, make

LIMIT = 1e-9
"""Largest gap at a reported contact, and largest delay after a true one [share of the size]."""
SCENE_LIMIT = 1e-8
"""The same for a sweep, which counts distances below its tolerance as touching."""
_BATCH = 500


@dataclass(frozen=True, slots=True)
class SwingTally:
    """Counts for one type of thing."""

    thing: str
    cases: int
    hits: int
    at_start: int
    early: int
    """Not in contact at the reported time."""
    late: int
    """In contact before the reported time, or reported free."""
    undecided: int
    """The slow twin gave up."""
    grazes: int
    """The two come within rounding and no nearer: both answers are accepted."""
    worst_gap: float
    """At a reported time [share of the size]."""

    @property
    def wrong(self) -> int:
        """Number of wrong answers."""
        return self.early + self.late + self.undecided


@dataclass(frozen=True, slots=True)
class JudgedSwings:
    """Verdicts on n answers, shape (n,)."""

    early: NDArray[np.bool_]
    late: NDArray[np.bool_]
    undecided: NDArray[np.bool_]
    graze: NDArray[np.bool_]
    gap: NDArray[np.float64]


def swing_of(box: SwungBox) -> Swing:
    """Return the library's swing."""
    return Swing(Box(2.0 * box.half), box.pose, axis=box.axis, angle=box.angle, about=box.about)


def ask(swing: Swing, case: SwingCase) -> NDArray[np.float64] | None:
    """Return times (n,), or None if there is no closed form."""
    rods = case.rods
    if case.thing == "points":
        return np.asarray(swing.times(rods.p0))
    if case.thing == "spheres":
        return np.asarray(swing.sphere_times(rods.p0, rods.radii))
    return np.asarray(swing.capsule_times(rods.p0, rods.p1, rods.radii)) if swing.upright else None


def judge_swing(box: SwungBox, rods: Rods, times: NDArray[np.float64], limit: float = LIMIT) -> JudgedSwings:
    """Prove or refute times (n,) of first contact, NaN for never."""
    size = sizes(box, rods)
    angle = abs(box.angle)
    hit = ~np.isnan(times)
    gap = np.zeros(len(rods))
    gap[hit] = np.maximum(gaps(box, rods.take(hit), angle * times[hit]) / size[hit], 0.0)
    reached, lost = first_touch(box, rods)
    certain = witnesses(box, rods, reached)
    arms = [np.linalg.norm(np.cross(box.axis, places - box.about), axis=1) for places in (rods.p0, rods.p1)]
    with np.errstate(all="ignore"):
        slack = limit * size / np.maximum(*arms)
    late = ~np.isnan(certain) & ~(hit & (angle * np.nan_to_num(times) <= certain + slack))
    return JudgedSwings(gap > limit, late, lost, ~np.isnan(reached) & np.isnan(certain), gap)


def verify_swing(count: int, seed: int = 0) -> Iterator[SwingTally]:
    """Judge `count` points, spheres, and capsules parallel and square to the axis, on all kinds of swings; yield tallies."""
    for thing in THINGS:
        rows: list[tuple[NDArray[np.float64], JudgedSwings]] = []
        done = batch = 0
        while done < count:
            some = min(_BATCH, count - done)
            case = make(KINDS[batch % len(KINDS)], thing, some, seed + batch // len(KINDS))
            times = ask(swing_of(case.box), case)
            batch += 1
            if times is None:
                continue
            rows.append((times, judge_swing(case.box, case.rods, times)))
            done += some
        times = np.concatenate([row[0] for row in rows])
        yield SwingTally(
            thing,
            len(times),
            hits=int((~np.isnan(times)).sum()),
            at_start=int((times == 0.0).sum()),
            early=sum(int(row[1].early.sum()) for row in rows),
            late=sum(int(row[1].late.sum()) for row in rows),
            undecided=sum(int(row[1].undecided.sum()) for row in rows),
            grazes=sum(int(row[1].graze.sum()) for row in rows),
            worst_gap=max(float(row[1].gap.max()) for row in rows),
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts of swings compared with sweeps."""

    thing: str
    cases: int
    hits: int
    equal: int
    """Both free, or times equal to 1e-9 of the size."""
    grazes: int
    """Different, and neither is wrong: the two only just touch."""
    wrong: int
    """Different, and the slow twin refutes one of them."""


def sweep_times(swing: Swing, rods: Rods) -> NDArray[np.float64]:
    """Return when the box meets each rod alone, by `Scene.sweep`, shape (n,); NaN for never."""
    times = np.full(len(rods), np.nan)
    for k in range(len(rods)):
        scene = Scene()
        body = scene.add(swing.box, swing.pose)
        if (rods.p0[k] == rods.p1[k]).all():
            scene.add(Sphere(rods.radii[k]), rods.p0[k])
        else:
            scene.add(Capsule.from_segment((0.0, 0.0, 0.0), rods.p1[k] - rods.p0[k], radius=rods.radii[k]), rods.p0[k])
        hit = scene.sweep(body, swing.motion, resting="hit")
        times[k] = np.nan if hit is None else hit.time
    return times


def verify_against_sweeps(count: int, seed: int = 0, batch: int = 10) -> Iterator[Agreement]:
    """Compare `count` swings with `Scene.sweep` for each type of thing; yield a tally each."""
    for thing in THINGS:
        tally = np.zeros(5, int)
        number = 0
        while tally[0] < count:
            case = make(KINDS[number % len(KINDS)], thing, batch, seed + number // len(KINDS))
            number += 1
            swing = swing_of(case.box)
            times = ask(swing, case)
            if times is not None:
                tally += _agree(case, times, sweep_times(swing, case.rods))
        yield Agreement(thing, *map(int, tally))


def _agree(case: SwingCase, times: NDArray[np.float64], swept: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the numbers of cases, hits, equal answers, grazes and wrong answers."""
    box, rods = case.box, case.rods
    reach = np.maximum(*(np.linalg.norm(np.cross(box.axis, places - box.about), axis=1) for places in (rods.p0, rods.p1)))
    apart = np.abs(times - swept) * abs(box.angle) * reach
    equal = (np.isnan(times) & np.isnan(swept)) | (apart <= LIMIT * sizes(box, rods))
    wrong = np.zeros(len(rods), bool)
    if not equal.all():
        # A miss counts only beyond rounding: a thinner box and thinner rods must be missed, too.
        much = LIMIT * float(sizes(box, rods).max())
        lean = replace(box, half=np.maximum(box.half - much, 0.0)), replace(rods, radii=np.maximum(rods.radii - much, 0.0))
        for answers, limit in ((times, LIMIT), (swept, SCENE_LIMIT)):
            judged, missed = judge_swing(box, rods, answers, limit), judge_swing(*lean, answers, limit)
            wrong |= ~equal & (judged.early | missed.late | judged.undecided)
    counts = (len(rods), (~np.isnan(times)).sum(), equal.sum(), (~equal & ~wrong).sum(), wrong.sum())
    return np.array(counts, np.int64)
