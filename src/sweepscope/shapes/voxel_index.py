"""VoxelIndex: the occupied voxels of a volume, as kernels take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .volume import Volume


class VoxelIndex(NamedTuple):
    """The occupied voxels, as kernels take them; every edit updates all arrays (see kernels.voxel.bits)."""

    bits: NDArray[np.uint64]
    """One bit per voxel, 64 along z in a word, shape (nx, ny, words)."""
    spans: NDArray[np.int32]
    """Lowest and highest occupied k of each line along z, shape (2, nx, ny)."""
    bundles: NDArray[np.uint64]
    """Union of 8 x 8 lines each, shape (nx / 8, ny / 8, words)."""
    counts: NDArray[np.int64]
    """Number of occupied voxels in each plane across x, y and z; then their index box, and their total number."""

    @property
    def box(self) -> NDArray[np.int64]:
        """Lowest index and one past the highest of the occupied voxels, shape (6,)."""
        return self.counts[-7:-1]


def index_of(volume: Volume) -> VoxelIndex:
    """Return the occupied voxels of a volume, as kernels take them."""
    return volume._index  # noqa: SLF001  (the only access to it, for code that implements queries)
