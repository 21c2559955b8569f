"""A box that turns about an axis, checked, and the base class of all methods that enclose its sweep."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Box, Rotate, Shape, checks
from sweepscope.errors import InvalidGeometry, InvalidQuery

ROUNDING = 1e-12
"""How far answers may err towards a hit, relative to the lengths of the input."""

_SQUARE = 1e-9  # how far directions may be from parallel [relative]


@dataclass(frozen=True, slots=True)
class BoxRotation:
    """A box at its start and its rotation, relative to a point on the axis."""

    widths: NDArray[np.float64]
    """Full widths [length], shape (3,)."""
    turn: NDArray[np.float64]
    """The box's axes as columns, shape (3, 3)."""
    center: NDArray[np.float64]
    """The box's center [length], shape (3,), relative to `about`."""
    axis: NDArray[np.float64]
    """Unit, shape (3,)."""
    angle: float
    """[radians], right-handed about the axis."""
    about: NDArray[np.float64]
    """The point on the axis [length], shape (3,), world."""

    @property
    def reach(self) -> float:
        """Return the greatest distance of any part of the box from `about` [length]."""
        return float(np.linalg.norm(self.center) + 0.5 * np.linalg.norm(self.widths))

    @property
    def rounding(self) -> float:
        """Return the largest rounding error of a coordinate [length]."""
        return ROUNDING * (self.reach + float(np.abs(self.about).max()))

    def corners(self) -> NDArray[np.float64]:
        """Return the box's corners at its start, shape (8, 3), relative to `about`."""
        signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        return self.center + (signs * self.widths) @ self.turn.T

    def swing(self) -> NDArray[np.float64] | None:
        """Return the motion in the form of the thesis: a row of numbers, shape (1, 11), see `kernels.compared_swung`.

        A negative angle is made positive by reversing the axis. Returns None unless the pose is that of the thesis: one side
        of the box is along the axis, another points towards it, and the axis is on or outside the box.
        """
        axis = self.axis if self.angle >= 0.0 else -self.axis
        out = self.center - axis * (axis @ self.center)
        distance = float(np.linalg.norm(out))
        if distance == 0.0:
            return None
        out /= distance
        along, towards = (int(np.argmax(np.abs(self.turn.T @ direction))) for direction in (axis, out))
        if along == towards:
            return None
        tilts = [np.linalg.norm(np.cross(self.turn[:, side], unit)) for side, unit in ((along, axis), (towards, out))]
        wide, tall, thick = (float(self.widths[k]) for k in (3 - along - towards, towards, along))
        if max(tilts) > _SQUARE or distance < 0.5 * tall * (1.0 - _SQUARE):
            return None
        return np.array([[*axis, *out, distance, wide, tall, thick, abs(self.angle)]])


def box_rotation(box: Box, pose: ArrayLike | None, axis: ArrayLike, angle: float, about: ArrayLike) -> BoxRotation:
    """Return the rotation of a box that starts at `pose`, or raise if an argument is wrong."""
    if not isinstance(box, Box):
        raise InvalidGeometry(f"box: expected a Box, got {checks.shown(box)}")
    motion = Rotate(axis, angle, about=about)
    start = checks.pose(pose)
    low, high = box.bounds
    point = np.array(motion.about)
    return BoxRotation(high - low, start[:3, :3], start[:3, 3] - point, np.array(motion.axis), motion.angle, point)


class SweptVolume(ABC):
    """The space that a method takes for the sweep of a box. Touching is a hit."""

    def contains(self, points: ArrayLike) -> bool | NDArray[np.bool_]:
        """Return whether points are inside: True or False for one (3,), an array (n,) for many (n, 3) [length], world."""
        places, one = _places(points, "points")
        answer = self._contains(places)
        return bool(answer[0]) if one else answer

    def hits_spheres(self, centers: ArrayLike, radii: ArrayLike) -> bool | NDArray[np.bool_]:
        """Return whether spheres hit it: centers (3,) or (n, 3), world; radii one number or (n,) [length]."""
        places, one = _places(centers, "centers")
        answer = self._hits(places, _radii(radii, len(places)))
        return bool(answer[0]) if one else answer

    def _contains(self, places: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which points are inside: points are spheres of radius 0."""
        return self._hits(places, np.zeros(len(places)))

    @abstractmethod
    def solid(self) -> tuple[Shape, NDArray[np.float64], NDArray[np.float64]]:
        """Return it as a shape, its pose (4, 4), and a vector (3,) [length] by which it moves straight; world."""

    @abstractmethod
    def _hits(self, places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which spheres hit it."""


def _places(value: ArrayLike, name: str) -> tuple[NDArray[np.float64], bool]:
    """Return points (n, 3), and whether only one was given."""
    given = checks.array(value, name, "an array of shape (n, 3) or (3,)", InvalidQuery)
    one = given.shape == (3,)
    return checks.points(given[None] if one else given, name, InvalidQuery), one


def _radii(value: ArrayLike, count: int) -> NDArray[np.float64]:
    """Return radii (n,), from one number or n numbers."""
    given = checks.array(value, "radii", "one number or an array of shape (n,)", InvalidQuery)
    if given.shape not in ((), (count,)):
        raise InvalidQuery(f"radii: expected one number or shape ({count},), got {given.shape}")
    radii = np.array(np.broadcast_to(given, (count,)), np.float64)
    bad = ~((radii >= 0.0) & (radii <= checks.LARGEST))
    if bad.any():
        row = int(np.argmax(bad))
        raise InvalidQuery(f"radii[{row}] is {radii[row]}; it must be finite, not negative and at most {checks.LARGEST:g}")
    return radii
