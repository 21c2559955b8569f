"""How near a robot is to anything: its nearest pair of bodies with the gradient by the joints, and all pairs within a distance.

Pairs wait in a heap, nearest first. They are bounded by balls and world boxes, then by the boxes of both bodies, then compared
(`nearest`), with the least distance so far as the limit. Surfaces that do not meet may still be one inside the other: that is
tested where boxes meet. The nearest points p, on the mover, and q move with the joints that carry them, so the distance changes
by n (v(p) - v(q)), where n is the unit vector from q to p.

Pairs that no joint moves relative to each other do not count: a base does not know the table that it stands on. Degenerate
cases: where surfaces meet, and where bodies overlap, there is no gradient; where two pairs are equally near it is that of one.
Error: as that of `nearest`, and some units in the last place for each joint on the way (`chain`). A distance is reduced by the
first, so it is not larger than that of the placed bodies.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import cold, inline, kernel
from .._memory import INDICES, REALS, local
from ..base.heap import HEAP, pop, push
from ..base.hierarchy import near_bodies
from ..base.walk import FULL, LATER, NEXT
from ..contact.case import two_poses
from ..layout import HIERARCHY_LEVELS
from ..near.overlap import overlap_of
from ..near.pair import nearest_points, place_two
from ..near.rows import NONE, NOTHING, insert, point_in_world
from ..statuses import FREE, HIT, OVERLAP
from ..sweep.nested import nested_pair
from ..tolerances import GRAIN
from .chain import PLACE, full_pose
from .free import is_idle
from .layout import BALL, COLUMN, DEPTH, FACTOR, JOINT, KIND, OBSTACLE, ONE, OTHER, ROOT_DEPTH, ROW, SHAPE, TURNS, model_at
from .nearest import nearest_two
from .work import box_of_piece, is_nested, may_hit, overlaps, place_all, thickness, touch_at, work_in, work_scratch

INF = math.inf

# What waits in the heap: mover, a piece, and what it may meet.
_BODY = 0  # a body row
_PIECE = 2  # a piece
_KNOWN = 1  # is added if the boxes of both bodies are known to be as near as the key says

_PARTS = 4  # of a scratch: heap 1, the rest for what is near and for pairs
_two_places = local(np.float64, 2, PLACE)


@inline
def _ball_gap(model, work, a, b):
    """Return (least, greatest) distance that two pieces can have, by their balls."""
    x, y, z = work.middles[a, 0], work.middles[a, 1], work.middles[a, 2]
    u, v, w = x - work.middles[b, 0], y - work.middles[b, 1], z - work.middles[b, 2]
    size = model.piece_reals[a, BALL] + model.piece_reals[b, BALL]
    far = math.sqrt(u * u + v * v + w * w)
    grain = GRAIN * (abs(x) + abs(y) + abs(z) + far + size)
    return max(0.0, far - size - grain), far + size + grain


@inline
def _box_gap(model, work, k, box, boxes, b):
    """Return (least, greatest) distance of piece k, inside a world box, from the body of row b, by ball and boxes."""
    ball = model.piece_reals[k, BALL]
    total, beyond, most, far = 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        x, low, high = work.middles[k, c], boxes[c, b], boxes[3 + c, b]
        gap = max(max(low - x, x - high), 0.0)
        total += gap * gap
        gap = max(max(low - box[3 + c], box[c] - high), 0.0)
        beyond += gap * gap
        gap = max(x - low, high - x)
        most += gap * gap
        far += abs(x) + max(abs(low), abs(high))
    grain = GRAIN * (far + ball)
    most = math.sqrt(most) + ball + grain
    return max(0.0, max(math.sqrt(total) - ball, math.sqrt(beyond)) - grain), most


@inline
def _is_obstacle(model, boxes, k, b):
    """True if body row b is an obstacle of piece k."""
    full = boxes[at.WORLD_LOW, b] <= boxes[at.WORLD_HIGH, b]
    return full and model.owner[b] == OBSTACLE and may_hit(model, k, b)


@inline
def _is_still(model, k):
    """True if piece k meets nothing of the world, or no joint moves it."""
    return is_idle(model, k) or model.joint_ints[model.piece_ints[k, JOINT], DEPTH] <= ROOT_DEPTH


@inline
def _within(model, boxes, ints, bodies, work, limit):
    """Return a distance [length] within which something is, at most `limit`.

    Bodies of the world count only where there are many: those of a hierarchy.
    """
    upper = limit
    for p in range(len(model.pairs)):
        k, b = model.pairs[p, OTHER], model.pairs[p, ONE]
        if not is_idle(model, k) and not is_idle(model, b):
            upper = min(upper, _ball_gap(model, work, k, b)[1])
    if upper < INF or ints[HIERARCHY_LEVELS] == 0:
        return upper
    for k in range(len(model.piece_ints)):
        if not _is_still(model, k):
            box = box_of_piece(model, work, k, k, 0.0)
            for b in range(bodies):
                if _is_obstacle(model, boxes, k, b):
                    upper = min(upper, _box_gap(model, work, k, box, boxes, b)[1])
            break
    return upper


@inline
def _collect(model, boxes, nodes, ints, bodies, upper, narrow, work, heap, scratch, used):
    """Write the pairs that may be within `upper` [length] to the heap. Return how many there are; -1: the scratch is too small.

    narrow: only the nearest pair is asked for.
    """
    n = 0
    for p in range(len(model.pairs)):
        k, b = model.pairs[p, OTHER], model.pairs[p, ONE]
        if is_idle(model, k) or is_idle(model, b):
            continue
        low, _ = _ball_gap(model, work, k, b)
        if low <= upper:
            if n == len(heap):
                return -1
            push(heap, n, low, _PIECE, k, b)
            n += 1
    near = INDICES(scratch, used, len(scratch) - used)
    for k in range(len(model.piece_ints)):
        if _is_still(model, k):
            continue
        count = near_bodies(nodes, ints, boxes, bodies, box_of_piece(model, work, k, k, upper), near)
        if count > len(near):
            return -1
        box = box_of_piece(model, work, k, k, 0.0)
        for m in range(count):
            b = near[m]
            if not _is_obstacle(model, boxes, k, b):
                continue
            low, most = _box_gap(model, work, k, box, boxes, b)
            if low <= upper:
                if n == len(heap):
                    return -1
                push(heap, n, low, _BODY, k, b)
                n += 1
                if narrow:
                    upper = min(upper, most)
    return n


@inline
def _compare(model, work, key, kind, k, b, limit, patience, scratch, used):
    """Compare two bodies: return (verdict, bound, how, gap, face, face); the gap is at most `limit` [length] if how is not -1.

    how: FREE, HIT (they touch), OVERLAP; -1: they are farther apart.
    """
    own = kind >= _PIECE
    s = model.piece_ints[k, SHAPE]
    t = model.piece_ints[b, SHAPE] if own else model.body_ints[b, at.SHAPE]
    others = work.places if own else model.poses
    touch = touch_at(model, work, k, k, 0.0)
    thick = thickness(model, s, t)
    wide = max(limit, touch) + thick
    verdict, bound, gap, i, j = nearest_two(
        model.geometry, model.groups, s, work.places, k, t, others, b, wide, patience + thick, scratch, used
    )
    bound, gap, how = max(key, bound - thick), gap - thick, -1
    if verdict == NEXT:
        if i >= 0 and gap <= touch:
            verdict, how = overlaps(model, s, work.places, k, t, others, b, 0.0, touch, scratch, used)
            if how == FREE:
                how = HIT
        elif bound <= touch and is_nested(model, s, work.places, k, t, others, b, touch):
            how, i, j = OVERLAP, np.int64(-1), np.int64(-1)
        elif i >= 0:
            how = FREE
        if how == OVERLAP:
            gap = 0.0
        elif gap > limit:
            how = -1
    return verdict, bound, how, max(gap, 0.0), i, j


@cold
def _write(geometry, s, ones, a, t, others, b, rows, how, gap, i, j, thorough, touch, scratch, used, answers, n):
    """Write a pair to a row of answers, columns as `layout.NEAR_ANSWER`. Return False if the scratch is too small.

    rows: body rows of both. thorough: tell how bodies overlap.
    """
    two = two_poses()
    full_pose(ones, a, two, 0)
    full_pose(others, b, two, 1)
    point = NONE
    if how == OVERLAP and (thorough or i < 0):
        status, point = nested_pair(geometry, (s, t), two, touch)
        if thorough:
            verdict, how, i, j, point = overlap_of(geometry, (s, t), two, 0.0, touch, True, scratch, used)
            if verdict == FULL:
                return False
        elif status != OVERLAP:
            point = NONE
    if i < 0:
        insert(answers, n, 0, 1, gap, rows[1], rows[0], how, NOTHING, (point, point, NONE))
        return True
    places = _two_places()
    place_two(two, 0, two, 1, places)
    features, p, q, normal = nearest_points(geometry, (s, t), places, i, j)
    points = (point_in_world(p, two, 0), point_in_world(q, two, 0), normal)
    insert(answers, n, 0, 1, gap, rows[1], rows[0], how, features, points)
    return True


@inline
def _write_pair(model, work, kind, k, b, how, gap, i, j, thorough, scratch, used, answers, n):
    """Write a pair to a row of answers. Return False if the scratch is too small."""
    own = kind >= _PIECE
    s = model.piece_ints[k, SHAPE]
    t = model.piece_ints[b, SHAPE] if own else model.body_ints[b, at.SHAPE]
    others = work.places if own else model.poses
    rows = model.piece_ints[k, ROW], model.piece_ints[b, ROW] if own else b
    touch = touch_at(model, work, k, k, 0.0)
    return _write(
        model.geometry, s, work.places, k, t, others, b, rows, how, gap, i, j, thorough, touch, scratch, used, answers, n
    )


@inline
def _add_speeds(model, frames, joint, shared, x, y, z, normal, sign, out, n):
    """Add how fast a point (x, y, z) that a joint carries moves along the normal, by each column, to a row of `out`.

    shared: how many joints on the way to it are left out. sign: times what is added.
    """
    ints, reals = model.joint_ints, model.joint_reals
    depth = len(model.paths) // len(ints)
    for d in range(shared, ints[joint, DEPTH]):
        i = model.paths[joint * depth + d]
        column = ints[i, COLUMN]
        if column < 0:
            continue
        u, v, w = frames[i, 2], frames[i, 5], frames[i, 8]
        if ints[i, KIND] == TURNS:
            p, q, r = x - frames[i, 9], y - frames[i, 10], z - frames[i, 11]
            u, v, w = v * r - w * q, w * p - u * r, u * q - v * p
        out[n, column] += sign * reals[i, FACTOR] * (u * normal[0] + v * normal[1] + w * normal[2])


@inline
def _differentiate(model, work, kind, k, b, shared, answers, row, out, n):
    """Write the derivatives of the distance of a pair by the numbers of a configuration; NaN without a normal."""
    normal = answers[row, at.NEAR_NORMAL], answers[row, at.NEAR_NORMAL + 1], answers[row, at.NEAR_NORMAL + 2]
    known = normal[0] == normal[0] and answers[row, at.NEAR_STATUS] != OVERLAP
    for c in range(out.shape[1]):
        out[n, c] = 0.0 if known else math.nan
    if not known:
        return
    point = answers[row, at.NEAR_POINT], answers[row, at.NEAR_POINT + 1], answers[row, at.NEAR_POINT + 2]
    joint = model.piece_ints[k, JOINT]
    _add_speeds(model, work.frames, joint, shared, point[0], point[1], point[2], normal, 1.0, out, n)
    if kind >= _PIECE:
        c = at.NEAR_OTHER_POINT
        joint = model.piece_ints[b, JOINT]
        _add_speeds(
            model, work.frames, joint, shared, answers[row, c], answers[row, c + 1], answers[row, c + 2], normal, -1.0, out, n
        )


@inline
def _shared_of(model, k, b):
    """Return how many joints carry both of two pieces that may meet."""
    one, other = model.piece_ints[k, JOINT], model.piece_ints[b, JOINT]
    depth = len(model.paths) // len(model.joint_ints)
    count = 0
    most = min(model.joint_ints[one, DEPTH], model.joint_ints[other, DEPTH])
    while count < most and model.paths[one * depth + count] == model.paths[other * depth + count]:
        count += 1
    return count


@kernel
def least(table, boxes, nodes, ints, bodies, limit, configurations, first, last, scratch, answers, jacobians):
    """Write the nearest pair within `limit` [length] at each configuration, columns as `layout.NEAR_ANSWER`; n from `first` on.

    Status -1: nothing is so near. jacobians: derivatives of the distance, shape (n, columns). Return the first not answered.
    """
    model = model_at(table)
    columns = configurations.shape[1]
    used = work_scratch(model, columns)
    size = (len(scratch) - used) // (_PARTS * HEAP)
    if size <= 0:
        return first
    work = work_in(model, columns, scratch, 0)
    heap = REALS(scratch, used, size, HEAP)
    used += size * HEAP
    for row in range(first, last):
        for c in range(columns):
            work.q[c] = configurations[row, c]
            jacobians[row, c] = math.nan
        for c in range(at.NEAR_ANSWER):
            answers[row, c] = math.nan
        answers[row, at.NEAR_STATUS], answers[row, at.NEAR_GAP] = -1, INF
        place_all(model, work, 0)
        upper = _within(model, boxes, ints, bodies, work, limit)
        n = _collect(model, boxes, nodes, ints, bodies, upper, True, work, heap, scratch, used)
        if n < 0:
            return row
        best = limit
        found = (-1, -1, -1, -1, np.int64(-1), np.int64(-1))  # kind, piece, what it meets, how, face, face
        while n > 0:
            key = heap[0, 0]
            if key > best or (best == 0.0 and found[3] == OVERLAP):
                break
            kind, k, b = int(heap[0, 1]), int(heap[0, 2]), int(heap[0, 3])
            n -= 1
            pop(heap, n)
            patience = INF if kind & _KNOWN or n == 0 else max(key, heap[0, 0])
            verdict, bound, how, gap, i, j = _compare(model, work, key, kind, k, b, best, patience, scratch, used)
            if verdict == FULL:
                return row
            if verdict == LATER:
                push(heap, n, bound, kind + _KNOWN, k, b)
                n += 1
            elif how >= 0:
                best = gap
                found = (kind, k, b, how, i, j)
        kind, k, b, how, i, j = found
        if how >= 0:
            if not _write_pair(model, work, kind, k, b, how, best, i, j, False, scratch, used, answers, row):
                return row
            shared = _shared_of(model, k, b) if kind >= _PIECE else 0
            _differentiate(model, work, kind, k, b, shared, answers, row, jacobians, row)
    return last


@kernel
def within(table, boxes, nodes, ints, bodies, limit, configuration, scratch, answers):
    """Write all pairs within `limit` [length] at a configuration, shape (1, columns), columns as `layout.NEAR_ANSWER`.

    Return how many there are, in no order; if they are more than len(answers), call again with more; -1: the scratch is too
    small.
    """
    model = model_at(table)
    columns = configuration.shape[1]
    used = work_scratch(model, columns)
    size = (len(scratch) - used) // (_PARTS * HEAP)
    if size <= 0:
        return -1
    work = work_in(model, columns, scratch, 0)
    heap = REALS(scratch, used, size, HEAP)
    used += size * HEAP
    for c in range(columns):
        work.q[c] = configuration[0, c]
    place_all(model, work, 0)
    n = _collect(model, boxes, nodes, ints, bodies, limit, False, work, heap, scratch, used)
    if n < 0:
        return -1
    count = 0
    for m in range(n):
        key, kind, k, b = heap[m, 0], int(heap[m, 1]), int(heap[m, 2]), int(heap[m, 3])
        verdict, _, how, gap, i, j = _compare(model, work, key, kind, k, b, limit, INF, scratch, used)
        if verdict == FULL:
            return -1
        if how < 0:
            continue
        if count < len(answers) and not _write_pair(
            model, work, kind, k, b, how, gap, i, j, True, scratch, used, answers, count
        ):
            return -1
        count += 1
    return count
