"""The questions that fans are tried on: sound, repeatable, and of every kind that is claimed."""

import dataclasses

import numpy as np
import pytest
from sweepscope_lab.reference.fan_cases import EACH, FANS, OFFS, QUESTIONS, make
from sweepscope_lab.verify.fans import PUBLISHED, ask, ask_published, fans_of

from sweepscope.fan.fan import numbers_of


@pytest.mark.parametrize("question", QUESTIONS)
def test_same_seed_same_cases(question):
    first, again, other = (make(question, 30, seed) for seed in (3, 3, 4))
    assert first.data.keys() == again.data.keys()
    for name, value in first.data.items():
        np.testing.assert_array_equal(value, again.data[name])
        assert np.isfinite(value).all()
        assert len(value) == 30 * EACH
    assert any(not np.array_equal(value, other.data[name]) for name, value in first.data.items())
    assert set(first.fan_kinds) == set(range(len(FANS)))
    assert set(first.kind) == set(range(len(first.kinds)))
    assert (first.sizes > 0.0).all()


@pytest.mark.parametrize("question", ["spheres", "circles"])
def test_fans_are_what_they_are_called(question):
    cases = make(question, 150, 1)
    given = cases.fans
    kind = np.array([FANS[k] for k in cases.fan_kinds])
    assert (given["half_angle"][kind == "no angle"] == 0.0).all()
    assert (given["half_angle"][kind == "right angle"] == np.pi / 2).all()
    assert (given["half_angle"][kind == "over a right angle"] > np.pi / 2).all()
    assert (given["half_angle"][kind == "full"] == np.pi).all()
    assert (given["half_angle"][kind == "nearly full"] < np.pi).all()
    assert (given["inner"][kind == "cake"] == 0.0).all()
    assert (given["inner"] == given["outer"])[kind == "shell"].all()
    assert (given["half_thickness"][kind == "no height"] == 0.0).all()
    assert (given["outer"][kind == "no width"] == 0.0).all()
    far = np.abs(given["center"]).max(axis=1) > 50.0 * np.maximum(given["outer"], given["half_thickness"])
    assert 0.1 < far.mean() < 0.4
    if question == "circles":
        np.testing.assert_array_equal(np.abs(given["axis"]), np.tile((0.0, 0.0, 1.0), (150, 1)))


def test_fans_keep_their_numbers():
    """What the kernels see is what was given: the frame is square, and its third direction is right."""
    cases = make("spheres", 60, 2)
    for k, fan in enumerate(fans_of(cases)):
        numbers = numbers_of(fan)
        np.testing.assert_array_equal(numbers[:3], cases.fans["center"][k])
        np.testing.assert_allclose(numbers[3:6], cases.fans["mid"][k], atol=1e-15)
        np.testing.assert_allclose(numbers[9:12], cases.fans["axis"][k], atol=1e-15)
        np.testing.assert_allclose(numbers[6:9], np.cross(numbers[9:12], numbers[3:6]), atol=1e-15)
        names = ("half_angle", "inner", "outer", "half_thickness")
        np.testing.assert_array_equal(numbers[12:], [cases.fans[name][k] for name in names])


def test_things_are_put_off_contact_as_said():
    """A point put against the outer arc of a fan at the origin is off it by one of OFFS, or by more."""
    seen: set[float] = set()
    for seed in range(4):
        cases = make("points", 60, seed)
        each = np.repeat(np.arange(60), EACH)
        mine = (cases.kind == cases.kinds.index("outer arc")) & (np.abs(cases.fans["center"]).max(axis=1) == 0.0)[each]
        axis, outer = cases.fans["axis"][each[mine]], cases.fans["outer"][each[mine]]
        size = np.maximum(outer, cases.fans["half_thickness"][each[mine]])
        points = cases.data["points"][mine]
        rho = np.linalg.norm(points - np.sum(points * axis, axis=1, keepdims=True) * axis, axis=1)
        off = (rho - outer) / size
        seen |= {share for share in OFFS if (np.abs(off - share) < 1e-14 + 1e-3 * abs(share)).any()}
    assert seen == set(OFFS)


@pytest.mark.parametrize("question", QUESTIONS)
def test_things_of_no_size_are_among_them(question):
    data = make(question, 60, 5).data
    if "radii" in data:
        assert (data["radii"] == 0.0).any()
    if "p0" in data:
        assert (data["p0"] == data["p1"]).all(axis=1).any()
    if "sizes" in data:
        assert (data["sizes"] == 0.0).any()
    if "corners" in data:
        assert (data["many"] == 1.0).any()


@pytest.mark.slow
@pytest.mark.parametrize("power", [-120, 120])
@pytest.mark.parametrize("question", QUESTIONS)
def test_size_does_not_matter(question, power):
    """Scaled by a power of two, nothing is rounded otherwise: the answers are the same to the last one."""
    cases = make(question, 15, 11)
    scale = 2.0**power
    plain = ("axis", "mid", "half_angle", "frames", "many", "which")
    fans = {name: value if name in plain else scale * value for name, value in cases.fans.items()}
    data = {name: value if name in plain else scale * value for name, value in cases.data.items()}
    scaled = dataclasses.replace(cases, fans=fans, data=data)
    for answers in (ask, ask_published) if question in PUBLISHED else (ask,):
        found = answers(scaled, fans_of(scaled))
        np.testing.assert_array_equal(found, answers(cases, fans_of(cases)))
        assert 0.3 < found.mean() < 0.75
