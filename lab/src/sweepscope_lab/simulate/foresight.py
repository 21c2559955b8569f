"""How far can a rolling body move, and what will it touch? By the exact sweep, an angular radar, or straight radars."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Rotate, Scene, Translate
from sweepscope.radar import Radar
from sweepscope.results import Method

from .straight_radars import StraightRadars, TurnReading

_HAIR = 1e-8  # share of the size: a motion ends this far before contact, ten times what counts as touching
_MOST_HAIRS = 100.0  # most hairs of motion that this may cost where contact grazes
_NEAR_AXIS = 0.01  # share of the size: a shorter arm counts as this long
_KEEP = 2e-7  # share of the size: a point that has moved less is still in contact
_SKIN = 0.5  # pixels that straight radars stop before contact
_ANGULAR_SKIN = 1.0  # pixels that an angular radar does: half as many left a star's tips in the ground
_KEEP_PIXELS = 1.0  # a point that has moved less is still in contact, with a radar
_RIM = 0.08  # share of the size, next to the axis: here the supporting ground would stop every turn
_STEPPED_RIM = 0.02  # the same, in steps to a detection limit: they end nearer to contact, and sink in less
SMALL = 0.1
"""Radians that straight radars are used for at a time: the paper keeps angles small and gives no number."""
_MOST_BACKS = 20  # looks after a step that led into the ground
_STEP_OF_LIMIT = 2.0  # a step, in detection limits: twice as many halve what a turn goes too far

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

    def ask(self, motion: Rotate | Translate) -> tuple[float, tuple[GroundContact, ...]]:
        """Return how far a motion can go [radians or length], and the contact that ends it; none if it is free."""
        self.questions += 1
        hit = self._scene.sweep(self._body, motion)
        if hit is None:
            return motion.length, ()
        velocity = _velocity(motion, hit.point)
        # Where contact grazes, or near the axis where points hardly move, a full hair would cost too much of the motion.
        slowest = max(float(np.linalg.norm(velocity)) / _MOST_HAIRS, self._slowest if isinstance(motion, Rotate) else 0.0)
        back = self._hair / max(-float(velocity @ hit.normal), slowest)
        travel = max(hit.travel - back, 0.0)
        return travel, (_contact(self._body, motion, hit.travel, travel, hit.point, hit.normal),)


class AngularForesight:
    """One radar reads drops, and turns on circles about their axis: any angle at once, with no rule for a pixel's angle."""

    def __init__(self, scene: Scene, body: Body, size: float, pixels: int) -> None:
        self._body = body
        self._radar = Radar(scene, body, pixels=pixels)
        self._skin = _ANGULAR_SKIN * size / pixels
        self._nearest = size / pixels
        self.keep = _KEEP_PIXELS * size / pixels
        self.questions = 0

    def ask(self, motion: Rotate | Translate) -> tuple[float, tuple[GroundContact, ...]]:
        """Return how far a motion can go [radians or length], and the contact that ends it; none if it is free."""
        self.questions += 1
        found = read_ahead(self._radar, motion)
        if found is None:
            return motion.length, ()
        meets, center, normal = found
        speed = float(np.linalg.norm(_velocity(motion, center)))
        back = self._skin / max(speed, self._nearest if isinstance(motion, Rotate) else 0.0)
        travel = max(meets - back, 0.0)
        return travel, (_contact(self._body, motion, meets, travel, center, normal),)


def read_ahead(radar: Radar, motion: Rotate | Translate) -> tuple[float, _Array, _Array] | None:
    """Return travel to contact [radians or length], its point and its normal (3,), world; None if the motion is free.

    A sample may be late, and leave a body a little in the ground. A turn is not held by what it is in, but by what is ahead.
    """
    reading = radar.probe(motion)
    if not reading.hit:
        return None
    if not (reading.overlapping and isinstance(motion, Rotate)):
        return reading.travel, reading.center, reading.normal
    gaps = np.where(reading.ids >= 0, reading.lookat, np.inf)
    row, column = np.unravel_index(np.nanargmin(gaps), gaps.shape)
    if not gaps[row, column] <= motion.length:
        return None
    return float(gaps[row, column]), reading.view.at(column, row, reading.range[row, column], gaps.shape), reading.normal


class StraightForesight:
    """One radar reads drops, straight radars around the axis read turns, in steps of a small angle.

    count, placement, rule, behind: of `StraightRadars`. rim [sizes]: nothing nearer to the axis is tested; None: as much as
    rolling needs. limit [radians]: None ends a turn at the angle that is read; a number is the paper's detection limit: as long
    as all radars allow more the body turns, by twice the limit at most, and they look again. turn_back: the body turns first,
    and back by the overlap that is read, until less than the limit is left. ends: whether contacts are both ends of the next
    axis in the collision's picture, which needs a limit, or the one place of the least angle. drops: method of the radar that
    reads drops; a published drop ends where it reads contact, others half a pixel before.
    """

    def __init__(
        self,
        scene: Scene,
        body: Body,
        size: float,
        pixels: int,
        *,
        count: int = 2,
        placement: str = "around",
        rule: str = "arm",
        behind: str = "skip",
        rim: float | None = None,
        limit: float | None = None,
        turn_back: bool = False,
        ends: bool = False,
        drops: Method = "sampled",
    ) -> None:
        self._body = body
        if rim is None:
            rim = _RIM if limit is None else _STEPPED_RIM
        self._radars = StraightRadars(
            scene,
            body,
            pixels,
            count=count,
            placement=placement,
            rule=rule,
            rim=rim * size,
            behind="overlap" if turn_back else behind,
        )
        self._step = SMALL if limit is None or turn_back else min(_STEP_OF_LIMIT * limit, SMALL)
        self._radar = Radar(scene, body, pixels=pixels, method=drops)
        self._skin = _SKIN * size / pixels
        self._drop_skin = 0.0 if drops == "published" else self._skin
        self._limit, self._turn_back, self._ends = limit, turn_back, ends
        self.keep = _KEEP_PIXELS * size / pixels
        self.questions = 0

    def ask(self, motion: Rotate | Translate) -> tuple[float, tuple[GroundContact, ...]]:
        """Return how far a motion can go [radians or length], and the contacts that end it; none if it is free."""
        if isinstance(motion, Translate):
            self.questions += 1
            reading = self._radar.probe(motion)
            if not reading.hit:
                return motion.length, ()
            travel = max(reading.travel - self._drop_skin, 0.0)
            return travel, (_contact(self._body, motion, reading.travel, travel, reading.center, reading.normal),)
        if self._turn_back and self._limit is not None:
            turned, reading, looks = turn_and_back(self._radars, motion, self._limit, self._step)
        else:
            turned, reading, looks = turn_until(self._radars, motion, self._limit, self._step)
        self.questions += looks
        if reading is None:
            return motion.length, ()
        meets = turned + max(reading.angle, 0.0)
        if self._limit is None:
            back = self._skin / float(np.linalg.norm(_velocity(motion, reading.point)))
            travel = max(meets - back, 0.0)
        else:
            travel = turned
        places = [(reading.point, reading.normal)]
        sector = reading.sectors[reading.radar]
        if self._ends and self._limit is not None and sector is not None:
            pixels = sector.axis_ends(self._limit)
            places = [self._radars.ground_at(sector, int(row), int(column), motion)[1:] for row, column in pixels]
        return travel, tuple(_contact(self._body, motion, meets, travel, *place) for place in places)


def turn_until(
    radars: StraightRadars, motion: Rotate, limit: float | None, step: float = SMALL
) -> tuple[float, TurnReading | None, int]:
    """Turn in small steps until the radars see contact: the paper's steps 1 to 3. The body is back at its start afterwards.

    Returns the angle turned [radians], the reading that ended it, None if the whole motion is free, and how often they looked.
    limit [radians]: the detection limit; None: contact is whatever they see within a step. step [radians]: the most that they
    look ahead and turn at a time.
    """
    body = radars.body
    start, turned, looks = body.pose, 0.0, 0
    try:
        while turned < motion.length:
            reading = radars.probe(_part(motion, min(step, motion.length - turned)))
            looks += 1
            if reading.hit and (limit is None or reading.angle <= limit):
                return turned, reading, looks
            turned += reading.angle
            body.pose = motion.at(min(turned / motion.length, 1.0)) @ start
        return motion.length, None, looks
    finally:
        body.pose = start


def turn_and_back(
    radars: StraightRadars, motion: Rotate, limit: float, step: float = SMALL
) -> tuple[float, TurnReading | None, int]:
    """Turn by a step, test, and turn back by the overlap that is read: a way that the paper names and did not take (section 3).

    Returns as `turn_until` does; the reading is the last one with an overlap. radars: with `behind="overlap"`. limit [radians]:
    it goes on turning back until it reads less. step [radians]: turned at a time.
    """
    body = radars.body
    start, turned, looks = body.pose, 0.0, 0
    met: TurnReading | None = None
    try:
        while turned < motion.length:
            part = min(step, motion.length - turned)
            test, free = _part(motion, part), turned
            turned += part
            for _ in range(_MOST_BACKS):
                body.pose = motion.at(min(turned / motion.length, 1.0)) @ start
                reading = radars.probe(test)
                looks += 1
                if reading.angle >= 0.0:
                    break
                met = reading
                turned = max(turned + reading.angle, free)
                if reading.angle >= -limit or turned == free:
                    break
            if met is not None:
                return turned, met, looks
        return motion.length, None, looks
    finally:
        body.pose = start


def _part(motion: Rotate, angle: float) -> Rotate:
    """Return the motion's first `angle` [radians]."""
    return Rotate(motion.axis, math.copysign(angle, motion.angle), about=motion.about)


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
