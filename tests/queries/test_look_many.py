"""Many looks in one call: each is the look of its view, bit for bit, whatever the threads."""

import pickle

import numpy as np
import pytest
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss


def _scene(rng, volumes=False):
    scene = ss.Scene()
    shapes = [ss.Mesh.box((0.8, 0.8, 0.8)), bumpy_ball(40, 40, 1.0), ss.Sphere(0.5), ss.Capsule(0.3, 1.0)]
    shapes += [ss.PointCloud(rng.uniform(-1, 1, (200, 3)), 0.05)]
    shapes += [ss.Volume(np.ones((4, 5, 6), bool), 0.2)] if volumes else []
    for shape in shapes:
        scene.add(shape, rng.uniform(-3, 3, 3))
    return scene


def _views(rng, count):
    sizes = rng.uniform(0.5, 4.0, (count, 3))
    places, directions = rng.uniform(-4, 4, (count, 3)), rng.normal(size=(count, 3))
    return [
        ss.View(eye, toward, width=size[0], height=size[1], depth=2.0 * size[2])
        for eye, toward, size in zip(places, directions, sizes, strict=True)
    ]


def assert_same(one, other):
    assert one.view is other.view
    assert one.bodies == other.bodies
    for name in ("distances", "counts", "depth", "ids", "faces"):
        a, b = getattr(one, name), getattr(other, name)
        assert a.dtype == b.dtype, name
        assert a.shape == b.shape, name
        assert a.tobytes() == b.tobytes(), name


@pytest.mark.parametrize("bounding", [False, True])
@pytest.mark.parametrize("volumes", [False, True])
def test_every_result_is_the_single_look(rng, bounding, volumes):
    scene = _scene(rng, volumes)
    views = _views(rng, 40)
    ignore = scene.bodies[:1]
    many = scene.look_many(views, (24, 16), bounding=bounding, ignore=ignore)
    singles = [scene.look(view, (24, 16), bounding=bounding, ignore=ignore) for view in views]
    assert many
    assert len(many) == 40
    assert 0.1 < np.mean([bool(each) for each in singles]) < 1.0
    for one, single in zip(many, singles, strict=True):
        assert_same(one, single)
    assert many.nearest.tolist() == [single.nearest for single in singles]
    assert many.bodies == tuple(body for body in scene if any(body in single for single in singles))
    assert many.depth.shape == many.ids.shape == many.faces.shape == (40, 16, 24)
    assert_same(many[-1], singles[-1])
    with pytest.raises(IndexError):
        many[40]


def test_threads_make_no_difference(rng):
    scene = _scene(rng)
    views = _views(rng, 300)
    first, *others = (scene.look_many(views, 12, threads=threads) for threads in (1, 2, 8))
    assert (first.ids >= 0).mean() > 0.02
    for other in others:
        for name in ("depth", "ids", "faces"):
            assert getattr(first, name).tobytes() == getattr(other, name).tobytes()


def test_meshes_that_have_just_changed(rng):
    scene = _scene(rng)
    views = _views(rng, 60)
    for body in scene.bodies[:2]:
        body.vertices = 1.2 * body.vertices
    twin = ss.Scene()
    for body in scene:
        twin.add(body.shape, body.pose)
        if body in scene.bodies[:2]:
            twin.bodies[-1].vertices = body.vertices
    many = scene.look_many(views, 16, threads=8)
    for one, view in zip(many, views, strict=True):
        single = twin.look(view, 16)
        assert one.depth.tobytes() == single.depth.tobytes()
        assert one.faces.tobytes() == single.faces.tobytes()


def test_a_removed_body_is_not_drawn_and_stays_in_earlier_results(rng):
    scene = ss.Scene()
    wall = scene.add(ss.Box((1, 1, 1)), (3, 0, 0))
    view = ss.View((0, 0, 0), (1, 0, 0), width=0.5, height=0.5, depth=9)
    before = scene.look_many([view])
    scene.remove(wall)
    assert before[0].bodies == (wall,)
    assert not scene.look_many([view])


def test_none_and_nothing():
    scene = ss.Scene()
    none = scene.look_many([])
    assert not none
    assert len(none) == 0
    assert list(none) == []
    assert none.nearest.shape == (0,)
    assert none.depth.shape == (0, 64, 64)
    view = ss.View((0, 0, 0), (1, 0, 0), width=1, height=1, depth=2)
    nothing = scene.look_many([view, view], 4)
    assert not nothing
    assert nothing.nearest.tolist() == [2.0, 2.0]
    assert (nothing.ids == -1).all()
    assert_same(nothing[1], scene.look(view, 4))


def test_progress_ends_with_all(rng):
    told = []
    _scene(rng).look_many(_views(rng, 50), 8, progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (50, 50)


def test_bad_inputs():
    scene, other = ss.Scene(), ss.Scene()
    stranger = other.add(ss.Sphere(1.0))
    view = ss.View((0, 0, 0), (1, 0, 0), width=1, height=1, depth=2)
    for bad, error, message in (
        ({"views": view}, ss.errors.InvalidType, "views: expected views, got"),
        ({"views": [view, None]}, ss.errors.InvalidType, r"views\[1\]: expected a View, got None"),
        ({"pixels": 0}, ss.errors.InvalidQuery, r"pixels is \(0, 0\)"),
        ({"bounding": 1}, ss.errors.InvalidType, "bounding is 1"),
        ({"ignore": [stranger]}, ss.errors.NotFound, r"ignore\[0\]: .* is in another scene"),
        ({"threads": 0}, ss.errors.InvalidQuery, "threads is 0"),
        ({"progress": "bar"}, ss.errors.InvalidType, "progress: expected a function"),
        (
            {"views": [view] * 10000, "pixels": 8000},
            ss.errors.InvalidQuery,
            "views: 10000 pictures of 8000 x 8000 pixels: needs",
        ),
    ):
        with pytest.raises(error, match=message):
            scene.look_many(**{"views": [view], **bad})


def test_a_pickle_is_the_same(rng):
    scene = _scene(rng)
    many = scene.look_many(_views(rng, 10), 16)
    there = pickle.loads(pickle.dumps((scene, many)))[1]
    assert there.depth.tobytes() == many.depth.tobytes()
    assert [body.name for body in there.bodies] == [body.name for body in many.bodies]
    assert [each.nearest for each in there] == [each.nearest for each in many]
