"""Shapes as a browser draws them. For display only: questions use the shapes themselves."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..motion import frame_of, unit
from ..shapes import Capsule, Mesh, Shape, Sphere

_ROWS = 24  # of a drawn sphere

Array = NDArray[np.float64]


class Display(NamedTuple):
    """Triangles, lines or points of a shape, in its own frame."""

    kind: Literal["mesh", "lines", "points"]
    vertices: Array
    """Places [length], shape (n, 3)."""
    faces: NDArray[np.int32]
    """Triangles (m, 3) of a mesh, ends (m, 2) of lines; empty for points."""
    radius: float
    """Of points [length]."""
    round: bool
    """Whether the facets stand for a smooth surface."""


def display_of(shape: Shape, vertices: Array | None = None) -> Display:
    """Return what is drawn of a shape. vertices: of a deformed body."""
    places = shape.vertices if vertices is None else vertices
    if isinstance(shape, Sphere) and shape.radius > 0.0:
        ball = Mesh.sphere(shape.radius, rows=_ROWS, sections=_ROWS)
        return Display("mesh", ball.vertices, ball.faces, 0.0, True)
    if isinstance(shape, Capsule) and shape.radius > 0.0:
        return Display("mesh", *_capsule(shape), 0.0, True)
    faces = shape.faces
    flat = faces[:, 1] == faces[:, 2]
    if not flat.all():
        return Display("mesh", places, faces[~flat], 0.0, False)
    apart = faces[:, 0] != faces[:, 1]
    if apart.any():
        return Display("lines", places, faces[apart, :2], shape.radius, False)
    return Display("points", places[faces[:, 0]], np.zeros((0, 3), np.int32), shape.radius, True)


def _capsule(shape: Capsule) -> tuple[Array, NDArray[np.int32]]:
    """Return the mesh of a capsule from its first to its second end."""
    low, high = shape.vertices
    height = float(np.linalg.norm(high - low))
    mesh = Mesh.capsule(shape.radius, height, rows=_ROWS // 2, sections=_ROWS)
    if height == 0.0:
        return mesh.vertices + low, mesh.faces
    turn = frame_of(*unit(*map(float, high - low))).reshape(3, 3)
    return mesh.vertices @ turn + 0.5 * (low + high), mesh.faces


def wxyz_of(pose: Array) -> Array:
    """Return the rotation of a pose as a unit quaternion w, x, y, z, shape (4,)."""
    turn = pose[:3, :3]
    # The eigenvector of the largest eigenvalue: no special cases (Bar-Itzhack 2000).
    (a, b, c), (d, e, f), (g, h, i) = turn
    matrix = np.array(
        (
            (a + e + i, h - f, c - g, d - b),
            (h - f, a - e - i, b + d, c + g),
            (c - g, b + d, e - a - i, f + h),
            (d - b, c + g, f + h, i - a - e),
        )
    )
    return np.linalg.eigh(matrix)[1][:, 3]


def pose_of(wxyz: ArrayLike, position: ArrayLike) -> Array:
    """Return the pose, shape (4, 4), of a quaternion and a place."""
    q = np.asarray(wxyz, np.float64)
    w, x, y, z = q / np.linalg.norm(q)
    pose = np.eye(4)
    pose[:3, :3] = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )
    pose[:3, 3] = position
    return pose
