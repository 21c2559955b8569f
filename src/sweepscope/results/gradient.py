"""Gradients of hits: how the time of a contact changes with poses and motion. `differentiate` computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from .numbers import plain

Reason = Literal["", "overlapping", "start", "grazing", "corner", "parallel"]
REASONS: tuple[Reason, ...] = ("", "overlapping", "start", "grazing", "corner", "parallel")
"""In the order of the kernel's numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class HitGradient(Frozen):
    """Derivatives of `Hit.time` at a contact: how much later it comes for a small change of a pose or of the motion.

    All are NaN if the contact is not `smooth`; those of parameters that the motion does not have are NaN too.
    """

    mover: NDArray[np.float64]
    """With respect to the mover's pose at the start, shape (6,): a translation [1/length] and a rotation [1/radian], world.
    The rotation is about the mover's origin, multiplied from the left. Movers that move as one change together, about the
    origin of `Hit.mover`."""
    obstacle: NDArray[np.float64]
    """The same for the obstacle's pose, about the obstacle's origin."""
    vector: NDArray[np.float64]
    """Of a Translate: with respect to its vector, shape (3,) [1/length]."""
    axis: NDArray[np.float64]
    """Of a Rotate or Screw: with respect to its unit axis, shape (3,), perpendicular to that."""
    angle: float
    """Of a Rotate or Screw: with respect to its angle [1/radian]."""
    slide: float
    """Of a Screw: with respect to its slide [1/length]."""
    about: NDArray[np.float64]
    """Of a Rotate or Screw: with respect to the point on its axis, shape (3,) [1/length], world."""
    smooth: bool
    """Whether the time has derivatives there."""
    reason: Reason
    """Why it has none: they are "overlapping" at the start, or touch there ("start"); the motion is "grazing"; a vertex or
    edge meets another at a "corner", without one normal; the features are "parallel" and meet in more than a point. Else ""."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: arrays as lists, None for absent values."""
        arrays = {name: plain(getattr(self, name)) for name in ("mover", "obstacle", "vector", "axis", "about")}
        numbers = {name: None if np.isnan(getattr(self, name)) else getattr(self, name) for name in ("angle", "slide")}
        return {**arrays, **numbers, "smooth": self.smooth, "reason": self.reason}

    def __repr__(self) -> str:
        if not self.smooth:
            return f"<HitGradient: none, {self.reason}>"
        return f"<HitGradient: mover {np.round(self.mover, 6)}, obstacle {np.round(self.obstacle, 6)}>"


@dataclass(frozen=True, slots=True, eq=False)
class HitGradients(Frozen):
    """Gradients of many hits: the fields of `HitGradient` as arrays of any leading shape. A result of `Hits.gradient`."""

    mover: NDArray[np.float64]
    """With respect to the movers' poses at the start, shape (..., 6)."""
    obstacle: NDArray[np.float64]
    """With respect to the obstacles' poses, shape (..., 6)."""
    vector: NDArray[np.float64]
    """Of translations, shape (..., 3) [1/length]."""
    axis: NDArray[np.float64]
    """Of turns, shape (..., 3)."""
    angle: NDArray[np.float64]
    """Of turns, shape (...) [1/radian]."""
    slide: NDArray[np.float64]
    """Of screws, shape (...) [1/length]."""
    about: NDArray[np.float64]
    """Of turns, shape (..., 3) [1/length], world."""
    smooth: NDArray[np.bool_]
    """Whether the time has derivatives there, shape (...)."""
    reason: NDArray[np.str_]
    """Why it has none, as in `HitGradient`, shape (...); "free" where a motion is free."""

    def __repr__(self) -> str:
        return f"<HitGradients: {int(self.smooth.sum())} of {self.smooth.size} smooth, shape {self.smooth.shape}>"
