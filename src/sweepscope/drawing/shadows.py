"""Shadows: a look from the light at the visible points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..queries.view import view_of_frame
from .camera import camera_along

if TYPE_CHECKING:
    from .arrangement import Arrangement

_Floats = NDArray[np.floating[Any]]


class Shadows:
    """A map of depths as seen from the light."""

    def __init__(
        self,
        bodies: Arrangement,
        light: NDArray[np.float64],
        points: NDArray[Any],
        origin: NDArray[np.float64],
        pixels: int,
        depths: tuple[float, float],
    ) -> None:
        """Look from the light at points.

        light: unit, towards it. points: those that may be in shadow, from `origin` [length], shape (n, 3). pixels: along each
        side. depths: of all bodies, along the light.
        """
        camera = camera_along(-light, None, (pixels, pixels))
        self._frame = np.array((camera.frame[0], -camera.frame[1], camera.frame[2]))
        flat = points @ self._frame[:2].T.astype(points.dtype)
        low, high = flat.min(axis=0).astype(float), flat.max(axis=0).astype(float)
        width = 1.02 * max(float((high - low).max()), 1e-9 * float(np.abs(origin).max()), 1e-30)
        near, far = depths
        room = 0.01 * (far - near) + width
        start = origin + 0.5 * (low + high) @ self._frame[:2]
        start = start + (near - room - float(start @ self._frame[2])) * self._frame[2]
        view = view_of_frame(start, self._frame, width, width, far - near + 2.0 * room)
        depth, ids, _, _ = bodies.look(view, (pixels, pixels))
        self._nearest = np.where(ids >= 0, depth, np.inf).astype(np.float32)
        # Points outside the map are lit.
        self._nearest[[0, -1]] = self._nearest[:, [0, -1]] = np.inf
        self._pixel, self._pixels, self._width = width / pixels, pixels, width
        self._shift = (start - origin).astype(np.float32)

    def at(self, points: _Floats, normals: _Floats | float = 0.0, taps: int = 1, apart: float = 0.8) -> _Floats:
        """Return how dark the shadow is at points, 0 to 1, shape (n,).

        normals: of the surfaces there, if these cast shadows themselves. The result is a mean over map pixels on a grid
        turned by 45 degrees, `apart` from each other.
        """
        pixel = np.float32(self._pixel)
        seen = (points + 1.5 * pixel * normals - self._shift) @ self._frame.T.astype(np.float32)
        column = seen[:, 0] / pixel + np.float32(0.5 * self._pixels)
        row = seen[:, 1] / pixel + np.float32(0.5 * self._pixels)
        limit = seen[:, 2] - pixel
        dark = np.zeros(len(points), np.float32)
        last = self._pixels - 1
        flat = self._nearest.ravel()
        span = range(-taps, taps + 1)
        steps = [(i, j) for i in span for j in span if (i + j) % 2 == 0]
        for i, j in steps:
            line = np.clip(row + np.float32(apart * i), 0, last).astype(np.int32) * np.int32(self._pixels)
            dark += flat[line + np.clip(column + np.float32(apart * j), 0, last).astype(np.int32)] < limit
        return dark / np.float32(len(steps))
