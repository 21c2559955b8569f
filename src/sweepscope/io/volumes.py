"""Read and write volumes as .npy and .npz. Headers are checked before memory is allocated or data unpacked."""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from .meshes import checked_file

ENDINGS = (".npy", ".npz")
_ABOUT = ("spacing", "origin", "threshold", "resolution")  # arrays of an .npz that describe the volume
_SMALL = 1000  # largest size of such an array [bytes]
_LONGEST = 10_000  # largest header of an array [bytes], as in numpy
_BROKEN = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    RuntimeError,  # from zipfile: unknown compression, or a password
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class _Header:
    """Header of an array."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fortran: bool
    """Whether its first index runs fastest."""
    start: int
    """Offset of its numbers [bytes]."""

    @property
    def nbytes(self) -> int:
        """Size of the numbers that follow [bytes]."""
        return math.prod(self.shape) * self.dtype.itemsize


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
        bits, resolution = self.arrays["bits"], self.arrays["resolution"]
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

    def given(self, name: str, value: Any, otherwise: Any) -> Any:
        """Return the caller's value, else the file's, else the default."""
        if value is not None:
            return value
        stored = self.arrays.get(name)
        if stored is None:
            return otherwise
        return stored if stored.ndim else stored.item()


def read_arrays(path: str | PathLike[str], key: str | None) -> VolumeFile:
    """Read the arrays of a volume; key: which array of an .npz holds alpha."""
    file, _ = checked_file(path, ENDINGS, "volume")
    if key is not None and (not isinstance(key, str) or file.suffix.lower() == ".npy"):
        raise InvalidGeometry(f"key is {checks.shown(key)}; accepted: the name of an array in a .npz file")
    try:
        if file.suffix.lower() == ".npy":
            with file.open("rb") as stream:
                return VolumeFile(file, "alpha", False, {"alpha": _array(file, "", stream, file.stat().st_size)})
        with zipfile.ZipFile(file) as box:
            return VolumeFile(file, *_unpack(file, box, key))
    except InvalidGeometry:
        raise
    except MemoryError:
        raise InvalidGeometry(f"{file}: does not fit into memory") from None
    except _BROKEN as error:
        raise InvalidGeometry(f"{file}: cannot be read as {file.suffix[1:].upper()}: {error}") from None


def has_array(path: Path, name: str) -> bool:
    """True if a file has an array of this name, such as "spacing"."""
    with suppress(*_BROKEN), zipfile.ZipFile(path) as box:
        return f"{name}.npy" in box.namelist()
    return False


def write_arrays(path: str | PathLike[str], values: Mapping[str, Any], *, packed: bool) -> None:
    """Write arrays to an .npz file; packed: whether to compress them."""
    if not isinstance(path, (str, PathLike)):
        raise InvalidGeometry(f"path: expected a text or a Path, got {checks.shown(path)}")
    file = Path(path)
    if file.suffix.lower() != ".npz":
        raise InvalidGeometry(f"{file}: accepted ending is .npz")
    # Write to a second file first, so that an error does not destroy an old file.
    part = file.with_name(file.name + ".part")
    try:
        with part.open("wb") as stream:
            (np.savez_compressed if packed else np.savez)(stream, **values)
        part.replace(file)
    except (OSError, ValueError) as error:  # no space, or not a file name
        with suppress(OSError, ValueError):
            part.unlink()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidGeometry(f"{checks.shown(str(file))}: cannot be written: {reason}") from None


def _unpack(file: Path, box: zipfile.ZipFile, key: str | None) -> tuple[str, bool, dict[str, NDArray[Any]]]:
    """Return the name of the array that is the volume, whether it holds bits, and all arrays by name."""
    names = [name.removesuffix(".npy") for name in box.namelist() if name.endswith(".npy")]
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    if not names:
        raise InvalidGeometry(f"{file}: holds no arrays")
    many = [name for name in names if name not in _ABOUT]
    if key is not None:
        if key not in names:
            raise InvalidGeometry(f"{file}: has no array {key!r}; it has {shown}")
        chosen = key
    elif "alpha" in names:
        chosen = "alpha"
    elif "bits" in names and "resolution" in names:
        chosen = "bits"
    elif len(many) == 1:
        chosen = many[0]
    else:
        raise InvalidGeometry(f"{file}: has no array called 'alpha'; it has {shown}: choose one: Volume.load(path, key=...)")
    packed = chosen == "bits" and "resolution" in names
    arrays = {}
    for name in (chosen, *(name for name in _ABOUT if name in names and name != chosen)):
        size = box.getinfo(f"{name}.npy").file_size
        with box.open(f"{name}.npy") as stream:
            arrays[name] = _array(file, f" {name}", stream, size, small=name != chosen, packed=packed)
    return chosen, packed, arrays


def _array(file: Path, name: str, stream: IO[bytes], size: int, *, small: bool = False, packed: bool = False) -> NDArray[Any]:
    """Read an array of `size` bytes after a check of its header; small: not the volume; packed: 64 voxels per word."""
    header = _header(stream)
    what = f"{file}: its array{name}"
    if header.dtype.hasobject:
        raise InvalidGeometry(f"{what} holds Python objects; save numbers or booleans")
    if header.dtype.kind not in "biuf":
        raise InvalidGeometry(f"{what} has dtype {header.dtype}; accepted: booleans, whole and real numbers")
    if small:
        if size > _SMALL:
            raise InvalidGeometry(f"{what} has shape {header.shape}; expected at most three numbers")
    elif len(header.shape) != 3:
        raise InvalidGeometry(f"{what} has shape {header.shape}; expected (nx, ny, nz)")
    elif packed and header.dtype != np.uint64:
        raise InvalidGeometry(f"{what} has dtype {header.dtype}; expected uint64, 64 voxels per word")
    else:
        checks.resolution(header.shape, what)
    if size < header.start + header.nbytes:
        raise InvalidGeometry(f"{what} is cut off: its header promises {header.nbytes} bytes, it has {size - header.start}")
    checks.room(header.nbytes, f"{what}, {header.nbytes} bytes,", InvalidGeometry)
    order = "F" if header.fortran else "C"
    return np.frombuffer(stream.read(header.nbytes), header.dtype).reshape(header.shape, order=order)


def _header(stream: IO[bytes]) -> _Header:
    """Read an array's header. Its length is checked first, which numpy does not do."""
    head = stream.read(8)
    version = np.lib.format.read_magic(io.BytesIO(head))
    digits = stream.read(2 if version[0] == 1 else 4)
    length = int.from_bytes(digits, "little")
    if length > _LONGEST:
        raise ValueError(f"its header has {length} bytes, expected at most {_LONGEST}")
    # Version 3 is version 2 with field names in UTF-8; numbers have no fields.
    read = np.lib.format.read_array_header_1_0 if version[0] == 1 else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(io.BytesIO(digits + stream.read(length)))
    if any(type(n) is not int or n < 0 for n in shape):
        raise ValueError(f"its header says shape {shape}")
    return _Header(shape, dtype, fortran, len(head) + len(digits) + length)
