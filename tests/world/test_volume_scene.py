"""Volumes as bodies: swept, seen and foreseen like the cubes they are made of."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scenery import hills, mesh_of, pose_of, rotation, some_volume
from sweepscope_lab.reference.cubes import cubes, gap, meeting_in_motion, meeting_time

import sweepscope as ss
from sweepscope.scene import store_of

# The surface.


@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 6, 7), (3, 17, 70), (20, 9, 130)])
def test_the_surface_is_that_of_the_cubes(shape, rng):
    occupied = rng.random(shape) < 0.5
    occupied[0, 0, 0] = True
    volume = ss.Volume(occupied, (0.5, 1.0, 2.0), origin=(1, 2, 3))
    vertices, faces = volume.vertices, volume.faces
    padded = np.pad(occupied, 1)
    sides = sum(int((padded & ~np.roll(padded, way, axis)).sum()) for axis in range(3) for way in (-1, 1))
    assert faces.shape == (2 * sides, 3)
    assert len(np.unique(vertices, axis=0)) == len(vertices)
    corners = vertices[faces] - (1, 2, 3)
    inside = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    assert inside == pytest.approx(occupied.sum(), rel=1e-12)  # a voxel takes 0.5 x 1 x 2
    mesh = mesh_of(volume)
    assert mesh.closed
    assert mesh.bounds == pytest.approx(volume.bounds)
    assert not vertices.flags.writeable
    assert not faces.flags.writeable


def test_the_surface_follows_the_voxels():
    volume = ss.Volume(np.ones((4, 4, 4)))
    assert len(volume.faces) == 2 * 96
    volume[1:3, 1:3, 1:3] = 0.0  # a hollow
    assert len(volume.faces) == 2 * (96 + 24)
    volume[...] = 0.0
    assert volume.vertices.shape == (0, 3)
    assert volume.faces.shape == (0, 3)


# Sweeps against every pair of cubes.


@pytest.mark.slow
def test_straight_sweeps_as_every_pair_of_cubes_says(rng):
    hits = overlaps = 0
    for _ in range(150):
        one, pose, a = some_volume(rng)
        other, there, b = some_volume(rng)
        place = rng.normal(size=3) * 5
        pose[:3, 3] += place
        a = type(a)(a.centers + place, a.edges)
        vector = -place * rng.uniform(0.4, 1.6) + rng.normal(size=3)
        scene = ss.Scene()
        mover = scene.add(one, pose)
        scene.add(other, there)
        hit = scene.sweep(mover, ss.Translate(vector))
        true = meeting_time(a, b, vector)
        if true is None:
            assert hit is None
            continue
        hits += 1
        overlaps += hit.overlapping
        assert true - 1e-9 <= hit.time <= true + 1e-14
        assert hit.overlapping is (gap(a, b) < -1e-6)
        if hit.time > 0.0:
            for volume, feature, body in ((one, hit.features[0], mover), (other, hit.features[1], hit.obstacle)):
                assert volume.occupied[feature.voxel]
                at = body.pose if body is hit.obstacle else ss.Translate(vector).at(hit.time) @ body.pose
                local = (at[:3, :3].T @ (hit.point - at[:3, 3]) - volume.origin) / volume.spacing - feature.voxel
                assert (np.abs(local - 0.5) < 0.5 + 1e-6).all()
    assert 60 <= hits <= 140
    assert 5 <= overlaps <= hits - 40


@pytest.mark.slow
@pytest.mark.parametrize("slides", [False, True])
def test_turns_as_every_pair_of_cubes_says(slides, rng):
    hits = 0
    for _ in range(40):
        one, pose, a = some_volume(rng, 4)
        other, there, _ = some_volume(rng, 4)
        place, about = rng.normal(size=3) * 4, rng.normal(size=3)
        pose[:3, 3] += place
        a = type(a)(a.centers + place, a.edges)
        axis, angle, slide = rng.normal(size=3), rng.uniform(1, 4) * rng.choice((-1, 1)), rng.uniform(-3, 3) * slides
        motion = ss.Screw(axis, angle, slide=slide, about=about)
        there[:3, 3] += (motion.at(rng.uniform(0.3, 0.9)) @ (*place, 1.0))[:3] + rng.normal(size=3)
        b = cubes(other.occupied, other.spacing, other.origin, there)
        scene = ss.Scene()
        mover = scene.add(one, pose)
        scene.add(other, there)
        hit = scene.sweep(mover, motion)
        far = np.linalg.norm(a.centers - about, axis=1).max() + np.linalg.norm(a.edges)
        near = meeting_in_motion(a, b, motion.at, abs(angle) * far + abs(slide), 1e-7)
        if near is None:
            assert hit is None
            continue
        if hit is None:
            assert gap(a.moved(motion.at(near)), b) > 0.0  # passed closely
            continue
        hits += 1
        assert hit.time >= near - 1e-6
        assert hit.overlapping is (gap(a, b) < -1e-6)
        assert hit.overlapping or gap(a.moved(motion.at(hit.time)), b) > -1e-9  # not late
    assert 12 <= hits <= 38


def test_other_shapes_against_volumes(rng):
    """Spheres, capsules, boxes and clouds meet a volume as they meet the mesh of its surface."""
    hits = 0
    shapes = (
        ss.Sphere(0.7),
        ss.Capsule.from_segment((0, 0, -1), (0, 0, 1), radius=0.4),
        ss.Box((1, 2, 1)),
        ss.PointCloud(rng.normal(size=(40, 3))),
    )
    for k in range(48):
        volume, pose, _ = some_volume(rng)
        shape = shapes[k % 4]
        start = rng.normal(size=3)
        start *= 6.0 / np.linalg.norm(start)
        motions = (ss.Translate(-2.0 * start + rng.normal(size=3)), ss.Rotate(rng.normal(size=3), 3.0, about=0.4 * start))
        for motion in motions:
            answers = []
            for solid in (volume, mesh_of(volume)):
                scene = ss.Scene()
                body = scene.add(solid, pose)
                other = scene.add(shape, pose_of(rotation(np.random.default_rng(k)), start))
                back = ss.Translate(-np.array(motion.vector)) if isinstance(motion, ss.Translate) else motion
                answers.append((scene.sweep(other, motion), scene.sweep(body, back)))
            for mine, theirs in zip(*answers, strict=True):
                assert (mine is None) is (theirs is None)
                if mine is not None:
                    hits += 1
                    assert mine.time == pytest.approx(theirs.time, abs=1e-10)
                    assert mine.overlapping is theirs.overlapping
    assert 60 <= hits <= 180


# Only what is in reach.


@pytest.mark.parametrize("seed", range(4))
def test_what_is_out_of_reach_changes_no_answer(seed):
    """Small bodies about a landscape: swept, turned, resting, buried; against the mesh of all of it."""
    rng = np.random.default_rng(seed)
    volume = ss.Volume(hills(60, seed), 0.25, origin=(-7.5, -7.5, -1.5))
    pose = pose_of(rotation(rng), rng.normal(size=3))
    shapes = (ss.Sphere(0.3), ss.Box((0.5, 0.4, 0.3)), ss.Volume(np.ones((2, 2, 2)), 0.2, origin=(-0.2, -0.2, -0.2)))
    whole = ss.Scene()
    whole.add(mesh_of(volume), pose, name="ground")
    parts = ss.Scene()
    parts.add(volume, pose, name="ground")
    hits = 0
    for k in range(30):
        local = (*rng.uniform(-6, 6, 2), rng.uniform(-1.4, 2.5))
        at = pose @ pose_of(rotation(rng), local)
        motion = (
            ss.Translate(rng.normal(size=3) * 1.5)
            if k % 3
            else ss.Screw(rng.normal(size=3), 2.0, slide=0.3, about=at[:3, 3] + 0.5)
        )
        answers = []
        for scene in (whole, parts):
            body = scene.add(shapes[k % len(shapes)], at)
            answers.append(scene.sweep(body, motion, margin=0.05 * (k % 2)))
            scene.remove(body)
        theirs, mine = answers
        assert (mine is None) is (theirs is None)
        if mine is not None:
            hits += 1
            assert mine.time == pytest.approx(theirs.time, abs=1e-10)
            assert mine.overlapping is theirs.overlapping
    assert 8 <= hits <= 29


def test_a_query_makes_only_the_surface_it_can_reach():
    volume = ss.Volume(np.ones((200, 200, 40), np.bool_), keep_alpha=False)
    scene = ss.Scene()
    scene.add(volume, name="ground")
    ball = scene.add(ss.Sphere(1.0), (100, 100, 45))
    (made,) = store_of(scene).surfaces.users

    def faces():
        return store_of(scene).arena.faces(made.shape_row)

    assert faces() == 0
    assert scene.sweep(ball, ss.Translate((0, 0, -10))).travel == pytest.approx(4.0)
    few = faces()
    assert 0 < few < 6000
    assert scene.sweep(ball, ss.Translate((0, 0, -9))).travel == pytest.approx(4.0)
    assert faces() == few  # nothing to do
    ball.pose = (60, 60, 45)
    assert scene.sweep(ball, ss.Translate((0, 0, -10))).travel == pytest.approx(4.0)
    more = faces()
    assert few < more < 80_000
    volume[59:61, 59:61, 39] = False
    assert faces() == more  # an edit costs nothing before the next question
    assert scene.sweep(ball, ss.Translate((0, 0, -10))).travel == pytest.approx(5.0)
    assert faces() < 6000  # and then what it can reach
    ball.pose = (60, 60, 90)
    assert scene.sweep(ball, ss.Translate((1, 0, -10))) is None


def test_a_surface_that_is_too_large_is_refused():
    """Every second voxel of 212^3: 57 million triangles. What a short motion reaches is not too much."""
    i = np.arange(212, dtype=np.uint16)
    volume = ss.Volume((i[:, None, None] + i[:, None] + i) % 2 == 0, keep_alpha=False)
    scene = ss.Scene()
    scene.add(volume)
    ball = scene.add(ss.Sphere(1.0), (20.5, 20.5, 220))
    with pytest.raises(ss.errors.InvalidGeometry, match=r"57,168,768 triangles; accepted: 50,000,000"):
        scene.predict({ball: ss.Translate((0, 0, -1))}, 10)
    with pytest.raises(ss.errors.InvalidGeometry, match="triangles"):
        _ = volume.faces
    hit = scene.sweep(ball, ss.Translate((0, 0, -10)))
    assert 7.0 <= hit.travel < 7.5
    assert volume[hit.features[1].voxel]


# Pictures.


@pytest.mark.parametrize("bounding", [False, True])
def test_a_look_shows_what_the_mesh_of_it_shows(bounding, rng):
    volume = ss.Volume(hills(30, 5), 0.3)
    for _ in range(6):
        pose = pose_of(rotation(rng), rng.normal(size=3))
        middle = pose[:3, :3] @ (4.5, 4.5, 1.5) + pose[:3, 3]
        toward = rng.normal(size=3)
        eye = middle - toward / np.linalg.norm(toward) * rng.uniform(0, 6) + rng.normal(size=3)
        width, height = rng.uniform(1, 6, 2)
        view = ss.View(eye, toward, width=width, height=height, depth=rng.uniform(2, 12))
        seen = []
        for shape in (volume, mesh_of(volume)):
            scene = ss.Scene()
            scene.add(shape, pose)
            scene.add(ss.Sphere(0.5), middle)
            seen.append(scene.look(view, 48, bounding=bounding))
        mine, theirs = seen
        assert (mine.ids == theirs.ids).mean() > 0.999
        same = mine.ids == theirs.ids
        assert mine.depth[same] == pytest.approx(theirs.depth[same], abs=1e-9)
        shown = mine.faces[mine.ids == 0]
        assert volume.occupied.ravel()[shown].all()  # numbers of voxels
    assert (mine.ids == 0).any()


def test_a_search_finds_a_volume():
    scene = ss.Scene()
    fog = scene.add(ss.Volume(np.ones((3, 3, 3))), (0, 20, 0), name="fog")
    seen = scene.search(scene["fog"], ss.View((0, 0, 1.5), (1, 0, 0), width=4, height=4, depth=40))
    assert fog in seen
    assert seen.nearest == pytest.approx(20.0, abs=2.0)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sampled", "bounding"])
@pytest.mark.parametrize("turn", [False, True])
def test_radars_read_of_a_volume_what_they_read_of_its_mesh(method, turn, rng):
    hits = 0
    ground, lump = ss.Volume(hills(30, 7), 0.3), ss.Volume(hills(5, 8, 5), 0.3, origin=(-0.75, -0.75, -0.75))
    for k in range(6):
        pose = pose_of(rotation(rng), rng.normal(size=3))
        start = pose[:3, :3] @ (*rng.uniform(2, 7, 2), 6.0) + pose[:3, 3]
        down = pose[:3, :3] @ (0.3, 0.1, -5.0)
        motion = ss.Rotate(np.cross(down, rng.normal(size=3)), 2.0, about=start + 0.5 * down) if turn else ss.Translate(down)
        readings = []
        for number in (0, 1):
            shapes = [volume if number == 0 else mesh_of(volume) for volume in (ground, lump)]
            scene = ss.Scene()
            scene.add(shapes[0], pose)
            body = scene.add(shapes[1] if k % 2 else ss.Sphere(0.6), pose_of(pose[:3, :3], start))
            radar = ss.radar.Radar(scene, body, pixels=40, method=method)
            readings.append((radar.probe(motion), radar.probe(motion)))
        for mine, theirs in zip(*readings, strict=True):
            assert mine.hit is theirs.hit
            assert mine.travel == pytest.approx(theirs.travel, abs=1e-9)
            assert mine.overlapping is theirs.overlapping
            same = mine.ids == theirs.ids
            assert same.mean() > 0.995
            assert mine.range[same] == pytest.approx(theirs.range[same], abs=1e-9)
            hits += mine.hit
            if mine.hit and not mine.overlapping:
                assert np.linalg.norm(mine.normal) == pytest.approx(1.0)
    assert hits >= 4


def test_a_radar_notices_that_its_volume_has_changed():
    mover, wall = ss.Volume(np.ones((4, 4, 4))), ss.Volume(np.ones((4, 4, 4)))
    scene = ss.Scene()
    body = scene.add(mover)
    scene.add(wall, (0, 0, 10))
    radar = ss.radar.Radar(scene, body, pixels=20)
    up, round_it = ss.Translate((0, 0, 9)), ss.Rotate((1, 0, 0), 1.5, about=(0, -2, 2))
    assert radar.probe(up).travel == pytest.approx(6.0)
    before = radar.probe(round_it).travel
    mover[:, :, 3] = 0.0
    assert radar.probe(up).travel == pytest.approx(7.0)
    assert radar.probe(round_it).travel >= before
    wall[:, :, 0] = 0.0
    assert radar.probe(up).travel == pytest.approx(8.0)
    wall[1:3, 1:3, 0] = 1.0
    reading = radar.probe(up)
    assert reading.travel == pytest.approx(7.0)
    assert reading.normal == pytest.approx((0, 0, -1))
    assert reading.confirm().travel == pytest.approx(7.0)


def test_a_single_pixel_knows_the_side_it_sees():
    """One pixel has no slope: the normal is that of the voxel's side."""
    scene = ss.Scene()
    wall = scene.add(ss.Volume(np.ones((4, 4, 4))), pose_of(rotation(np.random.default_rng(3)), (0, 0, 0)))
    side = wall.pose[:3, 0]
    middle = wall.pose[:3, :3] @ (4, 2.2, 2.3)
    ball = scene.add(ss.Sphere(0.1), middle + 5 * side)
    reading = ss.radar.Radar(scene, ball, pixels=1).probe(ss.Translate(-9 * side))
    assert reading.travel == pytest.approx(4.9)
    assert reading.normal == pytest.approx(side)


# Prediction, and threads.


def test_prediction_as_for_the_mesh(rng):
    meetings = 0
    for _ in range(12):
        (one, pose, _), (other, there, _) = some_volume(rng, 3), some_volume(rng, 3)
        there[:3, 3] += (3, 0, 0)
        found = []
        for shapes in ((one, other), (mesh_of(one), mesh_of(other))):
            scene = ss.Scene()
            a, b = scene.add(shapes[0], pose), scene.add(shapes[1], there)
            spins = {a: ss.Screw((1, 0, 0), 0.1, slide=0.05), b: ss.Rotate((0, 0, 1), 0.07, about=(1, 1, 1))}
            found.append(scene.predict(spins, 60))
        assert len(found[0]) == len(found[1])
        for mine, theirs in zip(*found, strict=True):
            meetings += 1
            assert mine.time == pytest.approx(theirs.time, abs=1e-8)
            assert mine.overlapping is theirs.overlapping
    assert meetings >= 4


@pytest.mark.slow
def test_questions_from_many_threads():
    """Surfaces are made in the midst of questions: the answers are those of one thread."""
    volume = ss.Volume(hills(80, 9), 0.25)
    scene = ss.Scene()
    ground = scene.add(volume)
    places = [(x, y, 6.0) for x in np.linspace(1, 19, 8) for y in np.linspace(1, 19, 8)]
    balls = [scene.add(ss.Sphere(0.4), place) for place in places]
    down = ss.Translate((0.3, 0.2, -6.0))

    def ask(ball):
        return scene.sweep(ball, down).travel, scene.look(
            ss.View(ball.pose[:3, 3], (0, 0, -1), width=2, height=2, depth=7), 16
        ).nearest

    for k in range(3):
        volume[10 * k : 10 * k + 10, :, 8:] = False
        with ThreadPoolExecutor(4) as pool:
            many = list(pool.map(ask, balls))
        assert many == [ask(ball) for ball in balls]
    alone = [ss.radar.Radar(scene, ball, pixels=12).probe(down).travel for ball in balls]
    volume[0, 0, 0] = not volume[0, 0, 0]
    together = [reading.travel for reading in ss.radar.RadarSet(scene, balls, pixels=12).probe([down] * len(balls))]
    assert together == pytest.approx(alone, abs=1e-12)
    assert ground.bounds[1, 2] > 0.0
