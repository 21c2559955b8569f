"""Results of rays: the first face that each meets, or all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..leading import Row, Rows, numbers_at

_NONE = np.array(None)


@dataclass(frozen=True, slots=True, eq=False)
class RayHits(Frozen):
    """What rays meet first, as arrays of any leading shape; the index of a row selects it. True if any ray meets something.

    Where a ray meets nothing, distance is infinite, body and face are -1 and all else is NaN.
    """

    distance: NDArray[np.float64]
    """How far the ray, or the center of the ball, goes [length], shape (...)."""
    body: NDArray[np.int64]
    """Id of the body, shape (...). `scene[id]` is the body."""
    face: NDArray[np.int64]
    """Index of its face, shape (...); of a volume the index of the voxel, in C order."""
    point: NDArray[np.float64]
    """Point on the body's surface, shape (..., 3) [length], world."""
    normal: NDArray[np.float64]
    """Unit, shape (..., 3), world. Of a ray: of the face, on the side from which the ray comes. Of a ball, or a body with a
    radius: from the nearest point of the face to the center of the ball; NaN if they are one point."""
    barycentric: NDArray[np.float64]
    """Weights of the face's three corners at the point, shape (..., 3); of a ball: at the nearest point. They add up to 1. NaN
    for a volume. The last is 0 for a segment, and the last two for a point."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading shape."""
        return self.distance.shape

    @property
    def hit(self) -> NDArray[np.bool_]:
        """Whether each ray meets something, shape (...)."""
        return self.body >= 0

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays by name."""
        return {field.name: np.array(getattr(self, field.name), order="C") for field in fields(self)}

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: arrays as lists, None for absent values."""
        arrays = self.to_dict()
        return {name: np.where(np.isfinite(array), array.astype(object), _NONE).tolist() for name, array in arrays.items()}

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("RayHits of shape () have no len")
        return self.shape[0]

    def __bool__(self) -> bool:
        return bool(self.hit.any())

    def __getitem__(self, key: Row | Rows) -> RayHits:
        numbers_at(key, self.shape)  # raises if it is not an index of rows
        return RayHits(*[np.asarray(getattr(self, field.name)[key]) for field in fields(self)])

    def __repr__(self) -> str:
        near = self.distance.min() if self.distance.size else np.inf
        return f"<RayHits: {int(self.hit.sum())} of {self.distance.size} hit, least {near:.6g}, shape {self.shape}>"


@dataclass(frozen=True, slots=True, eq=False)
class RayCrossings(Frozen):
    """All faces that rays meet, ray after ray, nearest first; `crossings[row]` has those of one ray. True if there are any.

    Of equally near faces, the one of the body that was added first comes first, then that with the lower index.
    """

    crossings: RayHits
    """Those of all rays, one after another, shape (crossings,)."""
    offsets: NDArray[np.int64]
    """Where those of each ray begin, and the end of the last, shape (rays + 1,); rays in C order."""
    shape: tuple[int, ...]
    """Leading shape of the rays."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many faces each ray meets, shape (...)."""
        return np.diff(self.offsets).reshape(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("RayCrossings of shape () have no len")
        return self.shape[0]

    def __bool__(self) -> bool:
        return bool(self.crossings)

    def __getitem__(self, row: Row) -> RayHits:
        number = numbers_at(row, self.shape)
        if not isinstance(number, int):
            raise TypeError(f"the index of one ray selects its crossings, got {row!r}; rays have shape {self.shape}")
        return self.crossings[self.offsets[number] : self.offsets[number + 1]]

    def __iter__(self) -> Iterator[RayHits]:
        """Yield the crossings of each ray, in C order."""
        for first, last in zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True):
            yield self.crossings[first:last]

    def __repr__(self) -> str:
        return f"<RayCrossings: {len(self.crossings)} of {len(self.offsets) - 1} rays, shape {self.shape}>"
