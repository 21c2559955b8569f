"""Result of `Scene.depth` and `Scene.depth_along`: how deep two bodies overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from .numbers import plain

if TYPE_CHECKING:
    from ..world.body import Body


@dataclass(frozen=True, slots=True, eq=False)
class PairDepth(Frozen):
    """How far the first of two bodies must move out of the second. `float(pair)` is the depth; false if they do not overlap."""

    depth: float
    """[length]; 0 if they do not overlap by more than the tolerance. Larger than the true depth by rounding only."""
    direction: NDArray[np.float64]
    """Unit, in which the first body moves: shape (3,), world. NaN if they do not overlap and no direction was given."""
    first: Body
    second: Body

    @property
    def vector(self) -> NDArray[np.float64]:
        """Depth times direction, shape (3,) [length], world: the motion of the first body after which it only touches."""
        return self.depth * self.direction if self.depth > 0.0 else np.zeros(3)

    @property
    def bodies(self) -> tuple[Body, Body]:
        """Both bodies."""
        return self.first, self.second

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name, arrays as lists, None for absent values."""
        return {
            "depth": float(self.depth),
            "direction": plain(self.direction),
            "vector": self.vector.tolist(),
            "first": self.first.name,
            "second": self.second.name,
        }

    def __float__(self) -> float:
        return float(self.depth)

    def __bool__(self) -> bool:
        return self.depth > 0.0

    def __repr__(self) -> str:
        how = f"is {self.depth:.6g} deep in" if self else "does not overlap"
        return f"<PairDepth: {self.first.name!r} {how} {self.second.name!r}>"
