"""Thin bodies: points and segments without a radius. No ray hits them, so pictures show them with a radius."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..scene import Scene
from ..shapes import Volume
from ..shapes.base import shape_of_arrays
from .arrangement import Arrangement, Placed, arrange


def thicken(bodies: Sequence[Placed], radius: float) -> Arrangement | None:
    """Return the points and segments without a radius, each with this radius [length]; None if there are none."""
    thin = []
    for placed in bodies:
        shape = placed.shape
        if isinstance(shape, Volume) or shape.radius > 0.0 or shape.empty:
            continue
        lines = shape.faces[shape.faces[:, 1] == shape.faces[:, 2]]
        if len(lines):
            thin.append((placed, shape_of_arrays(shape.vertices, lines, radius)))
    if not thin:
        return None
    scene = Scene()
    for placed, shape in thin:
        scene.add(shape, placed.pose)
    thick = arrange(scene)
    # They have the colors of the original bodies.
    thick.bodies = [replace(own, body=placed.body) for own, (placed, _) in zip(thick.bodies, thin, strict=True)]
    return thick
