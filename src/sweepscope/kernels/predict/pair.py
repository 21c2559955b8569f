"""First contact of two bodies that both move: the walk, best first in time.

A pair of nodes waits at the time until which it is surely apart. The earliest pair is taken. Either planes between the boxes
of its nodes (`parting`) let it wait longer, or it is opened. Two blocks are searched in the same way, by their pieces: halves,
quarters ... down to single faces, in the faces' order. At a pair of faces the steps converge on contact. Every step is certain:
nothing is missed and no answer is late. Blocks that need more than PREDICT_STEPS are reported to meet at their last time.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from .._memory import local
from ..base.blocks import BLOCK
from ..base.bodies import refit_shape, touch_of
from ..base.boxes import EMPTY, include
from ..base.closest import closest, cross, dot, minus
from ..base.faces import local_face, rank_of
from ..base.heap import HEAP, pop, push
from ..base.walk import FIRST, FULL, NEITHER, NEXT, PAIR, SECOND, SHAPES, walker
from ..layout import Geometry
from ..tolerances import (
    EPS,
    LEAST_DIVISOR,
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

Array = np.ndarray[Any, Any]

_one_pair = local(np.int64, 1, PAIR)

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
    """Return the box (center 3, half widths 3) of a node of shape s, or of a piece. nodes: the number of its nodes."""
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
def _halves(ints, s, nodes, group):
    """Return first and last half (exclusive) of a block, or of a piece that is not a single face."""
    if group < nodes:  # a block
        first = nodes + group * _PIECES + 2
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


class _Task(NamedTuple):
    """A search for the first contact of two bodies."""

    geometry: Geometry
    motions: Array
    bodies: tuple[int, int]  # rows of `motions`
    shapes: tuple[int, int]
    nodes: tuple[int, int]  # how many each shape has
    end: float  # of the time that is searched
    thick: float
    slack: float  # faces that are nearer than thick + slack meet
    touch: float  # the same at time 0
    heap: Array  # of pieces


@inline
def _apart_until(task, a, b, t):
    """Return (time, which): until when two groups, apart until t, are surely apart; and which of them is then to be opened.

    That is NEITHER if the step is worth it, else the larger one, and never a single face.
    """
    i, j = task.bodies
    motion_i, motion_j = motion_of(task.motions, i), motion_of(task.motions, j)
    stand_i, stand_j = stand_at(task.motions, i, i, t), stand_at(task.motions, j, i, t)
    box_i = _box_of(task.geometry, task.shapes[0], task.nodes[0], a)
    box_j = _box_of(task.geometry, task.shapes[1], task.nodes[1], b)
    size_i = -1.0 if _single(task.nodes[0], a) else length(box_i[1])
    size_j = -1.0 if _single(task.nodes[1], b) else length(box_j[1])
    larger = FIRST if size_i >= size_j else SECOND
    gap, n, kind = part(stand_i, box_i, stand_j, box_j)
    if gap <= task.thick + (task.touch if t == 0.0 else task.slack):
        return t, larger
    span = longest_step(motion_i, motion_j, task.end - t)
    room = gap - task.thick - 0.5 * task.slack
    far = boxes_last(motion_i, stand_i, box_i, motion_j, stand_j, box_j, n, kind, room, span)
    far = far if far > 0.0 else 0.0  # NaN: no step
    fast = _speed_of(motion_i, stand_i, box_i) + _speed_of(motion_j, stand_j, box_j)
    if t + far >= task.end:
        return INF, NEITHER
    if far >= span or far * fast >= STEP_WORTH * max(size_i, size_j):
        return t + far, NEITHER
    return t + far, larger


@inline
def _bound_of_parent(task, pair, na, nb, t):
    """Two nodes are apart until their parents are not."""
    return t


@inline
def _wait(task, pair, na, nb, t):
    """Let two nodes wait until they may meet, if it is worth it; else the larger one is opened."""
    t, opened = _apart_until(task, na, nb, t)
    return opened, t


@step
def _meet_blocks(task, na, nb, t, best):
    """Return (time, face, face) of the first contact of two blocks that are apart until t; infinite if none before `best`."""
    geometry, heap = task.geometry, task.heap
    ints = geometry.shape_ints
    i, j = task.bodies
    si, sj = task.shapes
    push(heap, 0, t, 0, na, nb)
    waiting = 1
    for _ in range(PREDICT_STEPS):
        if waiting == 0 or heap[0, 0] >= best:
            return INF, -1, -1
        t = heap[0, 0]
        a = np.int64(heap[0, 2])
        b = np.int64(heap[0, 3])
        waiting -= 1
        pop(heap, waiting)
        single = (_single(task.nodes[0], a), _single(task.nodes[1], b))
        if single[0] and single[1]:
            p = _face_number(task.nodes[0], a)
            q = _face_number(task.nodes[1], b)
            motion_i, motion_j = motion_of(task.motions, i), motion_of(task.motions, j)
            stand_i, stand_j = stand_at(task.motions, i, i, t), stand_at(task.motions, j, i, t)
            one = _placed(geometry, si, p, stand_i)
            two = _placed(geometry, sj, q, stand_j)
            rank_i = rank_of(geometry.corners, ints[si, at.FACE] + p)
            rank_j = rank_of(geometry.corners, ints[sj, at.FACE] + q)
            span = longest_step(motion_i, motion_j, task.end - t)
            gap, far = faces_last(
                motion_i, stand_i, one, rank_i, motion_j, stand_j, two, rank_j, task.thick, task.slack, span
            )  # fmt: skip
            if gap <= task.thick + (task.touch if t == 0.0 else task.slack):
                return t, p, q
            far = far if far > 0.0 else 0.0  # NaN: no step
            if t + far < task.end:
                push(heap, waiting, t + far, 0, a, b)
                waiting += 1
            continue
        t, opened = _apart_until(task, a, b, t)
        if opened == NEITHER:
            push(heap, waiting, t, 0, a, b)
            waiting += 1
        elif opened == FIRST:
            first, last = _halves(ints, si, task.nodes[0], a)
            for c in range(first, last):
                push(heap, waiting, t, 0, c, b)
                waiting += 1
        else:
            first, last = _halves(ints, sj, task.nodes[1], b)
            for c in range(first, last):
                push(heap, waiting, t, 0, a, c)
                waiting += 1
    return t, -1, -1


@inline
def _blocks(task, pair, na, nb, t, next_t, found):
    """Decide two blocks."""
    met, p, q = _meet_blocks(task, na, nb, t, found[0])
    return NEXT, t, ((met, p, q) if met < found[0] else found)


_walk = walker(_bound_of_parent, _blocks, _wait)


@step
def first_contact(geometry, ints, motions, i, j, begin, end, thick, slack, touch, heap, pieces):
    """Return (time, face of i, face of j, boxed, heap): when two bodies first meet from `begin` to `end`; infinite if not.

    Contact is where faces are nearer than thick + slack, at time 0 than thick + touch. boxed: their boxes meet at `begin`.
    """
    shape_ints = geometry.shape_ints
    shapes = (ints[i, of.SHAPE], ints[j, of.SHAPE])
    nodes_i = shape_ints[shapes[0], at.OFFSET + shape_ints[shapes[0], at.LEVELS]]
    nodes_j = shape_ints[shapes[1], at.OFFSET + shape_ints[shapes[1], at.LEVELS]]
    task = _Task(geometry, motions, (i, j), shapes, (nodes_i, nodes_j), end, thick, slack, touch, pieces)
    until, opened = _apart_until(task, nodes_i - 1, nodes_j - 1, begin)
    if until == INF:
        return INF, -1, -1, False, heap
    limit = max(end, begin + LEAST_DIVISOR)  # contact at the start counts, also of no time
    pairs = _one_pair()
    pairs[0, SHAPES], pairs[0, SHAPES + 1] = shapes
    while True:
        verdict, found = _walk(task, shape_ints, pairs, heap, until, (limit, -1, -1))
        if verdict != FULL:
            break
        heap = np.empty((2 * len(heap), HEAP))
    met = found[0] < limit
    return (found[0] if met else INF), found[1], found[2], until == begin and opened != NEITHER, heap


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
    heap = np.empty((256, HEAP))
    pieces = np.empty((2 * BLOCK * BLOCK, HEAP))
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
                t, p, q, inner, heap = first_contact(geometry, ints, motions, i, j, t0, last, thick, slack, touch, heap, pieces)
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
