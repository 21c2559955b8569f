"""Clearances: how near a robot is to anything, at many configurations."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..leading import Row, Rows, numbers_at


@dataclass(frozen=True, slots=True, eq=False)
class Clearances(Frozen):
    """The least distance of a robot from anything at many configurations, as arrays of their leading shape.

    The index of a row selects it. `float(clearances)` is the distance of one. A mover is a body of the robot. An obstacle is a
    body of the world, or another one of the robot. Where nothing is within the limit, distance is infinite, ids and links are
    -1 and numbers NaN; false if that is everywhere.
    """

    distance: NDArray[np.float64]
    """[length], shape (...); 0 if the two touch or overlap."""
    mover: NDArray[np.int64]
    """Id of the body of the robot, shape (...). `scene[id]` is the body."""
    obstacle: NDArray[np.int64]
    """Id of the body that is nearest to it, shape (...)."""
    link: NDArray[np.int64]
    """Number of the mover's link in `links`, shape (...)."""
    obstacle_link: NDArray[np.int64]
    """Number of the obstacle's link in `links`, shape (...); -1 if it does not belong to the robot."""
    point: NDArray[np.float64]
    """The mover's nearest point, shape (..., 3) [length], world. If nested, both are one point of the inner body."""
    obstacle_point: NDArray[np.float64]
    """The obstacle's nearest point, shape (..., 3) [length], world."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover, shape (..., 3), world; NaN if their surfaces meet."""
    jacobian: NDArray[np.float64]
    """Derivatives of the distance by the numbers of a configuration, shape (..., dof) [length per radian, or 1].

    NaN where the two touch or overlap."""
    overlapping: NDArray[np.bool_]
    """Whether the two overlap, shape (...)."""
    links: tuple[str, ...]
    """Names of the robot's links, parents first."""
    names: dict[int, str]
    """Names of the bodies in `mover` and `obstacle`, by id."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading shape."""
        return self.distance.shape

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays by name."""
        return {name: np.array(getattr(self, name), order="C") for name in _ARRAYS}

    def __bool__(self) -> bool:
        return bool((self.mover >= 0).any())

    def __float__(self) -> float:
        if self.shape:
            raise TypeError(f"Clearances of shape {self.shape} are not one number; use .distance")
        return float(self.distance)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Clearances of shape () have no len")
        return self.shape[0]

    def __getitem__(self, key: Row | Rows) -> Clearances:
        numbers_at(key, self.shape)  # raises if it is not an index of rows
        return Clearances(
            **{name: np.asarray(getattr(self, name)[key]) for name in _ARRAYS}, links=self.links, names=self.names
        )

    def __repr__(self) -> str:
        if self.shape:
            near = self.distance.min() if self.distance.size else np.inf
            overlapping = int(self.overlapping.sum())
            return f"<Clearances: {overlapping} of {self.distance.size} overlap, least {near:.6g}, shape {self.shape}>"
        if not self:
            return "<Clearances: nothing within the limit>"
        mover, obstacle = self.names[int(self.mover)], self.names[int(self.obstacle)]
        how = "overlap" if self.overlapping else f"are {float(self.distance):.6g} apart"
        return f"<Clearances: {mover!r} and {obstacle!r} {how}>"


_ARRAYS = tuple(field.name for field in fields(Clearances) if field.name not in ("links", "names"))
