"""Motions cut in two: the pieces, one after the other, must give the hit of the whole, or be free as the whole is."""

from __future__ import annotations

import numpy as np

from sweepscope import Hit, Scene

from ..reference.long_cases import LongCase, greatest_depth, long_case, part_of_motion
from .contact_bodies import add_body, motion_of
from .contact_prefix import ALLOWED, groups_of
from .contact_verdicts import ContactVerdict
from .touching_verdicts import describe

COUNTS = ("turns", "touch", "hits", "free", "in second", "grazes")
"""in second: the hit lies in the second piece; grazes: pieces that differ, of a motion that is nowhere deeper than the
tolerance.
"""
HELD, EARLY, LOST, MOVED = "held", "early", "lost", "moved"
WRONGS = (HELD, EARLY, LOST, MOVED)
"""held: the whole is free, a piece is a hit. early: a piece is a hit before the hit of the whole. lost: the hit of the whole is
in no piece. moved: it is elsewhere.
"""


def judge_split(seed: int) -> ContactVerdict:
    """Judge the case of a seed. `worst` is the difference of travels that must be equal [length, or radians]."""
    case = long_case(seed)
    share = float(np.random.default_rng((seed, 53)).uniform(0.05, 0.95))
    scene = Scene(case.scene.tolerance)
    mover, offset = add_body(scene, case.scene.mover, case.scene.start)
    add_body(scene, case.scene.obstacle, case.scene.place)
    motion = motion_of(case.motion)
    pieces = motion_of(part_of_motion(case.motion, share)), motion_of(part_of_motion(case.motion, 1.0 - share))
    whole = scene.sweep(mover, motion)
    first = scene.sweep(mover, pieces[0])
    mover.pose = pieces[0].at() @ case.scene.start @ offset
    second = scene.sweep(mover, pieces[1]) if first is None else None
    counts = dict.fromkeys(COUNTS, 0) | {"turns": int(motion.turns), "touch": int(case.touching)}
    counts |= {"hits": int(whole is not None), "free": int(whole is None), "in second": int(second is not None)}
    verdict = ContactVerdict(seed, case.scene.kind, groups_of(case), counts)
    _judge(case, verdict, share * motion.length, whole, first, second)
    return verdict


def _judge(
    case: LongCase, verdict: ContactVerdict, cut: float, whole: Hit | None, first: Hit | None, second: Hit | None
) -> None:
    slack = case.slack
    found = first.travel if first is not None else cut + second.travel if second is not None else None
    text = f"whole: {describe(whole)}; cut at {cut:.9g}: {describe(first)}, then {describe(second)}"
    may_graze = True
    if whole is None:
        if found is None:
            return
        what, may_graze = HELD, first is not None and first.travel > slack
    elif found is None:
        what = LOST
    else:
        apart = abs(found - whole.travel)
        if apart <= slack or abs(whole.travel - cut) <= slack:
            verdict.worst = apart
            return
        what = EARLY if found < whole.travel else MOVED
    tau = case.scene.tau
    # A piece that is free may end a tolerance deep; the next one then is a hit at its start, though the whole was one before.
    reached = (
        case.motion
        if found is None or what in (HELD, EARLY)
        else part_of_motion(case.motion, cut / motion_of(case.motion).length)
    )
    depth = greatest_depth(case, reached)
    if may_graze and depth <= ALLOWED * tau:
        verdict.counts["grazes"] += 1
    else:
        verdict.wrongs.append((what, f"{case.motion.name}, {text}; {depth / tau:.3g} deep"))
