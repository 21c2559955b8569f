"""Depth images into points: one for each pixel that holds a depth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry
from ..foreign import camera_of


def points_of_depth(
    depth: ArrayLike, camera: Any, scale: float | None, pose: checks.PoseLike | None, every: int, far: float | None
) -> NDArray[np.float64]:
    """Answer `PointCloud.from_depth`: the points, shape (n, 3) [length], row by row of the image."""
    image = checks.array(depth, "depth", "an image of shape (rows, columns)", InvalidGeometry)
    if image.ndim != 2:
        raise InvalidGeometry(f"depth: expected shape (rows, columns), got {image.shape}")
    if scale is None and image.dtype.kind in "iu" and image.size:
        raise InvalidGeometry(
            f"depth: its numbers are {image.dtype}; say what one is worth, such as scale=0.001 for millimeters"
        )
    unit = 1.0 if scale is None else checks.length(scale, "scale", InvalidGeometry)
    if unit == 0.0:
        raise InvalidGeometry("scale is 0; accepted: what one number of the image is worth [length], above 0")
    step = checks.whole(every, "every", InvalidGeometry, 1)
    lens = _lens(camera)
    place = checks.pose(pose)
    rows, columns = np.mgrid[: image.shape[0] : step, : image.shape[1] : step]
    z = image[::step, ::step].astype(np.float64) * unit
    below = np.argwhere(z < 0.0)
    if len(below):
        row, column = below[0] * step
        raise InvalidGeometry(
            f"depth[{row}, {column}] is {image[row, column]}; depths are counted ahead of the camera and are not negative: "
            "turn the sign of the image"
        )
    seen = (z > 0.0) & (z <= (checks.LARGEST if far is None else checks.length(far, "far", InvalidGeometry)))
    z, row, column = z[seen], rows[seen].astype(np.float64), columns[seen].astype(np.float64)
    (fx, skew, cx), (_, fy, cy), _ = lens.tolist()
    y = (row - cy) / fy
    x = (column - cx - skew * y) / fx
    return np.stack((x * z, y * z, z), axis=1) @ place[:3, :3].T + place[:3, 3]


def _lens(camera: Any) -> NDArray[np.float64]:
    """Return the checked 3x3 matrix of a camera."""
    name = "camera"
    given = checks.array(camera_of(camera), name, "a 3x3 matrix", InvalidGeometry).astype(np.float64)
    if given.shape != (3, 3):
        raise InvalidGeometry(f"{name}: expected a 3x3 matrix, fx 0 cx, 0 fy cy, 0 0 1, got shape {given.shape}")
    if not np.abs(given).max() <= checks.LARGEST:
        row, column = np.argwhere(~(np.abs(given) <= checks.LARGEST))[0]
        raise InvalidGeometry(f"{name}[{row}, {column}] is {given[row, column]}; it must be finite")
    if given[1, 0] != 0.0 or (given[2] != (0.0, 0.0, 1.0)).any() or not (given[0, 0] > 0.0 and given[1, 1] > 0.0):
        raise InvalidGeometry(
            f"{name}: expected fx 0 cx, 0 fy cy, 0 0 1 with fx and fy above 0 [pixels], got {checks.shown(given.tolist())}"
        )
    return given
