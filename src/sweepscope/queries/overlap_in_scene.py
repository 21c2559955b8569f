"""Overlap of a body with the rest of a scene, at many poses: true or false for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..kernels import layout as at
from ..kernels.statuses import OVERLAP
from ..kernels.sweep import straight
from ..kernels.tolerances import contact_tolerance
from ..motion import Translate, inverse
from ..pose_rows import PoseRows
from ..threads import Progress, run_rows
from ..world.store import rows_of
from ..world.surfaces import PAST, corners_of
from .grid_sweep import sweep_on_grids
from .many import answers_in, check_run
from .remote import answer_on, check_executor
from .rows import answer_rows, prepare
from .sweep import surfaces_meet_now

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..world.body import Body, Entry
    from ..world.store import Store

_STILL = Translate((0.0, 0.0, 0.0))


def overlap_in_scene(
    store: Store,
    mover: Body | Sequence[Body],
    poses: checks.PoseLike | Iterable[checks.PoseLike],
    *,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
    out: NDArray[np.bool_] | None,
    executor: Executor | None = None,
    _size: int | None = None,
) -> NDArray[np.bool_]:
    """Answer `Scene.overlap_many`. _size: rows of a chunk, for tests."""
    movers = store.check_movers(mover)
    stands = PoseRows(poses, "poses")
    check_run(threads, progress)
    executor = check_executor(executor)
    overlapping = answers_in(out, stands.shape)
    flat = overlapping.reshape(-1)
    rows = rows_of(movers)
    ignored_pairs = store.filters.ignored_pairs(rows, store.check_ignored(ignore))
    store.check_tolerance(rows)
    store.surfaces.refresh()
    if executor is None:
        _answer_all(store, movers, lambda first, last: stands.take(slice(first, last)), flat, ignored_pairs, threads, progress)
        return overlapping

    ids = [entry.id for entry in movers]

    def pack(first: int, last: int) -> tuple[Any, ...]:
        return ids, stands.take(slice(first, last)), ignored_pairs, threads or 1

    def write(first: int, last: int, found: NDArray[np.bool_]) -> None:
        flat[first:last] = found

    answer_on(executor, store, _answer_chunk, pack, write, len(flat), progress, _size)
    return overlapping


def _answer_chunk(
    store: Store, movers: list[int], stands: NDArray[np.float64], ignored_pairs: NDArray[np.int64], threads: int
) -> NDArray[np.bool_]:
    """Answer some poses in a worker. movers: ids."""
    store.surfaces.refresh()
    flat = np.zeros(len(stands), np.bool_)
    entries = [store.entries[number] for number in movers]
    _answer_all(store, entries, lambda first, last: stands[first:last], flat, ignored_pairs, threads, None)
    return flat


def _answer_all(
    store: Store,
    movers: list[Entry],
    stands: Callable[[int, int], NDArray[np.float64]],
    flat: NDArray[np.bool_],
    ignored_pairs: NDArray[np.int64],
    threads: int | None,
    progress: Progress | None,
) -> None:
    """Answer all poses in this process. stands: returns poses of a range of rows."""
    rows = rows_of(movers)
    volumes = bool(store.surfaces)
    on_grids = any(entry.volume is not None for entry in movers)

    def work(first: int, last: int) -> None:
        there = stands(first, last)
        if volumes:
            _make_surfaces(store, movers, there)
        if on_grids:
            flat[first:last] = [_overlaps_on_grids(store, movers, pose, ignored_pairs) for pose in there]
        else:
            flat[first:last] = _answer(store, rows, there, ignored_pairs)

    # One run may need another surface of a volume than the next: they are answered one after another.
    run_rows(work, len(flat), 1 if volumes else threads, progress)


def _answer(
    store: Store, rows: NDArray[np.int64], stands: NDArray[np.float64], ignored_pairs: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return for each pose of the first mover, shape (n, 4, 4), whether the movers, given by body rows, overlap anything."""
    questions, answers = np.zeros((len(stands), at.QUESTION)), np.empty((len(stands), at.ANSWER))
    questions[:, at.MOTION : at.MOTION + 3] = _STILL.direction
    questions[:, at.MOVERS] = len(rows)
    questions[:, at.STAND] = np.arange(len(stands))
    questions[:, at.IGNOREDS] = len(ignored_pairs)
    world = store.world()
    if store.arena.pending:
        world = prepare(store.arena, straight, world, rows, stands, store.tolerance, questions)
    hierarchy = store.hierarchy()
    answer_rows(
        store.arena, straight, world, hierarchy, rows, stands, ignored_pairs, store.tolerance, questions, answers
    )  # fmt: skip
    return answers[:, at.STATUS] == OVERLAP


def _make_surfaces(store: Store, movers: list[Entry], stands: NDArray[np.float64]) -> None:
    """Give volumes the surface that movers can reach at poses of the first; movers get their whole surface."""
    world, rows = store.world(), [mover.row for mover in movers]
    low, high = world.box_of(rows)
    if not low[0] <= high[0]:
        return  # nothing moves
    far = float(np.linalg.norm(np.abs(0.5 * (low + high) - movers[0].pose[:3, 3]) + 0.5 * (high - low)))
    low, high = stands[:, :3, 3].min(axis=0) - far, stands[:, :3, 3].max(axis=0) + far
    touch = contact_tolerance(store.tolerance, world.size_of(rows), float(np.abs((low, high)).max()))
    store.surfaces.make_reached(corners_of(low, high), PAST * touch, movers)


def _overlaps_on_grids(store: Store, movers: list[Entry], pose: NDArray[np.float64], ignored_pairs: NDArray[np.int64]) -> bool:
    """Return whether movers, volumes among them, overlap anything at a pose of the first: as a sweep there."""
    home = inverse(movers[0].pose)
    there = store.world().moved({mover.row: pose if mover is movers[0] else pose @ (home @ mover.pose) for mover in movers})
    hit, ignored_pairs, more = sweep_on_grids(store, movers, _STILL, 0.0, False, ignored_pairs, there)
    if more:
        hit = surfaces_meet_now(store, there, rows_of(movers), 0.0, False, ignored_pairs)
    return hit is not None and hit.overlapping
