"""Piecewise polynomials of joints as plain arrays, and the arithmetic that conversions need.

Every conversion ends in the power basis about the start of a piece. The power basis is well conditioned there as long as the
degree times the length of a piece, relative to the length over which the polynomial was given, is small. So pieces of a high
degree that are given by control points are divided: an error of one rounding grows to at most about 1e-12 of the largest value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery

MOST_DEGREE = 32
"""Highest degree of a piece."""
JUMP = 1e-8
"""Positions of two neighbors at their common time that differ by less are equal but for rounding: relative to the largest
position of that joint, or to 1 if that is smaller [radians or length]."""
_SAME_TIME = 16.0 * np.finfo(np.float64).eps  # breaks of two joints that are nearer are one: relative to the largest time
_UNDIVIDED = 5  # control points of a higher degree are converted in several parts


class Polynomials(NamedTuple):
    """A piecewise polynomial of all joints."""

    breaks: NDArray[np.float64]
    """Times at which pieces start, and the end of the last, increasing, shape (pieces + 1,)."""
    coefficients: NDArray[np.float64]
    """Joint j at time t in piece k is at sum over i of coefficients[k, i, j] * (t - breaks[k])**i [radians or length].

    Shape (pieces, degree + 1, dof), C-contiguous. A checked one has a degree of at least 1.
    """

    @property
    def dof(self) -> int:
        """Number of joints."""
        return self.coefficients.shape[2]

    @property
    def start(self) -> NDArray[np.float64]:
        """Positions at the first time, shape (dof,)."""
        return self.coefficients[0, 0].copy()

    @property
    def end(self) -> NDArray[np.float64]:
        """Positions at the last time, shape (dof,)."""
        return self.ends()[-1]

    def ends(self) -> NDArray[np.float64]:
        """Return the positions at the end of every piece, shape (pieces, dof)."""
        return _horner(self.coefficients, np.diff(self.breaks))

    def at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the positions at times, any shape (...): shape (..., dof). Times beyond the ends continue the piece there."""
        piece = self.piece(times)
        return _horner(self.coefficients[piece], times - self.breaks[piece])

    def piece(self, times: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the index of the piece of each time; at a break, the piece that starts there."""
        return np.clip(np.searchsorted(self.breaks, times, side="right") - 1, 0, len(self.coefficients) - 1)


def checked(given: Polynomials, what: str) -> Polynomials:
    """Return polynomials with at least one piece and their least degree from 1, or raise InvalidQuery.

    Pieces without duration are dropped. Breaks that decrease, numbers that are not finite and jumps raise.
    """
    breaks, coefficients = given
    steps = np.diff(breaks)
    if (steps < 0.0).any():
        k = int(np.argmax(steps < 0.0))
        raise InvalidQuery(f"{what}: time decreases from {breaks[k]:.9g} to {breaks[k + 1]:.9g} in piece {k}; it must increase")
    lasting = steps > 0.0
    if not lasting.any():
        raise InvalidQuery(f"{what}: has no piece that takes time; accepted: one or more")
    breaks, coefficients = np.append(breaks[:-1][lasting], breaks[-1]), _trimmed(coefficients[lasting])
    require_degree(coefficients.shape[1] - 1, what)
    result = Polynomials(breaks, np.ascontiguousarray(coefficients))
    with np.errstate(over="ignore", invalid="ignore"):
        ends = result.ends()
    finite = np.isfinite(coefficients).all(axis=1) & np.isfinite(ends)
    if not finite.all():
        k, j = (int(x) for x in np.argwhere(~finite)[0])
        raise InvalidQuery(f"{what}: positions of joint {j} from time {breaks[k]:.9g} to {breaks[k + 1]:.9g} are not finite")
    _refuse_jumps(result, ends, what)
    return result


def require_degree(degree: int, what: str) -> None:
    """Raise InvalidQuery for a degree above the highest."""
    if degree > MOST_DEGREE:
        raise InvalidQuery(f"{what}: has degree {degree}; accepted: at most {MOST_DEGREE}")


def _trimmed(coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return coefficients without the highest powers that are 0 everywhere, and with those of power 1."""
    degree = coefficients.shape[1] - 1
    while degree > 1 and not coefficients[:, degree].any():
        degree -= 1
    return _padded(coefficients[:, : degree + 1], 1)


def _padded(coefficients: NDArray[np.float64], degree: int) -> NDArray[np.float64]:
    missing = max(degree + 1 - coefficients.shape[1], 0)
    return np.pad(coefficients, ((0, 0), (0, missing), (0, 0))) if missing else coefficients


def _refuse_jumps(given: Polynomials, ends: NDArray[np.float64], what: str) -> None:
    before, after = ends[:-1], given.coefficients[1:, 0]
    largest = np.maximum(np.abs(ends).max(axis=0), np.abs(given.coefficients[:, 0]).max(axis=0))
    jumps = np.abs(after - before) / np.maximum(largest, 1.0)
    if not (jumps > JUMP).any():
        return
    k = int(np.argmax((jumps > JUMP).any(axis=1)))
    j = int(np.argmax(jumps[k]))
    raise InvalidQuery(
        f"{what}: jumps at time {given.breaks[k + 1]:.9g}: joint {j} is at {before[k, j]:.9g} before and at {after[k, j]:.9g} "
        "after; accepted: continuous positions"
    )


def _horner(coefficients: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values of polynomials, shape (..., degree + 1, dof), each at its own number, shape (...): shape (..., dof)."""
    value = coefficients[..., -1, :]
    for i in range(coefficients.shape[-2] - 2, -1, -1):
        value = value * by[..., None] + coefficients[..., i, :]
    return value


def shifted(coefficients: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return coefficients about other times: each piece, (pieces, degree + 1, dof), later by its number, (pieces,)."""
    result, degree = coefficients.copy(), coefficients.shape[1] - 1
    for i in range(degree):
        for k in range(degree - 1, i - 1, -1):
            result[:, k] += by[:, None] * result[:, k + 1]
    return result


def composed(
    coefficients: NDArray[np.float64], speeds: NDArray[np.float64], accelerations: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the coefficients in time t of pieces along a path s, shape (pieces, degree + 1, dof).

    s = speed t + acceleration t^2 / 2, with a speed and an acceleration for each piece, shape (pieces,). The degree doubles.
    """
    pieces, count, dof = coefficients.shape
    result = np.zeros((pieces, 2 * count - 1, dof))
    for i in range(count - 1, -1, -1):
        linear, square = result[:, :-1] * speeds[:, None, None], result[:, :-2] * (0.5 * accelerations[:, None, None])
        result[:] = 0.0
        result[:, 1:] += linear
        result[:, 2:] += square
        result[:, 0] += coefficients[:, i]
    return result


def from_control_points(points: NDArray[np.float64], breaks: NDArray[np.float64]) -> Polynomials:
    """Return the polynomials of Bezier control points, shape (pieces, degree + 1, dof); breaks: (pieces + 1,)."""
    pieces, count, dof = points.shape
    degree = count - 1
    lasting = np.diff(breaks) != 0.0
    if not lasting.all():
        points, breaks, pieces = points[lasting], np.append(breaks[:-1][lasting], breaks[-1]), int(lasting.sum())
    parts = 1 if degree <= _UNDIVIDED else math.ceil(degree / 4)
    durations = np.diff(breaks)
    starts = breaks[:-1, None] + durations[:, None] * (np.arange(parts) / parts)
    share = ((starts - breaks[:-1, None]) / durations[:, None])[:, :, None, None]  # (pieces, parts, 1, 1)
    result = np.empty((pieces, parts, count, dof))
    scale, differences = np.ones(pieces), points
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # `checked` refuses what is not finite
        for i in range(count):
            value = differences[:, None]
            if parts > 1:
                for _ in range(degree - i):
                    value = (1.0 - share) * value[:, :, :-1] + share * value[:, :, 1:]
            result[:, :, i] = math.comb(degree, i) * value[:, :, 0] / scale[:, None, None]
            differences, scale = np.diff(differences, axis=1), scale * durations
    return Polynomials(np.append(starts.ravel(), breaks[-1]), result.reshape(pieces * parts, count, dof))


def from_knots(knots: NDArray[np.float64], points: NDArray[np.float64], degree: int) -> Polynomials:
    """Return the polynomials of a B-spline between its base knots.

    points: its coefficients, shape (n, dof); knots: shape (n + degree + 1,).
    Every span gets its Bezier control points by de Boor's scheme with both its ends as arguments, mixed: averages only.
    """
    count = len(knots) - degree - 1
    spans = np.arange(degree, count)
    spans = spans[knots[spans] < knots[spans + 1]]
    start, end = knots[spans], knots[spans + 1]
    control = np.empty((len(spans), degree + 1, points.shape[1]))
    for j in range(degree + 1):
        local = [points[spans - degree + i] for i in range(degree + 1)]
        for r in range(1, degree + 1):
            place = start if r <= degree - j else end
            for i in range(degree, r - 1, -1):
                low, high = knots[spans - degree + i], knots[spans + i + 1 - r]
                share = ((place - low) / (high - low))[:, None]
                local[i] = (1.0 - share) * local[i - 1] + share * local[i]
        control[:, j] = local[degree]
    return from_control_points(control, np.append(start, end[-1:]))


def common_breaks(breaks: Sequence[NDArray[np.float64]], first: float, last: float) -> NDArray[np.float64]:
    """Return all breaks from `first` to `last`; of those that are equal but for rounding, the first."""
    every = np.unique(np.concatenate([np.asarray(each, np.float64) for each in breaks]))
    near = _SAME_TIME * max(abs(first), abs(last))
    kept = [first]
    for time in every[(every > first) & (every < last - near)]:
        if time > kept[-1] + near:
            kept.append(float(time))
    return np.array([*kept, last])


def merged(joints: Sequence[Polynomials]) -> Polynomials:
    """Return polynomials of one joint each, with breaks of their own, as one, from the first to the last time."""
    first, last = min(each.breaks[0] for each in joints), max(each.breaks[-1] for each in joints)
    breaks = common_breaks([each.breaks for each in joints], float(first), float(last))
    degree = max(each.coefficients.shape[1] for each in joints) - 1
    columns = []
    for each in joints:
        piece = each.piece(0.5 * (breaks[:-1] + breaks[1:]))
        columns.append(_padded(shifted(each.coefficients[piece], breaks[:-1] - each.breaks[piece]), degree))
    return Polynomials(breaks, np.concatenate(columns, axis=2))


def array_of(value: Any, name: str, expected: str) -> NDArray[np.float64]:
    """Return a fresh float64 array of finite numbers, or raise InvalidType or InvalidQuery; expected: a text."""
    given = np.array(checks.array(value, name, expected, InvalidQuery), np.float64, order="C")
    checks.refuse_not_finite(given, name)
    return given


def breaks_of(value: Any, pieces: int, name: str) -> NDArray[np.float64]:
    """Return breaks of `pieces` pieces, shape (pieces + 1,), increasing; None: 0, 1, 2 and so on."""
    if value is None:
        return np.arange(pieces + 1.0)
    breaks = array_of(value, name, "an array of shape (pieces + 1,)")
    if breaks.shape != (pieces + 1,):
        raise InvalidQuery(f"{name}: expected shape ({pieces + 1},) for {checks.amount(pieces, 'piece')}, got {breaks.shape}")
    wrong = np.diff(breaks) <= 0.0
    if wrong.any():
        k = int(np.argmax(wrong)) + 1
        raise InvalidQuery(f"{name}[{k}] is {breaks[k]:.9g} after {breaks[k - 1]:.9g}; times must increase")
    return breaks
