"""A turning box against rods, slow and plain: the twin of `Swing`. A ball is a rod without length, a point one without radius.

Everything is carried back into the box's frame, and the distance from a segment to a box is found as the least of a convex,
piecewise quadratic function. A walk along the turn takes steps that are certain: a plane that parts the two, normal n, is
carried along by the box or stands still, and along n a point comes nearer to it by at most s h + rho h^2 / 2 while the box
turns by h, with s its speed along n and rho its distance from the axis times the sine between n and the axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

REACHED = 1e-12
"""The walk ends when things are this near [share of the size]."""
TOUCHING = 2e-15
"""Nearer than this is contact, and nothing but rounding [share of the size]."""
_MOST_STEPS = 40_000
_FEW_STEPS = 40  # after so many it is worth while to ask for a still plane, too
_TURN = 2.0 * np.pi
_WINDOWS = np.geomspace(1e-13, 1e-3, 11)  # [radians]


@dataclass(frozen=True, slots=True)
class SwungBox:
    """Half widths (3,), pose (4, 4), unit axis (3,), angle [radians], about (3,) [length]."""

    half: Array
    pose: Array
    axis: Array
    angle: float
    about: Array

    def local(self, places: Array, phi: Array) -> tuple[Array, Array]:
        """Return where places (n, 3) are, seen from the box after turns by phi (n,), and how fast they move [per radian]."""
        way = np.sign(self.angle) if self.angle else 1.0
        arm = places - self.about
        across = np.cross(self.axis, arm)
        inward = np.cross(self.axis, across)
        sine, cosine = (-way * np.sin(phi))[:, None], np.cos(phi)[:, None]
        moved = sine * across + (1.0 - cosine) * inward
        speed = -way * cosine * across + np.sin(phi)[:, None] * inward
        turn = self.pose[:3, :3]
        return (arm - (self.pose[:3, 3] - self.about) + moved) @ turn, speed @ turn


@dataclass(frozen=True, slots=True)
class Rods:
    """Ends p0, p1 (n, 3), radii (n,) [length], world."""

    p0: Array
    p1: Array
    radii: Array

    def __len__(self) -> int:
        return len(self.radii)

    def take(self, rows: NDArray) -> Rods:
        """Return some of them."""
        return Rods(self.p0[rows], self.p1[rows], self.radii[rows])


def sizes(box: SwungBox, rods: Rods) -> Array:
    """Return the largest length involved in each case, (n,)."""
    arms = [np.linalg.norm(places - box.about, axis=1) for places in (rods.p0, rods.p1)]
    own = np.linalg.norm(box.half) + np.linalg.norm(box.pose[:3, 3] - box.about)
    return np.maximum(*arms) + rods.radii + own


def nearest(half: Array, p0: Array, p1: Array) -> Array:
    """Return the share (n,) of the way from p0 to p1 (n, 3) that is nearest to the box |x| <= half."""
    along = p1 - p0
    with np.errstate(all="ignore"):
        crossed = ((half - p0) / along, (-half - p0) / along)
    cuts = np.concatenate((*crossed, np.zeros((len(p0), 1)), np.ones((len(p0), 1))), axis=1)
    cuts = np.nan_to_num(cuts, nan=0.0)
    off = p0[:, None, :] + np.clip(cuts, 0.0, 1.0)[:, :, None] * along[:, None, :]
    off -= np.clip(off, -half, half)
    # Where a coordinate is crossed it is on the box, rounding or not.
    axes = np.arange(3)
    for first in (0, 3):
        inner = (cuts[:, first : first + 3] >= 0.0) & (cuts[:, first : first + 3] <= 1.0)
        off[:, first + axes, axes] *= ~inner
    # Half the slope of the squared distance: it never falls, and is straight between cuts.
    slopes = (off * along[:, None, :]).sum(axis=2)
    cuts = np.clip(cuts, 0.0, 1.0)
    order = np.argsort(cuts, axis=1)
    cuts, slopes = np.take_along_axis(cuts, order, axis=1), np.take_along_axis(slopes, order, axis=1)
    last = np.clip((slopes <= 0.0).sum(axis=1) - 1, 0, cuts.shape[1] - 2)
    rows = np.arange(len(p0))
    low, high = slopes[rows, last], slopes[rows, last + 1]
    with np.errstate(all="ignore"):
        share = np.where((low < 0.0) & (high > low), -low / (high - low), 0.0)
    return cuts[rows, last] + np.clip(share, 0.0, 1.0) * (cuts[rows, last + 1] - cuts[rows, last])


def gaps(box: SwungBox, rods: Rods, phi: Array) -> Array:
    """Return how far rods and box are apart after turns by phi (n,), (n,) [length]; at most 0 in contact."""
    return Look(box, rods, phi).gap


class Look:
    """Rods and a box after turns by phi (n,), seen from the box: how far apart, and how long that must last."""

    def __init__(self, box: SwungBox, rods: Rods, phi: Array) -> None:
        self.box, self.rods = box, rods
        (p0, v0), (p1, v1) = box.local(rods.p0, phi), box.local(rods.p1, phi)
        self.ends, self.speeds = np.stack((p0, p1)), np.stack((v0, v1))
        share = nearest(box.half, p0, p1)[:, None] if (rods.p0 != rods.p1).any() else np.zeros((len(p0), 1))
        place = p0 + share * (p1 - p0)
        self.on_box = np.clip(place, -box.half, box.half)
        off = place - self.on_box
        distance = np.linalg.norm(off, axis=1)
        with np.errstate(all="ignore"):
            self.normal = off / distance[:, None]
        self.gap = distance - rods.radii

    def carried(self) -> Array:
        """Return for how long (n,) [radians] a plane that turns with the box surely parts them: ends of rods come to it."""
        room = ((self.ends - self.on_box) * self.normal).sum(axis=2) - self.rods.radii
        arms = self.ends - (self.box.about - self.box.pose[:3, 3]) @ self.box.pose[:3, :3]
        return self._lasts(room, (self.speeds * self.normal).sum(axis=2), arms)

    def still(self) -> Array:
        """Return the same for a plane that stands still with the rods: corners of the box come to it."""
        turn, way = self.box.pose[:3, :3], np.sign(self.box.angle) if self.box.angle else 1.0
        corners = np.array(list(np.ndindex(2, 2, 2)))[:, None, :] * 2.0 * self.box.half - self.box.half
        arms = corners - (self.box.about - self.box.pose[:3, 3]) @ turn
        nearer = (self.ends * self.normal).sum(axis=2).min(axis=0) - self.rods.radii
        speed = -(np.cross(way * self.box.axis @ turn, arms) * self.normal).sum(axis=2)
        return self._lasts(nearer - (corners * self.normal).sum(axis=2), speed, arms)

    def _lasts(self, room: Array, speed: Array, arms: Array) -> Array:
        """Return how long (n,) room (k, n) lasts that grows with some speed; what moves has arms (k, n, 3) from the axis."""
        axis = self.box.axis @ self.box.pose[:3, :3]
        lean = np.linalg.norm(np.cross(self.normal, axis), axis=1)
        bend = np.maximum(np.linalg.norm(np.cross(arms, axis), axis=2) * lean, 1e-300)
        room = np.maximum(room, np.maximum(self.gap, 0.0))
        root = np.sqrt(speed * speed + 2.0 * bend * room)
        with np.errstate(all="ignore"):
            return np.where(speed < 0.0, 2.0 * room / (root - speed), (root + speed) / bend).min(axis=0)


def first_touch(box: SwungBox, rods: Rods) -> tuple[Array, NDArray[np.bool_]]:
    """Return angles (n,) up to which there surely is no contact, and at which it is REACHED; NaN if never. And who gave up."""
    size = sizes(box, rods)
    whole = min(abs(box.angle), _TURN)
    found = np.full(len(rods), np.nan)
    phi = np.zeros(len(rods))
    left = np.arange(len(rods))
    for step in range(_MOST_STEPS):
        look = Look(box, rods.take(left), phi[left])
        near = look.gap <= REACHED * size[left]
        found[left[near]] = phi[left[near]]
        go = ~near & (phi[left] < whole)
        lasts = look.carried()
        if step > _FEW_STEPS:
            lasts = np.maximum(lasts, look.still())
        phi[left[go]] = np.minimum(phi[left[go]] + lasts[go], whole)
        left = left[go]
        if len(left) == 0:
            break
    lost = np.zeros(len(rods), bool)
    lost[left] = True
    return found, lost


def witnesses(box: SwungBox, rods: Rods, reached: Array) -> Array:
    """Return angles (n,) soon after those reached at which there is contact for certain; NaN where none was found.

    Something thin is passed within one moment: the least distance is looked for, in ever wider windows.
    """
    whole = min(abs(box.angle), _TURN)
    found = np.full(len(rods), np.nan)
    left = np.flatnonzero(~np.isnan(reached))
    for search in (_start, _end, _lowest):
        if len(left) == 0:
            break
        windows = np.zeros(1) if search is _start else _WINDOWS
        rows = np.repeat(left, len(windows))
        low = reached[rows]
        some = rods.take(rows)
        place = search(box, some, low, np.minimum(low + np.tile(windows, len(left)), whole))
        good = (gaps(box, some, place) <= TOUCHING * sizes(box, some)).reshape(len(left), -1)
        sure = good.any(axis=1)
        found[left[sure]] = place.reshape(good.shape)[sure, good.argmax(axis=1)[sure]]
        left = left[~sure]
    return found


def _start(box: SwungBox, rods: Rods, low: Array, high: Array) -> Array:
    return low


def _end(box: SwungBox, rods: Rods, low: Array, high: Array) -> Array:
    return high


def _lowest(box: SwungBox, rods: Rods, low: Array, high: Array) -> Array:
    """Return the angles (n,) at which gaps are least in windows, where they fall and rise once."""
    for _ in range(45):
        a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
        falls = gaps(box, rods, a) > gaps(box, rods, b)
        low, high = np.where(falls, a, low), np.where(falls, high, b)
    return 0.5 * (low + high)
