"""Overlaps of two volumes: check the question, ask the kernels, word the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidQuery
from .results import Overlap
from .scene import Body
from .shapes import Volume

CULLS = ("box", "planes", "lines")
_ALL = 7
_WHOLE = 1e-9  # an offset this near to whole voxels is one
_DEPTH = 1e-9  # of the smaller spacing: cubes that share less only touch
_PARALLEL = 1e-9  # two edges whose directions differ by less have no axis across both
_UNTURNED = np.eye(3)


def overlap(
    a: Volume | Body, b: Volume | Body, pose: ArrayLike | None = None, *, sense: str = "centres", culls: Iterable[str] = CULLS
) -> Overlap:
    """Say whether two volumes overlap; the answer is true or false, and tells where on request.

    a, b: volumes, or two bodies that are. pose: where b is in a's frame, a 4x4 matrix or three numbers [length]; of bodies it
    is known.

    sense "centres" (as in the paper): an occupied voxel of a has its centre in one of b. Give the finer volume first.
    sense "cubes": an occupied voxel of a shares more than a touch with one of b, as cubes; never misses, and is slower. Where b
    lies a whole number of equal voxels away, both mean the same: a voxel is shared.

    culls: which of the three culls to use, "box", "planes", "lines"; they change the time, never the answer.
    """
    if isinstance(a, Body) and isinstance(b, Body):
        if pose is not None:
            raise InvalidQuery("pose: of two bodies their poses are known; leave it out")
        a.scene._check(b, "b")
        a, b, pose = _volume(a, "a"), _volume(b, "b"), _relative(a.pose, b.pose)
    if not isinstance(a, Volume) or not isinstance(b, Volume):
        name, value = ("b", b) if isinstance(a, Volume) else ("a", a)
        raise InvalidQuery(f"{name}: expected a Volume, or two bodies that are, got {checks.shown(value)}")
    checks.choice(sense, "sense", ("centres", "cubes"))
    used = _ALL if culls is CULLS else _bits_of(culls)
    place, matrix = _placed(pose)
    offset = None if place is None else _steps(a, b, place)
    if offset is not None:
        return _OnGrid(a, b, used, offset)
    if matrix is None:
        matrix = checks.pose(pose)
    return _Posed(a, b, used, matrix) if sense == "centres" else _Cubes(a, b, used, matrix)


def _volume(body: Body, name: str) -> Volume:
    if not isinstance(body._shape, Volume):
        raise InvalidQuery(f"{name}: body {body.id} ({body.name!r}) is a {type(body._shape).__name__}; expected a Volume")
    return body._shape


def _relative(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return pose b as seen from pose a; of equal turns it is exactly none."""
    pose = np.eye(4)
    turn = a[:3, :3].T
    if not np.array_equal(a[:3, :3], b[:3, :3]):
        pose[:3, :3] = turn @ b[:3, :3]
    pose[:3, 3] = turn @ (b[:3, 3] - a[:3, 3])
    return pose


def _bits_of(culls: Any) -> int:
    if isinstance(culls, str):
        raise InvalidQuery(f"culls: expected several of {', '.join(map(repr, CULLS))}, got the text {culls!r}")
    try:
        names = list(culls)
    except TypeError:
        raise InvalidQuery(f"culls: expected several of {', '.join(map(repr, CULLS))}, got {checks.shown(culls)}") from None
    for k, name in enumerate(names):
        checks.choice(name, f"culls[{k}]", CULLS)
    return sum(1 << n for n, name in enumerate(CULLS) if name in names)


_Place = tuple[float, float, float]


def _placed(pose: Any) -> tuple[_Place | None, NDArray[np.float64] | None]:
    """Return (where a pose puts things if it does not turn them, else None; the checked matrix, None if not needed so far).

    Common forms are read without a detour.
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
    """Return by how many voxels b lies from a if that is whole, else None."""
    if a._spacing != b._spacing:
        return None
    x, y, z = place
    p, q, s = a._origin, b._origin, a._spacing
    x, y, z = (x + q[0] - p[0]) / s[0], (y + q[1] - p[1]) / s[1], (z + q[2] - p[2]) / s[2]
    # Far away, and NaN, are the other path's affair.
    if not (abs(x) < 2**40 and abs(y) < 2**40 and abs(z) < 2**40):
        return None
    dx, dy, dz = round(x), round(y), round(z)
    if abs(x - dx) > _WHOLE or abs(y - dy) > _WHOLE or abs(z - dz) > _WHOLE:
        return None
    return dx, dy, dz


class _OnGrid(Overlap):
    """Both on one grid: words of 64 voxels, shifted."""

    __slots__ = ("_offset",)

    def __init__(self, a: Volume, b: Volume, culls: int, offset: tuple[int, int, int]) -> None:
        from .kernels import shared_voxels as kernel

        self._offset = offset
        found = kernel.first(*a._index, *b._index, *offset, culls)
        self._keep(a, b, culls, found)

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        from .kernels import shared_voxels as kernel

        a, b = self._volumes
        count, *slope = kernel.shared(a._bits, a._counts, b._bits, b._counts, *self._offset, places)
        return count, np.array(slope) / a.spacing

    def _left(self, culls: int) -> int:
        from .kernels import shared_voxels as kernel

        a, b = self._volumes
        return kernel.left(a._bits, a._spans, a._counts, b._bits, b._spans, b._counts, *self._offset, culls)

    def _towards(self) -> NDArray[np.float64]:
        a, b = self._volumes
        return (a.extent.sum(axis=0) - b.extent.sum(axis=0) - 2.0 * np.array(self._offset)) * a.spacing


class _Posed(Overlap):
    """Centres of a's voxels in b's, at any pose."""

    __slots__ = ("_turn", "_way")

    def __init__(self, a: Volume, b: Volume, culls: int, pose: NDArray[np.float64]) -> None:
        from .kernels.posed_voxels import way_between

        self._turn = pose[:3, :3]
        self._way = way_between(pose, a._origin, a._spacing, b._origin, b._spacing)
        self._keep(a, b, culls, self._first(a, b, culls))

    def _first(self, a: Volume, b: Volume, culls: int) -> bool:
        from .kernels import posed_voxels as kernel

        return kernel.first(*a._index, *b._index, self._way, culls)

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        from .kernels import posed_voxels as kernel

        a, b = self._volumes
        count, slopes = kernel.shared(a._bits, a._bundles, a._counts, b._bits, b._bundles, b._counts, self._way, places)
        return count, self._slope(slopes)

    def _slope(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b = self._volumes
        return slopes[:3] / a.spacing - self._turn @ (slopes[3:] / b.spacing)

    def _left(self, culls: int) -> int:
        from .kernels import posed_voxels as kernel

        a, b = self._volumes
        return kernel.left(a._bits, a._spans, a._counts, b._bits, b._spans, b._counts, self._way, culls)

    def _towards(self) -> NDArray[np.float64]:
        a, b = self._volumes
        # a's middle as b counts, and from there to b's, back in a's frame.
        there = self._way[:9].reshape(3, 3) @ (0.5 * a.extent.sum(axis=0)) + self._way[9:]
        return self._turn @ ((there - 0.5 * b.extent.sum(axis=0)) * b.spacing)


class _Cubes(_Posed):
    """Cubes against cubes, at any pose."""

    __slots__ = ("_axes",)

    def _first(self, a: Volume, b: Volume, culls: int) -> bool:
        from .kernels import posed_cubes as kernel

        self._axes = _axes(a, b, self._turn)
        return kernel.first(
            a._bits, a._bundles, a._counts, b._bits, b._bundles, b._counts, self._way, self._axes, b._spacing, culls
        )

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        from .kernels import posed_cubes as kernel

        a, b = self._volumes
        count, slopes = kernel.shared(
            a._bits, a._bundles, a._counts, b._bits, b._bundles, b._counts, self._way, self._axes, b._spacing, places
        )
        return count, self._slope(slopes)

    def _left(self, culls: int) -> int:
        from .kernels import posed_cubes as kernel

        a, b = self._volumes
        return kernel.left(a._bits, a._spans, a._counts, b._bits, b._counts, self._way, culls)


def _axes(a: Volume, b: Volume, turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the axes that may separate two voxels, and how far apart their centres must be along each: (n, 4), b's frame."""
    own, other = np.eye(3), turn  # a's axes in b's frame are the rows of the turn
    across = np.cross(own[:, None, :], other[None, :, :]).reshape(9, 3)
    sizes = np.linalg.norm(across, axis=1)
    kept = sizes > _PARALLEL
    axes = np.concatenate((own, other, across[kept] / sizes[kept][:, None]))
    reach = np.abs(axes) @ (0.5 * np.array(b._spacing)) + np.abs(axes @ other.T) @ (0.5 * np.array(a._spacing))
    limit = reach - _DEPTH * min(*a._spacing, *b._spacing)
    return np.column_stack((axes, limit))
