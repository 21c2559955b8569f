"""How things move. A motion knows its chart: the frame in which it is simply +w."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidMotion, InvalidPose, InvalidQuery

# A turn this small [radians] is the rounding of two poses: it moves nothing that its translation does not.
_NO_TURN = 1e-15
# A slide this many times its angle [length / radians] turns nothing, and its square would overflow.
_LONGEST = 1e100


def unit(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the vector at length 1; it must not be zero. Scaled first, so that a subnormal one keeps its direction."""
    largest = max(abs(x), abs(y), abs(z))
    x, y, z = x / largest, y / largest, z / largest
    size = math.hypot(x, y, z)
    return x / size, y / size, z / size


def frame_of(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Return a right-handed frame, rows u, v, w flattened to (9,), whose w is the unit vector (x, y, z)."""
    # u is square to the axis that w is least along: exact for motion along an axis.
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


def _share(time: float) -> float:
    """Check a share of a motion."""
    share = checks.number(time, "time", InvalidQuery)
    if not 0.0 <= share <= 1.0:
        raise InvalidQuery(f"time is {share}; accepted: a share of the motion, 0 to 1")
    return share


class Motion(ABC):
    """What all motions have: a length, and where they take things."""

    __slots__ = ()

    length: float
    """How much there is of it: [length] of a translation, [radians] of a turn."""

    @property
    def turns(self) -> bool:
        """True if it turns at all; if not, it is a translation."""
        return False

    @abstractmethod
    def at(self, time: float = 1.0) -> NDArray[np.float64]:
        """Return the rigid transform that a share of the motion makes, shape (4, 4), world: `motion.at(t) @ body.pose`."""


@dataclass(frozen=True, init=False, slots=True)
class Translate(Motion):
    """Straight motion by `vector` [length], without turning. A zero vector asks whether things overlap now."""

    vector: tuple[float, float, float]
    length: float
    frame: NDArray[np.float64] = field(repr=False, compare=False)

    def __init__(self, vector: ArrayLike):
        x, y, z = checks.vector(vector, "Translate.vector", InvalidMotion)
        size = math.hypot(x, y, z)
        object.__setattr__(self, "vector", (x, y, z))
        object.__setattr__(self, "length", size)
        object.__setattr__(self, "frame", frame_of(*((0.0, 0.0, 1.0) if size == 0.0 else unit(x, y, z))))

    def at(self, time: float = 1.0) -> NDArray[np.float64]:
        """Return the transform that a share of the motion makes, shape (4, 4), world."""
        matrix = np.eye(4)
        matrix[:3, 3] = _share(time) * np.array(self.vector)
        return matrix


class Turn(Motion):
    """What turns and screws share.

    Their axis is known by the arm from it to a point: of a motion that hardly turns, the axis is too far away to be known by a
    point of its own.
    """

    __slots__ = ()

    axis: tuple[float, float, float]
    angle: float
    slide: float
    length: float
    orbit: NDArray[np.float64]

    def _set(self, name: str, axis: ArrayLike, angle: float, slide: float, about: ArrayLike) -> None:
        """Check and keep what was given; the point on the axis is where the arm is zero."""
        x, y, z = checks.vector(axis, f"{name}.axis", InvalidMotion)
        if x == y == z == 0.0:
            raise InvalidMotion(f"{name}.axis is 0 0 0; it must have a direction")
        axis = unit(x, y, z)
        about = checks.vector(about, f"{name}.about", InvalidMotion)
        for value, what in ((angle, "angle"), (slide, "slide")):
            size = checks.number(value, f"{name}.{what}", InvalidMotion)
            if not abs(size) <= checks.LARGEST:
                raise InvalidMotion(f"{name}.{what} is {size}; it must be finite and at most {checks.LARGEST:g} in size")
        self._keep(axis, float(angle), float(slide), about, about, (0.0, 0.0, 0.0))

    def _keep(
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
        # Kernels turn forward only: a turn back is one about the axis that looks the other way.
        way = -1.0 if angle < 0.0 else 1.0
        forward = tuple(way * x for x in axis)
        put(self, "orbit", np.array((*forward, *arm, *point, abs(angle), way * slide)))

    @property
    def turns(self) -> bool:
        """True if it turns at all; if not, it is a translation."""
        return abs(self.angle) * _LONGEST > abs(self.slide)

    def at(self, time: float = 1.0) -> NDArray[np.float64]:
        """Return the transform that a share of the motion makes, shape (4, 4), world."""
        share = _share(time)
        axis, arm, point = self.orbit[:3], self.orbit[3:6], self.orbit[6:9]
        angle, slide = share * self.orbit[9], share * self.orbit[10]
        # sin and 1 - cos in a form that keeps its digits however small the angle and long the arm.
        sine, rest = math.sin(angle), 2.0 * math.sin(0.5 * angle) ** 2
        cross = np.array(((0.0, -axis[2], axis[1]), (axis[2], 0.0, -axis[0]), (-axis[1], axis[0], 0.0)))
        matrix = np.eye(4)
        matrix[:3, :3] += sine * cross + rest * (cross @ cross)
        moved = sine * (cross @ arm) + rest * (cross @ (cross @ arm)) + slide * axis
        matrix[:3, 3] = moved + (np.eye(3) - matrix[:3, :3]) @ point
        return matrix


@dataclass(frozen=True, init=False, slots=True)
class Rotate(Turn):
    """Turn by `angle` [radians], right-handed about `axis` through the point `about` [length], world.

    The angle may be negative, and more than a full turn. Zero asks whether things overlap now.
    """

    axis: tuple[float, float, float]
    """Unit."""
    angle: float
    about: tuple[float, float, float]
    slide: float = field(repr=False, compare=False)
    length: float = field(repr=False, compare=False)
    orbit: NDArray[np.float64] = field(repr=False, compare=False)

    def __init__(self, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)):
        self._set("Rotate", axis, angle, 0.0, about)


@dataclass(frozen=True, init=False, slots=True)
class Screw(Turn):
    """Turn by `angle` [radians] about `axis` through `about` [length] while sliding along it by `slide` [length]; world.

    Every rigid motion is one (Chasles): see `between`. Without an angle it is a translation, without a slide a rotation.
    """

    axis: tuple[float, float, float]
    """Unit."""
    angle: float
    slide: float
    about: tuple[float, float, float]
    length: float = field(repr=False, compare=False)
    orbit: NDArray[np.float64] = field(repr=False, compare=False)

    def __init__(self, axis: ArrayLike, angle: float, slide: float, about: ArrayLike = (0.0, 0.0, 0.0)):
        self._set("Screw", axis, angle, slide, about)

    @classmethod
    def between(cls, pose_0: ArrayLike, pose_1: ArrayLike) -> Screw:
        """Return the screw that takes a thing at pose_0 to pose_1 (4x4, or a position), turning by at most half a turn."""
        return cls._from(*(_rigid(pose, name) for pose, name in ((pose_0, "pose_0"), (pose_1, "pose_1"))))

    @classmethod
    def _from(cls, start: NDArray[np.float64], end: NDArray[np.float64]) -> Screw:
        """Return the screw between two poses that were checked."""
        x, y, z, angle = _axis_angle(end[:3, :3] @ start[:3, :3].T)
        point = (float(start[0, 3]), float(start[1, 3]), float(start[2, 3]))
        mx, my, mz = (a - b for a, b in zip(end[:3, 3].tolist(), point, strict=True))
        screw = cls.__new__(cls)
        if angle <= _NO_TURN:
            size = math.hypot(mx, my, mz)
            axis = unit(mx, my, mz) if size > 0.0 else (0.0, 0.0, 1.0)
            screw._keep(axis, 0.0, size, point, point, (0.0, 0.0, 0.0))
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
        screw._keep((x, y, z), angle, slide, about, point, lever)
        return screw


def _rigid(value: ArrayLike, name: str) -> NDArray[np.float64]:
    if value is None or hasattr(value, "pose"):
        hint = "; give its .pose" if value is not None else ""
        raise InvalidPose(f"{name}: expected a 4x4 matrix or three numbers, got {checks.shown(value)}{hint}")
    return checks.pose(value, name)


def _axis_angle(turn: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return unit axis and angle, 0 to pi, of a rotation matrix, by way of the quaternion's largest part (Shepperd 1978)."""
    m = turn
    parts = (1.0 + m[0, 0] + m[1, 1] + m[2, 2], 1.0 + m[0, 0] - m[1, 1] - m[2, 2])
    parts += (1.0 - m[0, 0] + m[1, 1] - m[2, 2], 1.0 - m[0, 0] - m[1, 1] + m[2, 2])
    spin = (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1])
    largest = int(np.argmax(parts))
    if largest == 0:
        w, x, y, z = parts[0], *spin
    elif largest == 1:
        w, x, y, z = spin[0], parts[1], m[0, 1] + m[1, 0], m[2, 0] + m[0, 2]
    elif largest == 2:
        w, x, y, z = spin[1], m[0, 1] + m[1, 0], parts[2], m[1, 2] + m[2, 1]
    else:
        w, x, y, z = spin[2], m[2, 0] + m[0, 2], m[1, 2] + m[2, 1], parts[3]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.hypot(x, y, z)
    if sine == 0.0:
        return 0.0, 0.0, 1.0, 0.0
    return *unit(float(x), float(y), float(z)), 2.0 * math.atan2(sine, w)
