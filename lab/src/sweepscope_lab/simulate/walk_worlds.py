"""Worlds to walk in, each in a room of four walls, and the bodies that walk. Lengths are in meters: a body is about 1 high."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Mesh, Shape

from ..reference.vectors import random_rotation, rotation
from ..scenes.bodies import hook, ring
from ..scenes.rolling import star
from ..scenes.touching import bowl, l_block, pose_of, scaled

Array = NDArray[np.float64]
Rng = np.random.Generator
Piece = tuple[Shape, Array]

HALF = 4.0
"""Half the side of the room [length]."""
_HEIGHT = 12.0
_Z = np.array((0.0, 0.0, 1.0))

BODIES: dict[str, Callable[[], Shape]] = {
    "box": lambda: Box((0.6, 0.4, 1.0)),
    "turned box": lambda: Box((0.6, 0.4, 1.0)),
    "capsule": lambda: Capsule.from_segment((0.0, 0.0, -0.25), (0.0, 0.0, 0.25), radius=0.25),
    "L": lambda: scaled(l_block(), 0.5),
}
"""Builders of bodies by name. Every point of a body is seen from its origin."""


@dataclass(frozen=True, slots=True, eq=False)
class WalkingWorld:
    """What stands in the way."""

    pieces: list[Piece]
    heights: Callable[[float, float], float]
    """The height [length] at a place (x, y) below which the middle of a body cannot be."""


def _upright(angle: float, place: Sequence[float]) -> Array:
    return pose_of(rotation(_Z, angle), np.asarray(place, np.float64))


def _room(low: float) -> Piece:
    """Return the walls, a ceiling and a floor at height `low`."""
    return Mesh.box((2.0 * HALF, 2.0 * HALF, _HEIGHT - low), solid=False), pose_of(
        np.eye(3), np.array((0.0, 0.0, 0.5 * (_HEIGHT + low)))
    )


def terrain(rng: Rng, _meshes: Sequence[Mesh]) -> WalkingWorld:
    """Return open ground, wavy, rough or terraced, that ends outside of the walls."""
    count, spacing = 20, 0.5
    x = np.arange(count) * spacing
    a, b, c = rng.uniform(-1.5, 1.5, 3)
    z = rng.uniform(0.0, 0.8) * np.sin(a * x[:, None] + b * x + c) + rng.uniform(0.0, 0.4) * rng.uniform(
        -1.0, 1.0, (count, count)
    )
    if rng.random() < 0.3:
        z = np.round(4.0 * z) / 4.0
    return WalkingWorld([_room(-5.0), (Mesh.terrain(z, spacing), np.eye(4))], lambda x, y: _ground(z, spacing, x, y))


def _ground(z: Array, spacing: float, x: float, y: float) -> float:
    """Return the height of `Mesh.terrain(z, spacing)` at (x, y)."""
    u, v = x / spacing + 0.5 * (z.shape[0] - 1), y / spacing + 0.5 * (z.shape[1] - 1)
    i, j = min(max(int(u), 0), z.shape[0] - 2), min(max(int(v), 0), z.shape[1] - 2)
    u, v = u - i, v - j
    if u + v <= 1.0:
        return float(z[i, j] + u * (z[i + 1, j] - z[i, j]) + v * (z[i, j + 1] - z[i, j]))
    return float(z[i + 1, j + 1] + (1.0 - u) * (z[i, j + 1] - z[i + 1, j + 1]) + (1.0 - v) * (z[i + 1, j] - z[i + 1, j + 1]))


def _floor(_x: float, _y: float) -> float:
    return 0.0


def stairs(rng: Rng, _meshes: Sequence[Mesh]) -> WalkingWorld:
    """Return flights of boxes, side by side, most of them along the axes."""
    pieces = [_room(0.0)]
    for _ in range(4):
        angle = 0.5 * math.pi * int(rng.integers(4)) if rng.random() < 0.7 else rng.uniform(0.0, 6.0)
        foot = _upright(angle, (*(0.5 * rng.integers(-6, 7, 2)), 0.0))
        rise = float(rng.choice((0.125, 0.2, 0.25)))
        for k in range(1, 6):
            pieces.append((Box((0.5, 1.5, k * rise)), foot @ _upright(0.0, (0.5 * k, 0.0, 0.5 * k * rise))))
    return WalkingWorld(pieces, _floor)


def corners(rng: Rng, _meshes: Sequence[Mesh]) -> WalkingWorld:
    """Return boxes that stand askew, their corners up, and tiles with seams between them."""
    pieces = [_room(0.0)]
    for _ in range(10):
        place = np.array((*rng.uniform(-HALF, HALF, 2), rng.uniform(0.0, 0.4)))
        pieces.append((Box(rng.uniform(0.3, 1.8, 3)), pose_of(random_rotation(rng), place)))
    for x, y in 0.5 * rng.integers(-7, 8, (25, 2)):
        pieces.append((Box((1.0, 1.0, 0.25)), _upright(0.0, (x, y, 0.125 * int(rng.integers(0, 3))))))
    return WalkingWorld(pieces, _floor)


def walls(rng: Rng, _meshes: Sequence[Mesh]) -> WalkingWorld:
    """Return thick and thin walls, at right angles and at others, with narrow corners, and ramps."""
    pieces = [_room(0.0)]
    for _ in range(14):
        angle = 0.5 * math.pi * int(rng.integers(2)) if rng.random() < 0.5 else rng.uniform(0.0, 3.0)
        pose = _upright(angle, (*(0.25 * rng.integers(-14, 15, 2)), 1.0))
        length = float(rng.choice((1.0, 2.0)))
        sheet = Mesh([(-length, 0, -1), (length, 0, -1), (length, 0, 1), (-length, 0, 1)], [(0, 1, 2), (0, 2, 3)])
        pieces.append((sheet if rng.random() < 0.4 else Box((2.0 * length, 0.25, 2.0)), pose))
    for _ in range(3):
        turn = rotation(_Z, rng.uniform(0.0, 6.0)) @ rotation(np.array((0.0, 1.0, 0.0)), rng.uniform(0.1, 0.7))
        pieces.append((Box((3.0, 1.5, 0.2)), pose_of(turn, np.array((*rng.uniform(-3.0, 3.0, 2), 0.3)))))
    return WalkingWorld(pieces, _floor)


def scattered(rng: Rng, meshes: Sequence[Mesh]) -> WalkingWorld:
    """Return things that lie about: some of the meshes given, or stars, rings, hooks, bowls and cylinders."""
    things = list(meshes) or [star(), ring(0.5, 1.0, 0.3, 16), hook(), bowl(), Mesh.cylinder(0.5, 1.2, sections=12), l_block()]
    pieces = [_room(0.0)]
    for k in rng.integers(len(things), size=12):
        box = things[k].bounds
        mesh = Mesh(
            (things[k].vertices - box.mean(axis=0)) * (rng.uniform(0.8, 2.5) / np.ptp(box, axis=0).max()), things[k].faces
        )
        pieces.append((mesh, pose_of(random_rotation(rng), np.array((*rng.uniform(-HALF, HALF, 2), rng.uniform(0.0, 0.8))))))
    return WalkingWorld(pieces, _floor)


WORLDS: dict[str, Callable[[Rng, Sequence[Mesh]], WalkingWorld]] = {
    "terrain": terrain,
    "stairs": stairs,
    "corners": corners,
    "walls": walls,
    "scattered": scattered,
}
"""Builders of worlds by name, from random numbers and the meshes to use."""
