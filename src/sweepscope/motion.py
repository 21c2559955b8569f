"""Motions: Translate, Rotate and Screw. Each has a chart: coordinates in which the motion is +w."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidMotion, InvalidQuery
from .immutable import Immutable

# A turn this small [radians] is a rounding error of two poses: the motion is a translation.
NO_TURN = 1e-15
# A slide longer than this many times the angle [length / radians] is a translation; its square would overflow.
LONGEST = 1e100
# Squares of a vector shorter than the root of this would lose digits, so it is scaled first, by a power of two.
_TINY_SQ = math.ldexp(1.0, -900)
_SHORT = math.ldexp(1.0, -449)
_MORE, _LESS = math.ldexp(1.0, 900), math.ldexp(1.0, -900)

_UNIT_SQ = 2.0**-50  # 4 EPS: more than the square of a unit vector's length is off

UNIT = 1e-14
"""Unit vectors that differ by less are one, rounded once more: a file's is then taken as it is."""


def length_of(x: float, y: float, z: float) -> float:
    """Return the length of a vector whose coordinates are at most `checks.LARGEST` in size."""
    # Not math.hypot: `lengths_of` gets the same bits.
    size_sq = x * x + y * y + z * z
    if size_sq < _TINY_SQ:
        x, y, z = _MORE * x, _MORE * y, _MORE * z
        return _LESS * math.sqrt(x * x + y * y + z * z)
    return math.sqrt(size_sq)


def lengths_of(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `length_of`, to the bit, for vectors (n, 3); shape (n,)."""
    size_sq = _squared(vectors)
    tiny = np.flatnonzero(size_sq < _TINY_SQ)
    sizes = np.sqrt(size_sq)
    sizes[tiny] = _LESS * np.sqrt(_squared(_MORE * vectors[tiny]))
    return sizes


def _squared(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y, z = vectors.T
    return x * x + y * y + z * z


def unit(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the vector scaled to length 1; it must not be zero. One that has that length, up to rounding, is not changed."""
    return (x, y, z) if abs(x * x + y * y + z * z - 1.0) <= _UNIT_SQ else divided(x, y, z)


def axes(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `unit`, to the bit, for vectors (n, 3). A zero vector becomes +z."""
    return np.where((np.abs(_squared(vectors) - 1.0) <= _UNIT_SQ)[:, None], vectors, units(vectors))


def divided(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the vector divided by its length; it must not be zero. Subnormal vectors keep their direction."""
    size_sq = x * x + y * y + z * z
    if size_sq < _TINY_SQ:
        x, y, z = _MORE * x, _MORE * y, _MORE * z
        size_sq = x * x + y * y + z * z
    size = math.sqrt(size_sq)
    return x / size, y / size, z / size


def units(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `divided`, to the bit, for vectors (n, 3). A zero vector becomes +z."""
    size_sq = _squared(vectors)
    tiny = np.flatnonzero(size_sq < _TINY_SQ)
    if len(tiny):
        vectors = vectors.copy()
        vectors[tiny] *= _MORE
        size_sq[tiny] = _squared(vectors[tiny])
        zero = tiny[size_sq[tiny] == 0.0]
        vectors[zero], size_sq[zero] = (0.0, 0.0, 1.0), 1.0
    return vectors / np.sqrt(size_sq)[:, None]


def frame_of(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Return a right-handed frame, rows u, v, w flattened to (9,), whose w is the unit vector (x, y, z)."""
    # u is perpendicular to the coordinate axis that is farthest from w: exact for motion along an axis.
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        ux, uy, uz = 0.0, z, -y
    elif abs(y) <= abs(z):
        ux, uy, uz = -z, 0.0, x
    else:
        ux, uy, uz = y, -x, 0.0
    size = math.hypot(ux, uy, uz)
    ux, uy, uz = ux / size, uy / size, uz / size
    return np.array((ux, uy, uz, y * uz - z * uy, z * ux - x * uz, x * uy - y * ux, x, y, z))


def inverse(pose: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of a rigid pose, shape (4, 4)."""
    back = np.eye(4)
    back[:3, :3] = pose[:3, :3].T
    back[:3, 3] = -pose[:3, :3].T @ pose[:3, 3]
    return back


def _fraction(time: float) -> float:
    """Return a checked fraction of a motion."""
    fraction = checks.number(time, "time", InvalidQuery)
    if not 0.0 <= fraction <= 1.0:
        raise InvalidQuery(f"time is {fraction}; accepted: a fraction of the motion, 0 to 1")
    return fraction


class Motion(Immutable, ABC):
    """Base of all motions: a length, and the transform at a time."""

    __slots__ = ()

    length: float
    """Size of the motion: [length] for a translation, [radians] for a turn."""

    @property
    def turns(self) -> bool:
        """True if it turns; False if it is a translation."""
        return False

    @abstractmethod
    def at(self, time: float = 1.0) -> NDArray[np.float64]:
        """Return the rigid transform at a time, 0 .. 1, shape (4, 4), world: `motion.at(t) @ body.pose`."""


@dataclass(frozen=True, init=False, slots=True)
class Translate(Motion):
    """Straight motion by `vector` [length], without turning. A zero vector tests for overlap now."""

    vector: tuple[float, float, float]
    length: float

    def __init__(self, vector: ArrayLike):
        given = checks.vector(vector, "Translate.vector", InvalidMotion)
        _set_vector(self, given)
        _set_length(self, length_of(*given))

    @property
    def direction(self) -> tuple[float, float, float]:
        """Unit; +z if the vector is zero."""
        (x, y, z), size = self.vector, self.length
        if size > _SHORT:  # as `divided`, to the bit
            return x / size, y / size, z / size
        return (0.0, 0.0, 1.0) if size == 0.0 else divided(x, y, z)

    def at(self, time: float = 1.0) -> NDArray[np.float64]:
        """Return the rigid transform at a time, 0 .. 1, shape (4, 4), world."""
        matrix = np.eye(4)
        matrix[:3, 3] = _fraction(time) * np.array(self.vector)
        return matrix


# Setters of the slots: a frozen class has no others, and by name they take longer.
_set_vector = Translate.vector.__set__  # type: ignore[attr-defined]
_set_length = Translate.length.__set__  # type: ignore[attr-defined]


class Turn(Motion):
    """Base of Rotate and Screw.

    The axis is stored as the arm from the axis to a point. If a motion hardly turns, its axis is so far away that a point on
    it would lose all digits.
    """

    __slots__ = ()

    axis: tuple[float, float, float]
    angle: float
    slide: float
    about: tuple[float, float, float]
    length: float
    _orbit: NDArray[np.float64]

    def _check(self, name: str, axis: ArrayLike, angle: float, slide: float, about: ArrayLike) -> None:
        """Check and store the arguments. The point is on the axis, so the arm is zero."""
        axis = unit(*checks.direction(axis, f"{name}.axis", InvalidMotion))
        about = checks.vector(about, f"{name}.about", InvalidMotion)
        for value, what in ((angle, "angle"), (slide, "slide")):
            size = checks.number(value, f"{name}.{what}", InvalidMotion)
            if not abs(size) <= checks.LARGEST:
                raise InvalidMotion(f"{name}.{what} is {size}; it must be finite and at most {checks.LARGEST:g} in size")
        self._set(axis, float(angle), float(slide), about, about, (0.0, 0.0, 0.0))

    def _set(
        self,
        axis: tuple[float, float, float],
        angle: float,
        slide: float,
        about: tuple[float, float, float],
        point: tuple[float, float, float],
        arm: tuple[float, float, float],
    ) -> None:
        put = object.__setattr__
        put(self, "axis", axis)
        put(self, "angle", angle)
        put(self, "slide", slide)
        put(self, "about", about)
        put(self, "length", abs(angle) if self.turns else abs(slide))
        # Kernels take angles >= 0: a negative turn is a positive turn about the opposite axis.
        sign = -1.0 if angle < 0.0 else 1.0
        forward = tuple(sign * x for x in axis)
        put(self, "_orbit", np.array((*forward, *arm, *point, abs(angle), sign * slide)))

    @property
    def turns(self) -> bool:
        """True if it turns; False if it is a translation."""
        return abs(self.angle) * LONGEST > abs(self.slide)

    def at(self, time: float = 1.0) -> NDArray[np.float64]:
        """Return the rigid transform at a time, 0 .. 1, shape (4, 4), world."""
        fraction = _fraction(time)
        axis, arm, point = self._orbit[:3], self._orbit[3:6], self._orbit[6:9]
        angle, slide = fraction * self._orbit[9], fraction * self._orbit[10]
        # sin and 1 - cos, accurate for small angles and long arms.
        sine, rest = math.sin(angle), 2.0 * math.sin(0.5 * angle) ** 2
        cross = np.array(((0.0, -axis[2], axis[1]), (axis[2], 0.0, -axis[0]), (-axis[1], axis[0], 0.0)))
        matrix = np.eye(4)
        matrix[:3, :3] += sine * cross + rest * (cross @ cross)
        moved = sine * (cross @ arm) + rest * (cross @ (cross @ arm)) + slide * axis
        matrix[:3, 3] = moved + (np.eye(3) - matrix[:3, :3]) @ point
        return matrix


def orbit_of(motion: Turn) -> NDArray[np.float64]:
    """Return a turn as kernels take it, shape (11,): axis 3, arm from the axis to a point 3, that point 3, angle, slide.

    The angle is not negative: the axis is reversed where needed.
    """
    return motion._orbit  # noqa: SLF001  (the only access to it, for code that implements queries)


def reversed_motion(motion: Translate | Turn) -> Translate | Turn:
    """Return the motion that leads back from the end to the start, along the same path."""
    if isinstance(motion, Translate):
        return Translate([-x for x in motion.vector])
    back = motion.__class__.__new__(motion.__class__)
    orbit = orbit_of(motion).tolist()
    arm, point = (orbit[3], orbit[4], orbit[5]), (orbit[6], orbit[7], orbit[8])
    back._set(motion.axis, -motion.angle, -motion.slide, motion.about, point, arm)  # noqa: SLF001  (a constructor)
    return back


@dataclass(frozen=True, init=False, slots=True)
class Rotate(Turn):
    """Turn by `angle` [radians], right-handed about `axis` through the point `about` [length], world.

    The angle may be negative, and more than a full turn. Zero tests for overlap now.
    """

    axis: tuple[float, float, float]
    """Unit."""
    angle: float
    about: tuple[float, float, float]
    slide: float = field(repr=False, compare=False)
    length: float = field(repr=False, compare=False)
    _orbit: NDArray[np.float64] = field(repr=False, compare=False)

    def __init__(self, axis: ArrayLike, angle: float, *, about: ArrayLike = (0.0, 0.0, 0.0)):
        self._check("Rotate", axis, angle, 0.0, about)


def rotation(name: str, axis: ArrayLike, angle: float, about: ArrayLike) -> Rotate:
    """Return a Rotate whose error messages begin with `name`."""
    turn = Rotate.__new__(Rotate)
    turn._check(name, axis, angle, 0.0, about)  # noqa: SLF001  (a constructor)
    return turn


@dataclass(frozen=True, init=False, slots=True)
class Screw(Turn):
    """Turn by `angle` [radians] about `axis` through `about` [length] while sliding along it by `slide` [length]; world.

    Every rigid motion is a screw (Chasles): see `between`. With angle 0 it is a translation, with slide 0 a rotation.
    """

    axis: tuple[float, float, float]
    """Unit."""
    angle: float
    slide: float
    about: tuple[float, float, float]
    length: float = field(repr=False, compare=False)
    _orbit: NDArray[np.float64] = field(repr=False, compare=False)

    def __init__(self, axis: ArrayLike, angle: float, *, slide: float, about: ArrayLike = (0.0, 0.0, 0.0)):
        self._check("Screw", axis, angle, slide, about)

    @classmethod
    def between(cls, pose_0: checks.PoseLike, pose_1: checks.PoseLike) -> Screw:
        """Return the screw that moves a body from pose_0 to pose_1 (4x4, or a position), by at most half a turn."""
        return screw_between(checks.given_pose(pose_0, "pose_0"), checks.given_pose(pose_1, "pose_1"))


def screw_between(start: NDArray[np.float64], end: NDArray[np.float64]) -> Screw:
    """As `Screw.between`, for two rigid poses, shape (4, 4), that are checked already."""
    x, y, z, angle = _axis_angle(turns_between(start, end))
    point = (float(start[0, 3]), float(start[1, 3]), float(start[2, 3]))
    mx, my, mz = (a - b for a, b in zip(end[:3, 3].tolist(), point, strict=True))
    screw = Screw.__new__(Screw)
    if angle <= NO_TURN:
        size = length_of(mx, my, mz)
        axis = unit(mx, my, mz) if size > 0.0 else (0.0, 0.0, 1.0)
        screw._set(axis, 0.0, size, point, point, (0.0, 0.0, 0.0))  # noqa: SLF001  (an alternative constructor)
        return screw
    slide = x * mx + y * my + z * mz
    mx, my, mz = mx - slide * x, my - slide * y, mz - slide * z
    out = 0.5 / math.tan(0.5 * angle)
    lever = (
        -0.5 * mx - out * (y * mz - z * my),
        -0.5 * my - out * (z * mx - x * mz),
        -0.5 * mz - out * (x * my - y * mx),
    )
    about = (point[0] - lever[0], point[1] - lever[1], point[2] - lever[2])
    screw._set((x, y, z), angle, slide, about, point, lever)  # noqa: SLF001  (an alternative constructor)
    return screw


def screw_at_rates(
    point: NDArray[np.float64], velocity: NDArray[np.float64], angular_velocity: NDArray[np.float64], duration: float
) -> Screw:
    """Return the screw of a body that turns at a constant rate (3,) while `point` begins to move at a velocity (3,); world."""
    x, y, z = point.tolist()
    vx, vy, vz = velocity.tolist()
    wx, wy, wz = angular_velocity.tolist()
    rate = length_of(wx, wy, wz)
    screw = Screw.__new__(Screw)
    if rate * duration <= NO_TURN:
        speed = length_of(vx, vy, vz)
        axis = unit(vx, vy, vz) if speed > 0.0 else (0.0, 0.0, 1.0)
        screw._set(axis, 0.0, speed * duration, (x, y, z), (x, y, z), (0.0, 0.0, 0.0))  # noqa: SLF001  (a constructor)
        return screw
    ax, ay, az = unit(wx, wy, wz)
    lever = ((vy * az - vz * ay) / rate, (vz * ax - vx * az) / rate, (vx * ay - vy * ax) / rate)
    about = (x - lever[0], y - lever[1], z - lever[2])
    slide = (vx * ax + vy * ay + vz * az) * duration
    screw._set((ax, ay, az), rate * duration, slide, about, (x, y, z), lever)  # noqa: SLF001  (a constructor)
    return screw


def without_slide(screw: Screw) -> Rotate:
    """Return the rotation of a screw alone."""
    orbit = orbit_of(screw).tolist()
    turn = Rotate.__new__(Rotate)
    arm, point = (orbit[3], orbit[4], orbit[5]), (orbit[6], orbit[7], orbit[8])
    turn._set(screw.axis, screw.angle, 0.0, screw.about, point, arm)  # noqa: SLF001  (a constructor)
    return turn


def turns_between(start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotations (..., 3, 3) from poses (..., 4, 4) to others: the same bits in any shape."""
    products = end[..., :3, None, :3] * start[..., None, :3, :3]
    return products[..., 0] + products[..., 1] + products[..., 2]


def _axis_angle(turn: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return unit axis and angle, 0 to pi, of a rotation matrix, from the quaternion's largest part (Shepperd 1978)."""
    m = turn.tolist()  # Python's numbers are faster one by one
    parts = (1.0 + m[0][0] + m[1][1] + m[2][2], 1.0 + m[0][0] - m[1][1] - m[2][2])
    parts += (1.0 - m[0][0] + m[1][1] - m[2][2], 1.0 - m[0][0] - m[1][1] + m[2][2])
    skew = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1])
    largest = parts.index(max(parts))
    if largest == 0:
        w, x, y, z = parts[0], *skew
    elif largest == 1:
        w, x, y, z = skew[0], parts[1], m[0][1] + m[1][0], m[2][0] + m[0][2]
    elif largest == 2:
        w, x, y, z = skew[1], m[0][1] + m[1][0], parts[2], m[1][2] + m[2][1]
    else:
        w, x, y, z = skew[2], m[2][0] + m[0][2], m[1][2] + m[2][1], parts[3]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = length_of(x, y, z)
    if sine == 0.0:
        return 0.0, 0.0, 1.0, 0.0
    return *unit(x, y, z), 2.0 * math.atan2(sine, w)
