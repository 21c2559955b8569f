"""The walk: pairs of groups of faces, nearest possible contact first, down to pairs of faces.

A block that may matter is laid out in the chart once per query, with tight patches of the block and of its leaves. A pair with
a lower bound above the best contact so far is never opened. The chart and the notion of contact are arguments of `walker`: one
walk serves every kind of motion.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, step
from ..base.blocks import BLOCK, FAN, LEAF
from ..base.faces import placed_face, rank_of, rows_of
from ..base.heap import grown, pop, push
from ..charts.slots import BLOCKS, NODES, SHAPE, WIDE
from ..contact.planes import below, passed
from ..contact.verdicts import AGAIN, HELD
from ..contact.way_out import KNOWN, MOVE

INF = math.inf

_LEAVES = BLOCK // LEAF
_OPENED = 1 + _LEAVES  # patches of a block: itself, then its leaves


@inline
def _level(shape_ints, s, node):
    level = 0
    while shape_ints[s, at.OFFSET + level + 1] <= node:
        level += 1
    return level


def walker(chart, face_contact):
    """Return the walk in a chart (a module: `straight` or `helix`). `judge` decides whether and when two faces meet."""

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

    @inline
    def _open(nodes, shape_ints, s, level, group, slots, k, chart_params, boxes, known, base):
        """Compute the chart boxes of a group's children (on level 0: of the group). Return their range of nodes."""
        first = shape_ints[s, at.OFFSET + level] + group
        last = first + 1
        if level > 0:
            below = shape_ints[s, at.OFFSET + level - 1]
            first = below + group * FAN
            last = min(shape_ints[s, at.OFFSET + level], first + FAN)
        for m in range(first, last):
            if not known[base + m]:
                chart.node_box(nodes, shape_ints[s, at.NODE] + m, slots, k, slots[k, WIDE], chart_params, boxes, base + m)
                known[base + m] = True
        return first, last

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
    def walk(
        geometry, body_ints, poses, slots, slot_ints, roots, chart_params, boxes, known, laid, limit, touch, resting_hits,
        planes,
    ):  # fmt: skip
        """Walk pairs of groups, best first. Return (travel, mover slot, face, obstacle slot, face, normal 3).

        Instead of a travel: inf if free; -1 if they cross now; AGAIN if a plane was found late and the walk must be
        repeated.
        """
        starts = geometry.starts
        corners = geometry.corners
        nodes = geometry.nodes
        shape_ints = geometry.shape_ints
        heap = np.empty((max(128, len(roots)), 5))
        n = 0
        for r in range(len(roots)):
            a = roots[r, 0]
            b = roots[r, 1]
            na = shape_ints[slot_ints[a, SHAPE], at.OFFSET + shape_ints[slot_ints[a, SHAPE], at.LEVELS]] - 1
            nb = shape_ints[slot_ints[b, SHAPE], at.OFFSET + shape_ints[slot_ints[b, SHAPE], at.LEVELS]] - 1
            push(heap, n, chart.box_gap(boxes, slot_ints[a, NODES] + na, slot_ints[b, NODES] + nb, chart_params), a, na, b, nb)
            n += 1
        points = np.empty((256, chart.POINT))
        patches = np.empty((8 * _OPENED, chart.PATCH))
        firsts = np.empty(len(laid), np.int64)  # first point of each laid out block
        block_size = np.empty(len(laid), np.int64)  # and its number of points
        moves = np.empty((256, MOVE))  # of points when their body is made smaller: see `way_out`
        used = 0
        done = 0
        mine = np.empty((BLOCK, chart.PATCH))  # patches of single faces, computed on demand
        theirs = np.empty((BLOCK, chart.PATCH))
        ready = np.empty((2, _LEAVES), np.bool_)
        leaves_a = np.empty(_LEAVES, np.int64)
        leaves_b = np.empty(_LEAVES, np.int64)
        gaps = np.empty(_LEAVES * _LEAVES)  # pairs of leaves, nearest first
        order = np.empty((_LEAVES * _LEAVES, 2), np.int64)
        best = limit
        found = (INF, -1, -1, -1, -1, 0.0, 0.0, 0.0)
        best_face = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        while n > 0:
            key = heap[0, 0]
            if key >= best:
                break
            a = np.int64(heap[0, 1])
            na = np.int64(heap[0, 2])
            b = np.int64(heap[0, 3])
            nb = np.int64(heap[0, 4])
            n -= 1
            pop(heap, n)
            sa = slot_ints[a, SHAPE]
            sb = slot_ints[b, SHAPE]
            if na >= shape_ints[sa, at.OFFSET + 1] or nb >= shape_ints[sb, at.OFFSET + 1]:
                la = _level(shape_ints, sa, na)
                lb = _level(shape_ints, sb, nb)
                # Open the group of the higher level, or both: groups of equal level are then compared.
                a0 = na
                a1 = na + 1
                b0 = nb
                b1 = nb + 1
                if la >= lb:
                    ga = na - shape_ints[sa, at.OFFSET + la]
                    a0, a1 = _open(nodes, shape_ints, sa, la, ga, slots, a, chart_params, boxes, known, slot_ints[a, NODES])
                if lb >= la:
                    gb = nb - shape_ints[sb, at.OFFSET + lb]
                    b0, b1 = _open(nodes, shape_ints, sb, lb, gb, slots, b, chart_params, boxes, known, slot_ints[b, NODES])
                heap = grown(heap, n, n + FAN * FAN)
                for i in range(a0, a1):
                    for j in range(b0, b1):
                        gap = chart.box_gap(boxes, slot_ints[a, NODES] + i, slot_ints[b, NODES] + j, chart_params)
                        if gap < best:
                            push(heap, n, gap, a, i, b, j)
                            n += 1
                continue
            for side in range(2):
                k = a if side == 0 else b
                block = na if side == 0 else nb
                slot = slot_ints[k, BLOCKS] + block
                if laid[slot] < 0:
                    points = grown(points, used, used + 3 * BLOCK)
                    patches = grown(patches, done * _OPENED, (done + 1) * _OPENED)
                    moves = grown(moves, used, used + 3 * BLOCK)
                    s = slot_ints[k, SHAPE]
                    _lay_out(geometry, s, block, slots, k, chart_params, points, used, patches, done * _OPENED)
                    firsts[done] = used
                    block_size[done] = starts[shape_ints[s, at.START] + block + 1] - starts[shape_ints[s, at.START] + block]
                    for p in range(used, used + block_size[done]):
                        moves[p, KNOWN] = 0.0
                    used += block_size[done]
                    laid[slot] = done
                    done += 1
            at_a = laid[slot_ints[a, BLOCKS] + na]
            at_b = laid[slot_ints[b, BLOCKS] + nb]
            qa = at_a * _OPENED
            qb = at_b * _OPENED
            gap = chart.patch_gap(patches, qa, patches, qb, chart_params)
            if gap >= best or passed(points, firsts[at_b], block_size[at_b], planes, a * len(slot_ints) + b):
                continue
            if n > 0 and gap > heap[0, 0] and gap > key:
                # Laid out, the blocks are further apart than other pairs in the heap: those come first.
                push(heap, n, gap, a, na, b, nb)
                n += 1
                continue
            i0 = shape_ints[sa, at.FACE] + na * BLOCK
            j0 = shape_ints[sb, at.FACE] + nb * BLOCK
            i1 = min(shape_ints[sa, at.FACE] + shape_ints[sa, at.FACES], i0 + BLOCK)
            j1 = min(shape_ints[sb, at.FACE] + shape_ints[sb, at.FACES], j0 + BLOCK)
            ma = _leaves(patches, qa, qb, (i1 - i0 + LEAF - 1) // LEAF, True, chart_params, best, leaves_a)
            mb = _leaves(patches, qb, qa, (j1 - j0 + LEAF - 1) // LEAF, False, chart_params, best, leaves_b)
            pa = firsts[at_a]
            pb = firsts[at_b]
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
                        t, normal = face_contact(
                            geometry,
                            body_ints,
                            poses,
                            slots,
                            slot_ints,
                            (a, b),
                            (placed_face(points, pa, corners, i), placed_face(points, pb, corners, j)),
                            (rank_of(corners, i), rank_of(corners, j)),
                            (i - shape_ints[sa, at.FACE], j - shape_ints[sb, at.FACE]),
                            touch,
                            best,
                            limit,
                            resting_hits,
                            moves,
                            (rows_of(pa, corners, i), rows_of(pb, corners, j)),
                            planes,
                            chart_params,
                            (mine, i - i0, theirs, j - j0),
                        )
                        if t == HELD:
                            # A plane was found late. A contact below it that was found before does not count, nor what it
                            # hid.
                            if found[1] == a and found[3] == b and below(best_face, planes, a * len(slot_ints) + b):
                                return AGAIN, -1, -1, -1, -1, 0.0, 0.0, 0.0
                            continue
                        if t < best:
                            best = t
                            i_face = i - shape_ints[sa, at.FACE]
                            j_face = j - shape_ints[sb, at.FACE]
                            found = (t, a, i_face, b, j_face, normal[0], normal[1], normal[2])
                            best_face = placed_face(points, pb, corners, j)
                            if t < 0.0:
                                return found
        return found

    return walk
