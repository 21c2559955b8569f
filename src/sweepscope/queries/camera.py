"""Cameras: perspective views with the convention of OpenCV, z ahead, x to the right and y down."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery
from ..immutable import Immutable
from ..motion import unit
from .view import checked_pixels

_PARALLEL = 1e-6  # sine of the angle to `up`; below this `up` is along the view
_WIDEST = math.pi * (1.0 - 1e-6)  # radians


@dataclass(frozen=True, init=False, slots=True)
class PinholeCamera(Immutable):
    """A camera, or a depth camera, to look through with `Scene.look`.

    matrix: intrinsics in pixels, shape (3, 3), as OpenCV and most depth cameras give them: ((fx, s, cx), (0, fy, cy), (0, 0,
    1)). Pixel (column, row) has its center at (column, row). pose: camera to world, shape (4, 4). The camera looks along its
    z axis; x is to the right in the picture, y down.

    pixels: (columns, rows). depth [length]: how far it sees, along its z axis; by default without end.
    """

    matrix: NDArray[np.float64] = field(compare=False)
    pose: NDArray[np.float64] = field(compare=False)
    pixels: tuple[int, int]
    depth: float
    rays: NDArray[np.float64] = field(repr=False, compare=False)
    """Shape (3, 3), world: times (column, row, 1) it is the direction of a pixel, with length 1 along the z axis."""

    def __init__(
        self,
        matrix: ArrayLike,
        pose: checks.PoseLike | None = None,
        *,
        pixels: tuple[int, int] | int,
        depth: float = math.inf,
    ) -> None:
        inner = _checked_matrix(matrix)
        place = checks.pose(pose, "PinholeCamera.pose")
        set_field = object.__setattr__
        set_field(self, "matrix", checks.fixed(inner))
        set_field(self, "pose", checks.fixed(place))
        set_field(self, "pixels", checked_pixels(pixels))
        set_field(self, "depth", _checked_depth(depth))
        fx, skew, cx = inner[0].tolist()
        fy, cy = inner[1, 1:].tolist()
        inverse = np.array(
            ((1.0 / fx, -skew / (fx * fy), (skew * cy - cx * fy) / (fx * fy)), (0.0, 1.0 / fy, -cy / fy), (0, 0, 1))
        )
        set_field(self, "rays", checks.fixed(place[:3, :3] @ inverse))

    @classmethod
    def looking_at(
        cls,
        eye: ArrayLike,
        target: ArrayLike,
        *,
        fov: float,
        pixels: tuple[int, int] | int,
        up: ArrayLike | None = None,
        depth: float = math.inf,
    ) -> PinholeCamera:
        """Return the camera at `eye` that sees `target` [length], shape (3,), world, in the middle of its picture.

        fov [radians]: angle between the upper and the lower side of the picture. Pixels are square. up: the upward direction
        in the picture, by default +z, or +y if the camera looks along z.
        """
        begin = np.array(checks.vector(eye, "eye", InvalidQuery))
        ahead = np.array(checks.vector(target, "target", InvalidQuery)) - begin
        if not ahead.any():
            raise InvalidQuery(f"target is {checks.shown(target)}, where the eye is; the camera must have a direction")
        ahead = np.array(unit(*ahead.tolist()))
        angle = checks.number(fov, "fov", InvalidQuery)
        if not 0.0 < angle <= _WIDEST:
            raise InvalidQuery(f"fov is {angle}; accepted: radians above 0 and below pi")
        if up is None:
            upward = (0.0, 0.0, 1.0) if math.hypot(ahead[0], ahead[1]) > _PARALLEL else (0.0, 1.0, 0.0)
        else:
            upward = unit(*checks.direction(up, "up", InvalidQuery))
        right = np.cross(ahead, upward)
        sine = float(np.linalg.norm(right))
        if sine < _PARALLEL:
            raise InvalidQuery(f"up is {checks.shown(up)}, along the view; give another direction")
        right /= sine
        pose = np.eye(4)
        pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = right, np.cross(ahead, right), ahead, begin
        columns, rows = checked_pixels(pixels)
        focal = 0.5 * rows / math.tan(0.5 * angle)
        matrix = ((focal, 0.0, 0.5 * (columns - 1)), (0.0, focal, 0.5 * (rows - 1)), (0.0, 0.0, 1.0))
        return cls(matrix, pose, pixels=(columns, rows), depth=depth)

    @property
    def eye(self) -> NDArray[np.float64]:
        """Its optical center [length], shape (3,), world."""
        return self.pose[:3, 3]

    @property
    def toward(self) -> NDArray[np.float64]:
        """Its optical axis, unit, shape (3,), world."""
        return self.pose[:3, 2]

    def directions(self) -> NDArray[np.float64]:
        """Return the direction of each pixel, shape (rows, columns, 3), world; each has length 1 along the z axis.

        `scene.cast(camera.eye, camera.directions())` meets what `scene.look(camera)` shows.
        """
        columns, rows = self.pixels
        column, row = np.arange(columns, dtype=np.float64)[:, None], np.arange(rows, dtype=np.float64)[:, None, None]
        return self.rays[:, 0] * column + self.rays[:, 1] * row + self.rays[:, 2]

    def at(self, column: ArrayLike, row: ArrayLike, depth: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Return points [length], shape (..., 3), world: centers of pixels, at a depth. shape: of the picture."""
        x, y, z = (np.asarray(each, np.float64)[..., None] for each in (column, row, depth))
        return self.eye + z * (self.rays[:, 0] * x + self.rays[:, 1] * y + self.rays[:, 2])

    def project(self, points: ArrayLike) -> NDArray[np.float64]:
        """Return where points [length], shape (..., 3), world, are in the picture: column, row and depth, shape (..., 3).

        Depth is along the z axis. For points behind the camera it is negative, and at 0 column and row are not finite.
        """
        given = checks.array(points, "points", "an array of shape (..., 3)", InvalidQuery)
        if given.ndim == 0 or given.shape[-1] != 3:
            raise InvalidQuery(f"points: expected shape (..., 3), got {given.shape}")
        local = (given - self.eye) @ self.pose[:3, :3]
        image = local @ self.matrix.T
        with np.errstate(divide="ignore", invalid="ignore"):
            image[..., :2] /= local[..., 2:]
        return image


def _checked_matrix(value: Any) -> NDArray[np.float64]:
    """Return intrinsics, or raise."""
    name = "PinholeCamera.matrix"
    given = checks.array(value, name, "an array of shape (3, 3)", InvalidQuery)
    if given.shape != (3, 3):
        raise InvalidQuery(f"{name}: expected shape (3, 3), got {given.shape}")
    matrix = np.array(given, np.float64, order="C")
    if not (np.abs(matrix) <= checks.LARGEST).all():
        row, column = np.argwhere(~(np.abs(matrix) <= checks.LARGEST))[0]
        raise InvalidQuery(f"{name}[{row}, {column}] is {matrix[row, column]}; it must be finite")
    if matrix[1, 0] != 0.0 or matrix[2].tolist() != [0.0, 0.0, 1.0]:
        raise InvalidQuery(f"{name}: expected rows (fx, s, cx), (0, fy, cy), (0, 0, 1), got {checks.shown(matrix)}")
    for k, axis in enumerate("xy"):
        if matrix[k, k] <= 0.0:
            raise InvalidQuery(f"{name}[{k}, {k}] is {matrix[k, k]}; the focal length f{axis} must be above 0 [pixels]")
    return matrix


def _checked_depth(value: Any) -> float:
    """Return how far a camera sees, or raise."""
    if isinstance(value, float) and value == math.inf:
        return math.inf
    depth = checks.length(value, "PinholeCamera.depth", InvalidQuery)
    if depth == 0.0:
        raise InvalidQuery("PinholeCamera.depth is 0; a camera must see some way")
    return depth
