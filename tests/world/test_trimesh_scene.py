"""Scenes of trimesh become scenes, and back: names, poses, shared shapes, scale and mirror."""

import numpy as np
import pytest
import trimesh

import sweepscope as ss

RNG = np.random.default_rng(4)


def place(*offset):
    return ss.Pose.from_axis_angle(offset, RNG.normal(size=3), angle=1.0)


def test_names_poses_and_shared_shapes():
    given = trimesh.Scene()
    bolt = trimesh.creation.cylinder(0.1, 1.0)
    poses = {"plate": place(0, 0, 1), "bolt a": place(1, 0, 0), "bolt b": place(2, 0, 0)}
    given.add_geometry(trimesh.creation.box((1, 2, 3)), "plate", "plate", transform=poses["plate"])
    given.add_geometry(bolt, "bolt a", "bolt", parent_node_name="plate", transform=poses["bolt a"])
    given.graph.update("bolt b", "plate", matrix=poses["bolt b"], geometry="bolt")
    given.add_geometry(trimesh.PointCloud(RNG.normal(size=(5, 3))), "dust", "dust")
    scene = ss.Scene.from_trimesh(given, tolerance=1e-6)
    assert scene.tolerance == 1e-6
    assert [body.name for body in scene] == list(given.graph.nodes_geometry)
    assert scene["bolt a"].shape is scene["bolt b"].shape
    assert type(scene["dust"].shape) is ss.PointCloud
    np.testing.assert_allclose(scene["bolt b"].pose, poses["plate"] @ poses["bolt b"], atol=1e-12)
    back = scene.to_trimesh()
    assert set(back.graph.nodes_geometry) == set(given.graph.nodes_geometry)
    assert len(back.geometry) == 3
    for node in given.graph.nodes_geometry:
        np.testing.assert_allclose(back.graph[node][0], given.graph[node][0], atol=1e-12)
    np.testing.assert_allclose(back.bounds, given.bounds, atol=1e-12)


@pytest.mark.parametrize("linear", [np.diag((2.0, 1.0, 0.5)), np.diag((1.0, 1.0, -1.0)), RNG.normal(size=(3, 3)), -np.eye(3)])
def test_what_is_not_rigid_goes_into_the_vertices(linear):
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = linear, (1, 2, 3)
    part = trimesh.creation.icosphere(subdivisions=1)
    given = trimesh.Scene()
    given.add_geometry(part, "ball", "ball", transform=matrix)
    (body,) = ss.Scene.from_trimesh(given)
    expected = part.copy().apply_transform(matrix)
    ours = body.to_trimesh()
    np.testing.assert_allclose(ours.vertices, expected.vertices, atol=1e-12)
    assert ours.volume == pytest.approx(abs(expected.volume)), "faces still look outwards"


def test_live_vertices_and_empty_scenes():
    scene = ss.Scene()
    shape = ss.Mesh.box((1, 1, 1))
    scene.add(shape, name="a")
    scene.add(shape, (2, 0, 0), name="b").vertices = 2 * shape.vertices
    scene.add(ss.Sphere(0.5), name="c")
    back = scene.to_trimesh()
    assert len(back.geometry) == 3
    assert back.geometry["b"].volume == pytest.approx(8)
    assert len(ss.Scene().to_trimesh().geometry) == 0
    assert len(ss.Scene.from_trimesh(trimesh.Scene())) == 0


def test_errors():
    with pytest.raises(ss.errors.InvalidType, match=r"expected a trimesh.Scene, got a Trimesh"):
        ss.Scene.from_trimesh(trimesh.creation.box())
    given = trimesh.Scene()
    given.add_geometry(trimesh.load_path([(0, 0, 0), (1, 1, 1)]), "wire", "wire")
    with pytest.raises(ss.errors.InvalidType, match="node 'wire': expected a Mesh"):
        ss.Scene.from_trimesh(given)
