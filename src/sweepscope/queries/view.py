"""Views: a box of parallel rays, or a ring of circles about an axis."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..immutable import Immutable
from ..motion import unit

MOST_PIXELS = 1 << 26
_SMALLEST = 1e-40  # size of a view [length]
_PARALLEL = 1e-6  # sine of the angle to `up`; below this `up` is along the view


@dataclass(frozen=True, init=False, slots=True)
class View(Immutable):
    """A box to look through with parallel rays: from `eye` along `toward`, `width` x `height` across and `depth` deep.

    eye [length], shape (3,), world: the middle of the near side. toward: a direction of any length above 0. up: the upward
    direction in the picture, by default +z, or +y if the view is along z.
    """

    eye: tuple[float, float, float]
    toward: tuple[float, float, float]
    width: float
    height: float
    depth: float
    up: tuple[float, float, float]
    frame: NDArray[np.float64] = field(repr=False, compare=False)
    """Unit vectors right, down and ahead, as rows: shape (3, 3), world."""

    def __init__(
        self,
        eye: ArrayLike,
        toward: ArrayLike,
        *,
        width: float,
        height: float,
        depth: float,
        up: ArrayLike | None = None,
    ) -> None:
        set_field = object.__setattr__
        set_field(self, "eye", checks.vector(eye, "View.eye", InvalidQuery))
        for name, value in (("width", width), ("height", height), ("depth", depth)):
            size = checks.length(value, f"View.{name}", InvalidQuery)
            if size == 0.0:
                raise InvalidQuery(f"View.{name} is 0; a view volume must have a size")
            if size < _SMALLEST:
                raise InvalidQuery(f"View.{name} is {size:g}; accepted: from {_SMALLEST:g}")
            set_field(self, name, size)
        ahead = unit(*checks.direction(toward, "View.toward", InvalidQuery))
        upward = _up(ahead) if up is None else unit(*checks.direction(up, "View.up", InvalidQuery))
        right = np.cross(ahead, upward)
        sine = float(np.linalg.norm(right))
        if sine < _PARALLEL:
            raise InvalidQuery(f"View.up is {checks.shown(up)}, along the view; give another direction")
        right = right / sine
        set_field(self, "toward", ahead)
        set_field(self, "up", upward)
        set_field(self, "frame", checks.fixed(np.array((right, np.cross(ahead, right), ahead))))

    def turned(self, axis: ArrayLike, angle: float) -> View:
        """Return the view turned by `angle` [radians] about an axis through the eye, right-handed."""
        about = np.array(unit(*checks.direction(axis, "axis", InvalidQuery)))
        turn = checks.number(angle, "angle", InvalidQuery)
        if not math.isfinite(turn):
            raise InvalidQuery(f"angle is {turn}; it must be finite")
        cosine, sine = math.cos(turn), math.sin(turn)

        def turned(vector: NDArray[np.float64]) -> NDArray[np.float64]:
            along = about * (about @ vector)
            return along + cosine * (vector - along) + sine * np.cross(about, vector)

        toward, up = turned(self.frame[2]), turned(-self.frame[1])
        return View(self.eye, toward, width=self.width, height=self.height, depth=self.depth, up=up)

    def reversed(self) -> View:
        """Return the same box seen from its far side, with the same `up`. The columns of its pictures run the other way."""
        eye = np.array(self.eye) + self.depth * self.frame[2]
        return View(eye, -self.frame[2], width=self.width, height=self.height, depth=self.depth, up=self.up)

    def at(self, column: ArrayLike, row: ArrayLike, depth: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Return points [length], shape (..., 3), world: centers of pixels of a picture of `shape`, at a depth."""
        across = (np.asarray(column) + 0.5) * (self.width / shape[1]) - 0.5 * self.width
        down = (np.asarray(row) + 0.5) * (self.height / shape[0]) - 0.5 * self.height
        return np.array(self.eye) + _points(across, down, np.asarray(depth, np.float64)) @ self.frame

    def corners(self) -> NDArray[np.float64]:
        """Return the corners of the view volume [length], shape (8, 3), world."""
        inside = [
            (0.5 * x * self.width, 0.5 * y * self.height, z * self.depth) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)
        ]
        return np.array(self.eye) + np.array(inside) @ self.frame


@dataclass(frozen=True, slots=True, eq=False)
class AngularView(Immutable):
    """A ring of circles about an axis: distance `rho` from it, `height` along it, and angle `depth` around it.

    In its pictures the radius increases from left to right, and the height decreases from top to bottom.
    """

    about: tuple[float, float, float]
    """A point on the axis [length], world: heights are measured from it."""
    axis: tuple[float, float, float]
    """Unit; the turn is right-handed about it."""
    zero: tuple[float, float, float]
    """Unit, perpendicular to the axis: the direction of angle 0."""
    rho: tuple[float, float]
    """Least and greatest distance from the axis [length]."""
    height: tuple[float, float]
    """Least and greatest height along the axis [length]."""
    depth: float
    """Angle of the view [radians]."""

    def at(self, column: ArrayLike, row: ArrayLike, angle: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Return points [length], shape (..., 3), world: centers of pixels of a picture of `shape`, at an angle."""
        rho = self.rho[0] + (np.asarray(column) + 0.5) * ((self.rho[1] - self.rho[0]) / shape[1])
        height = self.height[1] - (np.asarray(row) + 0.5) * ((self.height[1] - self.height[0]) / shape[0])
        turn = np.asarray(angle, np.float64)
        places = _points(rho * np.cos(turn), rho * np.sin(turn), height)
        return np.array(self.about) + places @ np.array((self.zero, np.cross(self.axis, self.zero), self.axis))


def view_of_frame(eye: NDArray[np.float64], frame: NDArray[np.float64], width: float, height: float, depth: float) -> View:
    """Return the view with a frame, shape (3, 3), that needs no check: see `View.frame`."""
    view = object.__new__(View)
    for name, value in (("width", width), ("height", height), ("depth", depth), ("frame", checks.fixed(frame))):
        object.__setattr__(view, name, value)
    object.__setattr__(view, "eye", tuple(eye.tolist()))
    object.__setattr__(view, "toward", tuple(frame[2].tolist()))
    object.__setattr__(view, "up", tuple((-frame[1]).tolist()))
    return view


def checked_pixels(value: Any) -> tuple[int, int]:
    """Return value as (columns, rows), both at least 1. A single number means both."""
    pair = (value, value) if isinstance(value, (int, np.integer)) else value
    several = isinstance(pair, (tuple, list)) or (isinstance(pair, np.ndarray) and pair.ndim == 1)
    if not several or any(isinstance(n, bool) or not isinstance(n, (int, np.integer)) for n in pair):
        raise InvalidType(f"pixels: expected two whole numbers, columns and rows, got {checks.shown(value)}")
    if len(pair) != 2:
        raise InvalidQuery(f"pixels: expected two whole numbers, columns and rows, got {checks.shown(value)}")
    columns, rows = int(pair[0]), int(pair[1])
    if columns < 1 or rows < 1 or columns * rows > MOST_PIXELS:
        raise InvalidQuery(f"pixels is {(columns, rows)}; accepted: at least 1 each, at most {MOST_PIXELS:,} in total")
    return columns, rows


def _points(x: NDArray[np.float64], y: NDArray[np.float64], z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points (..., 3) of coordinates that broadcast. For a single point, np.stack takes five times as long."""
    points = np.empty((*np.broadcast(x, y, z).shape, 3))
    points[..., 0], points[..., 1], points[..., 2] = x, y, z
    return points


def _up(ahead: tuple[float, float, float]) -> tuple[float, float, float]:
    return (0.0, 0.0, 1.0) if math.hypot(ahead[0], ahead[1]) > _PARALLEL else (0.0, 1.0, 0.0)
