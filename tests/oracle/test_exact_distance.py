"""Distances against rational arithmetic: none too large, error under 1e-9 of the size. `sweepscope verify distance` does more."""

import pytest
from sweepscope_lab.verify.distances import MEET_RATE, judge_distance

CASES = 150


@pytest.mark.slow
def test_all_shapes_against_exact_arithmetic():
    verdicts = [judge_distance(seed) for seed in range(CASES)]
    bad = [verdict for verdict in verdicts if not verdict.fine]
    assert not bad, f"seeds {[verdict.case.seed for verdict in bad]}: {bad[0]}"
    share = sum(verdict.true == 0.0 for verdict in verdicts) / CASES
    assert MEET_RATE[0] < share < MEET_RATE[1]
    names = {type(shape).__name__ for verdict in verdicts for shape in verdict.case.shapes}
    assert names >= {"Box", "Sphere", "Capsule", "PointCloud", "Mesh", "Volume", "Fan"}
