"""Overlaps now: the verdict of a sweep of length zero, whichever body is first and wherever the scene is."""

import numpy as np
import pytest
from sweepscope_lab.reference.contact_cases import contact_scene
from sweepscope_lab.reference.lattice_cases import lattice_case
from sweepscope_lab.reference.vectors import random_rotation
from sweepscope_lab.scenes import bumpy_ball, nut, ring
from sweepscope_lab.verify.contact_bodies import add_body

import sweepscope as ss

STILL = ss.Translate((0, 0, 0))
DEPTHS = (-1.5, 0.0, 0.0, 0.5, 0.9, 1.2, 1.5, 3.0, 50.0, 1e5)  # tolerances, on top of the depth of the case


def _overlaps(scene, mover):
    hit = scene.sweep(mover, STILL)
    return hit is not None and hit.overlapping


@pytest.mark.parametrize("swapped", [False, True])
def test_the_verdict_of_a_sweep_of_length_zero(swapped, rng):
    """Bodies in contact at a known depth: tips, edges, flush faces, sheets, terrain, balls."""
    counts = {"crossing": 0, "inside": 0, "touching": 0, "apart": 0, None: 0}
    for seed in range(700):
        case = contact_scene(seed)
        scene = ss.Scene(tolerance=case.tau)
        pose = case.start.copy()
        pose[:3, 3] -= rng.choice(DEPTHS) * case.tau * case.place[:3, 2]
        bodies = [(case.mover, pose), (case.obstacle, case.place)]
        for body, where in reversed(bodies) if swapped else bodies:
            add_body(scene, body, where)
        pairs = scene.overlaps(limit=0.0)
        kind = pairs[0].kind if pairs else None
        counts[kind] += 1
        assert bool(scene.overlaps()) == _overlaps(scene, scene.bodies[0]), f"seed {seed}, {case.kind}: {pairs}"
        assert bool(scene.overlaps()) == bool(scene.overlap_many(scene.bodies[0], [scene.bodies[0].pose])[0])
    assert counts["crossing"] > 200, counts
    assert counts["touching"] > 200, counts
    assert counts[None] > 20, counts


def test_lattice_solids_that_touch(rng):
    counts = {True: 0, False: 0}
    for seed in range(300):
        case = lattice_case(seed, turning=False)
        frame = case.frame.pose
        shift = np.eye(4)
        shift[:3, 3] = frame[:3, :3] @ rng.integers(-1, 2, 3) * float(rng.random() < 0.7)
        scene = ss.Scene()
        for solid, where in ((case.mover, shift @ frame), (case.obstacle, frame)):
            scene.add(ss.Mesh(solid.vertices.astype(float), solid.faces), where)
        found = bool(scene.overlaps())
        counts[found] += 1
        assert found == _overlaps(scene, scene.bodies[0]), f"seed {seed}, {case.kind}"
    assert min(counts.values()) > 40, counts


SHAPES = [
    ss.Box((0.8, 0.5, 1.1)),
    ss.Sphere(0.4),
    ss.Capsule(0.2, 1.0),
    bumpy_ball(8, 10, 0.6),
    ring(0.5, 0.8, 0.3),
    nut(),
    ss.PointCloud(np.random.default_rng(0).uniform(-0.5, 0.5, (40, 3)), 0.04),
    ss.Mesh.terrain(np.random.default_rng(1).uniform(0.0, 0.3, (4, 4)), 0.5),
    ss.Sphere(0.05),
]


def _poses(rng, count):
    poses = np.tile(np.eye(4), (count, 1, 1))
    for pose in poses:
        pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.uniform(-2.0, 2.0, 3)
    return poses


def _filled(poses, order, frame=None, scale=1.0):
    """Return a scene of the shapes at poses, added in an order; names are their numbers."""
    scene = ss.Scene()
    for k in order:
        shape = SHAPES[k % len(SHAPES)]
        if scale != 1.0:
            shape = ss.Mesh(scale * shape.vertices, shape.faces)
        pose = poses[k].copy()
        pose[:3, 3] *= scale
        scene.add(shape, pose if frame is None else frame @ pose, name=str(k))
    return scene


def _told(pairs, scale=1.0):
    """Return kinds, inner bodies and distances by the names of pairs, in whichever order they are."""
    return {
        frozenset((pair.first.name, pair.second.name)): (pair.kind, pair.inner and pair.inner.name, pair.distance / scale)
        for pair in pairs
    }


def _same(one, other):
    assert one.keys() == other.keys()
    for names, (kind, inner, distance) in one.items():
        assert other[names][:2] == (kind, inner), names
        assert other[names][2] == pytest.approx(distance, abs=1e-12)


def test_order_and_place_do_not_matter(rng):
    kinds = set()
    for _ in range(5):
        poses = _poses(rng, 40)
        plain = _told(_filled(poses, range(40)).overlaps(limit=0.3))
        kinds |= {kind for kind, _, _ in plain.values()}
        assert len(plain) > 30
        _same(plain, _told(_filled(poses, rng.permutation(40)).overlaps(limit=0.3)))
        frame = ss.Rotate((1, 2, 3), 2.0, about=(5, 5, 5)).at()
        _same(plain, _told(_filled(poses, range(40), frame).overlaps(limit=0.3)))
    assert kinds >= {"crossing", "inside", "apart"}


def test_scale_does_not_matter(rng):
    meshes = [k for k in range(60) if SHAPES[k % len(SHAPES)].radius == 0.0]
    poses = _poses(rng, 60)
    plain = _told(_filled(poses, meshes).overlaps(limit=0.25))
    assert len(plain) > 20
    for scale in (2.0**-20, 2.0**20):
        _same(plain, _told(_filled(poses, meshes, scale=scale).overlaps(limit=0.25 * scale), scale))


def test_distance_and_overlap_many_agree(rng):
    scene = _filled(_poses(rng, 40), range(40))
    pairs = {pair.bodies: pair for pair in scene.overlaps(limit=0.3)}
    bodies = scene.bodies
    overlapping = set()
    for i, one in enumerate(bodies):
        for other in bodies[i + 1 :]:
            near = scene.distance(one, other)
            pair = pairs.get((one, other))
            assert (pair is not None) == (near.distance <= 0.3)
            if pair is not None:
                assert (pair.kind, pair.inner, pair.distance) == (near.kind, near.inner, near.distance)
                if pair.overlapping:
                    overlapping |= {one, other}
    assert 5 < len(overlapping) < 40
    for body in bodies:
        assert scene.overlap_many(body, [body.pose])[0] == (body in overlapping)
        assert bool(scene.overlaps(body)) == (body in overlapping)


def test_a_copy_that_is_rotated_or_moved_by_less_than_the_tolerance_overlaps(rng):
    """Corners of a copy lie on the corners of the other, or just outside: they do not decide."""
    shapes = [ss.Box((2, 1, 1)), ss.Mesh.cylinder(0.5, 1.0), ss.Volume(np.ones((2, 3, 2), bool), 0.4), ss.Mesh.box((1, 1, 1))]
    for k in range(120):
        shape = shapes[k % len(shapes)]
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.normal(size=3)
        shift = np.eye(4)
        shift[:3, 3] = rng.normal(size=3) * rng.choice((0.0, 1e-12, 1e-10))
        scene = ss.Scene()
        first = scene.add(shape, pose)
        second = scene.add(shape, pose @ shift)
        (pair,) = scene.overlaps()
        assert pair.overlapping
        assert scene.distance(first, second).overlapping
        assert scene.overlap_many(first, [pose]).all()
        hit = scene.sweep(first, ss.Translate((0, 0, 0)))
        assert hit is not None
        assert hit.overlapping
