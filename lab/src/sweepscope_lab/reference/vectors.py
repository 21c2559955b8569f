"""Vectors and rotations in NumPy, shared by the reference twins; the kernels have their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]


def dot(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return dot products over the first axis."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return cross products over the first axis."""
    return np.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


def rotation(axis: Array, angle: float) -> NDArray[np.float64]:
    """Return the rotation by `angle` [radians] about a unit axis, shape (3, 3) (Rodrigues)."""
    x, y, z = axis
    across = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * (across @ across)


def random_rotation(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a random rotation, shape (3, 3)."""
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn[:, 0] *= np.sign(np.linalg.det(turn))
    return turn


def random_direction(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a random unit vector, shape (3,)."""
    direction = rng.normal(size=3)
    return direction / np.linalg.norm(direction)
