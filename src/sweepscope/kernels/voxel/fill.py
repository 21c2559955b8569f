"""Which voxels have their centers inside a closed mesh: crossings on the lines of centers along z.

Coordinates are the grid's own: the center of voxel (i, j, k) is at (i, j, k). A triangle is drawn over (x, y) in spans. In
grid row x = i two of its edges cross, an edge from x0 to x1 if x0 <= i < x1, and it takes the columns from the lower crossing
up to, but without, the higher. The first column of a crossing depends on the edge alone, whose ends are ordered by x. The two
triangles at an edge therefore agree on it, and a line enters a closed mesh as often as it leaves it, with any rounding. A
crossing at height z counts from the first center at or above z on. The height depends on the triangle alone, so of two solids
that share a face exactly one takes a center on it.

Half open: a center on a low side is inside, on a high side outside. Degenerate triangles have empty spans. Only centers within
rounding of the surface, a few EPS times the coordinates, may be wrong.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from .bricks import field_of


@inline
def _crossing(x, columns, x0, y0, z0, x1, y1, z1):
    """Return where grid row x crosses an edge, x0 <= x < x1: y, z, and the first column at or beyond it, 0 .. columns."""
    t = (x - x0) / (x1 - x0)
    y = min(max(y0 + t * (y1 - y0), min(y0, y1)), max(y0, y1))
    z = z0 + t * (z1 - z0)
    if y <= -1.0:
        return y, z, 0
    if y >= columns:
        return y, z, columns
    # Rounding may put y on the wrong side of a center on the edge. The products are exact for short numbers.
    first = math.ceil(y)
    reach = (x - x0) * (y1 - y0)
    if (first - 1.0 - y0) * (x1 - x0) >= reach:
        first -= 1
    elif (first - y0) * (x1 - x0) < reach:
        first += 1
    return y, z, min(max(first, 0), columns)


@inline
def _note(crossings, starts, columns, nz, i, first, last, y, z, slope, low, high, direction):
    """Store a crossing in each of the columns first .. last - 1 of grid row i. A line through (y, z) gives the height.

    low, high: limits of that height. starts: where each line's next crossing goes; it is advanced. Without room for crossings
    they are only counted.
    """
    for j in range(first, last):
        at = z + slope * (j - y)
        if not at >= low:  # also if NaN: a triangle seen edge-on, with an infinite slope
            at = low
        at = min(at, high)
        if at <= nz - 1.0:
            line = i * columns + j
            if len(crossings) > 0:
                crossings[starts[line]] = 2 * math.ceil(max(at, 0.0)) + direction
            starts[line] += 1


@inline
def _below(x0, y0, z0, x1, y1, z1, odd):
    """Return two corners, the one with the lower x first, and whether the number of exchanges is odd."""
    if x1 < x0:
        return x1, y1, z1, x0, y0, z0, not odd
    return x0, y0, z0, x1, y1, z1, odd


@inline
def _draw(crossings, starts, rows, columns, nz, x0, y0, z0, x1, y1, z1, x2, y2, z2):
    """Store where lines meet a triangle, with its direction: 1 if it faces one way, 0 the other."""
    x0, y0, z0, x1, y1, z1, odd = _below(x0, y0, z0, x1, y1, z1, False)
    x1, y1, z1, x2, y2, z2, odd = _below(x1, y1, z1, x2, y2, z2, odd)
    x0, y0, z0, x1, y1, z1, odd = _below(x0, y0, z0, x1, y1, z1, odd)
    if x2 <= 0.0 or x0 > rows - 1.0:
        return
    for i in range(math.ceil(max(x0, 0.0)), math.ceil(min(x2, rows))):
        x = float(i)
        y, z, c = _crossing(x, columns, x0, y0, z0, x2, y2, z2)
        if x < x1:
            v, w, d = _crossing(x, columns, x0, y0, z0, x1, y1, z1)
        else:
            v, w, d = _crossing(x, columns, x1, y1, z1, x2, y2, z2)
        # The direction follows from the same columns, so that it cannot contradict them.
        direction = 1 if (d < c) != odd else 0
        if d < c:
            y, z, c, v, w, d = v, w, d, y, z, c
        if c < d:
            _note(crossings, starts, columns, nz, i, c, d, y, z, (w - z) / (v - y), min(z, w), max(z, w), direction)


@step
def _draw_all(crossings, starts, rows, columns, nz, points, faces):
    for t in range(faces.shape[0]):
        a, b, c = faces[t, 0], faces[t, 1], faces[t, 2]
        _draw(
            crossings, starts, rows, columns, nz, points[a, 0], points[a, 1], points[a, 2],
            points[b, 0], points[b, 1], points[b, 2], points[c, 0], points[c, 1], points[c, 2],
        )  # fmt: skip


@inline
def _sort(crossings, first, last):
    """Sort a line's few crossings by height."""
    for n in range(first + 1, last):
        value = crossings[n]
        m = n
        while m > first and crossings[m - 1] > value:
            crossings[m] = crossings[m - 1]
            m -= 1
        crossings[m] = value


@kernel
def fill(bits, nz, points, faces, winding):
    """Set the bits of all voxels inside. bits: zeros (nx, ny, nw), 64 voxels along z in a word; points (n, 3) in voxels.

    winding: a voxel is inside if the mesh was not entered as often as left. Otherwise it is inside if the mesh was crossed an
    odd number of times, in either direction.
    """
    rows = bits.shape[0]
    columns = bits.shape[1]
    starts = np.zeros(rows * columns, np.int64)
    _draw_all(np.empty(0, np.int32), starts, rows, columns, nz, points, faces)
    total = 0
    for line in range(len(starts)):
        count = starts[line]
        starts[line] = total
        total += count
    crossings = np.empty(total, np.int32)
    if total > 0:
        _draw_all(crossings, starts, rows, columns, nz, points, faces)
    # Each line's start has been advanced to its end.
    first = 0
    for line in range(len(starts)):
        last = starts[line]
        _sort(crossings, first, last)
        inside = 0
        for n in range(first, last):
            if winding:
                inside += 2 * (crossings[n] & 1) - 1
            else:
                inside ^= 1
            if inside != 0:
                low = crossings[n] >> 1
                # A mesh that reaches above the grid's top is not left again: there is nothing above the top.
                high = crossings[n + 1] >> 1 if n + 1 < last else nz
                for w in range(low >> 6, (high + 63) >> 6):
                    bits[line // columns, line % columns, w] |= field_of(low, high, w)
        first = last
