"""Opacities: check the numbers, and decide which voxels are occupied."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidType
from ..foreign import as_numpy
from ..threads import spread_range

_PIECE = 1 << 18  # voxels that a thread packs at a time, few enough to stay in its cache


def numbers(value: Any, name: str) -> NDArray[Any]:
    """Return value as an array of real numbers or booleans, not copied if it is one already."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        raise InvalidGeometry(f"{name}: has masked entries; fill them first")
    value = as_numpy(value, name, InvalidGeometry)
    try:
        given = np.asarray(value)
    except Exception:  # rows of different lengths; another library's conversion may raise anything
        raise InvalidGeometry(f"{name}: expected an array of numbers or booleans, got {checks.shown(value)}") from None
    if given.dtype.kind not in "biuf":
        raise InvalidType(f"{name}: expected numbers or booleans, got dtype {given.dtype}")
    return given


def refuse_nan(values: NDArray[Any], name: str) -> None:
    """Raise InvalidGeometry for the first NaN."""
    # The maximum is NaN if any value is: one fast pass without an array of booleans.
    if values.dtype.kind == "f" and values.size and np.isnan(values.max()):
        at, _ = _first(values, np.isnan(values))
        raise InvalidGeometry(f"{name}{at} is nan; every opacity must be a number")


def _first(values: NDArray[Any], bad: NDArray[np.bool_]) -> tuple[str, Any]:
    """Return the index of the first bad value, in brackets, and the value."""
    place = tuple(int(n) for n in np.argwhere(bad)[0])
    return f"[{', '.join(map(str, place))}]" if place else "", values[place]


def checked_threshold(value: Any) -> float:
    """Return value as a finite number."""
    limit = checks.number(value, "threshold", InvalidGeometry)
    if not math.isfinite(limit):
        raise InvalidGeometry(f"threshold is {limit}; it must be finite")
    return limit


def bound_of(threshold: float, dtype: np.dtype[Any], inclusive: bool = False) -> Any:
    """Return a bound of this dtype: opacities are above it if, and only if, they are above the threshold.

    inclusive: or equal to it as this dtype stores it: 0.7 in float32 is at a threshold of 0.7. For booleans the bound is True
    (all are above), False (none is) or None (the values themselves).
    """
    if dtype.kind == "b":
        alone = 0.0 < threshold <= 1.0 if inclusive else 0.0 <= threshold < 1.0
        return None if alone else threshold <= 0.0
    if dtype.kind in "iu":
        return math.ceil(threshold) - 1 if inclusive else math.floor(threshold)
    kind = dtype.newbyteorder("=").type
    with np.errstate(over="ignore"):
        near = kind(threshold)
    return near if not inclusive and float(near) <= threshold else np.nextafter(near, kind(-np.inf))


def fitting(values: NDArray[Any], dtype: np.dtype[Any], name: str = "values") -> NDArray[Any]:
    """Return values converted to this dtype. Floats may be rounded; other conversions must be exact."""
    if values.dtype == dtype:
        return values
    with np.errstate(all="ignore"):
        cast = values.astype(dtype)
    if dtype.kind == "f" and values.dtype.kind == "f":
        lost = np.isinf(cast) & ~np.isinf(values)
    else:
        lost = np.asarray(cast != values)
        if dtype.kind == "f":
            # As floats, a whole number with too many digits equals its rounded value: compare as integers.
            long = np.abs(values.astype(np.float64)) > 2.0 ** np.finfo(dtype).nmant
            for place in map(tuple, np.argwhere(long & ~lost)):
                lost[place] = int(cast[place]) != int(values[place])
    if np.any(lost):
        at, value = _first(values, np.asarray(lost))
        raise InvalidGeometry(f"{name}{at} is {value}, which does not fit a volume of {dtype}; give alpha another dtype")
    return cast


def occupied(values: NDArray[Any], bound: Any) -> NDArray[np.bool_]:
    """Return which opacities are above a bound from `bound_of`; for booleans it may be the array itself."""
    if bound is None:
        return values
    return np.full(values.shape, bound) if isinstance(bound, bool) else values > bound


def packed(over: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return a block of booleans (ni, nj, nk) packed along the last axis, eight per byte, lowest bit first."""
    count = -(-over.shape[2] // 8)
    if over.shape[2] % 8:
        lines = np.zeros((*over.shape[:2], 8 * count), np.bool_)
        lines[:, :, : over.shape[2]] = over
        over = lines
    # All lines at once: numpy is several times slower line by line.
    return np.packbits(over.ravel(), bitorder="little").reshape(*over.shape[:2], count)


def _blank(values: NDArray[Any]) -> bool:
    """True if values, none of them above 0, are all 0.0, and none is -0.0."""
    return values.min() == 0 and not (values.dtype.kind == "f" and np.signbit(values).any())


def pack(alpha: NDArray[Any], bound: Any, bits: NDArray[np.uint64], copy: NDArray[Any] | None = None) -> bool:
    """Write the bits of all voxels, and their opacities to `copy`, which holds zeros; return False if one is NaN.

    Piece by piece, on all cores: there is no second large array. Pieces of zeros are not copied, so that the memory of empty
    space is never touched.
    """
    nx, ny, nz = alpha.shape
    if alpha.size == 0:
        return True
    lines = max(1, _PIECE // nz)
    sound = [True]

    def work(begin: int, end: int) -> None:
        for j in range(0, ny, lines):
            some = alpha[begin:end, j : j + lines]
            # The maximum is NaN if any value is: one fast pass without an array of booleans.
            most = some.max()
            if alpha.dtype.kind == "f" and np.isnan(most):
                sound[0] = False
                return
            if copy is not None and not (most == 0 and _blank(some)):
                copy[begin:end, j : j + lines] = some
            words = packed(occupied(some, bound))
            bits.view(np.uint8)[begin:end, j : j + lines, : words.shape[2]] = words

    spread_range(work, nx, max(1, _PIECE // (ny * nz)))
    return sound[0]
