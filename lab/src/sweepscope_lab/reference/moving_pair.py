"""First contact of two moving soups of faces: small steps, with a test of all pairs of faces after each.

Conservative advancement (Mirtich 1996) of whole soups: nothing can meet before the fastest corners of both have crossed the
gap. A step is never shorter than FINE of the size. So contact shallower than about FINE may be missed; deeper contact is
always seen. Motions are computed from their parameters; the kernels share no code with this.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .nearest import soup_distance, winding
from .vectors import rotation

Array = NDArray[np.float64]

FINE = 1e-5
"""Shortest step [share of the size]."""
_MOST_STEPS = 200000


@dataclass(frozen=True, slots=True)
class MovingFaces:
    """Faces, shape (n, 3, 3) [length] at the start, each thickened by `radius`, and their motion in a frame."""

    faces: Array
    radius: float = 0.0
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    angle: float = 0.0
    about: tuple[float, float, float] = (0.0, 0.0, 0.0)
    drift: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def at(self, frames: float) -> Array:
        """Return the faces after this many frames, shape (n, 3, 3)."""
        matrix = rotation(np.array(self.axis), frames * self.angle)
        return (self.faces - self.about) @ matrix.T + self.about + frames * np.array(self.drift)

    @property
    def speed(self) -> float:
        """Highest speed of any corner [length per frame]."""
        arms = np.cross(self.axis, self.faces.reshape(-1, 3) - self.about)
        return abs(self.angle) * float(np.linalg.norm(arms, axis=1).max()) + float(np.linalg.norm(self.drift))

    @property
    def size(self) -> float:
        """Diagonal with the radius [length]."""
        return float(np.linalg.norm(np.ptp(self.faces.reshape(-1, 3), axis=0))) + 2.0 * self.radius


def room_at(first: MovingFaces, second: MovingFaces, frames: float) -> float:
    """Return the distance of the two less their radii [length]; the faces' own distance is 0 if they cross."""
    return soup_distance(first.at(frames), second.at(frames))[0] - (first.radius + second.radius)


def first_touch(first: MovingFaces, second: MovingFaces, horizon: float, margin: float = 0.0) -> float:
    """Return the first time [frames] at which contact is seen; infinite if there is none."""
    size = min(first.size, second.size)
    speed = first.speed + second.speed
    t = 0.0
    for _ in range(_MOST_STEPS):
        room = room_at(first, second, t) - margin
        if room <= 1e-12 * size:
            return t
        if t >= horizon or speed == 0.0:
            return np.inf
        t = min(horizon, t + max(room, FINE * size) / speed)
    raise RuntimeError(f"no answer after {_MOST_STEPS} steps")


def nested(first: MovingFaces, second: MovingFaces) -> bool:
    """True if a corner of one is inside the other, a closed surface, at the start."""
    for inner, outer in ((first, second), (second, first)):
        corners = np.unique(inner.faces.reshape(-1, 3), axis=0)
        if (np.abs(winding(corners, outer.faces)) > 0.5).any():
            return True
    return False
