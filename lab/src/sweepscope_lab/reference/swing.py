"""A turning box against rods, the slow twin of `Swing`. A ball is a rod without length, a point a rod without radius.

All is computed in the box's frame. The distance from a segment to a box is the least value of a convex, piecewise quadratic
function. A walk along the turn takes certain steps: a plane with normal n separates the two, and turns with the box or stands
still. While the box turns by h, a point approaches it along n by at most s h + rho h^2 / 2. Here s is its speed along n, and
rho its distance from the axis times the sine between n and the axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

REACHED = 1e-12
"""The walk ends at this distance [share of the size]."""
TOUCHING = 2e-15
"""A smaller distance is contact, except for rounding [share of the size]."""
_MOST_STEPS = 40_000
_FEW_STEPS = 40  # after this many steps a still plane is tried, too
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
        """Return points (n, 3) in the box's frame after turns by phi (n,), and their velocities [per radian]."""
        sign = np.sign(self.angle) if self.angle else 1.0
        arm = places - self.about
        across = np.cross(self.axis, arm)
        inward = np.cross(self.axis, across)
        sine, cosine = (-sign * np.sin(phi))[:, None], np.cos(phi)[:, None]
        moved = sine * across + (1.0 - cosine) * inward
        speed = -sign * cosine * across + np.sin(phi)[:, None] * inward
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
    """Return the largest length in each case, (n,)."""
    arms = [np.linalg.norm(places - box.about, axis=1) for places in (rods.p0, rods.p1)]
    own = np.linalg.norm(box.half) + np.linalg.norm(box.pose[:3, 3] - box.about)
    return np.maximum(*arms) + rods.radii + own


def nearest(half: Array, p0: Array, p1: Array) -> Array:
    """Return where, as a share (n,) from p0 to p1 (n, 3), the segment is nearest to the box |x| <= half."""
    along = p1 - p0
    with np.errstate(all="ignore"):
        crossed = ((half - p0) / along, (-half - p0) / along)
    cuts = np.concatenate((*crossed, np.zeros((len(p0), 1)), np.ones((len(p0), 1))), axis=1)
    cuts = np.nan_to_num(cuts, nan=0.0)
    off = p0[:, None, :] + np.clip(cuts, 0.0, 1.0)[:, :, None] * along[:, None, :]
    off -= np.clip(off, -half, half)
    # Where the segment crosses a side, that coordinate is on the box, in spite of rounding.
    axes = np.arange(3)
    for first in (0, 3):
        inner = (cuts[:, first : first + 3] >= 0.0) & (cuts[:, first : first + 3] <= 1.0)
        off[:, first + axes, axes] *= ~inner
    # Half the slope of the squared distance: it never falls, and is linear between cuts.
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
    """Return the distances of rods and box after turns by phi (n,), (n,) [length]; at most 0 in contact."""
    return SwingState(box, rods, phi).gap


class SwingState:
    """Rods and a box after turns by phi (n,), in the box's frame: distances, and for how long planes separate them."""

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

    def carried_plane_lasts(self) -> Array:
        """Return for how long (n,) [radians] a plane that turns with the box surely separates them from the rods' ends."""
        room = ((self.ends - self.on_box) * self.normal).sum(axis=2) - self.rods.radii
        arms = self.ends - (self.box.about - self.box.pose[:3, 3]) @ self.box.pose[:3, :3]
        return self._duration(room, (self.speeds * self.normal).sum(axis=2), arms)

    def still_plane_lasts(self) -> Array:
        """Return the same for a plane that stands still with the rods and separates them from the box's corners."""
        turn, sign = self.box.pose[:3, :3], np.sign(self.box.angle) if self.box.angle else 1.0
        corners = np.array(list(np.ndindex(2, 2, 2)))[:, None, :] * 2.0 * self.box.half - self.box.half
        arms = corners - (self.box.about - self.box.pose[:3, 3]) @ turn
        nearer = (self.ends * self.normal).sum(axis=2).min(axis=0) - self.rods.radii
        speed = -(np.cross(sign * self.box.axis @ turn, arms) * self.normal).sum(axis=2)
        return self._duration(nearer - (corners * self.normal).sum(axis=2), speed, arms)

    def _duration(self, room: Array, speed: Array, arms: Array) -> Array:
        """Return how long (n,) the room (k, n) lasts; it grows with `speed`, and points have arms (k, n, 3) from the axis."""
        axis = self.box.axis @ self.box.pose[:3, :3]
        lean = np.linalg.norm(np.cross(self.normal, axis), axis=1)
        bend = np.maximum(np.linalg.norm(np.cross(arms, axis), axis=2) * lean, 1e-300)
        room = np.maximum(room, np.maximum(self.gap, 0.0))
        root = np.sqrt(speed * speed + 2.0 * bend * room)
        with np.errstate(all="ignore"):
            return np.where(speed < 0.0, 2.0 * room / (root - speed), (root + speed) / bend).min(axis=0)


def first_touch(box: SwungBox, rods: Rods) -> tuple[Array, NDArray[np.bool_]]:
    """Return angles (n,) at which REACHED is met, all before it surely free; NaN if never. And where the walk gave up, (n,)."""
    size = sizes(box, rods)
    whole = min(abs(box.angle), _TURN)
    found = np.full(len(rods), np.nan)
    phi = np.zeros(len(rods))
    left = np.arange(len(rods))
    for step in range(_MOST_STEPS):
        snapshot = SwingState(box, rods.take(left), phi[left])
        near = snapshot.gap <= REACHED * size[left]
        found[left[near]] = phi[left[near]]
        go = ~near & (phi[left] < whole)
        lasts = snapshot.carried_plane_lasts()
        if step > _FEW_STEPS:
            lasts = np.maximum(lasts, snapshot.still_plane_lasts())
        phi[left[go]] = np.minimum(phi[left[go]] + lasts[go], whole)
        left = left[go]
        if len(left) == 0:
            break
    lost = np.zeros(len(rods), bool)
    lost[left] = True
    return found, lost


def witnesses(box: SwungBox, rods: Rods, reached: Array) -> Array:
    """Return angles (n,) soon after `reached` with certain contact; NaN where none was found.

    A thin thing is in contact for a moment only, so the least distance is searched in wider and wider windows.
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
    """Return the angles (n,) of the least gaps in windows, where gaps fall and then rise."""
    for _ in range(45):
        a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
        falls = gaps(box, rods, a) > gaps(box, rods, b)
        low, high = np.where(falls, a, low), np.where(falls, high, b)
    return 0.5 * (low + high)
