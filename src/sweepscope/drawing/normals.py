"""Normals at visible points: exact for round bodies, smoothed for voxels and for meshes without sharp edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..shapes import Box, Shape, Volume
from ..shapes.connected import welded

if TYPE_CHECKING:
    from .arrangement import Placed

_Floats = NDArray[np.floating[Any]]
_Ints = NDArray[np.int64]

_CREASE = 0.75  # cosine: faces that meet at a smaller angle look rounded
_FEW = 500  # faces: of a larger mesh, only visible faces are smoothed
_SMOOTH = 2  # voxels on each side that are used for the normal of a voxel
_ROUNDED = 0.85  # weight of these in the normal; the rest is the visible side of the voxel
_TINY = np.float32(1e-30)
_NEXT, _LAST = np.array((1, 2, 0)), np.array((2, 0, 1))


class NormalCache:
    """Normals at the corners of small meshes, which several bodies may share. Used for one picture."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[Shape, _Floats, _Floats | None]] = {}

    def normals_of(self, shape: Shape) -> tuple[_Floats, _Floats | None]:
        """Return the normals of all faces, shape (m, 3), and those at their corners as in `_smooth_normals`."""
        found = self._found.get(id(shape))
        if found is None:
            flat = face_normals(shape)
            every = np.arange(len(shape.faces), dtype=np.int32)
            found = shape, flat, None if isinstance(shape, Box) else _smooth_normals(shape, every, flat)
            self._found[id(shape)] = found
        return found[1], found[2]


def normals_at(
    body: Placed, faces: NDArray[np.int32], points: _Floats, origin: NDArray[np.float64], cache: NormalCache
) -> _Floats:
    """Return unit normals at visible points of a body, world, shape (n, 3).

    faces: the visible face of each point, or the voxel of a volume. points: world, from `origin`.
    """
    pose = body.pose
    turn = pose[:3, :3].astype(np.float32)
    shape = body.shape
    local = (points - (pose[:3, 3] - origin).astype(np.float32)) @ turn
    if isinstance(shape, Volume):
        found = _voxel_normals(shape, faces.astype(np.int64), local)
    elif shape.radius > 0.0:
        found = _round_normals(shape, faces, local)
    else:
        found = _mesh_normals(shape, faces, local, cache)
    return found @ turn.T


def face_normals(shape: Shape) -> _Floats:
    """Return unit normals of faces, local, shape (m, 3); 0 for segments and points."""
    corners = shape.vertices[shape.faces]
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    wide = u[:, _NEXT] * v[:, _LAST] - u[:, _LAST] * v[:, _NEXT]  # np.cross takes five times as long for a small mesh
    sizes = np.sqrt((wide * wide).sum(axis=1))
    return (wide / np.where(sizes > 0.0, sizes, 1.0)[:, None]).astype(np.float32)


def _unit(vectors: _Floats) -> _Floats:
    sizes = np.sqrt(np.einsum("nk,nk->n", vectors, vectors))
    return vectors / np.maximum(sizes, _TINY)[:, None]


def _round_normals(shape: Shape, faces: NDArray[np.int32], local: _Floats) -> _Floats:
    """Return normals of points, segments and triangles with a radius: away from the nearest point of the face."""
    if len(shape.faces) == 1 and shape.faces[0, 0] == shape.faces[0, 2]:
        return _unit(local - shape.vertices[shape.faces[0, 0]].astype(np.float32))
    corners = shape.vertices.astype(np.float32)[shape.faces[faces]]
    shares = _corner_weights(local, corners)
    return _unit(local - np.einsum("nk,nkx->nx", shares, corners))


def _mesh_normals(shape: Shape, faces: NDArray[np.int32], local: _Floats, cache: NormalCache) -> _Floats:
    """Return normals of a mesh, smoothed where it has no sharp edge."""
    if len(shape.faces) <= _FEW:
        flat, smooth = cache.normals_of(shape)
        seen, which = np.arange(len(shape.faces)), faces
    else:
        seen, which = np.unique(faces, return_inverse=True)
        flat = face_normals(shape)
        smooth = _smooth_normals(shape, seen, flat)
    if smooth is None:
        return flat[faces]
    corners = shape.vertices.astype(np.float32)[shape.faces[seen]][which]
    return _unit(np.einsum("nk,nkx->nx", _corner_weights(local, corners), smooth[which]))


def _corner_weights(points: _Floats, corners: _Floats) -> _Floats:
    """Return weights of the corners for the nearest point of a triangle, segment or point, shape (n, 3)."""
    a = corners[:, 0]
    u, v, w = corners[:, 1] - a, corners[:, 2] - a, points - a
    uu, uv, vv = (np.einsum("nk,nk->n", x, y) for x, y in ((u, u), (u, v), (v, v)))
    wu, wv = np.einsum("nk,nk->n", w, u), np.einsum("nk,nk->n", w, v)
    area = uu * vv - uv * uv
    flat = area <= np.float32(1e-6) * uu * vv  # a segment has its last corner twice
    along = np.clip(wu / np.where(uu > 0.0, uu, np.float32(1.0)), 0.0, 1.0)
    safe = np.where(flat, np.float32(1.0), area)
    second = np.where(flat, along, np.clip((vv * wu - uv * wv) / safe, 0.0, 1.0))
    third = np.where(flat, np.float32(0.0), np.clip((uu * wv - uv * wu) / safe, 0.0, 1.0))
    return np.stack((1.0 - second - third, second, third), axis=1)


def _smooth_normals(shape: Shape, seen: NDArray[np.int32], flat: _Floats) -> _Floats | None:
    """Return normals at the corners of visible faces, shape (m, 3, 3): means over neighbors without a sharp edge.

    None if all equal those of their faces, as in a box.
    """
    used, places = np.unique(shape.faces, return_inverse=True)
    labels, _ = welded(shape.vertices, used.astype(np.int32))
    faces = labels[places.reshape(shape.faces.shape)]
    every = faces.ravel()
    order = np.argsort(every, kind="stable")
    sizes = np.bincount(every)
    starts = np.cumsum(sizes) - sizes
    mine = faces[seen].ravel()  # vertices at the corners of visible faces
    counts = sizes[mine]
    begins = np.cumsum(counts) - counts
    corner = np.repeat(np.arange(len(mine)), counts)
    other = order[starts[mine][corner] + np.arange(len(corner)) - begins[corner]] // 3
    near = np.einsum("nk,nk->n", flat[seen][corner // 3], flat[other])
    used = near >= _CREASE
    if (near[used] > 0.9999).all():
        return None
    corners = shape.vertices[shape.faces]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    weights = areas[other[used]]
    found = [np.bincount(corner[used], weights * flat[other[used], k], len(mine)) for k in range(3)]
    sums = np.stack(found, axis=1)
    sums /= np.maximum(np.linalg.norm(sums, axis=1), 1e-300)[:, None]
    return sums.astype(np.float32).reshape(-1, 3, 3)


def _voxel_normals(volume: Volume, voxels: _Ints, local: _Floats) -> _Floats:
    """Return normals of voxels: the visible side, smoothed by the occupied neighbors."""
    seen, which = np.unique(voxels, return_inverse=True)
    places = np.stack(np.unravel_index(seen, volume.resolution), axis=1)
    spacing = np.array(volume.spacing, np.float32)
    centers = ((places + 0.5) * volume.spacing + volume.origin).astype(np.float32)
    inside = (local - centers[which]) / spacing
    axis = np.argmax(np.abs(inside), axis=1)
    side = np.zeros(inside.shape, np.float32)
    rows = np.arange(len(axis))
    side[rows, axis] = np.sign(inside[rows, axis])
    return _unit((1.0 - _ROUNDED) * side + _ROUNDED * _slopes(volume, places, spacing)[which])


def _slopes(volume: Volume, places: _Ints, spacing: _Floats) -> _Floats:
    """Return unit vectors from occupied to empty neighbors of voxels, shape (n, 3); 0 if neighbors are balanced."""
    low, high = places.min(axis=0) - _SMOOTH, places.max(axis=0) + 1 + _SMOOTH
    begin, end = np.maximum(low, 0), np.minimum(high, volume.resolution)
    nx, ny, nz = (high - low).tolist()
    block = np.zeros((nx, ny, nz), np.int8)
    here = tuple(slice(b - a, e - a) for a, b, e in zip(low, begin, end, strict=True))
    block[here] = volume.occupied[tuple(slice(b, e) for b, e in zip(begin, end, strict=True))]
    strides = np.array((ny * nz, nz, 1))
    fragments = (places - low) @ strides
    flat = block.ravel()
    sums = np.zeros((len(places), 3), np.float32)
    steps = np.arange(-_SMOOTH, _SMOOTH + 1)
    for step in np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3):
        if 0 < step @ step <= _SMOOTH * _SMOOTH + 1:
            sums -= flat[fragments + step @ strides][:, None] * (step * spacing).astype(np.float32)
    return _unit(sums)
