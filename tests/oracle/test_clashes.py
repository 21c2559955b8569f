"""Pairs that overlap, touch or are near, against exact cubes on a lattice, and against all pairs of faces."""

import itertools

import numpy as np
import pytest
from sweepscope_lab.reference.lattice_solids import boxes_solid
from sweepscope_lab.reference.overlaps import PlacedBody, cells_relation, relation
from sweepscope_lab.reference.vectors import random_rotation
from sweepscope_lab.scenes import bumpy_ball, ring

import sweepscope as ss

FAR = 100.0


def _told(pair):
    inner = -1 if pair.inner is None else (pair.first, pair.second).index(pair.inner)
    return pair.kind, inner


def _cells(rng, size):
    """Return a connected set of cells that do not meet in an edge or a corner alone, inside a block."""
    low = rng.integers(-2, 2, 3)
    high = low + rng.integers(1, size + 1, 3)
    cells = set(itertools.product(*(range(a, b) for a, b in zip(low, high, strict=True))))
    if rng.random() < 0.5 and min(high - low) > 1:  # a notch along one axis
        axis, side = rng.integers(0, 3), rng.integers(0, 3)
        cut = int(rng.integers(low[axis], high[axis]))
        top = int(high[side] - 1)
        if side != axis:
            cells -= {c for c in cells if c[axis] == cut and c[side] == top}
    return cells if cells else {(0, 0, 0)}


def _drawn(rng):
    """Return two sets of cells: unrelated, equal, or one a part of the other."""
    one = _cells(rng, 3)
    how = rng.random()
    if how < 0.1:
        return one, set(one)
    if how < 0.3:
        return one, {min(one)}
    return one, _cells(rng, 3)


@pytest.mark.parametrize("turned", [False, True])
def test_cubes_on_a_lattice(turned, rng):
    counts = dict.fromkeys(("crossing", "inside", "duplicate", "touching", "apart"), 0)
    for case in range(400):
        frame = np.eye(4)
        if turned:
            frame[:3, :3] = random_rotation(rng)
            frame[:3, 3] = rng.uniform(-5, 5, 3)
        sets = _drawn(rng)
        scene = ss.Scene()
        for cells in sets:
            solid = boxes_solid([(c, np.add(c, 1)) for c in sorted(cells)], bool(rng.random() < 0.5), rng)
            scene.add(ss.Mesh(solid.vertices.astype(float), solid.faces), frame)
        expected = cells_relation(*sets)
        counts[expected.kind] += 1
        (pair,) = scene.overlaps(limit=FAR)
        message = f"case {case}: {sets}: {pair}, expected {expected}"
        assert _told(pair) == (expected.kind, expected.inner), message
        assert pair.distance == pytest.approx(expected.distance, abs=1e-9), message
        assert pair.distance <= expected.distance, message
        assert bool(scene.overlaps()) == pair.overlapping, message
        assert bool(scene.overlaps(limit=0.0)) == (pair.kind != "apart"), message
    assert min(counts.values()) >= 20, counts


SHAPES = [
    lambda rng: ss.Box(rng.uniform(0.3, 2.0, 3)),
    lambda rng: ss.Box(rng.uniform(0.01, 0.1, 3)),
    lambda rng: ss.Mesh.box(rng.uniform(1.5, 2.5, 3)),
    lambda rng: ss.Sphere(rng.uniform(0.01, 0.05)),
    lambda rng: ss.PointCloud(rng.uniform(-0.05, 0.05, (2, 3))),
    lambda rng: ss.Sphere(rng.uniform(0.1, 1.0)),
    lambda rng: ss.Capsule(rng.uniform(0.1, 0.4), rng.uniform(0.2, 1.5)),
    lambda rng: ss.PointCloud(rng.uniform(-0.5, 0.5, (30, 3)), rng.uniform(0.02, 0.1)),
    lambda rng: ss.PointCloud(rng.uniform(-0.3, 0.3, (5, 3))),
    lambda rng: bumpy_ball(8, 10, rng.uniform(0.3, 1.2)),
    lambda rng: ring(0.6, 0.9, 0.3),
    lambda rng: ss.Mesh.terrain(rng.uniform(0.0, 0.3, (4, 4)), 0.5),
    lambda rng: ss.Mesh.cylinder(rng.uniform(0.1, 0.5), rng.uniform(0.3, 2.0), sections=9),
    lambda rng: ss.Mesh(rng.uniform(-1.0, 1.0, (3, 3)), [(0, 1, 2)]),
    lambda rng: ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=0.6, inner=0.2, outer=1.0, half_thickness=0.1),
]


def _placed(body):
    shape = body.shape
    vertices = shape.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
    solid = shape.closed if isinstance(shape, ss.Mesh) else isinstance(shape, (ss.Box, ss.fan.Fan))
    return PlacedBody(vertices[shape.faces], shape.radius, solid)


def test_all_pairs_of_many_shapes(rng):
    counts = dict.fromkeys(("crossing", "inside", "apart"), 0)
    for _ in range(10):
        scene = ss.Scene()
        for k in range(20):
            pose = np.eye(4)
            pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.uniform(-1.6, 1.6, 3)
            scene.add(SHAPES[(k + int(rng.integers(0, 2))) % len(SHAPES)](rng), pose)
        limit = 0.4
        found = {pair.bodies: pair for pair in scene.overlaps(limit=limit)}
        assert list(found) == sorted(found, key=lambda both: (both[0].id, both[1].id))
        placed = {body: _placed(body) for body in scene.bodies}
        for one, other in itertools.combinations(scene.bodies, 2):
            expected = relation(placed[one], placed[other])
            pair = found.get((one, other))
            message = f"{one.shape} and {other.shape}: {pair}, expected {expected}"
            if pair is None:
                assert expected.kind == "apart", message
                assert expected.distance > limit, message
                continue
            counts[expected.kind] += 1
            assert _told(pair) == (expected.kind, expected.inner), message
            assert pair.distance == pytest.approx(expected.distance, abs=1e-9), message
            assert pair.distance <= expected.distance + 1e-13, message
    assert min(counts.values()) >= 15, counts
