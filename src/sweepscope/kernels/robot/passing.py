"""Do two bodies stay apart while both move? A proof for a piece of a motion, from where they are at both ends of it.

Seen from the first body, each point of the second moves along a curve. It is never farther from its chord than a bound: an
eighth of the largest acceleration times the time squared. So the second body lies in the hull of its two places, widened by the
bound. Boxes and faces are compared with that hull: in the frame of the first body, in that of the second at the begin, and
along normals and nearest points of faces. A motion along a surface is as easy to prove as one away from it.

Two trees of boxes are opened together, as in `apart`. The first two faces that no plane separates end the walk. A walk has a
budget, since half of a motion is easier to prove. Degenerate cases: faces may be segments or points. Error: boxes are widened
by more than rounding.
"""

from typing import Any

import numpy as np

from .. import layout as at
from .._jit import inline, step
from .._memory import local
from ..base.blocks import FAN, LEAF
from ..base.closest import closest, cross, dot, minus
from ..base.faces import local_face, rank_of
from ..base.hierarchy import lowest
from ..base.lanes import meeting_lanes
from ..tolerances import GRAIN, MOTION_EDGES_SQ
from .apart import (
    BELOW,
    DEEPEST,
    GROUP,
    RELATION,
    box_around,
    box_of,
    into_first,
    into_second,
    normal_of,
    placed,
    relate,
)

Array = np.ndarray[Any, Any]

STAYS_APART = 0
NEAR = 1  # two faces are not separated
LONG = 2  # the budget is spent

# Numbers of a motion: the relation at its begin, that at its end, and how a point of the second body moves between them, in the
# frame of that body at the begin: a matrix 9 and a vector 3.
_END = RELATION
_MATRIX = 2 * RELATION
_VECTOR = _MATRIX + 9
_motion = local(np.float64, _VECTOR + 3)
_stack = local(np.int64, DEEPEST, 4)


@inline
def _relate_both(ones, a0, a1, others, b0, b1, m):
    """Write the places of rows of `others` in the frames of rows of `ones` at the begin, at the end, and what is between."""
    relate(ones, a0, others, b0, m, 0)
    relate(ones, a1, others, b1, m, _END)
    for c in range(3):
        x, y, z = m[_END + c] - m[c], m[_END + 3 + c] - m[3 + c], m[_END + 6 + c] - m[6 + c]
        m[_MATRIX + c] = m[0] * x + m[3] * y + m[6] * z
        m[_MATRIX + 3 + c] = m[1] * x + m[4] * y + m[7] * z
        m[_MATRIX + 6 + c] = m[2] * x + m[5] * y + m[8] * z
    x, y, z = m[_END + 9] - m[9], m[_END + 10] - m[10], m[_END + 11] - m[11]
    m[_VECTOR] = m[0] * x + m[3] * y + m[6] * z
    m[_VECTOR + 1] = m[1] * x + m[4] * y + m[7] * z
    m[_VECTOR + 2] = m[2] * x + m[5] * y + m[8] * z


@inline
def _hull_in_first(m, box, wide):
    """Return the box, in the frame of the first body, around a box of the second at both ends: low 3, high 3."""
    a, b, c, d, e, f = into_first(m, 0, box[0], box[1], box[2], box[3], box[4], box[5], wide)
    u, v, w, x, y, z = into_first(m, _END, box[0], box[1], box[2], box[3], box[4], box[5], wide)
    return min(a, u), min(b, v), min(c, w), max(d, x), max(e, y), max(f, z)


@inline
def _moves(m, box):
    """Return how far points of a box of the second body move, in its frame at the begin: least 3, at most 0; most 3."""
    x, y, z, u, v, w = box
    k = _MATRIX
    a = m[k] * x + m[k + 1] * y + m[k + 2] * z + m[_VECTOR]
    b = m[k + 3] * x + m[k + 4] * y + m[k + 5] * z + m[_VECTOR + 1]
    c = m[k + 6] * x + m[k + 7] * y + m[k + 8] * z + m[_VECTOR + 2]
    d = abs(m[k]) * u + abs(m[k + 1]) * v + abs(m[k + 2]) * w
    e = abs(m[k + 3]) * u + abs(m[k + 4]) * v + abs(m[k + 5]) * w
    f = abs(m[k + 6]) * u + abs(m[k + 7]) * v + abs(m[k + 8]) * w
    return min(a - d, 0.0), min(b - e, 0.0), min(c - f, 0.0), max(a + d, 0.0), max(b + e, 0.0), max(c + f, 0.0)


@inline
def _against(box, moves):
    """Return a box, extended so that it meets what would meet it on the way."""
    return (
        box[0] - moves[3],
        box[1] - moves[4],
        box[2] - moves[5],
        box[3] - moves[0],
        box[4] - moves[1],
        box[5] - moves[2],
    )


@inline
def _point_moved(m, x, y, z):
    k = _MATRIX
    return (
        x + (m[k] * x + m[k + 1] * y + m[k + 2] * z + m[_VECTOR]),
        y + (m[k + 3] * x + m[k + 4] * y + m[k + 5] * z + m[_VECTOR + 1]),
        z + (m[k + 6] * x + m[k + 7] * y + m[k + 8] * z + m[_VECTOR + 2]),
    )


@inline
def _face_moved(m, f):
    """Return a face of the second body at the end."""
    a = _point_moved(m, f[0], f[1], f[2])
    b = _point_moved(m, f[3], f[4], f[5])
    c = _point_moved(m, f[6], f[7], f[8])
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inline
def _heights(n, f):
    """Return the least and the greatest height of a face along n."""
    a = n[0] * f[0] + n[1] * f[1] + n[2] * f[2]
    b = n[0] * f[3] + n[1] * f[4] + n[2] * f[5]
    c = n[0] * f[6] + n[1] * f[7] + n[2] * f[8]
    return min(a, min(b, c)), max(a, max(b, c))


@inline
def _separates(n, n_sq, f, g, h, wide):
    """True if planes across n, with length squared n_sq, keep f farther than `wide` from both g and h, on the same side.

    wide below 0: they may be so far beyond each other.
    """
    low, high = _heights(n, f)
    a, b = _heights(n, g)
    c, d = _heights(n, h)
    gap = max(min(a, c) - high, low - max(b, d))
    return gap * abs(gap) > wide * abs(wide) * n_sq


@inline
def _size_sq(f):
    """Return the square of the length of two edges of a face."""
    a, b = (f[3] - f[0], f[4] - f[1], f[5] - f[2]), (f[6] - f[0], f[7] - f[1], f[8] - f[2])
    return dot(a, a) + dot(b, b)


@step
def _edges_separate(f, g, h, between, wide):
    """True if planes along an edge of f and one of `between` separate faces as in `_separates`."""
    for i in range(0, 9, 3):
        k = (i + 3) % 9
        a = f[k] - f[i], f[k + 1] - f[i + 1], f[k + 2] - f[i + 2]
        for j in range(0, 9, 3):
            m = (j + 3) % 9
            n = cross(a, (between[m] - between[j], between[m + 1] - between[j + 1], between[m + 2] - between[j + 2]))
            if _separates(n, dot(n, n), f, g, h, wide):
                return True
    return False


@step
def faces_stay_apart(f, f_rank, g, h, g_rank, wide):
    """True if a face f is farther than `wide` from a face that moves from g to h, all on the way."""
    n, n_sq = normal_of(f)
    if _separates(n, n_sq, f, g, h, wide):
        return True
    n, n_sq = normal_of(g)
    if _separates(n, n_sq, f, g, h, wide):
        return True
    between = (
        0.5 * (g[0] + h[0]),
        0.5 * (g[1] + h[1]),
        0.5 * (g[2] + h[2]),
        0.5 * (g[3] + h[3]),
        0.5 * (g[4] + h[4]),
        0.5 * (g[5] + h[5]),
        0.5 * (g[6] + h[6]),
        0.5 * (g[7] + h[7]),
        0.5 * (g[8] + h[8]),
    )
    gap_sq, p, q, _, _ = closest(f, f_rank, between, g_rank)
    if gap_sq > 0.0 and _separates(minus(q, p), gap_sq, f, g, h, wide):
        return True
    return gap_sq < MOTION_EDGES_SQ * (_size_sq(f) + _size_sq(g)) and _edges_separate(f, g, h, between, wide)


@inline
def _hull_of(g, h):
    """Return the box around two faces: low 3, high 3."""
    return (
        min(min(g[0], min(g[3], g[6])), min(h[0], min(h[3], h[6]))),
        min(min(g[1], min(g[4], g[7])), min(h[1], min(h[4], h[7]))),
        min(min(g[2], min(g[5], g[8])), min(h[2], min(h[5], h[8]))),
        max(max(g[0], max(g[3], g[6])), max(h[0], max(h[3], h[6]))),
        max(max(g[1], max(g[4], g[7])), max(h[1], max(h[4], h[7]))),
        max(max(g[2], max(g[5], g[8])), max(h[2], max(h[5], h[8]))),
    )


@inline
def _boxes_meet(a, b):
    met = (a[0] <= b[3]) & (b[0] <= a[3]) & (a[1] <= b[4]) & (b[1] <= a[4])
    return met & (a[2] <= b[5]) & (b[2] <= a[5])


@step
def _faces_near(geometry, groups, m, s, leaf, t, block, mask, moves, wide):
    """Return two faces, of a leaf of s and of leaves of a block of t, that are not separated; -1 if all are.

    mask: which leaves of the block. moves: how far its points move.
    """
    ints, corners = geometry.shape_ints, geometry.corners
    f0, g0 = ints[s, at.FACE], ints[t, at.FACE]
    last = g0 + ints[t, at.FACES]
    group = (ints[t, at.NODE] + block) * GROUP
    for i in range(f0 + leaf * LEAF, min(f0 + ints[s, at.FACES], f0 + (leaf + 1) * LEAF)):
        f = placed(m, local_face(geometry, s, i - f0))
        own = box_around(f, wide)
        met = meeting_lanes(groups, group, FAN, _against(own, moves)) & mask
        rank = rank_of(corners, i)
        while met:
            j0 = g0 + (block * FAN + lowest(met)) * LEAF
            met &= met - np.uint64(1)
            for j in range(j0, min(last, j0 + LEAF)):
                g = local_face(geometry, t, j - g0)
                h = _face_moved(m, g)
                if not _boxes_meet(own, _hull_of(g, h)):
                    continue
                if not faces_stay_apart(f, rank, g, h, rank_of(corners, j), wide):
                    return np.int64(i), np.int64(j)
    return np.int64(-1), np.int64(-1)


@inline
def _slack(m, own, top):
    """Return how large coordinates are."""
    far = abs(m[9]) + abs(m[10]) + abs(m[11]) + abs(m[_END + 9]) + abs(m[_END + 10]) + abs(m[_END + 11])
    far += abs(top[0]) + abs(top[1]) + abs(top[2]) + top[3] + top[4] + top[5]
    return far + abs(own[0]) + abs(own[1]) + abs(own[2]) + own[3] + own[4] + own[5]


@step
def stay_apart(geometry, groups, s, ones, a0, a1, t, others, b0, b1, wide, i, j, budget):
    """Return (status, face, face): whether two bodies stay farther apart than `wide` [length] between two moments.

    s, t: shapes, with faces; boxes and groups are up to date. Their places, see `chain.PLACE`: rows a0 of `ones` and b0 of
    `others` at the begin, a1 and b1 at the end. wide: with radii, and with how far a point of the second body can be from its
    chord, in the frame of the first; below 0, faces may come into each other by as much. i, j: faces that are tried first; -1:
    none. Faces are rows of `corners`. Status: STAYS_APART; NEAR, with two faces that are not separated; or LONG: the budget, a
    number of groups that are compared, is spent.
    """
    ints = geometry.shape_ints
    nothing = np.int64(-1)
    m = _motion()
    _relate_both(ones, a0, a1, others, b0, b1, m)
    la, lb = ints[s, at.LEVELS] - 1, ints[t, at.LEVELS] - 1
    wide += GRAIN * (_slack(m, box_of(geometry, groups, s, la, 0), box_of(geometry, groups, t, lb, 0)) + wide)
    if i >= 0:
        f = placed(m, local_face(geometry, s, i - ints[s, at.FACE]))
        g = local_face(geometry, t, j - ints[t, at.FACE])
        corners = geometry.corners
        if not faces_stay_apart(f, rank_of(corners, i), g, _face_moved(m, g), rank_of(corners, j), wide):
            return NEAR, i, j
    stack = _stack()
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = la, 0, lb, 0
    depth = 1
    while depth > 0:
        depth -= 1
        la, na, lb, nb = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        if budget < 0:
            return LONG, nothing, nothing
        own = box_of(geometry, groups, t, lb, nb)
        moves = _moves(m, own)
        mask = np.uint64(1)
        if la >= 0:
            row = ints[s, at.NODE] + ints[s, at.OFFSET + la] + na
            mask = meeting_lanes(groups, row * GROUP, FAN, _hull_in_first(m, own, wide))
            budget -= 1
        while mask:
            lane = lowest(mask)
            mask &= mask - np.uint64(1)
            # What is below a leaf is the leaf itself.
            child = na * FAN + lane if la >= 0 else na
            x, y, z, u, v, w = box_of(geometry, groups, s, max(la - 1, BELOW), child)
            box = _against(into_second(m, x, y, z, u, v, w, wide), moves)
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
                    i, j = _faces_near(geometry, groups, m, s, child, t, block, below, moves, wide)
                    if i >= 0:
                        return NEAR, i, j
                    budget -= 1
                continue
            while below:
                lane = lowest(below)
                below &= below - np.uint64(1)
                stack[depth, 0], stack[depth, 1] = max(la - 1, BELOW), child
                stack[depth, 2] = max(lb - 1, BELOW)
                stack[depth, 3] = nb * FAN + lane if lb >= 0 else nb
                depth += 1
    return STAYS_APART, nothing, nothing
