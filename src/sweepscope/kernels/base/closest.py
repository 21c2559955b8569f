"""The nearest points of two faces that stand still, and the features on which they lie.

A face is a triangle, a segment or a point, with repeated corners. Its `rank` is the number of corners that differ. Nearest
points lie on two edges, or on a vertex and the inside of a face, unless an edge pierces a face. Features have numbers: 0..2 is
vertex k, 3..5 the edge from corner k to the next, 6 the face.

Ericson (2005), 5.1.9 for segments. The inside test uses the face's own normal: a face without area has no inside.
"""

import math

from .._jit import inline, step
from ..tolerances import SEGMENTS_PARALLEL_SQ

INF = math.inf


@inline
def corner(face, k):
    """Return corner k (0, 1 or 2) of a face given as nine numbers."""
    if k == 0:
        return face[0], face[1], face[2]
    if k == 1:
        return face[3], face[4], face[5]
    return face[6], face[7], face[8]


@inline
def dot(a, b):
    """Return the inner product of two triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def minus(a, b):
    """Return the difference of two triples."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inline
def _along(a, t, d):
    return a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]


@inline
def cross(a, b):
    """Return the cross product of two triples."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inline
def _unit_clamp(t):
    return min(1.0, max(0.0, t))


@inline
def segments(a, d, b, e):
    """Return (s, t) of the nearest points a + s d, b + t e of two segments, either of which may be a point."""
    r = minus(a, b)
    dd = dot(d, d)
    ee = dot(e, e)
    er = dot(e, r)
    dr = dot(d, r)
    if dd == 0.0 and ee == 0.0:
        return 0.0, 0.0
    if dd == 0.0:
        return 0.0, _unit_clamp(er / ee)
    if ee == 0.0:
        return _unit_clamp(-dr / dd), 0.0
    de = dot(d, e)
    n = cross(d, e)
    area_sq = dot(n, n)
    s = 0.0
    if area_sq > SEGMENTS_PARALLEL_SQ * dd * ee:
        s = _unit_clamp((de * er - dr * ee) / area_sq)
    t = (de * s + er) / ee
    if t < 0.0:
        return _unit_clamp(-dr / dd), 0.0
    if t > 1.0:
        return _unit_clamp((de - dr) / dd), 1.0
    return s, t


@inline
def _edge_feature(rank, k, s):
    """Return the feature at parameter s of edge k: the edge, or the vertex at an end."""
    if s <= 0.0 or rank == 1:
        return k
    if s >= 1.0:
        return (k + 1) % 3 if rank == 3 else 1
    return 3 + k


@inline
def _inside(p, a, d, e, n, n_sq):
    """Return whether p, which lies over the face (a, a + d, a + e), is over its inside."""
    r = minus(p, a)
    s = dot(cross(r, e), n)
    t = dot(cross(d, r), n)
    return s >= 0.0 and t >= 0.0 and s + t <= n_sq


@inline
def _edges(rank):
    return 3 if rank == 3 else 1


@step
def closest(mover, mover_rank, obstacle, obstacle_rank):
    """Return (distance squared, point on mover, point on obstacle, mover feature, obstacle feature)."""
    best = INF
    p_best = (0.0, 0.0, 0.0)
    q_best = (0.0, 0.0, 0.0)
    f_best = 0
    g_best = 0
    for i in range(_edges(mover_rank)):
        a = corner(mover, i)
        d = minus(corner(mover, (i + 1) % 3), a)
        for j in range(_edges(obstacle_rank)):
            b = corner(obstacle, j)
            e = minus(corner(obstacle, (j + 1) % 3), b)
            s, t = segments(a, d, b, e)
            p = _along(a, s, d)
            q = _along(b, t, e)
            r = minus(p, q)
            gap = dot(r, r)
            if gap < best:
                best = gap
                p_best = p
                q_best = q
                f_best = _edge_feature(mover_rank, i, s)
                g_best = _edge_feature(obstacle_rank, j, t)
    for side in range(2):
        flat = obstacle if side == 0 else mover
        other = mover if side == 0 else obstacle
        if (obstacle_rank if side == 0 else mover_rank) < 3:
            continue
        rank = mover_rank if side == 0 else obstacle_rank
        a = corner(flat, 0)
        d = minus(corner(flat, 1), a)
        e = minus(corner(flat, 2), a)
        n = cross(d, e)
        n_sq = dot(n, n)
        if n_sq == 0.0:
            continue
        for k in range(rank):
            p = corner(other, k)
            h = dot(minus(p, a), n)
            gap = h * h / n_sq
            if gap < best and _inside(p, a, d, e, n, n_sq):
                best = gap
                q = _along(p, -h / n_sq, n)
                if side == 0:
                    p_best = p
                    q_best = q
                    f_best = k
                    g_best = 6
                else:
                    p_best = q
                    q_best = p
                    f_best = 6
                    g_best = k
        # An edge that pierces the face: the distance is 0.
        for k in range(_edges(rank) if rank > 1 else 0):
            p = corner(other, k)
            r = minus(corner(other, (k + 1) % 3), p)
            h0 = dot(minus(p, a), n)
            h1 = h0 + dot(r, n)
            if (h0 <= 0.0 <= h1 or h1 <= 0.0 <= h0) and h0 != h1:
                q = _along(p, h0 / (h0 - h1), r)
                if best > 0.0 and _inside(q, a, d, e, n, n_sq):
                    best = 0.0
                    p_best = q
                    q_best = q
                    f_best = 3 + k if side == 0 else 6
                    g_best = 6 if side == 0 else 3 + k
    return best, p_best, q_best, f_best, g_best
