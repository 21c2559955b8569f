"""Where the joints of a robot put its bodies: forward kinematics.

Each joint's frame has the joint's axis as its z axis, so a turn mixes two columns of a rotation. Error: some units in the last
place for each joint on the way.
"""

import math

from .. import layout as at
from .._jit import inline
from .layout import (
    COLUMN,
    CONSTANT,
    FACTOR,
    JOINT,
    KIND,
    LOCAL,
    MIDDLE,
    ORIGIN,
    PARENT,
    SLIDES,
    TURNS,
)

PLACE = 12
"""Columns of a place: rotation 9, rows of the matrix, and offset 3; as the first columns of a pose of a body."""


@inline
def _multiply(one, a, other, b, column, out, k):
    """Write the product of a place and a place to out[k]. The second begins at a column."""
    for r in range(3):
        x, y, z = one[a, 3 * r], one[a, 3 * r + 1], one[a, 3 * r + 2]
        for c in range(3):
            out[k, 3 * r + c] = x * other[b, column + c] + y * other[b, column + 3 + c] + z * other[b, column + 6 + c]
        out[k, 9 + r] = one[a, 9 + r] + x * other[b, column + 9] + y * other[b, column + 10] + z * other[b, column + 11]


@inline
def _place_joint(ints, reals, i, value, frames, first):
    """Write the frame of joint i at a value of it; that of the joint above is there."""
    row = first + i
    _multiply(frames, first + ints[i, PARENT], reals, i, ORIGIN, frames, row)
    if ints[i, KIND] == TURNS:
        c, s = math.cos(value), math.sin(value)
        for r in range(0, 9, 3):
            x, y = frames[row, r], frames[row, r + 1]
            frames[row, r] = x * c + y * s
            frames[row, r + 1] = y * c - x * s
    elif ints[i, KIND] == SLIDES:
        for r in range(3):
            frames[row, 9 + r] += value * frames[row, 3 * r + 2]


@inline
def place_joints(ints, reals, q, frames, first):
    """Write the frames of all joints at a configuration to the rows of `frames` from `first` on. ints, reals: of joints."""
    for c in range(PLACE):
        frames[first, c] = 0.0
    frames[first, 0] = frames[first, 4] = frames[first, 8] = 1.0
    for i in range(1, len(ints)):
        value = reals[i, CONSTANT]
        if ints[i, COLUMN] >= 0:
            value += reals[i, FACTOR] * q[ints[i, COLUMN]]
        _place_joint(ints, reals, i, value, frames, first)


@inline
def place_piece(model, frames, first, k, places, middles, row):
    """Write the place of piece k and the middle of its ball to a row, from the frames of joints."""
    reals = model.piece_reals
    _multiply(frames, first + model.piece_ints[k, JOINT], reals, k, LOCAL, places, row)
    x, y, z = reals[k, MIDDLE], reals[k, MIDDLE + 1], reals[k, MIDDLE + 2]
    for r in range(3):
        turned = places[row, 3 * r] * x + places[row, 3 * r + 1] * y + places[row, 3 * r + 2] * z
        middles[row, r] = places[row, 9 + r] + turned


@inline
def place_frame(frames, joint, reals, k, column, out, row):
    """Write the place of something that a joint carries: its place in the joint's frame begins at a column of reals[k]."""
    _multiply(frames, joint, reals, k, column, out, row)


@inline
def full_pose(places, k, poses, row):
    """Write the place of a piece as the pose of a body, whose position has no rounding error left."""
    for c in range(PLACE):
        poses[row, c] = places[k, c]
    for c in range(PLACE, at.POSE):
        poses[row, c] = 0.0
