"""What mesh files hold, whatever their format."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .affine import IDENTITY, Affine


@dataclass(frozen=True, eq=False)
class Geometry:
    """Triangles in their own frame. Parts that show the same triangles hold the same Geometry."""

    vertices: NDArray[np.float64]
    """Shape (n, 3)."""
    faces: NDArray[np.int64]
    """Shape (m, 3)."""

    @cached_property
    def reach(self) -> float:
        """Largest coordinate, without sign; NaN if one is."""
        return float(np.abs(self.vertices).max()) if len(self.vertices) else 0.0


class FilePart(NamedTuple):
    """Triangles of a file, and their place in it."""

    name: str
    geometry: Geometry
    transform: Affine = IDENTITY
    """From the frame of the geometry to that of the file."""

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Vertices at their places in the file, shape (n, 3); those of the geometry itself if nothing moves them."""
        return self.transform.place(self.geometry.vertices)

    @property
    def faces(self) -> NDArray[np.int64]:
        """Faces, shape (m, 3). A mirror turns surfaces inside out: its faces go round the other way."""
        faces = self.geometry.faces
        return faces if self.transform.sign >= 0 else np.take(faces, (0, 2, 1), axis=1)

    @property
    def finite(self) -> bool:
        """True if its transform keeps all vertices finite."""
        return self.transform.bounds(self.geometry.reach) or bool(np.isfinite(self.vertices).all())


@dataclass(slots=True)
class Content:
    """All triangles of a file, and what is not among them."""

    parts: list[FilePart] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """What does not belong to a surface, a text each, as "2 cameras"."""
    unit: float | None = None
    """Length of a unit of the file [meters]; None if the format does not say."""
    up: str | None = None
    """Axis that points up, "X", "Y" or "Z"; None if the format does not say. Vertices are not turned."""
    groups: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    """Faces of the only part that belong together, by name; empty if the format or the file has no groups."""

    def merged(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the vertices and faces of all parts together, in the order of the file."""
        if len(self.parts) == 1:
            return self.parts[0].vertices, self.parts[0].faces
        begins = np.cumsum([0, *(len(part.geometry.vertices) for part in self.parts)])
        vertices = np.concatenate([np.empty((0, 3)), *(part.vertices for part in self.parts)])
        faces = [part.faces + begin for part, begin in zip(self.parts, begins, strict=False)]
        return vertices, np.concatenate([np.empty((0, 3), np.int64), *faces])

    def split(self) -> list[FilePart]:
        """Return the parts that have faces; groups are parts of their own, with the vertices that their faces use."""
        if not self.groups:
            return [part for part in self.parts if len(part.geometry.faces)]
        ((_, geometry, transform),) = self.parts
        return [FilePart(name, _cut(geometry, rows), transform) for name, rows in self.groups.items()]


def _cut(geometry: Geometry, rows: NDArray[np.int64]) -> Geometry:
    """Return some faces of a geometry, with the vertices that they use, in the same order."""
    used, corners = np.unique(geometry.faces[rows], return_inverse=True)
    return Geometry(geometry.vertices[used], corners.reshape(-1, 3))
