"""A robot from a URDF file, copied and pickled with its scene."""

import pytest
from sweepscope_lab.verify.travel import WAYS, bits_of
from urdf_arms import write_arm

import sweepscope as ss


@pytest.mark.parametrize("way", WAYS)
def test_a_robot_from_a_file_travels_with_its_scene(tmp_path, way):
    robot = ss.Robot.load(write_arm(tmp_path))
    robot.positions = {"pan": 0.4, "shoulder": -0.3}
    cup = robot.scene.add(ss.Box((0.05, 0.05, 0.1)), robot.links["tool"].pose, name="cup")
    robot.attach(cup, "tool")
    other = WAYS[way](robot)
    assert other.scene is not robot.scene
    assert bits_of(other.positions) == bits_of(robot.positions)
    for name, link in robot.links.items():
        assert bits_of(other.links[name].pose) == bits_of(link.pose)
        assert other.links[name].parent is (None if link.parent is None else other.links[link.parent.name])
    for joint in ("pan", "shoulder"):
        assert bits_of(other.sweep(joint, 1.5)) == bits_of(robot.sweep(joint, 1.5))
    robot["pan"] = 1.0
    assert other["pan"] != 1.0
    assert other.scene["cup"].pose[0, 3] != cup.pose[0, 3]
    with pytest.raises(ss.errors.InvalidPose, match="part of robot"):
        other.scene["cup"].pose = (0, 0, 0)
    other.detach(other.scene["cup"])
    other.scene["cup"].pose = (0, 0, 0)
    other.remove()
    assert [body.name for body in other.scene] == ["cup"]
