"""Overlap at many poses: each is the answer of the single call, whatever the threads; bad inputs are named by index."""

import numpy as np
import pytest
from sweepscope_lab.reference.vectors import random_rotation
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss

STILL = ss.Translate((0, 0, 0))


def _poses(rng, count, far):
    poses = np.tile(np.eye(4), (count, 1, 1))
    for pose in poses:
        pose[:3, :3] = random_rotation(rng)
    poses[:, :3, 3] = rng.uniform(-far, far, (count, 3))
    return poses


def _one_by_one(scene, movers, poses, ignore=()):
    """The same, by sweeps of a zero vector; movers follow the first."""
    home = [mover.pose for mover in movers]
    found = []
    for pose in poses:
        for mover, start in zip(movers, home, strict=True):
            mover.pose = pose @ np.linalg.inv(home[0]) @ start if mover is not movers[0] else pose
        hit = scene.sweep(movers, STILL, ignore=ignore)
        found.append(hit is not None and hit.overlapping)
    for mover, start in zip(movers, home, strict=True):
        mover.pose = start
    return np.array(found)


def _scene(rng, *obstacles):
    scene = ss.Scene()
    for shape in obstacles:
        scene.add(shape, rng.uniform(-2, 2, 3))
    return scene


SHAPES = {
    "meshes": [ss.Mesh.box((0.8, 0.8, 0.8)), bumpy_ball(12, 16, 1.0), ss.Mesh.cylinder(0.3, 2.0)],
    "round": [ss.Sphere(0.7), ss.Capsule(0.3, 1.5), ss.Sphere(0.4)],
    "points": [ss.PointCloud(np.random.default_rng(0).uniform(-1, 1, (300, 3)))],
    "balls": [ss.PointCloud(np.random.default_rng(0).uniform(-1, 1, (300, 3)), 0.05)],
    "volumes": [ss.Volume(np.ones((4, 5, 6), bool), 0.2), ss.Volume(np.ones((3, 3, 3), bool), 0.3), ss.Sphere(0.4)],
}
MOVERS = {"mesh": ss.Mesh.cylinder(0.2, 0.9), "ball": ss.Sphere(0.3), "volume": ss.Volume(np.ones((3, 3, 2), bool), 0.2)}


@pytest.mark.parametrize("mover", MOVERS)
@pytest.mark.parametrize("kind", SHAPES)
def test_every_row_is_the_single_call(rng, kind, mover):
    scene = _scene(rng, *SHAPES[kind])
    body = scene.add(MOVERS[mover], (9, 9, 9))
    poses = _poses(rng, 60, 2.5)
    poses[:20, :3, :3] = np.eye(3)
    poses[:10, :3, 3] = poses[:10, :3, 3].round(1)
    found = scene.overlap_many(body, poses)
    assert found.dtype == np.bool_
    assert 0.02 < found.mean() < 0.9
    assert (found == _one_by_one(scene, [body], poses)).all()
    assert body.pose[:3, 3].tolist() == [9, 9, 9]


def test_several_move_as_one(rng):
    scene = _scene(rng, *SHAPES["meshes"], *SHAPES["round"])
    movers = [scene.add(ss.Box((0.4, 0.4, 0.4)), (9, 9, 9)), scene.add(ss.Sphere(0.3), _poses(rng, 1, 0.5)[0])]
    movers[1].pose = (9.3, 9, 9.4)
    poses = _poses(rng, 80, 2.5)
    ignore = scene.bodies[:1]
    found = scene.overlap_many(movers, poses, ignore=ignore)
    assert 0.1 < found.mean() < 0.9
    assert (found == _one_by_one(scene, movers, poses, ignore)).all()
    assert (found != scene.overlap_many(movers, poses)).any()


@pytest.mark.parametrize("kind", ["meshes", "volumes"])
def test_threads_make_no_difference(rng, kind):
    scene = _scene(rng, *SHAPES[kind])
    body = scene.add(MOVERS["mesh"], (9, 9, 9))
    poses = _poses(rng, 2000, 2.0)
    found = [scene.overlap_many(body, poses, threads=threads) for threads in (1, 2, 8)]
    assert 0.02 < found[0].mean() < 0.9
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()


def test_a_changed_mesh_is_brought_up_to_date_by_the_run_that_reaches_it(rng):
    scene = _scene(rng, *SHAPES["meshes"])
    body = scene.add(MOVERS["mesh"], (9, 9, 9))
    poses = _poses(rng, 400, 2.5)
    scene.overlap_many(body, poses)
    for other in scene.bodies:
        other.vertices = 1.1 * other.vertices
    found = scene.overlap_many(body, poses, threads=8)
    assert (found == _one_by_one(scene, [body], poses)).all()


def test_touching_does_not_overlap():
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)))
    body = scene.add(ss.Box((1, 1, 1)), (5, 5, 5))
    assert scene.overlap_many(body, [(1, 0, 0), (0.999, 0, 0), (0, 0, 0), (1.001, 0, 0)]).tolist() == [False, True, True, False]
    small = scene.add(ss.Sphere(0.1), (5, 5, 5))
    assert scene.overlap_many(small, (0, 0, 0), ignore=[body]).all()  # nested


def test_any_leading_shape_and_out(rng):
    scene = _scene(rng, *SHAPES["meshes"])
    body = scene.add(ss.Sphere(0.3), (9, 9, 9))
    places = rng.uniform(-2, 2, (4, 5, 3))
    found = scene.overlap_many(body, places)
    assert found.shape == (4, 5)
    assert 0 < found.sum() < 20
    poses = np.tile(np.eye(4), (4, 5, 1, 1))
    poses[..., :3, 3] = places
    assert (scene.overlap_many(body, poses) == found).all()
    assert (scene.overlap_many(body, poses[..., :3, :]) == found).all()
    assert (scene.overlap_many(body, [list(each) for each in places[0]]) == found[0]).all()
    assert (scene.overlap_many(body, [poses[0, 0], places[0, 1]]) == found[0, :2]).all()  # of several kinds
    assert scene.overlap_many(body, places[0, 0]).shape == ()
    assert scene.overlap_many(body, []).shape == (0,)
    assert scene.overlap_many(body, np.empty((0, 4, 4))).shape == (0,)
    assert scene.overlap_many(body, np.empty((3, 0, 3))).shape == (3, 0)
    out = np.ones((4, 5), bool)
    assert scene.overlap_many(body, places, out=out) is out
    assert (out == found).all()


def test_a_memory_map_is_read_and_written(rng, tmp_path):
    scene = _scene(rng, *SHAPES["meshes"])
    body = scene.add(ss.Sphere(0.3), (9, 9, 9))
    np.save(tmp_path / "poses.npy", rng.uniform(-2, 2, (500, 3)))
    places = np.load(tmp_path / "poses.npy", mmap_mode="r")
    out = np.lib.format.open_memmap(tmp_path / "out.npy", "w+", np.bool_, (500,))
    scene.overlap_many(body, places, out=out)
    out.flush()
    assert (np.load(tmp_path / "out.npy") == scene.overlap_many(body, np.array(places))).all()


def test_progress_ends_with_all(rng):
    scene = _scene(rng, *SHAPES["meshes"])
    body = scene.add(ss.Sphere(0.3), (9, 9, 9))
    told = []
    scene.overlap_many(body, rng.uniform(-2, 2, (300, 3)), progress=lambda done, count: told.append((done, count)))
    assert told[-1] == (300, 300)
    assert told == sorted(told)


def test_ctrl_c_is_raised(rng):
    scene = _scene(rng, *SHAPES["meshes"])
    body = scene.add(ss.Sphere(0.3), (9, 9, 9))

    def stop(done, count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scene.overlap_many(body, rng.uniform(-2, 2, (5000, 3)), progress=stop)


def _volumes(rng):
    ball = np.linalg.norm(np.indices((14, 14, 14)) - 6.5, axis=0) < 5.5
    return ss.Volume(ball & (rng.random((14, 14, 14)) < 0.5), 0.1), ss.Volume(ball[:, :9], 0.1, origin=(0.05, 0.0, 0.02))


@pytest.mark.parametrize("sense", ["centers", "cubes"])
@pytest.mark.parametrize("spacing", [0.1, 0.13])
def test_two_volumes(rng, sense, spacing):
    a, b = _volumes(rng)
    b = ss.Volume(b.alpha, spacing, origin=b.origin)
    poses = _poses(rng, 300, 1.5)
    poses[:150, :3, :3] = np.eye(3)
    poses[:100, :3, 3] = (poses[:100, :3, 3] / 0.1).round() * 0.1 + np.subtract(a.origin, b.origin)
    poses[:, :3, 3] += 0.7 - 0.7 * (poses[:, :3, :3].sum(axis=2))
    poses[:100, :3, 3] = (poses[:100, :3, 3] / 0.1).round() * 0.1 + np.subtract(a.origin, b.origin)
    singles = [bool(ss.overlap(a, b, pose, sense=sense)) for pose in poses]
    for threads in (1, 2, 8):
        found = ss.overlap_many(a, b, poses, sense=sense, threads=threads)
        assert (found == singles).all()
    assert (ss.overlap_many(a, b, poses, sense=sense, culls=()) == singles).all()
    for part in (slice(0, 100), slice(100, 150), slice(150, 300)):
        assert 0.05 < np.mean(singles[part]) < 0.95
    assert (ss.overlap_many(a, b, poses.reshape(3, 100, 4, 4), sense=sense).ravel() == singles).all()
    assert ss.overlap_many(a, b, np.empty((0, 3)), sense=sense).shape == (0,)


BAD = [
    ({"poses": np.where(np.arange(15).reshape(5, 3) == 10, np.nan, 0.0)}, ss.errors.InvalidPose, r"poses\[3\]\[1, 3\] is nan"),
    ({"poses": np.full((2, 3, 4, 4), 2.0)}, ss.errors.InvalidPose, r"poses\[0, 0\]: the last row"),
    ({"poses": [np.eye(4), np.diag((1.0, 1.0, -1.0, 1.0))]}, ss.errors.InvalidPose, r"poses\[1\]: .* mirrors"),
    ({"poses": np.zeros((5, 7))}, ss.errors.InvalidPose, r"poses: expected poses of shape .* got \(5, 7\)"),
    ({"poses": None}, ss.errors.InvalidType, "poses: expected poses"),
    ({"poses": "home"}, ss.errors.InvalidType, "poses: expected poses"),
    ({"poses": [(0, 0, 0), "home"]}, ss.SweepscopeError, r"poses\[1\]: expected"),
    ({"poses": 3.0}, ss.SweepscopeError, "poses: expected poses"),
    ({"threads": 0}, ss.errors.InvalidQuery, "threads is 0; accepted: a whole number from 1"),
    ({"threads": 1.5}, ss.errors.InvalidType, "threads is 1.5"),
    ({"progress": 3}, ss.errors.InvalidType, "progress: expected a function"),
    ({"out": [True]}, ss.errors.InvalidType, "out: expected an array of dtype bool"),
    ({"out": np.zeros(3, bool)}, ss.errors.InvalidQuery, r"out: .* shape \(2,\).* got dtype bool, shape \(3,\)"),
    ({"out": np.zeros(2)}, ss.errors.InvalidType, "out: .* got dtype float64"),
]


@pytest.mark.parametrize(("bad", "error", "message"), BAD)
def test_bad_inputs(bad, error, message):
    scene = ss.Scene()
    body = scene.add(ss.Sphere(0.3))
    volume = ss.Volume(np.ones((2, 2, 2), bool))
    options = {"poses": np.zeros((2, 3)), **bad}
    with pytest.raises(error, match=message):
        scene.overlap_many(body, **options)
    with pytest.raises(error, match=message):
        ss.overlap_many(volume, volume, **options)


def test_bad_bodies():
    scene, other = ss.Scene(), ss.Scene()
    body, stranger = scene.add(ss.Sphere(0.3)), other.add(ss.Sphere(0.3))
    volume = ss.Volume(np.ones((2, 2, 2), bool))
    with pytest.raises(ss.errors.NotFound, match=r"mover: .* is in another scene"):
        scene.overlap_many(stranger, (0, 0, 0))
    with pytest.raises(ss.errors.NotFound, match=r"ignore\[0\]: .* is in another scene"):
        scene.overlap_many(body, (0, 0, 0), ignore=[stranger])
    with pytest.raises(ss.errors.InvalidType, match=r"b: expected a shape, got .*; of bodies: .* scene.overlap_many"):
        ss.overlap_many(volume, body, (0, 0, 0))
    with pytest.raises(ss.errors.InvalidQuery, match="sense is 'both'"):
        ss.overlap_many(volume, volume, (0, 0, 0), sense="both")
