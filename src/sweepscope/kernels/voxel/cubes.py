"""Two volumes at any pose: which voxels of the first, as cubes, overlap occupied voxels of the second by more than a touch.

Two boxes overlap if no axis separates them: three of each, and the nine across both (Gottschalk, Lin & Manocha 1996). All
voxels of a volume have the same orientation, so the axes and the least distance of two centers along them are computed once:
axes (n, 4), in the second's frame [length]. `index_map` is as in bricks.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import CUBE_MARGIN
from .bits import BUNDLE, NONE, ONE, depth_of, lowest
from .bricks import add_slope, alive, field_of, near_bits, occupied_box
from .shared import BOX, LINES, PLANES


@inline
def _center(index_map, i, j, k):
    """Return the center of a voxel of the first in the indices of the second."""
    u = i + 0.5
    v = j + 0.5
    s = k + 0.5
    x = index_map[0] * u + index_map[1] * v + index_map[2] * s + index_map[9]
    y = index_map[3] * u + index_map[4] * v + index_map[5] * s + index_map[10]
    z = index_map[6] * u + index_map[7] * v + index_map[8] * s + index_map[11]
    return x, y, z


@inline
def _apart(axes, dx, dy, dz):
    """True if some axis separates two voxels whose centers are (dx, dy, dz) apart."""
    for n in range(len(axes)):  # noqa: SIM110
        if abs(axes[n, 0] * dx + axes[n, 1] * dy + axes[n, 2] * dz) >= axes[n, 3]:
            return True
    return False


@inline
def _reach(index_map, r):
    """Return how far a voxel of the first reaches from its center along axis r of the second, in the second's voxels."""
    return 0.5 * (abs(index_map[3 * r]) + abs(index_map[3 * r + 1]) + abs(index_map[3 * r + 2])) + CUBE_MARGIN


@step
def touched(bits_b, index_map, axes, spacing, box, i, j, k, found):
    """Write the voxels of the second that overlap voxel (i, j, k) of the first to found (n, 3), as many as there is room for.

    Return how many. Without any room it stops at the first.
    """
    x, y, z = _center(index_map, i, j, k)
    hx, hy, hz = _reach(index_map, 0), _reach(index_map, 1), _reach(index_map, 2)
    if x + hx < box[0] or y + hy < box[1] or z + hz < box[2] or x - hx > box[3] or y - hy > box[4] or z - hz > box[5]:
        return 0
    # Cut to the box before they become integers: a voxel of the first may be wider than an integer can be.
    a0, a1 = math.floor(max(x - hx, float(box[0]))), min(math.floor(min(x + hx, float(box[3]))) + 1, box[3])
    b0, b1 = math.floor(max(y - hy, float(box[1]))), min(math.floor(min(y + hy, float(box[4]))) + 1, box[4])
    c0, c1 = math.floor(max(z - hz, float(box[2]))), min(math.floor(min(z + hz, float(box[5]))) + 1, box[5])
    count = 0
    for a in range(a0, a1):
        for b in range(b0, b1):
            for w in range(c0 >> 6, (c1 + 63) >> 6):
                word = bits_b[a, b, w] & field_of(c0, c1, w)
                while word != NONE:
                    c = 64 * w + lowest(word)
                    word &= word - ONE
                    dx = (a + 0.5 - x) * spacing[0]
                    dy = (b + 0.5 - y) * spacing[1]
                    dz = (c + 0.5 - z) * spacing[2]
                    if _apart(axes, dx, dy, dz):
                        continue
                    if len(found) == 0:
                        return 1
                    if count < len(found):
                        found[count, 0] = a
                        found[count, 1] = b
                        found[count, 2] = c
                    count += 1
    return count


@kernel
def first(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, index_map, axes, spacing, culls):
    """True if there is such a voxel."""
    i0, j0, k0, i1, j1, k1 = occupied_box(bits_a, counts_a, culls)
    box = occupied_box(bits_b, counts_b, culls)
    if i0 >= i1 or j0 >= j1 or k0 >= k1 or box[0] >= box[3] or box[1] >= box[4] or box[2] >= box[5]:
        return False
    reals = (float(box[0]), float(box[1]), float(box[2]), float(box[3]), float(box[4]), float(box[5]))
    nx = bits_a.shape[0]
    nowhere = np.empty((0, 3), np.int64)
    for a in range(i0 // BUNDLE, (i1 - 1) // BUNDLE + 1):
        for b in range(j0 // BUNDLE, (j1 - 1) // BUNDLE + 1):
            for w in range(k0 >> 6, (k1 + 63) >> 6):
                field = field_of(k0, k1, w)
                if culls & LINES:
                    field = alive(bundles_a[a, b, w], a, b, w, index_map, reals, bundles_b)
                if field == NONE:
                    continue
                for i in range(max(i0, BUNDLE * a), min(i1, BUNDLE * a + BUNDLE)):
                    if culls & PLANES and counts_a[i] == 0:
                        continue
                    for j in range(max(j0, BUNDLE * b), min(j1, BUNDLE * b + BUNDLE)):
                        if culls & PLANES and counts_a[nx + j] == 0:
                            continue
                        mine = bits_a[i, j, w] & field
                        while mine != NONE:
                            k = 64 * w + lowest(mine)
                            mine &= mine - ONE
                            if touched(bits_b, index_map, axes, spacing, box, i, j, k, nowhere):
                                return True
    return False


@kernel
def shared(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, index_map, axes, spacing, places):
    """Write those voxels to places (n, 3), as many as there is room for. Return (how many, slopes 6) as in `posed.shared`."""
    near = near_bits(bits_a, bundles_a, counts_a, bits_b, bundles_b, counts_b, index_map)
    box = occupied_box(bits_b, counts_b, BOX)
    za = depth_of(bits_a, counts_a)
    zb = depth_of(bits_b, counts_b)
    slopes = np.zeros(6)
    more = np.zeros(6)
    found = np.empty((64, 3), np.int64)
    count = 0
    for i in range(near.shape[0]):
        for j in range(near.shape[1]):
            for w in range(near.shape[2]):
                mine = near[i, j, w]
                while mine != NONE:
                    k = 64 * w + lowest(mine)
                    mine &= mine - ONE
                    met = touched(bits_b, index_map, axes, spacing, box, i, j, k, found)
                    if met == 0:
                        continue
                    if count < len(places):
                        places[count, 0] = i
                        places[count, 1] = j
                        places[count, 2] = k
                    count += 1
                    add_slope(bits_a, za, i, j, k, slopes, 0)
                    # One voxel of the first counts once, even if it meets several of the second.
                    met = min(met, len(found))
                    more[:] = 0.0
                    for n in range(met):
                        add_slope(bits_b, zb, found[n, 0], found[n, 1], found[n, 2], more, 3)
                    for r in range(3, 6):
                        slopes[r] += more[r] / met
    return count, slopes


@kernel
def count_remaining(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, index_map, culls):
    """Return how many voxels of the first remain after these culls, by the reach of their cubes."""
    i0, j0, k0, i1, j1, k1 = occupied_box(bits_a, counts_a, culls)
    box = occupied_box(bits_b, counts_b, culls)
    if box[0] >= box[3] or box[1] >= box[4] or box[2] >= box[5]:
        return 0
    nx, ny = bits_a.shape[0], bits_a.shape[1]
    hx, hy, hz = _reach(index_map, 0), _reach(index_map, 1), _reach(index_map, 2)
    count = 0
    for i in range(i0, i1):
        for j in range(j0, j1):
            for k in range(k0, k1):
                x, y, z = _center(index_map, i, j, k)
                tested = box[0] < x + hx and box[1] < y + hy and box[2] < z + hz
                tested = tested and box[3] > x - hx and box[4] > y - hy and box[5] > z - hz
                if culls & PLANES:
                    tested = tested and counts_a[i] > 0 and counts_a[nx + j] > 0 and counts_a[nx + ny + k] > 0
                if culls & LINES:
                    tested = tested and spans_a[0, i, j] <= k <= spans_a[1, i, j]
                count += tested
    return count
