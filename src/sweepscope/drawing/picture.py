"""Picture: pixels that can be saved as a PNG file and shown in notebooks."""

from __future__ import annotations

import struct
import zlib
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InaccessibleFile, InvalidQuery, MissingFile
from ..immutable import Immutable

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_QUICK = 5  # zlib level: higher ones take twice the time for files 3 % smaller


class Picture(Immutable):
    """A picture: colors of pixels, immutable.

    pixels: colors 0 to 255, shape (rows, columns, 3); row 0 is the top.
    """

    __slots__ = ("_pixels",)

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        given = np.asarray(pixels)
        if given.dtype != np.uint8 or given.ndim != 3 or given.shape[2] != 3 or 0 in given.shape:
            raise InvalidQuery(f"pixels: expected bytes of shape (rows, columns, 3), got {given.dtype} of shape {given.shape}")
        fixed = np.array(given, order="C")
        fixed.setflags(write=False)
        self._pixels = fixed

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Red, green and blue, 0 to 255, shape (rows, columns, 3), read-only. Row 0 is the top."""
        return self._pixels

    def save(self, path: str | PathLike[str]) -> None:
        """Write a PNG file."""
        file = checked_path(path, ".png")
        try:
            file.write_bytes(self.png())
        except OSError as error:
            raise InaccessibleFile(f"path: {file} cannot be written: {error.strerror}") from None

    def png(self) -> bytes:
        """Return the bytes of a PNG file."""
        rows, columns, _ = self._pixels.shape
        # Each line as differences from the line above (PNG filter 2), which makes smooth pictures smaller.
        lines = np.empty((rows, 1 + 3 * columns), np.uint8)
        lines[:, 0] = 2
        flat = self._pixels.reshape(rows, -1)
        lines[0, 1:] = flat[0]
        np.subtract(flat[1:], flat[:-1], out=lines[1:, 1:])
        header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), _QUICK)), (b"IEND", b""))
        return _SIGNATURE + b"".join(_chunk(*part) for part in parts)

    def _repr_png_(self) -> bytes:
        return self.png()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and np.array_equal(self._pixels, other.pixels)

    def __hash__(self) -> int:
        return hash(self._pixels.tobytes())

    def __repr__(self) -> str:
        rows, columns, _ = self._pixels.shape
        return f"<Picture, {columns} x {rows} pixels>"


def checked_path(path: Any, suffix: str, name: str = "path") -> Path:
    """Return the path of a file to write; raise if the suffix is wrong or the folder does not exist."""
    file = checks.file_path(path, name)
    if file.suffix.lower() != suffix:
        raise InvalidQuery(f"{name} is {file}; accepted: a name that ends in {suffix}")
    if not file.parent.is_dir():
        raise MissingFile(f"{name}: there is no folder {file.parent}")
    return file


def to_picture(image: NDArray[np.floating[Any]], path: Any = None) -> Picture:
    """Return the picture of colors 0 to 1, shape (rows, columns, 3); save it if a path is given."""
    picture = Picture((np.clip(image, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))
    if path is not None:
        picture.save(path)
    return picture


def _chunk(kind: bytes, data: bytes) -> bytes:
    """Return a part of a PNG file: length, kind, data, check sum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
