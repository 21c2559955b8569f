"""Do a body's contacts hold it up? As in the paper, contacts push in any direction and do not slip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDING = 1e-12  # share of the points' extent
_HELD = 1e-5  # share of the weight, and of the weight times the size: accepted remaining force and torque


def margin(points: NDArray[np.float64], center: NDArray[np.float64]) -> float:
    """Return how far inside the convex hull of points (n, 2) a center (2,) lies [length]; below zero it is outside.

    Outside, only the sign counts. With points on one line, or less than three, nothing is inside.
    """
    if len(points) < 3:
        return -np.inf
    ahead = points[None] - points[:, None]  # from each to each
    length = np.linalg.norm(ahead, axis=2)
    starts, ends = np.nonzero(length > _ROUNDING * length.max())
    along = ahead[starts, ends] / length[starts, ends][:, None]
    left = np.stack((-along[:, 1], along[:, 0]), axis=1)
    sides = np.einsum("ekx,ex->ek", points[None] - points[starts][:, None], left)
    rim = (sides >= -_ROUNDING * length.max()).all(axis=1)
    if not rim.any():
        return -np.inf
    return float(((center - points[starts[rim]]) * left[rim]).sum(axis=1).min())


def held(points: NDArray[np.float64], normals: NDArray[np.float64], center: NDArray[np.float64], size: float) -> bool:
    """Return whether forces at contacts can balance gravity, which pulls along -z.

    points (n, 3) and normals (n, 3), towards the body; center of mass (3,); size of the body [length]. Forces push: none acts
    against the normal. A contact with unknown normal (NaN) gives no force.
    """
    known = np.isfinite(normals).all(axis=1) if len(points) else np.zeros(0, bool)
    points, normals = points[known], normals[known]
    if len(points) == 0:
        return False
    columns = []
    for point, normal in zip(points, normals, strict=True):
        aside = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
        other = np.cross(normal, aside)
        for force in (normal, aside, -aside, other, -other):
            columns.append((*force, *(np.cross(point - center, force) / size)))
    weight = np.array((0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    matrix = np.array(columns).T
    return bool(np.linalg.norm(matrix @ _not_negative(matrix, weight) - weight) < _HELD)


def _not_negative(matrix: NDArray[np.float64], goal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return x >= 0 that brings matrix @ x closest to the goal (Lawson & Hanson 1974)."""
    x = np.zeros(matrix.shape[1])
    used = np.zeros(len(x), bool)
    for _ in range(3 * len(x)):
        pull = matrix.T @ (goal - matrix @ x)
        pull[used] = 0.0
        if pull.max() <= _ROUNDING:
            break
        used[np.argmax(pull)] = True
        while True:
            wish = np.zeros_like(x)
            wish[used] = np.linalg.lstsq(matrix[:, used], goal, rcond=None)[0]
            if (wish[used] > 0.0).all():
                break
            below = used & (wish <= 0.0)
            share = (x[below] / np.maximum(x[below] - wish[below], np.finfo(float).tiny)).min()
            x += share * (wish - x)
            used &= x > _ROUNDING
            if not used.any():
                break
        x = np.where(used, wish, 0.0)
    return x
