"""Load files of meshes, volumes and scenes, and add them to a scene."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery
from ..formats import meshes as files
from ..formats import scene as scene_files
from ..formats import volumes
from ..formats.content import Content
from ..formats.file_reader import FileReader, advice
from ..io.parts import names_of, parts_in
from ..scene import Scene, store_of
from ..shapes import Mesh, Volume

_log = logging.getLogger("sweepscope")


def load(path: Path, spacing: float | None = None, threshold: float | None = None) -> Mesh | Volume:
    """Return a file's shape; spacing [length]: used if a volume's file has none; threshold: overrides the file's."""
    if path.suffix.lower() in volumes.ENDINGS:
        return Volume.load(path, spacing=None if volumes.has_array(path, "spacing") else spacing, threshold=threshold)
    content = _content(path)
    with checks.prefixed(str(path)):
        return Mesh(*content.merged())


def _content(path: Path) -> Content:
    """Return what a mesh file holds; warn if its unit is not a meter."""
    ending = path.suffix.lower()
    if ending not in files.ENDINGS and path.is_file():
        more = "; a robot: sweepscope robot" if ending == ".urdf" else advice(path)
        raise InvalidGeometry(f"{path}: accepted endings are {', '.join((*files.ENDINGS, *volumes.ENDINGS))}{more}")
    content = files.read_content(path, FileReader())
    if content.unit not in (None, 1.0):
        _log.warning("%s: declares a unit of %g m; its numbers are taken as they are", path, content.unit)
    return content


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
    """Add a body for each file, named after it; of a file with several parts, or with a scene, a body for each of them."""
    for path in paths:
        if scene_files.is_scene(path):
            found = [(f"{path}: {body.name}", body.shape, body.pose) for body in Scene.load(path)]
        elif path.suffix.lower() in volumes.ENDINGS:
            found = [(str(path), load(path, spacing, threshold), np.eye(4))]
        else:
            parts = parts_in(_content(path), path)
            names = [str(path)] if len(parts) == 1 else [f"{path}: {each}" for each in names_of(parts, path, None)]
            found = [(name, part.shape, part.pose) for name, part in zip(names, parts, strict=True)]
        labels, shapes, poses = zip(*found, strict=True) if found else ((), (), ())
        # The same file may be given twice, but names are unique.
        scene.add_many(shapes, list(poses), names=store_of(scene).free_names(labels))
