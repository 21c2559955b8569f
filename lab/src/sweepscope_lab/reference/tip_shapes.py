"""Fans of triangles about an apex at 0, and things that touch it there; in float64, before they are put anywhere."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

FANS = ("tip", "pit", "saddle", "ridge", "mixed", "flat")
_UP = np.array((0.0, 0.0, 1.0))
_BOX_FACES = np.array(
    (
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    )
)


@dataclass(frozen=True, slots=True)
class TipFan:
    """Triangles from an apex at 0 to a ring (n, 3) about the z axis, counterclockwise: a surface that is a function of x, y."""

    name: str
    ring: Floats
    bottom: float | None
    """z of a second apex, below, that closes it to a solid; None: an open surface."""
    upwards: bool
    """Face normals of the upper triangles point up. Of a closed fan they do."""

    @property
    def mesh(self) -> tuple[Floats, Whole]:
        """Return vertices and faces."""
        count = len(self.ring)
        sides = [(i, (i + 1) % count) for i in range(count)]
        faces = [(count, i, j) for i, j in sides]
        vertices = [*self.ring, np.zeros(3)]
        if self.bottom is not None:
            faces += [(count + 1, j, i) for i, j in sides]
            vertices.append(np.array((0.0, 0.0, self.bottom)))
        corners = np.array(faces)
        return np.array(vertices), corners if self.upwards else corners[:, ::-1]


@dataclass(frozen=True, slots=True)
class TipShape:
    """Something that touches the apex at 0: vertices (n, 3); triangles (m, 3), or one segment (1, 2), or one point (1, 1)."""

    name: str
    vertices: Floats
    faces: Whole

    @property
    def thin(self) -> bool:
        """It has no inside."""
        return self.name in ("sheet", "segment", "point")

    @property
    def edges(self) -> Whole:
        """Return its edges (e, 2), each once."""
        size = self.faces.shape[1]
        pairs = [self.faces[:, [k, (k + 1) % size]] for k in range(size if size > 2 else size - 1)]
        return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0) if pairs else np.zeros((0, 2), np.int64)

    def turned(self, rotation: Floats) -> TipShape:
        """Return it turned about the apex."""
        return TipShape(self.name, self.vertices @ rotation.T, self.faces)


def rotation_about(axis: Floats, angle: float) -> Floats:
    """Return the matrix (3, 3) of a turn about an axis through 0 [radians]."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.eye(3) + math.sin(angle) * cross + 2.0 * math.sin(0.5 * angle) ** 2 * cross @ cross


def any_rotation(rng: np.random.Generator) -> Floats:
    """Return a random rotation (3, 3)."""
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return turn * np.linalg.det(turn)


def random_fan(rng: np.random.Generator) -> TipFan:
    """Return a fan of 3 to 9 triangles: open, or closed by a second apex that may be near."""
    name = FANS[rng.integers(len(FANS))]
    count = int(rng.integers(4 if name in ("saddle", "ridge") else 3, 10))
    gaps = rng.uniform(0.3, 1.0, count)
    while gaps.max() / gaps.sum() > 0.45:
        gaps = rng.uniform(0.3, 1.0, count)
    angles = rng.uniform(0.0, 6.0) + np.cumsum(gaps) * 2.0 * math.pi / gaps.sum()
    steep = rng.uniform(0.1, 1.5, count)
    slopes = {
        "tip": -steep,
        "pit": steep,
        "saddle": steep * np.where(np.arange(count) % 2 == 0, 1.0, -1.0),
        "ridge": -steep,
        "mixed": rng.normal(size=count),
        "flat": np.zeros(count),
    }[name]
    far = rng.uniform(0.5, 1.5, count)
    ring = np.column_stack((far * np.cos(angles), far * np.sin(angles), far * slopes))
    if name == "ridge":
        first, last = 0, count // 2
        ring[first, 2] = 0.0
        ring[last] = -rng.choice((0.5, 1.0, 2.0)) * ring[first]
        if not _goes_round(ring):
            return random_fan(rng)
    bottom = -float(rng.choice((0.01, 0.5, 2.0))) if rng.random() < 0.5 else None
    return TipFan(name, ring, bottom, bottom is not None or bool(rng.random() < 0.5))


def _goes_round(ring: Floats) -> bool:
    following = np.roll(ring, -1, axis=0)
    return bool((ring[:, 0] * following[:, 1] - ring[:, 1] * following[:, 0] > 0.02).all())


def _beside(rng: np.random.Generator) -> Floats:
    """Return where a rectangle -1 .. 1 touches the apex: inside, on a side, or at a corner."""
    place = rng.uniform(-0.8, 0.8, 2)
    how = rng.random()
    if how < 0.4:
        place[0] = -1.0
    if how < 0.2:
        place[1] = -1.0
    return place


def _box(rng: np.random.Generator) -> tuple[Floats, Floats]:
    half = rng.uniform(0.15, 0.8, 3)
    return half, np.array(list(product((-1.0, 1.0), repeat=3))) * half


def box_on_face(rng: np.random.Generator) -> TipShape:
    """Return a box whose bottom touches."""
    half, corners = _box(rng)
    return TipShape("box face", corners - (*(_beside(rng) * half[:2]), -half[2]), _BOX_FACES)


def box_on_edge(rng: np.random.Generator) -> TipShape:
    """Return a box on one of its edges."""
    half, corners = _box(rng)
    place = corners + (half[0], rng.uniform(-0.8, 0.8) * half[1], half[2])
    return TipShape("box edge", place @ rotation_about(np.array((0.0, 1.0, 0.0)), -rng.uniform(0.2, 1.3)).T, _BOX_FACES)


def box_on_corner(rng: np.random.Generator) -> TipShape:
    """Return a box on one of its corners."""
    half, corners = _box(rng)
    lean = rotation_about(np.array((1.0, -1.0, 0.0)), -0.9553 + rng.uniform(-0.3, 0.3))
    return TipShape("box corner", (corners + half) @ lean.T, _BOX_FACES)


def cylinder(rng: np.random.Generator) -> TipShape:
    """Return a cylinder that stands on its bottom, or lies on an edge of its side."""
    columns = int(rng.integers(5, 25))
    radius, height = rng.uniform(0.15, 0.7, 2)
    angles = np.arange(columns) * 2.0 * math.pi / columns
    circle = radius * np.column_stack((np.cos(angles), np.sin(angles), np.zeros(columns)))
    vertices = np.concatenate((circle, circle + height * _UP, (np.zeros(3), height * _UP)))
    faces = []
    for i in range(columns):
        j = (i + 1) % columns
        faces += [
            (i, j, j + columns),
            (i, j + columns, i + columns),
            (2 * columns, j, i),
            (2 * columns + 1, i + columns, j + columns),
        ]
    if rng.random() < 0.5:
        inner = 0.9 * radius * math.cos(math.pi / columns) * rng.random()
        return TipShape("cylinder", vertices - rng.choice((inner, radius)) * np.array((1.0, 0.0, 0.0)), np.array(faces))
    lying = (vertices - (radius, 0.0, rng.uniform(0.1, 0.9) * height))[:, [2, 1, 0]] * (1.0, 1.0, -1.0)
    return TipShape("cylinder", lying, np.array(faces))


def sheet(rng: np.random.Generator) -> TipShape:
    """Return a rectangle that lies on the apex, or stands on it."""
    half = rng.uniform(0.15, 0.8, 2)
    corners = np.column_stack((np.array(list(product((-1.0, 1.0), repeat=2))) * half, np.zeros(4)))
    place = corners - (*(_beside(rng) * half), 0.0)
    if rng.random() < 0.4:
        place = (corners + (half[0], rng.uniform(-1.0, 1.0) * half[1], 0.0))[:, [2, 1, 0]]
    return TipShape("sheet", place, np.array(((0, 2, 3), (0, 3, 1))))


def segment(rng: np.random.Generator) -> TipShape:
    """Return a segment that lies on the apex, or has one end there."""
    begin = 0.0 if rng.random() < 0.5 else rng.uniform(0.1, 0.6)
    ends = np.array(((-begin, 0.0, 0.0), (rng.uniform(0.1, 0.6), 0.0, 0.0)))
    return TipShape("segment", ends, np.array(((0, 1),)))


def point(rng: np.random.Generator) -> TipShape:
    """Return a point."""
    return TipShape("point", np.zeros((1, 3)), np.zeros((1, 1), np.int64))


THINGS: dict[str, Callable[[np.random.Generator], TipShape]] = {
    "box face": box_on_face,
    "box edge": box_on_edge,
    "box corner": box_on_corner,
    "cylinder": cylinder,
    "sheet": sheet,
    "segment": segment,
    "point": point,
}
