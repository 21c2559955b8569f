"""Pairs of links that need not be tested: those of `suggest_ignores` are those that single overlap tests find."""

import copy
import pickle
from itertools import combinations

import numpy as np
import pytest
from urdf_arms import write_arm, write_hand

import sweepscope as ss
from sweepscope.errors import InvalidQuery, InvalidType, NotFound
from sweepscope.robot.robot import tree_of
from sweepscope.robot.suggest import overlapping_pairs


def pairs_with_bodies(robot):
    return list(combinations([link for link in robot.links.values() if link.bodies], 2))


def by_single_tests(robot, q):
    """Whether each pair overlaps at a configuration: both links in a scene of their own."""
    robot.q = q
    found = []
    for a, b in pairs_with_bodies(robot):
        scene = ss.Scene()
        movers = [scene.add(body.shape, body.pose) for body in a.bodies]
        others = [scene.add(body.shape, body.pose) for body in b.bodies]
        found.append(any(scene.distance(one, other).distance <= 0.0 for one in movers for other in others))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("write", [write_arm, write_hand])
def test_pairs_overlap_where_single_tests_find_it(write, tmp_path, rng):
    scene = ss.Scene()
    scene.add(ss.Box((9, 9, 0.1)), (0, 0, 0.1), name="floor in the way")
    geometry = "collision" if write is write_arm else "visual"
    robot = ss.Robot.load(write(tmp_path), scene, pose=(1, 2, 3), geometry=geometry)
    robot.ignore(*(link.name for link in pairs_with_bodies(robot)[1]))  # counts all the same
    configurations = np.array(
        [[rng.uniform(*np.clip(robot.joints[name].limits, -3, 3)) for name in robot.actuated_joints] for _ in range(40)]
    )
    found = overlapping_pairs(tree_of(robot), configurations, pairs_with_bodies(robot))
    assert found.shape == (40, len(pairs_with_bodies(robot)))
    assert robot.q.tolist() == ss.Robot.load(robot_file(tmp_path, write), geometry=geometry).q.tolist()
    expected = [by_single_tests(robot, q) for q in configurations]
    assert found.tolist() == expected
    assert 0.02 < found.mean() < 0.9


def robot_file(folder, write):
    return folder / "arm_pack" / "arm.urdf" if write is write_arm else folder / "hand.urdf"


def stack():
    """A post with a plate that hits it always, a crank that does sometimes, and a lamp above that never does."""
    robot = ss.Robot(name="stack")
    robot.add("post", ss.Box((0.2, 0.2, 2)))
    robot.add("hub", parent="post", joint=ss.Joint.fixed("weld", origin=(0, 0, 0.5)))
    robot.add("ring", ss.Box((0.5, 0.5, 0.1)), parent="hub", joint=ss.Joint.revolute("turn", (0, 0, 1)))
    robot.add("plate", ss.Box((2, 0.5, 0.1)), parent="ring", joint=ss.Joint.revolute("spin", (0, 0, 1), limits=(-1, 1)))
    slide = ss.Joint.prismatic("slide", (1, 0, 0), origin=(0.5, 0, 0), limits=(-0.6, 0.6))
    robot.add("crank", ss.Sphere(0.1), parent="plate", joint=slide)
    robot.add("lamp", ss.Sphere(0.1), parent="hub", joint=ss.Joint.revolute("tilt", (0, 0, 1), origin=(0, 0, 2)))
    knob = ss.Joint.prismatic("push", (0, 0, 1), origin=(0, 0, 0.1), limits=(0, 1))
    robot.add("knob", ss.Sphere(0.1), parent="lamp", joint=knob)
    robot.add("cap", ss.Sphere(0.1), parent="knob", joint=ss.Joint.prismatic("pull", (0, 0, 1), limits=(0, 2)))
    return robot


def test_reasons():
    robot = stack()
    found = robot.suggest_ignores(60, seed=1)
    reasons = {(a, b): reason for a, b, reason in found}
    assert len(found) == len(found.pairs) == len(reasons)
    assert {pair for pair, reason in reasons.items() if reason == "Adjacent"} == {
        ("post", "ring"), ("ring", "plate"), ("plate", "crank"), ("post", "lamp"), ("lamp", "knob"), ("knob", "cap")
    }  # fmt: skip
    assert reasons["post", "plate"] == "Default"  # and always
    assert reasons["lamp", "cap"] == "Default"  # and sometimes
    assert ("post", "crank") not in reasons
    assert reasons["plate", "lamp"] == reasons["ring", "cap"] == "Never"
    assert "Default" in repr(found)
    assert bool(found)
    assert found.samples == 60


def test_always_is_not_at_the_start():
    """At 0 the ball is beside the plate, at all values above that it is inside."""
    robot = ss.Robot()
    robot.add("plate", ss.Box((1, 1, 1)))
    robot.add("between", ss.Sphere(0.01), parent="plate", joint=ss.Joint.fixed("j", origin=(0, 0, 9)))
    slide = ss.Joint.prismatic("in", (0, 0, -1), origin=(0, 0, -8.39), limits=(0, 0.9))
    robot.add("ball", ss.Sphere(0.1), parent="between", joint=slide)
    reasons = {(a, b): reason for a, b, reason in robot.suggest_ignores(60)}
    assert reasons["plate", "ball"] == "Always"


def test_apply_and_save(tmp_path):
    robot = stack()
    robot["slide"] = -0.5  # the crank is in the post
    part = robot.scene.add(ss.Sphere(0.05), (5, 5, 5), name="part")
    robot.attach(part, "cap")
    before = robot.positions
    found = robot.suggest_ignores(60)
    assert robot.positions == before
    assert ("post", "plate") in robot.overlaps()
    robot.unignore("post", "ring")
    robot.ignore("post", "plate")
    found.apply()
    assert robot.overlaps() == [("post", "crank"), ("ring", "crank")]
    robot.save_srdf(tmp_path / "s.srdf")
    text = (tmp_path / "s.srdf").read_text()
    for a, b, reason in found:
        assert f'<disable_collisions link1="{a}" link2="{b}" reason="{reason}"/>' in text
    assert text.count("<disable_collisions") == len(found)
    # What is attached to the cap can hit the ring; the cap itself is never tested against it.
    part_pairs = [pair for pair in robot._tree.ignored_pairs() if any(entry in robot._tree.attached for entry in pair)]
    assert {entry.name for pair in part_pairs for entry in pair} == {"part", "stack/cap"}
    assert ("ring", "cap", "Never") in found.pairs


def test_the_same_seed_gives_the_same_pairs():
    robot = stack()
    assert robot.suggest_ignores(20, seed=3).pairs == robot.suggest_ignores(20, seed=3).pairs
    assert robot.suggest_ignores(1).samples == 1


def test_copies_hold_the_robot():
    robot = stack()
    found = robot.suggest_ignores(5)
    for other in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert (other.pairs, other.samples) == (found.pairs, 5)
        other.apply()
    assert ("post", "plate") in robot.overlaps()
    with pytest.raises(AttributeError):
        found.samples = 3


def test_small_robots():
    robot = ss.Robot()
    robot.add("only", ss.Sphere(1))
    assert not robot.suggest_ignores(5)
    robot.add("frame", parent="only", joint=ss.Joint.fixed("j"))
    robot.add("other", ss.Sphere(1), parent="frame", joint=ss.Joint.floating("f"))
    assert robot.suggest_ignores(5).pairs == (("only", "other", "Adjacent"),)
    assert repr(ss.Robot().suggest_ignores(5)) == "<IgnoresResult: none>"


def test_followers_move_along(tmp_path):
    robot = ss.Robot.load(write_arm(tmp_path))
    found = overlapping_pairs(tree_of(robot), np.array([robot.q]), [(robot.links["left"], robot.links["right"])])
    assert found.tolist() == [[False]]
    reasons = {(a, b): reason for a, b, reason in robot.suggest_ignores(30)}
    assert reasons["rod", "left"] == "Adjacent"


def test_a_leader_that_its_follower_keeps_at_one_value(tmp_path):
    """As in the gripper of the PR2: both within 0 to 0.5, one the negative of the other."""
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="0" upper="0.5"/></joint>'
        '<joint name="k" type="revolute"><parent link="a"/><child link="c"/><limit lower="0" upper="0.5"/>'
        '<mimic joint="j" multiplier="-1"/></joint></robot>'
    )
    robot = ss.Robot.load(tmp_path / "r.urdf")
    assert not robot.suggest_ignores(5)
    assert tree_of(robot).reach("j") == (0.0, 0.0)


def test_wrong_arguments():
    robot = stack()
    for samples, seed, error, message in (
        (0, 0, InvalidQuery, "samples is 0; accepted: a whole number from 1"),
        (2.5, 0, InvalidType, "samples is 2.5"),
        (5, -1, InvalidQuery, "seed is -1; accepted: a whole number from 0"),
    ):
        with pytest.raises(error, match=message):
            robot.suggest_ignores(samples, seed=seed)
    found = robot.suggest_ignores(5)
    robot.remove()
    with pytest.raises(NotFound, match="no link 'post' in robot 'stack' any more"):
        found.apply()
    with pytest.raises(NotFound, match="was removed"):
        robot.suggest_ignores()
