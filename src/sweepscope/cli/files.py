"""Mesh and volume files into a scene."""

from __future__ import annotations

from pathlib import Path

from ..errors import InvalidGeometry, InvalidQuery
from ..io import files, volumes
from ..scene import Scene
from ..shapes import Mesh, Volume


def load(path: Path, spacing: float | None = None, threshold: float | None = None) -> Mesh | Volume:
    """Return what a file holds; spacing [length]: of a volume that does not say; threshold: even if it does."""
    ending = path.suffix.lower()
    if ending in volumes.ENDINGS:
        return Volume.load(path, spacing=None if volumes.tells(path, "spacing") else spacing, threshold=threshold)
    if ending not in files.ENDINGS and path.is_file():
        raise InvalidGeometry(f"{path}: accepted endings are {', '.join((*files.ENDINGS, *volumes.ENDINGS))}")
    return Mesh.load(path)


def load_volume(path: Path, spacing: float | None, threshold: float | None) -> Volume:
    """Return a file's volume; a mesh is filled with voxels `spacing` [length] wide."""
    shape = load(path, spacing, threshold)
    if isinstance(shape, Volume):
        return shape
    if spacing is None:
        raise InvalidQuery(f"{path}: is a mesh; --spacing says how wide its voxels shall be")
    try:
        return Volume.of_mesh(shape, spacing)
    except InvalidGeometry as error:
        raise InvalidGeometry(f"{path}: {error}") from None


def add_files(scene: Scene, paths: list[Path], spacing: float | None = None, threshold: float | None = None) -> None:
    """Add a body for each file, named after it."""
    for path in paths:
        # The same file may be given twice; bodies need names of their own.
        scene.add(load(path, spacing, threshold), name=scene._free_name(str(path)))
