"""Grasps by radars: every joint ends within a pixel's angle of where exact sweeps would end it."""

import math

import numpy as np
import pytest
from sweepscope_lab.scenes.hand import make_hand
from sweepscope_lab.simulate.grasp import Grasp, GraspSettings, run
from sweepscope_lab.simulate.grasp_arm import Arm

from sweepscope import Box
from sweepscope.radar import RadarSet

PIXEL = 2.8
"""The widest pixel of a phalanx's view [length], 50 x 50."""


def played(settings: GraspSettings) -> Grasp:
    grasp = Grasp(settings)
    while not grasp.ended:
        grasp.step()
    return grasp


@pytest.mark.slow
@pytest.mark.parametrize("target", ["box", "cone", "chain", "blob"])
def test_joints_end_where_exact_sweeps_say(target):
    grasp = played(GraspSettings(target, method="radar"))
    outcome = grasp.outcome()
    assert grasp.phases == ("done",)
    assert len(grasp.stops) >= 15
    for stop in grasp.stops:
        assert abs(stop.value - stop.exact) < stop.pixel, stop
    assert outcome.max_penetration < PIXEL
    assert len(outcome.ends[0]) == 15
    assert all(abs(contact.separation) < PIXEL for contact in outcome.contacts)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ball", "torus", "bottle"])
def test_whole_run_ends_as_the_exact_one(target):
    grasp = played(GraspSettings(target, method="radar"))
    exact = run(GraspSettings(target))
    assert grasp.outcome().ends == exact.ends
    last = {stop.joint: stop for stop in grasp.stops}
    for joint, value in exact.joints[0].items():
        assert abs(grasp.hands[0][joint] - value) < last[joint].pixel, joint


@pytest.mark.slow
def test_five_hands():
    grasp = played(GraspSettings("box", hands=5, method="radar"))
    outcome = grasp.outcome()
    assert grasp.phases == ("done",) * 5
    assert max(record.detections for record in outcome.frames) >= 52
    assert outcome.max_penetration < PIXEL
    assert sum(outcome.held) >= 3
    close = [abs(stop.value - stop.exact) < stop.pixel for stop in grasp.stops]
    assert all(close)
    assert len(close) >= 75


@pytest.mark.slow
def test_soft_target():
    grasp = played(GraspSettings("soft", method="radar", pixels=32))
    assert grasp.phases == ("done",)
    assert grasp.outcome().held == (True,)


@pytest.mark.slow
def test_more_pixels_come_nearer():
    errors = []
    for pixels in (16, 64):
        stops = played(GraspSettings("cone", method="radar", pixels=pixels)).stops
        errors.append(np.mean([abs(stop.value - stop.exact) for stop in stops]))
    assert errors[1] < errors[0]


def test_rule_on_a_plate():
    """A plate ahead of a straight finger is met by the tip first, whose gap is not the least there is."""
    hand = make_hand()
    plate = hand.scene.add(Box((400.0, 300.0, 10.0)), name="plate")
    tilt = math.radians(4.0)
    plate.pose = np.array(
        [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, math.cos(tilt), -math.sin(tilt), 200.0],
            [0.0, math.sin(tilt), math.cos(tilt), 60.0],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
    step = math.radians(20.0)
    for joint, parts in (("index 1", (1, 2, 3)), ("index 2", (2, 3))):
        links = [hand.links[f"index {k}"] for k in parts]
        arms = [Arm.of(hand, joint, (link,), step) for link in links]
        readings = RadarSet(hand.scene, [link.bodies for link in links], pixels=50).probe([arm.motion for arm in arms])
        told = [arm.bend(reading) for arm, reading in zip(arms, readings, strict=True)]
        free, pixel, met = min(told)
        exact = hand.sweep(joint, hand.joints[joint].limits[1])
        assert exact is not None
        assert met == plate.id
        # Along a straight line instead of a circle: more than the exact turn at large angles, alike at small ones.
        assert free == pytest.approx(exact.travel, rel=0.2)
        hand[joint] = exact.positions[joint] - 0.01
        again = RadarSet(hand.scene, [link.bodies for link in links], pixels=50).probe([arm.motion for arm in arms])
        left = min(arm.bend(reading)[0] for arm, reading in zip(arms, again, strict=True))
        assert abs(left - 0.01) < 0.3 * pixel
        hand[joint] = 0.0
