"""Two shapes without a scene: whether they overlap at poses of the second in the frame of the first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidType
from ..kernels.tolerances import contact_tolerance
from ..shapes import Shape
from ..shapes.given import shape_of
from ..world.body import Body
from ..world.identity import hide
from ..world.store import Store
from .overlap_in_scene import overlaps_at

_FIRST, _SECOND = np.array([0]), np.array([1])
_NO_PAIRS = np.empty((0, 2), np.int64)


class TwoShapes:
    """Two shapes, ready to be compared. The tolerance is the default of the larger one, so their order does not matter."""

    def __init__(self, a: Any, b: Any) -> None:
        shapes = _shape(a, "a"), _shape(b, "b")
        self._store = Store(None, -1.0)
        hide(self._store)
        for name, shape in zip("ab", shapes, strict=True):
            self._store.add(shape, np.eye(4), name, "")
        self._store.surfaces.refresh()
        self._store.surfaces.make_whole()
        world = self._store.world()
        self._store.tolerance = contact_tolerance(-1.0, max(world.size_of(_FIRST), world.size_of(_SECOND)), 0.0)

    def overlap_at(self, poses: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether they overlap at each of some checked poses, shape (n, 4, 4). Several threads may call it at once."""
        return overlaps_at(self._store, self._store.world(), _SECOND, poses, _FIRST, _NO_PAIRS)[:, 0] >= 0


def _shape(value: Any, name: str) -> Shape:
    """Return a shape that was given, or raise."""
    if isinstance(value, Body):
        bodies = "of bodies: scene.overlaps(a, b), scene.overlap_many(a, poses)"
        raise InvalidType(f"{name}: expected a shape, got {checks.shown(value)}; {bodies}")
    return shape_of(value, name)
