"""The published method to predict contact of a turn: two radars with opposite directions (Yamachi & Shindo, about 2003).

Both look square to the axis and to the line from it to the centre of mass. Each has the axis along its lower rim, and above it
the half of the body that moves in its direction; below the axis nothing is tested. Each pixel allows an angle; the least
counts.

The paper does not say how a pixel's angle follows "from the distance to the axis and L". "published" is arctan(L / distance),
as the first paper bends fingers. "subtended" is the angle between body and ground, both at the pixel's height, seen from the
axis: it is exact where both lie in planes through the axis.

The method is a sample and an approximation, kept as published for comparison with `scene.sweep`. Its five problems:
(1) a turn has no single direction of view: L is along it, and longer than the arc the more the arm leans that way;
(2) the axis itself may touch something: what is nearer to it than `rim` is left out;
(3) near the axis a small error of the gap is a large error of the angle;
(4) as the angle grows, the pixels of both scopes no longer match: keep it small;
(5) faces along the view are not seen.
One thing is corrected: ground behind the body's leading surface does not stop it, and its pixel is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Body, InvalidMotion, InvalidQuery, Rotate, Scene, View, checks
from sweepscope.motion import unit
from sweepscope.queries.view import checked_pixels
from sweepscope.scene import store_of

RULES = ("published", "subtended")

_WIDEST = 0.45 * math.pi  # radians: a larger turn would need an infinite view
_BEHIND = 1.0  # pixels: a gap down to this below zero is the picture's error; less is something behind the body

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class HalfReading:
    """Pictures of one of the two radars, shape (image rows, columns); the axis is just below the last row."""

    view: View
    range: _Array
    """R: depth of everything except the body [length]; the view's depth where nothing is."""
    mask: _Array
    """M: depth of the body from the far end [length], mirrored; the view's depth where it is not."""
    lookat: _Array
    """L = R + M - d: gap [length]; NaN where there is no body, nothing ahead of it, or something behind it."""
    allowed: _Array
    """Angle that each pixel allows [radians]; NaN where L is NaN, and next to the axis."""
    ids: NDArray[np.int32]
    """Id of the body seen in `range`; -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face; -1 where nothing is."""

    @property
    def angle(self) -> float:
        """The least angle [radians]; infinity if nothing is ahead."""
        return float(np.nanmin(self.allowed)) if np.isfinite(self.allowed).any() else math.inf

    @property
    def pixel(self) -> tuple[int, int]:
        """Row and column of the least angle; -1, -1 if nothing is ahead."""
        if not np.isfinite(self.allowed).any():
            return -1, -1
        row, column = np.unravel_index(np.nanargmin(self.allowed), self.allowed.shape)
        return int(row), int(column)


@dataclass(frozen=True, slots=True, eq=False)
class TurnReading:
    """Reading of two radars for a turn. True if there will be contact."""

    angle: float
    """Free turn [radians]: the least allowed angle, or the whole turn if there is no contact."""
    hit: bool
    angles: tuple[float, float]
    """Angle that each radar allows [radians]; infinity if it saw nothing ahead."""
    radar: int
    """The radar with the contact, 0 or 1; -1 without contact."""
    pixel: tuple[int, int]
    """Row and column of the contact in that radar's pictures; -1, -1 without contact."""
    body: Body | None
    """The body that is met."""
    point: _Array
    """Contact point on that body [length], shape (3,), world; NaN without contact."""
    normal: _Array
    """Unit normal of the face that is met, against the motion, shape (3,), world; NaN without contact."""
    halves: tuple[HalfReading | None, HalfReading | None]
    """Pictures of each; None if no part of the body is on that radar's side of the axis."""

    def __bool__(self) -> bool:
        return self.hit


class TwoRadars:
    """Predicts contact of a body that turns. pixels: (columns, rows) of each radar, or one number for both.

    rule: formula of a pixel's angle, "published" or "subtended". rim [length]: nearer to the axis nothing is tested; by default
    one row. centre [length], shape (3,), local: the body's centre of mass.
    """

    def __init__(
        self,
        scene: Scene,
        body: Body,
        pixels: tuple[int, int] | int = (100, 100),
        *,
        rule: str = "published",
        rim: float | None = None,
        centre: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        self.scene, self.body = scene, store_of(scene).check(body, "body").body
        self.pixels = checked_pixels(pixels)
        self.rule = checks.choice(rule, "rule", RULES)
        self.rim = None if rim is None else checks.length(rim, "rim", InvalidQuery)
        self.centre = np.array(checks.vector(centre, "centre", InvalidQuery))

    def probe(self, motion: Rotate) -> TurnReading:
        """Read how far the body can turn, at most 81 degrees."""
        if not isinstance(motion, Rotate):
            raise InvalidMotion(f"motion: expected a Rotate, got {checks.shown(motion)}")
        if not 0.0 < motion.length <= _WIDEST:
            raise InvalidMotion(f"Rotate.angle is {motion.angle}; accepted: -{_WIDEST:.4g} to {_WIDEST:.4g} radians, not 0")
        axis = np.array(motion.axis) * (1.0 if motion.angle > 0.0 else -1.0)
        about = np.array(motion.about)
        pose = self.body.pose
        arm = pose[:3, :3] @ self.centre + pose[:3, 3] - about
        arm -= axis * (axis @ arm)
        if not arm.any():
            # The centre of mass is on the axis: take any direction square to it.
            arm = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        up = np.array(unit(*arm.tolist()))
        ahead: _Array = np.cross(axis, up)
        halves = (self._half(axis, up, ahead, about, motion.length), self._half(axis, -up, -ahead, about, motion.length))
        first, second = (math.inf if half is None else half.angle for half in halves)
        which = int(second < first)
        half = halves[which]
        if half is None or min(first, second) > motion.length:
            nowhere = np.full(3, np.nan)
            return TurnReading(motion.length, False, (first, second), -1, (-1, -1), None, nowhere, nowhere, halves)
        row, column = half.pixel
        met = self.scene[int(half.ids[row, column])]
        point = half.view.at(column, row, half.range[row, column], half.range.shape)
        normal = _face_normal(met, int(half.faces[row, column]))
        normal = normal if normal @ np.cross(axis, point - about) < 0.0 else -normal
        return TurnReading(half.angle, True, (first, second), which, (row, column), met, point, normal, halves)

    def _half(self, axis: _Array, up: _Array, ahead: _Array, about: _Array, angle: float) -> HalfReading | None:
        """Draw the scopes of one radar and compute its angles; None if no part of the body is above the axis."""
        pose = self.body.pose
        places = self.body.vertices @ pose[:3, :3].T + pose[:3, 3] - about
        x, y, s = places @ axis, places @ up, places @ ahead
        top = float(y.max())
        if top <= 0.0:
            return None
        width, reach = float(np.ptp(x)), float(s.max()) + top * math.tan(angle)
        depth = reach - float(s.min())
        middle = about + axis * 0.5 * (x.max() + x.min()) + up * 0.5 * top
        view = View(middle + ahead * s.min(), ahead, width, top, depth, up=up)
        back = View(middle + ahead * reach, -ahead, width, top, depth, up=up)
        others = [body for body in self.scene if body is not self.body]
        target = self.scene.look(view, self.pixels, ignore=[self.body])
        sensor = self.scene.look(back, self.pixels, ignore=others)
        mask = sensor.depth[:, ::-1]
        pixel = max(width / self.pixels[0], top / self.pixels[1])
        gap = target.depth + mask - depth
        seen = (sensor.ids[:, ::-1] >= 0) & (target.ids >= 0) & (gap > -_BEHIND * pixel)
        gap = np.where(seen, np.maximum(gap, 0.0), np.nan)
        height = (self.pixels[1] - 0.5 - np.arange(self.pixels[1])) * (top / self.pixels[1])
        surface = reach - mask  # ahead of the axis
        if self.rule == "published":
            allowed = np.arctan2(gap, np.hypot(height[:, None], surface))
        else:
            allowed = np.arctan2(surface + gap, height[:, None]) - np.arctan2(surface, height[:, None])
        allowed[height < (top / self.pixels[1] if self.rim is None else self.rim)] = np.nan
        return HalfReading(view, target.depth, mask, gap, allowed, target.ids, target.faces)


def _face_normal(body: Body, face: int) -> _Array:
    """Return the unit normal of a body's face, shape (3,), world."""
    a, b, c = body.vertices[body.shape.faces[face]]
    normal = body.pose[:3, :3] @ np.cross(b - a, c - a)
    return normal / np.linalg.norm(normal)
