"""First contact of two unions of cubes: tests every pair of cubes. Slow, and easy to check by reading.

All cubes of a volume have one orientation. So fifteen directions (Gottschalk 1996) separate any cube of the one from any cube
of the other: three of each, and nine cross products. In a straight motion two cubes overlap along each direction for an
interval of time; they meet when all fifteen intervals do. Other motions take steps, each as long as the widest gap allows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

_PARALLEL = 1e-9  # a shorter cross product gives no new direction


@dataclass(frozen=True)
class Cubes:
    """Equal boxes of one orientation."""

    centers: NDArray[np.float64]
    """Shape (n, 3) [length], world."""
    edges: NDArray[np.float64]
    """Half an edge in each row: shape (3, 3), world."""

    def moved(self, transform: NDArray[np.float64]) -> Cubes:
        """Return the cubes moved by a rigid transform (4, 4)."""
        turn = transform[:3, :3]
        return Cubes(self.centers @ turn.T + transform[:3, 3], self.edges @ turn.T)

    def shrunk(self, by: float) -> Cubes:
        """Return the cubes with every side moved inward [length]."""
        sizes = np.linalg.norm(self.edges, axis=1, keepdims=True)
        return Cubes(self.centers, self.edges * (1.0 - by / sizes))


def cubes(
    occupied: NDArray[np.bool_], spacing: ArrayLike = 1.0, origin: ArrayLike = 0.0, pose: ArrayLike | None = None
) -> Cubes:
    """Return the cubes of occupied voxels (nx, ny, nz)."""
    steps = np.broadcast_to(np.asarray(spacing, np.float64), 3)
    here = Cubes(np.asarray(origin) + (np.argwhere(occupied) + 0.5) * steps, np.diag(0.5 * steps))
    return here if pose is None else here.moved(np.asarray(pose, np.float64))


def _directions(one: Cubes, other: Cubes) -> NDArray[np.float64]:
    """Return the unit directions that can separate two cubes, shape (k, 3)."""
    rows = np.concatenate((one.edges, other.edges, np.cross(one.edges[:, None], other.edges[None]).reshape(-1, 3)))
    scale = max(np.abs(one.edges).max(), np.abs(other.edges).max())
    sizes = np.linalg.norm(rows, axis=1)
    kept = sizes > _PARALLEL * scale * np.repeat((1.0, scale), (6, 9))
    return rows[kept] / sizes[kept, None]


def _apart(one: Cubes, other: Cubes, directions: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the offsets of all pairs of centers along directions, shape (n, m, k), and the sums of half widths, (k,)."""
    widths = np.abs(one.edges @ directions.T).sum(axis=0) + np.abs(other.edges @ directions.T).sum(axis=0)
    return (one.centers @ directions.T)[:, None] - (other.centers @ directions.T)[None], widths


def meeting_time(mover: Cubes, obstacle: Cubes, vector: ArrayLike) -> float | None:
    """Return the least time, 0 .. 1, of a translation at which any two cubes meet; touching counts. None if none meet."""
    if not len(mover.centers) or not len(obstacle.centers):
        return None
    directions = _directions(mover, obstacle)
    off, widths = _apart(mover, obstacle, directions)
    speed = np.broadcast_to(directions @ np.asarray(vector, np.float64), off.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = (-widths - off) / speed, (widths - off) / speed
    still = speed == 0.0
    never = still & (np.abs(off) > widths)
    enter = np.where(still, -np.inf, np.minimum(*ends)).max(axis=2)
    leave = np.where(still, np.inf, np.maximum(*ends)).min(axis=2)
    meet = (enter <= leave) & (leave >= 0.0) & (enter <= 1.0) & ~never.any(axis=2)
    return max(float(enter[meet].min()), 0.0) if meet.any() else None


def gap(one: Cubes, other: Cubes) -> float:
    """Return a lower bound of the distance of all pairs; below 0 two overlap, and this is their greatest possible depth."""
    off, widths = _apart(one, other, _directions(one, other))
    return float((np.abs(off) - widths).max(axis=2).min())


def meeting_in_motion(
    mover: Cubes, obstacle: Cubes, at: Callable[[float], NDArray[np.float64]], speed: float, close: float, steps: int = 2000
) -> float | None:
    """Return the time, 0 .. 1, at which cubes come as near as `close` in any motion; None if they never do.

    at: returns the transform (4, 4) at a time. speed: the highest speed of any point of the mover, per whole motion. No cubes
    meet before that time.
    """
    if not len(mover.centers) or not len(obstacle.centers):
        return None
    time, free = 0.0, np.inf
    for _ in range(steps):
        free = gap(mover.moved(at(time)), obstacle)
        if free <= close:
            return time
        time += free / speed
        if time > 1.0:
            return None
    raise RuntimeError(f"no answer after {steps} steps, {free:g} apart at {time:g}")
