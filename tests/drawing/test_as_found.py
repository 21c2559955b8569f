"""Pictures of results show the scene as it was when the result was found, or refuse. `hit.pose` is where the mover is then."""

import copy
import math
import pickle

import numpy as np
import pytest

import sweepscope as ss

SIZE = (160, 120)


@pytest.fixture
def scene():
    made = ss.Scene()
    made.add(ss.Box((4, 4, 0.2)), name="floor")
    made.add(ss.Mesh.cylinder(0.3, 2.0), pose=(1.2, 0, 1.1), name="post")
    made.add(ss.Box((0.4, 0.4, 1.0)), pose=(0, 0, 3), name="tool")
    return made


def arm():
    robot = ss.Robot(name="arm")
    robot.add("base", ss.Box((0.3, 0.3, 0.1)))
    upper = ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.05)
    robot.add("upper", upper, parent="base", joint=ss.Joint.revolute("shoulder", origin=(0, 0, 0.2)))
    robot.add("fore", upper, parent="upper", joint=ss.Joint.revolute("elbow", origin=(1, 0, 0)))
    robot.scene.add(ss.Box((0.2, 0.2, 1.0)), pose=(0, 1.2, 0.3), name="wall")
    return robot


def small(result):
    return result.picture(size=SIZE).png()


MOTIONS = [
    ss.Translate((0, 0, -5)),
    ss.Translate((3, 0, -4)),
    ss.Rotate((1, 0, 0), 3.0, about=(0, 0, 1.5)),
    ss.Screw((0, 1, 0.2), 3.0, slide=-0.4, about=(0, 0, 1.5)),
]


@pytest.mark.parametrize("motion", MOTIONS)
def test_the_pose_of_a_hit_is_where_the_motion_has_taken_the_mover(scene, motion):
    tool = scene["tool"]
    start = tool.pose.copy()
    hit = scene.sweep(tool, motion)
    np.testing.assert_allclose(hit.pose, motion.at(hit.time) @ start, atol=1e-15)
    before = hit.pose
    tool.pose = (0, 9, 9)  # a hit does not follow its mover
    np.testing.assert_array_equal(hit.pose, before)
    fresh = scene.sweep(tool, ss.Translate((0, 0, 0)))
    assert fresh is None
    tool.pose = hit.pose
    assert scene.sweep(tool, ss.Translate((0, 0, 0)), margin=1e-6, resting="hit") is not None


def test_the_pose_is_not_that_of_a_later_reading(scene):
    # It is computed when it is first read: after the mover has gone elsewhere, too.
    hit = scene.sweep(scene["tool"], MOTIONS[0])
    scene.move([scene["tool"]], [(1, 1, 7)])
    np.testing.assert_allclose(hit.pose[:3, 3], (0, 0, 0.6), atol=1e-9)


def test_the_pose_of_several_movers_is_that_of_the_one_that_hit(scene):
    other = scene.add(ss.Sphere(0.2), pose=(-1, 0, 2), name="ball")
    hit = scene.sweep([scene["tool"], other], MOTIONS[0])
    assert hit.mover is other
    np.testing.assert_allclose(hit.pose[:3, 3], (-1, 0, 0.3), atol=1e-9)


def test_the_pose_on_later_legs_of_a_slide(scene):
    slide = scene.slide(scene["tool"], (3, 0, -4))
    assert len(slide.hits) >= 2
    np.testing.assert_allclose(slide.hits[-1].pose, slide.moved.at() @ scene["tool"].pose, atol=1e-9)


def test_the_pose_of_a_link_is_where_the_robot_puts_it():
    robot = arm()
    for to in ({"shoulder": 2.0}, {"shoulder": 2.0, "elbow": 0.7}):
        hit = robot.sweep(to)
        twin = copy.copy(robot)
        twin.positions = hit.positions
        np.testing.assert_allclose(hit.pose, twin.scene[hit.mover.id].pose, atol=1e-12)
        assert hit.start == robot.positions


def test_movers_that_have_moved_since_do_not_change_the_picture(scene):
    tool = scene["tool"]
    for result in (scene.sweep(tool, MOTIONS[0]), scene.sweep(tool, MOTIONS[3]), scene.slide(tool, (3, 0, -4))):
        start = tool.pose
        before = small(result)
        tool.pose = (0.5, 0.5, 2.5)
        assert small(result) == before
        assert tool.pose[2, 3] == 2.5  # a picture moves nothing
        tool.pose = start


def test_a_robot_that_has_moved_since_does_not_change_the_picture():
    robot = arm()
    for to in ({"shoulder": 2.0}, {"shoulder": 2.0, "elbow": 0.7}):
        robot.positions = {"shoulder": 0.1, "elbow": 0.0}
        hit = robot.sweep(to)
        before = small(hit)
        robot.positions = hit.positions
        assert small(hit) == before
    robot.pose = (0, 0, 1)
    with pytest.raises(ss.SweepscopeError, match="has changed since this result was found"):
        hit.picture()


def test_options_name_bodies_of_the_scene_itself(scene):
    hit = scene.sweep(scene["tool"], MOTIONS[0])
    options = {"size": SIZE, "ignore": [scene["post"]], "colors": {scene["tool"]: "#00ff00"}}
    before = hit.picture(**options).png()
    scene["tool"].pose = hit.pose
    assert hit.picture(**options).png() == before


CHANGES = {
    "an obstacle moves": lambda scene: setattr(scene["floor"], "pose", (0, 0, 0.1)),
    "several move": lambda scene: scene.move([scene["post"]], [(1, 1, 1)]),
    "an obstacle deforms": lambda scene: setattr(scene["post"], "vertices", 1.1 * scene["post"].vertices),
    "the mover changes its shape": lambda scene: setattr(scene["tool"], "shape", ss.Sphere(0.3)),
    "a body is added": lambda scene: scene.add(ss.Sphere(0.1)),
    "a body is removed": lambda scene: scene.remove(scene["post"]),
    "a voxel is edited": lambda scene: scene["fog"].shape.__setitem__((0, 0, 0), 0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_other_change_is_refused(scene, change):
    scene.add(ss.Volume(np.ones((2, 2, 2)), spacing=0.1), pose=(-1, -1, 0.2), name="fog")
    hit, slide = scene.sweep(scene["tool"], MOTIONS[0]), scene.slide(scene["tool"], (1, 0, -4))
    CHANGES[change](scene)
    for result in (hit, slide):
        with pytest.raises(ss.SweepscopeError, match=r"has changed since this result was found: .*; draw it before that"):
            result.picture(size=SIZE)
    assert small(scene.sweep(scene["tool"], MOTIONS[0]))


def test_a_pickled_hit_is_drawn_where_the_scene_is_the_same(scene):
    hit = scene.sweep(scene["tool"], MOTIONS[0])
    before = small(hit)
    there, other = pickle.loads(pickle.dumps((scene, hit)))
    assert small(other) == before
    np.testing.assert_array_equal(other.pose, hit.pose)
    assert small(pickle.loads(pickle.dumps(hit))) == before
    there["floor"].pose = (0, 0, math.pi)
    with pytest.raises(ss.SweepscopeError, match="has changed"):
        other.picture(size=SIZE)
    # A hit that was stale when it was pickled stays so, wherever it goes.
    scene["floor"].pose = (0, 0, 0.1)
    with pytest.raises(ss.SweepscopeError, match="has changed"):
        pickle.loads(pickle.dumps(hit)).picture(size=SIZE)
