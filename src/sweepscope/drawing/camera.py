"""Camera: projects world points into a picture of parallel rays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..queries.view import View, view_of_frame

_Array = NDArray[np.float64]

OBLIQUE = (1.0, 1.5, -0.95)
"""The usual direction of view: from the front, the left and above."""
_LENS = 0.8  # height of the picture, relative to the distance from eye to target
_PARALLEL = 1e-6  # sine: below this `up` is along the view
_LEAST, _MOST = 16, 8192  # pixels along each side


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A window of parallel rays."""

    frame: _Array
    """Unit vectors right, up and ahead as rows, shape (3, 3), world."""
    origin: _Array
    """Middle of the window [length], shape (3,), world. Depths are measured from here, negative towards the camera."""
    height: float
    """Height of the window [length]."""
    size: tuple[int, int]
    """Columns and rows of pixels."""
    near: float = -np.inf
    """Smallest visible depth [length]."""

    @property
    def pixel(self) -> float:
        """Width of a pixel [length]."""
        return self.height / self.size[1]

    @property
    def width(self) -> float:
        """Width of the window [length]."""
        return self.pixel * self.size[0]

    def to_view(self, points: ArrayLike) -> _Array:
        """Return right, up and depth of points [length], shape (..., 3), from the middle of the window."""
        return (np.asarray(points, float) - self.origin) @ self.frame.T

    def project(self, points: ArrayLike) -> _Array:
        """Return columns and rows of points in the picture [pixels], shape (..., 2); (0, 0) is its upper left corner."""
        flat = self.to_view(points)[..., :2] / self.pixel
        return np.stack((0.5 * self.size[0] + flat[..., 0], 0.5 * self.size[1] - flat[..., 1]), axis=-1)

    def view(self, near: float, far: float) -> View:
        """Return the view through the window, between two depths [length]."""
        frame = np.array((self.frame[0], -self.frame[1], self.frame[2]))
        return view_of_frame(self.origin + near * self.frame[2], frame, self.width, self.height, far - near)

    def around(self, points: _Array, room: float = 0.06) -> Camera:
        """Return the camera with a window around points, shape (n, 3); room: margin, as a fraction of the picture."""
        seen = self.to_view(points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        columns, rows = self.size
        wide, tall = high[0] - low[0], high[1] - low[1]
        height = max(tall, wide * rows / columns) / (1.0 - 2.0 * room)
        if not height > 0.0:
            height = max(1e-9 * float(np.abs(points).max()), 1.0)  # a single point
        return replace(self, origin=self.origin + 0.5 * (low + high) @ self.frame, height=float(height))

    def crop(self, points: _Array) -> tuple[Camera, tuple[slice, slice]] | None:
        """Return the camera of the part around points, shape (n, 3), and its rows and columns; None if it is outside."""
        flat = self.project(points)
        low = np.maximum(np.floor(flat.min(axis=0)).astype(int) - 3, 0)
        high = np.minimum(np.ceil(flat.max(axis=0)).astype(int) + 3, self.size)
        if (high <= low).any():
            return None
        right, down = 0.5 * (low + high) - 0.5 * np.array(self.size)
        middle = self.origin + self.pixel * (right * self.frame[0] - down * self.frame[1])
        columns, rows = (high - low).tolist()
        camera = replace(self, origin=middle, height=self.pixel * rows, size=(columns, rows))
        return camera, (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))


def camera_along(ahead: ArrayLike, up: ArrayLike | None, size: tuple[int, int]) -> Camera:
    """Return a camera that looks along a direction; its window is 1 high, centered at the origin."""
    forward = np.array(ahead, float)
    forward /= np.linalg.norm(forward)
    upward = np.array((0.0, 0.0, 1.0) if up is None else checks.direction(up, "up", InvalidQuery))
    upward /= np.linalg.norm(upward)
    right = np.cross(forward, upward)
    if np.linalg.norm(right) < _PARALLEL:
        if up is not None:
            raise InvalidQuery(f"up is {checks.shown(up)}, along the view; give another direction")
        right = np.cross(forward, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    return Camera(np.array((right, np.cross(right, forward), forward)), np.zeros(3), 1.0, size)


def make_camera(eye: Any, target: Any, up: Any, size: tuple[int, int], matter: _Array) -> Camera:
    """Return the camera for the given options. matter: points to frame, shape (n, 3) [length]; may be empty."""
    low, high = (matter.min(axis=0), matter.max(axis=0)) if len(matter) else (np.full(3, -0.5), np.full(3, 0.5))
    middle = 0.5 * (low + high) if target is None else np.array(checks.vector(target, "target", InvalidQuery))
    if eye is None:
        camera = camera_along(OBLIQUE, up, size)
        camera = camera.around(matter) if len(matter) else camera
        return camera if target is None else replace(camera, origin=middle)
    place = np.array(checks.vector(eye, "eye", InvalidQuery))
    far = float(np.linalg.norm(middle - place))
    if far == 0.0:
        raise InvalidQuery(f"eye is {checks.shown(eye)}, which is the target; give another place")
    camera = camera_along((middle - place) / far, up, size)
    return replace(camera, origin=middle, height=_LENS * far, near=-far)


def checked_size(value: Any) -> tuple[int, int]:
    """Return columns and rows of a picture, checked."""
    several = isinstance(value, (tuple, list))
    if not several or any(isinstance(n, bool) or not isinstance(n, (int, np.integer)) for n in value):
        raise InvalidType(f"size: expected two whole numbers, columns and rows, got {checks.shown(value)}")
    if len(value) != 2:
        raise InvalidQuery(f"size: expected two whole numbers, columns and rows, got {checks.shown(value)}")
    columns, rows = int(value[0]), int(value[1])
    if not (_LEAST <= columns <= _MOST and _LEAST <= rows <= _MOST):
        raise InvalidQuery(f"size is {(columns, rows)}; accepted: {_LEAST} to {_MOST} pixels each")
    return columns, rows
