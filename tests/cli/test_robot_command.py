"""`sweepscope robot`: the tree of a URDF file, one joint, several, all of them."""

import json
import math
import re

import pytest
import trimesh

CRANE = """<robot name="crane">
  <link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
  <joint name="mast turn" type="continuous"><parent link="base"/><child link="mast"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/></joint>
  <link name="mast"><collision><origin xyz="1 0 1"/><geometry><box size="2 0.2 0.2"/></geometry></collision></link>
  <joint name="hoist" type="prismatic"><parent link="mast"/><child link="hook"/><origin xyz="1.8 0 0.8"/><axis xyz="0 0 -1"/>
    <limit lower="0" upper="0.9"/></joint>
  <link name="hook"><collision><geometry><mesh filename="hook.stl"/></geometry></collision></link>
  <joint name="tilt" type="revolute"><parent link="hook"/><child link="tip"/><origin xyz="0 0 -0.2"/><axis xyz="0 1 0"/>
    <limit lower="-0.5" upper="0.5"/></joint>
  <link name="tip"/>
  <joint name="echo" type="revolute"><parent link="tip"/><child link="flag"/><axis xyz="0 1 0"/>
    <limit lower="-0.5" upper="0.5"/><mimic joint="tilt" multiplier="-2"/></joint>
  <link name="flag"/>
  <joint name="weld" type="fixed"><parent link="flag"/><child link="end"/></joint>
  <link name="end"/>
</robot>"""


@pytest.fixture
def robot(run, monkeypatch):
    """Runs the command and returns what it prints."""
    monkeypatch.setenv("COLUMNS", "250")
    return lambda *arguments, check: run("robot", *arguments, check=check).stdout


@pytest.fixture
def crane(tmp_path):
    """Its hook, a cube of 0.2, hangs 1.8 out and 1 up; 0.85 below that is a slab, a quarter turn away a post."""
    (tmp_path / "crane.urdf").write_text(CRANE)
    trimesh.creation.box((0.2, 0.2, 0.2)).export(tmp_path / "hook.stl")
    for name, size, place in (("slab", (1, 1, 0.1), (1.8, 0, 0)), ("post", (0.2, 0.2, 4), (0, 1.5, 2))):
        trimesh.creation.box(size).apply_translation(place).export(tmp_path / f"{name}.stl")
    return tmp_path


def test_the_tree(crane, robot):
    shown = robot(crane / "crane.urdf", check=0)
    assert "crane: 6 links, 3 bodies, 3 joints to move" in shown
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "base: Box" in lines
    assert "mast: Box, moved by mast turn" in lines
    assert "end: no shape, fixed by weld" in lines
    assert "mast turn 0 none revolute" in lines
    assert "hoist 0 0 .. 0.9 prismatic" in lines
    assert "echo 0 -0.5 .. 0.5 revolute, -2 x tilt" in lines
    assert "values in radians" in shown
    plain = json.loads(robot(crane / "crane.urdf", "--set", "tilt=0.1", "--json", check=0))
    assert plain["robot"] == "crane"
    assert plain["overlaps"] == []
    links = {link["name"]: link for link in plain["links"]}
    assert links["base"]["joint"] is None
    assert links["hook"]["bodies"] == [{"name": "crane/hook", "shape": "Mesh"}]
    assert links["mast"]["joint"]["limits"] == [None, None]
    assert links["flag"]["joint"]["mimic"] == ["tilt", -2.0, 0.0]
    assert links["flag"]["joint"]["value"] == -0.2
    assert links["hook"]["pose"][2][3] == 1.0


def test_tables_fit_a_narrow_screen(tmp_path, robot, monkeypatch):
    """A line of a table is a line of the screen, but for what a follower follows."""
    path = write_chain(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    for arguments in ((), ("--sweep-all",)):
        shown = re.sub(r"\x1b\[[0-9;]*m", "", robot(path, *arguments, check=0)).splitlines()
        assert max(map(len, shown)) <= 80
        rows = [line for line in shown if "shoulder_pan_joint_" in line]
        assert len(rows) == (14 if arguments else 7 + 7)
        assert all(line.rstrip().endswith(("revolute", "free")) or "moved by" in line for line in rows)


def write_chain(folder):
    """Seven links in a row that never meet."""
    links = "".join(
        f"""<link name="forearm_link_{k}"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>"""
        for k in range(8)
    )
    joints = "".join(
        f"""<joint name="shoulder_pan_joint_{k}" type="revolute"><parent link="forearm_link_{k}"/>
        <child link="forearm_link_{k + 1}"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
        <limit lower="-2.896712" upper="2.896712"/></joint>"""
        for k in range(7)
    )
    path = folder / "chain.urdf"
    path.write_text(f"""<robot name="chain">{links}{joints}</robot>""")
    return path


def test_one_joint(crane, robot):
    hoist = (crane / "crane.urdf", "--with", crane / "slab.stl", "--joint", "hoist")
    answer = json.loads(robot(*hoist, "--to", 0.9, "--json", check=1))
    assert answer["positions"]["hoist"] == pytest.approx(0.85, abs=1e-6)
    assert (answer["link"], answer["obstacle_link"], answer["obstacle"]) == ("hook", None, str(crane / "slab.stl"))
    assert answer["bound"] == 0.0
    assert answer["normal"] == pytest.approx([0, 0, 1])
    assert json.loads(robot(*hoist, "--to", 0.8, "--json", check=0)) == {
        "hit": False,
        "to": {"hoist": 0.8},
        "units": {"hoist": "length"},
    }
    robot(*hoist, "--to", 0.8, "--margin", 0.1, check=1)
    shown = robot(*hoist, "--to", 0.9, check=1)
    assert "hook meets" in shown
    assert "hoist 0.8" in shown
    assert "free: hits nothing with hoist to 0.8" in robot(*hoist, "--to", 0.8, check=0)


@pytest.mark.slow
def test_robots_and_their_hits_are_drawn(crane, robot, run):
    urdf, slab = crane / "crane.urdf", ("--with", crane / "slab.stl", "--joint", "hoist", "--to")
    assert "tree.png" in robot(urdf, "--picture", crane / "tree.png", check=0)
    assert "free.png" in robot(urdf, *slab, 0.5, "--picture", crane / "free.png", check=0)
    assert "hit.png" in robot(urdf, *slab, 0.9, "--picture", crane / "hit.png", check=1)
    for value, code in ((0.5, 0), (0.9, 1)):
        assert "move.gif" in robot(urdf, *slab, value, "--gif", crane / "move.gif", check=code)
        assert (crane / "move.gif").read_bytes()[:4] == b"GIF8"
    for name in ("tree", "free", "hit"):
        assert (crane / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
    bad = run("robot", urdf, "--sweep-all", "--picture", crane / "all.png", check=2)
    assert "leave out --sweep-all" in bad.stderr


def test_degrees_and_starts(crane, robot):
    turn = (crane / "crane.urdf", "--with", crane / "post.stl", "--joint", "mast turn", "--to")
    hit = json.loads(robot(*turn, "90deg", "--json", check=1))
    assert hit["to"] == {"mast turn": math.radians(90)}
    # The mast is 0.2 wide and so is the post: they touch a little before the quarter turn.
    assert 1.4 < hit["positions"]["mast turn"] < 1.5
    robot(*turn, "80 deg", check=0)
    # From the other side it comes a long way round.
    started = json.loads(robot(*turn, 0, "--set", "mast turn=-180deg", "--json", check=0))
    assert started["hit"] is False
    assert json.loads(robot(*turn, -4.0, "--set", "mast turn=-2", "--json", check=0))["hit"] is False
    assert json.loads(robot(*turn, -4.8, "--set", "mast turn=-2", "--json", check=1))["positions"]["mast turn"] < -4.5


def test_several_joints(crane, robot):
    """The hook comes down and round at once, arriving together: the mast's turn meets the post first."""
    both = ("--joint", "mast turn", "--to", 1.6, "--joint", "hoist", "--to", 0.4, "--with", crane / "post.stl")
    hit = json.loads(robot(crane / "crane.urdf", *both, "--json", check=1))
    assert set(hit["positions"]) == {"mast turn", "hoist"}
    assert hit["positions"]["hoist"] / 0.4 == pytest.approx(hit["positions"]["mast turn"] / 1.6)
    assert "mast turn" in robot(crane / "crane.urdf", *both, check=1)


def test_all_joints(crane, robot):
    """Each alone, both ways; what follows narrows how far its leader goes."""
    obstacles = ("--with", crane / "slab.stl", "--with", crane / "post.stl")
    plain = json.loads(robot(crane / "crane.urdf", "--sweep-all", *obstacles, "--json", check=1))
    sweeps = [(each["joint"], round(each["to"], 6), each["hit"]) for each in plain["sweeps"]]
    assert sweeps == [
        ("mast turn", -6.283185, True),
        ("mast turn", 6.283185, True),
        ("hoist", 0.9, True),
        ("tilt", -0.25, False),
        ("tilt", 0.25, False),
    ]
    shown = robot(crane / "crane.urdf", "--sweep-all", *obstacles, check=1)
    assert re.search(r"hoist +0\.9 +0\.8\S* +hook meets .*slab\.stl", shown)
    assert re.search(r"tilt +0\.25 +0\.25 +free", shown)
    assert "free" in robot(crane / "crane.urdf", "--sweep-all", check=0)


def test_links_that_pass(crane, robot):
    """A mast that is lowered into its base: the hook, which no joint joins to it, meets the base unless told otherwise."""
    low = CRANE.replace('xyz="1.8 0 0.8"', 'xyz="0 0 0.8"')
    (crane / "low.urdf").write_text(low)
    sweep = (crane / "low.urdf", "--joint", "hoist", "--to", 0.9)
    hit = json.loads(robot(*sweep, "--json", check=1))
    assert (hit["link"], hit["obstacle_link"]) == ("hook", "base")
    assert "hook meets its own base" in robot(*sweep, check=1)
    robot(*sweep, "--ignore", "hook, base", check=0)


def test_packages_and_roots(crane, robot, run):
    (crane / "sub").mkdir()
    named = CRANE.replace("hook.stl", "package://parts/hook.stl")
    (crane / "sub" / "named.urdf").write_text(named)
    assert "--package parts=FOLDER" in run("robot", crane / "sub" / "named.urdf", check=2).stderr
    robot(crane / "sub" / "named.urdf", "--package", f"parts={crane}", check=0)
    (crane / "sub" / "up.urdf").write_text(CRANE.replace("hook.stl", "../hook.stl"))
    assert "on the command line --root" in run("robot", crane / "sub" / "up.urdf", check=2).stderr
    robot(crane / "sub" / "up.urdf", "--root", crane, check=0)


def test_exit_codes(crane, run, monkeypatch):
    """0 free, 1 hit, 2 bad input in one line."""
    monkeypatch.chdir(crane)
    hoist = ("crane.urdf", "--with", "slab.stl", "--joint", "hoist", "--to")
    for arguments, code in (((*hoist, "0.8"), 0), ((*hoist, "0.9"), 1), ((*hoist, "2"), 2)):
        done = run("robot", *arguments, check=code)
        assert (done.stdout == "") is (code == 2)
        assert len(done.stderr.splitlines()) == (code == 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.urdf",), "nowhere.urdf: no such file"),
        (("crane.urdf", "--joint", "hoist"), "given: 1 --joint and 0 --to; every --joint NAME needs its --to VALUE"),
        (("crane.urdf", "--joint", "hoist", "--to", "1", "--joint", "hoist", "--to", "0"), "--joint 'hoist' is given twice"),
        (("crane.urdf", "--joint", "hoist", "--to", "0.1", "--sweep-all"), "give --joint with --to, or --sweep-all, not both"),
        (("crane.urdf", "--joint", "lift", "--to", "1"), "no joint 'lift' in robot 'crane'; it has 'mast turn', 'hoist'"),
        (("crane.urdf", "--joint", "hoist", "--to", "up"), "position of joint 'hoist' is 'up'; expected a number"),
        (("crane.urdf", "--joint", "hoist", "--to", "90deg"), "position of joint 'hoist' is '90deg'; it does not turn"),
        (("crane.urdf", "--joint", "hoist", "--to", "2"), "position of joint 'hoist' is 2; accepted: 0 to 0.9"),
        (("crane.urdf", "--joint", "hoist", "--to", "nan"), "position of joint 'hoist' is nan; it must be finite"),
        (("crane.urdf", "--joint", "weld", "--to", "1"), "joint 'weld' is fixed"),
        (
            ("crane.urdf", "--joint", "echo", "--to", "0.1"),
            "position of joint 'echo' is 0.1, but it follows 'tilt', which puts it at 0",
        ),
        (("crane.urdf", "--joint", "hoist", "--to", "1_0"), "position of joint 'hoist' is '1_0'; expected a number"),
        (("crane.urdf", "--set", "hoist=0.1", "--set", "hoist=0.2"), "--set: a joint is given twice: hoist, hoist"),
        (("crane.urdf", "--set", "hoist"), "--set is 'hoist'; expected JOINT=VALUE"),
        (("crane.urdf", "--set", "hoist=2"), "position of joint 'hoist' is 2; accepted: 0 to 0.9"),
        (("crane.urdf", "--package", "parts"), "--package is 'parts'; expected NAME=FOLDER"),
        (("crane.urdf", "--ignore", "hook"), "--ignore is 'hook'; expected two links: LINK,LINK"),
        (("crane.urdf", "--ignore", "hook,tail"), "no link 'tail' in robot 'crane'"),
        (("crane.urdf", "--geometry", "both"), "geometry is 'both'; accepted: 'collision', 'visual'"),
        (("crane.urdf", "--with", "nowhere.stl"), "nowhere.stl: no such file"),
    ],
)
def test_bad_questions(crane, run, arguments, message):
    words = [str(crane / word) if word.endswith((".urdf", ".stl")) else word for word in arguments]
    done = run("robot", *words, check=2)
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


CRANE_SRDF = """<robot name="crane">
  <group name="boom"><joint name="mast turn"/><joint name="hoist"/></group>
  <group_state name="low" group="boom"><joint name="hoist" value="0.5"/></group_state>
  <disable_collisions link1="base" link2="hook" reason="Never"/>
</robot>"""


def test_srdf(crane, robot, run):
    (crane / "crane.srdf").write_text(CRANE_SRDF)
    shown = robot(crane / "crane.urdf", "--srdf", crane / "crane.srdf", check=0)
    assert "group boom: mast turn, hoist" in shown
    assert "state low: hoist 0.5" in shown
    plain = json.loads(robot(crane / "crane.urdf", "--srdf", crane / "crane.srdf", "--json", check=0))
    assert plain["groups"] == {"boom": ["mast turn", "hoist"]}
    assert plain["states"] == {"low": {"hoist": 0.5}}
    done = run("robot", crane / "crane.urdf", "--srdf", crane / "none.srdf", check=2)
    assert "none.srdf: no such file" in done.stderr
    for more in (("--sweep-all",), ("--set", "hoist=0.1"), ("--ignore", "base,mast"), ("--margin", 0.1)):
        done = run("robot", crane / "crane.urdf", "--suggest-ignores", crane / "out.srdf", *more, check=2)
        assert "--suggest-ignores writes a file and does not sweep" in done.stderr
    assert not (crane / "out.srdf").exists()


def test_suggest_ignores(crane, robot):
    """What overlaps is listed, found, written, and then ignored."""
    text = (crane / "crane.urdf").read_text().replace('<origin xyz="1.8 0 0.8"/>', '<origin xyz="0 0 0"/>')
    (crane / "low.urdf").write_text(text.replace('upper="0.9"', 'upper="0.05"'))
    shown = robot(crane / "low.urdf", check=0)
    assert "overlap now: base and hook" in shown
    assert "--suggest-ignores FILE.srdf finds links that need not be tested" in shown
    (crane / "in.srdf").write_text(CRANE_SRDF.replace("base", "mast"))
    files = ("--srdf", crane / "in.srdf", "--suggest-ignores", crane / "out.srdf")
    shown = robot(crane / "low.urdf", *files, "--samples", 20, check=0)
    assert re.search(r"Default +base +hook", shown)
    assert f"wrote {crane / 'out.srdf'}: 2 Adjacent, 1 Default; 20 samples" in shown
    plain = json.loads(robot(crane / "low.urdf", *files, "--samples", 20, "--json", check=0))
    assert plain["robot"] == "crane"
    assert plain["samples"] == 20
    assert ["base", "hook", "Default"] in plain["pairs"]
    shown = robot(crane / "low.urdf", "--srdf", crane / "out.srdf", check=0)
    assert "overlap now" not in shown
    assert "state low: hoist 0.05" in shown
