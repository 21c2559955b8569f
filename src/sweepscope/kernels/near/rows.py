"""Distances as rows: the bodies nearest to some others, nearest first. Columns are those of `layout`.

Bodies and groups of the hierarchy wait in a heap, nearest boxes first. The walk over the faces of a pair starts with the best
distance so far, so most pairs end at their first boxes. Surfaces that do not meet may still be one inside the other: that is
tested where boxes meet.

A distance is reduced by its rounding error, so it is never larger than the true one.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel
from .._memory import REALS, local
from ..base.blocks import FAN
from ..base.bodies import touch_of
from ..base.boxes import EMPTY, include
from ..base.geometry import geometry_at
from ..base.heap import HEAP, pop, push
from ..base.hierarchy import GROUPS, PLACES
from ..base.walk import FULL
from ..charts.straight import PLACE
from ..contact.case import two_poses
from ..statuses import FREE, HIT, OVERLAP, SHALLOW
from ..sweep.movers import movers_at_home, movers_scratch, put_movers
from ..sweep.nested import nested_pair
from ..sweep.reached import may_meet
from ..tolerances import GRAIN
from .overlap import diagonal_of, overlap_of
from .pair import nearest_faces, nearest_points, place_two, slack_of

INF = math.inf
NAN = math.nan

NOTHING = (-1, -1, (-1, -1, -1), -1, -1, (-1, -1, -1))
NONE = (NAN, NAN, NAN)

_two_places = local(np.float64, 2, PLACE)


@inline
def _apart(low, high, boxes, k):
    """Return the least distance of a box from the box in column k of `boxes`, with rounding; 0 if they meet."""
    far = 0.0
    total = 0.0
    for r in range(3):
        one, two = boxes[r, k], boxes[3 + r, k]
        gap = max(0.0, max(one - high[r], low[r] - two))
        far = max(far, max(max(abs(one), abs(two)), max(abs(low[r]), abs(high[r]))))
        total += gap * gap
    return max(0.0, math.sqrt(total) - GRAIN * far)


@inline
def insert(answers, first, count, most, gap, body, mover, status, features, points):
    """Insert a body into the answers of a question, which are sorted by distance. Return how many there are.

    Of one body only the nearest mover counts.
    """
    for k in range(count):
        if answers[first + k, at.NEAR_OTHER] == body:
            if answers[first + k, at.NEAR_GAP] <= gap:
                return count
            for i in range(k, count - 1):
                for c in range(at.NEAR_ANSWER):
                    answers[first + i, c] = answers[first + i + 1, c]
            count -= 1
            break
    k = min(count, most - 1)
    while k > 0 and answers[first + k - 1, at.NEAR_GAP] > gap:
        for c in range(at.NEAR_ANSWER):
            answers[first + k, c] = answers[first + k - 1, c]
        k -= 1
    row = first + k
    answers[row, at.NEAR_STATUS] = status
    answers[row, at.NEAR_ONE] = mover
    answers[row, at.NEAR_OTHER] = body
    answers[row, at.NEAR_GAP] = gap
    column = at.NEAR_FEATURES
    answers[row, column] = features[0]
    answers[row, column + 1] = features[1]
    answers[row, column + 5] = features[3]
    answers[row, column + 6] = features[4]
    for c in range(3):
        answers[row, column + 2 + c] = features[2][c]
        answers[row, column + 7 + c] = features[5][c]
        answers[row, at.NEAR_POINT + c] = points[0][c]
        answers[row, at.NEAR_OTHER_POINT + c] = points[1][c]
        answers[row, at.NEAR_NORMAL + c] = points[2][c]
    return min(count + 1, most)


@inline
def point_in_world(p, poses, k):
    """Return a point that is relative to the position of row k of `poses` in the world."""
    return (
        p[0] + poses[k, at.POSITION_REST] + poses[k, at.POSITION],
        p[1] + poses[k, at.POSITION_REST + 1] + poses[k, at.POSITION + 1],
        p[2] + poses[k, at.POSITION_REST + 2] + poses[k, at.POSITION + 2],
    )


@inline
def _limit_of(answers, first, count, most, limit):
    """Return how far a body may be away to be among the answers."""
    return answers[first + count - 1, at.NEAR_GAP] if count == most else limit


@inline
def touch_at(geometry, s, boxes, k, tolerance):
    """Return the contact tolerance [length] of a body of shape s, whose world box is column k of `boxes`."""
    far = 0.0
    for r in range(3):
        far = max(far, abs(0.5 * boxes[r, k] + 0.5 * boxes[3 + r, k]))
    return touch_of(tolerance, diagonal_of(geometry, s), far)


@inline
def _low(boxes, k):
    return boxes[0, k], boxes[1, k], boxes[2, k]


@inline
def _high(boxes, k):
    return boxes[3, k], boxes[4, k], boxes[5, k]


@inline
def _push_body(world, movers, ignored_pairs, listed, b, limit, heap, n):
    """Add the pairs of all movers with body row b to the heap, if they count. Return its new length; -1: it is too small."""
    if world.boxes[at.WORLD_LOW, b] > world.boxes[at.WORLD_HIGH, b]:
        return n
    for k in range(len(movers.rows)):
        if movers.rows[k] == b:
            return n
    for k in range(len(movers.rows)):
        if movers.boxes[at.WORLD_LOW, k] > movers.boxes[at.WORLD_HIGH, k]:
            continue
        if not listed and not may_meet(world.body_ints, ignored_pairs, movers.rows[k], b):
            continue
        gap = _apart(_low(movers.boxes, k), _high(movers.boxes, k), world.boxes, b)
        if gap <= limit:
            if n == len(heap):
                return np.int64(-1)
            push(heap, n, gap, k, -1, b)
            n += 1
    return n


@inline
def _push_group(world, box, level, group, limit, heap, n):
    """Add the boxes of a group of the hierarchy to the heap. Return its new length; -1: it is too small."""
    nodes = world.nodes[world.ints[GROUPS + level] + group]
    for k in range(FAN):
        if nodes[0, k] > nodes[3, k]:
            continue
        gap = _apart(box[:3], box[3:], nodes, k)
        if gap <= limit:
            if n == len(heap):
                return np.int64(-1)
            push(heap, n, gap, -1, level - 1, FAN * group + k)
            n += 1
    return n


@inline
def _answer_row(world, movers, targets, ignored_pairs, question, tolerance, scratch, used, answers, first):
    """Answer one question. Return False if the scratch is too small."""
    geometry = world.geometry
    limit, most = question[at.NEAR_LIMIT], int(question[at.NEAR_MOST])
    asked = int(question[at.NEAR_TARGETS])
    for k in range(most):
        answers[first + k, at.NEAR_STATUS] = -1
        answers[first + k, at.NEAR_GAP] = INF
    size = (len(scratch) - used) // (4 * HEAP)
    heap = REALS(scratch, used, size, HEAP)
    used += size * HEAP
    count = 0
    n = np.int64(0)
    box = EMPTY
    for k in range(len(movers.rows)):
        if movers.boxes[at.WORLD_LOW, k] <= movers.boxes[at.WORLD_HIGH, k]:
            box = include(box, movers.boxes[0, k], movers.boxes[1, k], movers.boxes[2, k])
            box = include(box, movers.boxes[3, k], movers.boxes[4, k], movers.boxes[5, k])
    if box[0] > box[3]:
        return True
    levels = world.ints[at.HIERARCHY_LEVELS]
    if asked >= 0:
        for i in range(asked):
            n = _push_body(world, movers, ignored_pairs, True, targets[i], limit, heap, n)
            if n < 0:
                return False
    elif levels > 0:
        n = _push_group(world, box, levels - 1, 0, limit, heap, n)
    else:
        for b in range(world.rows):
            n = _push_body(world, movers, ignored_pairs, False, b, limit, heap, n)
            if n < 0:
                return False
    places = _two_places()
    while n >= 0:
        if n == 0:
            return True
        key = heap[0, 0]
        worst = _limit_of(answers, first, count, most, limit)
        if key > worst or (count == most and worst <= 0.0):
            return True
        k = np.int64(heap[0, 1])
        level = np.int64(heap[0, 2])
        b = np.int64(heap[0, 3])
        n -= 1
        pop(heap, n)
        if k < 0:
            if level >= 0:
                n = _push_group(world, box, level, b, worst, heap, n)
            else:
                n = _push_body(world, movers, ignored_pairs, False, world.ints[PLACES + b], worst, heap, n)
            continue
        shapes = (movers.shapes[k], world.body_ints[b, at.SHAPE])
        place_two(movers.poses, k, world.poses, b, places)
        slack = slack_of(geometry, shapes, places)
        # A body exactly at the limit counts, whatever the rounding.
        verdict, gap, i, j = nearest_faces(geometry, shapes, places, worst + 4.0 * slack, slack, scratch, used)
        if verdict == FULL:
            return False
        touch = touch_at(geometry, shapes[0], movers.boxes, k, tolerance)
        touch = max(touch, touch_at(geometry, shapes[1], world.boxes, b, tolerance))
        status = FREE if gap > touch else HIT
        meet = i >= 0 and gap <= slack
        two = two_poses()
        for c in range(at.POSE):
            two[0, c] = movers.poses[k, c]
            two[1, c] = world.poses[b, c]
        nested = FREE
        if not meet and key <= touch:
            nested, _ = nested_pair(geometry, shapes, two, touch)
        if meet or nested == OVERLAP:
            thorough = question[at.NEAR_THOROUGH] != 0.0
            verdict, how, _, _, point = overlap_of(geometry, shapes, two, 0.0, touch, thorough, scratch, used)
            if verdict == FULL:
                return False
            if how != FREE:
                status = how
            if not meet:
                count = insert(answers, first, count, most, 0.0, b, movers.rows[k], status, NOTHING, (point, point, NONE))
                continue
        # Rounding, and what other faces may be nearer. A point just below a surface is inside, although it does not overlap.
        near = 0.0 if nested == SHALLOW else max(0.0, gap - 2.0 * slack)
        if i < 0 or near > worst:
            continue
        features, p, q, normal = nearest_points(geometry, shapes, places, i, j)
        points = (point_in_world(p, movers.poses, k), point_in_world(q, movers.poses, k), normal)
        count = insert(answers, first, count, most, near, b, movers.rows[k], status, features, points)
    return False


@kernel
def answer(
    table, body_ints, poses, boxes, bodies, nodes, ints, all_movers, stands, targets, all_ignored, tolerance, questions, lo, hi,
    scratch, answers,
):  # fmt: skip
    """Answer questions lo .. hi: write their rows of `answers`, each as many as the first asks for.

    Return the first that needs more scratch; else hi. table: of all shapes, see `base.geometry`. nodes, ints: see
    `base.hierarchy`. targets: body rows.
    """
    world = at.Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    for row in range(lo, hi):
        question = questions[row]
        used = movers_scratch(int(question[at.NEAR_MOVERS]))
        if len(scratch) < 2 * used:
            return row
        first = int(question[at.NEAR_MOVER])
        mine = all_movers[first : first + int(question[at.NEAR_MOVERS])]
        movers = movers_at_home(body_ints, poses, boxes, mine, scratch, 0)
        stand = int(question[at.NEAR_STAND])
        if stand >= 0:
            put_movers(world.geometry.shape_reals, poses, movers, stands[stand])
        first = int(question[at.NEAR_IGNORED])
        ignored_pairs = all_ignored[first : first + int(question[at.NEAR_IGNOREDS])]
        place = row * int(question[at.NEAR_MOST])
        if not _answer_row(world, movers, targets, ignored_pairs, question, tolerance, scratch, used, answers, place):
            return row
    return hi
