"""Result of `fit_motion`: a motion at constant rates, how uncertain it is, and where it leads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidMotion, InvalidQuery, InvalidType
from ..immutable import Immutable, fix_arrays
from ..motion import Rotate, Screw, screw_at_rates, without_slide
from ..twists import crosses, jacobian_derivatives, rotations, rotations_and_jacobians
from .numbers import plain

POSITION, ROTATION, VELOCITY, ANGULAR = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12)
"""Rows of the unknowns in a covariance."""


@dataclass(frozen=True, slots=True, eq=False)
class MotionFit(Immutable):
    """The screw at constant rates that tracked poses follow. Times are those of the poses' clock, in its unit.

    Uncertainties are of first order, for noise that is independent from pose to pose; NaN if the noise is not known. Arrays are
    read-only.
    """

    time: float
    """Of the last pose [time]. `motion` begins here."""
    pose: NDArray[np.float64]
    """Fitted pose at that time: local to world, shape (4, 4). The last tracked pose differs from it by its residual."""
    velocity: NDArray[np.float64]
    """Of the pose's origin at that time, shape (3,) [length / time], world."""
    angular_velocity: NDArray[np.float64]
    """Axis times rate, shape (3,) [radians / time], world."""
    covariance: NDArray[np.float64]
    """Of position, rotation, velocity and angular velocity, in this order, shape (12, 12), world. The rotation is a small
    rotation vector [radians] about the pose's origin, multiplied from the left."""
    noise: NDArray[np.float64]
    """Standard deviation of each coordinate of tracked positions [length] and of rotation vectors [radians], shape (2,): as
    given, or estimated from the residuals; NaN if there are fewer than four poses."""
    position_residuals: NDArray[np.float64]
    """Tracked positions less fitted ones, shape (n, 3) [length], world."""
    rotation_residuals: NDArray[np.float64]
    """Rotation vectors from fitted to tracked orientations, shape (n, 3) [radians], world."""

    def __post_init__(self) -> None:
        fix_arrays(self)

    @property
    def rate(self) -> float:
        """How fast the body turns [radians / time], not negative."""
        return float(np.linalg.norm(self.angular_velocity))

    @property
    def axis(self) -> NDArray[np.float64]:
        """Axis of the screw: unit, shape (3,), world. If the body does not turn: the direction of its velocity, or +z."""
        for vector in (self.angular_velocity, self.velocity):
            size = np.linalg.norm(vector)
            if size > 0.0:
                return vector / size
        return np.array((0.0, 0.0, 1.0))

    @property
    def slide_rate(self) -> float:
        """How fast the body slides along its axis [length / time]. If the body does not turn: its speed."""
        return float(self.axis @ self.velocity)

    @property
    def about(self) -> NDArray[np.float64]:
        """The point of the axis nearest to the pose's origin, shape (3,) [length], world; NaN if the body does not turn."""
        if self.rate == 0.0:
            return np.full(3, np.nan)
        return self.pose[:3, 3] + np.cross(self.axis, self.velocity) / self.rate

    @property
    def rate_std(self) -> float:
        """Standard deviation of `rate` [radians / time]; NaN if the body does not turn."""
        jacobian = np.zeros((1, 12))
        jacobian[0, ANGULAR] = self.axis
        return math.sqrt(self._spread(jacobian)[0, 0]) if self.rate > 0.0 else math.nan

    @property
    def slide_rate_std(self) -> float:
        """Standard deviation of `slide_rate` [length / time]."""
        jacobian = np.zeros((1, 12))
        jacobian[0, VELOCITY] = self.axis
        if self.rate > 0.0:
            jacobian[0, ANGULAR] = self._per_rate(self.velocity - self.slide_rate * self.axis)
        return math.sqrt(self._spread(jacobian)[0, 0])

    @property
    def axis_covariance(self) -> NDArray[np.float64]:
        """Covariance of `axis`, shape (3, 3) [radians^2], world; NaN if the body does not turn."""
        jacobian = np.zeros((3, 12))
        jacobian[:, ANGULAR] = self._per_rate(_across(self.axis))
        return self._spread(jacobian)

    @property
    def about_covariance(self) -> NDArray[np.float64]:
        """Covariance of `about`, perpendicular to the axis, shape (3, 3) [length^2], world; NaN if the body does not turn."""
        axis, lever = self.axis, self._per_rate(np.cross(self.axis, self.velocity))
        jacobian = np.zeros((3, 12))
        jacobian[:, POSITION] = np.eye(3)
        jacobian[:, VELOCITY] = self._per_rate(crosses(axis))
        jacobian[:, ANGULAR] = -self._per_rate(self._per_rate(crosses(self.velocity)) + 2.0 * np.outer(lever, axis))
        return self._spread(_across(axis) @ jacobian)

    def motion(self, duration: float) -> Screw:
        """Return the motion of the next `duration` [time], from `pose`.

        For `Scene.sweep`, of a body that is at `pose`. `motion(1.0)` is the motion in one unit of time, for `Scene.predict`.
        """
        return screw_at_rates(self.pose[:3, 3], self.velocity, self.angular_velocity, _duration(duration))

    def rotation(self, duration: float) -> Rotate:
        """Return `motion(duration)` without its slide, for `fan.Swing` and `fan.Fan`; it must turn.

        The slide that is left out is `slide_rate * duration`.
        """
        screw = self.motion(duration)
        if screw.angle == 0.0:
            raise InvalidMotion(f"rotation: the body does not turn in {duration}; use motion(duration), a translation")
        return without_slide(screw)

    def pose_at(self, time: float) -> NDArray[np.float64]:
        """Return the pose at a time, before or after the last one: local to world, shape (4, 4)."""
        ahead = self._since(time)
        turns, moved = rotations_and_jacobians(ahead * self.angular_velocity[None])
        pose = np.eye(4)
        pose[:3, :3] = turns[0] @ self.pose[:3, :3]
        pose[:3, 3] = self.pose[:3, 3] + ahead * (moved[0] @ self.velocity)
        return pose

    def pose_covariance(self, time: float) -> NDArray[np.float64]:
        """Return the covariance of the pose at a time, shape (6, 6), world: of its position [length] and rotation [radians]."""
        return self._spread(self._pose_jacobian(self._since(time)))

    def point_covariance(self, point: ArrayLike, time: float) -> NDArray[np.float64]:
        """Return how uncertain the place of a point of the body is at a time: covariance, shape (3, 3) [length^2], world.

        point: where it is at that time, shape (3,) [length], world.
        """
        place = np.array(checks.vector(point, "point", InvalidQuery))
        return self._spread(self._point_jacobian(place, time))

    def contact_time_std(self, time: float, *, point: ArrayLike, normal: ArrayLike, other: MotionFit | None = None) -> float:
        """Return the standard deviation [time] of the time of a contact that this motion leads to.

        time: of the contact, on the poses' clock: `fit.time + duration * hit.time` for a hit of `motion(duration)`. point,
        normal: of the contact, shape (3,), world. other: the motion of the other body, if that was tracked too, with noise of
        its own. The shapes are taken as exact. Infinite for a graze.
        """
        place = np.array(checks.vector(point, "point", InvalidQuery))
        direction = np.array(checks.direction(normal, "normal", InvalidQuery))
        if other is not None and not isinstance(other, MotionFit):
            raise InvalidType(f"other: expected a MotionFit, got {checks.shown(other)}")
        variance, speeds = 0.0, []
        for each in (self,) if other is None else (self, other):
            variance += float(direction @ each.point_covariance(place, time) @ direction)
            speeds.append(float(direction @ each._velocity_of(place, time)))  # noqa: SLF001  (its own class)
        closing = abs(speeds[0] - sum(speeds[1:]))
        return math.sqrt(variance) / closing if closing > 0.0 else math.inf

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: arrays as lists, None for absent values."""
        arrays = ("pose", "velocity", "angular_velocity", "covariance", "noise", "position_residuals", "rotation_residuals")
        return {"time": self.time, **{name: plain(getattr(self, name)) for name in arrays}}

    def __repr__(self) -> str:
        spread = "" if math.isnan(self.rate_std) else f" +- {self.rate_std:.2g}"
        rates = f"{self.rate:.4g}{spread} radians, {self.slide_rate:.4g} along the axis, per unit of time"
        return f"<MotionFit: {rates}; from {len(self.position_residuals)} poses>"

    def _since(self, time: float) -> float:
        """Return a checked time as that since the last pose."""
        ahead = checks.number(time, "time", InvalidQuery) - self.time
        if not abs(ahead) <= checks.LARGEST:
            raise InvalidQuery(f"time is {time}; it must be finite and at most {checks.LARGEST:g} in size")
        return ahead

    def _per_rate(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a value divided by the rate; NaN if the body does not turn."""
        return value / self.rate if self.rate > 0.0 else np.full_like(value, np.nan)

    def _pose_jacobian(self, ahead: float) -> NDArray[np.float64]:
        """Return the derivatives of position and rotation, `ahead` of the last time, by the unknowns: shape (6, 12)."""
        vectors = ahead * self.angular_velocity[None]
        turns, moved = rotations_and_jacobians(vectors)
        jacobian = np.zeros((6, 12))
        jacobian[:3, POSITION] = np.eye(3)
        jacobian[:3, VELOCITY] = jacobian[3:, ANGULAR] = ahead * moved[0]
        jacobian[:3, ANGULAR] = ahead * ahead * jacobian_derivatives(vectors, self.velocity)[0]
        jacobian[3:, ROTATION] = turns[0]
        return jacobian

    def _point_jacobian(self, place: NDArray[np.float64], time: float) -> NDArray[np.float64]:
        """Return the derivatives of the place of a point of the body that is at `place` then: shape (3, 12)."""
        jacobian = self._pose_jacobian(self._since(time))
        return jacobian[:3] - crosses(place - self.pose_at(time)[:3, 3]) @ jacobian[3:]

    def _velocity_of(self, place: NDArray[np.float64], time: float) -> NDArray[np.float64]:
        """Return the velocity of the point of the body that is at `place` at a time, shape (3,) [length / time]."""
        turn = rotations(self._since(time) * self.angular_velocity[None])[0]
        return turn @ self.velocity + np.cross(self.angular_velocity, place - self.pose_at(time)[:3, 3])

    def _spread(self, jacobian: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the covariance of what has this derivative by the unknowns."""
        return jacobian @ self.covariance @ jacobian.T


def _across(axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the projection along a unit vector, shape (3, 3)."""
    return np.eye(3) - np.outer(axis, axis)


def _duration(duration: float) -> float:
    return checks.above_zero(duration, "duration", InvalidQuery, "a time")
