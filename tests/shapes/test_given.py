"""Meshes and clouds of other libraries, depth images, and back to trimesh."""

import sys

import numpy as np
import pytest
import trimesh

import sweepscope as ss

SHEET = np.array([(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0.5)]), np.array([(0, 1, 2), (0, 2, 3)])


def mesh_of_trimesh():
    return trimesh.Trimesh(*SHEET, process=False)


def mesh_of_open3d():
    import open3d as o3d

    vertices, faces = o3d.utility.Vector3dVector(SHEET[0]), o3d.utility.Vector3iVector(SHEET[1])
    return o3d.geometry.TriangleMesh(vertices, faces)


def mesh_of_open3d_tensors():
    import open3d as o3d

    mesh = o3d.t.geometry.TriangleMesh()
    mesh.vertex["positions"], mesh.triangle["indices"] = o3d.core.Tensor(SHEET[0]), o3d.core.Tensor(SHEET[1])
    return mesh


def mesh_of_pyvista():
    import pyvista

    return pyvista.PolyData(SHEET[0], np.hstack((np.full((2, 1), 3), SHEET[1])).ravel())


BRIDGES = pytest.mark.bridges
MESHES = (
    mesh_of_trimesh,
    *(pytest.param(make, marks=BRIDGES) for make in (mesh_of_open3d, mesh_of_open3d_tensors, mesh_of_pyvista)),
)


@pytest.mark.parametrize("make", MESHES)
def test_meshes(make):
    given = make()
    mesh = ss.Mesh.from_object(given)
    np.testing.assert_array_equal(mesh.vertices, SHEET[0])
    np.testing.assert_array_equal(mesh.faces, SHEET[1])
    scene = ss.Scene()
    body = scene.add(given, (0, 0, 1))
    assert type(body.shape) is ss.Mesh
    first, second = scene.add_many(given, [(0, 0, 0), (1, 0, 0)])
    assert first.shape is second.shape, "one shape for all"
    scene.add_many([given, ss.Sphere(1)])
    body.shape = ss.Sphere(1)
    body.shape = given
    np.testing.assert_array_equal(body.shape.faces, SHEET[1])
    robot = ss.Robot(scene)
    robot.add("base", given)
    robot.add("tip", [(given, (0, 0, 1)), ss.Sphere(1)], parent="base", joint=ss.Joint.fixed("f"))
    assert [type(each.shape) for each in robot.bodies] == [ss.Mesh, ss.Mesh, ss.Sphere]
    with pytest.raises(ss.errors.InvalidType, match=r"cloud: .*Mesh.from_object\(...\) takes it"):
        ss.PointCloud.from_object(given)
    with pytest.raises(ss.errors.InvalidGeometry, match="solid is True, but the mesh is open"):
        ss.Mesh.from_object(given, solid=True)


def cloud_of_open3d():
    import open3d as o3d

    return o3d.geometry.PointCloud(o3d.utility.Vector3dVector(SHEET[0]))


def cloud_of_open3d_tensors():
    import open3d as o3d

    return o3d.t.geometry.PointCloud(o3d.core.Tensor(SHEET[0]))


def cloud_of_pyvista():
    import pyvista

    return pyvista.PolyData(SHEET[0])


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: trimesh.PointCloud(SHEET[0]), id="trimesh"),
        *(pytest.param(make, marks=BRIDGES) for make in (cloud_of_open3d, cloud_of_open3d_tensors, cloud_of_pyvista)),
    ],
)
def test_clouds(make):
    given = make()
    cloud = ss.PointCloud.from_object(given, radius=0.1)
    np.testing.assert_array_equal(cloud.vertices, SHEET[0])
    assert cloud.radius == 0.1
    body = ss.Scene().add(given)
    assert type(body.shape) is ss.PointCloud
    with pytest.raises(ss.errors.InvalidType, match=r"PointCloud.from_object\(...\) takes it"):
        ss.Mesh.from_object(given)


def test_objects_with_vertices_and_faces():
    class Model:
        vertices, faces = SHEET

    np.testing.assert_array_equal(ss.Mesh.from_object(Model()).faces, SHEET[1])
    assert ss.Mesh.from_object(ss.Box((1, 1, 1))).closed
    with pytest.raises(ss.errors.InvalidType, match=r"is round; Mesh.sphere"):
        ss.Mesh.from_object(ss.Sphere(1))


def test_what_is_not_a_mesh():
    with pytest.raises(ss.errors.InvalidType, match=r"shape: a trimesh.Scene holds several bodies; Scene.from_trimesh"):
        ss.Scene().add(trimesh.Scene())
    with pytest.raises(ss.errors.InvalidType, match=r"shape: expected a Mesh, Box.* or a mesh or cloud of trimesh"):
        ss.Scene().add(trimesh.load_path([(0, 0, 0), (1, 1, 1)]))
    with pytest.raises(ss.errors.InvalidType, match=r"mesh: expected a trimesh.Trimesh"):
        ss.Mesh.from_object(np.eye(3))


@BRIDGES
def test_polygons_of_pyvista():
    import pyvista

    with pytest.raises(ss.errors.InvalidGeometry, match=r"not all triangles; call \.triangulate\(\) first"):
        ss.Mesh.from_object(pyvista.Box(quads=True))
    assert ss.Mesh.from_object(pyvista.Box(quads=True).triangulate()).closed
    with pytest.raises(ss.errors.InvalidType, match=r"call \.extract_surface\(\) first"):
        ss.Mesh.from_object(pyvista.ImageData(dimensions=(2, 2, 2)))


@BRIDGES
def test_line_sets_of_open3d_are_no_clouds():
    import open3d as o3d

    lines = o3d.geometry.LineSet()
    with pytest.raises(ss.errors.InvalidType, match="expected a Mesh, Box"):
        ss.Scene().add(lines)
    assert ss.Scene().add(o3d.t.geometry.TriangleMesh()).shape.empty


CAMERA = np.array([(100.0, 0, 31.5), (0, 120, 23.5), (0, 0, 1)])


def test_a_depth_image_of_a_plane():
    # A camera 2 above the floor, tilted: its rays meet z = 0.
    pose = ss.Pose.look_at((0, 0, 2), (1, 0.5, 0))
    row, column = np.mgrid[:48, :64]
    rays = np.stack(((column - 31.5) / 100, (row - 23.5) / 120, np.ones((48, 64))), axis=2)
    down = (rays @ pose[:3, :3].T)[..., 2]
    depth = -2.0 / down
    cloud = ss.PointCloud.from_depth(depth, CAMERA, pose=pose, radius=0.01)
    assert cloud.radius == 0.01
    assert len(cloud.vertices) == 48 * 64
    np.testing.assert_allclose(cloud.vertices[:, 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(
        ss.PointCloud.from_depth(depth, CAMERA).vertices.reshape(48, 64, 3), rays * depth[..., None], atol=1e-12
    )
    few = ss.PointCloud.from_depth(depth, CAMERA, pose=pose, every=5)
    np.testing.assert_allclose(few.vertices, cloud.vertices.reshape(48, 64, 3)[::5, ::5].reshape(-1, 3), atol=1e-12)
    near = ss.PointCloud.from_depth(depth, CAMERA, far=2.2)
    assert len(near.vertices) == (depth <= 2.2).sum()
    assert 0 < len(near.vertices) < 48 * 64


def test_holes_of_a_depth_image():
    depth = np.array([(1.0, 0.0), (np.nan, np.inf), (2.0, 3.0)])
    assert ss.PointCloud.from_depth(depth, CAMERA).vertices[:, 2].tolist() == [1.0, 2.0, 3.0]
    assert ss.PointCloud.from_depth(np.zeros((4, 4)), CAMERA).empty
    counts = np.array([(1000, 0), (0, 65535)], np.uint16)
    assert ss.PointCloud.from_depth(counts, CAMERA, scale=0.001).vertices[:, 2].tolist() == [1.0, 65.535]


BAD_DEPTHS = {
    "whole numbers": (lambda: ss.PointCloud.from_depth(np.ones((2, 2), np.uint16), CAMERA), "uint16.*scale=0.001"),
    "colors": (lambda: ss.PointCloud.from_depth(np.ones((2, 2, 3)), CAMERA), r"\(rows, columns\), got \(2, 2, 3\)"),
    "negative": (lambda: ss.PointCloud.from_depth([(1.0, 1.0), (1.0, -3.0)], CAMERA), r"depth\[1, 1\] is -3.0"),
    "four numbers": (lambda: ss.PointCloud.from_depth(np.ones((2, 2)), (1, 1, 0, 0)), r"camera: expected a 3x3"),
    "transposed": (lambda: ss.PointCloud.from_depth(np.ones((2, 2)), CAMERA.T), "camera: expected fx 0 cx"),
    "no focal length": (lambda: ss.PointCloud.from_depth(np.ones((2, 2)), np.diag((0.0, 1, 1))), "fx and fy above 0"),
    "NaN": (lambda: ss.PointCloud.from_depth(np.ones((2, 2)), np.full((3, 3), np.nan)), r"camera\[0, 0\] is nan"),
    "every": (lambda: ss.PointCloud.from_depth(np.ones((2, 2)), CAMERA, every=0), "every is 0"),
    "far": (lambda: ss.PointCloud.from_depth(np.ones((2, 2)), CAMERA, far=-1), "far is -1"),
    "scale": (lambda: ss.PointCloud.from_depth(np.ones((2, 2)), CAMERA, scale="mm"), "scale: expected a number"),
}


@pytest.mark.parametrize("case", BAD_DEPTHS)
def test_bad_depth(case):
    make, message = BAD_DEPTHS[case]
    with pytest.raises(ss.errors.InvalidType if case == "scale" else ss.errors.InvalidGeometry, match=message):
        make()


@BRIDGES
def test_depth_as_open3d_has_it():
    import open3d as o3d

    counts = np.random.default_rng(1).integers(0, 4000, (48, 64)).astype(np.uint16)
    lens = o3d.camera.PinholeCameraIntrinsic(64, 48, CAMERA)
    theirs = o3d.geometry.PointCloud.create_from_depth_image(
        o3d.geometry.Image(counts), lens, depth_scale=1000.0, depth_trunc=9.0
    )
    ours = ss.PointCloud.from_depth(o3d.geometry.Image(counts), lens, scale=0.001)
    np.testing.assert_allclose(ours.vertices, np.asarray(theirs.points), atol=1e-6)


def test_shapes_back_to_trimesh():
    mesh = ss.Mesh(*SHEET).to_trimesh()
    assert type(mesh) is trimesh.Trimesh
    np.testing.assert_array_equal(mesh.vertices, SHEET[0])
    np.testing.assert_array_equal(mesh.faces, SHEET[1])
    assert ss.Box((1, 2, 3)).to_trimesh().volume == pytest.approx(6)
    assert ss.Sphere(2.0).to_trimesh().volume == pytest.approx(4 / 3 * np.pi * 8, rel=0.02)
    for ends in (((1, 2, 3), (4, 0, 1)), ((0, 0, 0), (0, 0, -2)), ((1, 1, 1), (1, 1, 1))):
        capsule = ss.Capsule.from_segment(*ends, radius=0.5)
        np.testing.assert_allclose(capsule.to_trimesh().bounds, capsule.bounds, atol=0.02)
    cloud = ss.PointCloud(SHEET[0], 0.1).to_trimesh()
    np.testing.assert_array_equal(cloud.vertices, SHEET[0])
    assert ss.Volume(np.ones((2, 2, 2)), 0.5).to_trimesh().volume == pytest.approx(1)
    assert (
        ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=0.5, outer=1.0, half_thickness=0.1)
        .to_trimesh()
        .is_watertight
    )


def test_bodies_back_to_trimesh():
    scene = ss.Scene()
    pose = ss.Pose.from_axis_angle((1, 2, 3), (0, 1, 1), angle=0.7)
    body = scene.add(ss.Mesh(*SHEET), pose)
    body.vertices = 2 * SHEET[0]
    np.testing.assert_allclose(body.to_trimesh().vertices, 2 * SHEET[0] @ pose[:3, :3].T + pose[:3, 3], atol=1e-14)


def test_without_trimesh(monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)  # as if it were not installed
    with pytest.raises(ss.errors.MissingPackage, match="pip install trimesh"):
        ss.Box((1, 1, 1)).to_trimesh()
    with pytest.raises(ss.errors.MissingPackage, match="pip install trimesh"):
        ss.Scene().to_trimesh()


def test_what_is_no_shape_yet():
    with pytest.raises(ss.errors.InvalidType, match="got the class Box, not a shape; its arguments are missing"):
        ss.Scene().add(ss.Box)
    with pytest.raises(ss.errors.InvalidGeometry, match="scale is 0; accepted"):
        ss.PointCloud.from_depth(np.ones((2, 2)), np.eye(3), scale=0.0)
