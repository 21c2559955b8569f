"""Read the mesh files of a URDF, from allowed folders only."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from .. import checks
from ..errors import InaccessibleFile, InvalidGeometry, InvalidQuery, InvalidRobot, InvalidType, MissingFile
from ..formats.file_reader import FileReader
from ..formats.meshes import read_content
from ..shapes import Mesh

LEVELS = 4
"""How many folders above the file are searched for a package."""
_TURNS = {"X": np.array(((0, -1, 0), (0, 0, -1), (1, 0, 0))), "Y": np.array(((1, 0, 0), (0, 0, -1), (0, 1, 0)))}
"""Turns that make z of the axis that a COLLADA file calls up."""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?://)?")
_PACKAGE = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_-]*)/(.+)", re.DOTALL)


class Meshes:
    """Reads the meshes of a URDF file, each once, and only from its own folder or package, its packages and the roots."""

    def __init__(self, file: Path, packages: Any, roots: Any, reader: FileReader, turn_dae: bool) -> None:
        self._folder = Path(os.path.realpath(file.parent))
        self._packages = _packages(packages)
        self._named = (*self._packages.values(), *_roots(roots))
        levels = (self._folder, *self._folder.parents)[: LEVELS + 1]
        self._own = next((folder for folder in levels if (folder / "package.xml").is_file()), self._folder)
        self._door = reader
        self._turn_dae = turn_dae
        reader.folders = [self._own, *self._named]
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
        accepted = self._named if absolute else self._door.folders
        if not any(path.is_relative_to(folder) for folder in accepted):
            why = "an absolute path" if absolute else "outside of the file's folder and its packages"
            raise InvalidRobot(
                f"mesh {name!r} is {path}, {why}; to allow it, name its folder: roots=[{str(path.parent)!r}], "
                "on the command line --root"
            )
        if not there:
            error, what = (InaccessibleFile, "not a file") if path.exists() else (MissingFile, "no such file")
            raise error(f"mesh {name!r}: {what}; tried {given}")
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
        # Some files write package:///NAME/PATH, which other tools accept.
        parts = _PACKAGE.fullmatch(rest.lstrip("/"))
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
                    self._door.folders.append(Path(os.path.realpath(folder)))
                    return folder / inside
        if tried:
            self._door.folders.append(Path(os.path.realpath(tried[0])))
            return tried[0] / inside
        raise MissingFile(
            f"mesh {name!r}: no folder {package!r} among the {LEVELS} above {self._folder}; give it: "
            f"packages={{{package!r}: FOLDER}}, on the command line --package {package}=FOLDER"
        )

    def _load(self, path: Path) -> Mesh:
        """Read a file's triangles; those of a file that declares its unit [meters]."""
        content = read_content(path, self._door)
        vertices, faces = content.merged()
        if path.suffix.lower() == ".dae":
            if self._turn_dae and content.up in _TURNS:
                vertices = vertices @ _TURNS[content.up].T
            with np.errstate(over="ignore"):
                vertices = vertices if content.unit in (None, 1.0) else vertices * content.unit
        try:
            return Mesh(vertices, faces)
        except InvalidGeometry as error:
            raise InvalidRobot(f"{path}: {error}") from None


def _packages(value: Any) -> dict[str, Path]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidType(f"packages: expected {{name: folder, ...}}, got {checks.shown(value)}")
    return {str(name): _folder(folder, f"packages[{checks.shown(name)}]") for name, folder in value.items()}


def _roots(value: Any) -> list[Path]:
    if isinstance(value, (str, PathLike)) or not isinstance(value, Sequence):
        raise InvalidType(f"roots: expected a list of folders, got {checks.shown(value)}")
    return [_folder(folder, f"roots[{k}]") for k, folder in enumerate(value)]


def _folder(value: Any, what: str) -> Path:
    folder = checks.file_path(value, what)
    if not folder.is_dir():
        error = InvalidQuery if folder.exists() else MissingFile
        raise error(f"{what}: expected a folder, got {checks.shown(str(folder))}")
    return Path(os.path.realpath(folder))
