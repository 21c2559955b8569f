"""Formulas that kernels and Python share: how rigid a pose is, and the point that vertices are measured from.

Plain functions of numbers. Python calls them as they are, kernels compile them, and both get the same bits.
"""

import math

from ..tolerances import FAR_AWAY, POLAR_ROUNDS


def off_rotation(a, b, c, d, e, f, g, h, i):
    """Return how much the rows of a 3x3 matrix differ from perpendicular unit vectors, and whether it mirrors."""
    off = max(
        max(abs(a * a + b * b + c * c - 1.0), abs(d * d + e * e + f * f - 1.0), abs(g * g + h * h + i * i - 1.0)),
        max(abs(a * d + b * e + c * f), abs(a * g + b * h + c * i), abs(d * g + e * h + f * i)),
    )
    return off, a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0


def nearest_rotation(a, b, c, d, e, f, g, h, i):
    """Return the rotation nearest to a 3x3 matrix that is nearly one: Newton's iteration for the polar factor (Higham 1986).

    Each round takes the mean of the matrix and its inverse transposed. What it is off by is squared and halved each time.
    """
    for _ in range(POLAR_ROUNDS):
        # Cofactors, and the determinant.
        ca, cb, cc = e * i - f * h, f * g - d * i, d * h - e * g
        cd, ce, cf = c * h - b * i, a * i - c * g, b * g - a * h
        cg, ch, ci = b * f - c * e, c * d - a * f, a * e - b * d
        scale = 0.5 / (a * ca + b * cb + c * cc)
        a, b, c = 0.5 * a + scale * ca, 0.5 * b + scale * cb, 0.5 * c + scale * cc
        d, e, f = 0.5 * d + scale * cd, 0.5 * e + scale * ce, 0.5 * f + scale * cf
        g, h, i = 0.5 * g + scale * cg, 0.5 * h + scale * ch, 0.5 * i + scale * ci
    return a, b, c, d, e, f, g, h, i


def measured_from(low, high):
    """Return the point (3) that vertices with this box are stored relative to: the origin, or near their center if far away."""
    widest = max(high[0] - low[0], high[1] - low[1], high[2] - low[2])
    if widest < 0.0:  # no vertices at all
        return 0.0, 0.0, 0.0
    x = 0.5 * low[0] + 0.5 * high[0]
    y = 0.5 * low[1] + 0.5 * high[1]
    z = 0.5 * low[2] + 0.5 * high[2]
    far = max(abs(x), abs(y), abs(z))
    if far <= FAR_AWAY * widest:
        return 0.0, 0.0, 0.0
    # It has few bits, so that subtracting it is exact for nearly all vertices.
    grain = math.ldexp(1.0, math.frexp(far)[1] - 24)
    return round(x / grain) * grain, round(y / grain) * grain, round(z / grain) * grain
