"""The hand: its limits and axes, that its parts have room, and that its thumb is good for something."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sweepscope_lab.scenes.hand import FINGERS, FOUR, HOLD, SIZE, make_hand, thickness_of

from sweepscope import Mesh, Robot, Rotate, Scene, Sphere, Translate
from sweepscope.errors import InvalidQuery

JOINTS = [f"{finger} {k}" for finger in FINGERS for k in (1, 2, 3)]


def _close(hand: Robot, finger: str) -> dict[str, str]:
    """Close a finger, root to tip; return what stopped each joint: a link, a body, or "limit"."""
    stopped = {}
    for k in (1, 2, 3):
        joint = f"{finger} {k}"
        limit = hand.joints[joint].limits[1]
        hit = hand.sweep(joint, limit)
        if hit is None:
            hand[joint] = limit
            stopped[joint] = "limit"
        else:
            assert not hit.overlapping
            hand.positions = hit.positions
            stopped[joint] = hit.obstacle_link or hit.obstacle.name
    return stopped


def _surface(hand: Robot) -> np.ndarray:
    """Return the lowest and highest corner of the hand's round links, world, shape (2, 3)."""
    ends = [(body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3], body.shape.radius) for body in hand.bodies]
    low = np.min([places.min(axis=0) - radius for places, radius in ends], axis=0)
    return np.array((low, np.max([places.max(axis=0) + radius for places, radius in ends], axis=0)))


def test_links_and_joints_have_the_names_that_are_promised() -> None:
    hand = make_hand()
    assert list(hand.joints) == [f"{finger} {k}" for finger in (*FOUR, "thumb") for k in (1, 2, 3)]
    assert set(hand.links) == {"palm", *JOINTS}
    assert len({body.name for body in hand.bodies}) == len(hand.bodies)
    for joint in JOINTS:
        parent = hand.links[joint].parent
        assert parent is not None
        assert parent.name == ("palm" if joint.endswith("1") else f"{joint[:-1]}{int(joint[-1]) - 1}")


def test_joints_open_at_0_and_close_by_less_than_a_straight_angle() -> None:
    hand = make_hand()
    for joint in hand.joints.values():
        assert joint.kind == "revolute"
        assert joint.limits[0] == 0.0
        assert math.radians(45.0) < joint.limits[1] < math.pi
    assert set(hand.positions.values()) == {0.0}


def test_the_open_hand_is_as_large_as_it_says_and_lies_in_its_plane() -> None:
    low, high = _surface(make_hand())
    assert high[0] - low[0] == pytest.approx(SIZE, rel=0.05)
    assert high[1] - low[1] == pytest.approx(SIZE, rel=0.12)
    assert high[2] - low[2] < 0.2 * SIZE


def test_the_flat_hand_has_the_papers_size() -> None:
    hand = make_hand(form="flat", pose=(7.0, 8.0, 9.0))
    low, high = _surface(hand)
    np.testing.assert_allclose(high - low, (400.0, 400.0, 30.0), atol=1e-9)
    assert thickness_of(hand) == pytest.approx(30.0)
    assert hand.overlaps() == []
    assert set(hand.links) == set(make_hand().links)
    with pytest.raises(InvalidQuery, match="form is 'square'; accepted: 'round', 'flat'"):
        make_hand(form="square")


def test_the_four_fingers_turn_about_one_axis() -> None:
    hand = make_hand(pose=Rotate((1, 2, 3), 0.7, about=(5, 6, 7)).at())
    motions = [motion for motion in (hand.motion(f"{finger} 1", 0.5) for finger in FOUR) if isinstance(motion, Rotate)]
    assert len(motions) == 4
    for motion in motions:
        np.testing.assert_allclose(motion.axis, motions[0].axis, atol=1e-12)
        apart = np.subtract(motion.about, motions[0].about)
        np.testing.assert_allclose(np.cross(apart, motion.axis), 0.0, atol=1e-9)
    # So one exact turn of all of them is the same as each joint's own.
    turn = motions[0].at()
    expected = {finger: turn @ hand.links[f"{finger} 3"].pose for finger in FOUR}
    hand.positions = {f"{finger} 1": 0.5 for finger in FOUR}
    for finger in FOUR:
        np.testing.assert_allclose(hand.links[f"{finger} 3"].pose, expected[finger], atol=1e-9)


def test_no_links_overlap_when_open_and_closing_goes_towards_where_the_palm_looks() -> None:
    hand = make_hand()
    assert hand.overlaps() == []
    for joint in JOINTS:
        before = hand.links[joint].pose[:3, :3]
        body = hand.links[joint].bodies[0]
        tip = np.append(body.vertices[1], 1.0)
        low = (hand.links[joint].pose @ tip)[2]
        hand[joint] = 0.3
        assert (hand.links[joint].pose @ tip)[2] > low + 5.0, joint
        assert not np.allclose(before, hand.links[joint].pose[:3, :3])
        hand[joint] = 0.0


@pytest.mark.parametrize("finger", FINGERS)
def test_a_finger_that_closes_alone_goes_far_and_ends_on_the_palm(finger: str) -> None:
    hand = make_hand()
    stopped = _close(hand, finger)
    assert stopped[f"{finger} 1"] == "limit"
    assert set(stopped.values()) <= {"limit", "palm"}
    assert "palm" in stopped.values()
    assert sum(hand[f"{finger} {k}"] for k in (1, 2, 3)) > math.radians(150.0)
    assert hand.overlaps() == []


def test_an_empty_hand_makes_a_fist() -> None:
    hand = make_hand()
    stopped = {finger: _close(hand, finger) for finger in (*FOUR, "thumb")}
    for finger in FOUR:
        assert set(stopped[finger].values()) <= {"limit", "palm"}
    assert all(why == "limit" or why in hand.links for why in stopped["thumb"].values())
    assert hand.overlaps() == []
    # The thumb lies before the fingers, not beside the hand.
    tip = hand.links["thumb 3"].pose @ np.append(hand.links["thumb 3"].bodies[0].vertices[1], 1.0)
    assert tip[0] > -110.0
    assert tip[2] > 40.0


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("radius", [70.0, 90.0, 105.0])
def test_thumb_and_fingers_close_on_a_ball_before_the_palm(radius: float, exact: bool) -> None:
    hand = make_hand()
    ball = hand.scene.add(Sphere(radius) if exact else Mesh.sphere(radius), (0.0, HOLD, 500.0), name="ball")
    hit = hand.scene.sweep(ball, Translate((0.0, 0.0, -600.0)))
    assert hit is not None
    ball.pose = (0.0, HOLD, 500.0 - hit.travel)
    touched = {finger: "ball" in _close(hand, finger).values() for finger in FINGERS}
    assert touched["thumb"]
    assert sum(touched.values()) >= (4 if radius > 80.0 else 3)
    assert hand.overlaps() == []
    # It is held from opposite sides: the thumb's last part is on the other side of the middle than the fingers'.
    middle = ball.pose[:3, 3]
    ways = {}
    for finger in FINGERS:
        part = hand.links[f"{finger} 3"]
        ways[finger] = part.pose[:3, 3] - middle
    assert min(float(ways["thumb"] @ ways[finger]) for finger in FOUR if touched[finger]) < 0.0


def test_hands_stand_side_by_side_in_one_scene_under_their_own_names() -> None:
    scene = Scene()
    hands = [make_hand(scene, (600.0 * k, 0.0, 0.0), name=f"hand {k + 1}") for k in range(3)]
    assert len(scene) == sum(len(hand.bodies) for hand in hands)
    assert scene["hand 2/index 3"] in hands[1].bodies
    hands[1]["index 1"] = 0.4
    assert hands[0]["index 1"] == hands[2]["index 1"] == 0.0
