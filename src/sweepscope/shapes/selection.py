"""Which voxels an index selects: numpy's rules, but slices beyond the grid are errors."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidIndex

_Three = tuple[int, int, int]
_Index = int | np.integer | slice | EllipsisType | Sequence[int] | NDArray[np.integer | np.bool_]
VoxelKey = _Index | tuple[_Index, ...]
"""What selects voxels: an index, or a tuple of up to three."""
_ACCEPTED = "whole numbers, slices, a boolean array of the volume's shape, or three arrays of whole numbers"


class Block(NamedTuple):
    """A box of voxels."""

    low: _Three
    sizes: _Three
    shape: tuple[int, ...]
    """Shape of the selection: without the axes that have a single index."""


class Places(NamedTuple):
    """Single voxels."""

    voxels: NDArray[np.int64]
    """Shape (3, n)."""
    shape: tuple[int, ...]
    """Shape of the selection."""


def select(key: VoxelKey, resolution: _Three) -> Block | Places:
    """Return the voxels that `volume[key]` selects in a grid."""
    parts = key if isinstance(key, tuple) else (key,)
    if len(parts) == 1 and isinstance(parts[0], (np.ndarray, list)):
        mask = _array(parts[0])
        if mask.dtype == np.bool_:
            return _masked(mask, resolution)
    for n, part in enumerate(parts):
        if part is Ellipsis:
            parts = (*parts[:n], *(slice(None),) * (4 - len(parts)), *parts[n + 1 :])
            break
    if len(parts) > 3:
        raise InvalidIndex(f"volume[...]: expected at most 3 indices, got {len(parts)}")
    if len(parts) < 3:
        parts = (*parts, *(slice(None),) * (3 - len(parts)))
    stepped = False
    for part in parts:
        if isinstance(part, slice):
            stepped = stepped or not (part.step is None or (_is_whole(part.step) and part.step == 1))
        elif not _is_whole(part):
            return _listed(parts, resolution)
    if stepped:
        return _stepped(parts, resolution)
    low, sizes, shape = [0, 0, 0], [1, 1, 1], []
    for axis, (part, length) in enumerate(zip(parts, resolution, strict=True)):
        if isinstance(part, slice):
            first = 0 if part.start is None else _place(part.start, length, axis, last=length)
            end = length if part.stop is None else _place(part.stop, length, axis, last=length)
            low[axis], sizes[axis] = first, max(0, end - first)
            shape.append(sizes[axis])
        else:
            low[axis] = _place(part, length, axis, last=length - 1)
    return Block((low[0], low[1], low[2]), (sizes[0], sizes[1], sizes[2]), tuple(shape))


def _masked(mask: NDArray[np.bool_], resolution: _Three) -> Places:
    if mask.shape != resolution:
        raise InvalidIndex(f"mask: expected shape {resolution}, got {mask.shape}")
    voxels = np.array(np.nonzero(mask), np.int64).reshape(3, -1)
    return Places(voxels, (voxels.shape[1],))


def _listed(parts: tuple[Any, ...], resolution: _Three) -> Places:
    if any(isinstance(part, slice) for part in parts):
        raise InvalidIndex(f"volume[{checks.shown(parts)}]: accepted: {_ACCEPTED}")
    try:
        arrays = np.broadcast_arrays(*map(_array, parts))
    except ValueError:
        raise InvalidIndex(f"volume[...]: its index arrays have shapes that do not match: {checks.shown(parts)}") from None
    if any(array.size and array.dtype.kind not in "iu" for array in arrays):
        raise InvalidIndex(f"volume[{checks.shown(parts)}]: accepted: {_ACCEPTED}")
    for axis, (array, length) in enumerate(zip(arrays, resolution, strict=True)):
        beyond = (array < -length) | (array >= length)
        if beyond.any():
            raise InvalidIndex(_beyond(int(array[beyond][0]), length, axis))
    voxels = np.array([array.ravel() for array in arrays], np.int64)
    voxels += np.where(voxels < 0, np.array(resolution)[:, None], 0)
    return Places(voxels, arrays[0].shape)


def _stepped(parts: tuple[Any, ...], resolution: _Three) -> Places:
    ranges, shape = [], []
    for axis, (part, length) in enumerate(zip(parts, resolution, strict=True)):
        if not isinstance(part, slice):
            ranges.append(np.array([_place(part, length, axis, last=length - 1)]))
            continue
        for end in (part.start, part.stop):
            if end is not None:
                _place(end, length, axis, last=length)
        if part.step is not None and (not _is_whole(part.step) or part.step == 0):
            raise InvalidIndex(f"volume[...]: a step is {checks.shown(part.step)}; accepted: whole numbers except 0")
        ranges.append(np.arange(*part.indices(length)))
        shape.append(len(ranges[-1]))
    voxels = np.array([axis.ravel() for axis in np.meshgrid(*ranges, indexing="ij")], np.int64)
    return Places(voxels, tuple(shape))


def _array(value: Any) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except Exception:  # rows of different lengths; another library's conversion may raise anything
        raise InvalidIndex(f"volume[{checks.shown(value)}]: accepted: {_ACCEPTED}") from None


def _is_whole(value: Any) -> bool:
    return type(value) is int or isinstance(value, np.integer)


def _place(value: Any, length: int, axis: int, last: int) -> int:
    """Return an index from 0 to `last`; negative values count from the end."""
    if not _is_whole(value):
        raise InvalidIndex(f"volume[...]: axis {axis}: expected a whole number, got {checks.shown(value)}")
    place = int(value) + length if value < 0 else int(value)
    if not 0 <= place <= last:
        raise InvalidIndex(_beyond(int(value), length, axis))
    return place


def _beyond(value: int, length: int, axis: int) -> str:
    return f"volume[...]: {value} is beyond axis {axis}, which has {length} voxels"
