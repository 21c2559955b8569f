"""The way out: in which direction bodies that touch come apart, around a contact of two of their faces.

Two faces do not show it: a point on the seam of two triangles leaves each of them sideways, and faces in one plane leave it to
either side. Bodies that are made a little smaller do not touch: the way out leads from one smaller body to the other. Faces
around one place keep their corners in common, so their ways out agree.

A vertex of a solid moves inwards until it is 1 behind the planes of all faces around it, but never far along its edges. A
vertex that does not see all of its faces from inside stays where it is. A sheet has no inside: it moves away from the other
body, which is on one side of it, or its border moves inwards. How deep bodies are does not depend on this: the faces are
moved apart along the way out by the tolerance and no more (`lifted`), and then tested like any others.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from .._memory import local
from ..base.closest import closest, corner, cross, dot, minus
from ..base.faces import local_face, vertex_of
from ..base.inside import INSIDE, faces_near, inside
from ..charts.orbit import highest, lowest
from ..charts.straight import direction_to_chart, direction_to_local, to_chart, to_local
from ..tolerances import (
    AROUND_CONTACT,
    CONTINUES,
    EQUAL_DIRECTIONS,
    INWARD_DEPTH,
    INWARD_MARGIN,
    INWARD_SHARE,
    LEAST_DIVISOR,
    MOST_INWARD,
    NEARLY_EXACT,
    SIDE_LOOK,
    SIDE_SHARE,
    SIDE_UNKNOWN,
    TOUCH_SIZE,
    WAY_AROUND,
    WAY_DEPTH,
)
from .sharp import OBSTACLE_NORMAL, SPANNED_END, axis_of

MOST_AROUND = 256  # faces at a place

# Columns of what is known of a corner: the direction in which it moves when its body is made smaller by 1, local, 3; then
KNOWN = 3  # 1 if it is known
_MOST = 4  # how far it may move [length]
MOVE = 5

some_faces = local(np.int64, MOST_AROUND)
_some_normals = local(np.float64, MOST_AROUND, 3)
_more_normals = local(np.float64, 3 * MOST_AROUND, 3)
_two_reals = local(np.float64, 2)
_two_flags = local(np.bool_, 2)
_six_moves = local(np.float64, 6, MOVE)


@inline
def _row(normals, i):
    return normals[i, 0], normals[i, 1], normals[i, 2]


@inline
def _put(normals, count, n):
    """Store a unit normal unless it is known. Return how many there are."""
    for i in range(count):
        if dot(_row(normals, i), n) > 1.0 - EQUAL_DIRECTIONS:
            return count
    normals[count, 0] = n[0]
    normals[count, 1] = n[1]
    normals[count, 2] = n[2]
    return count + 1


@inline
def _unit(n):
    """Return a direction of length 1; 0 if it has no length."""
    size = math.sqrt(dot(n, n))
    return (n[0] / size, n[1] / size, n[2] / size) if size > 0.0 else (0.0, 0.0, 0.0)


@inline
def normal_of(face):
    """Return the unit normal of a face; 0 if it has no area."""
    return _unit(cross(minus(corner(face, 1), corner(face, 0)), minus(corner(face, 2), corner(face, 0))))


@inline
def _is_none(d):
    return d[0] == 0.0 and d[1] == 0.0 and d[2] == 0.0


@inline
def _before(n, d):
    """True if a move by d does not take a point 1 behind the plane across n."""
    return dot(n, d) > -1.0 + INWARD_MARGIN


@step
def _shortest_behind(normals, count):
    """Return the shortest move that takes a point 1 behind all planes across the normals; 0 if there is none, or a long one.

    A plane that the move so far does not go behind binds: the move ends on it, and on those before it that then bind too.
    """
    none = (0.0, 0.0, 0.0)
    d = none
    for i in range(count):
        n = _row(normals, i)
        if not _before(n, d):
            continue
        d = (-n[0], -n[1], -n[2])
        for j in range(i):
            m = _row(normals, j)
            if not _before(m, d):
                continue
            share = 1.0 + dot(n, m)
            if share <= EQUAL_DIRECTIONS:
                return none
            d = (-(n[0] + m[0]) / share, -(n[1] + m[1]) / share, -(n[2] + m[2]) / share)
            for k in range(j):
                o = _row(normals, k)
                if not _before(o, d):
                    continue
                a = cross(m, o)
                b = cross(o, n)
                c = cross(n, m)
                space = dot(n, a)
                if abs(space) <= EQUAL_DIRECTIONS:
                    return none
                d = (-(a[0] + b[0] + c[0]) / space, -(a[1] + b[1] + c[1]) / space, -(a[2] + b[2] + c[2]) / space)
    for i in range(count):
        if dot(_row(normals, i), d) > -1.0 + 1e3 * INWARD_MARGIN:
            return none
    return d if dot(d, d) <= MOST_INWARD * MOST_INWARD else none


@inline
def _middle(face):
    return (face[0] + face[3] + face[6]) / 3.0, (face[1] + face[4] + face[7]) / 3.0, (face[2] + face[5] + face[8]) / 3.0


@inline
def _probe(geometry, s, touch):
    """Return how deep a point must be to be tested for being inside shape s."""
    reals = geometry.shape_reals
    size = 0.0
    for r in range(3):
        size = max(size, max(abs(reals[s, at.BOX_LOW + r]), abs(reals[s, at.BOX_HIGH + r])))
    return max(INWARD_DEPTH * touch, TOUCH_SIZE * size)


@step
def _inside_beyond(geometry, s, p, d, most, touch):
    """Return on which side of p, along d, shape s is inside: 1 beyond it, -1 before it, 0 on both or on neither.

    most [length]: how far from p it is tested.
    """
    far = min(_probe(geometry, s, touch), most / math.sqrt(dot(d, d)))
    found = 0.0
    for side in (1.0, -1.0):
        x = p[0] + side * far * d[0]
        y = p[1] + side * far * d[1]
        z = p[2] + side * far * d[2]
        if inside(geometry, s, x, y, z, 0.5 * touch) == INSIDE:
            found += side
    return found


@inline
def _room(geometry, s, p, faces, around, wide):
    """Return how far a vertex at p may move: a share of the shortest edge that ends there."""
    least_sq = math.inf
    for i in range(around):
        face = local_face(geometry, s, faces[i])
        for k in range(3):
            d = minus(corner(face, k), p)
            if dot(d, d) > wide * wide:
                least_sq = min(least_sq, dot(d, d))
    return INWARD_SHARE * math.sqrt(least_sq)


@cold
def _inwards(geometry, s, p, wide, touch):
    """Return how a vertex at the local point p moves when the solid shape s is made smaller by 1, and how far it may move.

    0 if it stays. wide: places nearer than this are one.
    """
    none = (0.0, 0.0, 0.0)
    faces = some_faces()
    around = faces_near(geometry, s, p, wide, faces)
    normals = _some_normals()
    count = 0
    most = _room(geometry, s, p, faces, around, wide)
    for i in range(around):
        face = local_face(geometry, s, faces[i])
        n = normal_of(face)
        if geometry.shape_ints[s, at.SOLID] == 2:
            # Closed, but its faces are not all turned the same way.
            side = -_inside_beyond(geometry, s, _middle(face), n, most, touch)
            n = (side * n[0], side * n[1], side * n[2])
        if not _is_none(n):
            count = _put(normals, count, n)
    if around == len(faces):
        return none, 0.0
    d = _shortest_behind(normals, count)
    if _is_none(d):
        return none, 0.0
    # A mesh may be turned inside out.
    side = _inside_beyond(geometry, s, p, d, most, touch)
    return (side * d[0], side * d[1], side * d[2]), most


@inline
def _is_border(geometry, s, p, q, faces, around, own, wide):
    """True if no other face than `own` has the edge from p to q."""
    m = (0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2]))
    here = (m[0], m[1], m[2], m[0], m[1], m[2], m[0], m[1], m[2])
    for i in range(around):
        if faces[i] != own and closest(here, 1, local_face(geometry, s, faces[i]), 3)[0] <= wide * wide:
            return False
    return True


@cold
def _away(geometry, s, p, side, wide):
    """Return how a vertex at the local point p moves when the sheet s is moved by 1 away from its front (side 1) or back (-1).

    Its border moves inwards, if it can do both; with side 0 it does nothing else. Second, return how far it may move.
    """
    none = (0.0, 0.0, 0.0)
    faces = some_faces()
    around = faces_near(geometry, s, p, wide, faces)
    normals = _more_normals()  # of faces, and of two borders each
    count = 0
    if around == len(faces):
        return none, 0.0
    for i in range(around if side != 0.0 else 0):
        n = normal_of(local_face(geometry, s, faces[i]))
        if not _is_none(n):
            count = _put(normals, count, (side * n[0], side * n[1], side * n[2]))
    inner = count
    for i in range(around):
        face = local_face(geometry, s, faces[i])
        n = normal_of(face)
        for k in range(3):
            a = corner(face, k)
            b = corner(face, (k + 1) % 3)
            r = minus(a, p)
            q = minus(b, p)
            at_vertex = not _is_none(n) and (dot(r, r) <= wide * wide or dot(q, q) <= wide * wide)
            if at_vertex and _is_border(geometry, s, a, b, faces, around, faces[i], wide):
                count = _put(normals, count, _unit(cross(minus(b, a), n)))
    d = _shortest_behind(normals, count)
    if _is_none(d):
        d = _shortest_behind(normals, inner)
    return d, _room(geometry, s, p, faces, around, wide)


@inline
def _height_over(geometry, s, x, faces, around):
    """Return (distance, height) of a point over the nearest of some faces of shape s; of equals the one it is highest over."""
    here = (x[0], x[1], x[2], x[0], x[1], x[2], x[0], x[1], x[2])
    best = math.inf
    height = 0.0
    for i in range(around):
        face = local_face(geometry, s, faces[i])
        gap = math.sqrt(closest(here, 1, face, 3)[0])
        h = dot(normal_of(face), minus(x, corner(face, 0)))
        if gap < best * (1.0 - INWARD_MARGIN) or (gap <= best * (1.0 + INWARD_MARGIN) and abs(h) > abs(height)):
            best = gap
            height = h
    return best, height


@step
def _side(geometry, places, k, s, p, other, other_shape, q, touch, slack):
    """Return (known, side): on which side of sheet s, around its point p, the other body is around its point q.

    places: placements, with rows k of the sheet and `other`. p, q: in the chart. side: 1 in front, -1 behind, 0 on both.
    Not known: the other lies in the sheet, up to the tolerance; if rounding hides even that side, it is in front.
    """
    reach = SIDE_LOOK * touch
    faces = some_faces()
    around = faces_near(geometry, s, to_local(places, k, p), AROUND_CONTACT * touch, faces)
    others = some_faces()
    here = to_local(places, other, q)
    front = False
    back = False
    _, height = _height_over(geometry, s, to_local(places, k, q), faces, around)
    lowest_height = min(height, 0.0)
    highest_height = max(height, 0.0)
    for i in range(faces_near(geometry, other_shape, here, AROUND_CONTACT * touch, others)):
        face = local_face(geometry, other_shape, others[i])
        for c in range(3):
            d = minus(corner(face, c), here)
            size = math.sqrt(dot(d, d))
            if size <= AROUND_CONTACT * touch:
                continue
            far = min(1.0, reach / size)
            x, y, z = to_chart(places, other, here[0] + far * d[0], here[1] + far * d[1], here[2] + far * d[2])
            gap, height = _height_over(geometry, s, to_local(places, k, (x, y, z)), faces, around)
            if abs(height) > max(AROUND_CONTACT * touch, SIDE_SHARE * gap):
                front = front or height > 0.0
                back = back or height < 0.0
            elif gap <= AROUND_CONTACT * touch:
                lowest_height = min(lowest_height, height)
                highest_height = max(highest_height, height)
    if front or back:
        return True, (1.0 if front else 0.0) - (1.0 if back else 0.0)
    return False, -1.0 if max(highest_height, SIDE_UNKNOWN * slack) < -lowest_height else 1.0


@step
def _find_moves(geometry, wide, s, i, side, moves, rows, touch):
    """Write how the corners of face i of shape s move, local, unless it is known. side: of a sheet, see `_away`."""
    for c in range(3):
        row = rows[c]
        if moves[row, KNOWN] != 0.0:
            continue
        v = geometry.shape_ints[s, at.VERTEX] + vertex_of(geometry, s, i, c)
        p = (geometry.vertices[v, 0], geometry.vertices[v, 1], geometry.vertices[v, 2])
        if geometry.shape_ints[s, at.SOLID] != 0:
            d, most = _inwards(geometry, s, p, wide, touch)
        else:
            d, most = _away(geometry, s, p, side, wide)
        moves[row, 0], moves[row, 1], moves[row, 2] = d
        moves[row, _MOST] = most
        moves[row, KNOWN] = 1.0


@inline
def _move(depth, places, k, moves, row):
    """Return how far a corner, of a body placed by row k of `places`, moves when its body is made smaller by `depth`."""
    d = (moves[row, 0], moves[row, 1], moves[row, 2])
    far = min(depth, moves[row, _MOST] / max(math.sqrt(dot(d, d)), LEAST_DIVISOR))
    return direction_to_chart(places, k, (far * d[0], far * d[1], far * d[2]))


@inline
def _moved(face, depth, places, k, moves, rows):
    """Return a face as it is when its body, placed by row k of `places`, is made smaller by `depth`."""
    a = _move(depth, places, k, moves, rows[0])
    b = _move(depth, places, k, moves, rows[1])
    c = _move(depth, places, k, moves, rows[2])
    return (
        face[0] + a[0],
        face[1] + a[1],
        face[2] + a[2],
        face[3] + b[0],
        face[4] + b[1],
        face[5] + b[2],
        face[6] + c[0],
        face[7] + c[1],
        face[8] + c[2],
    )


@inline
def lifted(face, far, n):
    """Return a face moved by `far` along n."""
    x = far * n[0]
    y = far * n[1]
    z = far * n[2]
    return face[0] + x, face[1] + y, face[2] + z, face[3] + x, face[4] + y, face[5] + z, face[6] + x, face[7] + y, face[8] + z


@inline
def _edge(face, k):
    """Return edge k of a face, as a face."""
    a = corner(face, k)
    b = corner(face, (k + 1) % 3)
    return a[0], a[1], a[2], b[0], b[1], b[2], b[0], b[1], b[2]


@step
def _look(geometry, places, shapes, ranks, p, q, touch, slack, sides, decided):
    """Write the sides on which two sheets are of each other around points p and q, where they can be decided."""
    for k in range(2):
        if ranks[k] == 3 and not decided[k]:
            here = p if k == 0 else q
            there = q if k == 0 else p
            decided[k], sides[k] = _side(geometry, places, k, shapes[k], here, 1 - k, shapes[1 - k], there, touch, slack)


@inline
def _heights_over(face, thin):
    """Return the least and the greatest height of a thin face's corners over the plane of another face."""
    n = normal_of(face)
    level = dot(n, corner(face, 0))
    return lowest(n, thin) - level, highest(n, thin) - level


@step
def _side_of_plane(start, there, obstacle, mover_is_thin, touch):
    """Return (flat, side): on which side of the plane of a sheet's face the other, thin one is. start, there: of the mover.

    flat: it lies in the plane. side: 1, -1, or 0 if it is on both.
    """
    low, high = _heights_over(obstacle, start) if mover_is_thin else _heights_over(start, obstacle)
    least, greatest = _heights_over(obstacle, there) if mover_is_thin else _heights_over(there, obstacle)
    front = max(high, greatest) > AROUND_CONTACT * touch
    back = min(low, least) < -AROUND_CONTACT * touch
    return not (front or back), (1.0 if front else 0.0) - (1.0 if back else 0.0)


@cold
def _sides(geometry, places, shapes, ranks, start, mover, obstacle, touch, slack):
    """Return (side of the mover on which the obstacle is, side of the obstacle on which the mover is), as `_away` takes them.

    Both are sheets. mover, obstacle: their faces, which touch. start: the mover's face at the start.
    """
    _, p, q, _, _ = closest(mover, ranks[0], obstacle, ranks[1])
    sides = _two_reals()
    decided = _two_flags()
    sides[0] = sides[1] = 0.0
    decided[0] = decided[1] = False
    _look(geometry, places, shapes, ranks, p, q, touch, slack, sides, decided)
    # Where one lies flat in the other, its side shows where it leaves that face: across an edge.
    for k in range(6):
        if (decided[0] or ranks[0] < 3) and (decided[1] or ranks[1] < 3):
            return sides[0], sides[1]
        edge = _edge(mover if k < 3 else obstacle, k % 3)
        if k < 3:
            gap_sq, here, there, _, _ = closest(edge, min(ranks[0], 2), obstacle, ranks[1])
        else:
            gap_sq, here, there, _, _ = closest(mover, ranks[0], edge, min(ranks[1], 2))
        if gap_sq <= AROUND_CONTACT * AROUND_CONTACT * touch * touch:
            _look(geometry, places, shapes, ranks, here, there, touch, slack, sides, decided)
    if (decided[0] or ranks[0] < 3) and (decided[1] or ranks[1] < 3):
        return sides[0], sides[1]
    # One lies in the other and slides on the face that it lies in; what stands on that face stops it.
    if min(ranks[0], ranks[1]) < 3:
        flat, side = _side_of_plane(start, mover, obstacle, ranks[0] < 3, touch)
        return (sides[0], sides[1]) if flat else (side, side)
    n = normal_of(obstacle)
    if max(highest(n, mover) - lowest(n, obstacle), highest(n, obstacle) - lowest(n, mover)) > AROUND_CONTACT * touch:
        return 0.0, 0.0
    height = dot(n, minus(p, q))
    side = -1.0 if height < -SIDE_UNKNOWN * slack else 1.0
    return (-side if dot(n, normal_of(mover)) > 0.0 else side), side


@inline
def _between(mover, obstacle, ranks, least):
    """Return the unit direction from the obstacle's face to the mover's; 0 if they are not further apart than `least`."""
    gap_sq, p, q, _, _ = closest(mover, ranks[0], obstacle, ranks[1])
    return _unit(minus(p, q)) if gap_sq > least * least else (0.0, 0.0, 0.0)


@inline
def _exact(way, mover, obstacle):
    """Return the normal of one of two faces, or across an edge of each, that is nearly the way; else the way itself.

    The way is known from places that are as near to each other as the tolerance: it has few digits.
    """
    best = way
    nearest = 1.0 - NEARLY_EXACT
    for k in range(OBSTACLE_NORMAL, SPANNED_END):
        n = _unit(axis_of(mover, obstacle, (0.0, 0.0, 0.0), k))
        cosine = dot(n, way)
        if abs(cosine) > nearest:
            nearest = abs(cosine)
            best = n if cosine > 0.0 else (-n[0], -n[1], -n[2])
    return best


@cold
def way_out(case, two, places, there, depth, touch, slack):
    """Return (way out 3, smaller faces of both, whether a corner of a solid stays) around a contact of two faces.

    The way out is the unit direction in which the mover leaves the obstacle; 0 if it is not known. The smaller faces are those
    of bodies that are made smaller by `depth` together, at the start. two: at the start. there, places: the mover's face and
    the placements of both at the moment of contact.
    """
    geometry, slots, shapes, ranks, pair = case.geometry, case.slots, two.shapes, two.ranks, two.slots
    mover, obstacle = two.faces
    solid = (geometry.shape_ints[shapes[0], at.SOLID] != 0, geometry.shape_ints[shapes[1], at.SOLID] != 0)
    move_m = solid[0] or (not solid[1] and ranks[0] == 3)
    move_o = solid[1] or (not solid[0] and ranks[1] == 3)
    known = case.moves
    rows = two.rows
    side_m, side_o = 0.0, 0.0
    if not solid[0] and not solid[1]:
        if move_m or move_o:
            side_m, side_o = _sides(geometry, places, shapes, ranks, mover, there, obstacle, touch, slack)
        # Which way a sheet moves depends on the other: this is not kept.
        known = _six_moves()
        for k in range(6):
            known[k, KNOWN] = 0.0
        rows = ((0, 1, 2), (3, 4, 5))
    share = 0.5 if move_m and move_o else 1.0
    for k in range(2):
        if (move_m, move_o)[k]:
            _find_moves(geometry, slack, shapes[k], two.numbers[k], (side_m, side_o)[k], known, rows[k], touch)
    stays = False
    for k in range(2):
        for c in range(3 if solid[k] else 0):
            row = rows[k][c]
            stays = stays or (known[row, 0] == 0.0 and known[row, 1] == 0.0 and known[row, 2] == 0.0)
    wide_m = there
    wide_o = obstacle
    if move_m:
        wide_m = _moved(there, share * WAY_DEPTH * touch, places, 0, known, rows[0])
        mover = _moved(mover, share * depth, slots, pair[0], known, rows[0])
    if move_o:
        wide_o = _moved(obstacle, share * WAY_DEPTH * touch, places, 1, known, rows[1])
        obstacle = _moved(obstacle, share * depth, slots, pair[1], known, rows[1])
    if wide_m == there and wide_o == two.faces[1]:
        # No corner can move: the mover is where it is seen to be, if that is more than rounding.
        way = _between(there, obstacle, ranks, SIDE_UNKNOWN * slack)
        return way, lifted(mover, depth, way), obstacle, False
    return _exact(_between(wide_m, wide_o, ranks, slack), there, two.faces[1]), mover, obstacle, stays


@cold
def next_faces(case, two, side, up, every, touch, found):
    """List the numbers of the faces that continue one of two touching faces around their contact; return how many.

    A slanting needle pierces one face, and leaves through the next when it is moved out. side: 0 of the mover, 1 of the
    obstacle. There are none if the way out, `up`, is not across the face: then the contact is at its edge. every: list all
    faces around the contact. found: as `some_faces` makes it.
    """
    geometry, faces = case.geometry, two.faces
    n = normal_of(faces[side])
    count = 0
    if not every and abs(dot(n, up)) < 1.0 - NEARLY_EXACT:
        return count
    _, p, q, _, _ = closest(faces[0], two.ranks[0], faces[1], two.ranks[1])
    n = direction_to_local(case.slots, two.slots[side], n)
    here = to_local(case.slots, two.slots[side], p if side == 0 else q)
    for i in range(faces_near(geometry, two.shapes[side], here, WAY_AROUND * touch, found)):
        if abs(dot(normal_of(local_face(geometry, two.shapes[side], found[i])), n)) > CONTINUES or every:
            found[count] = found[i]
            count += 1
    return count
