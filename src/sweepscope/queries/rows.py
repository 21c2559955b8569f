"""Questions as rows: writes them, prepares the world, calls the kernels. One question is a table of one row."""

from __future__ import annotations

from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout as at
from ..kernels.layout import Geometry
from ..kernels.sweep import straight
from ..motion import Translate, Turn, orbit_of
from ..world.arena import Arena
from ..world.world import World

NO_STANDS = np.empty((0, 4, 4))
_PATIENCE = 16  # questions; shapes that so many do not reach are made ready all the same, so that later ones need not look
_ONE_QUESTION, _ONE_ANSWER = Struct(f"{at.QUESTION}d"), Struct(f"{at.ANSWER}d")
_NO_ORBIT = (0.0,) * 8  # behind the direction of a translation


def _row() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a question and its answer, one row each."""
    return np.zeros((1, at.QUESTION)), np.empty((1, at.ANSWER))


_spare = [_row()]  # each is used by one thread at a time


def answer_one(
    arena: Arena,
    world: World,
    movers: NDArray[np.int64],
    motion: Translate | Turn,
    margin: float,
    resting_hits: bool,
    ignored_pairs: NDArray[np.int64],
    tolerance: float,
) -> tuple[tuple[float, ...], Geometry]:
    """Answer one question; return the answer, and the shapes that it speaks of. movers: body rows."""
    try:
        row = _spare.pop()
    except IndexError:
        row = _row()
    question, answer = row
    path: Any
    if isinstance(motion, Translate):
        kernels: Any = straight
        path = *motion.direction, *_NO_ORBIT
    else:
        from ..kernels.sweep import about_axis as kernels

        path = orbit_of(motion)
    _ONE_QUESTION.pack_into(question, 0, *path, motion.length, margin, 0, len(movers), resting_hits, -1)
    if arena.pending or arena.geometry is not world.geometry:  # another thread may have made shapes ready, or new ones
        world = prepare(arena, kernels, world, movers, NO_STANDS, tolerance, question)
    geometry, bodies, poses, boxes, rows = world
    kernels.answer(
        *geometry, bodies, poses, boxes, rows, movers, NO_STANDS, ignored_pairs, tolerance, question, 0, 1, answer
    )  # fmt: skip
    found = _ONE_ANSWER.unpack_from(answer)
    _spare.append(row)
    return found, geometry


def answer_rows(
    kernels: Any,
    world: World,
    movers: NDArray[np.int64],
    stands: NDArray[np.float64],
    ignored_pairs: NDArray[np.int64],
    tolerance: float,
    questions: NDArray[np.float64],
    lo: int,
    hi: int,
    answers: NDArray[np.float64],
) -> None:
    """Answer questions lo .. hi in a world that `prepare` returned: write their rows of `answers`."""
    geometry, bodies, poses, boxes, rows = world
    kernels.answer(
        *geometry, bodies, poses, boxes, rows, movers, stands, ignored_pairs, tolerance, questions, lo, hi, answers
    )  # fmt: skip


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
