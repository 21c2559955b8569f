"""The walk: pairs of groups of faces, best first, down to pairs of blocks. It serves every question about pairs of bodies.

Three functions define a question. `bound` returns the best value that a pair of nodes can have: a pair that cannot improve on
the best value found is never opened. `leaf` decides a pair of blocks. `wait` may tighten a bound before a pair is opened.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline
from .blocks import FAN
from .heap import pop, push

INF = math.inf

# What a leaf returns; a walk returns NEXT at its end, or the leaf's STOP, REPEAT or FULL.
NEXT = 0  # the pair is decided
LATER = 1  # the pair goes back to the heap, with a larger value
STOP = 2  # nothing better can be found
REPEAT = 3  # earlier pairs must be decided again: repeat the walk
FULL = 4  # the scratch is too small


# Columns of a pair of bodies.
SLOTS = 0  # the slot of each
SHAPES = 2  # the shape of each
PAIR = 4


@inline
def top_node(shape_ints, s):
    """Return the node of shape s that holds all others."""
    return shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]] - 1


@inline
def level_of(shape_ints, s, node):
    """Return the level of a node; 0: it is a block."""
    level = 0
    while shape_ints[s, at.OFFSET + level + 1] <= node:
        level += 1
    return level


@inline
def children_of(shape_ints, s, level, node):
    """Return the nodes below a node of some level, as a range."""
    first = shape_ints[s, at.OFFSET + level - 1] + (node - shape_ints[s, at.OFFSET + level]) * FAN
    return first, min(shape_ints[s, at.OFFSET + level], first + FAN)


# What `wait` returns: which node of a pair is opened. A block is never opened, but the other node instead.
NEITHER = 0
FIRST = 1
SECOND = 2
HIGHER = 3  # the one of the higher level, or both: groups of equal level are then compared


@inline
def open_at_once(task, pair, na, nb, value):
    """Open every pair at once."""
    return HIGHER, value


def walker(bound, leaf, wait):
    """Return the walk of a question.

    bound(task, pair, node, node, value): the best value that a pair of nodes can have; smaller is better; value: that of the
    pair above. leaf(task, pair, block, block, value, next value, found): return (verdict, value, found) of two blocks; found[0]
    is the best value so far. wait(task, pair, node, node, value): return which node is opened, and the pair's value, which may
    have become worse.
    """

    @inline
    def walk(task, shape_ints, pairs, heap, start, found):
        """Walk all pairs of bodies. Return (verdict, found). start: value above all pairs. found: what is known before."""
        n = 0
        if len(pairs) > len(heap):
            return FULL, found
        for pair in range(len(pairs)):
            a = top_node(shape_ints, pairs[pair, SHAPES])
            b = top_node(shape_ints, pairs[pair, SHAPES + 1])
            push(heap, n, bound(task, pair, a, b, start), pair, a, b)
            n += 1
        while n > 0:
            key = heap[0, 0]
            if key >= found[0]:
                break
            pair = np.int64(heap[0, 1])
            na = np.int64(heap[0, 2])
            nb = np.int64(heap[0, 3])
            n -= 1
            pop(heap, n)
            sa = pairs[pair, SHAPES]
            sb = pairs[pair, SHAPES + 1]
            if na < shape_ints[sa, at.OFFSET + 1] and nb < shape_ints[sb, at.OFFSET + 1]:
                verdict, key, found = leaf(task, pair, na, nb, key, heap[0, 0] if n > 0 else INF, found)
                if verdict == LATER:
                    push(heap, n, key, pair, na, nb)
                    n += 1
                elif verdict != NEXT:
                    return verdict, found
                continue
            if n + FAN * FAN > len(heap):
                return FULL, found
            opened, key = wait(task, pair, na, nb, key)
            if opened == NEITHER:
                if key < found[0]:
                    push(heap, n, key, pair, na, nb)
                    n += 1
                continue
            la = level_of(shape_ints, sa, na)
            lb = level_of(shape_ints, sb, nb)
            a0, a1 = na, na + 1
            b0, b1 = nb, nb + 1
            if la > 0 and (opened == FIRST or lb == 0 or (opened == HIGHER and la >= lb)):
                a0, a1 = children_of(shape_ints, sa, la, na)
            if lb > 0 and (opened == SECOND or la == 0 or (opened == HIGHER and lb >= la)):
                b0, b1 = children_of(shape_ints, sb, lb, nb)
            for i in range(a0, a1):
                for j in range(b0, b1):
                    value = bound(task, pair, i, j, key)
                    if value < found[0]:
                        push(heap, n, value, pair, i, j)
                        n += 1
        return NEXT, found

    return walk
