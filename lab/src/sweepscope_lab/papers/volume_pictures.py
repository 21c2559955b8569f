"""Pictures of two volumes and what they share: the third paper's Figs. 1, 8 and 9, and frames of `simulate dissolve`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Scene, Volume, overlap
from sweepscope.drawing import Picture
from sweepscope.drawing.arrangement import arrange
from sweepscope.drawing.camera import OBLIQUE, Camera, camera_along
from sweepscope.drawing.canvas import Canvas, fit_text
from sweepscope.drawing.paint import paint
from sweepscope.drawing.palette import BODIES, RED, Ink, Rgb
from sweepscope.drawing.picture import to_picture
from sweepscope.results import OverlapResult

from .volume_frames import Bytes

_Floats = NDArray[np.floating]

_PIXELS = 512  # along each side; the paper's are 256
_TITLE = 34  # height of a title [pixels]
_SHINES = 0.75  # how much of what is shared is seen through the volumes


def camera_of(pairs: Sequence[OverlapResult], pixels: tuple[int, int]) -> Camera:
    """Return a camera that sees all of these pairs of volumes."""
    corners = [
        pose[:3, :3] @ corner + pose[:3, 3]
        for found in pairs
        for volume, pose in zip(found.volumes, (np.eye(4), found.pose), strict=True)
        for corner in _corners(volume)
    ]
    return camera_along(OBLIQUE, None, pixels).around(np.array(corners), 0.04)


def _corners(volume: Volume) -> NDArray[np.float64]:
    """Return the corners of the box of occupied voxels, shape (8, 3); of the whole grid if there are none."""
    grid = np.array((volume.origin, np.array(volume.origin) + np.array(volume.spacing) * volume.resolution))
    low, high = volume.bounds if volume.count else grid
    return np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def paint_pair(found: OverlapResult, camera: Camera, colors: Sequence[Rgb] = BODIES[:2]) -> _Floats:
    """Return an image of two volumes; what they share is red and shines through, its normal is an arrow.

    It looks the same with and without contact, so that films do not flicker. Colors 0 to 1, shape (rows, columns, 3).
    """
    scene = Scene()
    mine = {}
    for (volume, pose), color in zip(((found.volumes[0], None), (found.volumes[1], found.pose)), colors, strict=True):
        if volume.count:
            mine[scene.add(volume, pose).id] = color
    floor = min((float(body.bounds[0, 2]) for body in scene), default=0.0)
    image = paint(arrange(scene), camera, mine, floor=floor).image
    if not found:
        return image
    first = found.volumes[0]
    shared = np.zeros(first.resolution, np.bool_)
    shared[tuple(found.voxels.T)] = True
    core = Scene()
    red = core.add(Volume(shared, first.spacing, origin=first.origin))
    seen = paint(arrange(core), camera, {red.id: RED}, shadows=False)
    image += _SHINES * seen.cover[..., None] * (seen.image - image)
    if np.isfinite(found.normal).all():
        tip = found.center + 0.15 * camera.height * found.normal
        Canvas(image).arrow(camera.project(found.center), camera.project(tip), Ink(dark=False).text, 2.5)
    return image


def titled(image: _Floats, title: str) -> _Floats:
    """Return an image with a title above it."""
    ink = Ink(dark=False)
    head = np.broadcast_to(ink.paper, (_TITLE, image.shape[1], 3)).astype(np.float32)
    Canvas(head).text(10, 8, fit_text(title, image.shape[1] - 20), ink.text)
    return np.concatenate((head, image))


def plot_pair(title: str, alphas: tuple[Bytes, Bytes], offset: NDArray[np.int64], path: Path) -> Picture:
    """Draw alpha of two volumes, the second's corner at an offset [voxels], and write the file."""
    found = overlap(Volume(alphas[0]), Volume(alphas[1]), offset.astype(np.float64))
    image = paint_pair(found, camera_of([found], (_PIXELS, _PIXELS)))
    return to_picture(titled(image, title), path)
