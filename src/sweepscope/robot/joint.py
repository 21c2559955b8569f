"""Joints: how the links of a robot are attached to each other, and move."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidRobot, InvalidType
from ..immutable import Immutable
from ..motion import UNIT, Rotate, Translate, unit

_ROUNDED = 1e-6  # a value beyond a limit by less is the limit, rounded: [radians], or a fraction of the slide's range


@dataclass(frozen=True, init=False, slots=True, eq=False)
class Joint(Immutable):
    """Attaches a link to its parent link. Made by `Joint.revolute`, `Joint.prismatic` and `Joint.fixed`.

    Its value is an angle [radians], right-handed about its axis, or a distance [length] along it.
    """

    name: str
    kind: Literal["revolute", "prismatic", "fixed"]
    axis: tuple[float, float, float]
    """Unit, in the joint's frame, which is the frame of the link that it carries."""
    origin: NDArray[np.float64] = field(repr=False)
    """Pose of that frame at value 0, in the frame of the parent link, shape (4, 4), read-only."""
    limits: tuple[float, float]
    """Lowest and highest value; infinite if there is no limit."""
    mimic: tuple[str, float, float] | None
    """(joint, factor, offset) if its position is always factor * that joint's position + offset; else None."""

    def __init__(self) -> None:
        raise InvalidType("a Joint is made by Joint.revolute(...), Joint.prismatic(...) or Joint.fixed(...)")

    @classmethod
    def revolute(
        cls,
        name: str,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        *,
        origin: ArrayLike | None = None,
        limits: tuple[float, float] | None = None,
        mimic: tuple[str, float, float] | None = None,
    ) -> Joint:
        """Return a joint that turns about `axis`; origin: its pose on the parent (4x4, or a position); limits [radians]."""
        return cls._create(name, "revolute", axis, origin, limits, mimic)

    @classmethod
    def prismatic(
        cls,
        name: str,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        *,
        origin: ArrayLike | None = None,
        limits: tuple[float, float] | None = None,
        mimic: tuple[str, float, float] | None = None,
    ) -> Joint:
        """Return a joint that slides along `axis`; limits [length]; the rest as for `revolute`."""
        return cls._create(name, "prismatic", axis, origin, limits, mimic)

    @classmethod
    def fixed(cls, name: str, *, origin: ArrayLike | None = None) -> Joint:
        """Return a joint that does not move."""
        return cls._create(name, "fixed", (0.0, 0.0, 1.0), origin, (0.0, 0.0), None)

    @classmethod
    def _create(cls, name: Any, kind: str, axis: Any, origin: Any, limits: Any, mimic: Any) -> Joint:
        name = checked_name(name, "joint")
        joint = cls.__new__(cls)
        put = object.__setattr__
        put(joint, "name", name)
        put(joint, "kind", kind)
        put(joint, "axis", unit(*checks.direction(axis, f"joint {name!r}: axis", InvalidRobot)))
        put(joint, "origin", checks.fixed(checks.pose(origin, f"joint {name!r}: origin")))
        put(joint, "limits", _limits(limits, name))
        put(joint, "mimic", _mimic(mimic, name))
        return joint


def pose_at(joint: Joint, value: float) -> NDArray[np.float64]:
    """Return the pose of a joint's link on the parent at a value, shape (4, 4)."""
    if joint.kind == "fixed":
        return joint.origin
    if joint.kind == "prismatic":
        matrix = joint.origin.copy()
        matrix[:3, 3] += matrix[:3, :3] @ (value * np.array(joint.axis))
        return matrix
    return joint.origin @ _turned(joint.axis, value)


def motion_of(joint: Joint, pose: NDArray[np.float64], change: float) -> Rotate | Translate:
    """Return the motion, world, that changes a joint's value by `change`; pose: of the link that it carries, (4, 4)."""
    axis = pose[:3, :3] @ joint.axis
    if joint.kind == "prismatic":
        return Translate(change * axis)
    return Rotate(axis, change, about=pose[:3, 3])


def rounding_of(joint: Joint, value: float) -> float:
    """Return the largest rounding error of a joint's value."""
    if joint.kind == "revolute":
        return _ROUNDED * max(1.0, abs(value))
    return _ROUNDED * max((abs(x) for x in (*joint.limits, value) if math.isfinite(x)), default=0.0)


def clamped(joint: Joint, value: float) -> float | None:
    """Return a value clamped to a joint's limits if it is beyond them by rounding only; None if it is farther beyond."""
    low, high = joint.limits
    slack = rounding_of(joint, value)
    return min(max(value, low), high) if low - slack <= value <= high + slack else None


def exact_joint(name: str, kind: str, axis: Any, origin: Any, limits: Any, mimic: Any) -> Joint:
    """Return a joint of the values of another, for files: an axis of length 1 is taken as it is, not rounded again."""
    kind = checks.choice(kind, f"joint {name!r}: kind", ("revolute", "prismatic", "fixed"))
    joint = Joint._create(name, kind, axis, origin, limits, mimic)  # noqa: SLF001  (a constructor)
    x, y, z = checks.vector(axis, "axis", InvalidRobot)
    if max(abs(a - b) for a, b in zip((x, y, z), joint.axis, strict=True)) <= UNIT:
        object.__setattr__(joint, "axis", (x, y, z))
    return joint


def checked_name(value: Any, what: str) -> str:
    """Return a checked name of a robot, a link or a joint."""
    if not checks.text(value, what):
        raise InvalidRobot(f"{what}: expected a name, got ''")
    return str(value)


def _turned(axis: tuple[float, float, float], angle: float) -> NDArray[np.float64]:
    """Return a turn about an axis through the origin, shape (4, 4)."""
    x, y, z = axis
    sine, rest = math.sin(angle), 2.0 * math.sin(0.5 * angle) ** 2
    return np.array(
        (
            (1.0 - rest * (y * y + z * z), rest * x * y - sine * z, rest * x * z + sine * y, 0.0),
            (rest * x * y + sine * z, 1.0 - rest * (x * x + z * z), rest * y * z - sine * x, 0.0),
            (rest * x * z - sine * y, rest * y * z + sine * x, 1.0 - rest * (x * x + y * y), 0.0),
            (0.0, 0.0, 0.0, 1.0),
        )
    )


def _limits(value: Any, name: str) -> tuple[float, float]:
    if value is None:
        return -math.inf, math.inf
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        error = InvalidRobot if isinstance(value, (list, tuple)) else InvalidType
        raise error(f"joint {name!r}: limits: expected (lowest, highest), got {checks.shown(value)}")
    low, high = (checks.number(x, f"joint {name!r}: limits[{k}]", InvalidRobot) for k, x in enumerate(value))
    # "not <=" is also true of NaN.
    if not low <= high or low == math.inf or high == -math.inf:
        raise InvalidRobot(f"joint {name!r}: limits are {low:g} to {high:g}; the first must not be above the second")
    return low, high


def _mimic(value: Any, name: str) -> tuple[str, float, float] | None:
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        error = InvalidRobot if isinstance(value, (list, tuple)) else InvalidType
        raise error(f"joint {name!r}: mimic: expected (joint, factor, offset), got {checks.shown(value)}")
    factor, offset = (checks.number(value[k], f"joint {name!r}: mimic[{k}]", InvalidRobot) for k in (1, 2))
    if not (abs(factor) <= checks.LARGEST and abs(offset) <= checks.LARGEST):
        raise InvalidRobot(f"joint {name!r}: mimics with factor {factor} and offset {offset}; they must be finite")
    return checked_name(value[0], f"joint {name!r}: mimic"), factor, offset
