"""Shape, the base of all shapes: vertices, faces with one, two or three different corners, and a radius."""

from __future__ import annotations

import math
from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .topology import Topology

_FAR = 4.0  # a shape farther from its origin than this many times its size is stored relative to its centre


class Shape:
    """Points, segments and triangles, thickened by a radius. All but Volume are immutable; bodies may share one.

    A face (a, b, c) is a triangle, (a, b, b) a segment, (a, a, a) a point.
    """

    __slots__ = ("__weakref__", "_bounds", "_faces", "_radius", "_solid", "_topology", "_vertices")

    live = False
    """True if a body of this shape accepts new vertices."""

    def __init__(self, vertices: NDArray[np.float64], faces: NDArray[np.int32], radius: float, solid: bool | None) -> None:
        vertices.setflags(write=False)
        faces.setflags(write=False)
        self._vertices = vertices
        self._faces = faces
        self._radius = radius
        self._solid = solid
        self._topology: Topology | None = None
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
        """Radius that every face is thickened by [length]."""
        return self._radius

    @property
    def solid(self) -> bool | None:
        """Whether the inside can be hit: True, False, or None for 'if the surface is closed'."""
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
        """Return the same faces with new vertices [length], the same number, shape (n, 3); the array is not copied."""
        other = copy(self)
        vertices.setflags(write=False)
        other._vertices, other._topology, other._bounds = vertices, None, None  # noqa: SLF001
        return other

    def __repr__(self) -> str:
        thick = f", radius {self._radius:g}" if self._radius else ""
        return f"<{type(self).__name__}: {len(self._vertices)} vertices, {len(self._faces)} faces{thick}>"


def measured_from(low: tuple[float, float, float], high: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the point that vertices with this box are stored relative to: the origin, or near their centre if far away."""
    widest = max(b - a for a, b in zip(low, high, strict=True))
    middle = np.array([0.5 * a + 0.5 * b for a, b in zip(low, high, strict=True)])
    if widest < 0.0:  # no vertices at all
        return np.zeros(3)
    far = float(np.abs(middle).max())
    if far <= _FAR * widest:
        return np.zeros(3)
    # It has few bits, so that subtracting it is exact for nearly all vertices.
    grain = math.ldexp(1.0, math.frexp(far)[1] - 24)
    return np.round(middle / grain) * grain
