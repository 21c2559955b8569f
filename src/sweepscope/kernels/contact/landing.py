"""Where two faces touch that may touch in several places at once: on a pivot, and where they land.

The kernel lists all places where a corner of one face lies on the other or two edges cross, and the nearest points. The normal
is a direction along which neither the faces nor the bodies around overlap; of several, the one in which a place approaches
fastest. That place is reported.
"""

import math

import numpy as np

from .._jit import cold, inline, step
from ..base.closest import closest, corner, dot, minus, segments
from ..base.faces import local_face
from ..base.inside import faces_near
from ..charts.orbit import carry_back, highest, lowest, radius, rate_of, turn_back, turned
from ..charts.straight import direction_to_local, to_local
from ..tolerances import AROUND_CONTACT, EQUAL_DIRECTIONS, EQUAL_RATES
from .sharp import OBSTACLE_NORMAL, axis_of, plane_of

_PLACES = 16  # the nearest points, six corners, nine crossings
_AROUND = 128  # faces at a place
_DIRECTIONS = 34  # two of each axis


@inline
def _put(places, codes, count, found_sq, reach, p, q, f, g):
    """Store a place of contact if it is one. Return how many there are."""
    if found_sq > reach * reach:
        return count
    for r in range(3):
        places[count, r] = p[r]
        places[count, 3 + r] = q[r]
    codes[count, 0] = f
    codes[count, 1] = g
    return count + 1


@inline
def _point(c):
    return c[0], c[1], c[2], c[0], c[1], c[2], c[0], c[1], c[2]


@step
def _gather(mover, mover_rank, obstacle, obstacle_rank, reach, places, codes):
    """List the places where two faces are nearer than `reach`: on the mover 3, on the obstacle 3; features. Return how many."""
    _, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    count = _put(places, codes, 0, 0.0, reach, p, q, f, g)
    for k in range(mover_rank):
        found_sq, p, q, _, g = closest(_point(corner(mover, k)), 1, obstacle, obstacle_rank)
        count = _put(places, codes, count, found_sq, reach, p, q, k, g)
    for k in range(obstacle_rank):
        found_sq, p, q, f, _ = closest(mover, mover_rank, _point(corner(obstacle, k)), 1)
        count = _put(places, codes, count, found_sq, reach, p, q, f, k)
    for i in range(3 if mover_rank == 3 else mover_rank - 1):
        a = corner(mover, i)
        d = minus(corner(mover, (i + 1) % 3), a)
        for j in range(3 if obstacle_rank == 3 else obstacle_rank - 1):
            b = corner(obstacle, j)
            e = minus(corner(obstacle, (j + 1) % 3), b)
            s, t = segments(a, d, b, e)
            p = (a[0] + s * d[0], a[1] + s * d[1], a[2] + s * d[2])
            q = (b[0] + t * e[0], b[1] + t * e[1], b[2] + t * e[2])
            r = minus(p, q)
            if 0.0 < s < 1.0 and 0.0 < t < 1.0:
                count = _put(places, codes, count, dot(r, r), reach, p, q, 3 + i, 3 + j)
    return count


@inline
def _place(places, k):
    return places[k, 0], places[k, 1], places[k, 2]


@inline
def _parting(places, k):
    """Return the unit direction from the obstacle to the mover at a place; 0 if they coincide."""
    n = (places[k, 0] - places[k, 3], places[k, 1] - places[k, 4], places[k, 2] - places[k, 5])
    size = math.sqrt(dot(n, n))
    if size == 0.0:
        return 0.0, 0.0, 0.0
    return n[0] / size, n[1] / size, n[2] / size


@inline
def _rises(geometry, s, p, up, touch):
    """True if a face of shape s near the local point p rises above the plane across `up` through it."""
    faces = np.empty(_AROUND, np.int64)
    for i in range(faces_near(geometry, s, p, AROUND_CONTACT * touch, faces)):
        if highest(up, local_face(geometry, s, faces[i])) - dot(up, p) > AROUND_CONTACT * touch:
            return True
    return False


@step
def _fits(geometry, slots, chart_params, t, a, mover_shape, b, obstacle_shape, p, q, up, touch):
    """Return how many of the two bodies stay on their side of the plane across `up` through a place: 0, 1 or 2."""
    s, r = turned(t)
    start = to_local(slots, a, carry_back(chart_params, t, s, r, p[0], p[1], p[2]))
    down = direction_to_local(slots, a, turn_back(s, r, -up[0], -up[1], -up[2]))
    sinks = _rises(geometry, mover_shape, start, down, touch)
    rises = _rises(geometry, obstacle_shape, to_local(slots, b, q), direction_to_local(slots, b, up), touch)
    return (0 if sinks else 1) + (0 if rises else 1)


@step
def _facing(
    geometry, slots, chart_params, t, a, mover_shape, mover, b, obstacle_shape, obstacle, places, count, touch, noise, normal
):
    """Return the direction in which a place approaches fastest, of those along which the faces do not overlap.

    If there are several directions, the bodies around the place decide: they must not overlap along it either. normal: the
    result if there is no direction.
    """
    found = np.empty((_DIRECTIONS, 5))  # direction 3, rate, place
    n = 0
    plane = plane_of(mover, obstacle)
    for k in range(OBSTACLE_NORMAL, 23):
        axis = axis_of(mover, obstacle, plane, k)
        size = math.sqrt(dot(axis, axis))
        if size == 0.0:
            continue
        for side in range(2):
            size = -size if side == 1 else size
            up = (axis[0] / size, axis[1] / size, axis[2] / size)
            if lowest(up, mover) - highest(up, obstacle) < -touch:
                continue
            known = False
            for i in range(n):
                known = known or up[0] * found[i, 0] + up[1] * found[i, 1] + up[2] * found[i, 2] > 1.0 - EQUAL_DIRECTIONS
            if known:
                continue
            least = math.inf
            place = 0
            for i in range(count):
                rate = rate_of(chart_params, up, _place(places, i))
                if rate < least - noise:
                    least = rate
                    place = i
            for c in range(3):
                found[n, c] = up[c]
            found[n, 3] = least
            found[n, 4] = place
            n += 1
    most = -1
    fastest = math.inf
    for i in range(n):
        up = (found[i, 0], found[i, 1], found[i, 2])
        fits = 2
        if n > 1:
            k = np.int64(found[i, 4])
            q = (places[k, 3], places[k, 4], places[k, 5])
            fits = _fits(geometry, slots, chart_params, t, a, mover_shape, b, obstacle_shape, _place(places, k), q, up, touch)
        # Of equals the first is used: the obstacle's own normal.
        if fits > most or (fits == most and found[i, 3] < fastest - noise):
            most = fits
            fastest = found[i, 3]
            normal = up
    return normal


@cold
def place(
    geometry, slots, chart_params, t, a, mover_shape, mover, mover_rank, b, obstacle_shape, obstacle, obstacle_rank, thick,
    touch, normal,
):  # fmt: skip
    """Return (gap squared, point on the mover, on the obstacle, feature of each, normal 3) of two faces in contact.

    a, b: the slots of mover and obstacle; mover: its face after a travel of t.
    """
    places = np.empty((_PLACES, 6))
    codes = np.empty((_PLACES, 2), np.int64)
    count = _gather(mover, mover_rank, obstacle, obstacle_rank, thick + touch, places, codes)
    fastest = 0.0
    for k in range(3):
        fastest = max(fastest, radius(chart_params, corner(mover, k)))
    noise = EQUAL_RATES * math.sqrt(fastest * fastest + chart_params[1] * chart_params[1])
    sharp = thick <= touch
    if sharp:
        normal = _facing(
            geometry, slots, chart_params, t, a, mover_shape, mover, b, obstacle_shape, obstacle, places, count, touch, noise,
            normal,
        )  # fmt: skip
    chosen = 0
    least = math.inf
    for k in range(count):
        rate = rate_of(chart_params, normal if sharp else _parting(places, k), _place(places, k))
        if rate < least - noise:
            least = rate
            chosen = k
    p = _place(places, chosen)
    q = (places[chosen, 3], places[chosen, 4], places[chosen, 5])
    r = minus(p, q)
    if not sharp and count > 1:
        normal = _parting(places, chosen)
    return dot(r, r), p, q, codes[chosen, 0], codes[chosen, 1], normal
