"""`scene.push_out`: known answers, filters, groups of movers; and slides that begin with it."""

import json

import numpy as np
import pytest

import sweepscope as ss

NOW = ss.Translate((0, 0, 0))


def rounded(motion):
    return [round(x, 7) + 0.0 for x in motion.vector]


def floor_and_wall():
    scene = ss.Scene()
    scene.add(ss.Box((20, 20, 1)), (0, 0, -0.5), name="floor")
    scene.add(ss.Box((1, 20, 4)), (5.5, 0, 2), name="wall")
    return scene


def test_nothing_overlaps():
    scene = floor_and_wall()
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5))
    out = scene.push_out(box)
    assert out.depth == out.motion.length == 0.0
    assert out.exact
    assert out.obstacles == ()
    assert out.movers == (box,)
    assert repr(out) == "<PushOutResult: overlaps nothing>"


def test_out_of_a_floor():
    scene = floor_and_wall()
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.4))
    out = scene.push_out(box)
    assert rounded(out.motion) == [0, 0, 0.1]
    assert out.exact
    assert [body.name for body in out.obstacles] == ["floor"]
    assert repr(out) == "<PushOutResult: 0.1, out of 'floor'>"
    assert np.array_equal(box.pose[:3, 3], (0, 0, 0.4))  # nothing has moved
    told = json.loads(json.dumps(out.as_dict()))
    assert told["obstacles"] == ["floor"]
    assert told["depth"] == pytest.approx(0.1)


def test_it_ends_at_contact_also_with_a_coarse_tolerance():
    scene = ss.Scene(tolerance=0.005)
    scene.add(ss.Box((20, 20, 1)), (0, 0, -0.5))
    for shape in (ss.Box((1, 1, 1)), ss.Sphere(0.5), ss.Volume(np.ones((2, 2, 2)), 0.5, origin=(-0.5, -0.5, -0.5))):
        body = scene.add(shape, (0, 0, 0.4))
        assert scene.push_out(body).depth == pytest.approx(0.1, abs=1e-9)
        body.pose = (0, 0, 0.497)
        assert scene.push_out(body).depth == 0.0  # it touches
        scene.remove(body)


def test_floor_and_wall_at_once():
    scene = floor_and_wall()
    for shape in (ss.Capsule.from_segment((0, 0, 0.4), (0, 0, 1.4), radius=0.4), ss.Mesh.box((0.8, 0.8, 0.8)), ss.Sphere(0.4)):
        high = 0.0 if isinstance(shape, ss.Capsule) else 0.4
        body = scene.add(shape, (4.7, 0, high - 0.1))
        out = scene.push_out(body)
        assert rounded(out.motion) == [-0.1, 0, 0.1]
        assert not out.exact  # a bound: sqrt(2) * 0.1, and each alone needs 0.1
        assert {each.name for each in out.obstacles} == {"floor", "wall"}
        scene.remove(body)


def test_a_floor_of_tiles_is_proven_too():
    """No motion out of one tile is shorter, and this one leads out of all."""
    scene = ss.Scene()
    for x in range(4):
        for y in range(4):
            scene.add(ss.Box((1, 1, 1)), (x, y, -0.5))
    box = scene.add(ss.Box((1.2, 1.2, 1.0)), (1.5, 1.5, 0.3))
    out = scene.push_out(box)
    assert rounded(out.motion) == [0, 0, 0.2]
    assert out.exact
    assert len(out.obstacles) == 4


def test_the_shortest_way_is_not_taken_if_something_else_is_there():
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 4)), name="block")
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 2.3))
    assert rounded(scene.push_out(box).motion) == [0, 0, 0.2]
    scene.add(ss.Box((1, 1, 1)), (0, 0, 3.4), name="lamp")  # 0.1 above the place where it would stand
    out = scene.push_out(box)
    assert not out.exact
    assert 0.2 < out.depth < 1.5
    box.pose = out.motion.at() @ box.pose
    assert scene.sweep(box, NOW) is None


def test_nested_bodies_come_out():
    scene = ss.Scene()
    scene.add(ss.Box((4, 6, 8)), name="block")
    ball = scene.add(ss.Sphere(0.5), (1, 0, 0))
    out = scene.push_out(ball)
    assert rounded(out.motion) == [1.5, 0, 0]
    assert out.exact
    assert rounded(scene.push_out(scene["block"]).motion) == [-1.5, 0, 0]
    point = scene.add(ss.Sphere(0.0), (1, 0, 0))
    assert rounded(scene.push_out(point, ignore=[ball]).motion) == [1, 0, 0]


def test_bodies_in_one_place():
    for shape in (
        ss.Sphere(0.5),
        ss.Capsule.from_segment((0, 0, 0), (0, 0, 0), radius=0.5),
        ss.Capsule.from_segment((0, 0, -1), (0, 0, 1), radius=0.5),
        ss.Box((1, 2, 3)),
    ):
        scene = ss.Scene()
        scene.add(shape)
        out = scene.push_out(scene.add(shape))
        assert out.exact
        assert out.depth == pytest.approx(1.0)


def test_a_ball_on_the_axis_of_a_capsule():
    scene = ss.Scene()
    scene.add(ss.Capsule.from_segment((0, 0, -3), (0, 0, 3), radius=0.5))
    out = scene.push_out(scene.add(ss.Sphere(0.25), (0, 0, 1)))
    assert out.exact
    assert out.depth == pytest.approx(0.75)


def test_large_convex_meshes_are_proven():
    scene = ss.Scene()
    scene.add(ss.Mesh.sphere(1.0, rows=16, sections=17))
    out = scene.push_out(scene.add(ss.Mesh.sphere(1.0, rows=16, sections=17), (0.4, 0.3, 0.2)))
    assert out.exact
    assert 1.3 < out.depth < 2.0 - np.linalg.norm((0.4, 0.3, 0.2)) + 1e-9


def test_crossing_the_wall_of_a_room():
    """A surface without an inside: the shortest way may lead in or out."""
    scene = ss.Scene()
    scene.add(ss.Mesh.box((6, 6, 6), solid=False), name="room")
    box = scene.add(ss.Box((1, 1, 1)), (2.6, 0.5, 0.2))
    assert rounded(scene.push_out(box).motion) == [-0.1, 0, 0]
    box.pose = (3.2, 0.5, 0.2)
    assert rounded(scene.push_out(box).motion) == [0.3, 0, 0]
    box.pose = (2.7, 2.7, 0)
    assert rounded(scene.push_out(box).motion) == [-0.2, -0.2, 0]
    box.pose = (0, 0, 0)
    assert scene.push_out(box).depth == 0.0


def test_an_open_sheet_is_left_on_the_nearer_side():
    scene = ss.Scene()
    scene.add(ss.Mesh.terrain(np.zeros((5, 5))), name="sheet")
    box = scene.add(ss.Box((1, 1, 1)), (0.3, 0.2, 0.4))
    assert rounded(scene.push_out(box).motion) == [0, 0, 0.1]
    box.pose = (0.3, 0.2, -0.2)
    assert rounded(scene.push_out(box).motion) == [0, 0, -0.3]


def test_a_margin():
    scene = floor_and_wall()
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.6))
    assert scene.push_out(box).depth == 0.0
    out = scene.push_out(box, margin=0.25)
    assert rounded(out.motion) == [0, 0, 0.15]
    assert out.exact


def test_ignored_bodies_groups_and_pairs():
    scene = ss.Scene()
    floor = scene.add(ss.Box((20, 20, 1)), (0, 0, -0.5), group="ground")
    wall = scene.add(ss.Box((1, 20, 4)), (5.5, 0, 2))
    box = scene.add(ss.Box((1, 1, 1)), (4.6, 0, 0.4), group="things")
    assert rounded(scene.push_out(box, ignore=[wall]).motion) == [0, 0, 0.1]
    assert rounded(scene.push_out(box, ignore=[floor]).motion) == [-0.1, 0, 0]
    scene.ignore_groups("ground", "things")
    assert rounded(scene.push_out(box).motion) == [-0.1, 0, 0]
    scene.ignore(box, wall)
    assert scene.push_out(box).depth == 0.0


def test_several_movers_as_one():
    scene = floor_and_wall()
    low = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.4))
    high = scene.add(ss.Box((1, 1, 1)), (0, 0, 1.3))  # it overlaps the other mover, which does not count
    out = scene.push_out([low, high])
    assert rounded(out.motion) == [0, 0, 0.1]
    assert out.exact
    assert out.movers == (low, high)
    low.pose, high.pose = (0, 0, 0.4), (4.6, 0, 1.3)
    assert rounded(scene.push_out([low, high]).motion) == [-0.1, 0, 0.1]


def test_a_robots_bodies():
    """What its links ignore, and what is attached, does not count."""
    scene = floor_and_wall()
    robot = ss.Robot(scene, (0, 0, 0.4), name="r")
    robot.add("base", ss.Box((1, 1, 1)))
    robot.add("arm", ss.Sphere(0.4), parent="base", joint=ss.Joint.revolute("j", (0, 0, 1), origin=(0, 0, 0.6)))
    ball = scene.add(ss.Sphere(0.15), (0, 0, 0.4))
    robot.attach(ball, "base")
    links = [body for body in scene.bodies if body.name not in ("floor", "wall")]
    assert len(links) == 3
    out = scene.push_out(links)
    assert rounded(out.motion) == [0, 0, 0.1]
    assert scene.push_out(ball).depth == 0.0
    assert [body.name for body in scene.push_out(links[0]).obstacles] == ["floor"]


@pytest.mark.slow
def test_hundreds_of_bodies_at_once(rng):
    scene = ss.Scene()
    scene.add_many(ss.Sphere(0.2), rng.uniform(-1, 1, (400, 3)))
    box = scene.add(ss.Box((1, 1, 1)))
    out = scene.push_out(box)
    assert len(out.obstacles) > 50
    box.pose = out.motion.at() @ box.pose
    assert scene.sweep(box, NOW) is None


def test_volumes():
    scene = ss.Scene()
    ground = scene.add(ss.Volume(np.ones((30, 30, 4)), 0.5), (-7.5, -7.5, -2.0), name="ground")
    block = scene.add(ss.Volume(np.ones((2, 2, 2)), 0.5), (0, 0, -0.5), name="block")
    for place, up in (((0, 0, -0.5), 0.5), ((0.2, 0.1, -0.3), 0.3)):
        block.pose = place
        out = scene.push_out(block)
        assert rounded(out.motion) == [0, 0, up]
        assert out.obstacles == (ground,)
        block.pose = out.motion.at() @ block.pose
        assert scene.sweep(block, NOW) is None
    ball = scene.add(ss.Sphere(0.4), (3, 3, 0.3))
    assert rounded(scene.push_out(ball).motion) == [0, 0, 0.1]
    scene.remove(block)
    ground.pose = (-7.5, -7.5, -1.9)
    assert rounded(scene.push_out(ground).motion) == [0, 0, -0.2]


def test_deformed_bodies():
    scene = ss.Scene()
    floor = scene.add(ss.Mesh.box((4, 4, 1)), (0, 0, -0.5))
    floor.vertices = floor.vertices * (1, 1, 1.2)
    out = scene.push_out(scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5)))
    assert rounded(out.motion) == [0, 0, 0.1]
    assert out.exact


def test_a_body_without_faces_overlaps_nothing():
    scene = floor_and_wall()
    assert scene.push_out(scene.add(ss.PointCloud(np.zeros((0, 3))))).depth == 0.0


def test_far_from_the_origin():
    scene = ss.Scene()
    scene.add(ss.Box((20, 20, 1)), (1e6, 1e6, 1e6 - 0.5))
    body = scene.add(ss.Sphere(0.5), (1e6, 1e6, 1e6 + 0.3))
    out = scene.push_out(body)
    assert out.depth == pytest.approx(0.2, abs=1e-7)
    body.pose = out.motion.at() @ body.pose
    assert scene.sweep(body, NOW) is None


@pytest.mark.slow
def test_a_character_that_starts_in_a_wall_walks_on():
    scene = floor_and_wall()
    man = scene.add(
        ss.Capsule.from_segment((0, 0, 0.4), (0, 0, 1.4), radius=0.4), (4.7, 0, -0.1), name="man"
    )  # 0.1 deep in both
    stuck = scene.slide(man, (1, 2, 0))
    assert stuck.stopped
    assert stuck.hits[0].overlapping
    assert stuck.pushed is None
    slide = scene.slide(man, (1, 2, 0), push_out=True)
    assert rounded(slide.pushed) == [-0.1, 0, 0.1]
    assert rounded(slide.moved) == [-0.1, 2, 0.1]
    assert slide.travel == pytest.approx(2.0)
    assert all(hit.motion is None for hit in slide.hits)
    assert repr(slide).startswith("<SlideResult: pushed out by 0.141421, ")
    assert slide.as_dict()["pushed"] == pytest.approx([-0.1, 0, 0.1])
    slide.picture()
    man.pose = slide.moved.at() @ man.pose
    assert scene.sweep(man, NOW) is None
    again = scene.slide(man, (0, -3, 0), push_out=True)
    assert again.pushed is None
    assert rounded(again.moved) == [0, -3, 0]
    assert again.hits == ()
