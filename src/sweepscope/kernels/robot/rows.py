"""Kernels that Python calls about robots: poses, free or not, and motions; many rows in one call.

Rows that need more scratch than there is are not answered: the call returns the first of them, and is repeated with more.
"""

import math

import numpy as np

from .._jit import cold, kernel
from .._memory import INTS, REALS, local
from ..base.walk import FULL
from ..contact.case import two_poses
from ..near.pair import nearest_points, place_two
from ..near.rows import point_in_world
from ..statuses import OVERLAP
from ..sweep.nested import nested_pair
from .chain import PLACE, full_pose, place_frame, place_joints
from .free import find_overlap
from .layout import (
    ANSWER,
    FEATURES,
    GAP,
    NORMAL,
    ONE_BODY,
    OTHER_BODY,
    POINT,
    ROW,
    STATUS,
    TIME,
    model_at,
)
from .motion import (
    ASKED,
    DEEP,
    FIRST,
    INTERVAL,
    PAIR,
    SECOND,
    Motion,
    Search,
    first_contact,
    list_pairs,
    near_at,
    place_at,
    places_of,
    shapes_of,
    stands_still,
    touch_of_pair,
)
from .work import MOMENTS, work_in, work_scratch

_PARTS = 8  # of a scratch: for pairs, intervals, pairs that are asked (4), and tests of overlap (2)
_two_places = local(np.float64, 2, PLACE)


@kernel
def poses(ints, reals, configurations, carriers, places, frames, place, out):
    """Write the poses of links, shape (n, links, 4, 4), world, at configurations (n, columns).

    ints, reals: of joints. carriers: the joint that carries each link. places: of each in its frame, see `chain.PLACE`.
    frames: room for one row of that for each joint. place: room for one.
    """
    for n in range(len(configurations)):
        place_joints(ints, reals, configurations[n], frames, 0)
        for k in range(len(carriers)):
            place_frame(frames, carriers[k], places, k, 0, place, 0)
            for r in range(3):
                for c in range(3):
                    out[n, k, r, c] = place[0, 3 * r + c]
                out[n, k, r, 3] = place[0, 9 + r]
                out[n, k, 3, r] = 0.0
            out[n, k, 3, 3] = 1.0


@kernel
def free(table, boxes, nodes, ints, bodies, margin, configurations, first, last, scratch, out):
    """Write 1 to out[n] for configurations without overlap, else 0; n from `first` on. Return the first not answered."""
    model = model_at(table)
    columns = configurations.shape[1]
    used = work_scratch(model, columns)
    if used > len(scratch):
        return first
    work = work_in(model, columns, scratch, 0)
    for n in range(first, last):
        for c in range(columns):
            work.q[c] = configurations[n, c]
        verdict, k, _, _ = find_overlap(model, boxes, nodes, ints, bodies, margin, work, scratch, used)
        if verdict == FULL:
            return n
        out[n] = 1 if k < 0 else 0
    return last


@cold
def _write(model, search, work, answer, answers, n):
    """Write an answer with what the two bodies are like there."""
    status, time, k, i, j, gap = answer
    for c in range(ANSWER):
        answers[n, c] = math.nan
    answers[n, STATUS], answers[n, TIME], answers[n, GAP] = status, time, gap
    answers[n, ONE_BODY] = answers[n, OTHER_BODY] = -1
    for c in range(10):
        answers[n, FEATURES + c] = -1
    if k < 0:
        answers[n, TIME] = search.motion.pieces
        return
    one, mover = search.pairs[k, FIRST], search.pairs[k, SECOND]
    answers[n, ONE_BODY] = model.piece_ints[mover, ROW]
    answers[n, OTHER_BODY] = one if search.pairs[k, DEEP] < 0 else model.piece_ints[one, ROW]
    if not search.first:
        return
    place_at(model, work, search.motion, 0, time, min(int(time), search.motion.pieces - 1))
    s, t = shapes_of(model, search.pairs, k)
    ones, a, others, b = places_of(model, work, search.pairs, k, 0)
    two = two_poses()
    full_pose(others, b, two, 0)
    full_pose(ones, a, two, 1)
    if i < 0:
        touch = touch_of_pair(model, search, work, k, 0)
        inside, point = nested_pair(model.geometry, (t, s), two, touch)
        if inside == OVERLAP:
            for c in range(3):
                answers[n, POINT + c] = point[c]
            return
        _, i, j = near_at(model, search, work, k, 0, touch)
    places = _two_places()
    place_two(two, 0, two, 1, places)
    features, _, q, normal = nearest_points(model.geometry, (t, s), places, j, i)
    q = point_in_world(q, two, 0)
    for c in range(3):
        answers[n, POINT + c], answers[n, NORMAL + c] = q[c], normal[c]
    face, own, vertices, other_face, other, other_vertices = features
    answers[n, FEATURES], answers[n, FEATURES + 1] = face, own
    answers[n, FEATURES + 5], answers[n, FEATURES + 6] = other_face, other
    for c in range(3):
        answers[n, FEATURES + 2 + c], answers[n, FEATURES + 7 + c] = vertices[c], other_vertices[c]


@kernel
def follow(
    table, boxes, nodes, ints, bodies, margin, accuracy, resting_hits, first_contacts, whole, coefficients, degree, pieces,
    first, last, scratch, answers,
):  # fmt: skip
    """Answer motions from `first` on: their first contact, or only whether there is one. Return the first not answered.

    coefficients: for each motion pieces * (degree + 1) rows, see `motion.Motion`. whole: bodies that stand still relative to
    each other count too; they do so anyway if nothing moves. boxes, nodes, ints, bodies: of the world.
    """
    model = model_at(table)
    columns = coefficients.shape[1]
    used = work_scratch(model, columns)
    share = (len(scratch) - used) // _PARTS
    if share <= 0:
        return first
    work = work_in(model, columns, scratch, 0)
    most = share // PAIR
    pairs = INTS(scratch, used, most, PAIR)
    intervals = REALS(scratch, used + share, share // INTERVAL, INTERVAL)
    asked = INTS(scratch, used + 2 * share, 4 * share // ASKED, ASKED)
    spare = used + 6 * share
    for n in range(first, last):
        for m in range(MOMENTS):
            work.times[m] = math.nan
        motion = Motion(coefficients, n * pieces * (degree + 1), degree, pieces)
        search = Search(boxes, motion, margin, accuracy, resting_hits, first_contacts, pairs, asked, intervals)
        everything = whole or stands_still(motion)
        count = list_pairs(model, boxes, nodes, ints, bodies, motion, margin, everything, work, pairs, scratch, spare)
        if count < 0 or count > most:
            return n
        verdict, answer = first_contact(model, search, work, count, scratch, spare)
        if verdict == FULL:
            return n
        _write(model, search, work, answer, answers, n)
    return last
