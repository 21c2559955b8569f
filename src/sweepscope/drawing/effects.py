"""Image effects: darker hollows, and blurring."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.floating[Any]]


def hollows(depth: NDArray[np.float64], reach: float, pixel: float) -> _Floats:
    """Return how deep each pixel lies below its surroundings, 0 to 1 (as Luft and others, 2006).

    Pixels are compared with two on opposite sides of them, so that a slope does not count as a hollow. Only every
    second pixel is computed.
    """
    coarse = depth[::2, ::2]
    inside = np.isfinite(coarse)
    found = np.zeros(coarse.shape, np.float32)
    if not inside.any():
        return np.zeros(depth.shape, np.float32)
    far = float(coarse[inside].max()) + 4.0 * reach
    deep = (np.where(inside, coarse, far) - far).astype(np.float32)
    widest = max(2, round(0.5 * reach / pixel))
    wide = np.pad(deep, widest)  # 0 is the background
    rows, columns = coarse.shape
    limit = np.float32(reach)
    count = 0
    for part in (0.33, 0.66, 1.0):
        for angle in (np.arange(5) + part) * (np.pi / 5.0):
            down, right = round(part * widest * np.sin(angle)), round(part * widest * np.cos(angle))
            sides = [
                wide[widest + k * down : widest + k * down + rows, widest + k * right : widest + k * right + columns]
                for k in (-1, 1)
            ]
            one, other = deep - sides[0], deep - sides[1]
            # Neither bodies far in front nor the background make a hollow.
            farther = np.maximum(np.abs(one), np.abs(other)) / limit
            found += np.maximum(one + other, 0.0) * np.clip(2.0 - farther, 0.0, 1.0)
            count += 1
    found *= np.float32(1.0) / (limit * np.float32(count)) * inside
    soft = blur(blur(found, 2, 0), 2, 1)
    return np.clip(2.0 * soft, 0.0, 1.0).repeat(2, axis=0).repeat(2, axis=1)[: depth.shape[0], : depth.shape[1]]


def blur(values: _Floats, width: int, axis: int) -> _Floats:
    """Return means over 2 width + 1 pixels along an axis; the border is repeated outside of the picture."""
    room = [(0, 0), (0, 0)]
    room[axis] = (width + 1, width)
    sums = np.cumsum(np.pad(values, room, mode="edge"), axis=axis, dtype=np.float64)
    count = values.shape[axis]
    if axis == 0:
        found = sums[2 * width + 1 : 2 * width + 1 + count] - sums[:count]
    else:
        found = sums[:, 2 * width + 1 : 2 * width + 1 + count] - sums[:, :count]
    return (found / (2 * width + 1)).astype(np.float32)
