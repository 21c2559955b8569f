"""Panels: painted images side by side on one sheet, with titles and a caption. The library's drawing room paints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh, Scene, Shape
from sweepscope.drawing.arrangement import Arrangement, arrange
from sweepscope.drawing.camera import Camera
from sweepscope.drawing.canvas import Canvas, fit_text
from sweepscope.drawing.ghosts import lay_over
from sweepscope.drawing.paint import PaintedImage, paint
from sweepscope.drawing.palette import Ink, Rgb
from sweepscope.drawing.picture import Picture, to_picture

Floats = NDArray[np.float64]

_GAP = 6  # pixels between panels
_TITLE, _LINE = 24, 20  # heights of a title and of a line of the caption [pixels]


@dataclass(frozen=True, slots=True, eq=False)
class PanelThing:
    """A shape in a panel."""

    shape: Shape
    color: Rgb
    pose: Floats | None = None
    """World, shape (4, 4); None: as it is."""
    glass: float = 0.0
    """0: solid; else how much of what is behind it the shape covers, 0 to 1."""


def painted(things: Sequence[PanelThing], camera: Camera, *, floor: float | None = None) -> PaintedImage:
    """Return an image of things: solid ones first, then those of glass in their order, then a hint of the solid ones.

    floor: height of a plane that only shows shadows [length].
    """
    solid, colors = _arranged([thing for thing in things if not thing.glass])
    found = paint(solid, camera, colors, floor=floor)
    for thing in things:
        if thing.glass:
            one, color = _arranged([thing])
            lay_over(found, one, color, camera, thing.glass, dark=False)
    if any(thing.glass for thing in things):
        lay_over(found, solid, colors, camera, 0.45, dark=False)  # so that glass hides less of them
    return found


def _arranged(things: Sequence[PanelThing]) -> tuple[Arrangement, dict[int, Rgb]]:
    """Return things as bodies, and their colors by id."""
    scene = Scene()
    colors = {scene.add(thing.shape, thing.pose).id: thing.color for thing in things}
    return arrange(scene), colors


def sheet(panels: Sequence[tuple[str, NDArray[Any]]], columns: int, caption: Sequence[str], path: Any = None) -> Picture:
    """Return panels of one size, (title, image) each, in rows of `columns`, above the lines of a caption; save it to `path`."""
    high, wide, _ = panels[0][1].shape
    rows = -(-len(panels) // columns)
    whole = columns * (wide + _GAP) + _GAP
    tall = rows * (high + _TITLE + _GAP) + len(caption) * _LINE + 2 * _GAP
    ink = Ink(dark=False)
    canvas = Canvas(np.empty((tall, whole, 3), np.float32))
    canvas.image[:] = ink.paper
    for k, (title, image) in enumerate(panels):
        top, left = _GAP + (k // columns) * (high + _TITLE + _GAP), _GAP + (k % columns) * (wide + _GAP)
        canvas.text(left + 4, top + 3, fit_text(title, wide - 8), ink.text)
        canvas.image[top + _TITLE : top + _TITLE + high, left : left + wide] = image
    for k, line in enumerate(caption):
        canvas.text(_GAP + 4, tall - _GAP - (len(caption) - k) * _LINE, fit_text(line, whole - 2 * _GAP - 8), ink.text)
    return to_picture(canvas.image, path)


def at_poses(shape: Shape, poses: Sequence[Floats]) -> Mesh:
    """Return a shape with triangles at several poses as one mesh."""
    vertices = np.concatenate([shape.vertices @ pose[:3, :3].T + pose[:3, 3] for pose in poses])
    faces = np.concatenate([shape.faces + k * len(shape.vertices) for k in range(len(poses))])
    return Mesh(vertices, faces, solid=False)


def moved_straight(shape: Shape, pose: Floats, vector: Floats) -> Mesh:
    """Return what a shape with triangles covers that moves by a vector, as one mesh: both ends, and what its edges sweep."""
    first = shape.vertices @ pose[:3, :3].T + pose[:3, 3]
    count = len(first)
    edges = np.unique(
        np.sort(np.concatenate([shape.faces[:, [0, 1]], shape.faces[:, [1, 2]], shape.faces[:, [2, 0]]]), axis=1), axis=0
    )
    a, b = edges.T
    sides = np.concatenate((np.stack((a, b, b + count), axis=1), np.stack((a, b + count, a + count), axis=1)))
    faces = np.concatenate((shape.faces, shape.faces + count, sides))
    return Mesh(np.concatenate((first, first + vector)), faces, solid=False)


def prism(outline: Floats, low: float, high: float) -> Mesh:
    """Return the solid over a convex outline of the xy plane, shape (n, 2), between two heights [length]."""
    count = len(outline)
    vertices = np.concatenate([np.column_stack((outline, np.full(count, z))) for z in (low, high)])
    k = np.arange(count)
    ahead = (k + 1) % count
    sides = [np.stack((k, ahead, ahead + count), axis=1), np.stack((k, ahead + count, k + count), axis=1)]
    fan = np.stack((np.zeros(count - 2, int), k[1:-1], k[2:]), axis=1)
    return Mesh(vertices, np.concatenate((*sides, fan[:, ::-1], fan + count)))
