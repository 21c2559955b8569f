"""Lights and a grid around the scene."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_GRID = 15  # lines, each way
_LIGHT, _DARK = (200, 200, 200), (70, 70, 70)


def add_lights(scene: Any) -> None:
    """Add plain lights, which are quick to draw without a GPU too."""
    scene.configure_environment_map(None)
    scene.configure_default_lights(cast_shadow=False)
    scene.add_light_ambient("/light", intensity=2.0)


def add_grid(scene: Any, bounds: NDArray[np.float64], dark: bool) -> None:
    """Add a grid below all bodies, to the scene of all visitors or of one.

    bounds: lowest and highest corner of all bodies [length], shape (2, 3).
    """
    low, high = bounds
    middle, across = 0.5 * (low + high), float(np.linalg.norm(high - low)) or 1.0
    ticks = np.linspace(-0.7, 0.7, _GRID) * across
    # Many short lines: browsers draw a line that ends behind the camera in front of things that hide it.
    x, y = np.meshgrid(ticks, ticks, indexing="ij")
    corners = np.stack((x, y, np.zeros_like(x)), axis=-1)
    along = np.stack((corners[:, :-1], corners[:, 1:]), axis=2).reshape(-1, 2, 3)
    lines = np.concatenate((along, along[..., [1, 0, 2]]))
    below = (middle[0], middle[1], low[2] - 2e-3 * across)
    shade = _DARK if dark else _LIGHT
    scene.add_line_segments("/grid", lines, shade, thickness=1.0, thickness_units="screen", position=below)
