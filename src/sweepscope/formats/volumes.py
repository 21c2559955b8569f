"""Read and write volumes as .npy and .npz."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry, NotFound
from .arrays import Archive, Header, Member, array_of, check_room, explained, members_of, read_header, write_archive
from .file_reader import FileReader, Limits
from .scene import TEXT

ENDINGS = (".npy", ".npz")
_ABOUT = ("spacing", "origin", "threshold", "inclusive", "resolution")  # arrays of an .npz that describe the volume
_SMALL = 100  # most numbers in such an array


@dataclass(frozen=True, slots=True)
class VolumeFile:
    """Content of a file: alpha or bits, and the arrays that describe them."""

    path: Path
    name: str
    """Name of the array that is the volume."""
    packed: bool
    """Whether it holds bits, 64 voxels per word, instead of alpha."""
    arrays: dict[str, NDArray[Any]]

    @property
    def alpha(self) -> NDArray[Any]:
        """Opacities, shape (nx, ny, nz)."""
        return self.arrays[self.name]

    @property
    def bits(self) -> tuple[NDArray[np.uint64], tuple[int, int, int]]:
        """Checked words of bits, and the number of voxels along x, y and z."""
        return checked_bits(self.arrays["bits"], self.arrays["resolution"])

    def given(self, name: str, value: Any, otherwise: Any) -> Any:
        """Return the caller's value, else the file's, else the default."""
        if value is not None:
            return value
        stored = self.arrays.get(name)
        if stored is None:
            return otherwise
        if stored.dtype.kind not in ("b" if name == "inclusive" else "fiu"):
            raise InvalidGeometry(f"{self.path}: its array {name!r} has dtype {stored.dtype}; save it as Volume.save does")
        return stored if stored.ndim else stored.item()


def checked_bits(bits: NDArray[Any], resolution: NDArray[Any]) -> tuple[NDArray[np.uint64], tuple[int, int, int]]:
    """Return words of bits as a fresh array, and the number of voxels along x, y and z, or raise if they do not fit."""
    if resolution.shape != (3,) or resolution.dtype.kind not in "iu" or (resolution < 0).any():
        raise InvalidGeometry(f"resolution: expected three whole numbers, got {checks.shown(resolution.tolist())}")
    nx, ny, nz = checks.resolution(tuple(resolution.tolist()), "resolution")
    words = -(-nz // 64)
    if bits.shape != (nx, ny, words):
        raise InvalidGeometry(f"bits: expected shape {(nx, ny, words)} for {nx} x {ny} x {nz} voxels, got {bits.shape}")
    packed = np.array(bits, np.uint64, order="C")
    if nz % 64 and (packed[:, :, -1] >> np.uint64(nz % 64)).any():
        raise InvalidGeometry(f"bits: some are set beyond the {nz} voxels of a line")
    return packed, (nx, ny, nz)


def read_arrays(path: str | PathLike[str], key: str | None, limits: Limits | None) -> VolumeFile:
    """Read the arrays of a volume; key: which array of an .npz holds alpha."""
    reader = FileReader(limits)
    file, content = reader.read(path, ENDINGS, "volume")
    plain = file.suffix.lower() == ".npy"
    if key is not None and (not checks.text(key, "key") or plain):
        raise InvalidGeometry(f"key is {checks.shown(key)}; accepted: the name of an array in a .npz file")
    if plain:
        return VolumeFile(file, "alpha", False, {"alpha": _plain(file, content)})
    archive = Archive(file, content, reader)
    if TEXT in archive.members:
        raise InvalidGeometry(f"{file}: is a scene; Scene.load reads it")
    return VolumeFile(file, *_unpack(archive, key))


def has_array(path: Path, name: str) -> bool:
    """True if a file has an array of this name, such as "spacing"."""
    return f"{name}.npy" in members_of(path)


def write_arrays(path: str | PathLike[str], values: Mapping[str, Any], *, packed: bool) -> None:
    """Write arrays to an .npz file; packed: whether to compress them."""
    write_archive(path, [Member(f"{name}.npy", np.asanyarray(value), packed) for name, value in values.items()])


def _plain(file: Path, content: bytes) -> NDArray[Any]:
    """Return the array of an .npy file."""
    what = f"{file}: its array"
    with explained(file):
        header = read_header(io.BytesIO(content[: 1 << 16]), what)
        check_alpha(header, what)
        check_room(header, len(content), what)
        return array_of(header, content, header.start)


def _unpack(archive: Archive, key: str | None) -> tuple[str, bool, dict[str, NDArray[Any]]]:
    """Return the name of the array that is the volume, whether it holds bits, and all arrays by name."""
    names = archive.arrays
    if not names:
        raise InvalidGeometry(f"{archive.file}: holds no arrays")
    chosen = _chosen(archive, names, key)
    packed = chosen == "bits" and "resolution" in names
    arrays = {chosen: archive.array(chosen, check_bits if packed else check_alpha)}
    for name in _ABOUT:
        if name in names and name != chosen:
            arrays[name] = archive.array(name, _check_small)
    return chosen, packed, arrays


def _chosen(archive: Archive, names: list[str], key: str | None) -> str:
    """Return the name of the array that is the volume."""
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    if key is not None:
        if key not in names:
            raise NotFound(f"{archive.file}: has no array {key!r}; it has {shown}")
        return key
    if "alpha" in names:
        return "alpha"
    if "bits" in names and "resolution" in names:
        return "bits"
    many = [name for name in names if name not in _ABOUT]
    if len(many) == 1:
        return many[0]
    raise InvalidGeometry(
        f"{archive.file}: has no array called 'alpha'; it has {shown}: choose one: Volume.load(path, key=...)"
    )


def check_alpha(header: Header, what: str) -> None:
    """Raise if an array is not a grid."""
    if len(header.shape) != 3:
        raise InvalidGeometry(f"{what} has shape {header.shape}; expected (nx, ny, nz)")
    checks.resolution(header.shape, what)


def check_bits(header: Header, what: str) -> None:
    """Raise if an array is not a grid of words."""
    check_alpha(header, what)
    if header.dtype != np.uint64:
        raise InvalidGeometry(f"{what} has dtype {header.dtype}; expected uint64, 64 voxels per word")


def _check_small(header: Header, what: str) -> None:
    if header.nbytes > 8 * _SMALL:
        raise InvalidGeometry(f"{what} has shape {header.shape}; expected at most three numbers")
