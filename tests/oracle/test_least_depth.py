"""Depth against the twin of convex depth: shadows on all normals and cross products of edges."""

import numpy as np
import pytest
from sweepscope_lab.reference.contact_cases import contact_scene
from sweepscope_lab.reference.convex_depth import signed_distances
from sweepscope_lab.reference.point_cases import subdivided

import sweepscope as ss

CASES = 260


def _shape(body, times):
    if body.radius > 0.0:
        ends = body.parts[0].vertices
        return ss.PointCloud(ends, body.radius) if len(ends) == 1 else ss.Capsule.from_segment(*ends, radius=body.radius)
    return ss.Mesh(*subdivided(body.vertices, body.faces, times))


@pytest.mark.slow
def test_the_least_depth_is_that_of_the_twin():
    rng = np.random.default_rng(0)
    deep = none = 0
    for seed in range(CASES):
        case = contact_scene(seed)
        mover, obstacle = case.mover, case.obstacle
        if len(mover.parts) != 1 or len(obstacle.parts) != 1 or not (_is_solid(mover) and _is_solid(obstacle)):
            continue
        for _ in range(4):
            pose = np.linalg.inv(case.place) @ case.start
            size = min(mover.size, obstacle.size)
            pose[:3, 3] += rng.normal(size=3) * size * rng.choice((1e-3, 0.1, 0.3))
            (distance,), (axis,) = signed_distances(mover.parts[0], obstacle.parts[0], pose[None])
            scene = ss.Scene()
            a, b = scene.add(_shape(mover, seed % 2), pose), scene.add(_shape(obstacle, seed % 3))
            found = scene.depth(a, b)
            slack = 1e-12 * (mover.size + obstacle.size + np.abs(pose[:3, 3]).max())
            assert found.depth == pytest.approx(max(-distance, 0.0), abs=max(slack, 1.01e-9 * mover.size)), seed
            if not found:
                none += 1
                continue
            deep += 1
            assert found.depth == pytest.approx(-distance, abs=slack)
            along = scene.depth_along(a, b, found.direction)
            assert along.depth == pytest.approx(-distance, abs=1e-6 * size)
            assert scene.depth_along(a, b, axis).depth == pytest.approx(-distance, abs=1e-6 * size)
    assert deep > 60
    assert none > 40


def _is_solid(body):
    return body.radius > 0.0 or (len(body.faces) > 0 and body.field is None and body.closed)
