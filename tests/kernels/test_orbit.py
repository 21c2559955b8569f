"""How long a plane along two edges keeps faces apart, against faces carried there."""

import math

import numpy as np
import pytest
from numba import njit

from sweepscope.kernels.base import closest as nearest
from sweepscope.kernels.charts import orbit

LOOKS = 40


# Steps of kernels are inlined: they have no code of their own to call.
@njit
def closest(mover, obstacle):
    return nearest.closest(mover, 3, obstacle, 3)


@njit
def carry_face(chart_params, t, face):
    return orbit.carry_face(chart_params, t, face)


@njit
def spanned(chart_params, up, p, q, mover, i, obstacle, j, room):
    return orbit.spanned(chart_params, up, p, q, mover, 3, i, obstacle, 3, j, room)


@pytest.mark.slow
@pytest.mark.parametrize("pitch", [0.0, 0.7])
def test_a_plane_along_two_edges_is_never_trusted_too_long(pitch):
    rng = np.random.default_rng(5)
    lengths = []
    for _ in range(3000):
        chart_params = (float(rng.choice((0.0, rng.uniform(0.0, 3.0)))), pitch * rng.normal(), 1.0)
        mover = tuple(rng.normal(size=9))
        obstacle = tuple(rng.normal(size=9) + np.tile(2.0 * rng.normal(size=3), 3))
        gap_sq, p, q, f, g = closest(mover, obstacle)
        if not (3 <= f < 6 and 3 <= g < 6) or gap_sq < 1e-8:
            continue
        gap = math.sqrt(gap_sq)
        thick = gap * rng.choice((0.0, 0.5, 0.9, 0.999))
        up = tuple((p[i] - q[i]) / gap for i in range(3))
        far = spanned(chart_params, up, p, q, mover, f - 3, obstacle, g - 3, -thick)
        lengths.append(far)
        for t in np.linspace(0.0, far, LOOKS):
            left = math.sqrt(closest(carry_face(chart_params, t, mover), obstacle)[0])
            assert left >= thick - 1e-9
    assert len(lengths) > 300
    assert np.mean(lengths) > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("thick", [0.0, 0.4])
def test_edges_that_slide_along_each_other_are_passed_in_one_step(thick):
    gap = 1e-9
    height = thick + gap
    mover = (-3.0, 0.0, height, 3.0, 0.0, height, 0.0, 1.0, 4.0)
    obstacle = (0.5, -3.0, 0.0, 0.5, 3.0, 0.0, 1.5, 0.0, -4.0)
    _, p, q, f, g = closest(mover, obstacle)
    assert (f, g) == (3, 3)
    far = spanned((0.0, 0.0, 1.0), (0.0, 0.0, 1.0), p, q, mover, 0, obstacle, 0, -thick)
    assert far > 0.1  # the gap alone would allow 1e-9 / 0.5
