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
    """Attaches a link to its parent link. Made by `Joint.revolute`, `prismatic`, `fixed`, `planar` and `floating`.

    Its value is an angle [radians], right-handed about its axis, or a distance [length] along it. A planar and a floating joint
    have several values: `Robot.add` makes a row of joints of them, each with one value, with frames between.
    """

    name: str
    kind: Literal["revolute", "prismatic", "fixed", "planar", "floating"]
    """Joints of a robot are of the first three."""
    axis: tuple[float, float, float]
    """Unit, in the joint's frame, which is the frame of the link that it carries. Of a planar joint the normal of the plane."""
    origin: NDArray[np.float64] = field(repr=False)
    """Pose of that frame at value 0, in the frame of the parent link, shape (4, 4), read-only."""
    limits: tuple[float, float]
    """Lowest and highest value; infinite if there is no limit."""
    mimic: tuple[str, float, float] | None
    """(joint, factor, offset) if its position is always factor * that joint's position + offset; else None."""

    def __init__(self) -> None:
        raise InvalidType("a Joint is made by Joint.revolute(...), prismatic(...), fixed(...), planar(...) or floating(...)")

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
    def planar(cls, name: str, axis: ArrayLike = (0.0, 0.0, 1.0), *, origin: ArrayLike | None = None) -> Joint:
        """Return a joint that slides in a plane and turns about its normal `axis`, without limits: a base on wheels.

        `Robot.add` makes three joints of it: "NAME/x" and "NAME/y" slide, "NAME/turn" turns about the normal. For the normal z
        they slide along x and y, for another one along these axes turned by the shortest way that brings z (-z, if the normal
        points below the x-y plane) onto the normal.
        """
        return cls._create(name, "planar", axis, origin, None, None)

    @classmethod
    def floating(cls, name: str, *, origin: ArrayLike | None = None) -> Joint:
        """Return a joint that moves freely, without limits: a drone, a base with legs.

        `Robot.add` makes six joints of it: "NAME/x", "NAME/y", "NAME/z" slide, then "NAME/yaw", "NAME/pitch" and "NAME/roll"
        turn about z, y and x: the rotation is Rz(yaw) Ry(pitch) Rx(roll).
        """
        return cls._create(name, "floating", (0.0, 0.0, 1.0), origin, None, None)

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


def row_of(joint: Joint) -> list[Joint]:
    """Return the joints, each with one value, that a planar or floating joint stands for; any other joint is itself.

    Between them are frames, each called like the joint that carries it. Only the first has an origin.
    """
    if joint.kind not in ("planar", "floating"):
        return [joint]
    x, y, z = np.eye(3)
    slides, turns = {"x": x, "y": y, "z": z}, {"yaw": z, "pitch": y, "roll": x}
    if joint.kind == "planar":
        slides, turns = dict(zip("xy", _across(joint.axis), strict=True)), {"turn": joint.axis}
    names = (f"{joint.name}/{step}" for step in (*slides, *turns))
    kinds = [Joint.prismatic] * len(slides) + [Joint.revolute] * len(turns)
    axes = (*slides.values(), *turns.values())
    return [
        make(name, axis, origin=joint.origin if k == 0 else None)
        for k, (make, name, axis) in enumerate(zip(kinds, names, axes, strict=True))
    ]


def _across(normal: tuple[float, float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return two unit axes across a normal, right-handed with it.

    Duff et al., Building an orthonormal basis, revisited (2017), equation 6.
    """
    x, y, z = normal
    side = 1.0 if z >= 0.0 else -1.0
    a = -1.0 / (side + z)
    b = x * y * a
    return np.array((1.0 + side * x * x * a, side * b, -side * x)), np.array((b, side + y * y * a, -y))


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
