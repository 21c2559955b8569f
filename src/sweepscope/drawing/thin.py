"""Thin bodies: points and segments without a radius. No ray hits them, so pictures show them with a radius."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..scene import Scene
from ..shapes import Volume
from ..shapes.base import shape_of_arrays

if TYPE_CHECKING:
    from ..world.body import Body


def thicken(bodies: Sequence[Body], radius: float) -> tuple[Scene, dict[int, int]] | None:
    """Return a scene of the points and segments without a radius, each with this radius [length]; None if there are none.

    Also return, for each id in it, the id of the original body.
    """
    scene, stands_for = Scene(), {}
    for body in bodies:
        shape = body.shape
        if isinstance(shape, Volume) or shape.radius > 0.0 or shape.empty:
            continue
        lines = shape.faces[shape.faces[:, 1] == shape.faces[:, 2]]
        if len(lines):
            thick = scene.add(shape_of_arrays(shape.vertices, lines, radius), body.pose)
            stands_for[thick.id] = body.id
    return (scene, stands_for) if stands_for else None
