"""Blades that spin, each on a hub of its own, for predicting which of them will meet."""

from __future__ import annotations

import math

import numpy as np

from ..errors import InvalidGeometry
from ..motion import Rotate
from ..scene import Body, Scene
from ..shapes import Box


def spinning_blades(
    count: int = 1000, seed: int = 0, *, side: float = 30.0, fastest: float = 0.1
) -> tuple[Scene, dict[Body, Rotate]]:
    """Return a scene of blades and how each spins in a frame.

    Blades are boxes 1.5 to 3 long, 0.2 to 0.5 wide and 0.05 to 0.15 thick, flat across their axes, at 0.2 to 0.8 from hubs that
    lie anywhere in a cube of `side` [length]; axes look anywhere. They turn either way, by 0.3 to 1 of `fastest` [radians] a
    frame.
    """
    if count < 0:
        raise InvalidGeometry(f"count is {count}; accepted: 0 and more blades")
    rng = np.random.default_rng(seed)
    scene = Scene()
    spins = {}
    for k in range(count):
        size = rng.uniform((1.5, 0.2, 0.05), (3.0, 0.5, 0.15))
        hub = rng.uniform(-0.5 * side, 0.5 * side, 3)
        frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        frame[:, 2] *= math.copysign(1.0, float(np.linalg.det(frame)))
        pose = np.eye(4)
        pose[:3, :3] = frame
        pose[:3, 3] = hub + (rng.uniform(0.2, 0.8) + 0.5 * size[0]) * frame[:, 0]
        angle = fastest * rng.uniform(0.3, 1.0) * rng.choice((-1.0, 1.0))
        spins[scene.add(Box(size), pose, name=f"blade {k}")] = Rotate(frame[:, 2], angle, hub)
    return scene, spins
