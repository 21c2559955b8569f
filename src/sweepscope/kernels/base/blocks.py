"""Blocks: runs of neighboring faces with boxes, in flat arrays.

Faces are sorted once: they are halved again and again along their longest side. A run of LEAF faces is then a leaf, a run of
BLOCK faces a block, and FAN consecutive groups form a group of the next level. Neighbors in space are neighbors in memory,
with no pointers. A run is halved without a look at other runs, so threads may share them. Each block lists its own few
vertices, so new vertices cost one short pass (`refit`).

Degenerate input: equal centers are split by position. NaN never arrives here; the public layer rejects it.
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
_TABLE = 256  # entries, for the vertices of one block
_SCATTER = 2654435769  # 2**32 by the golden ratio (Knuth)


@inline
def _swap(centers, order, i, j):
    for r in range(3):
        x = centers[i, r]
        centers[i, r] = centers[j, r]
        centers[j, r] = x
    k = order[i]
    order[i] = order[j]
    order[j] = k


@inline
def _pivot(centers, lo, hi, axis, rounds):
    if rounds < PIVOT_ROUNDS:
        a = centers[lo, axis]
        b = centers[(lo + hi) >> 1, axis]
        c = centers[hi, axis]
        return max(min(a, b), min(max(a, b), c))
    # The median of three was a bad pivot. Halve the range of values instead: that ends after 64 rounds at the latest.
    low = INF
    high = -INF
    for i in range(lo, hi + 1):
        low = min(low, centers[i, axis])
        high = max(high, centers[i, axis])
    return 0.5 * low + 0.5 * high


@inline
def select(centers, order, lo, hi, nth, axis):
    """Arrange lo..hi (inclusive) so that no value before nth is above a value from nth on."""
    rounds = 0
    while lo < hi:
        pivot = _pivot(centers, lo, hi, axis, rounds)
        rounds += 1
        i = lo
        j = hi
        while i <= j:
            while centers[i, axis] < pivot:
                i += 1
            while centers[j, axis] > pivot:
                j -= 1
            if i <= j:
                _swap(centers, order, i, j)
                i += 1
                j -= 1
        if nth <= j:
            hi = j
        elif nth >= i:
            lo = i
        else:
            return


@kernel
def measure(vertices, faces, centers, order, i0, i1):
    """Write the centers of the boxes of faces i0 .. i1, and their numbers as the order to begin with."""
    for i in range(i0, i1):
        order[i] = i
        a = faces[i, 0]
        b = faces[i, 1]
        c = faces[i, 2]
        for r in range(3):
            x = vertices[a, r]
            y = vertices[b, r]
            z = vertices[c, r]
            centers[i, r] = 0.5 * min(x, min(y, z)) + 0.5 * max(x, max(y, z))


@step
def split_run(centers, order, lo, hi):
    """Halve one run of more than LEAF faces along its longest side; return where its second half begins."""
    box = EMPTY
    for i in range(lo, hi):
        box = include(box, centers[i, 0], centers[i, 1], centers[i, 2])
    axis = 0
    if box[4] - box[1] > box[3] - box[0]:
        axis = 1
    if box[5] - box[2] > max(box[3] - box[0], box[4] - box[1]):
        axis = 2
    half = LEAF
    while half * 2 < hi - lo:
        half *= 2
    select(centers, order, lo, hi - 1, lo + half, axis)
    return lo + half


@kernel
def split(centers, order, lo, hi):
    """Halve faces lo .. hi, more than LEAF, once, in place; return where the second half begins."""
    return split_run(centers, order, lo, hi)


@kernel
def halve(centers, order, lo, hi):
    """Halve faces lo .. hi again and again, in place, so that runs of LEAF * 2**k are neighbors."""
    # The first half is halved next, so 64 entries suffice for 2**62 faces.
    stack = np.empty((64, 2), np.int64)
    stack[0, 0] = lo
    stack[0, 1] = hi
    depth = 1
    while depth > 0:
        depth -= 1
        lo = stack[depth, 0]
        hi = stack[depth, 1]
        if hi - lo <= LEAF:
            continue
        middle = split_run(centers, order, lo, hi)
        stack[depth, 0] = middle
        stack[depth, 1] = hi
        stack[depth + 1, 0] = lo
        stack[depth + 1, 1] = middle
        depth += 2


@kernel
def cut(faces, order, b0, b1, listed, starts, corners, used):
    """List the vertices of blocks b0 .. b1 of ordered faces; return how many.

    starts[b + 1]: how many are listed up to block b. corners (m, 3): of each face, as indices into its block's vertices.
    used: set to True for each vertex that a face has. A small table finds vertices that the block has already.
    """
    table = np.full(_TABLE, -1, np.int64)  # number of the block, number of the vertex: old blocks need no clearing
    places = np.empty(_TABLE, np.uint8)
    k = 0
    for b in range(b0, b1):
        begin = k
        for i in range(b * BLOCK, min(len(order), b * BLOCK + BLOCK)):
            f = order[i]
            for c in range(3):
                v = np.int64(faces[f, c])
                key = (b << 32) | v
                spot = ((v * _SCATTER) & 0xFFFFFFFF) >> 24
                # At most 96 of 256 entries are taken, so an entry of another block is met.
                while table[spot] != key and table[spot] >> 32 == b:
                    spot = (spot + 1) & (_TABLE - 1)
                if table[spot] != key:
                    table[spot] = key
                    places[spot] = k - begin
                    listed[k] = v
                    used[v] = True
                    k += 1
                corners[i, c] = places[spot]
        starts[b + 1] = k
    return k


@inline
def _put_box(nodes, m, box):
    for r in range(3):
        nodes[m, r] = 0.5 * (box[r] + box[3 + r])
        nodes[m, 3 + r] = 0.5 * (box[3 + r] - box[r])


@step
def refit(vertices, v0, block_vertices, b0, starts, s0, nodes, n0, offsets, levels):
    """Recompute all boxes (center, half widths) of one shape: node n0 + offsets[l] + k is group k of level l."""
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
