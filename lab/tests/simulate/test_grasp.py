"""Grasps by exact sweeps: nothing is entered, every contact is real, and no joint that could close is left open."""

import dataclasses
import math

import numpy as np
import pytest
from sweepscope_lab.reference.nearest import nearest, winding
from sweepscope_lab.scenes.hand import FINGERS, FOUR, SIZE, make_hand
from sweepscope_lab.scenes.targets import SOFT_FRAMES, TARGETS
from sweepscope_lab.simulate.grasp import PHASES, Grasp, GraspOutcome, GraspSettings, run
from sweepscope_lab.simulate.grasp_measure import Gaps, nearest_on_triangles

from sweepscope import Box, Capsule, Robot, Scene, Translate
from sweepscope.errors import InvalidQuery, InvalidType

JOINTS = {f"{finger} {k}" for finger in FINGERS for k in (1, 2, 3)}


def played(settings: GraspSettings) -> tuple[Grasp, GraspOutcome]:
    grasp = Grasp(settings)
    while not grasp.ended:
        grasp.step()
    return grasp, grasp.outcome()


def corners(body):
    """Return a body's faces, (3 corners, 3 xyz, k), world."""
    return (body.vertices[body.shape.faces] @ body.pose[:3, :3].T + body.pose[:3, 3]).transpose(1, 2, 0)


def separation(link, body) -> float:
    """Return how far two bodies are apart, or minus how deep, by the reference's pairs of faces."""
    a, b = corners(link), corners(body)
    pairs = np.broadcast_to(a[..., :1], b.shape)
    distance, _, crossing = nearest(pairs, b)
    assert not crossing.any()
    if body.shape.radius == 0.0:
        assert np.abs(winding(a[:, :, 0], b.transpose(2, 0, 1))).max() < 0.5, "wholly inside"
    return float(distance.min()) - link.shape.radius - body.shape.radius


def check_measured(grasp: Grasp, outcome: GraspOutcome) -> None:
    """Measure everything again at the end: what is reported touches, and nothing else does."""
    told = {(contact.hand, contact.link, contact.body) for contact in outcome.contacts}
    found = set()
    for k, hand in enumerate(grasp.hands):
        for link in hand.links.values():
            for part in link.bodies:
                for body in grasp.target:
                    apart = separation(part, body)
                    assert apart > -1e-6
                    if apart < 1e-6:
                        found.add((k, link.name, body.name))
    targets = {body.name for body in grasp.target}
    assert found == {each for each in told if each[2] in targets}
    for contact in outcome.contacts:
        assert abs(contact.separation) < 1e-6
        assert np.linalg.norm(contact.normal) == pytest.approx(1.0)


def check_closed(grasp: Grasp, outcome: GraspOutcome) -> None:
    """No joint can close: each is at its limit, or what it moves is stopped at once, as was said."""
    for hand, values, ends in zip(grasp.hands, outcome.joints, outcome.ends, strict=True):
        assert set(ends) == JOINTS
        for joint, why in ends.items():
            most = hand.joints[joint].limits[1]
            if why == "limit":
                assert values[joint] == most
                continue
            hit = hand.sweep(joint, most)
            assert hit is not None, joint
            assert not hit.overlapping
            assert hit.positions[joint] - values[joint] < 1e-8
            assert (why == "contact") == (hit.obstacle in grasp.target) or hit.travel < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_every_target_exact(target):
    grasp, outcome = played(GraspSettings(target))
    assert len(outcome.frames) < 600
    assert grasp.phases == ("done",)
    assert outcome.max_penetration < 1e-6 * outcome.hand_size
    assert outcome.held == (True,)
    check_measured(grasp, outcome)
    check_closed(grasp, outcome)
    changes = TARGETS[target]().changes
    if changes is not None:
        assert len(outcome.frames) > SOFT_FRAMES
        for body in grasp.target:
            assert np.array_equal(body.vertices, changes(SOFT_FRAMES)[body.name])


@pytest.mark.slow
def test_order_of_phases():
    outcome = run(GraspSettings("cylinder", seed=1))
    seen = [record.phases[0] for record in outcome.frames]
    assert list(dict.fromkeys(seen)) == list(PHASES[:-1])
    assert [record.frame for record in outcome.frames] == list(range(len(seen)))
    assert all(record.detections > 0 and record.seconds > 0.0 for record in outcome.frames)
    assert outcome.frames[-1].contacts >= 5
    assert outcome.hand_size == SIZE


@pytest.mark.slow
def test_search_turns_until_the_target_is_seen():
    counts = [[r.phases[0] for r in run(GraspSettings(seed=seed, frames=40)).frames].count("search") for seed in range(4)]
    assert min(counts) == 2  # seen at once: face it twice
    assert max(counts) > 5


@pytest.mark.slow
@pytest.mark.parametrize(("hands", "target"), [(2, "box"), (5, "ball")])
def test_hands_together(hands, target):
    grasp = Grasp(GraspSettings(target, hands=hands))
    for hand in grasp.hands:
        assert grasp.scene.sweep(hand.bodies, Translate((0.0, 0.0, 0.0))) is None
    while not grasp.ended:
        grasp.step()
    outcome = grasp.outcome()
    assert grasp.phases == ("done",) * hands
    assert outcome.max_penetration < 1e-6 * SIZE
    assert sum(outcome.held) >= 2
    check_measured(grasp, outcome)
    check_closed(grasp, outcome)
    # Hands touch each other; either of the two tells of it.
    pairs = {(f"hand {c.hand + 1}/{c.link}", c.body) for c in outcome.contacts if "/" in c.body}
    assert pairs
    links = {f"{hand.name}/{link.name}": link.bodies for hand in grasp.hands for link in hand.links.values()}
    for one, other in pairs:
        assert (other, one) in pairs
        assert abs(min(separation(a, b) for a in links[one] for b in links[other])) < 1e-6


@pytest.mark.slow
def test_same_settings_same_run():
    first, second = (run(GraspSettings("mug", seed=3)) for _ in range(2))
    assert first.joints == second.joints
    assert first.ends == second.ends
    for one, other in zip(first.frames, second.frames, strict=True):
        assert dataclasses.replace(one, seconds=0.0) == dataclasses.replace(other, seconds=0.0)


def test_frames_are_the_most():
    grasp, outcome = played(GraspSettings(frames=4))
    assert len(outcome.frames) == 4
    assert outcome.ends == ({},)
    with pytest.raises(InvalidQuery, match="over, after 4 frames"):
        grasp.step()


@pytest.mark.slow
def test_first_and_third_part_cannot_meet():
    """The radar method relies on it."""
    hand = make_hand()
    for finger in FINGERS:
        first, third = (hand.links[f"{finger} {k}"].bodies[0] for k in (1, 3))
        two, three = (hand.joints[f"{finger} {k}"].limits[1] for k in (2, 3))
        for bend in np.linspace(0.0, two, 12):
            for tip in np.linspace(0.0, three, 12):
                hand.positions = {f"{finger} 2": bend, f"{finger} 3": tip}
                assert separation(first, third) > 1.0
        hand.positions = {f"{finger} 2": 0.0, f"{finger} 3": 0.0}
    assert set(FOUR) < set(FINGERS)


def test_measure_agrees_with_the_reference():
    rng = np.random.default_rng(7)
    segments = rng.normal(size=(400, 2, 3))
    faces = rng.normal(size=(400, 3, 3)) + np.where(np.arange(400) % 2, 1.0, 0.0)[:, None, None]
    faces[::5, 2] = faces[::5, 1]
    here, there = nearest_on_triangles(segments, faces)
    doubled = segments[:, [0, 1, 1]].transpose(1, 2, 0)
    distance, _, crossing = nearest(doubled, faces.transpose(1, 2, 0))
    assert np.allclose(np.linalg.norm(here - there, axis=1), distance, atol=1e-9)
    assert 10 < crossing.sum() < 200


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"target": "moon"}, "target is 'moon'; accepted: 'box'"),
        ({"method": "guess"}, "method is 'guess'; accepted: 'exact', 'radar'"),
        ({"hands": 0}, "hands is 0; accepted: a whole number from 1 to 5"),
        ({"hands": 6}, "hands is 6; accepted: a whole number from 1 to 5"),
        ({"hands": True}, "hands is True"),
        ({"pixels": 4}, "pixels is 4; accepted: a whole number from 8 to 1024"),
        ({"pixels": 50.0}, "pixels is 50.0"),
        ({"frames": 0}, "frames is 0; accepted: a whole number from 1"),
        ({"seed": -1}, "seed is -1"),
        ({"step": 0.0}, "step is 0.0; accepted: 0.1 to 20 degrees"),
        ({"step": math.nan}, "step is nan"),
        ({"step": "fast"}, "step"),
    ],
)
def test_bad_settings(given, message):
    with pytest.raises(InvalidType if "fast" in given.values() else InvalidQuery, match=message):
        GraspSettings(**given)


@pytest.mark.parametrize("depth", [-3.0, -1e-9, 0.0, 2.0, 15.0])
def test_a_link_in_a_target_is_one_gap_as_deep_as_it_is(depth):
    scene = Scene()
    robot = Robot(scene)
    robot.add("finger", Capsule.from_segment((0, 0, 0), (0, 0, 50), radius=10.0))
    target = scene.add(Box((200, 200, 100)), pose=(0, 0, -60 + depth))
    gaps = Gaps((robot,), (target,)).near(5.0)
    assert [(gap.link.name, gap.body) for gap in gaps] == [("robot/finger", target)]
    assert gaps[0].separation == pytest.approx(-depth, abs=1e-12)
    assert gaps[0].normal == pytest.approx((0, 0, 1))
