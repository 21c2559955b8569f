"""Mesh files into a scene."""

from __future__ import annotations

from pathlib import Path

from ..scene import Scene
from ..shapes import Mesh


def add_files(scene: Scene, paths: list[Path]) -> None:
    """Add a body for each file, named after it."""
    for path in paths:
        # The same file may be given twice; bodies need names of their own.
        scene.add(Mesh.load(path), name=scene._free_name(str(path)))
