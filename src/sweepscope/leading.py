"""Leading axes: many rows in arrays of any shape, which are read block by block, so that memory maps stay on disk."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from types import EllipsisType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import checks
from .errors import InvalidIndex, InvalidQuery, SweepscopeError

BLOCK = 1 << 16
"""Rows that are read at once."""

Shape = tuple[int, ...]
Row = int | np.integer | tuple[int | np.integer, ...]
"""Index of a row."""
Rows = slice | EllipsisType | list[Any] | NDArray[Any] | tuple[Any, ...]
"""Index of several rows."""


def blocks(count: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Yield the first and the last row, and one more, of each block of `count` rows."""
    for first in range(0, count, size):
        yield first, min(count, first + size)


def place(row: int, shape: Shape, *, more: Shape = ()) -> str:
    """Return the index of a row as a text, for a message: "[3]", "[1, 2]"; more: indices behind it."""
    index = (*(map(int, np.unravel_index(row, shape)) if shape else ()), *more)
    return f"[{', '.join(map(str, index))}]" if index else ""


def kept(given: NDArray[Any], own: Any) -> NDArray[Any]:
    """Return numbers of a caller as an array that later changes do not reach: a copy, but of a memory map the map itself."""
    if isinstance(own, np.memmap) and own.filename is not None and given.flags.c_contiguous:
        return given
    return np.array(given, np.float64, order="C")


def refuse_not_finite(rows: NDArray[Any], shape: Shape, name: str, error: type[SweepscopeError]) -> None:
    """Raise if a number of rows (n, k) or (n,) is not finite or too large; name the first such row. shape: of the rows."""
    for first, last in blocks(len(rows)):
        part = np.asarray(rows[first:last], np.float64)
        # "not <=" is also true of NaN, which a minimum and a maximum keep.
        if part.size and not (part.min() >= -checks.LARGEST and part.max() <= checks.LARGEST):
            row, *more = map(int, np.argwhere(~(np.abs(part) <= checks.LARGEST))[0])
            raise error(
                f"{name}{place(first + row, shape, more=tuple(more))} is {part[row, *more]}; "
                f"it must be finite and at most {checks.LARGEST:g} in size"
            )


def common(shapes: dict[str, Shape], error: type[SweepscopeError] = InvalidQuery) -> Shape:
    """Return the shape to which leading shapes, by name, broadcast, or raise."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        given = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise error(f"leading shapes do not fit together: {given}; each axis must have the same length, or 1") from None


def picker(own: Shape, shape: Shape) -> Callable[[NDArray[np.int64]], NDArray[np.int64]]:
    """Return what turns row numbers of a shape into those of an array of another shape that broadcasts to it."""
    if own == shape:
        return lambda rows: rows
    if math.prod(own) == 1:
        return np.zeros_like
    steps = np.zeros(len(shape), np.int64)
    step = 1
    for axis in range(1, len(own) + 1):
        steps[-axis] = step if own[-axis] > 1 else 0
        step *= own[-axis]

    def pick(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        picked = np.zeros_like(rows)
        for step, index in zip(steps.tolist(), np.unravel_index(rows, shape), strict=True):
            picked += step * index
        return picked

    return pick


def numbers_at(key: Any, shape: Shape) -> int | NDArray[np.int64]:
    """Return the row number at an index, or the array of those that an index selects, as numpy does it."""
    index = key if isinstance(key, tuple) else (key,)
    if len(index) == len(shape) and all(isinstance(k, (int, np.integer)) and not isinstance(k, bool) for k in index):
        row = 0
        for axis, (k, n) in enumerate(zip(map(operator.index, index), shape, strict=True)):
            if not -n <= k < n:
                raise InvalidIndex(f"index {k} is out of range for axis {axis} with {checks.amount(n, 'row')}")
            row = row * n + k % n
        return row
    try:
        chosen = np.arange(math.prod(shape)).reshape(shape)[key]
    except IndexError as problem:
        raise InvalidIndex(f"rows of shape {shape}: {problem}") from None
    return int(chosen) if chosen.ndim == 0 else chosen
