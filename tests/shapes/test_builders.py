import numpy as np
import pytest
from sweepscope_lab.scenes import bumpy_ball, hills, hook, nut, peg, ring, wall

import sweepscope as ss


def volume(mesh):
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


CLOSED = {
    "box": (ss.Mesh.box((1, 2, 3)), 12, 6.0),
    "ball of 1250": (ss.Mesh.sphere(1.0), 1250, 4.1),
    "ball of 128": (ss.Mesh.sphere(1.0, rows=9, sections=8), 128, 3.66),
    "capsule": (ss.Mesh.capsule(0.5, 2.0), None, np.pi * 0.25 * 2 + 4 / 3 * np.pi * 0.125),
    "cylinder": (ss.Mesh.cylinder(1.0, 2.0), 96, 24 * np.sin(2 * np.pi / 24)),
    "ring": (ring(1.0, 1.5, 0.3), 384, 0.3 * 24 * np.sin(2 * np.pi / 48) * 1.25),
    "nut": (nut(), 384, 0.8 * 24 * np.sin(2 * np.pi / 48) * 3.0),
    "peg": (peg(), 192, 4.0 * 24 * np.sin(2 * np.pi / 48) * 0.81),
    "hook": (hook(), None, 0.4 * 20 * np.sin((2 * np.pi - 1.2) / 40) * 0.69),
    "wall": (wall(), 12, 4e-6),
    "bumpy ball": (bumpy_ball(26, 25, 1.0), 1250, None),
}  # fmt: skip


@pytest.mark.parametrize("name", CLOSED)
def test_closed_and_facing_outwards(name):
    mesh, count, expected = CLOSED[name]
    assert mesh.closed
    if count is not None:
        assert len(mesh.faces) == count
    assert volume(mesh) > 0.0
    if expected is not None:
        assert volume(mesh) == pytest.approx(expected, rel=0.02)


def test_open_shapes_are_open():
    assert not hills(5).closed
    assert len(hills(159).faces) == 49_928
    assert not ss.Mesh(ss.Mesh.box((1, 1, 1)).vertices, ss.Mesh.box((1, 1, 1)).faces[1:]).closed
    assert not ss.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]).closed


def test_bounds_include_the_radius():
    np.testing.assert_allclose(ss.Sphere(2.0).bounds, [(-2, -2, -2), (2, 2, 2)])
    np.testing.assert_allclose(
        ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.5).bounds, [(-0.5, -0.5, -0.5), (1.5, 0.5, 0.5)]
    )
    scene = ss.Scene()
    np.testing.assert_allclose(scene.add(ss.Sphere(2.0), (1, 0, 0)).bounds, [(-1, -2, -2), (3, 2, 2)])


def test_vertices_no_face_uses_do_not_count():
    mesh = ss.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1e9, 0, 0)], [(0, 1, 2)])
    scene = ss.Scene()
    body = scene.add(mesh)
    np.testing.assert_allclose(body.bounds, [(0, 0, 0), (1, 1, 0)])
    np.testing.assert_allclose(mesh.bounds, [(0, 0, 0), (1, 1, 0)])


def test_of_trimesh():
    import trimesh

    box = trimesh.creation.box((1, 2, 3))
    mesh = ss.Mesh.from_object(box)
    np.testing.assert_array_equal(mesh.vertices, box.vertices)
    np.testing.assert_array_equal(mesh.faces, box.faces)
    assert mesh.closed


def test_zero_radius_is_legal_everywhere():
    scene = ss.Scene()
    scene.add(ss.Box((2, 2, 2)), name="box")
    for shape in (
        ss.Sphere(0),
        ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0),
        ss.PointCloud([(0, 0, 0)], 0),
        ss.Capsule.from_segment((0, 0, 0), (0, 0, 0), radius=0),
    ):
        body = scene.add(shape, (0, 0, 3))
        hit = scene.sweep(body, ss.Translate((0, 0, -5)))
        assert hit is not None
        assert hit.travel == pytest.approx(2.0, abs=1e-12)
        scene.remove(body)
