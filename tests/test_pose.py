"""Poses from quaternions, angles, rotations and looks, against scipy and by their laws."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import sweepscope as ss

EYE = np.eye(4)
HERE = (1.0, -2.0, 3.0)


@pytest.fixture
def rotation():
    return Rotation


def placed(matrix, position=HERE):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = matrix, position
    return pose


def test_quaternions_are_those_of_scipy(rotation):
    turns = rotation.random(40, rng=1)
    for one in turns:
        x, y, z, w = one.as_quat()
        expected = placed(one.as_matrix())
        for pose in (
            ss.Pose.from_quaternion(HERE, xyzw=(x, y, z, w)),
            ss.Pose.from_quaternion(HERE, wxyz=(-w, -x, -y, -z)),
            ss.Pose.from_numbers((*HERE, x, y, z, w), order="xyz xyzw"),
            ss.Pose.from_numbers((*HERE, w, x, y, z), order="xyz wxyz"),
            ss.Pose.from_numbers((x, y, z, w, *HERE), order="xyzw xyz"),
            ss.Pose.from_numbers((w, x, y, z, *HERE), order="wxyz xyz"),
            ss.Pose.from_rotation_vector(HERE, one.as_rotvec()),
            ss.Pose.from_rotation(HERE, one),
            ss.Pose.from_rotation(HERE, one.as_matrix()),
            ss.Pose.from_object(expected[:3]),
        ):
            assert pose.shape == (4, 4)
            assert pose.dtype == np.float64
            np.testing.assert_allclose(pose, expected, atol=1e-14)
    rng = np.random.default_rng(1)
    places = rng.normal(size=(40, 3))
    many = ss.Pose.from_quaternion(places, xyzw=turns.as_quat())
    assert many.shape == (40, 4, 4)
    np.testing.assert_allclose(many[7], placed(turns[7].as_matrix(), places[7]), atol=1e-14)
    np.testing.assert_array_equal(ss.Pose.from_numbers(np.hstack((places, turns.as_quat())), order="xyz xyzw"), many)
    assert ss.Pose.from_quaternion(HERE, xyzw=turns.as_quat()).shape == (40, 4, 4)
    assert ss.Pose.from_quaternion(places, xyzw=(0, 0, 0, 1)).shape == (40, 4, 4)
    assert ss.Pose.from_quaternion(np.zeros((0, 3)), xyzw=np.zeros((0, 4))).shape == (0, 4, 4)
    scene = ss.Scene()
    bodies = scene.add_many(ss.Sphere(0.1), many)
    np.testing.assert_allclose(bodies[3].pose, many[3], atol=1e-15)


def test_a_rounded_quaternion_is_normalized():
    half = 0.71  # of 0.70710678
    pose = ss.Pose.from_quaternion((0, 0, 0), wxyz=(half, 0, 0, half))
    np.testing.assert_allclose(pose[:3, :3], [(0, -1, 0), (1, 0, 0), (0, 0, 1)], atol=1e-15)


@pytest.mark.parametrize("order", ["xyz", "XYZ", "zyx", "ZYX", "zxz", "YXY"])
def test_euler_angles_are_those_of_scipy(rotation, order):
    for angles in np.random.default_rng(2).uniform(-3, 3, (10, 3)):
        expected = placed(rotation.from_euler(order, angles).as_matrix())
        np.testing.assert_allclose(ss.Pose.from_euler(HERE, angles, order=order), expected, atol=1e-14)


def test_axis_and_angle():
    np.testing.assert_allclose(
        ss.Pose.from_axis_angle((0, 0, 0), (0, 0, 5), angle=0.3), ss.Rotate((0, 0, 1), 0.3).at(), atol=1e-15
    )
    np.testing.assert_array_equal(ss.Pose.from_rotation_vector((0, 0, 0), (0, 0, 0)), EYE)


def test_transforms_of_scipy_are_poses(rotation):
    from scipy.spatial import transform

    turn = rotation.from_rotvec((0.1, 0.2, 0.3))
    rigid = transform.RigidTransform.from_components(HERE, turn)
    expected = placed(turn.as_matrix())
    scene = ss.Scene()
    body = scene.add(ss.Sphere(1), rigid)
    np.testing.assert_allclose(body.pose, expected, atol=1e-15)
    body.pose = turn
    np.testing.assert_allclose(body.pose, placed(turn.as_matrix(), (0, 0, 0)), atol=1e-15)
    several = transform.RigidTransform.from_components([HERE, (0, 0, 1)], turn)
    bodies = scene.add_many([ss.Sphere(1), ss.Sphere(2)], several)
    np.testing.assert_allclose(bodies[0].pose, expected, atol=1e-15)
    scene.move(bodies, [rigid, (1, 2, 3)])
    np.testing.assert_allclose(bodies[0].pose, expected, atol=1e-15)
    scene.move(bodies, rotation.concatenate([turn, turn]))
    np.testing.assert_allclose(bodies[1].pose, placed(turn.as_matrix(), (0, 0, 0)), atol=1e-15)
    screw = ss.Screw.between(EYE, rigid)
    np.testing.assert_allclose(screw.at(), expected, atol=1e-14)
    with pytest.raises(ss.errors.InvalidPose, match=r"got \(2, 4, 4\)"):
        body.pose = several


def test_rows_of_three_by_four():
    pose = ss.Pose.from_axis_angle(HERE, (1, 1, 0), angle=1.0)
    scene = ss.Scene()
    bodies = scene.add_many(ss.Sphere(1), np.stack((pose, EYE))[:, :3])
    np.testing.assert_array_equal([body.pose for body in bodies], (pose, EYE))
    bodies[1].pose = pose[:3]
    np.testing.assert_array_equal(bodies[1].pose, pose)
    scene.move(bodies, EYE[:3])
    np.testing.assert_array_equal(bodies[0].pose, EYE)
    scaled = 2.0 * EYE[:3]
    with pytest.raises(ss.errors.InvalidPose, match="not a rotation"):
        bodies[0].pose = scaled
    with pytest.raises(ss.errors.InvalidPose, match=r"poses\[1\].*not a rotation"):
        scene.move(bodies, [EYE[:3], scaled])


def test_a_camera_looks_at_its_target():
    rng = np.random.default_rng(3)
    for eye, target in rng.normal(size=(20, 2, 3)):
        pose = ss.Pose.look_at(eye, target)
        np.testing.assert_allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), atol=1e-14)
        assert np.linalg.det(pose[:3, :3]) == pytest.approx(1)
        seen = ss.Pose.inverse(pose) @ (*target, 1.0)
        np.testing.assert_allclose(seen[:3], (0, 0, np.linalg.norm(target - eye)), atol=1e-12)
        above = ss.Pose.inverse(pose) @ (*(target + (0, 0, 0.1)), 1.0)
        assert above[1] < 0 < above[2], "y is down"
        assert abs(above[0]) < 1e-12


BAD = {
    "no order": (lambda: ss.Pose.from_quaternion(HERE), "one of them"),
    "both orders": (lambda: ss.Pose.from_quaternion(HERE, xyzw=(0, 0, 0, 1), wxyz=(1, 0, 0, 0)), "one of them"),
    "zero": (lambda: ss.Pose.from_quaternion(HERE, xyzw=(0, 0, 0, 0)), "has length 0"),
    "far from 1": (lambda: ss.Pose.from_quaternion(HERE, xyzw=(0, 0, 1, 1)), "has length 1.414"),
    "second of many": (lambda: ss.Pose.from_quaternion(HERE, wxyz=[(1, 0, 0, 0), (2, 0, 0, 0)]), r"wxyz\[1\]: .* length 2"),
    "three numbers": (lambda: ss.Pose.from_quaternion(HERE, xyzw=(0, 0, 1)), r"4 numbers, or shape \(n, 4\), got shape \(3,\)"),
    "NaN": (lambda: ss.Pose.from_quaternion(HERE, xyzw=(0, float("nan"), 0, 1)), r"xyzw\[1\] is nan"),
    "position": (lambda: ss.Pose.from_quaternion((1, 2), xyzw=(0, 0, 0, 1)), "position: expected 3 numbers"),
    "text": (lambda: ss.Pose.from_quaternion(HERE, xyzw="0 0 0 1"), "xyzw: expected 4 numbers"),
    "counts": (lambda: ss.Pose.from_quaternion(np.zeros((2, 3)), xyzw=np.eye(4)[[3, 3, 3]]), "got 2 for 3 rotations"),
    "order of seven": (lambda: ss.Pose.from_numbers(np.zeros(7), order="xyzw"), "order is 'xyzw'; accepted: 'xyz xyzw'"),
    "six numbers": (lambda: ss.Pose.from_numbers(np.zeros(6), order="xyz xyzw"), "expected 7 numbers"),
    "zero axis": (lambda: ss.Pose.from_axis_angle(HERE, (0, 0, 0), angle=1.0), "axis is 0 0 0"),
    "infinite angle": (lambda: ss.Pose.from_axis_angle(HERE, (0, 0, 1), angle=float("inf")), "angle is inf"),
    "mixed letters": (lambda: ss.Pose.from_euler(HERE, (0, 0, 0), order="xYz"), "order is 'xYz'"),
    "twice the same": (lambda: ss.Pose.from_euler(HERE, (0, 0, 0), order="xxy"), "order is 'xxy'"),
    "scaled": (lambda: ss.Pose.from_rotation(HERE, 2 * np.eye(3)), "not a rotation"),
    "4x4 rotation": (lambda: ss.Pose.from_rotation(HERE, EYE), r"expected shape \(3, 3\)"),
    "no look": (lambda: ss.Pose.look_at(HERE, HERE), "a look needs a direction"),
    "up along": (lambda: ss.Pose.look_at((0, 0, 0), (0, 0, 1)), "up: .* is along the look"),
    "an object": (lambda: ss.Pose(HERE), "Pose makes arrays"),
    "of None": (lambda: ss.Pose.from_object(None), "got None"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad(case):
    make, message = BAD[case]
    with pytest.raises(
        ss.errors.InvalidType if case in ("text", "an object", "of None") else ss.errors.InvalidPose, match=message
    ):
        make()


@pytest.mark.parametrize(
    ("given", "call"),
    [
        (np.eye(3), r"got \(3, 3\); a rotation: Pose\.from_rotation\(position, rotation\)"),
        ((1, 2, 3, 0, 0, 0, 1), r'got \(7,\); position and quaternion: Pose\.from_numbers\(numbers, order="xyz xyzw"\)'),
        ((0, 0, 0, 1), r"got \(4,\); a quaternion: Pose\.from_quaternion\(position, xyzw=\.\.\.\)"),
    ],
)
def test_what_is_not_a_pose_names_the_call_that_makes_one(given, call):
    scene = ss.Scene()
    body = scene.add(ss.Sphere(1))
    with pytest.raises(ss.errors.InvalidPose, match=f"pose: .*{call}"):
        scene.add(ss.Sphere(1), given)
    with pytest.raises(ss.errors.InvalidPose, match=f"pose: .*{call}"):
        body.pose = given
    for many in (np.stack((given,) * 5), [given] * 5):
        with pytest.raises(ss.errors.InvalidPose, match=rf"poses\[0\]: .*{call}"):
            scene.add_many(ss.Sphere(1), many)
    with pytest.raises(ss.errors.InvalidPose, match=call.partition("; ")[2]):
        scene.move([body], np.array([given], float))
