"""Clash tests: every degenerate case of a building, the filters, the order, what is live, and bad inputs."""

import threading

import numpy as np
import pytest

import sweepscope as ss

BOX = ss.Box((1, 1, 1))
MESH = ss.Mesh.box((1, 1, 1))
WALL = ss.Box((4, 0.2, 3))
SLAB = ss.Box((6, 6, 0.25))
TAU = 1e-3


def sheet(x, y):
    """Return an open mesh of two triangles in the plane z = 0."""
    return ss.Mesh([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], [(0, 1, 2), (0, 2, 3)])


def tube(inner, outer, length, sections=16):
    """Return a pipe along z with a bore: concave, closed."""
    turn = 2.0 * np.pi * np.arange(sections) / sections
    ring = np.column_stack((np.cos(turn), np.sin(turn)))
    points = [np.column_stack((r * ring, np.full(sections, z))) for r in (outer, inner) for z in (-0.5 * length, 0.5 * length)]
    faces = []
    for i in range(sections):
        j = (i + 1) % sections
        a, b, c, d = (k * sections for k in range(4))  # outer low, outer high, inner low, inner high
        for p, q, r, s in (
            (a + i, a + j, b + j, b + i),
            (c + j, c + i, d + i, d + j),
            (a + j, a + i, c + i, c + j),
            (b + i, b + j, d + j, d + i),
        ):
            faces += [(p, q, r), (p, r, s)]
    return ss.Mesh(np.concatenate(points), faces)


def holed_wall(half, hole, thick):
    """Return a wall in the x, z plane with a square hole, as a closed mesh."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    points = [
        np.column_stack((s * corners[:, 0], np.full(4, y), s * corners[:, 1])) for s in (half, hole) for y in (-thick, thick)
    ]
    faces = []
    for i in range(4):
        j = (i + 1) % 4
        a, b, c, d = (4 * k for k in range(4))
        for p, q, r, s in (
            (a + i, b + i, b + j, a + j),
            (c + j, d + j, d + i, c + i),
            (a + i, a + j, c + j, c + i),
            (b + j, b + i, d + i, d + j),
        ):
            faces += [(p, q, r), (p, r, s)]
    return ss.Mesh(np.concatenate(points), faces)


HOLED = holed_wall(1.0, 0.3, 0.1)
ALONG_Y = ss.Rotate((1, 0, 0), np.pi / 2).at()


def along_y(x=0.0, y=0.0, z=0.0):
    pose = ALONG_Y.copy()
    pose[:3, 3] = x, y, z
    return pose


# Name: the first, the second and its pose, the kind, which is inside, and whether it is on the list of a limit of 0.1.
CASES = {
    "coincident boxes": (BOX, BOX, (0, 0, 0), "duplicate"),
    "coincident meshes of other triangles": (BOX, ss.Mesh.box((1, 1, 1)), (0, 0, 0), "duplicate"),
    "walls on one axis that overlap": (WALL, WALL, (3.95, 0, 0), "crossing"),  # IfcOpenShell#4594
    "walls on one axis, end to end": (WALL, WALL, (4.0, 0, 0), "touching"),
    "walls in a corner, one too long": (WALL, ss.Box((0.2, 4, 3)), (1.9, 1.95, 0), "crossing"),
    "walls in a corner, flush": (WALL, ss.Box((0.2, 4, 3)), (1.9, 2.1, 0), "touching"),
    "coplanar slabs that overlap": (SLAB, SLAB, (5.5, 5.5, 0), "crossing"),
    "coplanar slabs side by side": (SLAB, SLAB, (6.0, 1.0, 0), "touching"),
    "box flush on a face": (BOX, BOX, (0.3, 0.2, 1.0), "touching"),
    "edge on edge": (BOX, BOX, (1.0, 1.0, 0.2), "touching"),
    "corner on corner": (BOX, BOX, (1.0, 1.0, 1.0), "touching"),
    "box in a box": (BOX, ss.Box((0.3, 0.3, 0.3)), (0.1, 0.1, 0.1), "inside"),
    "box round a box": (ss.Box((0.3, 0.3, 0.3)), BOX, (0.1, 0.1, 0.1), "inside"),
    "box in a box on a common face": (BOX, ss.Box((0.5, 0.5, 0.5)), (0.25, 0.1, 0.1), "inside"),
    "box in a corner of a box": (BOX, ss.Box((0.5, 0.5, 0.5)), (0.25, 0.25, 0.25), "inside"),
    "box as wide as a box": (BOX, ss.Box((1, 1, 0.5)), (0, 0, 0), "inside"),
    "box in a room": (ss.Mesh(MESH.vertices, MESH.faces, solid=False), ss.Box((0.3, 0.3, 0.3)), (0, 0, 0), "apart"),
    "wall through a slab": (SLAB, WALL, (0, 0, 0.3), "crossing"),
    "wall on a slab": (SLAB, WALL, (0, 0, 1.625), "touching"),
    "pipe through a wall": (WALL, tube(0.1, 0.15, 2.0), along_y(), "crossing"),
    "pipe through a hole": (HOLED, tube(0.1, 0.25, 2.0), along_y(), "apart"),
    "pipe that scrapes a hole": (HOLED, tube(0.1, 0.15, 2.0), along_y(x=0.2), "crossing"),
    "pipe in a pipe": (tube(0.2, 0.3, 2.0), tube(0.05, 0.15, 2.0), (0, 0, 0), "apart"),
    "plug flush in a hole": (HOLED, ss.Box((0.6, 0.2, 0.6)), (0, 0, 0), "touching"),
    "plug too large for a hole": (HOLED, ss.Box((0.64, 0.2, 0.64)), (0, 0, 0), "crossing"),
    "duct in a wall, concave": (HOLED, ss.Box((0.2, 0.1, 0.2)), (0.6, 0, 0), "inside"),
    "sheets that cross": (sheet(1, 1), sheet(1, 1), ALONG_Y, "crossing"),
    "sheets in one plane": (sheet(1, 1), sheet(1, 1), (0.5, 0.5, 0), "touching"),
    "sheets one over the other": (sheet(1, 1), sheet(1, 1), (0, 0, 0.05), "apart"),
    "sheet through a box": (BOX, sheet(1, 1), (0, 0, 0), "crossing"),
    "sheet in a box": (BOX, sheet(0.2, 0.2), (0, 0, 0), "inside"),
    "sheet flush on a box": (BOX, sheet(0.4, 0.4), (0, 0, 0.5), "touching"),
    "sphere in a box": (BOX, ss.Sphere(0.2), (0.1, 0, 0), "inside"),
    "sphere that touches a box from inside": (BOX, ss.Sphere(0.2), (0.3, 0, 0), "inside"),
    "sphere through a face": (BOX, ss.Sphere(0.2), (0.4, 0, 0), "crossing"),
    "box in a sphere": (ss.Sphere(1.0), ss.Box((0.3, 0.3, 0.3)), (0.2, 0, 0), "inside"),
    "sphere in a sphere": (ss.Sphere(1.0), ss.Sphere(0.3), (0.2, 0, 0), "inside"),
    "equal spheres": (ss.Sphere(1.0), ss.Sphere(1.0), (0, 0, 0), "duplicate"),
    "spheres that touch": (ss.Sphere(1.0), ss.Sphere(0.5), (1.5, 0, 0), "touching"),
    "capsule in a capsule": (ss.Capsule(0.5, 2.0), ss.Capsule(0.1, 1.0), (0.1, 0, 0), "inside"),
    "points in a box": (BOX, ss.PointCloud([(0, 0, 0), (0.1, 0, 0)]), (0, 0, 0), "inside"),
    "points in and out of a box": (BOX, ss.PointCloud([(0, 0, 0), (9, 0, 0)]), (0, 0, 0), "crossing"),
    "near within the limit": (BOX, BOX, (1.05, 0, 0), "apart"),
    "volumes that share a voxel": (ss.Volume(np.ones((4, 4, 4), bool), 0.25), ss.Volume(np.ones((4, 4, 4), bool), 0.25), (0.75, 0.75, 0.75), "crossing"),
    "volumes side by side": (ss.Volume(np.ones((4, 4, 4), bool), 0.25), ss.Volume(np.ones((4, 4, 4), bool), 0.25), (1.0, 0.25, 0), "touching"),
    "equal volumes": (ss.Volume(np.ones((4, 4, 4), bool), 0.25), ss.Volume(np.ones((4, 4, 4), bool), 0.25), (0, 0, 0), "duplicate"),
    "box in a volume": (ss.Volume(np.ones((4, 4, 4), bool), 0.25), ss.Box((0.3, 0.3, 0.3)), (0.5, 0.5, 0.5), "inside"),
}  # fmt: skip
OVERLAPPING = ("crossing", "inside", "duplicate")


def pair_of(one, other, pose, tolerance=None):
    scene = ss.Scene(tolerance=tolerance)
    scene.add(one, name="one")
    scene.add(other, pose, name="other")
    return scene.overlaps(limit=0.5)


@pytest.mark.parametrize("swapped", [False, True], ids=["", "swapped"])
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
@pytest.mark.parametrize("name", CASES)
def test_a_degenerate_case(name, turned, swapped):
    one, other, pose, kind = CASES[name]
    frame = ss.Rotate((1, 2, 3), 0.7, about=(3, 1, 2)).at() if turned else np.eye(4)
    scene = ss.Scene(tolerance=1e-6 if turned else None)
    matrix = np.eye(4)
    if np.shape(pose) == (3,):
        matrix[:3, 3] = pose
    else:
        matrix = np.asarray(pose)
    shapes = [("one", one, frame), ("other", other, frame @ matrix)]
    for name_of, shape, where in reversed(shapes) if swapped else shapes:
        scene.add(shape, where, name=name_of)
    (pair,) = scene.overlaps(limit=0.5)
    assert pair.kind == kind, pair
    assert pair.overlapping == (kind in OVERLAPPING)
    inner = "one" if "round" in name else "other"
    assert (pair.inner and pair.inner.name) == (inner if kind == "inside" else None)
    assert (pair.distance > 0.0) == (kind == "apart") or kind == "touching"
    assert bool(scene.overlaps()) == pair.overlapping
    assert bool(scene.overlaps(limit=0.0)) == (kind != "apart")
    hit = scene.sweep(scene.bodies[0], ss.Translate((0, 0, 0)))
    assert (hit is not None and hit.overlapping) == pair.overlapping
    near = scene.distance(*scene.bodies)
    assert near.kind == pair.kind
    assert near.distance == pair.distance


@pytest.mark.parametrize("depth", [-2.0, -0.9, -0.5, 0.0, 0.5, 0.99, 1.02, 1.5, 100.0])
def test_a_tiny_protrusion_counts_from_one_tolerance_on(depth):
    (pair,) = pair_of(SLAB, WALL, (0.5, 0.5, 1.625 - depth * TAU), TAU)
    assert pair.kind == ("apart" if depth < -1.0 else "touching" if depth <= 1.0 else "crossing")
    if depth < 0.0:
        assert pair.distance == pytest.approx(-depth * TAU, rel=1e-6)
        assert pair.normal == pytest.approx((0, 0, -1))


def test_a_limit_counts_up_to_rounding():
    scene = ss.Scene()
    scene.add(BOX)
    other = scene.add(BOX, (1.1, 0, 0))
    assert len(scene.overlaps(limit=0.1)) == 1
    other.pose = (1.1 + 1e-9, 0, 0)
    assert not scene.overlaps(limit=0.1)


def test_many_duplicates():
    scene = ss.Scene()
    scene.add_many(MESH, np.zeros((30, 3)))
    pairs = scene.overlaps()
    assert len(pairs) == 30 * 29 // 2
    assert {pair.kind for pair in pairs} == {"duplicate"}


def _hall(rng, count=700):
    """Return a scene with a hierarchy of bodies: boxes, pipes and balls, of which some clash."""
    scene = ss.Scene()
    shapes = [BOX, tube(0.1, 0.2, 3.0, 8), ss.Sphere(0.4), ss.Capsule(0.1, 1.0)]
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, 3] = rng.uniform(0, 14, (count, 3))
    for k in range(count):
        poses[k, :3, :3] = ss.Rotate(rng.normal(size=3), rng.uniform(0, 3)).at()[:3, :3]
    scene.add_many([shapes[k % 4] for k in range(count)], poses, group="all")
    return scene


def _plain(pairs):
    return [(p.first.id, p.second.id, p.kind, p.distance, p.first_point.tolist(), p.second_point.tolist()) for p in pairs]


def test_order_parts_and_threads(rng):
    scene = _hall(rng)
    every = scene.overlaps(limit=0.1)
    assert len(every) > 100
    assert {pair.kind for pair in every} >= {"crossing", "apart"}
    ids = [(pair.first.id, pair.second.id) for pair in every]
    assert ids == sorted(set(ids))
    assert all(one < other for one, other in ids)
    for threads in (1, 2, 3):
        assert _plain(scene.overlaps(limit=0.1, threads=threads)) == _plain(every)
    assert _plain(scene.overlaps()) == [row for row in _plain(every) if row[2] in OVERLAPPING]
    some, rest = scene.bodies[::3], scene.bodies[1::3]
    ids_of = {body.id for body in some}, {body.id for body in rest}
    assert _plain(scene.overlaps(list(some), limit=0.1)) == [r for r in _plain(every) if ids_of[0] & {r[0], r[1]}]
    between = [r for r in _plain(every) if len(ids_of[0] & {r[0], r[1]}) == 1 and len(ids_of[1] & {r[0], r[1]}) == 1]
    assert _plain(scene.overlaps(list(some), list(rest), limit=0.1)) == between
    assert _plain(scene.overlaps(list(rest), list(some), limit=0.1)) == between
    one = scene.bodies[4]
    assert _plain(scene.overlaps(one, limit=0.1)) == [row for row in _plain(every) if one.id in row[:2]]
    ignored = scene.bodies[:100]
    left = [row for row in _plain(every) if row[0] >= 100]
    assert _plain(scene.overlaps(limit=0.1, ignore=ignored)) == left
    calls = []
    scene.overlaps(limit=0.1, progress=lambda done, count: calls.append((done, count)))
    assert calls[-1][0] == calls[-1][1] >= len(every)


def test_a_body_both_in_bodies_and_others():
    scene = ss.Scene()
    a, b, c = (scene.add(BOX, (0.1 * k, 0, 0)) for k in range(3))
    assert [pair.bodies for pair in scene.overlaps([a, b], [a, b])] == [(a, b)]
    assert [pair.bodies for pair in scene.overlaps(c, [a, c])] == [(a, c)]
    assert scene.overlaps(a, a) == []


def test_filters_count():
    scene = ss.Scene()
    a, b, c = (scene.add(BOX, (0.1 * k, 0, 0), group=group) for k, group in enumerate(("wall", "pipe", "pipe")))
    assert len(scene.overlaps()) == 3
    scene.ignore_groups("pipe", "pipe")
    assert [pair.bodies for pair in scene.overlaps()] == [(a, b), (a, c)]
    scene.ignore(b, a)
    assert [pair.bodies for pair in scene.overlaps()] == [(a, c)]
    assert scene.overlaps(ignore=[c]) == []
    scene.unignore(a, b)
    assert [pair.bodies for pair in scene.overlaps(b)] == [(a, b)]


def test_it_is_live(rng):
    scene = _hall(rng, 600)
    assert _plain(scene.overlaps()) == _plain(scene.overlaps())
    volume = ss.Volume(np.zeros((4, 4, 4), bool), 1.0)
    block = scene.add(volume, (100, 0, 0))
    ball = scene.add(ss.Mesh.sphere(0.3), (101.5, 1.5, 1.5))
    assert scene.overlaps(ball) == []
    volume[1, 1, 1] = True
    (pair,) = scene.overlaps(ball)
    assert (pair.kind, pair.inner) == ("inside", ball)
    ball.vertices = 2.0 * ball.vertices
    (pair,) = scene.overlaps(block)
    assert (pair.kind, pair.inner) == ("crossing", None)
    assert pair.features[0].voxel == (1, 1, 1)
    ball.pose = (110, 0, 0)
    assert scene.overlaps(ball) == []
    other = scene.add(BOX, (110, 0, 0))
    assert [each.bodies for each in scene.overlaps(other)] == [(ball, other)]
    scene.remove(ball)
    assert scene.overlaps(other) == []


def test_one_body_among_many_that_come_and_go(rng):
    scene = _hall(rng, 600)
    for body in scene.bodies[::7]:
        scene.remove(body)
    some = scene.bodies[3]
    scene[scene.bodies[5].name].pose = some.pose
    every = _plain(scene.overlaps(limit=0.1))
    assert _plain(scene.overlaps(some, limit=0.1)) == [row for row in every if some.id in row[:2]]
    assert any(row[2] in OVERLAPPING for row in every if some.id in row[:2])


def test_threads_may_ask_at_once(rng):
    scene = _hall(rng)
    expected = _plain(scene.overlaps(limit=0.05))
    found = []

    def ask():
        found.append(_plain(scene.overlaps(limit=0.05)))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_empty_scenes_and_bodies():
    scene = ss.Scene()
    assert scene.overlaps() == []
    scene.add(ss.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int)))
    scene.add(ss.PointCloud(np.zeros((0, 3))))
    scene.add(BOX)
    assert scene.overlaps(limit=1.0) == []


def test_plain_data():
    (pair,) = pair_of(BOX, ss.Box((0.3, 0.3, 0.3)), (0, 0, 0))
    told = pair.as_dict()
    assert (told["first"], told["second"], told["kind"], told["inner"]) == ("one", "other", "inside", "other")
    assert repr(pair) == "<PairDistance: 'other' is inside 'one'>"
    assert repr(pair_of(BOX, BOX, (0, 0, 0))[0]) == "<PairDistance: 'one' and 'other' are duplicates>"
    assert repr(pair_of(BOX, BOX, (0.5, 0, 0))[0]) == "<PairDistance: 'one' and 'other' cross>"
    assert repr(pair_of(BOX, BOX, (1, 0, 0))[0]) == "<PairDistance: 'one' and 'other' touch>"
    assert repr(pair_of(BOX, BOX, (1.25, 0, 0))[0]) == "<PairDistance: 'one' and 'other' are 0.25 apart>"


def test_bad_inputs():
    scene, foreign = ss.Scene(), ss.Scene()
    box = scene.add(BOX, name="box")
    stranger = foreign.add(BOX, name="stranger")
    for arguments, error, message in [
        ({"limit": -1.0}, ss.errors.InvalidQuery, "limit"),
        ({"limit": np.nan}, ss.errors.InvalidQuery, "limit"),
        ({"limit": "near"}, ss.errors.InvalidType, "limit"),
        ({"bodies": stranger}, ss.errors.NotFound, "bodies"),
        ({"bodies": [box, "box"]}, ss.errors.InvalidType, r"bodies\[1\]"),
        ({"bodies": []}, ss.errors.InvalidQuery, "bodies"),
        ({"others": [box, box]}, ss.errors.InvalidQuery, "others"),
        ({"ignore": [stranger]}, ss.errors.NotFound, r"ignore\[0\]"),
        ({"threads": 0}, ss.errors.InvalidQuery, "threads"),
        ({"progress": 3}, ss.errors.InvalidType, "progress"),
    ]:
        with pytest.raises(error, match=message):
            scene.overlaps(**arguments)
    coarse = ss.Scene(tolerance=0.1)
    coarse.add(ss.Box((100, 100, 100)))
    coarse.add(BOX, (0, 0, 70), name="small")
    with pytest.raises(ss.errors.InvalidQuery, match=r"'small'.* measures 1\.73"):
        coarse.overlaps()
    assert coarse.overlaps(ignore=[coarse["small"]]) == []


SHAPES = {
    "mesh": MESH,
    "cloud": ss.PointCloud([(0, 0, 0), (0.1, 0.1, 0.1)], 0.05),
    "sphere": ss.Sphere(0.5),
    "capsule": ss.Capsule(0.3, 0.8),
    "volume": ss.Volume(np.ones((4, 4, 4), bool), 0.25, origin=(-0.5, -0.5, -0.5)),
    "fan": ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=3.0, inner=0.0, outer=0.6, half_thickness=0.2),
}


@pytest.mark.parametrize("other", SHAPES)
@pytest.mark.parametrize("one", SHAPES)
def test_overlap_of_any_two_shapes(one, other, rng):
    poses = np.tile(np.eye(4), (12, 1, 1))
    poses[:, :3, 3] = rng.uniform(-1.2, 1.2, (12, 3))
    poses[0, :3, 3] = 0.05
    poses[1, :3, 3] = 5.0
    for pose in poses[6:]:
        pose[:3, :3] = ss.Rotate(rng.normal(size=3), 1.0).at()[:3, :3]
    sense = {"sense": "cubes"} if one == other == "volume" else {}
    found = ss.overlap_many(SHAPES[one], SHAPES[other], poses.reshape(3, 4, 4, 4), **sense)
    assert found.shape == (3, 4)
    assert found.ravel()[0]
    assert not found.ravel()[1]
    for pose, answer in zip(poses, found.ravel(), strict=True):
        assert bool(ss.overlap(SHAPES[one], SHAPES[other], pose, **sense)) == answer
        assert bool(ss.overlap(SHAPES[other], SHAPES[one], np.linalg.inv(pose), **sense)) == answer
        scene = ss.Scene()
        scene.add(SHAPES[one])
        scene.add(SHAPES[other], pose)
        assert bool(scene.overlaps()) == answer


def test_bad_inputs_of_overlap():
    scene = ss.Scene()
    body = scene.add(BOX, name="box")
    for call, error, message in [
        (lambda: ss.overlap(BOX, 3), ss.errors.InvalidType, "b: expected a Mesh"),
        (lambda: ss.overlap(BOX, body), ss.errors.InvalidType, "scene.overlaps"),
        (lambda: ss.overlap(body, body), ss.errors.InvalidQuery, "scene.overlaps"),
        (lambda: ss.overlap(BOX, BOX, (0, 0, np.nan)), ss.errors.InvalidPose, "pose"),
        (lambda: ss.overlap(BOX, BOX, sense="cubes"), ss.errors.InvalidQuery, "accepted if a and b are volumes"),
        (lambda: ss.overlap_many(BOX, BOX, [(0, 0, 0)], culls=["box"]), ss.errors.InvalidQuery, "accepted if a and b are"),
    ]:
        with pytest.raises(error, match=message):
            call()
