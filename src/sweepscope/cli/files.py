"""Load files of meshes, volumes and scenes, and add them to a scene."""

from __future__ import annotations

import logging
from pathlib import Path

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery
from ..formats import meshes as files
from ..formats import scene as scene_files
from ..formats import volumes
from ..formats.file_reader import FileReader
from ..scene import Scene, store_of
from ..shapes import Mesh, Volume

_log = logging.getLogger("sweepscope")


def load(path: Path, spacing: float | None = None, threshold: float | None = None) -> Mesh | Volume:
    """Return a file's shape; spacing [length]: used if a volume's file has none; threshold: overrides the file's."""
    ending = path.suffix.lower()
    if ending in volumes.ENDINGS:
        return Volume.load(path, spacing=None if volumes.has_array(path, "spacing") else spacing, threshold=threshold)
    if ending not in files.ENDINGS and path.is_file():
        more = "; a robot: sweepscope robot" if ending == ".urdf" else ""
        raise InvalidGeometry(f"{path}: accepted endings are {', '.join((*files.ENDINGS, *volumes.ENDINGS))}{more}")
    content = files.read_content(path, FileReader())
    if content.unit not in (None, 1.0):
        _log.warning("%s: declares a unit of %g m; its numbers are taken as they are", path, content.unit)
    with checks.prefixed(str(path)):
        return Mesh(*content.merged())


def load_volume(path: Path, spacing: float | None, threshold: float | None) -> Volume:
    """Return a file's volume; a mesh is filled with voxels of width `spacing` [length]."""
    shape = load(path, spacing, threshold)
    if isinstance(shape, Volume):
        return shape
    if spacing is None:
        raise InvalidQuery(f"{path}: is a mesh; give the width of its voxels with --spacing")
    with checks.prefixed(str(path)):
        return Volume.from_mesh(shape, spacing)


def add_files(scene: Scene, paths: list[Path], spacing: float | None = None, threshold: float | None = None) -> None:
    """Add a body for each file, named after it; of a file that holds a scene, all bodies."""
    free = store_of(scene).free_name  # the same file may be given twice, but names are unique
    for path in paths:
        if scene_files.is_scene(path):
            for body in Scene.load(path):
                scene.add(body.shape, body.pose, name=free(f"{path}: {body.name}"))
        else:
            scene.add(load(path, spacing, threshold), name=free(str(path)))
