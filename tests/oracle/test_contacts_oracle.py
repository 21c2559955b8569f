"""Contacts against brute force: every place is one by definition, and the patches cover the true area of contact."""

import numpy as np
import pytest
from sweepscope_lab.reference.contacts import area_of, common_area, distance_to_faces, least_distance, rise_around

import sweepscope as ss

TILT = 0.1 + 1e-6


def bracket():
    """An L: two bars."""
    base = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float) - 0.8
    vertices = np.concatenate([np.column_stack((base, np.full(6, z))) for z in (0.0, 1.0)])
    flat = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    faces = [face[::-1] for face in flat] + [tuple(k + 6 for k in face) for face in flat]
    for k in range(6):
        j = (k + 1) % 6
        faces += [(k, j, j + 6), (k, j + 6, k + 6)]
    return ss.Mesh(vertices, faces)


def random_shape(rng):
    kind = rng.integers(5)
    if kind == 0:
        return ss.Box(rng.uniform(0.3, 2.0, 3))
    if kind == 1:
        return ss.Mesh.cylinder(rng.uniform(0.2, 1.0), rng.uniform(0.3, 2.0))
    if kind == 2:
        return ss.Mesh.sphere(rng.uniform(0.3, 1.0), rows=8, sections=8)
    if kind == 3:
        return bracket()
    return ss.Mesh(rng.uniform(-1.0, 1.0, (9, 3)), np.arange(9).reshape(3, 3))


def random_pose(rng, spread):
    turn = rng.normal(size=4)
    return ss.Pose.from_quaternion(rng.uniform(-spread, spread, 3), xyzw=turn / np.linalg.norm(turn))


def faces_of(body):
    vertices = body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
    return vertices[body.shape.faces]


def near_pair(rng):
    """Return two bodies of a scene, the first moved against the second and back a little; None if they do not meet."""
    scene = ss.Scene()
    one = scene.add(random_shape(rng), random_pose(rng, 1.0))
    two = scene.add(random_shape(rng), random_pose(rng, 1.0))
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    pose = one.pose.copy()
    pose[:3, 3] = two.pose[:3, 3] + 6.0 * direction
    one.pose = pose
    hit = scene.sweep(one, ss.Translate(-12.0 * direction))
    if hit is None:
        return None
    one.pose = ss.Translate(rng.choice((0.001, 0.02, 0.1)) * direction).at() @ hit.pose
    return scene, one, two


def test_every_place_is_one():
    rng = np.random.default_rng(3)
    rows = several = 0
    for _ in range(150):
        pair = near_pair(rng)
        if pair is None:
            continue
        scene, one, two = pair
        margin = rng.choice((0.002, 0.05, 0.15))
        found = scene.contacts(one, margin=margin)
        mine, others = faces_of(one), faces_of(two)
        distance = least_distance(mine, others)
        assert bool(found) == (distance <= margin)
        if not found:
            continue
        assert found.gap.min() == pytest.approx(distance, abs=1e-9)
        assert (found.gap <= margin + 1e-8).all()
        for point, other, normal, gap in zip(found.point, found.other_point, found.normal, found.gap, strict=True):
            assert distance_to_faces(point, mine).min() < 1e-9
            assert distance_to_faces(other, others).min() < 1e-9
            assert np.allclose(point - other, gap * normal, atol=1e-9)
            assert rise_around(point, -normal, mine, 1.0) <= TILT
            assert rise_around(other, normal, others, 1.0) <= TILT
        rows += len(found)
        several += len(found) > 1
    assert rows > 100
    assert several > 15


def rectangle(size, pose):
    corners = 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size[:2]
    return corners @ pose[:2, :2].T + pose[:2, 3]


def test_the_area_of_a_box_on_a_table():
    rng = np.random.default_rng(7)
    partly = more = 0
    for _ in range(150):
        scene = ss.Scene()
        sizes = rng.uniform(0.5, 2.0, (2, 3))
        places = [ss.Pose.from_axis_angle((*rng.uniform(-0.8, 0.8, 2), 0.0), (0, 0, 1), angle=rng.uniform(0, 7)) for _ in "ab"]
        places[0][2, 3], places[1][2, 3] = 0.5 * sizes[0, 2], -0.5 * sizes[1, 2]
        box, table = (scene.add(ss.Box(size), pose) for size, pose in zip(sizes, places, strict=True))
        true = common_area(rectangle(sizes[0], places[0]), rectangle(sizes[1], places[1]))
        found = scene.contacts(box)
        assert bool(found) == (len(true) > 0)
        if not found:
            continue
        assert len(found.patches) == 1
        patch = found.patches[0]
        assert np.allclose(patch.normals, (0, 0, 1))
        assert np.allclose(patch.gaps, 0.0, atol=1e-12)
        for point in patch.points:
            assert np.linalg.norm(true - point[:2], axis=1).min() < 1e-9, "a corner of the area"
        if len(true) <= 4:
            assert area_of(patch.points[:, :2]) == pytest.approx(area_of(true), rel=2e-3)
        else:
            assert len(patch) == 4
            assert area_of(patch.points[:, :2]) >= 0.6 * area_of(true)
            more += 1
        assert len(scene.contacts(table)) == len(found)
        partly += 1
    assert partly > 80
    assert more > 20


def test_floors_of_any_triangles():
    """The corners of a box do not depend on how the floor is divided."""
    from scipy.spatial import Delaunay

    rng = np.random.default_rng(11)
    for _ in range(20):
        places = np.concatenate((rng.uniform(-3.0, 3.0, (200, 2)), 3.0 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])))
        faces = Delaunay(places).simplices
        floor = ss.Mesh(np.column_stack((places, np.zeros(len(places)))), faces)
        scene = ss.Scene()
        scene.add(floor)
        pose = ss.Pose.from_axis_angle((*rng.uniform(-1, 1, 2), 0.5), (0, 0, 1), angle=rng.uniform(0, 7))
        box = scene.add(ss.Box((1.0, 1.5, 1.0)), pose)
        found = scene.contacts(box)
        assert len(found) == 4
        corners = rectangle(np.array((1.0, 1.5)), pose)
        assert max(np.linalg.norm(corners - point[:2], axis=1).min() for point in found.point) < 1e-9
        assert area_of(found.point[:, :2]) == pytest.approx(1.5)
