"""Arguments of calls that answer many rows: poses of any leading shape, threads, progress, arrays for the answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidPose, InvalidQuery, InvalidType
from ..foreign import as_numpy
from ..threads import Progress
from ..world.world import body_kernels

if TYPE_CHECKING:
    from ..world.store import Store

_EXPECTED = "poses, shape (..., 4, 4), (..., 3, 4) or (..., 3)"
_PIECE = 1 << 14  # poses that are checked at once


class Poses:
    """Poses of any leading shape, checked. They are converted in pieces, so a memory map is never read as a whole."""

    __slots__ = ("_given", "shape")

    def __init__(self, value: Any) -> None:
        given = _as_array(value)
        inner = 1 if given.shape[-1:] == (3,) else 2
        self.shape = given.shape[: given.ndim - inner]
        """Leading shape: () for a single pose."""
        self._given = given.reshape(len(self), *given.shape[given.ndim - inner :])
        for first in range(0, len(self), _PIECE):
            self.rows(first, min(first + _PIECE, len(self)))

    def __len__(self) -> int:
        return math.prod(self.shape)

    def rows(self, first: int, last: int) -> NDArray[np.float64]:
        """Return poses first .. last - 1, shape (n, 4, 4), fresh."""
        matrices = checks.loose_poses(self._given[first:last], last - first)
        bad = body_kernels().first_not_rigid(matrices, checks.LARGEST)
        for k in range(bad, last - first) if bad >= 0 else ():
            index = ", ".join(map(str, np.unravel_index(first + k, self.shape)))
            matrices[k] = checks.pose(matrices[k], f"poses[{index}]" if index else "poses")  # raises, and says what is wrong
        return matrices


def _as_array(value: Any) -> NDArray[Any]:
    """Return poses as one array of numbers: of matrices or of positions."""
    if value is None or isinstance(value, (str, Mapping)) or hasattr(value, "pose"):
        raise InvalidType(f"poses: expected {_EXPECTED}, got {checks.shown(value)}")
    given = as_numpy(checks.as_matrices(value, "poses"), "poses", InvalidPose)
    if not isinstance(given, np.ndarray):
        given = checks.items(given, "poses", _EXPECTED)
        try:
            given = np.asarray(given) if given else np.empty((0, 3))
        except Exception:  # a matrix and a position; another library's conversion may raise anything
            given = np.asarray([])
        if given.dtype.kind not in "fiu" or given.shape == (0,):  # poses of several kinds, or none: they are checked one by one
            given = [checks.given_pose(each, f"poses[{k}]") for k, each in enumerate(value)]
    given = checks.array(given, "poses", _EXPECTED, InvalidPose)
    if given.shape[-1:] != (3,) and given.shape[-2:] not in ((4, 4), (3, 4)):
        raise InvalidPose(f"poses: expected {_EXPECTED}, got {given.shape}")
    return given


def check_run(threads: int | None, progress: Progress | None) -> None:
    """Check the options of a call that answers many rows."""
    if threads is not None:
        checks.whole(threads, "threads", InvalidQuery, 1)
    if progress is not None and not callable(progress):
        raise InvalidType(f"progress: expected a function of two numbers, done and all, got {checks.shown(progress)}")


def refit(store: Store) -> None:
    """Bring the boxes of all shapes up to date, so that rows only read them."""
    with store.arena.lock:
        body_kernels().refit_bodies(*store.world())


def answers_in(out: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return `out` if answers, true or false, can be written into it; a new array if it is None."""
    if out is None:
        return np.zeros(shape, np.bool_)
    if not isinstance(out, np.ndarray):
        raise InvalidType(f"out: expected an array of dtype bool, got {checks.shown(out)}")
    if out.shape != shape or out.dtype != np.bool_ or not out.flags.writeable or not out.flags.c_contiguous:
        raise InvalidQuery(
            f"out: expected a writable array of dtype bool, shape {shape}, in C order, got dtype {out.dtype}, shape {out.shape}"
        )
    return out
