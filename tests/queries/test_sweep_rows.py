"""Rows of sweeps: no allocation for each, and more scratch where a row needs it."""

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

import sweepscope as ss
from sweepscope.kernels import layout as at
from sweepscope.kernels.statuses import HIT, OVERLAP
from sweepscope.kernels.sweep import about_axis, straight
from sweepscope.motion import orbit_of
from sweepscope.queries import rows
from sweepscope.scene import store_of


def questions_of(motions):
    questions = np.zeros((len(motions), at.QUESTION))
    for row, motion in zip(questions, motions, strict=True):
        path = orbit_of(motion) if motion.turns else motion.direction
        row[: len(path)] = path
        row[at.TRAVEL], row[at.MOVERS], row[at.STAND] = motion.length, 1, -1
    return questions


def crowd(rng):
    scene = ss.Scene()
    ball = ss.Mesh.sphere(0.3, rows=12, sections=12)
    mover = scene.add(ball)
    places = rng.uniform(-2.0, 2.0, (60, 3))
    scene.add_many(ball, places[np.linalg.norm(places, axis=1) > 0.7])
    scene.add(ss.Mesh.box((1, 1, 1)), (0, 0, -0.8))  # the mover rests on it
    return scene, mover


@pytest.fixture
def answer(rng):
    """Give a function that answers motions in a scene: the answers, and how many arrays the kernel made."""
    _nrt_python.memsys_enable_stats()
    scene, mover = crowd(rng)
    store = store_of(scene)
    movers = np.array([mover.id])

    def call(motions):
        kernels = about_axis if motions[0].turns else straight
        questions = questions_of(motions)
        answers = np.empty((len(motions), at.ANSWER))
        world = rows.prepare(store.arena, kernels, store.world(), movers, rows.NO_STANDS, -1.0, questions)
        pairs = np.empty((0, 2), np.int64)
        before = rtsys.get_allocation_stats().alloc
        rows.answer_rows(
            store.arena, kernels, world, store.hierarchy(), movers, rows.NO_STANDS, pairs, -1.0, questions, answers
        )
        return answers, rtsys.get_allocation_stats().alloc - before

    yield call
    _nrt_python.memsys_disable_stats()


@pytest.mark.parametrize("turning", [False, True])
def test_rows_allocate_nothing(answer, rng, turning):
    vectors = rng.normal(size=(300, 3))
    motions = [ss.Rotate(v, 2.0, about=v[::-1]) if turning else ss.Translate(v) for v in vectors]
    answer(motions)  # the scratch grows once, if at all
    answers, many = answer(motions)
    hits = answers[:, at.STATUS]
    assert 0.2 < (hits == HIT).mean() < 1.0
    assert not (hits == OVERLAP).any()
    assert many == answer(motions[:1])[1]  # those of the arguments of a call


def test_a_row_that_needs_more_scratch_gets_it(answer, rng, monkeypatch):
    motions = [ss.Translate(v) for v in rng.normal(size=(100, 3))]
    usual, _ = answer(motions)
    monkeypatch.setattr(rows, "_SCRATCH", 8)
    monkeypatch.setattr(rows, "_spare", [])
    little, _ = answer(motions)
    assert rows._spare[0].scratch.size > 8
    assert little.tobytes() == usual.tobytes()
