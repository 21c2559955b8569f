"""Laws of signed distances: 1-Lipschitz, 0 on the surface, the gradient, balls, the distance of a point body, rigid motions."""

import numpy as np
import pytest
from sweepscope_lab.reference.point_cases import ball, merged

import sweepscope as ss


def _crossing(rng):
    one, two = ball(rng, 14, 0.2), ball(rng, 12, 0.2)
    return ss.Mesh(*merged(one, (two[0] + (0.7, 0.2, 0), two[1])))


SHAPES = {
    "box": lambda rng: ss.Box(rng.uniform(0.5, 2.0, 3)),
    "mesh": lambda rng: ss.Mesh(*ball(rng, 16, 0.4)),
    "crossing": _crossing,
    "sphere": lambda rng: ss.Sphere(rng.uniform(0.2, 1.5)),
    "capsule": lambda rng: ss.Capsule.from_segment(rng.normal(size=3), rng.normal(size=3), radius=rng.uniform(0.1, 0.8)),
    "cloud": lambda rng: ss.PointCloud(rng.normal(size=(30, 3)), rng.uniform(0.3, 0.5)),
    "volume": lambda rng: ss.Volume(rng.random((5, 6, 7)) < 0.5, 0.4),
    "fan": lambda rng: ss.fan.Fan(
        (0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=0.5, outer=1.5, half_thickness=0.3
    ),
}


def _pose(rng):
    axis = rng.normal(size=3)
    return ss.Translate(rng.normal(size=3)).at() @ ss.Rotate(axis, rng.uniform(0, 3)).at()


def _scene(rng, name):
    scene = ss.Scene()
    scene.add(SHAPES[name](rng), _pose(rng))
    return scene


def _points(rng, scene, count):
    """Points in and around the body."""
    low, high = scene[0].bounds
    return np.concatenate((rng.uniform(low - 0.1, high + 0.1, (count - count // 4, 3)), rng.normal(size=(count // 4, 3)) * 2.0))


@pytest.mark.parametrize("name", SHAPES)
def test_a_step_changes_the_distance_by_no_more_than_its_length(name, rng):
    scene = _scene(rng, name)
    points = _points(rng, scene, 1500)
    others = points + rng.normal(size=(1500, 3)) * 10.0 ** rng.uniform(-9, 0.3, (1500, 1))
    one, two = scene.signed_distance(points), scene.signed_distance(others)
    assert (np.abs(one.distance - two.distance) <= np.linalg.norm(points - others, axis=1) + 1e-14).all()
    assert 0.01 < one.inside.mean() < 0.9


@pytest.mark.parametrize("name", SHAPES)
def test_the_sign_changes_at_the_surface(name, rng):
    scene = _scene(rng, name)
    found = scene.signed_distance(_points(rng, scene, 800))
    assert np.abs(scene.signed_distance(found.point).distance).max() <= (np.inf if name in ("crossing", "cloud") else 1e-14)
    # Of balls and faces within a body the inside is on both sides.
    flat = found.kind == (1 if name in ("sphere", "cloud") else 3) if name != "capsule" else found.kind > 0
    flat &= np.abs(found.distance) > 1e-3
    for step in (1e-3, 1e-6, 1e-10):
        there = scene.signed_distance(found.point[flat] + step * found.normal[flat]).distance
        back = scene.signed_distance(found.point[flat] - step * found.normal[flat]).distance
        right = np.abs(there - step) <= 1e-14
        right &= np.abs(back + step) <= 1e-14
        assert right.mean() > (0.6 if name in ("crossing", "cloud", "volume") else 0.9)
    assert flat.sum() > 100


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_leads_to_the_nearest_point(name, rng):
    scene = _scene(rng, name)
    points = _points(rng, scene, 800)
    found = scene.signed_distance(points)
    known = np.isfinite(found.normal[:, 0])
    assert np.linalg.norm(found.normal[known], axis=1) == pytest.approx(np.ones(known.sum()))
    assert found.point[known] + found.distance[known, None] * found.normal[known] == pytest.approx(points[known], abs=1e-13)
    # Closer along the gradient it changes by the step, as far as the nearest point.
    step = -0.5 * found.distance[known, None] * found.normal[known]
    assert scene.signed_distance(points[known] + step).distance == pytest.approx(0.5 * found.distance[known], abs=1e-13)
    assert known.mean() > 0.99


@pytest.mark.parametrize("name", SHAPES)
def test_balls_and_point_bodies(name, rng):
    scene = _scene(rng, name)
    points = _points(rng, scene, 40)
    found = scene.signed_distance(points)
    radii = rng.uniform(0.0, 1.0, 40)
    assert np.array_equal(scene.signed_distance(points, radius=radii).distance, found.distance - radii)
    point = scene.add(ss.Sphere(0.0))
    free = overlapping = 0
    for place, distance in zip(points, found.distance, strict=True):
        point.pose = place
        near = scene.distance(point, scene[0])
        assert near.distance == pytest.approx(max(distance, 0.0), abs=1e-13)
        assert near.overlapping == (distance < 0.0)
        free += distance > 0.0
        overlapping += distance < 0.0
    assert free > 5
    assert overlapping or name == "cloud"


@pytest.mark.parametrize("name", SHAPES)
def test_rigid_motions_and_scale(name, rng):
    shape, points, pose = SHAPES[name](rng), rng.normal(size=(300, 3)) * 2.0, _pose(rng)
    scene = ss.Scene()
    body = scene.add(shape)
    found = scene.signed_distance(points)
    body.pose = pose
    moved = scene.signed_distance(points @ pose[:3, :3].T + pose[:3, 3])
    assert moved.distance == pytest.approx(found.distance, abs=1e-13)
    if name in ("mesh", "crossing"):
        for factor in (2.0**-60, 2.0**60):
            body.shape, body.pose = ss.Mesh(factor * shape.vertices, shape.faces), np.eye(4)
            assert np.array_equal(scene.signed_distance(factor * points).distance, factor * found.distance)
