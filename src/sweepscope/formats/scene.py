"""Read and write the file of a scene: an .npz of arrays, and a text that says what they are.

The text is a member of its own, `scene.json`, not an array of characters: every tool that opens a zip shows it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from .arrays import Archive, Check, Header, Member, explained, members_of, write_archive
from .file_reader import FileReader, Limits

TEXT = "scene.json"
FORMAT = "sweepscope scene"
VERSION = 3
"""Of the format that is written, and the only one that is read.

In version 1 robots did not list the links that they ignore; in version 2 some fields had other names: follows, centre.
"""
_TIMES = 32  # bytes that a byte of JSON may take in memory: [[],[],[]]
_KINDS = {"f": "real numbers", "iu": "whole numbers", "u": "whole numbers without a sign"}


class SceneFile:
    """A scene's file: its description, and the arrays that it names."""

    def __init__(self, path: str | PathLike[str], limits: Limits | None) -> None:
        reader = FileReader(limits)
        file, content = reader.read(path, (".npz",), "scene")
        self.path = file
        self._archive = Archive(file, content, reader)
        if TEXT not in self._archive.members:
            raise InvalidGeometry(f"{file}: is not a scene: it holds no {TEXT}")
        self.description = _parsed(file, self._archive.text(TEXT, _TIMES))

    def array(self, name: Any, where: str, check: Check) -> NDArray[Any]:
        """Return an array that the description names, read-only; where: the place that names it."""
        if not isinstance(name, str) or f"{name}.npy" not in self._archive.members:
            raise InvalidGeometry(f"{where} is {checks.shown(name)}; expected the name of an array in the file")
        try:
            return self._archive.array(name, check)
        except InvalidGeometry as error:  # whoever asks for it names the file
            raise InvalidGeometry(str(error).removeprefix(f"{self.path}: ")) from None


def expecting(shape: tuple[int | None, ...], kinds: str) -> Check:
    """Return a check of arrays; shape: None stands for any number; kinds: of numbers, as in `numpy.dtype.kind`."""

    def check(header: Header, what: str) -> None:
        if len(header.shape) != len(shape) or any(b not in (None, a) for a, b in zip(header.shape, shape, strict=True)):
            wanted = ", ".join("n" if n is None else str(n) for n in shape)
            raise InvalidGeometry(f"{what} has shape {header.shape}; expected ({wanted})")
        if header.dtype.kind not in kinds:
            raise InvalidGeometry(f"{what} has dtype {header.dtype}; expected {_KINDS[kinds]}")

    return check


def is_scene(path: Path) -> bool:
    """True if a file is that of a scene."""
    return path.suffix.lower() == ".npz" and TEXT in members_of(path)


def write_scene(path: str | PathLike[str], description: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a scene; description: plain values, without the mark of the format."""
    marked = {"format": FORMAT, "version": VERSION, **description}
    text = json.dumps(marked, allow_nan=False).encode("ascii")
    # Booleans and words of bits compress well; measured values hardly do, and take long.
    members = [Member(f"{name}.npy", array, array.dtype.str in ("|b1", "<u8")) for name, array in arrays.items()]
    write_archive(path, [Member(TEXT, text, packed=True), *members])


def _parsed(file: Path, text: bytes) -> dict[str, Any]:
    """Return the description of a scene, in a version that this library knows."""
    with explained(file):
        try:
            found = json.loads(text, parse_constant=_refuse)
        except ValueError as error:
            raise InvalidGeometry(f"{file}: {TEXT} is not valid JSON: {error}") from None
        except RecursionError:
            raise InvalidGeometry(f"{file}: {TEXT} is nested too deep") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise InvalidGeometry(f"{file}: is not a scene: {TEXT} does not say format {FORMAT!r}")
    version = found.get("version")
    if type(version) is not int or version < 1:
        raise InvalidGeometry(f"{file}: {TEXT}: version is {checks.shown(version)}; expected a whole number from 1")
    if version != VERSION:
        advice = "use a newer sweepscope" if version > VERSION else "save the scene again"
        raise InvalidGeometry(
            f"{file}: is a scene in version {version} of the format; this sweepscope reads version {VERSION}: {advice}"
        )
    return found


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a number")
