"""Distances: results, several bodies, limits, many poses, and bad inputs."""

import json
import math

import numpy as np
import pytest
from sweepscope_lab.reference.turn_cases import SHAPES, random_pose

import sweepscope as ss
from sweepscope.errors import InvalidPose, InvalidQuery, InvalidType, NotFound
from sweepscope.results import Distances, PairDistance


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 1)), (0, 0, -0.5), name="floor")
    scene.add(ss.Sphere(0.5), (3, 0, 2), name="ball")
    scene.add(ss.Box((1, 1, 1)), (0, 0, 2), name="box")
    return scene


def test_a_pair(scene):
    pair = scene.distance(scene["box"], scene["ball"])
    assert isinstance(pair, PairDistance)
    assert float(pair) == pair.distance == pytest.approx(2.0, abs=1e-12)
    assert pair.distance <= 2.0
    assert pair.first_point == pytest.approx((0.5, 0, 2), abs=1e-12)
    assert pair.second_point == pytest.approx((2.5, 0, 2), abs=1e-12)
    assert pair.normal == pytest.approx((-1, 0, 0), abs=1e-12)
    assert pair.bodies == (scene["box"], scene["ball"])
    assert (pair.kind, pair.inner, pair.overlapping) == ("apart", None, False)
    assert pair.features[1].kind == "vertex"
    assert repr(pair) == "<PairDistance: 'box' and 'ball' are 2 apart>"
    plain = json.loads(json.dumps(pair.as_dict()))
    assert plain["first"] == "box"
    assert plain["distance"] == pair.distance
    assert [each["kind"] for each in plain["features"]][1] == "vertex"


def test_frozen(scene):
    pair = scene.distance(scene["box"], scene["ball"])
    with pytest.raises(AttributeError, match="distance"):
        pair.distance = 0.0
    with pytest.raises(AttributeError, match="no attribute 'gap'"):
        _ = pair.gap


def test_touching_and_overlapping(scene):
    box = scene["box"]
    box.pose = (0, 0, 0.5)
    pair = scene.distance(box, scene["floor"])
    assert (pair.distance, pair.kind) == (0.0, "touching")
    box.pose = (0, 0, 0.3)
    pair = scene.distance(box, scene["floor"])
    assert (pair.distance, pair.kind, pair.overlapping) == (0.0, "crossing", True)
    box.pose = (0, 0, -0.5)
    small = scene.add(ss.Box((0.2, 0.2, 0.2)), (2, 2, -0.5), name="small")
    pair = scene.distance(small, scene["floor"])
    assert (pair.distance, pair.kind, pair.inner) == (0.0, "inside", small)
    assert np.isnan(pair.normal).all()
    assert pair.features[0].kind == "none"
    assert pair.as_dict()["features"] is None
    assert scene.distance(scene["floor"], small).inner == small


def test_several_on_both_sides(scene):
    movers = [scene["box"], scene["ball"]]
    low = scene.add(ss.Sphere(0.1), (3, 0, 1.2), name="low")
    pair = scene.distance(movers, [scene["floor"], low])
    assert pair.bodies == (scene["ball"], low)
    assert pair.distance == pytest.approx(0.2, abs=1e-12)
    assert scene.distance([low, scene["floor"]], movers).bodies == (low, scene["ball"])


def test_bodies_that_ignore_each_other_have_a_distance_but_are_not_near(scene):
    scene.ignore(scene["box"], scene["ball"])
    assert scene.distance(scene["box"], scene["ball"]).distance == pytest.approx(2.0, abs=1e-12)
    assert [pair.second.name for pair in scene.nearest(scene["box"], k=5)] == ["floor"]
    assert scene.nearest(scene["box"], ignore=[scene["floor"]]) == []


def test_nearest(scene):
    box = scene["box"]
    assert [(p.second.name, round(p.distance, 6)) for p in scene.nearest(box, k=9)] == [("floor", 1.5), ("ball", 2.0)]
    assert [p.second.name for p in scene.nearest(box)] == ["floor"]
    assert [p.second.name for p in scene.nearest(box, k=9, limit=1.5)] == ["floor"]
    assert scene.nearest(box, k=9, limit=1.4) == []
    for limit in (math.inf, np.inf, np.float32(9.0), 9):
        assert len(scene.nearest(box, k=2, limit=limit)) == 2


def test_nearest_is_the_least_of_all_distances(rng):
    scene = ss.Scene()
    names = sorted(SHAPES)
    for k in range(700):  # enough for the hierarchy of bodies
        scene.add(SHAPES[names[k % len(names)]](rng), random_pose(rng, rng.uniform(-30, 30, 3)))
    bodies = list(scene)
    for _ in range(20):
        body = bodies[int(rng.integers(len(bodies)))]
        found = scene.nearest(body, k=4)
        every = sorted(scene.distance(body, other).distance for other in bodies if other != body)
        assert [pair.distance for pair in found] == every[:4]


def test_an_empty_body_is_infinitely_far(scene):
    empty = scene.add(ss.PointCloud(np.empty((0, 3))), name="empty")
    pair = scene.distance(empty, scene["box"])
    assert (pair.distance, pair.kind, pair.overlapping) == (math.inf, "apart", False)
    assert np.isnan(pair.first_point).all()
    assert pair.as_dict()["distance"] is None
    assert scene.nearest(empty) == []
    assert "empty" not in [pair.second.name for pair in scene.nearest(scene["box"], k=9)]


def test_volumes(scene):
    volume = ss.Volume(np.ones((2, 3, 4), bool), 0.5)
    body = scene.add(volume, (6, 0, 2), name="volume")
    pair = scene.distance(body, scene["ball"])
    assert pair.distance == pytest.approx(2.5, abs=1e-12)
    assert pair.features[0].voxel is not None
    inner = scene.add(ss.Sphere(0.1), (6.5, 0.7, 3), name="inner")
    pair = scene.distance(inner, body)
    assert (pair.kind, pair.inner) == ("inside", inner)
    assert pair.features[1].voxel == (1, 1, 2)
    volume[:] = 0
    assert scene.distance(body, scene["ball"]).distance == math.inf
    volume[0, 0, 0] = 1
    assert scene.distance(body, scene["ball"]).distance == pytest.approx(2.5, abs=1e-12)


def test_far_from_the_origin_no_digits_are_lost():
    scene = ss.Scene()
    a = scene.add(ss.Box((1, 1, 1)), (1e9, 0, 0))
    b = scene.add(ss.Box((1, 1, 1)), (1e9 + 1.5, 0, 0))
    assert scene.distance(a, b).distance == pytest.approx(0.5, abs=1e-13)


def test_many_poses_are_single_calls(rng):
    scene = ss.Scene()
    names = sorted(SHAPES)
    for name in names:
        scene.add(SHAPES[name](rng), random_pose(rng, rng.normal(size=3) * 4.0))
    mover = scene.add(SHAPES[names[0]](rng), name="mover")
    rider = scene.add(ss.Sphere(0.3), (0.5, 0, 0), name="rider")
    poses = np.array([random_pose(rng, rng.normal(size=3) * 4.0) for _ in range(60)]).reshape(3, 20, 4, 4)
    movers = [mover, rider]
    for options in ({}, {"limit": 1.0}, {"ignore": list(scene)[:3]}):
        found = scene.distance_many(movers, poses, **options)
        assert isinstance(found, Distances)
        assert found.shape == (3, 20)
        assert len(found) == 3
        home = [body.pose for body in movers]
        for i, j in np.ndindex(3, 20):
            mover.pose, rider.pose = poses[i, j], poses[i, j] @ home[1]
            single = scene.nearest(movers, **options)
            assert found.distance[i, j] == (single[0].distance if single else math.inf)
            assert bool(single) == (found.second[i, j] >= 0)
            if single:
                assert scene[int(found.second[i, j])] == single[0].second
                assert scene[int(found.first[i, j])] == single[0].first
                assert found.overlapping[i, j] == single[0].overlapping
                assert found.first_point[i, j].tobytes() == single[0].first_point.tobytes()
                assert found.normal[i, j].tobytes() == single[0].normal.tobytes()
        mover.pose, rider.pose = home
    assert found[1:, 0].shape == (2,)
    assert set(found.to_dict()) >= {"distance", "first", "second", "normal", "overlapping"}


def test_many_poses_with_others_and_threads(scene, rng):
    poses = rng.uniform(-4, 4, (500, 3))
    others = [scene["ball"], scene["floor"]]
    one = scene.distance_many(scene["box"], poses, others, threads=1)
    seen = []
    two = scene.distance_many(scene["box"], poses, others, threads=2, progress=lambda done, total: seen.append((done, total)))
    for name, array in one.to_dict().items():
        assert array.tobytes() == two.to_dict()[name].tobytes()
    assert seen[-1] == (500, 500)
    assert 0.05 < one.overlapping.mean() < 0.9
    assert scene.distance_many(scene["box"], np.empty((0, 3))).shape == (0,)
    assert scene.distance_many(scene["box"], (0, 0, 5)).shape == ()


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda s: s.distance(s["box"], s["box"]), InvalidQuery, "b: body 'box' is also in a"),
        (lambda s: s.distance([s["box"], s["box"]], s["ball"]), InvalidQuery, "a: the same body is given twice"),
        (lambda s: s.distance([], s["ball"]), InvalidQuery, "a: expected a body or several, got an empty list"),
        (lambda s: s.distance("box", s["ball"]), InvalidType, "a: expected a Body"),
        (lambda s: s.distance(s["box"], ss.Scene().add(ss.Sphere(1))), NotFound, "b"),
        (lambda s: s.nearest(s["box"], limit=-1.0), InvalidQuery, "limit is -1"),
        (lambda s: s.nearest(s["box"], limit=math.nan), InvalidQuery, "limit is nan"),
        (lambda s: s.nearest(s["box"], limit=-math.inf), InvalidQuery, "limit is -inf"),
        (lambda s: s.nearest(s["box"], k=0), InvalidQuery, "k is 0"),
        (lambda s: s.nearest(s["box"], k=1.5), InvalidType, "k"),
        (lambda s: s.distance_many(s["box"], [[0, 0, math.nan]]), InvalidPose, r"poses\[0\]"),
        (lambda s: s.distance_many(s["box"], np.zeros((3, 2))), InvalidPose, "poses"),
        (lambda s: s.distance_many(s["box"], [[0, 0, 0]], s["box"]), InvalidQuery, "others: body 'box' is also a mover"),
        (lambda s: s.distance_many(s["box"], [[0, 0, 0]], threads=0), InvalidQuery, "threads"),
    ],
)  # fmt: skip
def test_bad_inputs(scene, call, error, match):
    with pytest.raises(error, match=match):
        call(scene)


def test_pictures(scene, tmp_path):
    pair = scene.distance(scene["box"], scene["ball"])
    assert pair.picture(tmp_path / "pair.png", size=(200, 150)).pixels.shape == (150, 200, 3)
    scene["box"].pose = (3, 0, 2)
    inside = scene.distance(scene["box"], scene["ball"])
    assert inside.picture(size=(200, 150)).pixels.shape == (150, 200, 3)
    empty = scene.add(ss.PointCloud(np.empty((0, 3))))
    assert scene.distance(empty, scene["ball"]).picture(size=(200, 150)).pixels.shape == (150, 200, 3)
