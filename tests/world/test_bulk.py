"""Changes in bulk are changes one by one: the same bits, and all or nothing."""

import re

import numpy as np
import pytest
from scenery import pose_of, rotation

import sweepscope as ss
from sweepscope.scene import store_of

VIEW = ss.View((0, 0, 12), (0, 0, -1), width=16, height=16, depth=24, up=(0, 1, 0))


def _mesh(rng):
    """A bumpy ball, of any size, at times far from its own origin, at times with vertices that no face uses."""
    ball = ss.Mesh.sphere(rng.uniform(0.3, 1.0), rows=int(rng.integers(4, 9)), sections=int(rng.integers(4, 9)))
    places = ball.vertices * rng.uniform(0.7, 1.3, ball.vertices.shape) + rng.choice((0.0, 20.0)) * rng.normal(size=3)
    if rng.random() < 0.3:
        places = np.concatenate((places, rng.normal(size=(2, 3)) * 50.0))
    return ss.Mesh(places, ball.faces)


def _shapes(rng, count):
    shared = _mesh(rng)
    choices = (lambda: shared, lambda: _mesh(rng), lambda: ss.Box(rng.uniform(0.3, 1.0, 3)), lambda: ss.Sphere(0.4))
    return [choices[rng.integers(4)]() for _ in range(count)]


def _poses(rng, count):
    """Matrices, a third of them rounded to float32."""
    poses = np.stack([pose_of(rotation(rng), rng.uniform(-6, 6, 3)) for _ in range(count)])
    rounded = rng.random(count) < 0.3
    poses[rounded] = poses[rounded].astype(np.float32)
    return poses


def _new_vertices(rng, bodies):
    far = rng.choice((0.0, 0.0, 300.0))
    return [body.vertices * rng.uniform(0.8, 1.2, body.vertices.shape) + far * rng.normal(size=3) for body in bodies]


def _live(bodies):
    return [body for body in bodies if isinstance(body.shape, ss.Mesh)]


def _assert_same(one, other, rng):
    """Both scenes hold the same and answer the same, to the bit. Return how many sweeps hit."""
    hits = 0
    for a, b in zip(one.bodies, other.bodies, strict=True):
        np.testing.assert_array_equal(a.pose, b.pose)
        np.testing.assert_array_equal(a.bounds, b.bounds)
        np.testing.assert_array_equal(a.vertices, b.vertices)
    for key in ("poses", "boxes"):
        ours, theirs = (getattr(store_of(scene).world(), key) for scene in (one, other))
        np.testing.assert_array_equal(ours, theirs)
    for _ in range(6):
        k, target = rng.permutation(len(one))[:2]
        begin, end = (one.bodies[each].bounds.mean(axis=0) for each in (k, target))
        motion = ss.Translate(end - begin)
        first, second = one.sweep(one.bodies[k], motion), other.sweep(other.bodies[k], motion)
        assert (first is None) == (second is None)
        if first is not None:
            hits += 1
            assert (first.time, first.travel, first.obstacle.id) == (second.time, second.travel, second.obstacle.id)
            assert (first.overlapping, first.features) == (second.overlapping, second.features)
            np.testing.assert_array_equal(first.point, second.point)
            np.testing.assert_array_equal(first.normal, second.normal)
    ours, theirs = one.look(VIEW, 24), other.look(VIEW, 24)
    np.testing.assert_array_equal(ours.depth, theirs.depth)
    np.testing.assert_array_equal(ours.ids, theirs.ids)
    np.testing.assert_array_equal(ours.faces, theirs.faces)
    return hits


def test_bulk_is_one_by_one_to_the_bit(rng):
    hits = 0
    for _ in range(12):
        count = int(rng.integers(2, 12))
        shapes, poses = _shapes(rng, count), _poses(rng, count)
        one, other = ss.Scene(), ss.Scene()
        many = one.add_many(shapes, poses)
        singles = [other.add(shape, pose) for shape, pose in zip(shapes, poses, strict=True)]
        hits += _assert_same(one, other, rng)
        for _ in range(3):
            chosen = rng.permutation(count)[: rng.integers(1, count + 1)]
            poses = _poses(rng, len(chosen)) if rng.random() < 0.7 else rng.uniform(-6, 6, (len(chosen), 3))
            one.move([many[k] for k in chosen], poses)
            for k, pose in zip(chosen, poses, strict=True):
                singles[k].pose = pose
            live = _live(many)
            vertices = _new_vertices(rng, live)
            one.deform(live, vertices)
            for body, places in zip(_live(singles), vertices, strict=True):
                body.vertices = places
            hits += _assert_same(one, other, rng)
    assert hits > 200  # of 288


def test_every_form_of_poses(rng):
    scene = ss.Scene()
    bodies = scene.add_many(ss.Sphere(1), np.zeros((3, 3)))
    matrices = [pose_of(rotation(rng), rng.normal(size=3)) for _ in range(3)]
    places = rng.normal(size=(3, 3))
    for given, expected in (
        (matrices, matrices),
        (np.stack(matrices), matrices),
        (np.stack(matrices)[:, ::-1][:, ::-1], matrices),
        ([each.tolist() for each in matrices], matrices),
        (iter(matrices), matrices),
        ([matrices[0], places[1], (1, 2, 3)], [matrices[0], pose_of(np.eye(3), places[1]), pose_of(np.eye(3), (1, 2, 3))]),
        (places, [pose_of(np.eye(3), place) for place in places]),
        (places.tolist(), [pose_of(np.eye(3), place) for place in places]),
        (np.arange(9).reshape(3, 3), [pose_of(np.eye(3), place) for place in np.arange(9.0).reshape(3, 3)]),
        (matrices[1], [matrices[1]] * 3),
        (matrices[1].tolist(), [matrices[1]] * 3),
        ((4, 5, 6), [pose_of(np.eye(3), (4, 5, 6))] * 3),
    ):
        scene.move(bodies, given)
        for body, pose in zip(bodies, expected, strict=True):
            np.testing.assert_array_equal(body.pose, pose)
            assert not body.pose.flags.writeable


def test_a_pose_that_was_read_does_not_change(rng):
    scene = ss.Scene()
    body, other = scene.add_many([ss.Sphere(1), ss.Box((1, 1, 1))], [(1, 2, 3), (4, 5, 6)])
    before = body.pose
    assert body.pose is before
    given = np.stack([pose_of(rotation(rng), rng.normal(size=3)) for _ in range(2)])
    kept = given.copy()
    scene.move([body, other], given)
    given[:] = 0.0  # what was given is not held on to
    np.testing.assert_array_equal(before[:3, 3], (1, 2, 3))
    np.testing.assert_array_equal(body.pose, kept[0])
    scene.remove(other)
    np.testing.assert_array_equal(other.pose, kept[1])


def test_every_form_of_vertices(rng):
    mesh = ss.Mesh.sphere(0.5, rows=5, sections=6)
    scene = ss.Scene()
    bodies = scene.add_many(mesh, rng.normal(size=(4, 3)))
    new = mesh.vertices * rng.uniform(0.5, 1.5, (4, 1, 3))
    for given in (new, list(new), new.tolist(), np.asfortranarray(new), iter(new), [new[0].tolist(), *new[1:]]):
        scene.deform(bodies, mesh.vertices[None].repeat(4, axis=0))
        scene.deform(bodies, given)
        for body, vertices in zip(bodies, new, strict=True):
            np.testing.assert_array_equal(body.vertices, vertices)
    single = new.astype(np.float32)
    scene.deform(bodies, single)
    np.testing.assert_array_equal(bodies[3].vertices, single[3].astype(np.float64))
    assert mesh.vertices is not bodies[0].vertices
    np.testing.assert_array_equal(scene.add(mesh).vertices, mesh.vertices)  # the shape itself is as it was


def test_one_shape_for_all_and_names():
    scene = ss.Scene()
    ball = ss.Sphere(1)
    bodies = scene.add_many(ball, [(0, 0, 0), (5, 0, 0)], names=["a", "b"], group="balls")
    assert [body.name for body in bodies] == ["a", "b"]
    assert {body.group for body in bodies} == {"balls"}
    assert all(body.shape is ball for body in bodies)
    assert scene["b"] is bodies[1]
    more = scene.add_many([ball, ss.Box((1, 1, 1))])
    assert [body.name for body in more] == ["sphere 2", "box 3"]
    np.testing.assert_array_equal(more[1].pose, np.eye(4))


def test_nothing_is_fine():
    scene = ss.Scene()
    assert scene.add_many([]) == []
    assert scene.add_many([], []) == []
    assert scene.add_many(ss.Sphere(1), []) == []
    scene.move([], [])
    scene.move([], np.zeros((0, 4, 4)))
    scene.move([], np.zeros((0, 3)))
    scene.deform([], [])
    scene.deform([], np.zeros((0, 5, 3)))
    assert len(scene) == 0


def test_volumes_in_bulk_are_seen(rng):
    one, other = ss.Scene(), ss.Scene()
    volumes = [ss.Volume(rng.random((4, 4, 4)) < 0.5) for _ in range(3)]
    poses = rng.normal(size=(3, 3)) * 4.0
    many = one.add_many(volumes, poses)
    singles = [other.add(volume, pose) for volume, pose in zip(volumes, poses, strict=True)]
    for body, single in zip(many, singles, strict=True):
        np.testing.assert_array_equal(body.bounds, single.bounds)
    one.move(many, poses[::-1])
    for body, pose in zip(singles, poses[::-1], strict=True):
        body.pose = pose
    down = ss.Translate((0, 0, -20))
    for body, single in zip(many, singles, strict=True):
        first, second = one.sweep(body, down), other.sweep(single, down)
        assert (first and first.travel) == (second and second.travel)


@pytest.fixture
def row():
    """Three meshes and a box in a row; a mesh of another scene, and one that was removed."""
    scene = ss.Scene()
    mesh = ss.Mesh.sphere(0.4, rows=4, sections=5)
    scene.add_many([mesh, mesh, mesh, ss.Box((1, 1, 1))], [(2.0 * k, 0, 0) for k in range(4)], names=["a", "b", "c", "box"])
    return scene


SCALED = np.diag((2.0, 2.0, 2.0, 1.0))
MIRROR = np.diag((1.0, 1.0, -1.0, 1.0))
NOT_A_NUMBER = np.diag((1.0, 1.0, np.nan, 1.0))
LAST_ROW = np.eye(4) + np.eye(4)[3:]


@pytest.mark.parametrize(
    ("poses", "words"),
    [
        (np.stack((np.eye(4), np.eye(4), SCALED)), r"poses\[2\]: its 3x3 part is not a rotation"),
        ([np.eye(4), SCALED, np.eye(4)], r"poses\[1\]: its 3x3 part is not a rotation"),
        ([(0, 0, 0), SCALED, np.eye(4)], r"poses\[1\]: its 3x3 part is not a rotation"),
        (np.stack((MIRROR, np.eye(4), np.eye(4))), r"poses\[0\]: its 3x3 part mirrors"),
        (np.stack((np.eye(4), NOT_A_NUMBER, np.eye(4))), r"poses\[1\]\[2, 2\] is nan"),
        (np.stack((np.eye(4), np.eye(4), LAST_ROW)), r"poses\[2\]: the last row must be 0 0 0 1"),
        (np.array([(0, 0, 0), (0, np.inf, 0), (0, 0, 0)]), r"poses\[1\]\[1, 3\] is inf"),
        (np.array([(0, 0, 0), (0, 1e51, 0), (0, 0, 0)]), r"poses\[1\]\[1, 3\] is 1e\+51"),
        (np.eye(4)[None].repeat(2, axis=0), "poses: got 2 for 3 bodies; give one for each, or one for all"),
        (np.zeros((4, 3)), "poses: got 4 for 3 bodies"),
        ([], "poses: got 0 for 3 bodies"),
        (np.zeros((3, 4, 3)), r"poses: expected .*got \(3, 4, 3\)"),
        (np.zeros((3, 3), bool), "poses: expected .*got dtype bool"),
        (SCALED, "poses: its 3x3 part is not a rotation"),
        ((0, 0, np.nan), r"poses\[2, 3\] is nan"),
        ([(0, 0, 0), "here", (0, 0, 0)], r"poses\[1\]: expected a 4x4 or 3x4 matrix, or three numbers"),
        ([(0, 0, 0), None, (0, 0, 0)], r"poses\[1\]: expected a 4x4 or 3x4 matrix, or three numbers, got None"),
        ([(0, 0, 0), (0, 0), (0, 0, 0)], r"poses\[1\]: expected shape"),
        (None, "poses: expected .*got None"),
        ("here", "poses: expected .*got 'here'"),
        (5, "poses: expected .*got 5"),
    ],
)
def test_bad_poses_move_nothing(row, poses, words):
    bodies = row.bodies[:3]
    before = store_of(row).world().poses.copy(), store_of(row).world().boxes.copy()
    wrong_type = re.search("got dtype|or three numbers|got None|got 'here'|got 5", words)
    error = ss.errors.InvalidType if wrong_type else ss.errors.InvalidPose
    with pytest.raises(error, match=words):
        row.move(bodies, poses)
    if poses is not None:
        with pytest.raises(error, match=words):
            row.add_many([ss.Sphere(1)] * 3, poses)
    assert len(row) == 4
    np.testing.assert_array_equal(store_of(row).world().poses, before[0])
    np.testing.assert_array_equal(store_of(row).world().boxes, before[1])
    np.testing.assert_array_equal([body.pose[0, 3] for body in bodies], (0, 2, 4))


def test_bad_bodies_change_nothing(row):
    a, b, c, box = row.bodies
    stranger = ss.Scene().add(ss.Mesh.sphere(0.4, rows=4, sections=5))
    row.remove(c)
    robot = ss.Robot(row, name="arm")
    robot.add("base", ss.Box((1, 1, 1)))
    part = row.bodies[-1]
    for bodies, error, words in (
        ([a, stranger], ss.errors.NotFound, r"bodies\[1\]: .* is in another scene"),
        ([a, c], ss.errors.NotFound, r"bodies\[1\]: .* was removed"),
        ([a, 7], ss.errors.InvalidType, r"bodies\[1\]: expected a Body of this scene, got 7"),
        ([a, b, a], ss.errors.InvalidQuery, r"bodies\[2\]: body 0 \('a'\) is bodies\[0\] already"),
        (a, ss.errors.InvalidType, "bodies: expected bodies of this scene"),
        (None, ss.errors.InvalidType, "bodies: expected bodies of this scene, got None"),
    ):
        count = len(bodies) if isinstance(bodies, list) else 1
        with pytest.raises(error, match=words):
            row.move(bodies, np.ones((count, 3)))
        with pytest.raises(error, match=words):
            row.deform(bodies, [2.0 * a.vertices] * count)
    with pytest.raises(ss.errors.InvalidPose, match=r"bodies\[1\]: body '.*' is a part of robot 'arm'"):
        row.move([a, part], np.ones((2, 3)))
    with pytest.raises(ss.errors.InvalidGeometry, match=r"bodies\[1\]: body 3 \('box'\) is a Box; only a Mesh"):
        row.deform([a, box], [a.vertices, box.vertices])
    np.testing.assert_array_equal([each.pose[0, 3] for each in (a, b, box)], (0, 2, 6))
    np.testing.assert_array_equal(a.vertices, ss.Mesh.sphere(0.4, rows=4, sections=5).vertices)


def test_bad_vertices_change_nothing(row):
    bodies = row.bodies[:3]
    good = bodies[0].vertices
    spoilt = good.copy()
    spoilt[4, 1] = np.nan
    for vertices, words in (
        ([good, good], "vertices: got 2 for 3 bodies"),
        ([2.0 * good, good, good[1:]], rf"vertices\[2\]: body 2 \('c'\) has {len(good)}, got {len(good) - 1}"),
        ([2.0 * good, good, spoilt], r"vertices\[2\]\[4, 1\] is nan"),
        (np.stack((2.0 * good, spoilt, good)), r"vertices\[1\]\[4, 1\] is nan"),
        (np.stack((good, good, good))[:, 1:], rf"vertices\[0\]: body 0 \('a'\) has {len(good)}"),
        (np.stack((good, good, good))[:, :, :2], r"vertices\[0\]: expected shape \(n, 3\)"),
        (good, f"vertices: got {len(good)} for 3 bodies"),
        ([2.0 * good, good, np.ma.masked_array(good, np.isnan(spoilt))], r"vertices\[2\]: has masked entries"),
    ):
        with pytest.raises(ss.errors.InvalidGeometry, match=words):
            row.deform(bodies, vertices)
        for body in bodies:
            np.testing.assert_array_equal(body.vertices, good)
    for vertices in (None, np.array(3.0)):
        with pytest.raises(ss.errors.InvalidType, match="vertices: expected an array for each body, got"):
            row.deform(bodies, vertices)
    with pytest.raises(ss.errors.InvalidType, match=r"vertices\[2\]: expected"):
        row.deform(bodies, [2.0 * good, good, "x"])
    np.testing.assert_array_equal(bodies[0].vertices, good)


def test_bad_new_bodies_add_nothing(row):
    ball = ss.Sphere(1)
    for given, options, error, words in (
        (([ball, 5],), {}, ss.errors.InvalidType, r"shapes\[1\]: expected a Mesh, Box"),
        ((5,), {}, ss.errors.InvalidType, "shapes: expected shapes"),
        (([ball, ball],), {"names": ["x"]}, ss.errors.InvalidQuery, "names: got 1 for 2 bodies"),
        (([ball, ball],), {"names": ["x", "a"]}, ss.errors.InvalidQuery, r"names\[1\]: 'a' is taken"),
        (([ball, ball],), {"names": ["x", "x"]}, ss.errors.InvalidQuery, r"names\[1\]: 'x' is names\[0\] already"),
        (([ball, ball],), {"names": ["x", 3]}, ss.errors.InvalidType, r"names\[1\]: expected a str, got 3"),
        (([ball, ball],), {"names": "xy"}, ss.errors.InvalidType, "names: expected a str for each body"),
        (([ball, ball],), {"group": 3}, ss.errors.InvalidType, "group: expected a str"),
        ((ball,), {}, ss.errors.InvalidType, "poses: expected a pose for each body, got None"),
    ):
        with pytest.raises(error, match=words):
            row.add_many(*given, **options)
        assert len(row) == 4
    assert row.add(ball).id == 4


def test_a_hit_makes_its_details_once_and_stays_as_it_was(row):
    a, b, *_ = row.bodies
    hit = row.sweep(a, ss.Translate((5, 0, 0)))
    row.move([a, b], [(0, 9, 0), (9, 9, 9)])
    row.deform([b], [2.0 * b.vertices])
    assert hit.obstacle is b
    assert hit.point is hit.point
    assert 1.5 < hit.point[0] < 2.0
    assert hit.features[1].kind in ("vertex", "edge", "face")
    assert hit.normal @ (-1, 0, 0) > 0.5
    with pytest.raises(AttributeError):
        hit.point = 3
    with pytest.raises(AttributeError, match="no attribute 'place'"):
        _ = hit.place
