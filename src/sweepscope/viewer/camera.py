"""Where the camera is: it shows what is asked about, not the whole scene."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..drawing.framing import subject_of
from ..motion import Motion
from ..world.body import Body
from ..world.surfaces import corners_of

_TOWARDS_EYE = np.array((0.6, -0.75, 0.5)) / math.hypot(0.6, 0.75, 0.5)
_RIGHT = np.array((0.75, 0.6, 0.0)) / math.hypot(0.75, 0.6)
_UP = np.cross(_TOWARDS_EYE, _RIGHT)
_AROUND = 1.3  # what is seen, beside what is asked about
_STEPS = 8  # of a motion
FOV = math.radians(45.0)
"""Vertical field of view [radians]."""
ASPECT = 1.05
"""Width by height of a window beside its panel, until a visitor's own is known."""

Array = NDArray[np.float64]


def points_of_bodies(bodies: Sequence[Body]) -> Array:
    """Return places that a picture of these bodies must show [length], shape (n, 3), world: without far ends of floors."""
    return subject_of([body for body in bodies if not body.shape.empty]).points


def points_of_motion(movers: Sequence[Body], motion: Motion, time: float) -> Array:
    """Return places that movers pass up to a time, 0 .. 1 [length], shape (n, 3), world."""
    boxes = [corners_of(*mover.bounds) for mover in movers if not mover.shape.empty and np.isfinite(mover.bounds).all()]
    corners = np.concatenate(boxes) if boxes else np.zeros((0, 3))
    steps = [motion.at(share) for share in np.linspace(0.0, time, _STEPS + 1).tolist()]
    return np.concatenate([corners @ step[:3, :3].T + step[:3, 3] for step in steps])


def size_of(points: Array) -> float:
    """Return the diagonal of the box around points [length]; 1 if they are all in one place."""
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    return size if size > 0.0 else 1.0


def aim(camera: Any, points: Array, fov: float, aspect: float) -> None:
    """Put a camera of viser where it sees these points [length], world, and some of what is around them."""
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0)) if len(points) else np.zeros(3)
    size = size_of(points)
    away = points - middle if len(points) else np.zeros((1, 3))
    beside, above, nearer = away @ _RIGHT, away @ _UP, away @ _TOWARDS_EYE
    slope = math.tan(0.5 * fov)
    needed = nearer + _AROUND * np.maximum(np.abs(above) / slope, np.abs(beside) / (slope * aspect))
    camera.position = middle + max(float(needed.max()), 0.5 * size) * _TOWARDS_EYE
    camera.look_at = middle


def sees(camera: Any, points: Array) -> bool:
    """Return whether a visitor's camera sees all these points [length], world, if nothing is in the way."""
    ahead = camera.look_at - camera.position
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(ahead, camera.up_direction)
    right = right / np.linalg.norm(right)
    away = points - camera.position
    depth, slope = away @ ahead, math.tan(0.5 * camera.fov)
    beside, above = np.abs(away @ right), np.abs(away @ np.cross(right, ahead))
    return bool(((depth > 0.0) & (above <= slope * depth) & (beside <= slope * camera.aspect * depth)).all())
