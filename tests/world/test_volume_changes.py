"""Volumes in a scene that change, are shared and exchanged; and how they rest."""

import math

import numpy as np
import pytest
from scenery import hills, pose_of, rotation
from sweepscope_lab.reference.cubes import cubes, meeting_time

import sweepscope as ss
from sweepscope.scene import store_of


def test_a_volume_given_to_its_body_again_is_seen_as_it_is():
    volume = ss.Volume(np.zeros((40, 8, 8)))
    volume[:2] = 1.0
    scene = ss.Scene()
    body = scene.add(volume)
    ball = scene.add(ss.Sphere(0.2), (50, 4, 4))
    motion = ss.Translate((-20, 0, 0))
    volume[35:39] = 1.0
    body.shape = volume
    assert scene.sweep(ball, motion).travel == pytest.approx(10.8)
    np.testing.assert_array_equal(body.bounds, [(0, 0, 0), (39, 8, 8)])
    volume[35:39] = 0.0
    body.shape = volume
    assert scene.sweep(ball, motion) is None
    assert not scene.predict({ball: ss.Translate((-1, 0, 0))}, 20)


def test_what_a_feature_of_a_voxel_is():
    volume = ss.Volume(np.ones((4, 4, 4)))
    scene = ss.Scene()
    body = scene.add(volume, pose_of(rotation(np.random.default_rng(3)), (1, 2, 3)))
    ball = scene.add(ss.Sphere(0.3))
    up = body.pose[:3, 2]

    def drop(x, y, z):
        ball.pose = body.pose[:3, :3] @ (x, y, z) + body.pose[:3, 3]
        return scene.sweep(ball, ss.Translate(-9 * up)).features[1]

    # The middle of a side lies on the edge between its two triangles.
    assert (drop(2.5, 2.5, 8).kind, drop(2.5, 2.5, 8).voxel) == ("face", (2, 2, 3))
    assert (drop(-0.1, 2.4, 8).kind, drop(-0.1, 2.4, 8).voxel) == ("edge", (0, 2, 3))
    assert (drop(-0.1, -0.1, 8).kind, drop(-0.1, -0.1, 8).voxel) == ("vertex", (0, 0, 3))
    # Wholly inside: in which voxel.
    assert (drop(2.5, 1.5, 0.5).kind, drop(2.5, 1.5, 0.5).voxel) == ("none", (2, 1, 0))


def test_sweeps_see_every_edit(rng):
    """Random edits of two volumes that are swept against each other, each answer against cubes made afresh."""
    spacing = 0.5
    one, other = (ss.Volume(rng.random((6, 6, 6)) < 0.2, spacing) for _ in range(2))
    scene = ss.Scene()
    mover = scene.add(one, (0, 0, 0))
    scene.add(other, pose_of(rotation(rng), (5, 1, 0.5)))
    vector = np.array((6.0, 1.0, 0.5))
    hits = 0
    for k in range(60):
        volume = (one, other)[k % 2]
        low = rng.integers(0, 4, 3)
        volume[low[0] : low[0] + 3, low[1] : low[1] + 3, low[2] : low[2] + 3] = rng.random((3, 3, 3)) < rng.choice((0.0, 0.3))
        if k % 5 == 0:
            mover.pose = pose_of(rotation(rng), (0, 0, 0))
        hit = scene.sweep(mover, ss.Translate(vector))
        a, b = (cubes(body.shape.occupied, spacing, 0.0, body.pose) for body in scene)
        true = meeting_time(a, b, vector)
        assert (hit is None) is (true is None)
        if hit is not None:
            hits += 1
            assert hit.time == pytest.approx(true, abs=1e-9)
        for body, volume in ((mover, one), (hit.obstacle if hit else mover, other if hit else one)):
            if not volume.empty:
                box = np.array([body.pose[:3, :3] @ (x, y, z) + body.pose[:3, 3] for x, y, z in _corners(volume.bounds)])
                assert body.bounds == pytest.approx(np.array((box.min(axis=0), box.max(axis=0))))
    assert 12 <= hits <= 56


def _corners(bounds):
    return [(bounds[i][0], bounds[j][1], bounds[k][2]) for i in (0, 1) for j in (0, 1) for k in (0, 1)]


def test_empty_then_full_then_empty():
    """A volume that holds nothing collides with nothing, shows nothing and has no box."""
    volume = ss.Volume(np.zeros((4, 4, 4)))
    scene = ss.Scene()
    fog = scene.add(volume)
    ball = scene.add(ss.Sphere(0.5), (2, 2, 8))
    down, view = ss.Translate((0, 0, -20)), ss.View((2, 2, 20), (0, 0, -1), width=6, height=6, depth=30)
    for filled in (0.0, 1.0, 0.0, 1.0):
        volume[...] = filled
        hit = scene.sweep(ball, down)
        seen = scene.look(view)
        back = scene.sweep(fog, ss.Rotate((1, 0, 0), 3.0, about=(0, -6, 4)))
        assert (hit is not None) is bool(filled)
        assert (fog in seen) is bool(filled)
        assert bool(np.isnan(fog.bounds).all()) is not bool(filled)
        assert len(scene.predict({ball: ss.Translate((0, 0, -1))}, 10)) == int(filled)
        if filled:
            assert hit.travel == pytest.approx(3.5)
            assert hit.obstacle is fog
            assert back is not None
        else:
            assert back is None
    volume.threshold = 2.0
    assert scene.sweep(ball, down) is None
    empty = ss.Volume(np.zeros((0, 3, 3)))
    nothing = scene.add(empty)
    assert scene.sweep(nothing, down) is None
    assert scene.sweep(ball, down) is None


def test_inside_a_solid_volume():
    """Wholly inside is a hit at 0; in a hollow it is not, and a volume inside a box is."""
    occupied = np.ones((20, 20, 20), np.bool_)
    volume = ss.Volume(occupied)
    scene = ss.Scene()
    block = scene.add(volume)
    ball = scene.add(ss.Sphere(1.0), (10.2, 10.3, 10.4))
    hit = scene.sweep(ball, ss.Translate((1, 0, 0)))
    assert hit.time == 0.0
    assert hit.overlapping
    assert hit.features[0].kind == "none"
    volume[5:15, 5:15, 5:15] = False
    assert scene.sweep(ball, ss.Translate((1, 0, 0))) is None
    assert scene.sweep(ball, ss.Translate((9, 0, 0))).travel == pytest.approx(3.8)
    scene.add(ss.Box((60, 60, 60)), (10, 10, 10), name="hall")
    assert scene.sweep(block, ss.Rotate((0, 0, 1), 0.1)).obstacle.name == "hall"


def test_two_bodies_share_a_volume():
    volume = ss.Volume(np.ones((4, 4, 4)))
    scene = ss.Scene()
    left, right = scene.add(volume, (-10, 0, 0)), scene.add(volume, pose_of(rotation(np.random.default_rng(1)), (10, 0, 0)))
    ball = scene.add(ss.Sphere(0.5), (-8, 2, 10))
    down = ss.Translate((0, 0, -20))
    assert scene.sweep(ball, down).obstacle is left
    assert scene.sweep(left, ss.Translate((40, 0, 0))).obstacle is right
    volume[1:3, 1:3, :] = 0.0
    assert scene.sweep(ball, down) is None
    scene.remove(left)
    assert (
        scene.sweep(right, ss.Translate((-40, 0, 0))) is None or scene.sweep(right, ss.Translate((-40, 0, 0))).obstacle is ball
    )
    volume[...] = 0.0
    assert np.isnan(right.bounds).all()
    scene.remove(right)
    assert not store_of(scene).surfaces
    volume[...] = 1.0
    assert scene.sweep(ball, down) is None
    other = ss.Scene()
    again = other.add(volume, (0, 0, 0))
    assert other.sweep(other.add(ss.Sphere(1), (2, 2, 9)), down).obstacle is again


def test_shapes_are_exchanged_for_volumes_and_back():
    volume = ss.Volume(np.ones((2, 2, 2)), origin=(-1, -1, -1))
    scene = ss.Scene()
    body = scene.add(ss.Sphere(2.0))
    ball = scene.add(ss.Sphere(0.5), (0, 0, 9))
    down = ss.Translate((0, 0, -9))
    assert scene.sweep(ball, down).travel == pytest.approx(6.5)
    body.shape = volume
    assert body.shape is volume
    assert scene.sweep(ball, down).travel == pytest.approx(7.5)
    volume[:, :, 1] = 0.0
    assert scene.sweep(ball, down).travel == pytest.approx(8.5)
    body.shape = ss.Box((2, 2, 2))
    assert not store_of(scene).surfaces
    assert scene.sweep(ball, down).travel == pytest.approx(7.5)
    with pytest.raises(ss.errors.InvalidGeometry, match="edit the volume itself"):
        scene.add(volume).vertices = np.zeros((3, 3))


def test_many_edits_leave_no_waste():
    """Surfaces that no longer hold are given back: the scene does not grow."""
    volume = ss.Volume(hills(40, 3))
    scene = ss.Scene()
    scene.add(volume)
    ball = scene.add(ss.Sphere(1.0), (20, 20, 20))
    for k in range(200):
        volume[20, 20, 11] = k % 2
        scene.sweep(ball, ss.Translate((0, 0, -12)))
    assert len(store_of(scene).arena.geometry.vertices) < 300_000


# Resting, as with the same bodies made of boxes.


@pytest.mark.parametrize("angle", [0.0, 0.3])
@pytest.mark.parametrize("n", [4, 16])
def test_resting_laws_off_the_grid(angle, n):
    """A volume on a floor, a ball and a box on a volume, a box in a notch of one, a volume on one that is turned."""
    turn = pose_of(((math.cos(angle), -math.sin(angle), 0), (math.sin(angle), math.cos(angle), 0), (0, 0, 1)), (0, 0, 0))
    way = turn[:3, :3]
    table = np.zeros((n, n, n), np.bool_)
    table[:, :, : n // 2] = True
    table[: n // 4, :, :] = True  # a wall at one side
    volume = ss.Volume(table, 1.0 / n, origin=(-0.5, -0.5, -0.5))  # its top is at z = 0, the wall from x = -0.25 back
    floor, ball, box = ss.Box((9, 9, 1)), ss.Sphere(0.1), ss.Box((0.2, 0.2, 0.2))

    def free(scene, body, vector):
        return scene.sweep(body, ss.Translate(way @ vector)) is None

    def pressed(scene, body, vector):
        hit = scene.sweep(body, ss.Translate(way @ vector))
        return hit is not None and hit.time == 0.0 and not hit.overlapping

    scene = ss.Scene()
    scene.add(floor, (0, 0, -1))
    body = scene.add(volume, turn)
    assert free(scene, body, (1, 0, 0))
    assert free(scene, body, (1, 0.4, 0))
    assert free(scene, body, (0, 0, 1))
    assert pressed(scene, body, (0, 0, -1))
    assert pressed(scene, body, (1, 0, -0.1))
    assert scene.sweep(body, ss.Rotate((0, 0, 1), 3.0)) is None
    assert scene.sweep(body, ss.Translate((1, 0, 0)), resting="hit").time == 0.0
    for shape, half in ((ball, 0.1), (box, 0.1)):
        scene = ss.Scene()
        scene.add(volume, turn)
        body = scene.add(shape, turn @ pose_of(np.eye(3), (0.1, 0.05, half)))
        assert free(scene, body, (2, 0, 0))
        assert free(scene, body, (0.3, -0.41, 0))
        assert free(scene, body, (0, 0.1, 1))
        assert pressed(scene, body, (0, 0, -1))
        hit = scene.sweep(body, ss.Translate(way @ (-1, 0, 0)))
        assert hit.travel == pytest.approx(0.35 - half, abs=1e-9)  # along the ground to the wall
        assert hit.normal == pytest.approx(way @ (1, 0, 0), abs=1e-9)
    scene = ss.Scene()
    scene.add(volume, turn)
    body = scene.add(volume, turn @ pose_of(((0, -1, 0), (1, 0, 0), (0, 0, 1)), (0.3, 0.2, 0.5)))
    assert free(scene, body, (1, 0, 0))
    assert free(scene, body, (0.1, 0.2, 1))
    assert pressed(scene, body, (0, 0, -1))


@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_a_box_in_a_notch(angle):
    """A channel that a box fits into with no play: free along it and up, held aside and down."""
    occupied = np.ones((8, 8, 4), np.bool_)
    occupied[2:6, :, 2:] = False
    way = np.array(((math.cos(angle), -math.sin(angle), 0), (math.sin(angle), math.cos(angle), 0), (0, 0, 1)))
    scene = ss.Scene()
    scene.add(ss.Volume(occupied, 0.125, origin=(-0.5, -0.5, 0)), pose_of(way, (0, 0, 0)))
    box = scene.add(ss.Box((0.5, 0.6, 0.4)), pose_of(way, (0, 0, 0.45)))
    for vector in ((0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0.5, 0.5)):
        assert scene.sweep(box, ss.Translate(way @ vector)) is None
    for vector in ((0.1, 0, 0), (-0.1, 0, 0), (0, 0, -1), (0.1, 1, 0)):
        hit = scene.sweep(box, ss.Translate(way @ vector))
        assert hit.time == 0.0
        assert not hit.overlapping
