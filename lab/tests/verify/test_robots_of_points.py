"""Robots with a link that is one point: its ball has no radius."""

import pytest
from sweepscope_lab.verify.robots import judge, make


@pytest.mark.slow
@pytest.mark.parametrize("seed", [115_000_000, 600_000_056])
def test_a_point_is_followed_through_the_box_of_a_body(seed):
    """Shares of its radius once let no proof be tried, and the sweep did not end."""
    assert not judge(make("several", seed)).wrong
