"""Exact simple solids: a sphere is a point with a radius, a capsule is a segment with a radius, a cloud is many points."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidType
from ..foreign import CloudLike, HasIntrinsics, points_of, triangles_of, trimesh_module
from .base import Shape

if TYPE_CHECKING:
    import trimesh

BOX_FACES = np.array(
    [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ],
    np.int32,
)  # fmt: skip


def box_vertices(size: ArrayLike, name: str) -> Any:
    """Return the eight corners of a box of full widths `size`, centered."""
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
        self._set_arrays(np.zeros((1, 3)), np.zeros((1, 3), np.int32), radius=thick)

    def to_trimesh(self) -> trimesh.Trimesh:
        """Return it for trimesh, as 1280 triangles: as `Shape.to_trimesh`."""
        return trimesh_module().creation.icosphere(subdivisions=3, radius=self.radius)


class Capsule(Shape):
    """All points within `radius` [length] of a segment. Radius 0 is the segment itself.

    The segment is `height` [length] long, along z, centered on the origin; see `from_segment` for any other.
    """

    __slots__ = ()

    def __init__(self, radius: float, height: float) -> None:
        half = 0.5 * checks.length(height, "Capsule.height", InvalidGeometry)
        self._set(np.array([(0.0, 0.0, -half), (0.0, 0.0, half)]), radius)

    @classmethod
    def from_segment(cls, p0: ArrayLike, p1: ArrayLike, *, radius: float) -> Self:
        """Return the capsule about the segment from p0 to p1 [length], shape (3,) each."""
        ends = np.array([checks.vector(p0, "Capsule.p0", InvalidGeometry), checks.vector(p1, "Capsule.p1", InvalidGeometry)])
        capsule = cls.__new__(cls)
        capsule._set(ends, radius)  # noqa: SLF001  (a constructor)
        return capsule

    def _set(self, ends: NDArray[np.float64], radius: float) -> None:
        thick = checks.length(radius, "Capsule.radius", InvalidGeometry)
        self._set_arrays(ends, np.array([(0, 1, 1)], np.int32), radius=thick)

    def to_trimesh(self) -> trimesh.Trimesh:
        """Return it for trimesh, as triangles: as `Shape.to_trimesh`."""
        tools = trimesh_module()
        first, last = self.vertices
        size = float(np.linalg.norm(last - first))
        mesh = tools.creation.capsule(height=size, radius=self.radius)
        # Its segment is centered or begins at the origin, depending on the version.
        place = tools.geometry.align_vectors((0.0, 0.0, 1.0), (last - first) / size) if size > 0.0 else np.eye(4)
        place[:3, 3] = 0.5 * (first + last) - place[:3, :3] @ mesh.bounds.mean(axis=0)
        return mesh.apply_transform(place)


class Box(Shape):
    """A solid box of full widths `size` [length], centered on the origin."""

    __slots__ = ()

    def __init__(self, size: ArrayLike) -> None:
        self._set_arrays(box_vertices(size, "Box.size"), BOX_FACES, solid=True)


class PointCloud(Shape):
    """Points, shape (n, 3), each thickened by `radius` [length]. A body of this shape accepts new points."""

    __slots__ = ()

    def __init__(self, points: ArrayLike, radius: float = 0.0) -> None:
        places = checks.points(points, "PointCloud.points", InvalidGeometry)
        thick = checks.length(radius, "PointCloud.radius", InvalidGeometry)
        faces = np.repeat(np.arange(len(places), dtype=np.int32), 3).reshape(-1, 3)
        self._set_arrays(places, faces, radius=thick)

    def to_trimesh(self) -> trimesh.PointCloud:
        """Return a `trimesh.PointCloud` of its points; the radius is left out."""
        return trimesh_module().PointCloud(self.vertices)

    @classmethod
    def from_object(cls, cloud: CloudLike, *, radius: float = 0.0) -> PointCloud:
        """Return the PointCloud of another library's cloud: of trimesh, Open3D (both kinds), or pyvista.PolyData of points."""
        points = points_of(cloud)
        if points is None:
            hint = "; Mesh.from_object(...) takes it" if triangles_of(cloud, "cloud") is not None else ""
            raise InvalidType(f"cloud: expected a cloud of trimesh, Open3D or PyVista, got {checks.shown(cloud)}{hint}")
        return cls(points, radius)

    @classmethod
    def from_depth(
        cls,
        depth: ArrayLike,
        camera: ArrayLike | HasIntrinsics,
        *,
        scale: float | None = None,
        pose: checks.PoseLike | None = None,
        radius: float = 0.0,
        every: int = 1,
        far: float | None = None,
    ) -> PointCloud:
        """Return a point for each pixel of a depth image, shape (rows, columns): distances ahead of the camera, along its z.

        camera: the 3x3 matrix fx 0 cx, 0 fy cy, 0 0 1 [pixels]; the middle of the first pixel is (0, 0), as OpenCV has it.
        scale: what one unit of the image is worth [length]; needed for whole numbers (0.001 for millimeters into meters).
        pose: of the camera, x right, y down, z ahead, as `Pose.look_at` makes it; by default points are in the camera's frame.
        every: 2 takes every second row and column. Pixels that are 0, NaN, infinite or beyond `far` [length] are left out.
        """
        from .depth import points_of_depth

        return cls(points_of_depth(depth, camera, scale, pose, every, far), radius)
