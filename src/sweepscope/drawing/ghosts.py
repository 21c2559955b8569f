"""Ghosts: translucent bodies at other poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..world.surfaces import corners_of
from .paint import PaintedImage, paint
from .palette import Rgb

if TYPE_CHECKING:
    from .arrangement import Arrangement
    from .camera import Camera

_BEHIND = 0.35  # opacity of the hidden part of a ghost, relative to the visible part


def lay_over(
    below: PaintedImage, ghosts: Arrangement, colors: Mapping[int, Rgb], camera: Camera, opacity: float, dark: bool
) -> None:
    """Draw bodies over an image, which is changed. colors: by id."""
    boxes = [body.bounds for body in ghosts.bodies if np.isfinite(body.bounds).all()]
    part = camera.crop(np.concatenate([corners_of(box[0], box[1]) for box in boxes])) if boxes else None
    if part is None:
        return
    small, where = part
    ghost = paint(ghosts, small, colors, dark=dark, shadows=False)
    slack = 2.0 * camera.pixel
    share = np.where(ghost.depth <= below.depth[where] + slack, opacity, _BEHIND * opacity).astype(np.float32) * ghost.cover
    area = below.image[where]
    area += share[..., None] * (ghost.image - area)
