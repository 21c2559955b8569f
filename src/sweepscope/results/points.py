"""Result of `Scene.signed_distance` and `Scene.surface_distance`: how far points are from bodies."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..leading import Row, Rows, numbers_at


@dataclass(frozen=True, slots=True, eq=False)
class PointDistances(Frozen):
    """Distances of points, or of balls, from bodies: arrays of the leading shape of the points. An index selects rows.

    Without a body that has faces, distance is infinite, ids are -1 and numbers NaN; then it is false.
    """

    distance: NDArray[np.float64]
    """[length], shape (...). Of `signed_distance` negative inside a body; of `surface_distance` never negative."""
    point: NDArray[np.float64]
    """Nearest point of the surface, shape (..., 3) [length], world. NaN where the normal of a shape with a radius is NaN."""
    normal: NDArray[np.float64]
    """Gradient of the distance: unit, shape (..., 3), world. It leads away from the nearest point, and inside towards it.

    On the surface of a solid it is the normal of the face, outwards. NaN where there is none: on an open surface, and at the
    center of a sphere or on the axis of a capsule.
    """
    body: NDArray[np.int64]
    """Id of the nearest body, or of that which the point is deepest in, shape (...). `scene[id]` is the body."""
    face: NDArray[np.int32]
    """Face on which the nearest point lies, shape (...); of a volume the index of the voxel, in C order."""
    kind: NDArray[np.int8]
    """Kind of the feature on which it lies, shape (...): 1 vertex, 2 edge, 3 face; -1 if there is no body."""

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Whether the points are inside a body, or balls overlap one, shape (...)."""
        return self.distance < 0.0

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading shape."""
        return self.distance.shape

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays by name."""
        return {field.name: np.array(getattr(self, field.name), order="C") for field in fields(self)}

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("PointDistances of shape () have no len")
        return self.shape[0]

    def __bool__(self) -> bool:
        return bool((self.body >= 0).any())

    def __getitem__(self, key: Row | Rows) -> PointDistances:
        numbers_at(key, self.shape)  # raises if it is not an index of rows
        return PointDistances(*[np.asarray(getattr(self, field.name)[key]) for field in fields(self)])

    def __repr__(self) -> str:
        least = self.distance.min() if self.distance.size else np.inf
        return (
            f"<PointDistances: least {least:.6g}, {int(self.inside.sum())} of {self.distance.size} inside, shape {self.shape}>"
        )
