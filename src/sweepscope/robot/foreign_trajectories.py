"""Trajectories of other libraries as piecewise polynomials: scipy, toppra, Ruckig. None of them is imported.

Classes are known by their name (those of scipy, and others with the same interface) or by the library that they come from.
Where a class keeps its numbers to itself, the result is compared with the values that the object returns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..foreign import library
from .polynomials import (
    Polynomials,
    array_of,
    common_breaks,
    composed,
    from_control_points,
    from_knots,
    merged,
    require_degree,
    shifted,
)

_AGREES = 1e-9
"""Largest difference from the values that an object returns, relative to its largest position."""
_PROFILE = 1e-8  # Ruckig's own tolerance of the final position
ACCEPTED = (
    "a Trajectory, scipy's PPoly (CubicSpline, PchipInterpolator, ...), BPoly or BSpline, a trajectory of toppra or Ruckig"
)


class HasPieces(Protocol):
    """A PPoly or a BPoly of scipy, such as a CubicSpline."""

    @property
    def c(self) -> Any:
        """Coefficients, shape (degree + 1, pieces, dof)."""
        ...

    @property
    def x(self) -> Any:
        """Breaks, shape (pieces + 1,)."""
        ...


class HasKnots(Protocol):
    """A BSpline of scipy."""

    @property
    def t(self) -> Any:
        """Knots, shape (n + k + 1,)."""
        ...

    @property
    def c(self) -> Any:
        """Coefficients, shape (n, dof)."""
        ...

    @property
    def k(self) -> Any:
        """Degree."""
        ...


class HasPathInterval(Protocol):
    """A path or a trajectory of toppra."""

    @property
    def path_interval(self) -> Any:
        """First and last time."""
        ...


class HasProfiles(Protocol):
    """A Trajectory of Ruckig."""

    @property
    def profiles(self) -> Any:
        """Profiles of each section and joint."""
        ...


ForeignTrajectory = HasPieces | HasKnots | HasPathInterval | HasProfiles
"""A trajectory of scipy, toppra or Ruckig."""


def from_foreign(value: Any, what: str) -> Polynomials:
    """Return the polynomials of another library's trajectory, not checked; raise InvalidType if it is not one."""
    names = {kind.__name__ for kind in type(value).__mro__}
    if "BPoly" in names:
        coefficients, breaks = _pieces(value, what)
        return from_control_points(coefficients, breaks)
    if "PPoly" in names:
        coefficients, breaks = _pieces(value, what)
        return Polynomials(breaks, coefficients[:, ::-1])
    if "BSpline" in names:
        return _from_b_spline(value, what)
    origin = library(value)
    if origin == "ruckig":
        return _from_ruckig(value, what)
    if origin == "toppra":
        return _from_toppra(value, what)
    raise InvalidType(f"{what}: expected {ACCEPTED}, got {_described(value)}")


def _described(value: Any) -> str:
    if value is None:
        return "None, which toppra returns if it finds no trajectory"
    if isinstance(value, (list, tuple, np.ndarray)):
        return f"a {type(value).__name__}; waypoints: robot.path(...), control points: Trajectory.from_bezier(...)"
    return f"a {type(value).__name__}"


def _positions(given: NDArray[np.float64], leading: int, name: str) -> NDArray[np.float64]:
    """Return coefficients of scipy with one axis for joints; a spline of numbers has one joint."""
    if given.ndim == leading:
        return given[..., None]
    if given.ndim != leading + 1:
        raise InvalidQuery(f"{name}: one position has shape {given.shape[leading:]}; accepted: (dof,)")
    return given


def _pieces(value: Any, what: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the coefficients, shape (pieces, degree + 1, dof), and the breaks of a PPoly or a BPoly."""
    given = _positions(array_of(value.c, f"{what}.c", "an array"), 2, f"{what}.c")
    require_degree(len(given) - 1, what)
    return given.transpose(1, 0, 2), array_of(value.x, f"{what}.x", "an array")


def _from_b_spline(value: Any, what: str) -> Polynomials:
    degree = checks.whole(value.k, f"{what}.k", InvalidQuery, 0)
    require_degree(degree, what)
    points = _positions(array_of(value.c, f"{what}.c", "an array"), 1, f"{what}.c")
    return from_knots(array_of(value.t, f"{what}.t", "an array"), points, degree)


# Ruckig: constant jerk in every step of a profile, one profile for each section and joint.


def _from_ruckig(value: Any, what: str) -> Polynomials:
    if not hasattr(value, "profiles"):
        hint = "; give its .trajectory" if hasattr(value, "trajectory") else "; accepted: ruckig.Trajectory"
        raise InvalidType(f"{what}: got a ruckig {type(value).__name__}{hint}")
    duration = float(value.duration)
    if not duration > 0.0:
        raise InvalidQuery(f"{what}: this ruckig.Trajectory takes no time; call Ruckig.calculate(input, trajectory) first")
    ends = [float(each) for each in value.intermediate_durations]
    sections = list(value.profiles)
    if len(ends) != len(sections):
        ends = [duration]
    joints = []
    for j in range(value.degrees_of_freedom):
        starts, rows = [], []
        for first, last, section in zip([0.0, *ends[:-1]], ends, sections, strict=True):
            _add_profile(starts, rows, section[j], first, last, first == 0.0)
        joints.append(Polynomials(np.array([*starts, duration]), np.array(rows)[:, :, None]))
    return _compared(merged(joints), lambda t: np.array([np.ravel(value.at_time(x)[0]) for x in t]), what, "ruckig.Trajectory")


def _add_profile(starts: list[float], rows: list[Any], profile: Any, first: float, last: float, begins: bool) -> None:
    """Append the start and the coefficients of each step of a profile in the section from `first` to `last`.

    begins: whether this is the first section, the only one with a brake. After its last step a joint keeps its acceleration.
    """
    brake = profile.brake
    steps = list(zip(brake.t, brake.p, brake.v, brake.a, brake.j, strict=True)) if begins and brake.duration > 0.0 else []
    # A joint that is not enabled has steps of an earlier calculation. Only its last state counts.
    t, v, a, jerk = profile.t[-1], profile.v[-2], profile.a[-2], profile.j[-1]
    arrives = profile.p[-2] + t * (v + t * (a / 2.0 + t * jerk / 6.0))
    if abs(arrives - profile.p[-1]) <= _PROFILE * max(1.0, abs(profile.p[-1])):
        steps += zip(profile.t, profile.p, profile.v, profile.a, profile.j, strict=False)
    time = first
    for duration, p, v, a, jerk in [*steps, (math.inf, profile.p[-1], profile.v[-1], profile.a[-1], 0.0)]:
        if duration > 0.0 and time < last:
            starts.append(time)
            rows.append((p, v, a / 2.0, jerk / 6.0))
        time += duration


# toppra: paths, and trajectories that follow a path at speeds of constant acceleration between grid points.


def _from_toppra(value: Any, what: str) -> Polynomials:
    kind = f"toppra {type(value).__name__}"
    for name in ("cspl", "ppoly"):  # SplineInterpolator, ParametrizeSpline; RaveTrajectoryWrapper
        if hasattr(value, name):
            spline = getattr(value, name)
            if not hasattr(spline, "c"):
                raise InvalidQuery(f"{what}: this {kind} has a single waypoint; accepted: two or more")
            return from_foreign(spline, what)
    if hasattr(value, "coeff"):  # PolynomialPath: powers of the time itself
        rows = array_of(value.coeff, f"{what}.coeff", "an array")
        start, end = (float(each) for each in value.path_interval)
        return Polynomials(np.array((start, end)), shifted(np.atleast_2d(rows).T[None], np.array((start,))))
    if hasattr(value, "uspl"):  # UnivariateSplineInterpolator
        return merged([_from_univariate(each) for each in value.uspl])
    if hasattr(value, "_polys"):  # SimplePath
        given = merged([from_foreign(each, what) for each in value._polys])  # noqa: SLF001  (compared below)
        return _compared(given, lambda t: np.reshape(value(t), (len(t), -1)), what, kind)
    if all(hasattr(value, name) for name in ("_path", "_ss", "_velocities", "_ts", "_us")):  # ParametrizeConstAccel
        given = _along_path(value, what)
        return _compared(given, lambda t: np.reshape(value(t), (len(t), -1)), what, kind)
    raise InvalidType(
        f"{what}: a {kind} gives no access to its polynomials; accepted of toppra: ParametrizeSpline, ParametrizeConstAccel, "
        "SplineInterpolator, SimplePath, PolynomialPath"
    )


def _from_univariate(spline: Any) -> Polynomials:
    """Return the polynomials of a UnivariateSpline of scipy, which has one joint."""
    breaks = np.array(spline.get_knots(), np.float64)
    rows = np.array([spline.derivatives(x) for x in breaks[:-1]])
    factorials = np.array([math.factorial(i) for i in range(rows.shape[1])])
    return Polynomials(breaks, (rows / factorials)[:, :, None])


def _along_path(value: Any, what: str) -> Polynomials:
    """Return the polynomials of a ParametrizeConstAccel: those of its path, composed with squares of the time."""
    path = from_foreign(value._path, f"{what}: path")  # noqa: SLF001
    grid, speeds, accelerations, times = (
        np.array(each, np.float64)
        for each in (value._ss, value._velocities, value._us, value._ts)  # noqa: SLF001
    )
    if len(times) < 2 or not all(np.isfinite(each).all() for each in (grid, speeds, accelerations, times)):
        raise InvalidQuery(
            f"{what}: this toppra {type(value).__name__} has times that are not finite: it stands still on its way"
        )
    # Times at which the path changes its polynomial, by a formula without cancellation.
    inner = path.breaks[(path.breaks > grid[0]) & (path.breaks < grid[-1])]
    k = np.clip(np.searchsorted(grid, inner, side="right") - 1, 0, len(grid) - 2)
    way = inner - grid[k]
    root = np.sqrt(np.maximum(speeds[k] ** 2 + 2.0 * accelerations[k] * way, 0.0))
    passed = times[k] + 2.0 * way / np.where(speeds[k] + root > 0.0, speeds[k] + root, np.inf)
    breaks = common_breaks([times, passed], float(times[0]), float(times[-1]))

    def place(at: NDArray[np.float64]) -> NDArray[np.float64]:
        return grid[k] + at * (speeds[k] + 0.5 * at * accelerations[k])

    middle = 0.5 * (breaks[:-1] + breaks[1:])
    k = np.clip(np.searchsorted(times, middle, side="right") - 1, 0, len(grid) - 2)
    since = breaks[:-1] - times[k]
    piece = path.piece(place(middle - times[k]))
    about = shifted(path.coefficients[piece], place(since) - path.breaks[piece])
    return Polynomials(breaks, composed(about, speeds[k] + since * accelerations[k], accelerations[k]))


def _compared(
    given: Polynomials, evaluate: Callable[[NDArray[np.float64]], NDArray[np.float64]], what: str, kind: str
) -> Polynomials:
    """Return polynomials if they agree in the middle of every piece with the values that the object returns."""
    middle = 0.5 * (given.breaks[:-1] + given.breaks[1:])
    own, positions = given.at(middle), evaluate(middle)
    if own.shape != positions.shape or not (np.abs(own - positions) <= _AGREES * max(1.0, np.abs(positions).max())).all():
        raise InvalidQuery(
            f"{what}: this {kind} cannot be converted exactly: its positions are not those of its pieces; give a PPoly instead"
        )
    return given
