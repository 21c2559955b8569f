"""Depth images in plain NumPy: another renderer than the library's, written from the definition of a pixel.

`draw` takes the depth at the center of a pixel, from the barycentric coordinates there. `bound` takes the least depth that a
triangle has anywhere in a pixel's cell: its least depth is at a corner of the part of the triangle in the cell, and these are
corners of the triangle, corners of the cell, and crossings of edges with grid lines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sweepscope import View

_Array = NDArray[np.float64]

_SMALL = 1e-12  # relative: on an edge of a triangle or a cell, up to rounding


def draw(
    triangles: _Array, owners: NDArray[np.int64], view: View, pixels: tuple[int, int], begin: _Array | None = None
) -> tuple[_Array, NDArray[np.int64]]:
    """Return the depth at the center of each pixel, the view's depth where nothing is, and the owners there, -1 likewise.

    triangles [length], shape (n, 3, 3), world. owners: a number of each, shape (n,). pixels: columns and rows. begin: depth of
    each pixel before which nothing counts, shape (rows, columns); None: 0.
    """
    columns, rows = pixels
    depth = np.full((rows, columns), view.depth)
    ids = np.full((rows, columns), -1)
    first = np.zeros((rows, columns)) if begin is None else begin
    x, y = np.arange(columns) + 0.5, np.arange(rows) + 0.5
    for (a, b, c), owner in zip(_image(triangles, view, pixels), owners.tolist(), strict=True):
        whole = _side(a, b, c[0], c[1])
        if abs(whole) < _SMALL:
            continue  # seen edge-on
        grid = x[None, :], y[:, None]
        shares = np.array((_side(b, c, *grid), _side(c, a, *grid), _side(a, b, *grid))) / whole
        deep = shares[0] * a[2] + shares[1] * b[2] + shares[2] * c[2]
        nearer = (shares >= -_SMALL).all(axis=0) & (deep >= first) & (deep < depth)
        depth[nearer], ids[nearer] = deep[nearer], owner
    return depth, ids


def bound(triangles: _Array, view: View, pixels: tuple[int, int], begin: _Array | None = None) -> tuple[_Array, _Array]:
    """Return the least and the greatest depth in each cell: the view's depth and 0 where nothing is. Arguments as for `draw`.

    A triangle counts in a cell if it has a part there at or behind `begin`.
    """
    columns, rows = pixels
    least, greatest = np.full((rows, columns), view.depth), np.zeros((rows, columns))
    first = np.zeros((rows, columns)) if begin is None else begin
    for corners in _image(triangles, view, pixels):
        low, high = np.full((rows, columns), np.inf), np.full((rows, columns), -np.inf)
        for x, y, w in _candidates(corners, columns, rows):
            # On a grid line a point belongs to the cells on both sides.
            for i in {int(np.floor(y - _SMALL * rows)), int(np.floor(y + _SMALL * rows))}:
                for j in {int(np.floor(x - _SMALL * columns)), int(np.floor(x + _SMALL * columns))}:
                    if 0 <= i < rows and 0 <= j < columns:
                        low[i, j], high[i, j] = min(low[i, j], w), max(high[i, j], w)
        counts = (high >= first) & (low <= view.depth)
        least = np.where(counts, np.minimum(least, np.maximum(low, 0.0)), least)
        greatest = np.where(counts, np.maximum(greatest, high), greatest)
    return least, greatest


def _image(triangles: _Array, view: View, pixels: tuple[int, int]) -> _Array:
    """Return triangles in image coordinates: columns, rows, depth [length]."""
    local = (triangles - np.array(view.eye)) @ view.frame.T
    local[..., 0] = (local[..., 0] / view.width + 0.5) * pixels[0]
    local[..., 1] = (local[..., 1] / view.height + 0.5) * pixels[1]
    return local


def _side(a: _Array, b: _Array, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return twice the signed area of (a, b, (x, y))."""
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])


def _candidates(corners: _Array, columns: int, rows: int) -> _Array:
    """Return the points of a triangle at which a cell may have its least or greatest depth, shape (n, 3)."""
    found = [corners]
    for k in range(3):
        a, b = corners[k], corners[(k + 1) % 3]
        for axis, count in ((0, columns), (1, rows)):
            if a[axis] != b[axis]:
                share = (np.arange(count + 1.0) - a[axis]) / (b[axis] - a[axis])
                share = share[(share > 0.0) & (share < 1.0)]
                points = a + share[:, None] * (b - a)
                points[:, axis] = np.round(points[:, axis])
                found.append(points)
    a, b, c = corners
    whole = _side(a, b, c[0], c[1])
    if abs(whole) >= _SMALL:
        low = np.clip(np.ceil(corners.min(axis=0)[:2]), 0.0, (columns, rows))
        high = np.clip(np.floor(corners.max(axis=0)[:2]), 0.0, (columns, rows))
        x, y = (grid.ravel() for grid in np.meshgrid(np.arange(low[0], high[0] + 1.0), np.arange(low[1], high[1] + 1.0)))
        shares = np.array((_side(b, c, x, y), _side(c, a, x, y), _side(a, b, x, y))) / whole
        inside = (shares >= -_SMALL).all(axis=0)
        deep = shares[0] * a[2] + shares[1] * b[2] + shares[2] * c[2]
        found.append(np.column_stack((x, y, deep))[inside])
    return np.concatenate(found)
