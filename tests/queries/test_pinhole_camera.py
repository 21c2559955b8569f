"""PinholeCamera, and looks through it."""

import copy
import math
import pickle

import numpy as np
import pytest
from sweepscope_lab.reference.vectors import random_rotation
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss
from sweepscope.errors import InvalidPose, InvalidQuery, InvalidType

NAN = float("nan")
MATRIX = ((50.0, 0.0, 31.5), (0.0, 50.0, 23.5), (0.0, 0.0, 1.0))


def _scene(rng):
    scene = ss.Scene()
    scene.add(bumpy_ball(30, 30, 1.0), name="ball")
    scene.add(ss.Box((8.0, 8.0, 0.1)), (0.0, 0.0, -1.5), name="floor")
    scene.add(ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.2), (1.5, 0.0, 0.0), name="capsule")
    scene.add(ss.Volume(rng.random((6, 6, 6)) < 0.3, spacing=0.2), (-2.5, 0.0, 0.0), name="volume")
    return scene


def _camera(rng, **options):
    pose = np.eye(4)
    pose[:3, :3] = random_rotation(rng)
    pose[:3, 3] = -5.0 * pose[:3, 2]
    matrix = np.array(MATRIX)
    matrix[0, 1], matrix[1, 1] = 3.0, 60.0
    return ss.PinholeCamera(matrix, pose, pixels=(64, 48), **options)


def test_a_look_is_a_ray_for_each_pixel(rng):
    scene, seen_pixels = _scene(rng), 0
    for _ in range(8):
        camera = _camera(rng)
        seen = scene.look(camera)
        rays = scene.cast(camera.eye, camera.directions())
        assert seen.depth.shape == (48, 64)
        size = np.linalg.norm(camera.directions(), axis=-1)
        np.testing.assert_array_equal(seen.ids, rays.body)
        np.testing.assert_array_equal(seen.faces, rays.face)
        np.testing.assert_allclose(seen.depth, rays.distance / size, rtol=1e-14)
        np.testing.assert_allclose(seen.points, rays.point, atol=1e-13)
        assert seen.view is camera
        seen_pixels += int((seen.ids >= 0).sum())
        for body, distance, count in zip(seen.bodies, seen.distances, seen.counts, strict=True):
            assert count == (seen.ids == body.id).sum()
            assert distance == seen.depth[seen.ids == body.id].min()
        assert (np.diff(seen.distances) >= 0.0).all()
    assert seen_pixels > 8 * 300


def test_the_convention_is_that_of_opencv():
    scene = ss.Scene()
    for name, place in (("ahead", (0, 0, 4)), ("right", (1, 0, 4)), ("down", (0, 1, 4)), ("behind", (0, 0, -4))):
        scene.add(ss.Sphere(0.1), place, name=name)
    camera = ss.PinholeCamera(MATRIX, pixels=(64, 48))
    seen = scene.look(camera)
    assert {body.name for body in seen.bodies} == {"ahead", "right", "down"}
    rows, columns = np.nonzero(seen.ids == scene["right"].id)
    assert (columns.mean(), rows.mean()) == pytest.approx((31.5 + 50.0 / 4.0, 23.5), abs=0.6)
    rows, columns = np.nonzero(seen.ids == scene["down"].id)
    assert (columns.mean(), rows.mean()) == pytest.approx((31.5, 23.5 + 50.0 / 4.0), abs=0.6)
    np.testing.assert_allclose(camera.project((1.0, 0.0, 4.0)), (31.5 + 12.5, 23.5, 4.0))


def test_depth_is_along_the_axis():
    scene = ss.Scene()
    scene.add(ss.Box((100.0, 100.0, 1.0)), (0.0, 0.0, 5.5))
    seen = scene.look(ss.PinholeCamera(MATRIX, pixels=(64, 48)))
    np.testing.assert_allclose(seen.depth, 5.0, rtol=1e-15)
    nothing = scene.look(ss.PinholeCamera(MATRIX, pixels=(64, 48), depth=4.5))
    assert not nothing
    assert (nothing.depth == 4.5).all()
    assert nothing.nearest == 4.5
    assert np.isnan(nothing.points).all()
    assert scene.look(ss.PinholeCamera(MATRIX, pixels=(64, 48), depth=5.5)).nearest == pytest.approx(5.0)
    assert ss.Scene().look(ss.PinholeCamera(MATRIX, pixels=(64, 48))).nearest == math.inf


def test_looking_at():
    scene = ss.Scene()
    scene.add(ss.Sphere(0.2), (1.0, 2.0, 3.0), name="target")
    scene.add(ss.Sphere(0.2), (1.0, 2.0, 4.0), name="above")
    camera = ss.PinholeCamera.looking_at((-4.0, 1.0, 2.0), (1.0, 2.0, 3.0), fov=0.8, pixels=(101, 81))
    seen = scene.look(camera)
    assert seen.ids[40, 50] == scene["target"].id
    rows, columns = np.nonzero(seen.ids == scene["above"].id)
    assert rows.mean() < 30
    assert columns.mean() == pytest.approx(50.0, abs=0.1)
    # The upper and the lower side of the picture are fov apart.
    top, bottom = camera.rays @ (50, -0.5, 1.0), camera.rays @ (50, 80.5, 1.0)
    cosine = top @ bottom / np.linalg.norm(top) / np.linalg.norm(bottom)
    assert math.acos(cosine) == pytest.approx(0.8)
    straight = ss.PinholeCamera.looking_at((0, 0, 5), (0, 0, 0), fov=1.0, pixels=8)
    np.testing.assert_allclose(straight.pose[:3, 1], (0.0, -1.0, 0.0), atol=1e-15)
    tilted = ss.PinholeCamera.looking_at((0, 0, 5), (0, 0, 0), fov=1.0, pixels=8, up=(1, 0, 0))
    np.testing.assert_allclose(tilted.pose[:3, 1], (-1.0, 0.0, 0.0), atol=1e-15)


def test_projected_points_are_where_they_are_seen(rng):
    camera = _camera(rng)
    column, row, depth = 64.0 * rng.random(50), 48.0 * rng.random(50), 1.0 + rng.random(50)
    points = camera.at(column, row, depth, (48, 64))
    np.testing.assert_allclose(camera.project(points), np.stack((column, row, depth), axis=-1), atol=1e-11)


def test_a_cloud_of_the_depth_image_is_what_was_seen(rng):
    camera = ss.PinholeCamera.looking_at((3.0, 1.0, 1.0), (0.0, 0.0, 0.0), fov=0.8, pixels=(40, 30))
    seen = _scene(rng).look(camera)
    cloud = ss.PointCloud.from_depth(seen.depth, camera.matrix, pose=camera.pose)
    np.testing.assert_allclose(cloud.vertices, seen.points[seen.ids >= 0], atol=1e-13)
    assert len(cloud.vertices) > 300


def test_cameras_are_values(rng):
    camera = _camera(rng, depth=7.0)
    other = pickle.loads(pickle.dumps(camera))
    assert copy.copy(camera) is camera
    for name in ("matrix", "pose", "rays", "pixels", "depth"):
        np.testing.assert_array_equal(getattr(other, name), getattr(camera, name))
    scene = _scene(rng)
    np.testing.assert_array_equal(scene.look(camera).depth, scene.look(other).depth)
    with pytest.raises(ValueError, match="read-only"):
        camera.matrix[0, 0] = 1.0
    with pytest.raises(AttributeError):
        camera.depth = 1.0


def test_options_of_a_look(rng):
    scene, camera = _scene(rng), _camera(rng)
    all_seen = scene.look(camera)
    name = all_seen.bodies[0].name
    assert name not in scene.look(camera, ignore=[all_seen.bodies[0]])
    np.testing.assert_array_equal(scene.look(camera, (64, 48)).ids, all_seen.ids)
    assert all_seen.picture() is not None
    with pytest.raises(InvalidQuery, match=r"pixels is \(10, 10\), but the camera has \(64, 48\)"):
        scene.look(camera, (10, 10))
    with pytest.raises(InvalidQuery, match="bounding: a PinholeCamera"):
        scene.look(camera, bounding=True)
    with pytest.raises(InvalidType, match="expected a View or a PinholeCamera"):
        scene.look("front")


BAD = {
    "shape": ({"matrix": np.eye(4)}, InvalidQuery, r"matrix: expected shape \(3, 3\), got \(4, 4\)"),
    "NaN": ({"matrix": np.array(MATRIX) * NAN}, InvalidQuery, r"matrix\[0, 0\] is nan"),
    "focal length": ({"matrix": -np.eye(3) + np.diag((0, 0, 2))}, InvalidQuery, r"matrix\[0, 0\] is -1.0; the focal length fx"),
    "last row": ({"matrix": np.ones((3, 3))}, InvalidQuery, r"matrix: expected rows \(fx, s, cx\)"),
    "texts": ({"matrix": "abc"}, InvalidType, "matrix: expected an array"),
    "no pixels": ({"pixels": (0, 4)}, InvalidQuery, r"pixels is \(0, 4\)"),
    "float pixels": ({"pixels": 1.5}, InvalidType, "pixels: expected two whole numbers"),
    "zero depth": ({"depth": 0.0}, InvalidQuery, "depth is 0; a camera must see some way"),
    "negative depth": ({"depth": -1.0}, InvalidQuery, "depth is -1.0"),
    "NaN depth": ({"depth": NAN}, InvalidQuery, "depth is nan"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name):
    changes, error, message = BAD[name]
    arguments = {"matrix": MATRIX, "pixels": (64, 48), **changes}
    with pytest.raises(error, match=message):
        ss.PinholeCamera(arguments.pop("matrix"), **arguments)


def test_bad_directions():
    for fov in (0.0, -1.0, math.pi, NAN):
        with pytest.raises(InvalidQuery, match="fov is"):
            ss.PinholeCamera.looking_at((0, 0, 1), (0, 0, 0), fov=fov, pixels=8)
    with pytest.raises(InvalidQuery, match="where the eye is"):
        ss.PinholeCamera.looking_at((0, 0, 1), (0, 0, 1), fov=1.0, pixels=8)
    with pytest.raises(InvalidQuery, match="along the view"):
        ss.PinholeCamera.looking_at((0, 0, 1), (0, 0, 0), fov=1.0, pixels=8, up=(0, 0, 2))
    with pytest.raises(InvalidPose, match=r"PinholeCamera.pose"):
        ss.PinholeCamera(MATRIX, 2.0 * np.eye(4), pixels=8)
