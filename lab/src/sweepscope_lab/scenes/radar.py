"""The scenes of the first paper's experiments (Yamachi & Shindo 2002, sections 4.2 and 4.3), as far as it describes them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Mesh, Scene
from sweepscope.errors import InvalidQuery

from .bodies import scattered_balls

POLYGONS = (13_074, 26_898, 46_194, 100_626)
"""Polygons of the four scenes of Fig. 7, with the 1250 of the sensor."""

SIDE = 2000.0
SENSOR = 40.0
"""Radius of the sensor: it fits into the smallest target area and is still seen in the largest with the fewest pixels."""

_BALL = 40.0
_BALL_FACES, _SENSOR_FACES, _REST_FACES = 288, 1250, 16
_FREE = 10.0  # gap between the sensor at a seat and the ball ahead of it
_ASIDE = (12.0, 7.0)  # offset of that ball, so that contact is not in the middle of the picture
_APART = 90.0
_REST_AT = (0.0, 0.0, 120.0)

TOWARD = np.concatenate((np.eye(3), -np.eye(3)))
"""Six directions of view, shape (6, 3): from the middle of each of the cube's sides inwards."""

SEATS = -(0.5 * SIDE - SENSOR) * TOWARD
"""Place of the sensor for each, shape (6, 3): its rear is in that side, so the largest target area is the whole cube."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """A scene of Fig. 7."""

    scene: Scene
    sensor: Body
    balls: tuple[Body, ...]
    rest: Body
    """The 16 triangles by which the published counts exceed sensor and balls."""

    @property
    def polygons(self) -> int:
        """Number of all polygons."""
        return sum(len(body.shape.faces) for body in self.scene)


def crowd(polygons: int, seed: int = 0) -> Crowd:
    """Return balls scattered in a cube of side 2000 and a sensor of 1250 triangles at the middle: `polygons` in all.

    The paper gives these counts and that of the sensor, and says that the rest are spheres. All four counts are 1250 + 16 + a
    multiple of 288, so we take 41, 89, 156 and 345 balls of 288 triangles. It does not explain the 16; here they are a double
    pyramid over an octagon. Six balls are just ahead of the SEATS, so the smallest target area is not empty.
    """
    count, over = divmod(polygons - _SENSOR_FACES - _REST_FACES, _BALL_FACES)
    if over or count < len(SEATS):
        raise InvalidQuery(f"polygons is {polygons}; accepted: 1266 + 288 k, k from {len(SEATS)}")
    ahead = SEATS + (2.0 * SENSOR + _FREE) * TOWARD + _ASIDE[0] * np.roll(TOWARD, 1, 1) + _ASIDE[1] * np.roll(TOWARD, 2, 1)
    taken = np.concatenate((ahead, SEATS, np.zeros((1, 3)), [_REST_AT]))
    places = scattered_balls(2 * count, SIDE - 2.0 * _BALL, 0.0, seed=seed, near=_APART)
    free = np.linalg.norm(places[:, None] - taken, axis=2).min(axis=1) > _APART + _BALL
    places = np.concatenate((ahead, places[free]))[:count]
    scene = Scene()
    ball = Mesh.sphere(_BALL, rows=13, sections=12)
    balls = tuple(scene.add(ball, place, name=f"ball {k}") for k, place in enumerate(places))
    rest = scene.add(double_pyramid(_BALL), _REST_AT, name="rest")
    sensor = scene.add(Mesh.sphere(SENSOR, rows=26, sections=25), name="sensor")
    return Crowd(scene, sensor, balls, rest)


def double_pyramid(radius: float, sides: int = 8) -> Mesh:
    """Return two pyramids over one polygon, base to base: 2 x sides triangles."""
    angle = np.linspace(0.0, 2.0 * math.pi, sides, endpoint=False)
    rim = np.column_stack((np.cos(angle), np.sin(angle), np.zeros(sides)))
    vertices = radius * np.concatenate((rim, ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0))))
    here = np.arange(sides)
    there = (here + 1) % sides
    top = np.column_stack((here, there, np.full(sides, sides)))
    return Mesh(vertices, np.concatenate((top, np.column_stack((there, here, np.full(sides, sides + 1))))))


@dataclass(frozen=True, slots=True)
class Bouncers:
    """The scene of Fig. 8."""

    scene: Scene
    room: Body
    balls: tuple[Body, ...]
    velocities: NDArray[np.float64]
    """Velocities of the balls per frame [length], shape (balls, 3)."""

    @property
    def polygons(self) -> int:
        """Number of all polygons; the room's twelve triangles count as six squares."""
        return sum(len(ball.shape.faces) for ball in self.balls) + 6


def bouncers(seed: int = 0) -> Bouncers:
    """Return 50 balls of 128 triangles in a cube that they cannot leave: 6406 polygons."""
    side, radius, speed = 1000.0, 50.0, 20.0
    scene = Scene()
    room = scene.add(Mesh.box((side, side, side), solid=False), name="room")
    shape = Mesh.sphere(radius, rows=9, sections=8)
    places = scattered_balls(50, side - 2.4 * radius, 0.0, seed=seed, near=2.2 * radius)
    balls = tuple(scene.add(shape, place, name=f"ball {k}") for k, place in enumerate(places))
    directions = np.random.default_rng(seed).normal(size=(len(balls), 3))
    velocities = speed * directions / np.linalg.norm(directions, axis=1)[:, None]
    return Bouncers(scene, room, balls, velocities)
