"""What a query answers. Frames and units are in docs/conventions.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .scene import Body


@dataclass(frozen=True, slots=True)
class Feature:
    """The part of a body that touches: a vertex, an edge or a face of its shape.

    kind "none" (face -1, no vertices) stands where there is no contact to speak of: one body wholly inside the other.
    """

    kind: Literal["vertex", "edge", "face", "none"]
    vertices: tuple[int, ...]
    """Indices into the shape's vertices: one, two or three."""
    face: int
    """Index of the face that it was found on."""


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """First contact of a sweep."""

    time: float
    """Share of the motion, 0 .. 1; never later than the truth."""
    travel: float
    """How far the mover went [length]."""
    body: Body
    """What was hit."""
    mover: Body
    """Which of the movers hit it."""
    point: NDArray[np.float64]
    """Where, on the body that was hit: shape (3,) [length], world. Wholly inside: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the body that was hit towards the mover: shape (3,), world. NaN when wholly inside."""
    features: tuple[Feature, Feature]
    """What touches: of the mover, of the body that was hit."""
    overlapping: bool
    """True if the two overlapped already at the start, by more than the tolerance."""
