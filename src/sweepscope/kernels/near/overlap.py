"""Whether two bodies overlap now: deeper than one contact tolerance, or one inside the other. What only touches does not.

Pairs of nodes whose boxes meet are opened, depth first, down to blocks of faces. Boxes are compared along the axes
of both bodies and along one direction: at first from center to center, then between the nearest faces of blocks that came
close. Blocks are laid out once in a common frame: the first body's center is its origin, its axes are those of the world.
Whether two faces cross, or touch harmlessly, is decided by the test of the sweep (`contact.straight`), with no travel.

Degenerate cases: coincident and flush surfaces cross nowhere. Points just inside the bodies decide about those, and about
bodies without any contact (`sweep.nested`). Error: bodies overlap from 1.01 tolerances on, see docs/conventions.md.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from .._memory import INDICES, REALS, local
from ..base.blocks import BLOCK, FAN, LEAF
from ..base.boxes import EMPTY, include
from ..base.closest import closest
from ..base.faces import local_face, placed_face, rank_of, rows_of
from ..base.inside import INSIDE, ON, across, faces_near, inside, is_boxed, middle_of
from ..base.walk import FULL, NEXT, PAIR, SHAPES, SLOTS
from ..charts.slots import BODY, REACH, SLACK, SLOT_INTS, SLOT_REALS, THICK, WIDE
from ..charts.straight import direction_to_local, place_points, to_chart
from ..contact.case import Case, Two
from ..contact.planes import PLANE, forget_planes, passed
from ..contact.straight import CROSS, confirm, face_contact
from ..contact.verdicts import CROSSING
from ..contact.way_out import KNOWN, MOVE
from ..layout import MOST_LEVELS
from ..statuses import CROSSES, FIRST_INSIDE, FREE, OVERLAP, SAME, SECOND_INSIDE
from ..sweep.nested import nested_pair
from ..tolerances import COARSEST, EPS, LEAST_DIVISOR, LOOSE, ROUNDING, TOUCH_ROUNDING

INF = math.inf

Array = np.ndarray[Any, Any]

_LEAVES = BLOCK // LEAF
_BOXES = 6 * (1 + _LEAVES)  # of a block: its own, then those of its leaves
_POINTS = 3 * BLOCK  # most points of a block
_USUAL_POINTS = BLOCK  # room for so many is made for each block
_BLOCK_ROOM = _USUAL_POINTS * (3 + MOVE) + _BOXES + 2

# Counts.
_USED = 0  # points
_DONE = 1  # blocks

# Numbers of the second body in the frame of the first: rotation 9, offset 3, absolute values of the rotation 9.
_OFFSET = 9
_SIZES = 12
_RELATION = 21

# The direction: in the frame of each body 3, and its absolute values; then in the common frame.
_AIM = 15
_COMMON = 12

_relation = local(np.float64, _RELATION)
_aim = local(np.float64, _AIM)
_slots = local(np.float64, 2, SLOT_REALS)
_slot_ints = local(np.int64, 2, SLOT_INTS)
_pair = local(np.int64, 1, PAIR)
_planes = local(np.float64, 1, PLANE)
_counts = local(np.int64, 2)
# One entry is replaced by FAN when a node is opened, and each node is opened down to its blocks.
_stack = local(np.int64, 2 * MOST_LEVELS * FAN, 4)
_found_faces = local(np.int64, 256)
_one_face = local(np.int64, 1)


class _Task(NamedTuple):
    """What a walk reads and writes."""

    case: Case
    relation: Array
    aim: Array
    laid: tuple[Array, Array]  # for each block of a body which laid out block it is, from 1 on; 0: it is not laid out
    points: Array
    boxes: Array
    firsts: Array  # for each laid out block: its first point
    sizes: Array  # and its number of points
    counts: Array
    reach: float  # faces that are farther apart are not in contact


@inline
def _relate(slots, relation):
    """Write the placement of the second body in the frame of the first."""
    for r in range(3):
        for c in range(3):
            x = slots[0, r] * slots[1, c] + slots[0, 3 + r] * slots[1, 3 + c] + slots[0, 6 + r] * slots[1, 6 + c]
            relation[3 * r + c] = x
            relation[_SIZES + 3 * r + c] = abs(x)
    x, y, z = slots[1, 9] - slots[0, 9], slots[1, 10] - slots[0, 10], slots[1, 11] - slots[0, 11]
    relation[_OFFSET], relation[_OFFSET + 1], relation[_OFFSET + 2] = direction_to_local(slots, 0, (x, y, z))


@inline
def _turn(task, x, y, z):
    """Set the direction to that of (x, y, z), unless it has no length."""
    aim, slots = task.aim, task.case.slots
    size = math.sqrt(x * x + y * y + z * z)
    if size > 0.0:
        x, y, z = x / size, y / size, z / size
        one = direction_to_local(slots, 0, (x, y, z))
        two = direction_to_local(slots, 1, (x, y, z))
        for c in range(3):
            aim[c], aim[3 + c] = one[c], abs(one[c])
            aim[6 + c], aim[9 + c] = two[c], abs(two[c])
        aim[_COMMON], aim[_COMMON + 1], aim[_COMMON + 2] = x, y, z


@inline
def _are_apart(nodes, m, n, relation, aim, wide):
    """True if a plane across the direction, or across an axis of one of two nodes, keeps them more than `wide` apart."""
    a0, a1, a2 = nodes[m, 3], nodes[m, 4], nodes[m, 5]
    b0, b1, b2 = nodes[n, 3], nodes[n, 4], nodes[n, 5]
    p, q, r = nodes[n, 0], nodes[n, 1], nodes[n, 2]
    x = relation[0] * p + relation[1] * q + relation[2] * r + relation[9] - nodes[m, 0]
    y = relation[3] * p + relation[4] * q + relation[5] * r + relation[10] - nodes[m, 1]
    z = relation[6] * p + relation[7] * q + relation[8] * r + relation[11] - nodes[m, 2]
    apart = abs(aim[0] * x + aim[1] * y + aim[2] * z) > (
        aim[3] * a0 + aim[4] * a1 + aim[5] * a2 + aim[9] * b0 + aim[10] * b1 + aim[11] * b2 + wide
    )
    apart |= abs(x) > a0 + relation[12] * b0 + relation[13] * b1 + relation[14] * b2 + wide
    apart |= abs(y) > a1 + relation[15] * b0 + relation[16] * b1 + relation[17] * b2 + wide
    apart |= abs(z) > a2 + relation[18] * b0 + relation[19] * b1 + relation[20] * b2 + wide
    if apart:
        return True
    apart = abs(relation[0] * x + relation[3] * y + relation[6] * z) > (
        b0 + relation[12] * a0 + relation[15] * a1 + relation[18] * a2 + wide
    )
    apart |= abs(relation[1] * x + relation[4] * y + relation[7] * z) > (
        b1 + relation[13] * a0 + relation[16] * a1 + relation[19] * a2 + wide
    )
    apart |= abs(relation[2] * x + relation[5] * y + relation[8] * z) > (
        b2 + relation[14] * a0 + relation[17] * a1 + relation[20] * a2 + wide
    )
    return apart


@inline
def _put_box(boxes, k, column, box):
    for c in range(6):
        boxes[k, column + c] = box[c]


@step
def _lay_out(task, side, block):
    """Write the points of a block in the common frame, and boxes of it and its leaves; return its number. -1: no room."""
    laid, points, counts = task.laid[side], task.points, task.counts
    if laid[block] > 0:
        return laid[block] - 1
    k, p0 = counts[_DONE], counts[_USED]
    if k == len(task.firsts) or p0 + _POINTS > len(points):
        return np.int64(-1)
    geometry = task.case.geometry
    ints, s, corners = geometry.shape_ints, task.case.pairs[0, SHAPES + side], geometry.corners
    start = ints[s, at.START] + block
    first = ints[s, at.LISTED] + geometry.starts[start]
    count = np.int64(geometry.starts[start + 1] - geometry.starts[start])
    place_points(
        geometry.vertices, ints[s, at.VERTEX], geometry.block_vertices, first, first + count, task.case.slots, side, (), points,
        p0,
    )  # fmt: skip
    for p in range(p0, p0 + count):
        task.case.moves[p, KNOWN] = 0.0
    i0 = ints[s, at.FACE] + block * BLOCK
    i1 = min(ints[s, at.FACE] + ints[s, at.FACES], i0 + BLOCK)
    whole = EMPTY
    for leaf in range((i1 - i0 + LEAF - 1) // LEAF):
        box = EMPTY
        for i in range(i0 + leaf * LEAF, min(i1, i0 + leaf * LEAF + LEAF)):
            for v in range(3):
                p = p0 + corners[i, v]
                box = include(box, points[p, 0], points[p, 1], points[p, 2])
        _put_box(task.boxes, k, 6 + 6 * leaf, box)
        whole = include(include(whole, box[0], box[1], box[2]), box[3], box[4], box[5])
    _put_box(task.boxes, k, 0, whole)
    task.firsts[k], task.sizes[k] = p0, count
    laid[block] = k + 1
    counts[_DONE], counts[_USED] = k + 1, p0 + count
    return k


@inline
def _boxes_apart(boxes, k, a, m, b, wide):
    """True if box a of laid out block k and box b of block m are more than `wide` apart."""
    apart = (boxes[k, a] - boxes[m, b + 3] > wide) | (boxes[m, b] - boxes[k, a + 3] > wide)
    apart |= (boxes[k, a + 1] - boxes[m, b + 4] > wide) | (boxes[m, b + 1] - boxes[k, a + 4] > wide)
    return apart | (boxes[k, a + 2] - boxes[m, b + 5] > wide) | (boxes[m, b + 2] - boxes[k, a + 5] > wide)


@inline
def _is_beyond(f, boxes, k, column, wide):
    """True if a face and a box of laid out block k are more than `wide` apart."""
    for r in range(3):
        a, b, c = f[r], f[3 + r], f[6 + r]
        if min(a, min(b, c)) - boxes[k, column + 3 + r] > wide or boxes[k, column + r] - max(a, max(b, c)) > wide:
            return True
    return False


@inline
def _faces_apart(f, g, wide):
    """True if the boxes of two faces are more than `wide` apart."""
    for r in range(3):
        a, b, c = f[r], f[3 + r], f[6 + r]
        d, e, h = g[r], g[3 + r], g[6 + r]
        if min(a, min(b, c)) - max(d, max(e, h)) > wide or min(d, min(e, h)) - max(a, max(b, c)) > wide:
            return True
    return False


@inline
def _sides(task, k, m):
    """Return how far apart two laid out blocks are along the direction; less than 0 if they overlap along it."""
    points, x, y, z = task.points, task.aim[_COMMON], task.aim[_COMMON + 1], task.aim[_COMMON + 2]
    low, high = INF, -INF
    for p in range(task.firsts[k], task.firsts[k] + task.sizes[k]):
        low = min(low, points[p, 0] * x + points[p, 1] * y + points[p, 2] * z)
    for p in range(task.firsts[m], task.firsts[m] + task.sizes[m]):
        high = max(high, points[p, 0] * x + points[p, 1] * y + points[p, 2] * z)
    return low - high


@step
def _judge(task, two, known, thorough):
    """Return how two faces show that their bodies overlap: CROSSES, OVERLAP, or FREE. known: the bodies overlap."""
    case = task.case
    thick, slack = case.slots[0, THICK] + case.slots[1, THICK], case.slots[0, SLACK] + case.slots[1, SLACK]
    if not known:
        t, _ = face_contact(case, two, case.limit, ())
        if t != CROSSING:
            return FREE
        if not thorough:
            return OVERLAP
    touch = max(case.touch, TOUCH_ROUNDING * slack)
    verdict, _, _, _ = confirm(
        two.faces[0], two.ranks[0], two.faces[1], two.ranks[1], thick, slack, touch, 0.0, case.limit, case.resting_hits
    )
    return CROSSES if verdict == CROSS else FREE if known else OVERLAP


@step
def _compare(task, na, nb, found, thorough):
    """Compare the faces of two blocks: return (verdict, found). found: how they overlap, and the faces that show it."""
    case = task.case
    geometry, points, boxes, wide = case.geometry, task.points, task.boxes, task.reach
    ints, corners = geometry.shape_ints, geometry.corners
    sa, sb = case.pairs[0, SHAPES], case.pairs[0, SHAPES + 1]
    k = _lay_out(task, 0, na)
    m = _lay_out(task, 1, nb) if k >= 0 else np.int64(-1)
    if m < 0:
        return FULL, found
    if _boxes_apart(boxes, k, 0, m, 0, wide) or _sides(task, k, m) > wide:
        return NEXT, found
    if passed(points, task.firsts[m], task.sizes[m], case.planes, 0):
        return NEXT, found
    i0, j0 = ints[sa, at.FACE] + na * BLOCK, ints[sb, at.FACE] + nb * BLOCK
    i1, j1 = min(ints[sa, at.FACE] + ints[sa, at.FACES], i0 + BLOCK), min(ints[sb, at.FACE] + ints[sb, at.FACES], j0 + BLOCK)
    p, q = task.firsts[k], task.firsts[m]
    for a in range((i1 - i0 + LEAF - 1) // LEAF):
        if _boxes_apart(boxes, k, 6 + 6 * a, m, 0, wide):
            continue
        for b in range((j1 - j0 + LEAF - 1) // LEAF):
            if _boxes_apart(boxes, k, 6 + 6 * a, m, 6 + 6 * b, wide):
                continue
            for i in range(i0 + a * LEAF, min(i1, i0 + a * LEAF + LEAF)):
                one = placed_face(points, p, corners, i)
                if _is_beyond(one, boxes, m, 6 + 6 * b, wide):
                    continue
                for j in range(j0 + b * LEAF, min(j1, j0 + b * LEAF + LEAF)):
                    other = placed_face(points, q, corners, j)
                    if _faces_apart(one, other, wide):
                        continue
                    two = Two(
                        0,
                        (0, 1),
                        (sa, sb),
                        (one, other),
                        (rank_of(corners, i), rank_of(corners, j)),
                        (i - ints[sa, at.FACE], j - ints[sb, at.FACE]),
                        (rows_of(p, corners, i), rows_of(q, corners, j)),
                    )
                    how = _judge(task, two, found[0] != FREE, thorough)
                    if how != FREE:
                        found = (how, np.int64(i), np.int64(j))
                        if how == CROSSES or not thorough:
                            return NEXT, found
    return NEXT, found


@inline
def _level(ints, s, node):
    level = 0
    while ints[s, at.OFFSET + level + 1] <= node:
        level += 1
    return level


@step
def _walk(task, found, thorough):
    """Return (verdict, found) of the faces of both bodies."""
    case = task.case
    geometry, relation, aim, wide = case.geometry, task.relation, task.aim, task.reach
    ints, nodes = geometry.shape_ints, geometry.nodes
    sa, sb = case.pairs[0, SHAPES], case.pairs[0, SHAPES + 1]
    na, nb = ints[sa, at.NODE], ints[sb, at.NODE]
    stack = _stack()
    stack[0, 0], stack[0, 2] = ints[sa, at.LEVELS] - 1, ints[sb, at.LEVELS] - 1
    stack[0, 1], stack[0, 3] = 0, 0
    depth = 1
    while depth > 0:
        depth -= 1
        la, a, lb, b = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        m, n = na + ints[sa, at.OFFSET + la] + a, nb + ints[sb, at.OFFSET + lb] + b
        if _are_apart(nodes, m, n, relation, aim, wide):
            continue
        if la == 0 and lb == 0:
            verdict, found = _compare(task, a, b, found, thorough)
            if verdict == FULL or found[0] == CROSSES or (found[0] != FREE and not thorough):
                return verdict, found
            continue
        first = la > 0 and (lb == 0 or nodes[m, 3] + nodes[m, 4] + nodes[m, 5] >= nodes[n, 3] + nodes[n, 4] + nodes[n, 5])
        if first:
            count = ints[sa, at.OFFSET + la] - ints[sa, at.OFFSET + la - 1]
            for child in range(a * FAN, min(count, a * FAN + FAN)):
                stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = la - 1, child, lb, b
                depth += 1
        else:
            count = ints[sb, at.OFFSET + lb] - ints[sb, at.OFFSET + lb - 1]
            for child in range(b * FAN, min(count, b * FAN + FAN)):
                stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = la, a, lb - 1, child
                depth += 1
    return NEXT, found


@inline
def _place(geometry, shapes, two, margin, slots, slot_ints):
    """Write the placements of both bodies, relative to the first one's center. Return the rounding of their coordinates."""
    reals = geometry.shape_reals
    slack = 0.0
    for k in range(2):
        s = shapes[k]
        for c in range(9):
            slots[k, c] = two[k, c]
        size = 0.0
        offset = 0.0
        for r in range(3):
            far = (two[k, at.POSITION + r] - two[0, at.POSITION + r]) + (
                two[k, at.POSITION_REST + r] - two[0, at.POSITION_REST + r]
            )
            slots[k, 9 + r] = far
            offset = max(offset, abs(far))
            size = max(size, max(abs(reals[s, at.BOX_LOW + r]), abs(reals[s, at.BOX_HIGH + r])))
        slots[k, THICK] = reals[s, at.RADIUS] + (margin if k == 0 else 0.0)
        slots[k, REACH] = 0.0
        slots[k, SLACK] = ROUNDING * EPS * (size + offset + slots[k, THICK])
        slots[k, WIDE] = slots[k, THICK] + slots[k, SLACK]
        slot_ints[k, BODY] = k
        slack = max(slack, slots[k, SLACK])
    return slack


@inline
def diagonal_of(geometry, s):
    """Return the diagonal of a shape's own box, radius included."""
    reals = geometry.shape_reals
    wide = 2.0 * reals[s, at.RADIUS]
    x = reals[s, at.BOX_HIGH] - reals[s, at.BOX_LOW] + wide
    y = reals[s, at.BOX_HIGH + 1] - reals[s, at.BOX_LOW + 1] + wide
    z = reals[s, at.BOX_HIGH + 2] - reals[s, at.BOX_LOW + 2] + wide
    return math.sqrt(x * x + y * y + z * z)


@step
def _cross(geometry, shapes, two, margin, touch, known, thorough, scratch, used):
    """Return (verdict, found) of the faces of two bodies. known: they overlap already; then only faces that cross matter."""
    ints = geometry.shape_ints
    none = (FREE, np.int64(-1), np.int64(-1))
    slots, slot_ints, pairs = _slots(), _slot_ints(), _pair()
    slack = _place(geometry, shapes, two, margin, slots, slot_ints)
    counts = _counts()
    blocks = (ints[shapes[0], at.OFFSET + 1], ints[shapes[1], at.OFFSET + 1])
    room = (len(scratch) - used - blocks[0] - blocks[1]) // _BLOCK_ROOM
    if room < 2:
        return FULL, none
    laid = (INDICES(scratch, used, blocks[0]), INDICES(scratch, used + blocks[0], blocks[1]))
    used += blocks[0] + blocks[1]
    for side in range(2):
        for k in range(blocks[side]):
            laid[side][k] = 0
        pairs[0, SLOTS + side] = side
        pairs[0, SHAPES + side] = shapes[side]
        counts[side] = 0
    most = room * _USUAL_POINTS
    points = REALS(scratch, used, most, 3)
    moves = REALS(scratch, used + 3 * most, most, MOVE)
    used += (3 + MOVE) * most
    boxes = REALS(scratch, used, room, _BOXES)
    used += _BOXES * room
    planes = _planes()
    forget_planes(planes)
    size = diagonal_of(geometry, shapes[0]) + margin
    # If rounding is not small compared with the bodies, no contact can be called resting.
    rough = size > 0.0 and (slack > LOOSE * size or touch > COARSEST * size)
    case = Case(geometry, two, two, slots, slot_ints, pairs, planes, moves, (), touch, slack + LEAST_DIVISOR, rough)
    reach = slots[0, WIDE] + slots[1, WIDE]
    task = _Task(
        case, _relation(), _aim(), laid, points, boxes, INDICES(scratch, used, room), INDICES(scratch, used + room, room),
        counts, reach,
    )  # fmt: skip
    _relate(slots, task.relation)
    nodes = geometry.nodes
    m = ints[shapes[0], at.NODE] + ints[shapes[0], at.OFFSET + ints[shapes[0], at.LEVELS]] - 1
    n = ints[shapes[1], at.NODE] + ints[shapes[1], at.OFFSET + ints[shapes[1], at.LEVELS]] - 1
    one = to_chart(slots, 0, nodes[m, 0], nodes[m, 1], nodes[m, 2])
    other = to_chart(slots, 1, nodes[n, 0], nodes[n, 1], nodes[n, 2])
    _turn(task, 0.0, 0.0, 1.0)
    _turn(task, one[0] - other[0], one[1] - other[1], one[2] - other[2])
    return _walk(task, (OVERLAP if known else FREE, none[1], none[2]), thorough)


@inline
def _in_rounded(geometry, t, f, room, found):
    """True if one rounded face of shape t contains a face, given in its frame. room: by how much its own radius is smaller."""
    count = faces_near(geometry, t, (f[0], f[1], f[2]), room, found)
    for k in range(count):
        g = local_face(geometry, t, found[k])
        held = True
        for v in range(1, 3):
            p = (f[3 * v], f[3 * v + 1], f[3 * v + 2])
            here = (p[0], p[1], p[2], p[0], p[1], p[2], p[0], p[1], p[2])
            held = held and closest(here, 1, g, 3)[0] <= room * room
        if held:
            return True
    return False


@inline
def _in_solid(geometry, t, p, touch):
    """True if a point is in the closed shape t, or not farther from it than `touch`."""
    if not is_boxed(geometry.shape_reals, t, p[0], p[1], p[2], touch):
        return False
    where = inside(geometry, t, p[0], p[1], p[2], touch)
    return where in (INSIDE, ON) or faces_near(geometry, t, p, touch, _one_face()) > 0


@cold
def _is_within(geometry, shapes, two, inner, crossing, touch):
    """True if no place of one of two bodies that overlap is outside the other. crossing: some of their faces cross."""
    s, t = shapes[inner], shapes[1 - inner]
    solid = geometry.shape_ints[t, at.SOLID] != 0
    room = geometry.shape_reals[t, at.RADIUS] - geometry.shape_reals[s, at.RADIUS] + touch
    if (solid and crossing) or (not solid and room <= 0.0):
        return False
    found = _found_faces()
    for i in range(geometry.shape_ints[s, at.FACES]):
        f = local_face(geometry, s, i)
        a = across(two, inner, 1 - inner, f[0], f[1], f[2])
        b = across(two, inner, 1 - inner, f[3], f[4], f[5])
        c = across(two, inner, 1 - inner, f[6], f[7], f[8])
        g = (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])
        if not solid:
            if not _in_rounded(geometry, t, g, room, found):
                return False
            continue
        for p in (a, b, c, middle_of(g)):
            if not _in_solid(geometry, t, p, touch):
                return False
    return True


@step
def overlap_of(geometry, shapes, two, margin, touch, thorough, scratch, used):
    """Decide whether two bodies overlap by more than the tolerance `touch` [length]: return (verdict, how, face, face, point).

    how: FREE or OVERLAP. If thorough, instead of OVERLAP: CROSSES, if each has something outside the other; FIRST_INSIDE or
    SECOND_INSIDE; SAME, if each is inside the other. faces: two that show it, as rows of `corners`; -1 if none do, then `point`
    is one of the inner body, world. verdict FULL: the scratch, free from `used` on, is too small. two: poses (2 rows). margin
    [length]: how much thicker the first body is taken; then `thorough` is not. Both shapes are ready: boxes up to date, parts
    known.
    """
    ints = geometry.shape_ints
    none = (0.0, 0.0, 0.0)
    nothing = np.int64(-1)
    if ints[shapes[0], at.FACES] == 0 or ints[shapes[1], at.FACES] == 0:
        return NEXT, FREE, nothing, nothing, none
    status, point = nested_pair(geometry, shapes, two, touch)
    known = status == OVERLAP
    if known and not thorough:
        return NEXT, OVERLAP, nothing, nothing, point
    verdict, found = _cross(geometry, shapes, two, margin, touch, known, thorough, scratch, used)
    how, i, j = found
    if verdict == FULL or how == FREE or not thorough:
        return verdict, how, i, j, point
    first = _is_within(geometry, shapes, two, 0, how == CROSSES, touch)
    second = _is_within(geometry, shapes, two, 1, how == CROSSES, touch)
    if first and second:
        return NEXT, SAME, i, j, point
    return NEXT, FIRST_INSIDE if first else SECOND_INSIDE if second else CROSSES, i, j, point
