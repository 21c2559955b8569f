"""Bars of free travel, without a browser."""

import re

import pytest

import sweepscope as ss
from sweepscope.viewer.free_travel import bar, free_travel


@pytest.fixture
def slider():
    """A box on a rail from -3 to 3 that meets <b>post</b> at 1."""
    robot = ss.Robot(name="cart")
    robot.scene.add(ss.Box((1, 1, 1)), pose=(2, 0, 0), name="<b>post</b>")
    robot.add("rail", None)
    robot.add("box", ss.Box((1, 1, 1)), parent="rail", joint=ss.Joint.prismatic("drive", (1, 0, 0), limits=(-3.0, 3.0)))
    return robot


def test_free_travel_to_both_sides(slider):
    slider["drive"] = 0.5
    travel = free_travel(slider, "drive", -3.0, 3.0)
    assert travel.value == 0.5
    assert travel.free == (-3.0, pytest.approx(1.0))
    assert travel.hits[0] is None
    assert travel.hits[1].link == "box"
    assert slider["drive"] == 0.5


def test_a_bar_has_the_free_part_of_the_range(slider):
    drawn = bar(free_travel(slider, "drive", -3.0, 3.0))
    _, free, post = re.findall(r"<rect ([^>]*)/>", drawn)
    assert 'x="0.000%"' in free
    assert 'width="66.667%"' in free  # from -3 to 1, of -3 to 3
    assert "#d55e00" in post
    assert "-3 limit" in drawn
    assert "1 box meets &lt;b&gt;post&lt;/b&gt;" in drawn  # names are texts


def test_a_joint_that_cannot_move_has_no_free_part(slider):
    slider["drive"] = 1.5  # inside the post
    travel = free_travel(slider, "drive", -3.0, 3.0)
    assert travel.free == (1.5, 1.5)
    assert all(hit.overlapping for hit in travel.hits)
    assert 'width="0.000%"' in bar(travel)
