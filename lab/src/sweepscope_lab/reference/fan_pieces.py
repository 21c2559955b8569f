"""Gaps between fans and hulls, meshes or other fans, with proofs: each gap has a certified lower and upper bound.

A body is tested against convex pieces of the fan. The hull of a narrow piece contains the piece; the part of the piece beyond
the line that touches its inner arc is convex and inside it. A plane between the body and every hull proves them apart. A point
shared with the fan, or with such a part, proves a hit. Pieces that prove nothing are halved. What float64 does not decide is
repeated in long double, because the direction of a short gap needs digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from .convex_distance import Bools, PairBounds, Places, bound_distances
from .fan import CLEAR, Bounds, Fans, depths, distances, nearest
from .vectors import Array, cross, dot

_WIDEST = np.pi / 4.0
_LEVELS = 20  # halvings of a piece
_TOUCHING_LEVELS = 4  # the same where contact is proven and only its depth is not
_MOST_PIECES = 400
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces of fans: middle and half of the angle, inner and outer radius, half height, (k,) each."""

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
        """How far the hull goes beyond the inner arc, (k,)."""
        return 2.0 * self.inner * np.sin(0.5 * self.half) ** 2

    def inner_pieces(self) -> Pieces:
        """Return convex pieces inside these: the part beyond the line that touches the inner arc at its middle."""
        share = np.where(self.outer > 0.0, self.inner / np.where(self.outer > 0.0, self.outer, 1.0), 0.0)
        half = np.minimum(self.half, np.arccos(np.minimum(share, 1.0)))
        return Pieces(self.middle, half, np.minimum(self.inner / np.cos(half), self.outer), self.outer, self.high)

    def halves(self) -> Pieces:
        """Return both halves of each, (2 k,): the lower halves first."""
        half = 0.5 * self.half
        middle = np.concatenate((self.middle - half, self.middle + half))
        rest = (np.concatenate((a, a)) for a in (half, self.inner, self.outer, self.high))
        return Pieces(middle, *rest)

    def middles(self) -> Array:
        """Return a point of each, (3, k)."""
        radius = 0.5 * (self.inner + self.outer)
        return np.stack((radius * np.cos(self.middle), radius * np.sin(self.middle), np.zeros_like(radius)))

    def radii(self) -> Array:
        """Return the largest distance of each from its middle, (k,)."""
        middle = 0.5 * (self.inner + self.outer)
        across = [np.hypot(middle - r * np.cos(self.half), r * np.sin(self.half)) for r in (self.inner, self.outer)]
        return np.hypot(np.maximum(*across), self.high)

    def farthest(self, direction: Array) -> Array:
        """Return the points of their hulls farthest along directions (3, k)."""
        x, y, z = direction
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
    """Return the fan's index for each piece, and the pieces, none wider than a right angle."""
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

    def least(self, direction: Array, at: Places, piece: Pieces | None) -> Array:
        """Return the corners least far along directions."""
        corners = self.points[:, :, at]
        reached = corners[:, 0] * direction[0] + corners[:, 1] * direction[1] + corners[:, 2] * direction[2]
        first = np.argmin(reached, axis=0)
        return np.take_along_axis(corners, first[None, None], axis=0)[0]

    def middles(self, at: Places, piece: Pieces | None) -> Array:
        """Return the means of the corners."""
        return self.points[:, :, at].mean(axis=0)

    def shared(self, fans: Fans, points: Array, at: Places) -> Array:
        """Return the distances of the points from the fans: the points belong to the hulls."""
        return distances(fans, points)


@dataclass(frozen=True, slots=True)
class OtherFans:
    """Other fans in the frames of fans: turn (3, 3, n) and shift (3, n) from their own frames."""

    fans: Fans
    turn: Array
    shift: Array

    @classmethod
    def of(cls, fans: Fans, others: Fans) -> Self:
        """Return the other fans in the frames of `fans`."""
        turn = np.stack([[dot(fans.frame[i], others.frame[j]) for j in range(3)] for i in range(3)])
        return cls(others, turn, fans.local(others.center))

    def least(self, direction: Array, at: Places, piece: Pieces | None) -> Array:
        """Return the points of the pieces' hulls least far along directions."""
        assert piece is not None
        turn = self.turn[:, :, at]
        back = np.stack([-dot(turn[:, j], direction) for j in range(3)])
        return self.to_fans(piece.farthest(back), at)

    def middles(self, at: Places, piece: Pieces | None) -> Array:
        """Return points of the pieces."""
        assert piece is not None
        return self.to_fans(piece.middles(), at)

    def to_fans(self, points: Array, at: Places) -> Array:
        """Return points of the other fans' frames in the frames of the fans."""
        turn = self.turn[:, :, at]
        return np.stack([dot(turn[i], points) for i in range(3)]) + self.shift[:, at]

    def shared(self, fans: Fans, points: Array, at: Places) -> Array:
        """Return the distances, from the fans, of the other fans' points nearest to points."""
        away, turn = points - self.shift[:, at], self.turn[:, :, at]
        own = np.stack([dot(turn[:, j], away) for j in range(3)])
        return distances(fans, self.to_fans(nearest(self.fans.take(at), own), at))


def hull_gaps(fans: Fans, corners: Array, radii: Array, sizes: Array) -> Bounds:
    """Return the gaps of hulls of corners (corners, 3, n) [world], thickened by radii (n,).

    sizes (n,): a clear gap is a share of this length. Corners may repeat: a segment, a triangle and a box are hulls.
    """
    return _in_chunks(len(radii), lambda s: _some_hull_gaps(fans.take(s), corners[:, :, s], radii[s], sizes[s]))


def _in_chunks(count: int, gaps: Callable[[slice], Bounds]) -> Bounds:
    found = [gaps(slice(k, k + _CHUNK)) for k in range(0, max(count, 1), _CHUNK)]
    return Bounds(np.concatenate([bounds.low for bounds in found]), np.concatenate([bounds.high for bounds in found]))


def _some_hull_gaps(fans: Fans, corners: Array, radii: Array, sizes: Array) -> Bounds:
    points = np.stack([fans.local(corner) for corner in corners])
    middle = points.mean(axis=0)
    away = np.stack([distances(fans, point) for point in (middle, *points)])
    deep = np.stack([depths(fans, point) for point in (middle, *points)])
    high = np.where(away > 0.0, away, -deep).min(axis=0) - radii
    reach = np.sqrt(np.max(np.sum((points - middle) ** 2, axis=1), axis=0))
    low = np.maximum(away[0] - reach, _hole_bound(fans, points)) - radii
    tolerance = CLEAR * sizes
    todo = np.flatnonzero((low <= tolerance) & (high >= -tolerance))
    return _prove(fans, Hulls(points), radii, sizes, Bounds(low, high), todo)


def _hole_bound(fans: Fans, points: Array) -> Array:
    """Return a lower bound of the distance, (n,), for hulls inside the fans' holes, or above or below them."""
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    flat = np.maximum(fans.inner - np.hypot(x, y).max(axis=0), 0.0)
    return np.hypot(flat, np.maximum(np.maximum(z.min(axis=0), -z.max(axis=0)) - fans.half_thickness, 0.0))


def fan_gaps(fans: Fans, others: Fans, sizes: Array) -> Bounds:
    """Return the gaps of fans and other fans."""
    return _in_chunks(len(sizes), lambda s: _some_fan_gaps(fans.take(s), others.take(s), sizes[s]))


def _some_fan_gaps(fans: Fans, others: Fans, sizes: Array) -> Bounds:
    low = np.maximum(_coaxial_bound(fans, others), _coaxial_bound(others, fans))
    todo = np.flatnonzero(low <= CLEAR * sizes)
    bounds = Bounds(low, np.full(len(low), np.inf))
    return _prove(fans, OtherFans.of(fans, others), np.zeros(len(low)), sizes, bounds, todo)


def _coaxial_bound(fans: Fans, others: Fans) -> Array:
    """Return a lower bound of the distance, (n,), where both axes are parallel and the other fan is in the fan's hole."""
    second = OtherFans.of(fans, others)
    tilt = np.hypot(second.turn[0, 2], second.turn[1, 2])
    x, y, z = second.shift
    # The farthest point from the fan's axis: a corner of the other fan, or a point of its outer arc opposite to the axis.
    away = np.arctan2(y, x) - np.arctan2(second.turn[1, 0], second.turn[0, 0])
    away = (away - 2.0 * np.pi * np.rint(away / (2.0 * np.pi))) * np.sign(second.turn[2, 2])
    turn = np.clip(away, -others.half_angle, others.half_angle)
    far = np.zeros_like(x)
    for angle in (-others.half_angle, turn, others.half_angle):
        for radius in (others.inner, others.outer):
            place = second.to_fans(np.stack((radius * np.cos(angle), radius * np.sin(angle), 0.0 * radius)), np.arange(len(x)))
            far = np.maximum(far, np.hypot(place[0], place[1]))
    error = 4.0 * tilt * (others.outer + others.half_thickness)
    flat = np.maximum(fans.inner - far, 0.0)
    high = np.maximum(np.abs(z) - others.half_thickness - fans.half_thickness, 0.0)
    return np.where(tilt < 1e-6, np.maximum(np.hypot(flat, high) - error, 0.0), 0.0)


def _prove(fans: Fans, other: Hulls | OtherFans, radii: Array, sizes: Array, known: Bounds, todo: Places) -> Bounds:
    """Return bounds of the gaps: the known ones, improved for the indices in `todo`."""
    low, high = known.low.astype(float), known.high.astype(float)
    for kind in (np.float64, np.longdouble):
        if not len(todo):
            break
        some = _search(
            fans.take(todo).as_kind(kind), _other_as(other, todo, kind), radii[todo].astype(kind), sizes[todo].astype(kind)
        )
        low[todo], high[todo] = np.maximum(low[todo], some.low), np.minimum(high[todo], some.high)
        tolerance = CLEAR * sizes[todo]
        todo = todo[(low[todo] <= tolerance) & (high[todo] > tolerance)]
    # A lower bound from before a shared point was found says nothing about depth.
    return Bounds(np.where(high <= 0.0, -np.inf, low), high)


def _other_as(other: Hulls | OtherFans, at: Places, kind: type) -> Hulls | OtherFans:
    if isinstance(other, Hulls):
        return Hulls(other.points[:, :, at].astype(kind))
    return OtherFans(other.fans.take(at).as_kind(kind), other.turn[:, :, at].astype(kind), other.shift[:, at].astype(kind))


def _search(fans: Fans, other: Hulls | OtherFans, radii: Array, sizes: Array) -> Bounds:
    """Return bounds of the gaps by pieces; pieces that prove nothing are halved."""
    count = len(radii)
    low, high = np.full(count, np.inf, radii.dtype), np.full(count, np.inf, radii.dtype)
    tolerance = CLEAR * sizes
    at, first = _pieces(fans)
    second, sides = None, 1
    if isinstance(other, OtherFans):
        at, first, second = _all_pairs(at, first, other.fans)
        sides = 2  # one of two pieces is halved at a time
    # Two fans this near count as decided: both answers are accepted. For a hull the gap itself is cheap.
    touch = (1e-13 if second is None else CLEAR) * sizes
    for level in range(sides * _LEVELS):
        if second is not None:
            at, first, second = _drop_far(at, first, second, other, tolerance, low)
        if not len(at):
            break
        found = _bound_pieces(other, at, first, second, radii, tolerance, sizes)
        proven = found.low - radii[at]
        left = proven <= tolerance[at]
        np.minimum.at(low, at[~left], proven[~left])
        at, first, proven, second = at[left], first.take(left), proven[left], second and second.take(left)
        # A point of the body, tested against the fan itself.
        np.minimum.at(high, at, other.shared(fans.take(at), found.point[:, left], at) - radii[at])
        inner = _bound_pieces(other, at, first.inner_pieces(), second and second.inner_pieces(), radii, tolerance, sizes)
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
        at, first, second = _halve(at[go], first.take(go), second and second.take(go))
    return Bounds(low, high)


def _all_pairs(at: Places, first: Pieces, others: Fans) -> tuple[Places, Pieces, Pieces]:
    """Return all pairs of a piece of a fan and a piece of its other fan."""
    of, second = _pieces(others)
    many = np.bincount(of, minlength=len(others.outer))
    begin = np.cumsum(many) - many
    repeat = many[at]
    each = np.repeat(np.arange(len(at)), repeat)
    number = np.arange(len(each)) - np.repeat(np.cumsum(repeat) - repeat, repeat)
    return at[each], first.take(each), second.take(begin[at[each]] + number)


def _drop_far(
    at: Places, first: Pieces, second: Pieces, other: Hulls | OtherFans, tolerance: Array, low: Array
) -> tuple[Places, Pieces, Pieces]:
    """Return the pairs of pieces whose balls meet; the distances of the others go into `low`."""
    away = other.middles(at, second) - first.middles()
    gap = np.sqrt(dot(away, away)) - first.radii() - second.radii()
    near = gap <= tolerance[at]
    np.minimum.at(low, at[~near], gap[~near])
    return at[near], first.take(near), second.take(near)


def _bound_pieces(
    other: Hulls | OtherFans, at: Places, first: Pieces, second: Pieces | None, radii: Array, tolerance: Array, sizes: Array
) -> PairBounds:
    """Bound the distances between bodies `at`, or pieces of them, and pieces of fans."""

    def farthest(direction: Array, among: Places) -> tuple[Array, Array]:
        body = other.least(direction, at[among], None if second is None else second.take(among))
        return body, first.take(among).farthest(direction)

    return bound_distances(farthest, other.middles(at, second) - first.middles(), radii[at], tolerance[at], sizes[at])


def _halve(at: Places, first: Pieces, second: Pieces | None) -> tuple[Places, Pieces, Pieces | None]:
    """Return the pieces halved; of two, the one whose hull goes farther beyond its inner arc."""
    if second is None:
        return np.concatenate((at, at)), first.halves(), None
    cut = first.sliver >= second.sliver
    one, two = first.take(cut), second.take(~cut)
    keep_one, keep_two = first.take(~cut), second.take(cut)
    places = np.concatenate((at[cut], at[cut], at[~cut], at[~cut]))
    return places, _join(one.halves(), keep_one, keep_one), _join(keep_two, keep_two, two.halves())


def _join(*parts: Pieces) -> Pieces:
    return Pieces(*(np.concatenate([getattr(piece, field.name) for piece in parts]) for field in fields(Pieces)))


def mesh_gaps(fans: Fans, corners: Array, of: Places, closed: Bools, sizes: Array) -> Bounds:
    """Return the gaps of n meshes of m triangles: corners (3 corners, 3, m) [world]; `of` (m,): the mesh of each triangle.

    closed (n,): whether a mesh has an inside; the inside then belongs to it.
    """
    count = len(closed)
    each = hull_gaps(fans.take(of), corners, np.zeros(len(of)), sizes[of])
    low, high = np.full(count, np.inf), np.full(count, np.inf)
    np.minimum.at(low, of, each.low)
    np.minimum.at(high, of, each.high)
    # A fan that no triangle touches is inside if any one of its points is.
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
