"""Contact of a turn by straight radars around its axis (Yamachi & Shindo, about 2003).

What the paper states: two radars look in opposite directions, square to the axis and to the line from it to the center of mass.
The axis is along x of each picture, what can collide is above it, and below it nothing is tested. L = R + M - d; a pixel's
allowed angle follows "from the distance to the axis and L"; if both radars allow more than a detection limit the body turns,
otherwise the next axis has both its ends at the collision (docs/lab/papers_rolling.md).

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

The paper leaves number and placement of the radars open (section 5). Here there may be more than two. Each reads a sector of
the body about the axis: what is nearer in angle to its `up` than to the `up` of any other, as far as it is above the axis. Of
two opposite radars that is the half above the axis, as the paper has it.

Ground behind the body's leading surface (L < 0), by `behind`: "skip" leaves it out; "hit" is the paper's S < D, it collides;
"overlap" is for a body that has made the motion already: a gap that the motion can have made gives an angle below zero, by
which the body has to turn back.
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

from .bounce import whole

RULES = ("row", "arm", "subtended")
"""Formulas of a pixel's angle; none of them is stated in the paper."""
PLACEMENTS = ("around", "shape")
"""Where radars are: at equal angles around the axis, the first along the arm of the center of mass; or, by the body's shape,
where its surface sweeps most space."""
BEHIND = ("skip", "hit", "overlap")
"""What a gap below zero is: nothing, a collision, or an overlap by which the body turns back."""
FEWEST_RADARS, MOST_RADARS = 2, 24

_WIDEST = 0.45 * math.pi  # radians: a larger turn would need an infinite view
_BEHIND = 1.0  # pixels: a gap down to this below zero is the picture's error; less is something behind the body
_QUARTER = 0.5 * math.pi
_FINEST = 4  # parts of an edge of a face, where placement samples it
_ROUNDS = 20  # of placement by shape

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SectorReading:
    """Pictures of one of the radars, shape (image rows, columns); the axis is just below the last row."""

    view: View
    range: _Array
    """R: depth of everything except the body [length]; the view's depth where nothing is."""
    mask: _Array
    """M: depth of the body from the far end [length], mirrored; the view's depth where it is not."""
    lookat: _Array
    """L = R + M - d: gap [length]; NaN where there is no body or nothing ahead, outside the sector, and where it is left out.

    At least 0, except with `behind="overlap"`.
    """
    allowed: _Array
    """Angle that each pixel allows [radians]; NaN where L is NaN, and next to the axis. Below 0: to turn back."""
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
    """Reading of all radars for a turn. True if there will be contact, or if the body has to turn back."""

    angle: float
    """Free turn [radians]: the least allowed angle, or the whole turn if there is no contact."""
    hit: bool
    angles: tuple[float, ...]
    """Angle that each radar allows [radians]; infinity if it saw nothing ahead."""
    radar: int
    """Index of the radar with the contact; -1 without contact."""
    pixel: tuple[int, int]
    """Row and column of the contact in that radar's pictures; -1, -1 without contact."""
    body: Body | None
    """The body that is met."""
    point: _Array
    """Contact point on that body [length], shape (3,), world; NaN without contact."""
    normal: _Array
    """Unit normal of the face that is met, against the motion, shape (3,), world; NaN without contact."""
    sectors: tuple[SectorReading | None, ...]
    """Pictures of each radar; None if no part of the body is above the axis in its picture."""

    def __bool__(self) -> bool:
        return self.hit


@dataclass(frozen=True, slots=True, eq=False)
class _Radar:
    """Where one radar is."""

    up: _Array
    """Unit, away from the axis, shape (3,), world."""
    ahead: _Array
    """Unit, the direction of view, shape (3,), world."""
    limits: tuple[float, float]
    """Of its sector, from `up` towards `ahead` [radians], within a quarter turn."""


class StraightRadars:
    """Predicts contact of a body that turns. pixels: (columns, rows) of each radar, or one number for both.

    count: how many radars; two of them "around" the axis are the paper's. placement: one of PLACEMENTS. rule: formula of a
    pixel's angle, one of RULES. rim [length]: nearer to the axis nothing is tested; by default one row. center [length], shape
    (3,), local: the body's center of mass. behind: what a gap below zero is, one of BEHIND.
    """

    def __init__(
        self,
        scene: Scene,
        body: Body,
        pixels: tuple[int, int] | int = (100, 100),
        *,
        count: int = 2,
        placement: str = "around",
        rule: str = "arm",
        rim: float | None = None,
        center: ArrayLike = (0.0, 0.0, 0.0),
        behind: str = "skip",
    ) -> None:
        self.scene, self.body = scene, store_of(scene).check(body, "body").body
        self.pixels = checked_pixels(pixels)
        whole(count, "count", FEWEST_RADARS, MOST_RADARS)
        self.count = count
        self.placement = checks.choice(placement, "placement", PLACEMENTS)
        self.rule = checks.choice(rule, "rule", RULES)
        self.behind = checks.choice(behind, "behind", BEHIND)
        self.rim = None if rim is None else checks.length(rim, "rim", InvalidQuery)
        self.center = np.array(checks.vector(center, "center", InvalidQuery))

    def probe(self, motion: Rotate) -> TurnReading:
        """Read how far the body can turn, at most 81 degrees; with `behind="overlap"`, how far it has to turn back after it."""
        if not isinstance(motion, Rotate):
            raise InvalidMotion(f"motion: expected a Rotate, got {checks.shown(motion)}")
        if not 0.0 < motion.length <= _WIDEST:
            raise InvalidMotion(f"Rotate.angle is {motion.angle}; accepted: -{_WIDEST:.4g} to {_WIDEST:.4g} radians, not 0")
        axis = np.array(motion.axis) * (1.0 if motion.angle > 0.0 else -1.0)
        about = np.array(motion.about)
        pose = self.body.pose
        places = self.body.vertices @ pose[:3, :3].T + pose[:3, 3] - about
        radars = self._placed(places, axis, pose[:3, :3] @ self.center + pose[:3, 3] - about)
        sectors = tuple(self._sector(places, axis, radar, about, motion.length) for radar in radars)
        angles = tuple(math.inf if sector is None else sector.angle for sector in sectors)
        which = int(np.argmin(angles))
        sector = sectors[which]
        if sector is None or angles[which] > motion.length:
            nowhere = np.full(3, np.nan)
            return TurnReading(motion.length, False, angles, -1, (-1, -1), None, nowhere, nowhere, sectors)
        row, column = sector.pixel
        met, point, normal = self.ground_at(sector, row, column, motion)
        return TurnReading(sector.angle, True, angles, which, (row, column), met, point, normal, sectors)

    def ground_at(self, sector: SectorReading, row: int, column: int, motion: Rotate) -> tuple[Body, _Array, _Array]:
        """Return what a pixel shows: the body, its point [length] and the unit normal against the motion, (3,), world."""
        met = self.scene[int(sector.ids[row, column])]
        point = sector.view.at(column, row, sector.range[row, column], sector.range.shape)
        normal = _face_normal(met, int(sector.faces[row, column]))
        ahead = np.cross(np.array(motion.axis) * math.copysign(1.0, motion.angle), point - np.array(motion.about))
        return met, point, normal if normal @ ahead < 0.0 else -normal

    def _placed(self, places: _Array, axis: _Array, arm: _Array) -> list[_Radar]:
        """Return where the radars are. places: the body's vertices from the axis (n, 3); arm: its center of mass from there."""
        arm = arm - axis * float(axis @ arm)
        if not arm.any():
            # The center of mass is on the axis: take any direction square to it.
            arm = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))]).astype(np.float64)
        up = np.array(unit(*arm.tolist()))
        ahead = np.cross(axis, up)
        turns: _Array = np.arange(self.count, dtype=np.float64) * (2.0 * math.pi / self.count)
        if self.placement == "shape":
            directions, swept = _swept(places[self.body.shape.faces] @ np.stack((axis, up, ahead), axis=1))
            if swept.any():
                turns = _clustered(directions, swept, self.count)
        # Half the way to the next radar on either side, and never below the axis.
        after = np.minimum(0.5 * (np.roll(turns, -1) - turns) % math.pi, _QUARTER)
        found = []
        for k, (c, s) in enumerate(zip(np.cos(turns), np.sin(turns), strict=True)):
            found.append(_Radar(c * up + s * ahead, c * ahead - s * up, (-float(after[k - 1]), float(after[k]))))
        return found

    def _sector(self, places: _Array, axis: _Array, radar: _Radar, about: _Array, angle: float) -> SectorReading | None:
        """Draw the scopes of one radar and compute its angles; None if no part of the body is above the axis."""
        up, ahead = radar.up, radar.ahead
        x, y, s = places @ axis, places @ up, places @ ahead
        top = float(y.max())
        # The target area: what of the body may be in the sector, and what that can reach. The rest of the body would hide it.
        low, high = (math.copysign(math.inf, at) if abs(at) == _QUARTER else top * math.tan(at) for at in radar.limits)
        rear, front = max(float(s.min()), low), min(float(s.max()), high)
        reach = front + top * math.tan(angle)
        # The mask is seen from the far end, or from the end of the sector if the body goes on beyond.
        far = front if high <= s.max() else reach
        if top <= 0.0 or far <= rear:
            return None
        width, depth = float(np.ptp(x)), reach - rear
        middle = about + axis * 0.5 * (x.max() + x.min()) + up * 0.5 * top
        view = View(middle + ahead * rear, ahead, width=width, height=top, depth=depth, up=up)
        back = View(middle + ahead * far, -ahead, width=width, height=top, depth=far - rear, up=up)
        others = [body for body in self.scene if body is not self.body]
        target = self.scene.look(view, self.pixels, ignore=[self.body])
        sensor = self.scene.look(back, self.pixels, ignore=others)
        mask = sensor.depth[:, ::-1] + (reach - far)
        pixel = max(width / self.pixels[0], top / self.pixels[1])
        gap = target.depth + mask - depth
        seen = (sensor.ids[:, ::-1] >= 0) & (target.ids >= 0)
        height = (self.pixels[1] - 0.5 - np.arange(self.pixels[1], dtype=np.float64)) * (top / self.pixels[1])
        leans = np.arctan2(reach - mask, height[:, None])
        seen &= (leans >= radar.limits[0]) & (leans < radar.limits[1])
        if self.behind == "skip":
            seen &= gap > -_BEHIND * pixel
        if self.behind != "overlap":
            gap = np.maximum(gap, 0.0)
        gap = np.where(seen, gap, np.nan)
        allowed = allowed_angles(self.rule, gap, height[:, None], reach - mask)
        # What would turn the body back by more than it has turned was behind it before.
        allowed[allowed < -angle] = np.nan
        allowed[height < (top / self.pixels[1] if self.rim is None else self.rim)] = np.nan
        return SectorReading(view, target.depth, mask, gap, allowed, target.ids, target.faces)


def _swept(corners: _Array) -> tuple[_Array, _Array]:
    """Return directions all over faces, and the space that is swept there: shape (n,) [radians], (n,) [volume per radian].

    corners (m, 3, 3) [length]: of the faces, along the axis, along `up` and ahead. Directions are angles about the axis.
    """
    inner = [(i, j) for i in range(_FINEST) for j in range(_FINEST - i)]
    shares = np.array([(i + 1.0 / 3.0, j + 1.0 / 3.0) for i, j in inner]) / _FINEST
    points = np.einsum("sk,mkx->msx", np.column_stack((1.0 - shares.sum(axis=1), shares)), corners)
    a, b, c = corners.transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)[:, None] / (2.0 * len(inner))
    y, s = points[..., 1], points[..., 2]
    swept = np.maximum(y * normals[..., 2] - s * normals[..., 1], 0.0)
    return np.arctan2(s, y).ravel(), swept.ravel()


def _clustered(directions: _Array, weights: _Array, count: int) -> _Array:
    """Return `count` angles with the least mean squared distance from weighted directions (k-means), rising, shape (count,)."""
    order = np.argsort(directions)
    below = np.cumsum(weights[order]) / weights.sum()
    found = directions[order][np.searchsorted(below, (np.arange(count) + 0.5) / count)]
    flat = weights * np.exp(1j * directions)
    for _ in range(_ROUNDS):
        nearest = np.argmax(np.cos(directions[:, None] - found), axis=1)
        middles = np.zeros(count, complex)
        np.add.at(middles, nearest, flat)
        # A radar that nothing is nearest to stays where it is.
        found = np.where(middles != 0.0, np.angle(middles), found)
    return np.sort(found)


def allowed_angles(rule: str, gap: _Array, height: _Array, ahead: _Array) -> _Array:
    """Return the angle that each pixel allows [radians], by one of RULES.

    gap: L, which may be below 0; height: distance from the axis in the picture; ahead: how far the body's surface is ahead of
    the axis; all [length], of shapes that go together.
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
