"""Whole meshes against brute force over all pairs of faces."""

import numpy as np
import pytest
from sweepscope_lab.reference.brute_force import first_travel
from sweepscope_lab.scenes import bumpy_ball, hills, scattered_balls

import sweepscope as ss


def _world_faces(body):
    return (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3])[body.shape.faces]


def _rotation(rng):
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else q[:, [1, 0, 2]]


def _pose(rng, position):
    pose = np.eye(4)
    pose[:3, :3] = _rotation(rng)
    pose[:3, 3] = position
    return pose


def _agree(hit, true):
    if np.isinf(true):
        assert hit is None
    else:
        assert hit is not None
        assert hit.travel == pytest.approx(true, abs=1e-9)
        assert hit.travel <= true


@pytest.mark.slow
def test_ball_on_hills_turned_every_way(rng):
    scene = ss.Scene()
    ground = scene.add(hills(71), name="hills")
    ball = scene.add(bumpy_ball(26, 25), name="ball")
    for _ in range(8):
        ball.pose = _pose(rng, (0.0, 0.0, 60.0))
        vector = np.array((*rng.uniform(-60.0, 60.0, 2), -100.0))
        _agree(scene.sweep(ball, ss.Translate(vector)), first_travel(_world_faces(ball), _world_faces(ground), vector))


@pytest.mark.slow
def test_after_deforming_the_ground_and_the_ball(rng):
    scene = ss.Scene()
    ground = scene.add(hills(51))
    ball = scene.add(bumpy_ball(17, 16), (0.0, 0.0, 60.0))
    for _ in range(4):
        ground.vertices = ground.vertices + rng.normal(size=ground.vertices.shape) * 0.5
        ball.vertices = ball.vertices * rng.uniform(0.7, 1.2, 3)
        vector = np.array((*rng.uniform(-30.0, 30.0, 2), -90.0))
        _agree(scene.sweep(ball, ss.Translate(vector)), first_travel(_world_faces(ball), _world_faces(ground), vector))


@pytest.mark.slow
def test_ball_among_many_bodies(rng):
    scene = ss.Scene()
    ball_shape = ss.Mesh.sphere(40.0, rows=9, sections=8)
    for place in scattered_balls(100, 1200.0, 130.0):
        scene.add(ball_shape, _pose(rng, place))
    mover = scene.add(ss.Mesh.sphere(60.0, rows=9, sections=8))
    faces = np.concatenate([_world_faces(body) for body in scene if body is not mover])
    hits = 0
    for _ in range(40):
        direction = rng.normal(size=3)
        vector = 600.0 * direction / np.linalg.norm(direction)
        hit = scene.sweep(mover, ss.Translate(vector))
        _agree(hit, first_travel(_world_faces(mover), faces, vector))
        hits += hit is not None
    assert hits >= 10


def test_several_movers_are_the_earliest_of_each(rng):
    scene = ss.Scene()
    scene.add(hills(41))
    parts = [scene.add(bumpy_ball(9, 8, 5.0, seed=k), (x, 3.0 * k, 50.0)) for k, x in enumerate((-20.0, 0.0, 20.0))]
    for _ in range(6):
        motion = ss.Translate((*rng.uniform(-10.0, 10.0, 2), -80.0))
        together = scene.sweep(parts, motion)
        alone = [scene.sweep(part, motion, ignore=[p for p in parts if p is not part]) for part in parts]
        first = min((hit for hit in alone if hit is not None), key=lambda hit: hit.time)
        assert together is not None
        assert together.mover is first.mover
        assert together.time == pytest.approx(first.time, abs=1e-12)
