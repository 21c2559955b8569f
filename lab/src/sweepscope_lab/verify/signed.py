"""Compare signed distances of points with exact rational arithmetic, mesh by mesh, and count wrong answers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sweepscope import Mesh, Scene

from ..reference.point_cases import PointCase, make
from ..reference.point_distance import exact_distance

ERROR_LIMIT = 64 * np.finfo(float).eps
"""Largest error of a distance, as a share of the largest coordinate. Nearer points lie on the surface, without a sign."""


@dataclass(slots=True)
class PointTally:
    """Counts for meshes of one kind. `cases` are points."""

    kind: str
    cases: int = 0
    inside: int = 0
    on_surface: int = 0
    wrong_signs: int = 0
    wrong_distances: int = 0
    wrong_points: int = 0
    worst: float = 0.0
    """Largest error of a distance [share of the largest coordinate]."""

    @property
    def wrong(self) -> int:
        """All that is wrong."""
        return self.wrong_signs + self.wrong_distances + self.wrong_points


def judge_points(case: PointCase, row: PointTally) -> None:
    """Ask for the distances of a case, and count."""
    scene = Scene()
    scene.add(Mesh(case.vertices, case.faces))
    found = scene.signed_distance(case.points)
    slack = ERROR_LIMIT * case.size
    for point, distance, nearest in zip(case.points, found.distance.tolist(), found.point, strict=True):
        true = exact_distance(point, case.vertices, case.faces)
        far = math.sqrt(true.square)
        row.cases += 1
        row.worst = max(row.worst, abs(abs(distance) - far) / case.size)
        row.wrong_distances += abs(abs(distance) - far) > slack
        row.wrong_points += abs(float(np.linalg.norm(nearest - point)) - far) > slack
        if far <= slack:
            row.on_surface += 1
            continue
        is_inside = true.winding != 0 if case.oriented else true.crossings % 2 == 1
        row.inside += is_inside
        row.wrong_signs += (distance < 0.0) != is_inside


def judge_meshes(seeds: Iterable[int]) -> list[PointTally]:
    """Judge meshes and their points; return a row for each kind."""
    rows: dict[str, PointTally] = {}
    for seed in seeds:
        case = make(seed)
        judge_points(case, rows.setdefault(case.name, PointTally(case.name)))
    return list(rows.values())
