"""Transforms of a scene's nodes: scale, turn, mirror, shear, move.

The sums are written out, each rounded once and in the order of the terms: the same bits on every machine, which a library's
product of matrices does not promise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_CERTAIN = 1e-14  # a determinant that is larger, relative to the sum of its terms' sizes, has the sign that was computed
_FARTHEST = 1e300
_TINY, _HUGE = 1e-90, 1e90  # products of three numbers between them neither vanish nor overflow


class Affine(NamedTuple):
    """An affine transform."""

    rows: tuple[float, ...]
    """The upper three rows of its 4x4 matrix, one after the other."""
    sign: int
    """Sign of its determinant, exact: -1 if it mirrors, 0 if it flattens."""

    def after(self, first: Affine) -> Affine:
        """Return the transform that applies `first`, then this one."""
        if self.rows == IDENTITY.rows:
            return first
        b = first.rows
        rows = []
        for k in (0, 4, 8):
            x, y, z, shift = self.rows[k : k + 4]
            rows += [x * b[j] + y * b[4 + j] + z * b[8 + j] for j in range(3)]
            rows.append(x * b[3] + y * b[7] + z * b[11] + shift)
        return Affine(tuple(rows), self.sign * first.sign)

    def place(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points, shape (n, 3), at their places; the same array if nothing changes."""
        if self.rows == IDENTITY.rows:
            return points
        placed = np.empty_like(points)
        x, y, z = points.T
        with np.errstate(over="ignore", invalid="ignore"):  # the caller finds what is not finite
            for k in range(3):
                a, b, c, shift = self.rows[4 * k : 4 * k + 4]
                column = a * x
                column += b * y
                column += c * z
                column += shift
                placed[:, k] = column
        return placed

    def bounds(self, reach: float) -> bool:
        """True if points whose coordinates are at most `reach` in size are certainly placed at finite numbers."""
        sizes = list(map(abs, self.rows))
        return max(sum(sizes[k : k + 3]) * reach + sizes[k + 3] for k in (0, 4, 8)) < _FARTHEST

    @property
    def finite(self) -> bool:
        """True if all numbers are finite."""
        return all(map(math.isfinite, self.rows))


IDENTITY = Affine((1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0), 1)


def from_rows(rows: Sequence[float]) -> Affine:
    """Return the transform of the upper three rows of a matrix."""
    return Affine(tuple(rows), _sign(rows))


def from_parts(shift: Sequence[float], quaternion: Sequence[float], scale: Sequence[float]) -> Affine | None:
    """Return the transform that scales, then turns by a quaternion x, y, z, w of any length, then moves; None for length 0."""
    turn = _rotation(quaternion)
    if turn is None:
        return None
    rows = []
    for k in range(3):
        rows += [turn[3 * k + j] * scale[j] for j in range(3)]
        rows.append(shift[k])
    negative = sum(each < 0.0 for each in scale)
    return Affine(tuple(rows), 0 if 0.0 in scale else 1 - 2 * (negative % 2))


def _rotation(quaternion: Sequence[float]) -> tuple[float, ...] | None:
    """Return the rotation matrix of a quaternion, row by row. Without a root, so quarter turns are exact."""
    exponent = max(math.frexp(each)[1] for each in quaternion if each) if any(quaternion) else None
    if exponent is None:
        return None
    # A power of two changes no digits, and no square overflows or vanishes.
    x, y, z, w = (math.ldexp(each, -exponent) for each in quaternion)
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    length_sq = xx + yy + zz + ww
    matrix = (
        *(ww + xx - yy - zz, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        *(2.0 * (x * y + w * z), ww - xx + yy - zz, 2.0 * (y * z - w * x)),
        *(2.0 * (x * z - w * y), 2.0 * (y * z + w * x), ww - xx - yy + zz),
    )
    return tuple(each / length_sq for each in matrix)


def _sign(rows: Sequence[float]) -> int:
    """Return the sign of the determinant, by exact arithmetic where rounding leaves a doubt."""
    a, b, c, _, d, e, f, _, g, h, i, _ = rows
    numbers = (a, b, c, d, e, f, g, h, i)
    terms = (a * e * i, b * f * g, c * d * h, -a * f * h, -b * d * i, -c * e * g)
    value, size = sum(terms), sum(map(abs, terms))
    usual = all(each == 0.0 or _TINY < abs(each) < _HUGE for each in numbers)
    if not usual or abs(value) <= _CERTAIN * size:
        a, b, c, d, e, f, g, h, i = map(Fraction, numbers)
        value = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return (value > 0) - (value < 0)
