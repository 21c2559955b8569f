"""Two volumes as a PNG file: seen along x, y and z, with what they share in red."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..figures import figure
from ..results import Overlap
from ..shapes import Volume

Array = NDArray[np.float64]

_CELLS = 64  # along each axis of a volume: more are drawn together
_COLOURS = (("#3b6ea8", 0.75), ("#d9a441", 0.6), ("#c8201a", 1.0))
_AXES = "xyz"


def save_overlap(path: Path, a: Volume, b: Volume, pose: Array, hit: Overlap, names: tuple[str, str]) -> None:
    """Write a picture of two volumes, b placed by `pose`, in the frame of a."""
    from matplotlib.patches import Patch

    drawn, panels = figure(1, 3, (13.0, 4.8))
    shared = np.zeros(a.resolution, np.bool_)
    shared[tuple(hit.voxels.T)] = True
    layers = [_dots(a, a.occupied), _dots(b, b.occupied) @ pose[:3, :3].T + pose[:3, 3], _dots(a, shared)]
    every = np.concatenate(layers)
    if len(every):
        low, high = every.min(axis=0), every.max(axis=0)
        # Wider than the dots are apart, so that none between them stays empty.
        pixel = 0.6 * max(_cell(a).max(), _cell(b).max())
        for panel, along in zip(panels[0], range(3), strict=True):
            across = [axis for axis in range(3) if axis != along]
            side = (low[across] - pixel, high[across] + pixel)
            for dots, (colour, opacity) in zip(layers, _COLOURS, strict=True):
                _stamp(panel, dots[:, across], side, pixel, colour, opacity)
    for panel, along in zip(panels[0], range(3), strict=True):
        across = [axis for axis in _AXES if axis != _AXES[along]]
        panel.set_title(f"along {_AXES[along]}")
        panel.set_xlabel(f"{across[0]} [length]")
        panel.set_ylabel(f"{across[1]} [length]")
        panel.set_aspect("equal")
    labels = (*names, "contact")
    patches = [Patch(color=colour, label=label) for (colour, _), label in zip(_COLOURS, labels, strict=True)]
    panels[0][0].legend(handles=patches, fontsize=8, loc="upper left", framealpha=0.7)
    drawn.suptitle(f"{hit.count:,} voxels in contact" if hit else "free")
    try:
        drawn.savefig(path, dpi=110)
    except OSError as error:
        raise InvalidQuery(f"--picture: {path} cannot be written: {error.strerror}") from None


def _steps(volume: Volume) -> list[int]:
    """Return how many voxels along each axis are drawn together."""
    return [max(1, -(-n // _CELLS)) for n in volume.resolution]


def _cell(volume: Volume) -> Array:
    """Return the widths of what is drawn together [length]."""
    return np.multiply(_steps(volume), volume.spacing)


def _dots(volume: Volume, chosen: NDArray[np.bool_]) -> Array:
    """Return eight dots (8 n, 3) in every cell that holds a chosen voxel, local."""
    if chosen.size == 0:
        return np.zeros((0, 3))
    for axis, step in enumerate(_steps(volume)):
        chosen = np.logical_or.reduceat(chosen, np.arange(0, chosen.shape[axis], step), axis=axis)
    cells = np.argwhere(chosen)[:, None] + np.moveaxis(np.indices((2, 2, 2)), 0, -1).reshape(-1, 3) * 0.5 + 0.25
    return cells.reshape(-1, 3) * _cell(volume) + volume.origin


def _stamp(panel: Any, dots: Array, side: tuple[Array, Array], pixel: float, colour: str, opacity: float) -> None:
    """Colour the pixels that hold a dot."""
    from matplotlib.colors import to_rgba

    low, high = side
    columns, rows = (max(1, int(n)) for n in np.ceil((high - low) / pixel))
    image = np.zeros((rows, columns, 4))
    x, y = ((dots - low) / pixel).astype(np.int64).T
    image[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)] = to_rgba(colour, opacity)
    extent = (low[0], low[0] + columns * pixel, low[1], low[1] + rows * pixel)
    panel.imshow(image, extent=extent, origin="lower", interpolation="nearest")
