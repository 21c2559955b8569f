"""Shape, the base of all shapes: vertices, faces with one, two or three different corners, and a radius."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..foreign import trimesh_module
from ..immutable import Immutable, twin

if TYPE_CHECKING:
    import trimesh

    from .topology import Topology


class Shape(Immutable):
    """Points, segments and triangles, thickened by a radius. All but Volume are immutable; bodies may share one.

    A face (a, b, c) is a triangle, (a, b, b) a segment, (a, a, a) a point.
    """

    __slots__ = ("__weakref__", "_bounds", "_faces", "_radius", "_solid", "_topology", "_vertices")

    caches: ClassVar[tuple[str, ...]] = ("_topology", "_bounds")

    live = False
    """True if a body of this shape accepts new vertices."""

    def __init__(self, vertices: NDArray[np.float64], faces: NDArray[np.int32], radius: float, solid: bool | None) -> None:
        # Kernels are compiled for arrays in this order.
        vertices, faces = np.ascontiguousarray(vertices), np.ascontiguousarray(faces)
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
            if self.empty:
                box = np.full((2, 3), np.nan)
            else:
                used = np.zeros(len(self.vertices), np.bool_)
                used[self.faces] = True
                places = self.vertices if used.all() else self.vertices[used]
                box = np.stack((places.min(axis=0) - self._radius, places.max(axis=0) + self._radius))
            box.setflags(write=False)
            self._bounds = box
        return self._bounds

    def with_vertices(self, vertices: NDArray[np.float64]) -> Shape:
        """Return the same faces with new vertices [length], the same number, shape (n, 3); the array is not copied."""
        other = twin(self)
        vertices.setflags(write=False)
        other._vertices, other._topology, other._bounds = vertices, None, None  # noqa: SLF001
        return other

    def to_trimesh(self) -> trimesh.Trimesh | trimesh.PointCloud:
        """Return it for trimesh, which must be installed: a `trimesh.Trimesh` with the same vertices and faces, in their order.

        A Sphere and a Capsule become triangles that approximate them; a PointCloud becomes a `trimesh.PointCloud`, without its
        radius.
        """
        return trimesh_module().Trimesh(self.vertices, self.faces, process=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # With its topology if that is known: it adds a seventh to the half of the size, and takes long to compute again.
        rebuilt, arguments = super().__reduce__()
        return _rebuilt, (rebuilt, arguments, None if self._topology is None else self._topology.packed())

    def __repr__(self) -> str:
        thick = f", radius {self._radius:g}" if self._radius else ""
        return f"<{type(self).__name__}: {len(self._vertices)} vertices, {len(self._faces)} faces{thick}>"


def _rebuilt(rebuilt: Callable[..., Shape], arguments: tuple[Any, ...], topology: tuple[Any, ...] | None) -> Shape:
    """Return an unpickled shape."""
    shape = rebuilt(*arguments)
    if topology is not None:
        from .topology import keep_topology

        keep_topology(shape, topology)
    return shape
