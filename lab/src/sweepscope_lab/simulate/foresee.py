"""How far can a rolling body move, and what will it touch? Answered by the exact sweep, or by radars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Radar, Rotate, Scene, Translate

from .two_radars import TwoRadars

_HAIR = 1e-8  # share of the size: a motion ends this far before contact, ten times what counts as touching
_MOST_HAIRS = 100.0  # most hairs of motion that this may cost where contact grazes
_NEAR_AXIS = 0.01  # share of the size: a shorter arm counts as this long
_KEEP = 2e-7  # share of the size: a point that has moved less is still in contact
_SKIN = 0.5  # pixels that a radar stops before contact
_KEEP_PIXELS = 1.0  # a point that has moved less is still in contact, with a radar
_RIM = 0.08  # share of the size, next to the axis: here the supporting ground would stop every turn
_SMALL = 0.1  # radians that a pair of radars is used for at a time: the paper's "angles per step are kept small"

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GroundContact:
    """A point where the body touches the ground."""

    local: _Array
    """On the body [length], shape (3,), local."""
    point: _Array
    """The same at the end of the motion that led there, a hair from the ground [length], shape (3,), world."""
    normal: _Array
    """Unit vector from the ground towards the body at landing, shape (3,), world."""


class SweepForesight:
    """Exact: moves a body until it is a hair from the ground."""

    def __init__(self, scene: Scene, body: Body, size: float) -> None:
        self._scene, self._body = scene, body
        self._hair = _HAIR * size
        self._slowest = _NEAR_AXIS * size
        self.keep = _KEEP * size
        self.questions = 0

    def ask(self, motion: Rotate | Translate) -> tuple[float, GroundContact | None]:
        """Return how far a motion can go [radians or length], and the contact that ends it; None if it is free."""
        self.questions += 1
        hit = self._scene.sweep(self._body, motion)
        if hit is None:
            return motion.length, None
        velocity = _velocity(motion, hit.point)
        # Where contact grazes, or near the axis where points hardly move, a full hair would cost too much of the motion.
        slowest = max(float(np.linalg.norm(velocity)) / _MOST_HAIRS, self._slowest if isinstance(motion, Rotate) else 0.0)
        back = self._hair / max(-float(velocity @ hit.normal), slowest)
        travel = max(hit.travel - back, 0.0)
        return travel, _contact(self._body, motion, hit.travel, travel, hit.point, hit.normal)


class RadarForesight:
    """As published: one radar reads drops, two radars read turns, in steps of a small angle."""

    def __init__(self, scene: Scene, body: Body, size: float, pixels: int) -> None:
        self._body = body
        self._radars = TwoRadars(scene, body, pixels, rim=_RIM * size)
        self._radar = Radar(scene, body, pixels)
        self._skin = _SKIN * size / pixels
        self.keep = _KEEP_PIXELS * size / pixels
        self.questions = 0

    def ask(self, motion: Rotate | Translate) -> tuple[float, GroundContact | None]:
        """Return how far a motion can go [radians or length], and the contact that ends it; None if it is free."""
        if isinstance(motion, Translate):
            self.questions += 1
            reading = self._radar.probe(motion)
            if not reading.hit:
                return motion.length, None
            travel = max(reading.travel - self._skin, 0.0)
            return travel, _contact(self._body, motion, reading.travel, travel, reading.centre, reading.normal)
        start, turned = self._body.pose, 0.0
        try:
            while turned < motion.length:
                self.questions += 1
                part = Rotate(motion.axis, min(_SMALL, motion.length - turned), motion.about)
                reading = self._radars.probe(part)
                turned += reading.angle
                if reading.hit:
                    break
                self._body.pose = part.at() @ self._body.pose
            else:
                return motion.length, None
        finally:
            self._body.pose = start
        back = self._skin / float(np.linalg.norm(_velocity(motion, reading.point)))
        travel = max(turned - back, 0.0)
        return travel, _contact(self._body, motion, turned, travel, reading.point, reading.normal)


def _velocity(motion: Rotate | Translate, point: _Array) -> _Array:
    """Return the velocity of a point for each radian or length of a motion, shape (3,)."""
    if isinstance(motion, Translate):
        return np.array(motion.vector) / motion.length
    axis = np.array(motion.axis) * (-1.0 if motion.angle < 0.0 else 1.0)
    return np.cross(axis, point - np.array(motion.about))


def _contact(body: Body, motion: Rotate | Translate, meets: float, ends: float, point: _Array, normal: _Array) -> GroundContact:
    """Return the contact at a ground point that a motion meets at travel `meets`; the motion stops at travel `ends`."""
    pose = motion.at(min(meets / motion.length, 1.0)) @ body.pose
    local = (point - pose[:3, 3]) @ pose[:3, :3]
    pose = motion.at(min(ends / motion.length, 1.0)) @ body.pose
    return GroundContact(local, pose[:3, :3] @ local + pose[:3, 3], normal)
