"""Validators: the answers of the robot's own questions, for some joints, for one and for many."""

import math

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import Joint
from sweepscope.planning import Validator, shortcut

FREE, BLOCKED = (0.0, 0.0), (0.5, 0.0)


@pytest.fixture
def arm():
    """Two joints about z; a post half a radian to the left of where it points."""
    scene = ss.Scene()
    scene.add(ss.Box((0.1, 0.1, 2)), pose=(0.9, 0.5, 0), name="post")
    arm = ss.Robot(scene, name="arm")
    arm.add("base", ss.Box((0.2, 0.2, 0.1)))
    upper, lower = (ss.Capsule.from_segment((x, 0, 0), (0.6, 0, 0), radius=0.04) for x in (0.2, 0.1))
    arm.add("upper", upper, parent="base", joint=Joint.revolute("shoulder", (0, 0, 1), limits=(-3, 3)))
    elbow = Joint.revolute("elbow", (0, 0, 1), origin=(0.7, 0, 0), limits=(-2.6, 2.6))
    arm.add("lower", lower, parent="upper", joint=elbow)
    return arm


def test_configurations(arm):
    validator = Validator(arm)
    assert validator.joints == ("shoulder", "elbow")
    assert validator.validate(FREE) is True
    assert validator.validate(BLOCKED) is False
    assert validator.validate([FREE, BLOCKED]).tolist() == [True, False]
    assert validator.validate(np.zeros((2, 3, 2))).shape == (2, 3)
    assert validator.validate(np.zeros((0, 2))).shape == (0,)
    assert arm.q.tolist() == [0.0, 0.0]


def test_motions_and_paths(arm):
    validator = Validator(arm)
    assert validator.validate_motion(FREE, (-1.0, 0.5)) is True
    assert validator.validate_motion(FREE, (1.2, 0.0)) is False  # both ends are free
    assert validator.validate_motion(FREE, [(0.2, 0.0), (1.2, 0.0)]).tolist() == [True, False]
    around = [FREE, (-0.3, 2.5), (1.2, 2.5), (1.2, 0.0)]
    assert validator.validate_path(around) is validator.validate_motion(around[:-1], around[1:]).all().item()
    assert validator.validate_path([FREE, (0.2, 0.0), FREE]) is True
    assert validator.validate_path([FREE]) is True
    assert validator.validate_path([BLOCKED]) is False
    both = validator.validate_path([[FREE, (0.2, 0.0)], [FREE, (1.2, 0.0)]])
    assert both.tolist() == [True, False]
    assert validator.validate_path([[FREE], [BLOCKED]]).tolist() == [True, False]


def test_a_sample_may_miss_what_a_motion_meets(arm):
    """A thin wire between two samples of a planner."""
    arm.scene.add(ss.Mesh.cylinder(radius=1e-4, height=2.0), pose=(0.9, -0.5, 0))
    validator = Validator(arm)
    start, end = np.array((0.0, 0.0)), np.array((-1.0, 0.0))
    samples = start + np.linspace(0, 1, 8)[:, None] * (end - start)
    assert validator.validate(samples).all()
    assert not validator.validate_motion(start, end)


def test_free_share(arm):
    validator = Validator(arm)
    start, goal = np.array(FREE), np.array((1.2, 0.0))
    share = validator.free_share(start, goal)
    assert validator.validate_motion(start, start + share * (goal - start))
    assert not validator.validate_motion(start, start + 1.01 * share * (goal - start))
    assert validator.free_share(FREE, (-1.0, 0.0)) == 1.0
    shares = validator.free_share([FREE, BLOCKED, FREE], [goal, goal, (0.1, 0.0)])
    assert shares[0] == share
    assert math.isnan(shares[1])
    assert shares[2] == 1.0
    assert validator.free_share(np.zeros((2, 3, 2)), goal).shape == (2, 3)


def test_some_joints(arm):
    elbow = Validator(arm, ["elbow"])
    both = Validator(arm, ("elbow", "shoulder"))
    assert elbow.validate([0.0]) is True
    assert both.configurations([(0.1, 0.2)]).tolist() == [[0.2, 0.1]]
    arm.q = (0.3, 0.0)
    assert elbow.configurations([0.5]).tolist() == [0.3, 0.5]  # where the robot is when the question is asked
    assert elbow.validate([0.5]) is Validator(arm).validate((0.3, 0.5))
    arm.q = BLOCKED
    assert elbow.validate([0.0]) is False
    assert both.validate([(0.0, 0.0), (0.0, 0.5)]).tolist() == [True, False]


def test_margin_and_ignore(arm):
    near = (0.38, 0.0)
    assert Validator(arm).validate(near)
    assert not Validator(arm, margin=0.1).validate(near)
    assert Validator(arm, margin=0.1, ignore=[arm.scene["post"]]).validate(near)
    assert Validator(arm, ignore=[arm.scene["post"]]).validate_motion(FREE, (1.2, 0.0))


def test_a_changed_scene(arm):
    validator = Validator(arm)
    arm.scene["post"].pose = (0.9, -0.5, 0)
    assert validator.validate(BLOCKED)
    assert not validator.validate((-0.5, 0.0))


def test_configuration_of_names(arm):
    validator = Validator(arm)
    arm.q = (0.1, 0.2)
    assert validator.configuration({"elbow": 1}).tolist() == [0.1, 1.0]
    assert validator.configuration([0.3, 0.4]).tolist() == [0.3, 0.4]
    assert validator.configuration([3.0 + 1e-9, 0.0]).tolist() == [3.0, 0.0]


@pytest.mark.parametrize(
    ("work", "error", "message"),
    [
        (lambda arm: Validator("arm"), TypeError, "robot: expected a Robot, got 'arm'"),
        (lambda arm: Validator(arm, "elbow"), TypeError, "joints: expected names in a list, got 'elbow'"),
        (lambda arm: Validator(arm, ["wrist"]), KeyError, "joints[0] is 'wrist'; accepted: 'shoulder', 'elbow'"),
        (lambda arm: Validator(arm, ["elbow", "elbow"]), ValueError, "joints[1] is 'elbow', which is given twice"),
        (lambda arm: Validator(arm, []), ValueError, "joints: got none"),
        (lambda arm: Validator(arm, margin=-1), ValueError, "margin is -1"),
        (lambda arm: Validator(arm, accuracy=0), ValueError, "accuracy is 0"),
        (lambda arm: Validator(arm, threads=0), ValueError, "threads is 0"),
        (lambda arm: Validator(arm).validate([0.0]), ValueError, "q: got shape (1,); accepted: (..., 2)"),
        (lambda arm: Validator(arm).validate("home"), TypeError, "q: expected"),
        (lambda arm: Validator(arm).validate_motion(FREE, [0.0]), ValueError, "b: got shape (1,)"),
        (lambda arm: Validator(arm).validate_path(FREE), ValueError, "waypoints: got shape (2,)"),
        (lambda arm: Validator(arm).validate_path(np.zeros((0, 2))), ValueError, "waypoints: got shape (0, 2)"),
        (lambda arm: Validator(arm).configuration({"wrist": 0}), KeyError, "'wrist' is not planned for"),
        (lambda arm: Validator(arm).configuration([0, 3]), ValueError, "position of joint 'elbow' is 3; accepted: -2.6 to 2.6"),
        (lambda arm: Validator(arm).configuration([0, math.nan]), ValueError, "position of joint 'elbow' is nan"),
        (lambda arm: Validator(arm).configuration([[0, 0]]), ValueError, "got shape (1, 2); accepted: one configuration"),
        (lambda arm: shortcut(Validator(arm), FREE), ValueError, "waypoints: got shape (2,); accepted: (n, 2)"),
        (lambda arm: shortcut(Validator(arm), [FREE], tries=-1), ValueError, "tries is -1"),
        (lambda arm: shortcut(Validator(arm), [FREE, (99.0, 0.0)]), ValueError, "accepted: -3 to 3"),
    ],
)
def test_bad_arguments(arm, work, error, message):
    with pytest.raises(ss.SweepscopeError) as raised:
        work(arm)
    assert isinstance(raised.value, error)
    assert message in str(raised.value)


def length(path):
    return np.linalg.norm(np.diff(path, axis=0), axis=1).sum()


def test_a_shortcut_is_shorter_and_free(arm):
    """A detour away from the post and back, and a needed one around it."""
    validator = Validator(arm)
    detour = np.array([FREE, (-2.0, 1.0), (-1.0, -2.0), (0.2, 0.0)])
    shorter = shortcut(validator, detour, seed=1)
    assert shorter[0].tolist() == detour[0].tolist()
    assert shorter[-1].tolist() == detour[-1].tolist()
    assert length(shorter) < 0.5 * length(detour)
    assert validator.validate_path(shorter)
    assert np.array_equal(shorter, shortcut(validator, detour, seed=1))
    assert shortcut(validator, detour, tries=0) is not detour
    assert shortcut(validator, detour, tries=0).tolist() == detour.tolist()
    assert shortcut(validator, [FREE, FREE, FREE], seed=0).tolist() == [list(FREE), list(FREE)]
    assert shortcut(validator, [FREE]).tolist() == [list(FREE)]


def test_a_shortcut_does_not_cut_through(arm):
    validator = Validator(arm)
    around = np.array([FREE, (-0.4, 2.4), (1.3, 2.4), (1.2, 0.0)])
    assert validator.validate_path(around)
    for seed in range(3):
        shorter = shortcut(validator, around, seed=seed)
        assert length(shorter) < length(around)
        assert validator.validate_path(shorter)
