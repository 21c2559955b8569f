"""The walk of a sweep: how soon two nodes can meet, and when the faces of two blocks do.

A block that may matter is laid out in the chart once per question, with tight patches of the block and of its leaves. The chart
and the notion of contact are arguments of `sweep_walker`: it serves every kind of motion.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import inline, step
from .._memory import INDICES, REALS, local
from ..base.blocks import BLOCK, LEAF
from ..base.faces import placed_face, rank_of, rows_of
from ..base.heap import HEAP
from ..base.walk import FULL, LATER, NEXT, REPEAT, SHAPES, SLOTS, STOP, open_at_once, walker
from ..charts.slots import NODES, SHAPE, WIDE
from ..contact.case import Case, Two
from ..contact.planes import below, passed
from ..contact.verdicts import HELD
from ..contact.way_out import KNOWN, MOVE

INF = math.inf

Array = np.ndarray[Any, Any]

_LEAVES = BLOCK // LEAF
_OPENED = 1 + _LEAVES  # patches of a block: itself, then its leaves
_POINTS = 3 * BLOCK  # most points of a block
_USUAL_POINTS = BLOCK  # room for so many is made for each block

# States of a node: not yet seen; its chart box is known; LAID + k: it is a block, the k-th that was laid out.
UNSEEN = 0
_BOXED = 1
_LAID = 2

# Counts.
_USED = 0  # points
_DONE = 1  # blocks
COUNTS = 2

_ready_leaves = local(np.bool_, 2, _LEAVES)
_some_leaves = local(np.int64, _LEAVES)
_some_gaps = local(np.float64, _LEAVES * _LEAVES)
_pairs_of_leaves = local(np.int64, _LEAVES * _LEAVES, 2)


@inline
def nothing_found(limit):
    """Return (travel, pair, face of each side, normal, the obstacle's face in the chart): nothing is found at first."""
    return limit, -1, -1, -1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Task(NamedTuple):
    """What a walk reads and writes."""

    case: Case
    boxes: Array  # chart boxes of all nodes, slot by slot
    states: Array  # of those nodes
    points: Array  # of all blocks that are laid out
    patches: Array
    firsts: Array  # for each of those blocks: its first point
    sizes: Array  # and its number of points
    counts: Array


def sweep_walker(chart, face_contact):
    """Return (walk, divide_scratch) in a chart (`straight` or `helix`). face_contact: whether and when two faces meet."""
    block_room = _USUAL_POINTS * (chart.POINT + MOVE) + _OPENED * chart.PATCH + 2
    faces_of_block = local(np.float64, BLOCK, chart.PATCH)

    @inline
    def divide_scratch(scratch, first):
        """Divide the rest of the scratch: return (heap, points, moves, patches, firsts, sizes)."""
        left = len(scratch) - first
        rows = max(left // (4 * HEAP), 1)
        heap = REALS(scratch, first, rows, HEAP)
        first += rows * HEAP
        blocks = max((len(scratch) - first) // block_room, 0)
        count = blocks * _USUAL_POINTS
        points = REALS(scratch, first, count, chart.POINT)
        first += count * chart.POINT
        moves = REALS(scratch, first, count, MOVE)
        first += count * MOVE
        patches = REALS(scratch, first, blocks * _OPENED, chart.PATCH)
        first += blocks * _OPENED * chart.PATCH
        return heap, points, moves, patches, INDICES(scratch, first, blocks), INDICES(scratch, first + blocks, blocks)

    @step
    def _lay_out(geometry, s, block, slots, k, chart_params, points, p0, patches, q0):
        """Lay block `block` of shape s out in the chart: its points from row p0, its patches from row q0."""
        starts = geometry.starts
        shape_ints = geometry.shape_ints
        first = shape_ints[s, at.LISTED] + starts[shape_ints[s, at.START] + block]
        last = shape_ints[s, at.LISTED] + starts[shape_ints[s, at.START] + block + 1]
        v0 = shape_ints[s, at.VERTEX]
        chart.place_points(geometry.vertices, v0, geometry.block_vertices, first, last, slots, k, chart_params, points, p0)
        i0 = shape_ints[s, at.FACE] + block * BLOCK
        i1 = min(shape_ints[s, at.FACE] + shape_ints[s, at.FACES], i0 + BLOCK)
        corners = geometry.corners
        wide = slots[k, WIDE]
        leaves = (i1 - i0 + LEAF - 1) // LEAF
        sums = chart.NONE
        for leaf in range(leaves):
            j = i0 + leaf * LEAF
            more = chart.patch(points, p0, corners, j, min(i1, j + LEAF), wide, chart_params, patches, q0 + 1 + leaf)
            sums = chart.both(sums, more)
        chart.patch_of_patches(points, p0, p0 + last - first, sums, wide, chart_params, patches, q0, q0 + 1, q0 + 1 + leaves)

    @step
    def _leaves(patches, mine, other, count, forward, chart_params, best, out):
        """List the leaves of one laid out block whose patches may meet the other block's before `best`."""
        n = 0
        for leaf in range(count):
            if forward:
                gap = chart.patch_gap(patches, mine + 1 + leaf, patches, other, chart_params)
            else:
                gap = chart.patch_gap(patches, other, patches, mine + 1 + leaf, chart_params)
            if gap < best:
                out[n] = leaf
                n += 1
        return n

    @inline
    def _bound(task, pair, na, nb, _):
        """Return how soon two nodes can meet."""
        case = task.case
        rows = (0, 0)
        for side in range(2):
            k = case.pairs[pair, SLOTS + side]
            m = na if side == 0 else nb
            row = case.slot_ints[k, NODES] + m
            rows = (row, 0) if side == 0 else (rows[0], row)
            if task.states[row] == UNSEEN:
                first = case.geometry.shape_ints[case.slot_ints[k, SHAPE], at.NODE]
                chart.node_box(
                    case.geometry.nodes, first + m, case.slots, k, case.slots[k, WIDE], case.chart_params, task.boxes, row
                )
                task.states[row] = _BOXED
        return chart.box_gap(task.boxes, rows[0], task.boxes, rows[1], case.chart_params)

    @inline
    def _laid_out(task, pair, side, block):
        """Return which laid out block a block is, and lay it out if it is not; -1 if the scratch is too small."""
        case, counts = task.case, task.counts
        k = case.pairs[pair, SLOTS + side]
        row = case.slot_ints[k, NODES] + block
        if task.states[row] >= _LAID:
            return np.int64(task.states[row]) - _LAID
        done = counts[_DONE]
        used = counts[_USED]
        if done == len(task.firsts) or used + _POINTS > len(task.points):
            return np.int64(-1)
        geometry = case.geometry
        s = case.slot_ints[k, SHAPE]
        _lay_out(geometry, s, block, case.slots, k, case.chart_params, task.points, used, task.patches, done * _OPENED)
        start = geometry.shape_ints[s, at.START] + block
        count = geometry.starts[start + 1] - geometry.starts[start]
        task.firsts[done] = used
        task.sizes[done] = count
        for p in range(used, used + count):
            case.moves[p, KNOWN] = 0.0
        task.states[row] = _LAID + done
        counts[_DONE] = done + 1
        counts[_USED] = used + count
        return done

    @inline
    def _meet(task, pair, na, nb, key, next_key, found):
        """Test the faces of two blocks, nearest leaves first."""
        case, points, patches, chart_params = task.case, task.points, task.patches, task.case.chart_params
        geometry, slots, planes = case.geometry, case.slots, case.planes
        shape_ints, corners = geometry.shape_ints, geometry.corners
        a, b = case.pairs[pair, SLOTS], case.pairs[pair, SLOTS + 1]
        sa, sb = case.pairs[pair, SHAPES], case.pairs[pair, SHAPES + 1]
        best = found[0]
        at_a = _laid_out(task, pair, 0, na)
        at_b = _laid_out(task, pair, 1, nb) if at_a >= 0 else np.int64(-1)
        if at_b < 0:
            return FULL, key, found
        qa = at_a * _OPENED
        qb = at_b * _OPENED
        gap = chart.patch_gap(patches, qa, patches, qb, chart_params)
        if gap >= best or passed(points, task.firsts[at_b], task.sizes[at_b], planes, pair):
            return NEXT, key, found
        if gap > next_key and gap > key:
            # Laid out, the blocks are further apart than other pairs in the heap: those come first.
            return LATER, gap, found
        i0 = shape_ints[sa, at.FACE] + na * BLOCK
        j0 = shape_ints[sb, at.FACE] + nb * BLOCK
        i1 = min(shape_ints[sa, at.FACE] + shape_ints[sa, at.FACES], i0 + BLOCK)
        j1 = min(shape_ints[sb, at.FACE] + shape_ints[sb, at.FACES], j0 + BLOCK)
        leaves_a = _some_leaves()
        leaves_b = _some_leaves()
        ma = _leaves(patches, qa, qb, (i1 - i0 + LEAF - 1) // LEAF, True, chart_params, best, leaves_a)
        mb = _leaves(patches, qb, qa, (j1 - j0 + LEAF - 1) // LEAF, False, chart_params, best, leaves_b)
        pa = task.firsts[at_a]
        pb = task.firsts[at_b]
        gaps = _some_gaps()  # pairs of leaves, nearest first
        order = _pairs_of_leaves()
        ready = _ready_leaves()
        count = 0
        for x in range(ma):
            ready[0, leaves_a[x]] = False
            for y in range(mb):
                ready[1, leaves_b[y]] = False
                gap = chart.patch_gap(patches, qa + 1 + leaves_a[x], patches, qb + 1 + leaves_b[y], chart_params)
                if gap < best:
                    k = count
                    while k > 0 and gaps[k - 1] > gap:
                        gaps[k] = gaps[k - 1]
                        order[k, 0] = order[k - 1, 0]
                        order[k, 1] = order[k - 1, 1]
                        k -= 1
                    gaps[k] = gap
                    order[k, 0] = leaves_a[x]
                    order[k, 1] = leaves_b[y]
                    count += 1
        mine = faces_of_block()  # patches of single faces, computed on demand
        theirs = faces_of_block()
        for k in range(count):
            if gaps[k] >= best:
                break
            ia = i0 + order[k, 0] * LEAF
            ib = min(i1, ia + LEAF)
            ja = j0 + order[k, 1] * LEAF
            jb = min(j1, ja + LEAF)
            if not ready[0, order[k, 0]]:
                ready[0, order[k, 0]] = True
                for i in range(ia, ib):
                    chart.patch(points, pa, corners, i, i + 1, slots[a, WIDE], chart_params, mine, i - i0)
            if not ready[1, order[k, 1]]:
                ready[1, order[k, 1]] = True
                for j in range(ja, jb):
                    chart.patch(points, pb, corners, j, j + 1, slots[b, WIDE], chart_params, theirs, j - j0)
            for j in range(ja, jb):
                for i in range(ia, ib):
                    if chart.patch_gap(mine, i - i0, theirs, j - j0, chart_params) >= best:
                        continue
                    i_face = i - shape_ints[sa, at.FACE]
                    j_face = j - shape_ints[sb, at.FACE]
                    two = Two(
                        pair,
                        (a, b),
                        (sa, sb),
                        (placed_face(points, pa, corners, i), placed_face(points, pb, corners, j)),
                        (rank_of(corners, i), rank_of(corners, j)),
                        (i_face, j_face),
                        (rows_of(pa, corners, i), rows_of(pb, corners, j)),
                    )
                    t, normal = face_contact(case, two, best, (mine, i - i0, theirs, j - j0))
                    if t == HELD:
                        # A plane was found late. A contact below it that was found before does not count, nor what it hid.
                        if found[1] == pair and below(found[5], planes, pair):
                            return REPEAT, key, found
                        continue
                    if t < best:
                        best = t
                        found = (t, pair, i_face, j_face, normal, two.faces[1])
                        if t < 0.0:
                            return STOP, key, found
        return NEXT, key, found

    return walker(_bound, _meet, open_at_once), divide_scratch
