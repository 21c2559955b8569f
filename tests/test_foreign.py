"""Arrays of other libraries are taken wherever arrays are; those that cannot be say what to call first."""

import importlib
import sys

import numpy as np
import pytest

import sweepscope as ss

TURN = ss.Pose.from_axis_angle((1.0, 2.0, 3.0), (0, 0, 1), angle=0.5)


@pytest.fixture(params=["torch", "jax", "pandas"])
def made(request):
    """A function that makes an array of another library, float32 where that is its custom, and the library's name."""
    library = importlib.import_module(request.param)
    if request.param == "torch":
        return lambda values: library.tensor(np.asarray(values))
    if request.param == "jax":
        return lambda values: library.numpy.asarray(np.asarray(values))
    return lambda values: library.Series(values) if np.ndim(values) == 1 else library.DataFrame(np.asarray(values))


@pytest.mark.bridges
def test_wherever_arrays_are_taken(made):
    near = pytest.approx
    assert ss.Translate(made([1.0, 2.0, 3.0])).vector == near((1, 2, 3))
    turn = ss.Rotate(made([0.0, 0.0, 2.0]), 0.5, about=made([1.0, 0.0, 0.0]))
    assert turn.axis == (0, 0, 1)
    assert ss.Box(made([1.0, 2.0, 3.0])).bounds[1] == near((0.5, 1, 1.5))
    mesh = ss.Mesh(made(np.eye(3)), made(np.array([(0, 1, 2)])))
    np.testing.assert_array_equal(mesh.vertices, np.eye(3))
    scene = ss.Scene()
    body = scene.add(mesh, made(TURN))
    np.testing.assert_allclose(body.pose, TURN, atol=1e-6)
    body.pose = made([3.0, 2.0, 1.0])
    np.testing.assert_array_equal(body.pose[:3, 3], (3, 2, 1))
    body.vertices = made(2.0 * np.eye(3))
    np.testing.assert_array_equal(body.vertices, 2.0 * np.eye(3))
    scene.move([body], made(np.array([(4.0, 5.0, 6.0)])))
    np.testing.assert_array_equal(body.pose[:3, 3], (4, 5, 6))
    assert ss.Volume(np.ones((2, 2, 2)), made([0.5, 0.25, 0.5])).spacing == (0.5, 0.25, 0.5)


@pytest.mark.bridges
def test_stacks_of_tensors():
    import torch

    scene = ss.Scene()
    bodies = scene.add_many(ss.Mesh(np.eye(3), [(0, 1, 2)]), torch.tensor(np.stack((np.eye(4), TURN))))
    np.testing.assert_array_equal(bodies[1].pose, TURN)
    scene.move(bodies, torch.tensor(np.stack((TURN, np.eye(4)))[:, :3]))
    np.testing.assert_array_equal(bodies[0].pose, TURN)
    scene.deform(bodies, torch.tensor(np.stack((np.eye(3), 2 * np.eye(3)))))
    np.testing.assert_array_equal(bodies[1].vertices, 2 * np.eye(3))
    assert ss.Volume(torch.ones((2, 3, 4), dtype=torch.bool), 1.0).count == 24
    arm = ss.Robot(scene)
    arm.add("base", ss.Sphere(0.1))
    arm.add("tip", ss.Sphere(0.1), parent="base", joint=ss.Joint.revolute("elbow", (0, 0, 1), origin=(1, 0, 0)))
    arm.q = torch.tensor([0.5])
    assert arm["elbow"] == 0.5
    assert ss.Rotate((0, 0, 1), torch.tensor(0.25)).angle == 0.25


@pytest.mark.bridges
def test_tensors_that_are_refused():
    import torch

    scene = ss.Scene()
    body = scene.add(ss.Mesh(np.eye(3), [(0, 1, 2)]))
    trained = torch.ones(3, requires_grad=True)
    with pytest.raises(
        ss.errors.InvalidMotion, match=r"Translate.vector: got a torch Tensor; it requires a gradient.*\.detach\(\)"
    ):
        ss.Translate(trained)
    with pytest.raises(ss.errors.InvalidPose, match=r"pose: .*\.detach\(\)"):
        body.pose = trained
    with pytest.raises(ss.errors.InvalidPose, match=r"poses\[1\]: .*\.detach\(\)"):
        scene.add_many(ss.Sphere(1), [(0, 0, 0), trained])
    with pytest.raises(ss.errors.InvalidGeometry, match=r"vertices: .*\.detach\(\)"):
        body.vertices = torch.ones((3, 3), requires_grad=True)
    # A tensor on the device "meta" is not in the memory of the CPU, as one on a GPU.
    away = torch.ones((3, 3), device="meta")
    with pytest.raises(ss.errors.InvalidGeometry, match=r"it is on the device meta; call \.cpu\(\) first"):
        ss.PointCloud(away)
    with pytest.raises(ss.errors.InvalidMotion, match=r"\.cpu\(\) first"):
        ss.Translate(away[0])
    with pytest.raises(ss.errors.InvalidGeometry, match=r"vertices: .*\.cpu\(\) first"):
        scene.deform([body], away[None])
    with pytest.raises(ss.errors.InvalidGeometry, match=r"\.cpu\(\) first"):
        ss.Volume(torch.ones((2, 2, 2), device="meta"), 1.0)
    with pytest.raises(ss.errors.InvalidMotion, match="BFloat16"):
        ss.Translate(torch.ones(3, dtype=torch.bfloat16))
    with pytest.raises(ss.errors.InvalidGeometry, match="to_dense"):
        ss.PointCloud(torch.eye(3).to_sparse())
    with pytest.raises(ss.errors.InvalidType, match="dtype complex"):
        ss.PointCloud(torch.ones((3, 3), dtype=torch.complex64))
    with pytest.raises(ss.errors.InvalidType, match="dtype bool"):
        ss.PointCloud(torch.ones((3, 3), dtype=torch.bool))
    np.testing.assert_array_equal(body.pose, np.eye(4))


class OnDevice:
    """An array as CuPy has it: it refuses to become a NumPy array by itself."""

    __module__ = "cupy"
    shape = (3,)

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")


def test_arrays_of_cupy_say_get():
    with pytest.raises(ss.errors.InvalidMotion, match=r"got a cupy OnDevice; it is on a GPU; call \.get\(\) first"):
        ss.Translate(OnDevice())
    with pytest.raises(ss.errors.InvalidPose, match=r"\.get\(\) first"):
        ss.Scene().add(ss.Sphere(1), OnDevice())


@pytest.mark.bridges
def test_a_table_with_a_hole_or_a_word():
    import pandas

    table = pandas.DataFrame({"x": [0.0, 1.0], "y": [0.0, None], "z": [0.0, 1.0], "name": ["a", "b"]})
    with pytest.raises(ss.errors.InvalidGeometry, match=r"PointCloud.points\[1, 1\] is nan"):
        ss.PointCloud(table[["x", "y", "z"]])
    with pytest.raises(ss.errors.InvalidType, match="dtype object"):
        ss.PointCloud(table[["x", "y", "name"]])
    robot = ss.Robot()
    with pytest.raises(ss.errors.InvalidType, match=r"expected \{joint: position"):
        robot.positions = table["x"]


def test_numbers_of_other_kinds_are_refused_as_before():
    with pytest.raises(ss.errors.InvalidType, match="expected three numbers"):
        ss.Translate({1.0, 2.0, 3.0})
    with pytest.raises(ss.errors.InvalidMotion, match="masked"):
        ss.Translate(np.ma.masked_array((1.0, 2.0, 3.0), (0, 1, 0)))
    with pytest.raises(ss.errors.InvalidType, match="expected a number, got 'b'"):
        ss.Sphere(np.str_("b"))
    with pytest.raises(ss.errors.InvalidGeometry, match="expected a number"):
        ss.Sphere(np.ones(1))


def test_no_library_is_imported_by_recognizing_it():
    assert "cupy" not in sys.modules
