"""Prediction: meetings known in closed form, laws that need no oracle, and what is refused."""

import math

import numpy as np
import pytest
from sweepscope_lab.scenes import ring
from sweepscope_lab.scenes.spinning import spinning_blades

import sweepscope as ss
from sweepscope.queries.predict import predict_with_stats
from sweepscope.scene import store_of


def _pose(turn, place):
    pose = np.eye(4)
    pose[:3, :3] = turn
    pose[:3, 3] = place
    return pose


def _random_turn(rng):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    turn[:, 2] *= math.copysign(1.0, np.linalg.det(turn))
    return turn


def _times(meetings):
    return {(meeting.first.name, meeting.second.name): meeting.time for meeting in meetings}


# Known answers.


def _clock_hands(length, radius, apart, rate):
    """Two upright rods on hubs `apart`, turning towards each other: mirror images, so they meet in the plane between."""
    scene = ss.Scene()
    left = scene.add(ss.Capsule.from_segment((0, 0, 0), (0, length, 0), radius=radius), name="left")
    right = scene.add(ss.Capsule.from_segment((0, 0, 0), (0, length, 0), radius=radius), (apart, 0, 0), name="right")
    return scene, {left: ss.Rotate((0, 0, 1), -rate), right: ss.Rotate((0, 0, 1), rate, about=(apart, 0, 0))}


@pytest.mark.parametrize(("radius", "rate"), [(0.1, 0.05), (0.0, 0.01), (0.3, 3.0)])
def test_two_rods_that_turn_towards_each_other(radius, rate):
    scene, motions = _clock_hands(2.0, radius, 3.0, rate)
    (meeting,) = scene.predict(motions, 2.0 / rate)
    true = (0.5 * math.pi - math.acos((1.5 - radius) / 2.0)) / rate
    assert meeting.time == pytest.approx(true, rel=1e-10)
    assert meeting.time <= true
    assert meeting.bodies == (scene["left"], scene["right"])
    assert meeting.point == pytest.approx((1.5, math.sqrt(4.0 - (1.5 - radius) ** 2), 0.0), abs=1e-6)
    assert meeting.normal == pytest.approx((-1, 0, 0), abs=1e-6)
    assert not meeting.overlapping


def test_a_horizon_that_is_too_short_and_one_that_is_not():
    scene, motions = _clock_hands(2.0, 0.1, 3.0, 0.05)
    true = (0.5 * math.pi - math.acos(0.7)) / 0.05
    assert scene.predict(motions, true - 1e-6) == []
    assert len(scene.predict(motions, true + 1e-6)) == 1


def test_rotors_that_mesh_never_meet_and_out_of_step_they_do():
    """Two bars that sweep the same ground in step, square to each other, pass for ever: helicopters are built so."""
    scene = ss.Scene()
    first = scene.add(ss.Box((4, 0.1, 0.1)), name="first")
    upright = ss.Rotate((0, 0, 1), 0.5 * math.pi).at()[:3, :3]
    second = scene.add(ss.Box((4, 0.1, 0.1)), _pose(upright, (2.5, 0, 0)), name="second")
    motions = {first: ss.Rotate((0, 0, 1), 0.1), second: ss.Rotate((0, 0, 1), -0.1, about=(2.5, 0, 0))}
    assert scene.predict(motions, 1e6) == []
    motions[second] = ss.Rotate((0, 0, 1), -0.11, about=(2.5, 0, 0))
    (meeting,) = scene.predict(motions, 1e3)
    assert meeting.time > 10.0


def test_balls_on_crossing_circles():
    """Both come to the crossing of their circles at once if they start equally far from it."""
    scene = ss.Scene()
    one = scene.add(ss.Sphere(0.2), (2, 0, 0))
    two = scene.add(ss.Sphere(0.3), (0, 2, 0))
    motions = {one: ss.Rotate((0, 0, 1), 0.1), two: ss.Rotate((0, 0, -1), 0.1)}
    (meeting,) = scene.predict(motions, 30)
    # On one circle of radius 2, the arc between them closes from pi/2 to the one whose chord is 0.5.
    assert meeting.time == pytest.approx((0.5 * math.pi - 2.0 * math.asin(0.125)) / 0.2, rel=1e-12)


def test_the_last_moment_counts():
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(1.0), (0, 0, 0))
    wall = scene.add(ss.Box((1, 9, 9)), (5.5, 0, 0))
    (meeting,) = scene.predict({ball: ss.Translate((1, 0, 0))}, 4.0)
    assert meeting.time == pytest.approx(4.0, abs=1e-9)
    assert meeting.second is wall
    assert scene.predict({ball: ss.Translate((1, 0, 0))}, 3.999) == []


@pytest.mark.parametrize(("ball", "meets"), [(0.6, False), (1.3, True)])
def test_a_ball_through_a_spinning_ring(ball, meets):
    """The ring's hole has radius 1 and motions about its own axis; the ball's circle goes through its middle."""
    scene = ss.Scene()
    hoop = scene.add(ring(1.0, 1.5, 0.25, 24), name="hoop")
    thing = scene.add(ss.Sphere(ball), (6, 0, 0), name="ball")
    motions = {hoop: ss.Rotate((0, 0, 1), 0.3), thing: ss.Rotate((0, 1, 0), 0.1, about=(3, 0, 0))}
    meetings = scene.predict(motions, 62)
    assert bool(meetings) is meets
    assert all(0.0 < meeting.time < 31.0 for meeting in meetings)


# What overlaps and touches already.


def test_overlapping_now():
    scene = ss.Scene()
    one = scene.add(ss.Box((2, 2, 2)))
    scene.add(ss.Box((2, 2, 2)), (1, 0.5, 0.3))
    (meeting,) = scene.predict({one: ss.Rotate((0, 0, 1), 0.1)}, 5)
    assert (meeting.time, meeting.overlapping) == (0.0, True)


@pytest.mark.parametrize("spinning", [0, 1])
def test_wholly_inside_now(spinning):
    scene = ss.Scene()
    bodies = scene.add(ss.Box((4, 4, 4))), scene.add(ss.Sphere(0.5), (0.5, 0, 0))
    (meeting,) = scene.predict({bodies[spinning]: ss.Rotate((0, 0, 1), 0.1)}, 5)
    assert meeting.time == 0.0
    assert meeting.overlapping
    assert np.isnan(meeting.normal).all()


def test_inside_a_room_is_free():
    box = ss.Mesh.box((4, 4, 4))
    scene = ss.Scene()
    room = scene.add(ss.Mesh(box.vertices, box.faces, solid=False))
    ball = scene.add(ss.Sphere(0.5), (1.0, 0, 0))
    assert scene.predict({ball: ss.Rotate((0, 0, 1), 0.1), room: ss.Rotate((0, 0, 1), -0.2)}, 1000) == []
    ball.pose = (1.6, 0, 0)
    (meeting,) = scene.predict({ball: ss.Rotate((0, 0, 1), 0.1), room: ss.Rotate((0, 0, 1), 0.1)}, 1000)
    assert (meeting.time, meeting.overlapping) == (0.0, True)


def test_touching_now_is_a_meeting_now():
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 1)), (0, 0, -0.5), name="floor")
    top = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5), name="top")
    (meeting,) = scene.predict({top: ss.Rotate((0, 0, 1), 0.1)}, 5)
    assert (meeting.time, meeting.overlapping) == (0.0, False)
    assert "touch now" in repr(meeting)
    top.pose = (0, 0, 0.5 + 1e-6)
    assert scene.predict({top: ss.Rotate((0, 0, 1), 0.1)}, 500) == []


# Laws.


def _world(rng, move=None, order=range(10)):
    """Return a scene of ten bodies and their motions, carried as a whole by a rigid `move`, added in an order."""
    move = np.eye(4) if move is None else move
    scene, motions = ss.Scene(), {}
    parts = []
    for k in range(10):
        shapes = (
            ss.Box((3, 0.4, 0.2)),
            ss.Capsule.from_segment((-1.5, 0, 0), (1.5, 0, 0), radius=0.2),
            ss.Mesh.box((2, 1, 0.3)),
            ss.Sphere(0.7),
        )
        pose = _pose(_random_turn(rng), rng.uniform(-2.2, 2.2, 3))
        axis, angle, about = rng.normal(size=3), rng.uniform(-0.3, 0.3), pose[:3, 3] + rng.normal(size=3)
        parts.append((shapes[k % 4], pose, axis, angle, about))
    for k in order:
        shape, pose, axis, angle, about = parts[k]
        body = scene.add(shape, move @ pose, name=f"body {k}")
        motions[body] = ss.Rotate(move[:3, :3] @ axis, angle, about=move[:3, :3] @ about + move[:3, 3])
    return scene, motions


def _same(one, two, rel=1e-8):
    assert set(map(frozenset, one)) == set(map(frozenset, two))
    unordered = {frozenset(pair): time for pair, time in two.items()}
    for pair, time in one.items():
        assert unordered[frozenset(pair)] == pytest.approx(time, rel=rel, abs=1e-9)


def test_swap():
    rng = np.random.default_rng(8)
    scene, motions = _world(rng)
    other, turned = _world(np.random.default_rng(8), order=(4, 2, 0, 9, 3, 1, 8, 5, 7, 6))
    one = _times(scene.predict(motions, 30))
    assert len(one) >= 8
    _same(one, _times(other.predict(turned, 30)))


def test_rigid_invariance(rng):
    move = _pose(_random_turn(rng), rng.normal(size=3) * 10)
    scene, motions = _world(np.random.default_rng(9))
    other, moved = _world(np.random.default_rng(9), move)
    one = scene.predict(motions, 30)
    two = other.predict(moved, 30)
    assert len(one) >= 8
    _same(_times(one), _times(two))
    for a, b in zip(one, two, strict=True):
        if not a.overlapping:
            assert move[:3, :3] @ a.point + move[:3, 3] == pytest.approx(b.point, abs=1e-6)
            assert move[:3, :3] @ a.normal == pytest.approx(b.normal, abs=1e-5)


def test_twice_as_fast_is_half_as_long():
    scene, motions = _world(np.random.default_rng(10))
    double = {body: ss.Rotate(spin.axis, 2.0 * spin.angle, about=spin.about) for body, spin in motions.items()}
    one, two = _times(scene.predict(motions, 30)), _times(scene.predict(double, 15))
    assert len(one) >= 8
    _same(one, {pair: 2.0 * time for pair, time in two.items()})


def test_whichever_way_a_motion_is_written():
    scene, motions = _world(np.random.default_rng(11))
    written = {
        body: ss.Screw([-x for x in spin.axis], -spin.angle, slide=0.0, about=np.array(spin.about) + 3.0 * np.array(spin.axis))
        for body, spin in motions.items()
    }
    _same(_times(scene.predict(motions, 30)), _times(scene.predict(written, 30)))


def test_every_pair_is_told_as_if_alone():
    scene, motions = _world(np.random.default_rng(12))
    every = scene.predict(motions, 30)
    assert len(every) >= 8
    assert [meeting.time for meeting in every] == sorted(meeting.time for meeting in every)
    for meeting in every:
        others = [body for body in scene if body not in meeting.bodies]
        (alone,) = scene.predict(motions, 30, ignore=others)
        assert alone.time == meeting.time


def test_margin_is_a_thicker_ball():
    times = []
    for radius, margin in ((0.5, 0.25), (0.75, 0.0)):
        scene = ss.Scene()
        ball = scene.add(ss.Sphere(radius), (3, 0, 0))
        box = scene.add(ss.Box((1, 1, 1)), (0, 3, 0))
        motions = {ball: ss.Rotate((0, 0, 1), 0.1), box: ss.Rotate((0, 0, 1), 0.2, about=(0, 3, 0))}
        (meeting,) = scene.predict(motions, 50, margin=margin)
        times.append(meeting.time)
    assert times[0] == pytest.approx(times[1], rel=1e-9)


def test_ignored_pairs_and_groups_do_not_meet():
    scene, motions = _clock_hands(2.0, 0.1, 3.0, 0.05)
    scene.ignore(scene["left"], scene["right"])
    assert scene.predict(motions, 40) == []
    scene.unignore(scene["left"], scene["right"])
    assert len(scene.predict(motions, 40)) == 1
    scene = ss.Scene()
    for k in range(2):
        scene.add(ss.Box((1, 1, 1)), (0.5 * k, 0, 0), name=f"{k}", group=f"g{k}")
    motions = {scene["0"]: ss.Rotate((0, 0, 1), 0.1)}
    assert len(scene.predict(motions, 40)) == 1
    scene.ignore_groups("g0", "g1")
    assert scene.predict(motions, 40) == []


def test_fans_change_the_effort_and_nothing_else():
    scene, motions = spinning_blades(200, 3, side=14.0)
    with_fans, effort = predict_with_stats(store_of(scene), motions, 40.0)
    without, more = predict_with_stats(store_of(scene), motions, 40.0, fans=False)
    assert len(with_fans) >= 50
    assert _times(with_fans) == pytest.approx(_times(without), rel=1e-9, abs=1e-9)
    assert more.tested == more.after_boxes == effort.after_boxes
    assert len(with_fans) <= effort.tested <= effort.after_boxes / 3


def test_bodies_out_of_reach_take_no_part():
    scene, motions = spinning_blades(20, 1, side=6.0)
    before, effort = predict_with_stats(store_of(scene), motions, 20.0)
    for k in range(50):
        scene.add(ss.Box((1, 1, 1)), (100.0 + 3.0 * k, 0, 0))
    after, same = predict_with_stats(store_of(scene), motions, 20.0)
    assert _times(after) == _times(before)
    assert same == effort


def test_live_vertices_are_seen():
    scene = ss.Scene()
    bar = scene.add(ss.Mesh.box((2, 0.2, 0.2)), (2, 0, 0))
    scene.add(ss.Box((0.2, 0.2, 0.2)), (0, 4.0, 0))
    motions = {bar: ss.Rotate((0, 0, 1), 0.1)}
    assert scene.predict(motions, 100) == []
    bar.vertices = bar.vertices * (2.0, 1.0, 1.0)
    assert len(scene.predict(motions, 100)) == 1


def test_far_from_the_origin_nothing_is_lost():
    scene, motions = _clock_hands(2.0, 0.1, 3.0, 0.05)
    (near,) = scene.predict(motions, 40)
    far = np.array((2.0**30, -(2.0**29), 2.0**28))
    for body in scene:
        body.pose = _pose(np.eye(3), body.pose[:3, 3] + far)
    motions = {body: ss.Rotate(spin.axis, spin.angle, about=spin.about + far) for body, spin in motions.items()}
    (there,) = scene.predict(motions, 40)
    assert there.time == pytest.approx(near.time, rel=1e-9)


def test_nothing_moves_and_nothing_is_there():
    scene = ss.Scene()
    assert scene.predict({}, 10) == []
    cloud = scene.add(ss.PointCloud(np.empty((0, 3))))
    scene.add(ss.Sphere(1.0))
    assert scene.predict({}, 10) == []
    assert scene.predict({cloud: ss.Rotate((0, 0, 1), 1.0)}, 10) == []


# What is refused.


def test_bad_input():
    scene, other = ss.Scene(), ss.Scene()
    body, stranger, gone = scene.add(ss.Sphere(1.0)), other.add(ss.Sphere(1.0)), scene.add(ss.Sphere(1.0))
    scene.remove(gone)
    spin = ss.Rotate((0, 0, 1), 0.1)
    for horizon in (0, -1, math.nan, math.inf, 1e51):
        with pytest.raises(ss.errors.InvalidQuery, match="horizon is"):
            scene.predict({body: spin}, horizon)
    for horizon in (None, "ten", [1]):
        with pytest.raises(ss.errors.InvalidType, match="horizon"):
            scene.predict({body: spin}, horizon)
    for motions in ([body], None, 3, [(body, spin)]):
        with pytest.raises(ss.errors.InvalidType, match="motions: expected a mapping"):
            scene.predict(motions, 1)
    with pytest.raises(ss.errors.NotFound, match="another scene"):
        scene.predict({stranger: spin}, 1)
    with pytest.raises(ss.errors.NotFound, match="removed"):
        scene.predict({body: spin, gone: spin}, 1)
    with pytest.raises(ss.errors.InvalidType, match="motions, body 0: expected a Body"):
        scene.predict({"sphere 0": spin}, 1)
    for motion in (None, 0.1, (0, 0, 1), np.eye(4)):
        with pytest.raises(ss.errors.InvalidType, match="sphere 0"):
            scene.predict({body: motion}, 1)
    for margin in (-1.0, math.nan, math.inf):
        with pytest.raises(ss.errors.InvalidQuery, match="margin"):
            scene.predict({body: spin}, 1, margin=margin)
    with pytest.raises(ss.errors.NotFound, match=r"ignore\[0\]"):
        scene.predict({body: spin}, 1, ignore=[stranger])
    with pytest.raises(ss.errors.InvalidType, match="ignore"):
        scene.predict({body: spin}, 1, ignore=5)
    scene.tolerance = 1.0
    with pytest.raises(ss.errors.InvalidQuery, match="tolerance"):
        scene.predict({body: spin}, 1)


@pytest.mark.parametrize("gap", [1e-8, 1e-6, 1e-3])
def test_what_turns_together_keeps_its_distance(gap):
    scene = ss.Scene()
    one = scene.add(ss.Box((1, 1, 1)), (2, 0, 0))
    two = scene.add(ss.Box((1, 1, 1)), (3 + gap, 0, 0))
    for first, second in (
        (ss.Rotate((0, 0, 1), 0.1), ss.Rotate((0, 0, -1), -0.1, about=(0, 0, 9))),
        (ss.Rotate((1, 2, 3), 0.1, about=(0.3, 0.2, 0.1)), ss.Rotate((1, 2, 3), 0.1, about=(1.3, 2.2, 3.1))),
        (ss.Screw((0, 1, 0), 2.0, slide=1.0), ss.Screw((0, 1, 0), 2.0, slide=1.0)),
    ):
        assert scene.predict({one: first, two: second}, 1000) == []


@pytest.mark.parametrize("horizon", [20.0, 1e9, 1e15, 1e40])
def test_a_long_horizon_changes_nothing(horizon):
    scene = ss.Scene()
    mover = scene.add(ss.Box((1, 1, 1)))
    scene.add(ss.Box((1, 1, 1)), (0, -1.000001, 0))
    wall = scene.add(ss.Box((1, 1, 1)), (9, 0, 0))
    (meeting,) = scene.predict({mover: ss.Translate((1, 0, 0))}, horizon)
    assert meeting.second is wall
    assert 8.0 - 1e-9 < meeting.time <= 8.0
    rods = ss.Scene()
    left, right = rods.add(ss.Box((4, 0.2, 0.1))), rods.add(ss.Box((0.2, 4, 0.1)), (2.5, 0, 0))
    motions = {left: ss.Rotate((0, 0, 1), 0.2), right: ss.Rotate((0, 0, 1), -0.21, about=(2.5, 0, 0))}
    assert rods.predict(motions, horizon + 300)[0].time == pytest.approx(rods.predict(motions, 300)[0].time, abs=1e-9)


@pytest.mark.parametrize("far", [0.0, 1e6, 1e8, 1e12])
def test_what_the_rounding_of_poses_parts_meets_now(far):
    """Two steps of float64 between two faces say nothing: they touch, however far from the origin they are."""
    scene = ss.Scene()
    one = scene.add(ss.Box((1, 1, 1)), (far, 0, 0))
    scene.add(ss.Box((1, 1, 1)), (np.nextafter(np.nextafter(far + 1.0, np.inf), np.inf), 0, 0))
    (meeting,) = scene.predict({one: ss.Translate((0, 0.5, 0))}, 1)
    assert (meeting.time, meeting.overlapping) == (0.0, False)


def test_a_gap_that_poses_can_hold_is_a_gap():
    scene = ss.Scene()
    one = scene.add(ss.Box((1, 1, 1)), (1e8, 0, 0))
    scene.add(ss.Box((1, 1, 1)), (1e8 + 1.000001, 0, 0))
    assert scene.predict({one: ss.Translate((0, 0.5, 0))}, 1) == []
