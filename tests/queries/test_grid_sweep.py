"""Volumes on one grid, swept along its axes and askew: against every pair of cubes, and the laws of resting."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.cubes import cubes, gap, meeting_time

import sweepscope as ss
from sweepscope.scene import store_of

FRACTIONS = (0.0, 0.25, 0.5, 0.9)


def turned(angle, place=(0.0, 0.0, 0.0)):
    pose = np.eye(4)
    pose[:2, :2] = ((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle)))
    pose[:3, 3] = place
    return pose


def solid(*shape):
    return np.ones(shape, np.bool_)


def two(mover, place, obstacle, **options):
    """A mover whose corner is at a place, and an obstacle whose corner is at the origin."""
    scene = ss.Scene()
    return scene, scene.add(ss.Volume(mover, **options), place), scene.add(ss.Volume(obstacle, **options))


def surfaces(scene):
    """How many faces have been made."""
    store = store_of(scene)
    return sum(store.arena.faces(row) for row in {user.shape_row for user in store.surfaces.users})


@pytest.mark.slow
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("way", [-1.0, 1.0])
@pytest.mark.parametrize("tall", [5, 70])
def test_along_an_axis_as_every_pair_of_cubes_says(axis, way, tall, rng):
    """Random voxels, on the grid and off it across the motion; starts apart, touching, interlocked and overlapping."""
    hits = starts = 0
    for _ in range(60):
        shapes = rng.integers(1, 6, (2, 3))
        shapes[:, 2] = rng.integers(1, tall + 1, 2)
        one, other = (rng.random(shape) < rng.choice((0.1, 0.4)) for shape in shapes)
        spacing = (0.5, 1.0, 0.25)
        middle = 0.5 * (shapes[1] - shapes[0])
        place = np.round(middle + rng.normal(size=3) * 0.4 * shapes.mean(axis=0)) + rng.choice(FRACTIONS, 3)
        place[axis] -= way * rng.choice((0.0, 0.5, 1.0)) * shapes[:, axis].mean()
        scene, mover, _ = two(one, place * spacing, other, spacing=spacing)
        vector = np.zeros(3)
        vector[axis] = way * rng.uniform(0.2, 2.0) * shapes[:, axis].max() * spacing[axis]
        hit = scene.sweep(mover, ss.Translate(vector))
        a, b = cubes(one, spacing, place * spacing), cubes(other, spacing)
        # What only touches is free: cubes a little smaller do not.
        true = meeting_time(a.shrunk(1e-7), b.shrunk(1e-7), vector)
        if true is None:
            assert hit is None
            continue
        hits += 1
        starts += hit.time == 0.0
        assert hit.time * np.abs(vector).max() == pytest.approx(true * np.abs(vector).max(), abs=3e-7)
        assert hit.overlapping is (gap(a, b) < -1e-7)
        assert one[hit.features[0].voxel]
        assert other[hit.features[1].voxel]
        assert surfaces(scene) == 0
    assert 20 <= hits <= 58
    assert starts >= 5


@pytest.mark.slow
@pytest.mark.parametrize("resting", ["free", "hit"])
def test_any_straight_way_as_every_pair_of_cubes_says(resting, rng):
    """Askew, turned with the grid, also from starts in touch."""
    hits = 0
    for _ in range(240):
        shapes = rng.integers(1, 6, (2, 3))
        one, other = (rng.random(shape) < rng.choice((0.15, 0.5)) for shape in shapes)
        place = np.round(0.5 * (shapes[1] - shapes[0]) + rng.normal(size=3) * 2.5) + rng.choice((0.0, 0.0, 0.5), 3)
        pose = turned(rng.uniform(0, 6), rng.normal(size=3))
        scene = ss.Scene()
        mover = scene.add(ss.Volume(one), pose @ turned(0.0, place))
        scene.add(ss.Volume(other), pose)
        vector = pose[:3, :3] @ (rng.integers(-2, 3, 3) * rng.choice((1.0, 1.7, 3.0)))
        hit = scene.sweep(mover, ss.Translate(vector), resting=resting)
        a, b = cubes(one, 1.0, place, pose), cubes(other, 1.0, 0.0, pose)
        draw = 1e-7 if resting == "free" else -1e-7
        true = meeting_time(a.shrunk(draw), b.shrunk(draw), vector)
        if true is None:
            # A graze is whatever one likes to call it.
            assert hit is None or meeting_time(a.shrunk(-1e-7), b.shrunk(-1e-7), vector) is not None
            continue
        hits += 1
        size = float(np.linalg.norm(vector))
        assert hit is not None
        assert hit.time * size == pytest.approx(true * size, abs=1e-6)
    assert 40 <= hits <= 200


def comb(teeth, length, pitch=2):
    """A bar along x with teeth along z."""
    shape = np.zeros((pitch * teeth, 1, length + 1), np.bool_)
    shape[:, :, 0] = True
    shape[::pitch, :, :] = True
    return shape


def test_combs_reach_into_each_other():
    """Teeth between teeth, with no play at all: they go in to the ground, and nowhere else."""
    lower, upper = comb(5, 80), comb(5, 80)[:, :, ::-1]
    scene, mover, _ = two(upper, (1, 0, 90), lower)
    down = scene.sweep(mover, ss.Translate((0, 0, -200)))
    assert down.travel == pytest.approx(89.0 - 80.0 + 80.0, abs=1e-9)
    assert down.normal.tolist() == [0.0, 0.0, 1.0]
    mover.pose = (1, 0, 50)
    assert scene.sweep(mover, ss.Translate((0, 0, 200))) is None
    assert scene.sweep(mover, ss.Translate((0, 5, 0))) is None
    for way in (-1.0, 1.0):
        aside = scene.sweep(mover, ss.Translate((way, 0, 0)))
        assert aside.travel == 0.0
        assert not aside.overlapping
        assert aside.normal.tolist() == [-way, 0.0, 0.0]
    assert scene.sweep(mover, ss.Translate((0, 0, -200))).travel == pytest.approx(49.0, abs=1e-9)
    assert scene.sweep(mover, ss.Translate((0, 1, 0)), resting="hit").travel == 0.0


def test_combs_with_play():
    scene, mover, _ = two(comb(5, 80, 4)[:, :, ::-1], (1.25, 0.5, 50), comb(5, 80, 4))
    assert scene.sweep(mover, ss.Translate((-1, 0, 0))).travel == pytest.approx(0.25, abs=1e-9)
    assert scene.sweep(mover, ss.Translate((9, 0, 0))).travel == pytest.approx(1.75, abs=1e-9)
    assert scene.sweep(mover, ss.Translate((0, 0, -99))).travel == pytest.approx(49.0, abs=1e-9)
    assert scene.sweep(mover, ss.Translate((0.2, 0, 99))) is None


@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize("place", [(2, 1, 4), (2.5, 1.25, 4), (-3, 0, 4), (4, 4, 4)])
def test_resting_on_top(angle, place):
    """Flush on a block: free to slide, askew too, and to lift; pressing is a hit at 0; so is touching, if one asks."""
    pose = turned(angle, (5, 6, 7))
    scene = ss.Scene()
    scene.add(ss.Volume(solid(5, 5, 4)), pose)
    mover = scene.add(ss.Volume(solid(4, 4, 4)), pose @ turned(0.0, place))
    turn = pose[:3, :3]
    for vector in ((9, 0, 0), (-9, 0, 0), (0, 9, 0), (3, -2, 0), (0, 0, 2), (1, 1, 1e-3)):
        assert scene.sweep(mover, ss.Translate(turn @ vector)) is None
        touching = scene.sweep(mover, ss.Translate(turn @ vector), resting="hit")
        assert touching.time == 0.0
        assert not touching.overlapping
    for vector in ((0, 0, -1), (0.2, 0.1, -1), (1e-3, 1e-3, -1e-3)):
        pressed = scene.sweep(mover, ss.Translate(turn @ vector))
        assert pressed.time == 0.0
        assert not pressed.overlapping
        assert pressed.normal == pytest.approx(turn @ (0, 0, 1), abs=1e-12)
    assert surfaces(scene) == 0


def test_sliding_past_a_wall_and_into_a_step():
    ground = solid(20, 9, 2)
    ground = np.concatenate((ground, np.zeros((20, 9, 3), np.bool_)), axis=2)
    ground[:, 6:, :] = True  # a wall along x
    ground[15:, :, 2] = True  # a step across it
    scene, mover, _ = two(solid(3, 3, 2), (2, 3, 2), ground)  # flush with ground and wall
    hit = scene.sweep(mover, ss.Translate((40, 0, 0)))
    assert hit.travel == pytest.approx(10.0, abs=1e-9)
    assert hit.normal.tolist() == [-1.0, 0.0, 0.0]
    assert hit.features[1].voxel[0] == 15
    assert scene.sweep(mover, ss.Translate((10, 0, 0))).time == pytest.approx(1.0, abs=1e-9)  # at the very end
    assert scene.sweep(mover, ss.Translate((9.99, 0, 0))) is None
    assert scene.sweep(mover, ss.Translate((4, 1, 0))).time == 0.0  # into the wall
    assert scene.sweep(mover, ss.Translate((4, -2, 0))) is None
    askew = scene.sweep(mover, ss.Translate((20, -1, 0)))  # off the wall, into the step
    assert askew.travel == pytest.approx(10.0 * math.hypot(1.0, 0.05), abs=1e-9)


def test_a_start_no_deeper_than_the_tolerance_touches():
    for sunk, overlapping in ((1e-4, False), (1e-2, True)):
        scene = ss.Scene(tolerance=1e-3)
        scene.add(ss.Volume(solid(4, 4, 4)))
        mover = scene.add(ss.Volume(solid(2, 2, 2)), (1, 1, 4 - sunk))
        hit = scene.sweep(mover, ss.Translate((0, 0, -1)))
        assert hit.time == 0.0
        assert hit.overlapping is overlapping
        away = scene.sweep(mover, ss.Translate((1, 0, 0)))
        assert (away is not None) is overlapping


def test_equal_dust_in_one_place_overlaps():
    """Every face of the one lies in a face of the other: nothing crosses, and each grain is its own body."""
    dust = np.zeros((15, 15, 15), np.bool_)
    dust[::2, ::2, ::2] = True
    for motion in (ss.Translate((0, 0, 1)), ss.Translate((1, 2, 3)), ss.Rotate((1, 1, 0), 1.0), ss.Translate((0, 0, 0))):
        scene, mover, _ = two(dust, (2, 0, 4), dust)
        hit = scene.sweep(mover, motion)
        assert hit.time == 0.0
        assert hit.overlapping


def test_no_motion_at_all():
    for place, overlapping in (((1, 1, 1), True), ((2, 0, 0), False), ((2.5, 0, 0), None)):
        scene, mover, _ = two(solid(2, 2, 2), place, solid(2, 2, 2))
        hit = scene.sweep(mover, ss.Translate((0, 0, 0)))
        assert (hit is not None) is (overlapping is True)
        hit = scene.sweep(mover, ss.Translate((0, 0, 0)), resting="hit")
        assert (hit is not None) is (overlapping is not None)
        assert hit is None or hit.overlapping is overlapping


def test_point_normal_and_voxels_of_a_hit():
    """A block that comes down on one voxel of another, in a turned frame and with voxels that are not cubes."""
    lower = np.zeros((4, 4, 4), np.bool_)
    lower[:, :, 0] = lower[2, 1, 1] = True
    pose = turned(0.4, (1, 2, 3))
    scene = ss.Scene()
    ground = scene.add(ss.Volume(lower, (0.5, 1.0, 2.0), origin=(7, 8, 9)), pose)
    mover = scene.add(ss.Volume(solid(4, 4, 1), (0.5, 1.0, 2.0), origin=(7, 8, 9)), pose @ turned(0.0, (0.25, 0.0, 11.0)))
    hit = scene.sweep(mover, ss.Translate((0, 0, -20)))
    assert hit.travel == pytest.approx(7.0, abs=1e-9)
    assert hit.obstacle is ground
    assert hit.features[1] == ss.results.Feature("face", voxel=(2, 1, 1))
    assert hit.features[0].voxel in ((1, 1, 0), (2, 1, 0))
    local = pose[:3, :3].T @ (hit.point - pose[:3, 3]) - (7, 8, 9)
    assert local[2] == pytest.approx(4.0, abs=1e-9)
    assert 1.0 < local[0] < 1.5
    assert 1.0 < local[1] < 2.0
    assert hit.normal == pytest.approx((0, 0, 1), abs=1e-12)


def test_other_bodies_and_other_grids_still_count():
    """A volume on the grid is met after a sphere, or before it; a turned one after both."""
    scene = ss.Scene()
    mover = scene.add(ss.Volume(solid(2, 2, 2)), (0, 0, 0))
    ball = scene.add(ss.Sphere(1.0), (1, 1, 8))
    block = scene.add(ss.Volume(solid(2, 2, 2)), (0, 0, 10))
    tilted = scene.add(ss.Volume(solid(2, 2, 2)), turned(0.3, (0, 0, 20)))
    up = ss.Translate((0, 0, 50))
    assert scene.sweep(mover, up).obstacle is ball
    assert scene.sweep(mover, up, ignore=[ball]).obstacle is block
    last = scene.sweep(mover, up, ignore=[ball, block])
    assert last.obstacle is tilted
    assert last.travel == pytest.approx(18.0, abs=1e-9)
    ball.pose = (1, 1, 14)
    assert scene.sweep(mover, up).obstacle is block
    scene.ignore(mover, block)
    assert scene.sweep(mover, up).obstacle is ball
    both = scene.sweep([mover, ball], up)
    assert both.obstacle is tilted
    assert both.mover is ball


def test_far_away_and_long_motions():
    """A million units from the origin; a way longer than whole numbers go; nothing ahead."""
    far = np.array((1e6, -1e6, 1e6))
    scene = ss.Scene()
    scene.add(ss.Volume(solid(3, 3, 3), origin=far))
    mover = scene.add(ss.Volume(solid(3, 3, 3)), far - (0, 0, 10))
    assert scene.sweep(mover, ss.Translate((0, 0, 30))).travel == pytest.approx(7.0, abs=1e-7)
    assert scene.sweep(mover, ss.Translate((0, 0, 1e40))).travel == pytest.approx(7.0, abs=1e-7)
    assert scene.sweep(mover, ss.Translate((0, 0, -1e40))) is None
    assert scene.sweep(mover, ss.Translate((1e40, 0, 0))) is None


def test_margin_goes_by_the_surfaces():
    scene, mover, _ = two(solid(2, 2, 2), (0, 0, 5), solid(2, 2, 2))
    assert scene.sweep(mover, ss.Translate((0, 0, -9)), margin=0.5).travel == pytest.approx(2.5, abs=1e-9)
    assert surfaces(scene) == 2 * 48
