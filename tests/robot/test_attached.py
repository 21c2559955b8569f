"""Which bodies a robot ignores: it follows from its links and from what is attached now, not from what was attached before."""

import copy
import pickle

import pytest
from sweepscope_lab.verify.travel import WAYS, saved

import sweepscope as ss
from sweepscope import Joint
from sweepscope.robot.tree import LinkTree
from sweepscope.scene import store_of

COPIES = WAYS | {"save": lambda robot: saved(robot.scene).robots[robot.name]}


def two_balls():
    """Return a robot of one link, and two balls beside it."""
    scene = ss.Scene()
    robot = ss.Robot(scene, name="r")
    robot.add("base", ss.Box((1, 1, 1)))
    return robot, scene.add(ss.Sphere(0.3), (3, 0, 0), name="a"), scene.add(ss.Sphere(0.3), (5, 0, 0), name="b")


def chain():
    """Return a robot of three links in line, and a ball beside it."""
    robot = ss.Robot(name="r")
    robot.add("base", ss.Box((1, 1, 1)))
    robot.add("arm", ss.Sphere(0.2), parent="base", joint=Joint.revolute("j", (0, 0, 1), origin=(0, 0, 2)))
    robot.add("hand", ss.Sphere(0.2), parent="arm", joint=Joint.revolute("k", (0, 0, 1), origin=(0, 0, 2)))
    return robot, robot.scene.add(ss.Sphere(0.3), (3, 0, 0), name="a")


def met(scene, mover, x, z=0.0):
    """Return the name of what a body meets on its way, None if nothing."""
    hit = scene.sweep(scene[mover], ss.Translate((x, 0, z)))
    return hit and hit.obstacle.name


def test_a_detached_body_meets_what_is_still_attached():
    robot, a, b = two_balls()
    robot.attach(a, "base")
    robot.attach(b, "base")
    assert met(robot.scene, "a", 4) is None
    robot.detach(a)
    assert met(robot.scene, "a", 4) == "b"
    assert met(robot.scene, "a", -4) == "r/base"
    robot.detach(b)
    assert met(robot.scene, "b", -4) == "a"


def test_detach_keeps_pairs_of_a_body_that_has_the_row_of_a_removed_one():
    robot, a, b = two_balls()
    scene = robot.scene
    robot.attach(a, "base")
    robot.attach(b, "base")
    robot.detach(a)
    scene.remove(a)
    scene.ignore(scene.add(ss.Sphere(0.3), (3, 0, 0), name="c"), b)
    robot.detach(b)
    assert met(scene, "c", 4) is None


@pytest.mark.parametrize("way", COPIES)
def test_copies_after_an_attached_body_was_removed(way):
    robot, a, b = two_balls()
    robot.attach(a, "base")
    robot.attach(b, "base")
    robot.detach(a)
    robot.scene.remove(a)
    other = COPIES[way](robot)
    assert met(other.scene, "b", -5) is None
    other.detach(other.scene["b"])
    assert met(other.scene, "b", -5) == "r/base"


def test_links_ignored_while_a_body_is_attached_are_met_after_it_is_detached():
    robot, a = chain()
    robot.attach(a, "hand")
    assert met(robot.scene, "a", -5) == "r/base"
    robot.ignore("base", "hand")
    assert met(robot.scene, "a", -5) is None
    robot.detach(a)
    assert met(robot.scene, "a", -5) == "r/base"
    robot.attach(a, "hand")
    assert met(robot.scene, "a", -5) is None, "the order of attach and ignore does not matter"
    robot.unignore("base", "hand")
    assert met(robot.scene, "a", -5) == "r/base"


def test_an_attached_body_meets_the_links_beside_its_own():
    robot, a = chain()
    a.pose = (3, 0, 2)
    robot.attach(a, "hand")
    assert met(robot.scene, "a", -5) == "r/arm"
    robot.ignore("arm", "hand")
    assert met(robot.scene, "a", -5) is None


@pytest.mark.parametrize("way", ["none", *COPIES])
def test_neither_the_user_nor_a_robot_undoes_what_the_other_ignores(way):
    robot, a = chain()
    scene = robot.scene
    base, arm, hand = (scene[f"r/{name}"] for name in ("base", "arm", "hand"))
    scene.ignore(a, base)
    scene.ignore(base, hand)
    robot.attach(a, "base")
    scene.unignore(base, arm)
    assert met(scene, "r/arm", 0, -5) is None, "a joint connects them: robot.unignore is for that"
    robot.ignore("base", "hand")
    robot = robot if way == "none" else COPIES[way](robot)
    scene = robot.scene
    robot.detach(scene["a"])
    assert met(scene, "a", -5) is None
    robot.unignore("base", "hand")
    assert scene.sweep(scene["r/hand"], ss.Translate((0, 0, -9)), ignore=[scene["r/arm"]]) is None
    scene.unignore(scene["r/base"], scene["r/hand"])
    scene.unignore(scene["a"], scene["r/base"])
    assert met(scene, "a", -5) == "r/base"
    assert scene.sweep(scene["r/hand"], ss.Translate((0, 0, -9)), ignore=[scene["r/arm"]]) is not None
    assert met(scene, "r/arm", 0, -5) is None
    robot.unignore("base", "arm")
    assert met(scene, "r/arm", 0, -5) == "r/base"


def test_bodies_of_a_robot_in_a_copy_of_its_scene_alone_are_the_users():
    robot, a = chain()
    robot.attach(a, "base")
    other = copy.copy(robot.scene)
    assert met(other, "a", -5) is None
    assert met(other, "r/arm", 0, -5) is None
    other.unignore(other["a"], other["r/base"])
    other.unignore(other["r/arm"], other["r/base"])
    assert met(other, "a", -5) == "r/base"
    assert met(other, "r/arm", 0, -5) == "r/base"


def test_several_robots_copied_together_keep_their_pairs():
    robot, a = chain()
    second = ss.Robot(robot.scene, (0, 9, 0), name="s")
    second.add("base", ss.Box((1, 1, 1)))
    second.add("arm", ss.Sphere(0.2), parent="base", joint=Joint.revolute("j", (0, 0, 1), origin=(0, 0, 2)))
    robot.attach(a, "base")
    scene, one, two = copy.deepcopy((robot.scene, robot, second))
    assert store_of(scene).filters.packed() == store_of(robot.scene).filters.packed()
    one.remove()
    two.unignore("base", "arm")
    assert met(scene, "s/arm", 0, -5) == "s/base"
    assert store_of(scene).filters.packed()[2:] == ({}, {})


def test_a_copied_link_brings_the_pairs_of_its_robot():
    robot, _ = chain()
    link = pickle.loads(pickle.dumps(robot.links["arm"]))
    (body,) = link.bodies
    assert body.scene is not robot.scene
    assert body.scene.sweep(body, ss.Translate((0, 0, -5))) is None


def test_pictures_and_predictions_know_the_pairs_of_a_robot():
    robot, a = chain()
    robot.attach(a, "base")
    motion = ss.Translate((-5, 0, 0))
    assert robot.scene.predict({a: motion}, 1) == []
    assert ss.radar.Radar(robot.scene, a, pixels=8).probe(motion).obstacle is None
    robot.detach(a)
    assert [meeting.bodies for meeting in robot.scene.predict({a: motion}, 1)] == [(robot.scene["r/base"], a)]
    assert ss.radar.Radar(robot.scene, a, pixels=8).probe(motion).obstacle is robot.scene["r/base"]


def test_a_frame_that_carries_something_is_still_a_frame():
    """A link is a neighbor of the next link above with a shape of its own."""
    robot = ss.Robot(name="r")
    robot.add("base", ss.Box((1, 1, 1)))
    robot.add("frame", parent="base", joint=Joint.revolute("j"))
    part = robot.scene.add(ss.Sphere(0.1), (3, 0, 0))
    robot.attach(part, "frame")
    robot.add("arm", ss.Box((1, 1, 1)), parent="frame", joint=Joint.revolute("k"))
    assert robot.overlaps() == []


def test_removed_robots_leave_no_pairs():
    robot, a = chain()
    scene = robot.scene
    robot.attach(a, "hand")
    robot.ignore("base", "hand")
    robot.remove()
    assert store_of(scene).filters.packed()[2:] == ({}, {})
    again = ss.Robot(scene, name="r")
    again.add("base", ss.Box((1, 1, 1)))
    assert met(scene, "a", -5) == "r/base"


def test_a_file_keeps_the_pairs_of_users_and_robots_apart(tmp_path):
    robot, a = chain()
    robot.attach(a, "hand")
    robot.ignore("hand", "base")
    robot.unignore("arm", "hand")
    robot.scene.ignore(a, robot.scene["r/arm"])
    robot.scene.save(tmp_path / "a.npz")
    back = ss.Scene.load(tmp_path / "a.npz")
    assert store_of(back).filters.packed() == store_of(robot.scene).filters.packed()
    back.save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.slow
def test_the_next_link_with_a_shape_is_looked_for_once(monkeypatch):
    """In a long chain of frames with a shape at each, steps grow with the number of links, not with its square."""
    steps = []
    own = LinkTree.own
    monkeypatch.setattr(LinkTree, "own", lambda tree, link: steps.append(link) or own(tree, link))
    robot = ss.Robot(name="r")
    robot.add("frame 0", ss.Sphere(1))
    for k in range(1, 200):
        robot.add(f"frame {k}", parent=f"frame {k - 1}", joint=Joint.fixed(f"f {k}"))
        robot.add(f"leaf {k}", ss.Sphere(1), parent=f"frame {k}", joint=Joint.revolute(f"l {k}"))
    assert len(steps) < 1000
    assert len(robot.overlaps()) == 199 * 198 // 2, "leaves are neighbors of the root alone"
