"""Overlapping at the start, and wholly inside: a hit at time 0 that says so, and never a silent free."""

import numpy as np
import pytest
from sweepscope_lab.scenes import nut, peg, ring

import sweepscope as ss

MOTIONS = [(0.0, 0.0, 0.0), (5.0, 0.0, 0.0), (0.0, 0.0, -0.1), (-1.0, 2.0, 3.0)]

OVERLAPPING = {
    "boxes crossing": (ss.Box((1, 1, 1)), (0.5, 0.2, 0.1), ss.Box((1, 1, 1))),
    "equal boxes": (ss.Box((1, 1, 1)), (0, 0, 0), ss.Box((1, 1, 1))),
    "equal meshes": (ss.Mesh.sphere(1.0), (0, 0, 0), ss.Mesh.sphere(1.0)),
    "boxes shifted along an edge": (ss.Box((1, 1, 1)), (0.5, 0, 0), ss.Box((1, 1, 1))),
    "box in a box": (ss.Box((0.1, 0.1, 0.1)), (0.3, 0, 0), ss.Box((1, 1, 1))),
    "box round a box": (ss.Box((1, 1, 1)), (0, 0, 0), ss.Box((0.1, 0.1, 0.1))),
    "box in a corner of a box": (ss.Box((0.5, 0.5, 0.5)), (0.25, 0.25, 0.25), ss.Box((1, 1, 1))),
    "sphere in a box": (ss.Sphere(0.1), (0.2, 0, 0), ss.Box((1, 1, 1))),
    "box in a sphere": (ss.Box((0.1, 0.1, 0.1)), (0.2, 0, 0), ss.Sphere(1.0)),
    "point in a mesh": (ss.PointCloud([(0.1, 0.2, 0.1)]), (0, 0, 0), ss.Mesh.sphere(1.0)),
    "second point in a mesh": (ss.PointCloud([(9, 9, 9), (0.1, 0.2, 0.1)]), (0, 0, 0), ss.Mesh.sphere(1.0)),
    "mesh round one point of a cloud": (ss.Mesh.sphere(1.0), (0, 0, 0), ss.PointCloud([(9, 9, 9), (0.1, 0.2, 0.1)])),
    "spheres": (ss.Sphere(1.0), (0.5, 0, 0), ss.Sphere(1.0)),
    "equal spheres": (ss.Sphere(1.0), (0, 0, 0), ss.Sphere(1.0)),
    "sphere in a sphere": (ss.Sphere(0.1), (0.1, 0, 0), ss.Sphere(1.0)),
    "capsules": (ss.Capsule.from_segment((0, 0, -1), (0, 0, 1), radius=0.2), (0, 0, 0), ss.Capsule.from_segment((-1, 0, 0), (1, 0, 0), radius=0.2)),
    "capsule through a face": (ss.Capsule.from_segment((0, 0, -1), (0, 0, 1), radius=0.2), (0, 0, 0), ss.Mesh.terrain(np.zeros((2, 2)), 4.0)),
    "triangle through a triangle": (
        ss.Mesh([(0, 0, -1), (1, 0, 1), (0, 1, 1)], [(0, 1, 2)]),
        (0, 0, 0),
        ss.Mesh([(-2, -2, 0), (4, -2, 0), (0, 4, 0)], [(0, 1, 2)]),
    ),
    "mesh turned inside out": (ss.Box((0.1, 0.1, 0.1)), (0, 0, 0), ss.Mesh(ss.Mesh.sphere(1.0).vertices, ss.Mesh.sphere(1.0).faces[:, ::-1])),
    "in the wall of a ring": (ss.Box((0.1, 0.1, 0.1)), (1.25, 0, 0), ring(1.0, 1.5, 0.3)),
    "second part inside": (
        ss.Mesh(
            np.concatenate((ss.Mesh.box((1, 1, 1)).vertices + (9, 0, 0), ss.Mesh.box((0.1, 0.1, 0.1)).vertices)),
            np.concatenate((ss.Mesh.box((1, 1, 1)).faces, ss.Mesh.box((1, 1, 1)).faces + 8)),
        ),
        (0, 0, 0),
        ss.Mesh.sphere(1.0),
    ),
    "soup without shared vertices": (
        ss.Box((0.1, 0.1, 0.1)),
        (0, 0, 0),
        ss.Mesh(ss.Mesh.box((1, 1, 1)).vertices[ss.Mesh.box((1, 1, 1)).faces].reshape(-1, 3), np.arange(36).reshape(-1, 3)),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (1e5, -3e4, 7e3)], ids=["near", "far"])
@pytest.mark.parametrize("pair", OVERLAPPING)
def test_hit_at_the_start(pair, shift):
    mover, place, obstacle = OVERLAPPING[pair]
    scene = ss.Scene()
    body = scene.add(mover, np.add(place, shift))
    other = scene.add(obstacle, shift)
    for vector in MOTIONS:
        for resting in ("free", "hit"):
            for first, second in ((body, other), (other, body)):
                hit = scene.sweep(first, ss.Translate(vector), resting=resting)
                assert hit is not None, f"{vector}, {resting}"
                assert (hit.time, hit.travel) == (0.0, 0.0)
                assert hit.overlapping
                assert hit.obstacle is second
                assert np.isfinite(hit.point).all()


FREE_INSIDE = {
    "bolt in a nut": (peg(), (0, 0, 0), nut()),
    "nut round a bolt": (nut(), (0, 0, 0), peg()),
    "box in a room": (ss.Box((1, 1, 1)), (0, 0, 0), ss.Mesh(ss.Mesh.box((9, 9, 9)).vertices, ss.Mesh.box((9, 9, 9)).faces, solid=False)),
    "box in an open cup": (ss.Box((0.2, 0.2, 0.2)), (0, 0, 0), ss.Mesh(ss.Mesh.box((2, 2, 2)).vertices, ss.Mesh.box((2, 2, 2)).faces[2:])),
    "box in a cavity": (
        ss.Box((0.2, 0.2, 0.2)),
        (0, 0, 0),
        ss.Mesh(
            np.concatenate((ss.Mesh.box((2, 2, 2)).vertices, ss.Mesh.box((1, 1, 1)).vertices)),
            np.concatenate((ss.Mesh.box((2, 2, 2)).faces, ss.Mesh.box((1, 1, 1)).faces[:, ::-1] + 8)),
        ),
    ),
    "box filling a cavity": (
        ss.Box((1, 1, 1)),
        (0, 0, 0),
        ss.Mesh(
            np.concatenate((ss.Mesh.box((2, 2, 2)).vertices, ss.Mesh.box((1, 1, 1)).vertices)),
            np.concatenate((ss.Mesh.box((2, 2, 2)).faces, ss.Mesh.box((1, 1, 1)).faces[:, ::-1] + 8)),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("pair", FREE_INSIDE)
def test_inside_a_hole_is_free(pair):
    mover, place, obstacle = FREE_INSIDE[pair]
    scene = ss.Scene()
    body = scene.add(mover, place)
    scene.add(obstacle)
    assert scene.sweep(body, ss.Translate((0.0, 0.0, 0.0))) is None


def test_solid_true_refuses_an_open_mesh():
    box = ss.Mesh.box((1, 1, 1))
    assert ss.Mesh(box.vertices, box.faces, solid=True).closed
    with pytest.raises(ss.errors.InvalidGeometry, match="open"):
        ss.Mesh(box.vertices, box.faces[1:], solid=True)


def test_deformed_body_still_has_an_inside():
    scene = ss.Scene()
    balloon = scene.add(ss.Mesh.sphere(0.5))
    pin = scene.add(ss.PointCloud([(0.0, 0.0, 0.9)]))
    assert scene.sweep(pin, ss.Translate((1.0, 0.0, 0.0))) is None
    balloon.vertices = balloon.vertices * 2.0
    hit = scene.sweep(pin, ss.Translate((1.0, 0.0, 0.0)))
    assert hit is not None
    assert hit.overlapping


def test_one_point_of_a_large_cloud_inside(rng):
    """Thousands of points around a body, all outside but one."""
    points = rng.uniform(-5.0, 5.0, (20_000, 3))
    points = points[np.linalg.norm(points, axis=1) > 1.5]
    scene = ss.Scene()
    cloud = scene.add(ss.PointCloud(points), name="cloud")
    ball = scene.add(ss.Mesh.sphere(1.4), name="ball")
    turn = np.eye(4)
    turn[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn[:3, :3] *= np.linalg.det(turn[:3, :3])
    assert scene.sweep(ball, ss.Translate((0, 0, 0))) is None
    ball.pose = turn
    assert scene.sweep(ball, ss.Translate((0, 0, 0))) is None
    inside = points.copy()
    inside[12_345] = (0.2, -0.3, 0.1)
    cloud.vertices = inside
    for mover in (ball, cloud):
        hit = scene.sweep(mover, ss.Translate((0, 0, 1)))
        assert hit is not None
        assert hit.overlapping
        np.testing.assert_allclose(hit.point, (0.2, -0.3, 0.1), atol=1e-12)
