"""Plain sweeps: rows that a few faces decide, answered without a scratch in main memory. Graphics cards answer rows so.

A thread of a graphics card has little memory of its own, and many threads wait for the same main memory. So nothing is laid
out: boxes and faces are placed in the chart whenever they are looked at, from arrays that all threads share (`Flat`). The
walk, the test of two faces and the place of contact are those of `sweeper`. What needs more, contact at the start, sliding,
a long list of obstacles, is not answered here: `sweep_in` answers it.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import inline
from .._memory import INDICES, INTS, REALS, local
from ..base.blocks import BLOCK, FAN, LEAF
from ..base.faces import local_face, rank_of
from ..base.heap import HEAP
from ..base.walk import PAIR, SHAPES, SLOTS, children_of, level_of, top_node
from ..charts import straight as straight_chart
from ..charts.slots import BODY, NODES, REACH, SHAPE, SLACK, SLOT_INTS, SLOT_REALS, THICK, WIDE
from ..charts.straight import face_to_chart
from ..contact.case import Case, Two
from ..contact.planes import PLANE, forget_planes
from ..statuses import FREE, FULL_SCRATCH, HIT
from ..tolerances import COARSEST, EPS, LEAST_DIVISOR, LOOSE, ROUNDING
from .plain_straight import meet_straight
from .reached import bodies_reached, box_of, may_meet, meets
from .walk import nothing_found

INF = math.inf

Array = np.ndarray[Any, Any]

_NEAR = 128  # bodies in reach, at most
_PAIRS = 24  # of them those that the path may meet, at most
_STACK = 320  # pairs of nodes that may wait
_LEAVES = BLOCK // LEAF
_SLOTS = _PAIRS + 1
_MOVER = at.POSE + 7  # what one mover takes: see `movers_scratch`
PLAIN_SCRATCH = _MOVER + _NEAR + _SLOTS * (SLOT_REALS + SLOT_INTS) + _PAIRS * (PAIR + PLANE) + _STACK * HEAP
"""Length of the scratch of one question [float64 numbers]."""

plain_scratch = local(np.float64, PLAIN_SCRATCH)

_SAME = np.arange(3, dtype=np.int32)

_NOWHERE = (0.0, 0.0, 0.0)
_NO_FEATURES = (-1, -1, (-1, -1, -1), -1, -1, (-1, -1, -1))


class Flat(NamedTuple):
    """All faces of a scene, in block order, without lists of vertices. The block of node m has rows m * BLOCK and so on."""

    points: Array  # (3 * BLOCK * nodes, 3): the corners of each face
    leaves: Array  # (BLOCK // LEAF * nodes, 6): boxes of leaves: center, half widths


@inline
def flatten(geometry, s, leaf, flat):
    """Write the faces of a leaf of shape s, and its box."""
    node = geometry.shape_ints[s, at.NODE]
    begin = leaf * LEAF
    end = min(geometry.shape_ints[s, at.FACES], begin + LEAF)
    first = 3 * BLOCK * node
    for i in range(begin, end):
        face = local_face(geometry, s, i)
        for k in range(3):
            for c in range(3):
                flat.points[first + 3 * i + k, c] = face[3 * k + c]
    row = BLOCK // LEAF * node + leaf
    for c in range(3):
        low = INF
        high = -INF
        for p in range(first + 3 * begin, first + 3 * end):
            low = min(low, flat.points[p, c])
            high = max(high, flat.points[p, c])
        middle = 0.5 * low + 0.5 * high
        flat.leaves[row, c] = middle
        flat.leaves[row, 3 + c] = max(high - middle, middle - low)


class Task(NamedTuple):
    """What the walk of a plain sweep reads and writes."""

    case: Case
    flat: Flat
    mine: Array  # chart boxes of some nodes or leaves of the mover
    theirs: Array  # and of an obstacle


def _meeter(chart, contact):
    """Return `meet` in a chart: the test of the faces of two blocks."""
    _three_points = local(np.float64, 3, chart.POINT)
    _leaf_points = local(np.float64, LEAF, 9)
    _one_outline = local(np.float64, 1, chart.OUTLINE)
    _leaf_outlines = local(np.float64, LEAF, chart.OUTLINE)

    @inline
    def _face(task, k, row, points, outlines, q):
        """Place a face, given by its row, in the chart: its points, and its bounds in row q. Return it as nine numbers."""
        case = task.case
        chart.place_points(task.flat.points, 3 * row, _SAME, 0, 3, case.slots, k, case.chart_params, points, 0)
        chart.outline(points, case.slots[k, WIDE], case.chart_params, outlines, q)
        return (
            points[0, 0], points[0, 1], points[0, 2], points[1, 0], points[1, 1], points[1, 2], points[2, 0], points[2, 1],
            points[2, 2],
        )  # fmt: skip

    @inline
    def meet(task, pair, na, nb, found):
        """Test the faces of two blocks. Return (whether they decide, found)."""
        case, chart_params, flat = task.case, task.case.chart_params, task.flat
        shape_ints, corners = case.geometry.shape_ints, case.geometry.corners
        a, b = case.pairs[pair, SLOTS], case.pairs[pair, SLOTS + 1]
        sa, sb = case.pairs[pair, SHAPES], case.pairs[pair, SHAPES + 1]
        first_a = shape_ints[sa, at.NODE] * BLOCK
        first_b = shape_ints[sb, at.NODE] * BLOCK
        ranks_a = shape_ints[sa, at.FACE]
        ranks_b = shape_ints[sb, at.FACE]
        i0 = na * BLOCK
        j0 = nb * BLOCK
        i1 = min(shape_ints[sa, at.FACES], i0 + BLOCK)
        j1 = min(shape_ints[sb, at.FACES], j0 + BLOCK)
        best = found[0]
        for i in range(i0, i1, LEAF):
            row = (first_a + i) // LEAF
            chart.node_box(flat.leaves, row, case.slots, a, case.slots[a, WIDE], chart_params, task.mine, (i - i0) // LEAF)
        points = _three_points()
        mine = _one_outline()
        theirs = _leaf_outlines()
        their_points = _leaf_points()
        for j in range(j0, j1, LEAF):
            row = (first_b + j) // LEAF
            chart.node_box(flat.leaves, row, case.slots, b, case.slots[b, WIDE], chart_params, task.theirs, 0)
            placed = False
            for i in range(i0, i1, LEAF):
                if chart.box_gap(task.mine, (i - i0) // LEAF, task.theirs, 0, chart_params) >= best:
                    continue
                if not placed:
                    placed = True
                    for y in range(j, min(j + LEAF, j1)):
                        face = _face(task, b, first_b + y, points, theirs, y - j)
                        for c in range(9):
                            their_points[y - j, c] = face[c]
                for x in range(i, min(i + LEAF, i1)):
                    face = _face(task, a, first_a + x, points, mine, 0)
                    for y in range(j, min(j + LEAF, j1)):
                        if chart.outline_gap(mine, 0, theirs, y - j, chart_params) >= best:
                            continue
                        q = y - j
                        other = (
                            their_points[q, 0], their_points[q, 1], their_points[q, 2], their_points[q, 3], their_points[q, 4],
                            their_points[q, 5], their_points[q, 6], their_points[q, 7], their_points[q, 8],
                        )  # fmt: skip
                        ranks = (rank_of(corners, ranks_a + x), rank_of(corners, ranks_b + y))
                        rows = (0, 0, 0)
                        two = Two(pair, (a, b), (sa, sb), (face, other), ranks, (x, y), (rows, rows))
                        t, normal, decides = contact.plain_contact(case, two, best, (mine, 0, theirs, q))
                        if not decides:
                            return False, found
                        if t < best:
                            best = t
                            found = (t, pair, x, y, normal, other)
        return True, found

    return meet


def plain_sweeper(chart, contact, sweeps):
    """Return the plain sweep in a chart. sweeps: what `sweeper` returns for it."""
    plain_verdict = contact.plain_verdict
    begin_row, touching, place_body = sweeps.begin_row, sweeps.touching, sweeps.place_body
    meet = meet_straight if chart is straight_chart else _meeter(chart, contact)
    _some_boxes = local(np.float64, FAN, 6)
    _no_moves = local(np.float64, 1, 1)

    @inline
    def _put_boxes(task, pair, side, first, last, out):
        """Write the chart boxes of the nodes first .. last of one side."""
        case = task.case
        k = case.pairs[pair, SLOTS + side]
        node = case.geometry.shape_ints[case.slot_ints[k, SHAPE], at.NODE]
        for m in range(first, last):
            chart.node_box(case.geometry.nodes, node + m, case.slots, k, case.slots[k, WIDE], case.chart_params, out, m - first)

    @inline
    def _wait(stack, first, n, value, pair, na, nb):
        """Add a pair of nodes to a stack of n rows, sorted from row `first` on: the nearest is the last."""
        i = n
        while i > first and stack[i - 1, 0] < value:
            for c in range(HEAP):
                stack[i, c] = stack[i - 1, c]
            i -= 1
        stack[i, 0] = value
        stack[i, 1] = pair
        stack[i, 2] = na
        stack[i, 3] = nb

    @inline
    def _walk(task, shape_ints, pairs, stack, found):
        """Walk all pairs of bodies, always into the nearest pair of children: return (whether faces decide, found).

        The walk of `walker` takes the nearest of all pairs instead, which opens fewer, but many have to wait.
        """
        n = 0
        for pair in range(len(pairs)):
            a = top_node(shape_ints, pairs[pair, SHAPES])
            b = top_node(shape_ints, pairs[pair, SHAPES + 1])
            _put_boxes(task, pair, 0, a, a + 1, task.mine)
            _put_boxes(task, pair, 1, b, b + 1, task.theirs)
            _wait(stack, 0, n, chart.box_gap(task.mine, 0, task.theirs, 0, task.case.chart_params), pair, a, b)
            n += 1
        while n > 0:
            n -= 1
            if stack[n, 0] >= found[0]:
                continue
            pair = np.int64(stack[n, 1])
            na = np.int64(stack[n, 2])
            nb = np.int64(stack[n, 3])
            sa = pairs[pair, SHAPES]
            sb = pairs[pair, SHAPES + 1]
            la = level_of(shape_ints, sa, na)
            lb = level_of(shape_ints, sb, nb)
            if la == 0 and lb == 0:
                decides, found = meet(task, pair, na, nb, found)
                if not decides:
                    return False, found
                continue
            if n + FAN * FAN > len(stack):
                return False, found
            a0, a1 = na, na + 1
            b0, b1 = nb, nb + 1
            if la > 0 and la >= lb:
                a0, a1 = children_of(shape_ints, sa, la, na)
            if lb > 0 and lb >= la:
                b0, b1 = children_of(shape_ints, sb, lb, nb)
            first = n
            _put_boxes(task, pair, 0, a0, a1, task.mine)
            _put_boxes(task, pair, 1, b0, b1, task.theirs)
            for i in range(a0, a1):
                for j in range(b0, b1):
                    value = chart.box_gap(task.mine, i - a0, task.theirs, j - b0, task.case.chart_params)
                    if value < found[0]:
                        _wait(stack, first, n, value, pair, i, j)
                        n += 1
        return True, found

    @inline
    def sweep_plain(world, flat, movers, ignored_pairs, motion, travel, margin, tolerance, resting_hits, only, scratch, used):
        """As `sweep_in`, for one mover. status FULL_SCRATCH: it must be asked there."""
        geometry, body_ints = world.geometry, world.body_ints
        shape_ints, shape_reals = geometry.shape_ints, geometry.shape_reals
        none = INDICES(scratch, used, 0)
        free = (FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, False, 0.0, none)
        full = (FULL_SCRATCH, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, False, 0.0, none)
        box = box_of(movers.boxes, 0)
        if box[0] > box[3]:
            return free
        if travel <= 0.0:
            return full
        ox, oy, oz, diagonal, own, touch, frame, chart_params, travel, rate, path, wide = begin_row(
            shape_reals, movers.shapes, box, motion, travel, margin, tolerance
        )
        reached = INDICES(scratch, used, _NEAR)
        near = bodies_reached(world, movers, chart, motion, travel, box, wide, only, reached)
        if near < 0:
            return full
        reached = reached[:near]
        used += _NEAR
        slots = REALS(scratch, used, _SLOTS, SLOT_REALS)
        used += _SLOTS * SLOT_REALS
        slot_ints = INTS(scratch, used, _SLOTS, SLOT_INTS)
        used += _SLOTS * SLOT_INTS
        pairs = INTS(scratch, used, _PAIRS, PAIR)
        used += _PAIRS * PAIR
        planes = REALS(scratch, used, _PAIRS, PLANE)
        used += _PAIRS * PLANE
        stack = REALS(scratch, used, _STACK, HEAP)
        mine = _some_boxes()
        theirs = _some_boxes()
        slack = 0.0
        count = 0
        may_be_nested = False
        for n in range(near + 1):
            b = movers.rows[0] if n == 0 else reached[n - 1]
            k = 0 if n == 0 else count + 1
            if k == _SLOTS:
                return full
            s = body_ints[b, at.SHAPE]
            if shape_ints[s, at.FACES] == 0 or (n > 0 and not may_meet(body_ints, ignored_pairs, movers.rows[0], b)):
                if n == 0:
                    return free
                continue
            slot_ints[k, BODY] = b
            slot_ints[k, SHAPE] = s
            slot_ints[k, NODES] = 0
            if n == 0:
                place_body(frame, movers.poses, 0, ox, oy, oz, slots, k)
            else:
                place_body(frame, world.poses, b, ox, oy, oz, slots, k)
            size = 0.0
            offset = 0.0
            for r in range(3):
                size = max(size, max(abs(shape_reals[s, at.BOX_LOW + r]), abs(shape_reals[s, at.BOX_HIGH + r])))
                offset = max(offset, abs(slots[k, 9 + r]))
            slots[k, THICK] = shape_reals[s, at.RADIUS] + (margin if n == 0 else 0.0)
            slots[k, REACH] = 0.0
            if n > 0:
                slots[k, REACH] = chart.reach(path, offset + size * 2.0 + diagonal + slots[k, THICK] + margin)
            slots[k, SLACK] = ROUNDING * EPS * (size + offset + slots[k, REACH] + slots[k, THICK])
            slots[k, WIDE] = slots[k, THICK] + slots[k, SLACK]
            top = shape_ints[s, at.NODE] + shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]] - 1
            if n == 0:
                chart.node_box(geometry.nodes, top, slots, k, slots[k, WIDE], chart_params, mine, 0)
            else:
                chart.node_box(geometry.nodes, top, slots, k, slots[k, WIDE], chart_params, theirs, 0)
            if n > 0 and chart.box_gap(mine, 0, theirs, 0, chart_params) <= travel:
                pairs[count, SLOTS] = 0
                pairs[count, SLOTS + 1] = k
                pairs[count, SHAPES] = slot_ints[0, SHAPE]
                pairs[count, SHAPES + 1] = s
                count += 1
                slack = max(slack, max(slots[0, SLACK], slots[k, SLACK]))
                may_be_nested = may_be_nested or meets(world.boxes, b, box, touch)
        if count == 0:
            return free
        if not resting_hits and diagonal > 0.0 and (slack > LOOSE * (diagonal + margin) or touch > COARSEST * own):
            return full
        pairs = pairs[:count]
        forget_planes(planes[:count])
        limit = travel + slack / rate + LEAST_DIVISOR
        case = Case(
            geometry, movers.poses, world.poses, slots, slot_ints, pairs, planes, _no_moves(), chart_params, touch, limit,
            resting_hits,
        )  # fmt: skip
        decides, found = _walk(Task(case, flat, mine, theirs), shape_ints, pairs, stack, nothing_found(limit))
        if not decides:
            return full
        if found[1] < 0:
            return FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, may_be_nested, touch, reached
        t, pair, x, y, normal, other = found
        b, sb = pairs[pair, SLOTS + 1], pairs[pair, SHAPES + 1]
        s = slot_ints[0, SHAPE]
        face = face_to_chart(slots, 0, local_face(geometry, s, x))
        corners = geometry.corners
        ranks = (rank_of(corners, shape_ints[s, at.FACE] + x), rank_of(corners, shape_ints[sb, at.FACE] + y))
        rows = (0, 0, 0)
        two = Two(pair, (0, b), (s, sb), (face, other), ranks, (x, y), (rows, rows))
        normal, decides = plain_verdict(case, two, t, normal)
        if not decides:
            return full
        found = (t, pair, x, y, normal, other)
        features, point, normal = touching(case, frame, (ox, oy, oz), found)
        return (
            HIT,
            slot_ints[0, BODY],
            slot_ints[pairs[found[1], SLOTS + 1], BODY],
            found[0],
            features,
            point,
            normal,
            may_be_nested,
            touch,
            reached,
        )

    return sweep_plain
