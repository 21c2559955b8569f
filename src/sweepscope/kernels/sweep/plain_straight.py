"""The faces of two blocks in a plain sweep along a line. Placements are kept in registers, and bounds of leaves in float32.

A float32 bound is widened by far more than its rounding, so it holds. What it lets through is placed and decided in float64,
with the numbers of `walk`.
"""

import numpy as np

from .. import layout as at
from .._jit import inline
from .._memory import local
from ..base.blocks import BLOCK, LEAF
from ..base.faces import rank_of
from ..base.walk import SHAPES, SLOTS
from ..charts.slots import SLACK, WIDE
from ..contact.case import Two
from ..contact.straight import plain_contact
from ..tolerances import SINGLE_LEAST, SINGLE_WIDENING

_single = np.float32
_LEAVES = BLOCK // LEAF

_leaf_boxes = local(np.float32, _LEAVES, 6)  # middles and half widths
_leaf_faces = local(np.float64, LEAF, 9)
_leaf_bounds = local(np.float64, LEAF, 5)  # u range, v range, least w


@inline
def _place_of(slots, k):
    """Return placement row k as numbers."""
    return (
        slots[k, 0], slots[k, 1], slots[k, 2], slots[k, 3], slots[k, 4], slots[k, 5], slots[k, 6], slots[k, 7], slots[k, 8],
        slots[k, 9], slots[k, 10], slots[k, 11],
    )  # fmt: skip


@inline
def _in_single(p):
    return (
        _single(p[0]), _single(p[1]), _single(p[2]), _single(p[3]), _single(p[4]), _single(p[5]), _single(p[6]), _single(p[7]),
        _single(p[8]), _single(p[9]), _single(p[10]), _single(p[11]),
    )  # fmt: skip


@inline
def _box(leaves, row, p, wide):
    """Return the middle 3 and half widths 3 of a leaf in the chart."""
    x = _single(leaves[row, 0])
    y = _single(leaves[row, 1])
    z = _single(leaves[row, 2])
    a = _single(leaves[row, 3])
    b = _single(leaves[row, 4])
    c = _single(leaves[row, 5])
    return (
        p[0] * x + p[1] * y + p[2] * z + p[9],
        p[3] * x + p[4] * y + p[5] * z + p[10],
        p[6] * x + p[7] * y + p[8] * z + p[11],
        abs(p[0]) * a + abs(p[1]) * b + abs(p[2]) * c + wide,
        abs(p[3]) * a + abs(p[4]) * b + abs(p[5]) * c + wide,
        abs(p[6]) * a + abs(p[7]) * b + abs(p[8]) * c + wide,
    )


@inline
def _point(points, row, p):
    x = points[row, 0]
    y = points[row, 1]
    z = points[row, 2]
    return (
        p[0] * x + p[1] * y + p[2] * z + p[9],
        p[3] * x + p[4] * y + p[5] * z + p[10],
        p[6] * x + p[7] * y + p[8] * z + p[11],
    )


@inline
def _face(points, row, p):
    a = _point(points, 3 * row, p)
    b = _point(points, 3 * row + 1, p)
    c = _point(points, 3 * row + 2, p)
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inline
def _least(face, c):
    return min(face[c], min(face[3 + c], face[6 + c]))


@inline
def _most(face, c):
    return max(face[c], max(face[3 + c], face[6 + c]))


@inline
def meet_straight(task, pair, na, nb, found):
    """Test the faces of two blocks. Return (whether they decide, found)."""
    case, flat, slots = task.case, task.flat, task.case.slots
    shape_ints, corners = case.geometry.shape_ints, case.geometry.corners
    a, b = case.pairs[pair, SLOTS], case.pairs[pair, SLOTS + 1]
    sa, sb = case.pairs[pair, SHAPES], case.pairs[pair, SHAPES + 1]
    first_a = shape_ints[sa, at.NODE] * BLOCK
    first_b = shape_ints[sb, at.NODE] * BLOCK
    i0 = na * BLOCK
    j0 = nb * BLOCK
    i1 = min(shape_ints[sa, at.FACES], i0 + BLOCK)
    j1 = min(shape_ints[sb, at.FACES], j0 + BLOCK)
    place_a = _place_of(slots, a)
    place_b = _place_of(slots, b)
    single_a = _in_single(place_a)
    single_b = _in_single(place_b)
    both = slots[a, WIDE] + slots[b, WIDE]
    wide = _single(both + SINGLE_WIDENING * (slots[a, SLACK] + slots[b, SLACK]) + SINGLE_LEAST)
    best = found[0]
    boxes = _leaf_boxes()
    none = _single(0.0)
    for i in range(i0, i1, LEAF):
        box = _box(flat.leaves, (first_a + i) // LEAF, single_a, none)
        for c in range(6):
            boxes[(i - i0) // LEAF, c] = box[c]
    faces = _leaf_faces()
    bounds = _leaf_bounds()
    for j in range(j0, j1, LEAF):
        other = _box(flat.leaves, (first_b + j) // LEAF, single_b, wide)
        j2 = min(j + LEAF, j1)
        placed = False
        for i in range(i0, i1, LEAF):
            row = (i - i0) // LEAF
            if (
                abs(other[0] - boxes[row, 0]) > other[3] + boxes[row, 3]
                or abs(other[1] - boxes[row, 1]) > other[4] + boxes[row, 4]
            ):
                continue
            far = other[2] - boxes[row, 2]
            deep = other[5] + boxes[row, 5]
            if far < -deep or far - deep >= best:
                continue
            if not placed:
                placed = True
                for y in range(j, j2):
                    face = _face(flat.points, first_b + y, place_b)
                    for c in range(9):
                        faces[y - j, c] = face[c]
                    bounds[y - j, 0] = _least(face, 0) - both
                    bounds[y - j, 1] = _most(face, 0) + both
                    bounds[y - j, 2] = _least(face, 1) - both
                    bounds[y - j, 3] = _most(face, 1) + both
                    bounds[y - j, 4] = _least(face, 2) - both
            for x in range(i, min(i + LEAF, i1)):
                face = _face(flat.points, first_a + x, place_a)
                u0 = _least(face, 0)
                u1 = _most(face, 0)
                v0 = _least(face, 1)
                v1 = _most(face, 1)
                w1 = _most(face, 2)
                for q in range(j2 - j):
                    if (
                        bounds[q, 0] > u1
                        or bounds[q, 1] < u0
                        or bounds[q, 2] > v1
                        or bounds[q, 3] < v0
                        or bounds[q, 4] - w1 >= best
                    ):
                        continue
                    met = (
                        faces[q, 0], faces[q, 1], faces[q, 2], faces[q, 3], faces[q, 4], faces[q, 5], faces[q, 6], faces[q, 7],
                        faces[q, 8],
                    )  # fmt: skip
                    y = j + q
                    ranks = (
                        rank_of(corners, shape_ints[sa, at.FACE] + x),
                        rank_of(corners, shape_ints[sb, at.FACE] + y),
                    )
                    rows = (0, 0, 0)
                    two = Two(pair, (a, b), (sa, sb), (face, met), ranks, (x, y), (rows, rows))
                    t, normal, decides = plain_contact(case, two, best, None)
                    if not decides:
                        return False, found
                    if t < best:
                        best = t
                        found = (t, pair, x, y, normal, met)
    return True, found
