"""SRDF files: which pairs, groups and states a robot gets, what is skipped, and that all of it survives."""

import logging
import math

import pytest
from sweepscope_lab.verify.travel import WAYS
from urdf_arms import write_arm

import sweepscope as ss
from sweepscope.errors import InaccessibleFile, InvalidGeometry, InvalidRobot, InvalidType, MissingFile, NotFound
from sweepscope.formats.file_reader import Limits

SRDF = """<?xml version="1.0"?>
<robot name="arm">
  <group name="arm"><chain base_link="base" tip_link="wrist"/></group>
  <group name="gripper"><link name="left"/><joint name="right finger"/><joint name="flange"/></group>
  <group name="all"><group name="gripper"/><group name="arm"/><joint name="slide"/></group>
  <group name="across"><chain base_link="left" tip_link="right"/></group>
  <group_state name="home" group="arm"><joint name="elbow" value="0.5"/><joint name="pan" value="1."/></group_state>
  <group_state name="open" group="gripper"><joint name="left finger" value="0.04"/><joint name="right finger" value="0.055"/></group_state>
  <group_state name="rest" group="arm"><joint name="elbow" value="-0.5"/></group_state>
  <group_state name="rest" group="gripper"><joint name="left finger" value="0.01"/></group_state>
  <end_effector name="hand" parent_link="tool" group="gripper"/>
  <virtual_joint name="world" type="fixed" parent_frame="world" child_link="base"/>
  <passive_joint name="roll"/>
  <disable_collisions link1="base" link2="wrist" reason="Never"/>
  <disable_collisions link1="left" link2="right"/>
</robot>"""


def srdf(folder, text=SRDF, name="arm.srdf"):
    path = folder / name
    path.write_text(text)
    return path


def inside(text):
    return f'<robot name="arm">\n{text}\n</robot>'


@pytest.fixture
def urdf(tmp_path):
    return write_arm(tmp_path)


def ignored(robot):
    """Pairs of links whose bodies pass through each other, by the answers of the scene's filters."""
    names = list(robot.links)
    rows = {name: robot._tree.own(link) for name, link in robot.links.items()}
    pairs = set()
    for k, a in enumerate(names):
        for b in names[:k]:
            if rows[a] and rows[b]:
                skipped = robot._tree.store.filters.ignored_pairs(ss.world.store.rows_of(rows[a]), [])
                if [rows[a][0].row, rows[b][0].row] in skipped.tolist():
                    pairs.add((b, a))
    return pairs


def test_pairs_groups_and_states(urdf, caplog):
    plain = ss.Robot.load(urdf)
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent))
    assert caplog.text == ""
    assert ignored(robot) - ignored(plain) == {("base", "wrist"), ("left", "right")}
    assert (plain.groups, plain.states) == ({}, {})
    assert robot.groups == {
        "arm": ("pan", "shoulder", "elbow", "roll"),
        "gripper": ("left finger",),
        "all": ("pan", "shoulder", "elbow", "roll", "slide", "left finger"),
        "across": ("left finger",),
    }
    assert robot.states == {
        "home": {"pan": 1.0, "elbow": 0.5},
        "open": {"left finger": 0.04},
        "arm/rest": {"elbow": -0.5},
        "gripper/rest": {"left finger": 0.01},
    }
    robot.positions = robot.states["home"]
    assert (robot["pan"], robot["elbow"], robot["shoulder"]) == (1.0, 0.5, 0.0)
    robot.positions = robot.states["open"]
    assert robot["right finger"] == pytest.approx(0.055, abs=1e-15)


def test_a_disabled_pair_is_not_hit_and_what_is_attached_is(tmp_path):
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        '<link name="b"><collision><geometry><box size=".2 .2 .2"/></geometry></collision></link>'
        '<link name="c"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        '<joint name="j" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0 3"/><axis xyz="0 0 1"/><limit upper="9"/></joint>'
        '<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/><limit lower="-9" upper="9"/></joint></robot>'
    )
    robot = ss.Robot.load(tmp_path / "r.urdf")
    assert robot.sweep("k", -3.0).obstacle_link == "a"
    path = srdf(tmp_path, inside('<disable_collisions link1="c" link2="a" reason="Never"/>').replace("arm", "r"))
    robot = ss.Robot.load(tmp_path / "r.urdf", srdf=path)
    assert robot.sweep("k", -3.0) is None
    robot.attach(robot.scene.add(ss.Sphere(0.2), (0, 0, 4), name="ball"), "c")
    assert robot.sweep("k", -8.0).mover.name == "ball"
    robot.detach(robot.scene["ball"])
    robot.scene.remove(robot.scene["ball"])
    robot.unignore("a", "c")
    assert robot.sweep("k", -3.0).mover.name == "r/c"


def test_whole_links_and_enabled_pairs(urdf):
    text = inside(
        '<disable_collisions link1="fore" link2="rod"/><enable_collisions link1="fore" link2="rod"/>'
        '<enable_collisions link1="wrist" link2="base"/><enable_collisions link1="upper" link2="fore"/>'
        '<disable_default_collisions link="wrist"/>'
    )
    plain, robot = ss.Robot.load(urdf), ss.Robot.load(urdf, srdf=srdf(urdf.parent, text))
    added = ignored(robot) - ignored(plain)
    assert ("fore", "rod") in added
    assert added - {("fore", "rod")} == {tuple(pair) for pair in added if "wrist" in pair}
    assert len(added) == 1 + 4  # wrist is a neighbor of fore and rod
    assert ("base", "wrist") not in added
    assert ignored(plain) - ignored(robot) == {("upper", "fore")}


def test_what_the_robot_does_not_have_is_skipped(urdf, caplog):
    text = inside(
        '<group name="legs"><joint name="hip"/><chain base_link="base" tip_link="foot"/><group name="toes"/><link name="knee"/></group>\n'
        '<group_state name="stand" group="legs"><joint name="hip" value="1"/><joint name="elbow" value="1"/></group_state>\n'
        '<group_state name="sit" group="legs"><joint name="hip" value="1 2 3 4"/></group_state>\n'
        '<passive_joint name="ankle"/><virtual_joint name="free" type="floating" parent_frame="w" child_link="base"/>\n'
        '<group name="base"><joint name="free"/></group>\n'
        '<disable_collisions link1="base" link2="foot"/><disable_collisions link1="foot" link2="hand"/>'
        '<disable_collisions link1="base" link2="base"/><disable_collisions link1="base" link2="rod"/>'
    ).replace('"arm"', '"other"')
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent, text))
    assert robot.groups == {"legs": (), "base": ()}
    assert robot.states == {"stand": {"elbow": 1.0}}
    assert ("base", "rod") in ignored(robot)
    lines = [record.getMessage().partition("arm.srdf: ")[2] for record in caplog.records]
    assert {record.name for record in caplog.records} == {"sweepscope"}
    assert lines == [
        "describes the robot 'other', the URDF file 'arm'",
        "line 5: virtual_joint 'free' (floating) is not read: assign robot.pose, or give the URDF file a joint of this type",
        "skipped links that the robot does not have: 'foot' (line 7), 'hand' (line 7), 'knee' (line 2)",
        "skipped joints that the robot does not have: 'hip' (line 2), 'ankle' (line 5)",
        "skipped groups that the robot does not have: 'toes' (line 2)",
    ]


def test_states_beyond_limits_are_clamped_with_a_warning(urdf, caplog):
    """Limits of followers count too: right finger = 1.25 * left finger + 0.005 goes to 0.06, so left goes to 0.04 of 0.04."""
    text = inside(
        '<group_state name="s" group="arm"><joint name="elbow" value="3.5"/><joint name="shoulder" value="2.2000000001"/>'
        '<joint name="left finger" value="-0.5"/></group_state><group_state name="s" group="arm"><joint name="pan" value="9"/></group_state>'
    )
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent, text))
    assert robot.states == {"s": {"shoulder": 2.2, "elbow": 2.5, "left finger": 0.0}}
    assert [record.getMessage().partition("arm.srdf: ")[2] for record in caplog.records] == [
        "state 's': joint 'elbow' is 3.5, beyond -2.5 to 2.5; it is 2.5 here",
        "state 's': joint 'left finger' is -0.5, beyond 0 to 0.04; it is 0 here",
        "state 's' of group 'arm' is there twice; the first counts",
    ]
    robot.positions = robot.states["s"]


BROKEN = {
    "not closed": ("<robot name='r'>\n<group name='a'>\n</robot>", "line 3: not well-formed XML: mismatched tag"),
    "other root": ("<sdf/>", "line 1: is a <sdf>; expected a <robot>"),
    "doctype": ('<!DOCTYPE robot [<!ENTITY a "b">]><robot name="&a;"/>', "line 1: holds a <!DOCTYPE"),
    "xacro": (
        '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro name="m"/></robot>',
        "line 1: has <xacro:macro>: it is a xacro file; convert it first: xacro FILE.xacro > FILE.srdf",
    ),
    "pair": (inside('<disable_collisions link1="a"/>'), "line 2: <disable_collisions> has no link2"),
    "group": (inside("<group/>"), "line 2: a <group> has no name"),
    "chain": (inside('<group name="a"><chain base_link="b"/></group>'), "line 2: <chain> has no tip_link"),
    "word": (
        inside('<group_state name="a" group="b"><joint name="elbow" value="x"/></group_state>'),
        "line 2: joint 'elbow': <joint value=...>: expected a number, got 'x'",
    ),
    "nothing": (
        inside('<group_state name="a" group="b"><joint name="elbow"/></group_state>'),
        "line 2: joint 'elbow': <joint value=...>: is missing",
    ),
    "infinite": (
        inside('<group_state name="a" group="b"><joint name="elbow" value="nan"/></group_state>'),
        "line 2: joint 'elbow': <joint value=...>: is 'nan'; numbers must be finite",
    ),
    "count": (
        inside('<group_state name="a" group="b"><joint name="elbow" value="1 2"/></group_state>'),
        "line 2: joint 'elbow' has 2 values; accepted: 1",
    ),
    "circle": (
        inside('<group name="a"><group name="b"/></group>\n<group name="b"><group name="a"/></group>'),
        "line 2: groups contain each other: 'a' -> 'b' -> 'a'",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(urdf, case):
    text, message = BROKEN[case]
    scene = ss.Scene()
    with pytest.raises(InvalidRobot) as caught:
        ss.Robot.load(urdf, scene, srdf=srdf(urdf.parent, text))
    assert "arm.srdf: " + message in str(caught.value)
    assert (list(scene), scene.robots) == ([], {})


def test_files_that_are_not_there_or_not_srdf(urdf):
    for path, error, message in (
        (urdf.with_name("none.srdf"), MissingFile, "no such file"),
        (urdf, InvalidRobot, "accepted endings are .srdf, .xml"),
        (urdf.with_name("a.srdf.xacro"), InvalidRobot, "convert it first: xacro FILE.xacro > FILE.srdf"),
        (urdf.parent, InaccessibleFile, "is a folder"),
        (3, InvalidType, "expected a str or a Path"),
    ):
        with pytest.raises(error, match=message):
            ss.Robot.load(urdf, srdf=path)
    with pytest.raises(InvalidRobot, match=r"arm\.srdf: has .* bytes; accepted: up to 10,000"):
        ss.Robot.load(urdf, srdf=srdf(urdf.parent, SRDF + "<!-- -->" * 2000), limits=Limits(max_file_bytes=10_000))


def facts(robot):
    return robot.groups, robot.states, robot._tree.ignored_links(), robot._tree.reason_links()


@pytest.mark.parametrize("way", WAYS)
def test_copies_and_pickles_keep_it(urdf, way):
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent))
    other = WAYS[way](robot)
    assert facts(other) == facts(robot)
    other.unignore("left", "right")
    other.remove()
    assert (other.groups, other.states) == ({}, {})
    assert robot.groups
    assert ("left", "right") in ignored(robot)


def test_scene_files_keep_it(urdf):
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent))
    robot.scene.save(urdf.with_name("s.npz"))
    assert facts(ss.Scene.load(urdf.with_name("s.npz")).robots["arm"]) == facts(robot)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("ignore_reasons", [["base", "fore", "Never"]], "these links do not ignore each other"),
        ("ignore_reasons", [["base", "wrist"]], "expected the names of two links, and a reason"),
        ("joint_groups", [{"name": "g", "joints": ["right finger"]}], "'right finger' is not a joint that can be moved"),
        ("states", [{"name": "s", "group": "g", "positions": {"elbow": 9.0}}], "is 9; accepted: -2.5 to 2.5"),
        ("states", [{"name": "s", "group": "g", "positions": [1]}], "expected an object"),
        ("states", [{"name": "s", "positions": {}}], "group is missing"),
    ],
)
def test_scene_files_that_are_wrong(urdf, monkeypatch, name, value, message):
    from sweepscope.robot import saved

    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent))
    described = saved._semantics_to_dict
    monkeypatch.setattr(saved, "_semantics_to_dict", lambda tree: {**described(tree), name: value})
    robot.scene.save(urdf.with_name("s.npz"))
    with pytest.raises(ss.SweepscopeError, match=message):
        ss.Scene.load(urdf.with_name("s.npz"))


def test_a_round_trip(urdf):
    """Groups and states are written with the names of joints; a pair of `ignore` is one of links alone when it is read."""
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent))
    robot.ignore("upper", "rod")
    robot.save_srdf(urdf.with_name("out.srdf"))
    text = urdf.with_name("out.srdf").read_text()
    for line in (
        '<disable_collisions link1="base" link2="turret" reason="Adjacent"/>',
        '<disable_collisions link1="base" link2="wrist" reason="Never"/>',
        '<disable_collisions link1="upper" link2="rod" reason="User"/>',
    ):
        assert line in text
    again = ss.Robot.load(urdf, srdf=urdf.with_name("out.srdf"))
    assert (again.groups, again.states) == (robot.groups, robot.states)
    assert ignored(again) == ignored(robot)
    again.save_srdf(urdf.with_name("twice.srdf"))
    assert urdf.with_name("twice.srdf").read_text() == text


def test_names_are_escaped(tmp_path):
    name = "a<&\"'\xe9 "
    robot = ss.Robot(name=name)
    robot.add(name, ss.Sphere(1))
    robot.add("b", ss.Sphere(1), parent=name, joint=ss.Joint.fixed("j"))
    robot.save_srdf(tmp_path / "r.srdf")
    from sweepscope.formats.srdf import read_srdf

    text = read_srdf(tmp_path / "r.srdf", None)
    assert (text.robot, [each.name for each in text.disabled[0].links]) == (name, [name, "b"])


def test_saving_where_it_cannot(urdf):
    robot = ss.Robot.load(urdf)
    with pytest.raises(InvalidGeometry, match=r"accepted ending is \.srdf"):
        robot.save_srdf(urdf.with_name("a.xml"))
    with pytest.raises(MissingFile, match="no folder"):
        robot.save_srdf(urdf.parent / "none" / "a.srdf")
    robot.remove()
    with pytest.raises(NotFound, match="was removed"):
        robot.save_srdf(urdf.with_name("a.srdf"))


BASES = """<robot name="r"><link name="world"/><link name="cart"/><link name="drone"/>
<joint name="cart" type="planar"><parent link="world"/><child link="cart"/><axis xyz="0 0 1"/></joint>
<joint name="fly" type="floating"><parent link="cart"/><child link="drone"/></joint></robot>"""


def test_joints_with_several_values(tmp_path):
    """Planar: x y angle; floating: position and quaternion x y z w, as MoveIt writes them."""
    (tmp_path / "r.urdf").write_text(BASES)
    half = math.sqrt(0.5)
    text = inside(
        '<group name="base"><joint name="cart"/></group><group name="all"><chain base_link="world" tip_link="drone"/></group>'
        '<group name="drone"><link name="drone"/></group>'
        f'<group_state name="s" group="all"><joint name="cart" value="1 2 0.5"/><joint name="fly" value="3 4 5 {half} 0 0 {half}"/></group_state>'
        '<group_state name="zero" group="all"><joint name="fly" value="3 4 5 0 0 0 0"/></group_state>'
    ).replace('"arm"', '"r"')
    robot = ss.Robot.load(tmp_path / "r.urdf", srdf=srdf(tmp_path, text))
    cart, fly = ("cart/x", "cart/y", "cart/turn"), tuple(f"fly/{step}" for step in ("x", "y", "z", "yaw", "pitch", "roll"))
    assert robot.groups == {"base": cart, "all": (*cart, *fly), "drone": fly}
    robot.positions = robot.states["s"]
    assert robot.q[:6].tolist() == [1, 2, 0.5, 3, 4, 5]
    assert robot.q[6:] == pytest.approx([0, 0, math.pi / 2], abs=1e-9)
    assert robot.states["zero"]["fly/roll"] == 0.0
    wrong = text.replace("3 4 5 0 0 0 0", "3 4 5")
    with pytest.raises(InvalidRobot, match="joint 'fly' has 3 values; accepted: 7: x y z qx qy qz qw"):
        ss.Robot.load(tmp_path / "r.urdf", srdf=srdf(tmp_path, wrong))


def test_groups_may_be_nested_deeply(urdf):
    text = "".join(f'<group name="{k}"><group name="{k + 1}"/></group>' for k in range(5000))
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent, inside(text + '<group name="5000"><joint name="pan"/></group>')))
    assert set(robot.groups.values()) == {("pan",)}
    with pytest.raises(InvalidRobot, match="line 2: groups contain each other: '0' -> '1' -> "):
        ss.Robot.load(urdf, srdf=srdf(urdf.parent, inside(text + '<group name="5000"><group name="0"/></group>')))


def test_warnings_name_the_file_once(urdf, caplog):
    with caplog.at_level(logging.WARNING):
        ss.Robot.load(urdf, srdf=srdf(urdf.parent, inside('<disable_collisions link1="x" link2="y"/>' * 30)))
    assert len(caplog.records) == 1


def test_a_state_without_a_group_is_a_state_of_the_robot(urdf):
    text = inside('<group_state name="up"><joint name="elbow" value="0.25"/></group_state>')
    robot = ss.Robot.load(urdf, srdf=srdf(urdf.parent, text))
    assert robot.states == {"up": {"elbow": 0.25}}
    robot.save_srdf(urdf.parent / "again.srdf")
    assert '<group_state name="up">' in (urdf.parent / "again.srdf").read_text()
