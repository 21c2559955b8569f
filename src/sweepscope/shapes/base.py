"""The one form all shapes share: vertices, faces of one, two or three different corners, and a radius."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..arena import Layout


class Shape:
    """Points, segments and triangles, thickened by a radius. Immutable but for a Volume; bodies share it.

    A face (a, b, c) is a triangle, (a, b, b) a segment, (a, a, a) a point.
    """

    __slots__ = ("__weakref__", "_bounds", "_faces", "_layout", "_radius", "_solid", "_vertices")

    live = False
    """True if a body of this shape may be given new vertices."""

    def __init__(self, vertices: NDArray[np.float64], faces: NDArray[np.int32], radius: float, solid: bool | None) -> None:
        vertices.setflags(write=False)
        faces.setflags(write=False)
        self._vertices = vertices
        self._faces = faces
        self._radius = radius
        self._solid = solid
        self._layout: Layout | None = None
        self._bounds: NDArray[np.float64] | None = None

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Corners [length], shape (n, 3), local, read-only."""
        return self._vertices

    @property
    def faces(self) -> NDArray[np.int32]:
        """Indices into vertices, shape (m, 3), read-only."""
        return self._faces

    @property
    def radius(self) -> float:
        """How far every face is thickened [length]."""
        return self._radius

    @property
    def solid(self) -> bool | None:
        """Whether a closed surface has an inside that can be hit: True, False, or None for 'if it is closed'."""
        return self._solid

    @property
    def empty(self) -> bool:
        """True if there is nothing to hit."""
        return len(self.faces) == 0

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Lowest and highest corner [length], shape (2, 3), local, radius included, read-only; NaN if empty."""
        if self._bounds is None:
            used = self.vertices[self.faces.ravel()]
            if self.empty:
                box = np.full((2, 3), np.nan)
            else:
                box = np.stack((used.min(axis=0) - self._radius, used.max(axis=0) + self._radius))
            box.setflags(write=False)
            self._bounds = box
        return self._bounds

    def with_vertices(self, vertices: NDArray[np.float64]) -> Shape:
        """Return the same faces with other vertices [length], as many, shape (n, 3); the array is kept."""
        other = copy(self)
        vertices.setflags(write=False)
        other._vertices, other._layout, other._bounds = vertices, None, None
        return other

    def __repr__(self) -> str:
        thick = f", radius {self._radius:g}" if self._radius else ""
        return f"<{type(self).__name__}: {len(self._vertices)} vertices, {len(self._faces)} faces{thick}>"
