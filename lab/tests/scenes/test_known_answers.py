"""The demo's scenes give their known answers."""

import math

import pytest
from sweepscope_lab.scenes import KNOWN_ANSWERS


@pytest.mark.parametrize("build", KNOWN_ANSWERS, ids=lambda build: build.__name__)
def test_known_answer(build):
    case = build()
    hit = case.scene.sweep(case.mover, case.motion)
    if case.travel is None:
        assert hit is None
        return
    assert hit is not None
    assert hit.obstacle.name == case.hits
    assert not hit.overlapping
    if not math.isnan(case.travel):
        assert hit.travel == pytest.approx(case.travel, abs=1e-9)
        assert hit.travel <= case.travel
