"""Robots built by code: what they are made of, where their links are, what their joints meet."""

import copy
import math

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import Joint
from sweepscope.robot.robot import poses_at


def arm(scene=None, **options):
    """An upright arm: a turning base, two members of length 1 that bend about y, and a slide at the end."""
    robot = ss.Robot(scene, name="arm", **options)
    robot.add("base", ss.Box((0.4, 0.4, 0.2)))
    robot.add("turret", ss.Sphere(0.1), parent="base", joint=Joint.revolute("turn", origin=(0, 0, 0.2)))
    robot.add(
        "upper",
        ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.05),
        parent="turret",
        joint=Joint.revolute("shoulder", (0, 1, 0), limits=(-2, 2)),
    )
    robot.add(
        "lower",
        [ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.04), (ss.Sphere(0.06), (0, 0, 1))],
        parent="upper",
        joint=Joint.revolute("elbow", (0, 1, 0), origin=(0, 0, 1), limits=(-2.5, 2.5)),
    )
    robot.add(
        "tool", ss.Box((0.02, 0.02, 0.1)), parent="lower", joint=Joint.prismatic("slide", origin=(0, 0, 1.1), limits=(0, 0.5))
    )
    return robot


def test_links_stand_where_the_joints_put_them():
    robot = arm()
    robot.positions = {"turn": math.pi / 2, "shoulder": math.pi / 2, "slide": 0.25}
    # Bent over along x, then turned by a quarter about z: along y.
    assert robot.links["lower"].pose[:3, 3] == pytest.approx((0, 1, 0.2))
    assert robot.links["tool"].pose[:3, 3] == pytest.approx((0, 2.35, 0.2))
    assert robot.links["tool"].bodies[0].pose == pytest.approx(robot.links["tool"].pose)
    assert robot["turn"] == math.pi / 2
    assert robot["elbow"] == 0.0


def test_the_pose_of_the_root_moves_everything():
    robot = arm(pose=(5, 0, 0))
    before = robot.links["tool"].pose[:3, 3].copy()
    robot.pose = (5, 0, 3)
    assert robot.links["tool"].pose[:3, 3] == pytest.approx(before + (0, 0, 3))
    assert robot.pose[:3, 3] == pytest.approx((5, 0, 3))


def test_a_joint_stops_at_the_first_contact():
    scene = ss.Scene()
    wall = scene.add(ss.Box((0.2, 4, 9)), pose=(0.8, 0, 0), name="wall")
    robot = arm(scene)
    hit = robot.sweep("shoulder", to=1.5)
    assert hit is not None
    # The ball at the end of the lower arm, 2 from the shoulder, reaches the wall at x = 0.7 first.
    assert hit.positions["shoulder"] == pytest.approx(math.asin((0.7 - 0.06) / 2.0))
    assert (hit.link, hit.obstacle_link, hit.obstacle, hit.bound) == ("lower", None, wall, 0.0)
    assert hit.mover is robot.links["lower"].bodies[1]
    assert hit.time == pytest.approx(hit.positions["shoulder"] / 1.5)
    assert hit.travel == pytest.approx(hit.positions["shoulder"])
    assert hit.point[0] == pytest.approx(0.7)
    assert hit.normal == pytest.approx((-1, 0, 0))
    assert robot["shoulder"] == 0.0, "asking moves nothing"
    robot.positions = hit.positions
    assert robot.sweep("shoulder", to=0.0) is None
    pressing = robot.sweep("shoulder", to=1.5)
    assert pressing is not None
    assert pressing.time == pytest.approx(0.0, abs=1e-12)


def test_a_slide_stops_at_the_first_contact():
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 0.2)), pose=(0, 0, 2.75))
    hit = arm(scene).sweep("slide", to=0.5)
    assert hit is not None
    assert hit.positions["slide"] == pytest.approx(2.65 - 0.05 - 2.3)
    assert hit.travel == pytest.approx(hit.positions["slide"])
    assert hit.link == "tool"


def test_a_robot_meets_itself():
    robot = arm()
    hit = robot.sweep("shoulder", to=2.0)
    assert hit is not None
    assert (hit.link, hit.obstacle_link, hit.obstacle) == ("upper", "base", robot.links["base"].bodies[0])
    # The rod, 0.05 thick, comes down on the edge of the base, 0.2 out and 0.1 below the shoulder.
    assert hit.positions["shoulder"] == pytest.approx(
        math.pi / 2 + math.atan2(0.1, 0.2) - math.asin(0.05 / math.hypot(0.1, 0.2))
    )
    robot.ignore("upper", "base")
    assert robot.sweep("shoulder", to=2.0) is None


def test_neighbors_pass_through_each_other_unless_heeded():
    robot = ss.Robot()
    robot.add("a", ss.Box((1, 1, 1)))
    robot.add("b", ss.Box((1, 1, 1)), parent="a", joint=Joint.revolute("ab", limits=(-1, 1)))
    assert robot.sweep("ab", to=0.5) is None
    assert robot.overlaps() == []
    robot.unignore("a", "b")
    hit = robot.sweep("ab", to=0.5)
    assert hit is not None
    assert hit.overlapping
    assert (hit.link, hit.obstacle_link) == ("b", "a")
    assert robot.overlaps() == [("a", "b")]
    robot.ignore("b", "a")
    assert robot.sweep("ab", to=0.5) is None


def test_neighbors_through_a_link_without_shape_too():
    robot = ss.Robot()
    robot.add("a", ss.Box((1, 1, 1)))
    robot.add("frame", parent="a", joint=Joint.revolute("x", (1, 0, 0)))
    robot.add("b", ss.Box((1, 1, 1)), parent="frame", joint=Joint.revolute("y", (0, 1, 0)))
    robot.add("c", ss.Box((1, 1, 1)), parent="b", joint=Joint.fixed("f", origin=(0.2, 0, 0)))
    robot.add("d", ss.Box((1, 1, 1)), parent="c", joint=Joint.fixed("g"))
    robot.ignore("a", "d")
    assert robot.overlaps() == [("a", "c")], "b and d are welded together"
    hit = robot.sweep("x", to=0.3)
    assert hit is not None
    assert (hit.link, hit.obstacle_link, hit.overlapping) == ("c", "a", True)


def test_joints_that_follow_move_along():
    scene = ss.Scene()
    box = scene.add(ss.Box((0.4, 1, 1)), pose=(0.1, 0, 0))
    robot = ss.Robot(scene, name="gripper")
    robot.add("palm", ss.Box((2, 0.2, 0.2)), parent=None)
    robot.pose = (0, 0, -1)
    robot.add(
        "left",
        ss.Box((0.1, 0.1, 0.5)),
        parent="palm",
        joint=Joint.prismatic("grip", (1, 0, 0), origin=(-0.9, 0, 1), limits=(0, 1)),
    )
    robot.add(
        "right",
        ss.Box((0.1, 0.1, 0.5)),
        parent="palm",
        joint=Joint.prismatic("grip too", (1, 0, 0), origin=(0.9, 0, 1), limits=(-0.9, 0), mimic=("grip", -1.0, 0.0)),
    )
    hit = robot.sweep("grip", to=0.9)
    assert hit is not None
    # The right finger, at 0.85 inside, meets the box at 0.3 first.
    assert (hit.link, hit.obstacle) == ("right", box)
    assert hit.bound <= 1e-9
    assert hit.positions == pytest.approx({"grip": 0.55, "grip too": -0.55})
    with pytest.raises(ss.errors.InvalidQuery, match=r"'grip too' is -0\.95, as 'grip' is at 0\.95; accepted: -0\.9 to 0"):
        robot.positions = {"grip": 0.95}
    robot.positions = {"grip": 0.5}
    assert robot["grip too"] == -0.5
    robot.positions = hit.positions
    robot.positions = {**robot.positions, "grip": 0.5, "grip too": -0.5}
    with pytest.raises(ss.errors.InvalidQuery, match=r"'grip too' is -0\.1, but it follows 'grip', which puts it at -0.5"):
        robot["grip too"] = -0.1


def test_several_joints_at_once_meet_what_they_would_meet():
    scene = ss.Scene()
    scene.add(ss.Sphere(0.3), pose=(1.2, 0.3, 1.2), name="ball")
    robot = arm(scene)
    to = {"turn": 0.4, "shoulder": 0.9, "elbow": 0.8}
    hit = robot.sweep(to, accuracy=1e-6)
    assert hit is not None
    assert hit.obstacle.name == "ball"
    assert 0.0 < hit.bound <= 1e-6
    assert math.isnan(hit.travel)
    robot.positions = hit.positions
    assert hit.positions == pytest.approx({name: hit.time * value for name, value in to.items()})
    # At that moment the ball is no further away than the bound.
    inner = [body for link in ("upper", "lower", "tool") for body in robot.links[link].bodies]
    near = scene.sweep(inner, ss.Translate((0, 0, 0)), margin=hit.bound + 1e-6)
    assert near is not None
    assert scene.sweep(inner, ss.Translate((0, 0, 0))) is None


def test_several_joints_let_go_of_what_they_touch():
    scene = ss.Scene()
    scene.add(ss.Box((0.2, 4, 9)), pose=(0.8, 0, 0))
    robot = arm(scene)
    robot.positions = robot.sweep("shoulder", to=1.5).positions
    assert robot.sweep({"shoulder": 0.0, "elbow": -0.3}) is None
    pressed = robot.sweep({"shoulder": 0.5, "elbow": 0.3})
    assert pressed is not None
    assert pressed.time == pytest.approx(0.0, abs=1e-12)
    assert pressed.obstacle is scene["box 0"]


def test_several_joints_meet_a_volume():
    scene = ss.Scene()
    alpha = np.zeros((20, 20, 20), np.float32)
    alpha[8:12, 8:12, 8:12] = 1.0
    fog = scene.add(ss.Volume(alpha, spacing=0.1), pose=(0.4, -1, 0.2))
    robot = arm(scene)
    to = {"shoulder": 1.2, "elbow": 0.4}
    hit = robot.sweep(to)
    assert hit is not None
    assert hit.obstacle is fog
    fog.shape[:] = 0.0
    assert robot.sweep(to) is None


def test_two_moving_parts_meet_each_other():
    robot = ss.Robot()
    robot.add("base")
    for name, x in (("left", -1.0), ("right", 1.0)):
        way = 1.0 if x < 0 else -1.0
        joint = Joint.revolute(name, (0, 0, way), origin=(x, 0, 0))
        robot.add(name, ss.Capsule.from_segment((0, 0, 0), (0, 1.2, 0), radius=0.1), parent="base", joint=joint)
    hit = robot.sweep({"left": -1.0, "right": -1.0})
    assert hit is not None
    assert {hit.link, hit.obstacle_link} == {"left", "right"}
    # By symmetry they meet in the plane x = 0: the ends, 0.1 from it.
    assert -1.0 + 1.2 * math.sin(-hit.positions["left"]) == pytest.approx(-0.1, abs=2 * hit.bound)
    assert hit.point[0] == pytest.approx(0.0, abs=2 * hit.bound)


def sliding(accuracy=None):
    """A ball that slides over a floor, moved by two joints, towards a block that is part of the same body."""
    floor, block = ss.Box((10, 10, 1)), ss.Box((0.2, 0.2, 2))
    vertices = np.vstack((floor.vertices + (0, 0, -0.5), block.vertices + (1.75, 1.0, 1.0)))
    scene = ss.Scene()
    scene.add(ss.Mesh(vertices, np.vstack((floor.faces, block.faces + 8))), name="ground")
    robot = ss.Robot(scene, pose=(0, 0, 0.1))
    robot.add("base")
    robot.add("arm", parent="base", joint=Joint.revolute("one"))
    robot.add("ball", (ss.Sphere(0.1), (2, 0, 0)), parent="arm", joint=Joint.revolute("two"))
    return robot, robot.sweep({"one": 0.5, "two": 0.4}, accuracy=accuracy)


@pytest.mark.slow
@pytest.mark.parametrize("accuracy", [None, 1e-6, 0.01])
def test_what_slides_along_a_body_meets_the_rest_of_it(accuracy):
    robot, hit = sliding(accuracy)
    # The ball's middle goes round at 2 from the axis; it meets the block's side y = 0.9, or the edge of it.
    turned = np.linspace(0.0, 0.9, 2_000_001)
    x, y = 2.0 * np.cos(turned), 2.0 * np.sin(turned)
    apart = np.hypot(x - np.clip(x, 1.65, 1.85), y - np.clip(y, 0.9, 1.1)) - 0.1
    truth = turned[np.argmax(apart <= 0.0)] / 0.9
    assert hit.time <= truth + 1e-6
    robot.positions = hit.positions
    x, y, _ = hit.mover.pose[:3, 3]
    away = math.hypot(x - min(max(x, 1.65), 1.85), y - min(max(y, 0.9), 1.1)) - 0.1
    assert away <= hit.bound + 1e-9
    assert abs(np.linalg.norm(hit.point - hit.mover.pose[:3, 3]) - 0.1) <= hit.bound + 1e-9
    assert hit.bound <= (4.1e-4 if accuracy is None else accuracy)


def test_long_chains_are_no_matter():
    robot = ss.Robot()
    robot.add("0")
    for k in range(1, 1201):
        robot.add(str(k), parent=str(k - 1), joint=Joint.revolute(f"j{k}", origin=(0.01, 0, 0)))
    robot.add("end", ss.Sphere(0.1), parent="1200", joint=Joint.fixed("f"))
    robot.scene.add(ss.Sphere(0.1), pose=(12.0, 1.0, 0))
    hit = robot.sweep({"j1": 0.1, "j2": 0.1})
    assert hit is not None
    assert hit.link == "end"


def test_tiny_limits_are_limits():
    robot = ss.Robot()
    robot.add("a")
    robot.add("b", ss.Sphere(1e-10), parent="a", joint=Joint.prismatic("j", limits=(0, 1e-10)))
    with pytest.raises(ss.errors.InvalidQuery, match="accepted: 0 to 1e-10"):
        robot.sweep("j", to=9e-10)


def test_nothing_changes_where_a_link_would_be_too_far():
    robot = arm()
    before = robot.links["tool"].pose.copy()
    with pytest.raises(ss.errors.InvalidPose, match=r"link 'base' would be at|pose\[0, 3\] is"):
        robot.pose = (2e50, 0, 0)
    far = ss.Robot()
    far.add("a", ss.Sphere(1))
    far.add("b", ss.Sphere(1), parent="a", joint=Joint.prismatic("j"))
    far["j"] = 9e49
    with pytest.raises(ss.errors.InvalidPose, match="link 'b' would be at"):
        far.pose = (0, 0, 9e49)
    assert (robot.links["tool"].pose == before).all()
    assert far.links["a"].pose[2, 3] == 0.0
    with pytest.raises(ss.errors.InvalidPose, match="link 'c': pose of shape 0"):
        far.add("c", [ss.Sphere(1), (ss.Sphere(1), (0, 0, 9e49))], parent="b", joint=Joint.fixed("f", origin=(0, 0, 9e49)))
    assert len(far.scene) == 2


def test_a_tolerance_that_is_not_small_is_refused_here_too():
    robot = ss.Robot(ss.Scene(tolerance=10.0))
    robot.add("a", ss.Sphere(1))
    robot.add("b", parent="a", joint=Joint.revolute("x"))
    robot.add("c", ss.Sphere(1), parent="b", joint=Joint.revolute("y", origin=(0.5, 0, 0)))
    robot.unignore("a", "c")
    for question in (robot.overlaps, lambda: robot.sweep({"x": 1.0, "y": 1.0}), lambda: robot.sweep({})):
        with pytest.raises(ss.errors.InvalidQuery, match="tolerance is 10, but the mover measures"):
            question()


def test_a_follower_that_stays_is_asked_too():
    scene = ss.Scene()
    robot = ss.Robot(scene)
    robot.add("a")
    robot.add("b", ss.Sphere(1), parent="a", joint=Joint.prismatic("lead"))
    follower = Joint.prismatic("too", origin=(10, 0, 0), mimic=("lead", 1.0, 0.0))
    robot.add("c", ss.Sphere(1), parent="a", joint=follower)
    scene.add(ss.Sphere(0.5), pose=(10, 0, 0))
    assert robot.sweep("too", to=0.0).overlapping
    with pytest.raises(ss.errors.InvalidRobot, match=r"joint 'bad' starts at 5, as it follows 'lead'; accepted: -1 to 1"):
        robot.add("d", parent="a", joint=Joint.prismatic("bad", limits=(-1, 1), mimic=("lead", 1.0, 5.0)))


def test_the_whole_robot_moves_by_its_bodies():
    scene = ss.Scene()
    scene.add(ss.Box((1, 9, 9)), pose=(3, 0, 0))
    robot = arm(scene)
    hit = scene.sweep(robot.bodies, ss.Translate((5, 0, 0)))
    assert hit is not None
    assert hit.travel == pytest.approx(2.3)
    assert robot.link_of(hit.mover).name == "base"
    assert robot.link_of(hit.obstacle) is None


def test_no_change_asks_whether_they_overlap_now():
    scene = ss.Scene()
    robot = arm(scene)
    assert robot.sweep("elbow", to=0.0) is None
    scene.add(ss.Sphere(0.3), pose=(0, 0, 1.9))
    hit = robot.sweep("elbow", to=0.0)
    assert hit is not None
    assert hit.overlapping
    assert hit.positions == {"elbow": 0.0}


def test_what_is_attached_is_carried_and_meets_things():
    scene = ss.Scene()
    wall = scene.add(ss.Box((0.2, 4, 9)), pose=(0.8, 0, 0), name="wall")
    robot = arm(scene)
    part = scene.add(ss.Sphere(0.2), pose=(0, 0, 2.2), name="part")
    assert robot.sweep("shoulder", to=0.1).overlapping, "it is in the way until it is attached"
    robot.attach(part, "lower")
    robot.ignore("lower", "tool")
    scene.ignore(part, robot.links["tool"].bodies[0])
    hit = robot.sweep("shoulder", to=1.5)
    assert (hit.link, hit.mover, hit.obstacle) == ("lower", part, wall)
    assert hit.positions["shoulder"] == pytest.approx(math.asin((0.7 - 0.2) / 2.0))
    robot.positions = hit.positions
    assert part.pose[:3, 3] == pytest.approx(robot.links["lower"].pose @ (0, 0, 1, 1) @ np.eye(4)[:, :3])
    assert robot.link_of(part).name == "lower"
    robot.detach(part)
    robot["shoulder"] = 0.0
    assert part.pose[0, 3] == pytest.approx(0.5), "it stays where it was let go"
    assert robot.link_of(part) is None
    robot.attach(part, "base")
    robot.remove()
    assert scene.bodies == (wall, part)


@pytest.mark.parametrize(
    ("attach", "error", "message"),
    [
        (lambda r, b: r.attach("part", "tool"), ss.errors.InvalidType, "body: expected a Body of this scene"),
        (lambda r, b: r.attach(b, "nose"), ss.errors.NotFound, "no link 'nose'"),
        (lambda r, b: r.attach(r.links["tool"].bodies[0], "base"), ss.errors.InvalidQuery, "is already a part of robot 'arm'"),
        (lambda r, b: r.detach(b), ss.errors.NotFound, "is not attached to robot 'arm'"),
        (lambda r, b: r.detach([]), ss.errors.InvalidType, r"body: expected a Body of this scene, got \[\]"),
        (lambda r, b: r.detach("part"), ss.errors.InvalidType, "body: expected a Body of this scene, got 'part'"),
        (lambda r, b: (r.scene.remove(b), r.detach(b)), ss.errors.NotFound, "body: body 6 .* was removed from its scene"),
        (
            lambda r, b: (r.scene.remove(b), r.attach(b, "tool")),
            ss.errors.NotFound,
            "body: body 6 .* was removed from its scene",
        ),
        (
            lambda r, b: r.attach(r.scene.add(ss.Volume(np.ones((2, 2, 2), np.float32))), "base"),
            ss.errors.InvalidQuery,
            "is a Volume",
        ),
    ],
)
def test_what_cannot_be_attached(attach, error, message):
    robot = arm()
    body = robot.scene.add(ss.Sphere(0.1), pose=(5, 0, 0))
    with pytest.raises(error, match=message):
        attach(robot, body)


def test_parts_of_a_robot_are_the_robots():
    scene = ss.Scene()
    robot = arm(scene)
    (tool,) = robot.links["tool"].bodies
    before = tool.pose.copy()
    with pytest.raises(ss.errors.InvalidPose, match=r"body 'arm/tool' is a part of robot 'arm', whose joints"):
        tool.pose = (0, 0, 5)
    with pytest.raises(ss.errors.InvalidQuery, match=r"body 'arm/tool' is a part of robot 'arm': remove the robot"):
        scene.remove(tool)
    assert (tool.pose == before).all()
    assert tool in scene
    part = scene.add(ss.Sphere(0.1), pose=(3, 0, 0))
    robot.attach(part, "tool")
    with pytest.raises(ss.errors.InvalidPose, match="is a part of robot"):
        part.pose = (4, 0, 0)
    robot.detach(part)
    part.pose = (4, 0, 0)
    robot.remove()
    assert scene.bodies == (part,)


QUERIES = {
    "one joint": lambda robot: robot.sweep("shoulder", to=0.1),
    "no joint": lambda robot: robot.sweep({}),
    "a configuration": lambda robot: robot.sweep([0.1, 0.1]),
    "overlaps": lambda robot: robot.overlaps(),
    "motion": lambda robot: robot.motion("shoulder", 0.1),
    "descendants": lambda robot: robot.descendants("shoulder"),
    "value": lambda robot: robot["shoulder"],
    "set positions": lambda robot: setattr(robot, "positions", {}),
    "set q": lambda robot: setattr(robot, "q", []),
    "ignore": lambda robot: robot.ignore("base", "tool"),
    "attach": lambda robot: robot.attach(robot.scene["part"], "tool"),
    "animate": lambda robot: robot.animate({}, "a.gif"),
    "picture": lambda robot: robot.picture(size=(32, 24)),
    "show": lambda robot: robot.show(browser=False),
}


@pytest.mark.parametrize("query", QUERIES)
def test_queries_of_a_removed_robot_raise(query):
    """A robot without links hits nothing, so an empty answer would look like a free motion."""
    robot = arm()
    robot.scene.add(ss.Sphere(0.1), pose=(5, 0, 0), name="part")
    robot.remove()
    for each in (robot, copy.deepcopy(robot)):
        with pytest.raises(ss.errors.NotFound, match=r"^robot 'arm' was removed from its scene; `add` gives it links again$"):
            QUERIES[query](each)
        assert repr(each) == "<Robot 'arm': removed>"


def test_a_removed_robot_gets_links_again():
    robot = arm()
    robot.remove()
    robot.add("base", ss.Box((1, 1, 1)))
    robot.scene.add(ss.Box((1, 1, 1)), name="wall")
    assert robot.sweep({}).obstacle.name == "wall"
    assert repr(robot) == "<Robot 'arm': 1 link, 0 actuated joints>"


def test_as_it_stands():
    scene = ss.Scene()
    robot = arm(scene)
    assert robot.sweep({}) is None
    robot["shoulder"] = 2.0
    hit = robot.sweep({})
    assert (hit.time, hit.overlapping, hit.positions) == (0.0, True, {})
    assert {hit.link, hit.obstacle_link} == {"base", "upper"}
    robot["shoulder"] = 0.0
    wall = scene.add(ss.Box((1, 1, 1)))
    hit = robot.sweep({})
    assert (hit.obstacle, hit.obstacle_link, hit.overlapping) == (wall, None, True)


def test_two_that_stand_in_each_other_are_told_however_they_are_asked():
    robot = ss.Robot()
    robot.add("base")
    for name, x in (("a", 0.0), ("b", 0.5)):
        robot.add(name, ss.Sphere(0.5), parent="base", joint=Joint.revolute(name, origin=(x, 0, 0)))
    for values in ({}, {"a": 0.0, "b": 0.0}, {"a": 0.1, "b": 0.0}):
        hit = robot.sweep(values)
        assert hit is not None
        assert ({hit.link, hit.obstacle_link}, hit.overlapping) == ({"a", "b"}, True)


def test_letting_go_keeps_what_was_ignored_before():
    scene = ss.Scene()
    robot = arm(scene)
    (base,) = robot.links["base"].bodies
    part = scene.add(ss.Sphere(0.2))
    for before in (True, False):
        if before:
            scene.ignore(part, base)
        robot.attach(part, "base")
        robot.detach(part)
        assert (scene.sweep(part, ss.Translate((0, 0, 0)), ignore=robot.bodies[1:]) is None) == before
        scene.unignore(part, base)


def test_joints_that_are_named_and_do_not_change_are_told():
    scene = ss.Scene()
    scene.add(ss.Box((0.2, 4, 9)), pose=(0.8, 0, 0))
    hit = arm(scene).sweep({"shoulder": 1.5, "elbow": 0.0})
    assert hit.positions == pytest.approx({"shoulder": math.asin((0.7 - 0.06) / 2.0), "elbow": 0.0})
    assert hit.bound == 0.0


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda r: r.add("base"), ss.errors.InvalidRobot, "link 'base' exists already"),
        (lambda r: r.add("x"), ss.errors.InvalidRobot, "link 'x': give its parent, one of 'base', .* and a joint"),
        (lambda r: r.add("x", parent="nobody", joint=Joint.fixed("f")), ss.errors.NotFound, "parent: no link 'nobody'; the robot has 'base'"),
        (lambda r: r.add("x", parent="base", joint="hinge"), ss.errors.InvalidType, "expected a Joint, got 'hinge'"),
        (lambda r: r.add("x", parent="base", joint=Joint.fixed("elbow")), ss.errors.InvalidRobot, "joint 'elbow' exists already"),
        (lambda r: r.add("x", 3, parent="base", joint=Joint.fixed("f")), ss.errors.InvalidType, "link 'x': shape 0: expected a Mesh"),
        (lambda r: r.add("x", [ss.Sphere(1), 3], parent="base", joint=Joint.fixed("f")), ss.errors.InvalidType, "shape 1: expected a Mesh"),
        (lambda r: r.add("", parent="base", joint=Joint.fixed("f")), ss.errors.InvalidRobot, "link: expected a name, got ''"),
        (lambda r: r.add("x", parent="base", joint=Joint.revolute("f", mimic=("none", 1.0, 0.0))), ss.errors.InvalidRobot, "follows 'none', which is unknown or fixed"),
        (lambda r: Joint.revolute("j", (0, 0, 0)), ss.errors.InvalidRobot, "joint 'j': axis is 0 0 0"),
        (lambda r: Joint.revolute("j", limits=(1, -1)), ss.errors.InvalidRobot, "joint 'j': limits are 1 to -1"),
        (lambda r: Joint.revolute("j", limits=(math.nan, 1)), ss.errors.InvalidRobot, "limits are nan to 1"),
        (lambda r: Joint.revolute("j", limits=5), ss.errors.InvalidType, r"expected \(lowest, highest\), got 5"),
        (lambda r: Joint.revolute("j", origin=np.zeros((4, 4))), ss.errors.InvalidPose, "joint 'j': origin"),
        (lambda r: Joint.prismatic("j", mimic=("a", math.inf, 0.0)), ss.errors.InvalidRobot, "must be finite"),
        (lambda r: Joint.prismatic("j", mimic=("a", 1.0, math.nan)), ss.errors.InvalidRobot, "must be finite"),
        (lambda r: r.sweep("knee", to=1.0), ss.errors.NotFound, "no joint 'knee' in robot 'arm'; it has 'turn', 'shoulder'"),
        (lambda r: r.sweep("elbow"), ss.errors.InvalidQuery, "to: expected a value for joint 'elbow', got None"),
        (lambda r: r.sweep({"elbow": 1.0}, to=2.0), ss.errors.InvalidQuery, "to: is for one joint"),
        (lambda r: r.sweep("elbow", to=3.0), ss.errors.InvalidQuery, "position of joint 'elbow' is 3; accepted: -2.5 to 2.5"),
        (lambda r: r.sweep("elbow", to=math.nan), ss.errors.InvalidQuery, "position of joint 'elbow' is nan"),
        (lambda r: r.sweep("elbow", to="far"), ss.errors.InvalidType, "position of joint 'elbow': expected a number, got 'far'"),
        (lambda r: r.sweep({"elbow"}), ss.errors.InvalidType, r"joint: expected \{name: position, \.\.\.\} or one configuration, 4 numbers"),
        (lambda r: r.sweep(["elbow"]), ss.errors.InvalidQuery, "joint: got 1 number; accepted: one configuration, 4 numbers for 'turn', 'shoulder'"),
        (lambda r: r.sweep(np.array(1.0)), ss.errors.InvalidType, "or one configuration, 4 numbers .*, got array"),
        (lambda r: r.sweep([0, 0, 9, 0]), ss.errors.InvalidQuery, r"joint\[2\], of joint 'elbow' is 9; accepted: -2.5 to 2.5"),
        (lambda r: setattr(r, "q", np.array([0, 0, math.nan, 0])), ss.errors.InvalidQuery, r"q\[2\], of joint 'elbow' is nan"),
        (lambda r: setattr(r, "q", [0, 0, [1], 0]), ss.errors.InvalidType, r"q\[2\], of joint 'elbow': expected a number, got \[1\]"),
        (lambda r: setattr(r, "q", np.zeros((4, 2))), ss.errors.InvalidQuery, r"q: got shape \(4, 2\); accepted: one configuration, 4 numbers .*; sweep from waypoint to waypoint"),
        (lambda r: r.sweep({"elbow": 1.0, "turn": 1.0}, accuracy=0.0), ss.errors.InvalidQuery, "accuracy is 0"),
        (lambda r: r.sweep("elbow", to=1.0, margin=-1), ss.errors.InvalidQuery, "margin is -1"),
        (lambda r: r.sweep("elbow", to=1.0, resting="maybe"), ss.errors.InvalidQuery, "resting is 'maybe'"),
        (lambda r: r.__setitem__([], 1.0), ss.errors.InvalidType, r"joint: expected a str, got \[\]"),
        (lambda r: r.ignore([], "base"), ss.errors.InvalidType, r"link: expected a str, got \[\]"),
        (lambda r: r.unignore("base", {}), ss.errors.InvalidType, r"link: expected a str, got \{\}"),
        (lambda r: r.ignore("base", "base"), ss.errors.InvalidQuery, "'base' is given twice"),
        (lambda r: r.ignore("base", "nose"), ss.errors.NotFound, "no link 'nose' in robot 'arm'"),
        (lambda r: ss.Robot("scene"), ss.errors.InvalidType, "scene: expected a Scene"),
        (lambda r: arm(r.scene), ss.errors.InvalidQuery, "'arm/base' is taken in the scene; give the robot another name"),
        (lambda r: setattr(r, "positions", {"elbow": 9}), ss.errors.InvalidQuery, "accepted: -2.5 to 2.5"),
    ],
)  # fmt: skip
def test_clear_errors_that_change_nothing(make, error, message):
    robot = arm()
    bodies, values = robot.scene.bodies, robot.positions
    with pytest.raises(error, match=message):
        make(robot)
    assert robot.scene.bodies == bodies
    assert robot.positions == values


def test_rounding_at_a_limit_is_the_limit():
    robot = arm()
    robot["elbow"] = np.float32(2.5) + 1e-7
    assert robot["elbow"] == 2.5
    with pytest.raises(ss.errors.InvalidQuery, match=r"accepted: -2\.5 to 2\.5"):
        robot["elbow"] = 2.5001


def test_what_a_robot_says_of_itself():
    robot = arm()
    assert repr(robot) == "<Robot 'arm': 5 links, 4 actuated joints>"
    assert repr(robot.links["lower"]) == "<Link 'lower' on 'upper' by 'elbow': 2 bodies>"
    assert [body.name for body in robot.links["lower"].bodies] == ["arm/lower", "arm/lower 1"]
    assert [link.name for link in robot.descendants("elbow")] == ["lower", "tool"]
    assert robot.joints["slide"].limits == (0.0, 0.5)


def test_a_configuration_is_an_array():
    """One number for each actuated joint, in their order."""
    robot = arm()
    assert robot.actuated_joints == ("turn", "shoulder", "elbow", "slide")
    robot.q = np.array((0.1, 0.2, -0.3, 0.4))
    assert robot.positions == {"turn": 0.1, "shoulder": 0.2, "elbow": -0.3, "slide": 0.4}
    goal = {"turn": 0.5, "shoulder": 0.1, "elbow": 0.3, "slide": 0.4}
    robot.scene.add(ss.Sphere(0.15), pose=(0.6, 0.33, 2.1))
    listed, named = robot.sweep(list(goal.values())), robot.sweep(goal)
    assert (listed.link, listed.time, listed.positions) == (named.link, named.time, named.positions)
    follower = Joint.prismatic("too", mimic=("slide", 2.0, 0.1))
    robot.add("mirror", parent="base", joint=follower)
    assert len(robot.actuated_joints) == 4
    robot.q = (0.0, 0.0, 0.0, 0.2)
    assert robot["too"] == 0.5
    before = robot.positions
    robot.q = robot.q
    assert robot.positions == before
    robot.q[0] = 9.0  # a copy: nothing moves
    assert robot.positions == before
    with pytest.raises(
        ss.errors.InvalidQuery, match=r"position of joint 'too' is 0\.7, but it follows 'slide', which puts it at 0\.5"
    ):
        robot.positions = {"too": 0.7}
    with pytest.raises(ss.errors.InvalidQuery, match="q: got 3 numbers; accepted: one configuration, 4 numbers for 'turn'"):
        robot.q = (0.0, 0.0, 0.0)
    with pytest.raises(
        ss.errors.InvalidType, match=r"positions: expected \{joint: position, ...\}, got .*; robot.q takes numbers"
    ):
        robot.positions = (0.0, 0.0, 0.0, 0.0)


def test_poses_at_other_positions_do_not_move_the_robot():
    robot = ss.Robot(name="arm")
    bar = ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.05)
    robot.add("base", ss.Box((0.3, 0.3, 0.1)))
    robot.add("upper", bar, parent="base", joint=ss.Joint.revolute("shoulder", (1, 2, 3), origin=(0, 0, 0.2)))
    robot.add("fore", bar, parent="upper", joint=ss.Joint.revolute("elbow", (0, 1, 1), origin=(1, 0, 0)))
    robot.add("finger", bar, parent="fore", joint=ss.Joint.prismatic("grip", mimic=("elbow", 0.5, 0.1)))
    robot.positions = {"shoulder": 0.3, "elbow": -0.4}
    held = robot.scene.add(ss.Sphere(0.1), (0.7, 0.123, 0.456))
    robot.attach(held, "upper")
    before, positions = {body: body.pose for body in robot.bodies}, robot.positions
    there = poses_at(robot, {"shoulder": 0.3, "elbow": 1.1})
    assert robot.positions == positions
    assert all(body.pose is pose for body, pose in before.items())
    assert there[held] is held.pose  # the shoulder has this value already
    assert not np.allclose(there[robot.links["finger"].bodies[0]], robot.links["finger"].bodies[0].pose)
    robot.positions = {"elbow": 1.1}
    assert list(there) == list(robot.bodies)
    for body, pose in there.items():
        np.testing.assert_array_equal(pose, body.pose)
    with pytest.raises(ss.errors.NotFound):
        poses_at(robot, {"wrist": 1.0})
