"""Parts that the papers' pictures share: colors, resolution, an oblique view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DOTS = 150
"""Pixels per inch of the PNG files."""
LINE_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colors that people with any kind of color vision can tell apart (Okabe and Ito)."""


def oblique_frame(elevation: float, azimuth: float) -> NDArray[np.float64]:
    """Return right, up and towards the eye as rows, shape (3, 3); the angles [radians] lift the eye and turn it aside."""
    c, s = np.cos(azimuth), np.sin(azimuth)
    right = np.array((c, s, 0.0))
    eye = np.array((s * np.cos(elevation), -c * np.cos(elevation), np.sin(elevation)))
    return np.array((right, np.cross(eye, right), eye))
