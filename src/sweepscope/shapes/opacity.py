"""Opacities: numbers in, occupied or not out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry


def numbers(value: Any, name: str) -> NDArray[Any]:
    """Return value as an array of real numbers or booleans, not copied where it is one already."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        raise InvalidGeometry(f"{name}: has masked entries; fill them first")
    try:
        given = np.asarray(value)
    except Exception:  # ragged rows, and whatever a foreign object's conversion raises
        raise InvalidGeometry(f"{name}: expected an array of numbers or booleans, got {checks.shown(value)}") from None
    if given.dtype.kind not in "biuf":
        raise InvalidGeometry(f"{name}: expected numbers or booleans, got dtype {given.dtype}")
    return given


def refuse_nan(values: NDArray[Any], name: str) -> None:
    """Raise an error that names the first NaN, if there is one."""
    # The largest of values with a NaN among them is NaN: one fast pass, and no array of truth values.
    if values.dtype.kind == "f" and values.size and np.isnan(values.max()):
        at, _ = _first(values, np.isnan(values))
        raise InvalidGeometry(f"{name}{at} is nan; every opacity must be a number")


def _first(values: NDArray[Any], bad: NDArray[np.bool_]) -> tuple[str, Any]:
    """Return where the first bad value is, in brackets, and the value."""
    place = tuple(int(n) for n in np.argwhere(bad)[0])
    return f"[{', '.join(map(str, place))}]" if place else "", values[place]


def checked_threshold(value: Any) -> float:
    """Return value as a finite number."""
    limit = checks.number(value, "threshold", InvalidGeometry)
    if not math.isfinite(limit):
        raise InvalidGeometry(f"threshold is {limit}; it must be finite")
    return limit


def bound_of(threshold: float, dtype: np.dtype[Any]) -> Any:
    """Return what opacities of this dtype are compared with, so that they are over it if, and only if, over the threshold.

    For booleans that is True (all are), False (none is) or None (as they are).
    """
    if dtype.kind == "b":
        return None if 0.0 <= threshold < 1.0 else threshold < 0.0
    if dtype.kind in "iu":
        return math.floor(threshold)
    kind = dtype.newbyteorder("=").type
    with np.errstate(over="ignore"):
        near = kind(threshold)
    return near if float(near) <= threshold else np.nextafter(near, kind(-np.inf))


def fitting(values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return values as opacities of this dtype: rounded within floats, elsewhere only if nothing is lost."""
    if values.dtype == dtype:
        return values
    with np.errstate(all="ignore"):
        cast = values.astype(dtype)
    if dtype.kind == "f" and values.dtype.kind == "f":
        lost = np.isinf(cast) & ~np.isinf(values)
    else:
        lost = np.asarray(cast != values)
        if dtype.kind == "f":
            # Compared as floats, a whole number that is too long for one equals it rounded.
            long = np.abs(values.astype(np.float64)) > 2.0 ** np.finfo(dtype).nmant
            for place in map(tuple, np.argwhere(long & ~lost)):
                lost[place] = int(cast[place]) != int(values[place])
    if np.any(lost):
        at, value = _first(values, np.asarray(lost))
        raise InvalidGeometry(f"values{at} is {value}, which does not fit into a volume of {dtype}; give alpha another dtype")
    return cast


def occupied(values: NDArray[Any], bound: Any) -> NDArray[np.bool_]:
    """Return which of these opacities are over a bound, as `bound_of` gives it; booleans may be the values themselves."""
    if bound is None:
        return values
    return np.full(values.shape, bound) if isinstance(bound, bool) else values > bound


def packed(over: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return a block of truth values (ni, nj, nk) with eight of a line in a byte, the lowest first."""
    count = -(-over.shape[2] // 8)
    if over.shape[2] % 8:
        lines = np.zeros((*over.shape[:2], 8 * count), np.bool_)
        lines[:, :, : over.shape[2]] = over
        over = lines
    # All at once: line by line numpy takes several times as long.
    return np.packbits(over.ravel(), bitorder="little").reshape(*over.shape[:2], count)
