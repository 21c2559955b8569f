"""Files of a million triangles, compared with trimesh: from the name to vertices and faces, float64."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sweepscope import SweepscopeError
from sweepscope.formats.meshes import read_mesh

from .large import torus
from .rows import Row, best, peer

_STEPS = 708
_BAR = "0.83"  # not slower by more than 20 %
_FILES = {
    "a.stl": ("binary STL", "stl", _BAR),
    "b.stl": ("STL as text", "stl_ascii", ""),
    "a.ply": ("binary PLY", "ply", _BAR),
    "a.obj": ("OBJ", "obj", _BAR),
    "a.off": ("OFF", "off", ""),
    "a.glb": ("glb", "glb", _BAR),
}


def measure(repeats: int, say: Callable[[str], None]) -> list[Row]:
    """Return the rows of the table; say: reports progress."""
    trimesh = peer("trimesh")
    vertices, faces = torus(_STEPS)
    mesh = trimesh.Trimesh(vertices, faces, process=False)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (title, kind, bar) in _FILES.items():
            file = Path(folder) / name
            mesh.export(file, file_type=kind)

            def theirs(file: Path = file) -> tuple[np.ndarray, np.ndarray]:
                loaded = trimesh.load_mesh(file, process=False, skip_materials=True)
                return np.asarray(loaded.vertices, np.float64), np.asarray(loaded.faces, np.int64)

            ours, other = read_mesh(file), theirs()
            if not np.array_equal(ours[0][ours[1]], other[0][other[1]]):
                raise SweepscopeError(f"{title}: trimesh reads other triangles")
            taken = best(lambda file=file: read_mesh(file), repeats)
            rows.append(Row(f"{title}, {len(faces):,} triangles", taken, bar, {"trimesh": best(theirs, min(repeats, 3))}))
            file.unlink()
    say("both read the same triangles")
    return rows
