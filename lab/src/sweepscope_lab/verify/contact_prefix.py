"""Prefixes of motions: shorter than the travel of a hit they are free, longer ones hit there; those of free ones are free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sweepscope import Hit, Scene

from ..reference.long_cases import LongCase, greatest_depth, long_case, part_of_motion
from .contact_bodies import add_body, motion_of
from .contact_verdicts import ContactTally, ContactVerdict
from .tallies import outside
from .touching_verdicts import describe

COUNTS = ("turns", "touch", "hits", "free", "asked", "grazes")
"""asked: prefixes and continuations; grazes: those that differ, of a motion that is nowhere deeper than the tolerance."""
HELD, EARLY, LOST, MOVED = "held", "early", "lost", "moved"
WRONGS = (HELD, EARLY, LOST, MOVED)
"""held: a prefix of a free motion is a hit. early: a prefix shorter than the travel of a hit is a hit. lost: a longer motion is
free. moved: it is a hit at another travel.
"""
ALLOWED = 1.01
_MOST = 5.0
"""Longest continuation of a turn [radians]."""


def judge_prefix(seed: int) -> ContactVerdict:
    """Judge the case of a seed. `worst` is the difference of travels that must be equal [length, or radians]."""
    case = long_case(seed)
    judge = _Judge(case)
    rng = np.random.default_rng((seed, 52))
    hit = judge.ask(1.0)
    counts = judge.verdict.counts
    counts["hits" if hit is not None else "free"] += 1
    if hit is None:
        for share in (rng.random(), 10.0 ** rng.uniform(-4.0, 0.0), 1.0 - 10.0 ** rng.uniform(-4.0, -1.0)):
            judge.compare_free(float(share))
    else:
        judge.compare_hit(hit, rng)
    return judge.verdict


class _Judge:
    def __init__(self, case: LongCase) -> None:
        self._case = case
        self._scene = Scene(case.scene.tolerance)
        self._mover, _ = add_body(self._scene, case.scene.mover, case.scene.start)
        add_body(self._scene, case.scene.obstacle, case.scene.place)
        self._length = motion_of(case.motion).length
        turns = case.motion.about is not None
        counts = dict.fromkeys(COUNTS, 0) | {"turns": int(turns), "touch": int(case.touching)}
        self.verdict = ContactVerdict(case.scene.seed, case.scene.kind, groups_of(case), counts)

    def ask(self, share: float) -> Hit | None:
        """Ask for a part of the motion, or for more than the motion."""
        return self._scene.sweep(self._mover, motion_of(part_of_motion(self._case.motion, share)))

    def compare_free(self, share: float) -> None:
        """Ask for a prefix of a free motion."""
        self.verdict.counts["asked"] += 1
        hit = self.ask(share)
        if hit is not None:
            self._wrong(HELD, share, f"the whole is free, {share:.6g} of it: {describe(hit)}", hit.travel > self._case.slack)

    def compare_hit(self, hit: Hit, rng: np.random.Generator) -> None:
        """Ask for prefixes and continuations of a motion that is a hit."""
        slack, travel = self._case.slack, hit.travel
        if travel > 2.0 * slack:
            for length in (float(rng.random()) * (travel - slack), travel - 1.5 * slack):
                self.verdict.counts["asked"] += 1
                sooner = self.ask(length / self._length)
                if sooner is not None:
                    text = f"hit after {travel:.9g}, but a motion by {length:.9g}: {describe(sooner)} ({sooner.travel:.9g})"
                    self._wrong(EARLY, length / self._length, text, True)
        more = float(rng.uniform(1.0, 3.0))
        if self._case.motion.about is not None:
            more = min(more, max(_MOST / self._length, 1.0))
        for share in (float(rng.uniform(travel / self._length, 1.0)), more):
            self.verdict.counts["asked"] += 1
            other = self.ask(share)
            text = f"hit after {travel:.9g}, but a motion by {share * self._length:.9g}: {describe(other)}"
            if other is None:
                self._wrong(LOST, share, text, True)
                continue
            apart = abs(other.travel - travel)
            self.verdict.worst = max(self.verdict.worst, apart)
            if apart > slack:
                self._wrong(MOVED, share, f"{text} ({other.travel:.9g})", True)

    def _wrong(self, what: str, share: float, text: str, may_graze: bool) -> None:
        """Write down what is wrong, unless the bodies only graze each other, which may be called either way."""
        scene = self._case.scene
        depth = greatest_depth(self._case, part_of_motion(self._case.motion, share))
        if may_graze and depth <= ALLOWED * scene.tau:
            self.verdict.counts["grazes"] += 1
        else:
            self.verdict.wrongs.append((what, f"{self._case.motion.name}, {text}; {depth / scene.tau:.3g} deep"))


def groups_of(case: LongCase) -> tuple[str, ...]:
    """Return the rows in which a case is counted."""
    scene = case.scene
    return (
        f"{scene.mover.name} on ...",
        f"... on {scene.obstacle.name}",
        case.motion.name if case.motion.about is not None else "straight",
        "touching" if case.touching else "apart",
    )


def poor_prefix(row: ContactTally) -> Sequence[str]:
    """Return what came up too seldom."""
    return [
        f"{row.counts[name] / row.cases:.0%} {name}"
        for name in ("hits", "free", "touch", "turns")
        if outside(row.counts[name] / row.cases, row.cases, (0.15, 0.85))
    ]
