"""Compare distances with rational arithmetic, case by case, and count wrong answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Scene, Volume

from ..reference.distance_cases import DistanceCase, distance_case, faces_of
from ..reference.exact import exact_faces, exact_points
from ..reference.exact_distance import surface_distance, winding
from .tallies import tally

Array = NDArray[np.float64]

ERROR_LIMIT = 1e-9
"""Largest error, as a share of the case's size."""
MEET_RATE = (0.1, 0.6)
"""Accepted share of cases whose bodies meet or are nested; others prove little."""
_CLEAR = 0.4  # a winding number this far from half a turn is certain


@dataclass(frozen=True, slots=True)
class DistanceVerdict:
    """A case, the true distance, the answer, and what is wrong with it."""

    case: DistanceCase
    true: float
    found: float
    error: float
    """By how much it is too small [share of the size]."""
    too_large: bool
    off_points: float
    """How far the two points are from the distance that they show [share of the size]; 0 if the bodies meet."""

    @property
    def fine(self) -> bool:
        """True if it is not too large, and within the limits of error."""
        return not self.too_large and self.error < ERROR_LIMIT and self.off_points < ERROR_LIMIT


def true_distance(case: DistanceCase) -> tuple[float, float]:
    """Return the true distance of a case [length], and the size of the case."""
    faces, corners, radius = [], [], 0.0
    for shape, pose in zip(case.shapes, case.poses, strict=True):
        vertices, triangles = faces_of(shape)
        # In exact arithmetic, so a place far from the origin costs nothing.
        points = exact_points(vertices, pose)
        faces.append(exact_faces(points, triangles.astype(np.int32)))
        here = case.poses[0][:3, 3]
        corners.append((vertices @ pose[:3, :3].T + (pose[:3, 3] - here))[triangles])
        radius += 0.0 if isinstance(shape, Volume) else shape.radius
    size = float(np.ptp(np.concatenate([each.reshape(-1, 3) for each in corners]), axis=0).max()) + 2.0 * radius
    gap = max(0.0, surface_distance(*faces) - radius)
    for inner, outer in ((0, 1), (1, 0)):
        shape = case.shapes[outer]
        if gap > 0.0 and shape.radius == 0.0 and _is_closed(case, outer):
            turns = winding(corners[inner][:, 0], corners[outer])
            if (turns > _CLEAR).any() or (turns < -_CLEAR).any():
                return 0.0, size
    return gap, size


def _is_closed(case: DistanceCase, k: int) -> bool:
    shape = case.shapes[k]
    if isinstance(shape, Volume):
        return True
    _, faces = faces_of(shape)
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    uses = np.unique(sides, axis=0, return_counts=True)[1]
    return shape.solid is not False and bool((uses % 2 == 0).all()) and bool((faces[:, 1] != faces[:, 2]).all())


def judge_distance(seed: int) -> DistanceVerdict:
    """Answer the case of a seed, and compare."""
    case = distance_case(seed)
    scene = Scene()
    bodies = [scene.add(shape, pose) for shape, pose in zip(case.shapes, case.poses, strict=True)]
    pair = scene.distance(*bodies)
    true, size = true_distance(case)
    off = 0.0
    if pair.distance > 0.0:
        off = abs(float(np.linalg.norm(pair.first_point - pair.second_point)) - pair.distance) / (
            size + float(np.abs(case.poses[0][:3, 3]).max()) * 1e-6
        )
    # Poses far away are rounded to 1e-10: both points are given in the world.
    rounding = 0.0 if case.kind != "far away" else 1e-8
    found = pair.distance
    return DistanceVerdict(case, true, found, max(0.0, true - found) / size, found > true, max(0.0, off - rounding))


def judge_distances(count: int, first_seed: int = 0) -> Iterator[DistanceVerdict]:
    """Judge `count` cases."""
    for seed in range(first_seed, first_seed + count):
        yield judge_distance(seed)


@dataclass(slots=True)
class DistanceTally:
    """Counts for cases of one kind."""

    kind: str
    cases: int = 0
    meet: int = 0
    too_large: int = 0
    off: int = 0
    worst_error: float = 0.0
    worst_points: float = 0.0
    seeds: list[int] = field(default_factory=list)
    """Of wrong answers, the first few."""

    def add(self, verdict: DistanceVerdict) -> None:
        """Count a verdict."""
        self.cases += 1
        self.meet += verdict.true == 0.0
        self.too_large += verdict.too_large
        self.off += max(verdict.error, verdict.off_points) >= ERROR_LIMIT
        self.worst_error = max(self.worst_error, verdict.error)
        self.worst_points = max(self.worst_points, verdict.off_points)
        if not verdict.fine and len(self.seeds) < 10:
            self.seeds.append(verdict.case.seed)


def tally_distances(verdicts: Iterable[DistanceVerdict]) -> list[DistanceTally]:
    """Return a row for each kind, "all" first."""
    found = list(verdicts)
    return tally(DistanceTally, [(kind, verdict) for verdict in found for kind in ("all", verdict.case.kind)])
