"""How far a joint can turn, read from a radar's picture: by the paper's rule, and by ours.

A turning joint moves every point along a circle; a radar looks straight, here along the tangent at the middle of the part (the
paper does not say where it looks).

* `closest`, the paper's rule (Radar 2002, 4.4): arctan(distance of the closest point to the target / its distance from the
  axis). The closest point is the pixel with the least free distance.
* `bend`, our rule: every pixel gives such an angle, and the least counts: the nearest point is not always the first to be met.
  Pixels whose surface slides along itself as the joint turns (the round end on the axis) do not count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Link, Robot, Rotate, Translate, View
from sweepscope.radar import RadarReading

_Array = NDArray[np.float64]

_SLIDES = 0.03  # a point whose velocity has less than this share along its surface's normal slides


@dataclass(slots=True, eq=False)
class Arm:
    """One part, or several that are rigid together, turning about a joint; all in the frame of the first link."""

    links: tuple[Link, ...]
    about: _Array
    """A point on the joint's axis."""
    axis: _Array
    tangent: _Array
    """Unit direction in which its middle moves."""
    length: float
    """How far to look [length]: the farthest that any of its points moves in a frame."""
    reach: float
    """Largest distance from the axis [length]."""
    rods: _Array
    """One end of every capsule, and the vector to the other end [length], shape (n, 2, 3)."""
    radii: _Array
    _lead: _Array | None = None  # the mask that the fields below belong to
    _pixels: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))  # those that count, as flat indices
    _depth: _Array = field(default_factory=lambda: np.empty(0))  # depth of the mask there
    _arms: _Array = field(default_factory=lambda: np.empty(0))  # their distances from the axis
    _pixel: float = 0.0  # longer side of a pixel

    @classmethod
    def of(cls, robot: Robot, joint: str, links: tuple[Link, ...], step: float) -> Arm:
        """Return the arm of links below a joint; step: its largest turn in a frame [radians]."""
        turn = robot.motion(joint, robot[joint] + 1.0)
        assert isinstance(turn, Rotate)
        pose = links[0].pose
        about = (robot.descendants(joint)[0].pose[:3, 3] - pose[:3, 3]) @ pose[:3, :3]
        axis = np.array(turn.axis) @ pose[:3, :3]
        bodies = [body for link in links for body in link.bodies]
        ends = np.stack([body.vertices[[0, -1]] @ body.pose[:3, :3].T + body.pose[:3, 3] for body in bodies])
        ends = (ends - pose[:3, 3]) @ pose[:3, :3]
        radii = np.array([body.shape.radius for body in bodies])
        out = ends.reshape(-1, 3) - about
        out -= (out @ axis)[:, None] * axis
        tangent = _cross(axis, 0.5 * (out.min(axis=0) + out.max(axis=0)))
        reach = math.sqrt(float(_dot(out, out).max())) + float(radii.max())
        rods = np.stack((ends[:, 0], ends[:, 1] - ends[:, 0]), axis=1)
        tangent = tangent / math.sqrt(tangent @ tangent)
        return cls(links, about, axis, tangent, reach * math.tan(step) + 1.0, reach, rods, radii)

    @property
    def motion(self) -> Translate:
        """The motion to look along, world."""
        return Translate(self.length * (self.links[0].pose[:3, :3] @ self.tangent))

    def bend(self, reading: RadarReading) -> tuple[float, float, int]:
        """Return how far the joint can turn by this reading [radians], a pixel's angle there, and the id of what is met.

        If nothing is met: infinity, a pixel's angle where the arm is longest, and -1.
        """
        if not reading.hit or reading.lead is None:
            return math.inf, _longer_side(reading) / self.reach, -1
        if reading.lead is not self._lead:
            self._measure(reading, reading.lead)
        if not len(self._pixels):
            return math.inf, self._pixel / self.reach, -1
        slopes = (reading.range.ravel()[self._pixels] - self._depth) / self._arms
        best = int(slopes.argmin())
        met = int(reading.ids.ravel()[self._pixels[best]])
        return math.atan(max(float(slopes[best]), 0.0)), self._pixel / float(self._arms[best]), met

    def closest(self, reading: RadarReading) -> tuple[float, float, float, int]:
        """Return of the closest point its free distance, its distance from the axis, a pixel's size [length], and what is met.

        Where a part is inside something its free distance is 0. If nothing is met: infinity, the arm's reach, and -1.
        """
        if not reading.hit or reading.lead is None:
            return math.inf, self.reach, _longer_side(reading), -1
        gaps = np.where(np.isfinite(reading.lead), reading.range - reading.lead, np.inf).ravel()
        best = int(gaps.argmin())
        out = self._placed(reading, np.array([best]), reading.lead.ravel()[[best]])[0] - self.about
        out -= (out @ self.axis) * self.axis
        met = int(reading.ids.ravel()[best])
        return max(float(gaps[best]), 0.0), math.sqrt(float(out @ out)), _longer_side(reading), met

    def _placed(self, reading: RadarReading, pixels: NDArray[np.int64], depth: _Array) -> _Array:
        """Return where pixels, flat indices, are at these depths, in the frame of the first link, shape (n, 3)."""
        view, (rows, columns) = reading.view, reading.range.shape
        assert isinstance(view, View)
        pose = self.links[0].pose
        frame = view.frame @ pose[:3, :3]
        corner = (np.array(view.eye) - pose[:3, 3]) @ pose[:3, :3]
        across, down = view.width / columns, view.height / rows
        corner = corner - 0.5 * ((view.width - across) * frame[0] + (view.height - down) * frame[1])
        row, column = np.divmod(pixels, columns)
        return corner + np.column_stack((across * column, down * row, depth)) @ frame

    def _measure(self, reading: RadarReading, lead: _Array) -> None:
        """Compute which pixels of a new mask count, and their lever arms."""
        covered = np.isfinite(lead.ravel()).nonzero()[0]
        depth = lead.ravel()[covered]
        places = self._placed(reading, covered, depth)
        out = places - self.about
        out -= (out @ self.axis)[:, None] * self.axis
        arms = np.sqrt(_dot(out, out))
        counts = _dot(_cross(self.axis, out), self._normals(places)) > _SLIDES * arms
        self._lead, self._pixels = lead, covered[counts]
        self._depth, self._arms = depth[counts], arms[counts]
        self._pixel = _longer_side(reading)

    def _normals(self, places: _Array) -> _Array:
        """Return unit normals at points, shape (n, 3), each of the capsule that it lies on."""
        begin, span = self.rods[:, 0], self.rods[:, 1]
        share = (places @ span.T - _dot(begin, span)) / _dot(span, span)
        np.clip(share, 0.0, 1.0, out=share)
        out = places[:, None] - begin - share[:, :, None] * span
        if len(span) == 1:
            return out[:, 0] / self.radii[0]
        off = np.abs(np.sqrt(np.einsum("nkj,nkj->nk", out, out)) - self.radii)
        nearest = off.argmin(axis=1)
        return out[np.arange(len(places)), nearest] / self.radii[nearest, None]


def _longer_side(reading: RadarReading) -> float:
    """Return the longer side of a pixel [length]."""
    rows, columns = reading.range.shape
    assert isinstance(reading.view, View)
    return max(reading.view.width / columns, reading.view.height / rows)


def _dot(a: _Array, b: _Array) -> _Array:
    return np.einsum("ij,ij->i", a, b)


def _cross(a: _Array, b: _Array) -> _Array:
    """Return the cross products of a vector (3,) with one or many (..., 3); numpy's own takes three times as long."""
    x, y, z = a
    return b @ np.array(((0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0)))
