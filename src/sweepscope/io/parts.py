"""The parts of a mesh file as shapes with names and poses."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from ..formats.content import Content
from ..formats.file_reader import FileReader, Limits
from ..shapes import Mesh
from ..shapes.base import Shape
from ..shapes.placements import Placements


class LoadedPart(NamedTuple):
    """A part of a file."""

    name: str
    """As in the file; empty if the file gives it none."""
    shape: Shape
    pose: NDArray[np.float64]
    """Local to the file's frame, rigid, shape (4, 4)."""


def load_parts(
    path: str | PathLike[str], *, scale: float = 1.0, solid: bool | None = None, limits: Limits | None = None
) -> list[LoadedPart]:
    """Read the parts of a mesh file; see `Scene.add_file`."""
    from ..formats.meshes import checked_scale, read_content

    factor = checked_scale(scale)
    return parts_in(read_content(path, FileReader(limits)), path, scale=factor, solid=solid)


def parts_in(content: Content, path: str | PathLike[str], *, scale: float = 1.0, solid: bool | None = None) -> list[LoadedPart]:
    """Return the parts of a file that was read; path: for error messages."""
    placements = Placements(lambda geometry, _: Mesh(geometry.vertices, geometry.faces, solid=solid))
    parts = []
    for part in content.split():
        matrix = np.eye(4)
        matrix[:3] = np.reshape(part.transform.rows, (3, 4))
        try:
            shape, pose = placements.place(part.geometry, part.name, matrix, sign=part.transform.sign, scale=scale)
        except InvalidGeometry as error:
            where = f"{path}: part {checks.shown(part.name)}" if part.name else f"{path}"
            raise InvalidGeometry(f"{where}: {error}") from None
        parts.append(LoadedPart(part.name, shape, pose))
    return parts


def names_of(parts: Sequence[LoadedPart], path: str | PathLike[str], name: str | None) -> list[str]:
    """Return a name for the body of each part, not yet unique; name: what the user calls all of it, None for nothing."""
    if len(parts) == 1:
        return [parts[0].name or Path(path).stem if name is None else name]
    labels = [part.name or f"part {k}" for k, part in enumerate(parts)]
    return labels if name is None else [f"{name}/{label}" for label in labels]
