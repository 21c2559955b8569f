"""Pose: makes 4x4 matrices from what other programs hold. The order of numbers is always named, never guessed."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidPose, InvalidType
from .foreign import HasMatrix
from .motion import inverse, unit

_UNIT = 0.01
"""A quaternion whose length differs from 1 by at most this is rounded, and is normalized; any other is a mistake."""
_ALONG = 1e-6  # sine of the angle between `up` and the direction of a look, below which up says nothing
_ORDERS = {
    "xyz xyzw": (0, 1, 2, 3, 4, 5, 6),
    "xyz wxyz": (0, 1, 2, 4, 5, 6, 3),
    "xyzw xyz": (4, 5, 6, 0, 1, 2, 3),
    "wxyz xyz": (4, 5, 6, 1, 2, 3, 0),
}
"""Where the position and then x, y, z, w of the quaternion lie among seven numbers."""


class Pose:
    """Makes poses: plain arrays, float64, shape (4, 4), local to world, which every function here takes.

    Where an argument may be a row or many rows, (k,) or (n, k), many give (n, 4, 4), as `scene.move` takes them.
    """

    def __new__(cls, *_: object, **__: object) -> NoReturn:
        """Refuse: there are no objects of this class."""
        raise InvalidType("Pose makes arrays: use Pose.from_object(...), Pose.from_quaternion(...), Pose.look_at(...)")

    @staticmethod
    def from_object(value: checks.PoseLike) -> NDArray[np.float64]:
        """Return what is accepted as a pose, as a matrix: 4x4, 3x4, a position, scipy's RigidTransform and Rotation."""
        return checks.given_pose(value)

    @staticmethod
    def from_quaternion(
        position: ArrayLike, *, xyzw: ArrayLike | None = None, wxyz: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return the pose of a position [length] and a unit quaternion.

        Name its order. xyzw, w last: ROS, scipy, PyBullet, Unity, glTF. wxyz, w first: MuJoCo, Eigen's constructor, Blender.
        """
        if (xyzw is None) == (wxyz is None):
            raise InvalidPose("quaternion: give its four numbers as xyzw=... or as wxyz=..., one of them")
        name = "wxyz" if xyzw is None else "xyzw"
        parts, one = _rows(wxyz if xyzw is None else xyzw, 4, name)
        if xyzw is None:
            parts = parts[:, (1, 2, 3, 0)]
        return _put(position, _turns(_normalized(parts, name, one)), one)

    @staticmethod
    def from_numbers(numbers: ArrayLike, *, order: str) -> NDArray[np.float64]:
        """Return the pose of seven numbers, position and quaternion, shape (7,) or (n, 7).

        order: "xyz xyzw" (ROS, PyBullet, TUM trajectories), "xyz wxyz" (MuJoCo, Isaac), "xyzw xyz" or "wxyz xyz".
        """
        if checks.text(order, "order") not in _ORDERS:
            raise InvalidPose(f"order is {checks.shown(order)}; accepted: {checks.listed(_ORDERS)}")
        seven, one = _rows(numbers, 7, "numbers")
        seven = seven[:, _ORDERS[order]]
        return _put(seven[0, :3] if one else seven[:, :3], _turns(_normalized(seven[:, 3:], "numbers", one)), one)

    @staticmethod
    def from_axis_angle(position: ArrayLike, axis: ArrayLike, *, angle: float) -> NDArray[np.float64]:
        """Return the pose turned by `angle` [radians], right-handed about `axis`, at a position [length]."""
        x, y, z = unit(*checks.direction(axis, "axis", InvalidPose))
        turn = checks.number(angle, "angle", InvalidPose)
        if not abs(turn) <= checks.LARGEST:
            raise InvalidPose(f"angle is {turn}; it must be finite")
        sine = math.sin(0.5 * turn)
        return _put(position, _turns(np.array([(sine * x, sine * y, sine * z, math.cos(0.5 * turn))])), True)

    @staticmethod
    def from_rotation_vector(position: ArrayLike, vector: ArrayLike) -> NDArray[np.float64]:
        """Return the pose of a rotation vector: its direction is the axis, its length the angle [radians]. OpenCV's rvec."""
        x, y, z = checks.vector(vector, "vector", InvalidPose)
        angle = math.hypot(x, y, z)
        return Pose.from_axis_angle(position, (x, y, z) if angle > 0.0 else (0.0, 0.0, 1.0), angle=angle)

    @staticmethod
    def from_euler(position: ArrayLike, angles: ArrayLike, *, order: str) -> NDArray[np.float64]:
        """Return the pose of three angles [radians], one for each letter of `order`, as scipy has it.

        Small letters turn about fixed axes, one after the other: "xyz" is URDF's rpy. Capitals turn about the body's own axes:
        "ZYX" is yaw, pitch, roll.
        """
        checks.text(order, "order")
        letters = order.lower() if order.islower() or order.isupper() else ""
        if len(letters) != 3 or set(letters) - set("xyz") or letters[0] == letters[1] or letters[1] == letters[2]:
            raise InvalidPose(
                f"order is {checks.shown(order)}; accepted: three of x, y, z, no two equal ones side by side: "
                '"xyz" about fixed axes, "XYZ" about the body\'s own'
            )
        turn = np.eye(3)
        for letter, angle in zip(letters, checks.vector(angles, "angles", InvalidPose), strict=True):
            about = Pose.from_axis_angle((0.0, 0.0, 0.0), [float(letter == each) for each in "xyz"], angle=angle)[:3, :3]
            turn = about @ turn if order.islower() else turn @ about
        return _put(position, turn[None], True)

    @staticmethod
    def from_rotation(position: ArrayLike, rotation: ArrayLike | HasMatrix) -> NDArray[np.float64]:
        """Return the pose of a position [length] and a rotation: a 3x3 matrix, or scipy's Rotation."""
        turn: Any = rotation
        matrix = turn.as_matrix() if hasattr(type(turn), "as_matrix") else turn
        given = checks.array(matrix, "rotation", "a 3x3 matrix", InvalidPose)
        if given.shape != (3, 3):
            raise InvalidPose(f"rotation: expected shape (3, 3), got {given.shape}")
        return _put(position, given.astype(np.float64)[None], True)

    @staticmethod
    def look_at(eye: ArrayLike, target: ArrayLike, *, up: ArrayLike = (0.0, 0.0, 1.0)) -> NDArray[np.float64]:
        """Return the pose of a camera at `eye` that looks at `target` [length]: x is right, y down, z ahead, as OpenCV has it.

        `PointCloud.from_depth` takes it. For a camera as OpenGL has it, which looks along -z, turn it by
        `@ np.diag((1, -1, -1, 1))`.
        """
        start = np.array(checks.vector(eye, "eye", InvalidPose))
        end = np.array(checks.vector(target, "target", InvalidPose))
        upward = np.array(unit(*checks.direction(up, "up", InvalidPose)))
        if (start == end).all():
            raise InvalidPose(f"eye and target are both {checks.shown(start.tolist())}; a look needs a direction")
        ahead = np.array(unit(*(end - start).tolist()))
        right = np.cross(ahead, upward)
        if not np.linalg.norm(right) > _ALONG:
            raise InvalidPose(f"up: {checks.shown(upward.tolist())} is along the look; give another direction")
        right /= np.linalg.norm(right)
        matrix = np.eye(4)
        matrix[:3] = np.stack((right, np.cross(ahead, right), ahead, start), axis=1)
        return matrix

    @staticmethod
    def inverse(pose: checks.PoseLike) -> NDArray[np.float64]:
        """Return the inverse of a pose: camera to world from the world to camera (extrinsics) that calibrations give."""
        return inverse(checks.given_pose(pose))


def _rows(value: Any, width: int, name: str) -> tuple[NDArray[np.float64], bool]:
    """Return one row of numbers or many as (n, width), finite, and whether it was one."""
    given = checks.array(value, name, f"{width} numbers, or shape (n, {width})", InvalidPose).astype(np.float64)
    one = given.shape == (width,)
    if not one and (given.ndim != 2 or given.shape[1] != width):
        raise InvalidPose(f"{name}: expected {width} numbers, or shape (n, {width}), got shape {given.shape}")
    rows = given.reshape(-1, width)
    bad = np.argwhere(~(np.abs(rows) <= checks.LARGEST))
    if len(bad):
        where = f"{bad[0, 1]}" if one else f"{bad[0, 0]}, {bad[0, 1]}"
        raise InvalidPose(f"{name}[{where}] is {rows[tuple(bad[0])]}; it must be finite and at most {checks.LARGEST:g} in size")
    return rows, one


def _normalized(quaternions: NDArray[np.float64], name: str, one: bool) -> NDArray[np.float64]:
    """Return unit quaternions, shape (n, 4), or raise for the first whose length is far from 1."""
    sizes = np.linalg.norm(quaternions, axis=1)
    far = np.flatnonzero(~(np.abs(sizes - 1.0) <= _UNIT))
    if len(far):
        which = name if one else f"{name}[{far[0]}]"
        parts = checks.shown(quaternions[far[0]].tolist())
        raise InvalidPose(
            f"{which}: the quaternion {parts} (x, y, z, w) has length {sizes[far[0]]:.6g}; "
            f"accepted: 1, to within {_UNIT:g}. Is the order right?"
        )
    return quaternions / sizes[:, None]


def _turns(quaternions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rotation matrices, shape (n, 3, 3), of unit quaternions x, y, z, w, shape (n, 4)."""
    x, y, z, w = quaternions.T
    rows = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
    )
    return np.moveaxis(np.array(rows), 2, 0)


def _put(position: ArrayLike, turns: NDArray[np.float64], one: bool) -> NDArray[np.float64]:
    """Return poses: one (4, 4), or (n, 4, 4) if the position or the turn was given in rows."""
    places, single = _rows(position, 3, "position")
    if not single and not one and len(places) != len(turns):
        raise InvalidPose(f"position: got {len(places)} for {len(turns)} rotations; give one for each, or one for all")
    matrices = np.zeros((len(turns) if single else len(places), 4, 4))
    matrices[:, :3, :3], matrices[:, :3, 3], matrices[:, 3, 3] = turns, places, 1.0
    if single and one:
        return checks.pose(matrices[0], "rotation")
    return matrices
