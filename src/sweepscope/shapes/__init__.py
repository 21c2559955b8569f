"""Shapes: points, segments or triangles, thickened by a radius; and volumes."""

from .base import Shape
from .mesh import Mesh
from .solids import Box, Capsule, PointCloud, Sphere
from .volume import Volume

__all__ = ["Box", "Capsule", "Mesh", "PointCloud", "Shape", "Sphere", "Volume"]
