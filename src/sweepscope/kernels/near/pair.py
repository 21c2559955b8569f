"""The nearest faces of two bodies that stand still.

The walk opens pairs of nodes, nearest first. A node is bounded by its box and by its heights along a direction: the one between
the nearest points found so far. Two groups are at least as far apart as their heights. Boxes are of the body, so those of faces
that lie at a slant are thick. Before a pair is opened, its blocks, or those just below it, are laid out: their points in the
common frame give tight boxes and heights. Coordinates are relative to the first body's center.

Degenerate cases: faces may be segments or points. Bodies that meet end the walk; which of the faces that meet is returned
depends on the order of faces. Error: rounding of the coordinates, see `slack_of`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from .._memory import INDICES, INTS, REALS, STATES, local
from ..base.blocks import BLOCK, FAN, LEAF
from ..base.boxes import EMPTY, include
from ..base.closest import closest, cross, dot, minus
from ..base.faces import local_face, placed_face, rank_of, rows_of, vertex_of
from ..base.heap import HEAP
from ..base.walk import FIRST, FULL, LATER, NEITHER, NEXT, PAIR, SECOND, SHAPES, STOP, walker
from ..charts.straight import direction_to_local, face_to_chart, place_points, to_chart
from ..layout import Geometry
from ..tolerances import EPS, ROUNDING

INF = math.inf

Array = np.ndarray[Any, Any]

_LEAVES = BLOCK // LEAF
_POINTS = 3 * BLOCK  # most points of a block
_USUAL_POINTS = BLOCK  # room for so many is made for each block

# Columns of a node: its box in the common frame, its heights along the direction, and for which direction these hold.
_CENTER = 0
_HALF = 3
_LOW = 6
_HIGH = 7
_TURN = 8
_NODE = 9

# Columns of a block that is laid out: its first point, their number, and whether the boxes of its leaves are known.
_FIRST = 0
_COUNT = 1
_HAS_LEAVES = 2
_BLOCK_INTS = 3
_LEAF_REALS = 6 * _LEAVES
_BLOCK_ROOM = _LEAF_REALS + _BLOCK_INTS + 4 * _USUAL_POINTS

# Counts.
_USED = 0  # points
_DONE = 1  # blocks
_DIRECTION = 2  # how often the direction has changed
_COUNTS = 3

# The direction: in the common frame, and its absolute values in that of each body.
_AIM = 9

# States of a node: not yet seen; its box is known; that of its blocks; LAID + k: it is block k of those laid out.
_UNSEEN = 0
_BOXED = 1
_TIGHT = 2
_LAID = 3

_leaf_gaps = local(np.float64, _LEAVES * _LEAVES)
_leaf_pairs = local(np.int64, _LEAVES * _LEAVES, 2)
_faces = local(np.float64, LEAF, 6)
_SPAN = 5  # column: the greatest height along the direction, behind those of its slab


class Task(NamedTuple):
    """What a walk reads and writes."""

    geometry: Geometry
    shapes: tuple[int, int]
    places: Array  # of both bodies in the common frame: rotation 9, offset 3
    rows: tuple[int, int]  # of `nodes`: where those of each body begin
    nodes: Array
    states: Array  # of nodes
    points: Array  # of all blocks that are laid out
    heights: Array  # of those points along the direction
    leaves: Array  # boxes of the leaves of those blocks
    blocks: Array
    counts: Array
    aim: Array  # the direction, from the second body to the first
    thick: float  # sum of both radii
    slack: float  # a pair that is nearer by less than this is not looked for


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
def _known(task, side, node):
    """Return the row of a node; write its box if it is not known."""
    row = task.rows[side] + node
    if task.states[row] == _UNSEEN:
        geometry, place, nodes = task.geometry, task.places, task.nodes
        m = geometry.shape_ints[task.shapes[side], at.NODE] + node
        boxes = geometry.nodes
        nodes[row, 0], nodes[row, 1], nodes[row, 2] = to_chart(place, side, boxes[m, 0], boxes[m, 1], boxes[m, 2])
        for r in range(3):
            half = abs(place[side, 3 * r]) * boxes[m, 3] + abs(place[side, 3 * r + 1]) * boxes[m, 4]
            nodes[row, _HALF + r] = half + abs(place[side, 3 * r + 2]) * boxes[m, 5]
        nodes[row, _TURN] = 0.0
        task.states[row] = _BOXED
    return row


@inline
def _measure_block(task, row):
    """Bring the heights of a block that is laid out up to date with the direction."""
    nodes, heights, points, aim = task.nodes, task.heights, task.points, task.aim
    k = task.states[row] - _LAID
    low, high = INF, -INF
    first = task.blocks[k, _FIRST]
    for p in range(first, first + task.blocks[k, _COUNT]):
        h = points[p, 0] * aim[0] + points[p, 1] * aim[1] + points[p, 2] * aim[2]
        heights[p] = h
        low, high = min(low, h), max(high, h)
    nodes[row, _LOW], nodes[row, _HIGH] = low, high
    nodes[row, _TURN] = task.counts[_DIRECTION]


@inline
def _blocks_below(task, side, node):
    """Return the rows of the blocks of a node of level 1, as a range."""
    ints, s = task.geometry.shape_ints, task.shapes[side]
    first = (node - ints[s, at.OFFSET + 1]) * FAN
    return task.rows[side] + first, task.rows[side] + min(ints[s, at.OFFSET + 1], first + FAN)


@inline
def _measure(task, side, node, row):
    """Bring the heights of a node up to date with the direction."""
    nodes, aim, states = task.nodes, task.aim, task.states
    if nodes[row, _TURN] == task.counts[_DIRECTION]:
        return
    if states[row] == _BOXED:
        geometry = task.geometry
        m = geometry.shape_ints[task.shapes[side], at.NODE] + node
        boxes, c = geometry.nodes, 3 + 3 * side
        middle = nodes[row, 0] * aim[0] + nodes[row, 1] * aim[1] + nodes[row, 2] * aim[2]
        half = boxes[m, 3] * aim[c] + boxes[m, 4] * aim[c + 1] + boxes[m, 5] * aim[c + 2]
        nodes[row, _LOW], nodes[row, _HIGH] = middle - half, middle + half
    elif states[row] == _TIGHT:
        low, high = INF, -INF
        b0, b1 = _blocks_below(task, side, node)
        for b in range(b0, b1):
            if nodes[b, _TURN] != task.counts[_DIRECTION]:
                _measure_block(task, b)
            low, high = min(low, nodes[b, _LOW]), max(high, nodes[b, _HIGH])
        nodes[row, _LOW], nodes[row, _HIGH] = low, high
    else:
        _measure_block(task, row)
    nodes[row, _TURN] = task.counts[_DIRECTION]


@inline
def _apart(x, y, z):
    """Return the distance of two boxes from their gaps along the axes; less than 0 if they overlap."""
    deepest = max(x, max(y, z))
    if deepest <= 0.0:
        return deepest
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return math.sqrt(x * x + y * y + z * z)


@inline
def bound(task, pair, na, nb, above):
    """Return how near two nodes can be: by their boxes, along the direction, and no nearer than the pair above."""
    i, j = _known(task, 0, na), _known(task, 1, nb)
    _measure(task, 0, na, i)
    _measure(task, 1, nb, j)
    nodes = task.nodes
    gap = _apart(
        abs(nodes[i, 0] - nodes[j, 0]) - (nodes[i, 3] + nodes[j, 3]),
        abs(nodes[i, 1] - nodes[j, 1]) - (nodes[i, 4] + nodes[j, 4]),
        abs(nodes[i, 2] - nodes[j, 2]) - (nodes[i, 5] + nodes[j, 5]),
    )
    return max(max(gap, nodes[i, _LOW] - nodes[j, _HIGH]) - task.thick, above)


@inline
def _put_box(nodes, row, box):
    for r in range(3):
        nodes[row, _CENTER + r] = 0.5 * (box[r] + box[3 + r])
        nodes[row, _HALF + r] = 0.5 * (box[3 + r] - box[r])
    nodes[row, _TURN] = 0.0


@step
def lay_out(task, side, block):
    """Write the points of a block in the common frame, and its box. Return False if the scratch is too small."""
    counts, points = task.counts, task.points
    row = task.rows[side] + block
    if task.states[row] >= _LAID:
        return True
    k, p0 = counts[_DONE], counts[_USED]
    if k == len(task.blocks) or p0 + _POINTS > len(points):
        return False
    geometry = task.geometry
    ints, s = geometry.shape_ints, task.shapes[side]
    start = ints[s, at.START] + block
    first = ints[s, at.LISTED] + geometry.starts[start]
    count = np.int64(geometry.starts[start + 1] - geometry.starts[start])
    place_points(
        geometry.vertices, ints[s, at.VERTEX], geometry.block_vertices, first, first + count, task.places, side, (), points, p0
    )
    box = EMPTY
    for p in range(p0, p0 + count):
        box = include(box, points[p, 0], points[p, 1], points[p, 2])
    _put_box(task.nodes, row, box)
    task.blocks[k, _FIRST], task.blocks[k, _COUNT], task.blocks[k, _HAS_LEAVES] = p0, count, 0
    task.states[row] = _LAID + k
    counts[_DONE] = k + 1
    counts[_USED] = p0 + count
    return True


@step
def _tighten(task, side, node):
    """Make the box of a node of level 0 or 1 tight."""
    ints, s, nodes = task.geometry.shape_ints, task.shapes[side], task.nodes
    if node < ints[s, at.OFFSET + 1]:
        lay_out(task, side, node)
        return
    row = task.rows[side] + node
    if task.states[row] != _BOXED or node >= ints[s, at.OFFSET + 2]:
        return
    b0, b1 = _blocks_below(task, side, node)
    box = EMPTY
    for b in range(b0, b1):
        if not lay_out(task, side, b - task.rows[side]):
            return
        x, y, z = nodes[b, 0], nodes[b, 1], nodes[b, 2]
        box = include(box, x - nodes[b, 3], y - nodes[b, 4], z - nodes[b, 5])
        box = include(box, x + nodes[b, 3], y + nodes[b, 4], z + nodes[b, 5])
    _put_box(nodes, row, box)
    task.states[row] = _TIGHT


@inline
def _extent(nodes, row):
    return nodes[row, _HALF] + nodes[row, _HALF + 1] + nodes[row, _HALF + 2]


@inline
def wait(task, pair, na, nb, value):
    """Compare two nodes once more before the larger one is opened: tightly, and the direction may be another now."""
    _tighten(task, 0, na)
    _tighten(task, 1, nb)
    now = bound(task, pair, na, nb, value)
    if now > value:
        return NEITHER, now
    larger = _extent(task.nodes, task.rows[0] + na) >= _extent(task.nodes, task.rows[1] + nb)
    return FIRST if larger else SECOND, now


@step
def _find_leaves(task, side, block, k):
    """Write the boxes of the leaves of a block that is laid out."""
    geometry, points, leaves = task.geometry, task.points, task.leaves
    corners, ints, s = geometry.corners, geometry.shape_ints, task.shapes[side]
    p0 = task.blocks[k, _FIRST]
    i0 = ints[s, at.FACE] + block * BLOCK
    i1 = min(ints[s, at.FACE] + ints[s, at.FACES], i0 + BLOCK)
    for leaf in range((i1 - i0 + LEAF - 1) // LEAF):
        box = EMPTY
        for i in range(i0 + leaf * LEAF, min(i1, i0 + leaf * LEAF + LEAF)):
            for v in range(3):
                p = p0 + corners[i, v]
                box = include(box, points[p, 0], points[p, 1], points[p, 2])
        for c in range(6):
            leaves[k, 6 * leaf + c] = box[c]
    task.blocks[k, _HAS_LEAVES] = 1


@inline
def block_at(task, side, block):
    """Return (where a block that is laid out is, its first face, the one behind its last); the boxes of its leaves are known.

    Faces are rows of `corners`.
    """
    k = task.states[task.rows[side] + block] - _LAID
    if task.blocks[k, _HAS_LEAVES] == 0:
        _find_leaves(task, side, block, k)
    ints, s = task.geometry.shape_ints, task.shapes[side]
    first = ints[s, at.FACE] + block * BLOCK
    return k, first, min(ints[s, at.FACE] + ints[s, at.FACES], first + BLOCK)


@inline
def first_point(task, k):
    """Return the row of the first point of a block that is laid out."""
    return task.blocks[k, _FIRST]


@inline
def boxes_apart(reals, i, a, j, b):
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


@inline
def _range(x, y, z, f):
    """Return the least and the greatest height of a face along (x, y, z)."""
    a = x * f[0] + y * f[1] + z * f[2]
    b = x * f[3] + y * f[4] + z * f[5]
    c = x * f[6] + y * f[7] + z * f[8]
    return min(a, min(b, c)), max(a, max(b, c))


@inline
def _slab_of(f):
    """Return the unit normal 3 of a face, rounded, and its least and greatest height along it; 0s if it has no area."""
    d = f[3] - f[0], f[4] - f[1], f[5] - f[2]
    e = f[6] - f[0], f[7] - f[1], f[8] - f[2]
    n = cross(d, e)
    size = math.sqrt(dot(n, n))
    if size == 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    x, y, z = n[0] / size, n[1] / size, n[2] / size
    low, high = _range(x, y, z, f)
    return x, y, z, low, high


@inline
def _outside(slab, f):
    """Return how far a face is from a slab: less than 0 if they meet, and a lower bound of its distance from that face."""
    low, high = _range(slab[0], slab[1], slab[2], f)
    return max(low - slab[4], slab[3] - high)


@step
def _nearer_faces(task, k, p, i0, i1, m, q, j0, j1, found):
    """Return the nearest of what is found and of the faces of two leaves. k, m: nodes of their blocks, p, q: first points.

    found[0] is less than the gap by the slack. Otherwise rounding would make the faces around two vertices nearer and nearer.
    """
    points, corners, heights, thick = task.points, task.geometry.corners, task.heights, task.thick
    others = _faces()
    for j in range(j0, j1):
        _, others[j - j0, _SPAN] = _span(heights, rows_of(q, corners, j))
        slab = _slab_of(placed_face(points, q, corners, j))
        for c in range(_SPAN):
            others[j - j0, c] = slab[c]
    for i in range(i0, i1):
        low, _ = _span(heights, rows_of(p, corners, i))
        one = placed_face(points, p, corners, i)
        own = _slab_of(one)
        for j in range(j0, j1):
            b = j - j0
            if low - others[b, _SPAN] - thick >= found[0]:
                continue
            two = placed_face(points, q, corners, j)
            slab = (others[b, 0], others[b, 1], others[b, 2], others[b, 3], others[b, 4])
            if max(_outside(own, two), _outside(slab, one)) - thick >= found[0]:
                continue
            gap_sq, x, y, _, _ = closest(one, rank_of(corners, i), two, rank_of(corners, j))
            gap = math.sqrt(gap_sq)
            if gap - thick >= found[0]:
                continue
            found = (gap - thick - task.slack, i, j)
            if gap - thick <= 0.0:
                return found
            if gap > 0.0:
                n = minus(x, y)
                _turn(task, n[0] / gap, n[1] / gap, n[2] / gap)
                _measure_block(task, k)
                _measure_block(task, m)
                low, _ = _span(heights, rows_of(p, corners, i))
                for b in range(j1 - j0):
                    _, others[b, _SPAN] = _span(heights, rows_of(q, corners, j0 + b))
    return found


@inline
def _leaf(task, pair, na, nb, key, next_key, found):
    """Compare the faces of two blocks, nearest leaves first."""
    leaves, thick = task.leaves, task.thick
    if not lay_out(task, 0, na) or not lay_out(task, 1, nb):
        return FULL, key, found
    gap = bound(task, pair, na, nb, key)
    if gap >= found[0]:
        return NEXT, key, found
    if gap > next_key and gap > key:
        return LATER, gap, found
    k, i0, i1 = block_at(task, 0, na)
    m, j0, j1 = block_at(task, 1, nb)
    gaps = _leaf_gaps()
    order = _leaf_pairs()
    count = 0
    for a in range((i1 - i0 + LEAF - 1) // LEAF):
        for b in range((j1 - j0 + LEAF - 1) // LEAF):
            gap = boxes_apart(leaves, k, 6 * a, m, 6 * b) - thick
            if gap < found[0]:
                c = count
                while c > 0 and gaps[c - 1] > gap:
                    gaps[c] = gaps[c - 1]
                    order[c, 0], order[c, 1] = order[c - 1, 0], order[c - 1, 1]
                    c -= 1
                gaps[c] = gap
                order[c, 0], order[c, 1] = a, b
                count += 1
    p, q = first_point(task, k), first_point(task, m)
    for c in range(count):
        if gaps[c] >= found[0]:
            break
        i, j = i0 + order[c, 0] * LEAF, j0 + order[c, 1] * LEAF
        found = _nearer_faces(
            task, task.rows[0] + na, p, i, min(i1, i + LEAF), task.rows[1] + nb, q, j, min(j1, j + LEAF), found
        )
        if found[0] + task.slack <= 0.0:
            return STOP, key, found
    return NEXT, key, found


_walk = walker(bound, _leaf, wait)


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
def begin(geometry, shapes, places, slack, scratch, used):
    """Return (whether the scratch is large enough, task, pairs, heap) for a walk over two bodies.

    The scratch is free from `used` on. places: see `place_two`; slack: see `slack_of`. Both shapes have faces, and boxes that
    are up to date.
    """
    ints, reals = geometry.shape_ints, geometry.shape_reals
    s, t = shapes
    first = ints[s, at.OFFSET + ints[s, at.LEVELS]]
    total = first + ints[t, at.OFFSET + ints[t, at.LEVELS]]
    enough = used + PAIR + _AIM + _COUNTS + (_NODE + 1) * total <= len(scratch)
    if not enough:
        used, total = 0, 0
    pairs = INTS(scratch, used, 1, PAIR)
    used += PAIR
    aim = REALS(scratch, used, 1, _AIM)[0]
    used += _AIM
    counts = INDICES(scratch, used, _COUNTS)
    used += _COUNTS
    nodes = REALS(scratch, used, total, _NODE)
    used += _NODE * total
    states = STATES(scratch, used, total)
    used += total
    room = len(scratch) - used
    heap = REALS(scratch, used, room // (4 * HEAP), HEAP)
    used += room // (4 * HEAP) * HEAP
    laid = (len(scratch) - used) // _BLOCK_ROOM
    leaves = REALS(scratch, used, laid, _LEAF_REALS)
    used += laid * _LEAF_REALS
    blocks = INTS(scratch, used, laid, _BLOCK_INTS)
    used += laid * _BLOCK_INTS
    points = REALS(scratch, used, laid * _USUAL_POINTS, 3)
    used += 3 * laid * _USUAL_POINTS
    heights = REALS(scratch, used, 1, laid * _USUAL_POINTS)[0]
    thick = reals[s, at.RADIUS] + reals[t, at.RADIUS]
    task = Task(geometry, shapes, places, (0, first), nodes, states, points, heights, leaves, blocks, counts, aim, thick, slack)
    if not enough:
        return False, task, pairs, heap
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
    return True, task, pairs, heap


@step
def nearest_faces(geometry, shapes, places, limit, slack, scratch, used):
    """Return (verdict, gap, face, face): the nearest faces of two bodies, if they are nearer than `limit` [length].

    verdict FULL: the scratch, free from `used` on, is too small. Faces are rows of `corners`; -1 if none are so near. gap: less
    than 0 if bodies with radii overlap. Other faces may be nearer by the slack and its rounding. Of bodies that meet, these are
    any two faces that do. places: see `place_two`; slack: see `slack_of`. The boxes of both shapes are up to date.
    """
    ints = geometry.shape_ints
    none = (limit, np.int64(-1), np.int64(-1))
    if ints[shapes[0], at.FACES] == 0 or ints[shapes[1], at.FACES] == 0:
        return NEXT, none[0], none[1], none[2]
    enough, task, pairs, heap = begin(geometry, shapes, places, slack, scratch, used)
    if not enough:
        return FULL, none[0], none[1], none[2]
    verdict, found = _walk(task, ints, pairs, heap, -INF, none)
    return (FULL if verdict == FULL else NEXT), (found[0] if found[1] < 0 else found[0] + slack), found[1], found[2]


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
