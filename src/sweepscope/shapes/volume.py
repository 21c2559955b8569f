"""Voxel volumes: a grid of opacities, each voxel occupied or not. They can be edited at any time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidIndex, InvalidQuery
from ..immutable import twin
from ..kernels.tolerances import TIE
from ..renderers import Drawable, renderer_for
from .base import Shape
from .opacity import bound_of, checked_threshold, fitting, numbers, occupied, pack, packed, refuse_nan
from .selection import Places, VoxelKey, select
from .voxel_index import VoxelIndex, index_of

if TYPE_CHECKING:
    from ..drawing.palette import Color
    from ..drawing.picture import Picture
    from ..foreign import MeshLike
    from ..formats.file_reader import Limits

_Three = tuple[int, int, int]


class Volume(Shape, Drawable):
    """Voxels of opacity alpha (nx, ny, nz), numbers or booleans. A voxel is occupied, and can be hit, if alpha > threshold.

    inclusive: if alpha >= threshold instead; with a threshold of 0, empty space is occupied too.
    spacing [length]: width of a voxel, one number or three. origin [length]: low corner of voxel (0, 0, 0), local. Voxel
    (i, j, k) is the cube from origin + (i, j, k) * spacing to origin + (i + 1, j + 1, k + 1) * spacing.
    keep_alpha: False stores one bit per voxel instead of alpha; the threshold is then fixed.

    Edit it by assignment, at any time: `volume[i0:i1, j0:j1, k0:k1] = values`, `volume[mask] = 0.0`,
    `volume.threshold = 0.5`. An edit updates only the lines that it touches. Bodies that share a volume change with it.
    """

    __slots__ = (
        "_alpha",
        "_bound",
        "_inclusive",
        "_index",
        "_origin",
        "_resolution",
        "_spacing",
        "_surface",
        "_threshold",
        "_version",
    )

    def __init__(
        self,
        alpha: ArrayLike,
        spacing: ArrayLike = 1.0,
        *,
        origin: ArrayLike = (0.0, 0.0, 0.0),
        threshold: float = 0.0,
        inclusive: bool = False,
        keep_alpha: bool = True,
    ) -> None:
        given = numbers(alpha, "alpha")
        if given.ndim != 3:
            raise InvalidGeometry(f"alpha: expected an array of shape (nx, ny, nz), got shape {given.shape}")
        resolution = checks.resolution(given.shape, "alpha")
        steps = checks.spacing(spacing)
        corner = checks.vector(_tuple(origin), "origin", InvalidGeometry)
        limit, closed = checked_threshold(threshold), checks.flag(inclusive, "inclusive")
        keep = checks.flag(keep_alpha, "keep_alpha")
        copied = None
        if keep:
            checks.require_memory(given.nbytes, f"alpha of shape {given.shape} and dtype {given.dtype}", InvalidGeometry)
            copied = np.zeros(given.shape, given.dtype.newbyteorder("="))
        self._start(resolution, steps, corner, limit, closed)
        self._bound = bound_of(limit, given.dtype, closed)
        self._alpha = copied
        self._pack(given, copied)

    @classmethod
    def from_mesh(
        cls,
        mesh: Shape | MeshLike,
        spacing: ArrayLike,
        *,
        origin: ArrayLike | None = None,
        resolution: tuple[int, int, int] | None = None,
        keep_alpha: bool = True,
    ) -> Volume:
        """Return the voxels whose centers lie inside a closed mesh, from its crossings with lines along z; alpha is boolean.

        By default the grid covers the mesh and is centered on it; origin and resolution (nx, ny, nz) set another grid. A center
        on the surface counts as inside on low sides, not on high sides. Inside means a winding number other than zero, so parts
        may overlap; if triangles are not oriented consistently, an odd number of crossings.
        """
        from .voxelize import bits_inside

        keep = checks.flag(keep_alpha, "keep_alpha")
        return cls._from_bits(*bits_inside(mesh, spacing, origin=origin, resolution=resolution), keep)

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        spacing: ArrayLike | None = None,
        origin: ArrayLike | None = None,
        threshold: float | None = None,
        inclusive: bool | None = None,
        keep_alpha: bool | None = None,
        key: str | None = None,
        limits: Limits | None = None,
    ) -> Volume:
        """Read a volume from a .npy or .npz file. Arguments override values in the file.

        keep_alpha: None stores what the file has: alpha, or bits only.
        key: name of the array in an .npz that holds alpha; needed only if there are several and none is called "alpha".
        limits: how large the file may be, and what it unpacks to; None for the usual ones.
        """
        from ..formats.volumes import read_arrays

        file = read_arrays(path, key, limits)
        keep = not file.packed if keep_alpha is None else checks.flag(keep_alpha, "keep_alpha")
        step, corner = file.given("spacing", spacing, 1.0), file.given("origin", origin, (0.0, 0.0, 0.0))
        limit, closed = file.given("threshold", threshold, 0.0), file.given("inclusive", inclusive, False)
        with checks.prefixed(str(file.path)):
            if not file.packed:
                return cls(file.alpha, step, origin=corner, threshold=limit, inclusive=closed, keep_alpha=keep)
            for name, value in (("threshold", threshold), ("inclusive", inclusive)):
                if value is not None:
                    raise InvalidGeometry(f"{name} is {checks.shown(value)}, but the file holds bits, no alpha")
            place, closed = checks.vector(corner, "origin", InvalidGeometry), checks.flag(closed, "inclusive")
            return cls._from_bits(*file.bits, checks.spacing(step), place, keep, checked_threshold(limit), closed)

    def save(self, path: str | PathLike[str]) -> None:
        """Write alpha (or the bits, if alpha was not stored), spacing, origin and threshold to an .npz file."""
        from ..formats.volumes import write_arrays

        about: dict[str, Any] = {"spacing": self._spacing, "origin": self._origin, "threshold": self._threshold}
        if self._inclusive:
            about["inclusive"] = True
        if self._alpha is None:
            about["resolution"] = self._resolution
        # Booleans compress well; measured values hardly do, and take long.
        write_arrays(path, arrays_of(self) | about, packed=self._alpha is None or self._alpha.dtype == np.bool_)

    @classmethod
    def _from_bits(
        cls,
        bits: NDArray[np.uint64],
        resolution: _Three,
        spacing: tuple[float, float, float],
        origin: tuple[float, float, float],
        keep_alpha: bool,
        threshold: float = 0.0,
        inclusive: bool = False,
    ) -> Volume:
        """Return the volume of packed words, as in `kernels.voxel.bits`; the array is not copied. Its alpha is boolean.

        threshold, inclusive: for later edits if alpha is not stored.
        """
        volume = cls.__new__(cls)
        limit = (0.0, False) if keep_alpha else (threshold, inclusive)
        volume._take(bits, resolution, spacing, origin, keep_alpha, *limit)  # noqa: SLF001  (an alternative constructor)
        return volume

    def _take(
        self,
        bits: NDArray[np.uint64],
        resolution: _Three,
        spacing: tuple[float, float, float],
        origin: tuple[float, float, float],
        keep_alpha: bool,
        threshold: float,
        inclusive: bool,
    ) -> None:
        from ..kernels.voxel import bits as kernel

        self._start(resolution, spacing, origin, threshold, inclusive)
        self._bound = bound_of(0.0, np.dtype(np.bool_))
        self._index = self._index._replace(bits=bits)
        kernel.index(*self._index)
        if keep_alpha:
            checks.require_memory(math.prod(resolution), f"alpha of shape {resolution}", InvalidGeometry)
            self._alpha = self.occupied

    def _start(
        self,
        resolution: _Three,
        spacing: tuple[float, float, float],
        origin: tuple[float, float, float],
        threshold: float,
        inclusive: bool,
    ) -> None:
        """Initialise an empty volume."""
        nx, ny, nz = resolution
        self._set_arrays(np.zeros((0, 3)), np.zeros((0, 3), np.int32), solid=True)
        self._resolution, self._spacing, self._origin = resolution, spacing, origin
        self._threshold, self._inclusive = threshold, inclusive
        self._alpha: NDArray[Any] | None = None
        words = -(-nz // 64)
        spans = np.empty((2, nx, ny), np.int32)
        spans[0], spans[1] = nz, -1
        self._index = VoxelIndex(
            np.zeros((nx, ny, words), np.uint64),
            spans,
            np.zeros((-(-nx // 8), -(-ny // 8), words), np.uint64),
            np.zeros(nx + ny + nz + 7, np.int64),
        )
        self._surface: tuple[int, NDArray[np.float64], NDArray[np.int32]] | None = None  # with its version
        self._version = 0

    def _pack(self, alpha: NDArray[Any], copy: NDArray[Any] | None = None) -> None:
        """Write all bits again; copy: zeros, that get the opacities too."""
        from ..kernels.voxel import bits as kernel

        if not pack(alpha, self._bound, self._index.bits, copy):
            refuse_nan(alpha, "alpha")
        kernel.index(*self._index)

    @property
    def alpha(self) -> NDArray[Any]:
        """Opacities, shape (nx, ny, nz), read-only: edit the volume itself."""
        if self._alpha is None:
            raise InvalidGeometry("alpha: was not stored (keep_alpha=False); .occupied has the voxels that can be hit")
        view = self._alpha.view()
        view.setflags(write=False)
        return view

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """Which voxels can be hit, a fresh array of shape (nx, ny, nz)."""
        return self._block((0, 0, 0), self._resolution)

    @property
    def resolution(self) -> _Three:
        """Number of voxels along x, y and z."""
        return self._resolution

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Widths of a voxel [length]."""
        return self._spacing

    @property
    def origin(self) -> tuple[float, float, float]:
        """Low corner of voxel (0, 0, 0) [length], local."""
        return self._origin

    @property
    def threshold(self) -> float:
        """A voxel is occupied if its alpha is greater; if `inclusive`, or equal. Assignment updates all voxels."""
        return self._threshold

    @property
    def inclusive(self) -> bool:
        """True if a voxel whose alpha equals the threshold is occupied."""
        return self._inclusive

    @threshold.setter
    def threshold(self, value: float) -> None:
        limit = checked_threshold(value)
        if self._alpha is None:
            raise InvalidGeometry("threshold: alpha was not stored (keep_alpha=False), so the threshold cannot change")
        before = self._index.bits
        self._threshold, self._bound = limit, bound_of(limit, self._alpha.dtype, self._inclusive)
        self._index = self._index._replace(bits=np.zeros_like(before))
        self._pack(self._alpha)
        if not np.array_equal(before, self._index.bits):
            self._version += 1

    @property
    def count(self) -> int:
        """Number of occupied voxels."""
        return int(self._index.counts[-1])

    @property
    def empty(self) -> bool:
        """True if no voxel is occupied: there is nothing to hit."""
        return self.count == 0

    @property
    def extent(self) -> NDArray[np.int64]:
        """Lowest index and one past the highest of the occupied voxels, shape (2, 3); zeros if empty."""
        return self._index.counts[-7:-1].reshape(2, 3).copy()

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Box of the occupied voxels [length], shape (2, 3), local; NaN if empty."""
        if self.empty:
            return checks.fixed(np.full((2, 3), np.nan))
        box = np.array(self._origin) + self.extent * np.array(self._spacing, np.float64)
        box.setflags(write=False)
        return box

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Corners of the surface of the occupied voxels [length], shape (n, 3), local, read-only; made on first use."""
        return self._mesh()[0]

    @property
    def faces(self) -> NDArray[np.int32]:
        """That surface: two triangles for every outer side of an occupied voxel, shape (m, 3), read-only."""
        return self._mesh()[1]

    def _mesh(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        from .voxel_surface import mesh_of

        if self._surface is None or self._surface[0] != self._version:
            vertices, faces = mesh_of(self)
            faces.setflags(write=False)
            self._surface = self._version, checks.fixed(vertices), faces
        return self._surface[1], self._surface[2]

    @property
    def planes(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Number of occupied voxels in each plane across x, across y and across z."""
        nx, ny, nz = self._resolution
        return (
            self._index.counts[:nx].copy(),
            self._index.counts[nx : nx + ny].copy(),
            self._index.counts[nx + ny : nx + ny + nz].copy(),
        )

    @property
    def lines(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Lowest and highest occupied k of each line along z, shape (nx, ny); nz and -1 for empty lines."""
        return self._index.spans[0].copy(), self._index.spans[1].copy()

    @property
    def version(self) -> int:
        """Increases with every change of the occupied voxels."""
        return self._version

    @property
    def nbytes(self) -> int:
        """Memory of opacities and index [bytes]."""
        return sum(array.nbytes for array in (self._alpha, *self._index) if array is not None)

    def copy(self) -> Self:
        """Return an independent copy, with the same version."""
        other = twin(self)
        other._alpha = None if self._alpha is None else self._alpha.copy()  # noqa: SLF001
        bits, spans, bundles, counts = self._index
        other._index = VoxelIndex(bits.copy(), spans.copy(), bundles.copy(), counts.copy())  # noqa: SLF001
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # The bits give the rest of the index, and alpha if that is boolean: they are an eighth of its size.
        as_bits = self._alpha is not None and self._bound is None
        alpha = None if as_bits else self._alpha
        grid = self._resolution, self._spacing, self._origin, self._threshold, self._inclusive
        return _rebuilt, (type(self), self._index.bits, alpha, as_bits, grid, self._bound, self._version)

    def _restore(self, bits: NDArray[np.uint64], alpha: NDArray[Any] | None, as_bits: bool, bound: Any, version: int) -> None:
        """Fill a volume that has a grid with what its pickle holds."""
        from ..kernels.voxel import bits as kernel

        # Arrays that share memory with the pickle may be read-only.
        self._index = self._index._replace(bits=np.require(bits, requirements=("C", "W")))
        kernel.index(*self._index)
        self._alpha = self.occupied if as_bits else None if alpha is None else np.require(alpha, requirements=("C", "W"))
        self._bound, self._version = bound, version

    def __getitem__(self, key: VoxelKey) -> NDArray[Any]:
        """Return opacities, or booleans if alpha was not stored: a copy, so that `volume[key] -= 0.1` works. numpy indices."""
        if self._alpha is not None:
            try:
                return self._alpha[key].copy()
            except IndexError as error:
                raise InvalidIndex(f"volume[...]: {error}") from None
        chosen = select(key, self._resolution)
        if isinstance(chosen, Places):
            i, j, k = chosen.voxels
            found = (self._index.bits[i, j, k >> 6] >> (k & 63).astype(np.uint64)) & np.uint64(1)
            return found.astype(np.bool_).reshape(chosen.shape)
        high = tuple(a + n for a, n in zip(chosen.low, chosen.sizes, strict=True))
        return self._block(chosen.low, (high[0], high[1], high[2])).reshape(chosen.shape)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Yield the planes across x."""
        return (self[i] for i in range(self._resolution[0]))

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return all opacities, or booleans if alpha was not stored, for numpy: always a copy."""
        if copy is False:
            raise ValueError("a Volume returns copies only; volume.alpha is a read-only view")
        return np.array(self.occupied if self._alpha is None else self._alpha, dtype)

    def voxel_at(self, points: ArrayLike) -> NDArray[np.int64]:
        """Return the indices of the voxels that hold points [length], shape (..., 3), local; also beyond the grid.

        As in overlap tests, a point less than 1e-9 of a width below a face belongs to the voxel above.
        """
        places = (_triples(points, "points") - self._origin) / self._spacing + TIE
        if not (np.abs(places) < 2.0**62).all():
            raise InvalidQuery("points: some are not finite, or too far away; their voxel indices must be below 2**62")
        return np.floor(places).astype(np.int64)

    def center_of(self, voxels: ArrayLike) -> NDArray[np.float64]:
        """Return the centers [length], shape (..., 3), local, of voxels with these indices."""
        return self._origin + (_triples(voxels, "voxels") + 0.5) * self._spacing

    def __setitem__(self, key: VoxelKey, values: ArrayLike) -> None:
        """Give voxels new opacities. If this raises, the volume has not changed."""
        from ..kernels.voxel import bits as kernel

        given = numbers(values, "values")
        chosen = select(key, self._resolution)
        # Check the shape first, before any work on a large array.
        if given.ndim and given.shape != chosen.shape:
            try:
                np.broadcast_to(given, chosen.shape)
            except ValueError:
                raise InvalidGeometry(
                    f"values: expected shape {chosen.shape}, or one that numpy broadcasts to it, got {given.shape}"
                ) from None
        refuse_nan(given, "values")
        if self._alpha is not None:
            given = fitting(given, self._alpha.dtype)
        if given.ndim and given.shape != chosen.shape:
            given = np.broadcast_to(given, chosen.shape)
        bound = bound_of(self._threshold, given.dtype, self._inclusive) if self._alpha is None else self._bound
        over = np.asarray(occupied(given, bound))
        # Write the bits first: values may be a view of alpha itself.
        if isinstance(chosen, Places):
            over = np.broadcast_to(over, chosen.shape).flatten()
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

    def fill(self, shape: Shape | MeshLike, pose: checks.PoseLike | None = None, *, value: float | bool) -> int:
        """Set all voxels whose centers lie inside a shape. Return the number of voxels that changed.

        shape: a Box, Sphere, Capsule, closed Mesh or another Volume. pose: of the shape in the volume's own frame; None is the
        identity. value: the opacity to set; one that is not above the threshold clears the voxels. Only voxels in the bounds of
        the shape are visited. Parts of the shape beyond the grid have no effect.

        A center on the surface of a Sphere or Capsule is inside. For a Box or a Mesh, as in `from_mesh`: inside on low sides,
        not on high sides. A voxel has changed if its opacity has; without alpha (keep_alpha=False), if it was occupied before
        and is not now, or the other way round. If this raises, the volume has not changed.
        """
        from ..kernels.voxel import bits as kernel
        from .brush import Grid, covered, covered_by_volume

        given = numbers(value, "value")
        if given.ndim:
            raise InvalidGeometry(f"value: expected one number, got an array of shape {given.shape}")
        refuse_nan(given, "value")
        bound = bound_of(self._threshold, given.dtype, self._inclusive)
        if self._alpha is not None:
            given, bound = fitting(given, self._alpha.dtype, "value"), self._bound
        over = bool(occupied(given, bound))
        grid = Grid(self._resolution, self._spacing, self._origin)
        found = covered_by_volume(grid, shape, pose) if isinstance(shape, Volume) else covered(grid, shape, pose)
        (i, j, k), inside = found
        a, b, c = inside.shape
        if not inside.any():
            return 0
        block = self._block((i, j, k), (i + a, j + b, k + c))
        changed = inside & (block != over)
        count = int(np.count_nonzero(changed))
        if count:
            kernel.put(packed(block ^ changed), c, i, j, k, *self._index)
            self._version += 1
        if self._alpha is not None:
            part = self._alpha[i : i + a, j : j + b, k : k + c]
            count = int(np.count_nonzero(inside & (part != given)))
            np.copyto(part, given, where=inside)
        return count

    def picture(
        self,
        path: str | PathLike[str] | None = None,
        *,
        transparent: bool = False,
        opaque_at: float | None = None,
        color: Color | None = None,
        eye: ArrayLike | None = None,
        target: ArrayLike | None = None,
        up: ArrayLike | None = None,
        size: tuple[int, int] = (800, 600),
        dark: bool = False,
    ) -> Picture:
        """Draw it, in its own frame. Save it if a path, *.png, is given.

        transparent: False draws the surface of the occupied voxels. True draws their opacities: a way as long as the smallest
        width of a voxel lets 1 - alpha of the light through. Voxels that are not occupied are not drawn.
        opaque_at: with transparent=True, the alpha that hides all behind it; None means 1, or for whole numbers the largest of
        their dtype (255 for bytes). color: '#rrggbb', or three numbers 0 to 1; None is blue. Other arguments: as in
        `Scene.picture`.
        """
        options = {"transparent": transparent, "opaque_at": opaque_at, "color": color}
        view = {"eye": eye, "target": target, "up": up, "size": size, "dark": dark}
        return renderer_for("volume")(self, path, **options, **view)

    def _block(self, low: _Three, high: _Three) -> NDArray[np.bool_]:
        """Return which voxels from low to high (exclusive) are occupied."""
        from ..kernels.voxel import bits as kernel

        return kernel.unpacked(self._index.bits, low[0], high[0], low[1], high[1], low[2], high[2])

    def __repr__(self) -> str:
        grid = " x ".join(map(str, self._resolution))
        return f"<Volume: {grid} voxels, {self.count} occupied>"


def arrays_of(volume: Volume) -> dict[str, NDArray[Any]]:
    """Return what files hold of the voxels: alpha, or bits, 64 voxels along z in a word, if alpha was not stored."""
    alpha = volume._alpha  # noqa: SLF001  (the only access to it, for files)
    return {"bits": index_of(volume).bits} if alpha is None else {"alpha": alpha}


def volume_of_bits(
    bits: NDArray[Any], resolution: NDArray[Any], spacing: ArrayLike, origin: ArrayLike, threshold: float, inclusive: bool
) -> Volume:
    """Return the volume that has no alpha, of bits from a file and three whole numbers (nx, ny, nz); all of it is checked."""
    from ..formats.volumes import checked_bits

    place = checks.vector(_tuple(origin), "origin", InvalidGeometry)
    words, sizes = checked_bits(bits, resolution)
    limit = checked_threshold(threshold), checks.flag(inclusive, "inclusive")
    return Volume._from_bits(words, sizes, checks.spacing(spacing), place, False, *limit)  # noqa: SLF001


def _rebuilt(
    kind: type[Volume], bits: Any, alpha: Any, as_bits: bool, grid: tuple[Any, ...], bound: Any, version: int
) -> Volume:
    """Return a pickled volume."""
    volume = kind.__new__(kind)
    volume._start(*grid)  # noqa: SLF001  (a constructor)
    volume._restore(bits, alpha, as_bits, bound, version)  # noqa: SLF001
    return volume


def _triples(value: ArrayLike, name: str) -> NDArray[np.float64]:
    given = checks.array(value, name, "an array of shape (..., 3)", InvalidQuery)
    if given.ndim == 0 or given.shape[-1] != 3:
        raise InvalidQuery(f"{name}: expected shape (..., 3), got {given.shape}")
    return given.astype(np.float64)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, np.ndarray) and value.ndim == 1 else value
