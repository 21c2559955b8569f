"""Where OMPL is not installed, plans and their checks name the extra."""

import sys

import pytest

import sweepscope as ss
from sweepscope.errors import MissingPackage
from sweepscope.planning import Validator, motion_validator, plan, space_information, state_validity_checker


@pytest.fixture
def arm(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("ompl.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ompl", None)
    arm = ss.Robot()
    arm.add("base", ss.Sphere(0.1))
    arm.add("arm", ss.Sphere(0.1), parent="base", joint=ss.Joint.revolute("turn", (0, 0, 1), origin=(1, 0, 0)))
    return arm


@pytest.mark.parametrize(
    "work",
    [
        lambda arm: plan(arm, [0], [1]),
        lambda arm: space_information(Validator(arm)),
        lambda arm: motion_validator(None, Validator(arm)),
        lambda arm: state_validity_checker(None, Validator(arm)),
    ],
)
def test_the_message_names_the_extra(arm, work):
    with pytest.raises(MissingPackage, match=r'plans need OMPL 2: pip install "sweepscope\[plan\]"') as raised:
        work(arm)
    assert raised.value.name == "ompl"


def test_arguments_are_checked_first(arm):
    for bad, message in (
        ({"seconds": 0}, "seconds is 0"),
        ({"seconds": float("inf")}, "seconds is inf"),
        ({"seed": -1}, "seed is -1"),
        ({"simplify": 1}, "simplify is 1"),
        ({"bounds": {"turn": (0, 9)}, "start": [-1]}, r"start: position of joint 'turn' is -1; accepted by bounds: 0 to 9"),
        ({"bounds": {"turn": (1, 0)}}, r"bounds\['turn'\] are 1 to 0; accepted: rising"),
        ({"bounds": {"turn": (1,)}}, r"bounds\['turn'\]: got 1 number"),
        ({"bounds": {"lift": (0, 1)}}, "bounds: 'lift' is not planned for"),
        ({"bounds": [(0, 1)]}, "bounds: expected"),
        ({"joints": ["lift"]}, r"joints\[0\] is 'lift'"),
    ):
        with pytest.raises(ss.SweepscopeError, match=message):
            plan(arm, bad.pop("start", [0]), [1], **bad)


def test_a_slide_without_limits_needs_bounds(arm):
    arm.add("slide", parent="arm", joint=ss.Joint.prismatic("lift", (0, 0, 1)))
    with pytest.raises(ss.SweepscopeError, match=r"joint 'lift' has limits -inf to inf; give bounds="):
        plan(arm, [0, 0], [1, 1])


def test_bounds_respect_joints_that_follow(arm):
    """A follower of twice the value, with limits of its own, halves the range of the joint that it follows."""
    from sweepscope.planning.ompl_validity import bounds_of

    follows = ss.Joint.revolute("echo", (0, 0, 1), limits=(-1, 2), mimic=("turn", 2.0, 0.0))
    arm.add("flag", parent="arm", joint=follows)
    assert bounds_of(Validator(arm), None) == [(-0.5, 1.0)]
    assert bounds_of(Validator(arm), {"turn": (0, 1)}) == [(0.0, 1.0)]
    stuck = ss.Joint.revolute("stuck", (0, 0, 1), limits=(0.5, 0.5))
    arm.add("end", parent="flag", joint=stuck)
    with pytest.raises(ss.SweepscopeError, match=r"joint 'stuck' can only be at 0\.5; leave it out of joints"):
        bounds_of(Validator(arm), None)
