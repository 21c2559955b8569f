"""`scene.signed_distance` and `scene.surface_distance`: known answers, shapes, several bodies, changes, errors."""

import threading

import numpy as np
import pytest
from sweepscope_lab.reference.point_cases import ball, box, merged, subdivided

import sweepscope as ss

FIELDS = ("distance", "point", "normal", "body", "face", "kind")


def one(shape, pose=None):
    scene = ss.Scene()
    return scene, scene.add(shape, pose, name="it")


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name), equal_nan=name in ("point", "normal")) for name in FIELDS)


def test_of_a_box():
    scene, it = one(ss.Box((2, 4, 6)), (10, 0, 0))
    found = scene.signed_distance([(10, 0, 5), (10.5, 0, 0), (12, 3, 0), (12, 3, 4), (11, 0.3, 0.2)])
    assert found.distance == pytest.approx([2.0, -0.5, np.sqrt(2), np.sqrt(3), 0.0])
    assert found.point == pytest.approx(np.array([(10, 0, 3), (11, 0, 0), (11, 2, 0), (11, 2, 3), (11, 0.3, 0.2)]))
    axis = np.array((1, 1, 1)) / np.sqrt(3)
    assert found.normal == pytest.approx(np.array([(0, 0, 1), (1, 0, 0), (np.sqrt(0.5), np.sqrt(0.5), 0), axis, (1, 0, 0)]))
    assert found.kind.tolist() == [3, 3, 2, 1, 3]
    assert (found.body == it.id).all()
    assert found.inside.tolist() == [False, True, False, False, False]
    assert repr(found) == "<PointDistances: least -0.5, 1 of 5 inside, shape (5,)>"


def test_of_round_shapes():
    scene, _ = one(ss.Sphere(2.0), (0, 0, 1))
    found = scene.signed_distance([(0, 0, 4), (0, 0, 2), (0, 0, 1)])
    assert found.distance == pytest.approx([1.0, -1.0, -2.0])
    assert found.point[:2] == pytest.approx(np.array([(0, 0, 3), (0, 0, 3)]))
    assert found.normal[:2] == pytest.approx(np.array([(0, 0, 1), (0, 0, 1)]))
    assert np.isnan(found.normal[2]).all()  # all directions lead out
    assert np.isnan(found.point[2]).all()
    assert scene.surface_distance((0, 0, 2)).distance == 0.0
    scene, _ = one(ss.Capsule(0.5, 2.0))
    found = scene.signed_distance([(2, 0, 0.5), (0, 0, 2), (0.1, 0, 0)])
    assert found.distance == pytest.approx([1.5, 0.5, -0.4])
    assert found.kind.tolist() == [2, 1, 2]
    scene, _ = one(ss.PointCloud([(0, 0, 0), (3, 0, 0)], radius=1.0))
    assert scene.signed_distance([(3.5, 0, 0), (1.5, 0, 0)]).distance == pytest.approx([-0.5, 0.5])


def test_of_volumes():
    volume = ss.Volume(np.ones((4, 4, 4), bool), 0.5)  # from 0 to 2
    scene, _ = one(volume)
    points = [(1, 1, 3), (1.1, 1.2, 1.7), (0.9, -1, 1.2)]
    found = scene.signed_distance(points)
    assert found.distance == pytest.approx([1.0, -0.3, 1.0])
    assert [np.unravel_index(k, (4, 4, 4)) for k in found.face[1:].tolist()] == [(2, 2, 3), (1, 0, 2)]
    volume[:, :, 2:] = False
    assert scene.signed_distance(points).distance[:2] == pytest.approx([2.0, 0.7])
    volume[...] = False
    assert np.isinf(scene.signed_distance(points).distance).all()


def test_the_cube_that_one_ray_gets_wrong():
    """Open3D#5105: rays along the axes and through corners and edges."""
    vertices, faces = subdivided(*box(-np.ones(3), np.ones(3)), 2)
    scene, _ = one(ss.Mesh(vertices, faces))
    grid = np.stack(np.meshgrid(*[np.linspace(-2, 2, 17)] * 3, indexing="ij"), axis=-1)
    found = scene.signed_distance(grid)
    outside = np.maximum(np.abs(grid) - 1.0, 0.0)
    true = np.linalg.norm(outside, axis=-1) + np.minimum(np.abs(grid).max(axis=-1) - 1.0, 0.0)
    assert found.shape == (17, 17, 17)
    assert found.distance == pytest.approx(true, abs=1e-15)


def test_meshes_that_cross_themselves_and_cavities(rng):
    solid, other = ball(rng, 16, 0.0), ball(rng, 14, 0.0)
    crossing = merged(solid, (other[0] + (0.5, 0, 0), other[1]))
    hollow = merged(solid, (0.5 * other[0], other[1][:, ::-1]))
    points = [(0.25, 0, 0), (0.95, 0, 0), (3, 0, 0), (0.7, 0.01, 0.02), (0.1, 0, 0)]
    for mesh, inside in ((crossing, [1, 1, 0, 1, 1]), (hollow, [0, 1, 0, 1, 0])):
        for faces in (mesh[1], mesh[1][:, ::-1]):  # also turned inside out
            scene, _ = one(ss.Mesh(mesh[0], faces))
            assert scene.signed_distance(points).inside.tolist() == inside


def test_normals_on_the_surface():
    for faces in (ss.Mesh.box((2, 2, 2)).faces, ss.Mesh.box((2, 2, 2)).faces[:, ::-1]):
        scene, _ = one(ss.Mesh(ss.Mesh.box((2, 2, 2)).vertices, faces))
        found = scene.signed_distance([(1, 0.2, 0.3), (-1, 0.2, 0.3), (1, 1, 0.3)])
        assert np.abs(found.distance).max() <= 1e-15
        assert found.normal[:2] == pytest.approx(np.array([(1, 0, 0), (-1, 0, 0)]))
        assert np.abs(found.normal[2]).tolist() in ([1, 0, 0], [0, 1, 0])
        assert found.normal[2].sum() == 1.0  # outwards
    assert np.isnan(scene.surface_distance((1, 0.2, 0.3)).normal).all()


def test_leading_shapes_and_rows(rng):
    scene, it = one(ss.Mesh.sphere(1.0), (0.3, 0, 0))
    scene.add(ss.Box((1, 1, 1)), (2, 0, 0))
    points = rng.normal(size=(3, 5, 3)) * 2.0
    found = scene.signed_distance(points)
    assert found.shape == found.distance.shape == (3, 5)
    assert found.point.shape == found.normal.shape == (3, 5, 3)
    assert found.body.shape == found.face.shape == found.kind.shape == (3, 5)
    assert len(found) == 3
    for i in range(3):
        for j in range(5):
            single = scene.signed_distance(points[i, j])
            assert single.shape == ()
            assert same(found[i, j], single)
    assert same(found[1:, 2], scene.signed_distance(points[1:, 2]))
    assert scene.signed_distance(np.zeros((0, 3))).shape == (0,)
    assert scene.signed_distance(np.zeros((2, 0, 3)), it).shape == (2, 0)
    assert set(found.to_dict()) == set(FIELDS)
    with pytest.raises(TypeError, match="no len"):
        len(scene.signed_distance((0, 0, 0)))
    with pytest.raises(ss.errors.InvalidIndex):
        found[3, 0]


def test_the_order_and_threads_do_not_matter(rng):
    vertices, faces = ball(rng, 40, 0.2)
    scene, _ = one(ss.Mesh(vertices, faces), (1, 2, 3))
    scene.add(ss.Box((1, 1, 1)), (2.2, 2, 3))
    scene.add(ss.Box((1, 1, 1)), (2.2, 2, 3))  # as near as the first
    # Also points as far from several faces, edges and corners.
    lattice = np.stack(np.meshgrid(*[np.linspace(-2, 5, 15)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    points = np.concatenate((rng.uniform(-2, 5, (3000, 3)), lattice, vertices + (1, 2, 3)))
    found = scene.signed_distance(points, threads=1)
    assert found.inside.sum() > 100
    for k in range(3):
        order = rng.permutation(len(points))
        assert same(scene.signed_distance(points[order], threads=1 + k), found[order])
    for k in rng.integers(0, len(points), 60):
        assert same(scene.signed_distance(points[k]), found[k])
    free = scene.surface_distance(points[::-1])[::-1]
    alone = scene.signed_distance(points, scene["it"])
    assert np.array_equal(scene.surface_distance(points, scene["it"]).distance, np.abs(alone.distance))
    assert (free.distance <= np.abs(found.distance)).all()


def test_of_equally_near_faces_the_lowest_is_taken():
    scene, _ = one(ss.Box((2, 2, 2)))
    faces = ss.Box((2, 2, 2)).faces
    for corner in ((2, 2, 2), (-2, 2, -2)):
        found = scene.signed_distance(corner)
        vertex = np.flatnonzero((ss.Box((2, 2, 2)).vertices == np.sign(corner)).all(axis=1))[0]
        assert found.face == np.flatnonzero((faces == vertex).any(axis=1)).min()
    found = scene.signed_distance((2, 2, 0.3))
    assert found.kind == 2
    assert found.face == np.flatnonzero((faces == 6).any(axis=1) & (faces == 7).any(axis=1)).min()


def test_several_bodies():
    scene = ss.Scene()
    first = scene.add(ss.Box((2, 2, 2)), name="first")
    second = scene.add(ss.Box((2, 2, 2)), (1.5, 0, 0), name="second")
    third = scene.add(ss.Sphere(0.5), (0, 0, 9), name="third")
    points = [(0.8, 0, 0), (0.6, 0, 0), (0, 0, 6), (0, 0, 2)]
    found = scene.signed_distance(points)
    assert found.body.tolist() == [second.id, first.id, third.id, first.id]
    assert found.distance == pytest.approx([-0.3, -0.4, 2.5, 1.0])
    assert scene.signed_distance(points, [second, third]).distance == pytest.approx([-0.3, -0.1, 2.5, np.sqrt(1 + 0.25)])
    assert scene.signed_distance(points, second).body.tolist() == [second.id] * 4
    empty = ss.Scene().signed_distance(points)
    assert np.isinf(empty.distance).all()
    assert empty.body.tolist() == empty.face.tolist() == empty.kind.tolist() == [-1] * 4
    assert np.isnan(empty.point).all()
    assert found
    assert found[0]
    assert not empty
    assert not empty[0]
    assert repr(empty) == "<PointDistances: least inf, 0 of 4 inside, shape (4,)>"


def test_many_bodies(rng):
    """Beyond some hundred bodies a hierarchy finds the near ones; a list of all bodies is the same question."""
    scene = ss.Scene()
    shapes = [ss.Sphere(0.4), ss.Box((0.5, 0.8, 1.2)), ss.Mesh.sphere(0.5)]
    places = rng.uniform(-6, 6, (700, 3))
    bodies = scene.add_many([shapes[k % 3] for k in range(700)], places)
    points = rng.uniform(-9, 9, (3000, 3))
    for _ in range(3):
        found = scene.signed_distance(points)
        assert found.inside.sum() > 50
        assert same(found, scene.signed_distance(points, list(scene.bodies)))
        assert same(found[::-1], scene.signed_distance(points[::-1], threads=1))
        assert same(scene.surface_distance(points), scene.surface_distance(points, list(scene.bodies)))
        for k in rng.integers(0, 3000, 20):
            assert same(scene.signed_distance(points[k]), found[k])
        scene.move(bodies[:100], rng.uniform(-6, 6, (100, 3)))
        scene.remove(bodies.pop())


def test_balls():
    scene, _ = one(ss.Box((2, 2, 2)))
    points = np.array([(0, 0, 3), (0, 0, 1.2), (0, 0, 0.5)])
    assert scene.signed_distance(points, radius=0.5).distance == pytest.approx([1.5, -0.3, -1.0])
    assert scene.signed_distance(points, radius=[0.0, 0.5, 1.0]).distance == pytest.approx([2.0, -0.3, -1.5])
    assert scene.surface_distance(points, radius=0.5).distance == pytest.approx([1.5, 0.0, 0.0])
    assert same(scene.signed_distance(points, radius=0.0), scene.signed_distance(points))


def test_live_geometry():
    vertices, faces = subdivided(*box(-np.ones(3), np.ones(3)), 1)
    scene, it = one(ss.Mesh(vertices, faces))
    assert scene.signed_distance((0, 0, 3)).distance == pytest.approx(2.0)
    it.vertices = 2.0 * vertices
    assert scene.signed_distance([(0, 0, 3), (1.5, 0, 0)]).distance == pytest.approx([1.0, -0.5])
    it.pose = (0, 0, 1)
    assert scene.signed_distance((0, 0, 3)).distance == pytest.approx(0.0)
    other = scene.add(ss.Sphere(1.0), (0, 0, 6))
    assert scene.signed_distance((0, 0, 4.8)).body == other.id
    scene.remove(other)
    assert scene.signed_distance((0, 0, 4.8)).distance == pytest.approx(1.8)
    it.shape = ss.Sphere(0.5)
    assert scene.signed_distance((0, 0, 4.8)).distance == pytest.approx(3.3)


def test_far_from_the_origin(rng):
    mesh, away = ss.Mesh.sphere(1.0), np.array((1e6, -2e6, 5e5))
    scene, it = one(mesh, away)
    points = rng.normal(size=(200, 3))
    found = scene.signed_distance(points + away)
    it.pose = (0, 0, 0)
    near = scene.signed_distance((points + away) - away)
    assert found.distance == pytest.approx(near.distance, abs=1e-14)
    assert found.point - away == pytest.approx(near.point, abs=1e-9)


def test_near_the_surface_far_from_the_origin():
    away, step = np.array((1e6, -3e6, 2e6)), 2.0**-29
    scene, _ = one(ss.Mesh(*subdivided(*box(-np.ones(3), np.ones(3)), 2)), away)
    places = away + np.array([(1 + step, 0.25, 0.5), (1 - step, 0.25, 0.5), (0.125, 0.5, step - 1), (0.125, 0.5, -step - 1)])
    assert scene.signed_distance(places).distance.tolist() == [step, -step, -step, step]


@pytest.mark.parametrize("scale", [1e-38, 1e48])
def test_tiny_and_huge_bodies(scale, rng):
    vertices, faces = ball(rng, 16, 0.3)
    points = rng.normal(size=(300, 3))
    scene, body = one(ss.Mesh(vertices, faces))
    found = scene.signed_distance(points)
    body.shape = ss.Mesh(scale * vertices, faces)
    scaled = scene.signed_distance(scale * points)
    assert scaled.distance / scale == pytest.approx(found.distance, abs=1e-14)
    assert scaled.normal == pytest.approx(found.normal, abs=1e-9)


def test_threads_may_ask_at_once(rng):
    scene, _ = one(ss.Mesh(*ball(rng, 30, 0.1)))
    points = rng.normal(size=(500, 3))
    answers = [None] * 4

    def ask(k):
        answers[k] = scene.signed_distance(points, threads=1)

    workers = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert all(same(answers[0], each) for each in answers[1:])


def test_progress():
    scene, _ = one(ss.Sphere(1.0))
    told = []
    scene.signed_distance(np.zeros((300, 3)), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (300, 300)


def test_open_meshes_have_a_distance_without_a_sign():
    mesh = ss.Mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)])
    scene, it = one(mesh)
    found = scene.surface_distance([(0.5, 0.2, -2), (0.5, 0.2, 2), (2, 0.5, 0)])
    assert found.distance == pytest.approx([2.0, 2.0, 1.0])
    assert found.normal == pytest.approx(np.array([(0, 0, -1), (0, 0, 1), (1, 0, 0)]))
    message = (
        "body 'it' has no inside: it is open: 4 edges do not join an even number of faces, "
        r"between vertices \(0, 1\), \(1, 2\), \(2, 3\), \(3, 0\); .*scene.surface_distance"
    )
    with pytest.raises(ss.errors.InvalidGeometry, match=message):
        scene.signed_distance((0, 0, 1))
    ball = scene.add(ss.Sphere(0.1), (0, 0, 1))
    with pytest.raises(ss.errors.InvalidGeometry, match="body 'it' has no inside"):
        scene.signed_distance((0, 0, 1), [ball, it])
    assert scene.signed_distance((0, 0, 1), ball).distance == pytest.approx(-0.1)


def test_a_hole_in_a_large_mesh_is_named():
    mesh = ss.Mesh.sphere(1.0, rows=30, sections=30)
    faces = np.delete(mesh.faces, (100, 500), axis=0)
    scene, _ = one(ss.Mesh(mesh.vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)))  # as in STL files
    with pytest.raises(ss.errors.InvalidGeometry, match=r"6 edges .* between vertices (\(\d+, \d+\), ){4}\.\.\.;"):
        scene.signed_distance((0, 0, 0))


def test_rooms_have_no_inside():
    box = ss.Mesh.box((2, 2, 2))
    scene, _ = one(ss.Mesh(box.vertices, box.faces, solid=False))
    with pytest.raises(ss.errors.InvalidGeometry, match="'it' has no inside: it was made with solid=False"):
        scene.signed_distance((0, 0, 0))
    assert scene.surface_distance((0, 0, 0.2)).distance == pytest.approx(0.8)


BAD = {
    "NaN": ({"points": [(0, 0, 0), (0, float("nan"), 0)]}, ss.errors.InvalidQuery, r"points\[1, 1\] is nan"),
    "NaN in a grid": ({"points": np.full((2, 2, 3), np.nan)}, ss.errors.InvalidQuery, r"points\[0, 0, 0\] is nan"),
    "two numbers": ({"points": (0, 0)}, ss.errors.InvalidQuery, r"points: expected points of shape \(\.\.\., 3\), got \(2,\)"),
    "a number": ({"points": 3.0}, ss.errors.InvalidQuery, r"points: expected .* got \(\)"),
    "texts": ({"points": ["a", "b", "c"]}, ss.errors.InvalidType, "points: expected .* of numbers, got dtype"),
    "None": ({"points": None}, ss.errors.InvalidType, "points: expected"),
    "ragged": ({"points": [(0, 0, 0), (0, 0)]}, ss.errors.InvalidQuery, "points: expected"),
    "negative radius": ({"radius": -1.0}, ss.errors.InvalidQuery, "radius is -1"),
    "NaN radius": ({"radius": float("nan")}, ss.errors.InvalidQuery, "radius is nan"),
    "negative radius in row 1": ({"radius": [0.0, -2.0]}, ss.errors.InvalidQuery, r"radius\[1\] is -2.0; it must not be neg"),
    "too many radii": ({"radius": [0.0] * 3}, ss.errors.InvalidQuery, "do not fit together"),
    "radii of a table": ({"radius": np.zeros((4, 2))}, ss.errors.InvalidQuery, r"as the points, got shape \(4, 2\)"),
    "text radius": ({"radius": "wide"}, ss.errors.InvalidType, "radius: expected"),
    "no body": ({"bodies": "it"}, ss.errors.InvalidType, r"bodies: expected a Body of this scene, got 'it'; scene\['it'\]"),
    "no bodies": ({"bodies": []}, ss.errors.InvalidQuery, "bodies: expected a body or several, got an empty list"),
    "threads": ({"threads": 0}, ss.errors.InvalidQuery, "threads is 0"),
    "progress": ({"progress": 1}, ss.errors.InvalidType, "progress: expected a function"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments(case):
    arguments, error, message = BAD[case]
    scene, _ = one(ss.Box((1, 1, 1)))
    given = {"points": np.zeros((2, 3)), **arguments}
    for ask in (scene.signed_distance, scene.surface_distance):
        with pytest.raises(error, match=message):
            ask(**given)


def test_the_normal_beside_a_needle_is_the_direction_from_its_nearest_point():
    ball = ss.Mesh.sphere(1.0, rows=6, sections=10)
    scene = ss.Scene()
    scene.add(ss.Mesh(ball.vertices * (1.0, 1.0, 1e-6), ball.faces))
    rng = np.random.default_rng(3)
    points = ball.vertices[rng.integers(len(ball.vertices), size=4000)] * (1.0, 1.0, 1e-6) + 1e-5 * rng.normal(size=(4000, 3))
    found = scene.signed_distance(points)
    clear = np.abs(found.distance) > 1e-7
    away = (points - found.point) / found.distance[:, None]
    assert found.normal[clear] == pytest.approx(away[clear], abs=1e-6)
    assert clear.sum() > 3000
