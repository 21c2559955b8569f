"""Results as plain data: all numbers of the result, and nothing that json does not take."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import sweepscope as ss


def plain(result):
    """The data of a result, after a way through strict JSON."""
    told = result.as_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    return told


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 1)), (0, 0, -0.5), name="floor")
    scene.add(ss.Box((1, 1, 1)), (0, 0, 3), name="tool")
    return scene


def test_a_hit(scene):
    hit = scene.sweep(scene["tool"], ss.Translate((0, 0, -5)))
    told = plain(hit)
    assert (told["obstacle"], told["mover"], told["overlapping"]) == ("floor", "tool", False)
    assert (told["time"], told["travel"]) == (hit.time, hit.travel)
    assert told["point"] == hit.point.tolist()
    assert told["normal"] == [0, 0, 1]
    assert told["features"] == [feature.as_dict() for feature in hit.features]
    assert told["features"][1]["vertices"] == list(hit.features[1].vertices)


def test_a_hit_inside(scene):
    scene["tool"].pose = (0, 0, -0.5)
    scene["tool"].shape = ss.Box((0.1, 0.1, 0.1))
    told = plain(scene.sweep(scene["tool"], ss.Translate((0, 0, 0))))
    assert told["overlapping"] is True
    assert told["normal"] is None
    assert told["features"] is None


def test_a_hit_of_a_volume(scene):
    scene["floor"].shape = ss.Volume(np.ones((2, 3, 4)), 0.5)
    feature = plain(scene.sweep(scene["tool"], ss.Translate((0, 0, -5))))["features"][1]
    assert set(feature) == {"kind", "voxel"}


def test_a_hit_of_a_link(scene):
    arm = ss.Robot(scene, (0, 0, 1))
    arm.add("base")
    arm.add(
        "arm",
        ss.Capsule.from_segment((0, 0, 0), (2, 0, 0), radius=0.1),
        parent="base",
        joint=ss.Joint.revolute("elbow", (0, 1, 0)),
    )
    told = plain(arm.sweep("elbow", to=1.5))
    assert (told["link"], told["obstacle_link"], told["obstacle"], told["bound"]) == ("arm", None, "floor", 0.0)
    assert told["positions"]["elbow"] == told["travel"]


def test_a_hit_of_several_joints_has_no_one_travel(scene):
    arm = ss.Robot(scene, (0, 0, 1))
    arm.add("base")
    arm.add(
        "upper",
        ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.1),
        parent="base",
        joint=ss.Joint.revolute("shoulder", (0, 1, 0)),
    )
    fore = ss.Joint.revolute("elbow", (0, 1, 0), origin=(1.3, 0, 0))
    arm.add("fore", ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.1), parent="upper", joint=fore)
    hit = arm.sweep({"shoulder": 1.5, "elbow": 0.5})
    assert plain(hit)["travel"] is None
    assert f"at time {hit.time:.4g}" in repr(hit)


def test_a_meeting(scene):
    (meeting,) = scene.predict({scene["tool"]: ss.Translate((0, 0, -0.4))}, horizon=60)
    told = plain(meeting)
    assert (told["first"], told["second"]) == ("floor", "tool")
    assert told["time"] == meeting.time
    assert told["normal"] == meeting.normal.tolist()


def test_a_sighting(scene):
    seen = scene.look(ss.View((0, 0, 9), (0, 0, -1), width=4, height=4, depth=20), 8)
    told = plain(seen)
    assert told["seen"] is True
    assert [each["body"] for each in told["bodies"]] == ["tool", "floor"]
    assert sum(each["pixels"] for each in told["bodies"]) == 64
    assert told["nearest"] == told["bodies"][0]["distance"]


def test_a_reading(scene):
    for motion in (ss.Translate((0, 0, -5)), ss.Translate((0, 0, 5)), ss.Rotate((0, 1, 0), 2.0, about=(9, 0, 0))):
        reading = ss.radar.Radar(scene, scene["tool"], pixels=16).probe(motion)
        told = plain(reading)
        assert told["hit"] is reading.hit
        assert told["travel"] == reading.travel
        assert told["unit"] == ("radians" if motion.turns else "length")
        assert (told["time"] is None) == (told["normal"] is None) == (not reading.hit)


def test_an_overlap():
    a, b = ss.Volume(np.ones((4, 4, 4)), 1.0), ss.Volume(np.ones((4, 4, 4)), 1.0)
    told = plain(ss.overlap(a, b, (3, 0, 0)))
    assert (told["overlap"], told["count"], told["voxels"]) == (True, 16, 64)
    assert told["region"] == [[3, 0, 0], [4, 4, 4]]
    assert told["normal"] == [-1, 0, 0]
    free = plain(ss.overlap(a, b, (9, 0, 0)))
    assert (free["overlap"], free["count"], free["region"], free["center"], free["normal"]) == (False, 0, None, None, None)


def _objects(scene):
    """One of each frozen class that users get."""
    tool, down = scene["tool"], ss.Translate((0, 0, -5))
    hit = scene.sweep(tool, down)
    radar = ss.radar.Radar(scene, tool, pixels=8)
    robot = ss.Robot(ss.Scene())
    robot.add("base", ss.Box((1, 1, 1)))
    arm = robot.add("arm", ss.Box((0.1, 0.1, 3)), parent="base", joint=ss.Joint.revolute("elbow", (0, 1, 0)))
    robot.scene.add(ss.Box((1, 1, 1)), (1.2, 0, 0))
    return [
        hit,
        hit.features[0],
        robot.sweep("elbow", 2.0),
        scene.slide(tool, (0, 0, -5)),
        scene.push_out(tool),
        scene.predict({tool: down}, 1.0)[0],
        scene.look(ss.View((0, 0, 5), (0, 0, -1), width=1, height=1, depth=9), 8),
        radar.probe(down),
        radar.probe(ss.Rotate((0, 0, 1), 1.0)).view,
        down,
        ss.Rotate((0, 0, 1), 1.0),
        ss.Screw((0, 0, 1), 1.0, slide=1.0),
        ss.View((0, 0, 5), (0, 0, -1), width=1, height=1, depth=9),
        arm,
        arm.joint,
        ss.io.Limits(),
    ]


def test_no_attribute_can_be_assigned(scene):
    """Fields, properties and misspelled names: one message, before anything changes."""
    for each in _objects(scene):
        names = [name for name in dir(type(each)) if not name.startswith("_")]
        values = [name for name in names if not callable(getattr(type(each), name))]
        assert values, each
        for name in (*values, "misspelled"):
            with pytest.raises(FrozenInstanceError, match=f"^cannot assign to field '{name}'$"):
                setattr(each, name, None)
            with pytest.raises(FrozenInstanceError, match=f"^cannot delete field '{name}'$"):
                delattr(each, name)


def test_a_subclass_may_have_more_attributes_but_fields_stay():
    class Labeled(ss.Translate):
        pass

    motion = Labeled((0, 0, 1))
    motion.label = "up"
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'vector'"):
        motion.vector = (0, 0, 2)
    with pytest.raises(AttributeError, match="direction"):
        motion.direction = (0, 0, 1)
    del motion.label
    assert not hasattr(motion, "label")
    assert motion == copy.copy(motion)


def test_frozen_results_are_copied_and_pickled(scene):
    out = scene.push_out(scene["tool"])
    for other in (copy.copy(out), copy.deepcopy((scene, out))[1], pickle.loads(pickle.dumps((scene, out)))[1]):
        assert other.as_dict() == out.as_dict()
        with pytest.raises(FrozenInstanceError):
            other.depth = 1.0
