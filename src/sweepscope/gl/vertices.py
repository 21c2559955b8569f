"""Vertices and faces of a scene on the card. They lie there as in the arena, and only what has changed is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout
from ..kernels.base.blocks import BLOCK

if TYPE_CHECKING:
    from ..shapes.topology import Topology
    from ..world.body import Entry
    from ..world.store import Store

_VERTEX = 24  # bytes: three float64
_FACE = 12  # bytes: three int32


class SceneVertices:
    """The vertices and faces of all shapes of one scene, in two buffers on the card."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self.vertices: Any = None
        """Buffer of float64, shape (n, 3) [length], relative to each shape's center."""
        self.corners: Any = None
        """Buffer of int32, shape (m, 3): for each face its vertices, counted from the shape's first."""
        self.sent = 0
        """Bytes sent so far."""
        self._seen: tuple[Any, int] = (None, -1)  # geometry and revision of the scene at the last update
        self._vertices: dict[int, tuple[Topology, int, int]] = {}  # first vertex of a row of the arena -> what lies there
        self._faces: dict[int, Topology] = {}  # first face -> the topology whose faces lie there

    def update(self, store: Store) -> None:
        """Send what has changed since the last update."""
        geometry = store.arena.geometry
        if self._seen[0] is geometry and self._seen[1] == store.revision:
            return
        size, room = len(geometry.vertices) * _VERTEX, len(geometry.corners) * _FACE
        if self.vertices is None or self.vertices.size != size:
            self.vertices, self._vertices = self._context.buffer(reserve=size), {}
        if self.corners is None or self.corners.size != room:
            self.corners, self._faces = self._context.buffer(reserve=room), {}
        vertices: dict[int, tuple[Topology, int, int]] = {}
        faces: dict[int, Topology] = {}
        for entry in store.entries.values():
            ints = geometry.shape_ints[entry.shape_row]
            first, count, content = int(ints[layout.VERTEX]), int(ints[layout.VERTICES]), _content(store, entry)
            if count and first not in vertices:
                vertices[first] = content
                if self._vertices.get(first) != content:
                    self._send(self.vertices, geometry.vertices[first : first + count], first * _VERTEX)
            first, count, topology = int(ints[layout.FACE]), int(ints[layout.FACES]), content[0]
            if count and first not in faces:
                faces[first] = topology
                if self._faces.get(first) is not topology:
                    self._send(self.corners, _corners(geometry, ints), first * _FACE)
        self._vertices, self._faces = vertices, faces
        self._seen = geometry, store.revision

    def _send(self, buffer: Any, values: NDArray[Any], offset: int) -> None:
        buffer.write(np.ascontiguousarray(values), offset=offset)
        self.sent += values.nbytes


def _content(store: Store, entry: Entry) -> tuple[Topology, int, int]:
    """Return what decides the vertices of a body: its topology, and for its own ones its id and their version."""
    topology = store.arena.topology(entry.shape_row)
    return (topology, entry.id, entry.version) if entry.deformed else (topology, -1, 0)


def _corners(geometry: layout.Geometry, ints: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the vertices of a shape's faces in block order, shape (m, 3), counted from the shape's first."""
    count, first = int(ints[layout.FACES]), int(ints[layout.FACE])
    blocks = np.arange(count) // BLOCK
    starts = ints[layout.LISTED] + geometry.starts[ints[layout.START] + blocks]
    return geometry.block_vertices[starts[:, None] + geometry.corners[first : first + count]]
