"""How near a mover is to an obstacle, and in which directions it surely separates from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .contact_cases import ContactScene
from .contact_motions import beside
from .contact_shapes import Rng
from .convex_depth import Floats, separating_axes, signed_distances
from .height_fields import HeightField, clearance, least_depth
from .vectors import random_direction

_STEPS, _ROUNDS = 17, 4
_OUT = 1e-13
"""Overlap that is rounding [length]."""


class Nearness(ABC):
    """How near a mover is to an obstacle at k poses. Depths are those of the whole bodies, directions are in the world."""

    depths: Floats
    """The depth is at least this, shape (k,) [length]; 0 if they do not overlap."""
    most: Floats
    """The depth is at most this, shape (k,) [length]."""
    known: NDArray[np.bool_]
    """Whether the bounds hold, shape (k,). They do not where a mover reaches the border of a height field."""

    @abstractmethod
    def nearest(self, k: int) -> tuple[float, Floats]:
        """Return the signed distance [length] at pose k, and the unit axis (3,) from the obstacle to the mover."""

    @abstractmethod
    def ways_out(self, k: int, rng: Rng) -> list[Floats]:
        """Return unit directions (3,) in which the mover surely separates, from pose k on."""

    @abstractmethod
    def way_along(self, k: int, rng: Rng) -> Floats | None:
        """Return a unit direction (3,) in which the mover surely comes no nearer, from pose k on; None if none is known."""


@dataclass(slots=True)
class PartsNearness(Nearness):
    """Of bodies that consist of convex parts: p pairs of parts."""

    distances: Floats
    """Signed distances (p, k)."""
    axes: Floats
    """Unit axes (p, k, 3) from obstacle to mover: the shortest way out of an overlap."""
    depths: Floats
    most: Floats
    known: NDArray[np.bool_]

    def nearest(self, k: int) -> tuple[float, Floats]:
        """Return that of the nearest pair."""
        pair = int(self.distances[:, k].argmin())
        return float(self.distances[pair, k]), self.axes[pair, k]

    def ways_out(self, k: int, rng: Rng) -> list[Floats]:
        """Return the shortest way out and another: along the axis of each pair, the gap of the shadows grows."""
        _, shortest = self.nearest(k)
        sideways = random_direction(rng)
        aslant = 0.3 * shortest + (sideways if sideways @ shortest >= 0.0 else -sideways)
        return [way for way in (shortest, aslant / np.linalg.norm(aslant)) if (self.axes[:, k] @ way >= 0.2).all()]

    def way_along(self, k: int, rng: Rng) -> Floats | None:
        """Return a direction square to the axis of the nearest pair, if no other pair comes nearer."""
        way = beside(self.nearest(k)[1], rng)
        return way if (self.axes[:, k] @ way >= -1e-15).all() else None


@dataclass(slots=True)
class FieldNearness(Nearness):
    """Of a mover above a height field."""

    gaps: Floats
    """Clearance (k,), measured square to the surface."""
    axes: Floats
    """Unit axes (k, 3)."""
    up: Floats
    """The vertical, shape (3,)."""
    steepest: float
    depths: Floats
    most: Floats
    known: NDArray[np.bool_]

    def nearest(self, k: int) -> tuple[float, Floats]:
        """Return that of the place where the clearance is least."""
        return float(self.gaps[k]), self.axes[k]

    def ways_out(self, k: int, rng: Rng) -> list[Floats]:
        """Return up, and a direction that is steeper than the surface anywhere."""
        steep = self.up + beside(self.up, rng) * rng.uniform(0.0, 0.8) / max(self.steepest, 0.1)
        return [self.up, steep / np.linalg.norm(steep)]

    def way_along(self, k: int, rng: Rng) -> Floats | None:
        """Return None: surfaces are not flat."""
        return None


def deepest_share(scene: ContactScene, pose: Floats, vector: Floats, most: float) -> float:
    """Return the share, 0 to `most`, of a straight motion (3,), world, at which convex parts are nearest or deepest.

    The signed distance of two convex parts is a convex function of a shift, so that a search by smaller and smaller steps
    finds it.
    """
    shares = np.linspace(0.0, most, _STEPS)
    best = most
    for _ in range(_ROUNDS):
        poses = np.broadcast_to(pose, (_STEPS, 4, 4)).copy()
        poses[:, :3, 3] += shares[:, None] * vector
        found = distances_of(scene, poses).min(axis=0)
        k = int(found.argmin())
        best = float(shares[k])
        shares = np.linspace(shares[max(k - 1, 0)], shares[min(k + 1, _STEPS - 1)], _STEPS)
    return best


def distances_of(scene: ContactScene, poses: Floats) -> Floats:
    """Return the signed distances (p, k) of the pairs of convex parts at k poses that differ by shifts only."""
    turn, shift = scene.place[:3, :3], scene.place[:3, 3]
    shifts = (poses[:, :3, 3] - shift) @ turn
    first = np.eye(4)
    first[:3, :3], first[:3, 3] = turn.T @ poses[0, :3, :3], shifts[0]
    found = []
    for own in scene.mover.parts:
        for other in scene.obstacle.parts:
            if own.radius + other.radius > 0.0:
                relative = np.broadcast_to(first, (len(poses), 4, 4)).copy()
                relative[:, :3, 3] = shifts
                found.append(signed_distances(own, other, relative)[0])
            else:
                fixed = separating_axes(own, other, first)
                found.append((fixed.gaps + (shifts - shifts[0]) @ fixed.axes.T).max(axis=1))
    return np.array(found)


def nearness(scene: ContactScene, poses: Floats) -> Nearness:
    """Return how near the mover is at poses (k, 4, 4), world."""
    turn, shift = scene.place[:3, :3], scene.place[:3, 3]
    relative = np.broadcast_to(np.eye(4), poses.shape).copy()
    relative[:, :3, :3] = turn.T @ poses[:, :3, :3]
    relative[:, :3, 3] = (poses[:, :3, 3] - shift) @ turn
    field = scene.obstacle.field
    if field is not None:
        return _field_nearness(scene, field, relative, turn)
    found = [signed_distances(own, other, relative) for own in scene.mover.parts for other in scene.obstacle.parts]
    distances, axes = (np.array(each) for each in zip(*found, strict=True))
    depths = np.maximum(-distances.min(axis=0), 0.0)
    return PartsNearness(distances, axes @ turn.T, depths, depths, np.ones(len(poses), bool))


def _field_nearness(scene: ContactScene, field: HeightField, poses: Floats, turn: Floats) -> FieldNearness:
    mover = scene.mover
    places = mover.vertices @ poses[:, :3, :3].transpose(0, 2, 1) + poses[:, None, :3, 3]
    low, high = places.min(axis=1) - mover.radius, places.max(axis=1) + mover.radius
    known = np.array([field.is_over(a, b) for a, b in zip(low, high, strict=True)])
    bounds = _round_bounds if mover.radius > 0.0 else _flat_bounds
    found = [bounds(scene, field, poses[k], places[k]) for k in range(len(poses))]
    gaps, axes, depths, most = (np.array(each) for each in zip(*found, strict=True))
    return FieldNearness(gaps, axes @ turn.T, turn[:, 2], field.steepest, depths, most, known)


def _flat_bounds(scene: ContactScene, field: HeightField, pose: Floats, places: Floats) -> tuple[float, Floats, float, float]:
    """Return gap, axis, and the two bounds of the depth, of a mover without a radius."""
    mover = scene.mover
    lifted, normal = clearance(field, places, mover.faces, mover.edges)
    if lifted >= 0.0:
        return lifted * float(normal[2]), normal, 0.0, 0.0
    depth, axis = least_depth(field, mover.parts, pose)
    out = places + axis * (depth * (1.0 + 1e-6) + _OUT)
    is_out = depth < -lifted and clearance(field, out, mover.faces, mover.edges)[0] >= -_OUT
    most = depth * (1.0 + 1e-6) + 2.0 * _OUT if is_out else -lifted
    return lifted * float(normal[2]), normal, depth, most


def _round_bounds(scene: ContactScene, field: HeightField, pose: Floats, places: Floats) -> tuple[float, Floats, float, float]:
    """Return the same of a ball or a capsule. Its core is above the surface, or else it is deeper than its radius."""
    (part,) = scene.mover.parts
    radius = part.radius
    low, high = places.min(axis=0) - 1.5 * radius, places.max(axis=0) + 1.5 * radius
    found = [signed_distances(part, field.sheet(int(k)), pose[None]) for k in field.near(low, high, np.inf)]
    if not found:
        return np.inf, np.array((0.0, 0.0, 1.0)), 0.0, 0.0
    distance, axis = min(((float(each[0][0]), each[1][0]) for each in found), key=lambda each: each[0])
    edges = np.array(((0, len(places) - 1),))
    if clearance(field, places, np.zeros((0, 3), np.int64), edges)[0] < 0.0:
        distance = -radius
    return distance, axis if axis[2] >= 0.0 else -axis, max(-distance, 0.0), max(-distance, 0.0)


def is_face_normal(scene: ContactScene, pose: Floats, axis: Floats) -> bool:
    """Return whether an axis (3,), world, is square to a face of the mover at a pose or of the obstacle."""
    for body, place in ((scene.mover, pose), (scene.obstacle, scene.place)):
        local = place[:3, :3].T @ axis
        if any(len(part.normals) and np.abs(part.normals @ local).max() > 1.0 - 1e-14 for part in body.parts):
            return True
    return False
