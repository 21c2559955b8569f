"""Overlap of two shapes: check the arguments, call the kernels, make the result."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..results import OverlapResult
from ..shapes import Volume
from ..shapes.given import ShapeLike
from ..shapes.voxel_index import index_of
from ..world.body import Body, entry_of

CULLS = ("box", "planes", "lines")
_ALL = 7
_FARTHEST = 2**40  # voxels; a larger offset is not whole
_WHOLE = 1e-9  # an offset this near to a whole number of voxels is whole
_DEPTH = 1e-9  # fraction of the smaller spacing: cubes that share less only touch
_PARALLEL = 1e-9  # edges whose directions differ by less are parallel: their cross product is not an axis
_UNTURNED = np.eye(3)


@overload
def overlap(
    a: Volume | Body,
    b: Volume | Body,
    pose: checks.PoseLike | None = None,
    *,
    sense: str = "centers",
    culls: Iterable[str] = CULLS,
) -> OverlapResult: ...


@overload
def overlap(a: ShapeLike, b: ShapeLike, pose: checks.PoseLike | None = None) -> bool: ...


def overlap(
    a: ShapeLike | Body,
    b: ShapeLike | Body,
    pose: checks.PoseLike | None = None,
    *,
    sense: str = "centers",
    culls: Iterable[str] = CULLS,
) -> OverlapResult | bool:
    """Return whether two shapes overlap. Of two volumes the result has details, which are computed on request.

    a, b: two shapes, or two bodies that are volumes; of other bodies: `scene.overlaps(a, b)`. pose: of b in a's frame, a 4x4
    matrix or three numbers [length]; leave it out for bodies.

    Two volumes: sense "centers": the center of an occupied voxel of a lies in one of b. Give the finer volume first. Sense
    "cubes": the cube of an occupied voxel of a overlaps that of one of b; never misses, and is slower. If both volumes have
    equal voxels on one grid, the two senses are the same. culls: which of the three culls to use, "box", "planes", "lines";
    they change the time, never the result.

    Other shapes: they cross by more than the tolerance, 1e-9 of the larger one, or one is inside the other.
    """
    if isinstance(a, Body) and isinstance(b, Body):
        if pose is not None:
            raise InvalidQuery("pose: two bodies have their own poses; leave it out")
        entry_of(a).home().check(b, "b")
        a, b, pose = _volume(a, "a"), _volume(b, "b"), _relative(a.pose, b.pose)
    if not isinstance(a, Volume) or not isinstance(b, Volume):
        from .two_shapes import TwoShapes  # not before it is needed: importing kernels takes a second

        check_voxel_options(sense, culls)
        return bool(TwoShapes(a, b).overlap_at(checks.pose(pose)[None])[0])
    checks.choice(sense, "sense", ("centers", "cubes"))
    used = cull_bits(culls)
    place, matrix = _placed(pose)
    offset = None if place is None else _steps(a, b, place)
    if offset is not None:
        return _OnGrid(a, b, used, offset)
    if matrix is None:
        matrix = checks.pose(pose)
    return _Posed(a, b, used, matrix) if sense == "centers" else _Cubes(a, b, used, matrix)


def check_voxel_options(sense: str, culls: Iterable[str]) -> None:
    """Raise if options of two volumes are given for other shapes."""
    if sense != "centers" or culls is not CULLS:
        raise InvalidQuery("sense, culls: accepted if a and b are volumes")


def _volume(body: Body, name: str) -> Volume:
    entry = entry_of(body)
    if entry.volume is None:
        raise InvalidQuery(
            f"{name}: {entry} is a {type(entry.shape).__name__}; expected a Volume; of other bodies: scene.overlaps(a, b)"
        )
    return entry.volume


def _relative(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return pose b in the frame of pose a; equal orientations give exactly the identity."""
    pose = np.eye(4)
    turn = a[:3, :3].T
    if not np.array_equal(a[:3, :3], b[:3, :3]):
        pose[:3, :3] = turn @ b[:3, :3]
    pose[:3, 3] = turn @ (b[:3, 3] - a[:3, 3])
    return pose


def overlaps_of(a: Volume, b: Volume, poses: NDArray[np.float64], sense: str, culls: int, found: NDArray[np.bool_]) -> None:
    """Write whether two volumes overlap at each of some checked poses, shape (n, 4, 4), to `found`. culls: as bits."""
    from ..kernels.voxel import posed

    whole, offsets = _whole_offsets(a, b, poses)
    found[whole] = _on_grid().first_at(*index_of(a), *index_of(b), offsets[whole], culls)
    others = poses[~whole]
    if sense == "centers":
        found[~whole] = posed.first_at(*index_of(a), *index_of(b), others, a.origin, a.spacing, b.origin, b.spacing, culls)
    else:
        found[~whole] = [bool(_Cubes(a, b, culls, pose)) for pose in others]


def _whole_offsets(a: Volume, b: Volume, poses: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return for each pose whether it places both volumes on one grid, and the offset of b from a in voxels, shape (n, 3)."""
    if a.spacing != b.spacing:
        return np.zeros(len(poses), np.bool_), np.zeros((len(poses), 3), np.int64)
    steps = (poses[:, :3, 3] + b.origin - a.origin) / a.spacing
    offsets = np.round(steps)
    whole = (np.abs(steps) < _FARTHEST) & (np.abs(steps - offsets) <= _WHOLE)
    whole = whole.all(axis=1) & (poses[:, :3, :3] == _UNTURNED).all(axis=(1, 2))
    return whole, np.where(whole[:, None], offsets, 0.0).astype(np.int64)


def cull_bits(culls: Iterable[str]) -> int:
    """Return which culls to use, as bits for kernels."""
    if culls is CULLS:
        return _ALL
    expected = f"several of {checks.listed(CULLS)}"
    names = checks.items(culls, "culls", expected)
    for k, name in enumerate(names):
        checks.choice(name, f"culls[{k}]", CULLS)
    return sum(1 << n for n, name in enumerate(CULLS) if name in names)


_Place = tuple[float, float, float]


def _placed(pose: Any) -> tuple[_Place | None, NDArray[np.float64] | None]:
    """Return (the position of a pose that does not turn, else None; the checked matrix, None if it was not needed).

    Common forms take a short path.
    """
    if pose is None:
        return (0.0, 0.0, 0.0), None
    if type(pose) is np.ndarray and pose.dtype == np.float64:
        if pose.shape == (3,):
            x, y, z = pose.tolist()
            return (x, y, z), None
        if pose.shape == (4, 4):
            first, second, third, last = pose.tolist()
            if first[:3] == [1, 0, 0] and second[:3] == [0, 1, 0] and third[:3] == [0, 0, 1] and last == [0, 0, 0, 1]:
                return (first[3], second[3], third[3]), None
            return None, checks.pose(pose)
    elif type(pose) in (tuple, list) and len(pose) == 3:
        x, y, z = pose
        plain = type(x) is type(y) is type(z) is float or type(x) is type(y) is type(z) is int
        if plain and max(abs(x), abs(y), abs(z)) <= checks.LARGEST:
            return (x, y, z), None
    matrix = checks.pose(pose)
    if (matrix[:3, :3] == _UNTURNED).all():
        x, y, z = matrix[:3, 3].tolist()
        return (x, y, z), matrix
    return None, matrix


def _steps(a: Volume, b: Volume, place: _Place) -> tuple[int, int, int] | None:
    """Return the offset of b from a in voxels if that is whole, else None."""
    if a.spacing != b.spacing:
        return None
    x, y, z = place
    p, q, s = a.origin, b.origin, a.spacing
    x, y, z = (x + q[0] - p[0]) / s[0], (y + q[1] - p[1]) / s[1], (z + q[2] - p[2]) / s[2]
    # The general path handles NaN and large offsets.
    if not (abs(x) < _FARTHEST and abs(y) < _FARTHEST and abs(z) < _FARTHEST):
        return None
    dx, dy, dz = round(x), round(y), round(z)
    if abs(x - dx) > _WHOLE or abs(y - dy) > _WHOLE or abs(z - dz) > _WHOLE:
        return None
    return dx, dy, dz


@cache
def _on_grid() -> Any:
    """Return the kernels of volumes on one grid, imported once: an import statement takes as long as a small question."""
    from ..kernels.voxel import shared

    return shared


class _OnGrid(OverlapResult):
    """Both volumes on one grid: shifted words of 64 voxels."""

    __slots__ = ("_offset",)

    def __init__(self, a: Volume, b: Volume, culls: int, offset: tuple[int, int, int]) -> None:
        self._offset = offset
        self._set(a, b, culls, _on_grid().first(*index_of(a), *index_of(b), *offset, culls))

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        a, b = self._volumes
        count, *slope = _on_grid().shared(*index_of(a), *index_of(b), *self._offset, places)
        return count, np.array(slope) / a.spacing

    def _remaining(self, culls: int) -> int:
        a, b = self._volumes
        return _on_grid().count_remaining(*index_of(a), *index_of(b), *self._offset, culls)

    @property
    def pose(self) -> NDArray[np.float64]:
        """Pose of the second volume in the frame of the first, shape (4, 4)."""
        a, b = self._volumes
        pose = np.eye(4)
        pose[:3, 3] = np.array(self._offset) * a.spacing - b.origin + a.origin
        return pose

    def _towards(self) -> NDArray[np.float64]:
        a, b = self._volumes
        return (a.extent.sum(axis=0) - b.extent.sum(axis=0) - 2.0 * np.array(self._offset)) * a.spacing


class _Posed(OverlapResult):
    """Centers of a's voxels in voxels of b, at any pose."""

    __slots__ = ("_index_map", "_pose", "_turn")

    def __init__(self, a: Volume, b: Volume, culls: int, pose: NDArray[np.float64]) -> None:
        from ..kernels.voxel.posed import index_map_between

        self._pose, self._turn = pose, pose[:3, :3]
        # From indices of a to indices of b: a 3x3 matrix and an offset.
        self._index_map = index_map_between(pose, a.origin, a.spacing, b.origin, b.spacing)
        self._set(a, b, culls, self._first(a, b, culls))

    @property
    def pose(self) -> NDArray[np.float64]:
        """Pose of the second volume in the frame of the first, shape (4, 4)."""
        return self._pose.copy()

    def _first(self, a: Volume, b: Volume, culls: int) -> bool:
        from ..kernels.voxel import posed as kernel

        return kernel.first(*index_of(a), *index_of(b), self._index_map, culls)

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        from ..kernels.voxel import posed as kernel

        a, b = self._volumes
        count, slopes = kernel.shared(*index_of(a), *index_of(b), self._index_map, places)
        return count, self._slope(slopes)

    def _slope(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b = self._volumes
        return slopes[:3] / a.spacing - self._turn @ (slopes[3:] / b.spacing)

    def _remaining(self, culls: int) -> int:
        from ..kernels.voxel import posed as kernel

        a, b = self._volumes
        return kernel.count_remaining(*index_of(a), *index_of(b), self._index_map, culls)

    def _towards(self) -> NDArray[np.float64]:
        a, b = self._volumes
        middle = self._index_map[:9].reshape(3, 3) @ (0.5 * a.extent.sum(axis=0)) + self._index_map[9:]  # of a, in b's indices
        return self._turn @ ((middle - 0.5 * b.extent.sum(axis=0)) * b.spacing)


class _Cubes(_Posed):
    """Cubes against cubes, at any pose."""

    __slots__ = ("_axes",)

    def _first(self, a: Volume, b: Volume, culls: int) -> bool:
        from ..kernels.voxel import cubes as kernel

        self._axes = _axes(a, b, self._turn)
        return kernel.first(*index_of(a), *index_of(b), self._index_map, self._axes, b.spacing, culls)

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        from ..kernels.voxel import cubes as kernel

        a, b = self._volumes
        count, slopes = kernel.shared(*index_of(a), *index_of(b), self._index_map, self._axes, b.spacing, places)
        return count, self._slope(slopes)

    def _remaining(self, culls: int) -> int:
        from ..kernels.voxel import cubes as kernel

        a, b = self._volumes
        return kernel.count_remaining(*index_of(a), *index_of(b), self._index_map, culls)


def _axes(a: Volume, b: Volume, turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the axes that may separate two voxels, and the least separating distance of their centers: (n, 4), b's frame."""
    own, other = np.eye(3), turn  # a's axes in b's frame are the rows of the turn
    across = np.cross(own[:, None, :], other[None, :, :]).reshape(9, 3)
    sizes = np.linalg.norm(across, axis=1)
    used = sizes > _PARALLEL
    axes = np.concatenate((own, other, across[used] / sizes[used][:, None]))
    reach = np.abs(axes) @ (0.5 * np.array(b.spacing)) + np.abs(axes @ other.T) @ (0.5 * np.array(a.spacing))
    limit = reach - _DEPTH * min(*a.spacing, *b.spacing)
    return np.column_stack((axes, limit))
