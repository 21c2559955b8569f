"""The oracle of depth itself: against scipy's hull of the Minkowski difference, and known values."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from sweepscope_lab.reference.contact_cases import contact_scene
from sweepscope_lab.reference.contact_nearness import deepest_share, nearness
from sweepscope_lab.reference.contact_shapes import box_body, spike
from sweepscope_lab.reference.convex_depth import round_part, signed_distances
from sweepscope_lab.reference.height_fields import clearance, height_field, least_depth


@pytest.mark.slow
def test_depths_are_those_of_the_minkowski_difference():
    rng = np.random.default_rng(0)
    compared = 0
    for seed in range(260):
        scene = contact_scene(seed)
        pose = np.linalg.inv(scene.place) @ scene.start
        pose[:3, 3] += rng.normal(size=3) * rng.choice((0.0, 1e-6, 0.1))
        if scene.mover.radius > 0.0:
            continue
        for own in scene.mover.parts:
            for other in scene.obstacle.parts:
                (distance,), (axis,) = signed_distances(own, other, pose[None])
                places = own.vertices @ pose[:3, :3].T + pose[:3, 3]
                hull = ConvexHull((places[:, None] - other.vertices).reshape(-1, 3))
                assert max(-distance, 0.0) == pytest.approx(max(-hull.equations[:, 3].max(), 0.0), abs=1e-14)
                assert ((places @ axis).min() - (other.vertices @ axis).max()) == pytest.approx(distance, abs=1e-14)
                compared += distance < 0.0
    assert compared > 80


@pytest.mark.slow
def test_scenes_begin_at_their_depth():
    for seed in range(260):
        scene = contact_scene(seed)
        near = nearness(scene, scene.start[None])
        tau = scene.tau
        assert near.known[0]
        assert scene.depth <= 0.96 * tau
        if scene.obstacle.field is None:
            assert near.depths[0] == pytest.approx(scene.depth, abs=1e-3 * tau)
        else:
            assert near.depths[0] <= scene.depth + 1e-3 * tau
        assert abs(near.nearest(0)[0]) <= tau


def test_distances_of_round_parts():
    box = box_body("box", np.full(3, -1.0), np.zeros(3)).parts[0]
    ball = round_part(np.zeros((1, 3)), 0.5)
    pose = np.tile(np.eye(4), (5, 1, 1))
    pose[:, :3, 3] = ((-0.5, -0.5, 1.0), (0.3, -0.5, 0.4), (1.0, 2.0, 2.0), (-0.5, -0.5, 0.25), (-0.5, -0.5, -0.25))
    assert signed_distances(ball, box, pose)[0] == pytest.approx([0.5, 0.0, 2.5, -0.25, -0.75])
    rod = round_part(np.array(((0.0, 0.0, 0.0), (0.0, 0.0, 4.0))), 0.5)
    assert signed_distances(rod, box, pose)[0][:3] == pytest.approx([0.5, 0.0, 2.5])


def test_the_deepest_moment_of_a_straight_motion():
    scene = contact_scene(0)
    gap, axis = nearness(scene, scene.start[None]).nearest(0)
    pose = scene.start.copy()
    pose[:3, 3] += (0.2 - gap) * axis
    assert deepest_share(scene, pose, -axis, 0.15) == pytest.approx(0.15)
    assert deepest_share(scene, pose, axis, 1.0) == 0.0


def test_depths_in_a_slope():
    x = np.linspace(-2.0, 2.0, 5)
    slope = height_field(x, x, np.broadcast_to(0.75 * x[:, None], (5, 5)), np.random.default_rng(0))
    assert slope.steepest == pytest.approx(0.75)
    needle = spike("needle", 5.0, 5, 1.0)
    for place in ((0.0, 0.0), (0.3, 0.2), (0.5, 0.5)):
        for depth in (0.0, 1e-9, 1e-3):
            pose = np.eye(4)
            pose[:3, 3] = *place, 0.75 * place[0] - 1.25 * depth
            places = needle.vertices + pose[:3, 3]
            assert clearance(slope, places, needle.faces, needle.edges)[0] == pytest.approx(-1.25 * depth, abs=1e-15)
            found, way = least_depth(slope, needle.parts, pose)
            assert found == pytest.approx(depth, abs=1e-15)
            assert depth == 0.0 or way == pytest.approx((-0.6, 0.0, 0.8), abs=1e-5)


def test_depths_on_a_peak():
    heights = np.zeros((5, 5))
    heights[2, 2] = 1.0
    x = np.linspace(-2.0, 2.0, 5)
    peak = height_field(x, x, heights, np.random.default_rng(0))
    box = box_body("box", np.array((-0.5, -0.5, 0.9)), np.array((0.4, 0.4, 1.9)))
    assert clearance(peak, box.vertices, box.faces, box.edges)[0] == pytest.approx(-0.1)
    depth, way = least_depth(peak, box.parts, np.eye(4))
    assert depth == pytest.approx(0.1)
    assert way == pytest.approx((0.0, 0.0, 1.0))
