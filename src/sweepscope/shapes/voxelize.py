"""Voxels inside a closed mesh: size and check the grid, call the kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidType
from .base import Shape
from .given import shape_of
from .mesh import Mesh
from .solids import Box

Triple = tuple[float, float, float]
Whole = tuple[int, int, int]

_SPARE = 1e-6  # sizes this little above a whole number [voxels], as from float32, need no extra voxel
SNAP = 1e-9  # vertices this close to a line or plane of centers [voxels] are on it: 0.35 / 0.1 - 0.5 means 3
_FARTHEST = 1e15  # from the grid's corner [voxels]: beyond this, float64 cannot distinguish neighboring voxels


def bits_inside(
    mesh: Shape | Any, spacing: ArrayLike, *, origin: ArrayLike | None, resolution: ArrayLike | None
) -> tuple[NDArray[np.uint64], Whole, Triple, Triple]:
    """Return the voxels whose centers lie inside a closed mesh: bits, resolution, spacing, origin. See Volume.from_mesh.

    A center on the surface counts as inside on low sides, not on high sides.
    """
    solid = closed_mesh(mesh, "mesh")
    steps = checks.spacing(spacing)
    corner, (nx, ny, nz) = _grid(solid.bounds, steps, origin, resolution)
    places = voxel_places(solid.vertices, solid.faces, steps, corner)
    checks.require_memory(8 * nx * ny * -(-nz // 64), f"a grid of {nx} x {ny} x {nz} voxels", InvalidGeometry)
    return filled(places, solid, (nx, ny, nz)), (nx, ny, nz), steps, corner


def voxel_places(vertices: NDArray[np.float64], faces: NDArray[np.int32], steps: Triple, corner: Triple) -> NDArray[np.float64]:
    """Return vertices in voxels, shape (n, 3): the center of voxel (i, j, k) is at (i, j, k)."""
    with np.errstate(over="ignore"):
        places = (vertices - corner) / steps - 0.5
    used = places[faces.ravel()]
    far = float(np.abs(used).max())
    if not far <= _FARTHEST:
        raise InvalidGeometry(f"spacing: the mesh reaches {far:.3g} voxels away from the grid's corner; at most {_FARTHEST:g}")
    nearest = np.rint(places)
    # Less for a mesh much smaller than a voxel: it must not shrink to a point.
    snap = SNAP * min(1.0, float(np.ptp(used, axis=0).min()))
    return np.where(np.abs(places - nearest) <= snap, nearest, places)


def filled(places: NDArray[np.float64], solid: Mesh | Box, resolution: Whole) -> NDArray[np.uint64]:
    """Return the voxels of a grid whose centers lie inside a closed mesh with vertices at `places` [voxels], as bits."""
    from ..kernels.voxel.fill import fill
    from .topology import topology_of

    nx, ny, nz = resolution
    bits = np.zeros((nx, ny, -(-nz // 64)), np.uint64)
    fill(bits, nz, places, solid.faces, topology_of(solid).oriented)
    return bits


def closed_mesh(mesh: Any, name: str) -> Mesh | Box:
    """Return a mesh that has an inside, or raise InvalidGeometry with its name."""
    mesh = shape_of(mesh, name)
    if isinstance(mesh, Box):
        return mesh
    if not isinstance(mesh, Mesh):
        raise InvalidType(
            f"{name}: a {type(mesh).__name__} has no triangles to fill; accepted: a Mesh (Mesh.sphere, Mesh.capsule, "
            "Mesh.cylinder, Mesh.load), a Box, a mesh of another library (Mesh.from_object)"
        )
    if mesh.empty:
        raise InvalidGeometry(f"{name}: has no triangles")
    if mesh.solid is False:
        raise InvalidGeometry(f"{name}: is a surface (solid=False), so it has no inside; make the Mesh without solid=False")
    if not mesh.closed:
        raise InvalidGeometry(f"{name}: is open, so it has no inside: {_gap(mesh)}; close it first (trimesh.repair.fill_holes)")
    return mesh


def _gap(mesh: Mesh) -> str:
    """Return a text that says where a mesh is open."""
    _, same = np.unique(mesh.vertices + 0.0, axis=0, return_inverse=True)
    corners = same.reshape(-1)[mesh.faces]
    full = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    if not full.any():
        return "all its faces are points or segments"
    sides = np.sort(np.concatenate((corners[full][:, :2], corners[full][:, 1:], corners[full][:, ::2])), axis=1)
    _, first, uses = np.unique(sides, axis=0, return_index=True, return_counts=True)
    odd = np.flatnonzero(uses % 2)
    ends = [mesh.vertices[np.argmax(same.reshape(-1) == corner)] for corner in sides[first[odd[0]]]]
    one, other = (" ".join(f"{x:.4g}" for x in end) for end in ends)
    return f"{len(odd)} edges do not join two faces, one from {one} to {other}"


def _grid(
    bounds: NDArray[np.float64], steps: Triple, origin: ArrayLike | None, resolution: ArrayLike | None
) -> tuple[Triple, Whole]:
    """Return the low corner of a grid and its resolution: as given, else a grid that covers the mesh, centered on it."""
    low, high = bounds.tolist()
    corner = None if origin is None else checks.vector(origin, "origin", InvalidGeometry)
    if resolution is not None:
        counts = _counts(resolution)
    else:
        starts = low if corner is None else corner
        spans = [(top - start) / step for top, start, step in zip(high, starts, steps, strict=True)]
        counts = [max(1.0, math.ceil(span - _SPARE)) if span <= _FARTHEST else span for span in spans]
    if math.prod(counts) > checks.MOST_VOXELS:
        shown = " x ".join(f"{count:.10g}" for count in counts)
        raise InvalidGeometry(
            f"{shown} are {math.prod(counts):.3g} voxels; a volume has at most {checks.MOST_VOXELS:,}: use a larger spacing"
        )
    nx, ny, nz = checks.resolution((int(counts[0]), int(counts[1]), int(counts[2])), "resolution")
    if corner is None:
        x, y, z = (0.5 * (a + b) - 0.5 * n * step for a, b, n, step in zip(low, high, (nx, ny, nz), steps, strict=True))
        corner = (x, y, z)
    return corner, (nx, ny, nz)


def _counts(resolution: ArrayLike) -> list[int]:
    """Return the checked number of voxels along x, y and z."""
    given = checks.array(resolution, "resolution", "three whole numbers", InvalidGeometry)
    if given.shape != (3,) or given.dtype.kind not in "iu":
        error = InvalidType if given.shape == (3,) else InvalidGeometry
        raise error(f"resolution: expected three whole numbers, got {checks.shown(resolution)}")
    counts = given.tolist()
    for k, count in enumerate(counts):
        if count < 0:
            raise InvalidGeometry(f"resolution[{k}] is {count}; it must not be negative")
    return counts
