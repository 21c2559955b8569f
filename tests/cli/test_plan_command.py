"""`sweepscope plan`: what is refused. tests/bridges/test_planning.py plans with OMPL."""

import pytest

ARM = """<robot name="arm">
  <link name="base"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3"/></joint>
  <link name="upper"><collision><geometry><box size="0.4 0.08 0.08"/></geometry></collision></link>
  <joint name="lift" type="prismatic"><parent link="upper"/><child link="hand"/><origin xyz="0.7 0 0"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.5"/></joint>
  <link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
</robot>"""
SEMANTICS = """<robot name="arm">
  <group name="turn"><joint name="shoulder"/></group>
  <group name="nothing"/>
  <group_state name="home" group="turn"><joint name="shoulder" value="0"/></group_state>
</robot>"""


@pytest.fixture
def ask(tmp_path, run):
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "arm.srdf").write_text(SEMANTICS)

    def ask(*arguments):
        done = run("plan", tmp_path / "arm.urdf", *arguments, check=2)
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
        return done.stderr

    return ask


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--from", "0", "--to", "1,0"), "--from is '0'; accepted: 2 numbers with commas between, for 'shoulder', 'lift'"),
        (("--from", "0,0", "--to", "1,0,0"), "--to: got 3 numbers; accepted: 2 numbers with commas between"),
        (("--from", "home", "--to", "1,0"), "--from is 'home'; accepted: 2 numbers"),
        (("--from", "0,x", "--to", "1,0"), "position of joint 'lift' is 'x'; expected a number"),
        (("--from", "0,9deg", "--to", "1,0"), "position of joint 'lift' is '9deg'; it does not turn"),
        (("--from", "0,0", "--to", "4,0"), "goal: position of joint 'shoulder' is 4; accepted: -3 to 3"),
        (("--from", "0,9", "--to", "1,0"), "position of joint 'lift' is 9; accepted: 0 to 0.5"),
        (("--from", "0,0", "--to", "1,0", "--group", "turn"), "--group is 'turn'; groups of the SRDF file: none"),
        (("--from", "0,0", "--to", "1,0", "--out", "path.txt"), "--out is path.txt; accepted endings: .json, .npz"),
        (("--from", "0,0", "--to", "1,0", "--gif", "plan.png"), "--gif"),
        (("--from", "0,0", "--to", "1,0", "--picture", "plan.gif"), "--picture"),
        (("--from", "0,0", "--to", "1,0", "--seconds", "0"), "seconds is 0"),
        (("--from", "0,0", "--to", "1,0", "--set", "wrist=1"), "no joint 'wrist'"),
        (("--from", "0,0", "--to", "1,0", "--ignore", "hand"), "--ignore is 'hand'; expected two links: LINK,LINK"),
        (("--from", "0,0", "--to", "1,0", "--with", "nowhere.stl"), "nowhere.stl: no such file"),
    ],
)
def test_bad_questions(ask, arguments, message):
    assert message in ask(*arguments)


def test_groups(ask, tmp_path):
    srdf = ("--srdf", tmp_path / "arm.srdf")
    assert "groups of the SRDF file: 'turn'" in ask(*srdf, "--group", "arm", "--from", "home", "--to", "1")
    assert "states: 'home'" in ask(*srdf, "--from", "hom", "--to", "1,0")
