"""Surfaces of volumes: the triangles of the occupied voxels in an index box, and the voxel or normal at a point."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidGeometry
from ..kernels.base.blocks import BLOCK
from ..kernels.base.formulas import measured_from
from ..kernels.voxel import surface as kernel
from .connected import Parts, connected, welded
from .topology import Box, Topology, node_levels
from .voxel_index import index_of

if TYPE_CHECKING:
    from .volume import Volume

MOST_FACES = 50_000_000
_EMPTY: Box = ((math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf))

Range = tuple[int, int, int, int, int, int]  # an index box: lowest of each axis, and one past the highest
Planes = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(slots=True)
class VolumeSurface(Topology):
    """Topology and vertices of a volume's surface, or of a piece of it."""

    vertices: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 3)), repr=False)

    def find_parts(self) -> Parts:
        """Compute `parts`. The surface of cubes is closed and consistently oriented."""
        return connected(*welded(self.vertices, self.listed), self.starts, self.corners, closed=1)


def no_surface(volume: Volume) -> VolumeSurface:
    """Return the topology of a volume that has no surface yet."""
    # Relative to the grid, not to the occupied voxels: bodies then stay exactly in place when voxels change.
    corner = volume.origin
    far = [o + n * s for o, n, s in zip(corner, volume.resolution, volume.spacing, strict=True)]
    none = np.zeros((0, 3), np.uint8), np.zeros(2, np.int32), np.empty((0, 3))
    return _surface(volume, np.array(measured_from(corner, (far[0], far[1], far[2]))), np.zeros(0, np.int32), *none)


def _surface(
    volume: Volume,
    center: NDArray[np.float64],
    voxels: NDArray[np.int32],
    corners: NDArray[np.uint8],
    starts: NDArray[np.int32],
    vertices: NDArray[np.float64],
) -> VolumeSurface:
    offsets, levels = node_levels(len(voxels))
    listed = np.arange(len(vertices), dtype=np.int32)
    low, high = (tuple(row) for row in volume.bounds.tolist())
    box = _EMPTY if volume.empty else (low, high)
    return VolumeSurface(
        voxels, listed, starts, corners, offsets, levels, None, volume, box=box, center=center, vertices=vertices
    )


def planes_of(volume: Volume) -> Planes:
    """Return the coordinates of the planes between voxels [length], local."""
    places = zip(volume.origin, volume.resolution, volume.spacing, strict=True)
    x, y, z = (o + np.arange(n + 1, dtype=np.float64) * s for o, n, s in places)
    return x, y, z


def make_surface(
    volume: Volume, planes: Planes, center: NDArray[np.float64], choices: Iterable[Range]
) -> tuple[Range, VolumeSurface]:
    """Return the first of these index boxes that has not too many faces, and its surface."""
    total = 0
    bits = index_of(volume).bits
    for wanted in choices:
        box = np.array(wanted, np.int64)
        total, counts = kernel.count(bits, box)
        if 2 * total <= MOST_FACES:
            made = kernel.build(bits, box, total, counts, volume.resolution[2], *planes)
            return wanted, _surface(volume, center, *made)
    raise InvalidGeometry(
        f"{volume!r}: the surface in reach has {2 * total:,} triangles; accepted: {MOST_FACES:,} at most; "
        "use a shorter motion or fewer voxels"
    )


def mesh_of(volume: Volume) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the surface of all occupied voxels as a mesh: vertices (n, 3) [length], local; faces (m, 3), oriented outwards."""
    _, surface = make_surface(volume, planes_of(volume), np.zeros(3), (extent_of(volume),))
    labels, count = welded(surface.vertices, surface.listed)
    # Labels are numbered by first appearance: the first of each is where their maximum grows.
    firsts = np.searchsorted(np.maximum.accumulate(labels), np.arange(count)) if count else surface.listed
    begins = np.repeat(surface.starts[:-1], BLOCK)[: len(surface.corners), None]
    return surface.vertices[firsts], labels[begins + surface.corners]


def extent_of(volume: Volume) -> Range:
    """Return the index box of the occupied voxels."""
    i0, j0, k0, i1, j1, k1 = volume.extent.ravel().tolist()
    return i0, j0, k0, i1, j1, k1


_NEAR = 1e-6 * np.array([[1 - 2 * ((n >> r) & 1) for r in range(3)] for n in range(8)])  # offsets around a corner [voxels]


def voxel_of(volume: Volume, number: int) -> tuple[int, int, int]:
    """Return the indices (i, j, k) of a voxel from its index in C order."""
    _, ny, nz = volume.resolution
    return number // (ny * nz), number // nz % ny, number % nz


def holding(volume: Volume, point: NDArray[np.float64]) -> tuple[int, int, int] | None:
    """Return the occupied voxel that holds a point [length], local, or has it on its surface; None if there is none."""
    place = (point - volume.origin) / volume.spacing
    for near in (0.0, *_NEAR):
        i, j, k = np.floor(place + near).astype(np.int64).tolist()
        nx, ny, nz = volume.resolution
        if 0 <= i < nx and 0 <= j < ny and 0 <= k < nz and (int(index_of(volume).bits[i, j, k >> 6]) >> (k & 63)) & 1:
            return i, j, k
    return None


def side_normal(
    volume: Volume, pose: NDArray[np.float64], number: int, point: NDArray[np.float64], ahead: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the unit normal, world, of the voxel side that holds a point and faces a viewer who looks along `ahead`.

    pose: of the volume. number: index of the voxel in C order.
    """
    turn = pose[:3, :3]
    local = (point - pose[:3, 3]) @ turn
    low = volume.origin + np.array(voxel_of(volume, number)) * volume.spacing
    look = ahead @ turn
    # Of the three visible sides, the one whose plane is nearest.
    planes = np.where(look > 0.0, low, low + volume.spacing)
    side = int(np.argmin(np.where(look == 0.0, np.inf, np.abs(local - planes) / volume.spacing)))
    return -math.copysign(1.0, look[side]) * turn[:, side]
