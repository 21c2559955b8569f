"""Many probes of a radar in one call: each is what a new radar reads, bit for bit, whatever the threads."""

import pickle

import numpy as np
import pytest

import sweepscope as ss

FIELDS = ("travel", "time", "hit", "overlapping", "center", "normal", "range", "ids", "faces", "pixels", "lead", "lookat")


def _scene(rng, volumes=False):
    scene = ss.Scene()
    for _ in range(8):
        scene.add(ss.Mesh.sphere(0.4, rows=6, sections=8), rng.uniform(-3, 3, 3) + (0, 0, 4))
        scene.add(ss.Box(rng.uniform(0.2, 1.0, 3)), rng.uniform(-3, 3, 3) - (0, 0, 4))
    if volumes:
        scene.add(ss.Volume(np.ones((9, 9, 9), bool), 0.2), (1, 1, 1))
    return scene, scene.add(ss.Mesh.cylinder(0.3, 0.8), name="mover")


def assert_same(one, other):
    for name in FIELDS:
        a, b = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
        assert a.shape == b.shape, name
        assert a.tobytes() == b.tobytes(), name
    assert one.obstacles == other.obstacles
    assert one.motion == other.motion
    assert one.movers == other.movers
    assert one.drawings == other.drawings
    assert one.method == other.method


@pytest.mark.parametrize("volumes", [False, True])
@pytest.mark.parametrize("method", ["sampled", "bounding", "published"])
def test_every_reading_is_that_of_a_new_radar(rng, method, volumes):
    scene, mover = _scene(rng, volumes)
    radar = ss.radar.Radar(scene, mover, pixels=(24, 20), method=method)
    motions = [ss.Translate(vector) for vector in rng.normal(size=(30, 3)) * 4.0]
    if method != "published":
        motions += [ss.Rotate(axis, 1.5, about=(3, 0, 0)) for axis in rng.normal(size=(20, 3))]
    ignore = scene.bodies[:3]
    many = radar.probe_many(motions, ignore=ignore)
    singles = [ss.radar.Radar(scene, mover, pixels=(24, 20), method=method).probe(each, ignore=ignore) for each in motions]
    assert len(many) == len(motions)
    assert 0.1 < many.hit.mean() < 1.0
    for k, (one, single) in enumerate(zip(many, singles, strict=True)):
        assert_same(one, single)
        for name in ("travel", "time", "hit", "overlapping", "center", "normal"):
            assert np.asarray(getattr(many, name)[k]).tobytes() == np.asarray(getattr(single, name)).tobytes()
        assert many.obstacle[k] == (single.obstacle.id if single.obstacle else -1)
    assert many[-1].motion is motions[-1]


def test_threads_make_no_difference_and_arrays_are_translations(rng):
    scene, mover = _scene(rng)
    radar = ss.radar.Radar(scene, mover, pixels=16)
    vectors = rng.normal(size=(100, 3)) * 4.0
    first, *others = (radar.probe_many(vectors, threads=threads) for threads in (1, 2, 8))
    assert 0.1 < first.hit.mean() < 1.0
    for other in others:
        for one, another in zip(first, other, strict=True):
            assert_same(one, another)
    for listed in ([ss.Translate(vector) for vector in vectors], vectors.tolist()):
        for one, another in zip(first, radar.probe_many(listed), strict=True):
            assert_same(one, another)


def test_a_radar_keeps_its_own_mask(rng):
    scene, mover = _scene(rng)
    scene.add(ss.Box((10, 10, 0.2)), (0, 0, -4))
    radar = ss.radar.Radar(scene, mover, pixels=16)
    down = ss.Translate((0, 0, -5))
    assert radar.probe(down).drawings == 2
    assert [each.drawings for each in radar.probe_many([down, down])] == [2, 2]
    assert radar.probe(down).drawings == 1


def test_none(rng):
    scene, mover = _scene(rng)
    for motions in ([], np.empty((0, 3))):
        none = ss.radar.Radar(scene, mover, pixels=16).probe_many(motions)
        assert not none
        assert len(none) == 0
        assert none.travel.shape == none.obstacle.shape == (0,)
        assert none.center.shape == none.normal.shape == (0, 3)


def test_progress_ends_with_all(rng):
    scene, mover = _scene(rng)
    told = []
    radar = ss.radar.Radar(scene, mover, pixels=8)
    radar.probe_many(rng.normal(size=(40, 3)), progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (40, 40)


def test_bad_inputs(rng):
    scene, mover = _scene(rng)
    stranger = ss.Scene().add(ss.Sphere(1.0))
    down = ss.Translate((0, 0, -1))
    screw = ss.Screw((0, 0, 1), 1.0, slide=1.0)
    radar = ss.radar.Radar(scene, mover, pixels=8)
    for bad, error, message in (
        ({"motions": down}, ss.errors.InvalidType, "motions: expected motions, or vectors"),
        ({"motions": [down, None]}, ss.errors.InvalidType, r"motions\[1\]: expected a Translate or a Rotate, got None"),
        ({"motions": [down, screw]}, ss.errors.InvalidMotion, r"motions\[1\]: is a Screw"),
        ({"motions": np.zeros((2, 3))}, ss.errors.InvalidMotion, r"motions\[0\]: has length zero"),
        ({"motions": np.zeros((2, 4))}, ss.errors.InvalidMotion, r"motions: expected .* got shape \(2, 4\)"),
        ({"motions": [down] * 2 + [ss.Translate((0, 0, 0))]}, ss.errors.InvalidMotion, r"motions\[2\]: has length zero"),
        ({"motions": np.array(((0, 0, 1), (0, np.nan, 0)))}, ss.errors.InvalidMotion, r"motions\[1\]: .* is nan"),
        ({"ignore": [stranger]}, ss.errors.NotFound, r"ignore\[0\]: .* is in another scene"),
        ({"threads": 0}, ss.errors.InvalidQuery, "threads is 0"),
        ({"progress": 3}, ss.errors.InvalidType, "progress: expected a function"),
    ):
        with pytest.raises(error, match=message):
            radar.probe_many(**{"motions": [down], **bad})
    points = scene.add(ss.PointCloud([(0, -0.5, -0.5), (0, 0.5, 0.5)]), (0, 0, 20))
    with pytest.raises(ss.errors.InvalidQuery, match=r"motions\[0\]: mover: .* covers no pixel's center of 10 x 10"):
        ss.radar.Radar(scene, points, pixels=10).probe_many(np.array(((5.0, 0.0, 0.0),)))


def test_a_pickle_is_the_same(rng):
    scene, mover = _scene(rng)
    many = ss.radar.Radar(scene, mover, pixels=8).probe_many(rng.normal(size=(10, 3)) * 4.0)
    there = pickle.loads(pickle.dumps((scene, many)))[1]
    assert there.travel.tobytes() == many.travel.tobytes()
    assert there[3].range.tobytes() == many[3].range.tobytes()
