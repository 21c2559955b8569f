"""Voxels against voxels, the slow twin of `Volume`'s index and of `overlap`.

Every occupied voxel of one is moved into the other's index coordinates, or tested as a box against every box of the other.
Where rounding can decide the answer, the voxel is listed as open, and both answers are accepted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]
Long = NDArray[np.longdouble]

FACE = 1e-9
"""A center this little below a face belongs to the next voxel [voxels]; cubes must share more than this [smallest spacing]."""
TIE = 1e-10
"""A point nearer than this to a face, or to a touch, is on it, except for rounding."""
CLOSE = 1e-7
"""Beyond a tie but nearer than this, rounding may decide: too close to call."""
_PAIRS_AT_ONCE = 1 << 21


@dataclass(frozen=True, slots=True)
class Voxels:
    """Occupied voxels (nx, ny, nz), widths of a voxel (3,) [length], low corner of voxel 0 0 0 (3,) [length], local."""

    occupied: Bools
    spacing: NDArray[np.float64]
    origin: NDArray[np.float64]

    def centers(self, voxels: Whole) -> Long:
        """Return the centers of voxels (n, 3), (n, 3) [length], local."""
        return self.origin.astype(np.longdouble) + (voxels + np.longdouble(0.5)) * self.spacing.astype(np.longdouble)

    def holds(self, voxels: Whole) -> Bools:
        """Return which of voxels (n, 3) are occupied, (n,); those outside are not."""
        inside = ((voxels >= 0) & (voxels < self.occupied.shape)).all(axis=1)
        held = np.zeros(len(voxels), bool)
        held[inside] = self.occupied[tuple(voxels[inside].T)]
        return held


@dataclass(frozen=True, slots=True)
class Found:
    """Voxels of the first volume in contact with the second: certain (n, 3), and too close to call (m, 3); in C order."""

    sure: Whole
    open: Whole

    @property
    def hit(self) -> bool | None:
        """Whether there is contact; None if too close to call."""
        if len(self.sure):
            return True
        return None if len(self.open) else False


@dataclass(frozen=True, slots=True)
class Index:
    """The index of a volume: see `sweepscope.Volume`."""

    bits: NDArray[np.uint64]
    """Bit k % 64 of word k // 64 of line (i, j) is voxel (i, j, k); (nx, ny, nz / 64 rounded up)."""
    bundles: NDArray[np.uint64]
    """Bits that are set in any of 8 x 8 lines, (nx / 8, ny / 8, nz / 64), each rounded up."""
    planes: tuple[Whole, Whole, Whole]
    lines: tuple[NDArray[np.int32], NDArray[np.int32]]
    extent: Whole
    count: int


def index(occupied: Bools) -> Index:
    """Build the index of occupied voxels (nx, ny, nz)."""
    nx, ny, nz = occupied.shape
    words = -(-nz // 64)
    padded = np.zeros((nx, ny, 64 * words), np.uint8)
    padded[:, :, :nz] = occupied
    bits = np.packbits(padded, axis=2, bitorder="little").view("<u8").astype(np.uint64).reshape(nx, ny, words)
    bundles = np.zeros((-(-nx // 8), -(-ny // 8), words), np.uint64)
    for a, b in np.ndindex(bundles.shape[:2]):
        lines = bits[8 * a : 8 * a + 8, 8 * b : 8 * b + 8]
        bundles[a, b] = np.bitwise_or.reduce(lines, axis=(0, 1))
    planes = tuple(occupied.sum(axis=others, dtype=np.int64) for others in ((1, 2), (0, 2), (0, 1)))
    heights = np.broadcast_to(np.arange(nz, dtype=np.int32), occupied.shape)
    low = np.min(heights, axis=2, initial=nz, where=occupied)
    high = np.max(heights, axis=2, initial=-1, where=occupied)
    return Index(bits, bundles, planes, (low, high), region(np.argwhere(occupied)), int(occupied.sum()))


def region(voxels: Whole) -> Whole:
    """Return the lowest index of voxels (n, 3) and one past the highest, (2, 3); zeros if there are none."""
    if len(voxels) == 0:
        return np.zeros((2, 3), np.int64)
    return np.stack((voxels.min(axis=0), voxels.max(axis=0) + 1))


def shared(a: Bools, b: Bools, offset: Whole) -> Whole:
    """Return the indices (n, 3) of a that are occupied in both, where voxel 0 0 0 of b lies on voxel `offset` of a."""
    mine = np.argwhere(a)
    return mine[Voxels(b, np.ones(3), np.zeros(3)).holds(mine - offset)]


def centered(a: Voxels, b: Voxels, pose: NDArray[np.float64]) -> Found:
    """Find the occupied voxels of a whose center is in an occupied voxel of b; pose (4, 4) places b in a's frame."""
    mine = np.argwhere(a.occupied)
    turn, place = pose[:3, :3].astype(np.longdouble), pose[:3, 3].astype(np.longdouble)
    at = ((a.centers(mine) - place) @ turn - b.origin) / b.spacing.astype(np.longdouble)
    cell = np.floor(at + FACE).astype(np.int64)
    held = b.holds(cell)
    face = np.rint(at)
    off = np.abs(at - face)
    near = (off > TIE) & (off < CLOSE)
    doubted = np.zeros(len(mine), bool)
    some = np.flatnonzero(near.any(axis=1))
    for side in np.ndindex(2, 2, 2):
        # Test each side of every near face; if all agree, the exact place of the center does not matter.
        other = np.where(near[some], face[some].astype(np.int64) - side, cell[some])
        doubted[some] |= b.holds(other) != held[some]
    return Found(mine[held & ~doubted], mine[doubted])


def cubes(a: Voxels, b: Voxels, pose: NDArray[np.float64]) -> Found:
    """Find the occupied voxels of a that overlap one of b by more than a touch: every pair of boxes, on all 15 axes."""
    mine, theirs = np.argwhere(a.occupied), np.argwhere(b.occupied)
    if len(mine) == 0 or len(theirs) == 0:
        return Found(mine[:0], mine[:0])
    turn, place = pose[:3, :3].astype(np.longdouble), pose[:3, 3].astype(np.longdouble)
    axes = _axes(turn)
    reach = 0.5 * (np.abs(axes) @ a.spacing + np.abs(axes @ turn) @ b.spacing)
    # Relative to a's first voxel, so that a far origin loses no digits.
    first = a.centers(mine[:1])
    my = ((a.centers(mine) - first) @ axes.T).astype(np.float64)
    their = ((b.centers(theirs) @ turn.T + place - first) @ axes.T).astype(np.float64)
    smallest = min(a.spacing.min(), b.spacing.min())
    deepest = np.full(len(mine), -np.inf)
    step = max(1, _PAIRS_AT_ONCE // len(theirs))
    for start in range(0, len(mine), step):
        some = my[start : start + step]
        apart = np.zeros((len(some), len(theirs)), bool)
        for k in range(3):
            apart |= np.abs(some[:, k, None] - their[:, k]) > float(reach[k])
        i, j = np.nonzero(~apart)
        depth = (reach.astype(np.float64) - np.abs(some[i] - their[j])).min(axis=1, initial=np.inf)
        np.maximum.at(deepest, start + i, depth)
    sure = deepest > CLOSE * smallest
    return Found(mine[sure], mine[~sure & (deepest > TIE * smallest)])


def _axes(turn: Long) -> Long:
    """Return the directions that can separate two boxes: faces of the one, of the other, and pairs of edges, (k, 3)."""
    sides = np.eye(3, dtype=np.longdouble)
    edges = np.cross(sides[:, None, :], turn.T[None, :, :]).reshape(9, 3)
    size = np.sqrt((edges**2).sum(axis=1))
    # Parallel edges have no cross product; the faces' directions then suffice.
    crossed = size > 1e-12
    return np.concatenate((sides, turn.T, edges[crossed] / size[crossed, None]))
