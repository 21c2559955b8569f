"""Two volumes on one grid: which voxels they share, by words of 64, after the three culls of Hirai, Yamamoto & Takai (1999).

Voxel (i, j, k) of the first is voxel (i - dx, j - dy, k - dz) of the second. Culls are bits: BOX, PLANES, LINES.
"""

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import ROW_BUNDLES
from .bits import ALL, BUNDLE, NONE, ONE, depth_of, has, lowest

BOX = 1
PLANES = 2
LINES = 4


@inline
def common(bits_a, counts_a, bits_b, counts_b, dx, dy, dz, culls):
    """Return the range of the first that may be shared: (i0, i1, j0, j1, k0, k1), by the boxes, or by the grids."""
    za = depth_of(bits_a, counts_a)
    zb = depth_of(bits_b, counts_b)
    if culls & BOX:
        a = len(counts_a) - 7
        b = len(counts_b) - 7
        return (
            max(counts_a[a], counts_b[b] + dx),
            min(counts_a[a + 3], counts_b[b + 3] + dx),
            max(counts_a[a + 1], counts_b[b + 1] + dy),
            min(counts_a[a + 4], counts_b[b + 4] + dy),
            max(counts_a[a + 2], counts_b[b + 2] + dz),
            min(counts_a[a + 5], counts_b[b + 5] + dz),
        )
    return (
        max(0, dx),
        min(bits_a.shape[0], bits_b.shape[0] + dx),
        max(0, dy),
        min(bits_a.shape[1], bits_b.shape[1] + dy),
        max(0, dz),
        min(za, zb + dz),
    )


@inline
def _moved(bits, i, j, w, whole, part):
    """Return word w of a line of the second in the first's indices: shifted by `whole` words and `part` bits."""
    q = w - whole
    word = NONE
    if 0 <= q < bits.shape[2]:
        word = bits[i, j, q] << np.uint64(part)
    if part > 0 and 0 <= q - 1 < bits.shape[2]:
        word |= bits[i, j, q - 1] >> np.uint64(64 - part)
    return word


@inline
def _row_meets(low_a, high_a, low_b, high_b, dz):
    """True if some line of a grid row may share a voxel with the line beside it. There is no branch: many lines at once."""
    found = 0
    for j in range(len(low_a)):
        found |= (low_a[j] <= high_b[j] + dz) & (low_b[j] + dz <= high_a[j])
    return found != 0


@inline
def _bundle_moved(bundles, i0, i1, j0, j1, w, whole, part):
    """Return the bits that lines i0..i1, j0..j1 (exclusive) of the second may have in word w of the first."""
    word = NONE
    for a in range(i0 // BUNDLE, (i1 - 1) // BUNDLE + 1):
        for b in range(j0 // BUNDLE, (j1 - 1) // BUNDLE + 1):
            word |= _moved(bundles, a, b, w, whole, part)
    return word


@inline
def _words_meet(mine, upper, lower, keep, keep_too, up, down):
    """True if two runs of words share a bit. Each word of the second consists of two.

    There is no branch: the compiler tests eight words at once.
    """
    found = NONE
    for f in range(len(mine)):
        found |= mine[f] & (((upper[f] << up) & keep[f]) | ((lower[f] >> down) & keep_too[f]))
    return found != NONE


@step
def _row_shares(bits_a, flat_a, bits_b, flat_b, i, j0, j1, dx, dy, whole, part, keep, keep_too):
    """True if lines j0..j1 (exclusive) of grid row i share a voxel with those beside them: all words of the row in turn.

    keep, keep_too: for each word of these lines, whether its line has the first and the second word of which it consists.
    """
    words = bits_a.shape[2]
    n = (j1 - j0) * words
    mine = (i * bits_a.shape[1] + j0) * words
    base = ((i - dx) * bits_b.shape[1] + j0 - dy) * words - whole
    # Words before the begin or past the end of the array are read one by one.
    low = min(max(1 - base, 0), n)
    high = max(min(len(flat_b) - base, n), low)
    for f in range(low):
        w = f % words
        if flat_a[mine + f] & _moved(bits_b, i - dx, j0 - dy + f // words, w, whole, part) != NONE:
            return True
    for f in range(high, n):
        w = f % words
        if flat_a[mine + f] & _moved(bits_b, i - dx, j0 - dy + f // words, w, whole, part) != NONE:
            return True
    return _words_meet(
        flat_a[mine + low : mine + high],
        flat_b[base + low : base + high],
        flat_b[base + low - 1 : base + high - 1],
        keep[low:high],
        keep_too[low:high],
        np.uint64(part),
        np.uint64((64 - part) & 63),
    )


@step
def _bundle_shares(bits_a, bits_b, low, high, alive, left, right, w, field, dx, dy, whole, part):
    """True if lines of one bundle share a voxel in word w. Only the bits of `field` are tested."""
    words = bits_b.shape[2]
    up = np.uint64(part)
    down = np.uint64((64 - part) & 63)
    # Two words of the second form one of the first. For one that does not exist, another is read and masked out.
    q = w - whole
    upper = min(max(q, 0), words - 1)
    lower = min(max(q - 1, 0), words - 1)
    cut = field if upper == q else NONE
    cut_too = field if lower == q - 1 and part > 0 else NONE
    for i in range(low, high):
        if not alive[i - low]:
            continue
        for j in range(left, right):
            mine = bits_a[i, j, w]
            if mine & field == NONE:
                continue
            other = (bits_b[i - dx, j - dy, upper] << up) & cut
            other |= (bits_b[i - dx, j - dy, lower] >> down) & cut_too
            if mine & other != NONE:
                return True
    return False


@kernel
def first(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, dx, dy, dz, culls):
    """True if a voxel is shared."""
    i0, i1, j0, j1, k0, k1 = common(bits_a, counts_a, bits_b, counts_b, dx, dy, dz, culls)
    if i0 >= i1 or j0 >= j1 or k0 >= k1:
        return False
    words = bits_a.shape[2]
    flat_a = bits_a.reshape(-1)
    flat_b = bits_b.reshape(-1)
    whole = dz >> 6
    part = dz & 63
    w0 = k0 >> 6
    w1 = (k1 + 63) >> 6
    shift = np.int32(dz)
    alive = np.zeros(BUNDLE, np.bool_)
    b0 = j0 // BUNDLE
    b1 = (j1 - 1) // BUNDLE + 1
    fields = np.empty((b1 - b0, w1 - w0), np.uint64)
    same = words == bits_b.shape[2]  # grid rows of both then have the same layout in memory
    keep = np.empty((j1 - j0) * words if same else 0, np.uint64)
    keep_too = np.empty(len(keep), np.uint64)
    for f in range(len(keep)):
        q = f % words - whole
        keep[f] = ALL if 0 <= q < words else NONE
        keep_too[f] = ALL if 0 < q <= words and part > 0 else NONE
    for a in range(i0 // BUNDLE, (i1 - 1) // BUNDLE + 1):
        low = max(i0, BUNDLE * a)
        high = min(i1, BUNDLE * a + BUNDLE)
        any_alive = False
        for i in range(low, high):
            alive[i - low] = (culls & PLANES) == 0 or (counts_a[i] > 0 and counts_b[i - dx] > 0)
            if alive[i - low] and culls & LINES:
                alive[i - low] = _row_meets(
                    spans_a[0, i, j0:j1],
                    spans_a[1, i, j0:j1],
                    spans_b[0, i - dx, j0 - dy : j1 - dy],
                    spans_b[1, i - dx, j0 - dy : j1 - dy],
                    shift,
                )
            any_alive |= alive[i - low]
        if not any_alive:
            continue
        # Lines of one word are read as fast as their bundles.
        whole_rows = same and words == 1
        found = 0
        for b in range(b0, b0 if whole_rows else b1):
            left = max(j0, BUNDLE * b)
            right = min(j1, BUNDLE * b + BUNDLE)
            for w in range(w0, w1):
                field = ALL
                if culls & LINES:
                    field = bundles_a[a, b, w]
                    if field != NONE:
                        field &= _bundle_moved(bundles_b, low - dx, high - dx, left - dy, right - dy, w, whole, part)
                fields[b - b0, w - w0] = field
                found += field != NONE
        if whole_rows or (same and found * ROW_BUNDLES >= fields.size):
            for i in range(low, high):
                if alive[i - low] and _row_shares(
                    bits_a, flat_a, bits_b, flat_b, i, j0, j1, dx, dy, whole, part, keep, keep_too
                ):
                    return True
            continue
        for b in range(b0, b1):
            left = max(j0, BUNDLE * b)
            right = min(j1, BUNDLE * b + BUNDLE)
            for w in range(w0, w1):
                field = fields[b - b0, w - w0]
                if field != NONE and _bundle_shares(
                    bits_a, bits_b, low, high, alive, left, right, w, field, dx, dy, whole, part
                ):
                    return True
    return False


@kernel
def first_at(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, offsets, culls):
    """Return for each offset, shape (n, 3), whether a voxel is shared."""
    found = np.empty(len(offsets), np.bool_)
    for k in range(len(offsets)):
        dx, dy, dz = offsets[k, 0], offsets[k, 1], offsets[k, 2]
        found[k] = first(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, dx, dy, dz, culls)
    return found


@kernel
def shared(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, dx, dy, dz, places):
    """Write the shared voxels to places (n, 3), as many as there is room for. Return (how many, slope 3).

    slope: the gradient of occupancy of the first less that of the second, summed over them, in voxels. It points from the
    second to the first.
    """
    i0, i1, j0, j1, k0, k1 = common(bits_a, counts_a, bits_b, counts_b, dx, dy, dz, BOX)
    za = depth_of(bits_a, counts_a)
    zb = depth_of(bits_b, counts_b)
    whole = dz >> 6
    part = dz & 63
    count = 0
    sx = 0
    sy = 0
    sz = 0
    if k0 >= k1:
        return 0, 0, 0, 0
    for i in range(i0, i1):
        for j in range(j0, j1):
            for w in range(k0 >> 6, (k1 + 63) >> 6):
                both = bits_a[i, j, w] & _moved(bits_b, i - dx, j - dy, w, whole, part)
                while both != NONE:
                    k = 64 * w + lowest(both)
                    both &= both - ONE
                    if count < len(places):
                        places[count, 0] = i
                        places[count, 1] = j
                        places[count, 2] = k
                    count += 1
                    a, b, c = i - dx, j - dy, k - dz
                    sx += has(bits_a, za, i + 1, j, k) - has(bits_a, za, i - 1, j, k)
                    sx -= has(bits_b, zb, a + 1, b, c) - has(bits_b, zb, a - 1, b, c)
                    sy += has(bits_a, za, i, j + 1, k) - has(bits_a, za, i, j - 1, k)
                    sy -= has(bits_b, zb, a, b + 1, c) - has(bits_b, zb, a, b - 1, c)
                    sz += has(bits_a, za, i, j, k + 1) - has(bits_a, za, i, j, k - 1)
                    sz -= has(bits_b, zb, a, b, c + 1) - has(bits_b, zb, a, b, c - 1)
    return count, sx, sy, sz


@kernel
def count_remaining(bits_a, spans_a, bundles_a, counts_a, bits_b, spans_b, bundles_b, counts_b, dx, dy, dz, culls):
    """Return how many voxels of the first remain after these culls."""
    i0, i1, j0, j1, k0, k1 = common(bits_a, counts_a, bits_b, counts_b, dx, dy, dz, culls)
    nx, ny = bits_a.shape[0], bits_a.shape[1]
    mx, my = bits_b.shape[0], bits_b.shape[1]
    live = np.zeros(max(0, k1 - k0) + 1, np.int64)  # how many planes across z remain below each
    for k in range(k0, k1):
        occupied = (culls & PLANES) == 0 or (counts_a[nx + ny + k] > 0 and counts_b[mx + my + k - dz] > 0)
        live[k - k0 + 1] = live[k - k0] + occupied
    count = 0
    for i in range(i0, i1):
        if culls & PLANES and (counts_a[i] == 0 or counts_b[i - dx] == 0):
            continue
        for j in range(j0, j1):
            if culls & PLANES and (counts_a[nx + j] == 0 or counts_b[mx + j - dy] == 0):
                continue
            low = k0
            high = k1
            if culls & LINES:
                low = max(low, max(spans_a[0, i, j], spans_b[0, i - dx, j - dy] + dz))
                high = min(high, min(spans_a[1, i, j], spans_b[1, i - dx, j - dy] + dz) + 1)
            if low < high:
                count += live[high - k0] - live[low - k0]
    return count
