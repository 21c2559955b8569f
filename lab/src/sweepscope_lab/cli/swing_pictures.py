"""Pictures of swings as PNG files: seen along the axis, with the swept area, fans, speculative boxes and targets."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Fan, InvalidGeometry, Shape, Sphere, Swing
from sweepscope.cli.figures import figure

from ..compared import Speculative
from ..scenes.swinging import SwingScene, SwingTarget
from .output_files import save_figure

if TYPE_CHECKING:
    from .swing import TargetAnswer

Array = NDArray[np.float64]

_SWEPT, _MOVER, _PUBLISHED, _ENCLOSING = "#c9dcef", "#3b6ea8", "#c8553d", "#6aa56a"
_BOXES = {"A1": "#8a63b0", "A2": "#b08a3c"}
_POSES = 400  # of a mover without a closed form
_DOTS = 400  # across the picture of the swept area
_INCHES = 6.0
_LEGEND = 0.5  # inches


def save_swings(path: Path, answers: list[tuple[SwingScene, list[TargetAnswer]]]) -> None:
    """Write a picture of swings, side by side."""
    drawn, panels = figure(1, len(answers), (_INCHES * len(answers), _INCHES + _LEGEND))
    for panel, (case, rows) in zip(panels[0], answers, strict=True):
        _draw(panel, case, rows)
    save_figure(drawn, path)


class _Plane:
    """The plane of the picture, across the axis; its origin is the point on the axis."""

    def __init__(self, case: SwingScene) -> None:
        self.about = np.array(case.motion.about)
        axis = np.array(case.motion.axis)
        # Up in the picture is the world's z; for an axis along z it is the world's y.
        up = np.array((0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (0.0, 1.0, 0.0))
        up -= (up @ axis) * axis
        up /= np.linalg.norm(up)
        self.frame = np.stack((np.cross(up, axis), up, axis))

    def __call__(self, places: Array) -> Array:
        """Return places (..., 3), world, in the plane: (..., 2)."""
        return (places - self.about) @ self.frame[:2].T


def _draw(panel: Any, case: SwingScene, rows: list[TargetAnswer]) -> None:
    plane = _Plane(case)
    motion = (case.motion.axis, case.motion.angle, case.motion.about)
    fan = Fan.enclosing(case.mover, case.pose, *motion)
    seen = [_arc(plane, fan)]
    _swept(panel, case, plane, fan.outer)
    for time, style in ((0.0, "--"), (1.0, "-")):
        outline = _hull(plane(_placed(case.mover, case.motion.at(time) @ case.pose)))
        panel.plot(*outline.T, style, color=_MOVER, label=f"{'end' if time else 'start'}", zorder=4)
    panel.plot(*seen[0].T, color=_ENCLOSING, label="enclosing fan", zorder=3)
    box, pose = case.boxed()
    with suppress(InvalidGeometry):  # the published fan needs the pose of the thesis
        panel.plot(*_arc(plane, Fan.from_swing(box, pose, *motion)).T, color=_PUBLISHED, label="fan as published", zorder=3)
    for name, colour in _BOXES.items():
        volume = Speculative(box, pose, *motion, variant=name)
        corners = np.stack(np.meshgrid(*zip(volume.low, volume.high, strict=True)), axis=-1).reshape(-1, 3)
        seen.append(_hull(plane(corners)))
        panel.plot(*seen[-1].T, ":", color=colour, label=f"S-CCD {name}", zorder=3)
    for row in rows:
        seen.append(_target(panel, plane, row))
    panel.plot(0.0, 0.0, "k+", markersize=9, zorder=6)
    # Outlines of several parts have NaN between them.
    low, high = np.nanmin(np.concatenate(seen), axis=0), np.nanmax(np.concatenate(seen), axis=0)
    middle, half = 0.5 * (low + high), 0.54 * float((high - low).max())
    panel.set_xlim(middle[0] - half, middle[0] + half)
    panel.set_ylim(middle[1] - half, middle[1] + half)
    panel.set_aspect("equal")
    panel.set_title(f"{case.title}, seen along the axis; red: hit")
    # Below the picture: no corner is free for all swings.
    panel.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=3, frameon=False)


def _swept(panel: Any, case: SwingScene, plane: _Plane, reach: float) -> None:
    """Fill the swept area: exact for a box with an edge along the axis, otherwise from many poses."""
    if isinstance(case.mover, Box):
        swing = Swing(case.mover, case.pose, case.motion.axis, case.motion.angle, case.motion.about)
        if swing.upright:
            line = np.linspace(-1.02 * reach, 1.02 * reach, _DOTS)
            x, y = np.meshgrid(line, line)
            height = (case.pose[:3, 3] - plane.about) @ plane.frame[2]
            places = np.stack((x, y, np.full_like(x, height)), axis=2).reshape(-1, 3) @ plane.frame + plane.about
            inside = swing.contains(places).reshape(x.shape)
            panel.contourf(x, y, inside, levels=(0.5, 1.5), colors=[_SWEPT], zorder=1)
            return
    for time in np.linspace(0.0, 1.0, _POSES):
        outline = _placed(case.mover, case.motion.at(float(time)) @ case.pose)[case.mover.faces]
        _fill(panel, plane(outline), _SWEPT, 1)


def _fill(panel: Any, polygons: Array, colour: str, order: int) -> None:
    from matplotlib.collections import PolyCollection

    panel.add_collection(PolyCollection(list(polygons), facecolors=colour, edgecolors=colour, linewidths=0.3, zorder=order))


def _target(panel: Any, plane: _Plane, row: TargetAnswer) -> Array:
    """Draw a target and its name; return places that the picture must include, (n, 2)."""
    from matplotlib.patches import Circle

    colour = "#c8201a" if row.time is not None else "#777777"
    target: SwingTarget = row.target
    places = plane(_placed(target.shape, target.pose))
    radius = target.shape.radius
    if isinstance(target.shape, Sphere):
        panel.add_patch(Circle(tuple(places[0]), radius, color=colour, alpha=0.6, zorder=5))
        panel.plot(*places[0], ".", color=colour, markersize=3, zorder=5)
    elif isinstance(target.shape, Capsule):
        circle = np.linspace(0.0, 2.0 * math.pi, 65)
        rim = radius * np.stack((np.cos(circle), np.sin(circle)), axis=1)
        outline = _hull(np.concatenate([place + rim for place in places]))
        panel.fill(*outline.T, color=colour, alpha=0.6, zorder=5)
    else:
        _fill(panel, places[target.shape.faces], colour, 2)
    if row.point is not None:
        panel.plot(*plane(row.point), "k*", markersize=6, zorder=7)
    panel.annotate(Path(target.name).name, places.mean(axis=0), (6, 6), textcoords="offset points", fontsize=7, zorder=8)
    return np.concatenate((places - radius, places + radius))


def _placed(shape: Shape, pose: Array) -> Array:
    """Return a shape's vertices, (n, 3), world."""
    return shape.vertices @ pose[:3, :3].T + pose[:3, 3]


def _arc(plane: _Plane, fan: Fan) -> Array:
    """Return a fan's outline, (n, 2)."""
    mid = plane.frame[:2] @ np.array(fan.mid)
    angle = math.atan2(mid[1], mid[0]) + np.linspace(-fan.half_angle, fan.half_angle, 181)
    ray = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    if fan.half_angle >= math.pi:  # a ring has no straight sides: NaN separates its circles
        return np.concatenate((fan.outer * ray, np.full((1, 2), np.nan), fan.inner * ray))
    return np.concatenate((fan.outer * ray, fan.inner * ray[::-1], fan.outer * ray[:1]))


def _hull(places: Array) -> Array:
    """Return the convex hull of places (n, 2), closed (Andrew 1979)."""
    order = [tuple(place) for place in places[np.lexsort((places[:, 1], places[:, 0]))]]
    sides = []
    for direction in (order, order[::-1]):
        side: list[tuple[float, float]] = []
        for p in direction:
            while len(side) > 1 and _left(side[-2], side[-1], p) <= 0.0:
                side.pop()
            side.append(p)
        sides += side[:-1]
    return np.array([*sides, sides[0]])


def _left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
