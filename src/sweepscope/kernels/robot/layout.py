"""How a robot lies in memory: which column of its arrays holds what. `sweepscope.robot.model` writes them, kernels read them.

A *joint* here is a row: row 0 is the world, each other row a joint that moves, parents first. Its frame has the joint's axis as
z axis. Fixed joints have no rows: their poses are part of what they carry. A *piece* is a body of the robot.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import inline
from .._memory import entry
from ..base.geometry import geometry_at
from ..layout import BODY_INTS, POSE, Geometry

Array = np.ndarray[Any, Any]

# joint_ints
PARENT = 0  # row of the joint above
KIND = 1
COLUMN = 2  # which number of a configuration moves it; -1: none does
DEPTH = 3  # rows on the way from the world to it, itself included
JOINT_INTS = 4

ROOT_DEPTH = 1  # of what moves with the root link only

# kinds
FIXED = 0  # its place is one of a row of poses of the robot
TURNS = 1
SLIDES = 2

# joint_reals
ORIGIN = 0  # 12 columns: rotation 9 and offset 3 of its frame at value 0, in the frame of the joint above
FACTOR = 12  # its value is FACTOR times the number of its column plus CONSTANT
CONSTANT = 13
JOINT_REALS = 14

# piece_ints
ROW = 0  # body row
SHAPE = 1
JOINT = 2  # what carries it
SKIP = 3  # where its pairs begin in the list of ignored pairs
SKIPS = 4  # how many there are
ALONE = 5  # 1: it is tested against pieces only, not against bodies of the world
PIECE_INTS = 6

# piece_reals
LOCAL = 0  # 12 columns: rotation 9 and offset 3 of the shape's center, in the frame of the joint
MIDDLE = 12  # 3 columns: center of a bounding ball, relative to the shape's center, in the shape's frame
BALL = 15  # its radius, that of the shape included
OFF_AXIS = 16  # distance of that center from the axis of the joint
OFF_ORIGIN = 17  # and from the origin of the joint's frame
PIECE_REALS = 18

# pairs of pieces that may meet
ONE = 0
OTHER = 1
SHARED = 2  # depth of the last joint that carries both
PAIR_INTS = 3

MOST_DEGREE = 32  # of the polynomials of a motion

# params
TOLERANCE = 0  # of the scene: contact tolerance [length], below 0 it is the default
PARAMS = 1

# answers about motions: one row each
STATUS = 0  # FREE, HIT, OVERLAP; FULL_SCRATCH: not answered
TIME = 1
ONE_BODY = 2  # body row of what moves; -1 if free
OTHER_BODY = 3  # body row of the obstacle
GAP = 4  # how far apart the two are then, at most
FEATURES = 5  # 10 columns: as in `kernels.layout`
POINT = 15  # 3 columns, world: on the obstacle; of the inner body if one is inside
NORMAL = 18  # 3 columns, world: from the obstacle towards what moves; NaN if they overlap
ANSWER = 21


# owner
OBSTACLE = -1
HIDDEN = -2  # does not count


class Model(NamedTuple):
    """A robot and the world around it."""

    geometry: Geometry
    groups: Array  # see `base.groups`, as plain numbers
    body_ints: Array  # of all bodies of the world
    poses: Array  # likewise
    joint_ints: Array
    joint_reals: Array
    paths: Array  # for each joint the rows of joints from the world to it, most_depth numbers
    piece_ints: Array
    piece_reals: Array
    pairs: Array
    ignored_pairs: Array
    owner: Array  # for each body row the piece that it is, or OBSTACLE, or HIDDEN
    params: Array


_GEOMETRY = len(Geometry._fields)
_numbers = entry(np.float64)
_whole = entry(np.int64)
_body_ints = entry(np.int64, BODY_INTS)
_poses = entry(np.float64, POSE)
_joint_ints = entry(np.int64, JOINT_INTS)
_joint_reals = entry(np.float64, JOINT_REALS)
_piece_ints = entry(np.int64, PIECE_INTS)
_piece_reals = entry(np.float64, PIECE_REALS)
_pairs = entry(np.int64, PAIR_INTS)
_ignored = entry(np.int64, 2)


@inline
def model_at(table):
    """Return the robot whose arrays a table lists, behind those of all shapes. The caller keeps the arrays alive."""
    k = _GEOMETRY
    return Model(
        geometry_at(table),
        _numbers(table, k),
        _body_ints(table, k + 1),
        _poses(table, k + 2),
        _joint_ints(table, k + 3),
        _joint_reals(table, k + 4),
        _whole(table, k + 5),
        _piece_ints(table, k + 6),
        _piece_reals(table, k + 7),
        _pairs(table, k + 8),
        _ignored(table, k + 9),
        _whole(table, k + 10),
        _numbers(table, k + 11),
    )
