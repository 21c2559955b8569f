"""Topology of a shape: the order of its faces in blocks, its connected parts, and whether it is closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.base import blocks
from .connected import Parts, connected, welded
from .ordering import cut, ordered

if TYPE_CHECKING:
    from .base import Shape

Box = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(slots=True)
class Topology:
    """Order of a shape's faces in blocks, and its connected parts. Computed once per shape."""

    order: NDArray[np.int32]
    """Indices of the faces in block order."""
    listed: NDArray[np.int32]
    """Vertices of each block."""
    starts: NDArray[np.int32]
    """Index in `listed` at which each block begins, and the end of the last."""
    corners: NDArray[np.uint8]
    """Corners of each face in block order, as indices into the block's vertices."""
    offsets: NDArray[np.int64]
    """Index at which each level of nodes begins."""
    levels: int
    used: NDArray[np.int32] | None
    """Vertices that faces use; None if faces use all."""
    shape: Shape = field(repr=False)
    box: Box | None = None
    """Box of the shape if it differs from that of the vertices: a volume may have faces in a part only."""
    center: NDArray[np.float64] | None = None
    """Point that the vertices are relative to; None to choose it from their box."""
    known_parts: Parts | None = field(default=None, repr=False)

    def packed(self) -> tuple[Any, ...]:
        """Return what is known about the shape, for its pickle: see `keep_topology`."""
        arrays = self.order, self.listed, self.starts, self.corners, self.offsets
        return *arrays, self.levels, self.used, self.known_parts

    @property
    def parts(self) -> Parts:
        """Connected parts, and whether the surface is closed."""
        if self.known_parts is None:
            self.known_parts = self.find_parts()
        return self.known_parts

    @property
    def closed(self) -> bool:
        """True if every edge joins an even number of faces."""
        return self.parts[2] > 0

    @property
    def oriented(self) -> bool:
        """True if it is closed and its faces use every edge equally often in both directions."""
        return self.parts[2] == 1

    def find_parts(self) -> Parts:
        """Compute `parts`. Files such as STL repeat vertices: those of triangles in the same place count as one."""
        shape = self.shape
        triangles = (shape.faces[:, 1] != shape.faces[:, 2]).any()
        labels, count = welded(shape.vertices, self.listed) if triangles else (self.listed, len(shape.vertices))
        return connected(labels, count, self.starts, self.corners)


def topology_of(shape: Shape) -> Topology:
    """Return a shape's topology; the first call computes it and stores it in the shape."""
    if shape._topology is None:  # noqa: SLF001  (the only access to it, for code that implements queries)
        shape._topology = _compute(shape)  # noqa: SLF001
    return shape._topology  # noqa: SLF001


def keep_topology(shape: Shape, packed: tuple[Any, ...]) -> None:
    """Give a shape the topology that an equal shape has packed."""
    order, listed, starts, corners, offsets, levels, used, parts = packed
    known = Topology(order, listed, starts, corners, offsets, levels, used, shape, known_parts=parts)
    shape._topology = known  # noqa: SLF001


def _compute(shape: Shape) -> Topology:
    order = ordered(shape.vertices, shape.faces)
    listed, starts, corners, used = cut(shape.faces, order, len(shape.vertices))
    offsets, levels = node_levels(len(shape.faces))
    some = None if used.all() else np.flatnonzero(used).astype(np.int32)
    return Topology(order, listed, starts, corners, offsets, levels, some, shape)


def node_levels(faces: int) -> tuple[NDArray[np.int64], int]:
    """Return the index at which each level of nodes begins, for a number of faces, and the number of levels."""
    offsets = blocks.level_offsets(faces)
    return offsets, int(np.argmax(offsets == offsets[-1]))
