"""Compare the sweep with exact rational arithmetic, case by case, and count wrong answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sweepscope import Mesh, Scene, Translate

from ..reference.brute_force import face_distance
from ..reference.exact import exact_faces, exact_points, first_time
from ..reference.translate_cases import KINDS, TranslateCase, make
from .tallies import by_kind

ERROR_LIMIT = 1e-9
"""Largest error in travel, and largest gap of a false hit, as a share of the case's size."""


@dataclass(frozen=True, slots=True)
class SweepVerdict:
    """A case, its answer and the true one."""

    case: TranslateCase
    true_time: Fraction | None
    time: float | None
    missed: bool
    late: bool
    error: float
    """How much too early [share of the case's size]; 0 if there is nothing to compare."""
    false_gap: float
    """For a false hit: the true distance at that time [share of the size]; 0 otherwise."""

    @property
    def fine(self) -> bool:
        """True if not missed, not late, and within the limits of error."""
        return not self.missed and not self.late and self.error < ERROR_LIMIT and self.false_gap < ERROR_LIMIT


def judge(case: TranslateCase) -> SweepVerdict:
    """Sweep a case and compare with the rational twin. Touching counts in both (resting="hit")."""
    scene = Scene()
    mover = scene.add(Mesh(case.mover, case.mover_faces, solid=False))
    scene.add(Mesh(case.obstacle, case.obstacle_faces, solid=False))
    hit = scene.sweep(mover, Translate(case.vector), resting="hit")
    faces = np.asarray(case.mover_faces, np.int32), np.asarray(case.obstacle_faces, np.int32)
    true = first_time(
        exact_faces(exact_points(case.mover), faces[0]),
        exact_faces(exact_points(case.obstacle), faces[1]),
        case.vector.tolist(),
    )
    if hit is None:
        return SweepVerdict(case, true, None, true is not None, False, 0.0, 0.0)
    length = float(np.linalg.norm(case.vector))
    if true is None:
        return SweepVerdict(case, true, hit.time, False, False, 0.0, _nearest(case, hit.time) / case.size)
    early = float(true - Fraction(hit.time)) * length / case.size
    return SweepVerdict(case, true, hit.time, False, Fraction(hit.time) > true, max(early, 0.0), 0.0)


def _nearest(case: TranslateCase, time: float) -> float:
    """Return the distance of the shapes at the reported time [length]."""
    movers = (case.mover + time * case.vector)[case.mover_faces]
    obstacles = case.obstacle[case.obstacle_faces]
    pairs = [(a, b) for a in movers for b in obstacles]
    return float(face_distance(np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])).min())


def judge_all(count: int, first_seed: int = 0) -> Iterator[SweepVerdict]:
    """Judge `count` cases, one kind after the other."""
    for k in range(count):
        yield judge(make(KINDS[k % len(KINDS)], first_seed + k // len(KINDS)))


@dataclass(frozen=True, slots=True)
class SweepTally:
    """Counts for cases of one kind."""

    kind: str
    cases: int
    hits: int
    missed: int
    late: int
    false_hits: int
    worst_error: float
    worst_false_gap: float


def tally(verdicts: Iterable[SweepVerdict]) -> list[SweepTally]:
    """Return a row for each kind."""
    return [
        SweepTally(
            kind,
            len(rows),
            hits=sum(v.true_time is not None for v in rows),
            missed=sum(v.missed for v in rows),
            late=sum(v.late for v in rows),
            false_hits=sum(v.true_time is None and v.time is not None for v in rows),
            worst_error=max(v.error for v in rows),
            worst_false_gap=max(v.false_gap for v in rows),
        )
        for kind, rows in by_kind(verdicts).items()
    ]
