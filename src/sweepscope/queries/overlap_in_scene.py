"""Overlap of a body with the rest of a scene, at many poses: true or false for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..kernels import layout as at
from ..kernels.sweep import straight
from ..kernels.tolerances import contact_tolerance
from ..motion import inverse
from ..pose_rows import PoseRows
from ..threads import Progress, run_rows
from ..world.filters import may_meet
from ..world.store import rows_of
from ..world.surfaces import PAST, corners_of
from .grid_sweep import share_voxels
from .many import answers_in, check_run
from .remote import answer_on, check_executor
from .rows import NO_STANDS, answer_with_scratch, make_ready, prepare

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..world.body import Body, Entry
    from ..world.store import Store
    from ..world.world import World

_NO_ROWS = np.empty(0, np.int64)


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
    home = inverse(movers[0].pose)

    def work(first: int, last: int) -> None:
        there = stands(first, last)
        if volumes:
            _make_surfaces(store, movers, there)
        if not on_grids:
            flat[first:last] = overlaps_at(store, store.world(), rows, there, _NO_ROWS, ignored_pairs)[:, 0] >= 0
            return
        for k, pose in enumerate(there, first):
            poses = {mover.row: pose if mover is movers[0] else pose @ (home @ mover.pose) for mover in movers}
            flat[k] = first_overlap(store, store.world().moved(poses), movers, 0.0, ignored_pairs) is not None

    # One run may need another surface of a volume than the next: they are answered one after another.
    run_rows(work, len(flat), 1 if volumes else threads, progress)


def first_overlap(
    store: Store, world: World, movers: list[Entry], margin: float, ignored_pairs: NDArray[np.int64]
) -> tuple[int, int] | None:
    """Return a mover and another body that overlap in a world, as body rows; None if none do. Surfaces in reach are made.

    Volumes on one grid are compared by their voxels. margin [length]: bodies that are nearer count as overlapping.
    """
    rows = rows_of(movers)
    if not world.boxes[0, rows].min() < np.inf:
        return None  # nothing moves
    touch = world.tolerance_of(rows, store.tolerance, margin)
    done: list[tuple[int, int]] = []
    for mover in movers:
        for other in store.surfaces.users if mover.volume is not None else ():
            if other in movers or not may_meet(world.bodies, mover.row, other.row, ignored_pairs):
                continue
            shared = share_voxels(mover, world.pose(mover.row), other, touch)
            if shared:
                return mover.row, other.row
            if shared is not None and margin == 0.0:
                done.append((mover.row, other.row))
    if done:
        ignored_pairs = np.concatenate((ignored_pairs, np.array(done, np.int64)))
    one, other_row = overlaps_at(store, world, rows, NO_STANDS, _NO_ROWS, ignored_pairs, margin)[0].tolist()
    return None if one < 0 else (one, other_row)


def overlaps_at(
    store: Store,
    world: World,
    rows: NDArray[np.int64],
    stands: NDArray[np.float64],
    targets: NDArray[np.int64],
    ignored_pairs: NDArray[np.int64],
    margin: float = 0.0,
) -> NDArray[np.int64]:
    """Return for each pose of the first mover, shape (n, 4, 4), which mover overlaps which body: body rows, or -1, (n, 2).

    NO_STANDS: one answer, where they are. rows: of the movers. targets: body rows that count; none: all. Surfaces alone count.
    """
    from ..kernels.near import stands as kernel

    count = 1 if stands is NO_STANDS else len(stands)
    answers = np.empty((count, 2), np.int64)
    hierarchy = store.hierarchy_of(world)
    geometry, bodies, poses, boxes, body_rows = _ready_at(store, world, rows, stands, targets, margin)
    table = store.arena.table_of(geometry)

    def answer(done: int, scratch: NDArray[np.float64]) -> int:
        return kernel.answer(
            table, bodies, poses, boxes, body_rows, *hierarchy, rows, stands, targets, ignored_pairs, margin, store.tolerance,
            done, count, scratch, answers,
        )  # fmt: skip

    answer_with_scratch(answer, count)
    return answers


def _ready_at(
    store: Store,
    world: World,
    rows: NDArray[np.int64],
    stands: NDArray[np.float64],
    targets: NDArray[np.int64],
    margin: float,
) -> World:
    """Return a world; all shapes that the movers may overlap at some poses of the first are ready."""
    if not store.arena.pending and store.arena.geometry is world.geometry:
        return world
    if len(targets):
        return make_ready(store, [*rows.tolist(), *targets.tolist()])
    questions = np.zeros((max(1, len(stands)), at.QUESTION))
    questions[:, 0] = 1.0
    questions[:, at.MARGIN] = margin
    questions[:, at.MOVERS] = len(rows)
    questions[:, at.STAND] = -1 if stands is NO_STANDS else np.arange(len(stands))
    return prepare(store.arena, straight, world, rows, stands, store.tolerance, questions)


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
