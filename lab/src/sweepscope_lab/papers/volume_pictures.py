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
from sweepscope.drawing.volumes import Haze, compose, haze_of
from sweepscope.results import OverlapResult

from .panels import sheet
from .volume_frames import Bytes

_Floats = NDArray[np.floating]

_PIXELS = 256  # along each side, as in the paper
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
    _draw_normal(image, found, camera)
    return image


def _draw_normal(image: _Floats, found: OverlapResult, camera: Camera) -> None:
    """Draw the normal of a contact, if there is one, as an arrow."""
    if np.isfinite(found.normal).all():
        start, tip = (found.center + share * camera.height * found.normal for share in (0.03, 0.18))  # beside what is shared
        Canvas(image).arrow(camera.project(start), camera.project(tip), Ink(dark=False).text, 2.5)


def titled(image: _Floats, title: str) -> _Floats:
    """Return an image with a title above it."""
    ink = Ink(dark=False)
    head = np.broadcast_to(ink.paper, (_TITLE, image.shape[1], 3)).astype(np.float32)
    Canvas(head).text(10, 8, fit_text(title, image.shape[1] - 20), ink.text)
    return np.concatenate((head, image))


def hazes_of(found: OverlapResult, colors: Sequence[Rgb] = BODIES[:2]) -> list[Haze]:
    """Return the opacities of two volumes; voxels that both occupy are red, at the opacity of both together.

    The two are on one grid, a whole number of voxels apart.
    """
    first, second = found.volumes
    offset = np.rint(found.pose[:3, 3]).astype(np.int64)
    mine, theirs = found.voxels, found.voxels - offset
    hazes = [
        haze_of(volume, color, pose) for volume, color, pose in zip((first, second), colors, (None, found.pose), strict=True)
    ]
    if not found:
        return hazes
    low, high = found.region
    red = np.zeros(high - low, np.float32)
    clear = np.ones(len(mine), np.float32)
    for haze, volume, voxels in ((hazes[0], first, mine), (hazes[1], second, theirs)):
        places = tuple((voxels - volume.extent[0]).T)
        clear *= 1.0 - haze.alpha[places]
        haze.alpha[places] = 0.0
    red[tuple((mine - low).T)] = 1.0 - clear
    there = np.eye(4)
    there[:3, 3] = low
    return [*hazes, Haze(red, np.ones(3), there, RED)]


def plot_pair(title: str, alphas: tuple[Bytes, Bytes], offset: NDArray[np.int64], path: Path) -> Picture:
    """Draw alpha of two volumes, the second's corner at an offset [voxels], transparent and opaque, and write the file."""
    found = overlap(Volume(alphas[0]), Volume(alphas[1]), offset.astype(np.float64))
    camera = camera_of([found], (_PIXELS, _PIXELS))
    transparent = compose(hazes_of(found), camera)
    _draw_normal(transparent, found, camera)
    panels = [("opacities, front to back", transparent), ("occupied voxels, opaque", paint_pair(found, camera))]
    caption = [title, "Blue: the first volume; orange: the second."]
    if found:
        caption[1:] = [
            "Blue: the first volume; orange: the second; red: voxels in both.",
            "Arrow: the direction that separates the first from the second.",
        ]
    return sheet(panels, 2, caption, path)
