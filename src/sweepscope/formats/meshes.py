"""Read mesh files: one reader for each format, all of their bytes through one door."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from .collada import read_collada
from .content import Content
from .file_reader import FileReader
from .gltf import read_gltf
from .obj import read_obj
from .off import read_off
from .ply import read_ply
from .stl import read_stl

_READERS: dict[str, Callable[[FileReader, Path, bytes], Content]] = {
    ".dae": read_collada,
    ".glb": read_gltf,
    ".gltf": read_gltf,
    ".obj": read_obj,
    ".off": read_off,
    ".ply": read_ply,
    ".stl": read_stl,
}
ENDINGS = tuple(_READERS)


def read_content(path: str | PathLike[str], reader: FileReader) -> Content:
    """Return what a mesh file holds, all parts at their places."""
    file, content = reader.read(path, ENDINGS, "mesh")
    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are found by whoever takes them
            found = _READERS[file.suffix.lower()](reader, file, content)
    except MemoryError:
        raise InvalidGeometry(f"{file}: its {len(content):,} bytes hold more than fits into memory") from None
    if not any(len(part.geometry.faces) for part in found.parts):
        others = f"; it holds {checks.listed(found.left_out)}" if found.left_out else ""
        raise InvalidGeometry(f"{file}: holds no triangles{others}")
    return found


def checked_scale(scale: float) -> float:
    """Return what lengths of a file are multiplied by, a number above 0."""
    factor = checks.length(scale, "scale", InvalidGeometry)
    if factor == 0.0:
        raise InvalidGeometry("scale is 0; it must be greater than 0")
    return factor


def read_mesh(
    path: str | PathLike[str], scale: float = 1.0, reader: FileReader | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return a file's triangles, all parts at their places: vertices (n, 3) times `scale`, faces (m, 3)."""
    factor = checked_scale(scale)
    vertices, faces = read_content(path, reader or FileReader()).merged()
    return vertices if factor == 1.0 else vertices * factor, faces
