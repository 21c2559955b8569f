"""An order of questions in which neighbors are similar: a curve through their motions and starts (Morton 1966)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS = 15  # of a place on the curve; with one bit for turns, keys of 16 bits are sorted by their digits


def similar_first(
    paths: NDArray[np.float64], lengths: NDArray[np.float64], turning: NDArray[np.bool_], places: NDArray[np.float64] | None
) -> NDArray[np.int64]:
    """Return the numbers of questions in an order in which neighbors are similar, straight motions first.

    paths, lengths, turning: as `paths_of` returns them. places: where they start, shape (n, 3); None: all in one place.
    """
    columns = (paths[:, :3] * lengths[:, None]).T
    if places is not None:
        columns = np.concatenate((columns, places.T))
    low, high = columns.min(axis=1), columns.max(axis=1)
    wide = np.flatnonzero(high > low)[:_BITS]
    key = turning.astype(np.uint16) << _BITS
    if len(wide):
        levels = _BITS // len(wide)
        scale = (1 << levels) / (high[wide] - low[wide])
        for axis, (column, factor) in enumerate(zip(wide, scale, strict=True)):
            cell = np.minimum((columns[column] - low[column]) * factor, (1 << levels) - 1).astype(np.uint16)
            for bit in range(levels):
                key |= ((cell >> bit) & 1) << (bit * len(wide) + axis)
    return np.argsort(key, kind="stable")
