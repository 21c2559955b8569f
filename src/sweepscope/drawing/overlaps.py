"""Pictures of overlaps: both volumes as glass, what they share in red."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..results import OverlapResult
from ..scene import Scene
from ..shapes import Volume
from .canvas import Canvas, fitted
from .ghosts import lay_over
from .hits import write_caption
from .paint import paint
from .palette import BODIES, RED, Ink
from .picture import Picture, finished
from .stage import PictureStage

_GLASS = 0.45


def picture_of_overlap(
    found: OverlapResult, path: Any, *, eye: Any, target: Any, up: Any, size: Any, dark: Any, names: Any
) -> Picture:
    """Answer `Overlap.picture`."""
    first, second = found.volumes
    labels = [str(name) for name in checks.items(names, "names", "two names")]
    both = Scene()
    mine = {}
    for (volume, pose), color in zip(((first, None), (second, found.pose)), BODIES, strict=False):
        if volume.count:
            mine[both.add(volume, pose).id] = color
    options = {"eye": eye, "target": target, "up": up, "size": size, "dark": dark, "colors": None, "ignore": ()}
    stage = PictureStage(both, path, **options)
    camera = stage.camera()
    if not found:
        painted = stage.painted(camera, mine)
    else:
        core = Scene()
        shared = np.zeros(first.resolution, np.bool_)
        shared[tuple(found.voxels.T)] = True
        red = core.add(Volume(shared, first.spacing, origin=first.origin))
        floor = float(stage.subject.points[:, 2].min())
        painted = paint(core, camera, {red.id: RED}, dark=stage.dark, floor=floor)
        lay_over(painted, both, mine, camera, _GLASS, stage.dark)
        lay_over(painted, core, {red.id: RED}, camera, 0.7, stage.dark)  # glass hides less of it
    if np.isfinite(found.normal).all():
        canvas, ink = Canvas(painted.image), Ink(stage.dark)
        ends = np.array((found.center, found.center + 0.22 * camera.height * found.normal))
        start, tip = camera.project(ends)
        canvas.arrow(start, tip, ink.red, 3.0)
    _legend(painted.image, labels, stage.dark, bool(found))
    words = f"{found.count:,} voxels overlap; the arrow separates them" if found else "free: the volumes share nothing"
    write_caption(painted.image, words, stage.dark)
    return finished(painted.image, path)


def _legend(image: Any, names: list[str], dark: bool, hit: bool) -> None:
    canvas, ink = Canvas(image), Ink(dark)
    rows = [*zip(names, BODIES, strict=False), *([("both", RED)] if hit else [])]
    if image.shape[0] < 40 + 20 * len(rows):
        return
    for k, (name, color) in enumerate(rows):
        canvas.fill(12, 14 + 20 * k, 12, 12, color)
        canvas.text(30, 11 + 20 * k, fitted(name, image.shape[1] - 42), ink.text)
