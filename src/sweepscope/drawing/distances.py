"""Pictures of distances: the scene, and the line between the nearest points of two bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..results import PairDistance
from .canvas import Canvas
from .captions import Name, write_caption
from .framing import outline_points
from .hits import camera_of, hit_colors
from .palette import Ink
from .picture import Picture, to_picture
from .stage import PictureStage

_KINDS = {"crossing": " crosses ", "duplicate": " is a duplicate of ", "touching": " touches "}


def words_of(pair: PairDistance) -> list[str]:
    """Return the caption, in parts. Names may be shortened."""
    first, second = Name(pair.first.name), Name(pair.second.name)
    if pair.inner is not None:
        return [first, " is inside ", second] if pair.inner == pair.first else [second, " is inside ", first]
    if pair.kind == "apart":
        return [first, " is ", f"{pair.distance:.5g}", " from ", second]
    return [first, _KINDS[pair.kind], second]


def picture_of_distance(pair: PairDistance, path: Any, **options: Any) -> Picture:
    """Draw `PairDistance.picture`."""
    stage = PictureStage(pair.first.scene, path, **options)
    ends = np.array((pair.first_point, pair.second_point))
    points = np.concatenate([outline_points(body) for body in pair.bodies if not body.shape.empty] + [ends])
    words = words_of(pair)
    camera = camera_of(stage, points[np.isfinite(points).all(axis=1)], words)
    painted = stage.paint(camera, hit_colors(stage, [pair.first], [pair.second]))
    if np.isfinite(ends).all():
        canvas, ink = Canvas(painted.image), Ink(stage.dark)
        scale = max(1.0, stage.size[1] / 600.0)
        start, end = camera.project(ends)
        canvas.line(start, end, np.ones(3, np.float32), 5.0 * scale)
        canvas.line(start, end, ink.red, 2.5 * scale)
        for place in (start, end):
            canvas.disc(place, 5.5 * scale, np.ones(3, np.float32))
            canvas.disc(place, 4.0 * scale, ink.red)
    write_caption(painted.image, words, stage.dark)
    return to_picture(painted.image, path)
