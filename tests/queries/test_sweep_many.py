"""Many sweeps in one call: every row has the bits of the single sweep, whatever the shape, the threads and the order."""

import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.queries.sweep import as_swept
from sweepscope.queries.sweep_many import sweep_many
from sweepscope.scene import store_of

FIELDS = ("time", "travel", "overlapping", "features", "movers", "motion")
ARRAYS = ("point", "normal", "pose")


def assert_same(found, expected):
    """Compare two hits to the bit."""
    assert (found is None) == (expected is None)
    if found is None:
        return
    assert found.obstacle is expected.obstacle
    assert found.mover is expected.mover
    for name in FIELDS:
        assert getattr(found, name) == getattr(expected, name), name
    for name in ARRAYS:
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes(), name
    assert repr(found) == repr(expected)
    assert found.as_dict() == expected.as_dict()


def assert_row(hits, index, expected, motion):
    """Compare a row of a table with a hit."""
    length = as_swept(motion).length
    row = hits.table[index]
    assert_same(hits[index], expected)
    assert hits.free[index] == (expected is None)
    if expected is None:
        assert (row["time"], row["obstacle"], row["mover"], row["travel"]) == (1.0, -1, -1, length)
        assert np.isnan(row["point"]).all()
        assert np.isnan(row["normal"]).all()
        for name in ("faces", "vertices", "voxels", "kinds"):
            assert (row[name] == -1).all()
        assert not row["overlapping"]
        return
    assert (row["time"], row["travel"]) == (expected.time, expected.travel)
    assert (row["obstacle"], row["mover"]) == (expected.obstacle.id, expected.mover.id)
    for side, feature in enumerate(expected.features):
        assert row["kinds"][side] == ("none", "vertex", "edge", "face").index(feature.kind)
        assert row["faces"][side] == feature.face
        assert tuple(k for k in row["vertices"][side].tolist() if k >= 0) == feature.vertices
        assert tuple(row["voxels"][side].tolist()) == (feature.voxel or (-1, -1, -1))


def random_rotation(rng):
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0.0 else q @ np.diag((1.0, 1.0, -1.0))


def random_pose(rng, size=3.0):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.uniform(-size, size, 3)
    return pose


def shapes(rng):
    return [
        ss.Mesh.box((0.8, 0.5, 0.6)),
        ss.Sphere(0.4),
        ss.Capsule.from_segment((0, 0, -0.3), (0, 0, 0.3), radius=0.2),
        ss.Mesh.sphere(0.5, rows=5, sections=7),
        ss.PointCloud(rng.normal(size=(20, 3)) * 0.4, 0.05),
        ss.Box((0.5, 0.5, 0.5)),
    ]


def random_scene(rng, bodies=14):
    """Bodies of all kinds, some of which overlap; two movers; groups and pairs that ignore each other."""
    scene = ss.Scene()
    kinds = shapes(rng)
    for k in range(bodies):
        scene.add(kinds[k % len(kinds)], random_pose(rng), group=("", "a", "b")[k % 3])
    movers = [scene.add(kinds[k % len(kinds)], random_pose(rng, 1.0), group="mover") for k in range(3)]
    scene.ignore_groups("mover", "b")
    scene.ignore(movers[0], scene[1])
    return scene, movers


def random_motions(rng, count):
    motions = []
    for k in range(count):
        axis, about = rng.normal(size=3), rng.normal(size=3)
        motions.append(
            (
                ss.Translate(rng.normal(size=3) * 3.0),
                ss.Rotate(axis, rng.uniform(-4.0, 4.0), about=about),
                ss.Screw(axis, rng.uniform(-3.0, 3.0), slide=rng.normal(), about=about),
                ss.Screw(axis, 0.0, slide=rng.normal() * 3.0, about=about),
                ss.Screw.between(random_pose(rng), random_pose(rng)),
                ss.Translate((0.0, 0.0, 0.0)),
                ss.Rotate(axis, 0.0),
            )[k % 7]
        )
    return motions


@pytest.mark.parametrize("options", [{}, {"margin": 0.1}, {"resting": "hit"}, {"margin": 0.02, "resting": "hit"}])
def test_rows_are_single_sweeps(rng, options):
    met = free = overlapping = 0
    for trial in range(4):
        scene, movers = random_scene(rng)
        if trial == 0:
            scene.add(ss.Sphere(0.1), movers[0].pose)  # wholly inside
        motions = random_motions(rng, 60)
        ignore = [scene[0], scene[4]]
        for mover in (movers[0], movers[:2], tuple(movers)):
            hits = scene.sweep_many(mover, motions, ignore=ignore, **options)
            assert hits.shape == (60,)
            for k, motion in enumerate(motions):
                expected = scene.sweep(mover, motion, ignore=ignore, **options)
                assert_row(hits, k, expected, motion)
                met += expected is not None
                free += expected is None
                overlapping += expected is not None and expected.overlapping
    assert met > 150
    assert free > 20
    assert overlapping > 20


def test_rows_with_poses(rng):
    scene, movers = random_scene(rng)
    poses = np.array([random_pose(rng) for _ in range(80)])
    motions = random_motions(rng, 80)
    hits = scene.sweep_many(movers[0], motions, poses)
    there = scene.sweep_many(movers[0], motions, poses[:, :3, 3])
    home = movers[0].pose
    found = 0
    for k, motion in enumerate(motions):
        movers[0].pose = poses[k]
        expected = scene.sweep(movers[0], motion)
        assert_row(hits, k, expected, motion)
        movers[0].pose = poses[k, :3, 3]
        assert_row(there, k, scene.sweep(movers[0], motion), motion)
        found += expected is not None
    assert 10 < found < 70
    movers[0].pose = home


def test_movers_keep_their_places_relative_to_the_first(rng):
    scene, movers = random_scene(rng)
    for k, mover in enumerate(movers):
        mover.pose = (0.25 * k, 0.5 - 0.125 * k, 0.0)  # exact in binary, so that both ways round alike
    places = rng.integers(-20, 20, (60, 3)) / 8.0
    motions = rng.normal(size=(60, 3)) * 3.0
    hits = scene.sweep_many(movers, motions, places)
    homes = [mover.pose[:3, 3].copy() for mover in movers]
    found = 0
    for k, place in enumerate(places):
        for mover, home in zip(movers, homes, strict=True):
            mover.pose = place + (home - homes[0])
        expected = scene.sweep(movers, ss.Translate(motions[k]))
        assert_row(hits, k, expected, ss.Translate(motions[k]))
        found += expected is not None
    assert found > 20


def test_turned_movers_keep_their_places(rng):
    scene, movers = random_scene(rng)
    poses = np.array([random_pose(rng) for _ in range(40)])
    motions = random_motions(rng, 40)
    hits = scene.sweep_many(movers, motions, poses)
    homes = [mover.pose.copy() for mover in movers]
    found = 0
    for k, motion in enumerate(motions):
        for mover, home in zip(movers, homes, strict=True):
            mover.pose = poses[k] @ np.linalg.inv(homes[0]) @ home
        expected = scene.sweep(movers, motion)
        assert (hits[k] is None) == (expected is None)
        if expected is not None:
            found += 1
            assert hits[k].travel == pytest.approx(expected.travel, abs=1e-9)
            np.testing.assert_allclose(hits[k].pose, expected.pose, atol=1e-9)
    assert found > 15


def test_one_body_for_each_row(rng):
    scene, movers = random_scene(rng)
    own = np.array([movers[k % 3] for k in range(60)])
    motions = random_motions(rng, 60)
    hits = scene.sweep_many(own, motions)
    poses = np.array([random_pose(rng) for _ in range(60)])
    there = scene.sweep_many(own, motions, poses)
    together = scene.sweep_many(movers, motions)
    found = 0
    for k, motion in enumerate(motions):
        expected = scene.sweep(own[k], motion)
        assert_row(hits, k, expected, motion)
        found += expected is not None
        home = own[k].pose
        own[k].pose = poses[k]
        assert_row(there, k, scene.sweep(own[k], motion), motion)
        own[k].pose = home
    assert 20 < found < 60
    assert any(len(hit.movers) == 3 for hit in together if hit)  # a list moves as one
    assert not any(len(hit.movers) != 1 for hit in hits if hit)


def volume_scene(rng):
    scene = ss.Scene()
    scene.add(ss.Volume(rng.random((6, 6, 6)) < 0.3, spacing=0.25), (1.0, 1.0, 1.0), name="grid")
    scene.add(ss.Sphere(0.4), (-1.0, -1.0, 0.0))
    scene.add(ss.Mesh.box((4.0, 4.0, 0.2)), (0.0, 0.0, -2.0))
    mover = scene.add(ss.Volume(rng.random((3, 3, 3)) < 0.5, spacing=0.25), (1.0, 1.0, -1.25), name="mover")
    return scene, [mover, scene.add(ss.Sphere(0.2), (2.0, 2.0, 4.0), name="ball")]


def test_volumes(rng):
    found = on_grid = 0
    scene, movers = volume_scene(rng)
    motions = [ss.Translate(v) for v in ((0, 0, 4), (0.0, 0, -4), (3, 0, 0), (0.3, 0.2, 2.0), (0, 0, 0))]
    motions += [ss.Rotate((1, 0, 0), 2.0, about=(0, 1, 0)), ss.Screw((0, 0, 1), 0.0, slide=3.0)]
    poses = [np.array((*(1.0 + 0.25 * rng.integers(-3, 3, 2)), -1.25 + 0.25 * rng.integers(-2, 3))) for _ in motions]
    own = np.array([movers[k % 2] for k in range(len(motions))])
    cases = [
        (movers[0], None),
        (movers[1], None),
        (movers, None),
        (own, None),
        (movers[0], poses),
        (movers, poses),
        (own, poses),
    ]
    for mover, stands in cases:
        hits = scene.sweep_many(mover, motions, stands)
        for k, motion in enumerate(motions):
            moving = [mover[k]] if isinstance(mover, np.ndarray) else mover if isinstance(mover, list) else [mover]
            homes = [body.pose for body in moving]
            for body, home in zip(moving, homes, strict=True):
                if stands is not None:
                    body.pose = stands[k] + (home[:3, 3] - homes[0][:3, 3])
            expected = scene.sweep(moving if isinstance(mover, list) else moving[0], motion)
            assert_row(hits, k, expected, motion)
            for body, home in zip(moving, homes, strict=True):
                body.pose = home
            if expected is not None:
                found += 1
                on_grid += all(feature.voxel is not None for feature in expected.features)
    assert found > 20
    assert on_grid > 5


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_runs_and_order_change_no_bit(rng, threads):
    scene, movers = random_scene(rng)
    motions = ss.Motions(random_motions(rng, 300))
    poses = np.array([random_pose(rng) for _ in range(300)])
    own = np.array([movers[k % 3] for k in range(300)])
    options = {"margin": 0.0, "resting": "free", "ignore": (), "progress": None, "out": None}
    for mover, stands in ((movers[0], None), (movers, poses), (own, None), (own, poses)):
        expected = scene.sweep_many(mover, motions, stands).table.tobytes()
        for size in (1, 7, 10_000, None):
            for is_sorted in (True, False):
                found = sweep_many(
                    store_of(scene), mover, motions, stands, threads=threads, _sorted=is_sorted, _size=size, **options
                )
                assert found.table.tobytes() == expected


def test_many_blocks(rng, monkeypatch):
    scene, movers = random_scene(rng)
    motions, poses = ss.Motions(random_motions(rng, 100)), rng.normal(size=(100, 3))
    own = np.array([movers[k % 3] for k in range(100)])
    expected = scene.sweep_many(own, motions, poses).table.tobytes()
    monkeypatch.setattr("sweepscope.leading.BLOCK", 7)
    assert scene.sweep_many(own, motions, poses).table.tobytes() == expected
    calls = []
    scene.sweep_many(own, motions, poses, progress=lambda *given: calls.append(given))
    assert calls == sorted(calls)
    assert calls[-1] == (100, 100)


@pytest.mark.parametrize(
    ("lead", "motions", "poses", "own"),
    [
        ((), (), None, None),
        ((), (), (), None),
        ((0,), (0,), None, None),
        ((0,), (0,), (1,), None),
        ((5,), (5,), (), None),
        ((5,), (), (5,), None),
        ((5,), (1,), (5,), (1,)),
        ((4,), (), None, (4,)),
        ((3, 4), (3, 1), (4,), None),
        ((3, 4), (4,), (3, 1), (3, 4)),
        ((2, 3, 4), (3, 4), (2, 1, 1), (4,)),
        ((3, 0), (3, 1), (0,), None),
    ],
)
def test_leading_shapes(rng, lead, motions, poses, own):
    scene, movers = random_scene(rng)
    vectors = rng.normal(size=(*motions, 3)) * 3.0
    places = None if poses is None else rng.normal(size=(*poses, 3))
    mover = movers[0] if own is None else np.array([movers[k % 3] for k in range(int(np.prod(own)))]).reshape(own)
    hits = scene.sweep_many(mover, vectors, places)
    assert hits.shape == lead
    assert hits.point.shape == (*lead, 3)
    vectors = np.broadcast_to(vectors, (*lead, 3))
    places = None if places is None else np.broadcast_to(places, (*lead, 3))
    for index in np.ndindex(*lead):
        body = movers[0] if own is None else np.broadcast_to(mover, lead)[index]
        home = body.pose
        if places is not None:
            body.pose = places[index]
        motion = ss.Translate(vectors[index])
        assert_row(hits, index, scene.sweep(body, motion), motion)
        body.pose = home


def test_every_form_of_motions(rng):
    scene, movers = random_scene(rng)
    vectors = rng.normal(size=(6, 3)) * 3.0
    expected = scene.sweep_many(movers[0], ss.Motions.translate(vectors)).table.tobytes()
    for given in (vectors, vectors.tolist(), [ss.Translate(v) for v in vectors], tuple(ss.Translate(v) for v in vectors)):
        assert scene.sweep_many(movers[0], given).table.tobytes() == expected
    turn = ss.Rotate((0, 0, 1), 3.0, about=(1, 0, 0))
    alone = scene.sweep_many(movers[0], turn)
    assert alone.shape == ()
    assert_same(alone[()], scene.sweep(movers[0], turn))
    assert scene.sweep_many(movers[0], []).shape == (0,)


def test_changes_after_the_call_do_not_reach_the_hits(rng):
    scene, movers = random_scene(rng)
    vectors = rng.normal(size=(30, 3)) * 3.0
    poses = np.array([random_pose(rng) for _ in range(30)])
    hits = scene.sweep_many(movers[0], vectors, poses)
    expected = [hit and (hit.motion, hit.pose.tobytes(), hit.obstacle.name) for hit in hits]
    vectors[:], poses[:] = 0.0, np.eye(4)
    movers[0].pose = (9, 9, 9)
    scene.remove(scene[int(hits.obstacle[~hits.free][0])])
    assert [hit and (hit.motion, hit.pose.tobytes(), hit.obstacle.name) for hit in hits] == expected


def test_deformed_bodies_are_made_ready(rng):
    scene, movers = random_scene(rng)
    body = scene[0]
    motions = rng.normal(size=(50, 3)) * 4.0
    for scale in (1.5, 0.7):
        body.vertices = np.asarray(body.shape.vertices) * scale
        hits = scene.sweep_many(movers[0], motions)
        for k in range(50):
            assert_same(hits[k], scene.sweep(movers[0], ss.Translate(motions[k])))


def test_a_memory_map(rng, tmp_path):
    scene, movers = random_scene(rng)
    vectors = rng.normal(size=(500, 3)) * 3.0
    np.save(tmp_path / "motions.npy", vectors)
    given = np.load(tmp_path / "motions.npy", mmap_mode="r")
    out = np.lib.format.open_memmap(tmp_path / "hits.npy", "w+", ss.Hits.dtype, (500,))
    hits = scene.sweep_many(movers[0], given, out=out)
    expected = scene.sweep_many(movers[0], vectors)
    assert hits.table.tobytes() == expected.table.tobytes()
    assert np.shares_memory(hits.table, out)
    out.flush()
    assert np.load(tmp_path / "hits.npy").tobytes() == expected.table.tobytes()
    assert_same(hits[3], expected[3])
    singles = given.astype(np.float32)
    np.save(tmp_path / "singles.npy", singles)
    one = ss.Motions.translate(np.load(tmp_path / "singles.npy", mmap_mode="r"))
    assert scene.sweep_many(movers[0], one).table.tobytes() == scene.sweep_many(movers[0], np.float32(vectors)).table.tobytes()


def test_progress_of_volumes(rng):
    scene, movers = volume_scene(rng)
    calls = []
    scene.sweep_many(movers[0], np.ones((50, 3)), progress=lambda *given: calls.append(given))
    assert calls[-1] == (50, 50)


def test_hits_in_another_process(rng):
    scene, movers = random_scene(rng)
    poses = np.array([random_pose(rng) for _ in range(20)])
    own = np.array([movers[k % 3] for k in range(20)])
    for mover, stands in ((movers, poses), (own, None)):
        hits = scene.sweep_many(mover, random_motions(rng, 20), stands)
        copy, twin = pickle.loads(pickle.dumps((scene, hits)))
        assert twin.table.tobytes() == hits.table.tobytes()
        for one, other in zip(hits, twin, strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                assert other.obstacle is copy[one.obstacle.id]
                assert other.pose.tobytes() == one.pose.tobytes()
                assert other.motion == one.motion


def test_pictures_of_rows(rng, tmp_path):
    scene, movers = random_scene(rng)
    hits = scene.sweep_many(movers, rng.normal(size=(20, 3)) * 3.0, np.array([random_pose(rng) for _ in range(20)]))
    hit = next(hit for hit in hits if hit)
    assert hit.picture(size=(64, 48)).pixels.shape[:2] == (48, 64)
    scene[0].pose = (0, 0, 9)
    with pytest.raises(ss.errors.InvalidQuery, match="was added, moved or changed"):
        hit.picture(size=(64, 48))


INTERRUPTED = """
import sys, numpy as np, sweepscope as ss
scene = ss.Scene()
ball = ss.Mesh.sphere(1.0, rows=40, sections=60)
for k in range(20):
    scene.add(ball, (3.0 * k, 0, 0))
mover = scene.add(ball, (0, 0, 10))
motions = np.random.default_rng(0).normal(size=(2_000_000, 3)) * 40
scene.sweep_many(mover, motions[:100])
def progress(done, total):
    if done:
        print("go", flush=True)
try:
    scene.sweep_many(mover, motions, progress=progress)
except KeyboardInterrupt:
    print("stopped", flush=True)
    sys.exit(0)
sys.exit(3)
"""


@pytest.mark.slow
def test_ctrl_c():
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "go\n"
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        said = process.stdout.read()
        assert process.wait(20) == 0
        assert time.monotonic() - start < 5.0  # within a second on a machine that is not busy
        assert said.endswith("stopped\n")
