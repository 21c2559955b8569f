"""Laws of rays: a ray is a swept point, a ball is a swept ball, nothing slips through a closed mesh, motion changes nothing."""

import numpy as np
import pytest
from sweepscope_lab.reference.vectors import random_rotation
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss


def _scene(rng):
    scene = ss.Scene()
    scene.add(bumpy_ball(20, 20, 1.0), (0.0, 0.0, 0.0), name="mesh")
    scene.add(ss.Box((0.7, 1.1, 0.5)), _pose(rng, (2.5, 0.0, 0.5)), name="box")
    scene.add(ss.Sphere(0.6), (0.0, 2.5, 0.0), name="sphere")
    scene.add(ss.Capsule.from_segment((0, 0, -0.5), (0, 0.5, 0.5), radius=0.3), _pose(rng, (-2.5, 0.0, 0.0)), name="capsule")
    scene.add(ss.PointCloud(0.5 * rng.normal(size=(40, 3)), 0.1), (0.0, -2.5, 0.0), name="cloud")
    scene.add(ss.Volume(rng.random((6, 6, 6)) < 0.3, spacing=0.2), _pose(rng, (0.0, 0.0, 2.5)), name="volume")
    return scene


def _pose(rng, position):
    pose = np.eye(4)
    pose[:3, :3] = random_rotation(rng)
    pose[:3, 3] = position
    return pose


def _rays(rng, count):
    """Return rays from outside to somewhere near a body, and twice as far."""
    places = np.array(((0.0, 0.0, 0.0), (2.5, 0.0, 0.0), (0.0, 2.5, 0.0), (-2.5, 0.0, 0.0), (0.0, -2.5, 0.0), (0.0, 0.0, 2.5)))
    origins = rng.normal(size=(count, 3))
    origins *= 7.0 / np.linalg.norm(origins, axis=1, keepdims=True)
    return origins, 2.0 * (rng.choice(places, count) + 0.5 * rng.normal(size=(count, 3)) - origins)


@pytest.mark.parametrize("radius", [0.0, 0.05, 0.4])
def test_a_ray_is_a_swept_point_and_a_ball_a_swept_ball(rng, radius):
    scene = _scene(rng)
    origins, vectors = _rays(rng, 600)
    mover = scene.add(ss.Sphere(radius) if radius else ss.PointCloud([(0.0, 0.0, 0.0)]))
    swept = scene.sweep_many(mover, vectors, origins)
    sizes = np.linalg.norm(vectors, axis=1)
    hits = differ = 0
    for k in range(len(origins)):
        found = scene.cast(origins[k], vectors[k], length=sizes[k], radius=radius, ignore=[mover])
        hit = swept[k]
        if (hit is None) != (not found):
            differ += 1  # a graze that rounding decides
            continue
        if hit is None:
            continue
        hits += 1
        assert found.distance == pytest.approx(hit.travel, abs=1e-6)
        if abs(found.distance - hit.travel) < 1e-9:
            assert found.body == hit.obstacle.id
            assert found.point == pytest.approx(hit.point, abs=1e-6)
    assert hits > 250
    assert differ <= 2


def test_nothing_slips_through_edges_and_vertices(rng):
    scene = ss.Scene()
    mesh = bumpy_ball(40, 40, 1.0)
    body = scene.add(mesh, _pose(rng, (3.0, -2.0, 1.0)))
    corners = mesh.vertices[mesh.faces]
    total = slipped = 0
    for kind in ("vertex", "edge"):
        faces = rng.integers(0, len(corners), 50_000)
        share = rng.random((50_000, 1)) if kind == "edge" else np.zeros((50_000, 1))
        target = corners[faces, 0] + share * (corners[faces, 1] - corners[faces, 0])
        inside = 0.2 * rng.normal(size=target.shape)
        inside /= np.maximum(1.0, np.linalg.norm(inside, axis=1, keepdims=True) / 0.3)
        pose = body.pose
        origins, targets = (points @ pose[:3, :3].T + pose[:3, 3] for points in (inside, target))
        found = scene.cast(origins, targets - origins)
        total += len(found)
        slipped += int((~found.hit).sum())
    assert total == 100_000
    assert slipped == 0


def test_nothing_slips_through_corners_of_a_box_on_whole_numbers():
    scene = ss.Scene()
    scene.add(ss.Box((2.0, 2.0, 2.0)))
    grid = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, 33)] * 3), axis=-1).reshape(-1, 3)
    target = grid[np.abs(grid).max(axis=1) == 1.0]
    for origin in ((0.0, 0.0, 0.0), (0.25, -0.5, 0.125), (1 / 3, 1 / 7, -0.7)):
        found = scene.cast(origin, target - origin)
        assert found.hit.all()
        np.testing.assert_allclose(found.point, target, atol=1e-15)


def test_a_closed_mesh_is_crossed_an_even_number_of_times_from_outside(rng):
    scene = ss.Scene()
    scene.add(bumpy_ball(30, 30, 1.0))
    origins, directions = _rays(rng, 3000)
    counts = scene.cast_all(origins, directions).counts
    assert (counts % 2 == 0).all()
    assert (counts > 0).sum() > 500
    inside = scene.cast_all(np.zeros(3), directions).counts
    assert (inside % 2 == 1).all()


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_motion_of_everything_changes_nothing(rng, radius):
    scene = _scene(rng)
    origins, directions = _rays(rng, 400)
    before = scene.cast(origins, directions, radius=radius)
    move = _pose(rng, (5.0, -3.0, 2.0))
    for body in scene:
        body.pose = move @ body.pose
    turn, shift = move[:3, :3], move[:3, 3]
    after = scene.cast(origins @ turn.T + shift, directions @ turn.T, radius=radius)
    assert before.hit.sum() > 150
    assert (before.hit != after.hit).sum() <= 1
    both = before.hit & np.isclose(before.distance, after.distance, atol=1e-9)
    assert both.sum() >= before.hit.sum() - 2
    np.testing.assert_array_equal(before.body[both], after.body[both])
    np.testing.assert_allclose(before.point[both] @ turn.T + shift, after.point[both], atol=1e-7)
    np.testing.assert_allclose(before.normal[both] @ turn.T, after.normal[both], atol=1e-6)


def test_the_first_of_all_is_the_first(rng):
    scene = _scene(rng)
    origins, directions = _rays(rng, 500)
    for radius in (0.0, 0.1):
        first = scene.cast(origins, directions, radius=radius)
        every = scene.cast_all(origins, directions, radius=radius)
        np.testing.assert_array_equal(every.counts > 0, first.hit)
        for k in np.flatnonzero(first.hit):
            crossed = every[int(k)]
            assert (np.diff(crossed.distance) >= 0.0).all()
            assert crossed.distance[0] == first.distance[k]
            assert crossed.body[0] == first.body[k]
            assert crossed.face[0] == first.face[k]
            np.testing.assert_array_equal(crossed.point[0], first.point[k])


def test_length_cuts_and_scale_scales(rng):
    scene = _scene(rng)
    origins, directions = _rays(rng, 300)
    free = scene.cast(origins, directions)
    median = float(np.median(free.distance[free.hit]))
    cut = scene.cast(origins, 1e-3 * directions, length=median)
    np.testing.assert_array_equal(cut.hit, free.distance <= median)
    np.testing.assert_allclose(cut.distance[cut.hit], free.distance[cut.hit], rtol=1e-12)
    assert 50 < cut.hit.sum() < free.hit.sum()


@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_a_power_of_two_scales_every_number_exactly(rng, radius):
    origins, directions = _rays(rng, 300)
    ball = bumpy_ball(20, 20, 1.0)
    found = {}
    for power in (0, -120, 150):
        scale = 2.0**power
        scene = ss.Scene()
        scene.add(ss.Mesh(scale * ball.vertices, ball.faces))
        scene.add(ss.Sphere(0.3 * scale), (0.0, 1.5 * scale, 0.0))
        found[power] = scene.cast(scale * origins, directions, radius=scale * radius)
        assert found[power].hit.sum() > 50
        np.testing.assert_array_equal(found[power].distance, scale * found[0].distance)
        np.testing.assert_array_equal(found[power].face, found[0].face)
        np.testing.assert_array_equal(found[power].normal, found[0].normal)


@pytest.mark.parametrize("kind", ["triangle", "capsule", "segment"])
def test_a_ball_meets_a_face_where_its_distance_falls_to_the_radius(kind, rng):
    """Also if the start lies beside a face, in the space that the ball would have left before."""
    hits = 0
    for _ in range(12):
        scene = ss.Scene()
        if kind == "triangle":
            scene.add(ss.Mesh(0.5 * rng.normal(size=(3, 3)), [(0, 1, 2)], solid=False))
        elif kind == "capsule":
            scene.add(ss.Capsule.from_segment(*rng.normal(size=(2, 3)), radius=rng.uniform(0.1, 0.9)))
        else:
            scene.add(ss.Mesh(rng.normal(size=(2, 3)), [(0, 1, 1)], solid=False))
        origins, directions = 1.5 * rng.normal(size=(800, 3)), rng.normal(size=(800, 3))
        radius = 0.0 if kind == "capsule" else rng.uniform(0.1, 0.7)
        found = scene.cast(origins, directions, radius=radius)
        units = directions / np.linalg.norm(directions, axis=1)[:, None]
        assert ((found.distance == 0.0) == (scene.surface_distance(origins).distance <= radius)).all()
        later = found.hit & (found.distance > 0.0)
        there = origins[later] + found.distance[later, None] * units[later]
        assert scene.surface_distance(there).distance == pytest.approx(radius, abs=1e-9)
        steps = np.linspace(0.0, 6.0, 100)
        near = scene.surface_distance(origins[:, None] + steps[:, None] * units[:, None]).distance < radius - 1e-9
        first = np.where(near.any(axis=1), steps[near.argmax(axis=1)], np.inf)
        assert (found.distance <= first).all()
        hits += int(later.sum())
    assert hits > 100
