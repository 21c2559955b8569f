"""The thesis' pictures of its tests (Yamamoto 2023, 2.8), Figs. 2.12 to 2.22, and Fig. 4.1, in space.

The thesis gives no numbers for its figures. Shapes here are ours; what is hit is answered by its own tests (`PublishedFan`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, PointCloud, Shape, Sphere
from sweepscope.drawing.camera import camera_along
from sweepscope.drawing.palette import BODIES, GRAY, MOVER, OBSTACLE, RED, Rgb
from sweepscope.fan import Fan, Swing
from sweepscope.shapes.base import shape_of_arrays

from ..compared import PublishedFan
from .panels import PanelThing, at_poses, painted, prism, sheet

Floats = NDArray[np.float64]

FAN = Fan((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), mid=(1.0, 0.0, 0.0), half_angle=0.7, inner=2.0, outer=6.0, half_thickness=0.8)
"""The fan of all pictures, in the frame of the thesis' chapter 2."""
_PLATE = Fan(
    (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), mid=(1.0, 0.0, 0.0), half_angle=0.7, inner=2.0, outer=6.0, half_thickness=0.05
)  # the same of the plane, drawn as a plate
_HIT, _FREE, _FAN, _INSTEAD = OBSTACLE, MOVER, BODIES[7], BODIES[3]
_SIZE = (520, 400)  # columns and rows of a panel
_AHEAD = (-0.75, 1.2, -1.0)  # of the view
_GRID = np.arange(-2.0, 9.0)
_DOT, _LINE = 0.1, 0.02  # radii of points and of lines of the grid [length]

RECTANGLES = (((3.0, 3.9), (2.6, 1.2), 0.4), ((3.0, 2.9), (2.6, 1.2), 0.4))
"""Figs. 2.14 and 2.15: center, full widths, angle."""
SPHERES = (((4.0, 3.2, 2.0), 0.9), ((4.0, 2.6, 1.5), 0.9))
"""Figs. 2.16 and 2.17: center, radius."""
FLAT_CAPSULES = (((-0.5, -2.0), (1.0, 3.0), 0.6), ((0.5, -2.0), (2.0, 3.0), 0.6))
"""Figs. 2.18 and 2.19: ends and radius."""
CAPSULES = (
    ((7.2, 4.0, 2.6), (7.6, -2.0, -1.6), 0.7),
    ((6.2, 4.0, 2.6), (6.6, -2.0, -1.6), 0.7),
    ((6.2, 4.2, 3.0), (8.6, -3.6, 1.3), 1.7),
)
"""Figs. 2.20 to 2.22: ends and radius. The last is called a hit and is none: it passes 0.2 from the fan, what is tested in its
place is 0.2 deep in it."""
NARROW = ((6.0, 8.0, 2.0), 6.0, math.radians(8.0))
"""Fig. 4.1: widths W_x, W_y, W_z, distance from the axis, angle."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture: its file, the figures of the thesis, what it shows, and what was computed for it."""

    file: str
    figures: tuple[str, ...]
    shows: str
    found: str


def draw_all(folder: Path) -> list[Drawn]:
    """Write all pictures into a folder."""
    return [_points(folder), _rectangles(folder), _spheres(folder), _flat(folder), _capsules(folder), _narrow(folder)]


def _lines() -> list[PanelThing]:
    """Return the xy plane as a grid, and the axes: x red, y green, z blue, as in the thesis."""
    ends = [((x, -5.0), (x, 5.0)) for x in _GRID] + [((_GRID[0], y), (_GRID[-1], y)) for y in np.arange(-5.0, 6.0)]
    places = np.array([(*end, 0.0) for pair in ends for end in pair])
    pairs = np.arange(len(places)).reshape(-1, 2)
    grid = shape_of_arrays(places, np.column_stack((pairs, pairs[:, 1])).astype(np.int32), _LINE)
    axes = ((RED, (4.0, 0.0, 0.0)), (BODIES[2], (0.0, 4.0, 0.0)), (BODIES[0], (0.0, 0.0, 4.0)))
    return [
        PanelThing(grid, GRAY),
        *(PanelThing(Capsule.from_segment((0.0, 0.0, 0.0), end, radius=3.0 * _LINE), color) for color, end in axes),
    ]


def _panel(things: list[PanelThing], ahead: tuple[float, float, float] = _AHEAD) -> NDArray[np.float32]:
    camera = camera_along(ahead, None, _SIZE)
    room = np.array([(x, y, z) for x in (-2.0, 8.0) for y in (-5.0, 5.0) for z in (-1.5, 3.5)])
    frame = np.concatenate((room, *(_corners(thing.shape) for thing in things if thing.pose is None)))
    return painted([*_lines(), *things], camera.around(frame, 0.01)).image


def _corners(shape: Shape) -> Floats:
    """Return the corners of the box around a shape, shape (8, 3)."""
    return np.stack(np.meshgrid(*shape.bounds.T), axis=-1).reshape(-1, 3)


def _word(hit: bool) -> str:
    return "hit" if hit else "free"


def _color(hit: bool) -> Rgb:
    return _HIT if hit else _FREE


def _points(folder: Path) -> Drawn:
    line = np.linspace(-1.4, 1.4, 5)
    flat = np.linspace(-4.5, 4.5, 10)
    places = np.stack(np.meshgrid(flat + 3.0, flat, line, indexing="ij"), axis=-1).reshape(-1, 3)
    inside = PublishedFan(FAN).contains(places)
    cloud = [PanelThing(PointCloud(places[~inside], _DOT), _FREE), PanelThing(PointCloud(places[inside], _DOT), _HIT)]
    panels = [
        ("Fig. 2.12: a fan among points", _panel([PanelThing(FAN, _FAN), PanelThing(PointCloud(places, _DOT), _FREE)])),
        ("Fig. 2.13: points that it contains", _panel([*cloud, PanelThing(FAN, _FAN, glass=0.35)])),
    ]
    found = f"{int(inside.sum())} of {len(places)} points are in the fan"
    caption = (f"Points (2.2). Orange: in the fan; blue: outside. {found}.",)
    sheet(panels, 2, caption, folder / "fan_fig_2_12.png")
    return Drawn("fan_fig_2_12.png", ("Fig. 2.12", "Fig. 2.13"), "points and the fan that contains some of them", found)


def _rectangles(folder: Path) -> Drawn:
    panels, words = [], []
    for number, (center, sizes, angle) in zip((14, 15), RECTANGLES, strict=True):
        hit = bool(PublishedFan(FAN).hits_rectangles((center,), (sizes,), (angle,))[0])
        pose = np.eye(4)
        pose[:2, :2] = ((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle)))
        pose[:2, 3] = center
        things = [PanelThing(Box((*sizes, 0.16)), _color(hit), pose), PanelThing(_PLATE, _FAN)]
        panels.append((f"Fig. 2.{number}: {_word(hit)}", _panel(things)))
        words.append(_word(hit))
    return _pair(folder, 14, panels, words, "rectangle of the plane", "2.3")


def _spheres(folder: Path) -> Drawn:
    panels, words = [], []
    for number, (center, radius) in zip((16, 17), SPHERES, strict=True):
        hit = bool(PublishedFan(FAN).hits_spheres((center,), radius)[0])
        pose = np.eye(4)
        pose[:3, 3] = center
        panels.append(
            (f"Fig. 2.{number}: {_word(hit)}", _panel([PanelThing(FAN, _FAN), PanelThing(Sphere(radius), _color(hit), pose)]))
        )
        words.append(_word(hit))
    return _pair(folder, 16, panels, words, "sphere", "2.5")


def _flat(folder: Path) -> Drawn:
    panels, words = [], []
    for number, (start, end, radius) in zip((18, 19), FLAT_CAPSULES, strict=True):
        hit = bool(PublishedFan(FAN).hits_capsules_2d((start,), (end,), radius)[0])
        things = [PanelThing(_PLATE, _FAN), PanelThing(prism(stadium(start, end, radius), -0.08, 0.08), _color(hit))]
        panels.append((f"Fig. 2.{number}: {_word(hit)}", _panel(things)))
        words.append(_word(hit))
    return _pair(folder, 18, panels, words, "capsule of the plane", "2.6")


def _pair(
    folder: Path, first: int, panels: list[tuple[str, NDArray[np.float32]]], words: list[str], what: str, section: str
) -> Drawn:
    """Write two panels, without a hit and with one."""
    file = f"fan_fig_2_{first}.png"
    sheet(panels, 2, (f"A fan and a {what} ({section}). Orange: hit; blue: free.",), folder / file)
    return Drawn(file, (f"Fig. 2.{first}", f"Fig. 2.{first + 1}"), f"a fan and a {what}", ", ".join(words))


def _capsules(folder: Path) -> Drawn:
    panels, words = [], []
    for number, (start, end, radius) in zip((20, 21, 22), CAPSULES, strict=True):
        old = PublishedFan(FAN)
        hit, exact = bool(old.hits_capsules((start,), (end,), radius)[0]), bool(FAN.hits_capsules(start, end, radius))
        rod, title = Capsule.from_segment(start, end, radius=radius), f"Fig. 2.{number}: {_word(hit)}"
        if hit == exact:
            panels.append((title, _panel([PanelThing(FAN, _FAN), PanelThing(rod, _color(hit))])))
            words.append(_word(hit))
            continue
        ax, ay, bx, by, wide = old.capsules_of_plane((start,), (end,), radius)[0]
        h = FAN.half_thickness
        instead = PanelThing(prism(stadium((ax, ay), (bx, by), wide), -h, h), _INSTEAD, glass=0.5)
        things = [PanelThing(FAN, _FAN), PanelThing(rod, _color(hit), glass=0.8), instead]
        panels.append((f"{title} by the thesis' test, {_word(exact)} by the exact one", _panel(things)))
        left = PanelThing(prism(seen_in_slab(start, end, radius, h), -h, h), _color(hit))
        cut = [PanelThing(FAN, _FAN), left, instead]
        panels.append((f"Fig. 2.{number}, along the axis: what the slab leaves", _panel(cut, (0.0, 0.0, -1.0))))
        words.append(f"a {_word(hit)} that is none")
    caption = (
        "A fan and a capsule (2.7). Orange: hit; blue: free. Pink: the capsule of the plane that is tested in its place,",
        "as thick as the fan. It encloses what the slab leaves of the capsule (orange, last panel) and meets the fan alone.",
    )
    sheet(panels, 2, caption, folder / "fan_fig_2_20.png")
    return Drawn("fan_fig_2_20.png", ("Fig. 2.20", "Fig. 2.21", "Fig. 2.22"), "a fan and a capsule in space", ", ".join(words))


def stadium(start: tuple[float, float], end: tuple[float, float], radius: float, arcs: int = 24) -> Floats:
    """Return the outline of a capsule of the plane, counterclockwise, shape (2 arcs + 2, 2)."""
    p, q = np.array(start), np.array(end)
    turn = math.atan2(q[1] - p[1], q[0] - p[0])
    half = np.linspace(-0.5 * math.pi, 0.5 * math.pi, arcs + 1)
    ahead = np.stack((np.cos(turn + half), np.sin(turn + half)), axis=1)
    return np.concatenate((q + radius * ahead, p - radius * ahead))


def seen_in_slab(start: Sequence[float], end: Sequence[float], radius: float, h: float, steps: int = 200) -> Floats:
    """Return the outline of what the slab |z| <= h leaves of a capsule, seen along z, counterclockwise, shape (n, 2).

    It is convex: the radius that the slab leaves of a ball (2.12) is a concave function of its place on the capsule.
    """
    share = np.linspace(0.0, 1.0, steps)[:, None]
    centers = np.array(start) + share * (np.array(end) - np.array(start))
    left_sq = radius**2 - np.maximum(np.abs(centers[:, 2]) - h, 0.0) ** 2
    inside = left_sq > 0.0
    turn = np.linspace(0.0, 2.0 * math.pi, 180, endpoint=False)
    circle = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    points = centers[inside, None, :2] + np.sqrt(left_sq[inside])[:, None, None] * circle
    # The farthest point in each direction: the hull of all circles.
    far = np.argmax(points.reshape(-1, 2) @ circle.T, axis=0)
    return points.reshape(-1, 2)[far[np.sort(np.unique(far, return_index=True)[1])]]


def _narrow(folder: Path) -> Drawn:
    """Draw Fig. 4.1: a small angle, and beside it the fan that takes the width into account."""
    sizes, distance, angle = NARROW
    pose = np.eye(4)
    pose[:2, :2], pose[0, 3] = ((0.0, 1.0), (-1.0, 0.0)), distance  # its W_y is along x, towards the axis
    turn = {"axis": (0.0, 0.0, 1.0), "angle": angle}
    box, swing = Box(sizes), Swing(Box(sizes), pose, **turn)
    poses = [turned_about_z(angle * k / 40.0) @ pose for k in range(41)]
    swept = at_poses(box, poses)
    low, high = swept.bounds
    places = np.random.default_rng(0).uniform(low, high, (200_000, 3))
    true = swing.contains(places)
    fans = {"the thesis' fan": Fan.from_swing(box, pose, **turn), "enclosing fan": Fan.enclosing(box, pose, **turn)}
    axis = PanelThing(Capsule.from_segment((0.0, 0.0, -1.5), (0.0, 0.0, 1.5), radius=0.05), GRAY)
    camera = camera_along(_AHEAD, None, _SIZE)
    camera = camera.around(np.concatenate((*(fan.vertices for fan in fans.values()), _corners(swept), np.zeros((1, 3)))))
    panels, words = [], []
    for name, fan in fans.items():
        share = float(np.sum(fan.contains(places) & true) / np.sum(true))
        glass = [
            PanelThing(box, _FREE, pose, 0.3),
            PanelThing(box, _FREE, poses[-1], 0.3),
            PanelThing(swept, BODIES[4], glass=0.3),
        ]
        # What lies inside is solid, what lies around is glass.
        mine = PanelThing(fan, _FAN, glass=0.0 if share < 1.0 else 0.35)
        things = [axis, *glass, mine]
        panels.append((f"{name}: {100.0 * share:.0f} % of what is swept", painted(things, camera).image))
        words.append(f"{name} holds {100.0 * share:.0f} % of what is swept")
    caption = (
        f"Fig. 4.1: a box that turns by {math.degrees(angle):.0f} degrees. Light blue: what it sweeps; violet: the fan.",
        "The thesis' fan leaves the width W_x out: it is as narrow as the angle.",
    )
    sheet(panels, 2, caption, folder / "fan_fig_4_1.png")
    return Drawn("fan_fig_4_1.png", ("Fig. 4.1",), "the fan of a small angle", "; ".join(words))


def turned_about_z(angle: float) -> Floats:
    """Return a turn about z as a pose."""
    pose = np.eye(4)
    pose[:2, :2] = ((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle)))
    return pose
