"""The paper's rule of bending and its two steps of sizing a view, against twins of its words (Yamachi & Shindo 2002).

4.4: "The angle to bend is found from the tangent of the distance from the position of the closest point to the axis of
rotation and the distance to the target." 3.1: L = R + M - d; pixels with M = d are left out; contact if L <= D.
"""

import math

import numpy as np
import pytest
from sweepscope_lab.papers.grasp_views import sizes, views
from sweepscope_lab.scenes.hand import make_hand
from sweepscope_lab.simulate.grasp import Grasp, GraspSettings
from sweepscope_lab.simulate.grasp_arm import Arm
from sweepscope_lab.simulate.grasp_radar import by_closest

from sweepscope import Box, Mesh, Rotate
from sweepscope.errors import InvalidQuery
from sweepscope.radar import RadarSet


def angle_of(readings, about, axis):
    """Return the angle to bend [radians] by the paper's words: readings of all parts that move, a point on the axis."""
    nearest, angle = math.inf, math.pi / 2
    for reading in readings:
        d = reading.view.depth
        if reading.lead is None:  # nothing ahead: done after one drawing
            continue
        for (i, j), m in np.ndenumerate(reading.mask):
            free = reading.range[i, j] + m - d
            if m != d and free <= reading.motion.length and free < nearest:
                point = reading.view.at(j, i, d - m, reading.mask.shape)
                nearest, angle = free, math.atan(max(free, 0.0) / np.linalg.norm(np.cross(point - about, axis)))
    return angle


def axis_of(hand, joint):
    """Return a point on a joint's axis and its direction, world."""
    turn = hand.motion(joint, hand[joint] + 0.5)
    assert isinstance(turn, Rotate)
    return np.array(turn.about), np.array(turn.axis)


@pytest.mark.parametrize("form", ["round", "flat"])
def test_angle_at_the_closest_point_is_the_twins(form, rng):
    hand = make_hand(form=form)
    ball = hand.scene.add(Mesh.sphere(70.0), name="ball")
    plate = hand.scene.add(Box((400.0, 300.0, 10.0)), name="plate")
    step, met = math.radians(20.0), set()
    for _ in range(25):
        ball.pose = rng.uniform((-120.0, 60.0, 95.0), (120.0, 300.0, 200.0))
        tilted = Rotate(rng.normal(size=3), rng.uniform(0.0, 0.4)).at()
        tilted[:3, 3] = (0.0, 200.0, rng.uniform(90.0, 400.0))
        plate.pose = tilted
        finger, first = rng.choice(["index", "middle", "thumb"]), int(rng.integers(1, 4))
        hand.positions = {f"{finger} {k}": float(rng.uniform(0.0, 0.3)) for k in (1, 2, 3)}
        joint = f"{finger} {first}"
        links = [hand.links[f"{finger} {k}"] for k in range(first, 4)]
        arms = [Arm.of(hand, joint, (link,), step) for link in links]
        readings = RadarSet(hand.scene, [link.bodies for link in links], pixels=20).probe([arm.motion for arm in arms])
        free, pixel, who, arm = by_closest(list(zip(arms, readings, strict=True)))
        assert free == pytest.approx(angle_of(readings, *axis_of(hand, joint)), rel=1e-9, abs=1e-12)
        assert pixel > 0.0
        assert arm in arms
        met.add(who)
    assert met >= {-1, ball.id}


@pytest.mark.slow
def test_a_joint_bends_by_all_of_that_angle():
    """One frame of a whole run: every joint that moves does so by the twin's angle, or a step, or up to its limit."""
    grasp = Grasp(GraspSettings("ball", method="radar", rule="closest", pixels=25))
    (hand,) = grasp.hands
    bent = 0
    while not grasp.ended:
        before = {joint: hand[joint] for joint in hand.joints}
        if grasp.phases == ("fingers",) and bent < 8:
            expected = {}
            for joint in hand.joints:
                finger, first = joint[:-2], int(joint[-1])
                links = [hand.links[f"{finger} {k}"] for k in range(first, 4)]
                arms = [Arm.of(hand, joint, (link,), math.radians(3.0)) for link in links]
                readings = RadarSet(hand.scene, [link.bodies for link in links], pixels=25).probe([arm.motion for arm in arms])
                left = hand.joints[joint].limits[1] - before[joint]
                expected[joint] = min(angle_of(readings, *axis_of(hand, joint)), math.radians(3.0), left)
            grasp.step()
            moved = [joint for joint in hand.joints if hand[joint] != before[joint]]
            for joint in moved:
                assert hand[joint] - before[joint] == pytest.approx(expected[joint], rel=1e-6, abs=1e-9), joint
            bent += any(expected[joint] < 0.9 * math.radians(3.0) for joint in moved)
        else:
            grasp.step()
    assert bent >= 3
    assert grasp.phases == ("done",)


@pytest.mark.slow
def test_both_rules_hold_and_differ():
    ends = []
    for rule in ("pixels", "closest"):
        grasp = Grasp(GraspSettings("mug", method="radar", rule=rule))
        while not grasp.ended:
            grasp.step()
        outcome = grasp.outcome()
        assert outcome.finished
        assert outcome.held == (True,)
        assert outcome.max_penetration < 2.8  # a pixel
        ends.append(outcome.joints)
    assert ends[0] != ends[1]


def test_rules_and_hands_that_are_not_there():
    with pytest.raises(InvalidQuery, match="rule is 'nearest'; accepted: 'pixels', 'closest'"):
        GraspSettings(method="radar", rule="nearest")
    with pytest.raises(InvalidQuery, match="rule is 'closest', but method is 'exact'; it is for method 'radar'"):
        GraspSettings(rule="closest")
    with pytest.raises(InvalidQuery, match="hand is 'left'; accepted: 'round', 'flat'"):
        GraspSettings(hand="left")


def sized(lead, preset):
    """Return width and height read off a mask by min and max of its rows and columns, and one pixel more (3.3, Fig. 10)."""
    rows, columns = np.nonzero(np.isfinite(lead))
    pixel = preset / lead.shape[0]
    return (columns.max() - columns.min() + 2) * pixel, (rows.max() - rows.min() + 2) * pixel


def test_the_papers_sizes():
    found = views()
    ours = sizes(found)
    assert ours["wide"] == (2000.0, 2000.0, 8000.0)
    assert ours["target"] == pytest.approx((300.0, 500.0, 800.0))
    assert ours["hand"] == pytest.approx((400.0, 400.0, 30.0))
    assert ours["preset"] == pytest.approx((2000.0, 2000.0, 1000.0))
    assert ours["sized"] == pytest.approx((440.0, 440.0, 1000.0))
    assert sized(found.preset.lead, 2000.0) == pytest.approx(ours["sized"][:2])
    assert found.seen.bodies == (found.target,)


def test_one_radar_serves_from_mask_to_contact():
    grasp = Grasp(GraspSettings("block", method="radar", hand="flat"))
    hand = grasp._hand_states[0]
    radars, areas, fine = set(), set(), set()
    while grasp.phases[0] in ("search", "approach"):
        grasp.step()
        if hand.radar is None:
            continue
        radars.add(id(hand.radar))
        mask = hand.radar._masks._straight
        (areas if hand.radar.pixels == (50, 50) else fine).add(tuple(np.round(mask.size, 9)))
    assert len(radars) == 1
    assert (440.0, 440.0) in areas
    assert areas <= {(2000.0, 2000.0), (440.0, 440.0)}
    # Near the target it looks with four times the pixels: a pixel of 2000 is 10 wide.
    assert (410.0, 410.0) in fine
    assert fine <= {(2000.0, 2000.0), (410.0, 410.0)}
