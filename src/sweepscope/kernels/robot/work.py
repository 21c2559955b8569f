"""Where joints and pieces are at a few moments, in the scratch of a worker; and whether two bodies overlap there."""

from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import cold, inline
from .._memory import REALS
from ..base.bodies import touch_of
from ..base.walk import NEXT
from ..contact.case import two_poses
from ..near.overlap import diagonal_of, overlap_of
from ..statuses import FREE, OVERLAP
from ..sweep.nested import nested_pair
from ..tolerances import GRAIN
from .apart import APART, clearly_cross, first_near, may_hold
from .chain import PLACE, full_pose, place_joints, place_piece
from .layout import BALL, ROW, SHAPE, SKIP, SKIPS, TOLERANCE
from .rates import RATES

Array = np.ndarray[Any, Any]

MOMENTS = 3
"""Moments whose places are kept."""
ENDLESS = 1 << 60
"""A budget that is never spent."""


class Work(NamedTuple):
    """Arrays in a scratch. Row k of moment m is m * (number of rows of a moment) + k."""

    q: Array  # a configuration
    frames: Array  # of joints, at each moment
    places: Array  # of pieces, at each moment
    middles: Array  # of their balls
    times: Array  # of the moments
    rates: Array  # of joints, see `rates`
    reach: Array  # for each piece, and each joint on the way to it: how far its points may move by this joint and those beyond


@inline
def work_scratch(model, columns):
    """Return how much scratch `work_in` takes."""
    joints, pieces = len(model.joint_ints), len(model.piece_ints)
    depth = len(model.paths) // joints
    return columns + (MOMENTS * PLACE + RATES) * joints + (MOMENTS * (PLACE + 3) + depth + 1) * pieces + MOMENTS


@inline
def work_in(model, columns, scratch, used):
    """Return the arrays of a worker; they begin at `used`."""
    joints, pieces = len(model.joint_ints), len(model.piece_ints)
    depth = len(model.paths) // joints
    q = REALS(scratch, used, 1, columns)[0]
    used += columns
    frames = REALS(scratch, used, MOMENTS * joints, PLACE)
    used += MOMENTS * PLACE * joints
    places = REALS(scratch, used, MOMENTS * pieces, PLACE)
    used += MOMENTS * PLACE * pieces
    middles = REALS(scratch, used, MOMENTS * pieces, 3)
    used += MOMENTS * 3 * pieces
    times = REALS(scratch, used, 1, MOMENTS)[0]
    used += MOMENTS
    rates = REALS(scratch, used, RATES, joints)
    used += RATES * joints
    return Work(q, frames, places, middles, times, rates, REALS(scratch, used, pieces, depth + 1))


@inline
def place_all(model, work, moment):
    """Write where joints and pieces are at the configuration `work.q`, as one of the moments."""
    joints, pieces = len(model.joint_ints), len(model.piece_ints)
    place_joints(model.joint_ints, model.joint_reals, work.q, work.frames, moment * joints)
    for k in range(pieces):
        place_piece(model, work.frames, moment * joints, k, work.places, work.middles, moment * pieces + k)


@inline
def balls_apart(model, work, first, a, b, wide):
    """True if the balls of two pieces are farther apart than `wide`. first: row of the moment's first piece."""
    x = work.middles[first + a, 0] - work.middles[first + b, 0]
    y = work.middles[first + a, 1] - work.middles[first + b, 1]
    z = work.middles[first + a, 2] - work.middles[first + b, 2]
    wide += model.piece_reals[a, BALL] + model.piece_reals[b, BALL]
    return x * x + y * y + z * z > wide * wide * (1.0 + GRAIN)


@inline
def ball_beside(model, work, row, k, boxes, b, wide):
    """True if the ball of piece k, at a row of `middles`, is farther than `wide` from the world box of body row b."""
    total = 0.0
    for c in range(3):
        x = work.middles[row, c]
        gap = max(max(boxes[c, b] - x, x - boxes[3 + c, b]), 0.0)
        total += gap * gap
    wide += model.piece_reals[k, BALL]
    return total > wide * wide * (1.0 + GRAIN)


@inline
def box_of_piece(model, work, row, k, wide):
    """Return a world box around piece k, widened: the common part of those around its ball and around its own box."""
    s, reals = model.piece_ints[k, SHAPE], model.geometry.shape_reals
    x, y, z, ball = work.middles[row, 0], work.middles[row, 1], work.middles[row, 2], model.piece_reals[k, BALL]
    u = 0.5 * (reals[s, at.BOX_HIGH] - reals[s, at.BOX_LOW])
    v = 0.5 * (reals[s, at.BOX_HIGH + 1] - reals[s, at.BOX_LOW + 1])
    w = 0.5 * (reals[s, at.BOX_HIGH + 2] - reals[s, at.BOX_LOW + 2])
    place, thick = work.places, reals[s, at.RADIUS]
    far = wide + GRAIN * (abs(x) + abs(y) + abs(z) + ball + wide)
    i = min(ball, abs(place[row, 0]) * u + abs(place[row, 1]) * v + abs(place[row, 2]) * w + thick) + far
    j = min(ball, abs(place[row, 3]) * u + abs(place[row, 4]) * v + abs(place[row, 5]) * w + thick) + far
    h = min(ball, abs(place[row, 6]) * u + abs(place[row, 7]) * v + abs(place[row, 8]) * w + thick) + far
    return x - i, y - j, z - h, x + i, y + j, z + h


@inline
def may_hit(model, k, b):
    """True if neither groups nor ignored pairs let piece k pass through body row b."""
    ints, body_ints = model.piece_ints, model.body_ints
    if (body_ints[ints[k, ROW], at.IGNORES] >> body_ints[b, at.GROUP]) & 1:
        return False
    free = False
    for p in range(ints[k, SKIP], ints[k, SKIP] + ints[k, SKIPS]):
        free |= model.ignored_pairs[p, 1] == b
    return not free


@inline
def touch_at(model, work, row, k, margin):
    """Return the contact tolerance [length] of piece k, whose ball is at a row of `middles`."""
    away = max(abs(work.middles[row, 0]), max(abs(work.middles[row, 1]), abs(work.middles[row, 2])))
    return touch_of(model.params[TOLERANCE], diagonal_of(model.geometry, model.piece_ints[k, SHAPE]) + margin, away)


@inline
def thickness(model, s, t):
    """Return the sum of the radii of two shapes."""
    return model.geometry.shape_reals[s, at.RADIUS] + model.geometry.shape_reals[t, at.RADIUS]


@inline
def is_nested(model, s, ones, a, t, others, b, touch):
    """True if one of two bodies whose faces are apart is inside the other."""
    ints, geometry = model.geometry.shape_ints, model.geometry
    asked = False
    if ints[t, at.SOLID] != 0:
        asked |= ints[s, at.PARTS] > 1 or may_hold(geometry, s, ones, a, t, others, b)
    if ints[s, at.SOLID] != 0 and not asked:
        asked |= ints[t, at.PARTS] > 1 or may_hold(geometry, t, others, b, s, ones, a)
    return asked and _holds(geometry, s, ones, a, t, others, b, touch)


@cold
def _holds(geometry, s, ones, a, t, others, b, touch):
    """True if one of two bodies is inside the other, by a test of its parts."""
    two = two_poses()
    full_pose(ones, a, two, 0)
    full_pose(others, b, two, 1)
    return nested_pair(geometry, (s, t), two, touch)[0] == OVERLAP


@cold
def _decide(geometry, s, ones, a, t, others, b, margin, touch, scratch, used):
    """Return (verdict, FREE or OVERLAP) of two bodies whose faces are near each other."""
    two = two_poses()
    full_pose(ones, a, two, 0)
    full_pose(others, b, two, 1)
    verdict, how, _, _, _ = overlap_of(geometry, (s, t), two, margin, touch, False, scratch, used)
    return verdict, how


@inline
def overlaps(model, s, ones, a, t, others, b, margin, touch, scratch, used):
    """Return (verdict, FREE or OVERLAP) of two bodies; verdict FULL: the scratch, free from `used` on, is too small.

    margin [length]: bodies that are nearer count as overlapping. Row a of `ones` and row b of `others` are their places.
    """
    geometry = model.geometry
    thick = thickness(model, s, t) + margin
    gap_sq, i, j = first_near(geometry, model.groups, s, ones, a, t, others, b, thick + touch, ENDLESS)
    if gap_sq == APART:
        return NEXT, OVERLAP if is_nested(model, s, ones, a, t, others, b, touch) else FREE
    if thick > 0.0:
        least = thick - 4.0 * touch
        if least > 0.0 and gap_sq < least * least:
            return NEXT, OVERLAP
    elif clearly_cross(geometry, s, ones, a, i, t, others, b, j, diagonal_of(geometry, s) + diagonal_of(geometry, t)):
        return NEXT, OVERLAP
    return _decide(geometry, s, ones, a, t, others, b, margin, touch, scratch, used)
