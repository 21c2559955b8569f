"""Cut polygons, strips and fans into triangles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels.files import polygons as kernel

Indices = NDArray[np.int64]


def polygons(corners: Indices, counts: Indices, vertices: NDArray[np.float64]) -> Indices:
    """Return the triangles of polygons, shape (m, 3); raise ValueError for one that crosses itself.

    corners: indices into vertices, checked, of one polygon after the other; counts: corners of each, at least 3.
    """
    if len(corners) == 3 * len(counts):
        return corners.reshape(-1, 3)
    faces = np.empty((len(corners) - 2 * len(counts), 3), np.int64)
    found = kernel.cut(np.ascontiguousarray(vertices), corners, counts, faces)
    if found == kernel.OUT_OF_STEPS:
        raise ValueError("its polygons have too many corners to be cut into triangles; export triangles")
    if found != kernel.FINE:
        raise ValueError(f"polygon {found}, of {counts[found]} corners, crosses itself; export triangles")
    return faces


def fans(corners: Indices, counts: Indices) -> Indices:
    """Return the triangles of fans round their first corners, shape (m, 3)."""
    starts, step = _steps(counts)
    return np.stack((corners[starts], corners[starts + step + 1], corners[starts + step + 2]), axis=1)


def strips(corners: Indices, counts: Indices) -> Indices:
    """Return the triangles of strips, all facing as the first of their strip, shape (m, 3)."""
    starts, step = _steps(counts)
    a, odd = starts + step, step % 2
    return np.stack((corners[a], corners[a + 1 + odd], corners[a + 2 - odd]), axis=1)


def _steps(counts: Indices) -> tuple[Indices, Indices]:
    """Return, for each triangle of fans or strips, where its fan or strip begins and the how manieth it is there."""
    triangles = np.maximum(counts - 2, 0)
    starts = np.repeat(np.cumsum(counts) - counts, triangles)
    return starts, np.arange(len(starts)) - np.repeat(np.cumsum(triangles) - triangles, triangles)
