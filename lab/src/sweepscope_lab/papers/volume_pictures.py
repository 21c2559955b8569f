"""Pictures of the two changing volumes as they are seen from the front (the third paper's Figs. 1, 8 and 9)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope.cli.figures import figure

from .drawing import DOTS
from .volume_frames import Bytes

_FIRST, _SECOND, _SHARED = (0.23, 0.43, 0.66), (0.88, 0.54, 0.24), (0.78, 0.13, 0.10)
_THIN = 12.0  # voxels of full alpha that nothing is seen through


def plot_pairs(scenes: Sequence[tuple[str, tuple[Bytes, Bytes], NDArray[np.int64]]], path: Path) -> None:
    """Draw scenes (title, alpha of both, offset of the second) side by side, seen along y; voxels in both are red."""
    drawn, panels = figure(1, len(scenes), (4.2 * len(scenes), 4.6))
    for panel, (title, alphas, offset) in zip(panels[0], scenes, strict=True):
        picture, corner = _seen(alphas, offset)
        width, height = picture.shape[:2]
        extent = (corner[0], corner[0] + width, corner[1], corner[1] + height)
        panel.imshow(picture.transpose(1, 0, 2), origin="lower", extent=extent, interpolation="nearest")
        panel.set_title(title, fontsize=10)
        panel.set_xlabel("x [voxels]")
        panel.set_ylabel("z [voxels]")
    drawn.savefig(path, dpi=DOTS)


def _seen(alphas: tuple[Bytes, Bytes], offset: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return a picture of both in one grid, shape (nx, nz, 3), and the place of its first pixel, x and z."""
    low = np.minimum(offset, 0)
    high = np.maximum(np.array(alphas[0].shape), offset + alphas[1].shape)
    width, depth, height = (high - low).tolist()
    both = np.zeros((2, width, depth, height))
    for number, (alpha, at) in enumerate(zip(alphas, (np.zeros(3, np.int64), offset), strict=True)):
        i, j, k = at - low
        both[number, i : i + alpha.shape[0], j : j + alpha.shape[1], k : k + alpha.shape[2]] = alpha / 255.0
    picture = np.ones((width, height, 3))
    for one, colour in zip(both, (_FIRST, _SECOND), strict=True):
        opaque = (1.0 - np.exp(-one.sum(axis=1) * 3.0 / _THIN))[:, :, None]
        picture = picture * (1.0 - opaque * (1.0 - np.array(colour)))
    shared = ((both[0] > 0.0) & (both[1] > 0.0)).any(axis=1)
    picture[shared] = _SHARED
    return picture, low[[0, 2]]
