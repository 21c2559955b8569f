"""Read the mesh files of a URDF, from allowed folders only."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery, InvalidRobot
from ..io.meshes import ENDINGS, checked_file
from ..io.xml import lxml_etree, read_xml
from ..shapes import Mesh

LEVELS = 4
"""How many folders above the file are searched for a package."""
MOST_BYTES = 512 << 20
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?://)?")
_PACKAGE = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_-]*)/(.+)", re.DOTALL)
_UNREAD = (
    "images",
    "effects",
    "materials",
    "animations",
    "cameras",
    "lights",
)  # parts of COLLADA that do not change the geometry


class Meshes:
    """Reads the meshes of a URDF file, each once, and only from its own folder or package, its packages and the roots."""

    def __init__(self, file: Path, packages: Any, roots: Any) -> None:
        self._folder = Path(os.path.realpath(file.parent))
        self._packages = _packages(packages)
        self._named = (*self._packages.values(), *_roots(roots))
        levels = (self._folder, *self._folder.parents)[: LEVELS + 1]
        self._own = next((folder for folder in levels if (folder / "package.xml").is_file()), self._folder)
        self._found: list[Path] = []  # packages that were searched for
        self._read: dict[Path, Mesh] = {}
        self._scaled: dict[tuple[Path, tuple[float, ...]], Mesh] = {}

    def get(self, name: str, scale: tuple[float, ...]) -> Mesh:
        """Return the mesh with this name in the URDF, each axis times its scale; a negative scale mirrors."""
        if 0.0 in scale:
            raise InvalidRobot(f"mesh {name!r}: scale is {' '.join(f'{x:g}' for x in scale)}; it must not be 0")
        path = self._allowed(name)
        if path not in self._read:
            self._read[path] = self._load(path)
        mesh = self._read[path]
        if scale == (1.0, 1.0, 1.0):
            return mesh
        if (path, scale) not in self._scaled:
            faces = mesh.faces if np.prod(np.sign(scale)) > 0.0 else mesh.faces[:, ::-1]
            with np.errstate(over="ignore"):
                vertices = mesh.vertices * scale
            try:
                self._scaled[path, scale] = Mesh(vertices, faces)
            except InvalidGeometry as error:
                raise InvalidRobot(f"mesh {name!r}, scaled: {error}") from None
        return self._scaled[path, scale]

    def _allowed(self, name: str) -> Path:
        """Return the real path of a mesh, symbolic links resolved; raise if it is not in an allowed folder."""
        given = self._path(name)
        try:
            path = Path(os.path.realpath(given))
            there = path.is_file()
        except (OSError, ValueError) as error:  # a name that is too long or has a zero byte
            raise InvalidRobot(f"mesh {checks.shown(name)}: not a file name: {error}") from None
        absolute = name.startswith("file:") or Path(name).is_absolute()
        accepted = self._named if absolute else (self._own, *self._named, *self._found)
        if not any(path.is_relative_to(folder) for folder in accepted):
            why = "an absolute path" if absolute else "outside of the file's folder and its packages"
            raise InvalidRobot(
                f"mesh {name!r} is {path}, {why}; to allow it, name its folder: roots=[{str(path.parent)!r}], "
                "on the command line --root"
            )
        if not there:
            raise InvalidRobot(f"mesh {name!r}: no such file; tried {given}")
        return path

    def _path(self, name: str) -> Path:
        """Return the path that a name means, not resolved."""
        scheme = _SCHEME.match(name)
        if scheme is None:
            plain = self._folder / name
            return plain if "%" not in name or os.path.lexists(plain) else self._folder / unquote(name)
        kind, rest = scheme.group(1).lower(), unquote(name[scheme.end() :])
        if kind == "package":
            return self._in_package(name, rest)
        if kind == "file" and rest.startswith("/"):
            return Path(rest)
        raise InvalidRobot(
            f"mesh {name!r}: {kind}: is not supported; accepted: a path relative to the file, or package://NAME/PATH"
            + (", or file:///PATH" if kind == "file" else "")
        )

    def _in_package(self, name: str, rest: str) -> Path:
        parts = _PACKAGE.fullmatch(rest)
        if parts is None:
            raise InvalidRobot(f"mesh {name!r}: expected package://NAME/PATH")
        package, inside = parts.group(1), parts.group(2).lstrip("/")
        if package in self._packages:
            return self._packages[package] / inside
        tried = []
        for level in (self._folder, *self._folder.parents)[: LEVELS + 1]:
            beside = level / package
            for folder in (
                *((level,) if level.name == package else ()),
                *((beside,) if (beside / "package.xml").is_file() else ()),
            ):
                tried.append(folder)
                if os.path.lexists(folder / inside):
                    self._found.append(Path(os.path.realpath(folder)))
                    return folder / inside
        if tried:
            self._found.append(Path(os.path.realpath(tried[0])))
            return tried[0] / inside
        raise InvalidRobot(
            f"mesh {name!r}: no folder {package!r} among the {LEVELS} above {self._folder}; give it: "
            f"packages={{{package!r}: FOLDER}}, on the command line --package {package}=FOLDER"
        )

    def _load(self, path: Path) -> Mesh:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidRobot(
                f"{path}: has {path.stat().st_size} bytes; accepted: up to {MOST_BYTES} ({MOST_BYTES >> 20} MiB)"
            )
        ending = path.suffix.lower()
        if ending == ".dae":
            return _read_collada(path)
        if ending not in ENDINGS:
            raise InvalidRobot(f"{path}: accepted endings are {', '.join((*ENDINGS, '.dae'))}")
        if ending == ".gltf":
            self._check_buffers(path)
        return Mesh.load(path)

    def _check_buffers(self, path: Path) -> None:
        """Raise if a glTF reads its numbers from a file outside of the allowed folders. Other faults are found later."""
        try:
            places = [buffer.get("uri", "data:") for buffer in json.loads(path.read_bytes())["buffers"]]
        except (ValueError, KeyError, AttributeError, TypeError):
            return
        for place in places:
            if not isinstance(place, str) or place.startswith("data:"):
                continue
            real = Path(os.path.realpath(path.parent / unquote(place)))
            if not any(real.is_relative_to(folder) for folder in (self._own, *self._named, *self._found)):
                raise InvalidRobot(f"{path}: reads {place!r}, which is outside of the allowed folders; see roots")


def _packages(value: Any) -> dict[str, Path]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidQuery(f"packages: expected {{name: folder, ...}}, got {checks.shown(value)}")
    return {str(name): _folder(folder, f"packages[{checks.shown(name)}]") for name, folder in value.items()}


def _roots(value: Any) -> list[Path]:
    if isinstance(value, (str, PathLike)) or not isinstance(value, Sequence):
        raise InvalidQuery(f"roots: expected a list of folders, got {checks.shown(value)}")
    return [_folder(folder, f"roots[{k}]") for k, folder in enumerate(value)]


def _folder(value: Any, what: str) -> Path:
    if not isinstance(value, (str, PathLike)) or not Path(value).is_dir():
        raise InvalidQuery(
            f"{what}: expected a folder, got {checks.shown(str(value) if isinstance(value, PathLike) else value)}"
        )
    return Path(os.path.realpath(value))


def _read_collada(path: Path) -> Mesh:
    """Read a COLLADA file's triangles [metres]. Applies its unit and ignores its up-axis, as viewers of robots do."""
    etree = lxml_etree()
    checked_file(path, (".dae",), "mesh")
    try:
        root = read_xml(path, MOST_BYTES)
    except InvalidRobot as error:
        raise InvalidRobot(f"{path}: {error}") from None
    for element in list(root.iter()):
        tag = etree.QName(element).localname
        if tag in ("instance_controller", "tristrips", "trifans"):
            raise InvalidRobot(f"{path}: line {element.sourceline}: <{tag}> is not supported; export plain triangles")
        if tag == "bind_material" or (tag.startswith("library_") and tag[8:] in _UNREAD):
            element.getparent().remove(element)
    unit = next((each.get("meter") for each in root.iter("{*}unit")), None)
    import trimesh

    try:
        metres = 1.0 if unit is None else float(unit)
        loaded = trimesh.load_mesh(BytesIO(etree.tostring(root)), file_type="dae", process=False, ignore_broken=False)
        vertices, faces = np.asarray(loaded.vertices, np.float64), np.asarray(loaded.faces)
    except Exception as error:  # the parsers of trimesh and pycollada may raise anything
        raise InvalidRobot(f"{path}: cannot be read as DAE: {error}") from error
    if len(faces) == 0:
        raise InvalidRobot(f"{path}: holds no triangles")
    if not 0.0 < metres <= checks.LARGEST:
        raise InvalidRobot(f"{path}: its unit is {unit} metres; it must be finite and above 0")
    return Mesh(vertices * metres, faces)
