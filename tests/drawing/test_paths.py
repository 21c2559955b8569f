"""Paths of points of the mover: they start on its surface, follow the motion closely, and end at the contact."""

import math

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.drawing.camera import make_camera
from sweepscope.drawing.hits import HitPlayback, frame_of
from sweepscope.drawing.paths import paths_of

SIZE = (480, 360)


def playback_of(shape, motion, *, start=(0, 0, 3), plate=(20, 20, 0.2)):
    scene = ss.Scene()
    scene.add(ss.Box(plate), name="plate")
    mover = scene.add(shape, start, name="mover")
    hit = scene.sweep(mover, motion)
    assert hit is not None
    return HitPlayback(hit)


def camera_of(playback, size=SIZE):
    return make_camera(None, None, None, size, frame_of(playback))


def winding(path, axis=(0.0, 0.0)):
    """Return the angle that a path turns about a vertical axis [radians]."""
    angles = np.unwrap(np.arctan2(path[:, 1] - axis[1], path[:, 0] - axis[0]))
    return abs(angles[-1] - angles[0])


@pytest.mark.parametrize("turns", [0.4, 3.0, 24.0])
def test_a_screw_is_drawn_with_all_its_turns(turns):
    motion = ss.Screw((0, 0, -1), 2 * math.pi * turns, slide=8.0)
    playback = playback_of(ss.Box((0.6, 0.6, 1.0)), motion, start=(1, 0, 6))
    camera = camera_of(playback)
    for path in paths_of(playback, camera):
        assert winding(path) == pytest.approx(playback.hit.travel, rel=1e-9)


@pytest.mark.parametrize("size", [(160, 120), (800, 600), (1600, 1200)])
def test_a_drawn_turn_looks_round_at_every_size(size):
    playback = playback_of(ss.Sphere(0.5), ss.Screw((0, 0, -1), 9.0, slide=4.0), start=(2, 0, 4))
    camera = camera_of(playback, size)
    for path in paths_of(playback, camera):
        places = camera.project(path)
        # How far a place is from the line between its neighbors bounds how far lines are from the path.
        off = places[1:-1] - 0.5 * (places[2:] + places[:-2])
        assert np.linalg.norm(off, axis=1).max() < 2.0


def test_a_screw_of_thousands_of_turns_is_drawn_with_those_that_can_be_told_apart():
    motion = ss.Screw((0, 0, -1), 2 * math.pi * 5000.3, slide=8.0)
    playback = playback_of(ss.Box((0.6, 0.6, 1.0)), motion, start=(1, 0, 6))
    camera = camera_of(playback)
    paths = paths_of(playback, camera)
    assert paths.shape[1] < 12_000
    assert_ends(playback, paths)
    spin = ss.Screw((0, 0, -1), 2 * math.pi * 5000.3, slide=0.004)
    playback = playback_of(ss.Box((0.6, 0.2, 1.0)), spin, start=(1, 0, 0.601))
    assert playback.hit.travel > 2 * math.pi * 1000
    paths = paths_of(playback, camera_of(playback))
    assert winding(paths[0]) < 4 * math.pi
    assert_ends(playback, paths)


def assert_ends(playback, paths):
    """Assert that the paths end where the mover takes their first points."""
    start, end = playback.poses(0.0)[0], playback.poses(1.0)[0]
    local = (paths[:, 0] - start[:3, 3]) @ start[:3, :3]
    np.testing.assert_allclose(paths[:, -1], local @ end[:3, :3].T + end[:3, 3], atol=1e-6)


def grid_ball():
    return ss.Volume((((np.indices((20, 20, 20)) - 9.5) ** 2).sum(axis=0) < 90), 0.05, origin=(-0.5, -0.5, -0.5))


@pytest.mark.parametrize("motion", [ss.Translate((3, 1, -5)), ss.Rotate((0, 1, 0), 3.0, about=(-1.5, 0, 2))])
@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (ss.Mesh.sphere(0.5, rows=64, sections=128), 0.499, 0.501),
        (ss.Sphere(0.5), 0.5, 0.5),
        (ss.PointCloud(np.random.default_rng(0).normal(size=(5000, 3)) * 1e-3, 0.5), 0.495, 0.51),
        (grid_ball(), 0.45, 0.54),
        (ss.Box((0.6, 0.6, 0.6)), 0.3 * math.sqrt(3), 0.3 * math.sqrt(3)),
    ],
    ids=["mesh ball", "sphere", "points", "voxels", "box"],
)
def test_paths_start_on_the_surface_and_end_with_the_mover(shape, low, high, motion):
    playback = playback_of(shape, motion)
    paths = paths_of(playback, camera_of(playback))
    assert len(paths) >= 2
    far = np.linalg.norm(paths[:, 0] - playback.hit.mover.pose[:3, 3], axis=1)
    assert (far >= low - 1e-9).all()
    assert (far <= high + 1e-9).all()
    assert_ends(playback, paths)


def test_vertices_that_no_face_has_start_no_path():
    ball = ss.Mesh.sphere(0.5)
    spare = ss.Mesh(np.concatenate(([(9.0, 9.0, 9.0)], ball.vertices)), ball.faces + 1)
    playback = playback_of(spare, ss.Translate((0, 0, -5)))
    paths = paths_of(playback, camera_of(playback))
    assert (np.linalg.norm(paths[:, 0] - (0, 0, 3), axis=1) < 0.51).all()


def test_a_mover_that_turns_on_the_spot_has_paths_too():
    scene = ss.Scene()
    scene.add(ss.Box((0.2, 0.2, 2)), (0.8, 0.8, 0), name="post")
    blade = scene.add(ss.Box((2.6, 0.2, 0.2)), name="blade")
    playback = HitPlayback(scene.sweep(blade, ss.Rotate((0, 0, 1), 6.0)))
    paths = paths_of(playback, camera_of(playback))
    assert np.ptp(paths, axis=1).max() > 0.5
    assert_ends(playback, paths)


def test_several_joints_give_a_smooth_path():
    scene = ss.Scene()
    scene.add(ss.Box((0.5, 2, 2)), (1.9, 0, 0), name="wall")
    robot = ss.Robot(scene)
    robot.add("base", ss.Box((0.2, 0.2, 0.2)))
    upper, fore = (ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=radius) for radius in (0.1, 0.08))
    robot.add("upper", upper, parent="base", joint=ss.Joint.revolute("one", (0, 1, 0)))
    robot.add("fore", fore, parent="upper", joint=ss.Joint.revolute("two", (0, 1, 0), origin=(0, 0, 1)))
    hit = robot.sweep({"one": 1.2, "two": 0.6})
    assert hit is not None
    playback = HitPlayback(hit)
    camera = camera_of(playback)
    for path in paths_of(playback, camera):
        places = camera.project(path)
        assert np.linalg.norm(places[1:-1] - 0.5 * (places[2:] + places[:-2]), axis=1).max() < 2.0
