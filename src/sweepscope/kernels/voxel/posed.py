"""Two volumes at any pose: which voxels of the first have their center in an occupied voxel of the second.

A center within TIE below a face belongs to the voxel above it, so that poses in halves and quarters do not depend on rounding.
`index_map` is as in bricks.
"""

import math

import numpy as np

from .._jit import inline, kernel
from ..tolerances import LONGEST_RUN, NEARLY_ALIGNED, TIE, VOXEL_MARGIN, WORD_HOLES
from .bits import ALL, BUNDLE, NONE, ONE, depth_of, has, highest, lowest, ones
from .bricks import add_slope, alive, field_of, near_bits, occupied_box
from .shared import LINES, PLANES

_ROOM = 2048  # voxels that are tested together


@kernel
def index_map_between(pose, origin_a, spacing_a, origin_b, spacing_b):
    """Return the index map from the first volume to the second.

    pose: of the second in the first's frame. origins, spacings: of the two volumes.
    """
    index_map = np.empty(12)
    for r in range(3):
        away = -origin_b[r]
        for c in range(3):
            # The pose's matrix is a rotation: its columns are the second's axes.
            index_map[3 * r + c] = pose[c, r] * spacing_a[c] / spacing_b[r]
            away += pose[c, r] * (origin_a[c] - pose[c, 3])
        index_map[9 + r] = away / spacing_b[r]
    return index_map


@inline
def _clip(start, slope, low, high, k0, k1):
    """Return the part of k0..k1 (exclusive) where start + slope * k may lie in [low, high), exact to one at either end."""
    if slope == 0.0:
        return (k0, k1) if low <= start < high else (k0, k0)
    inverse = 1.0 / slope
    a = (low - start) * inverse
    b = (high - start) * inverse
    if a > b:
        a, b = b, a
    if a >= k1 or b < k0:
        return k0, k0
    if a > k0:
        k0 = math.floor(a)
    if b < k1 - 1:
        k1 = math.ceil(b) + 1
    return k0, k1


@inline
def _in(x, y, z, box):
    return box[0] <= x < box[3] and box[1] <= y < box[4] and box[2] <= z < box[5]


@inline
def line_start(index_map, i, j):
    """Return where the line's centers begin (k = 0) in the indices of the second, plus the tie."""
    u = i + 0.5
    v = j + 0.5
    x = index_map[0] * u + index_map[1] * v + (index_map[2] * 0.5 + (index_map[9] + TIE))
    y = index_map[3] * u + index_map[4] * v + (index_map[5] * 0.5 + (index_map[10] + TIE))
    z = index_map[6] * u + index_map[7] * v + (index_map[8] * 0.5 + (index_map[11] + TIE))
    return x, y, z


@inline
def line_range(index_map, x, y, z, k0, k1, box):
    """Return the part of k0..k1 (exclusive) of a line whose centers lie in `box` (reals). The line begins at (x, y, z)."""
    k0, k1 = _clip(x, index_map[2], box[0], box[3], k0, k1)
    k0, k1 = _clip(y, index_map[5], box[1], box[4], k0, k1)
    k0, k1 = _clip(z, index_map[8], box[2], box[5], k0, k1)
    # Rounding is monotone: everything between two ends that are inside is inside.
    while k0 < k1 and not _in(x + index_map[2] * k0, y + index_map[5] * k0, z + index_map[8] * k0, box):
        k0 += 1
    while k0 < k1 and not _in(x + index_map[2] * (k1 - 1), y + index_map[5] * (k1 - 1), z + index_map[8] * (k1 - 1), box):
        k1 -= 1
    return k0, k1


@inline
def _all_in(index_map, a, b, w, field, box):
    """True if all centers of a bundle's word, between its lowest and its highest bit, lie in `box`: its corners do."""
    for corner in range(8):
        u = BUNDLE * a + BUNDLE * (corner & 1)
        v = BUNDLE * b + BUNDLE * (corner >> 1 & 1)
        s = 64 * w + (highest(field) + 1 if corner & 4 else lowest(field))
        x = index_map[0] * u + index_map[1] * v + index_map[2] * s + index_map[9]
        y = index_map[3] * u + index_map[4] * v + index_map[5] * s + index_map[10]
        z = index_map[6] * u + index_map[7] * v + index_map[8] * s + index_map[11]
        # Far more than rounding and ties.
        if not _in(x - VOXEL_MARGIN, y - VOXEL_MARGIN, z - VOXEL_MARGIN, box) or not _in(
            x + VOXEL_MARGIN, y + VOXEL_MARGIN, z + VOXEL_MARGIN, box
        ):
            return False
    return True


@inline
def _word_hits(flat, row, words, mine, x, y, z, ax, ay, az, start, count):
    """True if the second has one of `count` voxels from `start` on that are set in `mine`.

    There is no branch: the compiler tests several at once.
    """
    found = NONE
    for n in range(count):
        k = start + n
        a = int(x + ax * k)
        b = int(y + ay * k)
        c = int(z + az * k)
        found |= (mine >> np.uint64(n)) & (flat[a * row + b * words + (c >> 6)] >> np.uint64(c & 63))
    return found & ONE != NONE


@inline
def _leaves(start, inverse, cell):
    """Return the last integer k for which start + k / inverse may be in [cell, cell + 1). inverse 0: it stays for ever."""
    if inverse > 0.0:
        return int(min((cell + 1.0 - start) * inverse, LONGEST_RUN))
    if inverse < 0.0:
        return int(min((cell - start) * inverse, LONGEST_RUN))
    return int(LONGEST_RUN)


@inline
def _inverse(slope):
    return 1.0 / slope if slope != 0.0 else 0.0


@inline
def _runs_hit(bits_b, mine, x, y, z, ax, ay, az, w, low, high):
    """True if the second has one of the voxels low..high (exclusive) that are set in a word. Both volumes are nearly aligned.

    Their centers stay in one line of the second for long, one voxel further for each: they are compared as words.
    """
    words = bits_b.shape[2]
    ix, iy, iz = _inverse(ax), _inverse(ay), _inverse(az - 1.0)
    while low < high:
        a = int(x + ax * low)
        b = int(y + ay * low)
        c = int(z + az * low)
        end = min(high - 1, _leaves(x, ix, a))
        end = min(end, min(_leaves(y, iy, b), _leaves(z, iz, c - low)))
        end = max(end, low)
        # By the same sums as everywhere: what holds at both ends holds between them.
        while int(x + ax * end) != a or int(y + ay * end) != b or int(z + az * end) != c + end - low:
            end -= 1
        q = c >> 6
        part = np.uint64(c & 63)
        other = bits_b[a, b, q] >> part
        if part != NONE and q + 1 < words:
            other |= bits_b[a, b, q + 1] << (np.uint64(64) - part)
        if (mine >> np.uint64(low - 64 * w)) & other & (ALL >> np.uint64(63 - (end - low))) != NONE:
            return True
        low = end + 1
    return False


@inline
def _list(listed, count, mine, start, x, y, z):
    """List the voxels of a word with holes: k, and where their line begins. Return how many are listed."""
    while mine != NONE:
        listed[0, count] = start + lowest(mine)
        listed[1, count] = x
        listed[2, count] = y
        listed[3, count] = z
        mine &= mine - ONE
        count += 1
    return count


@inline
def _listed_hits(flat, row, words, listed, count, ax, ay, az):
    """True if the second has one of the listed voxels. There is no branch: the compiler tests several at once."""
    ks, xs, ys, zs = listed[0], listed[1], listed[2], listed[3]
    found = NONE
    for n in range(count):
        a = int(xs[n] + ax * ks[n])
        b = int(ys[n] + ay * ks[n])
        c = int(zs[n] + az * ks[n])
        found |= flat[a * row + b * words + (c >> 6)] >> np.uint64(c & 63)
    return found & ONE != NONE


@kernel
def first(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, index_map, culls):
    """True if there is such a voxel."""
    i0, j0, k0, i1, j1, k1 = occupied_box(bits_a, counts_a, culls)
    lo = occupied_box(bits_b, counts_b, culls)
    if i0 >= i1 or j0 >= j1 or k0 >= k1 or lo[0] >= lo[3] or lo[1] >= lo[4] or lo[2] >= lo[5]:
        return False
    box = (float(lo[0]), float(lo[1]), float(lo[2]), float(lo[3]), float(lo[4]), float(lo[5]))
    flat = bits_b.reshape(-1)
    words = bits_b.shape[2]
    row = bits_b.shape[1] * words
    nx = bits_a.shape[0]
    ax, ay, az = index_map[2], index_map[5], index_map[8]
    alike = abs(ax) + abs(ay) + abs(az - 1.0) < NEARLY_ALIGNED
    listed = np.empty((4, _ROOM))
    count = 0
    for a in range(i0 // BUNDLE, (i1 - 1) // BUNDLE + 1):
        for b in range(j0 // BUNDLE, (j1 - 1) // BUNDLE + 1):
            for w in range(k0 >> 6, (k1 + 63) >> 6):
                field = field_of(k0, k1, w)
                if culls & LINES:
                    field = alive(bundles_a[a, b, w], a, b, w, index_map, box, bundles_b)
                    if field == NONE:
                        continue
                inner = _all_in(index_map, a, b, w, field, box)
                for i in range(max(i0, BUNDLE * a), min(i1, BUNDLE * a + BUNDLE)):
                    if culls & PLANES and counts_a[i] == 0:
                        continue
                    for j in range(max(j0, BUNDLE * b), min(j1, BUNDLE * b + BUNDLE)):
                        if culls & PLANES and counts_a[nx + j] == 0:
                            continue
                        mine = bits_a[i, j, w] & field
                        if mine == NONE:
                            continue
                        low = 64 * w + lowest(mine)
                        high = 64 * w + highest(mine) + 1
                        x, y, z = line_start(index_map, i, j)
                        if not inner:
                            low, high = line_range(index_map, x, y, z, low, high, box)
                            mine &= field_of(low, high, w)
                            if mine == NONE:
                                continue
                        if alike:
                            if _runs_hit(bits_b, mine, x, y, z, ax, ay, az, w, low, high):
                                return True
                        elif WORD_HOLES * ones(mine) < high - low:
                            count = _list(listed, count, mine, 64 * w, x, y, z)
                        elif _word_hits(flat, row, words, mine >> np.uint64(low & 63), x, y, z, ax, ay, az, low, high - low):
                            return True
                    if count > _ROOM - 64 * BUNDLE:
                        if _listed_hits(flat, row, words, listed, count, ax, ay, az):
                            return True
                        count = 0
    return _listed_hits(flat, row, words, listed, count, ax, ay, az)


@kernel
def first_at(
    bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, poses, origin_a, spacing_a, origin_b, spacing_b,
    culls,
):  # fmt: skip
    """Return for each pose of the second in the first's frame, shape (n, 4, 4), whether there is such a voxel."""
    found = np.empty(len(poses), np.bool_)
    for k in range(len(poses)):
        index_map = index_map_between(poses[k], origin_a, spacing_a, origin_b, spacing_b)
        found[k] = first(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, index_map, culls)
    return found


@kernel
def shared(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, index_map, places):
    """Write those voxels to places (n, 3), as many as there is room for. Return (how many, slopes 6).

    slopes: the gradient of occupancy of the first, and of the second, summed over them, each along its own axes and in its
    voxels.
    """
    near = near_bits(bits_a, bundles_a, counts_a, bits_b, bundles_b, counts_b, index_map)
    za = depth_of(bits_a, counts_a)
    zb = depth_of(bits_b, counts_b)
    slopes = np.zeros(6)
    count = 0
    for i in range(near.shape[0]):
        for j in range(near.shape[1]):
            for w in range(near.shape[2]):
                mine = near[i, j, w]
                if mine == NONE:
                    continue
                x, y, z = line_start(index_map, i, j)
                while mine != NONE:
                    k = 64 * w + lowest(mine)
                    mine &= mine - ONE
                    a = math.floor(x + index_map[2] * k)
                    b = math.floor(y + index_map[5] * k)
                    c = math.floor(z + index_map[8] * k)
                    if not has(bits_b, zb, a, b, c):
                        continue
                    if count < len(places):
                        places[count, 0] = i
                        places[count, 1] = j
                        places[count, 2] = k
                    count += 1
                    add_slope(bits_a, za, i, j, k, slopes, 0)
                    add_slope(bits_b, zb, a, b, c, slopes, 3)
    return count, slopes


@kernel
def count_remaining(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, index_map, culls):
    """Return how many voxels of the first remain after these culls, by where their centers lie in the second."""
    i0, j0, k0, i1, j1, k1 = occupied_box(bits_a, counts_a, culls)
    lo = occupied_box(bits_b, counts_b, culls)
    box = (float(lo[0]), float(lo[1]), float(lo[2]), float(lo[3]), float(lo[4]), float(lo[5]))
    nx, ny = bits_a.shape[0], bits_a.shape[1]
    mx, my = bits_b.shape[0], bits_b.shape[1]
    count = 0
    for i in range(i0, i1):
        for j in range(j0, j1):
            x, y, z = line_start(index_map, i, j)
            low, high = line_range(index_map, x, y, z, k0, k1, box)
            for k in range(low, high):
                a = int(x + index_map[2] * k)
                b = int(y + index_map[5] * k)
                c = int(z + index_map[8] * k)
                tested = True
                if culls & PLANES:
                    tested = counts_a[i] > 0 and counts_a[nx + j] > 0 and counts_a[nx + ny + k] > 0
                    tested = tested and counts_b[a] > 0 and counts_b[mx + b] > 0 and counts_b[mx + my + c] > 0
                if culls & LINES:
                    tested = tested and spans_a[0, i, j] <= k <= spans_a[1, i, j]
                    tested = tested and spans_b[0, a, b] <= c <= spans_b[1, a, b]
                count += tested
    return count
