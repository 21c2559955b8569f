"""Speculative CCD: an axis-aligned box around the motion; everything in it counts as hit.

The thesis (Yamamoto 2023) compares its fan with "S-CCD" and does not say which box it uses. So the variants have names:

* A1: around the box at its start and at its end (the literal text).
* A2: around all that the box sweeps.
* D1: A1 with its full size taken as half size. It fits the published figures; this is inferred, not stated.
* physx: around the start, widened by PhysX's contact distance: speed + angular speed * extents, per step
  (`BodySim::updateContactDistance`; extents: length of half the diagonal of the box at the start).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Box, Shape, checks

from .box_rotation import BoxRotation, SweptVolume, box_rotation

VARIANTS = ("A1", "A2", "D1", "physx")
"""Names of the boxes, in the order of `kernels.compared_swung`."""


class Speculative(SweptVolume):
    """The axis-aligned box that speculative CCD puts around a box that turns about an axis, from any pose."""

    low: NDArray[np.float64]
    """Lowest corner [length], shape (3,), world."""
    high: NDArray[np.float64]
    """Highest corner [length], shape (3,), world."""

    def __init__(
        self,
        box: Box,
        pose: ArrayLike | None,
        axis: ArrayLike,
        angle: float,
        about: ArrayLike = (0.0, 0.0, 0.0),
        *,
        variant: str = "A1",
    ) -> None:
        self.variant = checks.choice(variant, "variant", VARIANTS)
        motion = box_rotation(box, pose, axis, angle, about)
        low, high = _bounds(motion, variant)
        self.low, self.high = checks.fixed(low + motion.about), checks.fixed(high + motion.about)
        self._tolerance = motion.rounding

    def solid(self) -> tuple[Shape, NDArray[np.float64], NDArray[np.float64]]:
        """Return it as a box at rest."""
        pose = np.eye(4)
        pose[:3, 3] = 0.5 * (self.low + self.high)
        return Box(self.high - self.low), pose, np.zeros(3)

    def _hits(self, places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.bool_]:
        from ..kernels.compared_sweeps import spheres_on_box

        out = np.zeros(len(places), np.bool_)
        spheres_on_box(self.low, self.high, places, radii, self._tolerance, out)
        return out


def _bounds(motion: BoxRotation, variant: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (low, high), each (3,), relative to the point on the axis."""
    corners = motion.corners()
    along = np.outer(corners @ motion.axis, motion.axis)
    # A corner's coordinates at angle t: along + across cos t + ahead sin t.
    across, ahead = corners - along, np.cross(motion.axis, corners)
    if variant == "physx":
        low, high = corners.min(axis=0), corners.max(axis=0)
        speed = abs(motion.angle) * float(np.linalg.norm(np.cross(motion.axis, motion.center)))
        wider = speed + abs(motion.angle) * 0.5 * float(np.linalg.norm(high - low))
        return low - wider, high + wider
    end = along + across * math.cos(motion.angle) + ahead * math.sin(motion.angle)
    both = np.concatenate((corners, end))
    low, high = both.min(axis=0), both.max(axis=0)
    if variant == "A2":
        size = np.hypot(across, ahead)
        sense = math.copysign(1.0, motion.angle)
        top = np.arctan2(sense * ahead, across)
        turn = min(abs(motion.angle), 2.0 * math.pi)
        reached = [np.mod(top + half, 2.0 * math.pi) <= turn for half in (0.0, math.pi)]
        high = np.maximum(high, np.where(reached[0], along + size, -np.inf).max(axis=0))
        low = np.minimum(low, np.where(reached[1], along - size, np.inf).min(axis=0))
    if variant == "D1":
        half = 0.5 * (high - low)
        low, high = low - half, high + half
    return low, high
