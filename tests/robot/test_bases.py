"""Planar and floating joints: rows of joints with one value each. They stand where 4x4 matrices put them."""

import math

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import Joint
from sweepscope.errors import InvalidRobot

X, Y, Z = np.eye(3)


def turn(axis, angle):
    """Rodrigues: v + sin u x v + (1 - cos) u x (u x v)."""
    u = np.asarray(axis) / np.linalg.norm(axis)
    cross = np.cross(np.eye(3), u)
    matrix = np.eye(4)
    matrix[:3, :3] += math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    return matrix


def move(vector):
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


ORIGIN = move((1, -2, 3)) @ turn((1, 2, -1), 0.7)


def test_floating(rng):
    robot = ss.Robot(pose=turn((1, 1, 0), 0.3))
    robot.add("world")
    link = robot.add("drone", ss.Box((1, 2, 3)), parent="world", joint=Joint.floating("fly", origin=ORIGIN))
    assert robot.actuated_joints == ("fly/x", "fly/y", "fly/z", "fly/yaw", "fly/pitch", "fly/roll")
    assert list(robot.links) == ["world", "fly/x", "fly/y", "fly/z", "fly/yaw", "fly/pitch", "drone"]
    assert {joint.limits for joint in robot.joints.values()} == {(-math.inf, math.inf)}
    np.testing.assert_allclose(link.pose, robot.pose @ ORIGIN, atol=1e-15)
    for _ in range(20):
        robot.q = q = rng.uniform(-7, 7, 6)
        expected = robot.pose @ ORIGIN @ move(q[:3]) @ turn(Z, q[3]) @ turn(Y, q[4]) @ turn(X, q[5])
        np.testing.assert_allclose(link.pose, expected, atol=1e-13)


@pytest.mark.parametrize("normal", [Z, -Z, X, Y, -X, (1, 2, -3), (0.1, -0.2, 5)])
def test_planar(normal, rng):
    robot = ss.Robot()
    robot.add("world")
    link = robot.add("cart", ss.Box((1, 2, 3)), parent="world", joint=Joint.planar("base", normal, origin=ORIGIN))
    assert robot.actuated_joints == ("base/x", "base/y", "base/turn")
    unit = np.asarray(normal) / np.linalg.norm(normal)
    x, y = (np.array(robot.joints[f"base/{name}"].axis) for name in "xy")
    np.testing.assert_allclose(np.cross(x, y), unit, atol=1e-15)
    if unit[2] >= 0:  # the shortest turn from z to the normal
        axis, angle = np.cross(Z, unit), math.acos(unit[2])
        shortest = turn(axis, angle) if angle else np.eye(4)
        np.testing.assert_allclose((x, y), shortest[:3, :2].T, atol=1e-13)
    for _ in range(20):
        robot.q = q = rng.uniform(-7, 7, 3)
        np.testing.assert_allclose(link.pose, ORIGIN @ move(q[0] * x + q[1] * y) @ turn(unit, q[2]), atol=1e-13)


URDF = """<robot name="r"><link name="world"/>
<link name="cart"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
<link name="drone"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<joint name="fly" type="floating"><parent link="cart"/><child link="drone"/><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/></joint>
<joint name="echo" type="prismatic"><parent link="drone"/><child link="tail"/><axis xyz="1 0 0"/><limit lower="-9" upper="9"/>
  <mimic joint="base/x" multiplier="0.5"/></joint><link name="tail"/>
<joint name="base" type="planar"><parent link="world"/><child link="cart"/><axis xyz="0 0 2"/><origin xyz="0 0 0.1"/>
  <limit lower="-1" upper="1"/></joint></robot>"""


def test_urdf(tmp_path):
    (tmp_path / "r.urdf").write_text(URDF)
    robot = ss.Robot.load(tmp_path / "r.urdf")
    assert [name for name, link in robot.links.items() if link.bodies] == ["cart", "drone"]
    robot.positions = {"base/x": 2.0, "base/turn": 0.5, "fly/z": 1.0, "fly/roll": 0.25}
    assert robot["echo"] == 1.0
    cart = move((0, 0, 0.1)) @ move((2, 0, 0)) @ turn(Z, 0.5)
    np.testing.assert_allclose(robot.links["cart"].pose, cart, atol=1e-15)
    origin = move((0, 0, 1)) @ turn(Z, 0.3) @ turn(Y, 0.2) @ turn(X, 0.1)
    drone = cart @ origin @ move((0, 0, 1)) @ turn(X, 0.25)
    np.testing.assert_allclose(robot.links["drone"].pose, drone, atol=1e-15)
    # Links with only frames between are neighbors.
    robot.positions = {"fly/z": -1.0}
    assert robot.overlaps() == []


def test_a_base_drives_into_a_wall():
    scene = ss.Scene()
    scene.add(ss.Box((0.2, 9, 9)), (3, 0, 0), name="wall")
    robot = ss.Robot(scene)
    robot.add("world")
    robot.add("cart", ss.Box((1, 1, 1)), parent="world", joint=Joint.planar("base"))
    assert robot.sweep("base/x", 5.0).positions == {"base/x": pytest.approx(2.4)}
    hit = robot.sweep({"base/x": 5.0, "base/turn": math.pi / 2})
    assert 2.1 < hit.positions["base/x"] < 2.4
    assert robot.sweep({"base/y": 5.0, "base/turn": 3.0}) is None


def test_scene_files_and_copies(tmp_path):
    robot = ss.Robot()
    robot.add("world")
    robot.add("cart", ss.Box((1, 1, 1)), parent="world", joint=Joint.planar("base", (1, 2, 3)))
    robot.q = (1, 2, 3)
    robot.scene.save(tmp_path / "s.npz")
    other = ss.Scene.load(tmp_path / "s.npz").robots["robot"]
    assert other.positions == robot.positions
    assert other.links["cart"].pose.tobytes() == robot.links["cart"].pose.tobytes()


def test_names_that_are_taken():
    robot = ss.Robot()
    robot.add("world")
    robot.add("base/x", parent="world", joint=Joint.fixed("fly/yaw"))
    for name, joint, message in (
        ("cart", Joint.planar("base"), "joint 'base': its frame 'base/x' is a link already"),
        ("new/x", Joint.planar("new"), "joint 'new': its frame 'new/x' is a link already"),
        ("cart", Joint.floating("fly"), "joint 'fly/yaw' exists already"),
        ("cart", Joint.planar("fly/yaw"), "joint 'fly/yaw' exists already"),
    ):
        with pytest.raises(InvalidRobot, match=message):
            robot.add(name, ss.Sphere(1), parent="world", joint=joint)
    assert (list(robot.links), list(robot.scene)) == (["world", "base/x"], [])


def test_a_link_that_would_be_too_far_away_adds_no_frames():
    robot = ss.Robot(pose=(9e49, 0, 0))
    robot.add("world")
    with pytest.raises(ss.SweepscopeError):
        robot.add("cart", ss.Sphere(1), parent="world", joint=Joint.planar("base", origin=(9e49, 0, 0)))
    assert list(robot.links) == ["world"]
