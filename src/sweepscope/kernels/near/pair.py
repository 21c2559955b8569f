"""The nearest faces of two bodies that stand still.

The walk opens pairs of nodes, nearest boxes first. Once two faces are known, the direction between their nearest points bounds
all others too: along any direction two groups are at least as far apart as their shadows. This bound is tight where surfaces
are smooth, so that few faces are compared. Coordinates are relative to the first body's center.

Degenerate cases: faces may be segments or points. Bodies that meet end the walk; which of the faces that meet is returned
depends on the order of faces. Error: rounding of the coordinates, see `slack_of`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from .._memory import INDICES, INTS, REALS, STATES, local
from ..base.blocks import BLOCK, LEAF
from ..base.closest import closest, dot, minus
from ..base.faces import local_face, placed_face, rank_of, rows_of, vertex_of
from ..base.heap import HEAP
from ..base.walk import FULL, HIGHER, LATER, NEITHER, NEXT, PAIR, SHAPES, STOP, walker
from ..charts.straight import PLACE, direction_to_local, face_to_chart, place_points, to_chart
from ..layout import Geometry
from ..tolerances import EPS, ROUNDING

INF = math.inf

Array = np.ndarray[Any, Any]

_LEAVES = BLOCK // LEAF
_POINTS = 3 * BLOCK  # most points of a block
_USUAL_POINTS = BLOCK  # room for so many is made for each block

# Columns of a block that is laid out: a box (low 3, high 3), the least and greatest height, then the boxes of its leaves.
_BOX = 0
_LOW = 6
_HIGH = 7
_LEAF_BOXES = 8
_BLOCK_REALS = _LEAF_BOXES + 6 * _LEAVES
# The same in whole numbers: its first point, their number, and for which direction the heights hold.
_FIRST = 0
_COUNT = 1
_TURN = 2
_BLOCK_INTS = 3
_BLOCK_ROOM = _BLOCK_REALS + _BLOCK_INTS + 4 * _USUAL_POINTS

# Counts.
_USED = 0  # points
_DONE = 1  # blocks
_DIRECTION = 2  # how often the direction has changed
_COUNTS = 3

# The direction: in the common frame, and in that of each body.
_AIM = 9

# States of a node: not yet seen; its box is known; LAID + k: it is block k of those laid out.
_UNSEEN = 0
_BOXED = 1
_LAID = 2

_leaf_gaps = local(np.float64, _LEAVES * _LEAVES)
_leaf_pairs = local(np.int64, _LEAVES * _LEAVES, 2)
_face_heights = local(np.float64, 2, LEAF)
_two_places = local(np.float64, 2, PLACE)


class Task(NamedTuple):
    """What a walk reads and writes."""

    geometry: Geometry
    shapes: tuple[int, int]
    places: Array  # of both bodies in the common frame: rotation 9, offset 3
    rows: tuple[int, int]  # of `boxes`: where the nodes of each body begin
    boxes: Array  # of all nodes in the common frame: center 3, half widths 3
    states: Array
    points: Array  # of all blocks that are laid out
    heights: Array  # of those points along the direction
    reals: Array  # of those blocks
    ints: Array
    counts: Array
    aim: Array  # the direction, from the second body to the first
    thick: float  # sum of both radii


@inline
def _turn(task, x, y, z):
    """Set the direction (x, y, z), a unit vector."""
    aim = task.aim
    a = direction_to_local(task.places, 0, (x, y, z))
    b = direction_to_local(task.places, 1, (x, y, z))
    aim[0], aim[1], aim[2] = x, y, z
    for c in range(3):
        aim[3 + c] = abs(a[c])
        aim[6 + c] = abs(b[c])
    task.counts[_DIRECTION] += 1


@inline
def _box_row(task, side, node):
    """Return the row of a node's box, and make it if it is not known."""
    row = task.rows[side] + node
    if task.states[row] == _UNSEEN:
        geometry, place = task.geometry, task.places
        m = geometry.shape_ints[task.shapes[side], at.NODE] + node
        nodes, boxes = geometry.nodes, task.boxes
        x, y, z = to_chart(place, side, nodes[m, 0], nodes[m, 1], nodes[m, 2])
        boxes[row, 0], boxes[row, 1], boxes[row, 2] = x, y, z
        for r in range(3):
            half = abs(place[side, 3 * r]) * nodes[m, 3] + abs(place[side, 3 * r + 1]) * nodes[m, 4]
            boxes[row, 3 + r] = half + abs(place[side, 3 * r + 2]) * nodes[m, 5]
        task.states[row] = _BOXED
    return row


@inline
def _apart(x, y, z):
    """Return the distance of two boxes from their gaps along the axes; less than 0 if they overlap."""
    deepest = max(x, max(y, z))
    if deepest <= 0.0:
        return deepest
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return math.sqrt(x * x + y * y + z * z)


@inline
def _bound(task, pair, na, nb, above):
    """Return how near two nodes can be: by their boxes, along the direction, and no nearer than the pair above."""
    i, j = _box_row(task, 0, na), _box_row(task, 1, nb)
    boxes, aim, nodes = task.boxes, task.aim, task.geometry.nodes
    x, y, z = boxes[i, 0] - boxes[j, 0], boxes[i, 1] - boxes[j, 1], boxes[i, 2] - boxes[j, 2]
    gap = _apart(
        abs(x) - (boxes[i, 3] + boxes[j, 3]), abs(y) - (boxes[i, 4] + boxes[j, 4]), abs(z) - (boxes[i, 5] + boxes[j, 5])
    )
    m = task.geometry.shape_ints[task.shapes[0], at.NODE] + na
    n = task.geometry.shape_ints[task.shapes[1], at.NODE] + nb
    along = x * aim[0] + y * aim[1] + z * aim[2]
    along -= nodes[m, 3] * aim[3] + nodes[m, 4] * aim[4] + nodes[m, 5] * aim[5]
    along -= nodes[n, 3] * aim[6] + nodes[n, 4] * aim[7] + nodes[n, 5] * aim[8]
    return max(max(gap, along) - task.thick, above)


@inline
def _wait(task, pair, na, nb, value):
    """Compare two nodes once more before they are opened: the direction may be another now."""
    now = _bound(task, pair, na, nb, value)
    return NEITHER if now > value else HIGHER, now


@inline
def _measure(task, k):
    """Bring the heights of a block's points up to date with the direction."""
    ints, heights, points, aim = task.ints, task.heights, task.points, task.aim
    if ints[k, _TURN] == task.counts[_DIRECTION]:
        return
    ints[k, _TURN] = task.counts[_DIRECTION]
    low, high = INF, -INF
    for p in range(ints[k, _FIRST], ints[k, _FIRST] + ints[k, _COUNT]):
        h = points[p, 0] * aim[0] + points[p, 1] * aim[1] + points[p, 2] * aim[2]
        heights[p] = h
        low, high = min(low, h), max(high, h)
    task.reals[k, _LOW] = low
    task.reals[k, _HIGH] = high


@step
def _lay_out(task, side, block, k, p0, count):
    """Write the points of a block in the common frame, and the boxes of its leaves."""
    geometry, points, reals = task.geometry, task.points, task.reals
    ints, corners = geometry.shape_ints, geometry.corners
    s = task.shapes[side]
    first = ints[s, at.LISTED] + geometry.starts[ints[s, at.START] + block]
    place_points(
        geometry.vertices, ints[s, at.VERTEX], geometry.block_vertices, first, first + count, task.places, side, (), points, p0
    )
    i0 = ints[s, at.FACE] + block * BLOCK
    i1 = min(ints[s, at.FACE] + ints[s, at.FACES], i0 + BLOCK)
    for r in range(3):
        reals[k, _BOX + r], reals[k, _BOX + 3 + r] = INF, -INF
    for leaf in range((i1 - i0 + LEAF - 1) // LEAF):
        c = _LEAF_BOXES + 6 * leaf
        j = i0 + leaf * LEAF
        for r in range(3):
            low, high = INF, -INF
            for i in range(j, min(i1, j + LEAF)):
                for v in range(3):
                    x = points[p0 + corners[i, v], r]
                    low, high = min(low, x), max(high, x)
            reals[k, c + r], reals[k, c + 3 + r] = low, high
            reals[k, _BOX + r] = min(reals[k, _BOX + r], low)
            reals[k, _BOX + 3 + r] = max(reals[k, _BOX + 3 + r], high)


@inline
def _laid_out(task, side, block):
    """Return which laid out block a block is, and lay it out if it is not; -1 if the scratch is too small."""
    counts = task.counts
    row = task.rows[side] + block
    if task.states[row] >= _LAID:
        return np.int64(task.states[row]) - _LAID
    k, used = counts[_DONE], counts[_USED]
    if k == len(task.ints) or used + _POINTS > len(task.points):
        return np.int64(-1)
    geometry = task.geometry
    start = geometry.shape_ints[task.shapes[side], at.START] + block
    count = np.int64(geometry.starts[start + 1] - geometry.starts[start])
    _lay_out(task, side, block, k, used, count)
    task.ints[k, _FIRST], task.ints[k, _COUNT], task.ints[k, _TURN] = used, count, 0
    task.states[row] = _LAID + k
    counts[_DONE] = k + 1
    counts[_USED] = used + count
    return k


@inline
def _boxes_apart(reals, i, a, j, b):
    """Return the distance of two boxes, low and high corner, in row i from column a on, and in row j from b on."""
    return _apart(
        max(reals[i, a] - reals[j, b + 3], reals[j, b] - reals[i, a + 3]),
        max(reals[i, a + 1] - reals[j, b + 4], reals[j, b + 1] - reals[i, a + 4]),
        max(reals[i, a + 2] - reals[j, b + 5], reals[j, b + 2] - reals[i, a + 5]),
    )


@inline
def _span(heights, rows):
    """Return the least and the greatest height of a face."""
    a, b, c = heights[rows[0]], heights[rows[1]], heights[rows[2]]
    return min(a, min(b, c)), max(a, max(b, c))


@step
def _nearer_faces(task, k, p, i0, i1, m, q, j0, j1, found):
    """Return the nearest of what is found and of the faces of two leaves. i0, j0: rows of their faces, p, q: first points."""
    points, corners, heights, thick = task.points, task.geometry.corners, task.heights, task.thick
    spans = _face_heights()
    for j in range(j0, j1):
        _, spans[1, j - j0] = _span(heights, rows_of(q, corners, j))
    for i in range(i0, i1):
        low, _ = _span(heights, rows_of(p, corners, i))
        for j in range(j0, j1):
            if low - spans[1, j - j0] - thick >= found[0]:
                continue
            one = placed_face(points, p, corners, i)
            two = placed_face(points, q, corners, j)
            gap_sq, x, y, _, _ = closest(one, rank_of(corners, i), two, rank_of(corners, j))
            gap = math.sqrt(gap_sq)
            if gap - thick >= found[0]:
                continue
            found = (gap - thick, i, j)
            if found[0] <= 0.0:
                return found
            if gap > 0.0:
                n = minus(x, y)
                _turn(task, n[0] / gap, n[1] / gap, n[2] / gap)
                _measure(task, k)
                _measure(task, m)
                low, _ = _span(heights, rows_of(p, corners, i))
                for b in range(j0, j1):
                    _, spans[1, b - j0] = _span(heights, rows_of(q, corners, b))
    return found


@inline
def _leaf(task, pair, na, nb, key, next_key, found):
    """Compare the faces of two blocks, nearest leaves first."""
    geometry, reals = task.geometry, task.reals
    ints, thick = geometry.shape_ints, task.thick
    k = _laid_out(task, 0, na)
    m = _laid_out(task, 1, nb) if k >= 0 else np.int64(-1)
    if m < 0:
        return FULL, key, found
    _measure(task, k)
    _measure(task, m)
    gap = max(_boxes_apart(reals, k, _BOX, m, _BOX), reals[k, _LOW] - reals[m, _HIGH]) - thick
    if gap >= found[0]:
        return NEXT, key, found
    if gap > next_key and gap > key:
        return LATER, gap, found
    i0 = ints[task.shapes[0], at.FACE] + na * BLOCK
    j0 = ints[task.shapes[1], at.FACE] + nb * BLOCK
    i1 = min(ints[task.shapes[0], at.FACE] + ints[task.shapes[0], at.FACES], i0 + BLOCK)
    j1 = min(ints[task.shapes[1], at.FACE] + ints[task.shapes[1], at.FACES], j0 + BLOCK)
    gaps = _leaf_gaps()
    order = _leaf_pairs()
    count = 0
    for a in range((i1 - i0 + LEAF - 1) // LEAF):
        if _boxes_apart(reals, k, _LEAF_BOXES + 6 * a, m, _BOX) - thick >= found[0]:
            continue
        for b in range((j1 - j0 + LEAF - 1) // LEAF):
            gap = _boxes_apart(reals, k, _LEAF_BOXES + 6 * a, m, _LEAF_BOXES + 6 * b) - thick
            if gap < found[0]:
                c = count
                while c > 0 and gaps[c - 1] > gap:
                    gaps[c] = gaps[c - 1]
                    order[c, 0], order[c, 1] = order[c - 1, 0], order[c - 1, 1]
                    c -= 1
                gaps[c] = gap
                order[c, 0], order[c, 1] = a, b
                count += 1
    for c in range(count):
        if gaps[c] >= found[0]:
            break
        i, j = i0 + order[c, 0] * LEAF, j0 + order[c, 1] * LEAF
        p, q = task.ints[k, _FIRST], task.ints[m, _FIRST]
        found = _nearer_faces(task, k, p, i, min(i1, i + LEAF), m, q, j, min(j1, j + LEAF), found)
        if found[0] <= 0.0:
            return STOP, key, found
    return NEXT, key, found


_walk = walker(_bound, _leaf, _wait)


@inline
def _size(geometry, s):
    """Return the greatest coordinate of a shape in its own frame, radius included."""
    size = 0.0
    for r in range(3):
        size = max(size, max(abs(geometry.shape_reals[s, at.BOX_LOW + r]), abs(geometry.shape_reals[s, at.BOX_HIGH + r])))
    return size + geometry.shape_reals[s, at.RADIUS]


@inline
def place_two(poses, a, others, b, places):
    """Write the placements of body a of `poses`, and of body b of `others`, relative to the center of the first."""
    for c in range(9):
        places[0, c] = poses[a, c]
        places[1, c] = others[b, c]
    for r in range(3):
        places[0, 9 + r] = 0.0
        far = others[b, at.POSITION + r] - poses[a, at.POSITION + r]
        places[1, 9 + r] = far + (others[b, at.POSITION_REST + r] - poses[a, at.POSITION_REST + r])


@inline
def slack_of(geometry, shapes, places):
    """Return the rounding error [length] of a distance of two placed bodies."""
    far = max(abs(places[1, 9]), max(abs(places[1, 10]), abs(places[1, 11])))
    return ROUNDING * EPS * (_size(geometry, shapes[0]) + _size(geometry, shapes[1]) + far)


@step
def nearest_faces(geometry, shapes, places, limit, scratch, used):
    """Return (verdict, gap, face, face): the nearest faces of two bodies, if they are nearer than `limit` [length].

    verdict FULL: the scratch, free from `used` on, is too small. Faces are rows of `corners`; -1 if none are so near. gap: less
    than 0 if bodies with radii overlap. Of bodies that meet, these are any two faces that do. places: see `place_two`. The
    boxes of both shapes are up to date.
    """
    ints, reals = geometry.shape_ints, geometry.shape_reals
    s, t = shapes
    none = (limit, np.int64(-1), np.int64(-1))
    if ints[s, at.FACES] == 0 or ints[t, at.FACES] == 0:
        return NEXT, none[0], none[1], none[2]
    first = ints[s, at.OFFSET + ints[s, at.LEVELS]]
    total = first + ints[t, at.OFFSET + ints[t, at.LEVELS]]
    if used + PAIR + _AIM + _COUNTS + 7 * total > len(scratch):
        return FULL, none[0], none[1], none[2]
    pairs = INTS(scratch, used, 1, PAIR)
    used += PAIR
    aim = REALS(scratch, used, 1, _AIM)[0]
    used += _AIM
    counts = INDICES(scratch, used, _COUNTS)
    used += _COUNTS
    boxes = REALS(scratch, used, total, 6)
    used += 6 * total
    states = STATES(scratch, used, total)
    used += total
    room = len(scratch) - used
    heap = REALS(scratch, used, room // (4 * HEAP), HEAP)
    used += room // (4 * HEAP) * HEAP
    blocks = (len(scratch) - used) // _BLOCK_ROOM
    block_reals = REALS(scratch, used, blocks, _BLOCK_REALS)
    used += blocks * _BLOCK_REALS
    block_ints = INTS(scratch, used, blocks, _BLOCK_INTS)
    used += blocks * _BLOCK_INTS
    points = REALS(scratch, used, blocks * _USUAL_POINTS, 3)
    used += 3 * blocks * _USUAL_POINTS
    heights = REALS(scratch, used, 1, blocks * _USUAL_POINTS)[0]
    thick = reals[s, at.RADIUS] + reals[t, at.RADIUS]
    task = Task(
        geometry, shapes, places, (0, first), boxes, states, points, heights, block_reals, block_ints, counts, aim, thick
    )  # fmt: skip
    for k in range(total):
        states[k] = _UNSEEN
    for k in range(_COUNTS):
        counts[k] = 0
    pairs[0, SHAPES], pairs[0, SHAPES + 1] = s, t
    # The first direction: from center to center.
    a = ints[s, at.NODE] + first - 1
    b = ints[t, at.NODE] + total - first - 1
    x = to_chart(places, 0, geometry.nodes[a, 0], geometry.nodes[a, 1], geometry.nodes[a, 2])
    n = minus(x, to_chart(places, 1, geometry.nodes[b, 0], geometry.nodes[b, 1], geometry.nodes[b, 2]))
    size = math.sqrt(dot(n, n))
    if size > 0.0:
        _turn(task, n[0] / size, n[1] / size, n[2] / size)
    else:
        _turn(task, 1.0, 0.0, 0.0)
    verdict, found = _walk(task, ints, pairs, heap, -INF, none)
    return (FULL if verdict == FULL else NEXT), found[0], found[1], found[2]


@cold
def nearest_points(geometry, shapes, places, i, j):
    """Return (features, point 3, point 3, normal 3) of two faces, given as rows of `corners`, in the common frame.

    features: as those of a sweep. The points lie on the rounded faces. normal: from the second towards the first; NaN where
    they meet.
    """
    ints = geometry.shape_ints
    s, t = shapes
    f, g = i - ints[s, at.FACE], j - ints[t, at.FACE]
    one = face_to_chart(places, 0, local_face(geometry, s, f))
    two = face_to_chart(places, 1, local_face(geometry, t, g))
    gap_sq, p, q, own, other = closest(one, rank_of(geometry.corners, i), two, rank_of(geometry.corners, j))
    gap = math.sqrt(gap_sq)
    n = (math.nan, math.nan, math.nan)
    if gap > 0.0:
        n = (p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap
        a, b = geometry.shape_reals[s, at.RADIUS], geometry.shape_reals[t, at.RADIUS]
        if a + b > gap:  # they overlap: one point in both
            a, b = a * gap / (a + b), b * gap / (a + b)
        p = p[0] - a * n[0], p[1] - a * n[1], p[2] - a * n[2]
        q = q[0] + b * n[0], q[1] + b * n[1], q[2] + b * n[2]
    features = (
        geometry.face_ids[i],
        own,
        (vertex_of(geometry, s, f, 0), vertex_of(geometry, s, f, 1), vertex_of(geometry, s, f, 2)),
        geometry.face_ids[j],
        other,
        (vertex_of(geometry, t, g, 0), vertex_of(geometry, t, g, 1), vertex_of(geometry, t, g, 2)),
    )
    return features, p, q, n
