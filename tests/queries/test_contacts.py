"""Contacts of single cases that are known by hand, live geometry, and bad inputs."""

import json

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.errors import InvalidQuery


@pytest.fixture
def scene():
    made = ss.Scene()
    made.add(ss.Box((10, 10, 1)), (0, 0, -0.5), name="floor")
    return made


def lying(height, length=0.0):
    return ss.Pose.from_axis_angle((length, 0, height), (0, 1, 0), angle=np.pi / 2)


def points_of(contacts):
    return sorted(np.round(contacts.point + 0.0, 9).tolist())


@pytest.mark.parametrize(
    ("shape", "pose", "points"),
    [
        (ss.Box((1, 1, 1)), (0, 0, 0.5), [[-0.5, -0.5, 0], [-0.5, 0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0]]),
        (ss.Sphere(0.5), (1, 2, 0.5), [[1, 2, 0]]),
        (ss.Capsule(0.2, 1.0), lying(0.2), [[-0.5, 0, 0], [0.5, 0, 0]]),
        (ss.Capsule(0.2, 1.0), (0, 0, 0.7), [[0, 0, 0]]),
        (ss.Mesh.cylinder(0.3, 1.0), lying(0.3), [[-0.5, 0, 0], [0.5, 0, 0]]),
        (ss.Box((1, 1, 1)), (5, 0, 0.5), [[4.5, -0.5, 0], [4.5, 0.5, 0], [5, -0.5, 0], [5, 0.5, 0]]),
        (ss.PointCloud([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.1, 0.1, 2)], 0.1), (0, 0, 0.1), [[0, 0, 0], [0, 1, 0], [1, 0, 0]]),
        (
            ss.Mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)]),
            (0, 0, 0),
            [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]],
        ),
    ],
    ids=["box", "sphere", "capsule lying", "capsule standing", "cylinder", "box over the edge", "cloud", "sheet"],
)
def test_shapes_on_a_floor(scene, shape, pose, points):
    body = scene.add(shape, pose)
    for margin in (0.0, 1e-3):
        found = scene.contacts(body, margin=margin)
        assert points_of(found) == points
        assert np.allclose(found.normal, (0, 0, 1))
        assert np.allclose(found.gap, 0.0, atol=1e-12)
        assert not found.overlapping.any()


def test_a_cylinder_stands_on_four_corners(scene):
    body = scene.add(ss.Mesh.cylinder(0.3, 1.0, sections=32), (0, 0, 0.5))
    found = scene.contacts(body)
    assert len(found) == 4
    assert np.allclose(np.linalg.norm(found.point[:, :2], axis=1), 0.3)
    assert np.abs(found.point.sum(axis=0)).max() < 0.1, "spread all around"


def test_edge_on_edge_is_one_contact():
    scene = ss.Scene()
    scene.add(ss.Box((4, 1, 1)), ss.Pose.from_axis_angle((0, 0, 0), (1, 0, 0), angle=np.pi / 4))
    body = scene.add(ss.Box((1, 4, 1)), ss.Pose.from_axis_angle((0.2, 0.1, 2**0.5), (0, 1, 0), angle=np.pi / 4))
    found = scene.contacts(body, margin=1e-6)
    assert np.allclose(found.point, [(0.2, 0.0, 0.5**0.5)])
    assert np.allclose(found.normal, (0, 0, 1))
    assert [feature.kind for feature in found.patches[0].features[0]] == ["edge", "edge"]


def test_a_groove_and_a_corner():
    scene = ss.Scene()
    for side in (-1, 1):
        scene.add(ss.Box((4, 4, 1)), ss.Pose.from_axis_angle((side * 1.5, 0, 0), (0, 1, 0), angle=-side * np.pi / 4))
    ball = scene.add(ss.Sphere(0.3), (0, 0, 3))
    ball.pose = scene.sweep(ball, ss.Translate((0, 0, -4))).pose
    found = scene.contacts(ball, margin=1e-6)
    assert len(found.patches) == len(found) == 2
    assert np.allclose(np.abs(found.normal[:, 0]), 0.5**0.5)
    assert found.normal[:, 0].sum() == pytest.approx(0.0, abs=1e-6)


def test_a_concave_body_has_several_patches(scene):
    """A bracket on a floor, with its upright against a wall of the same body."""
    room = scene.add(
        ss.Mesh(
            [(0, 0, 0), (3, 0, 0), (3, 3, 0), (0, 3, 0), (0, 0, 3), (0, 3, 3)], [(0, 1, 2), (0, 2, 3), (0, 4, 5), (0, 5, 3)]
        ),
        (10, 0, 0),
    )
    box = scene.add(ss.Box((1, 1, 1)), (10.5, 1, 0.5))
    found = scene.contacts(box)
    assert {patch.other for patch in found} == {room}
    assert [len(patch) for patch in found] == [4, 4]
    assert sorted(np.round(np.abs(patch.normal), 9).tolist() for patch in found) == [[0, 0, 1], [1, 0, 0]]


def test_gaps_and_margin(scene):
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.52))
    assert not scene.contacts(box)
    assert not scene.contacts(box, margin=0.01)
    found = scene.contacts(box, margin=0.03)
    assert np.allclose(found.gap, 0.02)
    assert np.allclose(found.point - found.other_point, (0, 0, 0.02))
    tilted = ss.Pose.from_axis_angle((0, 0, 0.51), (0, 1, 0), angle=0.02)
    box.pose = tilted
    assert len(scene.contacts(box, margin=0.03)) == 4
    assert len(scene.contacts(box, margin=0.005)) == 2
    assert not scene.contacts(box, margin=1.4).patches[0].gaps.max() > 0.1, "the upper corners do not count"


def test_overlaps(scene):
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.49))
    for margin in (0.02, 0.0):
        found = scene.contacts(box, margin=margin)
        assert found.overlapping.all()
        assert np.allclose(found.gap, -0.01)
        assert np.allclose(found.normal, (0, 0, 1))
        assert np.allclose(found.point[:, 2], -0.01)
    box.pose = (4.95, 0, 0.4)
    assert scene.contacts(box).gap.min() == pytest.approx(-0.1)
    ball = scene.add(ss.Sphere(0.1), (0, 0, -0.3))
    found = scene.contacts(ball)
    assert found.gap.tolist() == pytest.approx([-0.4])
    assert np.allclose(found.normal, (0, 0, 1))


def test_a_box_beside_a_table_does_not_stand_on_it(scene):
    box = scene.add(ss.Box((1, 1, 1)), (5.5, 0.3, 0.49))
    found = scene.contacts(box, margin=0.02)
    assert np.allclose(found.normal, (1, 0, 0))
    assert np.allclose(found.gap, 0.0, atol=1e-12)


def test_sheets_that_cross_without_a_way_out():
    scene = ss.Scene()
    corners = [(-1, -1, 0), (1, -1, 0), (0, 1, 0)]
    one = scene.add(ss.Mesh(corners, [(0, 1, 2)]))
    scene.add(ss.Mesh(corners, [(0, 1, 2)]), ss.Pose.from_axis_angle((0, 0, 0), (1, 0, 0), angle=1.5))
    found = scene.contacts(one)
    assert found.overlapping.all()
    assert len(found) >= 1


def test_volumes(scene):
    volume = scene.add(ss.Volume(np.ones((4, 4, 4), bool), 0.25), (0, 0, 0))
    found = scene.contacts(volume)
    low, high = volume.bounds
    assert sorted(np.round(found.point[:, :2], 9).tolist()) == sorted(
        [x, y] for x in (low[0], high[0]) for y in (low[1], high[1])
    )
    assert found.patches[0].features[0][0].voxel is not None
    volume.shape[:2] = 0
    found = scene.contacts(volume)
    assert np.ptp(found.point[:, 0]) == pytest.approx(0.5)


def test_live_geometry(scene):
    mesh = ss.Mesh.sphere(0.5, rows=8, sections=8)
    body = scene.add(mesh, (0, 0, 0.5))
    assert len(scene.contacts(body)) == 1
    body.vertices = mesh.vertices * (1, 1, 2) + (0, 0, 0.5)
    assert scene.contacts(body).gap.tolist() == pytest.approx([0.0], abs=1e-9)
    body.vertices = mesh.vertices * (1, 1, 0.5)
    assert not scene.contacts(body)


def test_several_bodies_and_filters(scene):
    one = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5), name="one")
    two = scene.add(ss.Box((1, 1, 1)), (0, 0, 1.5), name="two")
    floor = scene["floor"]
    assert len(scene.contacts(one)) == 8
    both = scene.contacts([one, two])
    assert len(both) == 4
    assert set(both.body) == {one.id}
    assert set(both.other) == {floor.id}
    assert [patch.other.name for patch in scene.contacts(one, two)] == ["two"]
    assert [patch.other.name for patch in scene.contacts(one, ignore=[two])] == ["floor"]
    scene.ignore(one, floor)
    assert [patch.other.name for patch in scene.contacts(one)] == ["two"]


def test_the_result(scene):
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5), name="box")
    found = scene.contacts(box)
    assert repr(found) == "<Contacts: 4 in 1 patches with 1 bodies, least gap 0>"
    assert repr(found.patches[0]) == "<ContactPatch: 'box' on 'floor', 4 contacts, least gap 0>"
    assert len(list(found)) == 1
    assert found.scene is scene
    data = json.loads(json.dumps(found.as_dict()))
    assert data["patches"][0]["contacts"][0]["normal"] == [0, 0, 1]
    assert data["patches"][0]["contacts"][0]["features"][0]["kind"] == "vertex"
    arrays = found.to_dict()
    assert arrays["point"].shape == (4, 3)
    arrays["point"][:] = 7
    assert found.point.max() < 1
    box.pose = (0, 0, 3)
    none = scene.contacts(box)
    assert repr(none) == "<Contacts: none>"
    assert not none
    assert none.point.shape == (0, 3)
    assert none.as_dict() == {"patches": []}


def test_bad_inputs(scene):
    box = scene.add(ss.Box((1, 1, 1)), name="box")
    floor = scene["floor"]
    with pytest.raises(ss.errors.InvalidType, match="body: expected a Body of this scene"):
        scene.contacts("box")
    with pytest.raises(ss.errors.InvalidQuery, match="body: expected a body or several, got an empty list"):
        scene.contacts([])
    with pytest.raises(ss.errors.InvalidQuery, match="margin is -1"):
        scene.contacts(box, margin=-1)
    with pytest.raises(ss.errors.InvalidQuery, match="margin"):
        scene.contacts(box, margin=np.nan)
    with pytest.raises(ss.errors.InvalidType, match=r"ignore\[0\]"):
        scene.contacts(box, ignore=["floor"])
    with pytest.raises(ss.errors.InvalidQuery, match="others: body 'floor' is also in body"):
        scene.contacts([box, floor], floor)
    with pytest.raises(ss.errors.InvalidType, match=r"others\[1\]: expected a Body"):
        scene.contacts(box, [floor, 3])
    scene.remove(floor)
    with pytest.raises(ss.errors.NotFound, match="others: "):
        scene.contacts(box, floor)
    empty = scene.add(ss.PointCloud(np.empty((0, 3))))
    assert not scene.contacts(empty)
    assert not scene.contacts(box)


def test_pictures(scene, tmp_path):
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5), name="box")
    picture = scene.contacts(box).picture(tmp_path / "box.png", size=(200, 150))
    assert (tmp_path / "box.png").exists()
    red = (picture.pixels.astype(int) @ (2, -1, -1) > 150).sum()
    assert red > 20, "marks of contacts"
    box.pose = (0, 0, 3)
    assert scene.contacts(box).picture(size=(100, 80))


def test_a_margin_with_too_many_faces_is_an_error():
    scene = ss.Scene()
    ball = ss.Mesh.sphere(1.0, rows=120, sections=120)
    a = scene.add(ball, name="a")
    scene.add(ball, (2.05, 0, 0), name="b")
    assert len(scene.contacts(a, margin=0.06)) >= 1
    with pytest.raises(InvalidQuery, match="margin is 3: too many faces of 'a' and 'b'"):
        scene.contacts(a, margin=3.0)
    assert len(scene.contacts(a, margin=0.06)) >= 1
