"""Distance of points from the surfaces of bodies, negative inside of closed ones.

The nearest face is found through the groups of a shape, eight boxes at once, nearest first. Points are answered in an order in
which neighbors are near each other. The nearest face of the row before gives a bound for the search. That row also gives the
sign: if |p - q| < |d(p)|, no surface lies between the two, so their winding numbers are equal. Otherwise a ray decides.

Neither changes the answer, so it does not depend on the order: a search leaves out only boxes that are farther than the best
face by more than rounding, and of equally near faces the lowest is taken. The sign is carried over only if both points are
farther from the surface than rounding, where the ray is exact.

Degenerate cases: faces may be segments, points, needles or without area. A distance that is not more than its rounding error is
that of a point on the surface: it counts as outside. Error: rounding of the coordinates, see `_slack`.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import cold, inline, kernel, step
from .._memory import local
from ..base.blocks import BLOCK, FAN, LEAF
from ..base.closest import cross, dot, minus
from ..base.face_lanes import near_faces
from ..base.faces import local_face, rank_of
from ..base.geometry import geometry_at
from ..base.hierarchy import GROUPS, PLACES
from ..base.inside import INSIDE, OUTSIDE, UNSURE, inside
from ..base.lanes import distance_lanes
from ..layout import MOST_LEVELS
from ..tolerances import GRAIN, NEEDLE_SQ
from .winding import winding_inside

INF = math.inf
NAN = math.nan
_ROW = 6 * FAN  # numbers of a row of groups
_FACE = 6  # the feature of a face's inside

_keys = local(np.float64, (MOST_LEVELS + 1) * FAN)
_levels = local(np.int64, (MOST_LEVELS + 1) * FAN)
_nodes = local(np.int64, (MOST_LEVELS + 1) * FAN)
_squares = local(np.float64, FAN)
_body_keys = local(np.float64, (MOST_LEVELS + 1) * FAN)
_body_levels = local(np.int64, (MOST_LEVELS + 1) * FAN)
_body_nodes = local(np.int64, (MOST_LEVELS + 1) * FAN)
_body_squares = local(np.float64, FAN)


@inline
def _before(a, b):
    """Return whether a triple comes before another one."""
    return a[0] < b[0] or (a[0] == b[0] and (a[1] < b[1] or (a[1] == b[1] and a[2] < b[2])))


@inline
def _on_edge(p, a, b, k, end):
    """Return (squared distance, nearest point, feature) of edge k from a to b, whose vertices are k and `end`.

    Faces with a common edge compute the same, whatever its direction.
    """
    if _before(b, a):
        a, b = b, a
        first, last = end, k
    else:
        first, last = k, end
    d = minus(b, a)
    r = minus(p, a)
    along, whole = dot(r, d), dot(d, d)
    q, feature = a, first
    if along > 0.0:
        if along >= whole:
            q, feature = b, last
        else:
            t = along / whole
            q, feature = (a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]), 3 + k
    r = minus(p, q)
    return dot(r, r), q, feature


@cold
def _over_needle(p, a, b, c):
    """Return (squared distance, point of the face) over the inside of a thin triangle; infinite beside it.

    Its normal has few digits. But the point nearest to p on the longest side is near p, and the height of the triangle over
    that side has an error of rounding: so has what they give.
    """
    d, e, f = minus(b, a), minus(c, b), minus(a, c)
    dd, ee, ff = dot(d, d), dot(e, e), dot(f, f)
    if ee > dd and ee >= ff:
        a, b, c, d, dd = b, c, a, e, ee
    elif ff > dd:
        a, b, c, d, dd = c, a, b, f, ff
    if dd == 0.0:
        return INF, a
    x = dot(minus(p, a), d) / dd
    top = dot(minus(c, a), d) / dd
    w = c[0] - a[0] - top * d[0], c[1] - a[1] - top * d[1], c[2] - a[2] - top * d[2]
    ww = dot(w, w)
    if x <= 0.0 or x >= 1.0 or ww == 0.0:
        return INF, a
    foot = a[0] + x * d[0], a[1] + x * d[1], a[2] + x * d[2]
    y = dot(minus(p, foot), w) / ww
    y = min(y, x / top if x < top else (1.0 - x) / (1.0 - top))
    if y <= 0.0:
        return INF, a
    q = foot[0] + y * w[0], foot[1] + y * w[1], foot[2] + y * w[2]
    r = minus(p, q)
    return dot(r, r), q


@inline
def _on_face(p, f, rank):
    """Return (squared distance, nearest point, feature) of a face given as nine numbers."""
    a, b, c = (f[0], f[1], f[2]), (f[3], f[4], f[5]), (f[6], f[7], f[8])
    if rank == 1:
        r = minus(p, a)
        return dot(r, r), a, 0
    if rank == 2:
        return _on_edge(p, a, b, 0, 1)
    d, e, r = minus(b, a), minus(c, a), minus(p, a)
    n = cross(d, e)
    n_sq = dot(n, n)
    best, place, feature = INF, a, _FACE
    if n_sq > NEEDLE_SQ * dot(d, d) * dot(e, e):
        s, t = dot(cross(r, e), n), dot(cross(d, r), n)
        if s >= 0.0 and t >= 0.0 and s + t <= n_sq:
            s, t = s / n_sq, t / n_sq
            place = a[0] + s * d[0] + t * e[0], a[1] + s * d[1] + t * e[1], a[2] + s * d[2] + t * e[2]
            r = minus(p, place)
            return dot(r, r), place, feature
    else:
        best, place = _over_needle(p, a, b, c)
    square, q, found = _on_edge(p, a, b, 0, 1)
    if square < best:
        best, place, feature = square, q, found
    square, q, found = _on_edge(p, b, c, 1, 2)
    if square < best:
        best, place, feature = square, q, found
    square, q, found = _on_edge(p, c, a, 2, 0)
    if square < best:
        best, place, feature = square, q, found
    return best, place, feature


@inline
def _push(stack, depth, mask, level, node):
    """Add the children of a node in a mask to a stack, so that the nearest one is on top. Return its new length."""
    keys, levels, nodes, squares = stack
    bottom = depth
    for lane in range(FAN):
        if not (mask >> lane) & 1:
            continue
        key, k = squares[lane], depth
        while k > bottom and keys[k - 1] < key:
            keys[k], levels[k], nodes[k] = keys[k - 1], levels[k - 1], nodes[k - 1]
            k -= 1
        keys[k], levels[k], nodes[k] = key, level - 1, FAN * node + lane
        depth += 1
    return depth


@step
def nearest_face(geometry, groups, s, p, limit, slack):
    """Return (squared distance, nearest point, face in block order, feature) of shape s from the local point p.

    The face is -1 if none is within a limit [length]. slack [length]: rounding error of a distance.
    """
    ints = geometry.shape_ints
    corners = geometry.corners
    n0, f0, v0, count = ints[s, at.NODE], ints[s, at.FACE], ints[s, at.VERTEX], ints[s, at.FACES]
    keys, levels, nodes, squares = _keys(), _levels(), _nodes(), _squares()
    best, place, face, feature = INF, p, np.int64(-1), 0
    most = limit * limit
    keys[0], levels[0], nodes[0] = 0.0, ints[s, at.LEVELS] - 1, 0
    depth = 1 if count > 0 else 0
    while depth > 0:
        depth -= 1
        if keys[depth] > most:
            continue
        level, node = levels[depth], nodes[depth]
        if level >= 0:
            first = (n0 + ints[s, at.OFFSET + level] + node) * _ROW
            mask = np.int64(distance_lanes(groups, first, FAN, p, most, squares))
            depth = _push((keys, levels, nodes, squares), depth, mask, level, node)
            continue
        first = ints[s, at.LISTED] + geometry.starts[ints[s, at.START] + LEAF * node // BLOCK]
        begin = LEAF * node
        mask = np.int64(
            near_faces(geometry.vertices, geometry.block_vertices, corners, v0, first, f0 + begin, f0 + count - 1, p, most)
        )
        for i in range(begin, min(count, begin + LEAF)):
            if not (mask >> (i - begin)) & 1:
                continue
            square, q, found = _on_face(p, local_face(geometry, s, i), rank_of(corners, f0 + i))
            if square > best or square > most:
                continue
            if square == best:
                mine, other = geometry.face_ids[f0 + i], geometry.face_ids[f0 + face]
                if mine > other or (mine == other and i > face):
                    continue
            best, place, face, feature = square, q, np.int64(i), found
            reach = math.sqrt(best) + slack
            most = min(most, reach * reach)
    return best, place, face, feature


@inline
def _face_far(geometry, s, p, face):
    """Return the distance of a local point from a face of shape s."""
    rank = rank_of(geometry.corners, geometry.shape_ints[s, at.FACE] + face)
    return math.sqrt(_on_face(p, local_face(geometry, s, face), rank)[0])


@inline
def _to_local(poses, b, p):
    """Return a point of the world in the frame of body b."""
    x = (p[0] - poses[b, at.POSITION]) - poses[b, at.POSITION_REST]
    y = (p[1] - poses[b, at.POSITION + 1]) - poses[b, at.POSITION_REST + 1]
    z = (p[2] - poses[b, at.POSITION + 2]) - poses[b, at.POSITION_REST + 2]
    return (
        poses[b, 0] * x + poses[b, 3] * y + poses[b, 6] * z,
        poses[b, 1] * x + poses[b, 4] * y + poses[b, 7] * z,
        poses[b, 2] * x + poses[b, 5] * y + poses[b, 8] * z,
    )


@inline
def _turned(poses, b, v):
    """Return a vector of body b in the world."""
    return (
        poses[b, 0] * v[0] + poses[b, 1] * v[1] + poses[b, 2] * v[2],
        poses[b, 3] * v[0] + poses[b, 4] * v[1] + poses[b, 5] * v[2],
        poses[b, 6] * v[0] + poses[b, 7] * v[1] + poses[b, 8] * v[2],
    )


@inline
def _slack(reals, s, p):
    """Return the rounding error of the distance of a local point from shape s [length].

    How far the body is from the origin of the world does not matter: its position is subtracted first, with its rest.
    """
    far = 0.0
    for r in range(3):
        far = max(far, abs(p[r]) + max(abs(reals[s, at.BOX_LOW + r]), abs(reals[s, at.BOX_HIGH + r])))
    return GRAIN * far


@inline
def _box_gap(boxes, b, p):
    """Return the distance of a point from the world box of body b, reduced by its rounding; 0 in the box."""
    total = 0.0
    far = 0.0
    for r in range(3):
        low, high = boxes[at.WORLD_LOW + r, b], boxes[at.WORLD_HIGH + r, b]
        gap = max(0.0, max(low - p[r], p[r] - high))
        far = max(far, max(abs(p[r]), max(abs(low), abs(high))))
        total += gap * gap
    return max(0.0, math.sqrt(total) - GRAIN * far)


@inline
def _in_box(reals, s, p):
    low, high = at.BOX_LOW, at.BOX_HIGH
    if p[0] < reals[s, low] or p[0] > reals[s, high] or p[1] < reals[s, low + 1] or p[1] > reals[s, high + 1]:
        return False
    return reals[s, low + 2] <= p[2] <= reals[s, high + 2]


@inline
def _next_body(world_nodes, ints, p, most, stack, depth):
    """Return (length of the stack, body row) of the next body of the hierarchy, about the nearest first; -1: there is none.

    most: bodies whose squared distance is more do not count.
    """
    keys, levels, nodes, squares = stack
    while depth > 0:
        depth -= 1
        level, node = levels[depth], nodes[depth]
        if keys[depth] > most or keys[depth] == INF:
            continue
        if level < 0:
            return depth, ints[PLACES + node]
        mask = np.int64(distance_lanes(world_nodes, (ints[GROUPS + level] + node) * _ROW, FAN, p, most, squares))
        depth = _push(stack, depth, mask, level, node)
    return depth, np.int64(-1)


@inline
def _normal_of(f):
    """Return the unit normal of a face; NaN if it has no area."""
    a = (f[0], f[1], f[2])
    n = cross(minus((f[3], f[4], f[5]), a), minus((f[6], f[7], f[8]), a))
    size = math.sqrt(dot(n, n))
    return n[0] / size, n[1] / size, n[2] / size


@cold
def _outward(geometry, s, p, n, slack):
    """Return the normal n of a face at a point p of the surface, or -n: the one that leads out; NaN if neither does."""
    step = 4.0 * slack
    ahead = inside(geometry, s, p[0] + step * n[0], p[1] + step * n[1], p[2] + step * n[2], slack)
    behind = inside(geometry, s, p[0] - step * n[0], p[1] - step * n[1], p[2] - step * n[2], slack)
    if (ahead == OUTSIDE and behind != OUTSIDE) or (behind == INSIDE and ahead != INSIDE):
        return n
    if (behind == OUTSIDE and ahead != OUTSIDE) or (ahead == INSIDE and behind != INSIDE):
        return -n[0], -n[1], -n[2]
    return NAN, NAN, NAN


@inline
def _gradient(geometry, s, p, q, distance, face, feature, is_inside, signed, slack):
    """Return the gradient of the distance of a local point p whose nearest point is q: unit, local; NaN where there is none."""
    sign = -1.0 if is_inside else 1.0
    r = minus(p, q)
    if feature == _FACE:
        n = _normal_of(local_face(geometry, s, face))
        beside = cross(r, n)
        # The normal of a needle has few digits: the direction to its nearest point has more.
        if distance > slack and dot(beside, beside) <= 16.0 * slack * slack:
            sign = -sign if dot(r, n) < 0.0 else sign
            return sign * n[0], sign * n[1], sign * n[2]
    if distance > slack:
        sign /= distance
        return sign * r[0], sign * r[1], sign * r[2]
    if signed and geometry.shape_ints[s, at.SOLID] > 0:
        return _outward(geometry, s, p, _normal_of(local_face(geometry, s, face)), slack)
    return NAN, NAN, NAN


@inline
def _write(geometry, poses, answers, row, value, b, s, p, q, distance, face, feature, is_inside, signed, slack):
    """Write the answer of a point. value: its distance from body b; distance: that from the face, without a radius."""
    n = _gradient(geometry, s, p, q, distance, face, feature, is_inside, signed, slack)
    radius = geometry.shape_reals[s, at.RADIUS]
    if radius > 0.0:
        q = q[0] + radius * n[0], q[1] + radius * n[1], q[2] + radius * n[2]
    q = _turned(poses, b, q)
    n = _turned(poses, b, n)
    answers[row, at.POINT_DISTANCE] = value
    for r in range(3):
        answers[row, at.POINT_NEAREST + r] = q[r] + poses[b, at.POSITION_REST + r] + poses[b, at.POSITION + r]
        answers[row, at.POINT_NORMAL + r] = n[r]
    answers[row, at.POINT_BODY] = b
    answers[row, at.POINT_FACE] = geometry.face_ids[geometry.shape_ints[s, at.FACE] + face]
    answers[row, at.POINT_FEATURE] = feature


@kernel
def answer(
    table, groups, body_ints, poses, boxes, world_nodes, world_ints, targets, points, order, lo, hi, signed, answers
):  # fmt: skip
    """Answer the points in places lo .. hi of an order: write their rows of `answers`.

    table: of all shapes, see `base.geometry`. world_nodes, world_ints: of all bodies, see `base.hierarchy`; where it has no
    levels, targets: body rows. signed: whether points may be inside; then bodies with triangles are closed. Otherwise surfaces
    have no inside.
    """
    geometry = geometry_at(table)
    ints, reals = geometry.shape_ints, geometry.shape_reals
    stack = _body_keys(), _body_levels(), _body_nodes(), _body_squares()
    top = world_ints[at.HIERARCHY_LEVELS]
    known, known_face, known_at, known_far, known_inside = np.int64(-1), np.int64(-1), (0.0, 0.0, 0.0), 0.0, False
    for k in range(lo, hi):
        row = order[k]
        p = (points[row, 0], points[row, 1], points[row, 2])
        for c in range(at.POINT_ANSWER):
            answers[row, c] = NAN
        value, body, shape, far, inward, loose = INF, np.int64(-1), np.int64(0), 0.0, False, 0.0
        place, at_place, face, feature = p, p, np.int64(-1), 0
        last, depth = known, np.int64(0)
        i = np.int64(-1 if last >= 0 else 0)
        if top > 0:
            stack[0][0], stack[1][0], stack[2][0] = 0.0, top - 1, 0
            depth = np.int64(1)
        while True:
            if i < 0:
                b, i = last, np.int64(0)  # the body of the row before; all others are then compared with it
            else:
                if top > 0:
                    reach = max(value, 0.0)
                    reach += 2.0 * GRAIN * (abs(p[0]) + abs(p[1]) + abs(p[2]) + reach)
                    depth, b = _next_body(world_nodes, world_ints, p, reach * reach, stack, depth)
                    if b < 0:
                        break
                elif i < len(targets):
                    b = targets[i]
                    i += 1
                else:
                    break
                if b == last:
                    continue
            if boxes[at.WORLD_LOW, b] > boxes[at.WORLD_HIGH, b]:
                continue
            gap = _box_gap(boxes, b, p)
            if gap > 0.0 and gap > value:
                continue
            s = body_ints[b, at.SHAPE]
            radius = reals[s, at.RADIUS]
            q = _to_local(poses, b, p)
            slack = _slack(reals, s, q)
            limit = INF
            solid = signed and ints[s, at.SOLID] > 0
            if not solid or gap > 0.0:
                limit = max(value + radius, 0.0) + 2.0 * slack  # farther faces do not count
            apart = INF
            if b == known:
                r = minus(p, known_at)
                apart = math.sqrt(dot(r, r))
                limit = min(limit, _face_far(geometry, s, q, known_face) + 2.0 * slack)
            square, near, found, kind = nearest_face(geometry, groups, s, q, limit, slack)
            if found < 0:
                continue
            distance = math.sqrt(square)
            is_inside = False
            if solid and distance > slack and _in_box(reals, s, q):
                if apart + 2.0 * slack < known_far:
                    is_inside = known_inside
                else:
                    where = winding_inside(geometry, groups, s, q)
                    if where == UNSURE:
                        value = NAN
                        break
                    is_inside = where == INSIDE
            mine = (-distance if is_inside else distance) - radius
            if not signed:
                mine = max(mine, 0.0)
            if mine < value or (mine == value and b < body):
                value, body, shape, far, inward, loose = mine, b, s, distance, is_inside, slack
                place, at_place, face, feature = q, near, found, kind
        known, known_face, known_at, known_far, known_inside = body, face, p, far, inward
        answers[row, at.POINT_DISTANCE] = value
        answers[row, at.POINT_BODY] = body
        answers[row, at.POINT_FACE] = -1.0
        answers[row, at.POINT_FEATURE] = -1.0
        if value == value and body >= 0:  # not NaN
            _write(
                geometry, poses, answers, row, value, body, shape, place, at_place, far, face, feature, inward, signed, loose
            )  # fmt: skip
    return hi
