"""Validator: whether configurations, motions and paths of a robot are free, as planners ask for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType, NotFound
from ..robot.joint import clamped
from ..robot.robot import Robot

if TYPE_CHECKING:
    from ..world.body import Body

_BACKWARD = (1 / 1024, 1 / 256, 1 / 64, 1 / 16, 1 / 4)
"""Shares of the way to a contact by which `free_share` goes back, one after the other, until the rest is free."""


class Validator:
    """Whether configurations, motions and paths of a robot are free: the functions that planners call.

    joints: names of the joints that a planner moves, such as `robot.groups["arm"]`; by default all `robot.actuated_joints`.
    The robot's other joints keep the positions that they have when a method is called. Configurations are numbers in the order
    of `joints`, [radians] or [length].

    margin [length], ignore: as in `Robot.sweep`. accuracy [length]: motions that are nearer than this to a contact may be
    reported as not free; by default 1e-4 of the robot's size. threads: the most threads for arrays; by default all cores.

    A motion that is reported as free has no contact anywhere: it is proven, not sampled.
    """

    __slots__ = ("_accuracy", "_columns", "_ignore", "_joints", "_margin", "_robot", "_threads")

    def __init__(
        self,
        robot: Robot,
        joints: Sequence[str] | None = None,
        *,
        margin: float = 0.0,
        accuracy: float | None = None,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
    ) -> None:
        if not isinstance(robot, Robot):
            raise InvalidType(f"robot: expected a Robot, got {checks.shown(robot)}")
        self._robot = robot
        self._joints = robot.actuated_joints if joints is None else _checked_joints(robot, joints)
        order = {name: k for k, name in enumerate(robot.actuated_joints)}
        columns = [order[name] for name in self._joints]
        self._columns = None if columns == list(range(len(order))) else np.array(columns)
        self._margin = checks.length(margin, "margin", InvalidQuery)
        if accuracy is not None and checks.length(accuracy, "accuracy", InvalidQuery) == 0.0:
            raise InvalidQuery("accuracy is 0; accepted: a length above 0")
        self._accuracy = accuracy
        self._ignore = tuple(checks.items(ignore, "ignore", "bodies"))
        self._threads = None if threads is None else checks.whole(threads, "threads", InvalidQuery, 1)

    @property
    def robot(self) -> Robot:
        """The robot."""
        return self._robot

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints that are planned for, in the order of the numbers of a configuration."""
        return self._joints

    @property
    def margin(self) -> float:
        """Distance to keep from obstacles [length]."""
        return self._margin

    @property
    def accuracy(self) -> float | None:
        """Distance to a contact below which a motion may be reported as not free [length]; None: the robot's default."""
        return self._accuracy

    @property
    def ignore(self) -> tuple[Body, ...]:
        """Bodies that are ignored."""
        return self._ignore

    def validate(self, q: ArrayLike) -> bool | NDArray[np.bool_]:
        """Return whether a configuration is free. q: shape (..., dof); more than one dimension gives an array, shape (...)."""
        return self._robot.free(self._rows(q, "q"), margin=self._margin, ignore=self._ignore, threads=self._threads)

    def validate_motion(self, a: ArrayLike, b: ArrayLike) -> bool | NDArray[np.bool_]:
        """Return whether the straight motion of the joints from a to b is free, both ends included.

        a, b: shape (..., dof), which broadcast; more than one dimension gives an array.
        """
        return self._edges(self._rows(a, "a"), self._rows(b, "b"))

    def validate_path(self, waypoints: ArrayLike) -> bool | NDArray[np.bool_]:
        """Return whether a path is free: the straight motions from waypoint to waypoint.

        waypoints: shape (..., n, dof); more than two dimensions give an array, shape (...).
        """
        rows = self._rows(waypoints, "waypoints")
        if rows.ndim < 2 or rows.shape[-2] == 0:
            raise InvalidQuery(f"waypoints: got shape {np.shape(waypoints)}; accepted: (..., n, dof) with n from 1")
        if rows.shape[-2] == 1:
            return self.validate(np.asarray(waypoints)[..., 0, :])
        free = np.asarray(np.asarray(self._edges(rows[..., :-1, :], rows[..., 1:, :])).all(axis=-1))
        return free if free.ndim else bool(free)

    def free_share(self, a: ArrayLike, b: ArrayLike) -> float | NDArray[np.float64]:
        """Return a share of the straight motion from a to b that is free, at most 1/1024 of the way before its first contact.

        a, b: as in `validate_motion`. 1: the whole motion is free. 0: only a itself. NaN: a is not free. The motion from a to
        a + share * (b - a) is free. Near surfaces that the motion follows the share may be smaller, at the least 0.
        """
        start, end = np.broadcast_arrays(self._rows(a, "a"), self._rows(b, "b"))
        options: dict[str, Any] = {"margin": self._margin, "ignore": self._ignore, "threads": self._threads}
        shape = start.shape[:-1]
        start, end = start.reshape(-1, start.shape[-1]), end.reshape(-1, end.shape[-1])
        hits = self._robot.sweep_many(start, end, accuracy=self._accuracy, **options)
        shares = np.where(hits.free, 1.0, math.nan)
        for back in _BACKWARD:
            rows = np.flatnonzero(np.isnan(shares))
            to = hits.time[rows] * (1.0 - back)
            free = self._edges(start[rows], start[rows] + to[:, None] * (end[rows] - start[rows])) if rows.size else True
            shares[rows] = np.where(free, to, math.nan)
        rows = np.flatnonzero(np.isnan(shares))
        if rows.size:
            shares[rows] = np.where(self._robot.free(start[rows], **options), 0.0, math.nan)
        return shares.reshape(shape) if shape else float(shares[0])

    def configurations(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return configurations of the whole robot, in the order of `robot.actuated_joints`, for `Robot.path` and others.

        q: shape (..., dof of `joints`). The other joints have their present positions.
        """
        return np.array(self._rows(q, "q"))

    def configuration(self, positions: Mapping[str, float] | ArrayLike, name: str = "positions") -> NDArray[np.float64]:
        """Return one configuration, shape (dof,), within the limits. name: of the argument, for error messages.

        positions: numbers in the order of `joints`, or {joint: position}, such as `robot.states["home"]`; joints that are
        not given keep their present positions.
        """
        if isinstance(positions, Mapping):
            others = [each for each in positions if each not in self._joints]
            if others:
                raise NotFound(f"{name}: {checks.shown(others[0])} is not planned for; joints: {checks.listed(self._joints)}")
            given = {**self._robot.positions, **positions}
            values = [checks.number(given[each], f"{name}: position of joint {each!r}", InvalidQuery) for each in self._joints]
        else:
            row = self._checked(positions, name)
            if row.ndim != 1:
                raise InvalidQuery(f"{name}: got shape {row.shape}; accepted: one configuration, shape ({len(self._joints)},)")
            values = row.tolist()
        joints = self._robot.joints
        for k, value in enumerate(values):
            joint = joints[self._joints[k]]
            allowed = clamped(joint, value) if math.isfinite(value) else None
            if allowed is None:
                low, high = joint.limits
                raise InvalidQuery(
                    f"{name}: position of joint {joint.name!r} is {value:.9g}; accepted: {low:.9g} to {high:.9g}"
                )
            values[k] = allowed
        return np.array(values)

    def __repr__(self) -> str:
        return f"<Validator of {self._robot.name!r}: {checks.amount(len(self._joints), 'joint')}, margin {self._margin:g}>"

    def _edges(self, start: NDArray[np.float64], end: NDArray[np.float64]) -> bool | NDArray[np.bool_]:
        return self._robot.edges(
            start, end, margin=self._margin, ignore=self._ignore, accuracy=self._accuracy, threads=self._threads
        )

    def _checked(self, values: ArrayLike, name: str) -> NDArray[np.float64]:
        """Return an array whose last axis has a number for each joint."""
        count = len(self._joints)
        given = values
        if type(given) is not np.ndarray or given.dtype != np.float64:
            given = checks.array(values, name, f"an array of shape (..., {count})", InvalidQuery).astype(np.float64)
        if given.shape[-1:] != (count,):
            raise InvalidQuery(
                f"{name}: got shape {given.shape}; accepted: (..., {count}), a number for each of {checks.listed(self._joints)}"
            )
        return given

    def _rows(self, values: ArrayLike, name: str) -> NDArray[np.float64]:
        """Return configurations of the whole robot."""
        given = self._checked(values, name)
        if self._columns is None:
            return given
        now = self._robot.q
        rows = np.empty((*given.shape[:-1], len(now)))
        rows[...] = now
        rows[..., self._columns] = given
        return rows


def _checked_joints(robot: Robot, joints: Sequence[str]) -> tuple[str, ...]:
    """Return the names of joints that can be moved, each once."""
    if isinstance(joints, str):
        raise InvalidType(f"joints: expected names in a list, got {joints!r}")
    names = tuple(checks.text(each, f"joints[{k}]") for k, each in enumerate(checks.items(joints, "joints", "names of joints")))
    known = robot.actuated_joints
    for k, name in enumerate(names):
        if name not in known:
            raise NotFound(f"joints[{k}] is {name!r}; accepted: {checks.listed(known)}")
        if name in names[:k]:
            raise InvalidQuery(f"joints[{k}] is {name!r}, which is given twice")
    if not names:
        raise InvalidQuery("joints: got none; accepted: at least one name")
    return names
