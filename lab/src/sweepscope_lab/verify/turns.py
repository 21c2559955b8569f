"""Compare sweeps by turns and screws with a proof by planes, case by case, and count wrong answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from sweepscope import Box, Hit, Rotate, Scene, Screw, Translate

from ..reference.contact_about_axis import encloses, first_contact, first_step, gap_at
from ..reference.turn_cases import SCREWS, TURNS, CaseParts, Rng, TurnCase, between, make
from .tallies import by_kind

GAP_LIMIT = 1e-8
"""Largest gap at the reported contact, as a share of the case's size."""
LIMIT_ERROR = 1e-9
"""Largest difference between a screw without angle and a translation, or without slide and a turn [share of the motion]."""
STEPS = 10_000

Asker = Callable[[TurnCase], "Answer | None"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The judged fields of a hit."""

    time: float
    overlapping: bool


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """A case, its answer, and what is wrong with it."""

    case: TurnCase
    time: float | None
    """The answer: share of the motion, None for free."""
    missed: bool
    """Answered free, but the two enter each other."""
    late: bool
    """The two enter each other before the reported contact."""
    gap: float
    """Distance at the reported contact [share of the size]; 0 if free or overlapping."""
    flag_wrong: bool
    """`overlapping` is wrong, or an overlapping hit is not at time 0."""
    graze: bool
    """Answered free, and the two come within rounding without entering each other: both answers are accepted."""
    undecided: bool
    """The proof gave up."""
    unequal: bool
    """Differs from the same motion by another class, or from a walk of many small steps."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """Each fault in words."""
        found = {
            "missed": self.missed,
            "late": self.late,
            "early": self.gap > GAP_LIMIT,
            "flag": self.flag_wrong,
            "undecided": self.undecided,
            "unequal": self.unequal,
        }
        return tuple(word for word, is_so in found.items() if is_so)


def answer(case: TurnCase, motion: Rotate | Screw | Translate | None = None) -> Answer | None:
    """Sweep a case, or the same bodies along another motion. Touching counts, except on the floor below the mover."""
    scene = Scene()
    mover = scene.add(case.mover, case.mover_pose)
    scene.add(case.obstacle, case.obstacle_pose)
    if case.floor:
        scene.add(Box((40.0, 40.0, 1.0)), (0.0, 0.0, -0.5))
    motion = case.motion if motion is None else motion
    hit: Hit | None = scene.sweep(mover, motion, margin=case.margin, resting="free" if case.floor else "hit")
    return None if hit is None else Answer(hit.time, hit.overlapping)


def judge_turn(case: TurnCase, asker: Asker = answer) -> TurnVerdict:
    """Sweep a case and prove or refute the answer."""
    question = case.question
    found = asker(case)
    start = gap_at(question, 0.0)
    inside = encloses(question)
    deep = start.crossing if question.thick == 0.0 else start.crossing or start.room < -GAP_LIMIT * question.size
    if inside or deep:
        flag = found is None or not found.overlapping or found.time > 0.0
        return TurnVerdict(case, None if found is None else found.time, found is None, False, 0.0, flag, False, False, False)
    if found is None:
        proof = first_contact(question)
        graze = proof.grazes > 0 and not proof.contact
        return TurnVerdict(case, None, proof.contact, False, 0.0, False, graze, proof.undecided > 0, _unequal(case, None))
    # The proof ends at the last time that rounding can distinguish from the contact itself.
    fastest = question.path.fastest(question.mover)
    until = found.time - 2.0 * question.slack / fastest if fastest > 0.0 else 0.0
    proof = first_contact(question, until) if until > 0.0 else None
    late = proof is not None and proof.contact
    undecided = proof is not None and proof.undecided > 0
    gap = max(gap_at(question, found.time).room / question.size, 0.0)
    flag = found.overlapping and start.room > GAP_LIMIT * question.size
    return TurnVerdict(case, found.time, False, late, gap, flag, False, undecided, _unequal(case, found))


def _unequal(case: TurnCase, found: Answer | None) -> bool:
    """True if a case with a known limit, or with few faces, differs from a second method."""
    motion = case.motion
    if case.kind == between.__name__:
        return not _walks_alike(case, found)
    if not isinstance(motion, Screw):
        return False
    if motion.angle == 0.0:
        other = answer(case, Translate(motion.slide * np.array(motion.axis)))
    elif motion.slide == 0.0:
        other = answer(case, Rotate(motion.axis, motion.angle, about=motion.about))
    else:
        return False
    if found is None or other is None:
        return (found is None) != (other is None)
    return abs(found.time - other.time) > LIMIT_ERROR or found.overlapping != other.overlapping


def _walks_alike(case: TurnCase, found: Answer | None) -> bool:
    """True if a walk of many small steps agrees with the answer, to one step.

    A walk may miss a contact that is shorter than a step. It must not find one where the answer is free.
    """
    walked = first_step(case.question, STEPS, 1.0 if found is None else found.time + 1.0 / STEPS)
    if found is None:
        # A graze is not a contact: the proof decides.
        return walked == np.inf or first_contact(case.question).contact is False
    return walked >= found.time - GAP_LIMIT


def judge_turns(
    count: int, first_seed: int = 0, kinds: tuple[Callable[[Rng], CaseParts], ...] = TURNS
) -> Iterator[TurnVerdict]:
    """Judge `count` cases, one kind after the other."""
    for k in range(count):
        yield judge_turn(make(kinds[k % len(kinds)], first_seed + k // len(kinds)))


MOTIONS: dict[str, tuple[Callable[[Rng], CaseParts], ...]] = {"turn": TURNS, "screw": SCREWS}
"""Kinds of cases for each motion."""


@dataclass(frozen=True, slots=True)
class TurnTally:
    """Counts for cases of one kind."""

    kind: str
    cases: int
    hits: int
    at_start: int
    missed: int
    late: int
    early: int
    other: int
    """Wrong flags, unequal answers and proofs that gave up."""
    grazes: int
    worst_gap: float


def tally_turns(verdicts: Iterable[TurnVerdict]) -> list[TurnTally]:
    """Return a row for each kind."""
    return [
        TurnTally(
            kind,
            len(rows),
            hits=sum(v.time is not None for v in rows),
            at_start=sum(v.time == 0.0 for v in rows),
            missed=sum(v.missed for v in rows),
            late=sum(v.late for v in rows),
            early=sum(v.gap > GAP_LIMIT for v in rows),
            other=sum(v.flag_wrong or v.unequal or v.undecided for v in rows),
            grazes=sum(v.graze for v in rows),
            worst_gap=max(v.gap for v in rows),
        )
        for kind, rows in by_kind(verdicts).items()
    ]
