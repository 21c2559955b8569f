"""Shape, the base of all shapes: vertices, faces with one, two or three different corners, and a radius."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidType
from ..foreign import trimesh_module
from ..immutable import Immutable, twin

if TYPE_CHECKING:
    import trimesh

    from .topology import Topology

_Scalar = TypeVar("_Scalar", np.float64, np.int32)


class Shape(Immutable):
    """Points, segments and triangles, thickened by a radius. All but Volume are immutable; bodies may share one.

    A face (a, b, c) is a triangle, (a, b, b) a segment, (a, a, a) a point.
    """

    __slots__ = ("__weakref__", "_bounds", "_faces", "_radius", "_solid", "_topology", "_vertices")

    _caches: ClassVar[tuple[str, ...]] = ("_topology", "_bounds")

    def __init__(self) -> None:
        raise InvalidType("Shape is a base class; make a Mesh, Box, Sphere, Capsule, PointCloud, Fan or Volume")

    def _set_arrays(
        self, vertices: NDArray[np.float64], faces: NDArray[np.int32], *, radius: float = 0.0, solid: bool | None = None
    ) -> None:
        """Set all that a shape has, checked already; arrays are not copied."""
        self._vertices = _frozen(vertices)
        self._faces = _frozen(faces)
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
        vertices = checks.amount(len(self._vertices), "vertex", "vertices")
        return f"<{type(self).__name__}: {vertices}, {checks.amount(len(self._faces), 'face')}{thick}>"


def shape_of_arrays(vertices: NDArray[np.float64], faces: NDArray[np.int32], radius: float) -> Shape:
    """Return a shape of faces that are checked already, of one, two or three corners; arrays are not copied."""
    shape = Shape.__new__(Shape)
    shape._set_arrays(vertices, faces, radius=radius)  # noqa: SLF001  (a constructor)
    return shape


def with_vertices(shape: Shape, vertices: NDArray[np.float64]) -> Shape:
    """Return the same faces with new vertices [length], the same number, shape (n, 3); the array is not copied."""
    other = twin(shape)
    other._vertices, other._topology, other._bounds = _frozen(vertices), None, None  # noqa: SLF001  (a constructor)
    return other


def is_padded(shape: Shape) -> bool:
    """True if a shape has triangles with a radius, as links with padding have."""
    return shape.radius > 0.0 and bool((shape.faces[:, 1] != shape.faces[:, 2]).any())


def with_radius(shape: Shape, radius: float) -> Shape:
    """Return the same faces with another radius [length]."""
    other = twin(shape)
    other._radius, other._bounds = radius, None  # noqa: SLF001  (a constructor)
    return other


def _frozen(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Return a read-only view of an array, in the order that kernels are compiled for; the array itself stays writable."""
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


def _rebuilt(rebuilt: Callable[..., Shape], arguments: tuple[Any, ...], topology: tuple[Any, ...] | None) -> Shape:
    """Return an unpickled shape."""
    shape = rebuilt(*arguments)
    if topology is not None:
        from .topology import keep_topology

        keep_topology(shape, topology)
    return shape
