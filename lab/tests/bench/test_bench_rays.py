"""`sweepscope bench rays`: how answers of Embree are compared, without Embree."""

import numpy as np
import pytest
from sweepscope_lab.bench.rays import check_hits, random_rays, rounded

import sweepscope as ss
from sweepscope import SweepscopeError


def test_answers_are_compared_as_float32():
    scene = ss.Scene()
    scene.add(ss.Mesh.sphere(1.0, rows=20, sections=20))
    origins, directions = random_rays(1000)
    np.testing.assert_array_equal(origins, rounded(origins))
    ours = scene.cast(origins, directions)
    assert 500 < ours.hit.sum() < 1000
    note = check_hits(ours, ours.face, ours.distance + 1e-7, 3.0)
    assert note.startswith(f"{ours.hit.sum()} of 1,000 hit")
    with pytest.raises(SweepscopeError, match="differ by"):
        check_hits(ours, ours.face, ours.distance + 1e-3, 3.0)
    with pytest.raises(SweepscopeError, match="disagree whether"):
        check_hits(ours, np.full(1000, -1), ours.distance, 3.0)
