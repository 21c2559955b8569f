"""Constant twists: how points move while a body turns and moves at constant rates; many rotation vectors at once.

With rotation vector phi and theta = |phi|, a body that is moved by a twist (u, phi) turns by exp(phi), and its origin moves by
V(phi) u, where V = 1 + a [phi] + b [phi]^2 is the left Jacobian of rotations.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SMALL_SQ = 0.01
"""Square of an angle [radians^2] below which coefficients are series: closed forms are differences of nearly equal numbers."""


def crosses(vectors: Array) -> Array:
    """Return the matrices [v] with [v] x = v x x, shape (..., 3, 3), of vectors (..., 3)."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    return np.stack((zero, -z, y, z, zero, -x, -y, x, zero), axis=-1).reshape(*vectors.shape, 3)


def rotations(vectors: Array) -> Array:
    """Return the rotation matrices, shape (n, 3, 3), of rotation vectors (n, 3)."""
    return rotations_and_jacobians(vectors)[0]


def rotations_and_jacobians(vectors: Array) -> tuple[Array, Array]:
    """Return rotation matrices, and V, each shape (n, 3, 3), of rotation vectors (n, 3).

    exp(phi + d) = exp(V d) exp(phi) for small d.
    """
    sine, a, b = _coefficients(vectors)
    once = crosses(vectors)
    twice = once @ once
    turns = np.eye(3) + sine[:, None, None] * once + a[:, None, None] * twice
    return turns, np.eye(3) + a[:, None, None] * once + b[:, None, None] * twice


def jacobian_derivatives(vectors: Array, moved: Array) -> Array:
    """Return the derivatives of V(phi) u with respect to phi, shape (n, 3, 3), for rotation vectors (n, 3) and one u (3,)."""
    sine, a, b = _coefficients(vectors)
    sq = (vectors * vectors).sum(axis=1)
    small = sq < _SMALL_SQ
    safe = np.where(small, 1.0, sq)
    a_slope = np.where(small, -1 / 12 + sq * (1 / 180 - sq / 6720), (sine - 2.0 * a) / safe)  # a' / theta
    b_slope = np.where(small, -1 / 60 + sq * (1 / 1260 - sq / 60480), (a - 3.0 * b) / safe)  # b' / theta
    side = crosses(moved)
    once = -vectors @ side.T  # phi x u
    dots = vectors @ moved
    twice = vectors * dots[:, None] - moved * sq[:, None]  # phi x (phi x u)
    along = (a_slope[:, None] * once + b_slope[:, None] * twice)[:, :, None] * vectors[:, None, :]
    outer = vectors[:, :, None] * moved - 2.0 * moved[:, None] * vectors[:, None, :] + dots[:, None, None] * np.eye(3)
    return along + b[:, None, None] * outer - a[:, None, None] * side


def _coefficients(vectors: Array) -> tuple[Array, Array, Array]:
    """Return sin(theta) / theta, a = (1 - cos(theta)) / theta^2, b = (theta - sin(theta)) / theta^3, shape (n,) each."""
    sq = (vectors * vectors).sum(axis=1)
    theta = np.sqrt(sq)
    sine = np.sinc(theta / np.pi)
    a = 0.5 * np.sinc(theta / math.tau) ** 2
    small = sq < _SMALL_SQ
    b = np.where(small, 1 / 6 - sq * (1 / 120 - sq * (1 / 5040 - sq / 362880)), (1.0 - sine) / np.where(small, 1.0, sq))
    return sine, a, b
