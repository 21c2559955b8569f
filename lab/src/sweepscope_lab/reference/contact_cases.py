"""Two bodies in contact at a known depth, for the law of contact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from .contact_shapes import MOVERS, OBSTACLES, ContactBody, Rng, box_body
from .convex_depth import Axes, ConvexPart, Floats, separating_axes, signed_distances
from .height_fields import HeightField, clearance
from .vectors import random_direction, random_rotation, rotation

_UP = np.array((0.0, 0.0, 1.0))
_DEFAULT = 1e-9
"""The library's default tolerance, as a share of the diagonal of the mover's box in the world."""
TOLERANCES = (1e-3, 2.0**-10, 1e-5, 1e-7, 5e-3)
"""Wide tolerances, as shares of the mover's size."""
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

    @property
    def tau(self) -> float:
        """Return the tolerance [length]. The library's default is a share of the diagonal of the mover's own box."""
        if self.tolerance is not None:
            return self.tolerance
        return _DEFAULT * float(np.linalg.norm(np.ptp(self.mover.vertices, axis=0) + 2.0 * self.mover.radius))


def thin(scene: ContactScene) -> bool:
    """Return whether a solid part of one of the bodies is nowhere wider than 4 tolerances."""
    return min(least_width(scene.mover), least_width(scene.obstacle)) < 4.0 * scene.tau


def least_width(body: ContactBody) -> float:
    """Return the least width of the solid parts of a body, in any direction [length]; infinite if there are none."""
    parts = [part for part in body.parts if len(part.normals) > 1]
    return min((float(np.ptp(part.vertices @ part.normals.T, axis=0).min()) for part in parts), default=math.inf)


def contact_scene(seed: int, tolerances: Sequence[float] = TOLERANCES) -> ContactScene:
    """Return the scene of a seed. Movers and obstacles take turns, so that each pair comes up.

    tolerances: those that are drawn, besides the default, as shares of the mover's size.
    """
    rng = np.random.default_rng((seed, 11))
    names = list(product(MOVERS, OBSTACLES))
    mover_name, obstacle_name = names[seed % len(names)]
    mover, obstacle = MOVERS[mover_name](rng), OBSTACLES[obstacle_name](rng)
    if obstacle_name == "block" and mover.box and rng.random() < 0.5:
        obstacle = _equal(mover)
    lattice = bool(rng.random() < 0.4)
    place = _world(lattice, rng)
    for k in range(_TRIES):
        turn = _stance(mover, lattice, rng)
        aside = _aside(obstacle, lattice, rng)
        if k >= _TRIES // 2:  # bring the middle of the mover above the tip of the obstacle
            aside = -(turn @ mover.vertices.mean(axis=0)) * (1.0, 1.0, 0.0)
        tolerance = _tolerance(mover, obstacle, tolerances, rng)
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
    return ContactScene(seed, mover, obstacle, place @ local, place, tolerance, depth, lattice)


def pose_of(turn: Floats, shift: Floats) -> Floats:
    """Return the pose (4, 4) of a rotation (3, 3) and a shift (3,)."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, shift
    return pose


def resting_height(mover: ContactBody, obstacle: ContactBody, turn: Floats, aside: Floats, depth: float) -> float:
    """Return the greatest z at which the mover, turned and at `aside`, is `depth` deep in the obstacle; -inf if at none.

    In a height field the depth is the vertical one, which is not less than the true one, unless the mover is round.
    """
    pose = pose_of(turn, aside)
    field = obstacle.field
    if field is not None and mover.radius == 0.0:
        places = mover.vertices @ turn.T + aside
        lifted = clearance(field, places, mover.faces, mover.edges)[0]
        return -lifted - depth if field.is_over(places.min(axis=0), places.max(axis=0)) else -math.inf
    rest = _round_height if mover.radius + obstacle.radius > 0.0 else _flat_height
    others = obstacle.parts if field is None else _below(field, mover.vertices @ turn.T + aside, mover.radius)
    return max(rest(own, other, pose, depth) for own in mover.parts for other in others)


def _below(field: HeightField, core: Floats, radius: float) -> list[ConvexPart]:
    """Return the triangles that are near a ball or a capsule, seen from above."""
    return [field.sheet(int(k)) for k in field.near(core.min(axis=0) - radius, core.max(axis=0) + radius, math.inf)]


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
    heights, low = np.linspace(-_HIGH, _HIGH, 121), -math.inf
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


def _tolerance(mover: ContactBody, obstacle: ContactBody, tolerances: Sequence[float], rng: Rng) -> float | None:
    """Return a tolerance [length]. Movers on open height fields are wider than many tolerances; see height_fields.py."""
    wide = mover.size * float(rng.choice(tolerances))
    if rng.random() < 0.4:
        return None
    if obstacle.field is not None and not obstacle.closed and least_width(mover) < 200.0 * wide:
        return None
    return wide


def _world(lattice: bool, rng: Rng) -> Floats:
    if lattice:
        turn = np.eye(3) if rng.random() < 0.5 else quarter_turn(rng)
        return pose_of(turn, rng.integers(-2, 3, 3).astype(np.float64) * (rng.random() < 0.5))
    return pose_of(random_rotation(rng), rng.uniform(-2.0, 2.0, 3))
