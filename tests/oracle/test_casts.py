"""Rays and moving balls against rational arithmetic and a dense bisection."""

from fractions import Fraction

import numpy as np
import pytest
from sweepscope_lab.reference.brute_force import thick_travel
from sweepscope_lab.reference.casts import all_shares, voxel_shares
from sweepscope_lab.reference.vectors import random_rotation

import sweepscope as ss


def _soup(rng, count, lattice):
    """Return the corners of triangles, (n, 3, 3): on small whole numbers, where much is degenerate, or anywhere."""
    if lattice:
        return rng.integers(-3, 4, (count, 3, 3)).astype(float)
    return rng.normal(size=(count, 1, 3)) * 2.0 + rng.normal(size=(count, 3, 3))


def _mesh(corners):
    return ss.Mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


@pytest.mark.parametrize("lattice", [False, True])
def test_triangles_exactly(rng, lattice):
    hits = crossings = borders = 0
    for _ in range(40):
        corners = _soup(rng, 12 if lattice else 60, lattice)
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        corners = corners[area > 0.0]
        scene = ss.Scene()
        scene.add(_mesh(corners))
        origins = rng.integers(-5, 6, (10, 3)).astype(float) if lattice else 4.0 * rng.normal(size=(10, 3))
        directions = rng.integers(-2, 3, (10, 3)).astype(float) if lattice else rng.normal(size=(10, 3))
        directions[~directions.any(axis=1), 0] = 1.0
        found, every = scene.cast(origins, directions), scene.cast_all(origins, directions)
        for k in range(10):
            true = all_shares(corners, origins[k], directions[k])
            size = np.linalg.norm(directions[k])
            crossed = every[k]
            distances = {face: float(share) * size for face, share in true.items()}
            near = min(distances.values(), default=np.inf)
            assert found.distance[k] == pytest.approx(near, abs=1e-12)
            if not true:
                assert found.body[k] == found.face[k] == -1
                continue
            hits += 1
            crossings += len(true)
            assert distances[int(found.face[k])] == pytest.approx(near, abs=1e-12)
            assert sorted(crossed.face.tolist()) == sorted(true)  # on whole numbers, where nothing is rounded, too
            np.testing.assert_allclose(crossed.distance, sorted(distances.values()), atol=1e-12)
            for face, distance, point, weights in zip(
                crossed.face, crossed.distance, crossed.point, crossed.barycentric, strict=True
            ):
                assert point == pytest.approx(origins[k] + distance * directions[k] / size, abs=1e-11)
                assert weights @ corners[face] == pytest.approx(point, abs=1e-11)
                borders += weights.min() == 0.0
                assert weights.sum() == pytest.approx(1.0)
    assert hits > 60
    assert crossings > 1.2 * hits
    assert borders > (10 if lattice else -1)


def test_a_ray_in_the_plane_of_a_triangle_meets_its_neighbors_exactly(rng):
    scene = ss.Scene()
    box = scene.add(ss.Box((2.0, 2.0, 2.0)))
    hits = 0
    for _ in range(500):
        origin = np.array((-5.0, *rng.integers(-3, 4, 2) * 0.5))
        direction = np.array((1.0, *rng.integers(-1, 2, 2) * 0.25))
        true = all_shares(box.shape.vertices[box.shape.faces], origin, direction)
        share = min(true.values(), default=None)
        found = scene.cast(origin, direction)
        assert (found.body >= 0) == (share is not None)
        if share is not None:
            hits += 1
            assert Fraction(float(found.point[0])) == Fraction(float(origin[0])) + share
    assert 150 < hits < 450


@pytest.mark.parametrize("posed", [False, True])
def test_voxels_exactly(rng, posed):
    hits = degenerate = 0
    for _ in range(40):
        occupied = rng.random((5, 6, 4)) < 0.25
        voxels = np.argwhere(occupied)
        scene = ss.Scene()
        pose = np.eye(4)
        if posed:
            pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.normal(size=3)
        scene.add(ss.Volume(occupied, spacing=1.0), pose)
        outside = np.array(((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)))
        for _ in range(20):
            side = outside[rng.integers(6)]
            if posed:
                origin = np.array(occupied.shape) * rng.random(3) + 9.0 * side
                direction = 0.3 * rng.normal(size=3) - 2.0 * side
            else:  # along edges, through corners
                origin = rng.integers(0, 2 * np.array(occupied.shape) + 1) * 0.5 + 9.0 * side
                direction = np.where(side, -1.0 * side, rng.integers(-1, 2, 3) * 0.25)
            true = voxel_shares(voxels, origin, direction)
            found = scene.cast(pose[:3, :3] @ origin + pose[:3, 3], pose[:3, :3] @ direction)
            near = min(true.values(), default=None)
            assert (found.body >= 0) == (near is not None)
            if near is None:
                continue
            hits += 1
            first = [tuple(voxels[k].tolist()) for k, share in true.items() if share == near]
            degenerate += len(first) > 1
            assert found.distance == pytest.approx(float(near) * np.linalg.norm(direction), abs=1e-12)
            assert tuple(map(int, np.unravel_index(int(found.face), occupied.shape))) in first
            assert np.isnan(found.barycentric).all()
    assert hits > 200
    assert degenerate > (-1 if posed else 20)


@pytest.mark.parametrize("kind", ["point", "segment", "triangle"])
def test_moving_balls(rng, kind):
    n = 400
    ranks = {"point": (0, 0, 0), "segment": (0, 1, 1), "triangle": (0, 1, 2)}[kind]
    corners = rng.normal(size=(n, 3, 3))
    corners[: n // 8, 2] = corners[: n // 8, 1] + 1e-7 * rng.normal(size=(n // 8, 3))  # needles
    origins = rng.choice((1.0, 3.0), (n, 1)) * rng.normal(size=(n, 3))
    vectors = (corners[:, ranks].mean(axis=1) - origins) * rng.uniform(0.5, 2.0, (n, 1)) + 0.2 * rng.normal(size=(n, 3))
    radii = 10.0 ** rng.uniform(-3.0, 0.3, (n, 2))
    radii[: n // 2, 0] = 0.0
    if kind == "triangle":
        radii[:, 1] = 0.0
        radii[: n // 2, 0] = 0.1
    thick = radii.sum(axis=1)
    true = thick_travel(np.repeat(origins[:, None], 3, 1), corners[:, ranks], thick, vectors)
    hits = inside = 0
    for k in range(n):
        scene = ss.Scene()
        if kind == "point":
            scene.add(ss.PointCloud(corners[k, :1], radii[k, 1]))
        elif kind == "segment":
            scene.add(ss.Capsule.from_segment(corners[k, 0], corners[k, 1], radius=radii[k, 1]))
        else:
            scene.add(ss.Mesh(corners[k], [(0, 1, 2)]))
        size = float(np.linalg.norm(vectors[k]))
        found = scene.cast(origins[k], vectors[k], length=size, radius=radii[k, 0])
        if found.body < 0:
            assert np.isinf(true[k]) or true[k] > size - 1e-6
            continue
        if np.isfinite(true[k]):  # else it is a graze that rounding decides
            hits += 1
            assert found.distance == pytest.approx(true[k], abs=1e-5)
        inside += true[k] == 0.0
        center = origins[k] + found.distance * vectors[k] / size
        if found.distance > 0.0:
            assert np.linalg.norm(center - found.point) == pytest.approx(radii[k, 0], abs=1e-9)
            assert found.normal @ vectors[k] < 1e-7
            foot = found.point - radii[k, 1] * found.normal
            assert found.barycentric @ corners[k][list(ranks)] == pytest.approx(foot, abs=1e-9)
    assert hits > n // 3
    assert inside > 5
