"""Points on orbits about an axis, and how long a plane keeps two faces apart meanwhile.

Coordinates are those of the helical chart's frame: x away from the axis, y along the motion, z along the axis. The origin is
the movers' middle, which is `arm` away from the axis. A turn by t with its slide, pitch * t, moves a point without the loss
of a digit, even if the arm is long: in the limit of no turn it is a translation along y and z.

A plane separates two faces until a corner has come through it. The height of a corner above the plane is a sinusoid of t,
plus a line. From its value, its rate and a bound of its bend follows a parabola below it, and from that a time for which the
corner surely stays above. A plane may stand still, move with the mover, or be spanned by an edge of each; for that one the
bend is exact and the third derivative bounded, so that edges which slide over each other pass in a few steps. With the right
plane the steps converge as Newton's do, and no step is ever too long. After Tang, Kim & Manocha (2009), who bound the same
distances by speeds alone.
"""

import math

from .._jit import inline, step
from ..base.closest import closest, corner, cross, dot, minus
from ..tolerances import EDGES_PARALLEL, GRAIN, LEAST_DIVISOR, SPANNED_GAIN, SPANNED_ROUNDS, SPANNED_STEP

INF = math.inf

SEVERAL_PLACES = True  # of several places of contact, the one that approaches fastest is reported


@inline
def turned(t):
    """Return (sine, 1 - cosine) of an angle. The second has all its digits for small angles."""
    half = math.sin(0.5 * t)
    return math.sin(t), 2.0 * half * half


@inline
def carry(chart_params, t, s, r, x, y, z):
    """Return a point after a turn by t with (s, r) = turned(t)."""
    far = chart_params[0] + x
    return x - far * r - y * s, y + far * s - y * r, z + chart_params[1] * t


@inline
def turn_back(s, r, x, y, z):
    """Return a direction before the turn with (s, r) = turned(t)."""
    return x - x * r + y * s, y - x * s - y * r, z


@inline
def turn_on(s, r, x, y, z):
    """Return a direction after the turn with (s, r) = turned(t)."""
    return x - x * r - y * s, y + x * s - y * r, z


@inline
def carry_back(chart_params, t, s, r, x, y, z):
    """Return the point that `carry` moves to (x, y, z)."""
    far = chart_params[0] + x
    return x - far * r + y * s, y - far * s - y * r, z - chart_params[1] * t


@inline
def carry_face(chart_params, t, face):
    """Return a face after a turn by t."""
    s, r = turned(t)
    a = carry(chart_params, t, s, r, face[0], face[1], face[2])
    b = carry(chart_params, t, s, r, face[3], face[4], face[5])
    c = carry(chart_params, t, s, r, face[6], face[7], face[8])
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@inline
def carry_place(chart_params, t, place, k, out, q):
    """Write placement row k after a turn by t to out[q]."""
    s, r = turned(t)
    for c in range(3):
        out[q, c], out[q, 3 + c], out[q, 6 + c] = turn_on(s, r, place[k, c], place[k, 3 + c], place[k, 6 + c])
    out[q, 9], out[q, 10], out[q, 11] = carry(chart_params, t, s, r, place[k, 9], place[k, 10], place[k, 11])


@inline
def radius(chart_params, p):
    """Return the distance of a point from the axis."""
    far = chart_params[0] + p[0]
    return math.sqrt(far * far + p[1] * p[1])


@inline
def across(a):
    """Return the length of a direction's part across the axis."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1])


@inline
def stays(height, rate, bend):
    """Return how long a function surely is not below 0.

    It begins at `height` >= 0 with the slope `rate`, and its second derivative is at least -bend.
    """
    if height < 0.0:
        return 0.0
    square = rate * rate + 2.0 * bend * height
    if square < 0.0 or (rate >= 0.0 and bend <= 0.0):
        return INF
    root = math.sqrt(square)
    return (rate + root) / bend if rate > 0.0 else 2.0 * height / max(root - rate, LEAST_DIVISOR)


@inline
def _stays_by_third(height, rate, bend, third):
    """Return how long a function is surely not below 0, or SPANNED_STEP. bend: its second derivative; third: a bound.

    Up to a travel of t, the second derivative is as good as at least bend - third * t / 3.
    """
    t = SPANNED_STEP
    best = 0.0
    for _ in range(SPANNED_ROUNDS):
        far = stays(height, rate, third * t / 3.0 - bend)
        if far >= t:
            return t
        if far <= best * SPANNED_GAIN:
            return max(far, best)
        best = far
        t = math.sqrt(t * far)
    return best


@inline
def _square(a, rate, bend):
    """Return the derivatives 1 to 4 of the square of a function that is a constant and a sinusoid."""
    return (
        2.0 * a * rate,
        2.0 * (rate * rate + a * bend),
        2.0 * (3.0 * rate * bend - a * rate),
        2.0 * (3.0 * bend * bend - 4.0 * rate * rate - a * bend),
    )


@inline
def _stays_square(height, rate, bend, room, mine, theirs, size):
    """Return how long a sinusoid stays above -room times the length of mine x theirs, while `mine` turns."""
    cosine = dot(mine, theirs)
    h = _square(height, rate, bend)
    c = _square(cosine, mine[0] * theirs[1] - mine[1] * theirs[0], -(mine[0] * theirs[0] + mine[1] * theirs[1]))
    share = room * room
    one = h[0] + share * c[0]
    two = h[1] + share * c[1]
    three = h[2] + share * c[2]
    four = h[3] + share * c[3]
    # Sines and cosines of the angle, and of twice the angle.
    sine_2 = -(one + three) / 6.0
    cosine_2 = (two + four) / 12.0
    sine = one - 2.0 * sine_2
    cosine_1 = -two - 4.0 * cosine_2
    third = math.sqrt(sine * sine + cosine_1 * cosine_1) + 8.0 * math.sqrt(sine_2 * sine_2 + cosine_2 * cosine_2)
    return _stays_by_third(height * height - share * (size * size - cosine * cosine), one, two, third)


@inline
def rate_of(chart_params, n, p):
    """Return the rate of n . p while p moves on its orbit."""
    return n[1] * (chart_params[0] + p[0]) - n[0] * p[1] + n[2] * chart_params[1]


@inline
def speed_of(chart_params, face):
    """Return the speed of the fastest corner of a face."""
    most = 0.0
    for k in range(3):
        most = max(most, radius(chart_params, corner(face, k)))
    return math.sqrt(most * most + chart_params[1] * chart_params[1])


@inline
def lowest(n, face):
    """Return the least of n . p over a face's corners."""
    p = n[0] * face[0] + n[1] * face[1] + n[2] * face[2]
    q = n[0] * face[3] + n[1] * face[4] + n[2] * face[5]
    r = n[0] * face[6] + n[1] * face[7] + n[2] * face[8]
    return min(p, min(q, r))


@inline
def highest(n, face):
    """Return the greatest of n . p over a face's corners."""
    p = n[0] * face[0] + n[1] * face[1] + n[2] * face[2]
    q = n[0] * face[3] + n[1] * face[4] + n[2] * face[5]
    r = n[0] * face[6] + n[1] * face[7] + n[2] * face[8]
    return max(p, max(q, r))


@inline
def standing(chart_params, n, mover, obstacle, room):
    """Return how long the mover stays above a plane that stands still on the obstacle, across n (unit, towards the mover).

    room: how far below the plane the mover may come; negative: how far above it must stay.
    """
    floor = highest(n, obstacle) - room
    flat = across(n)
    least = INF
    for k in range(3):
        p = corner(mover, k)
        least = min(least, stays(dot(n, p) - floor, rate_of(chart_params, n, p), flat * radius(chart_params, p)))
    return least


@inline
def riding(chart_params, n, mover, obstacle, room):
    """Return how long the obstacle stays below a plane across n that moves with the mover."""
    ceiling = lowest(n, mover) + room
    flat = across(n)
    least = INF
    for k in range(3):
        p = corner(obstacle, k)
        least = min(least, stays(ceiling - dot(n, p), rate_of(chart_params, n, p), flat * radius(chart_params, p)))
    return least


@inline
def ends(face, rank, k):
    """Return the two ends of edge k, and the corner opposite to it."""
    if rank < 3:
        a = corner(face, 0)
        return a, corner(face, 1), a
    return corner(face, k), corner(face, (k + 1) % 3), corner(face, (k + 2) % 3)


@inline
def spanned(chart_params, n, p, q, mover, mover_rank, i, obstacle, obstacle_rank, j, room):
    """Return how long a plane along edge i of the mover and edge j of the obstacle keeps the faces apart.

    p, q: points of those edges. room: not above 0, see `standing`.
    """
    a, b, c = ends(mover, mover_rank, i)
    d, e, f = ends(obstacle, obstacle_rank, j)
    mine = minus(b, a)
    theirs = minus(e, d)
    m = cross(mine, theirs)
    side = dot(m, n)
    size = math.sqrt(dot(mine, mine) * dot(theirs, theirs))
    if abs(side) <= EDGES_PARALLEL * size:
        return 0.0
    if side < 0.0:
        mine = (-mine[0], -mine[1], -mine[2])
        m = (-m[0], -m[1], -m[2])
    flat_mine = across(mine)
    flat_theirs = across(theirs)
    flat = flat_mine * flat_theirs
    # The gap between the edges, times the length of m: its value, rate, bend, and a bound of its third derivative. What turns
    # is a sinusoid; the slide adds a sinusoid times t.
    apart = minus(p, q)
    arm = (chart_params[0] + p[0], p[1], 0.0)
    slide = chart_params[1]
    m_rate = cross((-mine[1], mine[0], 0.0), theirs)
    m_bend = cross((-mine[0], -mine[1], 0.0), theirs)
    speed = (-arm[1], arm[0], 0.0)
    rate = dot(m_rate, apart) + dot(m, speed)
    bend = dot(m_bend, apart) + 2.0 * dot(m_rate, speed) - dot(m, arm)
    third = math.sqrt(rate * rate + bend * bend) + 4.0 * abs(slide) * flat
    rate += slide * m[2]
    bend += 2.0 * slide * m_rate[2]
    # Edges that are nearly parallel leave m with few digits.
    rate -= GRAIN * size * (across(arm) + abs(slide))
    height = dot(m, apart)
    if slide == 0.0 and height < -2.0 * room * math.sqrt(dot(m, m)):
        # Edges with a radius: the square of the gap less that of the radius, each times that of m, is a sinusoid too.
        least = _stays_square(height, rate, bend, room, mine, theirs, size)
    else:
        least = _stays_by_third(height + room * size, rate, bend, third)
    # The rest of each face must stay on its side.
    rest = cross(minus(c, p), mine)
    rate = theirs[1] * rest[0] - theirs[0] * rest[1]
    least = min(least, stays(dot(theirs, rest), rate, flat_theirs * across(rest)))
    rest = cross(theirs, minus(q, f))
    rate = mine[0] * rest[1] - mine[1] * rest[0]
    return min(least, stays(dot(mine, rest), rate, flat_mine * across(rest)))


@inline
def _normal(face):
    n = cross(minus(corner(face, 1), corner(face, 0)), minus(corner(face, 2), corner(face, 0)))
    size = math.sqrt(dot(n, n))
    return (n[0] / size, n[1] / size, n[2] / size) if size > 0.0 else (0.0, 0.0, 0.0)


@step
def leap(chart_params, mover, obstacle, room):
    """Return how long the planes of two faces surely keep them apart; 0 if they do not. A cheap first step."""
    far = 0.0
    for side in range(2):
        n = _normal(obstacle if side == 0 else mover)
        if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
            continue
        if lowest(n, mover) < lowest(n, obstacle):
            n = (-n[0], -n[1], -n[2])
        far = max(
            far,
            standing(chart_params, n, mover, obstacle, room) if side == 0 else riding(chart_params, n, mover, obstacle, room),
        )
    return far


@step
def step_on(chart_params, mover, mover_rank, obstacle, obstacle_rank, thick, slack):
    """Return (gap, turn, n 3): the distance of two faces, how far the mover may surely turn, and the direction between them."""
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
        fastest = max(fastest, radius(chart_params, corner(mover, k)))
    fastest = math.sqrt(fastest * fastest + chart_params[1] * chart_params[1])
    far = INF if fastest == 0.0 else (gap + room) / fastest
    far = max(far, standing(chart_params, n, mover, obstacle, room))
    far = max(far, riding(chart_params, n, mover, obstacle, room))
    if 3 <= f < 6 and 3 <= g < 6:
        far = max(far, spanned(chart_params, n, p, q, mover, mover_rank, f - 3, obstacle, obstacle_rank, g - 3, room))
    if mover_rank == 1 and obstacle_rank == 1:
        # Two balls: the square of their distance is itself a sinusoid.
        rate = 2.0 * dot(minus(p, q), (-p[1], chart_params[0] + p[0], chart_params[1]))
        bend = 2.0 * radius(chart_params, p) * radius(chart_params, q)
        far = max(far, stays(gap_sq - room * room, rate, bend))
    return gap, far, n[0], n[1], n[2]
