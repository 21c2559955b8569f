"""Are two bodies farther apart than a distance? A question that is far cheaper than their distance.

Two trees of boxes are opened together. The box of one node meets the eight boxes below the other at once (`base.groups`), first
in the frame of one body, then in that of the other. What is left are few leaves of LEAF faces; their faces are compared by
boxes, by planes, and last by nearest points. The first two faces within the distance end the walk: they are the answer.

A walk may be given a budget: whoever asks again about half of a motion asks an easier question. Degenerate cases: faces may be
segments or points. Error: boxes are widened by more than rounding; that of `base.closest` for faces.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, step
from .._memory import local
from ..base.blocks import FAN, LEAF
from ..base.closest import closest, cross, dot
from ..base.faces import local_face, rank_of
from ..base.hierarchy import lowest
from ..base.lanes import meeting_lanes
from ..tolerances import CLEARLY_INSIDE, CLEARLY_THROUGH, GRAIN

APART = -1.0  # farther apart than asked
LONG = -2.0  # the budget is spent

GROUP = 6 * FAN
DEEPEST = 2 * at.MOST_LEVELS * FAN * FAN
BELOW = -1  # level of a leaf

# Numbers of the second body in the frame of the first: rotation 9, offset 3, absolute values of the rotation 9.
_OFFSET = 9
_SIZES = 12
RELATION = 21
relation_space = local(np.float64, RELATION)
_stack = local(np.int64, DEEPEST, 4)


@inline
def relate(ones, a, others, b, relation, k):
    """Write the place of row b of `others` in the frame of row a of `ones` to relation[k:]; see `chain.PLACE`."""
    x, y, z = others[b, 9] - ones[a, 9], others[b, 10] - ones[a, 10], others[b, 11] - ones[a, 11]
    for r in range(3):
        for c in range(3):
            turned = ones[a, r] * others[b, c] + ones[a, 3 + r] * others[b, 3 + c] + ones[a, 6 + r] * others[b, 6 + c]
            relation[k + 3 * r + c] = turned
            relation[k + _SIZES + 3 * r + c] = abs(turned)
        relation[k + _OFFSET + r] = ones[a, r] * x + ones[a, 3 + r] * y + ones[a, 6 + r] * z


@inline
def into_first(m, k, x, y, z, u, v, w, wide):
    """Return the box, in the frame of the first body, around a box of the second: low 3, high 3. m[k:]: the relation."""
    x, y, z = (
        m[k] * x + m[k + 1] * y + m[k + 2] * z + m[k + 9],
        m[k + 3] * x + m[k + 4] * y + m[k + 5] * z + m[k + 10],
        m[k + 6] * x + m[k + 7] * y + m[k + 8] * z + m[k + 11],
    )
    u, v, w = (
        m[k + 12] * u + m[k + 13] * v + m[k + 14] * w + wide,
        m[k + 15] * u + m[k + 16] * v + m[k + 17] * w + wide,
        m[k + 18] * u + m[k + 19] * v + m[k + 20] * w + wide,
    )
    return x - u, y - v, z - w, x + u, y + v, z + w


@inline
def into_second(m, x, y, z, u, v, w, wide):
    """Return the box, in the frame of the second body, around a box of the first: low 3, high 3."""
    x, y, z = x - m[9], y - m[10], z - m[11]
    x, y, z = m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z
    u, v, w = (
        m[12] * u + m[15] * v + m[18] * w + wide,
        m[13] * u + m[16] * v + m[19] * w + wide,
        m[14] * u + m[17] * v + m[20] * w + wide,
    )
    return x - u, y - v, z - w, x + u, y + v, z + w


@inline
def box_of(geometry, groups, s, level, node):
    """Return the box of a node or a leaf: center 3, half widths 3."""
    ints = geometry.shape_ints
    if level >= 0:
        n, nodes = ints[s, at.NODE] + ints[s, at.OFFSET + level] + node, geometry.nodes
        return nodes[n, 0], nodes[n, 1], nodes[n, 2], nodes[n, 3], nodes[n, 4], nodes[n, 5]
    return _lane_of(groups, (ints[s, at.NODE] + node // FAN) * GROUP + node % FAN)


@inline
def _lane_of(groups, k):
    """Return a box of a group, whose first number is groups[k]: center 3, half widths 3."""
    x, y, z = groups[k], groups[k + FAN], groups[k + 2 * FAN]
    u, v, w = groups[k + 3 * FAN], groups[k + 4 * FAN], groups[k + 5 * FAN]
    return 0.5 * (x + u), 0.5 * (y + v), 0.5 * (z + w), 0.5 * (u - x), 0.5 * (v - y), 0.5 * (w - z)


@inline
def box_around(f, wide):
    """Return the box around a face, low 3 and high 3, widened."""
    return (
        min(f[0], min(f[3], f[6])) - wide,
        min(f[1], min(f[4], f[7])) - wide,
        min(f[2], min(f[5], f[8])) - wide,
        max(f[0], max(f[3], f[6])) + wide,
        max(f[1], max(f[4], f[7])) + wide,
        max(f[2], max(f[5], f[8])) + wide,
    )


@inline
def _is_outside(f, box):
    """True if a face does not meet a box."""
    apart = (min(f[0], min(f[3], f[6])) > box[3]) | (max(f[0], max(f[3], f[6])) < box[0])
    apart |= (min(f[1], min(f[4], f[7])) > box[4]) | (max(f[1], max(f[4], f[7])) < box[1])
    return apart | (min(f[2], min(f[5], f[8])) > box[5]) | (max(f[2], max(f[5], f[8])) < box[2])


@inline
def placed(m, f):
    """Return a face of the first body in the frame of the second."""
    a = _point_placed(m, f[0], f[1], f[2])
    b = _point_placed(m, f[3], f[4], f[5])
    c = _point_placed(m, f[6], f[7], f[8])
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inline
def _point_placed(m, x, y, z):
    x, y, z = x - m[9], y - m[10], z - m[11]
    return m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z


@inline
def normal_of(f):
    """Return the normal of a face, not a unit, and the square of its length; 0 without area."""
    n = cross((f[3] - f[0], f[4] - f[1], f[5] - f[2]), (f[6] - f[0], f[7] - f[1], f[8] - f[2]))
    return n, dot(n, n)


@inline
def _beyond(f, n, n_sq, g, wide_sq):
    """True if the plane of face f, with normal n, and a face g on one side of it are farther apart than the root of wide_sq."""
    base = n[0] * f[0] + n[1] * f[1] + n[2] * f[2]
    a = n[0] * g[0] + n[1] * g[1] + n[2] * g[2] - base
    b = n[0] * g[3] + n[1] * g[4] + n[2] * g[5] - base
    c = n[0] * g[6] + n[1] * g[7] + n[2] * g[8] - base
    least = max(min(a, min(b, c)), -max(a, max(b, c)))
    return (least > 0.0) & (least * least > wide_sq * n_sq)


@step
def _faces_near(geometry, groups, m, s, leaf, t, block, mask, wide, wide_sq):
    """Return (square of the gap, face, face) of two faces within `wide`, of a leaf of s and of leaves of a block of t.

    APART if there are none. mask: which leaves of the block. Faces are rows of `corners`.
    """
    ints, corners = geometry.shape_ints, geometry.corners
    f0, g0 = ints[s, at.FACE], ints[t, at.FACE]
    last = g0 + ints[t, at.FACES]
    group = (ints[t, at.NODE] + block) * GROUP
    for i in range(f0 + leaf * LEAF, min(f0 + ints[s, at.FACES], f0 + (leaf + 1) * LEAF)):
        f = placed(m, local_face(geometry, s, i - f0))
        box = box_around(f, wide)
        met = meeting_lanes(groups, group, FAN, box) & mask
        if met == 0:
            continue
        n, n_sq = normal_of(f)
        rank = rank_of(corners, i)
        while met:
            j0 = g0 + (block * FAN + lowest(met)) * LEAF
            met &= met - np.uint64(1)
            for j in range(j0, min(last, j0 + LEAF)):
                g = local_face(geometry, t, j - g0)
                if _is_outside(g, box) or _beyond(f, n, n_sq, g, wide_sq):
                    continue
                other, other_sq = normal_of(g)
                if _beyond(g, other, other_sq, f, wide_sq):
                    continue
                gap_sq = closest(f, rank, g, rank_of(corners, j))[0]
                if gap_sq <= wide_sq:
                    return gap_sq, np.int64(i), np.int64(j)
    return APART, np.int64(-1), np.int64(-1)


@step
def first_near(geometry, groups, s, ones, a, t, others, b, wide, budget):
    """Return (square of the gap, face, face) of two faces that are not farther apart than `wide` [length].

    APART instead of the square: there are none. LONG: the budget, a number of groups that are compared, is spent. s, t: shapes;
    row a of `ones` and row b of `others` are their places, see `chain.PLACE`. Radii do not count. Both shapes have faces; boxes
    and groups are up to date. Faces are rows of `corners`.
    """
    ints = geometry.shape_ints
    nothing = np.int64(-1)
    m = relation_space()
    relate(ones, a, others, b, m, 0)
    stack = _stack()
    la, lb = ints[s, at.LEVELS] - 1, ints[t, at.LEVELS] - 1
    top = box_of(geometry, groups, t, lb, 0)
    far = abs(m[9]) + abs(m[10]) + abs(m[11]) + abs(top[0]) + abs(top[1]) + abs(top[2]) + top[3] + top[4] + top[5]
    own = box_of(geometry, groups, s, la, 0)
    far += abs(own[0]) + abs(own[1]) + abs(own[2]) + own[3] + own[4] + own[5]
    reach = wide + GRAIN * (far + wide)
    wide_sq = wide * wide
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = la, 0, lb, 0
    depth = 1
    while depth > 0:
        depth -= 1
        la, na, lb, nb = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        if budget < 0:
            return LONG, nothing, nothing
        mask = np.uint64(1)
        if la >= 0:
            x, y, z, u, v, w = box_of(geometry, groups, t, lb, nb)
            row = ints[s, at.NODE] + ints[s, at.OFFSET + la] + na
            mask = meeting_lanes(groups, row * GROUP, FAN, into_first(m, 0, x, y, z, u, v, w, reach))
            budget -= 1
        while mask:
            lane = lowest(mask)
            mask &= mask - np.uint64(1)
            # What is below a leaf is the leaf itself.
            child = na * FAN + lane if la >= 0 else na
            x, y, z, u, v, w = box_of(geometry, groups, s, max(la - 1, BELOW), child)
            box = into_second(m, x, y, z, u, v, w, reach)
            if lb >= 0:
                row = ints[t, at.NODE] + ints[t, at.OFFSET + lb] + nb
                below = meeting_lanes(groups, row * GROUP, FAN, box)
                budget -= 1
            else:
                row = ints[t, at.NODE] + nb // FAN
                below = meeting_lanes(groups, row * GROUP, FAN, box) & (np.uint64(1) << np.uint64(nb % FAN))
            if la <= 0 and lb <= 0:
                if below:
                    block = nb if lb == 0 else nb // FAN
                    gap_sq, i, j = _faces_near(geometry, groups, m, s, child, t, block, below, reach, wide_sq)
                    if gap_sq >= 0.0:
                        return gap_sq, i, j
                    budget -= 1
                continue
            while below:
                lane = lowest(below)
                below &= below - np.uint64(1)
                stack[depth, 0], stack[depth, 1] = max(la - 1, BELOW), child
                stack[depth, 2] = max(lb - 1, BELOW)
                stack[depth, 3] = nb * FAN + lane if lb >= 0 else nb
                depth += 1
    return APART, nothing, nothing


@inline
def _pierces(f, n, g, sizes):
    """True if an edge of face g goes clearly through the inside of face f. sizes [length]: clearly is a share of it."""
    n_sq = dot(n, n)
    least = CLEARLY_THROUGH * sizes * math.sqrt(n_sq)
    d = f[3] - f[0], f[4] - f[1], f[5] - f[2]
    e = f[6] - f[0], f[7] - f[1], f[8] - f[2]
    found = False
    for k in range(3):
        if k == 0:
            p, r = (g[0], g[1], g[2]), (g[3], g[4], g[5])
        elif k == 1:
            p, r = (g[3], g[4], g[5]), (g[6], g[7], g[8])
        else:
            p, r = (g[6], g[7], g[8]), (g[0], g[1], g[2])
        h = dot((p[0] - f[0], p[1] - f[1], p[2] - f[2]), n)
        o = dot((r[0] - f[0], r[1] - f[1], r[2] - f[2]), n)
        if min(h, o) < -least and max(h, o) > least:
            c = h / (h - o)
            x = (
                p[0] + c * (r[0] - p[0]) - f[0],
                p[1] + c * (r[1] - p[1]) - f[1],
                p[2] + c * (r[2] - p[2]) - f[2],
            )
            y, z = dot(cross(x, e), n), dot(cross(d, x), n)
            found |= min(y, min(z, n_sq - y - z)) > CLEARLY_INSIDE * n_sq
    return found


@step
def clearly_cross(geometry, s, ones, a, i, t, others, b, j, sizes):
    """True if two faces, rows of `corners`, go through each other by far more than rounding. Other arguments: `first_near`."""
    ints, corners = geometry.shape_ints, geometry.corners
    if rank_of(corners, i) < 3 or rank_of(corners, j) < 3:
        return False
    m = relation_space()
    relate(ones, a, others, b, m, 0)
    f = placed(m, local_face(geometry, s, i - ints[s, at.FACE]))
    g = local_face(geometry, t, j - ints[t, at.FACE])
    n, n_sq = normal_of(f)
    other, other_sq = normal_of(g)
    if n_sq == 0.0 or other_sq == 0.0:
        return False
    return _pierces(f, n, g, sizes) or _pierces(g, other, f, sizes)


@inline
def may_hold(geometry, s, ones, a, t, others, b):
    """False if the first body is surely not inside the second: its box is not inside that of the second."""
    reals = geometry.shape_reals
    m = relation_space()
    relate(ones, a, others, b, m, 0)
    x, y, z, u, v, w = _own_box(reals, t)
    far = abs(m[9]) + abs(m[10]) + abs(m[11]) + abs(x) + abs(y) + abs(z) + u + v + w
    box = into_first(m, 0, x, y, z, u, v, w, reals[t, at.RADIUS] + GRAIN * far)
    held = True
    for r in range(3):
        held &= (box[r] <= reals[s, at.BOX_LOW + r]) & (box[3 + r] >= reals[s, at.BOX_HIGH + r])
    return held


@inline
def _own_box(reals, s):
    """Return the box of a shape without its radius: center 3, half widths 3."""
    return (
        0.5 * (reals[s, at.BOX_LOW] + reals[s, at.BOX_HIGH]),
        0.5 * (reals[s, at.BOX_LOW + 1] + reals[s, at.BOX_HIGH + 1]),
        0.5 * (reals[s, at.BOX_LOW + 2] + reals[s, at.BOX_HIGH + 2]),
        0.5 * (reals[s, at.BOX_HIGH] - reals[s, at.BOX_LOW]),
        0.5 * (reals[s, at.BOX_HIGH + 1] - reals[s, at.BOX_LOW + 1]),
        0.5 * (reals[s, at.BOX_HIGH + 2] - reals[s, at.BOX_LOW + 2]),
    )
