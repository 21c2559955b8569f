"""Real robots among boxes, and what they share with pinocchio: limits, leaders, pairs. Without its packages."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.pinocchio_robot import check_same_triangles, neighbors
from sweepscope_lab.scenes import urdf_robots
from sweepscope_lab.scenes.urdf_robots import RobotFiles, add_boxes, body_pairs, leader_of, limits_of, robots_folder

import sweepscope as ss
from sweepscope import SweepscopeError

LINK = '<link name="{}"><collision><geometry><box size="0.1 0.1 0.3"/></geometry></collision></link>'
JOINT = """
<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
  {rest}</joint>"""
LIMIT = '<limit lower="{}" upper="{}" effort="1" velocity="1"/>'


@pytest.fixture
def path(tmp_path):
    """base, frame without shapes, arm; two fingers on the arm, of which one mimics the other's double; a fixed plate."""
    joints = [
        JOINT.format(name="turn", kind="continuous", parent="base", child="frame", rest=""),
        JOINT.format(name="bend", kind="revolute", parent="frame", child="arm", rest=LIMIT.format(-1, 2)),
        JOINT.format(name="left", kind="prismatic", parent="arm", child="finger", rest=LIMIT.format(0, 1)),
        JOINT.format(
            name="right",
            kind="prismatic",
            parent="arm",
            child="thumb",
            rest=LIMIT.format(0.1, 0.9) + '<mimic joint="left" multiplier="2" offset="0.1"/>',
        ),
        JOINT.format(name="screwed", kind="fixed", parent="thumb", child="plate", rest=""),
    ]
    links = [LINK.format(name) for name in ("base", "arm", "finger", "thumb", "plate")]
    file = tmp_path / "arm.urdf"
    file.write_text(f'<robot name="arm"><link name="frame"/>{"".join(links + joints)}</robot>')
    return file


def test_limits_are_those_of_joints_that_mimic_too(path):
    robot = ss.Robot.load(path)
    assert robot.actuated_joints == ("turn", "bend", "left")
    np.testing.assert_allclose(limits_of(robot), [(-math.pi, math.pi), (-1, 2), (0, 0.4)])
    assert leader_of(robot, "right") == ("left", 2.0, 0.1)
    assert leader_of(robot, "left") == ("left", 1.0, 0.0)


def test_pairs_leave_out_neighbors_and_what_no_joint_moves(path):
    robot = ss.Robot.load(path)
    box = robot.scene.add(ss.Box((1, 1, 1)), (5, 0, 0), name="box")
    joined = {frozenset(pair) for pair in (("base", "arm"), ("arm", "finger"), ("arm", "thumb"), ("thumb", "plate"))}
    assert neighbors(str(path)) == joined
    links = ("base", "arm", "finger", "thumb", "plate")
    own = {frozenset((a, b)) for a in links for b in links if a != b} - joined
    expected = {frozenset(f"arm/{name}" for name in pair) for pair in own}
    # The base does not move, so that it never meets the box.
    expected |= {frozenset((f"arm/{name}", "box")) for name in links[1:]}
    assert body_pairs(robot, [box]) == expected
    robot.ignore("base", "plate")
    assert body_pairs(robot, [box]) == expected - {frozenset(("arm/base", "arm/plate"))}


def test_boxes_stand_apart_from_the_robot(path):
    robot = ss.Robot.load(path)
    files = RobotFiles("arm", "arm.urdf", reach=0.8)
    boxes = add_boxes(robot, files, 12)
    assert len(boxes) == 12
    assert not robot.scene.overlaps(boxes, list(robot.bodies), limit=0.005)
    again = ss.Robot.load(path)
    for one, other in zip(boxes, add_boxes(again, files, 12), strict=True):
        np.testing.assert_array_equal(one.pose, other.pose)


def test_robots_that_are_not_installed_are_asked_for(monkeypatch):
    monkeypatch.setattr(urdf_robots.sys, "path", [])
    with pytest.raises(SweepscopeError, match="pip install example-robot-data"):
        robots_folder()


def test_other_triangles_are_found():
    mesh = ss.Mesh.sphere(1.0, rows=6, sections=8)
    triangles = mesh.vertices[mesh.faces]
    rounded = triangles[::-1].astype(np.float32).astype(float)
    check_same_triangles(rounded, triangles, "ball")
    with pytest.raises(SweepscopeError, match="ball: pinocchio's triangles differ by"):
        check_same_triangles(1.001 * triangles, triangles, "ball")
    with pytest.raises(SweepscopeError, match="triangles, sweepscope"):
        check_same_triangles(triangles[1:], triangles, "ball")
