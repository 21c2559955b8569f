"""What is around the scene: the camera, lights and a grid."""

from __future__ import annotations

import numpy as np

from ..scene import Scene
from .bodies import bounds_of
from .serving import Server

_GRID = 15  # lines, each way


def set_up(server: Server, scene: Scene, dark: bool) -> None:
    """Put the camera where it sees the whole scene, and plain lights and a grid that are quick to draw without a GPU too."""
    low, high = bounds_of(scene)
    middle, size = 0.5 * (low + high), float(np.linalg.norm(high - low)) or 1.0
    camera = server.initial_camera
    camera.look_at = middle
    camera.position = middle + size * np.array((0.6, -0.75, 0.5))
    camera.near, camera.far = 1e-3 * size, 1e3 * size
    server.scene.configure_environment_map(None)
    server.scene.configure_default_lights(cast_shadow=False)
    server.scene.add_light_ambient("/light", intensity=2.0)
    ticks = np.linspace(-0.7, 0.7, _GRID) * size
    ends = np.full(_GRID, 0.7 * size)
    flat = np.zeros(_GRID)
    along = np.stack((np.stack((ticks, -ends, flat), axis=1), np.stack((ticks, ends, flat), axis=1)), axis=1)
    lines = np.concatenate((along, along[..., [1, 0, 2]]))
    below = (middle[0], middle[1], low[2] - 2e-3 * size)
    shade = (70, 70, 70) if dark else (200, 200, 200)
    server.scene.add_line_segments("/grid", lines, shade, thickness=1.0, thickness_units="screen", position=below)
