"""Exact simple solids: a sphere is a point with a radius, a capsule is a segment with a radius, a cloud is many points."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InvalidGeometry
from .base import Shape

BOX_FACES = np.array(
    [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ],
    np.int32,
)  # fmt: skip


def box_vertices(size: ArrayLike, name: str) -> Any:
    """Return the eight corners of a box of full widths `size`, centred."""
    widths = checks.vector(size, name, InvalidGeometry)
    for k, width in enumerate(widths):
        if width < 0.0:
            raise InvalidGeometry(f"{name}[{k}] is {width}; widths must not be negative")
    return np.array(list(product((-0.5, 0.5), repeat=3))) * widths


class Sphere(Shape):
    """A sphere of `radius` [length] about the origin. Radius 0 is a point."""

    __slots__ = ()

    def __init__(self, radius: float) -> None:
        thick = checks.length(radius, "Sphere.radius", InvalidGeometry)
        super().__init__(np.zeros((1, 3)), np.zeros((1, 3), np.int32), thick, solid=None)


class Capsule(Shape):
    """All points within `radius` [length] of the segment from p0 to p1. Radius 0 is the segment itself."""

    __slots__ = ()

    def __init__(self, p0: ArrayLike, p1: ArrayLike, radius: float) -> None:
        ends = np.array([checks.vector(p0, "Capsule.p0", InvalidGeometry), checks.vector(p1, "Capsule.p1", InvalidGeometry)])
        thick = checks.length(radius, "Capsule.radius", InvalidGeometry)
        super().__init__(ends, np.array([(0, 1, 1)], np.int32), thick, solid=None)


class Box(Shape):
    """A solid box of full widths `size` [length], centred on the origin."""

    __slots__ = ()

    def __init__(self, size: ArrayLike) -> None:
        super().__init__(box_vertices(size, "Box.size"), BOX_FACES.copy(), 0.0, solid=True)


class PointCloud(Shape):
    """Points, shape (n, 3), each thickened by `radius` [length]. A body of this shape accepts new points."""

    __slots__ = ()
    live = True

    def __init__(self, points: ArrayLike, radius: float = 0.0) -> None:
        places = checks.points(points, "PointCloud.points", InvalidGeometry)
        thick = checks.length(radius, "PointCloud.radius", InvalidGeometry)
        faces = np.repeat(np.arange(len(places), dtype=np.int32), 3).reshape(-1, 3)
        super().__init__(places, faces, thick, solid=None)
