"""What a radar's picture says of a turn: the paper's rule, pixel by pixel.

A joint that turns moves every place along a circle; a radar looks straight. The paper's rule: look along the tangent at the
middle of the part that moves, and bend by arctan(free distance / distance of the closest point from the axis). Here that is
done for every pixel, and the least angle is taken: the point that is met first is not always the one that is nearest. Pixels
whose surface slides along itself as the joint turns (of the round end that sits on the axis) do not count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..motion import Rotate, Translate
from ..results import Reading
from ..robot import Link, Robot
from ..scope import View

_Array = NDArray[np.float64]

_SLIDES = 0.03  # a place that goes into its own surface's direction by less than this share of its way slides


@dataclass(slots=True, eq=False)
class Arm:
    """A part, or several that stay as they are to each other, turning about a joint; all in the frame of the first link."""

    links: tuple[Link, ...]
    about: _Array
    """A point of the joint's axis."""
    axis: _Array
    tangent: _Array
    """Unit, where the middle of it goes."""
    length: float
    """How far to look [length]: as far as any place of it goes in a frame."""
    reach: float
    """Farthest from the axis [length]."""
    rods: _Array
    """Of every capsule one end, and the way to the other [length], shape (n, 2, 3)."""
    radii: _Array
    _lead: _Array | None = None  # the mask that what follows was worked out for
    _pixels: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))  # those that count, in the flat picture
    _depth: _Array = field(default_factory=lambda: np.empty(0))  # of the mask there
    _arms: _Array = field(default_factory=lambda: np.empty(0))  # their distances from the axis
    _pixel: float = 0.0  # the longer side of one

    @classmethod
    def of(cls, robot: Robot, joint: str, links: tuple[Link, ...], step: float) -> Arm:
        """Return the arm of links that hang on a joint; step [radians]: how far it turns in a frame."""
        turn = robot.motion(joint, robot[joint] + 1.0)
        assert isinstance(turn, Rotate)
        pose = links[0]._pose
        about = (robot._joints[joint]._pose[:3, 3] - pose[:3, 3]) @ pose[:3, :3]
        axis = np.array(turn.axis) @ pose[:3, :3]
        bodies = [body for link in links for body in link._bodies]
        ends = np.stack([body.vertices[[0, -1]] @ body.pose[:3, :3].T + body.pose[:3, 3] for body in bodies])
        ends = (ends - pose[:3, 3]) @ pose[:3, :3]
        radii = np.array([body._shape.radius for body in bodies])
        out = ends.reshape(-1, 3) - about
        out -= (out @ axis)[:, None] * axis
        tangent = _cross(axis, 0.5 * (out.min(axis=0) + out.max(axis=0)))
        reach = math.sqrt(float(_dot(out, out).max())) + float(radii.max())
        rods = np.stack((ends[:, 0], ends[:, 1] - ends[:, 0]), axis=1)
        way = tangent / math.sqrt(tangent @ tangent)
        return cls(links, about, axis, way, reach * math.tan(step) + 1.0, reach, rods, radii)

    @property
    def motion(self) -> Translate:
        """Where to look, world."""
        return Translate(self.length * (self.links[0]._pose[:3, :3] @ self.tangent))

    def bend(self, reading: Reading) -> tuple[float, float, int]:
        """Return how far the joint may turn by this reading [radians], a pixel's angle there, and the id of what is met.

        Infinity, a pixel's angle where the arm is longest, and -1 if nothing is met.
        """
        if not reading.hit or reading._lead is None:
            return math.inf, _longer_side(reading) / self.reach, -1
        if reading._lead is not self._lead:
            self._measure(reading, reading._lead)
        if not len(self._pixels):
            return math.inf, self._pixel / self.reach, -1
        slopes = (reading.range.ravel()[self._pixels] - self._depth) / self._arms
        best = int(slopes.argmin())
        met = int(reading.ids.ravel()[self._pixels[best]])
        return math.atan(max(float(slopes[best]), 0.0)), self._pixel / float(self._arms[best]), met

    def _measure(self, reading: Reading, lead: _Array) -> None:
        """Work out which pixels of a new mask count, and their lever arms."""
        view, (rows, columns) = reading.view, lead.shape
        assert isinstance(view, View)
        pose = self.links[0]._pose
        frame = view.frame @ pose[:3, :3]
        corner = (np.array(view.eye) - pose[:3, 3]) @ pose[:3, :3]
        across, down = view.width / columns, view.height / rows
        corner = corner - 0.5 * ((view.width - across) * frame[0] + (view.height - down) * frame[1])
        covered = np.isfinite(lead.ravel()).nonzero()[0]
        row, column = np.divmod(covered, columns)
        depth = lead.ravel()[covered]
        places = corner + np.column_stack((across * column, down * row, depth)) @ frame
        out = places - self.about
        out -= (out @ self.axis)[:, None] * self.axis
        arms = np.sqrt(_dot(out, out))
        counts = _dot(_cross(self.axis, out), self._normals(places)) > _SLIDES * arms
        self._lead, self._pixels = lead, covered[counts]
        self._depth, self._arms = depth[counts], arms[counts]
        self._pixel = _longer_side(reading)

    def _normals(self, places: _Array) -> _Array:
        """Return unit normals at places, shape (n, 3), of the capsule on whose surface each lies."""
        begin, way = self.rods[:, 0], self.rods[:, 1]
        share = (places @ way.T - _dot(begin, way)) / _dot(way, way)
        np.clip(share, 0.0, 1.0, out=share)
        out = places[:, None] - begin - share[:, :, None] * way
        if len(way) == 1:
            return out[:, 0] / self.radii[0]
        off = np.abs(np.sqrt(np.einsum("nkj,nkj->nk", out, out)) - self.radii)
        nearest = off.argmin(axis=1)
        return out[np.arange(len(places)), nearest] / self.radii[nearest, None]


def _longer_side(reading: Reading) -> float:
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
