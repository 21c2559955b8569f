"""Fans against points and spheres: distances in closed form, and the thesis' own tests of circles and spheres.

The nearest angle first, then the nearest radius, then the height. `fan_pieces` tests fans against everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from .convex_distance import Bools, Places
from .vectors import Array, dot

CLEAR = 1e-9
"""A gap or depth above this share of the size is clear; nearer to contact, both answers are accepted."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lower and upper bounds of n gaps [length], (n,). Above 0: distance. Below 0: the shift that would separate the two."""

    low: Array
    high: Array

    def take(self, where: Places | Bools) -> Bounds:
        """Return some of them."""
        return Bounds(self.low[where], self.high[where])


@dataclass(frozen=True, slots=True)
class Fans:
    """n fans: center (3, n), frame (3 directions, 3, n), half_angle, inner, outer, half_thickness (n,)."""

    center: Array
    frame: Array
    half_angle: Array
    inner: Array
    outer: Array
    half_thickness: Array

    @classmethod
    def of(cls, numbers: Array) -> Fans:
        """Return fans from their numbers, (n, 16)."""
        columns = np.ascontiguousarray(np.asarray(numbers, float).reshape(-1, 16).T)
        return cls(columns[:3], columns[3:12].reshape(3, 3, -1), *columns[12:])

    def take(self, where: Places | Bools | slice) -> Fans:
        """Return some of them."""
        return Fans(*(getattr(self, field.name)[..., where] for field in fields(self)))

    def as_kind(self, kind: type) -> Fans:
        """Return them in another dtype."""
        return Fans(*(getattr(self, field.name).astype(kind) for field in fields(self)))

    def local(self, points: Array) -> Array:
        """Return world points (3, n) in each fan's frame."""
        away = points - self.center
        return np.stack([dot(self.frame[i], away) for i in range(3)])

    def world(self, points: Array) -> Array:
        """Return points (3, n) of the fans' frames in world coordinates."""
        return self.center + sum(self.frame[i] * points[i] for i in range(3))

    @property
    def size(self) -> Array:
        """Largest length of each fan, (n,)."""
        return np.maximum(self.outer, self.half_thickness)


def nearest(fans: Fans, points: Array) -> Array:
    """Return the fans' points nearest to points (3, n), all in the fans' frames."""
    x, y, z = points
    rho, phi = np.hypot(x, y), np.arctan2(y, x)
    turn = np.clip(phi, -fans.half_angle, fans.half_angle)
    off = np.minimum(np.abs(phi - turn), np.pi)
    radius = np.clip(np.where(off > 0.0, rho * np.cos(off), rho), fans.inner, fans.outer)
    height = np.clip(z, -fans.half_thickness, fans.half_thickness)
    # Inside the fan's angle take the point's own direction: angle and back would lose digits.
    own = (off == 0.0) & (rho > 0.0)
    safe = np.where(rho > 0.0, rho, 1.0)
    flat = np.where(own, x / safe, np.cos(turn)), np.where(own, y / safe, np.sin(turn))
    return np.stack((radius * flat[0], radius * flat[1], height))


def distances(fans: Fans, points: Array) -> Array:
    """Return the distances of points (3, n), in the fans' frames, from the fans [length], (n,); 0 inside."""
    x, y, z = points
    rho = np.hypot(x, y)
    off = np.abs(np.arctan2(y, x)) - fans.half_angle
    beside = (off > 0.0) & (rho > 0.0)
    ahead = rho * np.cos(off)
    radius = np.clip(np.where(beside, ahead, rho), fans.inner, fans.outer)
    flat = np.where(beside, np.hypot(ahead - radius, rho * np.sin(off)), np.abs(rho - radius))
    return np.hypot(flat, np.maximum(np.abs(z) - fans.half_thickness, 0.0))


def depths(fans: Fans, points: Array) -> Array:
    """Return the radius of a ball about each point (3, n) that surely fits into the fan [length], (n,); 0 outside."""
    x, y, z = points
    rho = np.hypot(x, y)
    room = np.minimum(fans.half_thickness - np.abs(z), fans.outer - rho)
    room = np.where(fans.inner > 0.0, np.minimum(room, rho - fans.inner), room)
    left = fans.half_angle - np.abs(np.arctan2(y, x))
    side = np.where(left < np.pi / 2.0, rho * np.sin(left), rho)
    return np.maximum(np.where(fans.half_angle < np.pi, np.minimum(room, side), room), 0.0)


def sphere_gaps(fans: Fans, centers: Array, radii: Array) -> Bounds:
    """Return the gaps of spheres, centers (3, n) [world]; a sphere of radius 0 is a point."""
    local = fans.local(centers)
    away = distances(fans, local)
    gap = np.where(away > 0.0, away, -depths(fans, local)) - radii
    return Bounds(gap, gap)


def literal_circles(fans: Fans, centers: Array, radii: Array) -> Bools:
    """Return the thesis' answer for circles, centers (3, n) [world], with its errors in (2.4) and (2.8).

    Inside the angle it tests (r - r_c)^2 <= |P|^2, although a circle larger than the hole leaves no hole. Beside the angle it
    tests the sides only "if (2.5) is false", where (2.7) is meant.
    """
    x, y, _ = fans.local(centers)
    square = x * x + y * y
    rho = np.sqrt(square)
    in_angle = x >= rho * np.cos(fans.half_angle)
    near = np.full(len(rho), np.inf)
    for side in (-1.0, 1.0):
        p, q = np.cos(fans.half_angle), side * np.sin(fans.half_angle)
        share = np.clip(x * p + y * q, fans.inner, fans.outer)
        near = np.minimum(near, np.hypot(x - share * p, y - share * q))
    ring = (fans.inner**2 <= square) & (square <= fans.outer**2)
    widened = ((fans.inner - radii) ** 2 <= square) & (square <= (fans.outer + radii) ** 2)
    return np.where(in_angle, widened, ~ring & (near <= radii))


def literal_spheres(fans: Fans, centers: Array, radii: Array) -> Bools:
    """Return the thesis' answer for spheres (2.5), with the errors of its circles."""
    beyond = np.maximum(np.abs(fans.local(centers)[2]) - fans.half_thickness, 0.0)
    circle = np.sqrt(np.maximum(radii**2 - beyond**2, 0.0))
    return (beyond <= radii) & literal_circles(fans, centers, circle)


def flattened(fans: Fans, sizes: Array) -> Fans:
    """Return the fans at height 0, so high that height does not matter: for tests in the plane."""
    center = fans.center.copy()
    center[2] = 0.0
    return Fans(center, fans.frame, fans.half_angle, fans.inner, fans.outer, 0.1 * sizes)
