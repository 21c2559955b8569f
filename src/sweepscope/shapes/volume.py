"""Voxel volumes that change: a grid of opacity, each voxel occupied or not, free to be edited at any time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery
from .base import Shape
from .opacity import bound_of, checked_threshold, fitting, numbers, occupied, packed, refuse_nan
from .selection import Places, select

if TYPE_CHECKING:
    import trimesh

MOST_VOXELS = 2**31 - 1
MOST_ALONG = 2**24
"""Most voxels along an axis."""
NARROWEST = 1e-40
"""Least width of a voxel [length], as of all features."""

_Three = tuple[int, int, int]


class Volume(Shape):
    """Voxels of opacity alpha (nx, ny, nz), any numbers or booleans; a voxel is occupied, and can be hit, if alpha > threshold.

    spacing [length]: the width of a voxel, one number or three. origin [length]: where the low corner of voxel (0, 0, 0) lies,
    local. Voxel (i, j, k) is the cube from origin + (i, j, k) * spacing to origin + (i + 1, j + 1, k + 1) * spacing.
    keep_alpha: False keeps one bit a voxel instead of the numbers; the threshold is then fixed.

    Edit it by assignment, at any time: `volume[i0:i1, j0:j1, k0:k1] = values`, `volume[mask] = 0.0`,
    `volume.threshold = 0.5`. Only the lines that an edit touches are looked at again. Bodies that share a volume
    change with it.
    """

    __slots__ = (
        "_alpha",
        "_bits",
        "_bound",
        "_bundles",
        "_counts",
        "_origin",
        "_resolution",
        "_spacing",
        "_spans",
        "_surface",
        "_threshold",
        "_version",
    )

    def __init__(
        self,
        alpha: ArrayLike,
        spacing: ArrayLike = 1.0,
        origin: ArrayLike = (0.0, 0.0, 0.0),
        threshold: float = 0.0,
        *,
        keep_alpha: bool = True,
    ) -> None:
        given = numbers(alpha, "alpha")
        if given.ndim != 3:
            raise InvalidGeometry(f"alpha: expected an array of shape (nx, ny, nz), got shape {given.shape}")
        resolution = checked_resolution(given.shape, "alpha")
        steps = checked_spacing(spacing)
        corner = checks.vector(_tuple(origin), "origin", InvalidGeometry)
        limit = checked_threshold(threshold)
        keep = checks.flag(keep_alpha, "keep_alpha")
        refuse_nan(given, "alpha")
        kept = None
        if keep:
            checks.room(given.nbytes, f"alpha of shape {given.shape} and dtype {given.dtype}", InvalidGeometry)
            kept = np.array(given, dtype=given.dtype.newbyteorder("="), order="C")
        self._start(resolution, steps, corner, limit)
        self._bound = bound_of(limit, given.dtype)
        self._alpha = kept
        self._pack(given)

    @classmethod
    def of_mesh(
        cls,
        mesh: Shape | trimesh.Trimesh,
        spacing: ArrayLike,
        *,
        origin: ArrayLike | None = None,
        resolution: tuple[int, int, int] | None = None,
        keep_alpha: bool = True,
    ) -> Volume:
        """Return the voxels whose centres lie inside a closed mesh, by its crossings with lines along z; alpha is booleans.

        By default the grid covers the mesh and is centred on it; origin and resolution (nx, ny, nz) place it elsewhere.
        A centre on the surface counts on low sides, not on high ones. Inside is as everywhere: where the winding number is not
        zero, so parts may overlap; where triangles look any way, an odd number of crossings.
        """
        from ..fill import of_mesh

        return of_mesh(mesh, spacing, origin=origin, resolution=resolution, keep_alpha=keep_alpha)

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        spacing: ArrayLike | None = None,
        origin: ArrayLike | None = None,
        threshold: float | None = None,
        keep_alpha: bool | None = None,
        key: str | None = None,
    ) -> Volume:
        """Read a volume from a .npy or .npz file. What is given here goes before what the file says.

        keep_alpha: None keeps what the file has: alpha, or the bits alone.
        key: which array of an .npz holds alpha; needed only if there are several and none is called "alpha".
        """
        from ..io.volumes import read_volume

        return read_volume(path, spacing=spacing, origin=origin, threshold=threshold, keep_alpha=keep_alpha, key=key)

    def save(self, path: str | PathLike[str]) -> None:
        """Write alpha (or the bits, if alpha was not kept), spacing, origin and threshold into an .npz file."""
        from ..io.volumes import write_volume

        write_volume(self, path)

    @classmethod
    def _of_bits(
        cls,
        bits: NDArray[np.uint64],
        resolution: _Three,
        spacing: tuple[float, float, float],
        origin: tuple[float, float, float],
        keep_alpha: bool,
    ) -> Volume:
        """Return the volume of packed words, laid out as in `kernels.bits`; the array is kept. Its alpha is booleans."""
        from ..kernels import bits as kernel

        volume = cls.__new__(cls)
        volume._start(resolution, spacing, origin, 0.0)
        volume._bound = bound_of(0.0, np.dtype(np.bool_))
        volume._bits = bits
        kernel.index(*volume._index)
        if keep_alpha:
            checks.room(math.prod(resolution), f"alpha of shape {resolution}", InvalidGeometry)
            volume._alpha = volume.occupied
        return volume

    def _start(
        self, resolution: _Three, spacing: tuple[float, float, float], origin: tuple[float, float, float], threshold: float
    ) -> None:
        """Set up an empty volume."""
        nx, ny, nz = resolution
        super().__init__(np.zeros((0, 3)), np.zeros((0, 3), np.int32), 0.0, solid=True)
        self._resolution, self._spacing, self._origin, self._threshold = resolution, spacing, origin, threshold
        self._alpha: NDArray[Any] | None = None
        self._bits = np.zeros((nx, ny, -(-nz // 64)), np.uint64)
        self._spans = np.empty((2, nx, ny), np.int32)
        self._bundles = np.zeros((-(-nx // 8), -(-ny // 8), self._bits.shape[2]), np.uint64)
        self._counts = np.zeros(nx + ny + nz + 7, np.int64)
        self._spans[0] = nz
        self._spans[1] = -1
        self._surface: tuple[int, NDArray[np.float64], NDArray[np.int32]] | None = None  # and of which version
        self._version = 0

    def _pack(self, alpha: NDArray[Any]) -> None:
        """Write all bits anew."""
        from ..kernels import bits as kernel

        nx, ny, nz = self._resolution
        # Slab by slab: of a large volume no second copy is made.
        slab = max(1, 2**22 // max(1, ny * nz))
        for i in range(0, nx, slab):
            some = packed(occupied(alpha[i : i + slab], self._bound))
            self._bits.view(np.uint8)[i : i + slab, :, : some.shape[2]] = some
        kernel.index(*self._index)

    @property
    def alpha(self) -> NDArray[Any]:
        """Opacities, shape (nx, ny, nz), read-only: edit the volume itself."""
        if self._alpha is None:
            raise InvalidGeometry("alpha: was not kept (keep_alpha=False); .occupied tells which voxels are over the threshold")
        view = self._alpha.view()
        view.setflags(write=False)
        return view

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """Which voxels are over the threshold, a fresh array of shape (nx, ny, nz)."""
        return self._block((0, 0, 0), self._resolution)

    @property
    def resolution(self) -> _Three:
        """How many voxels along x, y and z."""
        return self._resolution

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Widths of a voxel [length]."""
        return self._spacing

    @property
    def origin(self) -> tuple[float, float, float]:
        """Where the low corner of voxel (0, 0, 0) lies [length], local."""
        return self._origin

    @property
    def threshold(self) -> float:
        """A voxel is occupied if its alpha is greater. Assign another to look at all voxels again."""
        return self._threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        limit = checked_threshold(value)
        if self._alpha is None:
            raise InvalidGeometry("threshold: alpha was not kept (keep_alpha=False), so the threshold cannot change")
        before = self._bits
        self._threshold, self._bound = limit, bound_of(limit, self._alpha.dtype)
        self._bits = np.zeros_like(before)
        self._pack(self._alpha)
        if not np.array_equal(before, self._bits):
            self._version += 1

    @property
    def count(self) -> int:
        """How many voxels are occupied."""
        return int(self._counts[-1])

    @property
    def empty(self) -> bool:
        """True if no voxel is occupied: there is nothing to hit."""
        return self.count == 0

    @property
    def extent(self) -> NDArray[np.int64]:
        """Lowest index and one past the highest of the occupied voxels, shape (2, 3); zeros if there is none."""
        return self._counts[-7:-1].reshape(2, 3).copy()

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Box of the occupied voxels [length], shape (2, 3), local; NaN if there is none."""
        if self.empty:
            return checks.fixed(np.full((2, 3), np.nan))
        box = np.array(self._origin) + self.extent * np.array(self._spacing, np.float64)
        box.setflags(write=False)
        return box

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Corners of the surface of the occupied voxels [length], shape (n, 3), local, read-only; made when asked for."""
        return self._mesh()[0]

    @property
    def faces(self) -> NDArray[np.int32]:
        """That surface: two triangles for every side of an occupied voxel that looks out, shape (m, 3), read-only."""
        return self._mesh()[1]

    def _mesh(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        from ..surface import surface_of

        if self._surface is None or self._surface[0] != self._version:
            vertices, faces = surface_of(self)
            faces.setflags(write=False)
            self._surface = self._version, checks.fixed(vertices), faces
        return self._surface[1], self._surface[2]

    @property
    def planes(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """How many voxels are occupied in each plane across x, across y and across z."""
        nx, ny, nz = self._resolution
        return self._counts[:nx].copy(), self._counts[nx : nx + ny].copy(), self._counts[nx + ny : nx + ny + nz].copy()

    @property
    def lines(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Lowest and highest occupied k of each line along z, shape (nx, ny); nz and -1 where there is none."""
        return self._spans[0].copy(), self._spans[1].copy()

    @property
    def version(self) -> int:
        """Grows with every change of which voxels are occupied."""
        return self._version

    @property
    def nbytes(self) -> int:
        """How much memory it takes: opacities and index."""
        kept = 0 if self._alpha is None else self._alpha.nbytes
        return kept + self._bits.nbytes + self._spans.nbytes + self._bundles.nbytes + self._counts.nbytes

    def copy(self) -> Volume:
        """Return a volume of its own that is equal now and may be edited apart."""
        other = type(self).__new__(type(self))
        other._start(self._resolution, self._spacing, self._origin, self._threshold)
        other._bound = self._bound
        other._alpha = None if self._alpha is None else self._alpha.copy()
        for mine, new in zip(self._index, other._index, strict=True):
            new[...] = mine
        return other

    __copy__ = copy

    @property
    def _index(self) -> tuple[NDArray[Any], ...]:
        """All that kernels take: bits, spans, bundles, counts."""
        return self._bits, self._spans, self._bundles, self._counts

    def __getitem__(self, key: Any) -> NDArray[Any]:
        """Return opacities, or booleans if they were not kept: a copy, so that `volume[key] -= 0.1` works. numpy's indices."""
        if self._alpha is not None:
            return self._alpha[key].copy()
        chosen = select(key, self._resolution)
        if isinstance(chosen, Places):
            i, j, k = chosen.voxels
            found = (self._bits[i, j, k >> 6] >> (k & 63).astype(np.uint64)) & np.uint64(1)
            return found.astype(np.bool_).reshape(chosen.shape)
        high = tuple(a + n for a, n in zip(chosen.low, chosen.sizes, strict=True))
        return self._block(chosen.low, (high[0], high[1], high[2])).reshape(chosen.shape)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Yield the planes across x."""
        return (self[i] for i in range(self._resolution[0]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return all opacities, or booleans if they were not kept, for numpy: always a copy."""
        if copy is False:
            raise ValueError("a Volume hands out copies only; volume.alpha is a view, read-only")
        return np.array(self.occupied if self._alpha is None else self._alpha, dtype)

    def voxel_at(self, points: ArrayLike) -> NDArray[np.int64]:
        """Return the indices of the voxels that hold points [length], shape (..., 3), local; beyond the grid too.

        As for overlaps, a point within 1e-9 of a width below a face belongs to the voxel above.
        """
        places = (_triples(points, "points") - self._origin) / self._spacing + 1e-9
        if not (np.abs(places) < 2.0**62).all():
            raise InvalidQuery("points: some are not finite, or too far away for their voxels to be counted")
        return np.floor(places).astype(np.int64)

    def centre_of(self, voxels: ArrayLike) -> NDArray[np.float64]:
        """Return the centres [length], shape (..., 3), local, of voxels given by their indices."""
        return self._origin + (_triples(voxels, "voxels") + 0.5) * self._spacing

    def with_vertices(self, vertices: NDArray[np.float64]) -> Shape:
        """Refuse: a volume's vertices follow its voxels."""
        raise InvalidGeometry("a Volume takes no vertices; edit it instead: volume[...] = values")

    def __setitem__(self, key: Any, values: ArrayLike) -> None:
        """Give voxels new opacities; the volume is changed as a whole or, if there is an error, not at all."""
        from ..kernels import bits as kernel

        given = numbers(values, "values")
        chosen = select(key, self._resolution)
        # The shape first: what does not fit is neither looked through nor converted, however large it is.
        if given.ndim and given.shape != chosen.shape:
            try:
                np.broadcast_to(given, chosen.shape)
            except ValueError:
                raise InvalidGeometry(
                    f"values: expected shape {chosen.shape}, or what numpy spreads to it, got {given.shape}"
                ) from None
        refuse_nan(given, "values")
        if self._alpha is not None:
            given = fitting(given, self._alpha.dtype)
        if given.ndim and given.shape != chosen.shape:
            given = np.broadcast_to(given, chosen.shape)
        bound = bound_of(self._threshold, given.dtype) if self._alpha is None else self._bound
        over = np.asarray(occupied(given, bound))
        # The bits first: values may be a view of alpha itself, which numpy then copies as it should.
        if isinstance(chosen, Places):
            over = np.broadcast_to(over, chosen.shape).ravel()
            changed = kernel.put_each(chosen.voxels, over, *self._index)
            if self._alpha is not None:
                self._alpha[tuple(chosen.voxels)] = given.ravel() if given.ndim else given
        else:
            i, j, k = chosen.low
            a, b, c = chosen.sizes
            over = over.reshape(chosen.sizes) if over.ndim else np.full(chosen.sizes, bool(over))
            changed = kernel.put(packed(over), c, i, j, k, *self._index)
            if self._alpha is not None:
                self._alpha[i : i + a, j : j + b, k : k + c] = given.reshape(chosen.sizes) if given.ndim else given
        if changed:
            self._version += 1

    def _block(self, low: _Three, high: _Three) -> NDArray[np.bool_]:
        """Return which voxels from low up to high (left out) are occupied."""
        from ..kernels import bits as kernel

        return kernel.unpacked(self._bits, low[0], high[0], low[1], high[1], low[2], high[2])

    def __repr__(self) -> str:
        grid = " x ".join(map(str, self._resolution))
        return f"<Volume: {grid} voxels, {self.count} occupied>"


def checked_resolution(shape: tuple[int, ...], name: str) -> _Three:
    """Return a grid's shape if it is not too large."""
    voxels = math.prod(int(n) for n in shape)
    if voxels > MOST_VOXELS:
        grid = " x ".join(f"{n}" for n in shape)
        raise InvalidGeometry(f"{name}: {grid} are {voxels:,} voxels; a volume has at most {MOST_VOXELS:,}")
    for axis, n in enumerate(shape):
        if n > MOST_ALONG:
            raise InvalidGeometry(f"{name}: has {n:,} voxels along axis {axis}; at most {MOST_ALONG:,}")
    return int(shape[0]), int(shape[1]), int(shape[2])


def checked_spacing(value: ArrayLike) -> tuple[float, float, float]:
    """Return value, one length or three, as three lengths over 0."""
    single = np.ndim(value) == 0 if isinstance(value, np.ndarray) else not isinstance(value, (list, tuple))
    if single:
        x, y, z = (checks.number(value, "spacing", InvalidGeometry),) * 3
    else:
        x, y, z = checks.vector(_tuple(value), "spacing", InvalidGeometry)
    for k, width in enumerate((x, y, z)):
        if not NARROWEST <= width <= checks.LARGEST:
            name = "spacing" if single else f"spacing[{k}]"
            raise InvalidGeometry(
                f"{name} is {width}; it must be finite, greater than 0, and {NARROWEST:g} to {checks.LARGEST:g}"
            )
    return x, y, z


def _triples(value: ArrayLike, name: str) -> NDArray[np.float64]:
    given = checks.array(value, name, "numbers, three each", InvalidQuery)
    if given.ndim == 0 or given.shape[-1] != 3:
        raise InvalidQuery(f"{name}: expected shape (..., 3), got {given.shape}")
    return given.astype(np.float64)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, np.ndarray) and value.ndim == 1 else value
