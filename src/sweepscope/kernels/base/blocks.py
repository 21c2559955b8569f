"""Blocks: runs of neighbouring faces with boxes, in flat arrays.

Faces are sorted once: they are halved again and again along their longest side. A run of LEAF faces is then a leaf, a run of
BLOCK faces a block, and FAN consecutive groups form a group of the next level. Neighbours in space are neighbours in memory,
with no pointers. Each block lists its own few vertices, so new vertices cost one short pass (`refit`).

Degenerate input: equal centres are split by position. NaN never arrives here; the public layer rejects it.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from ..layout import MOST_LEVELS
from ..tolerances import PIVOT_ROUNDS
from .boxes import EMPTY, include

LEAF = 4
BLOCK = 32  # at most 96 vertices, so a corner fits a byte
FAN = 8
INF = math.inf


@inline
def _swap(centres, order, i, j):
    for r in range(3):
        x = centres[i, r]
        centres[i, r] = centres[j, r]
        centres[j, r] = x
    k = order[i]
    order[i] = order[j]
    order[j] = k


@inline
def _pivot(centres, lo, hi, axis, rounds):
    if rounds < PIVOT_ROUNDS:
        a = centres[lo, axis]
        b = centres[(lo + hi) >> 1, axis]
        c = centres[hi, axis]
        return max(min(a, b), min(max(a, b), c))
    # The median of three was a bad pivot. Halve the range of values instead: that ends after 64 rounds at the latest.
    low = INF
    high = -INF
    for i in range(lo, hi + 1):
        low = min(low, centres[i, axis])
        high = max(high, centres[i, axis])
    return 0.5 * low + 0.5 * high


@inline
def _select(centres, order, lo, hi, nth, axis):
    """Arrange lo..hi (inclusive) so that no value before nth is above a value from nth on."""
    rounds = 0
    while lo < hi:
        pivot = _pivot(centres, lo, hi, axis, rounds)
        rounds += 1
        i = lo
        j = hi
        while i <= j:
            while centres[i, axis] < pivot:
                i += 1
            while centres[j, axis] > pivot:
                j -= 1
            if i <= j:
                _swap(centres, order, i, j)
                i += 1
                j -= 1
        if nth <= j:
            hi = j
        elif nth >= i:
            lo = i
        else:
            return


@kernel
def halve(vertices, faces):
    """Return the order of the faces, shape (m,) int32, in which runs of LEAF * 2**k are neighbours."""
    n = len(faces)
    centres = np.empty((n, 3))
    order = np.empty(n, np.int32)
    for i in range(n):
        order[i] = i
        a = faces[i, 0]
        b = faces[i, 1]
        c = faces[i, 2]
        for r in range(3):
            x = vertices[a, r]
            y = vertices[b, r]
            z = vertices[c, r]
            centres[i, r] = 0.5 * min(x, min(y, z)) + 0.5 * max(x, max(y, z))
    stack = np.empty((64, 2), np.int64)
    stack[0, 0] = 0
    stack[0, 1] = n
    depth = 1
    while depth > 0:
        depth -= 1
        lo = stack[depth, 0]
        hi = stack[depth, 1]
        if hi - lo <= LEAF:
            continue
        axis = 0
        widest = -1.0
        for r in range(3):
            low = INF
            high = -INF
            for i in range(lo, hi):
                low = min(low, centres[i, r])
                high = max(high, centres[i, r])
            if high - low > widest:
                widest = high - low
                axis = r
        half = LEAF
        while half * 2 < hi - lo:
            half *= 2
        _select(centres, order, lo, hi - 1, lo + half, axis)
        # The larger half is halved next, so 64 entries suffice for 2**62 faces.
        stack[depth, 0] = lo + half
        stack[depth, 1] = hi
        stack[depth + 1, 0] = lo
        stack[depth + 1, 1] = lo + half
        depth += 2
    return order


@kernel
def cut(faces, order, count):
    """Cut ordered faces into blocks. Return (block_vertices (k,) int32, starts (b + 1,) int32, corners (m, 3) uint8).

    block_vertices[starts[b] : starts[b + 1]] are block b's vertices, and corners index them. count: the number of vertices.
    """
    n = len(faces)
    blocks = (n + BLOCK - 1) // BLOCK
    listed = np.empty(3 * n, np.int32)
    starts = np.zeros(blocks + 1, np.int32)
    corners = np.empty((n, 3), np.uint8)
    seen = np.full(count, -1, np.int32)
    place = np.empty(count, np.uint8)
    k = 0
    for b in range(blocks):
        here = 0
        for i in range(b * BLOCK, min(n, b * BLOCK + BLOCK)):
            for c in range(3):
                v = faces[order[i], c]
                if seen[v] != b:
                    seen[v] = b
                    place[v] = here
                    listed[k] = v
                    k += 1
                    here += 1
                corners[i, c] = place[v]
        starts[b + 1] = k
    return listed[:k].copy(), starts, corners


@inline
def _put_box(nodes, m, box):
    for r in range(3):
        nodes[m, r] = 0.5 * (box[r] + box[3 + r])
        nodes[m, 3 + r] = 0.5 * (box[3 + r] - box[r])


@step
def refit(vertices, v0, block_vertices, b0, starts, s0, nodes, n0, offsets, levels):
    """Recompute all boxes (centre, half widths) of one shape: node n0 + offsets[l] + k is group k of level l."""
    for b in range(offsets[1]):
        box = EMPTY
        for q in range(b0 + starts[s0 + b], b0 + starts[s0 + b + 1]):
            v = v0 + block_vertices[q]
            box = include(box, vertices[v, 0], vertices[v, 1], vertices[v, 2])
        _put_box(nodes, n0 + b, box)
    for level in range(1, levels):
        below = offsets[level] - offsets[level - 1]
        for k in range(offsets[level + 1] - offsets[level]):
            box = EMPTY
            for c in range(k * FAN, min(below, k * FAN + FAN)):
                m = n0 + offsets[level - 1] + c
                x, y, z = nodes[m, 0], nodes[m, 1], nodes[m, 2]
                box = include(box, x - nodes[m, 3], y - nodes[m, 4], z - nodes[m, 5])
                box = include(box, x + nodes[m, 3], y + nodes[m, 4], z + nodes[m, 5])
            _put_box(nodes, n0 + offsets[level] + k, box)


def level_offsets(faces: int) -> np.ndarray:
    """Return where each level starts among a shape's nodes, shape (MOST_LEVELS + 1,). Unused entries repeat the last one."""
    groups = max(1, -(-faces // BLOCK))
    sizes = [groups]
    while groups > 1:
        groups = -(-groups // FAN)
        sizes.append(groups)
    offsets = np.zeros(MOST_LEVELS + 1, np.int64)
    offsets[1 : len(sizes) + 1] = np.cumsum(sizes)
    offsets[len(sizes) + 1 :] = offsets[len(sizes)]
    return offsets
