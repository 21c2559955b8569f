"""A screw at constant rates through noisy poses, the slow twin of `fit_motion`: matrix exponentials and difference quotients.

Unknowns (12,): position of the body's origin at the last time, a small turn of the last pose from the left, velocity of the
origin, angular velocity. A pose at a time is the exponential of a 4x4 twist
times the last pose. Levenberg and Marquardt's steps go on until the sum of squares does not fall any more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TERMS = 30
_MOST_STEPS = 500
_DIFFERENCE = 1e-6


@dataclass(frozen=True, slots=True)
class FittedScrew:
    """What was found."""

    pose: Array
    """At the last time, shape (4, 4)."""
    velocity: Array
    """Of its origin, shape (3,)."""
    angular_velocity: Array
    cost: float
    """Sum of squares of the residuals, in units of the noise."""
    covariance: Array
    """Of the unknowns, shape (12, 12)."""


def exponential(matrix: Array) -> Array:
    """Return exp of a square matrix: a series of a small part of it, squared again and again."""
    halvings = max(0, int(np.ceil(np.log2(max(np.abs(matrix).sum(), 1e-300)))) + 4)
    small = matrix / 2.0**halvings
    total = term = np.eye(len(matrix))
    for k in range(1, _TERMS):
        term = term @ small / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def twist_matrix(velocity: Array, angular_velocity: Array, place: Array) -> Array:
    """Return the 4x4 twist of a body whose point at `place` moves at a velocity while it turns."""
    x, y, z = angular_velocity
    twist = np.zeros((4, 4))
    twist[:3, :3] = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))
    twist[:3, 3] = velocity - twist[:3, :3] @ place
    return twist


def rotation_vector(turn: Array) -> Array:
    """Return the rotation vector of a rotation by less than half a turn."""
    skew = 0.5 * np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
    sine = float(np.linalg.norm(skew))
    return skew * (np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0)) / sine) if sine > 0.0 else skew


def fit_screw(poses: Array, times: Array, noise: tuple[float, float], guess: tuple[Array, Array]) -> FittedScrew:
    """Return the least squares fit to poses (n, 4, 4) at times (n,); guess: velocity and angular velocity to begin with."""
    last = poses[-1]

    def parts(unknowns: Array) -> tuple[Array, Array]:
        turned = np.zeros((4, 4))
        turned[:3, :3] = twist_matrix(np.zeros(3), unknowns[3:6], np.zeros(3))[:3, :3]
        pose = np.eye(4)
        pose[:3, :3] = exponential(turned)[:3, :3] @ last[:3, :3]
        pose[:3, 3] = last[:3, 3] + unknowns[:3]
        return pose, twist_matrix(unknowns[6:9], unknowns[9:], pose[:3, 3])

    def residuals(unknowns: Array) -> Array:
        pose, twist = parts(unknowns)
        off = []
        for measured, time in zip(poses, times, strict=True):
            there = exponential((time - times[-1]) * twist) @ pose
            off += [(measured[:3, 3] - there[:3, 3]) / noise[0]]
            off += [rotation_vector(measured[:3, :3] @ there[:3, :3].T) / noise[1]]
        return np.concatenate(off)

    def jacobian(unknowns: Array) -> Array:
        return np.stack(
            [
                (residuals(unknowns + step) - residuals(unknowns - step)) / (2.0 * _DIFFERENCE)
                for step in _DIFFERENCE * np.eye(12)
            ],
            axis=1,
        )

    unknowns = np.concatenate((np.zeros(6), *guess))
    off, damping = residuals(unknowns), 1e-3
    for _ in range(_MOST_STEPS):
        slopes = jacobian(unknowns)
        square = slopes.T @ slopes
        step = np.linalg.solve(square + damping * np.diag(np.diag(square)), -slopes.T @ off)
        after = residuals(unknowns + step)
        if after @ after < off @ off:
            unknowns, off, damping = unknowns + step, after, 0.1 * damping
        elif damping > 1e6:
            break
        else:
            damping *= 10.0
    pose, _ = parts(unknowns)
    slopes = jacobian(unknowns)
    covariance = np.linalg.inv(slopes.T @ slopes).astype(np.float64)
    return FittedScrew(pose, unknowns[6:9], unknowns[9:], float(off @ off), covariance)
