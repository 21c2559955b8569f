"""The surface around possible contacts: the listed faces of one body, their vertices, and which faces meet there.

Vertices in the same place are one, as files repeat them. A direction is possible for a vertex, an edge or a face if the surface
around it lies behind the plane across that direction: then no point nearby reaches farther along it. Of a closed body it must
also lead outwards. Which side of a face is outside is found by a point just beside it, and only if it matters.

Degenerate cases: a face without area has no normal, but its edges count. A body that is so thin that no point is inside has no
outside either: both directions are possible. Source: Voronoi regions of features, Ericson (2005), 5.1.5, from neighbors.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from .._memory import INDICES, INTS, REALS
from ..base.closest import cross, dot, minus
from ..base.faces import local_face, rank_of, vertex_of
from ..base.inside import INSIDE, inside
from ..base.weld import hash_of
from ..charts.straight import to_chart
from ..tolerances import CONTACT_EXACT, CONTACT_FLAT_SQ, CONTACT_TILT, LEAST_SAMPLE_DEPTH, SAMPLE_DEPTH

Array = np.ndarray[Any, Any]

# Columns of a face: its number in block order, its vertices, how many differ, and which features it owns.
NUMBER = 0
CORNER = 1  # 3 columns
RANK = 4
OWNS = 5  # bit k: vertex k; bit 3 + k: the edge from corner k to the next
_FACE = 6

# Columns of a normal: unit; then the sign that makes it lead outwards, 0 if there is none.
_SIGN = 3
_NORMAL = 4
_UNKNOWN = 2.0  # sign

_HASH = 0x9E3779B97F4A7C1


class Surface(NamedTuple):
    """The listed faces of a body."""

    s: int  # its shape
    side: int
    size: int  # how many faces
    faces: Array
    points: Array  # of vertices, in the common frame
    first: Array  # for each vertex its last entry, 3 * face + corner; -1: none
    following: Array  # for each entry the next one of the same vertex
    normals: Array
    common: Array  # the sign of all faces, if they have one


@inline
def _table_size(count):
    size = 16
    while size < 2 * count:
        size *= 2
    return size


@step
def _number_faces(pairs, count, side, table, faces):
    """Number the different faces of one side of pairs, and put the numbers into the pairs. Return how many there are."""
    mask = len(table) - 1
    for c in range(len(table)):
        table[c] = -1
    n = 0
    for k in range(count):
        i = pairs[k, side]
        spot = (i * _HASH >> 20) & mask
        while table[spot] >= 0 and faces[table[spot], NUMBER] != i:
            spot = (spot + 1) & mask
        if table[spot] < 0:
            table[spot] = n
            faces[n, NUMBER] = i
            n += 1
        pairs[k, side] = table[spot]
    return n


@inline
def edge_ends(faces, f, k):
    """Return the vertices of edge k of a face."""
    return faces[f, CORNER + k], faces[f, CORNER + (k + 1) % 3]


@inline
def _has(faces, f, v):
    return faces[f, CORNER] == v or faces[f, CORNER + 1] == v or faces[f, CORNER + 2] == v


@inline
def edges_of(rank):
    """Return how many edges a face has, by its rank."""
    return 3 if rank == 3 else rank - 1


@step
def _enter_face(geometry, words, places, surface, f, known, table, vertices):
    """Enter the vertices of a face, and which of its features no face before it has. Return how many vertices there are."""
    s, faces, points, first = surface.s, surface.faces, surface.points, surface.first
    all_vertices, mask = geometry.vertices, len(table) - 1
    i = faces[f, NUMBER]
    rank = rank_of(geometry.corners, geometry.shape_ints[s, at.FACE] + i)
    owns = 0
    for k in range(3):
        v = geometry.shape_ints[s, at.VERTEX] + vertex_of(geometry, s, i, k)
        spot = np.int64(hash_of(words, v)) & mask
        while table[spot] >= 0:
            w = known[table[spot]]
            x, y, z = all_vertices[v, 0], all_vertices[v, 1], all_vertices[v, 2]
            if x == all_vertices[w, 0] and y == all_vertices[w, 1] and z == all_vertices[w, 2]:
                break
            spot = (spot + 1) & mask
        if table[spot] < 0:
            table[spot] = vertices
            known[vertices] = v
            x = to_chart(places, surface.side, all_vertices[v, 0], all_vertices[v, 1], all_vertices[v, 2])
            points[vertices, 0], points[vertices, 1], points[vertices, 2] = x
            first[vertices] = -1
            if k < rank:
                owns |= 1 << k
            vertices += 1
        faces[f, CORNER + k] = table[spot]
    for k in range(edges_of(rank)):
        a, b = edge_ends(faces, f, k)
        owned = a != b
        entry = first[a]
        while entry >= 0:
            owned = owned and not _has(faces, entry // 3, b)
            entry = surface.following[entry]
        if owned:
            owns |= 8 << k
    for k in range(rank):
        v = faces[f, CORNER + k]
        surface.following[3 * f + k] = first[v]
        first[v] = 3 * f + k
    faces[f, RANK] = rank
    faces[f, OWNS] = owns
    return vertices


@inline
def point_of(surface, v):
    """Return the place of a vertex in the common frame."""
    return surface.points[v, 0], surface.points[v, 1], surface.points[v, 2]


@inline
def normal_of(surface, f):
    """Return the unit normal of a face; 0 if it has no area."""
    return surface.normals[f, 0], surface.normals[f, 1], surface.normals[f, 2]


@inline
def _in_one_plane(surface, f, g):
    """True if two faces have one normal."""
    n, m = normal_of(surface, f), normal_of(surface, g)
    if dot(n, m) <= 0.0:
        return False
    d = cross(n, m)
    return dot(d, d) <= CONTACT_FLAT_SQ


@inline
def _joins(surface, entry, v, w):
    """True if the face of an entry of vertex v goes from w to v."""
    f, k = entry // 3, entry % 3
    return surface.faces[f, RANK] == 3 and surface.faces[f, CORNER + (k + 2) % 3] == w


@step
def _continues(surface, f, v, w):
    """True if one face goes on in the plane of face f beyond its edge from v to w, and no other face is there."""
    faces = surface.faces
    others = 0
    flat = False
    entry = surface.first[v]
    while entry >= 0:
        g = entry // 3
        if g != f and _has(faces, g, w):
            others += 1
            flat = _joins(surface, entry, v, w) and _in_one_plane(surface, f, g)
        entry = surface.following[entry]
    return others == 1 and flat


@step
def _disown_flat(surface, f):
    """Take away the edges and vertices of a face that lie within a plane: places there are between others, or at none."""
    faces = surface.faces
    owns = faces[f, OWNS]
    if faces[f, RANK] < 3 or owns == 0:
        return
    for k in range(3):
        v, w = edge_ends(faces, f, k)
        if (owns >> (3 + k)) & 1 and _continues(surface, f, v, w):
            owns &= ~(8 << k)
        if (owns >> k) & 1:
            flat = True
            entry = surface.first[v]
            while entry >= 0 and flat:
                g = entry // 3
                flat = faces[g, RANK] == 3 and _in_one_plane(surface, f, g)
                flat = flat and _continues(surface, g, v, faces[g, CORNER + (entry % 3 + 1) % 3])
                entry = surface.following[entry]
            if flat:
                owns &= ~(1 << k)
    faces[f, OWNS] = owns


@step
def surface_of(geometry, words, s, places, side, pairs, count, scratch, used):
    """Return (whether the scratch is large enough, surface, the first free number of the scratch).

    pairs: of faces in block order; those of `side` are replaced by their numbers in the surface. words: the bits of vertices.
    """
    size = _table_size(count)
    enough = used + size + _FACE * count <= len(scratch)
    if not enough:
        used, size, count = 0, 0, 0
    table = INDICES(scratch, used, size)
    used += size
    faces = INTS(scratch, used, count, _FACE)
    n = _number_faces(pairs, count, side, table, faces) if enough else 0
    used += _FACE * n
    most = 3 * n
    size = _table_size(most)
    if used + size + 6 * most + _NORMAL * n + 1 > len(scratch):
        enough = False
        used, size, most, n = 0, 0, 0, 0
    table = INDICES(scratch, used, size)
    used += size
    known = INDICES(scratch, used, most)
    used += most
    points = REALS(scratch, used, most, 3)
    used += 3 * most
    first = INDICES(scratch, used, most)
    used += most
    following = INDICES(scratch, used, most)
    used += most
    normals = REALS(scratch, used, n, _NORMAL)
    used += _NORMAL * n
    common = REALS(scratch, used, 1, 1)[0]
    used += 1
    surface = Surface(s, side, n, faces, points, first, following, normals, common)
    if not enough:
        return False, surface, used
    for c in range(size):
        table[c] = -1
    vertices = 0
    for f in range(n):
        vertices = _enter_face(geometry, words, places, surface, f, known, table, vertices)
        a = point_of(surface, faces[f, CORNER])
        d = cross(minus(point_of(surface, faces[f, CORNER + 1]), a), minus(point_of(surface, faces[f, CORNER + 2]), a))
        area = math.sqrt(dot(d, d))
        share = 1.0 / area if area > 0.0 else 0.0
        for c in range(3):
            normals[f, c] = share * d[c]
        normals[f, _SIGN] = _UNKNOWN
    common[0] = _UNKNOWN
    for f in range(n):
        _disown_flat(surface, f)
    return True, surface, used


@cold
def _find_sign(geometry, s, i, touch):
    """Return 1.0 if the normal of face i leads out of closed shape s, -1.0 if into it; 0.0 if neither is so."""
    f = local_face(geometry, s, i)
    n = cross((f[3] - f[0], f[4] - f[1], f[5] - f[2]), (f[6] - f[0], f[7] - f[1], f[8] - f[2]))
    area = math.sqrt(dot(n, n))
    if area == 0.0:
        return 0.0
    x, y, z = (f[0] + f[3] + f[6]) / 3.0, (f[1] + f[4] + f[7]) / 3.0, (f[2] + f[5] + f[8]) / 3.0
    depth = SAMPLE_DEPTH * math.sqrt(area)
    while depth > LEAST_SAMPLE_DEPTH * touch:
        step_out = depth / area
        above = inside(geometry, s, x + step_out * n[0], y + step_out * n[1], z + step_out * n[2], touch) == INSIDE
        below = inside(geometry, s, x - step_out * n[0], y - step_out * n[1], z - step_out * n[2], touch) == INSIDE
        if above != below:
            return -1.0 if above else 1.0
        depth *= SAMPLE_DEPTH
    return 0.0


@inline
def _sign(geometry, surface, f, touch):
    """Return the sign that makes the normal of a face of a closed body lead outwards; 0 if it has none."""
    sign = surface.normals[f, _SIGN]
    if sign != _UNKNOWN:
        return sign
    ints, s = geometry.shape_ints, surface.s
    alike = ints[s, at.SOLID] == 1 and ints[s, at.PARTS] == 1
    sign = surface.common[0]
    if not alike or sign == _UNKNOWN:
        sign = _find_sign(geometry, s, surface.faces[f, NUMBER], touch)
        if alike and sign != 0.0:
            surface.common[0] = sign
    surface.normals[f, _SIGN] = sign
    return sign


@inline
def face_allows(geometry, surface, f, d, touch):
    """True if direction d, one of the two across a face, is possible for it."""
    if geometry.shape_ints[surface.s, at.SOLID] == 0:
        return True
    sign = _sign(geometry, surface, f, touch)
    return sign == 0.0 or sign * dot(normal_of(surface, f), d) > 0.0


@inline
def _leads_out(geometry, surface, v, w, d, touch):
    """True if direction d leads outwards from a vertex, or, if w is another one, from their edge."""
    if geometry.shape_ints[surface.s, at.SOLID] == 0:
        return True
    entry = surface.first[v]
    while entry >= 0:
        f = entry // 3
        if v == w or _has(surface.faces, f, w):
            sign = _sign(geometry, surface, f, touch)
            if sign == 0.0 or sign * dot(normal_of(surface, f), d) > 0.0:
                return True
        entry = surface.following[entry]
    return False


@cold
def inward_of(geometry, surface, f, code, touch):
    """Return a direction into a closed body from a feature of face f: against the sum of the normals around it; 0 of any other.

    code: 0..2 a vertex, 3..5 an edge, 6 the face.
    """
    x, y, z = 0.0, 0.0, 0.0
    if geometry.shape_ints[surface.s, at.SOLID] == 0:
        return x, y, z
    v, w = edge_ends(surface.faces, f, code - 3 if code >= 3 and code < 6 else code % 3)
    entry = surface.first[v]
    while entry >= 0:
        g = entry // 3
        if g == f or code < 3 or (code < 6 and _has(surface.faces, g, w)):
            sign, n = _sign(geometry, surface, g, touch), normal_of(surface, g)
            x, y, z = x - sign * n[0], y - sign * n[1], z - sign * n[2]
        entry = surface.following[entry]
    size = math.sqrt(x * x + y * y + z * z)
    return (x / size, y / size, z / size) if size > 0.0 else (x, y, z)


@inline
def _is_sharp(surface, v, lowest):
    """True if the surface around a vertex falls away from a direction, or ends there. lowest: the least sine of its edges."""
    if lowest <= -2.0 * CONTACT_TILT:
        return True
    faces = surface.faces
    entry = surface.first[v]
    while entry >= 0:
        f = entry // 3
        for k in range(3):
            w = faces[f, CORNER + k]
            others = 0
            other = surface.first[v]
            while other >= 0:
                others += _has(faces, other // 3, w)
                other = surface.following[other]
            if others == 1:
                return True
        entry = surface.following[entry]
    return False


@step
def vertex_allows(geometry, surface, v, d, share, touch):
    """True if direction d, a unit vector, is possible for a vertex.

    share: the sine by which its edges may rise ahead. Where the surface is nearly flat they may not: it has no corner there.
    """
    p = point_of(surface, v)
    steepest, lowest = -1.0, 1.0
    entry = surface.first[v]
    while entry >= 0:
        f = entry // 3
        for k in range(surface.faces[f, RANK]):
            x = minus(point_of(surface, surface.faces[f, CORNER + k]), p)
            size = math.sqrt(dot(x, x))
            if size > 0.0:
                rise = dot(x, d) / size
                if rise > share:
                    return False
                steepest, lowest = max(steepest, rise), min(lowest, rise)
        entry = surface.following[entry]
    is_tilted = steepest > CONTACT_EXACT and share == CONTACT_TILT
    return (not is_tilted or _is_sharp(surface, v, lowest)) and _leads_out(geometry, surface, v, v, d, touch)


@step
def edge_allows(geometry, surface, f, k, d, share, touch):
    """True if direction d, a unit vector across edge k of a face, is possible for it. share: see `vertex_allows`."""
    a, b = edge_ends(surface.faces, f, k)
    p = point_of(surface, a)
    e = minus(point_of(surface, b), p)
    sides = 0
    steepest, lowest = -1.0, 1.0
    entry = surface.first[a]
    while entry >= 0:
        g = entry // 3
        if surface.faces[g, RANK] == 3 and _has(surface.faces, g, b):
            c = surface.faces[g, CORNER] + surface.faces[g, CORNER + 1] + surface.faces[g, CORNER + 2] - a - b
            x = minus(point_of(surface, c), p)
            t = dot(x, e) / dot(e, e)
            x = (x[0] - t * e[0], x[1] - t * e[1], x[2] - t * e[2])
            size = math.sqrt(dot(x, x))
            if size > 0.0:
                rise = dot(x, d) / size
                if rise > share:
                    return False
                steepest, lowest = max(steepest, rise), min(lowest, rise)
                sides += 1
        entry = surface.following[entry]
    is_tilted = steepest > CONTACT_EXACT and share == CONTACT_TILT
    if is_tilted and sides > 1 and lowest > -2.0 * CONTACT_TILT:
        return False
    return _leads_out(geometry, surface, a, b, d, touch)
