"""Pictures of overlaps: both volumes as glass, their common part in red."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..results import OverlapResult
from ..scene import Scene
from ..shapes import Volume
from .arrangement import arrange
from .canvas import Canvas, text_width
from .captions import Name, fit_words, write_caption
from .ghosts import lay_over
from .hits import camera_of
from .paint import paint
from .palette import BODIES, RED, Ink, Rgb
from .picture import Picture, to_picture
from .stage import PictureStage

_GLASS = 0.45


def picture_of_overlap(
    found: OverlapResult, path: Any, *, eye: Any, target: Any, up: Any, size: Any, dark: Any, names: Any
) -> Picture:
    """Draw `OverlapResult.picture`."""
    first, second = found.volumes
    labels = [str(name) for name in checks.items(names, "names", "two names")]
    both = Scene()
    mine = {}
    for (volume, pose), color in zip(((first, None), (second, found.pose)), BODIES, strict=False):
        if volume.count:
            mine[both.add(volume, pose).id] = color
    options = {"eye": eye, "target": target, "up": up, "size": size, "dark": dark, "colors": None, "ignore": ()}
    stage = PictureStage(both, path, **options)
    words = [f"{found.count:,} voxels overlap; the arrow separates them" if found else "free: the volumes share nothing"]
    legend = _lay_out([*zip(labels, BODIES, strict=False), *([("both", RED)] if found else [])], stage.size)
    camera = camera_of(stage, stage.subject.points, words, above=max((top + 20 for _, top, _, _ in legend), default=0))
    if not found:
        painted = stage.paint(camera, mine)
    else:
        scene = Scene()
        shared = np.zeros(first.resolution, np.bool_)
        shared[tuple(found.voxels.T)] = True
        red = scene.add(Volume(shared, first.spacing, origin=first.origin))
        core = arrange(scene)
        floor = float(stage.subject.points[:, 2].min())
        painted = paint(core, camera, {red.id: RED}, dark=stage.dark, floor=floor)
        lay_over(painted, stage.arrangement, mine, camera, _GLASS, stage.dark)
        lay_over(painted, core, {red.id: RED}, camera, 0.7, stage.dark)  # so that the glass hides less of it
    if np.isfinite(found.normal).all():
        canvas, ink = Canvas(painted.image), Ink(stage.dark)
        ends = np.array((found.center, found.center + 0.22 * camera.height * found.normal))
        start, tip = camera.project(ends)
        canvas.arrow(start, tip, ink.red, 3.0)
    _write_legend(painted.image, legend, stage.dark)
    write_caption(painted.image, words, stage.dark)
    return to_picture(painted.image, path)


def _lay_out(labels: list[tuple[str, Rgb]], size: tuple[int, int]) -> list[tuple[int, int, str, Rgb]]:
    """Return column, row [pixels], text and color of each label of a legend: side by side if there is room, else in lines.

    Empty in a picture too small for it.
    """
    columns, rows = size
    texts = [fit_words([Name(name)], columns - 42)[0] for name, _ in labels]
    ends = np.cumsum([text_width(text) + 42 for text in texts])
    beside = bool(ends[-1] <= columns)
    if rows < 40 + 20 * (1 if beside else len(labels)):
        return []
    starts = [0, *ends[:-1].tolist()] if beside else [0] * len(labels)
    return [
        (12 + start, 10 if beside else 10 + 20 * k, text, color)
        for k, (start, text, (_, color)) in enumerate(zip(starts, texts, labels, strict=True))
    ]


def _write_legend(image: Any, legend: list[tuple[int, int, str, Rgb]], dark: bool) -> None:
    """Write which color is which volume."""
    canvas, ink = Canvas(image), Ink(dark)
    for left, top, text, color in legend:
        canvas.fill(left, top + 3, 12, 12, color)
        canvas.text(left + 18, top, text, ink.text)
