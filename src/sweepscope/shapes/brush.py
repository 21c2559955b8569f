"""Which voxels of a grid have their centers inside a shape at a pose. Only voxels in the bounds of the shape are visited."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from .base import Shape
from .given import shape_of
from .mesh import Mesh
from .solids import Box, Capsule, Sphere
from .voxel_index import index_of
from .voxelize import SNAP, closed_mesh, filled, voxel_places

if TYPE_CHECKING:
    from .volume import Volume

_CHUNK = 1 << 18  # voxels whose centers are carried into another volume at a time


class Grid(NamedTuple):
    """The grid of a volume."""

    resolution: tuple[int, int, int]
    spacing: tuple[float, float, float]
    origin: tuple[float, float, float]

    def centers(self, axis: int, begin: int, end: int) -> NDArray[np.float64]:
        """Return the coordinates of centers along an axis [length], local."""
        return self.origin[axis] + (np.arange(begin, end, dtype=np.float64) + 0.5) * self.spacing[axis]


class Covered(NamedTuple):
    """Voxels that a shape covers."""

    low: tuple[int, int, int]
    """The first voxel of a box of voxels."""
    inside: NDArray[np.bool_]
    """Which voxels of that box have their centers inside, shape (a, b, c)."""


def covered(grid: Grid, given: Shape | Any, pose: checks.PoseLike | None) -> Covered:
    """Return the voxels whose centers lie inside a shape at a pose in the frame of the grid; see `Volume.fill`."""
    from ..kernels.voxel.bits import unpacked

    shape = _checked(given)
    matrix = checks.pose(pose)
    points = shape.vertices @ matrix[:3, :3].T + matrix[:3, 3]
    low, high = _region(grid, points, shape.radius)
    i, j, k = (b - a for a, b in zip(low, high, strict=True))
    if not (i and j and k):
        inside = np.zeros((i, j, k), np.bool_)
    elif isinstance(shape, (Sphere, Capsule)):
        inside = _inside_round(grid, low, high, points, shape.radius)
    else:
        places = voxel_places(points, shape.faces, grid.spacing, grid.origin) - low
        inside = unpacked(filled(places, shape, (i, j, k)), 0, i, 0, j, 0, k)
    return Covered(low, inside)


def covered_by_volume(grid: Grid, brush: Volume, pose: checks.PoseLike | None) -> Covered:
    """Return the voxels whose centers lie in occupied voxels of another volume at a pose in the frame of the grid."""
    matrix = checks.pose(pose)
    if brush.empty:
        return Covered((0, 0, 0), np.zeros((0, 0, 0), np.bool_))
    corners = np.array(list(product(*brush.bounds.T)))
    low, high = _region(grid, corners @ matrix[:3, :3].T + matrix[:3, 3], 0.0)
    y, z = (grid.centers(axis, low[axis], high[axis]) for axis in (1, 2))
    inside = np.zeros((high[0] - low[0], len(y), len(z)), np.bool_)
    rows = max(1, _CHUNK // max(1, len(y) * len(z)))
    for begin in range(0, len(inside) if inside.size else 0, rows):
        x = grid.centers(0, low[0] + begin, min(low[0] + begin + rows, high[0]))
        centers = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1)
        voxels = brush.voxel_at((centers - matrix[:3, 3]) @ matrix[:3, :3])
        found = np.asarray(((voxels >= 0) & (voxels < brush.resolution)).all(axis=-1))
        i, j, k = voxels[found].T
        found[found] = (index_of(brush).bits[i, j, k >> 6] >> (k & 63).astype(np.uint64)) & np.uint64(1)
        inside[begin : begin + rows] = found
    return Covered(low, inside)


def _checked(given: Any) -> Sphere | Capsule | Mesh | Box:
    shape = shape_of(given, "shape")
    if isinstance(shape, (Sphere, Capsule)):
        return shape
    if not isinstance(shape, (Box, Mesh)):
        raise InvalidGeometry(
            f"shape: a {type(shape).__name__} does not fill voxels; accepted: a Box, Sphere, Capsule, closed Mesh or Volume"
        )
    return closed_mesh(shape, "shape")


def _region(grid: Grid, points: NDArray[np.float64], radius: float) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return the voxels, first and one past the last, whose centers may lie in the box of points; a little more than these."""
    box = np.stack((points.min(axis=0) - radius, points.max(axis=0) + radius))
    with np.errstate(over="ignore"):
        ends = (box - grid.origin) / grid.spacing
    first, last = np.clip(np.floor(ends) + [[-1.0], [2.0]], 0.0, grid.resolution).astype(int).tolist()
    return (first[0], first[1], first[2]), (last[0], last[1], last[2])


def _inside_round(
    grid: Grid, low: tuple[int, int, int], high: tuple[int, int, int], ends: NDArray[np.float64], radius: float
) -> NDArray[np.bool_]:
    """Return which centers are within a distance of a point, or of the segment between two points."""
    x, y, z = (
        (grid.centers(axis, low[axis], high[axis]) - ends[0, axis]).reshape(np.roll((-1, 1, 1), axis)) for axis in range(3)
    )
    along = ends[-1] - ends[0]
    length_sq = float(along @ along)
    if length_sq > 0.0:
        nearest = np.clip((along[0] * x + along[1] * y + along[2] * z) / length_sq, 0.0, 1.0)
        x, y, z = (each - nearest * step for each, step in zip((x, y, z), along, strict=True))
    # A center on the surface is inside: rounding must not decide which of two equal ones is.
    return x * x + y * y + z * z <= (radius + SNAP * min(grid.spacing)) ** 2
