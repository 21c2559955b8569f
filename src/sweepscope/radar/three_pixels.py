"""Normal of a contact by section 3.2 of Yamachi and Shindo (2002): of the plane through three points of R."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Pixels = NDArray[np.int64]


def normal_of(ranges: _Floats, gaps: _Floats, pixels: _Pixels, across: tuple[float, float]) -> _Floats:
    """Return the unit normal (columns, image rows, depth), towards the mover, of the plane through three points of R.

    gaps: L, infinite where a pixel does not count. across: width and height of a pixel [length]. "Any three" of the colliding
    pixels (k, 2) are those with the least L that are not in a line (our reading). Where there are not so many, the closest of
    the eight around each are added, by L again. NaN if these are too few as well.
    """
    three = _three(gaps, pixels)
    if len(three) < 3:
        three = _three(gaps, _around(gaps, pixels), three)
    if len(three) < 3:
        return np.full(3, np.nan)
    i, j = np.array(three).T
    points = np.column_stack((j * across[0], i * across[1], ranges[i, j]))
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    normal /= -np.copysign(np.linalg.norm(normal), normal[2])
    return normal


def _three(gaps: _Floats, pool: _Pixels, have: list[_Pixels] | None = None) -> list[_Pixels]:
    """Return the pixels `have`, at most two, and those of the pool (k, 2) with the least gaps up to three not in a line."""
    chosen = list(have or ())
    values = gaps[pool[:, 0], pool[:, 1]]
    while len(chosen) < 3 and len(pool):
        if len(chosen) == 2:
            one, two = chosen
            turn = (two[0] - one[0]) * (pool[:, 1] - one[1]) - (two[1] - one[1]) * (pool[:, 0] - one[0])
            values = np.where(turn == 0, np.inf, values)
        best = int(values.argmin())
        if not values[best] < np.inf:
            break
        chosen.append(pool[best])
        values[best] = np.inf
    return chosen


def _around(gaps: _Floats, pixels: _Pixels) -> _Pixels:
    """Return the pixels that count among the eight around each of `pixels`, without these, sorted."""
    near = np.zeros((gaps.shape[0] + 2, gaps.shape[1] + 2), np.bool_)
    for i in range(3):
        for j in range(3):
            near[pixels[:, 0] + i, pixels[:, 1] + j] = True
    near = near[1:-1, 1:-1]
    near[pixels[:, 0], pixels[:, 1]] = False
    return np.argwhere(near & np.isfinite(gaps))
