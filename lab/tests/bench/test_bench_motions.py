"""`sweepscope bench motions` without pinocchio."""

from types import SimpleNamespace

import numpy as np
import pytest
from sweepscope_lab.bench.motions import PARTS, degrees, measure, slowest, surface_points
from sweepscope_lab.cli.bench import run_bench

from sweepscope import SweepscopeError
from sweepscope.errors import InvalidQuery


def test_points_are_on_the_surfaces_of_boxes():
    boxes = [np.array(((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))), np.array(((5.0, 5.0, 5.0), (5.1, 5.1, 5.1)))]
    points = surface_points(boxes, 4000)
    on = np.zeros(len(points), bool)
    for low, high in boxes:
        inside = ((low <= points) & (points <= high)).all(axis=1)
        on |= inside & ((points == low) | (points == high)).any(axis=1)
    assert on.all()
    top = (points[:, 2] == 3.0).mean()
    assert 0.06 < top < 0.12  # 2 of 22.06


def test_configurations_at_every_degree():
    motions = SimpleNamespace(
        width=lambda changes: np.abs(changes).max(axis=-1), theirs=SimpleNamespace(rows=lambda rows: rows)
    )
    starts = np.zeros((2, 3))
    ends = np.radians([(10.0, -3.0, 0.0), (0.4, 0.0, 0.0)])
    rows = degrees(motions, starts, ends)
    assert [len(each) for each in rows] == [11, 2]
    np.testing.assert_allclose(np.diff(rows[0], axis=0)[:, 0], np.radians(1.0))
    np.testing.assert_array_equal(rows[1], (starts[1], ends[1]))


def test_each_call_runs_several_times_in_turns():
    calls = []
    mean, median, worst = slowest(calls.append, 3, 2)
    assert calls == [0, 1, 2, 0, 1, 2]
    assert 0.0 <= median <= worst
    assert mean <= worst


def test_parts_that_do_not_exist_are_refused():
    with pytest.raises(SweepscopeError, match="--only is 'walls'; accepted: configuration, free"):
        measure(1, print, only="walls")
    with pytest.raises(SweepscopeError, match="needs --problems FILE"):
        measure(1, print, only="problems")
    with pytest.raises(InvalidQuery, match="--only: turn does not take it; accepted for motions"):
        run_bench("turn", 1, False, only="edges")
    assert "edges" in PARTS
