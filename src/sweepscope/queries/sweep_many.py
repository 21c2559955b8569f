"""Many sweeps in one call: check the arguments, answer block by block on several threads, write a table of answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks, leading
from ..errors import InvalidQuery, InvalidType
from ..kernels import layout as at
from ..kernels.sweep import many
from ..leading import Shape
from ..motion import Motion, Translate, Turn
from ..motions import Motions, part_of, paths_of, single, translations
from ..pose_rows import PoseRows
from ..results.hits import Feature, Hit, hit_of
from ..results.many import HIT_ROW, KINDS, Hits
from ..threads import Progress, run_rows
from ..world.body import Body, entry_of
from ..world.snapshot import Snapshot
from ..world.store import Store, rows_of
from .many import check_run
from .order import similar_first
from .remote import answer_on, check_executor
from .rows import NO_STANDS, answer_rows, make_ready, prepare
from .sweep import RESTING, as_swept, first_contact

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..world.body import Entry

_Movers = Body | Sequence[Body] | NDArray[np.object_]

DEVICES = ("cpu", "cuda")
_CARD_BLOCK = 1 << 20  # rows: a card needs many to be busy

_NO_BODY = -1
_AS_BYTES = np.dtype((np.void, HIT_ROW.itemsize))  # records are copied whole, not field by field


@dataclass(slots=True)
class _Rows:
    """What the rows ask: kept by their hits, and pickled with them."""

    shape: Shape
    motions: Motions
    poses: PoseRows | None
    movers: list[Body]
    """Bodies that move as one; or, with `own`, those that rows name."""
    own: NDArray[np.int64] | None
    """Index into `movers` for each mover that was given, any shape; None: all move as one."""
    snapshot: Snapshot
    """Of all movers."""
    bodies: dict[int, Body]
    """Bodies in the answers, by id."""

    def of(self, shape: Shape, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row numbers in an argument of this leading shape."""
        return leading.picker(shape, self.shape)(rows)

    def part(self, first: int, last: int) -> tuple[int, Motions, PoseRows | None, list[int], NDArray[np.int64] | None]:
        """Return rows first .. last - 1 for another process: their number, motions, poses, ids of movers, own."""
        block = np.arange(first, last)

        def needed(shape: Shape) -> NDArray[np.int64]:
            return self.of(shape, block if math.prod(shape) > 1 else block[:1])

        motions = part_of(self.motions, needed(self.motions.shape))
        poses = None if self.poses is None else self.poses.part(needed(self.poses.shape))
        if self.own is None:
            return last - first, motions, poses, [body.id for body in self.movers], None
        used, own = np.unique(self.own.reshape(-1)[needed(self.own.shape)], return_inverse=True)
        return last - first, motions, poses, [self.movers[k].id for k in used.tolist()], own

    def motion(self, row: int) -> Translate | Turn:
        """Return the motion of a row, as it is swept."""
        return as_swept(self.motions[np.unravel_index(self._one(self.motions.shape, row), self.motions.shape)])

    def start(self, row: int) -> tuple[Sequence[int], list[NDArray[np.float64]]]:
        """Return which movers move in a row, and where they start, shape (4, 4) each."""
        which: Sequence[int] = range(len(self.movers))
        if self.own is not None:
            which = [int(self.own.reshape(-1)[self._one(self.own.shape, row)])]
        poses = [self.snapshot.poses[k] for k in which]
        if self.poses is not None:
            stand = self.poses.take(np.array([self._one(self.poses.shape, row)]))[0]
            poses = _moved_with(stand, poses)
        return which, poses

    def hit(self, row: int, record: Any) -> Hit:
        """Return the hit of a row, from its record."""
        which, poses = self.start(row)
        movers = tuple([self.movers[k] for k in which])
        obstacle, mover = (self.bodies[int(record[name])] for name in ("obstacle", "mover"))
        numbers = float(record["time"]), float(record["travel"])
        motion, snapshot = self.motion(row), self.snapshot.of(which, poses)
        later = _details, (record.copy(),)
        return hit_of(*numbers, obstacle, mover, bool(record["overlapping"]), motion, movers, snapshot, later)

    def _one(self, shape: Shape, row: int) -> int:
        return int(self.of(shape, np.array([row]))[0])


@dataclass(slots=True)
class _Block:
    """Rows that are prepared together."""

    first: int
    """Number of the first row."""
    paths: NDArray[np.float64]
    lengths: NDArray[np.float64]
    movers: NDArray[np.int64]
    """Body rows: of all that move as one, or of each row's own mover."""
    stands: NDArray[np.float64]
    ignored: NDArray[np.int64]
    """Which ignored pairs each row has: the first, how many; one item if all have the same."""


@dataclass(slots=True)
class _Sweeps:
    """A call with checked arguments."""

    store: Store
    rows: _Rows
    margin: float
    resting_hits: bool
    ignored_pairs: NDArray[np.int64]
    ignored_of: tuple[NDArray[np.int64], NDArray[np.int64]] | None
    """Of each mover, if rows name their own: where its pairs begin, and how many they are."""
    threads: int | None
    table: NDArray[Any]
    """Flat."""
    progress: Progress | None = None
    is_sorted: bool = True
    size: int | None = None
    on_card: bool = False
    done: int = 0
    """Rows that are answered."""


def sweep_many(
    store: Store,
    mover: _Movers,
    motions: Motions | Motion | Sequence[Motion] | ArrayLike,
    poses: ArrayLike | None,
    *,
    margin: float,
    resting: str,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
    out: NDArray[Any] | None,
    executor: Executor | None = None,
    device: str = "cpu",
    _sorted: bool = True,
    _size: int | None = None,
) -> Hits:
    """Answer `Scene.sweep_many`. For tests: _sorted, whether similar rows follow each other; _size, rows of a run or chunk."""
    entries, own = _movers(store, mover)
    asked = _motions(motions)
    stands = None if poses is None else PoseRows(poses, "poses")
    shapes = {
        "mover": () if own is None else own.shape,
        "motions": asked.shape,
        "poses": () if stands is None else stands.shape,
    }
    shape = leading.common(shapes)
    gap = checks.length(margin, "margin", InvalidQuery)
    resting_hits = checks.choice(resting, "resting", RESTING) == "hit"
    ignored = store.check_ignored(ignore)
    check_run(threads, progress)
    executor = check_executor(executor)
    on_card = checks.choice(device, "device", DEVICES) == "cuda"
    if on_card and executor is not None:
        raise InvalidQuery('device "cuda" and an executor: choose one')
    if on_card:
        from ..cuda.card import card

        card()  # raises if there is none
    store.surfaces.refresh()
    if on_card and store.surfaces:
        raise InvalidQuery('device "cuda" answers no scenes with volumes yet: give their meshes, or use device "cpu"')
    for each in [rows_of(entries)] if own is None else [entry.rows for entry in entries]:
        store.check_tolerance(each)
    table = np.zeros(shape, HIT_ROW) if out is None else _checked_out(out, shape)
    body_rows = np.array([entry.row for entry in entries], np.int64)
    ignored_of = None
    if own is None:
        pairs = store.filters.ignored_pairs(body_rows, ignored)
    else:
        pairs, firsts, counts = store.filters.ignored_of_each(body_rows, ignored)
        ignored_of = firsts, counts
    bodies = [entry.body for entry in entries]
    rows = _Rows(shape, asked, stands, bodies, own, Snapshot(store, entries), {})
    flat = table.reshape(-1)
    sweeps = _Sweeps(store, rows, gap, resting_hits, pairs, ignored_of, threads, flat, progress, _sorted, _size, on_card)
    if executor is None:
        _answer_all(sweeps)
    else:
        _on_executor(sweeps, executor)
    return Hits(table, {number: body.name for number, body in rows.bodies.items()}, rows.hit)


def _movers(store: Store, mover: _Movers) -> tuple[list[Entry], NDArray[np.int64] | None]:
    """Return all movers, and for an array of them which one each is."""
    if not isinstance(mover, np.ndarray):
        return store.check_movers(mover), None
    if mover.dtype != object:
        raise InvalidType(f"mover: expected a Body, a list or tuple of them, or an array of them, got dtype {mover.dtype}")
    entries: dict[int, Entry] = {}
    index: dict[int, int] = {}
    own = np.empty(mover.size, np.int64)
    for k, body in enumerate(mover.reshape(-1).tolist()):
        entry = entry_of(body) if type(body) is Body else None
        if entry is None or entry.store is not store:
            entry = store.check(body, f"mover{leading.place(k, mover.shape)}")  # raises, and says what is wrong
        own[k] = index.setdefault(entry.id, len(index))
        entries[entry.id] = entry
    return list(entries.values()), own.reshape(mover.shape)


def _motions(given: Any) -> Motions:
    if isinstance(given, Motions):
        return given
    if isinstance(given, (Translate, Turn)):
        return single(given)
    if isinstance(given, (list, tuple)) and any(isinstance(each, (Translate, Turn)) for each in given):
        return Motions(given)
    if given is None or isinstance(given, (str, Mapping, Body)) or (isinstance(given, np.ndarray) and given.dtype == object):
        raise InvalidType(
            f"motions: expected Motions, a motion, a list of motions, or vectors of shape (..., 3), got {checks.shown(given)}"
        )
    return translations(given, "motions")


def _checked_out(out: Any, shape: Shape) -> NDArray[Any]:
    """Return where answers are written, as a plain array."""
    if not isinstance(out, np.ndarray) or out.dtype != HIT_ROW:
        given = f"dtype {out.dtype}" if isinstance(out, np.ndarray) else checks.shown(out)
        raise InvalidType(f"out: expected an array of dtype Hits.dtype, got {given}")
    if out.shape != shape:
        raise InvalidQuery(f"out: expected shape {shape}, got {out.shape}")
    if not out.flags.writeable:
        raise InvalidQuery("out: is read-only; expected an array that can be written")
    if not out.flags.c_contiguous:
        raise InvalidQuery("out: is not C-contiguous: a slice, or transposed; expected an array of its own")
    return np.asarray(out)


def _answer_all(sweeps: _Sweeps) -> None:
    """Answer all rows in this process."""
    if sweeps.store.surfaces:
        _one_by_one(sweeps)
    else:
        _on_threads(sweeps)


def _on_executor(sweeps: _Sweeps, executor: Executor) -> None:
    """Answer all rows by workers."""
    store, rows, table = sweeps.store, sweeps.rows, sweeps.table.view(_AS_BYTES)
    free = np.zeros(1, HIT_ROW)
    free[0] = _record(None, 0.0)
    free = free.view(_AS_BYTES)[0]
    options = sweeps.margin, sweeps.resting_hits, sweeps.ignored_pairs, sweeps.threads or 1, sweeps.is_sorted

    def pack(first: int, last: int) -> tuple[Any, ...]:
        return *rows.part(first, last), options

    def write(first: int, last: int, found: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[Any], list[int]]) -> None:
        travel, hits, records, bodies = found
        part = np.full(last - first, free)
        part.view(HIT_ROW)["travel"] = travel
        part[hits] = records.view(_AS_BYTES)
        table[first:last] = part  # at once, so that Ctrl-C leaves no half rows
        for number in bodies:
            rows.bodies[number] = store.entries[number].body

    answer_on(executor, store, _answer_chunk, pack, write, len(table), sweeps.progress, sweeps.size)


def _answer_chunk(
    store: Store,
    count: int,
    motions: Motions,
    poses: PoseRows | None,
    movers: list[int],
    own: NDArray[np.int64] | None,
    options: tuple[float, bool, NDArray[np.int64], int, bool],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[Any], list[int]]:
    """Answer some rows in a worker: what `_Rows.part` returned.

    Return their travel, which of them hit, the records of those, and the ids of the bodies in them. Free rows are alike.
    """
    margin, resting_hits, ignored_pairs, threads, is_sorted = options
    store.surfaces.refresh()
    entries = [store.entries[number] for number in movers]
    rows = _Rows((count,), motions, poses, [entry.body for entry in entries], own, Snapshot(store, entries), {})
    table = np.zeros(count, HIT_ROW)
    _answer_all(_Sweeps(store, rows, margin, resting_hits, ignored_pairs, None, threads, table, is_sorted=is_sorted))
    hits = np.flatnonzero(table["mover"] >= 0)
    records = table.view(_AS_BYTES)[hits].view(HIT_ROW)
    return table["travel"].copy(), hits, records, list(rows.bodies)


def _on_threads(sweeps: _Sweeps) -> None:
    """Answer all rows by kernels, block by block, so that memory does not grow with their number."""
    store, rows, table = sweeps.store, sweeps.rows, sweeps.table
    world = store.world()
    seen = np.zeros(world.rows + 1, np.bool_)  # the last is that of free motions
    ids = np.append(world.bodies[: world.rows, at.ID], _NO_BODY)
    body_rows = np.array([entry_of(body).row for body in rows.movers], np.int64)
    for first, last in leading.blocks(len(table), _CARD_BLOCK if sweeps.on_card else leading.BLOCK):
        block = np.arange(first, last)
        paths, lengths, turning = paths_of(rows.motions, rows.of(rows.motions.shape, block))
        stands = NO_STANDS if rows.poses is None else rows.poses.take(rows.of(rows.poses.shape, block))
        movers = body_rows if rows.own is None else body_rows[rows.own.reshape(-1)[rows.of(rows.own.shape, block)]]
        places = None
        if rows.poses is not None:
            places = stands[:, :3, 3]
        elif rows.own is not None:
            places = world.poses[movers, at.PLACE : at.PLACE + 3]
        order = similar_first(paths, lengths, turning, places) if sweeps.is_sorted else np.argsort(turning, kind="stable")
        ignored = np.array([(0, len(sweeps.ignored_pairs))])
        if sweeps.ignored_of is not None and len(sweeps.ignored_pairs):
            assert rows.own is not None
            ignored = np.stack(sweeps.ignored_of, axis=1)[rows.own.reshape(-1)[rows.of(rows.own.shape, block)]]
        part = _Block(first, paths, lengths, movers, stands, ignored)
        straight = int(np.count_nonzero(~turning))
        for lo, hi in ((0, straight), (straight, last - first)):
            if lo < hi:
                _answer(sweeps, lo < straight, part, order[lo:hi], ids, seen)
    for row in np.flatnonzero(seen[:-1]).tolist():
        entry = store.entry(row)
        rows.bodies[entry.id] = entry.body


def _answer(
    sweeps: _Sweeps,
    straight: bool,
    block: _Block,
    order: NDArray[np.int64],
    ids: NDArray[np.int64],
    seen: NDArray[np.bool_],
) -> None:
    """Answer rows of a block, all straight or all turns, in an order, and write the answers to the table."""
    if straight:
        from ..kernels.sweep import straight as kernels
    else:
        from ..kernels.sweep import about_axis as kernels
    store, rows, table = sweeps.store, sweeps.rows, sweeps.table
    world = store.world()
    own, standing = rows.own is not None, rows.poses is not None
    count = 1 if own else len(block.movers)

    def questions_of(some: NDArray[np.int64]) -> NDArray[np.float64]:
        questions = np.empty((len(some), at.QUESTION))
        many.write_questions(
            block.paths, block.lengths, some, block.ignored, sweeps.margin, sweeps.resting_hits, count, own, standing, questions
        )  # fmt: skip
        return questions

    if sweeps.on_card:
        world = make_ready(store, np.flatnonzero(world.boxes[0, : world.rows] <= world.boxes[3, : world.rows]).tolist())
    elif store.arena.pending or store.arena.geometry is not world.geometry:
        world = prepare(store.arena, kernels, world, block.movers, block.stands, store.tolerance, questions_of(order))
    tree = store.hierarchy()
    total, done = len(table), sweeps.done
    fields = [table[name] for name in HIT_ROW.names or ()]

    def answer(questions: NDArray[np.float64], found: NDArray[np.float64]) -> None:
        answer_rows(
            store.arena, kernels, world, tree, block.movers, block.stands, sweeps.ignored_pairs, store.tolerance, questions,
            found,
        )  # fmt: skip

    def answer_there(questions: NDArray[np.float64], found: NDArray[np.float64]) -> None:
        from ..cuda.scene import scene_on_card
        from ..cuda.sweeps import answer_on_card

        rest = answer_on_card(
            scene_on_card(store, world, tree), straight, block.movers, block.stands, sweeps.ignored_pairs, store.tolerance,
            questions, found,
        )  # fmt: skip
        if len(rest):
            again = np.empty((len(rest), at.ANSWER))
            run_rows(lambda lo, hi: answer(questions[rest[lo:hi]], again[lo:hi]), len(rest), sweeps.threads)
            found[rest] = again

    def work(lo: int, hi: int) -> None:
        questions, found = questions_of(order[lo:hi]), np.empty((hi - lo, at.ANSWER))
        (answer_there if sweeps.on_card else answer)(questions, found)
        many.write_answers(found, questions, order[lo:hi] + block.first, ids, seen, *fields)

    progress = sweeps.progress
    threads, size = (1, sweeps.size or len(order)) if sweeps.on_card else (sweeps.threads, sweeps.size)
    run_rows(work, len(order), threads, progress and (lambda some, _: progress(done + some, total)), size)
    sweeps.done += len(order)


def _one_by_one(sweeps: _Sweeps) -> None:
    """Answer all rows as single sweeps: volumes get their surfaces, and are swept by their voxels, in Python."""
    store, rows = sweeps.store, sweeps.rows
    if rows.poses is not None:  # in a copy of the scene, where movers can be put elsewhere
        there = entry_of(deepcopy(store.scene).bodies[0]).home()
    else:
        there = store
    homes, record, table = rows.snapshot.poses, np.zeros(1, HIT_ROW), sweeps.table.view(_AS_BYTES)
    entries = [there.entries[body.id] for body in rows.movers]

    def work(lo: int, hi: int) -> None:
        for row in range(lo, hi):
            motion = rows.motion(row)
            which, poses = rows.start(row)
            moving = [entries[k] for k in which]
            if there is not store:
                for entry, pose in zip(moving, poses, strict=True):
                    there.put(entry, pose)
            hit = first_contact(there, moving, motion, sweeps.margin, sweeps.resting_hits, sweeps.ignored_pairs)
            if there is not store and rows.own is not None:
                there.put(moving[0], homes[which[0]])
            record[0] = _record(hit, motion.length)
            table[row] = record.view(_AS_BYTES)[0]
            for body in () if hit is None else (hit.mover, hit.obstacle):
                rows.bodies[body.id] = store.entries[body.id].body

    run_rows(work, len(sweeps.table), 1, sweeps.progress)


def _record(hit: Hit | None, length: float) -> tuple[Any, ...]:
    """Return the answer of a single sweep as a row of the table."""
    nowhere = (np.nan,) * 3
    if hit is None:
        return 1.0, length, _NO_BODY, _NO_BODY, nowhere, nowhere, -1, -1, -1, -1, False
    vertices = [(*feature.vertices, -1, -1, -1)[:3] for feature in hit.features]
    voxels = [feature.voxel or (-1, -1, -1) for feature in hit.features]
    kinds = [KINDS.index(feature.kind) for feature in hit.features]
    faces = [feature.face for feature in hit.features]
    bodies = hit.obstacle.id, hit.mover.id
    return hit.time, hit.travel, *bodies, hit.point, hit.normal, faces, vertices, voxels, kinds, hit.overlapping


def _details(record: Any) -> tuple[Any, Any, tuple[Feature, Feature]]:
    """Return point, normal and features of a record."""
    features = []
    for side in range(2):
        kind, face = KINDS[record["kinds"][side]], int(record["faces"][side])
        vertices, voxel = (record[name][side].tolist() for name in ("vertices", "voxels"))
        vertices = tuple(k for k in vertices if k >= 0)
        features.append(Feature(kind, vertices, face, tuple(voxel) if voxel[0] >= 0 else None))
    return np.array(record["point"]), np.array(record["normal"]), (features[0], features[1])


def _moved_with(stand: NDArray[np.float64], homes: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Return the poses of movers if the first is at `stand` and the others keep their place relative to it."""
    first = homes[0]
    turn = _product(stand[:3, :3], first[:3, :3].T)
    poses = [checks.fixed(stand)]
    for home in homes[1:]:
        pose = np.eye(4)
        pose[:3, :3] = _product(turn, home[:3, :3])
        pose[:3, 3] = stand[:3, 3] + _product(turn, (home[:3, 3] - first[:3, 3])[:, None])[:, 0]
        poses.append(checks.fixed(pose))
    return poses


def _product(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a matrix product of three columns and rows, in the order of the kernels."""
    return a[:, :1] * b[:1] + a[:, 1:2] * b[1:2] + a[:, 2:3] * b[2:3]
