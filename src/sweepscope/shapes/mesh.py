"""Triangle meshes: open or closed, of several parts, with degenerate triangles, all are accepted."""

from __future__ import annotations

import math
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidType
from ..foreign import MeshLike, points_of, triangles_of
from ..threads import spread_range
from .base import Shape
from .solids import BOX_FACES, box_vertices

if TYPE_CHECKING:
    from ..formats.file_reader import Limits


_MOST_ROWS = 10_000
_CHUNK = 1 << 15  # faces that a thread checks at a time


def _checked_faces(value: ArrayLike, count: int) -> NDArray[np.int32]:
    """Return faces as a fresh (m, 3) int32 array, every index below count, degenerate faces in standard form."""
    given = checks.array(value, "faces", "an array of shape (m, 3)", InvalidGeometry)
    if given.size == 0:
        return np.zeros((0, 3), np.int32)
    if given.ndim != 2 or given.shape[1] != 3:
        raise InvalidGeometry(f"faces: expected shape (m, 3), got {given.shape}; split polygons into triangles first")
    if given.dtype.kind not in "iu":
        raise InvalidType(f"faces: expected whole numbers, got dtype {given.dtype}")
    faces = np.empty(given.shape, np.int32)

    def check(begin: int, end: int) -> None:
        some, out = given[begin:end], faces[begin:end]
        if some.min() < 0 or some.max() >= count:
            row, column = np.argwhere((given < 0) | (given >= count))[0]
            raise InvalidGeometry(f"face {row} uses vertex {given[row, column]} of {count} (0 .. {count - 1})")
        out[...] = some
        flat = np.flatnonzero((out[:, 0] == out[:, 1]) | (out[:, 0] == out[:, 2]))
        if len(flat):
            # (a, a, c) and (a, b, a) are segments too: store them as (a, b, b).
            a, b, c = out[flat].T
            out[flat, 1] = np.where(a == b, c, b)
            out[flat, 2] = np.where(a == c, b, c)

    spread_range(check, len(given), _CHUNK)
    return faces


class Mesh(Shape):
    """Triangles: vertices (n, 3) [length] and faces (m, 3), indices into vertices.

    solid: None (default) treats a closed mesh as a solid whose inside can be hit; False treats it as a surface, so that bodies
    may move inside it (a room); True requires a closed mesh.
    drop_invalid: leave out faces with a vertex that is not finite, instead of an error; `dropped` counts them.
    """

    __slots__ = ("_dropped",)

    def __init__(
        self,
        vertices: ArrayLike,
        faces: ArrayLike,
        *,
        solid: bool | None = None,
        drop_invalid: bool = False,
    ) -> None:
        dropped = 0
        if checks.flag(drop_invalid, "drop_invalid"):
            places = checks.any_points(vertices, "vertices", InvalidGeometry)
            good: NDArray[np.bool_] = np.all(np.abs(places) <= checks.LARGEST, axis=1)
            corners = _checked_faces(faces, len(places))
            valid = good[corners].all(axis=1)
            dropped = int((~valid).sum())
            corners = np.ascontiguousarray(corners[valid])
            places[~good] = 0.0
        else:
            places = checks.points(vertices, "vertices", InvalidGeometry)
            corners = _checked_faces(faces, len(places))
        if solid is not None and not isinstance(solid, bool):
            raise InvalidType(f"solid is {checks.shown(solid)}; accepted: True, False, None")
        self._set_arrays(places, corners, solid=solid)
        self._dropped = dropped
        if solid and not self.closed:
            raise InvalidGeometry("solid is True, but the mesh is open: an edge does not join two faces")

    @property
    def dropped(self) -> int:
        """Number of faces that `drop_invalid` left out."""
        return self._dropped

    @property
    def closed(self) -> bool:
        """True if every edge joins an even number of faces, so that the mesh has an inside."""
        from .topology import topology_of

        return topology_of(self).closed

    @classmethod
    def load(
        cls, path: str | PathLike[str], *, solid: bool | None = None, scale: float = 1.0, limits: Limits | None = None
    ) -> Mesh:
        """Read a mesh file (dae, glb, gltf, obj, off, ply, stl) as one mesh: all parts at their places, vertices times `scale`.

        Vertices and faces have the order of the file; polygons are cut into triangles. limits: what the file may take;
        `file_info` says what is in it. docs/files.md has all formats.
        """
        from ..formats.file_reader import FileReader
        from ..formats.meshes import read_mesh

        vertices, faces = read_mesh(path, scale, FileReader(limits))
        with checks.prefixed(str(path)):
            return cls(vertices, faces, solid=solid)

    @classmethod
    def from_object(cls, mesh: MeshLike, *, solid: bool | None = None) -> Mesh:
        """Return the Mesh of another library's mesh: of trimesh, Open3D (both kinds), or pyvista.PolyData of triangles.

        Also of any object with `vertices` (n, 3) and `faces` (m, 3). Vertices and faces keep their order; all are copied.
        """
        if isinstance(mesh, Shape) and mesh.radius > 0.0:
            raise InvalidType(f"mesh: {mesh!r} is round; Mesh.sphere and Mesh.capsule make triangles")
        found = triangles_of(mesh, "mesh")
        if found is None:
            hint = "; PointCloud.from_object(...) takes it" if points_of(mesh) is not None else ""
            raise InvalidType(
                "mesh: expected a trimesh.Trimesh, an Open3D TriangleMesh, a pyvista PolyData, or an object with vertices and "
                f"faces, got {checks.shown(mesh)}{hint}"
            )
        return cls(*found, solid=solid)

    @classmethod
    def box(cls, size: ArrayLike, *, solid: bool | None = None) -> Mesh:
        """Return a box of full widths `size` [length], centered: 12 triangles. With solid=False it is a room."""
        return cls(box_vertices(size, "size"), BOX_FACES, solid=solid)

    @classmethod
    def sphere(cls, radius: float, *, rows: int = 26, sections: int = 25) -> Mesh:
        """Return a sphere of latitude rows and longitude sections: 2 sections (rows - 1) triangles, 1250 by default.

        Its vertices are on the sphere, so its faces are inside: `Sphere` is exact.
        """
        thick = checks.length(radius, "radius", InvalidGeometry)
        checks.whole(rows, "rows", InvalidGeometry, 2, _MOST_ROWS)
        checks.whole(sections, "sections", InvalidGeometry, 3, _MOST_ROWS)
        polar = np.linspace(0.0, math.pi, rows + 1)[1:-1]
        ring = np.stack((np.sin(polar), np.cos(polar)), axis=1) * thick
        return cls(*_lathe(ring, (0.0, 0.0, thick), (0.0, 0.0, -thick), sections))

    @classmethod
    def capsule(cls, radius: float, height: float, *, rows: int = 12, sections: int = 24) -> Mesh:
        """Return a capsule about the z axis, centered; `height` [length] is the length of its straight part.

        Its vertices are on the surface, so its faces are inside: `Capsule` is exact.
        """
        thick = checks.length(radius, "radius", InvalidGeometry)
        half = 0.5 * checks.length(height, "height", InvalidGeometry)
        checks.whole(rows, "rows", InvalidGeometry, 2, _MOST_ROWS)
        checks.whole(sections, "sections", InvalidGeometry, 3, _MOST_ROWS)
        polar = np.linspace(0.0, 0.5 * math.pi, rows + 1)[1:]
        cap = np.stack((thick * np.sin(polar), thick * np.cos(polar) + half), axis=1)
        ring = np.concatenate((cap, cap[::-1] * (1.0, -1.0)))
        return cls(*_lathe(ring, (0.0, 0.0, half + thick), (0.0, 0.0, -half - thick), sections))

    @classmethod
    def cylinder(cls, radius: float, height: float, *, sections: int = 24) -> Mesh:
        """Return a closed cylinder about the z axis, centered.

        Its vertices are on the surface, so its sides are inside, by up to radius * (1 - cos(pi / sections)).
        """
        thick = checks.length(radius, "radius", InvalidGeometry)
        half = 0.5 * checks.length(height, "height", InvalidGeometry)
        checks.whole(sections, "sections", InvalidGeometry, 3, _MOST_ROWS)
        ring = np.array(((thick, half), (thick, -half)))
        return cls(*_lathe(ring, (0.0, 0.0, half), (0.0, 0.0, -half), sections))

    @classmethod
    def terrain(cls, heights: ArrayLike, spacing: float = 1.0) -> Mesh:
        """Return an open surface over a centered grid: heights (nx, ny) [length], `spacing` [length] between them."""
        z = checks.array(heights, "heights", "an array of shape (nx, ny)", InvalidGeometry).astype(np.float64)
        if z.ndim != 2 or min(z.shape) < 2:
            raise InvalidGeometry(f"heights: expected shape (nx, ny), both at least 2, got {z.shape}")
        step = checks.length(spacing, "spacing", InvalidGeometry)
        nx, ny = z.shape
        x, y = np.meshgrid(np.arange(nx) - 0.5 * (nx - 1), np.arange(ny) - 0.5 * (ny - 1), indexing="ij")
        corner = (np.arange(nx - 1)[:, None] * ny + np.arange(ny - 1)).ravel()
        faces = np.concatenate(
            (
                np.stack((corner, corner + ny, corner + 1), axis=1),
                np.stack((corner + 1, corner + ny, corner + ny + 1), axis=1),
            )
        )
        return cls(np.stack((step * x, step * y, z), axis=2).reshape(-1, 3), faces)


def _lathe(
    ring: NDArray[np.float64], top: tuple[float, float, float], bottom: tuple[float, float, float], sections: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the mesh of a profile (radius, z), shape (k, 2), from top to bottom, turned about z; two poles close it."""
    angle = np.linspace(0.0, 2.0 * math.pi, sections, endpoint=False)
    x = ring[:, :1] * np.cos(angle)
    y = ring[:, :1] * np.sin(angle)
    z = np.broadcast_to(ring[:, 1:], x.shape)
    vertices = np.concatenate((np.stack((x, y, z), axis=2).reshape(-1, 3), [top, bottom]))
    here = np.arange(sections)
    there = (here + 1) % sections
    last = sections * (len(ring) - 1)
    north, south = len(vertices) - 2, len(vertices) - 1
    faces = [np.stack((np.full(sections, north), here, there), axis=1)]
    for row in range(0, last, sections):
        faces.append(np.stack((row + here, row + sections + here, row + there), axis=1))
        faces.append(np.stack((row + there, row + sections + here, row + sections + there), axis=1))
    faces.append(np.stack((last + here, np.full(sections, south), last + there), axis=1))
    return vertices, np.concatenate(faces)
