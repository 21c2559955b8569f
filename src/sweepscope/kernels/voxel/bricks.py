"""Bricks: eight voxels of a bundle. Which bricks of one volume may have anything of another, at any pose, near them.

`index_map` (12,) transforms indices of the first volume to those of the second, both from low corners: the rows of a matrix,
then an offset. What is skipped here is never tested voxel by voxel.
"""

import numpy as np

from .._jit import inline, step
from ..tolerances import MOST_BUNDLES, VOXEL_MARGIN
from .bits import ALL, BUNDLE, NONE, depth_of, has
from .shared import BOX

_BRICK = np.uint64(0xFF)


@inline
def occupied_box(bits, counts, culls):
    """Return the index range of a volume that may be occupied: (low 3, high 3), by the box, or the grid."""
    if culls & BOX:
        c = len(counts) - 7
        return counts[c], counts[c + 1], counts[c + 2], counts[c + 3], counts[c + 4], counts[c + 5]
    return 0, 0, 0, bits.shape[0], bits.shape[1], depth_of(bits, counts)


@inline
def field_of(low, high, w):
    """Return the bits of word w that lie in low..high (exclusive)."""
    low = max(low - 64 * w, 0)
    high = min(high - 64 * w, 64)
    if low >= high:
        return NONE
    return (ALL >> np.uint64(64 - (high - low))) << np.uint64(low)


@inline
def _near(bundles, x0, x1, y0, y1, z0, z1):
    """True if some bundle has a voxel in these ranges (inclusive), or if there are too many to test."""
    a0, a1 = x0 // BUNDLE, x1 // BUNDLE
    b0, b1 = y0 // BUNDLE, y1 // BUNDLE
    w0, w1 = z0 >> 6, z1 >> 6
    if (a1 - a0 + 1) * (b1 - b0 + 1) * (w1 - w0 + 1) > MOST_BUNDLES:
        return True
    for w in range(w0, w1 + 1):
        word = NONE
        for a in range(a0, a1 + 1):
            for b in range(b0, b1 + 1):
                word |= bundles[a, b, w]
        if word & field_of(z0, z1 + 1, w):
            return True
    return False


@step
def alive(word, a, b, w, index_map, box, bundles):
    """Return the bits of a bundle's word whose bricks may have something of the second near them."""
    near = NONE
    reach = BUNDLE / 2
    for n in range(8):
        brick = _BRICK << np.uint64(8 * n)
        if word & brick == NONE:
            continue
        u = BUNDLE * a + reach
        v = BUNDLE * b + reach
        s = 64 * w + 8 * n + 4.0
        x = index_map[0] * u + index_map[1] * v + index_map[2] * s + index_map[9]
        y = index_map[3] * u + index_map[4] * v + index_map[5] * s + index_map[10]
        z = index_map[6] * u + index_map[7] * v + index_map[8] * s + index_map[11]
        # A little more than the brick, for rounding and ties.
        hx = reach * (abs(index_map[0]) + abs(index_map[1]) + abs(index_map[2])) + VOXEL_MARGIN
        hy = reach * (abs(index_map[3]) + abs(index_map[4]) + abs(index_map[5])) + VOXEL_MARGIN
        hz = reach * (abs(index_map[6]) + abs(index_map[7]) + abs(index_map[8])) + VOXEL_MARGIN
        if x + hx < box[0] or y + hy < box[1] or z + hz < box[2] or x - hx > box[3] or y - hy > box[4] or z - hz > box[5]:
            continue
        x0 = int(max(x - hx, box[0]))
        y0 = int(max(y - hy, box[1]))
        z0 = int(max(z - hz, box[2]))
        x1 = int(min(x + hx, box[3] - 1.0))
        y1 = int(min(y + hy, box[4] - 1.0))
        z1 = int(min(z + hz, box[5] - 1.0))
        if _near(bundles, x0, x1, y0, y1, z0, z1):
            near |= word & brick
    return near


@step
def near_bits(bits_a, bundles_a, counts_a, bits_b, bundles_b, counts_b, index_map):
    """Return the first's bits without those that have nothing of the second near them."""
    i0, j0, k0, i1, j1, k1 = occupied_box(bits_a, counts_a, BOX)
    lo = occupied_box(bits_b, counts_b, BOX)
    box = (float(lo[0]), float(lo[1]), float(lo[2]), float(lo[3]), float(lo[4]), float(lo[5]))
    near = np.zeros(bits_a.shape, np.uint64)
    if i0 >= i1 or lo[0] >= lo[3]:
        return near
    for a in range(i0 // BUNDLE, (i1 - 1) // BUNDLE + 1):
        for b in range(j0 // BUNDLE, (j1 - 1) // BUNDLE + 1):
            for w in range(k0 >> 6, (k1 + 63) >> 6):
                field = alive(bundles_a[a, b, w], a, b, w, index_map, box, bundles_b)
                if field == NONE:
                    continue
                for i in range(max(i0, BUNDLE * a), min(i1, BUNDLE * a + BUNDLE)):
                    for j in range(max(j0, BUNDLE * b), min(j1, BUNDLE * b + BUNDLE)):
                        near[i, j, w] = bits_a[i, j, w] & field
    return near


@step
def add_slope(bits, nz, i, j, k, slopes, first):
    """Add the gradient of occupancy around a voxel to slopes[first : first + 3]."""
    slopes[first] += has(bits, nz, i + 1, j, k) - has(bits, nz, i - 1, j, k)
    slopes[first + 1] += has(bits, nz, i, j + 1, k) - has(bits, nz, i, j - 1, k)
    slopes[first + 2] += has(bits, nz, i, j, k + 1) - has(bits, nz, i, j, k - 1)
