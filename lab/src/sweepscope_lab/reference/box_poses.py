"""A turning box at single poses, in plain NumPy: tests of points against each pose, and its corners."""

import numpy as np
from numpy.typing import NDArray

from .vectors import rotation

Array = NDArray[np.float64]


def poses_of(pose: Array, axis: Array, about: Array, angles: Array) -> list[tuple[Array, Array]]:
    """Return axes (as columns) and center of a box at each angle of its turn about `axis` through `about`."""
    found = []
    for angle in angles:
        turn = rotation(axis, float(angle))
        found.append((turn @ pose[:3, :3], about + turn @ (pose[:3, 3] - about)))
    return found


def distance_to_poses(widths: Array, poses: list[tuple[Array, Array]], points: Array) -> Array:
    """Return the distance of points (n, 3) from the nearest of a box's poses [length], shape (n,); 0 inside."""
    least = np.full(len(points), np.inf)
    for axes, center in poses:
        beyond = np.maximum(np.abs((points - center) @ axes) - 0.5 * widths, 0.0)
        least = np.minimum(least, np.linalg.norm(beyond, axis=1))
    return least


def in_poses(widths: Array, poses: list[tuple[Array, Array]], points: Array, tolerance: float = 0.0) -> NDArray[np.bool_]:
    """Return whether points (n, 3) are inside a box at one of its poses, with a tolerance on each coordinate [length]."""
    held = np.zeros(len(points), np.bool_)
    for axes, center in poses:
        held |= (np.abs((points - center) @ axes) <= 0.5 * widths + tolerance).all(axis=1)
    return held


def corners_of(widths: Array, axes: Array, center: Array) -> Array:
    """Return the corners of a box, shape (8, 3)."""
    signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return center + (signs * widths) @ axes.T
