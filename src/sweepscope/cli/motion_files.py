"""Files of motions, poses and tool paths on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks, leading
from ..errors import InvalidGeometry, InvalidMotion, InvalidQuery
from ..formats.number_rows import read_named_rows, read_rows
from ..motion import lengths_of
from ..motions import Motions, paths_of, translations
from ..pose_rows import PoseRows

_POSES = (3,), (3, 4), (4, 4)
_ARRAYS = {
    "vectors": (3,),
    "axis": (3,),
    "angle": (),
    "about": (3,),
    "slide": (),
    "poses_0": (4, 4),
    "poses_1": (4, 4),
}


def motions_in(path: Path) -> tuple[Motions, NDArray[Any] | None]:
    """Return the motions of a file, shape (n,), and the poses where they start if it says so."""
    if path.suffix.lower() != ".npz":
        return translations(read_rows(path, ((3,),), "motions", ".npz"), str(path)), None
    found = read_named_rows(path, _ARRAYS, "motions")
    arrays: dict[str, Any] = {name: a if a.ndim > len(_ARRAYS[name]) else a[None] for name, a in found.items()}
    names = arrays.keys()
    with checks.prefixed(str(path)):
        if names == {"vectors"}:
            return Motions.translate(arrays["vectors"]), None
        if {"axis", "angle"} <= names <= {"axis", "angle", "about", "slide"}:
            return (Motions.screw if "slide" in names else Motions.rotate)(**arrays), None
        if names == {"poses_0", "poses_1"}:
            return Motions.between(arrays["poses_0"], arrays["poses_1"]), arrays["poses_0"]
        accepted = "vectors; axis, angle [about, slide]; or poses_0, poses_1"
        raise InvalidGeometry(f"holds arrays {checks.listed(sorted(names))}; accepted: {accepted}")


def poses_in(path: Path) -> NDArray[Any]:
    """Return the checked poses of a file, shape (n, 4, 4), (n, 3, 4) or (n, 3)."""
    rows = read_rows(path, _POSES, "poses")
    PoseRows(rows, str(path))  # raises
    return rows


class ToolPath:
    """A path of points or poses; its segments are the motions from each to the next."""

    def __init__(self, path: Path, start: NDArray[np.float64] | None) -> None:
        """start: a pose with the orientation along a path of points; None: as it is."""
        self._name = str(path)
        self._rows = poses_in(path)
        self._start = np.eye(4) if start is None else start
        if self._rows.ndim > 2 and start is not None:
            raise InvalidQuery(f"given: --orient, but {path} holds poses, which have orientations; accepted: one of them")
        self.segments = len(self._rows) - 1
        """Their number."""
        if self.segments < 1:
            raise InvalidMotion(f"{path}: holds {checks.amount(len(self._rows), 'point')}; a path has at least two")

    def part(self, first: int, last: int) -> tuple[Motions, NDArray[np.float64]]:
        """Return the motions of segments first .. last - 1, and the poses where they start."""
        rows = np.asarray(self._rows[first : last + 1], np.float64)
        if rows.ndim > 2:
            return Motions.between(rows[:-1], rows[1:]), rows[:-1]
        poses = np.tile(self._start, (last - first, 1, 1))
        poses[:, :3, 3] = rows[:-1]
        return translations(np.diff(rows, axis=0), f"{self._name}: segments"), poses

    def lengths(self) -> NDArray[np.float64]:
        """Return how far the mover's origin travels on each segment [length]."""
        lengths = np.empty(self.segments)
        for first, last in leading.blocks(self.segments):
            paths, straight, turning = paths_of(self.part(first, last)[0], np.arange(last - first))
            helix = np.hypot(paths[:, 9] * lengths_of(paths[:, 3:6]), paths[:, 10])
            lengths[first:last] = np.where(turning, helix, straight)
        return lengths
