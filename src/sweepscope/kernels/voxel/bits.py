"""Voxels as bits: which are occupied, and an index that every edit updates.

bits (nx, ny, nw) uint64: voxel (i, j, k) is bit k % 64 of word k // 64 of its line; bits beyond nz are 0.
spans (2, nx, ny) int32: the lowest and the highest occupied k of every line; nz and -1 if there is none. Holes between them are
not recorded, so that an edit is cheap (Hirai, Yamamoto & Takai 1999).
bundles (nx / 8, ny / 8, nw) uint64, rounded up: the union of the bits of every 8 x 8 lines.
counts int64: occupied voxels of each plane across x, across y and across z; then the box (low 3, high 3, exclusive), and all.
"""

import numpy as np

from .._jit import inline, kernel, step

ONE = np.uint64(1)
NONE = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_LANES = np.uint64(0x0101010101010101)  # the lowest bit of each byte
_BYTE = np.uint64(0xFF)
_FLUSH = 255  # the greatest count in a byte

BUNDLE = 8  # lines along x, and along y, in a bundle


@inline
def ones(word):
    """Return how many bits of a word are set. Compilers replace this form by their own instruction."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * _LANES) >> np.uint64(56))


@inline
def lowest(word):
    """Return the position of the lowest bit of a word that is not 0."""
    return ones(~word & (word - ONE))


@inline
def highest(word):
    """Return the position of the highest bit of a word that is not 0."""
    word |= word >> ONE
    word |= word >> np.uint64(2)
    word |= word >> np.uint64(4)
    word |= word >> np.uint64(8)
    word |= word >> np.uint64(16)
    word |= word >> np.uint64(32)
    return ones(word) - 1


@inline
def depth_of(bits, counts):
    """Return nz."""
    return len(counts) - 7 - bits.shape[0] - bits.shape[1]


@inline
def has(bits, nz, i, j, k):
    """Return 1 if voxel (i, j, k) is occupied, 0 if not or outside the grid."""
    if i < 0 or j < 0 or k < 0 or i >= bits.shape[0] or j >= bits.shape[1] or k >= nz:
        return 0
    return np.int64((bits[i, j, k >> 6] >> np.uint64(k & 63)) & ONE)


@inline
def _span(bits, spans, nz, i, j):
    """Update the span of one line."""
    words = bits.shape[2]
    w = 0
    while w < words and bits[i, j, w] == NONE:
        w += 1
    if w == words:
        spans[0, i, j] = nz
        spans[1, i, j] = -1
        return
    spans[0, i, j] = 64 * w + lowest(bits[i, j, w])
    w = words - 1
    while bits[i, j, w] == NONE:
        w -= 1
    spans[1, i, j] = 64 * w + highest(bits[i, j, w])


@inline
def _fit(counts, first, place, low, high):
    """Update one side of the box, stored at `place`, after an edit of planes low..high of an axis."""
    a = min(counts[place], low) if counts[place] < counts[place + 3] else low
    b = max(counts[place + 3], high)
    while a < b and counts[first + a] == 0:
        a += 1
    while b > a and counts[first + b - 1] == 0:
        b -= 1
    if a >= b:
        a = 0
        b = 0
    counts[place] = a
    counts[place + 3] = b


@inline
def _boxed(bits, counts, i0, i1, j0, j1, k0, k1):
    nx = bits.shape[0]
    ny = bits.shape[1]
    nz = depth_of(bits, counts)
    box = nx + ny + nz
    _fit(counts, 0, box, i0, i1)
    _fit(counts, nx, box + 1, j0, j1)
    _fit(counts, nx + ny, box + 2, k0, k1)


@inline
def _bundle(bits, bundles, a, b, w):
    """Update word w of one bundle."""
    word = NONE
    for i in range(BUNDLE * a, min(bits.shape[0], BUNDLE * a + BUNDLE)):
        for j in range(BUNDLE * b, min(bits.shape[1], BUNDLE * b + BUNDLE)):
            word |= bits[i, j, w]
    bundles[a, b, w] = word


@inline
def _in_bundle(bits, a, b, w, bit):
    """True if a line of a bundle has a bit of word w. Usually one of the first lines has it."""
    for i in range(BUNDLE * a, min(bits.shape[0], BUNDLE * a + BUNDLE)):
        for j in range(BUNDLE * b, min(bits.shape[1], BUNDLE * b + BUNDLE)):
            if bits[i, j, w] & bit != NONE:
                return True
    return False


@inline
def _written(packed, a, b, skip, count):
    """Return `count` bits, at most 64, of one line of packed bytes, from bit `skip` on."""
    word = NONE
    for byte in range(skip >> 3, (skip + count + 7) >> 3):
        place = 8 * byte - skip
        value = np.uint64(packed[a, b, byte])
        word |= value << np.uint64(place) if place >= 0 else value >> np.uint64(-place)
    return word & (ALL >> np.uint64(64 - count))


@kernel
def put(packed, depth, i0, j0, k0, bits, spans, bundles, counts):
    """Write a block of voxels at (i0, j0, k0) and update its lines, planes and the box. Return how many voxels changed.

    packed: (ni, nj, bytes), eight voxels in a byte, the lowest first. depth: number of voxels along z.
    """
    nx = bits.shape[0]
    ny = bits.shape[1]
    nz = depth_of(bits, counts)
    below = nx + ny
    changed = 0
    total = 0
    k1 = k0 + depth
    first = k0 >> 6
    last = (k1 + 63) >> 6
    if packed.size == 0:
        return 0
    for a in range(packed.shape[0]):
        i = i0 + a
        grown = 0
        for b in range(packed.shape[1]):
            j = j0 + b
            touched = False
            line = 0
            for w in range(first, last):
                start = max(k0, 64 * w)
                stop = min(k1, 64 * w + 64)
                shift = np.uint64(start & 63)
                new = _written(packed, a, b, start - k0, stop - start) << shift
                old = bits[i, j, w] & ((ALL >> np.uint64(64 - (stop - start))) << shift)
                change = old ^ new
                if change == NONE:
                    continue
                touched = True
                bits[i, j, w] ^= change
                changed += ones(change)
                line += ones(new) - ones(old)
                while change != NONE:
                    k = lowest(change)
                    counts[below + 64 * w + k] += 2 * np.int64((new >> np.uint64(k)) & ONE) - 1
                    change &= change - ONE
            if touched:
                _span(bits, spans, nz, i, j)
                counts[nx + j] += line
                grown += line
        counts[i] += grown
        total += grown
    if changed:
        for a in range(i0 // BUNDLE, (i0 + packed.shape[0] - 1) // BUNDLE + 1):
            for b in range(j0 // BUNDLE, (j0 + packed.shape[1] - 1) // BUNDLE + 1):
                for w in range(first, last):
                    _bundle(bits, bundles, a, b, w)
        counts[len(counts) - 1] += total
        _boxed(bits, counts, i0, i0 + packed.shape[0], j0, j0 + packed.shape[1], k0, k1)
    return changed


@kernel
def put_each(places, values, bits, spans, bundles, counts):
    """Write single voxels, places (3, n), and update the index. Return how many changed.

    If a place is repeated, the last value counts.
    """
    nx = bits.shape[0]
    ny = bits.shape[1]
    nz = depth_of(bits, counts)
    low = (nx, ny, nz)
    high = (0, 0, 0)
    changed = 0
    for n in range(places.shape[1]):
        i = places[0, n]
        j = places[1, n]
        k = places[2, n]
        bit = ONE << np.uint64(k & 63)
        old = bits[i, j, k >> 6]
        if ((old & bit) != NONE) == values[n]:
            continue
        bits[i, j, k >> 6] = old ^ bit
        more = 1 if values[n] else -1
        counts[i] += more
        counts[nx + j] += more
        counts[nx + ny + k] += more
        counts[len(counts) - 1] += more
        if values[n]:
            spans[0, i, j] = min(spans[0, i, j], k)
            spans[1, i, j] = max(spans[1, i, j], k)
            bundles[i // BUNDLE, j // BUNDLE, k >> 6] |= bit
        else:
            if not _in_bundle(bits, i // BUNDLE, j // BUNDLE, k >> 6, bit):
                bundles[i // BUNDLE, j // BUNDLE, k >> 6] ^= bit
            if k == spans[0, i, j] or k == spans[1, i, j]:
                _span(bits, spans, nz, i, j)
        low = (min(low[0], i), min(low[1], j), min(low[2], k))
        high = (max(high[0], i + 1), max(high[1], j + 1), max(high[2], k + 1))
        changed += 1
    if changed:
        _boxed(bits, counts, low[0], high[0], low[1], high[1], low[2], high[2])
    return changed


@step
def _flush(lanes, words, counts, first, nz):
    """Add the counts in the bytes of the lanes to `counts`, and clear the lanes."""
    for w in range(words):
        for s in range(8):
            lane = lanes[w, s]
            lanes[w, s] = NONE
            for byte in range(8):
                k = 64 * w + 8 * byte + s
                if k < nz:
                    counts[first + k] += np.int64((lane >> np.uint64(8 * byte)) & _BYTE)


@kernel
def index(bits, spans, bundles, counts):
    """Compute the whole index of bits."""
    nx = bits.shape[0]
    ny = bits.shape[1]
    words = bits.shape[2]
    nz = depth_of(bits, counts)
    counts[:] = 0
    bundles[:] = NONE
    # Eight words of eight counting bytes each: a word's bits are added to 64 counts in eight steps.
    lanes = np.zeros((words, 8), np.uint64)
    lines = 0
    for i in range(nx):
        for j in range(ny):
            line = 0
            for w in range(words):
                word = bits[i, j, w]
                if word == NONE:
                    continue
                line += ones(word)
                bundles[i // BUNDLE, j // BUNDLE, w] |= word
                for s in range(8):
                    lanes[w, s] += (word >> np.uint64(s)) & _LANES
            _span(bits, spans, nz, i, j)
            counts[i] += line
            counts[nx + j] += line
            counts[len(counts) - 1] += line
            lines += 1
            if lines == _FLUSH:
                _flush(lanes, words, counts, nx + ny, nz)
                lines = 0
    _flush(lanes, words, counts, nx + ny, nz)
    _boxed(bits, counts, 0, nx, 0, ny, 0, nz)


@kernel
def unpacked(bits, i0, i1, j0, j1, k0, k1):
    """Return a block of voxels as booleans."""
    out = np.empty((i1 - i0, j1 - j0, k1 - k0), np.bool_)
    for i in range(i0, i1):
        for j in range(j0, j1):
            for k in range(k0, k1):
                out[i - i0, j - j0, k - k0] = (bits[i, j, k >> 6] >> np.uint64(k & 63)) & ONE
    return out
