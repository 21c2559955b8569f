"""Which voxels have their centres inside a closed mesh: crossing parity on the lines of centres along z.

Coordinates are the grid's own, with the centre of voxel (i, j, k) at (i, j, k). A triangle is drawn over (x, y) in spans: in
row x = i two of its edges cross, an edge from x0 to x1 where x0 <= i < x1, and it takes the columns from the lower crossing up
to, but not with, the higher. The first column of a crossing depends on the edge alone, its ends ordered by x, so the two
triangles at an edge agree on it and a line meets a closed mesh an even number of times, whatever is rounded. A crossing at
height z flips the bit of the first centre at or above z; a running XOR along the line then fills what is inside. The height
depends on the triangle alone, so of two solids that share a face exactly one takes a centre on it.

Half open: a centre on a low side is in, on a high side out. Degenerate triangles have empty spans. Off by rounding, a few EPS
times the coordinates, are only centres that lie so close to the surface.
"""

import math

import numpy as np

from ._jit import inline, kernel, once
from .bits import ALL, NONE, ONE


@inline
def _crossing(x, columns, x0, y0, z0, x1, y1, z1):
    """Return where row x crosses an edge, x0 <= x < x1: y, z, and the first column at or beyond it, 0 .. columns."""
    t = (x - x0) / (x1 - x0)
    y = min(max(y0 + t * (y1 - y0), min(y0, y1)), max(y0, y1))
    z = z0 + t * (z1 - z0)
    if y <= -1.0:
        return y, z, 0
    if y >= columns:
        return y, z, columns
    # Rounded, y may be on the wrong side of a centre that lies on the edge: the products are exact for short numbers.
    first = math.ceil(y)
    reach = (x - x0) * (y1 - y0)
    if (first - 1.0 - y0) * (x1 - x0) >= reach:
        first -= 1
    elif (first - y0) * (x1 - x0) < reach:
        first += 1
    return y, z, min(max(first, 0), columns)


@once
def _flip(bits, nz, i, first, last, y, z, slope, low, high):
    """Flip a bit in each of the columns first .. last - 1 of row i, where a line through (y, z), from low to high, passes."""
    for j in range(first, last):
        at = z + slope * (j - y)
        if not at >= low:  # also if NaN: an edge-on triangle whose slope is infinite
            at = low
        at = min(at, high)
        if at <= nz - 1.0:
            k = math.ceil(max(at, 0.0))
            bits[i, j, k >> 6] ^= ONE << np.uint64(k & 63)


@inline
def _below(x0, y0, z0, x1, y1, z1):
    """Return two corners, the one with the lower x first."""
    if x1 < x0:
        return x1, y1, z1, x0, y0, z0
    return x0, y0, z0, x1, y1, z1


@once
def _draw(bits, nz, x0, y0, z0, x1, y1, z1, x2, y2, z2):
    """Flip the bit of the first centre at or above a triangle on every line that meets it."""
    rows = bits.shape[0]
    columns = bits.shape[1]
    x0, y0, z0, x1, y1, z1 = _below(x0, y0, z0, x1, y1, z1)
    x1, y1, z1, x2, y2, z2 = _below(x1, y1, z1, x2, y2, z2)
    x0, y0, z0, x1, y1, z1 = _below(x0, y0, z0, x1, y1, z1)
    if x2 <= 0.0 or x0 > rows - 1.0:
        return
    for i in range(math.ceil(max(x0, 0.0)), math.ceil(min(x2, rows))):
        x = float(i)
        y, z, c = _crossing(x, columns, x0, y0, z0, x2, y2, z2)
        if x < x1:
            v, w, d = _crossing(x, columns, x0, y0, z0, x1, y1, z1)
        else:
            v, w, d = _crossing(x, columns, x1, y1, z1, x2, y2, z2)
        if d < c:
            y, z, c, v, w, d = v, w, d, y, z, c
        if c < d:
            _flip(bits, nz, i, c, d, y, z, (w - z) / (v - y), min(z, w), max(z, w))


@inline
def _running(word, carry):
    """Return the XOR of all bits up to each one; carry: all ones if what was before is odd, else zero."""
    word ^= word << np.uint64(1)
    word ^= word << np.uint64(2)
    word ^= word << np.uint64(4)
    word ^= word << np.uint64(8)
    word ^= word << np.uint64(16)
    word ^= word << np.uint64(32)
    return word ^ carry


@kernel
def fill(bits, nz, points, faces):
    """Set the bits of all voxels inside; bits: zeros (nx, ny, nw), 64 voxels along z a word; points (n, 3) in voxels."""
    for t in range(faces.shape[0]):
        a, b, c = faces[t, 0], faces[t, 1], faces[t, 2]
        _draw(
            bits, nz, points[a, 0], points[a, 1], points[a, 2], points[b, 0], points[b, 1], points[b, 2],
            points[c, 0], points[c, 1], points[c, 2],
        )  # fmt: skip
    nw = bits.shape[2]
    spare = np.uint64(64 * nw - nz)
    for i in range(bits.shape[0]):
        for j in range(bits.shape[1]):
            carry = NONE
            for n in range(nw):
                word = bits[i, j, n]
                filled = carry if word == NONE else _running(word, carry)
                bits[i, j, n] = filled
                carry = ALL if filled >> np.uint64(63) else NONE
            if nw > 0:
                # A mesh that reaches over the grid's top leaves its line odd: nothing is beyond the top.
                bits[i, j, nw - 1] &= ALL >> spare
