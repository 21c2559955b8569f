"""What mesh files hold, whatever their format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class FilePart(NamedTuple):
    """Triangles of a file, at their place in it."""

    name: str
    vertices: NDArray[np.float64]
    """Shape (n, 3)."""
    faces: NDArray[np.int64]
    """Shape (m, 3)."""


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

    def merged(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the vertices and faces of all parts together."""
        if len(self.parts) == 1:
            return self.parts[0].vertices, self.parts[0].faces
        begins = np.cumsum([0, *(len(part.vertices) for part in self.parts)])
        vertices = np.concatenate([np.empty((0, 3)), *(part.vertices for part in self.parts)])
        faces = [part.faces + begin for part, begin in zip(self.parts, begins, strict=False)]
        return vertices, np.concatenate([np.empty((0, 3), np.int64), *faces])
