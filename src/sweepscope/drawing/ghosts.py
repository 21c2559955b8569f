"""Ghosts: translucent bodies at other poses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..scene import Scene
from ..world.body import Body
from ..world.surfaces import corners_of
from .paint import PaintedImage, paint
from .palette import Rgb

if TYPE_CHECKING:
    from .camera import Camera

_Poses = Sequence[NDArray[np.float64]]

_BEHIND = 0.35  # opacity of the hidden part of a ghost, relative to the visible part


class GhostPainter:
    """Draws translucent bodies at other poses."""

    def __init__(self, colors: Mapping[int, Rgb]) -> None:
        """Set the colors of the bodies, by id."""
        self.scene = Scene()
        self._given = colors
        self._colors: dict[int, Rgb] = {}

    def add(self, bodies: Sequence[Body], poses: _Poses) -> GhostPainter:
        """Add bodies at poses, world, shape (4, 4) each. Return itself."""
        for body, pose in zip(bodies, poses, strict=True):
            if not body.shape.empty:
                self._colors[self.scene.add(body.shape, pose).id] = self._given[body.id]
        return self

    def lay_over(self, below: PaintedImage, camera: Camera, opacity: float, dark: bool) -> None:
        """Draw them over an image, which is changed."""
        lay_over(below, self.scene, self._colors, camera, opacity, dark)


def lay_over(below: PaintedImage, scene: Scene, colors: Mapping[int, Rgb], camera: Camera, opacity: float, dark: bool) -> None:
    """Draw a scene over an image, which is changed. colors: by id."""
    boxes = [body.bounds for body in scene if np.isfinite(body.bounds).all()]
    part = camera.crop(np.concatenate([corners_of(box[0], box[1]) for box in boxes])) if boxes else None
    if part is None:
        return
    small, where = part
    ghost = paint(scene, small, colors, dark=dark, shadows=False)
    slack = 2.0 * camera.pixel
    share = np.where(ghost.depth <= below.depth[where] + slack, opacity, _BEHIND * opacity).astype(np.float32) * ghost.cover
    area = below.image[where]
    area += share[..., None] * (ghost.image - area)
