"""Hold the sweep against exact rational arithmetic, case by case, and count what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .motion import Translate
from .reference.cases import KINDS, Case, make
from .reference.dense import face_distance
from .reference.exact import exact_faces, exact_points, first_time
from .scene import Scene
from .shapes import Mesh

ERROR_LIMIT = 1e-9
"""Largest error in travel, and largest gap of a false hit, as a share of the case's size."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one case came out."""

    case: Case
    true_time: Fraction | None
    time: float | None
    missed: bool
    late: bool
    error: float
    """How much too early [share of the case's size]; 0 where there is nothing to compare."""
    false_gap: float
    """For a hit where there is none: how near they really come [share of the size]; 0 otherwise."""

    @property
    def fine(self) -> bool:
        """True if neither missed, nor late, nor off by more than the limit."""
        return not self.missed and not self.late and self.error < ERROR_LIMIT and self.false_gap < ERROR_LIMIT


def judge(case: Case) -> Verdict:
    """Sweep a case and compare with the rational twin. Touching counts, as it does there (resting="hit")."""
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
        return Verdict(case, true, None, true is not None, False, 0.0, 0.0)
    length = float(np.linalg.norm(case.vector))
    if true is None:
        return Verdict(case, true, hit.time, False, False, 0.0, _nearest(case, hit.time) / case.size)
    early = float(true - Fraction(hit.time)) * length / case.size
    return Verdict(case, true, hit.time, False, Fraction(hit.time) > true, max(early, 0.0), 0.0)


def _nearest(case: Case, time: float) -> float:
    """Return how near the shapes come at the moment that was reported [length]."""
    movers = (case.mover + time * case.vector)[case.mover_faces]
    obstacles = case.obstacle[case.obstacle_faces]
    pairs = [(a, b) for a in movers for b in obstacles]
    return float(face_distance(np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])).min())


def judge_all(count: int, first_seed: int = 0) -> Iterator[Verdict]:
    """Judge `count` cases, the kinds in turn."""
    for k in range(count):
        yield judge(make(KINDS[k % len(KINDS)], first_seed + k // len(KINDS)))


@dataclass(frozen=True, slots=True)
class Tally:
    """What a run of cases came to."""

    kind: str
    cases: int
    hits: int
    missed: int
    late: int
    false_hits: int
    worst_error: float
    worst_false_gap: float


def tally(verdicts: Iterable[Verdict]) -> list[Tally]:
    """Sum verdicts up, a row for each kind."""
    table: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        table.setdefault(verdict.case.kind, []).append(verdict)
    rows = []
    for kind, all_of_it in table.items():
        count = Counter(
            hits=sum(v.true_time is not None for v in all_of_it),
            missed=sum(v.missed for v in all_of_it),
            late=sum(v.late for v in all_of_it),
            false=sum(v.true_time is None and v.time is not None for v in all_of_it),
        )
        rows.append(
            Tally(
                kind,
                len(all_of_it),
                count["hits"],
                count["missed"],
                count["late"],
                count["false"],
                max(v.error for v in all_of_it),
                max(v.false_gap for v in all_of_it),
            )
        )
    return rows
