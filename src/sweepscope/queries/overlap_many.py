"""Overlap of two volumes at many poses: true or false for each."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidType
from ..pose_rows import PoseRows
from ..shapes import Volume
from ..threads import Progress, run_rows
from .many import answers_in, check_run
from .overlap import CULLS, cull_bits, overlaps_of


def overlap_many(
    a: Volume,
    b: Volume,
    poses: checks.PoseLike | Iterable[checks.PoseLike],
    *,
    sense: str = "centers",
    culls: Iterable[str] = CULLS,
    threads: int | None = None,
    progress: Progress | None = None,
    out: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Return at which of many poses two volumes overlap, shape (...): each as `overlap` answers.

    poses: of b in a's frame, shape (..., 4, 4), or positions (..., 3) [length]. sense, culls: as in `overlap`. threads,
    progress, out: as in `Scene.overlap_many`.
    """
    for name, volume in (("a", a), ("b", b)):
        if not isinstance(volume, Volume):
            raise InvalidType(f"{name}: expected a Volume, got {checks.shown(volume)}; for bodies: scene.overlap_many")
    checks.choice(sense, "sense", ("centers", "cubes"))
    used = cull_bits(culls)
    stands = PoseRows(poses, "poses")
    check_run(threads, progress)
    overlapping = answers_in(out, stands.shape)
    flat = overlapping.reshape(-1)

    def work(first: int, last: int) -> None:
        overlaps_of(a, b, stands.take(slice(first, last)), sense, used, flat[first:last])

    run_rows(work, len(stands), threads, progress)
    return overlapping
