"""Meshes from a folder of files, such as the parts of robots."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sweepscope import Mesh, SweepscopeError
from sweepscope.errors import InvalidQuery

_ENDINGS = (".stl", ".dae", ".obj", ".ply", ".glb", ".off")
_LARGEST_FILE = 4_000_000  # bytes


def load_meshes(folder: Path, count: int, most_faces: int) -> list[Mesh]:
    """Return up to `count` meshes, always the same ones, from anywhere in a folder; each has at most `most_faces` faces.

    Each is 1 across, its middle at the origin. Files that are too large, empty, or not accepted are left out.
    """
    files = sorted(
        path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.stat().st_size <= _LARGEST_FILE
    )
    meshes: list[Mesh] = []
    for k in np.random.default_rng(0).permutation(len(files)):
        if len(meshes) == count:
            break
        try:
            mesh = Mesh.load(files[k])
        except SweepscopeError:
            continue
        if 4 <= len(mesh.faces) <= most_faces:
            size = float(np.ptp(mesh.bounds, axis=0).max())
            meshes.append(Mesh((mesh.vertices - mesh.bounds.mean(axis=0)) / size, mesh.faces))
    if not meshes:
        raise InvalidQuery(f"--meshes {folder}: no mesh with 4 to {most_faces} faces; accepted: {', '.join(_ENDINGS)}")
    return meshes
