"""Many poses as an array: checked block by block, and read row by row."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import checks, leading
from .errors import InvalidPose, InvalidType
from .foreign import as_numpy
from .leading import Shape

_EXPECTED = "poses of shape (..., 4, 4), (..., 3, 4) or (..., 3)"


class PoseRows:
    """Poses of any leading shape. They are copied, except in a memory map."""

    __slots__ = ("_given", "shape")

    def __init__(self, poses: Any, name: str):
        given = _as_array(poses, name)
        one = (3,) if given.shape[-1:] == (3,) else given.shape[-2:]
        self.shape: Shape = given.shape[: given.ndim - len(one)]
        """Leading shape: () for a single pose."""
        self._given: NDArray[Any] = leading.kept(given, poses).reshape(math.prod(self.shape), *one)
        for first, last in leading.blocks(len(self)):
            matrices = self._matrices(slice(first, last))
            bad = _first_not_rigid(matrices)
            if bad >= 0:
                checks.pose(self._given[first + bad], f"{name}{leading.place(first + bad, self.shape)}")  # raises

    def __len__(self) -> int:
        return len(self._given)

    @property
    def only_positions(self) -> bool:
        """Whether positions were given, without orientations."""
        return self._given.ndim == 2

    def take(self, rows: NDArray[np.int64] | slice) -> NDArray[np.float64]:
        """Return some rows as rigid matrices, shape (n, 4, 4), fresh: as they would be as the pose of a body."""
        matrices = self._matrices(rows)
        _first_not_rigid(matrices)
        return matrices

    def part(self, rows: NDArray[np.int64]) -> PoseRows:
        """Return some rows, shape (n,), copied."""
        part = PoseRows.__new__(PoseRows)
        part.shape, part._given = rows.shape, np.array(self._given[rows])  # noqa: SLF001  (a constructor)
        return part

    def _matrices(self, rows: Any) -> NDArray[np.float64]:
        """Return some rows as matrices, not checked yet."""
        part = self._given[rows]
        matrices = np.zeros((len(part), 4, 4))
        if part.ndim == 2:
            matrices[:, range(4), range(4)] = 1.0
            matrices[:, :3, 3] = part
        else:
            matrices[:, 3, 3] = 1.0
            matrices[:, : part.shape[1]] = part
        return matrices


def _as_array(value: Any, name: str) -> NDArray[Any]:
    """Return poses as one array of numbers: of matrices or of positions."""
    if value is None or isinstance(value, (str, Mapping)) or hasattr(value, "pose"):
        raise InvalidType(f"{name}: expected {_EXPECTED}, got {checks.shown(value)}")
    given = as_numpy(checks.as_matrices(value, name), name, InvalidPose)
    if not isinstance(given, np.ndarray):
        given = checks.items(given, name, _EXPECTED)
        try:
            given = np.asarray(given) if given else np.empty((0, 3))
        except Exception:  # a matrix and a position; another library's conversion may raise anything
            given = np.asarray([])
        if given.dtype.kind not in "fiu" or given.shape == (0,):  # poses of several kinds, or none: they are checked one by one
            given = [checks.given_pose(each, f"{name}[{k}]") for k, each in enumerate(value)]
    given = checks.array(given, name, _EXPECTED, InvalidPose)
    if given.shape[-1:] != (3,) and given.shape[-2:] not in ((4, 4), (3, 4)):
        raise InvalidPose(f"{name}: expected {_EXPECTED}, got {given.shape}")
    return given


def _first_not_rigid(matrices: NDArray[np.float64]) -> int:
    """Return the first of matrices that is not a pose, -1 if all are; make rounded rotations exact, in place."""
    from .kernels.base.bodies import first_not_rigid  # not before it is needed: it takes Numba's time to import

    return int(first_not_rigid(matrices, checks.LARGEST))
