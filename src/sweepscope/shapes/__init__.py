"""What things are: points, segments or triangles, thickened by a radius. No algorithms here."""

from .base import Shape
from .fan import Fan
from .mesh import Mesh
from .solids import Box, Capsule, PointCloud, Sphere
from .volume import Volume

__all__ = ["Box", "Capsule", "Fan", "Mesh", "PointCloud", "Shape", "Sphere", "Volume"]
