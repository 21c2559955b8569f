"""Two volumes on one grid: which voxels they share, and how far one may move along a grid axis before they do.

A voxel of the first volume (a) and one of the second (b) are compared by b - a, integers along each axis. They are in each
other's way if b - a is in [first, last]: one number wide if the grids match, two if a voxel lies across two of the other's.
Along z, the ends of lines, then their bits, are searched for the next bit ahead. Along x and y, a row of lines is compared
with the row that it meets, 64 voxels at once. Windows of 1, 2, 4, ... planes find the next plane ahead by halving.
"""

import numpy as np

from .._jit import inline, kernel, step
from .bits import NONE, ONE, lowest

_NOWHERE = (-1, -1, -1)


@inline
def _moved(bits, i, j, w, by):
    """Return word w of line (i, j) with all bits shifted up by `by` places."""
    start = 64 * w - by
    q = start >> 6
    r = np.uint64(start & 63)
    word = NONE
    if 0 <= q < bits.shape[2]:
        word = bits[i, j, q] >> r
    if r != NONE and 0 <= q + 1 < bits.shape[2]:
        word |= bits[i, j, q + 1] << (np.uint64(64) - r)
    return word


@kernel
def shared(bits_a, spans_a, box_a, bits_b, spans_b, box_b, first, last):
    """Return (True, voxel of a, voxel of b) for two occupied voxels with b - a in [first, last] on every axis.

    box: low 3, high 3 of the occupied voxels of each.
    """
    for i in range(max(box_a[0], box_b[0] - last[0]), min(box_a[3], box_b[3] - first[0])):
        for j in range(max(box_a[1], box_b[1] - last[1]), min(box_a[4], box_b[4] - first[1])):
            low = spans_a[0, i, j]
            high = spans_a[1, i, j]
            if high < 0:
                continue
            for x in range(max(box_b[0], i + first[0]), min(box_b[3] - 1, i + last[0]) + 1):
                for y in range(max(box_b[1], j + first[1]), min(box_b[4] - 1, j + last[1]) + 1):
                    for by in range(first[2], last[2] + 1):
                        k0 = max(low + by, spans_b[0, x, y])
                        k1 = min(high + by, spans_b[1, x, y])
                        if k0 > k1:
                            continue
                        for w in range(k0 >> 6, (k1 >> 6) + 1):
                            both = _moved(bits_a, i, j, w, by) & bits_b[x, y, w]
                            if both != NONE:
                                k = 64 * w + lowest(both)
                                return True, (i, j, k - by), (x, y, k)
    return False, _NOWHERE, _NOWHERE


@inline
def _next(bits, i, j, k, high):
    """Return the lowest occupied voxel of line (i, j) from k up to `high`; -1 if there is none."""
    k = max(k, 0)
    w = k >> 6
    if k > high:
        return -1
    word = (bits[i, j, w] >> np.uint64(k & 63)) << np.uint64(k & 63)
    while word == NONE:
        w += 1
        if 64 * w > high:
            return -1
        word = bits[i, j, w]
    return 64 * w + lowest(word)


@kernel
def ahead_z(bits_a, spans_a, box_a, bits_b, spans_b, box_b, first, last, base, limit):
    """Return (n, voxel of a, voxel of b): the least n in [0, limit) with occupied voxels so that b - a is base + n along z.

    Across, b - a is in [first, last]. No voxels may be in each other's way at the start (`shared`): only the ends of runs then
    count. n is -1 if there is none.
    """
    best = limit
    found = (-1, _NOWHERE, _NOWHERE)
    for i in range(max(box_a[0], box_b[0] - last[0]), min(box_a[3], box_b[3] - first[0])):
        for j in range(max(box_a[1], box_b[1] - last[1]), min(box_a[4], box_b[4] - first[1])):
            low = spans_a[0, i, j]
            high = spans_a[1, i, j]
            if high < 0:
                continue
            for x in range(max(box_b[0], i + first[0]), min(box_b[3] - 1, i + last[0]) + 1):
                for y in range(max(box_b[1], j + first[1]), min(box_b[4] - 1, j + last[1]) + 1):
                    start = spans_b[0, x, y]
                    end = spans_b[1, x, y]
                    if end < max(low + base, 0):  # behind, or empty
                        continue
                    if start >= high + base:
                        # One line is behind the other: the near ends decide.
                        if start - high - base < best:
                            best = start - high - base
                            found = (best, (i, j, high), (x, y, start))
                        continue
                    for w in range(low >> 6, (high >> 6) + 1):
                        ends = bits_a[i, j, w] & ~_moved(bits_a, i, j, w, -1)
                        while ends != NONE:
                            k = 64 * w + lowest(ends)
                            ends &= ends - ONE
                            m = _next(bits_b, x, y, k + base, min(end, k + base + best - 1))
                            if m >= 0 and m - k - base < best:
                                best = m - k - base
                                found = (best, (i, j, k), (x, y, m))
                    if best <= 0:
                        return found
    return found


@step
def _meet(row, windows, level, begin):
    """True if planes of a row meet any plane of their window, which begins `begin` planes ahead."""
    planes, words = row.shape
    for p in range(planes):
        q = p + begin
        if q >= windows.shape[1]:
            return False
        for w in range(words):
            if row[p, w] & windows[level, q, w] != NONE:
                return True
    return False


@inline
def _line(axis, p, c):
    """Return (i, j) of the line in plane p across the axis, and in grid row c."""
    return (p, c) if axis == 0 else (c, p)


@kernel
def ahead_xy(bits_a, box_a, bits_b, box_b, axis, first, last, base, limit):
    """As `ahead_z`, for a motion along x or y (axis 0 or 1)."""
    cross = 1 - axis
    n_a = box_a[3 + axis] - box_a[axis]
    n_b = box_b[3 + axis] - box_b[axis]
    found = (-1, _NOWHERE, _NOWHERE)
    # Counted from the first plane of each, b is a + begin + n. Before `skip`, a's last plane has not reached b's first.
    begin = box_a[axis] - box_b[axis] + base
    skip = max(0, 1 - n_a - begin)
    begin += skip
    best = min(limit - skip, n_b - begin)
    if best <= 0:
        return found
    levels = 1
    while 1 << levels <= best:
        levels += 1
    w0 = box_b[2] >> 6
    words = ((box_b[5] + 63) >> 6) - w0
    # windows[level, n_a + q]: the bits of b in planes q .. q + 2**level.
    windows = np.zeros((levels, n_a + n_b, words), np.uint64)
    row = np.empty((n_a, words), np.uint64)
    for c in range(box_b[cross], box_b[3 + cross]):
        built = False
        for d in range(first[cross], last[cross] + 1):
            if not box_a[cross] <= c - d < box_a[3 + cross]:
                continue
            any_bit = NONE
            for p in range(n_a):
                i, j = _line(axis, box_a[axis] + p, c - d)
                for w in range(words):
                    word = NONE
                    for by in range(first[2], last[2] + 1):
                        word |= _moved(bits_a, i, j, w0 + w, by)
                    row[p, w] = word
                    any_bit |= word
            if any_bit == NONE:
                continue
            top = 0
            while 2 << top <= best:
                top += 1
            if not built:
                built = True
                for q in range(n_b):
                    i, j = _line(axis, box_b[axis] + q, c)
                    for w in range(words):
                        windows[0, n_a + q, w] = bits_b[i, j, w0 + w]
                for level in range(top):
                    size = 1 << level
                    for q in range(n_a + n_b):
                        for w in range(words):
                            word = windows[level, q, w]
                            if q + size < n_a + n_b:
                                word |= windows[level, q + size, w]
                            windows[level + 1, q, w] = word
            if not _meet(row, windows, top, n_a + begin) and not _meet(row, windows, top, n_a + begin + best - (1 << top)):
                continue
            n = 0
            for level in range(top, -1, -1):
                if not _meet(row, windows, level, n_a + begin + n):
                    n += 1 << level
            best = n
            a, b = _pair(bits_a, box_a, bits_b, box_b, row, windows, axis, c, d, first, last, begin + n, w0)
            found = (skip + n, a, b)
            if best == 0:
                return found
    return found


@step
def _pair(bits_a, box_a, bits_b, box_b, row, windows, axis, c, d, first, last, ahead, w0):
    """Return the voxels that meet, when a's grid row c - d is `ahead` planes ahead of b's."""
    n_a, words = row.shape
    for p in range(n_a):
        q = p + ahead
        if q < 0 or n_a + q >= windows.shape[1]:
            continue
        for w in range(words):
            both = row[p, w] & windows[0, n_a + q, w]
            if both != NONE:
                k = 64 * (w0 + w) + lowest(both)
                i, j = _line(axis, box_a[axis] + p, c - d)
                x, y = _line(axis, box_b[axis] + q, c)
                by = first[2]
                while by < last[2] and (_moved(bits_a, i, j, w0 + w, by) >> np.uint64(k & 63)) & ONE == NONE:
                    by += 1
                return (i, j, k - by), (x, y, k)
    return _NOWHERE, _NOWHERE
