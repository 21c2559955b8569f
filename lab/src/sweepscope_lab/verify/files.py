"""Read random valid files with the library and with slow readers, and compare every vertex and face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from sweepscope import SweepscopeError
from sweepscope.formats.meshes import read_mesh

from ..reference.files import dae, gltf, obj, off, ply, stl

TWINS: dict[str, ModuleType] = {"stl": stl, "ply": ply, "obj": obj, "off": off, "gltf": gltf, "dae": dae}
"""For each format a module with `random_file` and `slow_read`."""
_PLACED = ("gltf", "dae")  # formats with transforms: products of matrices are rounded in the order of the sums
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """A file, and what is wrong with how it was read."""

    kind: str
    seed: int
    triangles: int
    wrong: str
    """Empty if nothing is."""


def judge_file(kind: str, seed: int, folder: Path) -> FileVerdict:
    """Write a random file, read it twice, and compare."""
    path = TWINS[kind].random_file(np.random.default_rng((seed, list(TWINS).index(kind))), folder)
    try:
        found = read_mesh(path)
    except SweepscopeError as error:
        return FileVerdict(kind, seed, 0, f"refused: {error}" if TWINS[kind].slow_read(path)[1] else "")
    return FileVerdict(kind, seed, len(found[1]), difference(kind, path, *found))


def difference(kind: str, path: Path, vertices: np.ndarray, faces: np.ndarray) -> str:
    """Return what differs from what the slow reader finds in a file; empty if nothing does."""
    places, polygons = TWINS[kind].slow_read(path)
    count = sum(len(polygon) - 2 for polygon in polygons)
    if len(places) != len(vertices) or count != len(faces):
        return f"{len(vertices)} vertices and {len(faces)} triangles; expected {len(places)} and {count}"
    true, found = np.array(places, np.float64).reshape(-1, 3), np.ascontiguousarray(vertices)
    begin, triangles = 0, faces.tolist()
    for polygon in polygons:
        own = triangles[begin : begin + len(polygon) - 2]
        begin += len(own)
        if own != [list(polygon)] if len(own) == 1 else _border(own) != _border([polygon]):
            return f"polygon {list(polygon)} is cut into {own}"
    if kind in _PLACED:
        same = np.allclose(true, found, _ROUNDING, _ROUNDING * float(np.abs(true).max(initial=0.0)))
    else:
        same = np.array_equal(true.view(np.int64), found.view(np.int64))
    return "" if same else "vertices differ"


def _border(polygons: Iterable[Sequence[int]]) -> Counter[tuple[int, int]]:
    """Return the edges of polygons, less those that two of them have in opposite directions."""
    edges = Counter((each[k - 1], each[k]) for each in polygons for k in range(len(each)))
    edges.subtract([(b, a) for (a, b) in edges.elements()])
    return +edges


@dataclass(frozen=True, slots=True)
class FileTally:
    """Sums over the files of a format."""

    kind: str
    files: int
    triangles: int
    wrong: int


def tally_files(verdicts: Iterable[FileVerdict]) -> list[FileTally]:
    """Return a row for each format."""
    found = list(verdicts)
    rows = {kind: [each for each in found if each.kind == kind] for kind in dict.fromkeys(each.kind for each in found)}
    return [
        FileTally(kind, len(own), sum(each.triangles for each in own), sum(bool(each.wrong) for each in own))
        for kind, own in rows.items()
    ]
