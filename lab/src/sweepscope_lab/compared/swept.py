"""Straight sweeps in place of a rotation (thesis, 1.1): a sphere around the box (swept sphere volume, SSV), or the box."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Box, Capsule, Shape, checks

from .box_rotation import BoxRotation, SweptVolume, box_rotation


def _chord(motion: BoxRotation) -> NDArray[np.float64]:
    """Return the vector from the box's center at the start to that at the end [length], shape (3,)."""
    along = motion.axis * (motion.axis @ motion.center)
    ahead = np.cross(motion.axis, motion.center)
    return (motion.center - along) * (math.cos(motion.angle) - 1.0) + ahead * math.sin(motion.angle)


class SweptSphere(SweptVolume):
    """The box's bounding sphere, moved straight from the start to the end of a rotation: a capsule."""

    p0: NDArray[np.float64]
    """Center at the start [length], shape (3,), world."""
    p1: NDArray[np.float64]
    """Center at the end [length], shape (3,), world."""
    radius: float
    """Half the box's diagonal [length]."""

    def __init__(
        self, box: Box, pose: ArrayLike | None, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        motion = box_rotation(box, pose, axis, angle, about)
        self.p0 = checks.fixed(motion.about + motion.center)
        self.p1 = checks.fixed(self.p0 + _chord(motion))
        self.radius = 0.5 * float(np.linalg.norm(motion.widths))
        self._tolerance = motion.rounding

    def solid(self) -> tuple[Shape, NDArray[np.float64], NDArray[np.float64]]:
        """Return it as a capsule at rest."""
        return Capsule.from_segment(self.p0, self.p1, radius=self.radius), np.eye(4), np.zeros(3)

    def _hits(self, places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.bool_]:
        from ..kernels.compared_sweeps import spheres_on_capsule

        out = np.zeros(len(places), np.bool_)
        spheres_on_capsule(self.p0, self.p1, self.radius, places, radii, self._tolerance, out)
        return out


class StraightSweep(SweptVolume):
    """The box moved straight from the start to the end of a rotation, with its orientation at the start."""

    vector: NDArray[np.float64]
    """From start to end [length], shape (3,), world."""

    def __init__(
        self, box: Box, pose: ArrayLike | None, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        motion = box_rotation(box, pose, axis, angle, about)
        self._motion = motion
        self.vector = checks.fixed(_chord(motion))

    def solid(self) -> tuple[Shape, NDArray[np.float64], NDArray[np.float64]]:
        """Return the box at its start, and where it goes."""
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = self._motion.turn, self._motion.about + self._motion.center
        return Box(self._motion.widths), pose, np.array(self.vector)

    def _hits(self, places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.bool_]:
        from ..kernels.compared_sweeps import spheres_on_straight

        motion = self._motion
        into = motion.turn.T
        frame = np.column_stack((into, -into @ motion.center))
        out = np.zeros(len(places), np.bool_)
        spheres_on_straight(
            *(frame, 0.5 * motion.widths, into @ self.vector),
            *(places - motion.about, radii, motion.rounding, out),
        )
        return out
