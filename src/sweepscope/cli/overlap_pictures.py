"""Two volumes as a PNG file: views along x, y and z, shared voxels in red, and the direction to separate them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..results import Overlap
from ..shapes import Volume
from .figures import figure, save_picture

Array = NDArray[np.float64]

_CELLS = 64  # most cells drawn along each axis of a volume; larger volumes are drawn coarser
_COLOURS = ("#3b6ea8", "#d9a441", "#c8201a")
_LIGHT = np.array((0.35, 0.25, 0.9))  # direction to the light: right, up, and out of the picture
_AXES = "xyz"


def save_overlap(path: Path, a: Volume, b: Volume, pose: Array, hit: Overlap, names: tuple[str, str]) -> None:
    """Write a picture of two volumes, b placed by `pose`, in the frame of a."""
    from matplotlib.patches import Patch

    drawn, panels = figure(1, 3, (13.0, 5.2))
    shared = np.zeros(a.resolution, np.bool_)
    shared[tuple(hit.voxels.T)] = True
    solids = [_triangles(a, a.occupied), _triangles(b, b.occupied) @ pose[:3, :3].T + pose[:3, 3]]
    contact = _triangles(a, shared)
    corners = np.concatenate((*solids, np.zeros((1, 3, 3)))) if not sum(map(len, solids)) else np.concatenate(solids)
    size = float(np.ptp(corners, axis=(0, 1)).max())
    for along, panel in enumerate(panels[0]):
        # Right-handed, looking against the axis.
        across = [(1, 2), (2, 0), (0, 1)][along]
        limits = float(corners[:, :, along].min()), float(corners[:, :, along].max())
        _paint(panel, solids, across, along, limits)
        _paint(panel, [np.zeros((0, 3, 3)), np.zeros((0, 3, 3)), contact], across, along, limits)
        if hit:
            start, arrow = hit.centre[list(across)], 0.25 * size * hit.normal[list(across)]
            panel.annotate("", start + arrow, start, arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 1.5})
        panel.set_title(f"along {_AXES[along]}")
        panel.set_xlabel(f"{_AXES[across[0]]} [length]")
        panel.set_ylabel(f"{_AXES[across[1]]} [length]")
        panel.set_aspect("equal")
        panel.autoscale_view()
    labels = (*names, "contact, and the direction to separate them")
    patches = [Patch(color=colour, label=label) for colour, label in zip(_COLOURS, labels, strict=True)]
    drawn.legend(handles=patches[: 3 if hit else 2], fontsize=9, loc="outside lower center", ncols=3)
    drawn.suptitle(f"{hit.count:,} voxels in contact" if hit else "free")
    save_picture(drawn, path)


def _triangles(volume: Volume, chosen: NDArray[np.bool_]) -> Array:
    """Return the surface (n, 3, 3) of a volume's chosen voxels, local; a large volume is made coarser."""
    steps = [max(1, -(-n // _CELLS)) for n in volume.resolution]
    if chosen.size:
        for axis, step in enumerate(steps):
            chosen = np.logical_or.reduceat(chosen, np.arange(0, chosen.shape[axis], step), axis=axis)
    cells = Volume(chosen, np.multiply(steps, volume.spacing), volume.origin)
    return cells.vertices[cells.faces]


def _paint(panel: object, solids: list[Array], across: tuple[int, int], along: int, limits: tuple[float, float]) -> None:
    """Draw triangles, the farthest first, without those that face away; limits: lowest and highest along the view."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    every = np.concatenate(solids)
    colours = np.repeat([to_rgb(colour) for colour in _COLOURS[: len(solids)]], [len(solid) for solid in solids], axis=0)
    normals = np.cross(every[:, 1] - every[:, 0], every[:, 2] - every[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    seen = np.flatnonzero(normals[:, along] > 1e-9)
    depths = every[:, :, along].mean(axis=1)
    seen = seen[np.argsort(depths[seen], kind="stable")]
    light = np.clip(normals[seen][:, [*across, along]] @ (_LIGHT / np.linalg.norm(_LIGHT)), 0.0, 1.0)
    # Sides of voxels face the viewer alike: what is farther away is darker, so that round things look round.
    low, high = limits
    near = (depths[seen] - low) / max(high - low, 1e-300)
    shaded = colours[seen] * (0.35 + 0.3 * light + 0.35 * near)[:, None]
    flat = every[seen][:, :, list(across)]
    # Smoothed edges would let what is behind shine through between neighbours, as a moire; so would opacity.
    painted = PolyCollection(list(flat), facecolors=shaded, edgecolors="none", antialiaseds=False)
    panel.add_collection(painted)  # type: ignore[attr-defined]
