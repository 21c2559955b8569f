"""Shorter paths: corners are cut where the straight motion between two places of a path is free."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery
from .validator import Validator

_BATCH = 32
"""Cuts that are validated in one call."""
_LEAST = 1e-9
"""Share of the path's length that a cut saves at the least: less is rounding."""
_PATIENCE = 2
"""Batches in a row without a cut, after which no more are tried."""


def shortcut(validator: Validator, waypoints: ArrayLike, *, tries: int = 512, seed: int | None = None) -> NDArray[np.float64]:
    """Return a path with the same ends that is not longer, shape (m, dof).

    waypoints: a path that is free, shape (n, dof), in the order of `validator.joints`. tries: the most cuts that are tried, in
    batches; each joins two random places of the path. seed: of the random places. A cut is made only if its straight motion
    is proven free.
    """
    path = np.array(checks.array(waypoints, "waypoints", "an array of shape (n, dof)", InvalidQuery), dtype=np.float64)
    count = len(validator.joints)
    if path.ndim != 2 or path.shape[1] != count or len(path) == 0:
        raise InvalidQuery(f"waypoints: got shape {path.shape}; accepted: (n, {count}) with n from 1")
    validator.validate(path)  # raises beyond the limits
    left = checks.whole(tries, "tries", InvalidQuery, 0)
    rng = np.random.default_rng(None if seed is None else checks.whole(seed, "seed", InvalidQuery, 0))
    idle = 0
    while left > 0 and idle < _PATIENCE and len(path) > 2:
        batch = min(_BATCH, left)
        left -= batch
        shorter = _cut(validator, path, np.sort(rng.random((batch, 2)), axis=1))
        idle = idle + 1 if shorter is None else 0
        path = path if shorter is None else shorter
    return _without_waypoints(validator, path) if tries else path


def length_of(path: NDArray[np.float64]) -> float:
    """Return the length of a path in joint space, shape (n, dof): root of the sum of squared changes, [radians] or [length]."""
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _without_waypoints(validator: Validator, path: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the path without waypoints that are not needed: the motion past them is free."""
    while len(path) > 2:
        free = np.asarray(validator.validate_motion(path[:-2], path[2:]))
        kept = np.ones(len(path), dtype=np.bool_)
        for k in np.flatnonzero(free) + 1:
            kept[k] = not kept[k - 1]  # never two neighbors in one round
        if kept.all():
            break
        path = path[kept]
    return path


def _cut(validator: Validator, path: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the path with those of the cuts that are free, the ones that save most first; None if none is.

    shares: where the cuts begin and end, shape (n, 2), shares of the path's length.
    """
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = np.concatenate(([0.0], np.cumsum(steps)))
    # Corners are good places: half of the ends move to the nearest waypoint.
    places = shares * along[-1]
    snapped = along[np.abs(places[..., None] - along).argmin(axis=-1)]
    places[::2] = snapped[::2]
    ends = np.stack([np.stack([np.interp(row, along, axis) for axis in path.T], axis=-1) for row in places])
    saved = places[:, 1] - places[:, 0] - np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    rows = np.flatnonzero(saved > _LEAST * along[-1])
    if not rows.size:
        return None
    rows = rows[np.asarray(validator.validate_motion(ends[rows, 0], ends[rows, 1]))]
    taken: list[int] = []
    for row in rows[np.argsort(-saved[rows], kind="stable")].tolist():
        begin, end = places[row]
        if all(end <= places[other, 0] or begin >= places[other, 1] for other in taken):
            taken.append(row)
    # Parts of a free motion may be nearer to a contact than the accuracy: the new path has to be free as it is.
    for some in (taken, taken[:1]):
        if some:
            shorter = _joined(path, along, places[some], ends[some])
            if validator.validate_path(shorter):
                return shorter
    return None


def _joined(
    path: NDArray[np.float64], along: NDArray[np.float64], places: NDArray[np.float64], ends: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a path with cuts, which do not overlap. along: where its waypoints are. places, ends: of the cuts."""
    parts, at = [], 0.0
    for k in np.argsort(places[:, 0]):
        parts += [path[(along >= at) & (along < places[k, 0])], ends[k]]
        at = np.nextafter(places[k, 1], np.inf)
    return np.concatenate([*parts, path[along >= at]])
