"""What is around the scene: lights and a grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .serving import Server

_GRID = 15  # lines, each way
_SHADE = (130, 130, 130)  # seen on white and on black


def set_up(server: Server, bounds: NDArray[np.float64], size: float) -> None:
    """Add plain lights and a grid, which are quick to draw without a GPU too.

    bounds: lowest and highest corner of all bodies [length], shape (2, 3). size: diagonal of what is looked at [length].
    """
    low, high = bounds
    middle, across = 0.5 * (low + high), float(np.linalg.norm(high - low)) or 1.0
    server.initial_camera.near, server.initial_camera.far = 1e-3 * size, 1e3 * across
    server.scene.configure_environment_map(None)
    server.scene.configure_default_lights(cast_shadow=False)
    server.scene.add_light_ambient("/light", intensity=2.0)
    ticks = np.linspace(-0.7, 0.7, _GRID) * across
    # Many short lines: browsers draw a line that ends behind the camera in front of things that hide it.
    x, y = np.meshgrid(ticks, ticks, indexing="ij")
    corners = np.stack((x, y, np.zeros_like(x)), axis=-1)
    along = np.stack((corners[:, :-1], corners[:, 1:]), axis=2).reshape(-1, 2, 3)
    lines = np.concatenate((along, along[..., [1, 0, 2]]))
    below = (middle[0], middle[1], low[2] - 2e-3 * across)
    server.scene.add_line_segments("/grid", lines, _SHADE, thickness=1.0, thickness_units="screen", position=below)
