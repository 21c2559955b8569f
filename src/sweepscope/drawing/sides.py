"""Pictures of scenes from three sides, a row for each scene, all three to one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .arrangement import arrange
from .camera import camera_along
from .canvas import Canvas
from .captions import Name, fit_heading
from .framing import subject_of
from .paint import paint
from .palette import Ink, body_colors
from .picture import Picture, to_picture

if TYPE_CHECKING:
    from ..scene import Scene

_SIDE = 380  # pixels of one picture
_LINE = 24  # height of a line of text
_SIDES = (
    ("from the front: x to the right, z up", (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ("from the right: y to the right, z up", (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    ("from above: x to the right, y up", (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
)


def picture_of_sides(rows: Sequence[tuple[str, Scene]], path: str | PathLike[str] | None = None) -> Picture:
    """Return a picture of named scenes, each from the front, from the right and from above."""
    ink = Ink(dark=False)
    high = _SIDE + 2 * _LINE
    canvas = Canvas(np.empty((high * len(rows), _SIDE * len(_SIDES), 3), np.float32))
    canvas.image[:] = ink.paper
    for row, (name, scene) in enumerate(rows):
        top = high * row
        (heading,), large = fit_heading([Name(name)], canvas.image.shape[1] - 16, True, lines=1)
        canvas.text(8, top + 2, heading, ink.text, large=large)
        shown = arrange(scene)
        subject = subject_of(shown.bodies)
        colors = body_colors(shown.bodies, subject.backdrop, dark=False)
        middle, size = _window(subject.points)
        for k, (title, ahead, up) in enumerate(_SIDES):
            camera = replace(camera_along(ahead, up, (_SIDE, _SIDE)), origin=middle, height=size)
            canvas.text(_SIDE * k + 8, top + _LINE + 4, title, ink.faint)
            painted = paint(shown, camera, colors)
            canvas.image[top + 2 * _LINE : top + high, _SIDE * k : _SIDE * (k + 1)] = painted.image
    return to_picture(canvas.image, path)


def _window(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the middle of points and the side of a window around them [length]; there may be no points."""
    if not len(points):
        return np.zeros(3), 1.0
    low, high = points.min(axis=0), points.max(axis=0)
    return 0.5 * (low + high), 1.08 * float((high - low).max()) or 1.0
