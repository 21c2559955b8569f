"""How points move on orbits about an axis, and how long a plane keeps two faces apart meanwhile.

Coordinates are those of the helical chart's frame: x away from the axis, y along the motion, z along the axis, measured from
the movers' middle, which is `arm` away from the axis. A turn by t and its slide, pitch * t, carry a point without the loss of a
digit however long the arm: in the limit of no turn it is a translation along y and z.

A plane that separates two faces does so until a corner has come through it. How far a corner is above the plane is a sinusoid
of t (plus a line): with its value, its rate and a bound of its bend, the parabola below it tells how long it stays there, for
certain. Planes may stand still, move with the mover, or be spanned by an edge of each: with the right one the steps converge as
Newton's do, and no step is ever too long. After Tang, Kim & Manocha (2009), who bound the same distances by speeds alone.
"""

import math

from ._jit import inline, step
from .closest import closest, corner, cross, dot, minus

INF = math.inf
_FLAT = 1e-8  # sine of the angle below which two edges span no plane of use


@inline
def turned(t):
    """Return (sine, 1 - cosine) of an angle; the second keeps its digits for small angles."""
    half = math.sin(0.5 * t)
    return math.sin(t), 2.0 * half * half


@inline
def carry(way, t, s, r, x, y, z):
    """Return a point after a turn by t with (s, r) = turned(t)."""
    far = way[0] + x
    return x - far * r - y * s, y + far * s - y * r, z + way[1] * t


@inline
def turn_back(s, r, x, y, z):
    """Return a direction before the turn with (s, r) = turned(t)."""
    return x - x * r + y * s, y - x * s - y * r, z


@inline
def turn_on(s, r, x, y, z):
    """Return a direction after the turn with (s, r) = turned(t)."""
    return x - x * r - y * s, y + x * s - y * r, z


@inline
def carry_back(way, t, s, r, x, y, z):
    """Return the point that `carry` takes to (x, y, z)."""
    far = way[0] + x
    return x - far * r + y * s, y - far * s - y * r, z - way[1] * t


@inline
def carry_face(way, t, face):
    """Return a face after a turn by t."""
    s, r = turned(t)
    a = carry(way, t, s, r, face[0], face[1], face[2])
    b = carry(way, t, s, r, face[3], face[4], face[5])
    c = carry(way, t, s, r, face[6], face[7], face[8])
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inline
def radius(way, p):
    """Return how far a point is from the axis."""
    far = way[0] + p[0]
    return math.sqrt(far * far + p[1] * p[1])


@inline
def across(a):
    """Return the length of a direction's part across the axis."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1])


@inline
def stays(height, rate, bend):
    """Return for how long a function that begins at `height` >= 0 with `rate` and bends by at most `bend` is not below 0."""
    if height < 0.0:
        return 0.0
    if bend == 0.0:
        return INF if rate >= 0.0 else height / -rate
    root = math.sqrt(rate * rate + 2.0 * bend * height)
    return (rate + root) / bend if rate > 0.0 else 2.0 * height / (root - rate)


@inline
def rate_of(way, n, p):
    """Return how fast n . p grows as p is carried on."""
    return n[1] * (way[0] + p[0]) - n[0] * p[1] + n[2] * way[1]


@inline
def lowest(n, face):
    """Return the least of n . p over a face's corners."""
    p = n[0] * face[0] + n[1] * face[1] + n[2] * face[2]
    q = n[0] * face[3] + n[1] * face[4] + n[2] * face[5]
    r = n[0] * face[6] + n[1] * face[7] + n[2] * face[8]
    return min(p, min(q, r))


@inline
def highest(n, face):
    """Return the most."""
    p = n[0] * face[0] + n[1] * face[1] + n[2] * face[2]
    q = n[0] * face[3] + n[1] * face[4] + n[2] * face[5]
    r = n[0] * face[6] + n[1] * face[7] + n[2] * face[8]
    return max(p, max(q, r))


@inline
def standing(way, n, mover, obstacle, room):
    """Return how long the plane across n (unit, towards the mover) on the obstacle, standing still, has the mover above it.

    room: how far below it the mover may come; negative: how far above it must stay.
    """
    floor = highest(n, obstacle) - room
    flat = across(n)
    least = INF
    for k in range(3):
        p = corner(mover, k)
        least = min(least, stays(dot(n, p) - floor, rate_of(way, n, p), flat * radius(way, p)))
    return least


@inline
def riding(way, n, mover, obstacle, room):
    """Return how long the plane across n on the mover, moving with it, has the obstacle below it."""
    ceiling = lowest(n, mover) + room
    flat = across(n)
    least = INF
    for k in range(3):
        p = corner(obstacle, k)
        least = min(least, stays(ceiling - dot(n, p), rate_of(way, n, p), flat * radius(way, p)))
    return least


@inline
def ends(face, rank, k):
    """Return the two ends of edge k, and the corner that is not on it."""
    if rank < 3:
        a = corner(face, 0)
        return a, corner(face, 1), a
    return corner(face, k), corner(face, (k + 1) % 3), corner(face, (k + 2) % 3)


@inline
def spanned(way, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, room):
    """Return how long the plane along edge i of the mover and edge j of the obstacle keeps the faces apart; p, q on them."""
    a, b, c = ends(mover, mover_rank, i)
    d, e, f = ends(obstacle, obstacle_rank, j)
    mine = minus(b, a)
    theirs = minus(e, d)
    m = cross(mine, theirs)
    side = dot(m, n)
    size = math.sqrt(dot(mine, mine) * dot(theirs, theirs))
    if abs(side) <= _FLAT * size:
        return 0.0
    if side < 0.0:
        mine = (-mine[0], -mine[1], -mine[2])
        m = (-m[0], -m[1], -m[2])
    flat_mine = across(mine)
    flat_theirs = across(theirs)
    # Of the gap between the edges, measured across both: its value, rate and bend.
    apart = minus(p, q)
    turning = cross((-mine[1], mine[0], 0.0), theirs)
    speed = (-p[1], way[0] + p[0], way[1])
    rate = dot(turning, apart) + dot(m, speed)
    own = cross((way[0] + p[0], p[1], 0.0), mine)
    other = cross(theirs, (way[0] + q[0], q[1], q[2] - p[2]))
    bend = flat_theirs * across(own) + flat_mine * across(other) + 3.0 * abs(way[1]) * flat_mine * flat_theirs
    least = min(1.0, stays(dot(m, apart) + room * (size if room < 0.0 else abs(side)), rate, bend))
    # The rest of each face must stay on its side.
    slip = max(room, 0.0) * abs(side)
    rest = cross(minus(c, p), mine)
    rate = theirs[1] * rest[0] - theirs[0] * rest[1]
    least = min(least, stays(dot(theirs, rest) + slip, rate, flat_theirs * across(rest)))
    rest = cross(theirs, minus(q, f))
    rate = mine[0] * rest[1] - mine[1] * rest[0]
    return min(least, stays(dot(mine, rest) + slip, rate, flat_mine * across(rest)))


@inline
def _normal(face):
    n = cross(minus(corner(face, 1), corner(face, 0)), minus(corner(face, 2), corner(face, 0)))
    size = math.sqrt(dot(n, n))
    return (n[0] / size, n[1] / size, n[2] / size) if size > 0.0 else (0.0, 0.0, 0.0)


@step
def leap(way, mover, obstacle, room):
    """Return how long the planes of two faces surely keep them apart, 0 if they do not: a cheap first step."""
    far = 0.0
    for side in range(2):
        n = _normal(obstacle if side == 0 else mover)
        if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
            continue
        if lowest(n, mover) < lowest(n, obstacle):
            n = (-n[0], -n[1], -n[2])
        far = max(far, standing(way, n, mover, obstacle, room) if side == 0 else riding(way, n, mover, obstacle, room))
    return far


@step
def step_on(way, mover, mover_rank, obstacle, obstacle_rank, thick, slack):
    """Return (gap, how long it certainly lasts, n 3): the distance of two faces and how far the mover may surely turn."""
    gap_sq, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    gap = math.sqrt(gap_sq)
    if gap <= thick + slack:
        if gap == 0.0:
            return gap, 0.0, 0.0, 0.0, 0.0
        return gap, 0.0, (p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap
    n = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
    # Aim at the middle of the slack, so that rounding cannot keep the last step just outside it.
    room = -(thick + 0.5 * slack)
    fastest = 0.0
    for k in range(mover_rank):
        fastest = max(fastest, radius(way, corner(mover, k)))
    fastest = math.sqrt(fastest * fastest + way[1] * way[1])
    far = INF if fastest == 0.0 else (gap + room) / fastest
    far = max(far, standing(way, n, mover, obstacle, room))
    far = max(far, riding(way, n, mover, obstacle, room))
    if 3 <= f < 6 and 3 <= g < 6 and thick <= slack:
        far = max(far, spanned(way, n, p, q, mover, mover_rank, f - 3, obstacle, obstacle_rank, g - 3, room))
    if mover_rank == 1 and obstacle_rank == 1:
        # Two balls: the square of their distance is a sinusoid itself.
        rate = 2.0 * dot(minus(p, q), (-p[1], way[0] + p[0], way[1]))
        bend = 2.0 * radius(way, p) * radius(way, q)
        far = max(far, stays(gap_sq - room * room, rate, bend))
    return gap, far, n[0], n[1], n[2]
