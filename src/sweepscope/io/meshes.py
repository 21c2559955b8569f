"""Read mesh files with trimesh; explain what is wrong with a file that cannot be read."""

from __future__ import annotations

import io
import json
import re
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry

ENDINGS = (".glb", ".gltf", ".obj", ".off", ".ply", ".stl")
_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
_LFS = b"version https://git-lfs"
_HARMLESS = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_")


def read_mesh(path: str | PathLike[str], scale: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return a file's triangles, all parts at their places: vertices (n, 3) times `scale`, faces (m, 3)."""
    file, head = checked_file(path, ENDINGS, "mesh")
    binary_stl = file.suffix.lower() == ".stl" and _is_binary_stl(file, head, file.stat().st_size)
    if file.suffix.lower() in (".glb", ".gltf"):
        _check_gltf(file)
    factor = checks.length(scale, "scale", InvalidGeometry)
    if factor == 0.0:
        raise InvalidGeometry("scale is 0; it must be greater than 0")
    vertices, faces = _binary_stl(file) if binary_stl else _by_trimesh(file)
    if len(faces) == 0:
        raise InvalidGeometry(f"{file}: holds no triangles")
    return vertices if factor == 1.0 else vertices * factor, faces


def _binary_stl(file: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the triangles of a binary STL as they are in the file. trimesh gives the same, but copies them several times."""
    corners = np.fromfile(file, _STL, offset=84)["corners"]
    return corners.reshape(-1, 3).astype(np.float64), np.arange(3 * len(corners)).reshape(-1, 3)


def _by_trimesh(file: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    import trimesh
    from trimesh.resolvers import FilePathResolver

    try:
        content = io.BytesIO(_plain(file))
        loaded = trimesh.load_mesh(
            content,
            file_type=file.suffix[1:].lower(),
            resolver=FilePathResolver(str(file)),
            process=False,
            skip_materials=True,
        )
    except Exception as error:  # trimesh's parsers may raise anything
        raise InvalidGeometry(f"{file}: cannot be read as {file.suffix[1:].upper()}: {error}") from error
    return np.asarray(loaded.vertices, np.float64), np.asarray(loaded.faces)


def _plain(file: Path) -> bytes:
    """Return a file's bytes; in texts (comments, names) question marks replace characters that are not ASCII."""
    content = file.read_bytes()
    kind = file.suffix.lower()
    if kind == ".ply":
        end = content.find(b"end_header") if content.startswith(b"ply") else -1
        if end >= 0:
            head = content[:end]
            texture = re.compile(rb"property\s+\w+\s+(s|t|u|v|texture_u|texture_v)\s*$", re.MULTILINE)
            # Renamed texture coordinates are read but not used.
            head = texture.sub(lambda found: found.group(0).rstrip() + b"_", head)
            return _ascii(head) + content[end:]
        return content
    if kind == ".obj":
        # Textures and normals do not change the geometry, and reading them would need an image library.
        content = re.sub(rb"(?m)^[ \t]*(vt|vn|mtllib|usemtl)\b.*$", b"", content)
        content = re.sub(rb"(?m)^[ \t]*f\b.*$", lambda line: re.sub(rb"/[-\d/]*", b"", line.group(0)), content)
    if kind in (".obj", ".off") or (kind == ".stl" and content[:5].lower() == b"solid" and b"facet" in content[:1024]):
        return _ascii(content)
    return content


def _ascii(text: bytes) -> bytes:
    return text.decode("latin-1").encode("ascii", "replace")


def _check_gltf(file: Path) -> None:
    """Raise for content that trimesh leaves out silently: compressed meshes, strips and fans."""
    content = file.read_bytes()
    try:
        if file.suffix.lower() == ".glb":
            size = int.from_bytes(content[12:16], "little")
            content = content[20 : 20 + size]
        tree = json.loads(content)
        needed = [name for name in tree.get("extensionsRequired", []) if not name.startswith(_HARMLESS)]
        modes = [part.get("mode", 4) for mesh in tree.get("meshes", []) for part in mesh.get("primitives", [])]
    except (ValueError, AttributeError, TypeError) as error:
        raise InvalidGeometry(f"{file}: cannot be read as {file.suffix[1:].upper()}: {error}") from None
    if needed:
        raise InvalidGeometry(f"{file}: needs {', '.join(map(str, needed))}, which is not supported; export it without")
    if 5 in modes or 6 in modes:
        raise InvalidGeometry(f"{file}: holds triangle strips or fans; export plain triangles")


def checked_file(path: str | PathLike[str], endings: tuple[str, ...], holds: str) -> tuple[Path, bytes]:
    """Return the path of a readable file and its first bytes, or raise; holds: what the file should contain."""
    if not isinstance(path, (str, PathLike)):
        raise InvalidGeometry(f"path: expected a text or a Path, got {checks.shown(path)}")
    file = Path(path)
    try:
        there, plain = file.exists(), file.is_file()
    except (OSError, ValueError) as error:  # a name that is too long or has a zero byte
        raise InvalidGeometry(f"{checks.shown(str(file))}: not a file name: {error}") from None
    if not there:
        raise InvalidGeometry(f"{file}: no such file")
    if not plain:
        raise InvalidGeometry(f"{file}: not a file")
    if file.suffix.lower() not in endings:
        raise InvalidGeometry(f"{file}: accepted endings are {', '.join(endings)}")
    size = file.stat().st_size
    try:
        with file.open("rb") as stream:
            head = stream.read(84)
    except OSError as error:
        raise InvalidGeometry(f"{file}: cannot be opened: {error.strerror}") from None
    if size == 0:
        raise InvalidGeometry(f"{file}: is empty")
    if head.startswith(_LFS):
        raise InvalidGeometry(f"{file}: is a Git LFS pointer, not the {holds} itself; fetch it with 'git lfs pull'")
    return file, head


def _is_binary_stl(file: Path, head: bytes, size: int) -> bool:
    """Return False for a text; compare the number of triangles in a binary STL's header with the file's size."""
    if head[:5].lower() == b"solid":
        with file.open("rb") as stream:
            start = stream.read(1024).lower()
        if b"facet" in start:
            return False
        # A binary file may begin with "solid" too, but is no text.
        if size <= len(start) and start.isascii() and b"\0" not in start:
            raise InvalidGeometry(f"{file}: an ASCII STL without facets: it holds no triangles")
    if size < 84:
        raise InvalidGeometry(f"{file}: a binary STL has at least 84 bytes, this has {size}")
    count = int.from_bytes(head[80:84], "little")
    if size != 84 + 50 * count:
        raise InvalidGeometry(f"{file}: its header promises {count} triangles ({84 + 50 * count} bytes), it has {size} bytes")
    return True
