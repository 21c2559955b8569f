"""The joints of a robot as rows of arrays, and forward kinematics. See `kernels.robot.layout` for their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.robot import layout as at
from .joint import Joint, rounding_of

if TYPE_CHECKING:
    from .tree import LinkTree

_ROOT = 1  # row of the root link


class Chain:
    """Joints of a robot as rows; the joint that carries each link with its pose in the joint's frame; the bodies of links.

    Row 0 is the world, row 1 the root link. The frame of a row has the joint's axis as z axis. Fixed joints have no rows.
    """

    __slots__ = (
        "carriers",
        "columns",
        "entries",
        "high",
        "holders",
        "ints",
        "links",
        "locals",
        "low",
        "offsets",
        "paths",
        "reals",
        "slack",
    )

    def __init__(self, tree: LinkTree) -> None:
        ints = [[0, at.FIXED, -1, 0], [0, at.FIXED, -1, 1]]
        reals = [[*place_of(np.eye(4)), 0.0, 0.0], [*place_of(tree.root), 0.0, 0.0]]
        rows: list[list[int]] = [[], [_ROOT]]
        self.columns = {name: k for k, name in enumerate(tree.actuated())}
        """Number of each actuated joint in a configuration."""
        self.low, self.high, self.slack = _limits(tree, self.columns)
        """Lowest and highest number of each, and how far beyond them one may be by rounding, shape (joints,)."""
        self.links = {link: k for k, link in enumerate(tree.links.values())}
        held: list[tuple[int, NDArray[np.float64]]] = []
        for link in self.links:
            if link.parent is None or link.joint is None:
                held.append((_ROOT, np.eye(4)))
                continue
            row, local = held[self.links[link.parent]]
            joint = link.joint
            if joint.kind == "fixed":
                held.append((row, local @ joint.origin))
                continue
            turn = turn_to(joint.axis)
            column, factor, constant = self._column(tree, joint)
            ints.append([row, at.TURNS if joint.kind == "revolute" else at.SLIDES, column, len(rows[row]) + 1])
            reals.append([*place_of(local @ joint.origin @ turn), factor, constant])
            rows.append([*rows[row], len(ints) - 1])
            held.append((len(ints) - 1, turn.T))
        self.ints, self.reals = np.array(ints, np.int64), np.array(reals)
        depth = max(1, max(map(len, rows)))
        self.paths = np.array([[*path, *[0] * (depth - len(path))] for path in rows], np.int64)
        self.carriers = np.array([row for row, _ in held], np.int64)
        self.locals = np.array([place_of(local) for _, local in held]).reshape(-1, at.FACTOR)
        pieces = [(k, entry, local) for link, k in self.links.items() for entry, local in tree.pieces[link]]
        self.entries = [entry for _, entry, _ in pieces]
        """Bodies, in the order of links."""
        self.holders = np.array([k for k, _, _ in pieces], np.int64)
        """Number of the link of each."""
        self.offsets = np.array([local for _, _, local in pieces]).reshape(-1, 4, 4)
        """Their poses in the frames of their links."""

    def set_root(self, pose: NDArray[np.float64]) -> None:
        """Set the pose of the root link, shape (4, 4), world."""
        self.reals[_ROOT, : at.FACTOR] = place_of(pose)

    def poses(self, rows: NDArray[np.float64], root: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the poses of all links, shape (n, links, 4, 4), world, at configurations (n, joints). root: its pose."""
        from ..kernels.robot import rows as kernels
        from ..kernels.robot.chain import PLACE

        reals = self.reals
        if not np.array_equal(reals[_ROOT, : at.FACTOR], place_of(root)):
            reals = reals.copy()
            reals[_ROOT, : at.FACTOR] = place_of(root)
        out = np.empty((len(rows), len(self.carriers), 4, 4))
        frames = np.empty((len(self.ints) + 1, PLACE))
        kernels.poses(self.ints, reals, rows, self.carriers, self.locals, frames[1:], frames[:1], out)
        return out

    def _column(self, tree: LinkTree, joint: Joint) -> tuple[int, float, float]:
        """Return which number of a configuration moves a joint, and how: its value is factor * number + constant."""
        factor, constant = 1.0, 0.0
        while joint.mimic is not None:
            leader, times, plus = joint.mimic
            factor, constant = factor * times, constant + factor * plus
            above = tree.joints[leader].joint
            assert above is not None
            joint = above
        return self.columns[joint.name], factor, constant


def _limits(tree: LinkTree, columns: dict[str, int]) -> tuple[NDArray[np.float64], ...]:
    """Return limits of actuated joints, those of joints that mimic them included, and the slack of each."""
    low, high, slack = (np.empty(len(columns)) for _ in range(3))
    for name, k in columns.items():
        joint = tree.joint(name)
        low[k], high[k] = tree.reach(name)
        slack[k] = rounding_of(joint, max((abs(x) for x in (low[k], high[k]) if np.isfinite(x)), default=0.0))
    return low, high, slack


def place_of(pose: NDArray[np.float64]) -> list[float]:
    """Return a pose as kernels take it: rotation 9, offset 3."""
    return [*pose[:3, :3].ravel().tolist(), *pose[:3, 3].tolist()]


def pose_of(row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a row of a place as a pose, shape (4, 4)."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = row[:9].reshape(3, 3), row[9:]
    return pose


def turn_to(axis: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return a rotation, shape (4, 4), whose z axis is an axis."""
    z = np.array(axis)
    x = np.zeros(3)
    x[np.argmin(np.abs(z))] = 1.0
    x -= (x @ z) * z
    x /= np.linalg.norm(x)
    turn = np.eye(4)
    turn[:3, :3] = np.column_stack((x, np.cross(z, x), z))
    return turn
