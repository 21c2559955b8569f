"""An order of questions in which neighbors are similar: a curve through their motions and starts (Morton 1966)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS = 15  # of a key; with one bit for turns, keys of 16 bits are sorted by their digits
_LEVELS = 5  # most times that each column is halved


def similar_first(
    paths: NDArray[np.float64], lengths: NDArray[np.float64], turning: NDArray[np.bool_], places: NDArray[np.float64] | None
) -> NDArray[np.int64]:
    """Return the numbers of questions in an order in which neighbors are similar, straight motions first.

    paths, lengths, turning: as `paths_of` returns them. places: where they start, shape (n, 3); None: all in one place.
    """
    columns = (paths[:, :3] * lengths[:, None]).T
    if places is not None:
        columns = np.concatenate((columns, places.T))
    return _along_curve(columns, turning.astype(np.uint16))


def near_first(places: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the numbers of points (n, 3) in an order in which neighbors are near each other."""
    return _along_curve(places.T, np.zeros(len(places), np.uint16))


def _along_curve(columns: NDArray[np.float64], leading: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return the order of columns (k, n) of numbers along the curve; leading (n,): a bit that comes before all others."""
    low, high = columns.min(axis=1), columns.max(axis=1)
    wide = np.flatnonzero(high > low)
    fine, coarse = np.zeros(len(leading), np.uint16), leading << _BITS
    bits = 0
    for level in range(_LEVELS if len(wide) else 0):
        # From the finest halving to the coarsest: the place on the curve, in two keys.
        with np.errstate(all="ignore"):
            scale = (1 << (_LEVELS - level)) / (high[wide] - low[wide])
        for column, factor in zip(wide, scale, strict=True):
            with np.errstate(all="ignore"):  # of subnormal lengths; the order is then any
                cell = ((columns[column] - low[column]) * factor).astype(np.uint16) & 1
            if bits < _BITS:
                fine |= cell << bits
            else:
                coarse |= cell << (bits - _BITS)
            bits += 1
    if bits <= _BITS:
        return np.argsort(fine | coarse, kind="stable")
    order = np.argsort(fine, kind="stable")
    return order[np.argsort(coarse[order], kind="stable")]
