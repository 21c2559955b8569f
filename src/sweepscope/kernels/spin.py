"""First meeting of two bodies that both move: best first in time.

A pair of groups of faces waits at the time up to which it is surely apart. The earliest is taken: planes between the boxes of
its groups (`parting`) let it wait for longer, or the larger group is opened. At a pair of faces the steps converge on contact;
all others are then known to be apart until later, so the first contact found is the first there is. Every step is certain:
nothing is missed and no answer is late. Two bodies that take more than MOST_STEPS are said to meet where they have got to.

Groups are the shape's nodes; below a block of 32 faces its halves, quarters ... down to single faces: the faces are ordered so.
"""

import math

import numpy as np

from . import layout as at
from . import spins as of
from ._jit import inline, kernel, once, step
from .blocks import BLOCK, FAN
from .bodies import refit_shape
from .boxes import EMPTY, include
from .closest import closest, cross, dot, minus
from .faces import local_face, rank_of
from .heap import grown, pop, push
from .parting import boxes_last, direction, faces_last, longest_step, part
from .reach import apart, window
from .spins import along, length, speed_at, stand_at, to_world, triple, unit, way_of
from .tolerances import EPS, ROUNDING, TOUCH_ROUNDING, TOUCH_SIZE

INF = math.inf

MOST_STEPS = 400000  # of one pair of bodies: a bound, not a budget; ten to a hundred are usual
_TIGHT = 1e-12  # how near counts as contact, as a share of the smaller body's size
_WORTH = 0.03  # a step that takes groups less far than this share of the larger one's size is worth less than opening it
_WINDOW = 0.6  # angle [radians] of both turns together below which windows of time are halved no further
_HALVINGS = 6  # and how often at most

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
    """Return the box (centre 3, half widths 3) of a group of shape s, which has so many nodes."""
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
    centre = (0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]))
    return centre, (0.5 * (box[3] - box[0]), 0.5 * (box[4] - box[1]), 0.5 * (box[5] - box[2]))


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
    # The second half of what is not full may be empty.
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
def _speed_of(way, stand, box):
    """Return the greatest speed of a group's points."""
    centre, half = box
    x = to_world(stand, centre[0], centre[1], centre[2])
    return length(speed_at(way, stand, x)) + way[1] * length(half)


@step
def first_contact(geometry, ints, spins, i, j, begin, end, thick, slack, touch, heap):
    """Return (time, face of i, face of j, boxed, heap): when two bodies first meet from `begin` to `end`; infinite if not.

    Contact is where faces come within thick + slack, at time 0 within thick + touch. boxed: at `begin` their boxes meet.
    """
    shape_ints = geometry.shape_ints
    si = ints[i, of.SHAPE]
    sj = ints[j, of.SHAPE]
    nodes_i = shape_ints[si, at.OFFSET + shape_ints[si, at.LEVELS]]
    nodes_j = shape_ints[sj, at.OFFSET + shape_ints[sj, at.LEVELS]]
    way_i = way_of(spins, i)
    way_j = way_of(spins, j)
    push(heap, 0, begin, nodes_i - 1, 0, nodes_j - 1, 0)
    waiting = 1
    boxed = False
    t = begin
    for count in range(MOST_STEPS):
        if waiting == 0:
            return INF, -1, -1, boxed, heap
        t = heap[0, 0]
        a = np.int64(heap[0, 1])
        b = np.int64(heap[0, 3])
        waiting -= 1
        pop(heap, waiting)
        near = touch if t == 0.0 else slack
        stand_i = stand_at(spins, i, i, t)
        stand_j = stand_at(spins, j, i, t)
        span = longest_step(way_i, way_j, end - t)
        single_i = _single(nodes_i, a)
        single_j = _single(nodes_j, b)
        if single_i and single_j:
            p = _face_number(nodes_i, a)
            q = _face_number(nodes_j, b)
            one = _placed(geometry, si, p, stand_i)
            two = _placed(geometry, sj, q, stand_j)
            rank_i = rank_of(geometry.corners, shape_ints[si, at.FACE] + p)
            rank_j = rank_of(geometry.corners, shape_ints[sj, at.FACE] + q)
            gap, far = faces_last(way_i, stand_i, one, rank_i, way_j, stand_j, two, rank_j, thick, slack, span)
            if gap <= thick + near:
                return t, p, q, boxed, heap
            far = far if far > 0.0 else 0.0  # what is not a number is no step
            if t + far < end:
                push(heap, waiting, t + far, a, 0, b, 0)
                waiting += 1
            continue
        box_i = _box_of(geometry, si, nodes_i, a)
        box_j = _box_of(geometry, sj, nodes_j, b)
        gap, n, kind = part(stand_i, box_i, stand_j, box_j)
        size_i = -1.0 if single_i else length(box_i[1])
        size_j = -1.0 if single_j else length(box_j[1])
        if gap > thick + near:
            room = gap - thick - 0.5 * slack
            far = boxes_last(way_i, stand_i, box_i, way_j, stand_j, box_j, n, kind, room, span)
            far = far if far > 0.0 else 0.0
            fast = _speed_of(way_i, stand_i, box_i) + _speed_of(way_j, stand_j, box_j)
            if t + far >= end:
                continue
            if far >= span or far * fast >= _WORTH * max(size_i, size_j):
                push(heap, waiting, t + far, a, 0, b, 0)
                waiting += 1
                continue
            t += far
        elif count == 0:
            boxed = True
        heap = grown(heap, waiting, waiting + FAN)
        if size_i >= size_j:
            first, last = _children(shape_ints, si, nodes_i, a)
            for c in range(first, last):
                push(heap, waiting, t, c, 0, b, 0)
                waiting += 1
        else:
            first, last = _children(shape_ints, sj, nodes_j, b)
            for c in range(first, last):
                push(heap, waiting, t, a, 0, c, 0)
                waiting += 1
    return t, -1, -1, boxed, heap


@once
def _where(geometry, ints, spins, i, j, t, p, q, margin):
    """Return (point, normal) of faces p and q that meet at t, world: on body j, and unit towards body i."""
    si = ints[i, of.SHAPE]
    sj = ints[j, of.SHAPE]
    stand_i = stand_at(spins, i, i, t)
    stand_j = stand_at(spins, j, i, t)
    one = _placed(geometry, si, p, stand_i)
    two = _placed(geometry, sj, q, stand_j)
    rank_i = rank_of(geometry.corners, geometry.shape_ints[si, at.FACE] + p)
    rank_j = rank_of(geometry.corners, geometry.shape_ints[sj, at.FACE] + q)
    _, x, y, f, g = closest(one, rank_i, two, rank_j)
    n, _ = direction(one, rank_i, two, rank_j, x, y, f, g)
    if spins[i, of.THICK] + spins[j, of.THICK] + margin == 0.0:
        # So near, rounding has taken the sign, and of corners the direction: they come from where they came from.
        v = minus(speed_at(way_of(spins, j), stand_j, y), speed_at(way_of(spins, i), stand_i, x))
        n = unit(v) if f < 6 and g < 6 and (f < 3 or g < 3) else n
        if dot(n, v) < 0.0:
            n = (-n[0], -n[1], -n[2])
    y = along(y, spins[j, of.THICK], n)
    return along(along(y, 1.0, triple(spins, i, of.PLACE)), 1.0, triple(spins, i, of.REST)), n


@inline
def _together(spins, i, j):
    """True if two bodies move as one: about the same axis, equally fast."""
    if spins[i, of.RATE] != spins[j, of.RATE]:
        return False
    for k in range(3):
        if spins[i, of.DRIFT + k] != spins[j, of.DRIFT + k] or spins[i, of.AXIS + k] != spins[j, of.AXIS + k]:
            return False
    one = minus(triple(spins, i, of.PLACE), triple(spins, i, of.LEVER))
    two = minus(triple(spins, j, of.PLACE), triple(spins, j, of.LEVER))
    off = cross(triple(spins, i, of.AXIS), minus(one, two))
    return length(off) <= ROUNDING * EPS * (length(one) + length(two) + spins[i, of.FAR] + spins[j, of.FAR])


@inline
def _period(spins, i, j, horizon):
    """Return how much of the horizon has to be looked at: what turns with one rate, or beside what stands, comes again."""
    if _together(spins, i, j):
        return 0.0
    for k in range(3):
        if spins[i, of.DRIFT + k] != 0.0 or spins[j, of.DRIFT + k] != 0.0:
            return horizon
    low = min(spins[i, of.RATE], spins[j, of.RATE])
    high = max(spins[i, of.RATE], spins[j, of.RATE])
    if low != 0.0 and low != high:
        return horizon
    return min(horizon, (2.0 * math.pi + 1e-9) / high)


@kernel
def meet(geometry, ints, spins, pairs, horizon, margin, tolerance, fans):
    """Return for pairs of rows, shape (p, 2), when and where they first meet within the horizon.

    (times (p,), infinite if they do not; points (p, 3), normals (p, 3), touch (p,): what counts as touching at the start, asked
    (p,): whether it took an exact test, boxed (p,): whether one may be inside the other at the start). fans: ask them first.
    """
    count = len(pairs)
    times = np.full(count, INF)
    points = np.full((count, 3), np.nan)
    normals = np.full((count, 3), np.nan)
    touches = np.empty(count)
    asked = np.zeros(count, np.bool_)
    boxed = np.zeros(count, np.bool_)
    heap = np.empty((128, 5))
    stack = np.empty((_HALVINGS + 2, 3))
    for r in range(len(ints)):
        if geometry.shape_ints[ints[r, of.SHAPE], at.DIRTY]:
            refit_shape(geometry, ints[r, of.SHAPE])
    for r in range(count):
        i = pairs[r, 0]
        j = pairs[r, 1]
        thick = spins[i, of.THICK] + spins[j, of.THICK] + margin
        end = _period(spins, i, j, horizon)
        smaller = min(spins[i, of.SIZE], spins[j, of.SIZE])
        between = length(minus(triple(spins, i, of.PLACE), triple(spins, j, of.PLACE)))
        # Rounding grows with the way that was made: long horizons are looked at in stretches, each as long as all before it.
        base, speed = between + thick, 0.0
        for k in (i, j):
            base += spins[k, of.SIZE] + spins[k, of.FAR] * min(1.0, spins[k, of.RATE] * end)
            speed += spins[k, of.FAR] * spins[k, of.RATE] + length(triple(spins, k, of.DRIFT))
        least = TOUCH_SIZE * (smaller + margin) if tolerance < 0.0 else tolerance
        touch = max(least, max(TOUCH_ROUNDING * ROUNDING * EPS * base, _TIGHT * smaller))
        touches[r] = touch
        rates = spins[i, of.RATE] + spins[j, of.RATE]
        stop = min(end, base / speed) if speed > 0.0 else end
        start = 0.0
        met = False
        while not met:
            slack = max(ROUNDING * EPS * (base + speed * stop), _TIGHT * smaller)
            wide = margin + max(touch, slack) + spins[i, of.SLACK] + spins[j, of.SLACK]
            stack[0, 0] = start
            stack[0, 1] = stop
            stack[0, 2] = 0.0
            depth = 1
            while depth > 0 and not met:
                depth -= 1
                t0, t1, halved = stack[depth, 0], stack[depth, 1], stack[depth, 2]
                if fans:
                    if apart(window(spins, i, t0, t1), window(spins, j, t0, t1), wide):
                        continue
                    if halved < _HALVINGS and rates * (t1 - t0) > _WINDOW:
                        middle = 0.5 * (t0 + t1)
                        stack[depth, 0], stack[depth, 1], stack[depth, 2] = middle, t1, halved + 1.0
                        stack[depth + 1, 0], stack[depth + 1, 1], stack[depth + 1, 2] = t0, middle, halved + 1.0
                        depth += 2
                        continue
                asked[r] = True
                # Contact at the very end counts.
                last = t1 if t1 < end else t1 * (1.0 + 4.0 * EPS)
                t, p, q, inner, heap = first_contact(geometry, ints, spins, i, j, t0, last, thick, slack, touch, heap)
                boxed[r] = boxed[r] or (inner and t0 == 0.0)
                if t < INF:
                    met = True
                    times[r] = t
                    if p >= 0:
                        point, normal = _where(geometry, ints, spins, i, j, t, p, q, margin)
                        for c in range(3):
                            points[r, c] = point[c]
                            normals[r, c] = normal[c]
            if stop >= end:
                break
            start = stop
            stop = min(end, 2.0 * stop)
    return times, points, normals, touches, asked, boxed
