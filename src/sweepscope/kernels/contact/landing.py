"""Where two faces touch, and the normal there.

Faces that turn may touch in several places at once: on a pivot, and where they land. All places are listed where a corner of
one face lies on the other or two edges cross, and the nearest points. The normal is a direction along which neither the faces
nor the bodies around overlap; of several, the one in which a place approaches fastest. That place is reported. Bodies that
meet flush touch with many faces at once, some of them only in a corner: the bodies around show which normal separates them.
"""

import math

import numpy as np

from .._jit import cold, inline, step
from .._memory import local
from ..base.closest import closest, corner, dot, minus, segments
from ..base.faces import local_face
from ..base.inside import faces_near
from ..charts.orbit import highest, lowest
from ..charts.straight import PLACE, direction_to_chart, direction_to_local, to_local
from ..tolerances import AROUND_CONTACT, EQUAL_DIRECTIONS, EQUAL_RATES, LEVEL
from .sharp import OBSTACLE_NORMAL, axis_of, plane_of
from .way_out import normal_of

_PLACES = 16  # the nearest points, six corners, nine crossings
_AROUND = 128  # faces at a place
_DIRECTIONS = 64  # two of each axis, and of faces around

_some_faces = local(np.int64, _AROUND)
_faces_of_two = local(np.int64, 2, _AROUND)
_some_directions = local(np.float64, _DIRECTIONS, 3)
_some_places = local(np.float64, _PLACES, 6)
_some_codes = local(np.int64, _PLACES, 2)
two_places = local(np.float64, 2, PLACE)


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
def _gather(mover, mover_rank, obstacle, obstacle_rank, reach, places, codes, several):
    """List the places where two faces are nearer than `reach`: on the mover 3, on the obstacle 3; features. Return how many.

    several: whether all are wanted, or only the nearest points.
    """
    _, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    count = _put(places, codes, 0, 0.0, reach, p, q, f, g)
    if not several:
        return count
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
def _faces_rise(geometry, s, faces, count, p, up, touch):
    """True if one of some faces of shape s rises above the plane across `up` through the local point p."""
    top = -math.inf
    for i in range(count):
        top = max(top, highest(up, local_face(geometry, s, faces[i])))
    return top - dot(up, p) > AROUND_CONTACT * touch


@cold
def rises(geometry, s, p, up, touch):
    """True if a face of shape s near the local point p rises above the plane across `up` through it."""
    faces = _some_faces()
    count = faces_near(geometry, s, p, AROUND_CONTACT * touch, faces)
    return _faces_rise(geometry, s, faces, count, p, up, touch)


@step
def _around(geometry, placed, shapes, p, q, touch, out):
    """List the faces of both bodies around a place; return how many of each. placed: where the bodies are at contact."""
    wide = AROUND_CONTACT * touch
    mine = faces_near(geometry, shapes[0], to_local(placed, 0, p), wide, out[0])
    return mine, faces_near(geometry, shapes[1], to_local(placed, 1, q), wide, out[1])


@step
def _fits(geometry, placed, shapes, around, counts, p, q, up, touch):
    """Return how many of the two bodies stay on their side of the plane across `up` through a place: 0, 1 or 2."""
    down = direction_to_local(placed, 0, (-up[0], -up[1], -up[2]))
    mover_sinks = _faces_rise(geometry, shapes[0], around[0], counts[0], to_local(placed, 0, p), down, touch)
    up = direction_to_local(placed, 1, up)
    obstacle_rises = _faces_rise(geometry, shapes[1], around[1], counts[1], to_local(placed, 1, q), up, touch)
    return (0 if mover_sinks else 1) + (0 if obstacle_rises else 1)


@inline
def _is_known(found, n, up):
    known = False
    for i in range(n):
        known = known or up[0] * found[i, 0] + up[1] * found[i, 1] + up[2] * found[i, 2] > 1.0 - EQUAL_DIRECTIONS
    return known


@step
def _directions(mover, obstacle, touch, found):
    """List the directions along which two faces do not overlap; return how many."""
    n = 0
    plane = plane_of(mover, obstacle)
    for k in range(OBSTACLE_NORMAL, 23):
        axis = axis_of(mover, obstacle, plane, k)
        size = math.sqrt(dot(axis, axis))
        for side in range(2 if size > 0.0 else 0):
            size = -size if side == 1 else size
            up = (axis[0] / size, axis[1] / size, axis[2] / size)
            if lowest(up, mover) - highest(up, obstacle) >= -touch and not _is_known(found, n, up):
                found[n, 0], found[n, 1], found[n, 2] = up
                n += 1
    return n


@cold
def _more_directions(geometry, placed, shapes, around, counts, found, n):
    """Add the normals of the faces of both bodies around a place; return how many directions there are."""
    for k in range(2):
        for i in range(counts[k]):
            up = direction_to_chart(placed, k, normal_of(local_face(geometry, shapes[k], around[k, i])))
            for _ in range(2):
                up = (-up[0], -up[1], -up[2])
                if n < _DIRECTIONS and dot(up, up) > 0.0 and not _is_known(found, n, up):
                    found[n, 0], found[n, 1], found[n, 2] = up
                    n += 1
    return n


@inline
def _level_with(normal, mover, obstacle):
    """Return the normal of one of two faces if another one differs from it only by rounding; else that one.

    A ball beside a seam of a floor has its nearest point on the seam, as far as rounding shows.
    """
    for k in range(2):
        n = normal_of(obstacle if k == 0 else mover)
        cosine = dot(n, normal)
        if 1.0 - abs(cosine) < LEVEL * LEVEL:
            return n if cosine > 0.0 else (-n[0], -n[1], -n[2])
    return normal


def placer(chart):
    """Return `place` in a chart: a module that says how bodies move (`carry_place`), and how fast (`rate_of`, `speed_of`)."""
    several = chart.SEVERAL_PLACES

    @inline
    def _fastest_place(chart_params, up, places, count, noise):
        """Return the place that approaches fastest along a direction, and its rate."""
        least = math.inf
        chosen = 0
        for i in range(count):
            rate = chart.rate_of(chart_params, up, _place(places, i))
            if rate < least - noise:
                least = rate
                chosen = i
        return chosen, least

    @step
    def _facing(case, two, t, mover, places, count, touch, noise, normal):
        """Return the direction in which a place approaches fastest, of those along which the faces do not overlap.

        If there are several directions, the bodies around the place decide: they must not overlap along it either. normal: the
        result if there is no direction; at the start also if the bodies overlap along all.
        """
        geometry, shapes, chart_params = case.geometry, two.shapes, case.chart_params
        obstacle = two.faces[1]
        found = _some_directions()
        n = _directions(mover, obstacle, touch, found)
        if n == 0:
            return normal
        if n == 1:
            return found[0, 0], found[0, 1], found[0, 2]
        placed = two_places()
        chart.carry_place(chart_params, t, case.slots, two.slots[0], placed, 0)
        chart.carry_place(chart_params, 0.0, case.slots, two.slots[1], placed, 1)
        given = normal
        around = _faces_of_two()
        counts = (0, 0)
        known = -1
        most = -1
        fastest = math.inf
        first = 0
        for tried in range(2):
            if tried == 1:
                # The bodies meet with other faces than these: one of those has the normal.
                first = n
                n = _more_directions(geometry, placed, shapes, around, counts, found, n)
            for i in range(first, n):
                up = (found[i, 0], found[i, 1], found[i, 2])
                k, rate = _fastest_place(chart_params, up, places, count, noise)
                p = _place(places, k)
                q = (places[k, 3], places[k, 4], places[k, 5])
                if k != known:
                    known = k
                    counts = _around(geometry, placed, shapes, p, q, touch, around)
                fits = _fits(geometry, placed, shapes, around, counts, p, q, up, touch)
                # Of equals the first is used: the obstacle's own normal.
                if fits > most or (fits == most and rate < fastest - noise):
                    most = fits
                    fastest = rate
                    normal = up
            if most == 2:
                return normal
        return normal if t > 0.0 or several else given

    @cold
    def place(case, two, t, mover, thick, touch, normal):
        """Return (gap squared, point on the mover, on the obstacle, feature of each, normal 3) of two faces in contact.

        mover: its face after a travel of t.
        """
        chart_params = case.chart_params
        obstacle = two.faces[1]
        places = _some_places()
        codes = _some_codes()
        count = _gather(mover, two.ranks[0], obstacle, two.ranks[1], thick + touch, places, codes, several)
        noise = EQUAL_RATES * chart.speed_of(chart_params, mover)
        sharp = thick <= touch
        if sharp:
            normal = _facing(case, two, t, mover, places, count, touch, noise, normal)
        chosen = 0
        least = math.inf
        for k in range(count):
            rate = chart.rate_of(chart_params, normal if sharp else _parting(places, k), _place(places, k))
            if rate < least - noise:
                least = rate
                chosen = k
        p = _place(places, chosen)
        q = (places[chosen, 3], places[chosen, 4], places[chosen, 5])
        r = minus(p, q)
        if not sharp:
            normal = _level_with(_parting(places, chosen) if count > 1 else normal, mover, obstacle)
        return dot(r, r), p, q, codes[chosen, 0], codes[chosen, 1], normal

    return place
