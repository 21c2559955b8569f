"""Rays as rows: the first face that each meets, or all of them.

Bodies and groups of the hierarchy wait in a heap, nearest boxes first. A ray is transformed into the frame of a body, near its
center, and walks through its groups. Distances are along the unit direction, which a rigid pose keeps. A row depends on no
other row.

Shapes need groups. A row that reaches a shape without them is not answered: the caller makes them, and repeats the row.
"""

import math
from typing import Any

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from .._memory import REALS, local
from ..base.blocks import FAN
from ..base.closest import corner, cross, dot, minus
from ..base.faces import local_face, rank_of
from ..base.geometry import geometry_at
from ..base.heap import HEAP, pop, push
from ..base.hierarchy import GROUPS, PLACES, lowest
from ..base.lanes import entry_lanes
from ..tolerances import GRAIN
from .thick import nearest_weights, place_on
from .walk import Found, box_ray, box_rows, inverse_of, ray_of, walk_to_all, walk_to_first

INF = math.inf
NAN = math.nan
_LARGEST = 1.7976931348623157e308

DONE = -1
SMALL = -2
FULL = -3
"""What a row needs: nothing, a larger scratch, more room for crossings; else the groups of a shape, given by its row."""

# Columns of crossings.
DISTANCE = 0
BODY = 1  # its id
FACE = 2
WEIGHTS = 3  # 3 columns
POINT = 6  # 3 columns, world
NORMAL = 9  # 3 columns, world
COLUMNS = 12

# Columns of a camera: eye 3, the matrix of rays 9, depth. Pixel (column, row) looks along that matrix times (column, row, 1),
# which goes 1 along the optical axis.
CAMERA_RAYS = 3
CAMERA_DEPTH = 12

# What waits in the heap.
_BODY = 0
_GROUP = 1

_NO_WEIGHTS = (0.0, 0.0, 0.0)
_NOWHERE = (NAN, NAN, NAN)

_entries = local(np.float64, FAN)


@kernel
def first_bad(origins, directions, largest):
    """Return (kind, row) of the first invalid ray: 1 by its origin, 2 by its direction, 3 that has length 0; 0: there is none.

    origins, directions: shape (n, 3); either may have one row for all.
    """
    for i in range(len(origins)):
        for r in range(3):
            if not (abs(origins[i, r]) <= largest):  # also true of NaN
                return 1, i
    for i in range(len(directions)):
        for r in range(3):
            if not (abs(directions[i, r]) <= largest):
                return 2, i
        if directions[i, 0] == 0.0 and directions[i, 1] == 0.0 and directions[i, 2] == 0.0:
            return 3, i
    return 0, 0


@inline
def _unit(directions, i):
    """Return row i of directions as a unit vector."""
    x, y, z = directions[i, 0], directions[i, 1], directions[i, 2]
    scale = max(abs(x), max(abs(y), abs(z)))
    x, y, z = x / scale, y / scale, z / scale
    size = math.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size


@inline
def _to_local(poses, b, origin, direction, radius):
    """Return a ray in the frame of body b. radius [length]: of the ball and of the body."""
    x = (origin[0] - poses[b, at.POSITION]) - poses[b, at.POSITION_REST]
    y = (origin[1] - poses[b, at.POSITION + 1]) - poses[b, at.POSITION_REST + 1]
    z = (origin[2] - poses[b, at.POSITION + 2]) - poses[b, at.POSITION_REST + 2]
    u, v, w = direction
    return ray_of(
        (
            poses[b, 0] * x + poses[b, 3] * y + poses[b, 6] * z,
            poses[b, 1] * x + poses[b, 4] * y + poses[b, 7] * z,
            poses[b, 2] * x + poses[b, 5] * y + poses[b, 8] * z,
        ),
        (
            poses[b, 0] * u + poses[b, 3] * v + poses[b, 6] * w,
            poses[b, 1] * u + poses[b, 4] * v + poses[b, 7] * w,
            poses[b, 2] * u + poses[b, 5] * v + poses[b, 8] * w,
        ),
        radius,
    )


@inline
def _turned(poses, b, p):
    """Return a local direction of body b in the world."""
    x, y, z = p
    return (
        poses[b, 0] * x + poses[b, 1] * y + poses[b, 2] * z,
        poses[b, 3] * x + poses[b, 4] * y + poses[b, 5] * z,
        poses[b, 6] * x + poses[b, 7] * y + poses[b, 8] * z,
    )


@inline
def _moved(poses, b, p):
    """Return a local point of body b, relative to its shape's center, in the world."""
    x, y, z = _turned(poses, b, p)
    return (
        x + poses[b, at.POSITION_REST] + poses[b, at.POSITION],
        y + poses[b, at.POSITION_REST + 1] + poses[b, at.POSITION + 1],
        z + poses[b, at.POSITION_REST + 2] + poses[b, at.POSITION + 2],
    )


@step
def _extent(world):
    """Return the greatest coordinate of all world boxes."""
    far = 0.0
    levels = world.ints[at.HIERARCHY_LEVELS]
    if levels > 0:
        top = world.nodes[world.ints[GROUPS + levels - 1]]
        for k in range(FAN):
            if top[0, k] <= top[3, k]:
                for c in range(6):
                    far = max(far, abs(top[c, k]))
    else:
        for b in range(world.rows):
            if world.boxes[at.WORLD_LOW, b] <= world.boxes[at.WORLD_HIGH, b]:
                for c in range(6):
                    far = max(far, abs(world.boxes[c, b]))
    return min(far, _LARGEST)


@inline
def _enter_box(boxes, b, lanes, rows, longest):
    """Return where a ray enters the box in column b, as `entry_lanes` does; infinite if it does not meet it."""
    numbers = boxes.reshape(boxes.size)
    enter, leave = 0.0, longest
    for c in range(3):
        one = (numbers[rows[c] + b] - lanes[c]) * lanes[6 + c]
        two = (numbers[rows[3 + c] + b] - lanes[3 + c]) * lanes[6 + c]
        enter = one if one > enter else enter
        leave = two if two < leave else leave
    return enter if enter <= leave else INF


@inline
def _push_bodies(world, lanes, rows, longest, heap):
    """Push all bodies whose boxes a ray meets, without a hierarchy. Return the length of the heap; -1: it is too small."""
    boxes = world.boxes
    entries = _entries()
    if world.rows > len(heap):
        return np.int64(-1)
    whole = world.rows - world.rows % FAN
    n = np.int64(0)
    for b in range(0, whole, FAN):
        mask = entry_lanes(boxes, b, rows, lanes, longest, entries)
        while mask:
            lane = lowest(mask)
            mask &= mask - np.uint64(1)
            push(heap, n, entries[lane], _BODY, 0, b + lane)
            n += 1
    for b in range(whole, world.rows):
        key = _enter_box(boxes, b, lanes, rows, longest)
        if key < INF:
            push(heap, n, key, _BODY, 0, b)
            n += 1
    return n


@inline
def _push_group(world, level, group, lanes, rows, longest, heap, n):
    """Push what a group of the hierarchy contains, if a ray meets its boxes. Return the length of the heap; -1: too small."""
    if n + FAN > len(heap):
        return np.int64(-1)
    entries = _entries()
    mask = entry_lanes(world.nodes, (world.ints[GROUPS + level] + group) * 6 * FAN, rows, lanes, longest, entries)
    while mask:
        lane = lowest(mask)
        mask &= mask - np.uint64(1)
        place = FAN * group + lane
        if level > 0:
            push(heap, n, entries[lane], _GROUP, level - 1, place)
        else:
            push(heap, n, entries[lane], _BODY, 0, world.ints[PLACES + place])
        n += 1
    return n


@inline
def _describe(world, b, row, t, weights, ray):
    """Return (number of a face, point, normal, weights of the corners) of a hit, in the world.

    row: of the face among its shape's, in block order.
    """
    geometry, poses = world.geometry, world.poses
    s = world.body_ints[b, at.SHAPE]
    first = geometry.shape_ints[s, at.FACE]
    face = local_face(geometry, s, row)
    d = ray.direction
    if ray.radius == 0.0:
        point = place_on(face, weights)
        normal = cross(minus(corner(face, 1), corner(face, 0)), minus(corner(face, 2), corner(face, 0)))
        if dot(normal, d) > 0.0:
            normal = -normal[0], -normal[1], -normal[2]
    else:
        center = ray.origin[0] + t * d[0], ray.origin[1] + t * d[1], ray.origin[2] + t * d[2]
        weights, _ = nearest_weights(face, rank_of(geometry.corners, first + row), center)
        point = place_on(face, weights)
        normal = minus(center, point)
    size = math.sqrt(dot(normal, normal))
    normal = normal[0] / size, normal[1] / size, normal[2] / size
    own = geometry.shape_reals[s, at.RADIUS]
    if own > 0.0 and size > 0.0:
        point = point[0] + own * normal[0], point[1] + own * normal[1], point[2] + own * normal[2]
    return geometry.face_ids[first + row], _moved(poses, b, point), _turned(poses, b, normal), weights


def _searcher(every: Any) -> Any:
    """Return the search for bodies that a ray meets: for all faces if `every`, else for the first."""
    walk = walk_to_all if every else walk_to_first

    @step
    def search(world, groups, hidden, origin, direction, length, radius, extent, heap, log):
        """Return (what it needs, body row, distance, face in block order, weights); of all faces their number as a face."""
        far = max(abs(origin[0]), max(abs(origin[1]), abs(origin[2])))
        inverse = inverse_of(direction)
        lanes = box_ray(origin, inverse, radius + GRAIN * (far + extent + radius))
        levels = world.ints[at.HIERARCHY_LEVELS]
        body, best, face, weights = np.int64(-1), length, np.int64(-1), _NO_WEIGHTS
        if levels > 0:
            rows = box_rows(inverse, FAN)
            n = _push_group(world, levels - 1, 0, lanes, rows, length, heap, np.int64(0))
        else:
            rows = box_rows(inverse, world.boxes.shape[1])
            n = _push_bodies(world, lanes, rows, length, heap)
        while n > 0:
            if heap[0, 0] > best:
                break
            kind, level, b = np.int64(heap[0, 1]), np.int64(heap[0, 2]), np.int64(heap[0, 3])
            n -= 1
            pop(heap, n)
            if kind == _GROUP:
                n = _push_group(world, level, b, lanes, rows, best, heap, n)
                continue
            s = world.body_ints[b, at.SHAPE]
            if len(hidden) > 0 and hidden[b]:
                continue
            if world.geometry.shape_ints[s, at.GROUPED] == 0:
                return s, body, best, face, weights
            ray = _to_local(world.poses, b, origin, direction, radius + world.geometry.shape_reals[s, at.RADIUS])
            if every:
                found = walk(world.geometry, groups, s, ray, Found(length, face, _NO_WEIGHTS), log)
                for k in range(face + 1, min(found.face + 1, len(log))):
                    row, at_point, normal, corners = _describe(
                        world, b, np.int64(log[k, FACE]), log[k, DISTANCE], (log[k, 3], log[k, 4], log[k, 5]), ray
                    )
                    log[k, BODY], log[k, FACE] = world.body_ints[b, at.ID], row
                    for r in range(3):
                        log[k, WEIGHTS + r], log[k, POINT + r], log[k, NORMAL + r] = corners[r], at_point[r], normal[r]
                face = found.face
            else:
                found = walk(world.geometry, groups, s, ray, Found(best, np.int64(-1), _NO_WEIGHTS), log)
                if found.face >= 0 and (found.distance < best or body < 0 or b < body):
                    body, best, face, weights = b, found.distance, found.face, found.weights
        if n < 0:
            return np.int64(SMALL), body, best, face, weights
        return np.int64(DONE), body, best, face, weights

    return search


_search_first = _searcher(False)
_search_all = _searcher(True)
_no_log = local(np.float64, 1, COLUMNS)
_direction = local(np.float64, 1, 3)


@inline
def _heap_in(scratch):
    return REALS(scratch, 0, len(scratch) // HEAP, HEAP)


@kernel
def cast(
    table, groups, body_ints, poses, boxes, bodies, nodes, ints, hidden, origins, directions, length, radius, lo, hi, scratch,
    distance, body, face, point, normal, weights,
):  # fmt: skip
    """Find the first face that each of the rays lo .. hi meets, or a ball of some radius that moves along it.

    Return (row, need): the first row that is not answered, else hi; and what it needs. table: of all shapes, see
    `base.geometry`; groups: see `base.groups`; nodes, ints: see `base.hierarchy`. hidden: for each body row whether it is left
    out; may be empty. origins, directions: shape (n, 3); either may have one row for all.
    """
    world = at.Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    heap, log = _heap_in(scratch), _no_log()
    extent = _extent(world)
    for i in range(lo, hi):
        j, k = min(i, len(origins) - 1), min(i, len(directions) - 1)
        origin, direction = (origins[j, 0], origins[j, 1], origins[j, 2]), _unit(directions, k)
        need, b, t, row, corners = _search_first(world, groups, hidden, origin, direction, length, radius, extent, heap, log)
        if need != DONE:
            return i, need
        at_point, toward = _NOWHERE, _NOWHERE
        number = np.int64(-1)
        if b >= 0:
            own = world.geometry.shape_reals[body_ints[b, at.SHAPE], at.RADIUS]
            ray = _to_local(poses, b, origin, direction, radius + own)
            number, at_point, toward, corners = _describe(world, b, row, t, corners, ray)
        else:
            t, corners = INF, _NOWHERE
        distance[i] = t
        body[i] = body_ints[b, at.ID] if b >= 0 else -1
        face[i] = number
        for r in range(3):
            point[i, r], normal[i, r], weights[i, r] = at_point[r], toward[r], corners[r]
    return hi, np.int64(DONE)


@kernel
def look(
    table, groups, body_ints, poses, boxes, bodies, nodes, ints, hidden, camera, columns, lo, hi, scratch, depth, ids, faces
):  # fmt: skip
    """Find what the pixels lo .. hi of a camera show, row by row of the picture. Return (pixel, need), as `cast`.

    camera: its columns. depth, ids, faces: of all pixels, flat; nothing is at the camera's depth, with the id and the face -1.
    """
    world = at.Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    heap, log = _heap_in(scratch), _no_log()
    extent = _extent(world)
    direction = _direction()
    far = camera[CAMERA_DEPTH]
    for i in range(lo, hi):
        column, row = i % columns, i // columns
        for r in range(3):
            c = CAMERA_RAYS + 3 * r
            direction[0, r] = camera[c] * column + camera[c + 1] * row + camera[c + 2]
        size = math.sqrt(direction[0, 0] ** 2 + direction[0, 1] ** 2 + direction[0, 2] ** 2)
        need, b, t, face, _ = _search_first(
            world, groups, hidden, (camera[0], camera[1], camera[2]), _unit(direction, 0), INF if far == INF else far * size,
            0.0, extent, heap, log
        )  # fmt: skip
        if need != DONE:
            return i, need
        depth[i], ids[i], faces[i] = far, -1, -1
        if b >= 0:
            s = body_ints[b, at.SHAPE]
            depth[i] = t / size
            ids[i] = body_ints[b, at.ID]
            faces[i] = world.geometry.face_ids[world.geometry.shape_ints[s, at.FACE] + face]
    return hi, np.int64(DONE)


@kernel
def cast_all(
    table, groups, body_ints, poses, boxes, bodies, nodes, ints, hidden, origins, directions, length, radius, lo, hi, scratch,
    used, crossings, counts,
):  # fmt: skip
    """Find all faces that the rays lo .. hi meet, in no particular order: append them to `crossings` from row `used` on.

    Return (row, need, used), as `cast`. counts: how many faces each row meets.
    """
    world = at.Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    heap = _heap_in(scratch)
    extent = _extent(world)
    for i in range(lo, hi):
        j, k = min(i, len(origins) - 1), min(i, len(directions) - 1)
        origin, direction = (origins[j, 0], origins[j, 1], origins[j, 2]), _unit(directions, k)
        need, _, _, last, _ = _search_all(
            world, groups, hidden, origin, direction, length, radius, extent, heap, crossings[used:]
        )
        if need != DONE:
            return i, need, used
        if used + last + 1 > len(crossings):
            return i, np.int64(FULL), used
        counts[i] = last + 1
        used += last + 1
    return hi, np.int64(DONE), used
