"""Scene.cast and Scene.cast_all: results, arguments, changes of the scene, threads."""

import json
import threading

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.errors import InvalidIndex, InvalidQuery, InvalidType, NotFound

NAN, INF = float("nan"), float("inf")


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Box((2.0, 2.0, 2.0)), name="box")
    scene.add(ss.Sphere(0.5), (5.0, 0.0, 0.0), name="ball")
    return scene


def _many(rng, count):
    scene = ss.Scene()
    places = 20.0 * rng.random((count, 3))
    for k, shape in enumerate((ss.Box((0.5, 0.6, 0.7)), ss.Sphere(0.3), ss.Mesh.sphere(0.4, rows=20, sections=20))):
        scene.add_many(shape, places[k::3])
    return scene


def _rays(rng, count):
    return 40.0 * rng.random((count, 3)) - 10.0, rng.normal(size=(count, 3))


def _assert_same(one, two):
    for name, field in one.to_dict().items():
        np.testing.assert_array_equal(field, two.to_dict()[name], err_msg=name)


def test_a_ray(scene):
    found = scene.cast((-4.0, 0.5, 0.25), (0.5, 0.0, 0.0))
    assert found
    assert found.shape == ()
    assert found.distance == 3.0
    assert found.body == scene["box"].id
    assert scene[int(found.body)].name == "box"
    np.testing.assert_array_equal(found.point, (-1.0, 0.5, 0.25))
    np.testing.assert_array_equal(found.normal, (-1.0, 0.0, 0.0))
    box = scene["box"].shape
    np.testing.assert_allclose(found.barycentric @ box.vertices[box.faces[found.face]], found.point)
    assert repr(found) == "<RayHits: 1 of 1 hit, least 3, shape ()>"
    assert json.loads(json.dumps(found.as_dict()))["point"] == [-1.0, 0.5, 0.25]


def test_nothing(scene):
    found = scene.cast((-4.0, 3.0, 0.0), (1.0, 0.0, 0.0))
    assert not found
    assert found.distance == INF
    assert found.body == found.face == -1
    for field in (found.point, found.normal, found.barycentric):
        assert field.shape == (3,)
        assert np.isnan(field).all()
    assert json.loads(json.dumps(found.as_dict()))["distance"] is None
    assert not ss.Scene().cast((0, 0, 0), (1, 0, 0))
    assert not ss.Scene().cast_all((0, 0, 0), (1, 0, 0))[()]


def test_leading_shapes(scene):
    directions = np.array(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.1, 0.0)))
    found = scene.cast(np.array(((-4.0, 0.0, 0.0), (-3.0, 0.25, 0.0)))[:, None], directions)
    assert found.shape == (2, 3)
    assert found.point.shape == (2, 3, 3)
    assert len(found) == 2
    np.testing.assert_array_equal(found.hit, [[True, False, True], [True, False, True]])
    _assert_same(found[1, 2], scene.cast((-3.0, 0.25, 0.0), directions[2]))
    assert found[0].shape == (3,)
    assert found[:, ::2].shape == (2, 2)
    with pytest.raises(InvalidIndex):
        found[2, 0]
    with pytest.raises(TypeError, match="no len"):
        len(found[0, 0])
    assert scene.cast(np.zeros((0, 3)), (1, 0, 0)).shape == (0,)
    every = scene.cast_all(np.zeros((0, 3)), (1, 0, 0))
    assert (every.shape, len(every.crossings)) == ((0,), 0)


def test_all_crossings(scene):
    every = scene.cast_all([[(-4.0, 0.5, 0.25), (-4.0, 3.0, 0.0)]], (1.0, 0.0, 0.0))
    np.testing.assert_array_equal(every.counts, [[2, 0]])
    crossed = every[0, 0]
    np.testing.assert_array_equal(crossed.distance, (3.0, 5.0))
    np.testing.assert_array_equal(crossed.normal[:, 0], (-1.0, -1.0))
    assert len(every[0, 1]) == 0
    assert [len(each) for each in every] == [2, 0]
    assert every
    assert len(every) == 1
    assert repr(every) == "<RayCrossings: 2 of 2 rays, shape (1, 2)>"
    with pytest.raises(TypeError, match="index of one ray"):
        every[0]
    # Along the diagonal of a side: both triangles.
    assert scene.cast_all((-4.0, 0.0, 0.0), (1.0, 0.0, 0.0), length=3.5).counts == 2


def test_more_crossings_than_there_is_room_for():
    scene = ss.Scene()
    scene.add_many(ss.Box((0.5, 1.0, 1.0)), np.stack((np.arange(300.0), np.zeros(300), np.zeros(300)), axis=1))
    every = scene.cast_all([(-2.0, 0.3, 0.1), (-2.0, 0.1, 0.3)], (1.0, 0.0, 0.0))
    np.testing.assert_array_equal(every.counts, 600)
    np.testing.assert_allclose(every[1].distance, np.sort(np.concatenate((np.arange(300) + 1.75, np.arange(300) + 2.25))))


def test_a_ball(scene):
    found = scene.cast((-4.0, 0.0, 1.1), (1.0, 0.0, 0.0), radius=0.2)
    assert found.distance == pytest.approx(3.0 - np.sqrt(0.04 - 0.01))
    np.testing.assert_allclose(found.point, (-1.0, 0.0, 1.0))
    assert found.normal[2] == pytest.approx(0.5)
    overlapping = scene.cast((0.0, 0.0, 1.1), (1.0, 0.0, 0.0), radius=0.2)
    assert overlapping.distance == 0.0
    np.testing.assert_allclose(overlapping.normal, (0.0, 0.0, 1.0))


def test_rays_see_surfaces_from_inside(scene):
    inside = scene.cast((0.0, 0.25, 0.5), (1.0, 0.0, 0.0))
    assert inside.distance == 1.0
    np.testing.assert_array_equal(inside.normal, (-1.0, 0.0, 0.0))
    # Bodies with a radius are filled.
    within = scene.cast((5.2, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert within.distance == 0.0
    np.testing.assert_allclose(within.point, (5.5, 0.0, 0.0))


def test_segments_and_points_without_radius_are_seen_by_balls_only():
    scene = ss.Scene()
    scene.add(ss.PointCloud([(3.0, 0.0, 0.0)]))
    assert not scene.cast((0, 0, 0), (1, 0, 0))
    assert scene.cast((0, 0, 0), (1, 0, 0), radius=0.5).distance == 2.5


def test_ignore(scene):
    found = scene.cast((-4.0, 0.0, 0.0), (1.0, 0.0, 0.0), ignore=[scene["box"]])
    assert found.body == scene["ball"].id
    assert found.distance == 8.5


def test_changes_of_the_scene(scene):
    ray = (-4.0, 0.25, 0.5), (1.0, 0.0, 0.0)
    box = scene["box"]
    box.shape = ss.Mesh(box.shape.vertices, box.shape.faces)
    box.pose = (1.0, 0.0, 0.0)
    assert scene.cast(*ray).distance == 4.0
    box.vertices = 0.75 * box.vertices
    assert scene.cast(*ray).distance == 4.25
    scene.deform([box], [2.0 * box.vertices])
    assert scene.cast(*ray).distance == 3.5
    box.shape = ss.Sphere(1.0)
    assert scene.cast((-4.0, 0.0, 0.0), (1.0, 0.0, 0.0)).distance == 4.0
    scene.remove(box)
    assert scene.cast((-4.0, 0.0, 0.0), (1.0, 0.0, 0.0)).body == scene["ball"].id
    scene.add(ss.Box((1.0, 1.0, 1.0)), name="new")
    assert scene.cast(*ray).distance == 3.5
    copied = scene.__copy__()
    assert copied.cast(*ray).distance == 3.5


def test_edits_of_volumes():
    occupied = np.ones((20, 20, 20), bool)
    volume = ss.Volume(occupied, spacing=0.1)
    scene = ss.Scene()
    scene.add(volume, (1.0, -1.0, -1.0))
    ray = (0.0, 0.05, 0.05), (2.0, 0.0, 0.0)
    found = scene.cast(*ray, length=1.2)
    assert found.distance == 1.0
    assert np.unravel_index(int(found.face), occupied.shape) == (0, 10, 10)
    assert np.isnan(found.barycentric).all()
    volume[:7, 10, 10] = False
    assert scene.cast(*ray).distance == pytest.approx(1.7)
    assert not scene.cast(*ray, length=1.2)
    # Only what a ray can reach gets a surface, and all that it can reach.
    assert scene.cast((10.0, 0.05, 0.05), (-1.0, 0.0, 0.0)).distance == pytest.approx(7.0)
    assert scene.cast_all(*ray).counts in (2, 4)


def test_many_bodies_with_and_without_a_hierarchy(rng):
    scene = _many(rng, 900)
    origins, directions = _rays(rng, 2000)
    for radius in (0.0, 0.2):
        found = scene.cast(origins, directions, radius=radius)
        assert found.hit.sum() > 100
        best = np.full(len(origins), INF)
        owner = np.full(len(origins), -1)
        bodies = scene.bodies
        for k in range(0, 900, 300):  # without: fewer bodies than a hierarchy needs
            part = ss.Scene()
            part.add_many([body.shape for body in bodies[k : k + 300]], [body.pose for body in bodies[k : k + 300]])
            each = part.cast(origins, directions, radius=radius)
            nearer = each.distance < best
            best[nearer], owner[nearer] = each.distance[nearer], each.body[nearer] + k
        np.testing.assert_array_equal(found.distance, best)
        np.testing.assert_array_equal(found.body, owner)


def test_rows_and_threads_give_the_same_bits(rng):
    scene = _many(rng, 100)
    origins, directions = _rays(rng, 3000)
    progress = []
    found = scene.cast(origins, directions, threads=1, progress=lambda done, count: progress.append((done, count)))
    assert progress[-1] == (3000, 3000)
    _assert_same(found, scene.cast(origins, directions, threads=4))
    grid = scene.cast(origins.reshape(30, 100, 3), directions.reshape(30, 100, 3))
    _assert_same(found[:100], grid[0])
    _assert_same(found[2900:], grid[29])
    for k in range(0, 3000, 301):
        _assert_same(found[k], scene.cast(origins[k], directions[k]))
    every, other = (scene.cast_all(origins, directions, threads=count) for count in (1, 4))
    _assert_same(every.crossings, other.crossings)
    np.testing.assert_array_equal(every.offsets, other.offsets)


def test_threads_of_the_caller_may_ask_at_once(rng):
    origins, directions = _rays(rng, 500)
    true = _many(np.random.default_rng(5), 60).cast(origins, directions)
    scene = _many(np.random.default_rng(5), 60)
    found = [None] * 4

    def ask(k):
        found[k] = scene.cast(origins, directions, threads=1)

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in found:
        _assert_same(true, each)


def test_far_from_the_origin_nothing_is_lost(rng):
    scene = ss.Scene()
    shift = np.array((1e6, -2e6, 3e6))
    body = scene.add(ss.Mesh.sphere(1.0, rows=30, sections=30))
    directions = rng.normal(size=(500, 3))
    near = scene.cast(np.zeros(3), directions)
    body.pose = shift
    far = scene.cast(shift, directions)
    np.testing.assert_array_equal(near.distance, far.distance)
    np.testing.assert_allclose(far.point - shift, near.point, atol=1e-9)


def test_read_only_and_other_arrays(scene):
    origin = np.array((-4.0, 0.5, 0.25), np.float32)
    origin.flags.writeable = False
    assert scene.cast(origin, [1, 0, 0]).distance == 3.0
    wide = np.zeros((4, 6))[:, ::2]
    assert scene.cast(wide, (1, 0, 0)).shape == (4,)


BAD = {
    "NaN origin": ({"origins": [(0, 0, 0), (0, NAN, 0)]}, InvalidQuery, r"origins\[1\] is .*nan.*finite"),
    "infinite direction": ({"directions": [(1, 0, 0), (0, INF, 0)]}, InvalidQuery, r"directions\[1\] is .*inf"),
    "zero direction": ({"directions": [[(1, 0, 0)], [(0, 0, 0)]]}, InvalidQuery, r"directions\[1, 0\] is 0 0 0"),
    "one zero direction": ({"directions": (0, 0, 0)}, InvalidQuery, r"directions is 0 0 0; it must have a direction"),
    "two columns": ({"origins": np.zeros((4, 2))}, InvalidQuery, r"origins: expected shape \(\.\.\., 3\), got \(4, 2\)"),
    "a number": ({"directions": 1.0}, InvalidQuery, r"directions: expected shape \(\.\.\., 3\), got \(\)"),
    "texts": ({"origins": ["a", "b", "c"]}, InvalidType, "origins: expected an array"),
    "None": ({"directions": None}, InvalidType, "directions: expected an array"),
    "shapes": (
        {"origins": np.zeros((3, 3)), "directions": np.ones((2, 3))},
        InvalidQuery,
        "leading shapes do not fit together",
    ),
    "negative length": ({"length": -1.0}, InvalidQuery, "length is -1.0; it must be finite, not negative"),
    "NaN length": ({"length": NAN}, InvalidQuery, "length is nan"),
    "length of a wrong type": ({"length": "far"}, InvalidType, "length: expected a number"),
    "negative radius": ({"radius": -0.1}, InvalidQuery, "radius is -0.1"),
    "infinite radius": ({"radius": INF}, InvalidQuery, "radius is inf"),
    "threads": ({"threads": 0}, InvalidQuery, "threads"),
    "progress": ({"progress": 3}, InvalidType, "progress: expected a function"),
    "ignore": ({"ignore": ["box"]}, InvalidType, r"ignore\[0\]: expected a Body"),
}


@pytest.mark.parametrize("call", ["cast", "cast_all"])
@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(scene, name, call):
    changes, error, message = BAD[name]
    arguments = {"origins": (-4.0, 0.0, 0.0), "directions": (1.0, 0.0, 0.0), **changes}
    with pytest.raises(error, match=message):
        getattr(scene, call)(arguments.pop("origins"), arguments.pop("directions"), **arguments)


def test_bodies_of_another_scene_are_refused(scene):
    other = ss.Scene().add(ss.Sphere(1.0))
    with pytest.raises(NotFound, match="another scene"):
        scene.cast((0, 0, 0), (1, 0, 0), ignore=[other])
