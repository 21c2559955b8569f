"""Binary STL is read without trimesh: the same triangles, in the same order."""

import numpy as np
import pytest
import trimesh

import sweepscope as ss
from sweepscope.io.meshes import read_mesh


@pytest.mark.parametrize("head", [b"", b"solid of binary", b"\xff" * 80])
def test_as_trimesh_reads_it(tmp_path, rng, head):
    corners = rng.normal(size=(57, 3, 3)).astype("<f4")
    corners[3] = -0.0
    corners[4, 1] = corners[4, 2] = corners[5, 0]
    file = tmp_path / "a.stl"
    content = b"".join(rng.normal(size=3).astype("<f4").tobytes() + each.tobytes() + b"\0\0" for each in corners)
    file.write_bytes(head.ljust(80, b"\0") + len(corners).to_bytes(4, "little") + content)
    vertices, faces = read_mesh(file)
    other = trimesh.load_mesh(file, process=False)
    assert np.array_equal(vertices, other.vertices)
    assert np.array_equal(faces, other.faces)
    assert np.array_equal(vertices[faces], corners)
    assert vertices.dtype == np.float64
    assert np.array_equal(read_mesh(file, 0.001)[0], vertices * 0.001)


def test_a_ball_written_and_read_is_closed(tmp_path):
    ball = trimesh.creation.icosphere(2)
    file = tmp_path / "ball.stl"
    ball.export(file)
    mesh = ss.Mesh.load(file)
    assert len(mesh.vertices) == 3 * len(mesh.faces)
    assert mesh.closed


def test_no_triangles(tmp_path):
    file = tmp_path / "none.stl"
    file.write_bytes(b"\0" * 84)
    with pytest.raises(ss.InvalidGeometry, match="holds no triangles"):
        ss.Mesh.load(file)


def test_a_number_that_is_not_finite_is_named(tmp_path):
    file = tmp_path / "bad.stl"
    corners = np.ones((2, 3, 3), "<f4")
    corners[1, 2, 0] = np.nan
    file.write_bytes(b"\0" * 80 + (2).to_bytes(4, "little") + b"".join(b"\0" * 12 + c.tobytes() + b"\0\0" for c in corners))
    with pytest.raises(ss.InvalidGeometry, match=r"bad\.stl.*vertices\[5, 0\] is nan"):
        ss.Mesh.load(file)
