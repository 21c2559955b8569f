"""Topology of a shape: the order of its faces in blocks, its connected parts, and whether it is closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.base import blocks, parts

if TYPE_CHECKING:
    from .base import Shape

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
Parts = tuple[NDArray[np.int32], NDArray[np.int32], int]
"""(start of each part (p + 1,), faces by part in block order (m,), closed or not as in kernels.layout.SOLID)."""


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
    centre: NDArray[np.float64] | None = None
    """Point that the vertices are relative to; None to choose it from their box."""
    known_parts: Parts | None = field(default=None, repr=False)

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
        """Compute `parts`."""
        shape = self.shape
        corners = shape.faces[self.order].astype(np.int64)
        if (corners[:, 1] != corners[:, 2]).any():
            # Files such as STL repeat vertices: merge equal ones. Adding 0.0 makes -0.0 equal to 0.0.
            places = np.ascontiguousarray(shape.vertices + 0.0).view([("", np.float64)] * 3).ravel()
            _, same = np.unique(places, return_inverse=True)
            corners = same.astype(np.int64)[corners]
        return by_part(corners, len(shape.vertices), _closedness(corners, len(shape.vertices)))


def topology_of(shape: Shape) -> Topology:
    """Return a shape's topology; the first call computes it and stores it in the shape."""
    if shape._topology is None:  # noqa: SLF001  (the only access to it, for code that implements queries)
        shape._topology = _compute(shape)  # noqa: SLF001
    return shape._topology  # noqa: SLF001


def _compute(shape: Shape) -> Topology:
    order = blocks.halve(shape.vertices, shape.faces)
    listed, starts, corners = blocks.cut(shape.faces, order, len(shape.vertices))
    offsets, levels = node_levels(len(shape.faces))
    used = np.unique(listed)
    every = None if len(used) == len(shape.vertices) else used
    return Topology(order, listed, starts, corners, offsets, levels, every, shape)


def node_levels(faces: int) -> tuple[NDArray[np.int64], int]:
    """Return the index at which each level of nodes begins, for a number of faces, and the number of levels."""
    offsets = blocks.level_offsets(faces)
    return offsets, int(np.argmax(offsets == offsets[-1]))


def by_part(corners: NDArray[np.int64], vertices: int, closed: int) -> Parts:
    """Return the connected parts; corners: (m, 3) in block order, with merged vertices; vertices: their number."""
    part, count = parts.parts(corners, vertices)
    starts = np.zeros(count + 1, np.int32)
    starts[1:] = np.cumsum(np.bincount(part, minlength=count))
    return starts, np.argsort(part, kind="stable").astype(np.int32), closed


def _closedness(corners: NDArray[np.int64], count: int) -> int:
    """Return 1 if faces use every edge equally often in both directions, 2 if an even number of times, else 0."""
    a, b, c = corners.T
    full = (a != b) & (b != c) & (c != a)
    if not full.any():
        return 0
    start = np.concatenate((a[full], b[full], c[full]))
    end = np.concatenate((b[full], c[full], a[full]))
    edges, edge = np.unique(np.minimum(start, end) * count + np.maximum(start, end), return_inverse=True)
    balance = np.bincount(edge, weights=np.where(start < end, 1.0, -1.0), minlength=len(edges))
    if not balance.any():
        return 1
    return 0 if (np.bincount(edge) % 2).any() else 2
