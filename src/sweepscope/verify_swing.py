"""Hold `Swing` against a slow twin and against `Scene.sweep`, case by case, and count what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .reference.swing import Rods, SwungBox, first_touch, gaps, sizes, witnesses
from .reference.swing_cases import KINDS, THINGS, SwingCase, make
from .scene import Scene
from .shapes import Box, Capsule, Sphere
from .swing import Swing

LIMIT = 1e-9
"""How far apart things may be at a contact, and how much later than a true one it may be reported [share of the size]."""
SCENE_LIMIT = 1e-8
"""The same for a sweep's answer, which takes things nearer than its tolerance for touching."""
_BATCH = 500


@dataclass(frozen=True, slots=True)
class SwingTally:
    """What a run of cases came to."""

    thing: str
    cases: int
    hits: int
    at_start: int
    early: int
    """Not in contact at the time given."""
    late: int
    """In contact before the time given, or called free."""
    undecided: int
    """The slow twin gave up."""
    grazes: int
    """They come within rounding of each other and no nearer: may be called either."""
    worst_gap: float
    """At a time given [share of the size]."""

    @property
    def wrong(self) -> int:
        """How many are wrong."""
        return self.early + self.late + self.undecided


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts on one answer each, shape (n,)."""

    early: NDArray[np.bool_]
    late: NDArray[np.bool_]
    undecided: NDArray[np.bool_]
    graze: NDArray[np.bool_]
    gap: NDArray[np.float64]


def swing_of(box: SwungBox) -> Swing:
    """Return the swing that is meant."""
    return Swing(Box(2.0 * box.half), box.pose, box.axis, box.angle, box.about)


def ask(swing: Swing, case: SwingCase) -> NDArray[np.float64] | None:
    """Return times (n,), or None where there is no closed form."""
    rods = case.rods
    if case.thing == "points":
        return swing.times(rods.p0)
    if case.thing == "spheres":
        return swing.sphere_times(rods.p0, rods.radii)
    return swing.capsule_times(rods.p0, rods.p1, rods.radii) if swing.upright else None


def judge_swing(box: SwungBox, rods: Rods, times: NDArray[np.float64], limit: float = LIMIT) -> Judged:
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
    return Judged(gap > limit, late, lost, ~np.isnan(reached) & np.isnan(certain), gap)


def verify_swing(count: int, seed: int = 0) -> Iterator[SwingTally]:
    """Judge `count` points, spheres, capsules parallel and square to the axis, on swings of every kind; a tally for each."""
    for thing in THINGS:
        rows: list[tuple[NDArray[np.float64], Judged]] = []
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
    """What a run of swings against sweeps came to."""

    thing: str
    cases: int
    hits: int
    equal: int
    """Both free, or times within 1e-9 of the size."""
    grazes: int
    """Different, and neither is wrong: they hardly touch."""
    wrong: int
    """Different, and the slow twin refutes one of them."""


def sweep_times(swing: Swing, rods: Rods) -> NDArray[np.float64]:
    """Return when the box meets each rod alone by `Scene.sweep`, shape (n,); NaN for never."""
    times = np.full(len(rods), np.nan)
    for k in range(len(rods)):
        scene = Scene()
        body = scene.add(swing.box, swing.pose)
        if (rods.p0[k] == rods.p1[k]).all():
            scene.add(Sphere(rods.radii[k]), rods.p0[k])
        else:
            scene.add(Capsule((0.0, 0.0, 0.0), rods.p1[k] - rods.p0[k], rods.radii[k]), rods.p0[k])
        hit = scene.sweep(body, swing.motion, resting="hit")
        times[k] = np.nan if hit is None else hit.time
    return times


def verify_against_sweeps(count: int, seed: int = 0, batch: int = 10) -> Iterator[Agreement]:
    """Hold `count` swings of each sort of thing against `Scene.sweep`; a tally for each."""
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
    """Return how many cases, hits, equal answers, grazes and wrong ones there are."""
    box, rods = case.box, case.rods
    reach = np.maximum(*(np.linalg.norm(np.cross(box.axis, places - box.about), axis=1) for places in (rods.p0, rods.p1)))
    apart = np.abs(times - swept) * abs(box.angle) * reach
    equal = (np.isnan(times) & np.isnan(swept)) | (apart <= LIMIT * sizes(box, rods))
    wrong = np.zeros(len(rods), bool)
    if not equal.all():
        # What is missed must be missed by more than rounding: by a box and rods that are leaner than these.
        much = LIMIT * float(sizes(box, rods).max())
        lean = replace(box, half=np.maximum(box.half - much, 0.0)), replace(rods, radii=np.maximum(rods.radii - much, 0.0))
        for answers, limit in ((times, LIMIT), (swept, SCENE_LIMIT)):
            judged, missed = judge_swing(box, rods, answers, limit), judge_swing(*lean, answers, limit)
            wrong |= ~equal & (judged.early | missed.late | judged.undecided)
    counts = (len(rods), (~np.isnan(times)).sum(), equal.sum(), (~equal & ~wrong).sum(), wrong.sum())
    return np.array(counts, np.int64)
