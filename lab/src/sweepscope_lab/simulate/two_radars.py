"""Contact of a turn by two radars that look in opposite directions (Yamachi & Shindo, about 2003).

What the paper states: both look square to the axis and to the line from it to the center of mass. The axis is along x of each
picture, what can collide is above it, and below it nothing is tested. L = R + M - d; a pixel's allowed angle follows "from the
distance to the axis and L"; if both radars allow more than a detection limit the body turns, otherwise the next axis has both
its ends at the collision (docs/lab/papers_rolling.md).

What it does not state is chosen here, by `rule`: how the angle follows.
* "row" is arctan(L / y), y the distance to the axis in the picture: the shortest reading of the sentence.
* "arm" is arctan(L / sqrt(y^2 + s^2)), s how far the surface is ahead of the axis: the distance in space.
* "subtended" is the angle between body and ground, both at the pixel's height, seen from the axis: exact where both lie in
  planes through the axis.
The arctangent is the first paper's, for fingers.

The method is a sample and an approximation, kept for comparison with `scene.sweep`. Its five problems:
(1) a turn has no single direction of view: L is along it, and longer than the arc the more the arm leans that way;
(2) the axis itself may touch something: what is nearer to it than `rim` is left out;
(3) near the axis a small error of the gap is a large error of the angle;
(4) as the angle grows, the pixels of both scopes no longer match: keep it small;
(5) faces along the view are not seen.
Ground behind the body's leading surface (L < 0) does not stop it: `behind="skip"` leaves it out. By the letter of the paper it
collides, S < D: `behind="hit"`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Body, Rotate, Scene, View, checks
from sweepscope.errors import InvalidMotion, InvalidQuery
from sweepscope.motion import unit
from sweepscope.queries.view import checked_pixels
from sweepscope.scene import store_of

RULES = ("row", "arm", "subtended")
"""Formulas of a pixel's angle; none of them is stated in the paper."""
BEHIND = ("skip", "hit")
"""What a gap below zero is: nothing, or a collision."""

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
    """L = R + M - d: gap [length], at least 0; NaN where there is no body or nothing ahead, and where L < 0 is left out."""
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

    def collisions(self, limit: float) -> NDArray[np.int64]:
        """Return the pixels that allow at most `limit` [radians], shape (k, 2): row, column."""
        return np.argwhere(self.allowed <= limit)

    def axis_ends(self, limit: float) -> NDArray[np.int64]:
        """Return both ends of the next axis: the two collision pixels that are farthest apart in the picture.

        Shape (2, 2): row, column; (1, 2) if one pixel collides, (0, 2) if none. limit [radians]: the detection limit. The paper
        states that both ends are chosen from the collision; "farthest apart" is ours.
        """
        pixels = self.collisions(limit)
        if len(pixels) < 2:
            return pixels
        # The farthest two are the first or last of their rows.
        new_row = np.flatnonzero(np.diff(pixels[:, 0]))
        pixels = pixels[np.unique(np.concatenate(((0, len(pixels) - 1), new_row, new_row + 1)))]
        places = pixels * np.array((self.view.height, self.view.width)) / self.allowed.shape
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        return pixels[list(np.unravel_index(np.argmax(apart), apart.shape))]

    def places(self, pixels: NDArray[np.int64]) -> _Array:
        """Return the points of the ground at pixels (k, 2) [length], shape (k, 3), world."""
        rows, columns = pixels[:, 0], pixels[:, 1]
        return self.view.at(columns, rows, self.range[rows, columns], self.range.shape)


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

    rule: formula of a pixel's angle, one of RULES. rim [length]: nearer to the axis nothing is tested; by default one row.
    center [length], shape (3,), local: the body's center of mass. behind: "skip" leaves out what is behind the leading surface,
    "hit" lets it stop the body, as the paper's S < D does.
    """

    def __init__(
        self,
        scene: Scene,
        body: Body,
        pixels: tuple[int, int] | int = (100, 100),
        *,
        rule: str = "arm",
        rim: float | None = None,
        center: ArrayLike = (0.0, 0.0, 0.0),
        behind: str = "skip",
    ) -> None:
        self.scene, self.body = scene, store_of(scene).check(body, "body").body
        self.pixels = checked_pixels(pixels)
        self.rule = checks.choice(rule, "rule", RULES)
        self.behind = checks.choice(behind, "behind", BEHIND)
        self.rim = None if rim is None else checks.length(rim, "rim", InvalidQuery)
        self.center = np.array(checks.vector(center, "center", InvalidQuery))

    def probe(self, motion: Rotate) -> TurnReading:
        """Read how far the body can turn, at most 81 degrees."""
        if not isinstance(motion, Rotate):
            raise InvalidMotion(f"motion: expected a Rotate, got {checks.shown(motion)}")
        if not 0.0 < motion.length <= _WIDEST:
            raise InvalidMotion(f"Rotate.angle is {motion.angle}; accepted: -{_WIDEST:.4g} to {_WIDEST:.4g} radians, not 0")
        axis = np.array(motion.axis) * (1.0 if motion.angle > 0.0 else -1.0)
        about = np.array(motion.about)
        pose = self.body.pose
        arm = pose[:3, :3] @ self.center + pose[:3, 3] - about
        arm -= axis * (axis @ arm)
        if not arm.any():
            # The center of mass is on the axis: take any direction square to it.
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
        met, point, normal = self.ground_at(half, row, column, motion)
        return TurnReading(half.angle, True, (first, second), which, (row, column), met, point, normal, halves)

    def ground_at(self, half: HalfReading, row: int, column: int, motion: Rotate) -> tuple[Body, _Array, _Array]:
        """Return what a pixel shows: the body, its point [length] and the unit normal against the motion, (3,), world."""
        met = self.scene[int(half.ids[row, column])]
        point = half.view.at(column, row, half.range[row, column], half.range.shape)
        normal = _face_normal(met, int(half.faces[row, column]))
        ahead = np.cross(np.array(motion.axis) * math.copysign(1.0, motion.angle), point - np.array(motion.about))
        return met, point, normal if normal @ ahead < 0.0 else -normal

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
        view = View(middle + ahead * s.min(), ahead, width=width, height=top, depth=depth, up=up)
        back = View(middle + ahead * reach, -ahead, width=width, height=top, depth=depth, up=up)
        others = [body for body in self.scene if body is not self.body]
        target = self.scene.look(view, self.pixels, ignore=[self.body])
        sensor = self.scene.look(back, self.pixels, ignore=others)
        mask = sensor.depth[:, ::-1]
        pixel = max(width / self.pixels[0], top / self.pixels[1])
        gap = target.depth + mask - depth
        seen = (sensor.ids[:, ::-1] >= 0) & (target.ids >= 0)
        if self.behind == "skip":
            seen &= gap > -_BEHIND * pixel
        gap = np.where(seen, np.maximum(gap, 0.0), np.nan)
        height = (self.pixels[1] - 0.5 - np.arange(self.pixels[1], dtype=np.float64)) * (top / self.pixels[1])
        allowed = allowed_angles(self.rule, gap, height[:, None], reach - mask)
        allowed[height < (top / self.pixels[1] if self.rim is None else self.rim)] = np.nan
        return HalfReading(view, target.depth, mask, gap, allowed, target.ids, target.faces)


def allowed_angles(rule: str, gap: _Array, height: _Array, ahead: _Array) -> _Array:
    """Return the angle that each pixel allows [radians], by one of RULES.

    gap: L; height: distance from the axis in the picture; ahead: how far the body's surface is ahead of the axis; all [length],
    of shapes that go together.
    """
    if rule == "row":
        return np.arctan2(gap, height)
    if rule == "arm":
        return np.arctan2(gap, np.hypot(height, ahead))
    return np.arctan2(ahead + gap, height) - np.arctan2(ahead, height)


def _face_normal(body: Body, face: int) -> _Array:
    """Return the unit normal of a body's face, shape (3,), world."""
    a, b, c = body.vertices[body.shape.faces[face]]
    normal = body.pose[:3, :3] @ np.cross(b - a, c - a)
    return normal / np.linalg.norm(normal)
