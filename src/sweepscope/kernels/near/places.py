"""Places of contact of two bodies: pairs of features that face each other, within a distance.

Features are vertices, edges and faces. A place is a vertex over a face, two edges that cross, a vertex beside an edge, or two
vertices. The line between its points is across both features, and possible for both (`around`): from there, neither body
reaches farther towards the other. So a place is where the distance of the bodies is least among all points nearby. It is not
required of a vertex or an edge to the last degree: a box that is tilted a little rests on all its lower corners, not on one
(`CONTACT_TILT`). The other side must be the nearest in any case: a ball has one place, not several.

The gap is less than 0 if the bodies overlap there: each point is inside the other body, if that is closed.

Each feature belongs to one face, and faces come in pairs (`collect`), so that every pair of features is met once. Degenerate
cases: parallel edges, whose ends count; faces without area. Error: rounding of coordinates, see `slack_of`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from ..base.closest import closest, cross, dot, minus
from ..base.faces import local_face, rank_of
from ..base.inside import INSIDE, OUTSIDE, inside
from ..charts.straight import face_to_chart, to_local
from ..layout import Geometry
from ..tolerances import CONTACT_CROSSING_SQ, CONTACT_EXACT, CONTACT_SEAM, CONTACT_TILT
from .around import (
    CORNER,
    NUMBER,
    OWNS,
    RANK,
    Surface,
    edge_allows,
    edge_ends,
    edges_of,
    face_allows,
    inward_of,
    normal_of,
    point_of,
    vertex_allows,
)

Array = np.ndarray[Any, Any]

# Columns of a place.
GAP = 0  # without radii
FIRST = 1  # 3 columns: the point of the first body
SECOND = 4  # 3 columns
NORMAL = 7  # 3 columns: unit, from the second towards the first
OWN = 10  # face in block order, and feature, of the first
OTHER = 12
STATE = 14
PLACE_COLUMNS = 15

_FACE_CODE = 6
_EDGE_CODE = 3
_BESIDE = 0.25  # share of the overlap at which a point beside it is tested


class Task(NamedTuple):
    """What the search for places reads and writes."""

    geometry: Geometry
    places: Array  # of both bodies in the common frame
    one: Surface
    two: Surface
    reach: float  # [length] of gaps, without radii
    touch: float
    slack: float
    aim: tuple[float, float, float]  # from the middle of the second body to that of the first
    found: Array
    counted: Array  # one number: how many places


@inline
def _along(a, t, d):
    return a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]


@inline
def _is_solid(task, side):
    surface = task.two if side else task.one
    return task.geometry.shape_ints[surface.s, at.SOLID] != 0


@inline
def _where(task, side, p, touch):
    """Return where a point is relative to the closed body of a side: see `base.inside`."""
    s = task.two.s if side else task.one.s
    x = to_local(task.places, side, p)
    return inside(task.geometry, s, x[0], x[1], x[2], touch)


@cold
def _is_overlap(task, side, gap, p, q, f, code, g, other_code):
    """True if the bodies overlap between two points. p, face f and feature: of the body of `side`.

    A vertex must be inside the other body. All other points must be inside or nearly so, because the line between them leads
    out of a body that is tilted. If one of them is on a surface, a point beside them decides, that leads into both bodies.
    """
    is_vertex = code < _EDGE_CODE and _is_solid(task, 1 - side)
    if is_vertex:
        where = _where(task, 1 - side, p, task.touch)
        if where in (INSIDE, OUTSIDE) or not _is_solid(task, side):
            return where == INSIDE
    else:
        doubt = max(task.touch, -2.0 * CONTACT_TILT * gap)
        if _is_solid(task, 1 - side) and _where(task, 1 - side, p, doubt) == OUTSIDE:
            return False
        if _is_solid(task, side) and _where(task, side, q, doubt) == OUTSIDE:
            return False
    mine = task.two if side else task.one
    other = task.one if side else task.two
    d = inward_of(task.geometry, mine, f, code, task.touch)
    e = inward_of(task.geometry, other, g, other_code, task.touch)
    x = _along(_along(p, 0.5, minus(q, p)), -_BESIDE * gap, (d[0] + e[0], d[1] + e[1], d[2] + e[2]))
    if _is_solid(task, 0) and _where(task, 0, x, task.touch) != INSIDE:
        return False
    return not _is_solid(task, 1) or _where(task, 1, x, task.touch) == INSIDE


@step
def _put(task, side, d, gap, p, q, f, code, g, other_code):
    """Store a place, if it is one. side: whose point p, face f and feature are; d: unit, towards that side."""
    sheets = not _is_solid(task, 0) and not _is_solid(task, 1)
    if gap < -task.touch and (sheets or not _is_overlap(task, side, gap, p, q, f, code, g, other_code)):
        return
    if side == 1:
        d = (-d[0], -d[1], -d[2])
        p, q, f, g, code, other_code = q, p, g, f, other_code, code
    if abs(gap) <= task.touch and sheets and dot(d, task.aim) < 0.0:
        return
    k = task.counted[0]
    task.counted[0] = k + 1
    if k >= len(task.found):
        return
    found = task.found
    found[k, GAP] = gap
    for c in range(3):
        found[k, FIRST + c] = p[c]
        found[k, SECOND + c] = q[c]
        found[k, NORMAL + c] = d[c]
    found[k, OWN], found[k, OWN + 1] = task.one.faces[f, NUMBER], code
    found[k, OTHER], found[k, OTHER + 1] = task.two.faces[g, NUMBER], other_code


@step
def _vertex_face(task, side, f, k, g):
    """Vertex k of face f, over face g of the other side."""
    mine = task.two if side else task.one
    other = task.one if side else task.two
    v = mine.faces[f, CORNER + k]
    p = point_of(mine, v)
    a = point_of(other, other.faces[g, CORNER])
    n = normal_of(other, g)
    r = minus(p, a)
    h = dot(r, n)
    if abs(h) > task.reach or (n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0):
        return
    d = minus(point_of(other, other.faces[g, CORNER + 1]), a)
    e = minus(point_of(other, other.faces[g, CORNER + 2]), a)
    area = dot(cross(d, e), n)
    s, t = dot(cross(r, e), n), dot(cross(d, r), n)
    least = -CONTACT_SEAM * area
    if s < least or t < least or s + t > area - least:
        return
    q = _along(p, -h, n)
    for way in range(2):
        sign = 1.0 - 2.0 * way
        u = (sign * n[0], sign * n[1], sign * n[2])
        back = (-u[0], -u[1], -u[2])
        possible = face_allows(task.geometry, other, g, u, task.touch)
        if possible and vertex_allows(task.geometry, mine, v, back, CONTACT_TILT, task.touch):
            _put(task, side, u, sign * h, p, q, f, k, g, _FACE_CODE)


@step
def _vertex_edge(task, side, f, k, g, m):
    """Vertex k of face f, beside edge m of face g of the other side."""
    mine = task.two if side else task.one
    other = task.one if side else task.two
    v = mine.faces[f, CORNER + k]
    p = point_of(mine, v)
    b, c = edge_ends(other.faces, g, m)
    a = point_of(other, b)
    e = minus(point_of(other, c), a)
    t = dot(minus(p, a), e) / dot(e, e)
    if t < 0.0 or t > 1.0:
        return
    q = _along(a, t, e)
    r = minus(p, q)
    far = math.sqrt(dot(r, r))
    if far > task.reach or far <= task.touch:
        return
    u = (r[0] / far, r[1] / far, r[2] / far)
    exact = CONTACT_EXACT + task.slack / far
    possible = edge_allows(task.geometry, other, g, m, u, exact, task.touch)
    if possible and vertex_allows(task.geometry, mine, v, (-u[0], -u[1], -u[2]), CONTACT_TILT, task.touch):
        _put(task, side, u, far, p, q, f, k, g, _EDGE_CODE + m)


@step
def _vertex_vertex(task, f, k, g, m):
    v, w = task.one.faces[f, CORNER + k], task.two.faces[g, CORNER + m]
    p, q = point_of(task.one, v), point_of(task.two, w)
    r = minus(p, q)
    far = math.sqrt(dot(r, r))
    if far > task.reach or far <= task.touch:
        return
    u = (r[0] / far, r[1] / far, r[2] / far)
    exact = CONTACT_EXACT + task.slack / far
    possible = vertex_allows(task.geometry, task.two, w, u, exact, task.touch)
    if possible and vertex_allows(task.geometry, task.one, v, (-u[0], -u[1], -u[2]), exact, task.touch):
        _put(task, 0, u, far, p, q, f, k, g, m)


@step
def _edge_edge(task, f, k, g, m):
    v, w = edge_ends(task.one.faces, f, k)
    a = point_of(task.one, v)
    d = minus(point_of(task.one, w), a)
    v, w = edge_ends(task.two.faces, g, m)
    b = point_of(task.two, v)
    e = minus(point_of(task.two, w), b)
    n = cross(d, e)
    area_sq, dd, ee = dot(n, n), dot(d, d), dot(e, e)
    if area_sq <= CONTACT_CROSSING_SQ * dd * ee:
        return
    r = minus(b, a)
    area = math.sqrt(area_sq)
    n = (n[0] / area, n[1] / area, n[2] / area)
    h = -dot(r, n)
    if abs(h) > task.reach:
        return
    s = dot(cross(r, e), n) / area
    t = dot(cross(r, d), n) / area
    if min(s, t) < -CONTACT_SEAM or max(s, t) > 1.0 + CONTACT_SEAM:
        return
    for way in range(2):
        sign = 1.0 - 2.0 * way
        u = (sign * n[0], sign * n[1], sign * n[2])
        possible = edge_allows(task.geometry, task.two, g, m, u, CONTACT_TILT, task.touch)
        if possible and edge_allows(task.geometry, task.one, f, k, (-u[0], -u[1], -u[2]), CONTACT_TILT, task.touch):
            p, q = _along(a, s, d), _along(b, t, e)
            _put(task, 0, u, sign * h, p, q, f, _EDGE_CODE + k, g, _EDGE_CODE + m)


@inline
def _owns(surface, f, bit):
    return (surface.faces[f, OWNS] >> bit) & 1 != 0


@step
def find_places(task, pairs, count):
    """Find the places of all pairs of faces, given by their numbers in both surfaces; `task.counted` is how many there are."""
    one, two = task.one, task.two
    task.counted[0] = 0
    for c in range(count):
        f, g = pairs[c, 0], pairs[c, 1]
        rank, other_rank = one.faces[f, RANK], two.faces[g, RANK]
        for k in range(rank):
            if not _owns(one, f, k):
                continue
            if other_rank == 3:
                _vertex_face(task, 0, f, k, g)
            for m in range(other_rank):
                if _owns(two, g, m):
                    _vertex_vertex(task, f, k, g, m)
            for m in range(edges_of(other_rank)):
                if _owns(two, g, _EDGE_CODE + m):
                    _vertex_edge(task, 0, f, k, g, m)
        for m in range(other_rank):
            if not _owns(two, g, m):
                continue
            if rank == 3:
                _vertex_face(task, 1, g, m, f)
            for k in range(edges_of(rank)):
                if _owns(one, f, _EDGE_CODE + k):
                    _vertex_edge(task, 1, g, m, f, k)
        for k in range(edges_of(rank)):
            if not _owns(one, f, _EDGE_CODE + k):
                continue
            for m in range(edges_of(other_rank)):
                if _owns(two, g, _EDGE_CODE + m):
                    _edge_edge(task, f, k, g, m)


@cold
def put_nearest(geometry, shapes, places, i, j, found, k):
    """Write the nearest points of two faces that do not meet, given as rows of `corners`, as place k."""
    ints, corners = geometry.shape_ints, geometry.corners
    f, g = i - ints[shapes[0], at.FACE], j - ints[shapes[1], at.FACE]
    one = face_to_chart(places, 0, local_face(geometry, shapes[0], f))
    two = face_to_chart(places, 1, local_face(geometry, shapes[1], g))
    gap_sq, p, q, own, other = closest(one, rank_of(corners, i), two, rank_of(corners, j))
    gap = math.sqrt(gap_sq)
    found[k, GAP] = gap
    for c in range(3):
        found[k, FIRST + c] = p[c]
        found[k, SECOND + c] = q[c]
        found[k, NORMAL + c] = (p[c] - q[c]) / gap
    found[k, OWN], found[k, OWN + 1] = f, own
    found[k, OTHER], found[k, OTHER + 1] = g, other
