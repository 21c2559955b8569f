"""The one door for files: every reader gets its bytes here, and here only, under one policy.

Regular files only, up to a size; files that a file names lie in the folders that were allowed; no network; what a file unfolds
to, by instances, by counts without data or by compression, is counted before anything is allocated.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote

import numpy as np

from .. import checks
from ..errors import InaccessibleFile, InvalidGeometry, InvalidType, MissingFile
from ..immutable import Frozen

_LFS = b"version https://git-lfs"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LONGEST_NAME = 4096  # bytes
_TIMES = 32  # how often a file may unfold to its own size, whatever the limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Frozen):
    """What reading a file may take. A file that asks for more is refused before memory is allocated."""

    max_file_bytes: int = 2 << 30
    """Size of a file [bytes]."""
    max_decoded_bytes: int = 256 << 20
    """What all content may take in memory, by instances, by counts without data and by compression [bytes].

    32 times the size of the files, if that is more.
    """
    max_depth: int = 64
    """How deep elements and nodes are nested."""
    max_elements: int = 200_000
    """Number of elements, nodes and instances."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            checks.whole(getattr(self, name), f"limits: {name}", InvalidGeometry, 1)


_READ_BY = {
    **dict.fromkeys((".dae", ".glb", ".gltf", ".obj", ".off", ".ply", ".stl"), "Mesh.load"),
    ".npy": "Volume.load",
    ".npz": "Volume.load or Scene.load",
    ".srdf": "Robot.load(..., srdf=...)",
    ".urdf": "Robot.load",
}


_CAD = (".brep", ".brp", ".iges", ".igs", ".step", ".stp")
_OTHER_MESHES = (".3ds", ".3mf", ".blend", ".fbx", ".usd", ".usda", ".usdc", ".usdz", ".wrl", ".x3d")


def advice(file: Path) -> str:
    """Return the end of a message about a file with a wrong ending: how it is read, or converted; empty if unknown."""
    ending = file.suffix.lower()
    if ending in _READ_BY:
        return f"; {_READ_BY[ending]} reads {file.suffix}"
    if ending in _CAD:
        return (
            f"; {file.suffix} has curved surfaces: convert it to triangles with FreeCAD (File > Export, .stl), CadQuery, or "
            f"gmsh {file.name} -2 -o {file.stem}.stl"
        )
    return "; convert it, for example with Blender (File > Export, .glb)" if ending in _OTHER_MESHES else ""


class FileReader:
    """Reads the files of one load, and counts what they take.

    limits: None for the usual ones. folders: where files lie that a file names; without any, in the folder of that file.
    """

    def __init__(self, limits: Limits | None = None, folders: Iterable[Path] = ()) -> None:
        if limits is not None and not isinstance(limits, Limits):
            raise InvalidType(f"limits: expected Limits(...), got {checks.shown(limits)}")
        self.limits = limits or Limits()
        self.folders = [Path(os.path.realpath(folder)) for folder in folders]
        self._named: dict[Path, bytes] = {}
        self._size = 0
        self._decoded_bytes = 0

    def read(self, path: str | PathLike[str], endings: tuple[str, ...], holds: str) -> tuple[Path, bytes]:
        """Return a file's path and bytes, or raise; holds: what the file should contain."""
        file = checks.file_path(path)
        content = self._bytes(file, endings)
        _refuse_hollow(file, content[: len(_LFS)], holds)
        return file, content

    def map(self, path: str | PathLike[str], endings: tuple[str, ...], holds: str) -> tuple[Path, np.memmap[Any, Any]]:
        """As `read`, but return the bytes as a memory map, which may be larger than the memory."""
        file = checks.file_path(path)
        with _opened(file, endings) as stream:
            _refuse_hollow(file, stream.read(len(_LFS)), holds)
        try:
            return file, np.memmap(file, np.uint8, "r")
        except (OSError, ValueError) as error:
            raise InaccessibleFile(f"{file}: cannot be mapped into memory: {error}") from None

    def read_named(self, name: str, by: Path) -> bytes:
        """Return the bytes of a file that another names, by a path relative to it."""
        if _SCHEME.match(name):
            raise InvalidGeometry(f"{by}: names {checks.shown(name)}; accepted: files by a relative path")
        plain = unquote(name)
        try:
            if len(os.fsencode(plain)) > _LONGEST_NAME or "\0" in plain:
                raise ValueError
            file = Path(os.path.realpath(by.parent / plain))
        except (OSError, ValueError):
            raise InvalidGeometry(f"{by}: names {checks.shown(name)}, which is not a file name") from None
        if not any(file.is_relative_to(folder) for folder in self.folders or [Path(os.path.realpath(by.parent))]):
            raise InvalidGeometry(f"{by}: names {checks.shown(name)}, outside of its folder; move it there")
        if file not in self._named:  # by whatever name it comes again
            self._named[file] = self._bytes(file, (file.suffix.lower(),))
        return self._named[file]

    def unfold(self, size: int, what: str) -> None:
        """Count bytes that content is going to take; raise if that is more than the files may unfold to."""
        self._decoded_bytes += size
        most = max(self.limits.max_decoded_bytes, _TIMES * self._size)
        if self._decoded_bytes > most:
            raise InvalidGeometry(
                f"{what} would decode to {self._decoded_bytes:,} bytes; accepted: up to {most:,}; "
                f"to allow it: limits=Limits(max_decoded_bytes={self._decoded_bytes})"
            )

    def _bytes(self, file: Path, endings: tuple[str, ...]) -> bytes:
        with _opened(file, endings) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > self.limits.max_file_bytes:
                raise InvalidGeometry(
                    f"{file}: has {size:,} bytes; accepted: up to {self.limits.max_file_bytes:,}; "
                    f"to allow it: limits=Limits(max_file_bytes={size})"
                )
            try:
                content = stream.read(size)
            except MemoryError:
                raise InvalidGeometry(f"{file}: has {size:,} bytes, which do not fit into memory") from None
            except OSError as error:
                raise InaccessibleFile(f"{file}: cannot be read: {error.strerror}") from None
        self._size += len(content)
        return content


def _opened(file: Path, endings: tuple[str, ...]) -> IO[bytes]:
    """Open a regular file, or raise."""
    try:
        # A pipe or a device would wait or never end: it is opened without waiting, and refused.
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise MissingFile(f"{file}: no such file") from None
    except (OSError, ValueError) as error:  # a folder on Windows, no permission; a name too long or with a zero byte
        reason = error.strerror if isinstance(error, OSError) else error
        raise InaccessibleFile(f"{file}: cannot be opened: {reason}") from None
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and file.suffix.lower() in endings:
        return os.fdopen(handle, "rb")
    os.close(handle)  # Python refuses to make a stream of a folder
    if not stat.S_ISREG(status.st_mode):
        raise InaccessibleFile(f"{file}: {'is a folder, ' if stat.S_ISDIR(status.st_mode) else ''}not a file")
    raise InvalidGeometry(f"{file}: accepted endings are {', '.join(endings)}{advice(file)}")


def _refuse_hollow(file: Path, head: bytes, holds: str) -> None:
    """Raise if a file, which begins with these bytes, is empty or stands for another."""
    if not head:
        raise InvalidGeometry(f"{file}: is empty")
    if head == _LFS:
        raise InvalidGeometry(f"{file}: is a Git LFS pointer, not the {holds} itself; fetch it with 'git lfs pull'")
