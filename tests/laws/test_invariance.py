"""Laws that need no oracle: swap, rigid motion, scale, splitting a motion, margin, order of bodies."""

import numpy as np
import pytest
from sweepscope_lab.scenes import bumpy_ball, hills

import sweepscope as ss

SHAPES = {
    "mesh": lambda rng: ss.Mesh.sphere(rng.uniform(0.5, 1.5), rows=9, sections=8),
    "box": lambda rng: ss.Box(rng.uniform(0.5, 2.0, 3)),
    "sphere": lambda rng: ss.Sphere(rng.uniform(0.2, 1.5)),
    "capsule": lambda rng: ss.Capsule.from_segment(rng.normal(size=3), rng.normal(size=3), radius=rng.uniform(0.1, 0.8)),
    "cloud": lambda rng: ss.PointCloud(rng.normal(size=(30, 3)), rng.uniform(0.0, 0.3)),
}
PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[i:]]


def _rotation(rng):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q if np.linalg.det(q) > 0 else -q


def _pose(rng, position):
    pose = np.eye(4)
    pose[:3, :3] = _rotation(rng)
    pose[:3, 3] = position
    return pose


def _question(rng, a, b):
    first, second = SHAPES[a](rng), SHAPES[b](rng)
    start, end = _pose(rng, rng.normal(size=3)), _pose(rng, rng.normal(size=3) * 5.0)
    vector = (end[:3, 3] - start[:3, 3]) * rng.uniform(0.5, 2.0) + rng.normal(size=3) * 0.3
    return first, start, second, end, vector


def _sweep(first, start, second, end, vector, **options):
    scene = ss.Scene()
    body = scene.add(first, start)
    scene.add(second, end)
    return scene.sweep(body, ss.Translate(vector), **options)


def _same(one, other):
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.travel == pytest.approx(other.travel, abs=1e-9)
        assert one.overlapping == other.overlapping


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_laws(a, b, rng):
    hits = 0
    for _ in range(25):
        first, start, second, end, vector = _question(rng, a, b)
        hit = _sweep(first, start, second, end, vector)
        hits += hit is not None
        # Swap: it does not matter who moves.
        back = _sweep(second, end, first, start, -vector)
        _same(hit, back)
        # Rigid motion of everything.
        whole = _pose(rng, rng.normal(size=3) * 10.0)
        moved = _sweep(first, whole @ start, second, whole @ end, whole[:3, :3] @ vector)
        _same(hit, moved)
        if hit is None or moved is None or back is None or hit.overlapping:
            continue
        np.testing.assert_allclose(np.linalg.norm(hit.normal), 1.0, atol=1e-12)
        assert hit.normal @ vector < 0.0
        if a != "mesh" and b != "mesh":  # facets can tie
            np.testing.assert_allclose(whole[:3, :3] @ hit.normal, moved.normal, atol=1e-5)
            np.testing.assert_allclose(hit.normal, -back.normal, atol=1e-5)
        # Splitting: a motion that ends just before the hit is free, and the rest of it hits at its start.
        before = max(0.0, hit.time - 1e-7)
        assert _sweep(first, start, second, end, vector * before) is None
        late = start.copy()
        late[:3, 3] += before * vector
        rest = _sweep(first, late, second, end, vector * (1.0 - before))
        assert rest is not None
        assert rest.travel == pytest.approx(hit.travel - before * np.linalg.norm(vector), abs=1e-9)
        # Margin: staying away is never later, and by at least the margin.
        wide = _sweep(first, start, second, end, vector, margin=0.05)
        assert wide is not None
        assert wide.overlapping or wide.travel <= hit.travel - 0.05 + 1e-9
    assert hits >= 8


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e6])
def test_scale(scale, rng):
    for _ in range(20):
        points, other = rng.normal(size=(8, 3)), rng.normal(size=(8, 3)) + (4.0, 0.0, 0.0)
        faces = rng.integers(0, 8, (10, 3))
        vector = np.array((6.0, *rng.normal(size=2)))

        def ask(k, points=points, other=other, faces=faces, vector=vector):
            return _sweep(ss.Mesh(k * points, faces), None, ss.Mesh(k * other, faces), None, k * vector)

        one, scaled = ask(1.0), ask(scale)
        assert (one is None) == (scaled is None)
        if one is not None and scaled is not None:
            assert one.time == pytest.approx(scaled.time, abs=1e-10)


def test_order_of_bodies_and_of_faces_does_not_matter(rng):
    ball, ground = bumpy_ball(17, 16), hills(31)
    motion = ss.Translate((5.0, 3.0, -90.0))
    answers = set()
    for _ in range(4):
        scene = ss.Scene()
        shuffled = ss.Mesh(ground.vertices, ground.faces[rng.permutation(len(ground.faces))])
        names = ["ball", "ground", "far"]
        rng.shuffle(names)
        for name in names:
            if name == "ball":
                body = scene.add(ball, (0.0, 0.0, 60.0))
            else:
                scene.add(shuffled if name == "ground" else ss.Box((1, 1, 1)), None if name == "ground" else (0, 0, 500))
        hit = scene.sweep(body, motion)
        assert hit is not None
        answers.add(round(hit.travel, 10))
    assert len(answers) == 1


def test_features_name_the_faces_as_given(rng):
    ball, ground = bumpy_ball(17, 16), hills(31)
    scene = ss.Scene()
    land = scene.add(ground)
    body = scene.add(ball, (0.0, 0.0, 60.0))
    for _ in range(10):
        vector = np.array((*rng.uniform(-40.0, 40.0, 2), -90.0))
        hit = scene.sweep(body, ss.Translate(vector))
        assert hit is not None
        assert hit.obstacle is land
        for feature, shape in zip(hit.features, (ball, ground), strict=True):
            assert set(feature.vertices) <= set(shape.faces[feature.face].tolist())
            assert len(feature.vertices) == {"vertex": 1, "edge": 2, "face": 3}[feature.kind]
        # The contact point lies in the plane, or on the line, or at the vertex of both features.
        for feature, shape, shift in (
            (hit.features[0], ball, np.array((0.0, 0.0, 60.0)) + hit.time * vector),
            (hit.features[1], ground, np.zeros(3)),
        ):
            corners = shape.vertices[list(feature.vertices)] + shift - hit.point
            assert np.linalg.svd(corners)[1][-1] < 1e-9 if len(corners) == 3 else True
            if len(corners) == 2:
                assert np.linalg.norm(np.cross(corners[0], corners[1])) < 1e-9
            if len(corners) == 1:
                assert np.linalg.norm(corners[0]) < 1e-9
