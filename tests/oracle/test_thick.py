"""Spheres, capsules, clouds and margins against a bisection of the distance, which is convex along a straight way."""

import numpy as np
import pytest
from sweepscope_lab.reference.brute_force import face_distance, thick_travel

import sweepscope as ss

RANKS = {"point": (0, 0, 0), "segment": (0, 1, 1), "triangle": (0, 1, 2)}


def _shape(corners, kind, radius):
    if kind == "point":
        return ss.PointCloud(corners[:1], radius)
    if kind == "segment":
        return ss.Capsule.from_segment(corners[0], corners[1], radius=radius)
    return ss.Mesh(corners, [(0, 1, 2)])


@pytest.mark.slow
@pytest.mark.parametrize("obstacle", RANKS)
@pytest.mark.parametrize("mover", RANKS)
def test_pairs(mover, obstacle, rng):
    n = 150
    a = rng.normal(size=(n, 3, 3))
    b = rng.normal(size=(n, 3, 3)) + rng.normal(size=(n, 1, 3)) * 3.0
    a_faces, b_faces = a[:, RANKS[mover]], b[:, RANKS[obstacle]]
    vector = (b_faces.mean(axis=1) - a_faces.mean(axis=1)) * rng.uniform(0.5, 2.0, (n, 1))
    vector += rng.normal(size=(n, 3)) * 0.5
    radii = 10.0 ** rng.uniform(-3.0, 0.3, (n, 2))
    margin = np.where(rng.random(n) < 0.5, 0.0, 10.0 ** rng.uniform(-3.0, 0.0, n))
    if mover == "triangle" and obstacle == "triangle":
        margin = 10.0 ** rng.uniform(-3.0, 0.0, n)
    thick = margin + (mover != "triangle") * radii[:, 0] + (obstacle != "triangle") * radii[:, 1]
    true = thick_travel(a_faces, b_faces, thick, vector)
    hits = 0
    for k in range(n):
        scene = ss.Scene()
        body = scene.add(_shape(a[k], mover, radii[k, 0]))
        scene.add(_shape(b[k], obstacle, radii[k, 1]))
        hit = scene.sweep(body, ss.Translate(vector[k]), margin=margin[k], resting="hit")
        if np.isinf(true[k]):
            if hit is not None:  # a graze that rounding decides
                moved = a_faces[k] + hit.time * vector[k]
                assert face_distance(moved[None], b_faces[k][None])[0] - thick[k] < 1e-11
            continue
        hits += 1
        assert hit is not None, f"case {k}: missed, true travel {true[k]}"
        # The bisection itself is good to a few units in the last place.
        assert hit.travel <= true[k] + 1e-12
        apart = face_distance((a_faces[k] + hit.time * vector[k])[None], b_faces[k][None])[0] - thick[k]
        if true[k] == 0.0:
            assert hit.overlapping == (apart < -1e-8)
        else:
            assert abs(apart) < 1e-11
            assert true[k] - hit.travel < 1e-5  # grazing: where the distance hardly changes, travel is ill defined
    assert hits > n // 3


def test_normal_and_point_of_two_spheres():
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(1.0), (0.0, 1.0, 0.0))
    scene.add(ss.Sphere(2.0), (10.0, 0.0, 0.0))
    hit = scene.sweep(ball, ss.Translate((20.0, 0.0, 0.0)))
    assert hit is not None
    x = 10.0 - np.sqrt(9.0 - 1.0)
    assert hit.travel == pytest.approx(x, abs=1e-12)
    normal = np.array((x - 10.0, 1.0, 0.0)) / 3.0
    np.testing.assert_allclose(hit.normal, normal, atol=1e-12)
    np.testing.assert_allclose(hit.point, np.array((10.0, 0.0, 0.0)) + 2.0 * normal, atol=1e-12)
