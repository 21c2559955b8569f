"""A ray and a face with a radius: the first place at which a ball of that radius, moved along the ray, touches the face.

A face with a radius is the union of what lies below its two shifted planes, of a barrel around each edge, and of a ball around
each corner. The ball enters the union where it first enters one of them. Each is solved from the nearest point of the ray, so
that a far origin costs no more digits than its coordinates (Haines et al. 2019, "Precision improvements for ray/sphere
intersection").

Degenerate cases: segments, points and triangles without area have barrels and balls alone. A ball that is that near at the
start is at distance 0.
"""

import math

from .._jit import inline, step
from ..base.closest import corner, cross, dot, minus
from ..tolerances import GRAIN

INF = math.inf


@inline
def _ball(p, d, radius):
    """Return where a ray from p, relative to the center of a ball, enters it; infinite if it does not."""
    along = -dot(p, d)
    q = p[0] + along * d[0], p[1] + along * d[1], p[2] + along * d[2]
    left = radius * radius - dot(q, q)
    if along < 0.0 or left < 0.0:
        return INF
    return along - math.sqrt(left)


@inline
def _barrel(p, d, e, length, radius, least):
    """Return where a ray from p, relative to the begin of an edge, enters its barrel, not before `least`. e: unit, along it."""
    de, pe = dot(d, e), dot(p, e)
    across = d[0] - de * e[0], d[1] - de * e[1], d[2] - de * e[2]
    speed_sq = dot(across, across)
    if speed_sq == 0.0:
        return INF
    off = p[0] - pe * e[0], p[1] - pe * e[1], p[2] - pe * e[2]
    along = -dot(off, across) / speed_sq
    q = off[0] + along * across[0], off[1] + along * across[1], off[2] + along * across[2]
    left = radius * radius - dot(q, q)
    if along < 0.0 or left < 0.0:
        return INF
    t = along - math.sqrt(left / speed_sq)
    height = pe + t * de
    return t if t >= least and 0.0 <= height <= length else INF


@inline
def _plane(p, d, a, e, f, n, n_sq, radius, least):
    """Return where a ball enters the space above a triangle (a, a + e, a + f) with the normal n, not before `least`."""
    size = math.sqrt(n_sq)
    off = minus(p, a)
    height, speed = dot(off, n) / size, dot(d, n) / size
    if height < 0.0:
        height, speed = -height, -speed
    if speed >= 0.0:
        return INF
    t = (height - radius) / -speed
    q = off[0] + t * d[0], off[1] + t * d[1], off[2] + t * d[2]
    # The height of q does not count: it is along n.
    s, u = dot(cross(q, f), n), dot(cross(e, q), n)
    return t if t >= least and s >= 0.0 and u >= 0.0 and s + u <= n_sq else INF


@inline
def _share(p, a, b):
    """Return how far along the segment from a to b the point nearest to p is, 0 to 1."""
    e = minus(b, a)
    e_sq = dot(e, e)
    return min(1.0, max(0.0, dot(minus(p, a), e) / e_sq)) if e_sq > 0.0 else 0.0


@inline
def place_on(face, weights):
    """Return the point of a face with these weights of its corners."""
    u, v, w = weights
    return (
        u * face[0] + v * face[3] + w * face[6],
        u * face[1] + v * face[4] + w * face[7],
        u * face[2] + v * face[5] + w * face[8],
    )


@step
def nearest_weights(face, rank, p):
    """Return the weights of the corners at the point of a face that is nearest to p, and the squared distance.

    rank: how many corners differ.
    """
    a = corner(face, 0)
    if rank == 3:
        e, f, off = minus(corner(face, 1), a), minus(corner(face, 2), a), minus(p, a)
        n = cross(e, f)
        n_sq = dot(n, n)
        v, w = dot(cross(off, f), n), dot(cross(e, off), n)
        if n_sq > 0.0 and v >= 0.0 and w >= 0.0 and v + w <= n_sq:
            height = dot(off, n)
            v, w = v / n_sq, w / n_sq
            return (1.0 - v - w, v, w), height * height / n_sq
    best, weights = INF, (1.0, 0.0, 0.0)
    for k in range(3 if rank == 3 else 1):
        b, c = corner(face, k), corner(face, (k + 1) % 3)
        s = _share(p, b, c)
        gap = p[0] - b[0] - s * (c[0] - b[0]), p[1] - b[1] - s * (c[1] - b[1]), p[2] - b[2] - s * (c[2] - b[2])
        gap_sq = dot(gap, gap)
        if gap_sq < best:
            best = gap_sq
            weights = (1.0 - s, s, 0.0) if k == 0 else (0.0, 1.0 - s, s) if k == 1 else (s, 0.0, 1.0 - s)
    return weights, best


@inline
def _size(p, face):
    """Return the greatest coordinate of a point and of the corners of a face."""
    size = max(abs(p[0]), max(abs(p[1]), abs(p[2])))
    for k in range(3):
        a = corner(face, k)
        size = max(size, max(abs(a[0]), max(abs(a[1]), abs(a[2]))))
    return size


@step
def meet_thick(face, rank, p, d, radius):
    """Return how far a ball goes from p along d, a unit vector, until it touches a face; infinite if it does not."""
    _, gap_sq = nearest_weights(face, rank, p)
    if gap_sq <= radius * radius:
        return 0.0
    # Before the start the ball may have been in a barrel, and have left it at its end. Only if it touches, rounding counts.
    gap = math.sqrt(gap_sq)
    least = -INF if gap - radius <= GRAIN * (gap + radius + _size(p, face)) else 0.0
    best = INF
    for k in range(rank):
        a = corner(face, k)
        off = minus(p, a)
        best = min(best, _ball(off, d, radius))
        if rank == 3 or (rank == 2 and k == 0):
            e = minus(corner(face, (k + 1) % 3), a)
            length = math.sqrt(dot(e, e))
            if length > 0.0:
                best = min(best, _barrel(off, d, (e[0] / length, e[1] / length, e[2] / length), length, radius, least))
    if rank == 3:
        a = corner(face, 0)
        e, f = minus(corner(face, 1), a), minus(corner(face, 2), a)
        n = cross(e, f)
        n_sq = dot(n, n)
        if n_sq > 0.0:
            best = min(best, _plane(p, d, a, e, f, n, n_sq, radius, least))
    return max(0.0, best)
