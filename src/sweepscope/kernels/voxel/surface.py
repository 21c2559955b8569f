"""The surface of a volume's voxels: two triangles for every outer side, cut into blocks as in `blocks`.

Sides are found for a word of 64 voxels at a time: a side is outer if its neighbor is not occupied. Inside an index box [low,
high) the volume is treated as a solid of its own: where the box cuts it, it has sides too. Bricks of 8 x 8 x 8 voxels come in
the order of an octree, in each of them cubes of 4 x 4 x 4, in those one direction after the other. Neighbors are then in
runs without sorting. A block has its own vertices.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from ..base.blocks import BLOCK
from ..layout import BRICK
from ..tolerances import VOLUME_ROUNDING
from .bits import ALL, NONE, ONE, lowest

_CUBE = 4
_RIM = BRICK + 1  # corners along a brick
_QUADS = BLOCK // 2
_BYTE = np.uint64(0xFF)

# Directions -x, +x, -y, +y, -z, +z: the four corners of that side of a voxel, in the order that faces outwards.
_SIDES = np.array(
    (
        ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)),
        ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
        ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
        ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)),
        ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)),
        ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    )
)


@inline
def _word(bits, box, i, j, w):
    """Return a word of line (i, j) without the bits outside the box."""
    if i < box[0] or i >= box[3] or j < box[1] or j >= box[4] or w < 0 or w >= bits.shape[2]:
        return NONE
    low = box[2] - 64 * w
    high = box[5] - 64 * w
    if low >= 64 or high <= 0:
        return NONE
    word = bits[i, j, w]
    if low > 0:
        word &= ALL << np.uint64(low)
    if high < 64:
        word &= ~(ALL << np.uint64(high))
    return word


@inline
def _sides(bits, box, i, j, w):
    """Return six words: the voxels with an outer side in each direction."""
    here = _word(bits, box, i, j, w)
    if here == NONE:
        return NONE, NONE, NONE, NONE, NONE, NONE
    below = (here << ONE) | (_word(bits, box, i, j, w - 1) >> np.uint64(63))
    above = (here >> ONE) | (_word(bits, box, i, j, w + 1) << np.uint64(63))
    return (
        here & ~_word(bits, box, i - 1, j, w),
        here & ~_word(bits, box, i + 1, j, w),
        here & ~_word(bits, box, i, j - 1, w),
        here & ~_word(bits, box, i, j + 1, w),
        here & ~below,
        here & ~above,
    )


@inline
def _in_bytes(word):
    """Return the number of set bits of each byte of a word, in that byte."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    return (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)


@kernel
def reached(corners, wide, pose, origin, spacing, extent):
    """Return the index box, rounded to bricks, of voxels within `wide` of a convex space, and one more on each side.

    corners (n, 3): of that space, world. pose (4, 4), origin, spacing: of the volume. extent: low 3, high 3 of its occupied
    voxels. If nothing is in reach, all six numbers are 0.
    """
    first = (math.inf, math.inf, math.inf)
    last = (-math.inf, -math.inf, -math.inf)
    size = 0.0
    for n in range(len(corners)):
        x = corners[n, 0] - pose[0, 3]
        y = corners[n, 1] - pose[1, 3]
        z = corners[n, 2] - pose[2, 3]
        size = max(size, abs(corners[n, 0]) + abs(corners[n, 1]) + abs(corners[n, 2]) + abs(x) + abs(y) + abs(z))
        u = pose[0, 0] * x + pose[1, 0] * y + pose[2, 0] * z
        v = pose[0, 1] * x + pose[1, 1] * y + pose[2, 1] * z
        w = pose[0, 2] * x + pose[1, 2] * y + pose[2, 2] * z
        first = (min(first[0], u), min(first[1], v), min(first[2], w))
        last = (max(last[0], u), max(last[1], v), max(last[2], w))
    wide += VOLUME_ROUNDING * (size + abs(origin[0]) + abs(origin[1]) + abs(origin[2]))
    box = np.zeros(6, np.int64)
    for r in range(3):
        low = np.floor(((first[r] - wide - origin[r]) / spacing[r] - 1.0) / BRICK) * BRICK
        high = np.ceil(((last[r] + wide - origin[r]) / spacing[r] + 1.0) / BRICK) * BRICK
        # Cut before they become integers: a motion may be longer than an integer can be.
        box[r] = np.int64(min(max(low, extent[r]), extent[3 + r]))
        box[3 + r] = np.int64(max(min(high, extent[3 + r]), extent[r]))
        if box[r] >= box[3 + r]:
            box[:] = 0
            break
    return box[0], box[1], box[2], box[3], box[4], box[5]


@kernel
def count(bits, box):
    """Return (total number of outer sides, number per brick) of the voxels in an index box (low 3, high 3)."""
    shape = (
        (box[3] + BRICK - 1) // BRICK - box[0] // BRICK,
        (box[4] + BRICK - 1) // BRICK - box[1] // BRICK,
        (box[5] + BRICK - 1) // BRICK - box[2] // BRICK,
    )
    counts = np.zeros(shape, np.int32)
    first = box[2] // BRICK
    total = 0
    for i in range(box[0], box[3]):
        for j in range(box[1], box[4]):
            for w in range(box[2] >> 6, (box[5] + 63) >> 6):
                a, b, c, d, e, f = _sides(bits, box, i, j, w)
                if (a | b | c | d | e | f) == NONE:
                    continue
                sums = _in_bytes(a) + _in_bytes(b) + _in_bytes(c) + _in_bytes(d) + _in_bytes(e) + _in_bytes(f)
                for byte in range(8):
                    more = np.int64((sums >> np.uint64(8 * byte)) & _BYTE)
                    if more > 0:
                        counts[i // BRICK - box[0] // BRICK, j // BRICK - box[1] // BRICK, 8 * w + byte - first] += more
                        total += more
    return total, counts


@step
def _in_order(counts, order):
    """List the bricks that have outer sides, in the order of an octree. Return how many."""
    nx, ny, nz = counts.shape
    size = 1
    while size < max(nx, max(ny, nz)):
        size *= 2
    stack = np.empty((256, 4), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, 0, 0, size
    depth = 1
    n = 0
    while depth > 0:
        depth -= 1
        x, y, z, size = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        if x >= nx or y >= ny or z >= nz:
            continue
        if size == 1:
            if counts[x, y, z] > 0:
                order[n, 0], order[n, 1], order[n, 2] = x, y, z
                n += 1
            continue
        half = size // 2
        for child in range(8):
            stack[depth, 0] = x + half * (1 - (child & 1))
            stack[depth, 1] = y + half * (1 - (child >> 1 & 1))
            stack[depth, 2] = z + half * (1 - (child >> 2))
            stack[depth, 3] = half
            depth += 1
    return n


@step
def _look(bits, box, x, y, z, sides):
    """Write which voxels of the brick at (x, y, z) have outer sides: sides[direction, i, j], a byte along z."""
    for i in range(BRICK):
        for j in range(BRICK):
            words = _sides(bits, box, x + i, y + j, z >> 6)
            shift = np.uint64(z & 63)
            sides[0, i, j] = (words[0] >> shift) & _BYTE
            sides[1, i, j] = (words[1] >> shift) & _BYTE
            sides[2, i, j] = (words[2] >> shift) & _BYTE
            sides[3, i, j] = (words[3] >> shift) & _BYTE
            sides[4, i, j] = (words[4] >> shift) & _BYTE
            sides[5, i, j] = (words[5] >> shift) & _BYTE


@kernel
def build(bits, box, total, counts, nz, xs, ys, zs):
    """Return the surface in an index box: (voxel of each face, corners, starts, vertices), faces and blocks as in `layout`.

    total, counts: from `count`. xs, ys, zs: coordinates of the planes between voxels. Voxels are numbered in C order.
    """
    bricks = 0
    for n in counts.ravel():
        bricks += n > 0
    order = np.empty((bricks, 3), np.int64)
    bricks = _in_order(counts, order)
    blocks = (total + _QUADS - 1) // _QUADS
    voxels = np.empty(2 * total, np.int32)
    corners = np.empty((2 * total, 3), np.uint8)
    starts = np.zeros(max(blocks, 1) + 1, np.int32)  # a shape without faces also has one block
    vertices = np.empty((2 * total + 4 * _QUADS, 3))
    stamps = np.zeros(_RIM**3, np.int64)  # for each corner of a brick: the block and brick for which it is already listed
    places = np.empty(_RIM**3, np.uint8)
    sides = np.empty((6, BRICK, BRICK), np.uint64)
    four = np.empty(4, np.uint8)
    stamp = 0
    quad = 0
    used = 0
    begin = 0  # first vertex of the block
    ny = bits.shape[1]
    for brick in range(bricks):
        x = BRICK * (box[0] // BRICK + order[brick, 0])
        y = BRICK * (box[1] // BRICK + order[brick, 1])
        z = BRICK * (box[2] // BRICK + order[brick, 2])
        _look(bits, box, x, y, z, sides)
        stamp += 1
        for cube in range(8):
            i0 = _CUBE * (cube & 1)
            j0 = _CUBE * (cube >> 1 & 1)
            k0 = _CUBE * (cube >> 2)
            for direction in range(6):
                for i in range(i0, i0 + _CUBE):
                    for j in range(j0, j0 + _CUBE):
                        row = (sides[direction, i, j] >> np.uint64(k0)) & np.uint64(15)
                        while row != NONE:
                            k = k0 + lowest(row)
                            row &= row - ONE
                            if quad % _QUADS == 0:
                                starts[quad // _QUADS] = used
                                begin = used
                                stamp += 1
                                if used + 4 * _QUADS > len(vertices):
                                    more = np.empty((4 * total + 4 * _QUADS, 3))
                                    more[:used] = vertices[:used]
                                    vertices = more
                            for c in range(4):
                                a = i + _SIDES[direction, c, 0]
                                b = j + _SIDES[direction, c, 1]
                                d = k + _SIDES[direction, c, 2]
                                spot = (a * _RIM + b) * _RIM + d
                                if stamps[spot] != stamp:
                                    stamps[spot] = stamp
                                    places[spot] = used - begin
                                    vertices[used, 0] = xs[x + a]
                                    vertices[used, 1] = ys[y + b]
                                    vertices[used, 2] = zs[z + d]
                                    used += 1
                                four[c] = places[spot]
                            voxel = ((x + i) * ny + y + j) * nz + z + k
                            voxels[2 * quad] = voxel
                            voxels[2 * quad + 1] = voxel
                            corners[2 * quad, 0] = four[0]
                            corners[2 * quad, 1] = four[1]
                            corners[2 * quad, 2] = four[2]
                            corners[2 * quad + 1, 0] = four[0]
                            corners[2 * quad + 1, 1] = four[2]
                            corners[2 * quad + 1, 2] = four[3]
                            quad += 1
    starts[max(blocks, 1)] = used
    return voxels, corners, starts, vertices[:used]
