"""Laws of distances: symmetric, 1-Lipschitz under motion, 0 at the first contact of a sweep and not before."""

import numpy as np
import pytest
from sweepscope_lab.reference.distance_cases import KINDS, distance_case
from sweepscope_lab.reference.turn_cases import SHAPES, random_pose
from sweepscope_lab.reference.vectors import random_rotation
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss

NAMES = sorted(SHAPES)


def _pair(seed):
    case = distance_case(seed)
    scene = ss.Scene()
    return case, scene, *[scene.add(shape, pose) for shape, pose in zip(case.shapes, case.poses, strict=True)]


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=KINDS)
def test_symmetric(kind):
    apart = 0
    for seed in range(kind, 200, len(KINDS)):
        case, scene, a, b = _pair(seed)
        one, other = scene.distance(a, b), scene.distance(b, a)
        scale = 1.0 + np.abs(case.poses[0][:3, 3]).max()
        assert one.distance == pytest.approx(other.distance, abs=1e-14 * 16 * scale)
        assert one.overlapping == other.overlapping
        assert (one.first, one.second) == (a, b)
        if one.kind == "apart" and np.isfinite(one.normal).all():
            apart += 1
            gap = one.first_point - one.second_point
            assert np.linalg.norm(gap) == pytest.approx(one.distance, abs=1e-9 * scale)
            if one.distance > 1e-6 * scale:
                assert one.normal == pytest.approx(gap / np.linalg.norm(gap), abs=1e-6)
    assert apart >= (0 if KINDS[kind] == "nested" else 5)


@pytest.mark.parametrize("name", NAMES)
def test_a_moved_body_changes_its_distance_by_no_more_than_it_moved(name, rng):
    scene = ss.Scene()
    for other in NAMES[::3]:
        scene.add(SHAPES[other](rng), random_pose(rng, rng.normal(size=3) * 3.0))
    body = scene.add(SHAPES[name](rng), random_pose(rng, rng.normal(size=3) * 4.0))
    last = scene.nearest(body)[0].distance
    for _ in range(60):
        shift = rng.normal(size=3) * rng.choice((1e-6, 0.01, 0.5))
        body.pose = ss.Translate(shift).at() @ body.pose
        found = scene.nearest(body)[0].distance
        assert abs(found - last) <= np.linalg.norm(shift) + 1e-12
        last = found


def test_rigid_motion_and_scale(rng):
    for seed in range(0, 200, len(KINDS)):
        _, scene, a, b = _pair(seed)
        before = scene.distance(a, b).distance
        turn = np.eye(4)
        turn[:3, :3], turn[:3, 3] = random_rotation(rng), rng.normal(size=3)
        a.pose, b.pose = turn @ a.pose, turn @ b.pose
        assert scene.distance(a, b).distance == pytest.approx(before, abs=1e-13)


@pytest.mark.parametrize("turning", [False, True])
def test_the_hit_of_a_sweep_is_the_first_place_with_distance_zero(turning, rng):
    hits = 0
    for _ in range(150):
        first, second = (SHAPES[str(rng.choice(NAMES))](rng) for _ in range(2))
        scene = ss.Scene()
        there = rng.normal(size=3) * 3.0
        mover = scene.add(first, random_pose(rng, np.zeros(3)))
        other = scene.add(second, random_pose(rng, there))
        motion = ss.Rotate(rng.normal(size=3), 3.0, about=0.6 * there) if turning else ss.Translate(1.5 * there)
        start = scene.distance(mover, other)
        hit = scene.sweep(mover, motion)
        if start.kind != "apart":
            continue
        home = mover.pose
        times = np.append(np.linspace(0.0, 1.0 if hit is None else hit.time, 12)[:-1], [] if hit is None else [hit.time])
        found = []
        for time in times:
            mover.pose = motion.at(time) @ home
            found.append(scene.distance(mover, other).distance)
        assert min(found[:11]) > 0.0
        if hit is not None:
            hits += 1
            assert found[-1] <= 1e-8
    assert hits > 20


def test_how_finely_a_mesh_is_divided_does_not_matter():
    scene = ss.Scene()
    box = scene.add(ss.Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0))
    for count in (2, 5, 17):
        grid = scene.add(ss.Mesh.terrain(np.zeros((count, count)), 4.0 / (count - 1)), (-2.0, -2.0, -1.25))
        assert scene.distance(box, grid).distance == pytest.approx(0.75, abs=1e-12)
        scene.remove(grid)


def test_many_faces_at_one_vertex_are_decided_at_once():
    """The poles of two balls of 2,000 slivers each are the nearest points: all pairs of slivers are equally near."""
    scene = ss.Scene()
    ball = ss.Mesh.sphere(1.0, rows=4, sections=2000)
    a, b = scene.add(ball), scene.add(ball, (0.0, 0.0, 2.5))
    assert scene.distance(a, b).distance == pytest.approx(0.5, abs=1e-12)


def test_live_geometry_is_measured_as_a_new_scene(rng):
    scene = ss.Scene()
    mesh = bumpy_ball(12, 14, 1.0)
    a, b = scene.add(mesh), scene.add(mesh, (3.0, 0.2, 0.1))
    for _ in range(5):
        vertices = mesh.vertices * rng.uniform(0.8, 1.2, 3)
        b.vertices = vertices
        b.pose = random_pose(rng, (3.0, 0.0, 0.0))
        new = ss.Scene()
        c, d = new.add(mesh), new.add(ss.Mesh(vertices, mesh.faces), b.pose)
        one, other = scene.distance(a, b), new.distance(c, d)
        assert one.distance == pytest.approx(other.distance, abs=1e-14)
        assert one.first_point == pytest.approx(other.first_point, abs=1e-13)
        assert one.features[1].kind == other.features[1].kind
