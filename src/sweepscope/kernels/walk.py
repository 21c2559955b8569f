"""The walk: pairs of groups, nearest possible contact first, down to pairs of faces.

A block that may matter is laid out in the chart once per query: tight patches of the block and of its leaves. Nothing whose
lower bound is above the best contact so far is ever opened. The walk knows the chart and what contact is only through what
`walker` is given: one walk for every kind of motion.
"""

import math

import numpy as np

from . import layout as at
from ._jit import inline, once, step
from .blocks import BLOCK, FAN, LEAF
from .faces import placed_face, rank_of
from .heap import grown, pop, push
from .planes import UNTIL, passed, undone
from .slots import BLOCKS, NODES, SHAPE, WIDE
from .verdicts import AGAIN, HELD, UNKNOWN

INF = math.inf

_LEAVES = BLOCK // LEAF
_OPENED = 1 + _LEAVES  # patches of a block: itself, then its leaves


@inline
def _level(shape_ints, s, node):
    level = 0
    while shape_ints[s, at.OFFSET + level + 1] <= node:
        level += 1
    return level


def walker(chart, judge):
    """Return the walk in a chart (a module: `chart` or `helix`) where `judge` tells of two faces whether they meet."""

    @step
    def _lay_out(geometry, s, block, slots, k, way, points, p0, patches, q0):
        """Lay block `block` of shape s out in the chart: its points from p0 on, its patches from q0 on."""
        starts = geometry.starts
        shape_ints = geometry.shape_ints
        first = shape_ints[s, at.LISTED] + starts[shape_ints[s, at.START] + block]
        last = shape_ints[s, at.LISTED] + starts[shape_ints[s, at.START] + block + 1]
        v0 = shape_ints[s, at.VERTEX]
        chart.place_points(geometry.vertices, v0, geometry.block_vertices, first, last, slots, k, way, points, p0)
        i0 = shape_ints[s, at.FACE] + block * BLOCK
        i1 = min(shape_ints[s, at.FACE] + shape_ints[s, at.FACES], i0 + BLOCK)
        corners = geometry.corners
        wide = slots[k, WIDE]
        leaves = (i1 - i0 + LEAF - 1) // LEAF
        sums = chart.NONE
        for leaf in range(leaves):
            j = i0 + leaf * LEAF
            more = chart.patch(points, p0, corners, j, min(i1, j + LEAF), wide, way, patches, q0 + 1 + leaf)
            sums = chart.both(sums, more)
        chart.patch_of_patches(points, p0, p0 + last - first, sums, wide, way, patches, q0, q0 + 1, q0 + 1 + leaves)

    @inline
    def _open(nodes, shape_ints, s, level, group, slots, k, way, boxes, known, base):
        """Make sure that the children of a group (or itself, on level 0) have chart boxes; return their range of nodes."""
        first = shape_ints[s, at.OFFSET + level] + group
        last = first + 1
        if level > 0:
            below = shape_ints[s, at.OFFSET + level - 1]
            first = below + group * FAN
            last = min(shape_ints[s, at.OFFSET + level], first + FAN)
        for m in range(first, last):
            if not known[base + m]:
                chart.node_box(nodes, shape_ints[s, at.NODE] + m, slots, k, slots[k, WIDE], way, boxes, base + m)
                known[base + m] = True
        return first, last

    @step
    def _leaves(patches, mine, other, count, forward, way, best, out):
        """List the leaves of one laid out block whose patches may meet the other block's before `best`."""
        n = 0
        for leaf in range(count):
            if forward:
                gap = chart.patch_gap(patches, mine + 1 + leaf, patches, other, way)
            else:
                gap = chart.patch_gap(patches, other, patches, mine + 1 + leaf, way)
            if gap < best:
                out[n] = leaf
                n += 1
        return n

    @once
    def walk(geometry, body_ints, poses, slots, rows, roots, way, boxes, known, laid, limit, touch, closed, held):
        """Walk pairs of groups, best first. Return (travel, mover slot, face, obstacle slot, face, normal 3).

        Instead of a travel: inf if free, -1 if they cross now, UNKNOWN if the parts of a shape (second value) are needed.
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
            na = shape_ints[rows[a, SHAPE], at.OFFSET + shape_ints[rows[a, SHAPE], at.LEVELS]] - 1
            nb = shape_ints[rows[b, SHAPE], at.OFFSET + shape_ints[rows[b, SHAPE], at.LEVELS]] - 1
            push(heap, n, chart.box_gap(boxes, rows[a, NODES] + na, rows[b, NODES] + nb, way), a, na, b, nb)
            n += 1
        points = np.empty((256, chart.POINT))
        patches = np.empty((8 * _OPENED, chart.PATCH))
        firsts = np.empty(len(laid), np.int64)  # first point of each laid out block
        block_size = np.empty(len(laid), np.int64)  # and how many
        asked = np.empty((8, BLOCK))  # per face of those, the slot of the body that it was last asked to be inside of
        used = 0
        done = 0
        mine = np.empty((BLOCK, chart.PATCH))  # patches of single faces, made when they are needed
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
            sa = rows[a, SHAPE]
            sb = rows[b, SHAPE]
            if na >= shape_ints[sa, at.OFFSET + 1] or nb >= shape_ints[sb, at.OFFSET + 1]:
                la = _level(shape_ints, sa, na)
                lb = _level(shape_ints, sb, nb)
                # Open the higher group, or both, so that groups of like level meet.
                a0 = na
                a1 = na + 1
                b0 = nb
                b1 = nb + 1
                if la >= lb:
                    ga = na - shape_ints[sa, at.OFFSET + la]
                    a0, a1 = _open(nodes, shape_ints, sa, la, ga, slots, a, way, boxes, known, rows[a, NODES])
                if lb >= la:
                    gb = nb - shape_ints[sb, at.OFFSET + lb]
                    b0, b1 = _open(nodes, shape_ints, sb, lb, gb, slots, b, way, boxes, known, rows[b, NODES])
                heap = grown(heap, n, n + FAN * FAN)
                for i in range(a0, a1):
                    for j in range(b0, b1):
                        gap = chart.box_gap(boxes, rows[a, NODES] + i, rows[b, NODES] + j, way)
                        if gap < best:
                            push(heap, n, gap, a, i, b, j)
                            n += 1
                continue
            for side in range(2):
                k = a if side == 0 else b
                block = na if side == 0 else nb
                slot = rows[k, BLOCKS] + block
                if laid[slot] < 0:
                    points = grown(points, used, used + 3 * BLOCK)
                    patches = grown(patches, done * _OPENED, (done + 1) * _OPENED)
                    asked = grown(asked, done, done + 1)
                    for c in range(BLOCK):
                        asked[done, c] = -1.0
                    s = rows[k, SHAPE]
                    _lay_out(geometry, s, block, slots, k, way, points, used, patches, done * _OPENED)
                    firsts[done] = used
                    block_size[done] = starts[shape_ints[s, at.START] + block + 1] - starts[shape_ints[s, at.START] + block]
                    used += block_size[done]
                    laid[slot] = done
                    done += 1
            at_a = laid[rows[a, BLOCKS] + na]
            at_b = laid[rows[b, BLOCKS] + nb]
            qa = at_a * _OPENED
            qb = at_b * _OPENED
            gap = chart.patch_gap(patches, qa, patches, qb, way)
            if gap >= best or passed(points, firsts[at_b], block_size[at_b], held, a * len(rows) + b, best):
                continue
            if n > 0 and gap > heap[0, 0] and gap > key:
                # Laid out, the blocks are further apart than others in line: let those go first.
                push(heap, n, gap, a, na, b, nb)
                n += 1
                continue
            i0 = shape_ints[sa, at.FACE] + na * BLOCK
            j0 = shape_ints[sb, at.FACE] + nb * BLOCK
            i1 = min(shape_ints[sa, at.FACE] + shape_ints[sa, at.FACES], i0 + BLOCK)
            j1 = min(shape_ints[sb, at.FACE] + shape_ints[sb, at.FACES], j0 + BLOCK)
            ma = _leaves(patches, qa, qb, (i1 - i0 + LEAF - 1) // LEAF, True, way, best, leaves_a)
            mb = _leaves(patches, qb, qa, (j1 - j0 + LEAF - 1) // LEAF, False, way, best, leaves_b)
            pa = firsts[at_a]
            pb = firsts[at_b]
            count = 0
            for x in range(ma):
                ready[0, leaves_a[x]] = False
                for y in range(mb):
                    ready[1, leaves_b[y]] = False
                    gap = chart.patch_gap(patches, qa + 1 + leaves_a[x], patches, qb + 1 + leaves_b[y], way)
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
                        chart.patch(points, pa, corners, i, i + 1, slots[a, WIDE], way, mine, i - i0)
                if not ready[1, order[k, 1]]:
                    ready[1, order[k, 1]] = True
                    for j in range(ja, jb):
                        chart.patch(points, pb, corners, j, j + 1, slots[b, WIDE], way, theirs, j - j0)
                for j in range(ja, jb):
                    for i in range(ia, ib):
                        if chart.patch_gap(mine, i - i0, theirs, j - j0, way) >= best:
                            continue
                        t, normal = judge(
                            geometry,
                            body_ints,
                            poses,
                            slots,
                            rows,
                            (a, b),
                            (placed_face(points, pa, corners, i), placed_face(points, pb, corners, j)),
                            (rank_of(corners, i), rank_of(corners, j)),
                            (i - shape_ints[sa, at.FACE], j - shape_ints[sb, at.FACE]),
                            touch,
                            best,
                            closed,
                            asked,
                            ((at_a, i - i0), (at_b, j - j0)),
                            held,
                            way,
                            (mine, i - i0, theirs, j - j0),
                        )
                        if t == HELD:
                            # A plane was found late: a contact below it, found before, does not count, nor what it hid.
                            # One that does not hold to the end leaves the rest of the way to be walked.
                            row = a * len(rows) + b
                            late = found[1] == a and found[3] == b and undone(found[0], best_face, held, row)
                            if late or held[row, UNTIL] < best:
                                return AGAIN, -1, -1, -1, -1, 0.0, 0.0, 0.0
                            continue
                        if t == UNKNOWN:
                            s = sa if shape_ints[sa, at.PART] < 0 else sb
                            return UNKNOWN, s, -1, -1, -1, 0.0, 0.0, 0.0
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
