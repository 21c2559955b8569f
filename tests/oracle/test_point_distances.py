"""Signed distances against rational arithmetic: errors are rounding, and no sign is wrong. `sweepscope verify signed`: more."""

import pytest
from sweepscope_lab.reference.point_cases import KINDS
from sweepscope_lab.verify.signed import judge_meshes


@pytest.mark.slow
def test_against_rational_arithmetic():
    rows = judge_meshes(range(60))
    assert [row for row in rows if row.wrong] == []
    points, inside, on = (sum(getattr(row, name) for row in rows) for name in ("cases", "inside", "on_surface"))
    assert len(rows) == len(KINDS)
    assert points == 60 * 40
    assert 0.15 * points < inside < 0.6 * points
    assert on < 0.2 * points
    assert all(row.inside > 0.03 * row.cases for row in rows)
