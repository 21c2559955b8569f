"""Where faces of two bodies lie in one plane, the smaller body is shown, in every frame."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.drawing.arrangement import arrange
from sweepscope.drawing.camera import OBLIQUE, camera_along
from sweepscope.drawing.coplanar import smaller_of_pairs
from sweepscope.drawing.paint import render_layer

AHEAD = np.array(OBLIQUE)


def smaller(scene, ahead):
    return [placed.body for placed in smaller_of_pairs(arrange(scene).bodies, ahead)]


def floor_and_inlay(angle=0.0):
    scene = ss.Scene()
    turn = ss.Rotate((0, 0, 1), angle).at()
    aside = turn.copy()
    aside[:3, 3] = turn[:3, :3] @ (0.5, 0.0, 0.0)
    floor = scene.add(ss.Box((4, 4, 0.2)), turn, name="floor")
    inlay = scene.add(ss.Box((2, 2, 0.2)), aside, name="inlay")
    return scene, floor, inlay


@pytest.mark.parametrize("far", [0.0, 0.3, 7.123])
@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_the_smaller_of_two_coplanar_bodies_is_shown_whole(angle, far):
    scene, floor, inlay = floor_and_inlay(angle)
    scene.add(ss.Box((0.1, 0.1, 0.1)), (0, 0, 3.0 + far), name="moving")  # it changes the depth of the view
    camera = camera_along((0, 0, -1), None, (100, 100)).around(np.array(((-2.0, -2.0, 0.0), (2.0, 2.0, 0.1))), 0.0)
    layer = render_layer(arrange(scene), camera)
    side = (np.arange(200) + 0.5) / 50.0 - 2.0
    places = np.stack((*np.meshgrid(side, -side), np.zeros((200, 200))), axis=-1)
    local = np.abs((places - inlay.pose[:3, 3]) @ inlay.pose[:3, :3])[..., :2].max(axis=-1)
    free = np.abs(places).max(axis=-1) > 0.1  # beside the moving box
    assert (layer.ids[(local < 0.98) & free] == scene.bodies.index(inlay)).all()
    outside = np.abs(places @ floor.pose[:3, :3])[..., :2].max(axis=-1) < 1.98
    assert (layer.ids[(local > 1.02) & outside & free] == scene.bodies.index(floor)).all()


def test_a_chain_of_coplanar_bodies_shows_the_smallest():
    scene = ss.Scene()
    for size in (4, 3, 2, 1):
        scene.add(ss.Box((size, size, 0.2)), name=f"{size}")
    camera = camera_along((0, 0, -1), None, (80, 80)).around(np.array(((-2.0, -2.0, 0.0), (2.0, 2.0, 0.1))), 0.0)
    ids = render_layer(arrange(scene), camera).ids[80]
    for k, half in enumerate((75, 55, 35, 15)):
        assert ids[80 - half] == k
        assert ids[80 + half - 1] == k


def test_bodies_that_only_touch_and_round_ones_are_left_alone():
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 0.2)), (0, 0, -0.1), name="floor")
    for k in range(3):
        scene.add(ss.Box((1, 1, 1)), (k, 0, 0.5))
    assert smaller(scene, AHEAD) == []
    arm = ss.Scene()
    for height in (0.0, 0.8):
        arm.add(ss.Capsule(0.1, 1.0), (0, 0, height))
    assert smaller(arm, AHEAD) == []
    scene, _, inlay = floor_and_inlay()
    scene.add(ss.PointCloud(np.empty((0, 3))), name="empty")
    assert smaller(scene, AHEAD) == [inlay]
    assert smaller(scene, -AHEAD) == [inlay]
