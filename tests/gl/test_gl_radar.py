"""Radars on the card read what radars on the processor read."""

import copy

import numpy as np
import pytest
from test_gl_look import pose

import sweepscope as ss
from sweepscope.radar import Radar, RadarSet
from sweepscope.results import RadarReading

pytestmark = pytest.mark.gl

SHAPES = (ss.Box((1, 1.5, 0.7)), ss.Mesh.sphere(0.6), ss.Sphere(0.5), ss.Capsule(0.3, 1.0), ss.Mesh.cylinder(0.5, 1.0))


def crowd(seed):
    rng = np.random.default_rng(seed)
    scene = ss.Scene()
    placed = pose(rng, 0.0)
    mover = scene.add(SHAPES[seed % len(SHAPES)], placed)
    for _ in range(6):
        scene.add(SHAPES[rng.integers(len(SHAPES))], pose(rng, 3.0))
    return rng, scene, mover


def agree(ours: RadarReading, card: RadarReading):
    assert 0.0 < card.resolution < 1e-6 * card.view.depth
    assert (card.hit, card.overlapping, card.obstacles) == (ours.hit, ours.overlapping, ours.obstacles)
    assert (card.ids == ours.ids).all()
    assert abs(card.travel - ours.travel) <= card.resolution
    if ours.method == "bounding":
        assert card.travel <= ours.travel
    else:
        assert card.center == pytest.approx(ours.center, abs=1e-9, nan_ok=True)
        assert card.normal == pytest.approx(ours.normal, abs=1e-6, nan_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sampled", "bounding", "published"])
def test_the_card_reads_the_same(method):
    hits = overlapping = 0
    for seed in range(15):
        rng, scene, mover = crowd(seed)
        ours, card = (Radar(scene, mover, pixels=(30, 24), method=method, backend=backend) for backend in ("cpu", "gl"))
        motion = ss.Translate(3.0 * rng.normal(size=3))
        for _ in range(2):  # the second time with the mask of the first
            expected, found = ours.probe(motion), card.probe(motion)
            agree(expected, found)
            if method == "bounding":
                exact = scene.sweep(mover, motion)
                assert found.travel <= (motion.length if exact is None else exact.travel)
        assert found.drawings == 1
        hits += expected.hit
        overlapping += expected.overlapping
    assert hits >= 4
    assert overlapping >= (0 if method == "published" else 1)


@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_touching_at_the_start(method):
    scene = ss.Scene()
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5))
    scene.add(ss.Box((4, 4, 1)), (0, 0, -0.5), name="floor")
    for motion in (ss.Translate((0, 0, -1)), ss.Translate((0, 0, 1)), ss.Translate((1, 0, 0))):
        ours, card = (Radar(scene, box, pixels=20, method=method, backend=backend).probe(motion) for backend in ("cpu", "gl"))
        agree(ours, card)


def test_what_is_behind_the_leading_surface_does_not_hide_what_is_ahead():
    # Two sides that move down along a post, which is in their view from the start.
    scene = ss.Scene()
    sides = [scene.add(ss.Box((0.2, 2, 1)), (x, 0, 3)) for x in (-1, 1)]
    scene.add(ss.Box((0.5, 0.5, 1)), (0, 0, 3.2), name="inside")
    scene.add(ss.Box((5, 5, 0.2)), name="floor")
    motion = ss.Translate((0, 0, -4))
    ours, card = (Radar(scene, sides, pixels=50, backend=backend).probe(motion) for backend in ("cpu", "gl"))
    agree(ours, card)
    assert card.obstacle is scene["floor"]


def test_nothing_ahead_takes_one_drawing():
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(0.5))
    scene.add(ss.Sphere(0.5), (5, 0, 0))
    reading = Radar(scene, ball, backend="gl").probe(ss.Translate((0, 0, -3)))
    assert not reading
    assert reading.drawings == 1
    assert np.isnan(reading.mask).all()


def test_a_mover_that_no_pixel_sees():
    scene = ss.Scene()
    sides = [scene.add(ss.Box((0.2, 2, 1)), (x, 0, 0)) for x in (-1, 1)]
    scene.add(ss.Box((5, 5, 1)), (0, 0, -3))
    for backend in ("cpu", "gl"):
        for max_size in (None, 4.0):
            radar = Radar(scene, sides, pixels=1, max_size=max_size, backend=backend)
            with pytest.raises(ss.errors.InvalidQuery, match="covers no pixel's center"):
                radar.probe(ss.Translate((0, 0, -5)))


def test_a_preset_size_and_copies():
    _, scene, mover = crowd(3)
    motion = ss.Translate((3, 0, 0))
    sizes = []
    for backend in ("cpu", "gl"):
        radar = Radar(scene, mover, pixels=60, max_size=6.0, backend=backend)
        sizes.append([radar.probe(motion).view.width for _ in range(3)])
        assert copy.copy(radar).backend == radar.backend == backend
    assert sizes[0][0] == sizes[1][0] == 6.0
    assert sizes[1][1] == sizes[1][2] < 6.0
    assert sizes[0][2] == sizes[1][2]


@pytest.mark.parametrize("method", ["sampled", "bounding", "published"])
def test_the_first_step_of_a_preset_size(method):
    """The mask is drawn at once, also if nothing is ahead: views are those of the paper's listing, 2000, 440, 440.

    Bounds cover the rim's pixels too: 520. A flat front is a hit without a body, as published.
    """
    pixels, size = (144, 520.0) if method == "bounding" else (100, 440.0)
    scene = ss.Scene()
    hand = scene.add(ss.Box((400, 400, 30)), name="hand")
    wall = scene.add(ss.Box((4000, 4000, 10)), (0, 0, 5000))
    scene.add(ss.Box((100, 100, 10)), (0, 300, 500))  # seen in the wide view alone
    for direction, distance, met in ((1.0, 970.0, ()), (1.0, 6000.0, (wall,)), (-1.0, 970.0, ())):
        radars = [Radar(scene, hand, pixels=50, max_size=2000.0, method=method, backend=backend) for backend in ("cpu", "gl")]
        motion = ss.Translate((0, 0, direction * distance))
        for k in range(3):
            ours, card = (radar.probe(motion) for radar in radars)
            agree(ours, card)
            assert (ours.view.width, ours.view.height) == (card.view.width, card.view.height)
            assert ours.view.width == pytest.approx(2000.0 if k == 0 else size)
            assert (card.lead is None) == (ours.lead is None)
            assert card.obstacles == met
            if k == 0:
                assert card.drawings == ours.drawings == 2
                assert np.isfinite(card.lead).sum() == np.isfinite(ours.lead).sum() == pixels


def test_sets_of_radars_and_many_motions():
    rng, scene, _ = crowd(9)
    bodies = list(scene)
    motions = [ss.Translate(3.0 * rng.normal(size=3)) for _ in bodies]
    for ours, card in zip(
        RadarSet(scene, bodies, pixels=30).probe(motions),
        RadarSet(scene, bodies, pixels=30, backend="gl").probe(motions),
        strict=True,
    ):
        agree(ours, card)
    vectors = 3.0 * rng.normal(size=(6, 3))
    ours, card = (Radar(scene, bodies[1], pixels=30, backend=backend).probe_many(vectors) for backend in ("cpu", "gl"))
    assert (ours.hit == card.hit).all()
    assert np.abs(ours.travel - card.travel).max() <= max(each.resolution for each in card)
