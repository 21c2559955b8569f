"""What a turning box holds at single poses, in plain NumPy: each pose placed, each corner turned, nothing left out."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def turning(axis: Array, angle: float) -> Array:
    """Return the rotation by `angle` [radians] about a unit axis, shape (3, 3) (Rodrigues)."""
    x, y, z = axis
    across = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * (across @ across)


def poses_of(pose: Array, axis: Array, about: Array, angles: Array) -> list[tuple[Array, Array]]:
    """Return axes (as columns) and centre of a box at each angle of its turn about `axis` through `about`."""
    found = []
    for angle in angles:
        turn = turning(axis, float(angle))
        found.append((turn @ pose[:3, :3], about + turn @ (pose[:3, 3] - about)))
    return found


def distance_to_poses(widths: Array, poses: list[tuple[Array, Array]], points: Array) -> Array:
    """Return how far points (n, 3) are from the nearest of a box's poses [length], shape (n,); 0 within."""
    least = np.full(len(points), np.inf)
    for axes, centre in poses:
        beyond = np.maximum(np.abs((points - centre) @ axes) - 0.5 * widths, 0.0)
        least = np.minimum(least, np.linalg.norm(beyond, axis=1))
    return least


def in_poses(widths: Array, poses: list[tuple[Array, Array]], points: Array, tolerance: float = 0.0) -> NDArray[np.bool_]:
    """Return whether points (n, 3) are in a box at one of its poses, each coordinate within a tolerance [length]."""
    held = np.zeros(len(points), np.bool_)
    for axes, centre in poses:
        held |= (np.abs((points - centre) @ axes) <= 0.5 * widths + tolerance).all(axis=1)
    return held


def corners_of(widths: Array, axes: Array, centre: Array) -> Array:
    """Return the corners of a box, shape (8, 3)."""
    signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return centre + (signs * widths) @ axes.T
