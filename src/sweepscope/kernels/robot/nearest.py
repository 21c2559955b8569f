"""The nearest faces of two bodies, if they are nearer than a distance.

Two trees of boxes are opened together, the nearest pair of nodes first: eight boxes below one node are measured at once from
the box of the other (`gap_lanes`). When a pair comes up, it is bounded in the frames of both bodies, and along a direction: at
first from center to center, then between the nearest faces found so far. It goes back to the heap if another is nearer now.
What is left are few leaves of LEAF faces; their faces are compared by boxes, by planes, and last by nearest points.

Degenerate cases: faces may be segments or points. Bodies that meet end the walk; which of the faces that meet is returned
depends on the order of faces. Error: rounding of the coordinates, a share GRAIN of them. Bounds are widened by as much, and the
gap is reduced by it: it is not larger than the true one.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, step
from .._memory import REALS, local
from ..base.blocks import FAN, LEAF
from ..base.closest import closest
from ..base.faces import local_face, rank_of
from ..base.heap import HEAP, pop, push
from ..base.hierarchy import lowest
from ..base.walk import FULL, LATER, NEXT
from ..tolerances import GRAIN
from .apart import BELOW, GROUP, box_around, box_of, into_first, into_second, normal_of, placed, relate, relation_space
from .gap_lanes import gap_lanes

_LARGEST = 1.7976931348623157e308
_DEPTH = at.MOST_LEVELS + 1  # levels of a tree, its leaves included

_squares = local(np.float64, FAN)


@inline
def _code(la, lb):
    """Return the levels of two nodes as one number."""
    return _DEPTH * (la - BELOW) + (lb - BELOW)


@inline
def _gap_sq(box, x, y, z, u, v, w):
    """Return the squared distance of a box, low 3, high 3, from one with center (x, y, z) and half widths (u, v, w)."""
    i = max(0.0, max(box[0] - x, x - box[3]) - u)
    j = max(0.0, max(box[1] - y, y - box[4]) - v)
    k = max(0.0, max(box[2] - z, z - box[5]) - w)
    return i * i + j * j + k * k


@inline
def _face_gap_sq(f, g):
    """Return the squared distance of the boxes of two faces."""
    total = 0.0
    for c in range(3):
        low, high = min(f[c], min(f[3 + c], f[6 + c])), max(f[c], max(f[3 + c], f[6 + c]))
        other_low, other_high = min(g[c], min(g[3 + c], g[6 + c])), max(g[c], max(g[3 + c], g[6 + c]))
        gap = max(0.0, max(low - other_high, other_low - high))
        total += gap * gap
    return total


@inline
def _heights(n, f):
    """Return the least and the greatest height of a face along n."""
    a = n[0] * f[0] + n[1] * f[1] + n[2] * f[2]
    b = n[0] * f[3] + n[1] * f[4] + n[2] * f[5]
    c = n[0] * f[6] + n[1] * f[7] + n[2] * f[8]
    return min(a, min(b, c)), max(a, max(b, c))


@inline
def _is_beyond(f, n, n_sq, g, limit_sq):
    """True if face g is on one side of the plane of face f, with normal n, farther from it than the root of limit_sq."""
    base = n[0] * f[0] + n[1] * f[1] + n[2] * f[2]
    low, high = _heights(n, g)
    least = max(low - base, base - high)
    return (least > 0.0) & (least * least > limit_sq * n_sq)


@inline
def _middle_of(box):
    """Return the middle of a box, low 3, high 3."""
    return 0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])


@inline
def _unit_of(x, y, z):
    """Return the direction of a vector as a unit; 0 if it has no length."""
    size = math.sqrt(x * x + y * y + z * z)
    if size == 0.0:
        return 0.0, 0.0, 0.0
    return x / size, y / size, z / size


@inline
def _turned(m, c):
    """Return a direction in the frame of the second body in that of the first."""
    return (
        m[0] * c[0] + m[1] * c[1] + m[2] * c[2],
        m[3] * c[0] + m[4] * c[1] + m[5] * c[2],
        m[6] * c[0] + m[7] * c[1] + m[8] * c[2],
    )


@inline
def _nearer_faces(geometry, m, s, leaf, t, other_leaf, box, grain, found):
    """Return the nearest faces of what is found and of two leaves: (squared limit, squared gap, face, face, direction 3).

    box: of the second leaf, center 3 and half widths 3. The direction is a unit in the frame of the second body, or 0. Faces
    are rows of `corners`.
    """
    ints, corners = geometry.shape_ints, geometry.corners
    f0, g0 = ints[s, at.FACE], ints[t, at.FACE]
    for i in range(f0 + leaf * LEAF, min(f0 + ints[s, at.FACES], f0 + (leaf + 1) * LEAF)):
        f = placed(m, local_face(geometry, s, i - f0))
        if _gap_sq(box_around(f, 0.0), box[0], box[1], box[2], box[3], box[4], box[5]) > found[0]:
            continue
        n, n_sq = normal_of(f)
        low = _heights(found[4], f)[0]
        for j in range(g0 + other_leaf * LEAF, min(g0 + ints[t, at.FACES], g0 + (other_leaf + 1) * LEAF)):
            g = local_face(geometry, t, j - g0)
            if _face_gap_sq(f, g) > found[0]:
                continue
            gap = low - _heights(found[4], g)[1]
            if gap > 0.0 and gap * gap > found[0]:
                continue
            if _is_beyond(f, n, n_sq, g, found[0]):
                continue
            other, other_sq = normal_of(g)
            if _is_beyond(g, other, other_sq, f, found[0]):
                continue
            gap_sq, x, y, _, _ = closest(f, rank_of(corners, i), g, rank_of(corners, j))
            if gap_sq < found[1]:
                way = found[4]
                gap = math.sqrt(gap_sq)
                if gap > 0.0:
                    way = (x[0] - y[0]) / gap, (x[1] - y[1]) / gap, (x[2] - y[2]) / gap
                    low = _heights(way, f)[0]
                reach = gap + grain
                found = (reach * reach, gap_sq, np.int64(i), np.int64(j), way)
                if gap == 0.0:
                    return found
    return found


@step
def nearest_two(geometry, groups, s, ones, a, t, others, b, wide, patience, scratch, used):
    """Return (verdict, bound, gap, face, face): the nearest faces of two bodies within `wide` [length], or a little beyond.

    Faces are rows of `corners`; -1 if none are so near. bound: how near the bodies can be by their boxes; if it is more than
    `patience`, the verdict is LATER, and they are not compared. FULL: the scratch, free from `used` on, is too small. Radii do
    not count. s, t: shapes; row a of `ones` and row b of `others` are their places, see `chain.PLACE`. Both shapes have faces;
    boxes and groups are up to date.
    """
    ints = geometry.shape_ints
    nothing = np.int64(-1)
    m = relation_space()
    relate(ones, a, others, b, m, 0)
    la, lb = ints[s, at.LEVELS] - 1, ints[t, at.LEVELS] - 1
    x, y, z, u, v, w = box_of(geometry, groups, s, la, 0)
    i, j, k, o, p, q = box_of(geometry, groups, t, lb, 0)
    far = abs(m[9]) + abs(m[10]) + abs(m[11]) + abs(x) + abs(y) + abs(z) + u + v + w
    grain = GRAIN * (far + abs(i) + abs(j) + abs(k) + o + p + q)
    bound_sq = max(
        _gap_sq(into_first(m, 0, i, j, k, o, p, q, 0.0), x, y, z, u, v, w),
        _gap_sq(into_second(m, x, y, z, u, v, w, 0.0), i, j, k, o, p, q),
    )
    bound = max(0.0, math.sqrt(bound_sq) - grain)
    if bound > wide:
        return NEXT, bound, wide, nothing, nothing
    if bound > patience:
        return LATER, bound, wide, nothing, nothing
    heap = REALS(scratch, used, (len(scratch) - used) // HEAP, HEAP)
    if len(heap) == 0:
        return FULL, bound, wide, nothing, nothing
    squares = _squares()
    # A gap that is reduced to `wide` counts, whatever the rounding.
    limit_sq = min(_LARGEST, (wide + 2.0 * grain) * (wide + 2.0 * grain))
    # The first direction: from center to center, in the frame of the second body, and in that of the first.
    c = _middle_of(into_second(m, x, y, z, u, v, w, 0.0))
    c = _unit_of(c[0] - i, c[1] - j, c[2] - k)
    found = (limit_sq, limit_sq, nothing, nothing, c)
    way = _turned(m, c)
    push(heap, 0, bound_sq, _code(la, lb), 0, 0)
    n = 1
    while n > 0:
        key = heap[0, 0]
        if key > found[0]:
            break
        code, na, nb = np.int64(heap[0, 1]), np.int64(heap[0, 2]), np.int64(heap[0, 3])
        n -= 1
        pop(heap, n)
        la, lb = code // _DEPTH + BELOW, code % _DEPTH + BELOW
        if n + FAN > len(heap):
            return FULL, bound, wide, nothing, nothing
        x, y, z, u, v, w = box_of(geometry, groups, s, la, na)
        i, j, k, o, p, q = box_of(geometry, groups, t, lb, nb)
        c = found[4]
        gap = way[0] * (x - m[9]) + way[1] * (y - m[10]) + way[2] * (z - m[11]) - (c[0] * i + c[1] * j + c[2] * k)
        gap -= abs(way[0]) * u + abs(way[1]) * v + abs(way[2]) * w
        gap -= abs(c[0]) * o + abs(c[1]) * p + abs(c[2]) * q
        now = max(key, gap * gap) if gap > 0.0 else key
        own_box, other_box = into_second(m, x, y, z, u, v, w, 0.0), into_first(m, 0, i, j, k, o, p, q, 0.0)
        now = max(now, max(_gap_sq(other_box, x, y, z, u, v, w), _gap_sq(own_box, i, j, k, o, p, q)))
        if now > found[0]:
            continue
        if now > key and n > 0 and now > heap[0, 0]:
            push(heap, n, now, code, na, nb)
            n += 1
            continue
        key = now
        if la < 0 and lb < 0:
            found = _nearer_faces(geometry, m, s, na, t, nb, (i, j, k, o, p, q), grain, found)
            if found[1] == 0.0:
                break
            way = _turned(m, found[4])
        elif lb < 0 or (la >= 0 and u + v + w >= o + p + q):
            row = ints[s, at.NODE] + ints[s, at.OFFSET + la] + na
            mask = gap_lanes(groups, row * GROUP, FAN, other_box, found[0], squares)
            while mask:
                lane = lowest(mask)
                mask &= mask - np.uint64(1)
                push(heap, n, max(key, squares[lane]), _code(la - 1, lb), na * FAN + lane, nb)
                n += 1
        else:
            row = ints[t, at.NODE] + ints[t, at.OFFSET + lb] + nb
            mask = gap_lanes(groups, row * GROUP, FAN, own_box, found[0], squares)
            while mask:
                lane = lowest(mask)
                mask &= mask - np.uint64(1)
                push(heap, n, max(key, squares[lane]), _code(la, lb - 1), na, nb * FAN + lane)
                n += 1
    if found[2] < 0:
        return NEXT, bound, wide, nothing, nothing
    return NEXT, bound, max(0.0, math.sqrt(found[1]) - grain), found[2], found[3]
