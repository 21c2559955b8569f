"""Read and write volumes as .npy and .npz. Headers are looked at first: nothing is allocated or unpacked before."""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry
from ..shapes import Volume
from ..shapes.volume import checked_resolution, checked_spacing
from .files import checked_file

ENDINGS = (".npy", ".npz")
_ABOUT = ("spacing", "origin", "threshold", "resolution")  # arrays of a .npz that tell about the one that is the volume
_SMALL = 1000  # bytes that such an array may have
_LONGEST = 10_000  # bytes of an array's header, as in numpy
_BROKEN = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    RuntimeError,  # of a zip too: packed in a way that is not known, or with a password
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class _Header:
    """What an array's first lines say of it."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fortran: bool
    """Whether its first index runs fastest."""
    start: int
    """Where its numbers begin [bytes]."""

    @property
    def nbytes(self) -> int:
        """How many bytes of numbers must follow."""
        return math.prod(self.shape) * self.dtype.itemsize


def read_volume(
    path: str | PathLike[str],
    *,
    spacing: float | ArrayLike | None = None,
    origin: ArrayLike | None = None,
    threshold: float | None = None,
    keep_alpha: bool | None = None,
    key: str | None = None,
) -> Volume:
    """Read a volume, as Volume.load says; keep_alpha: None keeps what the file has."""
    file, _ = checked_file(path, ENDINGS, "volume")
    if key is not None and (not isinstance(key, str) or file.suffix.lower() == ".npy"):
        raise InvalidGeometry(f"key is {checks.shown(key)}; accepted: the name of an array in a .npz file")
    try:
        if file.suffix.lower() == ".npy":
            with file.open("rb") as stream:
                name, packed, arrays = "alpha", False, {"alpha": _array(file, "", stream, file.stat().st_size)}
        else:
            with zipfile.ZipFile(file) as box:
                name, packed, arrays = _unpack(file, box, key)
    except InvalidGeometry:
        raise
    except MemoryError:
        raise InvalidGeometry(f"{file}: does not fit into memory") from None
    except _BROKEN as error:
        raise InvalidGeometry(f"{file}: cannot be read as {file.suffix[1:].upper()}: {error}") from None
    step = _given(spacing, arrays, "spacing", 1.0)
    corner = _given(origin, arrays, "origin", (0.0, 0.0, 0.0))
    least = _given(threshold, arrays, "threshold", 0.0)
    keep = not packed if keep_alpha is None else checks.flag(keep_alpha, "keep_alpha")
    try:
        if packed:
            if threshold is not None:
                raise InvalidGeometry(f"threshold is {checks.shown(threshold)}, but the file holds occupied voxels, no alpha")
            return _of_bits(arrays, step, corner, least, keep)
        return Volume(arrays[name], step, corner, least, keep_alpha=keep)
    except InvalidGeometry as error:
        raise InvalidGeometry(f"{file}: {error}") from None


def tells(path: Path, name: str) -> bool:
    """True if a file says something of itself, such as its "spacing"."""
    with suppress(*_BROKEN), zipfile.ZipFile(path) as box:
        return f"{name}.npy" in box.namelist()
    return False


def _of_bits(arrays: dict[str, NDArray[Any]], spacing: Any, origin: Any, threshold: Any, keep_alpha: bool) -> Volume:
    """Return the volume of packed words."""
    bits, resolution = arrays["bits"], arrays["resolution"]
    if resolution.shape != (3,) or resolution.dtype.kind not in "iu" or (resolution < 0).any():
        raise InvalidGeometry(f"resolution: expected three whole numbers, got {checks.shown(resolution.tolist())}")
    nx, ny, nz = checked_resolution(tuple(resolution.tolist()), "resolution")
    if bits.shape != (nx, ny, -(-nz // 64)):
        raise InvalidGeometry(f"bits: expected shape {(nx, ny, -(-nz // 64))} for {nx} x {ny} x {nz} voxels, got {bits.shape}")
    words = np.array(bits, np.uint64, order="C")
    if nz % 64 and (words[:, :, -1] >> np.uint64(nz % 64)).any():
        raise InvalidGeometry(f"bits: some are set beyond the {nz} voxels of a line")
    corner = checks.vector(origin, "origin", InvalidGeometry)
    if not math.isfinite(checks.number(threshold, "threshold", InvalidGeometry)):
        raise InvalidGeometry(f"threshold is {threshold}; it must be finite")
    volume = Volume._of_bits(words, (nx, ny, nz), checked_spacing(spacing), corner, keep_alpha)
    if not keep_alpha:
        # What later edits are held against.
        volume._threshold = float(threshold)
    return volume


def write_volume(volume: Volume, path: str | PathLike[str]) -> None:
    """Write a volume, as Volume.save says."""
    if not isinstance(path, (str, PathLike)):
        raise InvalidGeometry(f"path: expected a text or a Path, got {checks.shown(path)}")
    file = Path(path)
    if file.suffix.lower() != ".npz":
        raise InvalidGeometry(f"{file}: a volume is saved as .npz")
    values: dict[str, Any] = {"spacing": volume.spacing, "origin": volume.origin, "threshold": volume.threshold}
    alpha = volume._alpha
    if alpha is None:
        values |= {"bits": volume._bits, "resolution": volume.resolution}
    else:
        values["alpha"] = alpha
    # Yes and no shrinks to little; measured values hardly do, and take long.
    packed = alpha is None or alpha.dtype == np.bool_
    # Written beside it first: what was there before is replaced by a whole file or not at all.
    part = file.with_name(file.name + ".part")
    try:
        with part.open("wb") as stream:
            (np.savez_compressed if packed else np.savez)(stream, **values)
        part.replace(file)
    except (OSError, ValueError) as error:  # no place for it, or no name for a file
        with suppress(OSError, ValueError):
            part.unlink()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidGeometry(f"{checks.shown(str(file))}: cannot be written: {reason}") from None


def _given(value: Any, arrays: dict[str, NDArray[Any]], name: str, otherwise: Any) -> Any:
    """Return what the caller gave, else what the file says, else the default."""
    if value is not None:
        return value
    stored = arrays.get(name)
    if stored is None:
        return otherwise
    return stored if stored.ndim else stored.item()


def _unpack(file: Path, box: zipfile.ZipFile, key: str | None) -> tuple[str, bool, dict[str, NDArray[Any]]]:
    """Return which array of a .npz is the volume, whether it is packed, and it with all that tell about it."""
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
        raise InvalidGeometry(f"{file}: has no array called 'alpha'; it has {shown}: pick one with Volume.load(path, key=...)")
    packed = chosen == "bits" and "resolution" in names
    arrays = {}
    for name in (chosen, *(name for name in _ABOUT if name in names and name != chosen)):
        size = box.getinfo(f"{name}.npy").file_size
        with box.open(f"{name}.npy") as stream:
            arrays[name] = _array(file, f" {name}", stream, size, small=name != chosen, packed=packed)
    return chosen, packed, arrays


def _array(file: Path, name: str, stream: IO[bytes], size: int, *, small: bool = False, packed: bool = False) -> NDArray[Any]:
    """Read an array of `size` bytes, after a look at its header; small: not the volume; packed: 64 voxels a word."""
    header = _header(stream)
    told = f"{file}: its array{name}"
    if header.dtype.hasobject:
        raise InvalidGeometry(f"{told} holds Python objects; save numbers or booleans")
    if header.dtype.kind not in "biuf":
        raise InvalidGeometry(f"{told} has dtype {header.dtype}; accepted: booleans, whole and real numbers")
    if small:
        if size > _SMALL:
            raise InvalidGeometry(f"{told} has shape {header.shape}; expected at most three numbers")
    elif len(header.shape) != 3:
        raise InvalidGeometry(f"{told} has shape {header.shape}; expected (nx, ny, nz)")
    elif packed and header.dtype != np.uint64:
        raise InvalidGeometry(f"{told} has dtype {header.dtype}; expected uint64, 64 voxels a word")
    else:
        checked_resolution(header.shape, told)
    if size < header.start + header.nbytes:
        raise InvalidGeometry(f"{told} is cut off: its header promises {header.nbytes} bytes, {size - header.start} are there")
    checks.room(header.nbytes, f"{told}, {header.nbytes} bytes,", InvalidGeometry)
    order = "F" if header.fortran else "C"
    return np.frombuffer(stream.read(header.nbytes), header.dtype).reshape(header.shape, order=order)


def _header(stream: IO[bytes]) -> _Header:
    """Read an array's header. Its length is looked at first: numpy would read whatever it promises."""
    head = stream.read(8)
    version = np.lib.format.read_magic(io.BytesIO(head))
    digits = stream.read(2 if version[0] == 1 else 4)
    length = int.from_bytes(digits, "little")
    if length > _LONGEST:
        raise ValueError(f"its header has {length} bytes, expected at most {_LONGEST}")
    # Version 3 is version 2 with names of fields in UTF-8; numbers have no fields.
    read = np.lib.format.read_array_header_1_0 if version[0] == 1 else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(io.BytesIO(digits + stream.read(length)))
    if any(type(n) is not int or n < 0 for n in shape):
        raise ValueError(f"its header says shape {shape}")
    return _Header(shape, dtype, fortran, len(head) + len(digits) + length)
