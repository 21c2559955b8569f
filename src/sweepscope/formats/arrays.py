"""Read and write numpy's files, .npy and .npz, without pickle. Headers are checked before anything is allocated or unpacked."""

from __future__ import annotations

import io
import math
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry, SweepscopeError
from .file_reader import FileReader
from .file_writer import new_file

_LONGEST = 10_000  # largest header of an array [bytes], as in numpy
_PIECE = 4096  # compressed bytes that are unpacked at a time where the unpacker knows no limit: bzip2, LZMA
_DATE = (1980, 1, 1, 0, 0, 0)  # of every member: the same arrays give the same file


@dataclass(frozen=True, slots=True)
class Header:
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


Check = Callable[[Header, str], None]
"""Raises if an array is not what is expected; gets its header, and what to call it."""


class Member(NamedTuple):
    """A member of an .npz file to be written."""

    name: str
    """With its ending: "alpha.npy"."""
    content: NDArray[Any] | bytes
    packed: bool
    """Whether to compress it."""


class Archive:
    """An .npz file: a zip of arrays and texts. Members are unpacked when they are asked for."""

    def __init__(self, file: Path, content: bytes, reader: FileReader) -> None:
        self.file = file
        self._door = reader
        with explained(file):
            self._box = zipfile.ZipFile(io.BytesIO(content))
        self.members: list[str] = self._box.namelist()
        if len(set(self.members)) < len(self.members):
            twice = next(name for name in self.members if self.members.count(name) > 1)
            raise InvalidGeometry(f"{file}: holds {checks.shown(twice)} twice")

    @property
    def arrays(self) -> list[str]:
        """Names of its arrays, without their ending."""
        return [name.removesuffix(".npy") for name in self.members if name.endswith(".npy")]

    def array(self, name: str, check: Check) -> NDArray[Any]:
        """Return an array, read-only."""
        what = f"{self.file}: its array {name}"
        with explained(self.file):
            info = self._box.getinfo(f"{name}.npy")
            with self._box.open(info) as stream:
                header = read_header(stream, what)
                check(header, what)
                check_room(header, info.file_size, what)
                self._door.unfold(header.nbytes, what)
                return array_of(header, _unpacked(stream, info, header.nbytes, what))

    def text(self, name: str, times: int) -> bytes:
        """Return a member that is not an array; times: how much larger than its bytes it will be in memory."""
        what = f"{self.file}: its member {name}"
        with explained(self.file):
            info = self._box.getinfo(name)
            self._door.unfold(times * info.file_size, what)
            with self._box.open(info) as stream:
                return _unpacked(stream, info, info.file_size, what)


def _unpacked(stream: IO[bytes], info: zipfile.ZipInfo, size: int, what: str) -> bytes:
    """Return the next bytes of a member, `size` of them; its listed size may be wrong."""
    if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        content = stream.read(size)
    else:
        content = b"".join(_pieces(stream, size))
    if len(content) < size:
        raise InvalidGeometry(f"{what} is cut off: {size} bytes are promised, it has {len(content)}")
    return content


def _pieces(stream: IO[bytes], left: int) -> Iterator[bytes]:
    """Yield the next bytes of a stream, at most `left` of them."""
    while left and (piece := stream.read(min(left, _PIECE))):
        yield piece
        left -= len(piece)


def read_header(stream: IO[bytes], what: str) -> Header:
    """Read an array's header. Its length is checked first, which numpy does not do."""
    head = stream.read(8)
    version = np.lib.format.read_magic(io.BytesIO(head))
    digits = stream.read(2 if version[0] == 1 else 4)
    length = int.from_bytes(digits, "little")
    if length > _LONGEST:
        raise ValueError(f"its header has {length} bytes, expected at most {_LONGEST}")
    # Version 3 is version 2 with field names in UTF-8; numbers have no fields.
    read = np.lib.format.read_array_header_1_0 if version[0] == 1 else np.lib.format.read_array_header_2_0
    try:
        with warnings.catch_warnings():  # numpy remarks on headers of Python 2
            warnings.simplefilter("ignore")
            shape, fortran, dtype = read(io.BytesIO(digits + stream.read(length)))
    except MemoryError:  # of Python's parser
        raise ValueError("its header is nested too deep") from None
    if any(type(n) is not int or n < 0 for n in shape):
        raise ValueError(f"its header says shape {shape}")
    if dtype.hasobject:
        raise InvalidGeometry(f"{what} holds Python objects; save numbers or booleans")
    if dtype.kind not in "biuf":
        raise InvalidGeometry(f"{what} has dtype {dtype}; accepted: booleans, whole and real numbers")
    return Header(shape, dtype, fortran, len(head) + len(digits) + length)


def check_size(header: Header, size: int, what: str) -> None:
    """Raise if an array is not all there, `size` bytes with its header."""
    if size < header.start + header.nbytes:
        raise InvalidGeometry(f"{what} is cut off: its header promises {header.nbytes} bytes, it has {size - header.start}")


def check_room(header: Header, size: int, what: str) -> None:
    """Raise if an array is not all there, `size` bytes with its header, or does not fit into memory."""
    check_size(header, size, what)
    checks.require_memory(header.nbytes, f"{what}, {header.nbytes} bytes,", InvalidGeometry)


def array_of(header: Header, content: bytes, start: int = 0) -> NDArray[Any]:
    """Return the array of a header, whose numbers begin at `start`, as a view."""
    flat = np.frombuffer(content, header.dtype, math.prod(header.shape), start)
    return flat.reshape(header.shape, order="F" if header.fortran else "C")


def map_array(path: str | PathLike[str], holds: str, check: Check) -> NDArray[Any]:
    """Return the array of an .npy file as a memory map, read-only; holds: what the file should contain."""
    file, content = FileReader().map(path, (".npy",), holds)
    what = f"{file}: its array"
    with explained(file):
        header = read_header(io.BytesIO(content[: 1 << 16].tobytes()), what)
        check(header, what)
        check_size(header, len(content), what)
        flat = content[header.start : header.start + header.nbytes].view(header.dtype)
        return flat.reshape(header.shape, order="F" if header.fortran else "C")


@contextmanager
def explained(file: Path) -> Iterator[None]:
    """Turn whatever reading raises into InvalidGeometry."""
    try:
        yield
    except SweepscopeError:
        raise
    except MemoryError:
        raise InvalidGeometry(f"{file}: does not fit into memory") from None
    except Exception as error:  # numpy's parser, zipfile and its unpackers may raise anything
        reason = str(error) or type(error).__name__
        raise InvalidGeometry(f"{file}: cannot be read as {file.suffix[1:].upper()}: {reason}") from None


def members_of(path: Path) -> list[str]:
    """Return the names of the members of an .npz file; none if it cannot be read."""
    with suppress(SweepscopeError):
        reader = FileReader()
        return Archive(*reader.read(path, (".npz",), "arrays"), reader).members
    return []


def write_archive(path: str | PathLike[str], members: Iterable[Member]) -> None:
    """Write an .npz file, whole or not at all: after an error an old file is as it was."""
    with new_file(path, ".npz") as stream:
        _write(stream, members)


def _write(stream: IO[bytes], members: Iterable[Member]) -> None:
    with zipfile.ZipFile(stream, "w") as box:
        for member in members:
            info = zipfile.ZipInfo(member.name, _DATE)
            info.create_system = 3  # the same file on every system
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED if member.packed else zipfile.ZIP_STORED
            content = member.content
            info.file_size = _LONGEST + (len(content) if isinstance(content, bytes) else content.nbytes)  # it may need 64 bits
            with box.open(info, "w") as out:
                if isinstance(content, bytes):
                    out.write(content)
                else:
                    np.lib.format.write_array(out, content, allow_pickle=False)
