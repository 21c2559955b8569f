"""`push_out` of convex pairs against the true depth, which the laboratory works out in another way."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.contact_shapes import hull_part
from sweepscope_lab.reference.convex_depth import part_of_mesh, round_part, signed_distances
from sweepscope_lab.reference.vectors import random_rotation

import sweepscope as ss

NOW = ss.Translate((0, 0, 0))
CASES = 400


def box(rng):
    shape = ss.Box(rng.uniform(0.2, 1.5, 3))
    return shape, part_of_mesh(shape.vertices, shape.faces)


def prism(rng):
    shape = ss.Mesh.cylinder(rng.uniform(0.2, 0.8), rng.uniform(0.2, 1.5), sections=int(rng.integers(3, 9)))
    return shape, part_of_mesh(shape.vertices, shape.faces)


def ball(rng):
    shape = ss.Sphere(rng.uniform(0.1, 0.8))
    return shape, round_part(shape.vertices, shape.radius)


def capsule(rng):
    shape = ss.Capsule.from_segment(rng.uniform(-0.6, 0.6, 3), rng.uniform(-0.6, 0.6, 3), radius=rng.uniform(0.1, 0.5))
    return shape, round_part(shape.vertices, shape.radius)


def hull(rng):
    points = rng.normal(size=(int(rng.integers(4, 8)), 3))
    points *= rng.uniform(0.3, 0.8) / np.linalg.norm(points, axis=1)[:, None]
    part = hull_part(points)
    center = points.mean(axis=0)
    faces = [
        (i, j, k)
        for i in range(len(points))
        for j in range(len(points))
        for k in range(len(points))
        if i < min(j, k) and j != k and above(points, i, j, k) and center_below(points, center, i, j, k)
    ]
    return ss.Mesh(points, faces, solid=True), part


def above(points, i, j, k):
    """Whether all points are below the plane of three of them."""
    return ((points - points[i]) @ np.cross(points[j] - points[i], points[k] - points[i]) <= 1e-12).all()


def center_below(points, center, i, j, k):
    return (center - points[i]) @ np.cross(points[j] - points[i], points[k] - points[i]) < 0


SHAPES = (box, prism, ball, capsule, hull)


def random_pose(rng, wide):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.uniform(-wide, wide, 3)
    return pose


def aligned(rng):
    """One of a few upright poses, in which faces and edges are parallel."""
    pose = np.eye(4)
    pose[:3, 3] = rng.integers(-2, 3, 3) * 0.25
    return pose


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.0, 0.15])
def test_depth_of_convex_pairs(rng, margin):
    """The motion is as long as the depth, it is known to be, and it leads out."""
    deep = apart = 0
    for case in range(CASES):
        (one, own), (two, other) = (SHAPES[rng.integers(5)](rng) for _ in range(2))
        scene = ss.Scene()
        mover = scene.add(one, aligned(rng) if case % 4 == 0 else random_pose(rng, 0.6))
        obstacle = scene.add(two, aligned(rng) if case % 4 == 0 else random_pose(rng, 0.1))
        between = np.linalg.inv(obstacle.pose) @ mover.pose
        gap = float(signed_distances(own, other, between[None])[0][0])
        if own.radius + other.radius == 0.0 and gap > 0.0 and margin > 0.0:
            continue  # the oracle gives a bound of the distance only
        depth = margin - gap
        size = max(float(np.abs(part.vertices).max()) + part.radius for part in (own, other))
        out = scene.push_out(mover, margin=margin)
        assert out is not None
        if depth <= 1e-8 * size:
            apart += 1
            assert out.depth <= 2e-8 * size
            continue
        deep += 1
        assert out.exact, (case, one, two)
        assert out.obstacles == (obstacle,)
        assert out.depth == pytest.approx(depth, abs=4e-9 * size), (case, one, two)
        assert math.isclose(out.depth, math.hypot(*out.motion.vector))
        mover.pose = out.motion.at() @ mover.pose
        assert scene.sweep(mover, NOW, margin=margin) is None
        after = float(signed_distances(own, other, (np.linalg.inv(obstacle.pose) @ mover.pose)[None])[0][0]) - margin
        assert -2e-9 * size < after < 1e-6, (case, after)
    assert deep > 0.5 * CASES
    assert apart > 0.01 * CASES
