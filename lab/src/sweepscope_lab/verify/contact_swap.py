"""Swapping which of two bodies moves must not change the answer: a moves by v, or b by -v; the same for turns."""

from __future__ import annotations

from collections.abc import Sequence

from sweepscope import Hit, Scene

from ..reference.swap_cases import SwapCase, opposite, swap_case
from .contact_bodies import add_body, motion_of
from .contact_verdicts import ContactTally, ContactVerdict
from .tallies import outside
from .touching_verdicts import describe

COUNTS = ("turns", "touch", "hits", "at start", "free")
ONE_FREE, GRAZE, TRAVEL = "one free", "graze", "travel"
WRONGS = (ONE_FREE, GRAZE, TRAVEL)
"""one free: one of the two is free, the other a hit. graze: the same, of bodies that touch on the way without overlap. travel:
both are hits, at different travels.
"""
_STRAIGHT, _TURN = 1e-7, 2e-6
"""Differences of travel that are allowed [sizes, radians]. Grazing turns are reported up to 1e-6 radians early. Ten tolerances
of the scene are added.
"""


def judge_swap(seed: int) -> ContactVerdict:
    """Judge the case of a seed. `worst` is the difference of the travels, in sizes or radians."""
    case = swap_case(seed)
    scene = Scene(case.tolerance)
    bodies = [add_body(scene, body, pose)[0] for body, pose in zip(case.bodies, case.poses, strict=True)]
    motion = motion_of(case.motion)
    first, second = scene.sweep(bodies[0], motion), scene.sweep(bodies[1], motion_of(opposite(case.motion)))
    size = max(body.size for body in case.bodies)
    start = _STRAIGHT * size
    counts = {
        "turns": int(motion.turns),
        "touch": int(case.touching),
        "hits": int(first is not None),
        "at start": int(first is not None and first.travel <= start),
        "free": int(first is None),
    }
    groups = f"{case.kind}, {'turn' if motion.turns else 'straight'}", "touching" if case.touching else "apart"
    verdict = ContactVerdict(seed, case.kind, groups, counts)
    text = f"{describe(first)}; swapped: {describe(second)}{_truth(case)}"
    if (first is None) != (second is None):
        hit: Hit | None = first or second
        late = hit is not None and hit.travel > start
        verdict.wrongs.append((GRAZE if case.known and case.truth is None and late else ONE_FREE, text))
    elif first is not None and second is not None:
        apart = abs(first.travel - second.travel)
        verdict.worst = apart if motion.turns else apart / size
        slack = (_TURN if motion.turns else _STRAIGHT) + 10.0 * (case.tolerance or 0.0) / size
        if verdict.worst > slack:
            verdict.wrongs.append((TRAVEL, text))
    return verdict


def _truth(case: SwapCase) -> str:
    if not case.known:
        return ""
    return "; they never overlap" if case.truth is None else f"; they overlap from time {float(case.truth):.6g}"


def poor_swap(row: ContactTally) -> Sequence[str]:
    """Return what came up too seldom."""
    return [
        f"{row.counts[name] / row.cases:.0%} {name}"
        for name in ("hits", "at start", "touch", "turns")
        if outside(row.counts[name] / row.cases, row.cases, (0.15, 0.85))
    ]
