"""Gaps of fans and hulls, meshes or other fans, with proofs: the gap lies between two bounds, both of them certified.

A body is held against convex pieces of the fan: the hull of a narrow piece holds it, and what is left of the piece beyond the
line that touches its inner arc is within it. A plane that keeps the body off every hull proves it apart; a point shared with
the fan, or with what is within, proves a hit. Pieces that prove nothing are halved. What float64 leaves open is asked again in
long double, because the direction of a short gap needs digits.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from .fan import CLEAR, Bounds, Fans, depths, distances, nearest
from .parting import Array, Bools, Parted, Places, cross, dot, part

_WIDEST = np.pi / 4.0
_LEVELS = 20  # halvings of a piece
_TOUCHING_LEVELS = 4  # as many where contact is proven, and only its depth is not
_MOST_PIECES = 400
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces of fans: middle and half of the angle, inner and outer radius, half of the height, (k,) each."""

    middle: Array
    half: Array
    inner: Array
    outer: Array
    high: Array

    def take(self, where: Places | Bools) -> Pieces:
        """Return some of them."""
        return Pieces(*(getattr(self, field.name)[where] for field in fields(self)))

    @property
    def sliver(self) -> Array:
        """Return how far the hull goes beyond the inner arc, (k,)."""
        return 2.0 * self.inner * np.sin(0.5 * self.half) ** 2

    def within(self) -> Pieces:
        """Return convex pieces within these: what is beyond the line that touches the inner arc in its middle."""
        share = np.where(self.outer > 0.0, self.inner / np.where(self.outer > 0.0, self.outer, 1.0), 0.0)
        half = np.minimum(self.half, np.arccos(np.minimum(share, 1.0)))
        return Pieces(self.middle, half, np.minimum(self.inner / np.cos(half), self.outer), self.outer, self.high)

    def halves(self) -> Pieces:
        """Return both halves of all, (2 k,): first the lower ones."""
        half = 0.5 * self.half
        middle = np.concatenate((self.middle - half, self.middle + half))
        rest = (np.concatenate((a, a)) for a in (half, self.inner, self.outer, self.high))
        return Pieces(middle, *rest)

    def middles(self) -> Array:
        """Return a point of each, (3, k)."""
        radius = 0.5 * (self.inner + self.outer)
        return np.stack((radius * np.cos(self.middle), radius * np.sin(self.middle), np.zeros_like(radius)))

    def radii(self) -> Array:
        """Return how far from their middles they reach at most, (k,)."""
        middle = 0.5 * (self.inner + self.outer)
        across = [np.hypot(middle - r * np.cos(self.half), r * np.sin(self.half)) for r in (self.inner, self.outer)]
        return np.hypot(np.maximum(*across), self.high)

    def farthest(self, way: Array) -> Array:
        """Return the points of their hulls that are farthest along directions (3, k)."""
        x, y, z = way
        flat = np.hypot(x, y)
        safe = np.where(flat > 0.0, flat, 1.0)
        turn = np.arctan2(y, x) - self.middle
        turn = turn - 2.0 * np.pi * np.rint(turn / (2.0 * np.pi))
        own = (np.abs(turn) <= self.half) & (flat > 0.0)
        angle = self.middle + np.clip(turn, -self.half, self.half)
        cosine, sine = np.cos(angle), np.sin(angle)
        p, q = np.where(own, x / safe, cosine), np.where(own, y / safe, sine)
        forward = p * x + q * y
        best = np.stack((self.outer * p, self.outer * q))
        far = self.outer * forward
        for side in (-1.0, 1.0):
            angle = self.middle + side * self.half
            p, q = np.cos(angle), np.sin(angle)
            reached = self.inner * (p * x + q * y)
            take = reached > far
            far = np.where(take, reached, far)
            best = np.where(take, np.stack((self.inner * p, self.inner * q)), best)
        return np.stack((*best, np.where(z >= 0.0, self.high, -self.high)))


def _pieces(fans: Fans) -> tuple[Places, Pieces]:
    """Return which fan, and its pieces, none wider than a right angle."""
    count = np.maximum(np.ceil(fans.half_angle.astype(float) / _WIDEST).astype(int), 1)
    of = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    half = (fans.half_angle / count)[of]
    middle = (2 * number + 1 - count[of]) * half
    return of, Pieces(middle, half, fans.inner[of], fans.outer[of], fans.half_thickness[of])


@dataclass(frozen=True, slots=True)
class Hulls:
    """Hulls of points (corners, 3, n), each in its fan's frame."""

    points: Array

    def least(self, way: Array, at: Places, piece: Pieces | None) -> Array:
        """Return the corners least far along directions."""
        corners = self.points[:, :, at]
        reached = corners[:, 0] * way[0] + corners[:, 1] * way[1] + corners[:, 2] * way[2]
        first = np.argmin(reached, axis=0)
        return np.take_along_axis(corners, first[None, None], axis=0)[0]

    def middles(self, at: Places, piece: Pieces | None) -> Array:
        """Return the means of the corners."""
        return self.points[:, :, at].mean(axis=0)

    def shared(self, fans: Fans, points: Array, at: Places) -> Array:
        """Return the distances of the points themselves: they are of the hull."""
        return distances(fans, points)


@dataclass(frozen=True, slots=True)
class Second:
    """Fans seen by other fans: turn (3, 3, n) and shift (3, n) from their frames to those."""

    fans: Fans
    turn: Array
    shift: Array

    @classmethod
    def of(cls, fans: Fans, others: Fans) -> Self:
        """Return others as fans see them."""
        turn = np.stack([[dot(fans.frame[i], others.frame[j]) for j in range(3)] for i in range(3)])
        return cls(others, turn, fans.local(others.centre))

    def least(self, way: Array, at: Places, piece: Pieces | None) -> Array:
        """Return the points of pieces' hulls least far along directions."""
        assert piece is not None
        turn = self.turn[:, :, at]
        back = np.stack([-dot(turn[:, j], way) for j in range(3)])
        return self.to_first(piece.farthest(back), at)

    def middles(self, at: Places, piece: Pieces | None) -> Array:
        """Return points of the pieces."""
        assert piece is not None
        return self.to_first(piece.middles(), at)

    def to_first(self, points: Array, at: Places) -> Array:
        """Return points of the others' frames in those of the fans."""
        turn = self.turn[:, :, at]
        return np.stack([dot(turn[i], points) for i in range(3)]) + self.shift[:, at]

    def shared(self, fans: Fans, points: Array, at: Places) -> Array:
        """Return the distances of the others' points nearest to points."""
        away, turn = points - self.shift[:, at], self.turn[:, :, at]
        own = np.stack([dot(turn[:, j], away) for j in range(3)])
        return distances(fans, self.to_first(nearest(self.fans.take(at), own), at))


def hull_gaps(fans: Fans, corners: Array, radii: Array, sizes: Array) -> Bounds:
    """Return the gaps of hulls of corners (corners, 3, n) [world], thickened by radii (n,).

    sizes (n,): the length that a clear gap is a share of. Repeated corners are welcome: a segment, a triangle, a box are hulls.
    """
    found = [_some_hull_gaps(fans.take(s), corners[:, :, s], radii[s], sizes[s]) for s in _chunks(len(radii))]
    return Bounds(*(np.concatenate([getattr(bounds, name) for bounds in found]) for name in ("low", "high")))


def _chunks(count: int) -> list[slice]:
    return [slice(k, k + _CHUNK) for k in range(0, max(count, 1), _CHUNK)]


def _some_hull_gaps(fans: Fans, corners: Array, radii: Array, sizes: Array) -> Bounds:
    points = np.stack([fans.local(corner) for corner in corners])
    middle = points.mean(axis=0)
    away = np.stack([distances(fans, point) for point in (middle, *points)])
    deep = np.stack([depths(fans, point) for point in (middle, *points)])
    high = np.where(away > 0.0, away, -deep).min(axis=0) - radii
    reach = np.sqrt(np.max(np.sum((points - middle) ** 2, axis=1), axis=0))
    low = np.maximum(away[0] - reach, _in_hole(fans, points)) - radii
    tolerance = CLEAR * sizes
    todo = np.flatnonzero((low <= tolerance) & (high >= -tolerance))
    return _prove(fans, Hulls(points), radii, sizes, Bounds(low, high), todo)


def _in_hole(fans: Fans, points: Array) -> Array:
    """Return a bound of the distance, (n,): all radii of the hull are below the inner one by that much, all heights beyond."""
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    flat = np.maximum(fans.inner - np.hypot(x, y).max(axis=0), 0.0)
    return np.hypot(flat, np.maximum(np.maximum(z.min(axis=0), -z.max(axis=0)) - fans.half_thickness, 0.0))


def fan_gaps(fans: Fans, others: Fans, sizes: Array) -> Bounds:
    """Return the gaps of fans and other fans."""
    found = [_some_fan_gaps(fans.take(s), others.take(s), sizes[s]) for s in _chunks(len(sizes))]
    return Bounds(*(np.concatenate([getattr(bounds, name) for bounds in found]) for name in ("low", "high")))


def _some_fan_gaps(fans: Fans, others: Fans, sizes: Array) -> Bounds:
    low = np.maximum(_round(fans, others), _round(others, fans))
    todo = np.flatnonzero(low <= CLEAR * sizes)
    bounds = Bounds(low, np.full(len(low), np.inf))
    return _prove(fans, Second.of(fans, others), np.zeros(len(low)), sizes, bounds, todo)


def _round(fans: Fans, others: Fans) -> Array:
    """Return a bound of the distance, (n,), where both have the same axis direction and the others are in the fans' holes."""
    second = Second.of(fans, others)
    tilt = np.hypot(second.turn[0, 2], second.turn[1, 2])
    x, y, z = second.shift
    # The farthest from the fans' axis: a corner of the other, or the place of its outer arc that faces away from that axis.
    away = np.arctan2(y, x) - np.arctan2(second.turn[1, 0], second.turn[0, 0])
    away = (away - 2.0 * np.pi * np.rint(away / (2.0 * np.pi))) * np.sign(second.turn[2, 2])
    turn = np.clip(away, -others.half_angle, others.half_angle)
    far = np.zeros_like(x)
    for angle in (-others.half_angle, turn, others.half_angle):
        for radius in (others.inner, others.outer):
            place = second.to_first(np.stack((radius * np.cos(angle), radius * np.sin(angle), 0.0 * radius)), np.arange(len(x)))
            far = np.maximum(far, np.hypot(place[0], place[1]))
    error = 4.0 * tilt * (others.outer + others.half_thickness)
    flat = np.maximum(fans.inner - far, 0.0)
    high = np.maximum(np.abs(z) - others.half_thickness - fans.half_thickness, 0.0)
    return np.where(tilt < 1e-6, np.maximum(np.hypot(flat, high) - error, 0.0), 0.0)


def _prove(fans: Fans, other: Hulls | Second, radii: Array, sizes: Array, known: Bounds, todo: Places) -> Bounds:
    """Return bounds of the gaps: those known, and better ones for those to do."""
    low, high = known.low.astype(float), known.high.astype(float)
    for kind in (np.float64, np.longdouble):
        if not len(todo):
            break
        some = _search(
            fans.take(todo).as_kind(kind), _body(other, todo, kind), radii[todo].astype(kind), sizes[todo].astype(kind)
        )
        low[todo], high[todo] = np.maximum(low[todo], some.low), np.minimum(high[todo], some.high)
        tolerance = CLEAR * sizes[todo]
        todo = todo[(low[todo] <= tolerance) & (high[todo] > tolerance)]
    # Whatever was proven before a point was found that is shared, is no bound of how deep they are in each other.
    return Bounds(np.where(high <= 0.0, -np.inf, low), high)


def _body(other: Hulls | Second, at: Places, kind: type) -> Hulls | Second:
    if isinstance(other, Hulls):
        return Hulls(other.points[:, :, at].astype(kind))
    return Second(other.fans.take(at).as_kind(kind), other.turn[:, :, at].astype(kind), other.shift[:, at].astype(kind))


def _search(fans: Fans, other: Hulls | Second, radii: Array, sizes: Array) -> Bounds:
    """Return bounds of the gaps by pieces, the ones that prove nothing halved until they do."""
    count = len(radii)
    low, high = np.full(count, np.inf, radii.dtype), np.full(count, np.inf, radii.dtype)
    tolerance = CLEAR * sizes
    at, first = _pieces(fans)
    second, sides = None, 1
    if isinstance(other, Second):
        at, first, second = _crossed(at, first, other.fans)
        sides = 2  # one of two pieces is halved at a time
    # Two fans so near that either answer will do are left at that; of a hull it is cheap to know the gap itself.
    touch = (1e-13 if second is None else CLEAR) * sizes
    for level in range(sides * _LEVELS):
        if second is not None:
            at, first, second = _near(at, first, second, other, tolerance, low)
        if not len(at):
            break
        found = _part(other, at, first, second, radii, tolerance, sizes)
        proven = found.low - radii[at]
        left = proven <= tolerance[at]
        np.minimum.at(low, at[~left], proven[~left])
        at, first, proven, second = at[left], first.take(left), proven[left], second and second.take(left)
        # A point of the body, held against the fan itself.
        np.minimum.at(high, at, other.shared(fans.take(at), found.point[:, left], at) - radii[at])
        inner = _part(other, at, first.within(), second and second.within(), radii, tolerance, sizes)
        reached = np.where(inner.distance < np.inf, other.shared(fans.take(at), inner.point, at), np.inf)
        np.minimum.at(high, at, np.where(inner.depth > 0.0, -inner.depth, reached) - radii[at])
        sliver = first.sliver if second is None else np.maximum(first.sliver, second.sliver)
        met = high[at] <= touch[at]
        over = high[at] < -tolerance[at]
        many = np.bincount(at, minlength=count)[at] > _MOST_PIECES
        last = (
            (sliver <= 0.01 * tolerance[at])
            | (met & (level >= sides * _TOUCHING_LEVELS))
            | many
            | (level == sides * _LEVELS - 1)
        )
        ended = last & ~over
        np.minimum.at(low, at[ended], np.where(many, -np.inf, proven)[ended])
        go = ~over & ~last
        at, first, second = _halved(at[go], first.take(go), second and second.take(go))
    return Bounds(low, high)


def _crossed(at: Places, first: Pieces, others: Fans) -> tuple[Places, Pieces, Pieces]:
    """Return all pairs of pieces of fans and pieces of the others."""
    of, second = _pieces(others)
    many = np.bincount(of, minlength=len(others.outer))
    begin = np.cumsum(many) - many
    repeat = many[at]
    each = np.repeat(np.arange(len(at)), repeat)
    number = np.arange(len(each)) - np.repeat(np.cumsum(repeat) - repeat, repeat)
    return at[each], first.take(each), second.take(begin[at[each]] + number)


def _near(
    at: Places, first: Pieces, second: Pieces, other: Hulls | Second, tolerance: Array, low: Array
) -> tuple[Places, Pieces, Pieces]:
    """Return the pairs of pieces whose balls meet; what parts the rest goes into `low`."""
    away = other.middles(at, second) - first.middles()
    gap = np.sqrt(dot(away, away)) - first.radii() - second.radii()
    near = gap <= tolerance[at]
    np.minimum.at(low, at[~near], gap[~near])
    return at[near], first.take(near), second.take(near)


def _part(
    other: Hulls | Second, at: Places, first: Pieces, second: Pieces | None, radii: Array, tolerance: Array, sizes: Array
) -> Parted:
    """Hold bodies `at`, or pieces of them, against pieces of fans."""

    def farthest(way: Array, among: Places) -> tuple[Array, Array]:
        body = other.least(way, at[among], None if second is None else second.take(among))
        return body, first.take(among).farthest(way)

    return part(farthest, other.middles(at, second) - first.middles(), radii[at], tolerance[at], sizes[at])


def _halved(at: Places, first: Pieces, second: Pieces | None) -> tuple[Places, Pieces, Pieces | None]:
    """Return pieces in halves; of two, the one whose hull goes farther beyond its arc, or the wider one."""
    if second is None:
        return np.concatenate((at, at)), first.halves(), None
    cut = first.sliver >= second.sliver
    one, two = first.take(cut), second.take(~cut)
    keep_one, keep_two = first.take(~cut), second.take(cut)
    places = np.concatenate((at[cut], at[cut], at[~cut], at[~cut]))
    return places, _joined(one.halves(), keep_one, keep_one), _joined(keep_two, keep_two, two.halves())


def _joined(*parts: Pieces) -> Pieces:
    return Pieces(*(np.concatenate([getattr(piece, field.name) for piece in parts]) for field in fields(Pieces)))


def mesh_gaps(fans: Fans, corners: Array, of: Places, closed: Bools, sizes: Array) -> Bounds:
    """Return the gaps of n meshes of m triangles: corners (3 corners, 3, m) [world], `of` (m,): whose they are.

    closed (n,): whether a mesh has an inside, which is then part of it.
    """
    count = len(closed)
    each = hull_gaps(fans.take(of), corners, np.zeros(len(of)), sizes[of])
    low, high = np.full(count, np.inf), np.full(count, np.inf)
    np.minimum.at(low, of, each.low)
    np.minimum.at(high, of, each.high)
    # A fan that no triangle touches is inside or outside as any of its points is.
    some = fans.world(np.stack((fans.outer, 0.0 * fans.outer, 0.0 * fans.outer)))
    turns = np.zeros(count)
    np.add.at(turns, of, _solid_angles(corners - some[:, of]))
    inside = closed & (low > 0.0) & (np.abs(turns) > 2.0 * np.pi)
    return Bounds(np.where(inside, -np.inf, low), np.where(inside, -low, high))


def _solid_angles(corners: Array) -> Array:
    """Return the signed solid angles (m,) of triangles (3 corners, 3, m) from the origin (Van Oosterom and Strackee 1983)."""
    a, b, c = corners
    x, y, z = (np.sqrt(dot(v, v)) for v in corners)
    below = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y
    return 2.0 * np.arctan2(dot(a, cross(b, c)), below)
