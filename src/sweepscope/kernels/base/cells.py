"""Halving of large shapes: runs of CELL faces are halved as whole numbers, with less to move and no branches to guess.

A face of a cell is one word: its centre in steps of 1 / 65,535 of the cell's longest side, 16 bits an axis, then its number in
the cell. Comparing the bits of one axis and the number compares places, and no two are equal. Where a run has become narrower
than COARSE_STEPS steps, it is measured again, so an outlier in a cell does not blur the rest. The halves are therefore those of
`blocks.halve` but for centres that differ by less than 1 / COARSE_STEPS of their run.
"""

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import COARSE_STEPS, PIVOT_ROUNDS
from .blocks import LEAF, split_run
from .boxes import EMPTY, include

CELL = 4096
_STEPS = 65535.0
_X = 0xFFFF << 44
_Y = 0xFFFF << 28
_Z = 0xFFFF << 12
_NUMBER = CELL - 1


@step
def _measure(centres, first, words, lo, hi):
    """Write the places of words lo .. hi again, relative to their own box; words keep their numbers in the cell."""
    box = EMPTY
    for k in range(lo, hi):
        i = first + (words[k] & _NUMBER)
        box = include(box, centres[i, 0], centres[i, 1], centres[i, 2])
    width = max(box[3] - box[0], max(box[4] - box[1], box[5] - box[2]))
    if width <= 0.0:
        width = 1.0
    for k in range(lo, hi):
        number = words[k] & _NUMBER
        i = first + number
        x = np.int64((centres[i, 0] - box[0]) / width * _STEPS)
        y = np.int64((centres[i, 1] - box[1]) / width * _STEPS)
        z = np.int64((centres[i, 2] - box[2]) / width * _STEPS)
        words[k] = (x << 44) | (y << 28) | (z << 12) | number


@step
def _widths(words, lo, hi):
    """Return how many steps words lo .. hi span along each axis."""
    x0, x1, y0, y1, z0, z1 = _X, 0, _Y, 0, _Z, 0
    for k in range(lo, hi):
        word = words[k]
        x0 = min(x0, word & _X)
        x1 = max(x1, word & _X)
        y0 = min(y0, word & _Y)
        y1 = max(y1, word & _Y)
        z0 = min(z0, word & _Z)
        z1 = max(z1, word & _Z)
    return (x1 - x0) >> 44, (y1 - y0) >> 28, (z1 - z0) >> 12


@inline
def _middle(a, b, c):
    return max(min(a, b), min(max(a, b), c))


@inline
def _pivot(words, lo, hi, mask, rounds):
    if rounds < PIVOT_ROUNDS:
        return _middle(words[lo] & mask, words[(lo + hi) >> 1] & mask, words[hi - 1] & mask)
    # The median of three was a bad pivot. Halve the range of values instead: that ends after 60 rounds at the latest.
    low = words[lo] & mask
    high = low
    for k in range(lo, hi):
        low = min(low, words[k] & mask)
        high = max(high, words[k] & mask)
    return (low + high + 1) >> 1


@step
def _select(words, lo, hi, nth, mask):
    """Arrange words lo .. hi so that those before nth are below those from nth on, in the bits of the mask."""
    rounds = 0
    while hi - lo > 1:
        pivot = _pivot(words, lo, hi, mask, rounds)
        rounds += 1
        j = lo
        for i in range(lo, hi):
            word = words[i]
            words[i] = words[j]
            words[j] = word
            j += np.int64((word & mask) < pivot)
        if j == lo:
            # The pivot is the least: it goes first.
            for i in range(lo, hi):
                if (words[i] & mask) == pivot:
                    word = words[lo]
                    words[lo] = words[i]
                    words[i] = word
            j += 1
        if nth < j:
            hi = j
        else:
            lo = j


@step
def _halve_cell(centres, first, count, words, stack):
    """Halve faces first .. first + count; words[k] & (CELL - 1) is then the number of the k-th, counted from the first."""
    for k in range(count):
        words[k] = k
    _measure(centres, first, words, 0, count)
    stack[0, 0] = 0
    stack[0, 1] = count
    depth = 1
    while depth > 0:
        depth -= 1
        lo = stack[depth, 0]
        hi = stack[depth, 1]
        if hi - lo <= LEAF:
            continue
        x, y, z = _widths(words, lo, hi)
        if max(x, max(y, z)) < COARSE_STEPS:
            _measure(centres, first, words, lo, hi)
            x, y, z = _widths(words, lo, hi)
        mask = _X
        if y > x:
            mask = _Y
        if z > max(x, y):
            mask = _Z
        half = LEAF
        while half * 2 < hi - lo:
            half *= 2
        _select(words, lo, hi, lo + half, mask | _NUMBER)
        stack[depth, 0] = lo + half
        stack[depth, 1] = hi
        stack[depth + 1, 0] = lo
        stack[depth + 1, 1] = lo + half
        depth += 2


@kernel
def halve(centres, order, lo, hi):
    """Do what `blocks.halve` does, for a run of a large shape."""
    stack = np.empty((64, 2), np.int64)
    inner = np.empty((64, 2), np.int64)
    words = np.empty(CELL, np.int64)
    before = np.empty(CELL, np.int32)
    stack[0, 0] = lo
    stack[0, 1] = hi
    depth = 1
    while depth > 0:
        depth -= 1
        lo = stack[depth, 0]
        hi = stack[depth, 1]
        if hi - lo <= CELL:
            _halve_cell(centres, lo, hi - lo, words, inner)
            before[: hi - lo] = order[lo:hi]
            for k in range(hi - lo):
                order[lo + k] = before[words[k] & _NUMBER]
            continue
        middle = split_run(centres, order, lo, hi)
        stack[depth, 0] = middle
        stack[depth, 1] = hi
        stack[depth + 1, 0] = lo
        stack[depth + 1, 1] = middle
        depth += 2
