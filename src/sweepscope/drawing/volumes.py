"""Pictures of volumes: their surface, or their opacities put together front to back along each ray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks, threads
from ..errors import InvalidQuery
from ..scene import Scene
from ..shapes import Volume
from ..world.surfaces import corners_of
from .camera import Camera, checked_size, make_camera
from .paint import LIGHT, paper_of
from .palette import MOVER, Ink, Rgb, checked_color
from .picture import Picture, checked_path, to_picture
from .stage import PictureStage

_Floats = NDArray[np.floating[Any]]

_SHADES = (0.55, 0.5)  # light that falls on all sides, and from the lamp
_ROWS = 8  # of rays that a thread takes at once


@dataclass(frozen=True, slots=True, eq=False)
class Haze:
    """Opacities on a grid, in a color: what `compose` draws."""

    alpha: NDArray[np.float32]
    """Opacity of a way as long as the smallest width of a voxel, 0 to 1, shape (nx, ny, nz)."""
    spacing: NDArray[np.float64]
    """Widths of a voxel [length], shape (3,)."""
    pose: NDArray[np.float64]
    """Of the low corner of voxel (0, 0, 0), world, shape (4, 4)."""
    color: Rgb


def haze_of(volume: Volume, color: Rgb, pose: NDArray[np.float64] | None = None, opaque_at: float | None = None) -> Haze:
    """Return a volume's opacities; voxels that are not occupied have none. pose: of the volume, world; None: the identity.

    opaque_at: alpha that hides all behind it; None for 1, or the largest whole number of the dtype.
    """
    alpha = volume.alpha
    full = _full(alpha.dtype) if opaque_at is None else opaque_at
    low, high = volume.extent
    size = int(np.prod(high - low))
    checks.require_memory(6 * size, f"a transparent picture of {size} voxels", InvalidQuery)
    box = tuple(slice(int(a), int(b)) for a, b in zip(low, high, strict=True))
    found = np.array(alpha[box], np.float32)
    found /= np.float32(full)
    np.clip(found, 0.0, 1.0, out=found)
    found[~volume.occupied[box]] = 0.0
    spacing = np.array(volume.spacing)
    there = np.eye(4) if pose is None else np.array(pose, float)
    there[:3, 3] += there[:3, :3] @ (np.array(volume.origin) + low * spacing)
    return Haze(found, spacing, there, color)


def _full(dtype: np.dtype[Any]) -> float:
    """Return the alpha of a dtype that is fully opaque."""
    return float(np.iinfo(dtype).max) if dtype.kind in "iu" else 1.0


def compose(hazes: Sequence[Haze], camera: Camera, *, dark: bool = False) -> _Floats:
    """Return an image of hazes, which may lie in each other: colors 0 to 1, shape (rows, columns, 3), on paper."""
    columns, rows = camera.size
    four = rays_through(hazes, camera).reshape(rows, 2, columns, 2, 4).mean(axis=(1, 3))
    return (paper_of(camera, Ink(dark)) * (1.0 - four[..., 3:]) + four[..., :3]).astype(np.float32)


def rays_through(hazes: Sequence[Haze], camera: Camera) -> NDArray[np.float64]:
    """Return color times cover, and cover, of 2 x 2 rays in each pixel, shape (2 rows, 2 columns, 4)."""
    from ..kernels.voxel import haze as kernel

    columns, rows = camera.size
    found = np.zeros((2 * rows, 2 * columns, 4))
    some = [haze for haze in hazes if haze.alpha.size]
    if not some:
        return found
    width = min(float(haze.spacing.min()) for haze in some)  # ways are in this unit, so that none is too long or too short
    step = 0.5 * camera.pixel
    right, up, ahead = camera.frame
    first = camera.origin + (-0.5 * camera.width + 0.5 * step) * right + (0.5 * camera.height - 0.5 * step) * up
    light = np.array(LIGHT) @ camera.frame
    light /= np.linalg.norm(light)
    count = len(some)
    corners, slopes, toward = np.empty((count, 3, 3)), np.empty((count, 3)), np.empty((count, 3))
    for b, haze in enumerate(some):
        into = haze.pose[:3, :3].T
        for k, vector in enumerate((first - haze.pose[:3, 3], -step * up, step * right)):
            corners[b, :, k] = into @ vector / haze.spacing
        slopes[b] = into @ ahead * width / haze.spacing
        toward[b] = into @ light
    sizes = np.array([haze.alpha.shape for haze in some], np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes.prod(axis=1))))[:-1]
    alpha = np.concatenate([haze.alpha.ravel() for haze in some])
    steps = np.array([width / haze.spacing for haze in some])
    rates = np.array([width / float(haze.spacing.min()) for haze in some])
    colors = np.array([haze.color for haze in some], np.float64)
    asked = (alpha, sizes, starts, steps, rates, colors, toward, _SHADES, corners, slopes, camera.near / width)

    def run(begin: int, end: int) -> None:
        kernel.compose(*asked, begin, end, found)

    threads.spread_range(run, len(found), _ROWS)
    return found


def picture_of_volume(
    volume: Volume,
    path: Any,
    *,
    transparent: Any,
    opaque_at: Any,
    color: Any,
    eye: Any,
    target: Any,
    up: Any,
    size: Any,
    dark: Any,
) -> Picture:
    """Draw `Volume.picture`."""
    if path is not None:
        checked_path(path, ".png")
    shown = MOVER if color is None else checked_color(color, "color")
    if not checks.flag(transparent, "transparent"):
        if opaque_at is not None:
            raise InvalidQuery(f"opaque_at is {checks.shown(opaque_at)}; accepted with transparent=True")
        scene = Scene()
        body = scene.add(volume)
        stage = PictureStage(scene, path, size=size, eye=eye, target=target, up=up, dark=dark, colors={body: shown})
        return to_picture(stage.paint(stage.camera()).image, path)
    full = None
    if opaque_at is not None:
        full = checks.number(opaque_at, "opaque_at", InvalidQuery)
        if not 0.0 < full < np.inf:
            raise InvalidQuery(f"opaque_at is {full}; it must be positive and finite")
    corners = np.empty((0, 3)) if volume.empty else corners_of(*volume.bounds)
    camera = make_camera(eye, target, up, checked_size(size), corners)
    night = checks.flag(dark, "dark")
    return to_picture(compose([haze_of(volume, shown, None, full)], camera, dark=night), path)
