"""`scene.depth` and `scene.depth_along`: known answers, shapes, errors."""

import json

import numpy as np
import pytest
from sweepscope_lab.reference.point_cases import ball, box, subdivided

import sweepscope as ss


def pair(first, second, pose=None, other=None):
    scene = ss.Scene()
    return scene, scene.add(first, pose, name="a"), scene.add(second, other, name="b")


def test_of_two_boxes():
    scene, a, b = pair(ss.Box((2, 2, 2)), ss.Box((4, 4, 4)), (2.5, 0.3, 0))
    found = scene.depth(a, b)
    assert found.depth == float(found) == pytest.approx(0.5)
    assert found.direction == pytest.approx((1, 0, 0))
    assert found.vector == pytest.approx((0.5, 0, 0))
    assert found.bodies == (found.first, found.second) == (a, b)
    assert found
    assert repr(found) == "<PairDepth: 'a' is 0.5 deep in 'b'>"
    assert json.loads(json.dumps(found.as_dict()))["vector"] == pytest.approx([0.5, 0, 0])
    assert scene.depth(b, a).direction == pytest.approx((-1, 0, 0))
    assert scene.depth_along(a, b, (5, 0, 0)).depth == pytest.approx(0.5)
    assert scene.depth_along(a, b, (-1, 0, 0)).depth == pytest.approx(5.5)
    assert scene.depth_along(a, b, (0, 0, 1)).vector == pytest.approx((0, 0, 3))
    assert np.array_equal(a.pose[:3, 3], (2.5, 0.3, 0))  # nothing has moved


def test_touching_and_free_bodies_have_depth_0():
    scene, a, b = pair(ss.Box((2, 2, 2)), ss.Box((2, 2, 2)), (2, 0, 0))
    for place in ((2, 0, 0), (2, 2, 0), (2 - 1e-12, 0.5, 0), (5, 0, 0)):
        a.pose = place
        least, along = scene.depth(a, b), scene.depth_along(a, b, (-1, 0, 0))
        assert not least
        assert not along
        assert least.depth == along.depth == 0.0
        assert least.vector.tolist() == along.vector.tolist() == [0, 0, 0]
        assert np.isnan(least.direction).all()
        assert along.direction.tolist() == [-1, 0, 0]
        assert repr(least) == "<PairDepth: 'a' does not overlap 'b'>"
        assert least.as_dict()["direction"] is None


def test_of_nested_bodies_it_is_the_whole_way_out():
    scene, a, b = pair(ss.Box((1, 1, 1)), ss.Box((10, 10, 10)), (1, 0, 0))
    assert scene.depth(a, b).vector == pytest.approx((4.5, 0, 0))
    assert scene.depth(b, a).vector == pytest.approx((-4.5, 0, 0))
    assert scene.depth_along(a, b, (0, 0, 1)).depth == pytest.approx(5.5)
    assert scene.depth_along(b, a, (0, 0, 1)).depth == pytest.approx(5.5)


def test_of_round_shapes():
    scene, a, b = pair(ss.Sphere(1.0), ss.Sphere(2.0), (0, 0, 1))
    assert scene.depth(a, b).vector == pytest.approx((0, 0, 2))
    assert scene.depth_along(a, b, (0, 1, 0)).depth == pytest.approx(np.sqrt(9 - 1))
    a.shape = ss.Capsule(0.5, 4.0)
    a.pose = (2.2, 0, 0.3)
    assert scene.depth(a, b).vector == pytest.approx((0.3, 0, 0))
    b.shape = ss.PointCloud([(1, 0, 0)])
    assert not scene.depth(a, b)
    b.shape = ss.PointCloud([(2, 0, 0)])
    assert scene.depth(a, b).depth == pytest.approx(0.3)
    b.shape = ss.Sphere(2.0)
    a.pose = b.pose
    a.shape = ss.Sphere(1.0)
    assert scene.depth(a, b).depth == pytest.approx(3.0)


@pytest.mark.parametrize("times", range(6))
def test_it_does_not_depend_on_the_division_of_a_mesh(times):
    """ifc-lite#2536: 1.5 became 0.03 to 0.5."""
    vertices, faces = subdivided(*box(np.array((-4.0, -0.2, -1.5)), np.array((4.0, 0.2, 1.5))), times)
    turn = ss.Rotate((1, 2, 3), 0.7).at()
    scene, a, b = pair(ss.Mesh(vertices, faces), ss.Mesh(vertices, faces), turn, turn @ ss.Translate((1, 0.1, 1.2)).at())
    least = scene.depth(a, b)
    assert least.depth == pytest.approx(0.3, abs=1e-14)
    assert turn[:3, :3].T @ least.direction == pytest.approx((0, -1, 0), abs=1e-12)
    along = scene.depth_along(a, b, turn[:3, :3] @ (0, 0, -1))
    assert along.depth == pytest.approx(1.8, abs=1e-13)
    concave = scene.add(ss.Mesh(*ball(np.random.default_rng(times), 12, 0.4)))
    with pytest.raises(ss.errors.InvalidQuery, match="'mesh 2' is not known to be convex: vert"):
        scene.depth(a, concave)


def test_the_way_out_is_free_however_far_it_goes():
    """A body in a hook is clear when it has left the last arm."""
    hook = ss.Mesh.box((1, 1, 6))
    scene, a, b = pair(ss.Box((1, 1, 1)), hook, (0.5, 0, 0))
    wall = ss.Mesh(
        np.concatenate((hook.vertices, hook.vertices + (4, 0, 0))),
        np.concatenate((hook.faces, hook.faces + len(hook.vertices))),
    )
    b.shape = wall
    assert scene.depth_along(a, b, (-1, 0, 0)).depth == pytest.approx(1.5)
    assert scene.depth_along(a, b, (1, 0, 0)).depth == pytest.approx(4.5)
    assert scene.depth_along(a, b, (0, 1, 0)).depth == pytest.approx(1.0)


def test_of_volumes_and_sheets(rng):
    cells = np.zeros((6, 6, 6), bool)
    cells[:, :, :2] = cells[:2] = True  # an L
    scene, a, b = pair(ss.Volume(cells, 0.5), ss.Volume(cells, 0.5), (0.5, 0, 0.5))
    assert scene.depth_along(a, b, (0, 0, 1)).depth == pytest.approx(2.5)
    assert scene.depth_along(a, b, (1, 0, 0)).depth == pytest.approx(2.5)
    a.pose = (0.61, 0.1, 0.53)  # off the grid
    assert scene.depth_along(a, b, (1, 0, 0)).depth == pytest.approx(2.39)
    a.shape = ss.Box((1, 1, 1))
    a.pose = (2.2, 1.5, 1.2)
    assert scene.depth_along(a, b, (0, 0, 1)).depth == pytest.approx(0.3)
    b.shape = ss.Mesh.terrain(np.zeros((5, 5)))
    b.pose = (0, 0, 1.5)
    assert scene.depth_along(a, b, (0, 0, 1)).depth == pytest.approx(0.8)


def test_bodies_that_ignore_each_other_have_a_depth():
    scene, a, b = pair(ss.Box((2, 2, 2)), ss.Box((2, 2, 2)), (1.5, 0, 0))
    between = scene.add(ss.Box((9, 9, 9)), name="between")  # others do not matter
    scene.ignore(a, b)
    assert [scene.depth(a, b).depth, scene.depth_along(a, b, (1, 0, 0)).depth] == pytest.approx([0.5, 0.5])
    far = scene.add(ss.Box((2, 2, 2)), (20, 0, 0), group="one")
    other = scene.add(ss.Box((2, 2, 2)), (21.5, 0, 0), group="two")
    scene.ignore_groups("one", "two")
    assert scene.depth_along(far, other, (-1, 0, 0)).depth == pytest.approx(0.5)
    assert not scene.depth(far, between)


def test_empty_bodies():
    scene, a, b = pair(ss.PointCloud(np.zeros((0, 3))), ss.Box((1, 1, 1)))
    for first, second in ((a, b), (b, a)):
        assert not scene.depth(first, second)
        assert not scene.depth_along(first, second, (0, 0, 1))


def test_deformed_bodies():
    mesh = ss.Mesh.box((2, 2, 2))
    scene, a, b = pair(mesh, ss.Box((2, 2, 2)), (1.5, 0, 0))
    a.vertices = 2.0 * mesh.vertices
    assert [scene.depth(a, b).depth, scene.depth_along(a, b, (1, 0, 0)).depth] == pytest.approx([1.5, 1.5])
    dent = 2.0 * mesh.vertices
    dent[0] = 0.0
    a.vertices = dent
    with pytest.raises(ss.errors.InvalidQuery, match="'a' is not known to be convex: vert"):
        scene.depth(a, b)


def test_why_a_body_is_not_convex():
    scene, a, b = pair(ss.Box((1, 1, 1)), ss.Box((1, 1, 1)))
    cube = ss.Mesh.box((1, 1, 1))
    ones = np.ones((2, 2, 2), bool)
    flat = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    turned = cube.faces.copy()
    turned[0] = turned[0, ::-1]
    for shape, message in (
        (ss.Mesh(cube.vertices, cube.faces[1:]), r"it is open: 3 edges do not join .* between vertices \(\d, \d\)"),
        (ss.Mesh(cube.vertices, cube.faces, solid=False), r"it is a surface without an inside \(solid=False\)"),
        (ss.Mesh(cube.vertices, turned), "its faces are not oriented alike"),
        (ss.Mesh(flat, [(0, 1, 2), (0, 2, 1)]), "it has no volume"),
        (ss.Volume(ones, 0.5), "it is a volume"),
        (ss.PointCloud(flat, radius=0.1), "it has 3 faces with a radius; one point or one segment is convex"),
        (ss.PointCloud(flat), "it has no triangles"),
    ):
        b.shape = shape
        with pytest.raises(ss.errors.InvalidQuery, match=f"depth: body 'b' is not known to be convex: {message}.*depth_along"):
            scene.depth(a, b)
        assert scene.depth_along(a, b, (1, 0, 0)).depth >= 0.0


def test_bad_arguments():
    scene, a, b = pair(ss.Box((1, 1, 1)), ss.Box((1, 1, 1)))
    nan = float("nan")
    for direction, error, message in (
        ((0, 0, 0), ss.errors.InvalidQuery, "direction is 0 0 0"),
        ((0, nan, 1), ss.errors.InvalidQuery, r"direction\[1\] is nan"),
        ((0, 1), ss.errors.InvalidQuery, "direction: expected three numbers"),
        ("up", ss.errors.InvalidType, "direction: expected three numbers"),
    ):
        with pytest.raises(error, match=message):
            scene.depth_along(a, b, direction)
    for ask in (scene.depth, lambda a, b: scene.depth_along(a, b, (0, 0, 1))):
        with pytest.raises(ss.errors.InvalidQuery, match="b: body 'a' is also a; expected different bodies"):
            ask(a, a)
        with pytest.raises(ss.errors.InvalidType, match="b: expected a Body of this scene, got 'b'"):
            ask(a, "b")
        with pytest.raises(ss.errors.NotFound, match="is in another scene"):
            ask(ss.Scene().add(ss.Sphere(1)), b)
