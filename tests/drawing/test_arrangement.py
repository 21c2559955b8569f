"""Arrangements: bodies are drawn at other poses as if they were there. Their scene does not change and is not copied."""

import copy

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.drawing.arrangement import arrange, arrange_at
from sweepscope.scene import store_of
from sweepscope.world.store import Store

SIZE = (160, 120)
VIEW = ss.View((0, 0, 9), (0, 0, -1), width=8, height=6, depth=12)


@pytest.fixture
def scene():
    made = ss.Scene()
    made.add(ss.Box((6, 4, 0.2)), name="floor")
    made.add(ss.Sphere(0.5), (0, 0, 1), name="ball")
    made.add(ss.Volume(np.random.default_rng(3).random((8, 8, 8)) > 0.4, spacing=0.2), (-20, 0, 0.5), name="fog")
    made.add(ss.PointCloud(np.empty((0, 3))), name="empty")
    return made


def turned(x):
    pose = ss.Rotate((1, 2, 3), 0.7).at()
    pose[:3, 3] = x, 0.3, 2.0
    return pose


def same(arrangement, scene):
    """Return whether a look at an arrangement returns what `Scene.look` returns: bodies in the same order."""
    seen = scene.look(VIEW, SIZE)
    depth, ids, faces, indices = arrangement.look(VIEW, SIZE)
    assert {arrangement.bodies[k].id for k in indices} == {body.id for body in seen.bodies}
    numbers = np.array([*(body.id for body in arrangement.bodies), -1])
    equal = zip((depth, numbers[ids], faces), (seen.depth, seen.ids, seen.faces), strict=True)
    return all(np.array_equal(one, other) for one, other in equal)


def test_moved_bodies_look_as_if_they_were_there(scene):
    poses = {scene["ball"]: turned(2.0), scene["fog"]: turned(-1.5)}
    before = {body: body.pose for body in scene}
    moved = arrange(scene).moved(poses)
    assert len(moved.look(VIEW, SIZE)[3]) == 3
    twin = copy.copy(scene)
    for body, pose in poses.items():
        twin[body.id].pose = pose
    assert same(moved, twin)
    assert same(arrange(scene), scene)
    for placed in moved.bodies:
        np.testing.assert_array_equal(placed.bounds, twin[placed.id].bounds)
    assert all(body.pose is pose for body, pose in before.items())


def test_some_bodies_are_left_out(scene):
    ball, floor = scene["ball"], scene["floor"]
    for shown in (arrange(scene, [ball]), arrange(scene).without([ball])):
        assert ball not in [placed.body for placed in shown.bodies]
        depth, ids, _, _ = shown.look(VIEW, SIZE)
        assert shown.bodies[ids[60, 80]].body is floor
        assert depth[60, 80] == pytest.approx(8.9)
    alone = arrange(scene).only([ball])
    assert [placed.body for placed in alone.bodies] == [ball]
    whole = arrange(scene)
    hidden = [k for k, placed in enumerate(whole.bodies) if placed.body is not ball]
    np.testing.assert_array_equal(alone.look(VIEW, SIZE)[0], whole.look(VIEW, SIZE, hidden)[0])


def test_a_body_may_be_there_several_times(scene):
    ball = scene["ball"]
    row = arrange_at(scene, [ball] * 3, [ss.Translate((x, 0, 0)).at() for x in (-2, 0, 2)])
    _, ids, _, indices = row.look(VIEW, SIZE)
    assert indices == [0, 1, 2]
    assert [int(ids[60, column]) for column in (40, 80, 120)] == [0, 1, 2]
    assert {placed.id for placed in row.bodies} == {ball.id}


def arm():
    robot = ss.Robot(name="arm")
    robot.add("base", ss.Box((0.3, 0.3, 0.1)))
    upper = ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.05)
    robot.add("upper", upper, parent="base", joint=ss.Joint.revolute("shoulder", origin=(0, 0, 0.2)))
    robot.add("fore", upper, parent="upper", joint=ss.Joint.revolute("elbow", origin=(1, 0, 0)))
    robot.scene.add(ss.Box((0.2, 0.2, 1.0)), pose=(0, 1.2, 0.3), name="wall")
    return robot


def test_a_hit_is_drawn_after_a_joint_was_added():
    robot = arm()
    hit = robot.sweep({"shoulder": 2.0, "elbow": 0.7})
    before = hit.picture(size=SIZE).pixels
    robot.add("flange", parent="fore", joint=ss.Joint.revolute("wrist", origin=(1, 0, 0)))
    robot.positions = hit.positions
    np.testing.assert_array_equal(hit.picture(size=SIZE).pixels, before)


@pytest.mark.slow
def test_no_picture_copies_or_changes_a_scene(scene, monkeypatch, tmp_path):
    made, init = [], Store.__init__  # every new scene, also a copy, has a Store of its own
    monkeypatch.setattr(Store, "__init__", lambda self, *given, **named: (made.append(self), init(self, *given, **named))[1])
    robot, ball = arm(), scene["ball"]
    copy.copy(robot)
    assert len(made) == 2
    made.clear()
    one, several = robot.sweep({"shoulder": 2.0}), robot.sweep({"shoulder": 2.0, "elbow": 0.7})
    results = [one, several, scene.sweep(ball, ss.Translate((0, 0, -5))), scene.slide(ball, (1, 0, -5))]
    for _ in range(2):
        before = [store_of(each).revision for each in (scene, robot.scene)]
        for result in results:
            result.picture(size=SIZE)
        several.animate(tmp_path / "hit.gif", frames=3, size=SIZE)
        robot.animate({"elbow": 0.2}, tmp_path / "robot.gif", frames=3, size=SIZE, stop_at_contact=False)
        assert [store_of(each).revision for each in (scene, robot.scene)] == before
        # Once more, with movers elsewhere than when the results were found.
        robot.positions = several.positions
        ball.pose = (0, 0, 2)
    assert made == []
