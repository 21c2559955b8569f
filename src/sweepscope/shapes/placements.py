"""Place shapes by affine transforms: the rigid part becomes a pose, and scale, shear and mirror go into the vertices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base import Shape
from .mesh import Mesh
from .solids import PointCloud

_RIGID = 1e-6  # a matrix this near to a rotation needs no change of the vertices
_SAME = 1e-12  # sizes that differ by this, relative to the largest, are meant to be equal and rounded differently


class Placements:
    """Shapes of geometries that are shown several times; those that are stretched in the same way are one shape.

    make: returns the shape of a geometry; it gets the geometry and a name for error messages.
    """

    def __init__(self, make: Callable[[Any, str], Shape]) -> None:
        self._make = make
        self._known: dict[int, tuple[Any, Shape, dict[str, Shape]]] = {}

    def place(
        self,
        geometry: Any,
        name: str,
        matrix: NDArray[np.float64],
        *,
        sign: int | None = None,
        scale: float = 1.0,
    ) -> tuple[Shape, NDArray[np.float64]]:
        """Return a shape, and the rigid pose, shape (4, 4), that puts it where an affine matrix puts a geometry.

        sign: of the determinant, if the caller has it exactly. scale: lengths are multiplied by it afterwards.
        """
        if id(geometry) not in self._known:
            # The geometry is kept, so that no other gets its id.
            self._known[id(geometry)] = geometry, self._make(geometry, name), {}
        _, shape, made = self._known[id(geometry)]
        pose, stretch = _rigid_and_stretch(matrix, sign)
        if scale != 1.0:
            pose[:3, 3] *= scale
            stretch = scale * (np.eye(3) if stretch is None else stretch)
        if stretch is None:
            return shape, pose
        key = _rounded(stretch)
        if key not in made:
            made[key] = _stretched(shape, stretch, mirrored=_sign(stretch) < 0 if sign is None else sign < 0)
        return made[key], pose


def _rounded(stretch: NDArray[np.float64]) -> str:
    """Return a text that is equal for stretches that differ by rounding."""
    least = _SAME * np.abs(stretch).max()
    return " ".join(f"{each:.12g}" if abs(each) > least else "0" for each in stretch.ravel().tolist())


def _sign(linear: NDArray[np.float64]) -> float:
    """Return the sign of the determinant of a matrix, shape (3, 3)."""
    size = np.abs(linear).max()
    return float(np.sign(np.linalg.det(linear / size))) if size > 0.0 else 0.0


def _rigid_and_stretch(matrix: NDArray[np.float64], sign: int | None) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return a rigid pose and the symmetric matrix that stretches vertices before it; None if they stay as they are."""
    linear = matrix[:3, :3]
    mirror = (_sign(linear) if sign is None else sign) < 0
    pose = np.eye(4)
    pose[:3, 3] = matrix[:3, 3]
    with np.errstate(over="ignore", invalid="ignore"):
        if not mirror and np.abs(linear @ linear.T - np.eye(3)).max() <= _RIGID:
            pose[:3, :3] = linear
            return pose, None
    # Polar decomposition: linear = rotation @ stretch. A mirror is a mirror at a point: -1 goes into the stretch.
    u, sizes, v = np.linalg.svd(-linear if mirror else linear)
    if np.linalg.det(u @ v) < 0.0:  # flat, up to rounding
        u[:, 2], sizes[2] = -u[:, 2], -sizes[2]
    pose[:3, :3] = u @ v
    uniform = sizes[0] - sizes[2] <= _SAME * sizes[0]
    stretch = sizes[1] * np.eye(3) if uniform else v.T @ np.diag(sizes) @ v
    return pose, -stretch if mirror else stretch


def _stretched(shape: Shape, matrix: NDArray[np.float64], *, mirrored: bool) -> Shape:
    """Return a Mesh or PointCloud with vertices multiplied by a matrix, shape (3, 3); a mirror turns the faces over as well."""
    diagonal = np.diag(matrix)
    uniform = (matrix == np.diag(diagonal)).all()
    places = shape.vertices * diagonal if uniform else shape.vertices @ matrix.T
    if isinstance(shape, PointCloud):
        return PointCloud(places, shape.radius)
    return Mesh(places, np.take(shape.faces, (0, 2, 1), axis=1) if mirrored else shape.faces, solid=shape.solid)
