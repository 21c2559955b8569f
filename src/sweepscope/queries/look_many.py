"""Many looks in one call: one picture for each view, drawn by kernels on all cores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .. import checks
from ..errors import InvalidQuery
from ..kernels import layout
from ..kernels.picture import view as kernel
from ..results import LookResults
from ..threads import Progress, run_rows
from .look import acquire_buffers, check_count, check_view, release_buffers, view_row
from .many import check_run, refit
from .view import View, checked_pixels

if TYPE_CHECKING:
    from ..world.body import Body
    from ..world.store import Store

_RUN = 4  # pictures that are drawn by one call of the kernel
_PIXEL = 16  # bytes: depth, id and face


def look_many(
    store: Store,
    views: Iterable[View],
    *,
    pixels: tuple[int, int] | int,
    bounding: bool,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
) -> LookResults:
    """Answer `Scene.look_many`."""
    given = checks.items(views, "views", "views")
    for k, view in enumerate(given):
        check_view(view, f"views[{k}]")
    columns, rows = checked_pixels(pixels)
    check_count(len(store.rows))
    checks.flag(bounding, "bounding")
    check_run(threads, progress)
    hidden = store.check_ignored(ignore)
    store.check_drawn(hidden)
    shape = len(given), rows, columns
    what = f"views: {checks.amount(len(given), 'picture')} of {columns} x {rows} pixels"
    checks.require_memory(_PIXEL * math.prod(shape), what, InvalidQuery)
    depth, ids, faces = np.empty(shape), np.empty(shape, np.int32), np.empty(shape, np.int32)
    volumes = store.surfaces.refresh()
    skipped = np.zeros(len(store.rows), np.uint8)
    skipped[hidden] = 1
    seen = np.zeros(len(store.rows), np.uint8)
    frames = np.array([view_row(view) for view in given]).reshape(-1, kernel.VIEW)

    def work(first: int, last: int) -> None:
        buffers = acquire_buffers(rows, columns)
        for n in range(first, last) if volumes else ():
            store.surfaces.make_reached(given[n].corners(), 0.0)
        images = (*buffers, depth, ids, faces, seen)
        kernel.pictures(*store.world(), skipped, frames, bounding, first, last, *images)
        release_buffers(buffers)

    refit(store)
    # One view may need another surface of a volume than the next: they are drawn one after another.
    run_rows(work, len(given), 1 if volumes else threads, progress, 1 if volumes else _RUN)
    numbers = store.world().bodies[: len(seen), layout.ID]
    bodies = {int(numbers[row]): store.entry(row).body for row in np.flatnonzero(seen).tolist()}
    return LookResults(tuple(given), depth, ids, faces, bodies)
