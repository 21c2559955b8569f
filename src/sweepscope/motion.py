"""How things move. A motion knows its chart: the frame in which it is simply +w."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidMotion


def unit(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the vector at length 1; it must not be zero. Scaled first, so that a subnormal one keeps its direction."""
    largest = max(abs(x), abs(y), abs(z))
    x, y, z = x / largest, y / largest, z / largest
    size = math.hypot(x, y, z)
    return x / size, y / size, z / size


def frame_of(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Return a right-handed frame, rows u, v, w flattened to (9,), whose w is the unit vector (x, y, z)."""
    # u is square to the axis that w is least along: exact for motion along an axis.
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        ux, uy, uz = 0.0, z, -y
    elif abs(y) <= abs(z):
        ux, uy, uz = -z, 0.0, x
    else:
        ux, uy, uz = y, -x, 0.0
    size = math.hypot(ux, uy, uz)
    ux, uy, uz = ux / size, uy / size, uz / size
    return np.array((ux, uy, uz, y * uz - z * uy, z * ux - x * uz, x * uy - y * ux, x, y, z))


@dataclass(frozen=True, init=False, slots=True)
class Translate:
    """Straight motion by `vector` [length], without turning. A zero vector asks whether things overlap now."""

    vector: tuple[float, float, float]
    length: float
    frame: NDArray[np.float64] = field(repr=False, compare=False)

    def __init__(self, vector: ArrayLike):
        x, y, z = checks.vector(vector, "Translate.vector", InvalidMotion)
        size = math.hypot(x, y, z)
        object.__setattr__(self, "vector", (x, y, z))
        object.__setattr__(self, "length", size)
        object.__setattr__(self, "frame", frame_of(*((0.0, 0.0, 1.0) if size == 0.0 else unit(x, y, z))))
