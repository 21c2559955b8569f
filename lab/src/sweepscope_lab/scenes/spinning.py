"""Blades that turn, each about its own hub, to predict which of them will meet."""

from __future__ import annotations

import math

import numpy as np

from sweepscope import Body, Box, Rotate, Scene
from sweepscope.errors import InvalidGeometry


def spinning_blades(
    count: int = 1000, seed: int = 0, *, side: float = 30.0, fastest: float = 0.1
) -> tuple[Scene, dict[Body, Rotate]]:
    """Return a scene of blades and the motion of each in a frame.

    Blades are boxes 1.5 to 3 long, 0.2 to 0.5 wide and 0.05 to 0.15 thick, flat across their axes, 0.2 to 0.8 from their hubs.
    Hubs are anywhere in a cube of `side` [length]; axes have any direction. A blade turns by 0.3 to 1 of `fastest` [radians] a
    frame, in either direction.
    """
    if count < 0:
        raise InvalidGeometry(f"count is {count}; accepted: 0 and more blades")
    rng = np.random.default_rng(seed)
    scene = Scene()
    motions = {}
    for k in range(count):
        size = rng.uniform((1.5, 0.2, 0.05), (3.0, 0.5, 0.15))
        hub = rng.uniform(-0.5 * side, 0.5 * side, 3)
        frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        frame[:, 2] *= math.copysign(1.0, float(np.linalg.det(frame)))
        pose = np.eye(4)
        pose[:3, :3] = frame
        pose[:3, 3] = hub + (rng.uniform(0.2, 0.8) + 0.5 * size[0]) * frame[:, 0]
        angle = fastest * rng.uniform(0.3, 1.0) * rng.choice((-1.0, 1.0))
        motions[scene.add(Box(size), pose, name=f"blade {k}")] = Rotate(frame[:, 2], angle, about=hub)
    return scene, motions
