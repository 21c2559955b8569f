"""Obstacles and a base that move while the joints of a robot do: more joints, which one number, the time, moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..kernels import layout as shapes_at
from ..kernels._memory import table_of
from ..kernels.robot import layout as at
from ..motion import Translate, Turn, screw_between
from ..world.body import Body
from .chain import place_of, turn_to
from .model import Arguments, Model, ball_of, pairs_of

if TYPE_CHECKING:
    from ..world.body import Entry
    from .tree import LinkTree

_ADDED = 2  # rows of a motion: it slides, then turns


class Moving(NamedTuple):
    """What moves besides the joints, over the same time."""

    others: dict[Entry, Translate | Turn]
    """Obstacles."""
    base: Translate | Turn | None
    """Motion of the root link; None if it stands still."""

    def __bool__(self) -> bool:
        return bool(self.others) or self.base is not None


def check_moving(tree: LinkTree, others: Mapping[Body, Translate | Turn] | None, base: checks.PoseLike | None) -> Moving:
    """Check what moves. base: pose of the root link at the end."""
    found: dict[Entry, Translate | Turn] = {}
    if others is not None and not isinstance(others, Mapping):
        raise InvalidType(f"others: expected {{body: motion, ...}}, got {checks.shown(others)}")
    for body, motion in (others or {}).items():
        entry = tree.store.check(body, "others")
        if entry.holder == tree.name and tree.link_of(entry) is not None:
            raise InvalidQuery(f"others: body {entry.name!r} is a part of the robot; accepted: other bodies of its scene")
        if not isinstance(motion, (Translate, Turn)):
            raise InvalidType(f"others[{entry.name!r}]: expected a Translate, Rotate or Screw, got {checks.shown(motion)}")
        found[entry] = motion
    if base is None:
        return Moving(found, None)
    return Moving(found, screw_between(tree.root, checks.given_pose(base, "base")))


def with_moving(model: Model, arguments: Arguments, moving: Moving) -> Arguments:
    """Return the arguments of kernels with what moves besides the joints. Its column follows those of the joints."""
    arrays = list(arguments.arrays)
    first = len(arrays) - len(at.Model._fields) + 1  # the geometry has several arrays
    names = {name: first + k - 1 for k, name in enumerate(at.Model._fields)}
    time = len(model.chain.columns)
    ints, reals, paths = model.chain.ints, model.chain.reals, model.chain.paths
    pieces, piece_reals = arrays[names["piece_ints"]], arrays[names["piece_reals"]]
    pairs = arrays[names["pairs"]]
    if moving.base is not None:
        ints, reals, paths = _with_base(ints, reals, paths, moving.base, time)
        pieces, pairs = pieces.copy(), pairs.copy()
        pieces[:, at.JOINT] += _ADDED
        pairs[:, at.SHARED] += _ADDED
    if moving.others:
        world = model.world
        rows = [entry.row for entry in moving.others]
        for entry, motion in moving.others.items():
            more_ints, more_reals = _rows_of(motion, 0, len(ints), time)
            depth = max(paths.shape[1], _ADDED)
            paths = np.pad(paths, ((0, 0), (0, depth - paths.shape[1])))
            path = np.zeros((_ADDED, depth), np.int64)
            path[0, 0] = path[1, 0] = len(ints)
            path[1, 1] = len(ints) + 1
            ints, reals, paths = (
                np.concatenate((ints, more_ints)),
                np.concatenate((reals, more_reals)),
                np.concatenate((paths, path)),
            )
            piece, piece_real = _piece_of(model, entry, motion, len(ints) - 1)
            pieces, piece_reals = np.concatenate((pieces, piece)), np.concatenate((piece_reals, piece_real))
        everything = np.concatenate((model.rows, rows))
        known = len(model.rows)
        more = pairs_of(model.filters, world, pieces, everything, paths)
        # Robot first, so that its links are what hits. Obstacles are not tested against each other.
        more = more[(more[:, at.ONE] < known) & (more[:, at.OTHER] >= known)]
        pairs = np.ascontiguousarray(np.concatenate((pairs, more[:, (at.OTHER, at.ONE, at.SHARED)])))
        owner = arrays[names["owner"]].copy()
        owner[rows] = np.where(owner[rows] == at.HIDDEN, at.HIDDEN, np.arange(known, known + len(rows)))
        arrays[names["owner"]] = owner
    for name, array in (
        ("joint_ints", ints),
        ("joint_reals", reals),
        ("paths", np.ascontiguousarray(paths).reshape(-1)),
        ("piece_ints", pieces),
        ("piece_reals", piece_reals),
        ("pairs", pairs),
    ):
        arrays[names[name]] = array
    return Arguments(table_of(arrays), arguments.rest, tuple(arrays))


def _frame_of(motion: Translate | Turn) -> NDArray[np.float64]:
    """Return a frame whose z axis is the axis of a motion, shape (4, 4), world."""
    if isinstance(motion, Translate):
        return turn_to(motion.direction)
    frame = turn_to(motion.axis)
    frame[:3, 3] = motion.about
    return frame


def _rows_of(motion: Translate | Turn, parent: int, row: int, column: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the joints of a motion in the time 0 to 1: one slides along its axis, one turns about it."""
    slide, angle = (motion.length, 0.0) if isinstance(motion, Translate) else (motion.slide, motion.angle)
    ints = np.array([[parent, at.SLIDES, column, 1], [row, at.TURNS, column, 2]], np.int64)
    reals = np.array([[*place_of(_frame_of(motion)), slide, 0.0], [*place_of(np.eye(4)), angle, 0.0]])
    return ints, reals


def _with_base(
    ints: NDArray[np.int64], reals: NDArray[np.float64], paths: NDArray[np.int64], motion: Translate | Turn, column: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the joints of a robot, carried by those of a motion of its root."""
    more_ints, more_reals = _rows_of(motion, 0, 1, column)
    moved = ints[1:].copy()
    moved[:, (at.PARENT, at.DEPTH)] += _ADDED
    rest = reals[1:].copy()
    rest[0, : at.FACTOR] = place_of(np.linalg.inv(_frame_of(motion)) @ _matrix(reals[1]))
    path = np.zeros((len(ints) + _ADDED, paths.shape[1] + _ADDED), np.int64)
    path[1:, 0], path[2:, 1] = 1, 2
    path[3:, 2:] = np.where(paths[1:] > 0, paths[1:] + _ADDED, 0)
    return np.concatenate((ints[:1], more_ints, moved)), np.concatenate((reals[:1], more_reals, rest)), path


def _matrix(row: NDArray[np.float64]) -> NDArray[np.float64]:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = row[:9].reshape(3, 3), row[9 : at.FACTOR]
    return pose


def _piece_of(
    model: Model, entry: Entry, motion: Translate | Turn, joint: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the row of an obstacle that a joint moves."""
    geometry, s = model.world.geometry, entry.shape_row
    ints, reals = np.zeros((1, at.PIECE_INTS), np.int64), np.zeros((1, at.PIECE_REALS))
    ints[0, at.ROW], ints[0, at.SHAPE], ints[0, at.JOINT], ints[0, at.ALONE] = entry.row, s, joint, 1
    place = np.linalg.inv(_frame_of(motion)) @ entry.pose
    place[:3, 3] += place[:3, :3] @ geometry.shape_reals[s, shapes_at.CENTER : shapes_at.CENTER + 3]
    middle, ball = ball_of(geometry, s)
    center = place[:3, :3] @ middle + place[:3, 3]
    reals[0, at.LOCAL : at.MIDDLE] = place_of(place)
    reals[0, at.MIDDLE : at.BALL], reals[0, at.BALL] = middle, ball
    reals[0, at.OFF_AXIS], reals[0, at.OFF_ORIGIN] = np.hypot(*center[:2]), np.linalg.norm(center)
    return ints, reals


def time_column(breaks: NDArray[np.float64], degree: int) -> NDArray[np.float64]:
    """Return the coefficients of the share of time that is over, shape (pieces, degree + 1, 1), in units of each piece."""
    whole = breaks[-1] - breaks[0]
    column: Any = np.zeros((len(breaks) - 1, degree + 1, 1))
    column[:, 0, 0] = (breaks[:-1] - breaks[0]) / whole
    column[:, 1, 0] = np.diff(breaks) / whole
    return column
