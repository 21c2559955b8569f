"""Overlap of two shapes at many poses: true or false for each."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..pose_rows import PoseRows
from ..shapes import Volume
from ..shapes.given import ShapeLike
from ..threads import Progress, run_rows
from .many import answers_in, check_run
from .overlap import CULLS, check_voxel_options, cull_bits, overlaps_of


def overlap_many(
    a: ShapeLike,
    b: ShapeLike,
    poses: checks.PoseLike | Iterable[checks.PoseLike],
    *,
    sense: str = "centers",
    culls: Iterable[str] = CULLS,
    threads: int | None = None,
    progress: Progress | None = None,
    out: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Return at which of many poses two shapes overlap, shape (...): each as `overlap` answers.

    poses: of b in a's frame, shape (..., 4, 4), or positions (..., 3) [length]. sense, culls: of two volumes, as in `overlap`.
    threads, progress, out: as in `Scene.overlap_many`.
    """
    checks.choice(sense, "sense", ("centers", "cubes"))
    used = cull_bits(culls)
    pair = None
    if not isinstance(a, Volume) or not isinstance(b, Volume):
        from .two_shapes import TwoShapes

        check_voxel_options(sense, culls)
        pair = TwoShapes(a, b)
    stands = PoseRows(poses, "poses")
    check_run(threads, progress)
    overlapping = answers_in(out, stands.shape)
    flat = overlapping.reshape(-1)

    def work(first: int, last: int) -> None:
        there = stands.take(slice(first, last))
        if isinstance(a, Volume) and isinstance(b, Volume):
            overlaps_of(a, b, there, sense, used, flat[first:last])
        elif pair is not None:
            flat[first:last] = pair.overlap_at(there)

    run_rows(work, len(stands), threads, progress)
    return overlapping
