"""Looking: who is there, how far, and pictures without cracks."""

import math

import numpy as np
import pytest
from sweepscope_lab.scenes import bumpy_ball, hills

import sweepscope as ss


def test_who_is_seen_and_how_far():
    scene = ss.Scene()
    near = scene.add(ss.Box((1, 1, 1)), (0, 0, 2), name="near")
    far = scene.add(ss.Sphere(1.0), (1.0, 0, 5), name="far")
    scene.add(ss.Box((1, 1, 1)), (5, 0, 2), name="aside")
    seen = scene.look(ss.View((0, 0, 0), (0, 0, 1), width=4, height=4, depth=10), (80, 40))
    assert seen
    assert seen.bodies == (near, far)
    assert near in seen
    assert "near" in seen
    assert "aside" not in seen
    assert scene["aside"] not in seen
    assert seen.distances == pytest.approx([1.5, 4.0], abs=5e-3)
    assert seen.nearest == seen.distances[0] == 1.5
    assert seen.depth.shape == seen.ids.shape == seen.faces.shape == (40, 80)
    assert seen.counts[0] == 20 * 10
    assert seen.counts.sum() == (seen.ids >= 0).sum()
    assert set(np.unique(seen.ids)) == {-1, near.id, far.id}
    assert (seen.depth[seen.ids < 0] == 10.0).all()
    assert (seen.faces[seen.ids < 0] == -1).all()


def test_nothing_is_seen():
    scene = ss.Scene()
    empty = scene.look(ss.View((0, 0, 0), (1, 0, 0), width=1, height=1, depth=1))
    assert not empty
    assert empty.bodies == ()
    assert empty.nearest == 1.0
    assert (empty.depth == 1.0).all()
    assert empty.depth.shape == (64, 64)


def test_both_ends_clip():
    scene = ss.Scene()
    wall = scene.add(ss.Mesh.box((0.1, 4, 4)), (2, 0, 0))
    for depth, hit in ((1.94, False), (1.95, True), (1.96, True)):
        assert bool(scene.look(ss.View((0, 0, 0), (1, 0, 0), width=1, height=1, depth=depth))) is hit
    inside = scene.look(ss.View((2, 0, 0), (1, 0, 0), width=1, height=1, depth=5))  # the near side of the view is in the wall
    assert inside.distances == pytest.approx([0.05])
    assert not scene.look(ss.View((2.06, 0, 0), (1, 0, 0), width=1, height=1, depth=5))
    assert wall in inside


def test_a_picture_is_the_right_way_round():
    """Row 0 is up, column 0 is left, seen from the eye."""
    scene = ss.Scene()
    up = scene.add(ss.Sphere(0.2), (5, 0, 1))
    left = scene.add(ss.Sphere(0.2), (5, 1, 0))  # looking along +x with z up, +y is to the left
    ids = scene.look(ss.View((0, 0, 0), (1, 0, 0), width=3, height=3, depth=10), 30).ids
    assert np.argwhere(ids == up.id)[:, 0].max() < 10
    assert np.argwhere(ids == left.id)[:, 1].max() < 10
    assert np.abs(np.argwhere(ids == left.id)[:, 0].mean() - 14.5) < 0.5


def test_points_lie_on_what_is_seen(rng):
    scene = ss.Scene()
    scene.add(ss.Sphere(1.0), (1, 2, 3))
    seen = scene.look(ss.View((-4, -1, 0), (5, 3, 3), width=3, height=3, depth=20))
    points = seen.points
    assert np.isnan(points[seen.ids < 0]).all()
    assert np.linalg.norm(points[seen.ids >= 0] - (1, 2, 3), axis=1) == pytest.approx(1.0)


def test_ignore_and_removed_bodies():
    scene = ss.Scene()
    near = scene.add(ss.Box((1, 1, 1)), (2, 0, 0))
    far = scene.add(ss.Box((1, 1, 1)), (5, 0, 0))
    view = ss.View((0, 0, 0), (1, 0, 0), width=0.5, height=0.5, depth=10)
    assert scene.look(view).bodies == (near,)
    assert scene.look(view, ignore=[near]).bodies == (far,)
    scene.remove(near)
    assert scene.look(view).bodies == (far,)


@pytest.mark.slow
def test_no_cracks_in_a_sheet_of_many_triangles(rng):
    """A fine sheet, turned at random, fills the view; every pixel has one owner, at the plane's depth."""
    ground = ss.Mesh.terrain(np.zeros((120, 120)), 0.1)
    for _ in range(6):
        toward = rng.normal(size=3)
        toward[2] = -1.0 - abs(toward[2])
        toward /= np.linalg.norm(toward)
        scene = ss.Scene()
        scene.add(ground, -ground.vertices.mean(axis=0))
        view = ss.View(-3.0 * toward, toward, width=1.5, height=1.5, depth=9.0)
        seen = scene.look(view, 211)
        assert (seen.ids == 0).all()
        assert seen.points[..., 2] == pytest.approx(0.0, abs=1e-12)
        assert seen.counts[0] == 211 * 211


def test_a_closed_body_covers_the_same_pixels_from_both_sides(rng):
    for seed in range(6):
        scene = ss.Scene()
        scene.add(bumpy_ball(14, 13, 1.0, seed=seed))
        toward = rng.normal(size=3)
        up = rng.normal(size=3)
        there = ss.View(-2.0 * toward / np.linalg.norm(toward), toward, width=3, height=3, depth=4, up=up)
        back = ss.View(2.0 * toward / np.linalg.norm(toward), -toward, width=3, height=3, depth=4, up=up)
        front, rear = scene.look(there, 157), scene.look(back, 157)
        mirrored = rear.depth[:, ::-1]
        assert np.array_equal(front.ids, rear.ids[:, ::-1])
        assert 0.1 < (front.ids >= 0).mean() < 0.9
        inside = front.ids >= 0
        assert (front.depth[inside] + mirrored[inside] <= 4.0 + 1e-12).all()


def test_only_what_changed_is_drawn_anew():
    """New vertices, poses and shapes show at once, whatever was looked at before."""
    scene = ss.Scene()
    ground = hills(30, 10.0)
    body = scene.add(ground)
    view = ss.View((0, 0, 30), (0, 0, -1), width=4, height=4, depth=60)
    before = scene.look(view).depth
    for lift in (0.5, -1.0, 2.0):
        for _ in range(3):
            body.vertices = ground.vertices + (0, 0, lift)
            scene.look(view)
            assert scene.look(view).depth == pytest.approx(before - lift)
            assert scene.look(view).depth == pytest.approx(before - lift)
    body.vertices = ground.vertices
    body.pose = (0, 0, 3)
    assert scene.look(view).depth == pytest.approx(before - 3.0)


def test_large_scenes_drawn_in_shares_are_the_same(monkeypatch):
    from sweepscope.queries import look as scope

    scene = ss.Scene()
    scene.add(hills(150))
    scene.add(bumpy_ball(40, 40), (0, 0, 40))
    view = ss.View((0, 0, 100), (0.2, 0.1, -1), width=150, height=150, depth=250)
    pictures = []
    for workers in (1, 2, 3):
        monkeypatch.setattr(scope, "WORKERS", workers)
        monkeypatch.setattr(scope, "_FACES_WORTH_A_THREAD", 100)
        pictures.append(scene.look(view, 101))
    for other in pictures[1:]:
        assert np.array_equal(pictures[0].depth, other.depth)
        assert np.array_equal(pictures[0].ids, other.ids)
        assert np.array_equal(pictures[0].faces, other.faces)


def test_bounding_sees_what_is_thinner_than_a_pixel():
    scene = ss.Scene()
    wire = scene.add(ss.Box((1e-6, 1e-6, 3)), (2.0, 0.013, 0))
    point = scene.add(ss.PointCloud([(3.0, 0.7, 0.7)]))
    thread = scene.add(ss.Capsule.from_segment((4, -0.7, -0.1), (4, -0.7, 0.1), radius=1e-9))
    view = ss.View((0, 0, 0), (1, 0, 0), width=2, height=2, depth=9)
    assert not scene.look(view, 16)
    seen = scene.look(view, 16, bounding=True)
    assert set(seen.bodies) == {wire, point, thread}
    assert (seen.distances <= np.array((2.0, 3.0, 4.0))).all()
    assert seen.distances == pytest.approx([2.0, 3.0, 4.0], abs=1e-5)


def test_of_bodies_that_begin_before_a_bounding_view_the_first_is_seen():
    scene = ss.Scene()
    first = scene.add(ss.Box((0.2, 0.2, 4.0)))
    scene.add(ss.Box((0.1, 0.1, 3.0)))
    seen = scene.look(ss.View((0, 0, 0), (0, 0, -1), width=1, height=1, depth=5), 8, bounding=True)
    assert seen.bodies == (first,)
    assert seen.depth.min() == 0.0


def test_bounding_is_never_deeper_than_the_sample_and_closes_in(rng):
    scene = ss.Scene()
    for place in rng.normal(size=(12, 3)):
        scene.add(bumpy_ball(8, 8, 0.3, seed=int(abs(place[0]) * 1e6)), place)
        scene.add(ss.Capsule.from_segment((0, 0, 0), rng.normal(size=3), radius=0.1), rng.normal(size=3))
        scene.add(ss.Sphere(0.2), rng.normal(size=3))
    view = ss.View((-5, 0, 0), (1, 0.1, 0.2), width=3, height=3, depth=12)
    fine = scene.look(view, 1024).depth
    gaps = []
    for pixels in (16, 32, 64, 128, 256):
        bound = scene.look(view, pixels, bounding=True).depth
        size = 1024 // pixels
        over_cell = fine.reshape(pixels, size, pixels, size).min(axis=(1, 3))
        assert (bound <= over_cell + 1e-12).all()
        gaps.append(np.median((over_cell - bound)[over_cell < view.depth]))
    assert gaps[-1] < 0.25 * gaps[0]


def test_search_turns_until_it_sees_the_one_asked_for():
    scene = ss.Scene()
    target = scene.add(ss.Sphere(0.5), (0, -10, 0), name="target")
    scene.add(ss.Sphere(0.5), (0, 10, 0), name="decoy")
    view = ss.View((0, 0, 0), (1, 0, 0), width=2, height=2, depth=20)
    found = scene.search(scene["target"], view)
    assert found is not None
    assert target in found
    toward = np.array(found.view.toward)
    assert toward[1] < -0.98
    assert scene.search(target, view, step=-math.pi / 2).view.toward == pytest.approx((0, -1, 0))
    assert scene.search(scene["decoy"], ss.View((0, 0, 0), (1, 0, 0), width=2, height=2, depth=5)) is None  # too far away
    turns = scene.search(scene["target"], view, axis=(1, 0, 0))
    assert turns is None  # turning about the view's own direction does not help


def test_more_bodies_than_a_picture_can_tell_apart(monkeypatch):
    from sweepscope.queries import look as scope

    monkeypatch.setattr(scope, "MOST_BODIES", 1)
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(1.0))
    scene.look(ss.View((0, 0, 5), (0, 0, -1), width=1, height=1, depth=9))
    scene.add(ss.Sphere(1.0), (5, 0, 0))
    with pytest.raises(ss.errors.InvalidQuery, match="has 2 bodies"):
        scene.look(ss.View((0, 0, 5), (0, 0, -1), width=1, height=1, depth=9))
    with pytest.raises(ss.errors.InvalidQuery, match="has 2 bodies"):
        ss.radar.Radar(scene, ball).probe(ss.Translate((1, 0, 0)))


def test_equally_near_bodies_come_in_the_order_in_which_they_were_added():
    """Also if one has the row of a body that was removed."""
    scene = ss.Scene()
    gone = scene.add(ss.Sphere(1))
    for k, name in enumerate(("a", "b", "c")):
        if name == "b":
            scene.remove(gone)
        scene.add(ss.Box((1, 1, 1)), (2 * k, 0, 0), name=name)
    seen = scene.look(ss.View((2, 0, 5), (0, 0, -1), width=8, height=8, depth=10), 32)
    assert [body.name for body in seen.bodies] == ["a", "b", "c"]
    assert len(set(seen.distances.tolist())) == 1
