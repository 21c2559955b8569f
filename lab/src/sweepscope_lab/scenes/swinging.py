"""Swings and their targets: a bat among balls, a sword against a shield. The command shows them, tests check them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Box, Capsule, Mesh, Rotate, Shape, Sphere


@dataclass(frozen=True, slots=True)
class SwingTarget:
    """A body that a swing may hit."""

    name: str
    shape: Shape
    pose: NDArray[np.float64]
    """Local to world, shape (4, 4)."""


@dataclass(frozen=True, slots=True)
class SwingScene:
    """A mover, its swing, and its targets."""

    title: str
    mover: Shape
    pose: NDArray[np.float64]
    """Its start: local to world, shape (4, 4)."""
    motion: Rotate
    targets: tuple[SwingTarget, ...]

    def box_and_pose(self) -> tuple[Box, NDArray[np.float64]]:
        """Return the box around the mover in its own frame, and its pose: some methods take only boxes."""
        if isinstance(self.mover, Box):
            return self.mover, self.pose
        low, high = self.mover.bounds
        return Box(high - low), self.pose @ at(0.5 * (low + high))


def at(place: ArrayLike, turn: ArrayLike | None = None) -> NDArray[np.float64]:
    """Return a pose (4, 4) from a place [length] and a rotation, three axes as columns."""
    pose = np.eye(4)
    pose[:3, 3] = place
    if turn is not None:
        pose[:3, :3] = turn
    return pose


def _ball(name: str, degrees: float, distance: float, height: float = 0.0) -> SwingTarget:
    """Return a ball at an angle and a distance from the bat's axis."""
    angle = math.radians(degrees)
    return SwingTarget(name, Sphere(0.037), at((distance * math.cos(angle), distance * math.sin(angle), height)))


def bat_and_ball() -> SwingScene:
    """Return a bat, 0.9 long, that swings by 110 degrees; balls are where methods differ."""
    balls = (
        _ball("in the way", 60.0, 0.85),
        _ball("beside the start", -4.5, 0.9),
        _ball("beside the end", 113.5, 0.9),
        _ball("at the rim", 40.0, 1.0372),
        _ball("out of reach", 45.0, 1.3),
        _ball("at the hands", 90.0, 0.05),
        _ball("overhead", 85.0, 0.6, 0.1),
    )
    bat = Box((0.9, 0.07, 0.07))
    return SwingScene("bat and balls", bat, at((0.55, 0.0, 0.0)), Rotate((0.0, 0.0, 1.0), math.radians(110.0)), balls)


def sword() -> Mesh:
    """Return a sword along +x: its grip begins at the origin, its blade tapers to a point at 1.1."""
    blade = [(0.2, 0.0, 0.03), (0.2, 0.008, 0.0), (0.2, 0.0, -0.03), (0.2, -0.008, 0.0)]
    taper = [(0.95, 0.6 * y, 0.6 * z) for _, y, z in blade]
    sides = [(0, 1, 5), (0, 5, 4), (1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6), (3, 0, 4), (3, 4, 7)]
    ends = [(0, 2, 1), (0, 3, 2), (4, 5, 8), (5, 6, 8), (6, 7, 8), (7, 4, 8)]
    parts = [
        Mesh([*blade, *taper, (1.1, 0.0, 0.0)], sides + ends),
        Mesh.box((0.03, 0.03, 0.22)),  # guard
        Mesh.box((0.18, 0.03, 0.03)),  # grip
    ]
    offsets = [(0.0, 0.0, 0.0), (0.185, 0.0, 0.0), (0.09, 0.0, 0.0)]
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return Mesh(
        np.concatenate([part.vertices + offset for part, offset in zip(parts, offsets, strict=True)]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]),
    )


def shield() -> Mesh:
    """Return a round shield that faces +z: 0.7 across, curved like a bowl, 0.02 thick."""
    rings, spokes = 6, 24
    radius = np.linspace(0.0, 0.35, rings + 1)[1:]
    angle = 2.0 * math.pi * np.arange(spokes) / spokes
    rim = np.stack((np.outer(radius, np.cos(angle)), np.outer(radius, np.sin(angle))), axis=2).reshape(-1, 2)
    flat = np.concatenate((np.zeros((1, 2)), rim))
    bend = -0.6 * (flat * flat).sum(axis=1)
    front = np.column_stack((flat, bend))
    faces = [(0, 1 + k, 1 + (k + 1) % spokes) for k in range(spokes)]
    for ring in range(rings - 1):
        for k in range(spokes):
            a, b = 1 + ring * spokes + k, 1 + ring * spokes + (k + 1) % spokes
            faces += [(a, a + spokes, b + spokes), (a, b + spokes, b)]
    count = len(front)
    back = [(a + count, c + count, b + count) for a, b, c in faces]
    last = 1 + (rings - 1) * spokes
    edge = [(last + k, last + (k + 1) % spokes) for k in range(spokes)]
    side = [face for a, b in edge for face in ((a, a + count, b + count), (a, b + count, b))]
    return Mesh(np.concatenate((front, front - (0.0, 0.0, 0.02))), faces + back + side)


def sword_and_shield() -> SwingScene:
    """Return a sword that swings down at a shield, a helmet, a spear and a foot."""
    # The sword points up and turns forwards about the shoulder, from +z towards +x.
    start = at((0.0, 0.0, 1.9), ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)))
    facing = np.array(((-0.8, 0.0, -0.6), (0.0, 1.0, 0.0), (0.6, 0.0, -0.8))) @ np.diag((1.0, -1.0, -1.0))
    targets = (
        SwingTarget("shield", shield(), at((1.0, 0.05, 1.7), facing)),
        SwingTarget("helmet", Sphere(0.13), at((1.25, 0.0, 1.65))),
        SwingTarget("spear", Capsule.from_segment((0.0, 0.0, 0.0), (0.3, 0.0, 2.6), radius=0.02), at((0.9, 0.032, 0.0))),
        SwingTarget("foot", Capsule.from_segment((0.0, 0.0, 0.0), (0.2, 0.0, 0.0), radius=0.05), at((0.8, -0.05, 0.05))),
    )
    turn = Rotate((0.0, 1.0, 0.0), math.radians(120.0), about=(0.0, 0.0, 1.5))
    return SwingScene("sword and shield", sword(), start, turn, targets)
