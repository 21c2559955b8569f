"""Lists out of the rows of a PLY file, binary or as numbers of a text."""

import numpy as np

from .._jit import kernel, step

FINE = 0
CUT_OFF = 1
NEGATIVE = 2
NOT_ITS_OWN_LINE = 3
NOT_WHOLE = 4


@step
def _integer(data, i, size, signed, big):
    """Return the whole number of `size` bytes at i."""
    value = np.int64(0)
    for k in range(size):
        value |= np.int64(data[i + (size - 1 - k if big else k)]) << (8 * k)
    if signed and value >= np.int64(1) << (8 * size - 1):
        value -= np.int64(1) << (8 * size)
    return value


@kernel
def walk(data, start, rows, layout, wanted, big, counts):
    """Find where the rows of an element end, and how long their wanted lists are.

    layout, a row for each property: (size of its items, whether they have a sign, size of the count before them or 0, whether
    the count has a sign). Return (fault, row, number of items in wanted lists, where the rows end).
    """
    i = start
    items = 0
    for row in range(rows):
        for k in range(len(layout)):
            size = layout[k, 0]
            counter = layout[k, 2]
            n = np.int64(1)
            if counter > 0:
                if i + counter > len(data):
                    return CUT_OFF, row, items, i
                n = _integer(data, i, counter, layout[k, 3] != 0, big)
                if n < 0:
                    return NEGATIVE, row, items, i
                i += counter
            if n > (len(data) - i) // size:
                return CUT_OFF, row, items, i
            i += n * size
            if k == wanted:
                counts[row] = n
                items += n
    return FINE, rows, items, i


@kernel
def gather(data, start, rows, layout, wanted, big, out):
    """Write the items of the wanted lists one after the other; the rows have been walked."""
    i = start
    j = 0
    for _ in range(rows):
        for k in range(len(layout)):
            size = layout[k, 0]
            n = np.int64(1)
            if layout[k, 2] > 0:
                n = _integer(data, i, layout[k, 2], layout[k, 3] != 0, big)
                i += layout[k, 2]
            if k == wanted:
                for m in range(n):
                    out[j] = _integer(data, i + m * size, size, layout[k, 1] != 0, big)
                    j += 1
            i += n * size


@kernel
def walk_text(values, firsts, start, rows, lists, wanted, counts, out):
    """Find where the rows of an element end among the numbers of a text; write the wanted lists one after the other.

    firsts: whether a number is the first of its line: a row is a line. lists: for each property, whether it is one. Return
    (fault, row, number of items in wanted lists, where the rows end).
    """
    i = start
    j = 0
    for row in range(rows):
        begin = i
        for k in range(len(lists)):
            n = np.int64(1)
            if lists[k]:
                if i >= len(values):
                    return CUT_OFF, row, j, i
                if not (0.0 <= values[i] <= len(values)) or values[i] != np.floor(values[i]):
                    return NEGATIVE, row, j, i
                n = np.int64(values[i])
                i += 1
            if n > len(values) - i:
                return CUT_OFF, row, j, i
            if k == wanted:
                counts[row] = n
                for m in range(n):
                    value = values[i + m]
                    if not (abs(value) <= 9e15) or value != np.floor(value):
                        return NOT_WHOLE, row, j, i + m
                    out[j] = np.int64(value)
                    j += 1
            i += n
        for m in range(begin, i):
            if firsts[m] != (m == begin):
                return NOT_ITS_OWN_LINE, row, j, m
        if i < len(values) and not firsts[i]:
            return NOT_ITS_OWN_LINE, row, j, i
    return FINE, rows, j, i
