"""When two soups of faces that both move first touch: small steps, every pair of faces looked at after each.

Conservative advancement (Mirtich 1996) on the whole soups: until the fastest corners of both have covered the gap nothing can
meet. Where that step becomes less than FINE of the size it is not shortened any further, so that grazes are passed: contact
shallower than about FINE may be stepped over, deeper contact is always seen. Motions are worked out anew from what describes
them; nothing is shared with the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .nearest import nearest, winding

Array = NDArray[np.float64]

FINE = 1e-5
"""Shortest step [share of the size]."""
_MOST_STEPS = 200000


@dataclass(frozen=True, slots=True)
class Spinner:
    """Faces, shape (n, 3, 3) [length] at the start, each as thick as `radius`, and how they move in a frame."""

    faces: Array
    radius: float = 0.0
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    angle: float = 0.0
    about: tuple[float, float, float] = (0.0, 0.0, 0.0)
    drift: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def at(self, frames: float) -> Array:
        """Return the faces after so many frames, shape (n, 3, 3)."""
        turn = frames * self.angle
        x, y, z = self.axis
        cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
        matrix = np.eye(3) + np.sin(turn) * cross + (1.0 - np.cos(turn)) * (cross @ cross)
        return (self.faces - self.about) @ matrix.T + self.about + frames * np.array(self.drift)

    @property
    def speed(self) -> float:
        """How fast its fastest corner is, at most [length per frame]."""
        arms = np.cross(self.axis, self.faces.reshape(-1, 3) - self.about)
        return abs(self.angle) * float(np.linalg.norm(arms, axis=1).max()) + float(np.linalg.norm(self.drift))

    @property
    def size(self) -> float:
        """Diagonal, radius included [length]."""
        return float(np.linalg.norm(np.ptp(self.faces.reshape(-1, 3), axis=0))) + 2.0 * self.radius


def room_at(first: Spinner, second: Spinner, frames: float) -> float:
    """Return how far apart the two are [length], thickness left out; 0 if faces cross, negative if thick ones overlap."""
    a, b = first.at(frames), second.at(frames)
    # Faces whose balls are further apart than the ends of any others' are not the nearest.
    middle_a, middle_b = a.mean(axis=1), b.mean(axis=1)
    wide_a, wide_b = (np.linalg.norm(x - y[:, None], axis=2).max(axis=1) for x, y in ((a, middle_a), (b, middle_b)))
    away = np.linalg.norm(middle_a[:, None] - middle_b[None], axis=2)
    wide = wide_a[:, None] + wide_b[None]
    i, j = np.nonzero(away - wide <= (away + wide).min() * (1.0 + 1e-12))
    distance, _, crossing = nearest(a[i].transpose(1, 2, 0), b[j].transpose(1, 2, 0))
    thick = first.radius + second.radius
    return float(np.where(crossing, 0.0, distance).min()) - thick


def first_touch(first: Spinner, second: Spinner, horizon: float, margin: float = 0.0) -> float:
    """Return a time [frames] at which the two are in contact, the first seen; infinite if none is."""
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
    raise RuntimeError(f"no answer within {_MOST_STEPS} steps")


def nested(first: Spinner, second: Spinner) -> bool:
    """True if a corner of one is inside the other, a closed surface, at the start."""
    for inner, outer in ((first, second), (second, first)):
        corners = np.unique(inner.faces.reshape(-1, 3), axis=0)
        if (np.abs(winding(corners, outer.faces)) > 0.5).any():
            return True
    return False
