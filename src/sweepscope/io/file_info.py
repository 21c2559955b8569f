"""What is in a mesh file: its parts, and what one would like to know before trusting it."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..formats.content import FilePart
from ..formats.file_reader import FileReader, Limits
from ..immutable import Frozen
from ..shapes import Mesh


@dataclass(frozen=True, slots=True)
class PartInfo(Frozen):
    """A part of a file: an object, a node, a geometry, as the format has them."""

    name: str
    vertices: int
    triangles: int
    bounds: NDArray[np.float64]
    """Lowest and highest corner of its box, shape (2, 3), in the file's unit."""


@dataclass(frozen=True, slots=True)
class FileInfo(Frozen):
    """What is in a mesh file."""

    path: Path
    format: str
    """As "OBJ"."""
    parts: tuple[PartInfo, ...]
    left_out: tuple[str, ...]
    """Content of the file that is not a surface, as "2 lines"."""
    unit: float | None
    """Length of its unit [meters]; None if the format does not say."""
    up: str | None
    """Axis that points up, "X", "Y" or "Z"; None if the format does not say."""
    mesh: Mesh = field(repr=False)
    """All parts as one mesh, in the file's unit."""
    pieces: int
    """Surfaces that do not share an edge."""
    open_edges: int
    """Edges that do not join two faces, or an even number of them; 0 if the mesh is closed."""
    flat: int
    """Triangles without area."""
    repeated: int
    """Triangles with the same three corners as another."""

    @property
    def closed(self) -> bool:
        """True if the mesh has an inside."""
        return self.mesh.closed

    @property
    def size(self) -> NDArray[np.float64]:
        """Widths of its box along x, y and z, shape (3,), in the file's unit."""
        low, high = self.mesh.bounds
        return high - low


def file_info(path: str | PathLike[str], *, limits: Limits | None = None) -> FileInfo:
    """Return what is in a mesh file; `.mesh` is the mesh itself."""
    from ..formats.meshes import read_content
    from ..shapes.topology import topology_of

    content = read_content(path, FileReader(limits))
    with checks.prefixed(str(path)):
        mesh = Mesh(*content.merged())
    corners = _corner_labels(mesh)
    edges = np.sort(corners[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    real = edges[edges[:, 0] != edges[:, 1]]
    counts = np.unique(real[:, 0] << 32 | real[:, 1], return_counts=True)[1]
    triangles = mesh.vertices[mesh.faces]
    with np.errstate(all="ignore"):
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    file = Path(path)
    return FileInfo(
        path=file,
        format=file.suffix[1:].upper(),
        parts=tuple(_part(each) for each in content.split()),
        left_out=tuple(content.left_out),
        unit=content.unit,
        up=content.up,
        mesh=mesh,
        pieces=len(topology_of(mesh).parts[0]) - 1,
        open_edges=int(np.count_nonzero(counts % 2)),
        flat=int(np.count_nonzero(~normals.any(axis=1))),
        repeated=len(corners) - len(np.unique(np.sort(corners, axis=1), axis=0)),
    )


def _part(part: FilePart) -> PartInfo:
    vertices = part.vertices
    return PartInfo(part.name, len(vertices), len(part.faces), np.stack((vertices.min(axis=0), vertices.max(axis=0))))


def _corner_labels(mesh: Mesh) -> NDArray[np.int64]:
    """Return a number for each corner of each face, equal for corners in the same place, shape (m, 3)."""
    from ..kernels.base.blocks import BLOCK
    from ..shapes.connected import welded
    from ..shapes.topology import topology_of

    topology = topology_of(mesh)
    labels, _ = welded(mesh.vertices, topology.listed)
    begins = topology.starts[np.arange(len(mesh.faces)) // BLOCK]
    return labels[begins[:, None] + topology.corners].astype(np.int64)
