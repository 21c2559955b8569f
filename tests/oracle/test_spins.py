"""Prediction against small steps of the whole motion, and against sweeps where only one body moves."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.moving_pair import MovingFaces, first_touch, nested, room_at
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss

CLOSE = 1e-9  # how near counts as touching [share of the smaller size]


def _turn(rng):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    turn[:, 2] *= math.copysign(1.0, np.linalg.det(turn))
    return turn


def _shape(rng):
    ends = rng.normal(size=(2, 3)) * 0.7
    return (
        lambda: ss.Box(rng.uniform(0.05, 2.0, 3)),
        lambda: ss.Box((3.0, 0.4, 0.02)),
        lambda: ss.Sphere(rng.uniform(0.2, 0.8)),
        lambda: ss.Capsule.from_segment(ends[0], ends[1], radius=rng.uniform(0.0, 0.4)),
        lambda: ss.PointCloud(rng.normal(size=(6, 3)) * 0.5, rng.uniform(0.05, 0.3)),
        lambda: bumpy_ball(4, 5, 0.9, seed=int(rng.integers(100))),
        lambda: ss.Mesh(rng.normal(size=(3, 3)), [(0, 1, 2)]),
    )[rng.integers(7)]()


def _motion(rng, place):
    axis, angle = rng.normal(size=3), rng.uniform(-0.5, 0.5)
    about = place + rng.normal(size=3) * rng.choice((0.0, 0.5, 1.5))
    kind = rng.integers(8)
    if kind == 0:
        return ss.Translate(rng.normal(size=3) * 0.2)
    if kind == 1:
        return ss.Screw(axis, angle, slide=rng.uniform(-0.2, 0.2), about=about)
    return ss.Rotate(axis, angle, about=about)


def _moving_faces(body, motion):
    faces = (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3])[body.shape.faces]
    if motion is None:
        return MovingFaces(faces, body.shape.radius)
    if isinstance(motion, ss.Translate):
        return MovingFaces(faces, body.shape.radius, drift=motion.vector)
    drift = tuple(motion.slide * x for x in motion.axis)
    return MovingFaces(faces, body.shape.radius, motion.axis, motion.angle, motion.about, drift)


def _case(rng):
    """Return a scene of two bodies, how they move, a horizon and a margin."""
    scene, motions = ss.Scene(), {}
    for k in range(2):
        pose = np.eye(4)
        pose[:3, :3] = _turn(rng)
        away = rng.normal(size=3)
        pose[:3, 3] = k * rng.uniform(1.2, 2.5) * away / np.linalg.norm(away)
        body = scene.add(_shape(rng), pose)
        if k == 0 or rng.random() < 0.8:
            motions[body] = _motion(rng, pose[:3, 3])
    return scene, motions, float(rng.uniform(4.0, 20.0)), float(rng.choice((0.0, 0.0, 0.05)))


def _judge(scene, motions, horizon, margin):
    """Return what is wrong with a prediction, and whether it is a meeting that is yet to come."""
    meetings = scene.predict(motions, horizon, margin=margin)
    first, second = (_moving_faces(body, motions.get(body)) for body in scene)
    seen = first_touch(first, second, horizon, margin)
    size = min(first.size, second.size)
    if not meetings:
        return (f"missed: contact at {seen}" if seen < np.inf or nested(first, second) else ""), False
    (meeting,) = meetings
    if meeting.time == 0.0:
        now = room_at(first, second, 0.0) - margin
        return ("" if now <= CLOSE * size or nested(first, second) else f"{now} apart now"), False
    if meeting.time > seen + 1e-12 * horizon:
        return f"late: {meeting.time} after {seen}", True
    room = room_at(first, second, meeting.time) - margin
    if room > CLOSE * size:
        return f"early: {room} apart at {meeting.time}", True
    there = second.at(meeting.time)
    point = np.broadcast_to(meeting.point, (1, 3, 3))
    off = room_at(MovingFaces(point), MovingFaces(there, second.radius), 0.0)
    if abs(off) > 1e-8:
        return f"the point is {off} off the second", True
    if abs(np.linalg.norm(meeting.normal) - 1.0) > 1e-9:
        return f"normal {meeting.normal}", True
    return "", True


@pytest.mark.slow
def test_random_pairs(rng):
    verdicts = [_judge(*_case(rng)) for _ in range(200)]
    assert [verdict for verdict, _ in verdicts if verdict] == []
    assert sum(coming for _, coming in verdicts) >= 40


def test_the_normal_opens_the_gap(rng):
    """Pushed a little along the normal the first is clear of the second, pushed the other way it is not."""
    count = 0
    for _ in range(200):
        scene, motions, horizon, margin = _case(rng)
        meetings = scene.predict(motions, horizon)
        if not meetings or meetings[0].time == 0.0 or margin > 0.0:
            continue
        first, second = (_moving_faces(body, motions.get(body)) for body in scene)
        there, other = first.at(meetings[0].time), second.at(meetings[0].time)
        rooms = [
            room_at(MovingFaces(there + push * meetings[0].normal, first.radius), MovingFaces(other, second.radius), 0.0)
            for push in (1e-6, -1e-6)
        ]
        assert rooms[0] > 0.0
        assert rooms[1] <= 1e-9
        count += 1
    assert count >= 20


@pytest.mark.slow
@pytest.mark.parametrize("turns", [0.4, 1.5])
def test_as_sweeps_where_one_body_moves(rng, turns):
    hits = 0
    for _ in range(60):
        scene = ss.Scene()
        for k in range(6):
            pose = np.eye(4)
            pose[:3, :3] = _turn(rng)
            away = rng.normal(size=3)
            pose[:3, 3] = (0.0 if k == 0 else rng.uniform(1.8, 4.0)) * away / np.linalg.norm(away)
            scene.add(_shape(rng), pose)
        mover = scene.bodies[0]
        axis, about = rng.normal(size=3), rng.normal(size=3)
        hit = scene.sweep(mover, ss.Rotate(axis, turns * 2.0 * math.pi, about=about), resting="hit")
        meetings = scene.predict({mover: ss.Rotate(axis, turns * 0.2 * math.pi, about=about)}, 10.0)
        assert (hit is None) == (not meetings)
        if hit is None:
            continue
        assert meetings[0].overlapping == hit.overlapping
        assert meetings[0].time == pytest.approx(10.0 * hit.time, abs=1e-9)
        if not hit.overlapping:
            hits += 1
            assert meetings[0].second is hit.obstacle
            assert meetings[0].normal == pytest.approx(hit.normal, abs=1e-3)
    assert hits >= 15


@pytest.mark.slow
def test_gears_of_many_faces(rng):
    """Two bumpy balls of 480 faces on their own axles: groups are opened, and the answer is that of every pair of faces."""
    scene = ss.Scene()
    shape = bumpy_ball(11, 24, 1.0, seed=4)
    one, two = scene.add(shape, (0, 0, 0)), scene.add(shape, (2.1, 0, 0))
    motions = {one: ss.Rotate((0, 0.3, 1), 0.02), two: ss.Rotate((0.2, 0, 1), 0.03, about=(2.1, 0, 0))}
    (meeting,) = scene.predict(motions, 200.0)
    first, second = _moving_faces(one, motions[one]), _moving_faces(two, motions[two])
    assert meeting.time > 0.0
    assert room_at(first, second, meeting.time) <= CLOSE
    rooms = [room_at(first, second, t) for t in np.linspace(0.0, meeting.time, 40)[:-1]]
    assert min(rooms) > 0.0
