"""First contact of two bodies that both move: best first in time.

A pair of groups of faces waits at the time until which it is surely apart. The earliest pair is taken. Either planes between
the boxes of its groups (`parting`) let it wait longer, or the larger group is opened. At a pair of faces the steps converge
on contact. All other pairs are then known to be apart until later, so the first contact found is the first there is. Every
step is certain: nothing is missed and no answer is late. A pair that needs more than PREDICT_STEPS is reported to meet at its
last time.

Groups are the shape's nodes; below a block of 32 faces, its halves, quarters ... down to single faces, in the faces' order.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from ..base.blocks import BLOCK, FAN
from ..base.bodies import refit_shape, touch_of
from ..base.boxes import EMPTY, include
from ..base.closest import closest, cross, dot, minus
from ..base.faces import local_face, rank_of
from ..base.heap import HEAP, grown, pop, push
from ..tolerances import (
    EPS,
    NARROW_WINDOW,
    PAST_END,
    PERIOD_MARGIN,
    PREDICT_STEPS,
    PREDICT_TOUCH,
    ROUNDING,
    STEP_WORTH,
    TOUCH_ROUNDING,
    WINDOW_HALVINGS,
)
from . import motions as of
from .motions import along, length, motion_of, speed_at, stand_at, to_world, triple, unit
from .parting import boxes_last, direction, faces_last, longest_step, part
from .reach import apart, window

INF = math.inf

# Pieces of a block, counted as in a heap: 1 the whole, 2 and 3 its halves, ..., BLOCK + i face i of it.
_PIECES = 2 * BLOCK


@inline
def _piece(i):
    """Return first face and number of faces of piece i of a block."""
    size = BLOCK
    first = 1
    while first * 2 <= i:
        first *= 2
        size >>= 1
    return (i - first) * size, size


@inline
def _single(nodes, group):
    return group >= nodes and (group - nodes) % _PIECES >= BLOCK


@inline
def _face_number(nodes, group):
    return (group - nodes) // _PIECES * BLOCK + (group - nodes) % _PIECES - BLOCK


@step
def _box_of(geometry, s, nodes, group):
    """Return the box (center 3, half widths 3) of a group of shape s. nodes: the number of its nodes."""
    if group < nodes:
        m = geometry.shape_ints[s, at.NODE] + group
        box = geometry.nodes
        return (box[m, 0], box[m, 1], box[m, 2]), (box[m, 3], box[m, 4], box[m, 5])
    block = (group - nodes) // _PIECES
    first, size = _piece((group - nodes) % _PIECES)
    box = EMPTY
    last = min(geometry.shape_ints[s, at.FACES], block * BLOCK + first + size)
    for i in range(block * BLOCK + first, last):
        f = local_face(geometry, s, i)
        box = include(include(include(box, f[0], f[1], f[2]), f[3], f[4], f[5]), f[6], f[7], f[8])
    center = (0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]))
    return center, (0.5 * (box[3] - box[0]), 0.5 * (box[4] - box[1]), 0.5 * (box[5] - box[2]))


@step
def _children(ints, s, nodes, group):
    """Return first and last child (exclusive) of a group that is not a single face."""
    if group < ints[s, at.OFFSET + 1]:  # a block
        first = nodes + group * _PIECES + 2
    elif group < nodes:
        level = 1
        while ints[s, at.OFFSET + level + 1] <= group:
            level += 1
        first = ints[s, at.OFFSET + level - 1] + (group - ints[s, at.OFFSET + level]) * FAN
        return first, min(ints[s, at.OFFSET + level], first + FAN)
    else:
        first = group + (group - nodes) % _PIECES  # piece i has pieces 2 i and 2 i + 1
    # In a block that is not full, the second half may be empty.
    block = (first - nodes) // _PIECES
    begin, _ = _piece((first + 1 - nodes) % _PIECES)
    return first, first + (2 if block * BLOCK + begin < ints[s, at.FACES] else 1)


@inline
def _placed(geometry, s, i, stand):
    f = local_face(geometry, s, i)
    a = to_world(stand, f[0], f[1], f[2])
    b = to_world(stand, f[3], f[4], f[5])
    c = to_world(stand, f[6], f[7], f[8])
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inline
def _speed_of(motion, stand, box):
    """Return the greatest speed of a group's points."""
    center, half = box
    x = to_world(stand, center[0], center[1], center[2])
    return length(speed_at(motion, stand, x)) + motion[1] * length(half)


@step
def first_contact(geometry, ints, motions, i, j, begin, end, thick, slack, touch, heap):
    """Return (time, face of i, face of j, boxed, heap): when two bodies first meet from `begin` to `end`; infinite if not.

    Contact is where faces are nearer than thick + slack, at time 0 than thick + touch. boxed: their boxes meet at `begin`.
    """
    shape_ints = geometry.shape_ints
    si = ints[i, of.SHAPE]
    sj = ints[j, of.SHAPE]
    nodes_i = shape_ints[si, at.OFFSET + shape_ints[si, at.LEVELS]]
    nodes_j = shape_ints[sj, at.OFFSET + shape_ints[sj, at.LEVELS]]
    motion_i = motion_of(motions, i)
    motion_j = motion_of(motions, j)
    push(heap, 0, begin, 0, nodes_i - 1, nodes_j - 1)
    waiting = 1
    may_be_nested = False
    t = begin
    for count in range(PREDICT_STEPS):
        if waiting == 0:
            return INF, -1, -1, may_be_nested, heap
        t = heap[0, 0]
        a = np.int64(heap[0, 2])
        b = np.int64(heap[0, 3])
        waiting -= 1
        pop(heap, waiting)
        near = touch if t == 0.0 else slack
        stand_i = stand_at(motions, i, i, t)
        stand_j = stand_at(motions, j, i, t)
        span = longest_step(motion_i, motion_j, end - t)
        single_i = _single(nodes_i, a)
        single_j = _single(nodes_j, b)
        if single_i and single_j:
            p = _face_number(nodes_i, a)
            q = _face_number(nodes_j, b)
            one = _placed(geometry, si, p, stand_i)
            two = _placed(geometry, sj, q, stand_j)
            rank_i = rank_of(geometry.corners, shape_ints[si, at.FACE] + p)
            rank_j = rank_of(geometry.corners, shape_ints[sj, at.FACE] + q)
            gap, far = faces_last(motion_i, stand_i, one, rank_i, motion_j, stand_j, two, rank_j, thick, slack, span)
            if gap <= thick + near:
                return t, p, q, may_be_nested, heap
            far = far if far > 0.0 else 0.0  # NaN: no step
            if t + far < end:
                push(heap, waiting, t + far, 0, a, b)
                waiting += 1
            continue
        box_i = _box_of(geometry, si, nodes_i, a)
        box_j = _box_of(geometry, sj, nodes_j, b)
        gap, n, kind = part(stand_i, box_i, stand_j, box_j)
        size_i = -1.0 if single_i else length(box_i[1])
        size_j = -1.0 if single_j else length(box_j[1])
        if gap > thick + near:
            room = gap - thick - 0.5 * slack
            far = boxes_last(motion_i, stand_i, box_i, motion_j, stand_j, box_j, n, kind, room, span)
            far = far if far > 0.0 else 0.0
            fast = _speed_of(motion_i, stand_i, box_i) + _speed_of(motion_j, stand_j, box_j)
            if t + far >= end:
                continue
            if far >= span or far * fast >= STEP_WORTH * max(size_i, size_j):
                push(heap, waiting, t + far, 0, a, b)
                waiting += 1
                continue
            t += far
        elif count == 0:
            may_be_nested = True
        heap = grown(heap, waiting, waiting + FAN)
        if size_i >= size_j:
            first, last = _children(shape_ints, si, nodes_i, a)
            for c in range(first, last):
                push(heap, waiting, t, 0, c, b)
                waiting += 1
        else:
            first, last = _children(shape_ints, sj, nodes_j, b)
            for c in range(first, last):
                push(heap, waiting, t, 0, a, c)
                waiting += 1
    return t, -1, -1, may_be_nested, heap


@inline
def _where(geometry, ints, motions, i, j, t, p, q, margin):
    """Return (point, normal) of faces p and q that meet at t, world: on body j, and unit towards body i."""
    si = ints[i, of.SHAPE]
    sj = ints[j, of.SHAPE]
    stand_i = stand_at(motions, i, i, t)
    stand_j = stand_at(motions, j, i, t)
    one = _placed(geometry, si, p, stand_i)
    two = _placed(geometry, sj, q, stand_j)
    rank_i = rank_of(geometry.corners, geometry.shape_ints[si, at.FACE] + p)
    rank_j = rank_of(geometry.corners, geometry.shape_ints[sj, at.FACE] + q)
    _, x, y, f, g = closest(one, rank_i, two, rank_j)
    n, _ = direction(one, rank_i, two, rank_j, x, y, f, g)
    if motions[i, of.THICK] + motions[j, of.THICK] + margin == 0.0:
        # So near, rounding hides the sign, and for corners the direction: the velocity gives both.
        v = minus(speed_at(motion_of(motions, j), stand_j, y), speed_at(motion_of(motions, i), stand_i, x))
        n = unit(v) if f < 6 and g < 6 and (f < 3 or g < 3) else n
        if dot(n, v) < 0.0:
            n = (-n[0], -n[1], -n[2])
    y = along(y, motions[j, of.THICK], n)
    return along(along(y, 1.0, triple(motions, i, of.PLACE)), 1.0, triple(motions, i, of.REST)), n


@inline
def _together(motions, i, j):
    """True if two bodies move as one: about the same axis, equally fast."""
    if motions[i, of.RATE] != motions[j, of.RATE]:
        return False
    for k in range(3):
        if motions[i, of.DRIFT + k] != motions[j, of.DRIFT + k] or motions[i, of.AXIS + k] != motions[j, of.AXIS + k]:
            return False
    one = minus(triple(motions, i, of.PLACE), triple(motions, i, of.LEVER))
    two = minus(triple(motions, j, of.PLACE), triple(motions, j, of.LEVER))
    off = cross(triple(motions, i, of.AXIS), minus(one, two))
    return length(off) <= ROUNDING * EPS * (length(one) + length(two) + motions[i, of.FAR] + motions[j, of.FAR])


@inline
def _period(motions, i, j, horizon):
    """Return the part of the horizon that must be searched.

    The motion of two bodies repeats if both turn at one rate, or one turns and the other stands still.
    """
    if _together(motions, i, j):
        return 0.0
    for k in range(3):
        if motions[i, of.DRIFT + k] != 0.0 or motions[j, of.DRIFT + k] != 0.0:
            return horizon
    low = min(motions[i, of.RATE], motions[j, of.RATE])
    high = max(motions[i, of.RATE], motions[j, of.RATE])
    if low != 0.0 and low != high:
        return horizon
    return min(horizon, (2.0 * math.pi + PERIOD_MARGIN) / high)


@kernel
def meet(geometry, ints, motions, pairs, horizon, margin, tolerance, fans):
    """Return for pairs of rows, shape (p, 2), when and where they first meet within the horizon.

    times (p,): infinite if they do not. points (p, 3), normals (p, 3). touch (p,): what counts as touching at the start.
    asked (p,): whether it needed an exact test. boxed (p,): whether one may be inside the other at the start. fans: use them
    first.
    """
    count = len(pairs)
    times = np.full(count, INF)
    points = np.full((count, 3), np.nan)
    normals = np.full((count, 3), np.nan)
    touches = np.empty(count)
    asked = np.zeros(count, np.bool_)
    may_be_nested = np.zeros(count, np.bool_)
    heap = np.empty((128, HEAP))
    stack = np.empty((WINDOW_HALVINGS + 2, 3))
    for r in range(len(ints)):
        if geometry.shape_ints[ints[r, of.SHAPE], at.DIRTY]:
            refit_shape(geometry, ints[r, of.SHAPE])
    for r in range(count):
        i = pairs[r, 0]
        j = pairs[r, 1]
        thick = motions[i, of.THICK] + motions[j, of.THICK] + margin
        end = _period(motions, i, j, horizon)
        smaller = min(motions[i, of.SIZE], motions[j, of.SIZE])
        between = length(minus(triple(motions, i, of.PLACE), triple(motions, j, of.PLACE)))
        # Rounding grows with the path: long horizons are searched in intervals, each as long as all before it.
        base, speed = between + thick, 0.0
        for k in (i, j):
            base += motions[k, of.SIZE] + motions[k, of.FAR] * min(1.0, motions[k, of.RATE] * end)
            speed += motions[k, of.FAR] * motions[k, of.RATE] + length(triple(motions, k, of.DRIFT))
        away = 0.0
        for k in (i, j):
            for c in range(of.PLACE, of.PLACE + 3):
                away = max(away, abs(motions[k, c]))
        least = touch_of(tolerance, smaller + margin, away)
        touch = max(least, max(TOUCH_ROUNDING * ROUNDING * EPS * base, PREDICT_TOUCH * smaller))
        touches[r] = touch
        rates = motions[i, of.RATE] + motions[j, of.RATE]
        stop = min(end, base / speed) if speed > 0.0 else end
        start = 0.0
        met = False
        while not met:
            slack = max(ROUNDING * EPS * (base + speed * stop), PREDICT_TOUCH * smaller)
            wide = margin + max(touch, slack) + motions[i, of.SLACK] + motions[j, of.SLACK]
            stack[0, 0] = start
            stack[0, 1] = stop
            stack[0, 2] = 0.0
            depth = 1
            while depth > 0 and not met:
                depth -= 1
                t0, t1, halved = stack[depth, 0], stack[depth, 1], stack[depth, 2]
                if fans:
                    if apart(window(motions, i, t0, t1), window(motions, j, t0, t1), wide):
                        continue
                    if halved < WINDOW_HALVINGS and rates * (t1 - t0) > NARROW_WINDOW:
                        middle = 0.5 * (t0 + t1)
                        stack[depth, 0], stack[depth, 1], stack[depth, 2] = middle, t1, halved + 1.0
                        stack[depth + 1, 0], stack[depth + 1, 1], stack[depth + 1, 2] = t0, middle, halved + 1.0
                        depth += 2
                        continue
                asked[r] = True
                # Contact at the very end counts.
                last = t1 if t1 < end else t1 * (1.0 + PAST_END * EPS)
                t, p, q, inner, heap = first_contact(geometry, ints, motions, i, j, t0, last, thick, slack, touch, heap)
                may_be_nested[r] = may_be_nested[r] or (inner and t0 == 0.0)
                if t < INF:
                    met = True
                    times[r] = t
                    if p >= 0:
                        point, normal = _where(geometry, ints, motions, i, j, t, p, q, margin)
                        for c in range(3):
                            points[r, c] = point[c]
                            normals[r, c] = normal[c]
            if stop >= end:
                break
            start = stop
            stop = min(end, 2.0 * stop)
    return times, points, normals, touches, asked, may_be_nested
