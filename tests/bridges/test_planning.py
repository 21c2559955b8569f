"""Plans with the real OMPL: paths are proven free, seeds repeat, errors arrive, its own classes take our checks."""

import json
import math

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import Joint
from sweepscope.planning import Validator, motion_validator, plan, space_information, state_validity_checker

pytestmark = [pytest.mark.bridges, pytest.mark.slow]

START, GOAL = (0.0, 0.0), (1.2, 0.0)


@pytest.fixture
def arm():
    """Two joints about z; a post stands between start and goal."""
    scene = ss.Scene()
    scene.add(ss.Box((0.1, 0.1, 2)), pose=(0.9, 0.5, 0), name="post")
    arm = ss.Robot(scene, name="arm")
    arm.add("base", ss.Box((0.2, 0.2, 0.1)))
    upper, lower = (ss.Capsule.from_segment((x, 0, 0), (0.6, 0, 0), radius=0.04) for x in (0.2, 0.1))
    arm.add("upper", upper, parent="base", joint=Joint.revolute("shoulder", (0, 0, 1)))
    elbow = Joint.revolute("elbow", (0, 0, 1), origin=(0.7, 0, 0), limits=(-2.6, 2.6))
    arm.add("lower", lower, parent="upper", joint=elbow)
    return arm


def states(si, *configurations):
    found = []
    for q in configurations:
        state = si.allocState()
        for k, value in enumerate(q):
            state[k] = value
        found.append(state)
    return found


@pytest.mark.parametrize("planner", ["RRTConnect", "RRT", "PRM", "BITstar", "KPIECE1", "LBKPIECE1"])
def test_planners(arm, planner):
    result = plan(arm, START, GOAL, planner=planner, seconds=2.0, seed=1)
    assert result
    assert result.certified
    assert result.status == "solved"
    assert result.planner == planner
    assert result.path[0].tolist() == list(START)
    assert result.path[-1].tolist() == list(GOAL)
    assert arm.path(result.configurations) is None
    assert result.states > 2
    assert result.motions > 1
    assert arm.q.tolist() == [0.0, 0.0]


def test_a_seed_repeats(arm):
    one, same, other = (plan(arm, START, GOAL, seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(one.path, same.path)
    assert not np.array_equal(one.path, other.path)
    assert plan(arm, START, GOAL, seed=0)
    assert plan(arm, START, GOAL, seed=3, simplify=False).length >= one.length


def test_a_free_straight_motion_is_the_path(arm):
    result = plan(arm, START, (-1.0, 0.5))
    assert result.path.tolist() == [[0.0, 0.0], [-1.0, 0.5]]
    assert (result.states, result.motions) == (2, 1)


def test_no_path(arm):
    begun = plan(arm, (0.5, 0.0), GOAL)
    assert (begun.status, begun.hit.obstacle) == ("start is not free", arm.scene["post"])
    ended = plan(arm, START, {"shoulder": 0.5})
    assert (ended.status, ended.as_dict()["hit"]["obstacle"]) == ("goal is not free", "post")
    result = plan(arm, [0.0], [1.2], joints=["shoulder"], bounds={"shoulder": (-0.1, 1.5)}, seconds=0.3)
    assert result.status == "no path found"
    assert result.path.shape == (0, 1)
    assert result.configurations.shape == (0, 2)


def test_margin(arm):
    near = plan(arm, START, GOAL, seed=1)
    far = plan(arm, START, GOAL, seed=1, margin=0.1)
    assert far
    assert Validator(arm, margin=0.1).validate_path(far.path)
    assert not Validator(arm, margin=0.1).validate_path(near.path)
    assert plan(arm, START, GOAL, ignore=[arm.scene["post"]]).length == pytest.approx(1.2)


def test_ends_beyond_the_default_bounds(arm):
    """A joint without limits is planned for from -pi to pi, and as far as start and goal are."""
    assert plan(arm, START, (4.0, 0.0), seed=1).path[-1].tolist() == [4.0, 0.0]


def test_an_unknown_planner(arm):
    with pytest.raises(KeyError, match=r"planner is 'RRTConnected'; accepted: .*'RRTConnect'"):
        plan(arm, START, GOAL, planner="RRTConnected")
    with pytest.raises(KeyError, match="accepted"):
        plan(arm, START, GOAL, planner="PathGeometric")


def test_space_information(arm):
    from ompl import geometric as og

    validator = Validator(arm, ["elbow", "shoulder"])
    si = space_information(validator, bounds={"elbow": (-1.0, 1.0)})
    bounds = si.getStateSpace().getBounds()
    assert [bounds.low[0], bounds.high[0]] == [-1.0, 1.0]
    assert [bounds.low[1], bounds.high[1]] == [-math.pi, math.pi]
    free, beyond, blocked = states(si, (0.0, 0.0), (0.0, 1.2), (0.0, 0.5))
    assert [si.isValid(each) for each in (free, beyond, blocked)] == [True, True, False]
    assert not si.checkMotion(free, beyond)
    assert si.getStateValidityChecker().checked == 3
    assert si.getMotionValidator().checked == 1
    assert og.RRTConnect(si).getSpaceInformation() is not None


def test_checks_in_a_space_of_ones_own(arm):
    from ompl import base as ob
    from ompl import geometric as og

    validator = Validator(arm)
    space = ob.RealVectorStateSpace(2)
    space.setBounds(-2.6, 2.6)
    setup = og.SimpleSetup(space)
    si = setup.getSpaceInformation()
    si.setStateValidityChecker(state_validity_checker(si, validator))
    si.setMotionValidator(motion_validator(si, validator))
    setup.setStartAndGoalStates(*states(si, START, GOAL))
    assert setup.solve(5.0)
    setup.simplifySolution()
    path = [[state[k] for k in range(2)] for state in setup.getSolutionPath().getStates()]
    assert validator.validate_path(path)


def test_a_space_that_does_not_fit(arm):
    from ompl import base as ob

    validator = Validator(arm)
    for space in (ob.RealVectorStateSpace(3), ob.SE2StateSpace()):
        with pytest.raises(ValueError, match=r"si: accepted: of a RealVectorStateSpace\(2\)"):
            motion_validator(ob.SpaceInformation(space), validator)
    with pytest.raises(TypeError, match=r"si: expected an ompl\.base\.SpaceInformation"):
        motion_validator(None, validator)
    with pytest.raises(TypeError, match="validator: expected a Validator"):
        motion_validator(ob.SpaceInformation(ob.RealVectorStateSpace(2)), arm)


def test_an_error_inside_a_check_arrives(arm, monkeypatch):
    """Ctrl-C too: a planner does not swallow it."""
    for error in (ss.errors.InvalidQuery("no"), KeyboardInterrupt()):

        def fail(*_, error=error):
            raise error

        validator = Validator(arm)
        si = space_information(validator)
        monkeypatch.setattr(si.getMotionValidator(), "_validate", fail)
        with pytest.raises(type(error)):
            si.checkMotion(*states(si, START, GOAL))


URDF = """<robot name="arm">
  <link name="base"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3"/></joint>
  <link name="upper"><collision><origin xyz="0.4 0 0"/><geometry><box size="0.4 0.08 0.08"/></geometry></collision></link>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.7 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.6" upper="2.6"/></joint>
  <link name="lower"><collision><origin xyz="0.35 0 0"/><geometry><box size="0.5 0.08 0.08"/></geometry></collision></link>
</robot>"""
SRDF = """<robot name="arm">
  <group name="both"><joint name="shoulder"/><joint name="elbow"/></group>
  <group name="last"><joint name="elbow"/></group>
  <group_state name="home" group="both"><joint name="shoulder" value="0"/><joint name="elbow" value="0"/></group_state>
  <group_state name="left" group="both"><joint name="shoulder" value="1.2"/><joint name="elbow" value="0"/></group_state>
</robot>"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    (tmp_path / "arm.srdf").write_text(SRDF)
    scene = ss.Scene()
    scene.add(ss.Box((0.1, 0.1, 2)), pose=(0.9, 0.5, 0), name="post")
    scene.save(tmp_path / "post.npz")
    return tmp_path


def test_the_command(files, run):
    ask = ("plan", files / "arm.urdf", "--with", files / "post.npz", "--seed", 1)
    shown = run(*ask, "--from", "0,0", "--to", "1.2,0deg", "--out", files / "path.npz", check=0).stdout
    assert "certified: no contact anywhere on it" in shown
    assert "path.npz" in shown
    with np.load(files / "path.npz") as held:
        assert held["joints"].tolist() == ["shoulder", "elbow"]
        assert held["path"][-1].tolist() == [1.2, 0.0]
        assert held["certified"]
    states = ("--srdf", files / "arm.srdf", "--from", "home", "--to", "left")
    plain = json.loads(run(*ask, *states, "--json", "--out", files / "path.json", check=0).stdout)
    assert plain["path"] == json.loads((files / "path.json").read_text())["path"]
    assert plain["certified"] is True
    assert plain["path"][-1] == [1.2, 0.0]
    files.joinpath("path.json").unlink()
    blocked = run(*ask, "--from", "0.5,0", "--to", "1.2,0", "--out", files / "path.json", check=1).stdout
    assert "not solved: start is not free: " in blocked
    assert not (files / "path.json").exists()
    last = run(*ask, "--srdf", files / "arm.srdf", "--group", "last", "--set", "shoulder=-1", "--from", 0, "--to", 1, check=0)
    assert "2 waypoints" in last.stdout


def test_the_command_draws(files, run):
    ask = ("plan", files / "arm.urdf", "--with", files / "post.npz", "--seed", 1, "--from", "0,0", "--to", "1.2,0")
    shown = run(*ask, "--picture", files / "plan.png", "--gif", files / "plan.gif", check=0).stdout
    assert "plan.png" in shown
    assert (files / "plan.png").read_bytes()[:4] == b"\x89PNG"
    assert (files / "plan.gif").read_bytes()[:4] == b"GIF8"
