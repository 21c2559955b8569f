"""Closed or not: whether faces use every edge as often in one direction as in the other.

Each edge is filed under its lower label, with its direction as a sign. Per label, the signs are then summed by the other end:
linear in the number of faces, whatever the labels. An odd sum is an odd number of faces. Corners are given as in `parts`. A
face with two equal labels has no edges.
"""

from .._jit import inline, kernel
from .blocks import BLOCK


@inline
def _face(labels, starts, corners, i):
    s = starts[i // BLOCK]
    return labels[s + corners[i, 0]], labels[s + corners[i, 1]], labels[s + corners[i, 2]]


@kernel
def count_edges(labels, starts, corners, firsts):
    """Write where the edges filed under each label begin, shape (count,) and zero before; return how many there are."""
    for i in range(len(corners)):
        a, b, c = _face(labels, starts, corners, i)
        if a != b and b != c and c != a:
            firsts[min(a, b)] += 1
            firsts[min(b, c)] += 1
            firsts[min(c, a)] += 1
    total = 0
    for u in range(len(firsts)):
        here = firsts[u]
        firsts[u] = total
        total += here
    return total


@inline
def _file(firsts, others, a, b):
    """File edge a -> b: the other end, or its complement if the edge begins there."""
    low = min(a, b)
    others[firsts[low]] = b if a < b else ~a
    firsts[low] += 1


@kernel
def closedness(labels, starts, corners, firsts, others, sums):
    """Return 1 if faces use every edge equally often in both directions, 2 if an even number of times, else 0.

    firsts: from `count_edges`; it is used up. others: room for all edges. sums: zeros, one a label.
    """
    for i in range(len(corners)):
        a, b, c = _face(labels, starts, corners, i)
        if a != b and b != c and c != a:
            _file(firsts, others, a, b)
            _file(firsts, others, b, c)
            _file(firsts, others, c, a)
    closed = 1 if len(others) else 0
    begin = 0
    for u in range(len(firsts)):
        end = firsts[u]  # filing has moved it there
        for q in range(begin, end):
            if others[q] >= 0:
                sums[others[q]] += 1
            else:
                sums[~others[q]] -= 1
        for q in range(begin, end):
            v = max(others[q], ~others[q])
            if sums[v] & 1:
                return 0
            if sums[v] != 0:
                closed = 2
                sums[v] = 0
        begin = end
    return closed
