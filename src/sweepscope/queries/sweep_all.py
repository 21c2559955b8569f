"""Everything on the way: the first contact with each body, as if the others were absent, and when it is left again.

Each body in reach is a row of data that counts no other obstacle. It is left where the reversed motion, from the end, comes to
it first: these are rows too, whose movers stand at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..kernels import layout as at
from ..kernels.statuses import FREE
from ..motion import Motion, Translate, Turn, orbit_of, reversed_motion
from ..results.sweep_all import Passage, SweepAllResult
from ..threads import run_rows
from ..world.body import entry_of
from ..world.snapshot import Snapshot
from ..world.store import rows_of
from .rows import NO_STANDS, answer_rows, prepare
from .sweep import RESTING, checked_motion, first_contact, hit_of_row

if TYPE_CHECKING:
    from ..results import Hit
    from ..world.body import Body, Entry
    from ..world.store import Store

_STILL = Translate((0.0, 0.0, 0.0))
_USUAL = 256  # bodies in reach; more take another call

_Motion = Translate | Turn
_Travels = list[float | None]
"""Travel up to the contact with each body; None if there is none."""
_Back = Callable[[_Motion, bool, list[int]], _Travels]
"""Sweeps the movers from the end, given whether resting counts, against each of some body rows."""


def sweep_all(
    store: Store,
    mover: Body | Sequence[Body],
    motion: Motion,
    *,
    margin: float,
    resting: str,
    ignore: Iterable[Body],
) -> SweepAllResult:
    """Answer `Scene.sweep_all`."""
    movers = store.check_movers(mover)
    swept = checked_motion(motion)
    gap = checks.length(margin, "margin", InvalidQuery)
    resting_hits = checks.choice(resting, "resting", RESTING) == "hit"
    ignored_pairs = store.filters.ignored_pairs(rows_of(movers), store.check_ignored(ignore))
    store.surfaces.refresh()
    store.check_tolerance(rows_of(movers))
    sweeps = _Sweeps(store, movers, swept, gap, resting_hits, ignored_pairs)
    hits, back = (sweeps.one_by_one if store.surfaces else sweeps.as_rows)()
    hits.sort(key=lambda hit: hit.travel)
    if len(hits) > 1 and hits[0].travel == hits[1].travel:
        # Of several bodies that are met at once, the sweep tells which comes first.
        first = first_contact(store, movers, swept, gap, resting_hits, ignored_pairs)
        hits.sort(key=lambda hit: (hit.travel, first is None or hit.obstacle is not first.obstacle))
    passages = _passages(hits, swept, resting_hits, back) if hits else []
    return SweepAllResult(tuple(passages), swept, tuple([each.body for each in movers]), Snapshot(store, movers))


def _passages(hits: list[Hit], motion: _Motion, resting_hits: bool, back: _Back) -> list[Passage]:
    """Return the passages of hits."""
    rows = [entry_of(hit.obstacle).row for hit in hits]
    found = back(reversed_motion(motion), resting_hits, rows)
    # On the way back a body may be free although it is touched: where they only touch at the end.
    unclear = [k for k, travel in enumerate(found) if travel is None]
    touched = back(_STILL, True, [rows[k] for k in unclear]) if unclear else []
    for k, travel in zip(unclear, touched, strict=True):
        found[k] = motion.length - hits[k].travel if travel is None else 0.0
    passages = []
    for hit, travel in zip(hits, found, strict=True):
        assert travel is not None
        left = max(motion.length - travel, hit.travel) if travel > 0.0 else math.inf
        passages.append(Passage(hit, left / motion.length if left < math.inf else left, left))
    return passages


class _Sweeps:
    """A call with checked arguments."""

    __slots__ = ("_ignored_pairs", "_margin", "_motion", "_movers", "_resting_hits", "_rows", "_store")

    def __init__(
        self,
        store: Store,
        movers: list[Entry],
        motion: _Motion,
        margin: float,
        resting_hits: bool,
        ignored_pairs: NDArray[np.int64],
    ) -> None:
        self._store, self._movers, self._rows = store, movers, rows_of(movers)
        self._motion, self._margin, self._resting_hits = motion, margin, resting_hits
        self._ignored_pairs = ignored_pairs

    def as_rows(self) -> tuple[list[Hit], _Back]:
        """Return the hit of each body that is met, and what sweeps back: both answer rows, on all cores."""
        store, motion = self._store, self._motion
        obstacles = self._in_reach()
        answers = self._answer(motion, NO_STANDS, self._resting_hits, obstacles)
        geometry = store.arena.geometry
        hits = [
            hit
            for answer in answers[answers[:, at.STATUS] != FREE].tolist()
            if (hit := hit_of_row(store, answer, geometry, self._rows, motion)) is not None
        ]
        ends = checks.pose(motion.at() @ self._movers[0].pose)[None]

        def back(motion: _Motion, resting_hits: bool, rows: list[int]) -> _Travels:
            answers = self._answer(motion, ends, resting_hits, np.array(rows, np.int64))
            free = (answers[:, at.STATUS] == FREE).tolist()
            return [None if out else travel for out, travel in zip(free, answers[:, at.HIT_TRAVEL].tolist(), strict=True)]

        return hits, back

    def one_by_one(self) -> tuple[list[Hit], _Back]:
        """The same by single sweeps: volumes get their surfaces, and are swept by their voxels, in Python."""
        options = self._margin, self._resting_hits, self._ignored_pairs
        found = [first_contact(self._store, self._movers, self._motion, *options, row) for row in self._in_reach().tolist()]
        there: Store | None = None

        def back(motion: _Motion, resting_hits: bool, rows: list[int]) -> _Travels:
            nonlocal there
            if there is None:  # a copy of the scene, in which the movers are at the end
                there = entry_of(deepcopy(self._store.scene)[self._movers[0].id]).home()
                for mover in self._movers:
                    there.put(there.entries[mover.id], checks.pose(self._motion.at() @ mover.pose))
            movers = [there.entries[mover.id] for mover in self._movers]
            hits = [first_contact(there, movers, motion, self._margin, resting_hits, self._ignored_pairs, row) for row in rows]
            return [None if hit is None else hit.travel for hit in hits]

        return [hit for hit in found if hit is not None], back

    def _in_reach(self) -> NDArray[np.int64]:
        """Return the body rows of all obstacles that the motion may reach."""
        store = self._store
        geometry, bodies, poses, boxes, rows = store.world()
        question = self._questions(self._motion, self._resting_hits, 1)[0]
        found = np.empty(_USUAL, np.int64)
        count = -1
        while count < 0:
            count = self._kernels(self._motion).reach(
                store.arena.table_of(geometry), bodies, poses, boxes, rows, *store.hierarchy(), self._rows,
                self._ignored_pairs, store.tolerance, question, found,
            )  # fmt: skip
            if count < 0:
                found = np.empty(2 * len(found), np.int64)
        return found[:count]

    def _answer(
        self, motion: _Motion, stands: NDArray[np.float64], resting_hits: bool, obstacles: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the answers of a motion against each of some body rows. stands: pose of the first mover, if it is not home."""
        store, kernels = self._store, self._kernels(motion)
        questions, answers = self._questions(motion, resting_hits, len(obstacles)), np.empty((len(obstacles), at.ANSWER))
        questions[:, at.STAND] = len(stands) - 1
        questions[:, at.ONLY] = obstacles + 1
        world = store.world()
        if store.arena.pending:
            world = prepare(store.arena, kernels, world, self._rows, stands, store.tolerance, questions)
        tree = store.hierarchy()

        def work(first: int, last: int) -> None:
            answer_rows(
                store.arena, kernels, world, tree, self._rows, stands, self._ignored_pairs, store.tolerance,
                questions[first:last], answers[first:last],
            )  # fmt: skip

        run_rows(work, len(questions))
        return answers

    def _questions(self, motion: _Motion, resting_hits: bool, count: int) -> NDArray[np.float64]:
        """Return questions where the movers are, against all bodies."""
        questions = np.zeros((count, at.QUESTION))
        path = motion.direction if isinstance(motion, Translate) else orbit_of(motion)
        questions[:, : len(path)] = path
        questions[:, at.TRAVEL] = motion.length
        questions[:, at.MARGIN] = self._margin
        questions[:, at.MOVERS] = len(self._movers)
        questions[:, at.RESTING] = resting_hits
        questions[:, at.STAND] = -1
        questions[:, at.IGNOREDS] = len(self._ignored_pairs)
        return questions

    @staticmethod
    def _kernels(motion: _Motion) -> Any:
        if isinstance(motion, Translate):
            from ..kernels.sweep import straight as kernels
        else:
            from ..kernels.sweep import about_axis as kernels
        return kernels
