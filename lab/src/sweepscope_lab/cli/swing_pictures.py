"""Pictures of swings as PNG files: a panel for each method, with what is swept, what the method takes for it, and targets."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Shape
from sweepscope.drawing.camera import OBLIQUE, Camera, camera_along
from sweepscope.drawing.canvas import Canvas, letters
from sweepscope.drawing.palette import BODIES, MOVER, OBSTACLE, OTHER, RED, Ink
from sweepscope.errors import InvalidGeometry
from sweepscope.fan import Fan

from ..papers.panels import PanelThing, at_poses, moved_straight, painted, sheet
from ..scenes.swinging import SwingScene
from .swing_answers import METHODS, TargetAnswer, volumes_of

Array = NDArray[np.float64]

_SIZE = (420, 340)  # columns and rows of a panel
_COLUMNS = 3
_STEP = math.radians(0.15)  # between poses of what is swept: what they leave out is less than a pixel
_MOST = 300_000  # triangles of what is swept; a mesh with many is drawn at fewer poses
_SWEPT, _TAKEN, _FALSE = BODIES[4], BODIES[7], BODIES[3]
_TITLES = {
    "fan": "fan of the thesis",
    "enclosing": "enclosing fan",
    "A1": "S-CCD A1: box of both ends",
    "A2": "S-CCD A2: box of the sweep",
    "D1": "S-CCD D1 (inferred)",
    "physx": "S-CCD by PhysX's formula",
    "straight": "box moved straight",
    "SSV": "sphere moved straight (SSV)",
}
_CAPTION = (
    "Dark blue: start. Light blue: exactly what is swept. Violet: what the method takes for it.",
    "Targets, orange: hit; gray: free; red: a hit that is missed; pink: a false hit.",
)


def save_swings(path: Path, answers: list[tuple[SwingScene, list[TargetAnswer]]]) -> None:
    """Write a picture of swings: the exact answer and those of all methods, a panel each."""
    panels = [panel for case, rows in answers for panel in _panels(case, rows)]
    sheet(panels, _COLUMNS, _CAPTION, path)


def _panels(case: SwingScene, rows: list[TargetAnswer]) -> list[tuple[str, NDArray[np.float32]]]:
    """Return the panels of a swing: titles and images."""
    steps = max(1, min(math.ceil(abs(case.motion.angle) / _STEP), _MOST // len(case.mover.faces)))
    poses = [case.motion.at(k / steps) @ case.pose for k in range(steps + 1)]
    swept = at_poses(case.mover, poses)
    common = np.concatenate((swept.vertices, *(_around(row) for row in rows)))
    taken = _taken(case)
    found = []
    for name in ("exact", *METHODS):
        things = [PanelThing(case.mover, MOVER, case.pose), *(_target(row, name) for row in rows)]
        things.append(PanelThing(swept, _SWEPT, glass=0.5))
        seen = common
        if name in taken:
            things.append(PanelThing(taken[name], _TAKEN, glass=0.4))
            seen = np.concatenate((common, _box(taken[name].bounds)))
        camera = camera_along(OBLIQUE, None, _SIZE).around(seen)
        image = painted(things, camera, floor=float(seen[:, 2].min())).image
        _mark(image, camera, case, rows, named=name == "exact")
        found.append((_title(case, name, rows, name in taken), image))
    return found


def _taken(case: SwingScene) -> dict[str, Shape]:
    """Return what each method takes for the sweep, as a shape in the world."""
    motion: dict[str, Any] = {"axis": case.motion.axis, "angle": case.motion.angle, "about": case.motion.about}
    box, pose = case.box_and_pose()
    found: dict[str, Shape] = {"enclosing": Fan.enclosing(case.mover, case.pose, **motion)}
    with suppress(InvalidGeometry):  # the published fan needs the pose of the thesis
        found["fan"] = Fan.from_swing(box, pose, **motion)
    for name, volume in volumes_of(box, pose, motion).items():
        shape, place, vector = volume.solid()
        found[name] = shape if shape.radius > 0.0 else moved_straight(shape, place, vector)
    return found


def _title(case: SwingScene, name: str, rows: list[TargetAnswer], there: bool) -> str:
    if name == "exact":
        return f"{case.title}, {math.degrees(case.motion.angle):g} degrees: exact"
    if not there:
        return f"{_TITLES[name]}: not for this pose"
    pairs = [(row.methods[name], row.time is not None) for row in rows]
    return f"{_TITLES[name]}: {pairs.count((False, True))} missed, {pairs.count((True, False))} false"


def _target(row: TargetAnswer, name: str) -> PanelThing:
    """Return a target in the color of a method's answer."""
    hit = row.time is not None
    answer = hit if name == "exact" else row.methods[name]
    color = OTHER if answer is None or not (answer or hit) else OBSTACLE if answer == hit else _FALSE if answer else RED
    return PanelThing(row.target.shape, color, row.target.pose)


def _around(row: TargetAnswer) -> Array:
    """Return places around a target, shape (n, 3), world."""
    shape, pose = row.target.shape, row.target.pose
    return _box(shape.bounds) @ pose[:3, :3].T + pose[:3, 3]


def _box(bounds: Array) -> Array:
    """Return the corners of a box given by its low and high corners, shape (8, 3)."""
    return np.stack(np.meshgrid(*np.array(bounds).T), axis=-1).reshape(-1, 3)


def _mark(image: NDArray[np.float32], camera: Camera, case: SwingScene, rows: list[TargetAnswer], *, named: bool) -> None:
    """Draw the axis, and where it is wanted contacts and names of targets."""
    canvas, ink = Canvas(image), Ink(dark=False)
    about, axis = np.array(case.motion.about), np.array(case.motion.axis)
    reach = 0.12 * camera.height
    low, high = camera.project(np.array((about - reach * axis, about + reach * axis)))
    canvas.line(low, high, ink.text, 2.0)
    canvas.disc(camera.project(about), 3.0, ink.text)
    if not named:
        return
    used: list[tuple[float, float, float, float]] = []
    for row in rows:
        if row.point is not None:
            place = camera.project(row.point)
            canvas.disc(place, 3.5, np.ones(3, np.float32))
            canvas.disc(place, 2.5, ink.red)
        middle = row.target.pose[:3, 3] + row.target.pose[:3, :3] @ row.target.shape.bounds.mean(axis=0)
        _name(canvas, camera.project(middle), Path(row.target.name).name, ink.text, used)


def _name(
    canvas: Canvas, place: Array, text: str, color: NDArray[np.floating], used: list[tuple[float, float, float, float]]
) -> None:
    """Write a name beside a place, where it fits and where no other is; `used` holds left, top, right, bottom of all names."""
    wide, high = letters(text).shape[1], letters(text).shape[0]
    fragments = [(dx, dy) for dy in (-18.0, 2.0, -36.0, 20.0) for dx in (8.0, -8.0 - wide)]
    for dx, dy in fragments:
        left, top = float(place[0]) + dx, float(place[1]) + dy
        box = (left, top, left + wide, top + high)
        fits = left >= 0.0 and box[2] <= canvas.image.shape[1]
        if fits and all(box[2] < a or c < left or box[3] < b or d < top for a, b, c, d in used):
            used.append(box)
            canvas.text(left, top, text, color)
            return
