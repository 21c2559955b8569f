"""Laws of depth: where the way out ends it is free, a little before it is not; swap; the least is no longer than any other."""

import numpy as np
import pytest
from sweepscope_lab.reference.lattice_solids import random_hull
from sweepscope_lab.reference.point_cases import ball

import sweepscope as ss

SHAPES = {
    "box": lambda rng: ss.Box(rng.uniform(0.5, 2.0, 3)),
    "hull": lambda rng: ss.Mesh(0.4 * (solid := random_hull(rng)).vertices, solid.faces),
    "sphere": lambda rng: ss.Sphere(rng.uniform(0.2, 1.5)),
    "capsule": lambda rng: ss.Capsule.from_segment(rng.normal(size=3), rng.normal(size=3), radius=rng.uniform(0.1, 0.8)),
    "cloud": lambda rng: ss.PointCloud(rng.normal(size=(20, 3)), rng.uniform(0.1, 0.3)),
    "mesh": lambda rng: ss.Mesh(*ball(rng, 14, 0.5)),
}
CONVEX = ("box", "hull", "sphere", "capsule")
PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[i:]]
STILL = ss.Translate((0, 0, 0))


def _overlaps(scene, body, shift):
    start = body.pose
    body.pose = ss.Translate(shift).at() @ start
    hit = scene.sweep(body, STILL)
    body.pose = start
    return hit is not None and hit.overlapping


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_laws(first, second, rng):
    deep = 0
    for _ in range(20):
        scene = ss.Scene()
        axis = rng.normal(size=3)
        a = scene.add(SHAPES[first](rng), ss.Translate(rng.normal(size=3) * 0.6).at() @ ss.Rotate(axis, 1.0).at())
        b = scene.add(SHAPES[second](rng))
        way = rng.normal(size=3)
        found = scene.depth_along(a, b, way)
        assert bool(found) == _overlaps(scene, a, (0, 0, 0))
        assert found.depth == pytest.approx(scene.depth_along(b, a, -way).depth, abs=1e-8)
        if not found:
            continue
        deep += 1
        unit = way / np.linalg.norm(way)
        assert found.direction == pytest.approx(unit)
        assert not _overlaps(scene, a, found.vector)
        assert not _overlaps(scene, a, found.vector + 1e-7 * unit)
        assert _overlaps(scene, a, found.vector - 1e-6 * unit)
        assert scene.sweep(a, ss.Translate(9.0 * unit), ignore=[b]) is None
        a.pose = ss.Translate(found.vector).at() @ a.pose
        assert scene.sweep(a, ss.Translate(9.0 * unit)) is None  # it stays free
        assert scene.depth_along(a, b, way).depth <= 1e-8
        a.pose = ss.Translate(-found.vector).at() @ a.pose
        if first in CONVEX and second in CONVEX:
            least = scene.depth(a, b)
            assert least.depth <= found.depth + 1e-12
            assert scene.depth_along(a, b, least.direction).depth == pytest.approx(least.depth, abs=1e-9)
            assert scene.depth(b, a).depth == pytest.approx(least.depth, abs=1e-14)
            assert not _overlaps(scene, a, least.vector)
            assert _overlaps(scene, a, least.vector * (1 - 1e-6))
    assert deep > 3
