"""Rays in rational arithmetic, the slow twin of `Scene.cast`: every triangle, every voxel. Nothing is rounded.

A triangle is met if its plane is crossed at a point on one side of all three edges, or on them. A voxel is a closed cube: the
ray enters it where it has entered the slabs of all three coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Triple = tuple[Fraction, Fraction, Fraction]


def exact(numbers: Iterable[Any]) -> Triple:
    """Return three numbers as rationals."""
    x, y, z = (Fraction(float(number)) for number in numbers)
    return x, y, z


def _minus(a: Triple, b: Triple) -> Triple:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _volume(a: Triple, b: Triple, c: Triple) -> Fraction:
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    )  # fmt: skip


def triangle_share(corners: Sequence[Triple], origin: Triple, direction: Triple) -> Fraction | None:
    """Return where a ray meets a triangle, as a share of its direction; None if it does not, or lies in its plane."""
    a, b, c = (_minus(corner, origin) for corner in corners)
    # Signed volumes over the edges, along the ray: inside, all have one sign.
    sides = _volume(direction, b, c), _volume(direction, c, a), _volume(direction, a, b)
    total = sum(sides)
    if total == 0 or not (min(sides) >= 0 or max(sides) <= 0):
        return None
    share = _volume(a, b, c) / total
    return share if share >= 0 else None


def all_shares(
    corners: NDArray[np.float64], origin: NDArray[np.float64], direction: NDArray[np.float64]
) -> dict[int, Fraction]:
    """Return where a ray meets triangles, corners (m, 3, 3), by their number."""
    begin, along = exact(origin), exact(direction)
    found = {k: triangle_share([exact(corner) for corner in face], begin, along) for k, face in enumerate(corners)}
    return {k: share for k, share in found.items() if share is not None}


def voxel_shares(voxels: NDArray[np.int64], origin: NDArray[np.float64], direction: NDArray[np.float64]) -> dict[int, Fraction]:
    """Return where a ray enters cubes of side 1, low corners (m, 3), by their number. Touching counts."""
    begin, along = exact(origin), exact(direction)
    found: dict[int, Fraction] = {}
    for k, low in enumerate(voxels.tolist()):
        enter, leave = Fraction(0), None
        for r in range(3):
            one, two = low[r] - begin[r], low[r] + 1 - begin[r]
            if along[r] == 0:
                if one > 0 or two < 0:
                    break
                continue
            near, far = sorted((one / along[r], two / along[r]))
            enter, leave = max(enter, near), far if leave is None else min(leave, far)
        else:
            if leave is None or enter <= leave:
                found[k] = enter
    return found
