"""Bodies that come to touch others, and the smaller bodies inside them: what holds a body must not hold a smaller one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Mesh, Motion, Rotate, Screw, Shape, Sphere, Translate
from sweepscope.motion import Turn

_L_CORNERS = ((-0.5, -0.5), (1.5, -0.5), (1.5, 0.5), (0.5, 0.5), (0.5, 1.5), (-0.5, 1.5))


def l_block() -> Mesh:
    """Return an L of three unit cubes: every point of it is seen from the origin, the middle of its corner cube."""
    k = len(_L_CORNERS)
    vertices = [(x, y, z) for z in (-0.5, 0.5) for x, y in _L_CORNERS]
    # The corner at 0 sees every edge of the outline.
    faces = [(0, j + 1, j) for j in range(1, k - 1)] + [(k, k + j, k + j + 1) for j in range(1, k - 1)]
    for i in range(k):
        j = (i + 1) % k
        faces += [(i, j, k + j), (i, k + j, k + i)]
    return Mesh(vertices, faces)


def bowl(radius: float = 1.0, rows: int = 6, columns: int = 14) -> Mesh:
    """Return the lower half of a sphere, an open surface."""
    polar = np.linspace(0.5 * math.pi, math.pi, rows + 1)[:-1]
    angle = np.linspace(0.0, 2.0 * math.pi, columns, endpoint=False)
    x, y = np.sin(polar)[:, None] * np.cos(angle), np.sin(polar)[:, None] * np.sin(angle)
    ring = np.stack((x, y, np.broadcast_to(np.cos(polar)[:, None], x.shape)), axis=2).reshape(-1, 3)
    here, there, last = np.arange(columns), (np.arange(columns) + 1) % columns, columns * (rows - 1)
    faces = [np.stack((last + there, last + here, np.full(columns, len(ring))), axis=1)]
    for row in range(0, last, columns):
        faces.append(np.stack((row + here, row + columns + here, row + there), axis=1))
        faces.append(np.stack((row + there, row + columns + here, row + columns + there), axis=1))
    return Mesh(radius * np.concatenate((ring, [(0.0, 0.0, -1.0)])), np.concatenate(faces))


def scaled(shape: Shape, factor: float) -> Shape:
    """Return a shape, its lengths times a factor, about its origin. Below 1 it lies in the shape if that is seen from there."""
    if isinstance(shape, Box):
        return Box(factor * np.ptp(shape.vertices, axis=0))
    if isinstance(shape, Sphere):
        return Sphere(factor * shape.radius)
    if isinstance(shape, Capsule):
        a, b = factor * shape.vertices
        return Capsule.from_segment(a, b, radius=factor * shape.radius)
    return Mesh(factor * shape.vertices, shape.faces)


def part_of(motion: Motion, share: float) -> Motion:
    """Return the first part of a motion: `share` of it, 0 .. 1. A negative share is the motion back."""
    if isinstance(motion, Translate):
        return Translate(share * np.array(motion.vector))
    if not isinstance(motion, Turn):
        raise TypeError(f"motion: expected a Translate, Rotate or Screw, got {motion!r}")
    if isinstance(motion, Rotate):
        return Rotate(motion.axis, share * motion.angle, about=motion.about)
    return Screw(motion.axis, share * motion.angle, slide=share * motion.slide, about=motion.about)


def pose_of(turn: NDArray[np.float64], place: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the pose of a rotation (3, 3) and a place (3,)."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, place
    return pose
