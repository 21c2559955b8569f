"""Two bodies in contact at a known depth, for the law of contact: where and how near they are, and motions of the mover."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from .contact_shapes import MOVERS, OBSTACLES, ContactBody, Rng, box_body
from .convex_depth import Axes, ConvexPart, Floats, separating_axes, signed_distances
from .vectors import random_direction, random_rotation, rotation

_UP = np.array((0.0, 0.0, 1.0))
_DEFAULT = 1e-9
"""The library's default tolerance, as a share of the diagonal of the mover's box in the world."""
_GRID = 2.0**-20
"""Heights nearer than rounding to a multiple of this are set to it, so that lattice scenes touch exactly."""
_HIGH = 3.0
_TRIES = 20


@dataclass(frozen=True, slots=True)
class ContactScene:
    """A mover and an obstacle, where they are at the start, and the tolerance."""

    seed: int
    mover: ContactBody
    obstacle: ContactBody
    start: Floats
    """Pose of the mover (4, 4), world."""
    place: Floats
    """Pose of the obstacle (4, 4), world."""
    tolerance: float | None
    """Of the scene [length]; None is the default."""
    depth: float
    """At the start [length]."""
    lattice: bool
    """Upright, at multiples of 1/4."""

    @property
    def kind(self) -> str:
        """Return "mover on obstacle"."""
        return f"{self.mover.name} on {self.obstacle.name}"

    def tau(self, pose: Floats) -> float:
        """Return the tolerance [length] of a motion that begins with the mover at a pose."""
        if self.tolerance is not None:
            return self.tolerance
        places = self.mover.vertices @ pose[:3, :3].T
        return _DEFAULT * float(np.linalg.norm(np.ptp(places, axis=0) + 2.0 * self.mover.radius))


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near a mover is to an obstacle at k poses, for each of p pairs of their parts."""

    distances: Floats
    """Signed distances (p, k) [length]; minus the depth of those that overlap."""
    axes: Floats
    """Unit axes (p, k, 3) from obstacle to mover, world: the shortest way out of an overlap."""

    @property
    def depths(self) -> Floats:
        """Return the depths (k,) of the whole bodies: the largest over the pairs, at least 0."""
        return np.maximum(-self.distances.min(axis=0), 0.0)

    def nearest(self, k: int) -> tuple[float, Floats]:
        """Return the signed distance and the axis (3,) of the nearest pair at pose k."""
        pair = int(self.distances[:, k].argmin())
        return float(self.distances[pair, k]), self.axes[pair, k]


def nearness(scene: ContactScene, poses: Floats) -> Nearness:
    """Return how near the mover is at poses (k, 4, 4), world."""
    turn, shift = scene.place[:3, :3], scene.place[:3, 3]
    relative = np.broadcast_to(np.eye(4), poses.shape).copy()
    relative[:, :3, :3] = turn.T @ poses[:, :3, :3]
    relative[:, :3, 3] = (poses[:, :3, 3] - shift) @ turn
    found = [signed_distances(own, other, relative) for own in scene.mover.parts for other in scene.obstacle.parts]
    distances, axes = zip(*found, strict=True)
    return Nearness(np.array(distances), np.array(axes) @ turn.T)


def is_face_normal(scene: ContactScene, pose: Floats, axis: Floats) -> bool:
    """Return whether an axis (3,), world, is square to a face of the mover at a pose or of the obstacle."""
    for body, place in ((scene.mover, pose), (scene.obstacle, scene.place)):
        local = place[:3, :3].T @ axis
        if any(len(part.normals) and np.abs(part.normals @ local).max() > 1.0 - 1e-14 for part in body.parts):
            return True
    return False


def thin(scene: ContactScene) -> bool:
    """Return whether a solid part of one of the bodies is nowhere wider than 4 tolerances."""
    tau = scene.tau(scene.start)
    parts = [part for part in (*scene.mover.parts, *scene.obstacle.parts) if len(part.normals) > 1]
    return any(np.ptp(part.vertices @ part.normals.T, axis=0).min() < 4.0 * tau for part in parts)


def contact_scene(seed: int) -> ContactScene:
    """Return the scene of a seed. Movers and obstacles take turns, so that each pair comes up."""
    rng = np.random.default_rng((seed, 11))
    names = list(product(MOVERS, OBSTACLES))
    mover_name, obstacle_name = names[seed % len(names)]
    mover, obstacle = MOVERS[mover_name](rng), OBSTACLES[obstacle_name](rng)
    if obstacle_name == "block" and mover.box and rng.random() < 0.5:
        obstacle = _equal(mover)
    lattice = bool(rng.random() < 0.4)
    for k in range(_TRIES):
        turn = _stance(mover, lattice, rng)
        aside = _aside(obstacle, lattice, rng)
        if k >= _TRIES // 2:  # bring the middle of the mover above the tip of the obstacle
            aside = -(turn @ mover.vertices.mean(axis=0)) * (1.0, 1.0, 0.0)
        tolerance = _tolerance(mover, rng)
        tau = tolerance if tolerance is not None else _DEFAULT * mover.size
        depth = float(rng.choice((0.0, 0.0, rng.uniform(0.0, 0.95), 0.95))) * tau
        height = resting_height(mover, obstacle, turn, aside, depth)
        if math.isfinite(height):
            break
    else:
        raise AssertionError(f"no {mover_name} rests on a {obstacle_name}")
    if lattice and depth == 0.0 and abs(height - round(height / _GRID) * _GRID) < 1e-13:
        height = round(height / _GRID) * _GRID
    local = pose_of(turn, aside + height * _UP)
    place = _world(lattice, rng)
    return ContactScene(seed, mover, obstacle, place @ local, place, tolerance, depth, lattice)


def pose_of(turn: Floats, shift: Floats) -> Floats:
    """Return the pose (4, 4) of a rotation (3, 3) and a shift (3,)."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, shift
    return pose


def resting_height(mover: ContactBody, obstacle: ContactBody, turn: Floats, aside: Floats, depth: float) -> float:
    """Return the greatest z at which the mover, turned and at `aside`, is `depth` deep in the obstacle; -inf if at none."""
    pose = pose_of(turn, aside)
    rest = _round_height if mover.radius + obstacle.radius > 0.0 else _flat_height
    return max(rest(own, other, pose, depth) for own in mover.parts for other in obstacle.parts)


def _flat_height(mover: ConvexPart, obstacle: ConvexPart, pose: Floats, depth: float) -> float:
    """Return the same for two parts without a radius: gaps on fixed axes are linear in the height."""
    found: Axes = separating_axes(mover, obstacle, pose)
    speed = found.axes[:, 2]
    rising = speed > 1e-9
    height = float(((-depth - found.gaps[rising]) / speed[rising]).min())
    fits = (found.gaps + height * speed).max() <= -depth + 1e-14
    return height if fits else -math.inf


def _round_height(mover: ConvexPart, obstacle: ConvexPart, pose: Floats, depth: float) -> float:
    """Return the same for parts with a radius, by halving."""
    heights = np.linspace(-_HIGH, _HIGH, 121)
    for _ in range(12):
        poses = np.broadcast_to(pose, (len(heights), 4, 4)).copy()
        poses[:, 2, 3] += heights
        inside = np.nonzero(signed_distances(mover, obstacle, poses)[0] <= -depth)[0]
        if not len(inside) or inside[-1] + 1 == len(heights):
            return -math.inf
        low, high = heights[inside[-1]], heights[inside[-1] + 1]
        heights = np.linspace(low, high, 33)
    return float(low)


def _equal(box: ContactBody) -> ContactBody:
    high = np.ptp(box.vertices, axis=0)
    return box_body(
        "block", np.array((-0.5 * high[0], -0.5 * high[1], -high[2])), np.array((0.5 * high[0], 0.5 * high[1], 0.0))
    )


def _stance(mover: ContactBody, lattice: bool, rng: Rng) -> Floats:
    """Return how the mover stands (3, 3): as it was made, turned about the vertical, leaning, or anyhow."""
    quarter = rotation(_UP, 0.5 * math.pi * int(rng.integers(4))).round()
    if lattice:
        return quarter if rng.random() < 0.7 else quarter_turn(rng)
    spin = rotation(_UP, float(rng.uniform(0.0, 6.3)))
    draw = rng.random()
    if draw < 0.3:
        return spin
    if draw < 0.7:
        lean = rotation(random_direction(rng) * (1.0, 1.0, 1.0), float(10.0 ** rng.uniform(-6.0, -0.3)))
        return lean @ spin
    return random_rotation(rng)


def quarter_turn(rng: Rng) -> Floats:
    """Return one of the 24 rotations (3, 3) of a cube."""
    order = list(permutations(range(3)))[rng.integers(6)]
    turn = np.eye(3)[list(order)] * rng.choice((-1.0, 1.0), 3)
    return turn * np.linalg.det(turn).round()


def _aside(obstacle: ContactBody, lattice: bool, rng: Rng) -> Floats:
    """Return where the mover's origin is, seen from above (3,)."""
    reach = 0.5 * float(np.ptp(obstacle.vertices, axis=0)[:2].min()) if obstacle.angle < 90.0 else 1.0
    draw = rng.random()
    if draw < 0.4:
        return np.zeros(3)
    if lattice:
        return np.array((*(0.25 * rng.integers(-3, 4, 2)), 0.0))
    return np.array((*rng.uniform(-reach, reach, 2), 0.0))


def _tolerance(mover: ContactBody, rng: Rng) -> float | None:
    draw = rng.random()
    if draw < 0.4:
        return None
    return mover.size * float(rng.choice((1e-3, 2.0**-10, 1e-5, 1e-7, 5e-3)))


def _world(lattice: bool, rng: Rng) -> Floats:
    if lattice:
        turn = np.eye(3) if rng.random() < 0.5 else quarter_turn(rng)
        return pose_of(turn, rng.integers(-2, 3, 3).astype(np.float64) * (rng.random() < 0.5))
    return pose_of(random_rotation(rng), rng.uniform(-2.0, 2.0, 3))


@dataclass(frozen=True, slots=True)
class ContactMotion:
    """Straight by `vector`; or, if `angle` is not 0, a turn about `vector` through `about`, with a slide along it."""

    name: str
    vector: Floats
    """World, shape (3,): [length], or a unit axis."""
    angle: float = 0.0
    slide: float = 0.0
    about: Floats | None = None


def any_motion(scene: ContactScene, pose: Floats, gap: float, axis: Floats, rng: Rng) -> ContactMotion:
    """Return a motion of a mover at a pose, with a signed distance `gap` to the obstacle along a unit axis (3,), world."""
    tau, size = scene.tau(pose), scene.mover.size
    if gap > 20.0 * tau and rng.random() < 0.7:
        return ContactMotion("approach", -axis * (gap + tau * float(rng.choice((0.0, 0.5, rng.uniform(-1.0, 4.0), 100.0)))))
    length = _length(tau, size, rng)
    if rng.random() < 0.6:
        name = list(_STRAIGHT)[rng.integers(len(_STRAIGHT))]
        direction = _STRAIGHT[name](axis, rng)
        return ContactMotion(name, length * direction / np.linalg.norm(direction))
    directions = (axis, _beside(axis, rng), random_direction(rng), scene.place[:3, int(rng.integers(3))])
    places = scene.mover.vertices @ pose[:3, :3].T + pose[:3, 3]
    lowest = places[(places @ axis).argmin()]
    about = (lowest, places[rng.integers(len(places))], lowest + 0.3 * rng.normal(size=3))[rng.integers(3)]
    angle = min(length / size, 2.0) * float(rng.choice((-1.0, 1.0)))
    slide = length * float(rng.uniform(-1.0, 1.0)) if rng.random() < 0.4 else 0.0
    return ContactMotion("screw" if slide else "turn", directions[rng.integers(4)], angle, slide, about)


def _length(tau: float, size: float, rng: Rng) -> float:
    draw = rng.random()
    if draw < 0.3:
        return tau * float(rng.uniform(0.1, 1.0))
    if draw < 0.6:
        return tau * float(rng.uniform(1.0, 10.0))
    if draw < 0.75:
        return min(tau * float(10.0 ** rng.uniform(1.0, 3.0)), size)
    return size * float(10.0 ** rng.uniform(-3.0, 0.0))


def _beside(axis: Floats, rng: Rng) -> Floats:
    """Return a unit vector (3,) square to a unit axis."""
    across = np.cross(axis, random_direction(rng))
    across -= axis * (axis @ across)
    return across / np.linalg.norm(across)


_STRAIGHT: dict[str, Callable[[Floats, Rng], Floats]] = {
    "press": lambda axis, rng: -axis,
    "press aslant": lambda axis, rng: 0.5 * random_direction(rng) - axis,
    "graze": lambda axis, rng: _beside(axis, rng) - 10.0 ** rng.uniform(-6.0, -0.5) * axis,
    "slide": _beside,
    "part": lambda axis, rng: axis + 0.5 * random_direction(rng),
    "straight": lambda axis, rng: random_direction(rng),
}


def ways_out(near: Nearness, k: int, rng: Rng) -> list[Floats]:
    """Return unit directions (3,), world, in which all pairs of parts surely separate from pose k on.

    Along the axis of a pair the gap of the shadows grows, so the pair can only separate. The first is the shortest way out.
    """
    axes = near.axes[:, k]
    _, shortest = near.nearest(k)
    sideways = random_direction(rng)
    sideways = sideways if sideways @ shortest >= 0.0 else -sideways
    aslant = 0.3 * shortest + sideways
    return [way for way in (shortest, aslant / np.linalg.norm(aslant)) if (axes @ way >= 0.2).all()]


def way_along(near: Nearness, k: int, rng: Rng) -> Floats | None:
    """Return a unit direction (3,), world, square to the axes of all pairs of parts at pose k; None if there is no such."""
    _, axis = near.nearest(k)
    way = _beside(axis, rng)
    return way if (near.axes[:, k] @ way >= -1e-15).all() else None
