"""What shape was given? A Shape as it is; a mesh or a cloud of another library as a Mesh or a PointCloud."""

from typing import Any

from .. import checks
from ..errors import InvalidType
from ..foreign import CloudLike, MeshLike, points_of, triangles_of
from .base import Shape
from .mesh import Mesh
from .solids import PointCloud

ShapeLike = Shape | MeshLike | CloudLike
"""A shape, or a mesh or a cloud of another library."""


def is_shape(value: Any) -> bool:
    """True if a value is a shape, or a mesh or a cloud of another library."""
    return isinstance(value, Shape) or points_of(value) is not None or triangles_of(value, "shape") is not None


def shape_of(value: Any, name: str) -> Shape:
    """Return the shape of what was given where a shape is expected, or raise."""
    if isinstance(value, Shape):
        return value
    if isinstance(value, type):
        raise InvalidType(f"{name}: got the class {value.__name__}, not a shape; its arguments are missing")
    if points_of(value) is not None:
        return PointCloud.from_object(value)
    if triangles_of(value, name) is not None:
        with checks.prefixed(name):
            return Mesh.from_object(value)
    raise InvalidType(
        f"{name}: expected a Mesh, Box, Sphere, Capsule, PointCloud, Fan or Volume, or a mesh or cloud of trimesh, Open3D or "
        f"PyVista, got {checks.shown(value)}"
    )


def can_deform(shape: Shape) -> bool:
    """True if a body of this shape accepts new vertices."""
    return isinstance(shape, (Mesh, PointCloud))
