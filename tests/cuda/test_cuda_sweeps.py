"""Sweeps on an NVIDIA card are those of the processor."""

import numpy as np
import pytest
from sweepscope_lab.verify.cuda import KINDS, moved_scene, tally_card

import sweepscope as ss

pytestmark = [pytest.mark.cuda, pytest.mark.slow]  # CUDA looks for its libraries with a process


@pytest.mark.parametrize("kind", KINDS)
def test_the_card_answers_as_the_processor(kind):
    tally = tally_card(kind, 2, 2_000, seed=1)
    assert tally.hits > 0.1 * tally.rows
    assert tally.wrong == 0
    assert tally.difference < 1e-12


def test_the_card_sees_every_change():
    tally = moved_scene(seed=1)
    assert tally.hits > 0.1 * tally.rows
    assert tally.wrong == 0


def test_rows_come_in_the_order_of_their_motions_and_in_their_shape(rng):
    scene = ss.Scene()
    scene.add(ss.Mesh.sphere(1.0), (4, 0, 0))
    ball = scene.add(ss.Mesh.sphere(0.5))
    motions = ss.Motions.translate(rng.normal(size=(30, 20, 3)) * 5)
    ours, card = scene.sweep_many(ball, motions), scene.sweep_many(ball, motions, device="cuda")
    assert card.shape == (30, 20)
    assert (ours.free == card.free).all()
    np.testing.assert_allclose(card.travel, ours.travel, rtol=1e-12)


def test_several_movers_and_movers_of_their_own(rng):
    scene = ss.Scene()
    scene.add_many(ss.Mesh.sphere(1.0), rng.normal(size=(20, 3)) * 6 + (8, 0, 0))
    movers = [scene.add(ss.Mesh.sphere(0.3), (0, k, 0)) for k in range(3)]
    vectors = rng.normal(size=(300, 3)) * 2 + (6, 0, 0)
    own = np.array([movers[k % 3] for k in range(300)])
    for mover in (movers, own):
        ours, card = scene.sweep_many(mover, vectors), scene.sweep_many(mover, vectors, device="cuda")
        assert 0 < ours.free.sum() < 300
        assert (ours.free == card.free).all()
        assert (ours.table["mover"] == card.table["mover"]).all()


def test_no_rows_and_an_empty_scene():
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(1.0))
    assert scene.sweep_many(ball, np.empty((0, 3)), device="cuda").shape == (0,)
    assert scene.sweep_many(ball, [(1.0, 0, 0)], device="cuda").free.all()
