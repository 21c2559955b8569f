"""Distances: check the arguments, call the kernel, make the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..kernels import layout as at
from ..kernels.statuses import CROSSES, FIRST_INSIDE, FREE, HIT, OVERLAP, SAME, SECOND_INSIDE
from ..pose_rows import PoseRows
from ..results.hits import Feature
from ..results.near import Distances, PairDistance, PairKind, pair_distance
from ..threads import Progress, run_rows
from ..world.store import rows_of
from ..world.surfaces import corners_of
from .hits import feature_of, nested_feature, voxel_feature
from .many import check_run
from .rows import NO_STANDS, answer_with_scratch, make_ready, ready_world

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store
    from ..world.world import World

_ALL = -1  # targets: all bodies that are not ignored
_NO_ROWS = np.empty(0, np.int64)
_NO_PAIRS = np.empty((0, 2), np.int64)
_NO_FEATURES = Feature("none"), Feature("none")
_ONE_QUESTION = Struct(f"{at.NEAR_QUESTION}d")
_KINDS: dict[int, tuple[PairKind, int | None]] = {  # and which of the two is inside the other
    FREE: ("apart", None),
    HIT: ("touching", None),
    CROSSES: ("crossing", None),
    FIRST_INSIDE: ("inside", 0),
    SECOND_INSIDE: ("inside", 1),
    SAME: ("duplicate", None),
}


def distance(store: Store, a: Body | Sequence[Body], b: Body | Sequence[Body]) -> PairDistance:
    """Answer `Scene.distance`."""
    firsts, seconds = store.check_movers(a, "a"), store.check_movers(b, "b")
    for entry in seconds:
        if entry in firsts:
            raise InvalidQuery(f"b: body {entry.name!r} is also in a; expected different bodies")
    found = _nearest(store, firsts, seconds, math.inf, 1, _NO_PAIRS)
    if found:
        return found[0]
    nan = np.full(3, np.nan)
    return PairDistance(math.inf, firsts[0].body, seconds[0].body, nan, nan.copy(), nan.copy(), _NO_FEATURES, "apart", None)


def nearest(store: Store, body: Body | Sequence[Body], *, limit: float, k: int, ignore: Iterable[Body]) -> list[PairDistance]:
    """Answer `Scene.nearest`."""
    firsts = store.check_movers(body, "body")
    far = _limit(limit)
    checks.whole(k, "k", InvalidQuery, 1)
    rows = rows_of(firsts)
    ignored_pairs = store.filters.ignored_pairs(rows, store.check_ignored(ignore))
    return _nearest(store, firsts, None, far, min(int(k), len(store.entries)), ignored_pairs)


def distance_many(
    store: Store,
    mover: Body | Sequence[Body],
    poses: checks.PoseLike | Iterable[checks.PoseLike],
    others: Body | Sequence[Body] | None,
    *,
    limit: float,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
) -> Distances:
    """Answer `Scene.distance_many`."""
    movers = store.check_movers(mover)
    seconds = None if others is None else store.check_movers(others, "others")
    for entry in seconds or ():
        if entry in movers:
            raise InvalidQuery(f"others: body {entry.name!r} is also a mover; expected different bodies")
    far = _limit(limit)
    ignored = store.check_ignored(ignore)
    check_run(threads, progress)
    stands = PoseRows(poses, "poses")
    rows, targets = rows_of(movers), None if seconds is None else rows_of(seconds)
    ignored_pairs = _NO_PAIRS if seconds is not None else store.filters.ignored_pairs(rows, ignored)
    world = _ready(store, movers, rows, seconds, targets, None)
    count = len(stands)
    found = _empty(count)

    def work(first: int, last: int) -> None:
        there = stands.take(slice(first, last))
        answers = _answer(store, world, rows, there, targets, far, 1, ignored_pairs)
        _write(world, answers, found, first, last)

    run_rows(work, count, threads, progress)
    return Distances(*[array.reshape(stands.shape + array.shape[1:]) for array in found])


def _limit(limit: Any) -> float:
    if isinstance(limit, (float, np.floating)):
        if limit == math.inf:
            return math.inf
        if not limit >= 0.0:
            raise InvalidQuery(f"limit is {limit}; accepted: 0 or more, also infinity")
    return checks.length(limit, "limit", InvalidQuery)


def _nearest(
    store: Store, firsts: list[Entry], seconds: list[Entry] | None, limit: float, most: int, ignored_pairs: NDArray[np.int64]
) -> list[PairDistance]:
    """Return the nearest bodies, nearest first. seconds: None for all bodies that are not ignored."""
    rows, targets = rows_of(firsts), None if seconds is None else rows_of(seconds)
    world = _ready(store, firsts, rows, seconds, targets, limit)
    answers = _answer(store, world, rows, NO_STANDS, targets, limit, most, ignored_pairs)
    return [pair_of(store, world, answer) for answer in answers if answer[at.NEAR_STATUS] >= 0]


def _ready(
    store: Store,
    firsts: list[Entry],
    rows: NDArray[np.int64],
    seconds: list[Entry] | None,
    targets: NDArray[np.int64] | None,
    limit: float | None,
) -> World:
    """Make all shapes ready that may be compared; return the world. limit [length]: None if the movers go elsewhere."""
    store.check_tolerance(rows)
    if store.surfaces.refresh():
        if seconds is not None:
            store.surfaces.make_whole([*firsts, *seconds])
        elif limit is None or limit == math.inf:
            store.surfaces.make_whole()
        else:
            store.surfaces.make_reached(corners_of(*store.world().box_of(rows)), limit, firsts)
    if targets is not None:
        return make_ready(store, [*rows.tolist(), *targets.tolist()])
    return ready_world(store, rows, math.inf if limit is None else limit)


def _answer(
    store: Store,
    world: World,
    firsts: NDArray[np.int64],
    stands: NDArray[np.float64],
    targets: NDArray[np.int64] | None,
    limit: float,
    most: int,
    ignored_pairs: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the answers of all poses of the first body, or of one question where the bodies are, without poses.

    firsts, targets: body rows; targets: None for all bodies that are not ignored.
    """
    from ..kernels.near import rows as kernel

    still = stands is NO_STANDS
    count = 1 if still else len(stands)
    if targets is None:
        targets, asked = _NO_ROWS, _ALL
    else:
        asked = len(targets)
    question = _ONE_QUESTION.pack(0, len(firsts), -1, asked, limit, most, 0, len(ignored_pairs), still)
    questions = np.frombuffer(bytearray(question * count)).reshape(count, at.NEAR_QUESTION)
    if not still:
        questions[:, at.NEAR_STAND] = np.arange(count)
    answers = np.empty((count * most, at.NEAR_ANSWER))
    geometry, bodies, poses, boxes, rows = world
    table, (nodes, ints) = store.arena.table_of(geometry), store.hierarchy()

    def answer(done: int, scratch: NDArray[np.float64]) -> int:
        return kernel.answer(
            table, bodies, poses, boxes, rows, nodes, ints, firsts, stands, targets, ignored_pairs, store.tolerance, questions,
            done, count, scratch, answers,
        )  # fmt: skip

    answer_with_scratch(answer, count)
    return answers


def pair_of(store: Store, world: World, answer: NDArray[np.float64]) -> PairDistance:
    """Return an answer as a result, which keeps views of it."""
    status, one, other = map(int, answer[: at.NEAR_FEATURES].tolist())
    first, second = store.entry(one), store.entry(other)
    kind, place = _KINDS[status]
    inner = None if place is None else (first, second)[place].body
    later: tuple[Callable[..., Any], tuple[Any, ...]] = _features, (answer,)
    if first.volume is not None or second.volume is not None:
        # Now: another thread may give a volume a new surface.
        later = tuple, (_voxel_features(world, (first, second), answer),)
    return pair_distance(
        float(answer[at.NEAR_GAP]),
        first.body,
        second.body,
        answer[at.NEAR_POINT : at.NEAR_OTHER_POINT],
        answer[at.NEAR_OTHER_POINT : at.NEAR_NORMAL],
        answer[at.NEAR_NORMAL :],
        kind,
        inner,
        later,
    )


def _features(answer: NDArray[np.float64]) -> tuple[Feature, Feature]:
    """Return the features of an answer; of a volume, those of its surface."""
    if answer[at.NEAR_FEATURES] < 0:
        return _NO_FEATURES
    found = answer[at.NEAR_FEATURES : at.NEAR_GAP].tolist()
    return feature_of(found[:5]), feature_of(found[5:])


def _voxel_features(world: World, entries: tuple[Entry, Entry], answer: NDArray[np.float64]) -> tuple[Feature, Feature]:
    """Return the features of an answer; of a volume, those of its voxels."""
    if answer[at.NEAR_FEATURES] < 0:
        own, other = (nested_feature(entry, answer[at.NEAR_POINT : at.NEAR_OTHER_POINT]) for entry in entries)
    else:
        pairs = zip(entries, _features(answer), strict=True)
        own, other = (voxel_feature(world.geometry, entry, feature) for entry, feature in pairs)
    return own, other


_Fields = tuple[NDArray[Any], ...]


def _empty(count: int) -> _Fields:
    """Return arrays of the fields of Distances, where nothing is near."""
    points = [np.full((count, 3), np.nan) for _ in range(3)]
    ids = [np.full(count, -1, np.int64) for _ in range(2)]
    features = np.full((count, 2), -1, np.int32), np.full((count, 2), -1, np.int8)
    return np.full(count, np.inf), *ids, *points, *features, np.zeros(count, np.bool_)


def _write(world: World, answers: NDArray[np.float64], found: _Fields, first: int, last: int) -> None:
    """Write answers to rows first .. last - 1 of the fields of Distances."""
    gap, one, other, point, other_point, normal, faces, kinds, overlapping = (field[first:last] for field in found)
    known = answers[:, at.NEAR_STATUS] >= 0
    answers = answers[known]
    ids = world.bodies[:, at.ID]
    gap[known] = answers[:, at.NEAR_GAP]
    one[known], other[known] = (ids[answers[:, column].astype(np.int64)] for column in (at.NEAR_ONE, at.NEAR_OTHER))
    point[known] = answers[:, at.NEAR_POINT : at.NEAR_POINT + 3]
    other_point[known] = answers[:, at.NEAR_OTHER_POINT : at.NEAR_OTHER_POINT + 3]
    normal[known] = answers[:, at.NEAR_NORMAL : at.NEAR_NORMAL + 3]
    column = at.NEAR_FEATURES
    faces[known] = answers[:, (column, column + 5)]
    codes = answers[:, (column + 1, column + 6)].astype(np.int8)
    kinds[known] = np.where(codes < 0, 0, 1 + (codes >= 3) + (codes >= 6))
    overlapping[known] = answers[:, at.NEAR_STATUS] == OVERLAP
