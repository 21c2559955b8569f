"""Questions as rows: writes them, prepares the world, calls the kernels. One question is a table of one row."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout as at
from ..kernels.layout import Geometry
from ..kernels.sweep import straight
from ..motion import Translate, Turn, orbit_of
from ..world.arena import Arena
from ..world.hierarchy import Hierarchy
from ..world.world import World, body_kernels

if TYPE_CHECKING:
    from ..world.store import Store

NO_STANDS = np.empty((0, 4, 4))
_PATIENCE = 16  # questions; shapes that so many do not reach are made ready all the same, so that later ones need not look
_ONE_QUESTION, _ONE_ANSWER = Struct(f"{at.QUESTION}d"), Struct(f"{at.ANSWER}d")
_NO_ORBIT = (0.0,) * 8  # behind the direction of a translation
_MOST_KEPT = 1 << 22  # float64 numbers: a scratch that is larger is given back
_SCRATCH = 1 << 15  # float64 numbers: enough for nearly all questions about meshes of some thousand faces


class _Worker:
    """What one thread at a time uses: a question, its answer, and the scratch of kernels."""

    __slots__ = ("answer", "question", "scratch")

    def __init__(self) -> None:
        self.question: Any = np.zeros((1, at.QUESTION))
        self.answer: Any = np.empty((1, at.ANSWER))
        self.scratch = np.empty(_SCRATCH)


_spare = [_Worker()]


def answer_one(
    arena: Arena,
    world: World,
    hierarchy: Hierarchy,
    movers: NDArray[np.int64],
    motion: Translate | Turn,
    margin: float,
    resting_hits: bool,
    ignored_pairs: NDArray[np.int64],
    tolerance: float,
    only: int = -1,
) -> tuple[tuple[float, ...], Geometry]:
    """Answer one question; return the answer, and the shapes that it speaks of.

    hierarchy: of the world's bodies. movers: body rows. only: the body row of the only obstacle that counts; -1: all count.
    """
    try:
        worker = _spare.pop()
    except IndexError:  # each is used by one thread at a time
        worker = _Worker()
    question, answer = worker.question, worker.answer
    path: Any
    if isinstance(motion, Translate):
        kernels: Any = straight
        path = *motion.direction, *_NO_ORBIT
    else:
        from ..kernels.sweep import about_axis as kernels

        path = orbit_of(motion)
    _ONE_QUESTION.pack_into(
        question, 0, *path, motion.length, margin, 0, len(movers), resting_hits, -1, 0, len(ignored_pairs), only + 1
    )  # fmt: skip
    if arena.pending or arena.geometry is not world.geometry:  # another thread may have made shapes ready, or new ones
        world = prepare(arena, kernels, world, movers, NO_STANDS, tolerance, question)
    geometry, bodies, poses, boxes, rows = world
    table = arena.table_of(geometry)
    while not kernels.answer(
        table, bodies, poses, boxes, rows, *hierarchy, movers, NO_STANDS, ignored_pairs, tolerance, question, 0, 1,
        worker.scratch, answer,
    ):  # fmt: skip
        worker.scratch = np.empty(2 * len(worker.scratch))
    found = _ONE_ANSWER.unpack_from(answer)
    _spare.append(worker)
    return found, geometry


def answer_rows(
    arena: Arena,
    kernels: Any,
    world: World,
    hierarchy: Hierarchy,
    movers: NDArray[np.int64],
    stands: NDArray[np.float64],
    ignored_pairs: NDArray[np.int64],
    tolerance: float,
    questions: NDArray[np.float64],
    answers: NDArray[np.float64],
) -> None:
    """Answer all questions, in a world that is prepared. Several threads may do it at once."""
    geometry, bodies, poses, boxes, rows = world
    table = arena.table_of(geometry)

    def answer(done: int, scratch: NDArray[np.float64]) -> int:
        return kernels.answer(
            table, bodies, poses, boxes, rows, *hierarchy, movers, stands, ignored_pairs, tolerance, questions, done,
            len(questions), scratch, answers,
        )  # fmt: skip

    answer_with_scratch(answer, len(questions))


def answer_with_scratch(answer: Callable[[int, NDArray[np.float64]], int], count: int) -> None:
    """Call a kernel until it has answered `count` rows.

    answer: takes the first row and a scratch; returns the first row that needs a larger one, or `count`.
    """
    try:
        worker = _spare.pop()
    except IndexError:
        worker = _Worker()
    done = 0
    scratch = worker.scratch
    while (done := answer(done, scratch)) < count:
        scratch = np.empty(2 * len(scratch))
    if len(scratch) <= _MOST_KEPT:
        worker.scratch = scratch
    _spare.append(worker)


def make_ready(store: Store, rows: list[int]) -> World:
    """Return the world of a scene; the shapes of some bodies, given by their rows, are ready."""
    world, arena = store.world(), store.arena
    if arena.pending:
        with arena.lock:
            refit_bodies = body_kernels().refit_bodies
            refit_bodies(*world.only(np.array(rows)))
            for shape in arena.pending.intersection(world.bodies[rows, at.SHAPE].tolist()):
                arena.find_parts(shape)
                arena.pending.discard(shape)
            world = world._replace(geometry=arena.geometry)
    return world


def ready_world(store: Store, rows: NDArray[np.int64], within: float = 0.0) -> World:
    """Return the world of a scene; all shapes that are `within` [length] of some bodies are ready."""
    world = store.world()
    if not store.arena.pending:
        return world
    question = np.zeros((1, at.QUESTION))
    question[0, 0] = 1.0
    question[0, at.MARGIN] = within
    question[0, at.MOVERS] = len(rows)
    question[0, at.STAND] = -1
    return prepare(store.arena, straight, world, rows, NO_STANDS, store.tolerance, question)


def prepare(
    arena: Arena,
    kernels: Any,
    world: World,
    movers: NDArray[np.int64],
    stands: NDArray[np.float64],
    tolerance: float,
    questions: NDArray[np.float64],
) -> World:
    """Make all shapes that the questions may reach ready: boxes up to date, parts known. Return the world with them.

    Afterwards answering changes nothing, so several threads may do it at once.
    """
    with arena.lock:
        world = world._replace(geometry=arena.geometry)
        wanted = np.zeros(len(arena.geometry.shape_ints), np.bool_)
        arena.waited += 1
        kernels.prepare(*world, movers, stands, tolerance, questions, arena.waited > _PATIENCE, wanted)
        for row in np.flatnonzero(wanted).tolist():
            arena.find_parts(row)
            arena.pending.discard(row)
        return world._replace(geometry=arena.geometry)
