"""Pairs of bodies that overlap, touch or are too near: check the arguments, call the kernels, make the results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..kernels import layout as at
from ..threads import run_rows
from ..world.store import rows_of
from .distance import pair_of
from .many import check_run
from .rows import answer_with_scratch, make_ready

if TYPE_CHECKING:
    from ..results import PairDistance
    from ..threads import Progress
    from ..world.body import Body
    from ..world.store import Store
    from ..world.world import World

_ONLY_OVERLAPS = -1.0  # limit: pairs that touch do not count
_FIRST, _OTHER = 1, 2  # on which side of a pair a body may be
_PAIRS = 1 << 14  # pairs that are listed at a time, at first


def overlaps(
    store: Store,
    bodies: Body | Sequence[Body] | None,
    others: Body | Sequence[Body] | None,
    *,
    limit: float | None,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
) -> list[PairDistance]:
    """Answer `Scene.overlaps`."""
    firsts = None if bodies is None else store.check_movers(bodies, "bodies")
    seconds = None if others is None else store.check_movers(others, "others")
    far = _ONLY_OVERLAPS if limit is None else checks.length(limit, "limit", InvalidQuery)
    ignored = store.check_ignored(ignore)
    check_run(threads, progress)
    sides = np.zeros(len(store.rows), np.int64)
    sides[slice(None) if firsts is None else rows_of(firsts)] |= _FIRST
    sides[slice(None) if seconds is None else rows_of(seconds)] |= _OTHER
    sides[ignored] = 0
    store.surfaces.refresh()
    low, high = store.world().boxes[at.WORLD_LOW], store.world().boxes[at.WORLD_HIGH]
    sides[(low > high)[: len(sides)]] = 0  # removed, or without faces
    taking_part = np.flatnonzero(sides)
    store.check_tolerance_of_each(taking_part)
    store.surfaces.make_whole([entry for entry in store.surfaces.users if sides[entry.row]])
    world = make_ready(store, taking_part.tolist()) if store.arena.pending else store.world()
    pairs = _gather(store, world, np.flatnonzero(sides & _FIRST), sides, far)
    answers = _answer(store, world, pairs, far, threads, progress)
    return [pair_of(store, world, answer) for answer in answers]


def _gather(store: Store, world: World, rows: NDArray[np.int64], sides: NDArray[np.int64], limit: float) -> NDArray[np.int64]:
    """Return the pairs of body rows that may be within the limit, lower row first, in order, shape (n, 2)."""
    from ..kernels.near import pairs as kernel

    table, hierarchy = store.arena.table_of(world.geometry), store.hierarchy()
    found, done, size = [np.empty((0, 2), np.int64)], 0, _PAIRS
    while done < len(rows):
        pairs, scratch = np.empty((size, 2), np.int64), np.empty(max(size, world.rows))
        done, count = kernel.gather(
            table, world.bodies, world.boxes, world.rows, *hierarchy, store.tolerance, rows, sides, limit, done, scratch, pairs
        )
        found.append(pairs[:count])
        size *= 2
    pairs = np.concatenate(found)
    pairs = pairs[store.filters.without_pairs(pairs[:, 0], pairs[:, 1], len(store.rows))]
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _answer(
    store: Store, world: World, pairs: NDArray[np.int64], limit: float, threads: int | None, progress: Progress | None
) -> NDArray[np.float64]:
    """Return the answers of the pairs that count, in their order."""
    from ..kernels.near import pairs as kernel

    geometry, bodies, poses, boxes, rows = world
    table, hierarchy = store.arena.table_of(geometry), store.hierarchy()
    found: list[tuple[int, NDArray[np.float64]]] = []

    def work(first: int, last: int) -> None:
        answers = np.empty((last - first, at.NEAR_ANSWER))
        some = pairs[first:last]

        def answer(done: int, scratch: NDArray[np.float64]) -> int:
            return kernel.answer(
                table, bodies, poses, boxes, rows, *hierarchy, store.tolerance, limit, some, done, len(some), scratch, answers
            )

        answer_with_scratch(answer, len(some))
        found.append((first, answers[answers[:, at.NEAR_STATUS] >= 0]))

    run_rows(work, len(pairs), threads, progress)
    found.sort(key=lambda part: part[0])
    return np.concatenate([np.empty((0, at.NEAR_ANSWER)), *(part for _, part in found)])
