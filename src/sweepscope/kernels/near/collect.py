"""All pairs of faces of two bodies that may be within a distance: the walk by distance, without a best one.

A pair is listed if the boxes of its faces, and their planes, allow it. So some pairs are farther apart, but none is missed.
All faces around the nearest points of two features are listed, since each of them is at least as near.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, step
from .._memory import INTS
from ..base.blocks import LEAF
from ..base.closest import corner, cross, dot, minus
from ..base.faces import placed_face
from ..base.walk import FULL, NEXT, walker
from .pair import begin, block_at, bound, boxes_apart, first_point, lay_out, wait

INF = math.inf

_SHARE = 4  # of the scratch: one part for the pairs


@inline
def _is_beyond(one, two, reach):
    """True if all corners of a face are farther than `reach` from the plane of another, on one side."""
    a = corner(one, 0)
    n = cross(minus(corner(one, 1), a), minus(corner(one, 2), a))
    far = reach * math.sqrt(dot(n, n))
    low, high = INF, -INF
    for k in range(3):
        h = dot(minus(corner(two, k), a), n)
        low, high = min(low, h), max(high, h)
    return low > far or high < -far


@inline
def _may_be_near(one, two, reach):
    """True if two faces may be within a distance."""
    for r in range(3):
        low = min(one[r], min(one[3 + r], one[6 + r]))
        high = max(one[r], max(one[3 + r], one[6 + r]))
        if min(two[r], min(two[3 + r], two[6 + r])) > high + reach or max(two[r], max(two[3 + r], two[6 + r])) < low - reach:
            return False
    return not _is_beyond(one, two, reach) and not _is_beyond(two, one, reach)


@inline
def _list_faces(task, p, i0, i1, q, j0, j1, found):
    """List the pairs of faces of two leaves; return what is found. p, q: first points of their blocks."""
    points, corners = task.points, task.geometry.corners
    reach, count, pairs = found
    first, second = task.geometry.shape_ints[task.shapes[0], at.FACE], task.geometry.shape_ints[task.shapes[1], at.FACE]
    for i in range(i0, i1):
        one = placed_face(points, p, corners, i)
        for j in range(j0, j1):
            if _may_be_near(one, placed_face(points, q, corners, j), reach + task.thick):
                if count < len(pairs):
                    pairs[count, 0], pairs[count, 1] = i - first, j - second
                count += 1
    return reach, count, pairs


@inline
def _leaf(task, pair, na, nb, key, next_key, found):
    """List the pairs of faces of two blocks."""
    leaves = task.leaves
    if not lay_out(task, 0, na) or not lay_out(task, 1, nb):
        return FULL, key, found
    if bound(task, pair, na, nb, key) >= found[0]:
        return NEXT, key, found
    k, i0, i1 = block_at(task, 0, na)
    m, j0, j1 = block_at(task, 1, nb)
    p, q = first_point(task, k), first_point(task, m)
    for a in range((i1 - i0 + LEAF - 1) // LEAF):
        for b in range((j1 - j0 + LEAF - 1) // LEAF):
            if boxes_apart(leaves, k, 6 * a, m, 6 * b) - task.thick < found[0]:
                i, j = i0 + a * LEAF, j0 + b * LEAF
                found = _list_faces(task, p, i, min(i1, i + LEAF), q, j, min(j1, j + LEAF), found)
    if found[1] > len(found[2]):
        return FULL, key, found
    return NEXT, key, found


_walk = walker(bound, _leaf, wait)


@step
def near_faces(geometry, shapes, places, reach, scratch, used):
    """List the pairs of faces that may be within `reach` [length] of each other, radii included.

    Return (verdict, pairs, count, the first number of the scratch behind them). pairs: faces of both, in block order from the
    first of their shape. verdict FULL: the scratch, free from `used` on, is too small. places: see `place_two`.
    """
    ints = geometry.shape_ints
    room = (len(scratch) - used) // (2 * _SHARE)
    listed = INTS(scratch, used, room, 2)
    none = (reach, np.int64(0), listed)
    if ints[shapes[0], at.FACES] == 0 or ints[shapes[1], at.FACES] == 0:
        return NEXT, listed, np.int64(0), used
    enough, task, pairs, heap = begin(geometry, shapes, places, 0.0, scratch, used + 2 * room)
    if not enough:
        return FULL, listed, np.int64(0), used
    verdict, found = _walk(task, ints, pairs, heap, -INF, none)
    return (FULL if verdict == FULL else NEXT), listed, found[1], used + 2 * found[1]
