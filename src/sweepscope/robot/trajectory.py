"""Trajectories of joints: piecewise polynomials in time, and their conversion from objects of other libraries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..foreign import is_array
from ..immutable import Immutable
from .foreign_trajectories import ForeignTrajectory, from_foreign
from .polynomials import Polynomials, array_of, breaks_of, checked, from_control_points, require_degree


@dataclass(frozen=True, init=False, slots=True, eq=False)
class Trajectory(Immutable):
    """A motion of joints in time: a polynomial for each piece. Positions are [radians or length], in the order of the joints.

    For a robot the joints are those of `robot.actuated_joints`. `Trajectory.from_bezier`, `from_waypoints` and `from_object`
    make a trajectory of control points, of straight pieces, and of the objects of scipy, toppra and Ruckig.
    """

    coefficients: NDArray[np.float64] = field(repr=False)
    """Shape (pieces, degree + 1, dof), read-only. Joint j in piece k: sum of coefficients[k, i, j] * (t - breaks[k])**i."""
    breaks: NDArray[np.float64] = field(repr=False)
    """Times at which pieces start, and the end of the last, increasing, shape (pieces + 1,), read-only."""

    def __init__(self, coefficients: ArrayLike, breaks: ArrayLike | None = None) -> None:
        """Make a trajectory of coefficients, shape (pieces, degree + 1, dof), lowest power first.

        Joint j at time t in piece k is at sum over i of coefficients[k, i, j] * (t - breaks[k])**i.
        breaks: shape (pieces + 1,), increasing; by default 0, 1, 2 and so on.
        """
        given, times = _pieces(coefficients, breaks, "coefficients")
        self._put(checked(Polynomials(times, given), "Trajectory"))

    def _put(self, given: Polynomials) -> None:
        object.__setattr__(self, "coefficients", checks.fixed(given.coefficients))
        object.__setattr__(self, "breaks", checks.fixed(given.breaks))

    @classmethod
    def from_bezier(cls, points: ArrayLike, breaks: ArrayLike | None = None) -> Trajectory:
        """Return the trajectory of Bezier control points, shape (pieces, degree + 1, dof); breaks as for Trajectory.

        A piece starts at its first control point and ends at its last. Pieces of a degree above 5 are divided.
        """
        given, times = _pieces(points, breaks, "points")
        return cls._create(checked(from_control_points(given, times), "Trajectory"))

    @classmethod
    def from_waypoints(cls, waypoints: ArrayLike, times: ArrayLike | None = None) -> Trajectory:
        """Return the trajectory that moves straight from waypoint to waypoint, shape (n, dof), each at constant speed.

        times: of the waypoints, shape (n,), increasing; by default 0, 1, 2 and so on.
        A single waypoint stands still between two times.
        """
        given = waypoint_polynomials(waypoints)
        steps = len(given.coefficients)
        if times is not None:
            breaks = breaks_of(times, steps, "times")
            given.coefficients[:, 1] /= np.diff(breaks)[:, None]
            given = Polynomials(breaks, given.coefficients)
        return cls._create(checked(given, "Trajectory"))

    @classmethod
    def from_object(cls, trajectory: Trajectory | ForeignTrajectory) -> Trajectory:
        """Return a trajectory of scipy (PPoly, BPoly, BSpline), toppra or Ruckig as a Trajectory, in its own time.

        A periodic or extrapolating object is converted on its base interval.
        """
        return trajectory if isinstance(trajectory, Trajectory) else cls._create(_converted(trajectory, "trajectory"))

    @classmethod
    def _create(cls, given: Polynomials) -> Trajectory:
        made = cls.__new__(cls)
        made._put(given)  # noqa: SLF001  (a constructor)
        return made

    @property
    def dof(self) -> int:
        """Number of joints."""
        return self.coefficients.shape[2]

    @property
    def degree(self) -> int:
        """Degree of the polynomials, at least 1."""
        return self.coefficients.shape[1] - 1

    @property
    def duration(self) -> float:
        """Time from the first break to the last."""
        return float(self.breaks[-1] - self.breaks[0])

    @property
    def start(self) -> NDArray[np.float64]:
        """Positions at the first time, shape (dof,)."""
        return Polynomials(self.breaks, self.coefficients).start

    @property
    def end(self) -> NDArray[np.float64]:
        """Positions at the last time, shape (dof,)."""
        return Polynomials(self.breaks, self.coefficients).end

    def q(self, times: ArrayLike) -> NDArray[np.float64]:
        """Return the positions at one time, shape (dof,), or at many, shape (..., dof). Times are within the breaks."""
        given = np.asarray(checks.array(times, "times", "a time, or an array of times", InvalidQuery), np.float64)
        first, last = self.breaks[0], self.breaks[-1]
        wrong = ~((given >= first) & (given <= last))  # true of NaN
        if wrong.any():
            where = "".join(f"[{', '.join(map(str, np.argwhere(wrong)[0]))}]" if given.ndim else "")
            raise InvalidQuery(f"times{where} is {given[wrong].flat[0]:.9g}; accepted: {first:.9g} to {last:.9g}")
        return Polynomials(self.breaks, self.coefficients).at(given)

    def __repr__(self) -> str:
        return (
            f"<Trajectory: {checks.amount(self.dof, 'joint')}, {checks.amount(len(self.coefficients), 'piece')} "
            f"of degree {self.degree}, time {self.breaks[0]:g} to {self.breaks[-1]:g}>"
        )


TrajectoryLike = Trajectory | ForeignTrajectory
"""A Trajectory, or a trajectory of scipy, toppra or Ruckig."""


def polynomials_of(trajectory: TrajectoryLike, dof: int, what: str = "trajectory") -> Polynomials:
    """Return a trajectory of `dof` joints as fresh arrays, or raise; what: its name in messages."""
    if isinstance(trajectory, Trajectory):
        given = Polynomials(trajectory.breaks.copy(), trajectory.coefficients.copy())
    else:
        given = _converted(trajectory, what)
    require_dof(given.dof, dof, what)
    return given


def require_dof(given: int, dof: int, what: str) -> None:
    """Raise InvalidQuery if a trajectory or waypoints do not have one position for each actuated joint."""
    if given != dof:
        raise InvalidQuery(
            f"{what}: has {checks.amount(given, 'joint')}; accepted: {dof}, one for each of robot.actuated_joints"
        )


def waypoint_polynomials(waypoints: ArrayLike) -> Polynomials:
    """Return the straight motions between waypoints, shape (n, dof), as pieces of degree 1 from 0 to 1, 1 to 2 and so on.

    The end of a piece is the next waypoint, to rounding. A single waypoint is a piece that stands still.
    """
    expected = "one row for each waypoint, shape (n, dof)"
    if not isinstance(waypoints, (list, tuple)) and not is_array(waypoints):
        raise InvalidType(f"waypoints: expected {expected}, got {checks.shown(waypoints)}; robot.follow takes trajectories")
    rows = array_of(waypoints, "waypoints", expected)
    if rows.ndim != 2 or not rows.size:
        hint = "; a single waypoint: [q]" if rows.ndim == 1 and rows.size else ""
        raise InvalidQuery(f"waypoints: expected {expected}, got {rows.shape}{hint}")
    if len(rows) == 1:
        rows = np.repeat(rows, 2, axis=0)
    return Polynomials(np.arange(float(len(rows))), np.stack((rows[:-1], np.diff(rows, axis=0)), axis=1))


def _converted(trajectory: Any, what: str) -> Polynomials:
    return checked(from_foreign(trajectory, what), what)


def _pieces(values: Any, breaks: Any, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return checked coefficients or control points, and breaks."""
    given = array_of(values, name, "an array of shape (pieces, degree + 1, dof)")
    if given.ndim != 3 or not given.size:
        hint = "; a single piece: [piece]" if given.ndim == 2 and given.size else ""
        raise InvalidQuery(f"{name}: expected shape (pieces, degree + 1, dof), none of them 0, got {given.shape}{hint}")
    require_degree(given.shape[1] - 1, name)
    return given, breaks_of(breaks, len(given), "breaks")
