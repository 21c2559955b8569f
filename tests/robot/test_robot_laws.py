"""What holds of any robot: where its links are, and how answers change with the question."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.robot_cases import make
from sweepscope_lab.reference.robots import RobotQuestion, overlaps, poses
from sweepscope_lab.reference.turn_cases import random_pose
from sweepscope_lab.verify.robots import ask, build, joint_name

import sweepscope as ss
from sweepscope import Joint, Robot
from sweepscope.errors import InvalidQuery

SEEDS = range(16)


def _asked(case):
    return {joint_name(case, link): value for link, value in case.targets.items()}


def _same(one, other, atol=1e-9):
    """True if two answers say the same, moments within atol."""
    if one is None or other is None:
        return one is other
    return one.link == other.link and one.obstacle_link == other.obstacle_link and abs(one.time - other.time) <= atol


def _moved_case(case, pose):
    """Return the case carried as a whole by a pose."""
    moved = make(case.question, case.seed)
    moved.base = pose @ moved.base
    moved.obstacles = [(shape, pose @ place) for shape, place in moved.obstacles]
    return moved


def _hits(pairs, least=0.25):
    """Assert that both kinds of answers are among them."""
    assert least <= np.mean([hit is not None for hit in pairs]) <= 0.85


@pytest.mark.slow
@pytest.mark.parametrize("question", ["joint", "several"])
def test_links_are_where_the_twin_has_them(question, rng):
    for seed in range(30):
        case = make(question, seed)
        robot, _ = build(case)
        size = 1.0 + max(np.abs(case.base[:3, 3]).max(), *(np.abs(link.at[:3, 3]).max() for link in case.links))
        size *= len(case.links)
        for values, put in ((case.values, {}), (case.end, _asked(case))):
            robot.positions = put
            true = poses(case.joint_specs, values, case.base)
            for link, pose in zip(case.links, true, strict=True):
                np.testing.assert_allclose(robot.links[link.name].pose, pose, rtol=0.0, atol=1e-12 * size)
                for body, (_, local) in zip(robot.links[link.name].bodies, link.shapes, strict=True):
                    np.testing.assert_allclose(body.pose, pose @ local, rtol=0.0, atol=1e-12 * size)


@pytest.mark.slow
def test_values_come_back(rng):
    """There and back, joint by joint or all at once, everything is where it was."""
    for seed in range(12):
        case = make("several", seed)
        robot, _ = build(case)
        before, values = [body.pose for body in robot.bodies], robot.positions
        robot.positions = _asked(case)
        for name in _asked(case):
            robot[name] = values[name]
        assert robot.positions == pytest.approx(values, abs=1e-12)
        for body, pose in zip(robot.bodies, before, strict=True):
            np.testing.assert_allclose(body.pose, pose, rtol=0.0, atol=1e-12 * (1.0 + np.abs(pose).max()))


@pytest.mark.slow
@pytest.mark.parametrize("question", ["joint", "several"])
def test_moving_the_world_moves_the_answer(question, rng):
    hits = []
    for seed in SEEDS:
        case = make(question, seed)
        scale = max(np.abs(link.at[:3, 3]).max() for link in case.links)
        pose = random_pose(rng, scale * rng.normal(size=3))
        one, other = (ask(each, build(each)[0]) for each in (case, _moved_case(case, pose)))
        # In steps, the bound comes from world boxes, which turning changes: hits differ by as much as the bound.
        if question == "joint":
            assert _same(one, other, 1e-8), seed
            if one is not None and not one.overlapping:
                np.testing.assert_allclose(other.normal, pose[:3, :3] @ one.normal, atol=1e-5)
        elif one is not None and other is not None:
            assert abs(one.time - other.time) < 0.02, seed
        hits.append(one)
    _hits(hits)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["joint", "several"])
def test_asking_moves_nothing(question):
    for seed in range(10):
        case = make(question, seed)
        robot, _ = build(case)
        before, values = [body.pose.copy() for body in robot.scene.bodies], robot.positions
        one = ask(case, robot)
        assert robot.positions == values
        assert all(np.array_equal(body.pose, pose) for body, pose in zip(robot.scene.bodies, before, strict=True))
        again = ask(case, robot)
        assert _same(one, again, 0.0)


@pytest.mark.slow
def test_no_motion_is_free_or_overlaps():
    overlapping = 0
    for seed in range(28):
        case = make("joint", seed)
        robot, _ = build(case)
        (joint,) = _asked(case)
        if seed % 4 == 0:
            body = next(body for link in robot.descendants(joint) for body in link.bodies if len(body.shape.faces))
            robot.scene.add(
                ss.Sphere(1e-2 * (np.ptp(body.shape.bounds) + 1e-3)),
                body.pose[:3, :3] @ body.shape.vertices[0] + body.pose[:3, 3],
            )
        still = robot.sweep(joint, to=robot[joint], margin=case.margin)
        hit = ask(case, robot)
        if hit is not None and hit.overlapping:
            overlapping += 1
            assert still.overlapping
            assert still.time == 0.0
            assert still.positions[joint] == robot[joint]
        else:
            assert still is None
        several = robot.sweep({name: robot[name] for name in robot.positions}, margin=case.margin)
        assert several is None or several.overlapping
    assert 7 <= overlapping <= 14


@pytest.mark.slow
def test_overlaps_are_those_of_the_twin():
    found = clean = 0
    for seed in range(20):
        case = make("joint", seed)
        case.ignored, case.not_ignored = set(), set()
        pieces = case.to_question().pieces
        joined = {(case.parent_with_shapes(k), k) for k in range(1, len(case.links))}
        pairs = [(a, b) for b in range(len(pieces)) for a in range(b) if 0 <= pieces[a].link < pieces[b].link]
        pairs = [(a, b) for a, b in pairs if (pieces[a].link, pieces[b].link) not in joined]
        question = RobotQuestion(case.joint_specs, case.values, case.values, pieces, tuple(pairs), 0.0)
        true = {tuple(pieces[k].link for k in pair) for n, pair in enumerate(pairs) if overlaps(question, n)}
        robot, _ = build(case)
        assert set(robot.overlaps()) == {(case.links[a].name, case.links[b].name) for a, b in true}, seed
        found += bool(true)
        clean += not true
    assert found >= 4
    assert clean >= 4


@pytest.mark.slow
def test_nothing_asked_tells_of_now():
    met = []
    for seed in range(30):
        robot, _ = build(make("joint", seed))
        hit = robot.sweep({})
        there = robot.scene.sweep(robot.bodies, ss.Translate((0, 0, 0)))
        assert (hit is None) == (there is None and not robot.overlaps())
        met.append(hit is not None)
    assert 2 <= sum(met) <= 28


@pytest.mark.slow
def test_a_motion_in_two_parts():
    """The first contact is in the first part, or it is that of the second, begun where the first ends."""
    hits = []
    for seed in range(28):
        case = make("joint", seed)
        robot, _ = build(case)
        ((joint, to),) = _asked(case).items()
        start, kind = robot[joint], {"margin": case.margin, "resting": "hit"}
        whole = robot.sweep(joint, to=to, **kind)
        share = 0.37
        middle = start + share * (to - start)
        part = robot.sweep(joint, to=middle, **kind)
        if part is not None:
            assert whole is not None
            assert whole.time == pytest.approx(share * part.time, abs=1e-8)
        else:
            robot[joint] = middle
            rest = robot.sweep(joint, to=to, **kind)
            assert (rest is None) == (whole is None), seed
            if rest is not None:
                assert whole.time == pytest.approx(share + (1.0 - share) * rest.time, abs=1e-8)
                assert (rest.link, rest.obstacle_link) == (whole.link, whole.obstacle_link)
        hits.append(whole)
    _hits(hits)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["joint", "several"])
def test_going_back_is_free(question):
    """Up to just before a contact the way is free; so it is the other way round."""
    back = 0
    for seed in SEEDS:
        case = make(question, seed)
        robot, _ = build(case)
        hit, values = ask(case, robot), robot.positions
        if hit is not None and hit.time < 0.05:
            continue
        # Several joints are kept a bound away, and may be told to be in contact a little sooner on the way back.
        stop = (1.0 if hit is None else hit.time) * (0.999 if question == "joint" else 0.97)
        asked = _asked(case)
        robot.positions = {name: values[name] + stop * (to - values[name]) for name, to in asked.items()}
        assert robot.sweep({name: values[name] for name in asked}, margin=case.margin, accuracy=case.accuracy) is None, seed
        back += 1
    assert back >= 8


@pytest.mark.slow
def test_at_the_contact_it_touches():
    """Put where the hit says, the two have met: a little margin more is an overlap, going back a little is free."""
    met = 0
    for seed in SEEDS:
        case = make("joint", seed)
        robot, _ = build(case)
        hit = ask(case, robot)
        if hit is None or hit.time < 0.05:
            continue
        ((joint, to),) = _asked(case).items()
        start = robot[joint]
        robot.positions = hit.positions
        size = float(np.linalg.norm(np.ptp([body.pose[:3, 3] for body in robot.bodies], axis=0))) + 1e-3
        nearer = robot.sweep(joint, to=robot[joint], margin=case.margin + 1e-6 * size)
        assert nearer is not None, seed
        assert nearer.overlapping
        robot[joint] = start + 0.99 * hit.time * (to - start)
        assert robot.sweep(joint, to=start, margin=case.margin) is None, seed
        met += 1
    assert met >= 4


def test_limits():
    robot = Robot()
    robot.add("base", ss.Box((1, 1, 1)))
    joint = Joint.revolute("turn", (0, 0, 1), origin=(2, 0, 0), limits=(-1.0, 0.5))
    robot.add("arm", ss.Box((1, 1, 1)), parent="base", joint=joint)
    slide = Joint.prismatic("slide", (0, 1, 0), origin=(2, 0, 0), limits=(0.25, 2.0))
    robot.add("finger", ss.Box((0.2, 0.2, 0.2)), parent="arm", joint=slide)
    assert robot.positions == {"turn": 0.0, "slide": 0.25}
    for value in (-1.0, 0.5, 0.5 + 1e-12):
        assert robot.sweep("turn", to=value) is None
        robot["turn"] = value
        assert -1.0 <= robot["turn"] <= 0.5
    for ask_for in ({"turn": 0.6}, {"slide": 0.2}, {"turn": 0.0, "slide": 2.1}, {"turn": math.nan}, {"turn": math.inf}):
        before = robot.positions
        with pytest.raises(InvalidQuery):
            robot.sweep(ask_for)
        with pytest.raises(InvalidQuery):
            robot.positions = ask_for
        assert robot.positions == before


@pytest.mark.slow
def test_ignoring_and_heeding():
    """Without the pair that met, the answer is no sooner, and another; no longer ignored, it is the first."""
    changed = 0
    for seed in range(28):
        case = make("joint", seed)
        robot, _ = build(case)
        first = ask(case, robot)
        if first is None:
            continue
        if first.obstacle_link is None:
            ((joint, to),) = _asked(case).items()
            rest = robot.sweep(joint, to=to, margin=case.margin, resting=case.resting, ignore=[first.obstacle])
            assert rest is None or rest.obstacle is not first.obstacle
        else:
            robot.ignore(first.link, first.obstacle_link)
            rest = ask(case, robot)
            assert rest is None or {rest.link, rest.obstacle_link} != {first.link, first.obstacle_link}
            robot.unignore(first.obstacle_link, first.link)
            assert _same(ask(case, robot), first, 0.0)
        assert rest is None or rest.time >= first.time - 1e-12
        changed += 1
    assert changed >= 9


@pytest.mark.slow
@pytest.mark.parametrize("question", ["joint", "several"])
def test_a_scene_of_its_own_or_a_shared_one(question, rng):
    """Far things, and another robot far away, change nothing."""
    hits = []
    for seed in SEEDS:
        case = make(question, seed)
        alone = ask(case, build(case)[0])
        scene = ss.Scene()
        size = 1e3 * max(1e-3, *(np.abs(link.at[:3, 3]).max() for link in case.links))
        far = case.base[:3, 3] + (size, 0.0, 0.0)
        scene.add(ss.Sphere(1e-3 * size), far, name="far")
        other = Robot(scene, far - (0.0, size, 0.0), name="other")
        other.add("link 0", ss.Box(np.full(3, 1e-3 * size)))
        shared = ask(case, build(case, scene)[0])
        assert _same(alone, shared, 1e-9), seed
        hits.append(alone)
    _hits(hits)


def _reordered(case, rng):
    """Return the same case with its links in another order, parents first all the same."""
    order, left = [0], set(range(1, len(case.links)))
    leads = {k: link.follows[0] for k, link in enumerate(case.links) if link.follows is not None}
    while left:
        ready = [k for k in left if case.links[k].parent in order and leads.get(k, 0) in order]
        order.append(int(rng.choice(ready)))
        left.remove(order[-1])
    new = {old: k for k, old in enumerate(order)}
    other = make(case.question, case.seed)
    other.links = [other.links[old] for old in order]
    for link in other.links:
        link.parent = new.get(link.parent, -1)
        if link.follows is not None:
            link.follows = (new[link.follows[0]], *link.follows[1:])
    other.values = case.values[order]
    other.targets = {new[link]: value for link, value in case.targets.items()}
    other.ignored = {(new[a], new[b]) for a, b in case.ignored}
    other.not_ignored = {(new[a], new[b]) for a, b in case.not_ignored}
    return other


@pytest.mark.slow
@pytest.mark.parametrize("question", ["joint", "several"])
def test_the_order_of_links_does_not_matter(question, rng):
    hits, differ = [], 0
    for seed in SEEDS:
        case = make(question, seed)
        other = _reordered(case, rng)
        differ += [link.name for link in case.links] != [link.name for link in other.links]
        one, two = ask(case, build(case)[0]), ask(other, build(other)[0])
        if question == "several" and one is not None and two is not None:
            # Of two links that move, either may be called the one that hit.
            assert {one.link, one.obstacle_link} == {two.link, two.obstacle_link}, seed
            assert one.time == pytest.approx(two.time, abs=1e-6 + max(one.bound, two.bound))
        else:
            assert _same(one, two, 1e-9), seed
        hits.append(one)
    assert differ >= 4
    _hits(hits)


@pytest.mark.slow
def test_several_of_which_one_moves_is_that_one():
    hits = []
    for seed in SEEDS:
        case = make("joint", seed)
        robot, _ = build(case)
        kind = {"margin": case.margin, "resting": case.resting}
        one = ask(case, robot)
        leads = {joint.mimic[0] for joint in robot.joints.values() if joint.mimic is not None}
        still = {
            name: value
            for name, value in robot.positions.items()
            if robot.joints[name].mimic is None and name not in leads and name not in _asked(case)
        }
        other = robot.sweep({**still, **_asked(case)}, **kind)
        assert _same(one, other, 0.0), seed
        assert other is None or other.bound == 0.0
        hits.append(one)
    _hits(hits)


def test_two_joints_far_from_each_other_are_as_each_alone():
    """Two arms on one base, out of each other's reach: the sooner of the two answers."""
    met = 0
    for height in (0.0, 0.3, 0.7):
        robot = Robot()
        robot.add("base", ss.Sphere(0.1))
        for name, x in (("left", -10.0), ("right", 10.0)):
            joint = Joint.revolute(name, (0, 0, 1), origin=(x, 0, 0))
            robot.add(f"{name} arm", ss.Capsule.from_segment((0, 0, 0), (2, 0, 0), radius=0.1), parent="base", joint=joint)
        robot.scene.add(ss.Sphere(0.5), (-8.5, 1.0 + height, 0.0))
        robot.scene.add(ss.Box((0.2, 0.2, 0.2)), (10.0, 1.5 + height, 0.0))
        each = [robot.sweep("left", to=2.0), robot.sweep("right", to=2.5)]
        both = robot.sweep({"left": 2.0, "right": 2.5})
        first = min((hit for hit in each if hit is not None), key=lambda hit: hit.time)
        assert both.link == first.link
        assert both.time == pytest.approx(first.time, abs=1e-12)
        assert both.bound <= 1e-11
        met += both.obstacle is first.obstacle
    assert met == 3


@pytest.mark.slow
def test_following_joints_are_as_if_asked():
    """A joint that follows goes where the same robot, with a joint of its own there, is asked to go."""
    hits, led_cases = [], 0
    for seed in range(40):
        case = make("several", seed)
        if all(link.follows is None or link.follows[0] not in case.targets for link in case.links):
            continue
        led_cases += 1
        free = make("several", seed)
        for k, link in enumerate(free.links):
            if link.follows is not None:
                link.follows = None
                free.targets[k] = float(case.end[k])
        one, other = ask(case, build(case)[0]), ask(free, build(free)[0])
        assert _same(one, other, 1e-9), seed
        hits.append(one)
    assert led_cases >= 5
    assert any(hit is None for hit in hits)
    assert sum(hit is not None for hit in hits) >= 3


def test_a_follower_refuses_what_it_is_not_at():
    robot = Robot()
    robot.add("base")
    robot.add("a", ss.Sphere(0.1), parent="base", joint=Joint.revolute("lead", (0, 0, 1), origin=(1, 0, 0)))
    follower = Joint.revolute("follow", (0, 0, 1), origin=(1, 0, 0), limits=(-1.0, 1.0), mimic=("lead", -2.0, 0.1))
    robot.add("b", ss.Sphere(0.1), parent="a", joint=follower)
    robot["lead"] = 0.25
    assert robot["follow"] == pytest.approx(-0.4)
    for values in ({"follow": 0.0}, {"lead": 0.25, "follow": 0.3}, {"lead": 0.9}):
        with pytest.raises(InvalidQuery):
            robot.positions = values
        with pytest.raises(InvalidQuery):
            robot.sweep(values)
    assert robot["lead"] == 0.25


@pytest.mark.parametrize("accuracy", [1e-1, 1e-3, 1e-5])
def test_the_bound_is_kept(accuracy):
    """A ball on two joints meets a wall: no later than it does, and no further away than the bound."""
    robot = Robot()
    robot.add("base")
    robot.add("a", None, parent="base", joint=Joint.revolute("p"))
    robot.add("b", [(ss.Sphere(0.5), (1, 0, 0))], parent="a", joint=Joint.revolute("q", (0, 0, 1), origin=(2, 0, 0)))
    robot.scene.add(ss.Box((20, 1, 20)), (0, 2.0, 0))
    hit = robot.sweep({"p": 1.0, "q": -1.5}, accuracy=accuracy)
    assert hit.bound <= accuracy

    # The ball's center is at y = 2 sin t + sin(-0.5 t), which is to be 1.
    def height(t):
        return 2.0 * math.sin(t) - math.sin(0.5 * t)

    assert height(hit.time) <= 1.0
    assert height(hit.time) >= 1.0 - accuracy - 1e-12
