"""Read mesh files through trimesh, and say plainly what is wrong with one that cannot be read."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np

from .. import checks
from ..errors import InvalidGeometry
from ..shapes import Mesh

ENDINGS = (".glb", ".gltf", ".obj", ".off", ".ply", ".stl")
_LFS = b"version https://git-lfs"


def read_mesh(path: str | PathLike[str], *, solid: bool | None = None, scale: float = 1.0) -> Mesh:
    """Read a file's triangles, all its parts placed as the file says, as one Mesh."""
    if not isinstance(path, (str, PathLike)):
        raise InvalidGeometry(f"path: expected a text or a Path, got {checks.shown(path)}")
    file = Path(path)
    _check_file(file)
    factor = checks.length(scale, "scale", InvalidGeometry)
    if factor == 0.0:
        raise InvalidGeometry("scale is 0; everything would shrink to a point")
    import trimesh

    try:
        loaded = trimesh.load_mesh(file, process=False)
    except Exception as error:  # trimesh raises whatever its parsers do
        raise InvalidGeometry(f"{file}: cannot be read as {file.suffix[1:].upper()}: {error}") from error
    vertices, faces = np.asarray(loaded.vertices, np.float64), np.asarray(loaded.faces)
    if len(faces) == 0:
        raise InvalidGeometry(f"{file}: holds no triangles")
    try:
        return Mesh(vertices * factor, faces, solid=solid)
    except InvalidGeometry as error:
        raise InvalidGeometry(f"{file}: {error}") from None


def _check_file(file: Path) -> None:
    try:
        there, plain = file.exists(), file.is_file()
    except (OSError, ValueError) as error:  # a name too long, or with a zero byte in it
        raise InvalidGeometry(f"{checks.shown(str(file))}: not a file name: {error}") from None
    if not there:
        raise InvalidGeometry(f"{file}: no such file")
    if not plain:
        raise InvalidGeometry(f"{file}: not a file")
    if file.suffix.lower() not in ENDINGS:
        raise InvalidGeometry(f"{file}: accepted endings are {', '.join(ENDINGS)}")
    size = file.stat().st_size
    try:
        with file.open("rb") as stream:
            head = stream.read(84)
    except OSError as error:
        raise InvalidGeometry(f"{file}: cannot be opened: {error.strerror}") from None
    if size == 0:
        raise InvalidGeometry(f"{file}: is empty")
    if head.startswith(_LFS):
        raise InvalidGeometry(f"{file}: is a Git LFS pointer, not the mesh itself; fetch it with 'git lfs pull'")
    if file.suffix.lower() == ".stl":
        _check_stl(file, head, size)


def _check_stl(file: Path, head: bytes, size: int) -> None:
    """A binary STL says how many triangles follow: hold that against its size before anything is allocated."""
    if head[:5].lower() == b"solid":
        with file.open("rb") as stream:
            if b"facet" in stream.read(1024).lower():
                return
    if size < 84:
        raise InvalidGeometry(f"{file}: a binary STL has at least 84 bytes, this has {size}")
    count = int.from_bytes(head[80:84], "little")
    if size != 84 + 50 * count:
        raise InvalidGeometry(f"{file}: its header promises {count} triangles ({84 + 50 * count} bytes), it has {size} bytes")
