"""Where the camera is, without a browser."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.viewer.camera import FOV, aim, points_of_bodies, points_of_motion, sees, size_of


def aimed(points, aspect=1.0):
    camera = SimpleNamespace(fov=FOV, aspect=aspect, up_direction=np.array((0.0, 0.0, 1.0)))
    aim(camera, points, camera.fov, aspect)
    return camera


@pytest.mark.parametrize("aspect", [0.4, 1.0, 2.5])
def test_all_points_are_seen_and_fill_the_window(rng, aspect):
    for _ in range(50):
        points = rng.normal(size=(20, 3)) * 10.0 ** rng.uniform(-3, 3) * rng.uniform(0.05, 1, 3) + rng.normal(size=3)
        camera = aimed(points, aspect)
        assert sees(camera, points)
        middle = camera.look_at
        assert not sees(camera, middle + 6.0 * (points - middle))
        assert not sees(camera, 2.0 * camera.position[None] - middle)  # behind it


def test_the_way_of_a_mover_is_looked_at():
    scene = ss.Scene()
    tool = scene.add(ss.Box((1, 1, 1)), name="tool")
    points = points_of_motion([tool], ss.Translate((10, 0, 0)), 0.5)
    assert np.allclose((points.min(axis=0), points.max(axis=0)), ((-0.5, -0.5, -0.5), (5.5, 0.5, 0.5)))
    turned = points_of_motion([tool], ss.Rotate((0, 0, 1), math.pi, about=(0, 3, 0)), 1.0)
    assert turned[:, 1].max() > 6.0


def test_bodies_far_away_and_ends_of_floors_do_not_count():
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), name="a")
    scene.add(ss.Box((1, 1, 1)), pose=(2, 0, 0), name="b")
    near = size_of(points_of_bodies(scene.bodies))
    scene.add(ss.Box((1000, 1000, 0.1)), pose=(0, 0, -1), name="floor")
    scene.add(ss.Box((1, 1, 1)), pose=(900, 0, 0), name="far")
    assert size_of(points_of_bodies(scene.bodies)) < 2.0 * near


def test_without_points():
    assert size_of(np.zeros((0, 3))) == size_of(np.zeros((4, 3))) == 1.0
    assert np.isfinite(aimed(np.zeros((0, 3))).position).all()
    assert len(points_of_bodies(())) == 0
