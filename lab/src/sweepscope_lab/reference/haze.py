"""Rays through opacities, one at a time, from the definition: crossings with all planes are sorted, parts are multiplied."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sweepscope.drawing.volumes import Haze

Floats = NDArray[np.float64]


def seen_along(hazes: Sequence[Haze], start: Floats, ahead: Floats, light: Floats, shades: tuple[float, float]) -> Floats:
    """Return color times cover, and cover, of the ray from `start` (unit direction `ahead`) on, shape (4,).

    light: unit, to the light, world. Each part of the ray between two crossings lies in one voxel of each haze.
    """
    cuts = [np.zeros(1)]
    for haze in hazes:
        into = np.linalg.inv(haze.pose)
        place, slope = into[:3, :3] @ start + into[:3, 3], into[:3, :3] @ ahead
        for axis in range(3):
            if slope[axis] != 0.0:
                planes = haze.spacing[axis] * np.arange(haze.alpha.shape[axis] + 1)
                cuts.append((planes - place[axis]) / slope[axis])
    ways = np.unique(np.concatenate(cuts))
    ways = ways[ways >= 0.0]
    tie = 1e-9 * min(float(haze.spacing.min()) for haze in hazes)
    ways = ways[np.append(True, np.diff(ways) > tie)]  # faces that nearly coincide are one
    found, clear = np.zeros(4), 1.0
    for a, b in pairwise(ways):
        point = start + 0.5 * (a + b) * ahead
        through, parts = 1.0, []
        for haze in hazes:
            alpha, lit = at_point(haze, point, light, shades)
            # (1 - alpha) ^ (length in the haze's own voxel widths)
            mine = (1.0 - alpha) ** ((b - a) / float(haze.spacing.min()))
            through *= mine
            parts.append((-np.log(mine) if mine > 0.0 else np.inf, lit * np.asarray(haze.color, float)))
        rates = np.array([rate for rate, _ in parts])
        if not rates.any():
            continue
        shares = np.isinf(rates) / np.isinf(rates).sum() if np.isinf(rates).any() else rates / rates.sum()
        color = sum(share * tint for share, (_, tint) in zip(shares, parts, strict=True))
        found[:3] += clear * (1.0 - through) * color
        clear *= through
    found[3] = 1.0 - clear
    return found


def at_point(haze: Haze, point: Floats, light: Floats, shades: tuple[float, float]) -> tuple[float, float]:
    """Return the opacity of the voxel at a point, and the light on it; 0 and 0 outside."""
    local = np.linalg.inv(haze.pose) @ (*point, 1.0)
    voxel = np.floor(local[:3] / haze.spacing).astype(int)
    if (voxel < 0).any() or (voxel >= haze.alpha.shape).any():
        return 0.0, 0.0
    around = np.pad(haze.alpha.astype(float), 1)
    i, j, k = voxel + 1
    slope = np.array(
        (
            around[i - 1, j, k] - around[i + 1, j, k],
            around[i, j - 1, k] - around[i, j + 1, k],
            around[i, j, k - 1] - around[i, j, k + 1],
        )
    )
    normal = haze.pose[:3, :3] @ (slope / haze.spacing)
    size = float(np.linalg.norm(normal))
    facing = max(0.0, float(normal @ light) / size) if size > 0.0 else 0.5
    return float(around[i, j, k]), shades[0] + shades[1] * facing
