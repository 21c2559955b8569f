"""The thesis' drawings of its definitions (Yamamoto 2023, chapter 2), Figs. 2.1 to 2.11.

The thesis gives no numbers for them: shapes here are ours. What a drawing shows is computed: fans by `Fan.from_swing`, ranges
by the quadratics (2.16) and (2.17), the capsule of the plane by the thesis' own test (`PublishedFan`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule
from sweepscope.drawing.camera import camera_along
from sweepscope.drawing.palette import BODIES, GRAY, MOVER, OBSTACLE, RED
from sweepscope.fan import Fan

from ..compared import PublishedFan
from .drawing import DOTS
from .fan_tests import FAN, Drawn, seen_in_slab, stadium, turned_about_z
from .figures import figure
from .panels import PanelThing, painted, sheet

Floats = NDArray[np.float64]

_FAN, _LINE, _BALL, _SLAB = "#8f86c9", "#232b36", "#e8a33d", "#e6eaef"
_IN, _OUT, _PLANE = "#d5542a", "#3f8fca", "#cf7fae"
_SIZE = (400, 340)  # columns and rows of a panel
_AHEAD = (-0.75, 1.2, -1.0)

SWUNG = ((1.0, 3.0, 1.2), 4.0, math.radians(80.0))
"""Figs. 2.1 and 2.3: widths W_x, W_y, W_z, distance from the axis, angle."""
TOUCHING = ((1.0, 4.0, 1.2), 2.0, math.radians(80.0))
"""Fig. 2.2: a box that touches the axis, so r = 0."""
BALLS = ((0.0, 1.45, 1.0), (0.0, 0.35, 1.0))
"""Figs. 2.5 and 2.6: places along x and z, and radius; the slab is that of the fan."""
LINES = (((-4.0, 5.2), (4.5, 5.6)), ((-4.6, 0.4), (4.6, 0.9)), ((-4.6, 2.3), (4.6, 2.7)))
"""Fig. 2.7: ends of capsules; their radius is CAPSULE_RADIUS."""
RING, CAPSULE_RADIUS = (2.0, 4.0), 0.5
"""Fig. 2.7: r and R."""
BESIDE = ((2.4, 2.7), (4.2, 4.2), 0.6)
"""Fig. 2.8: ends and radius of a capsule whose segment has no place within the angle, and which hits."""
SLANTED = ((1.0, 0.0, 2.3), (8.0, 0.0, 0.2), 1.1)
"""Figs. 2.9 to 2.11: ends and radius; seen from the side it lies in the plane of the drawing."""


def draw_all(folder: Path) -> list[Drawn]:
    """Write all drawings into a folder."""
    return [_swings(folder), _parts(folder), _cuts(folder), _ranges(folder), _seen_along(folder)]


# ---- Figs. 2.1 to 2.4


def swung(widths: tuple[float, float, float], distance: float) -> tuple[Box, Floats]:
    """Return a box and its pose, its W_y along x, away from the axis z."""
    pose = np.eye(4)
    pose[:2, :2], pose[0, 3] = ((0.0, 1.0), (-1.0, 0.0)), distance
    return Box(widths), pose


def _swings(folder: Path) -> Drawn:
    """Draw Figs. 2.1 to 2.3: a box before and after its turn, and both kinds of fan."""
    panels, found = [], []
    for title, (widths, distance, angle), fans in (
        ("Fig. 2.1: a box that turns about an axis", SWUNG, False),
        ("Fig. 2.2: slice of cake, r = 0", TOUCHING, True),
        ("Fig. 2.3: slice of Baumkuchen, r > 0", SWUNG, True),
    ):
        box, pose = swung(widths, distance)
        fan = Fan.from_swing(box, pose, axis=(0.0, 0.0, 1.0), angle=angle)
        axis = PanelThing(Capsule.from_segment((0.0, 0.0, -1.6), (0.0, 0.0, 1.6), radius=0.05), GRAY)
        after = turned_about_z(angle) @ pose
        if fans:
            things = [axis, PanelThing(fan, BODIES[7]), PanelThing(box, MOVER, pose, 0.35), PanelThing(box, MOVER, after, 0.35)]
            found.append(f"r = {fan.inner:g}, R = {fan.outer:g}, h = {fan.half_thickness:g}")
        else:
            path = np.array([turned_about_z(angle * t)[:3, :3] @ (distance, 0.0, 0.0) for t in np.linspace(0.0, 1.0, 25)])
            arc = [PanelThing(Capsule.from_segment(a, b, radius=0.05), RED) for a, b in pairwise(path)]
            things = [axis, PanelThing(box, MOVER, pose), PanelThing(box, OBSTACLE, after), *arc]
        camera = camera_along(_AHEAD, None, _SIZE)
        room = np.concatenate((fan.vertices, ((0.0, 0.0, -1.6), (0.0, 0.0, 1.6))))
        panels.append((title, painted(things, camera.around(room, 0.08)).image))
    caption = (
        "Blue: the box before and after its turn (Fig. 2.1, orange: after); red: the path of its center; violet: the fan.",
        "The widths of the fan are those of the box away from the axis and along it; the third, W_x, is not used.",
    )
    sheet(panels, 3, caption, folder / "fan_fig_2_1.png")
    return Drawn("fan_fig_2_1.png", ("Fig. 2.1", "Fig. 2.2", "Fig. 2.3"), "a swing, and the two kinds of fan", "; ".join(found))


def _parts(folder: Path) -> Drawn:
    """Draw Fig. 2.4: a fan along its axis and from the side, with the names of its parts."""
    drawn, panels = figure(1, 2, (10.0, 4.6))
    above, beside = panels[0]
    theta, r, far, h = FAN.half_angle, FAN.inner, FAN.outer, FAN.half_thickness
    above.fill(*sector_outline(theta, r, far).T, color=_FAN, alpha=0.55, linewidth=0.0)
    above.plot(0.0, 0.0, "o", color=_LINE, markersize=4)
    above.annotate("O", (0.0, 0.0), (-0.35, -0.45), fontsize=11)
    _arrow(above, (0.0, 0.0), (7.2, 0.0), "A", (7.3, -0.1))
    for sign in (1.0, -1.0):
        above.plot((0.0, far * math.cos(theta)), (0.0, sign * far * math.sin(theta)), "--", color=_LINE, linewidth=0.9)
        arc = np.linspace(0.0, sign * theta, 30)
        above.plot(1.2 * np.cos(arc), 1.2 * np.sin(arc), color=_LINE, linewidth=0.9)
        above.text(1.35 * math.cos(0.5 * theta), sign * 1.35 * math.sin(0.5 * theta) - 0.1, r"$\theta$", fontsize=11)
    for radius, name, place in ((r, "r", -0.5), (far, "R", 0.5)):
        turn = place * theta
        end = (radius * math.cos(turn), radius * math.sin(turn))
        above.annotate("", end, (0.0, 0.0), arrowprops={"arrowstyle": "->", "color": _IN, "shrinkA": 0.0, "shrinkB": 0.0})
        above.text(0.88 * end[0], 0.88 * end[1] + 0.15, name, color=_IN, fontsize=11)
    above.set_title("Fig. 2.4, along the axis U", fontsize=10)
    beside.fill((r, far, far, r), (-h, -h, h, h), color=_FAN, alpha=0.55, linewidth=0.0)
    beside.plot((-0.5, 7.2), (0.0, 0.0), ":", color=_LINE, linewidth=0.9)
    _arrow(beside, (0.0, 0.0), (0.0, 2.4), "U", (0.12, 2.3))
    _arrow(beside, (0.0, 0.0), (7.2, 0.0), "A", (7.3, -0.1))
    beside.annotate("O", (0.0, 0.0), (-0.4, -0.45), fontsize=11)
    for z, name in ((h, "h"), (-h, "-h")):
        beside.plot((-0.5, far), (z, z), "--", color=_LINE, linewidth=0.7)
        beside.text(-0.6, z, name, ha="right", va="center", fontsize=11)
    for x, name in ((r, "r"), (far, "R")):
        beside.text(x, -h - 0.45, name, ha="center", color=_IN, fontsize=11)
    beside.set_title("Fig. 2.4, from the side", fontsize=10)
    for panel, low, high in ((above, -4.6, 4.6), (beside, -2.4, 2.8)):
        _plain(panel, (-1.4, 7.8), (low, high))
    drawn.savefig(folder / "fan_fig_2_4.png", dpi=DOTS)
    return Drawn("fan_fig_2_4.png", ("Fig. 2.4",), "the parts of a fan", "the fan of Figs. 2.12 to 2.22")


def sector_outline(theta: float, r: float, far: float, arcs: int = 60) -> Floats:
    """Return the outline of a fan of the plane, counterclockwise, shape (2 arcs, 2)."""
    turn = np.linspace(-theta, theta, arcs)
    out = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    return np.concatenate((far * out, r * out[::-1]))


# ---- Figs. 2.5 to 2.8


def widest_cut(z: float, radius: float, h: float) -> float:
    """Return R_m, the radius of a ball's widest circle in the slab (2.12) [length]."""
    return radius if abs(z) <= h else math.sqrt(radius**2 - (abs(z) - h) ** 2)


def _cuts(folder: Path) -> Drawn:
    """Draw Figs. 2.5 and 2.6: R_m of a ball whose center is out of the slab, and in it."""
    drawn, panels = figure(1, 2, (9.0, 4.0))
    h, found = FAN.half_thickness, []
    for panel, (x, z, radius), number, where in zip(panels[0], BALLS, (5, 6), ("outside", "inside"), strict=True):
        cut = widest_cut(z, radius, h)
        height = min(z, h)
        _slab(panel, h, (-2.6, 2.6))
        _circle(panel, (x, z), radius, _BALL)
        panel.plot(x, z, "o", color=_LINE, markersize=4)
        panel.text(x + 0.08, z + 0.08, "P", fontsize=11)
        panel.plot((x, x + cut), (height, height), color=_IN, linewidth=2.5)
        panel.text(x + 0.5 * cut, height - 0.28, "$R_m$", color=_IN, ha="center", fontsize=11)
        if height != z:
            panel.plot((x, x + cut), (z, height), color=_LINE, linewidth=1.0)
            panel.text(x + 0.55 * cut, 0.5 * (z + height) + 0.1, "$r_s$", fontsize=11)
            panel.plot((x, x), (z, height), color=_LINE, linewidth=1.0)
            panel.text(x - 0.08, 0.5 * (z + height), "$|P_z| - h$", ha="right", va="center", fontsize=10)
        panel.set_title(f"Fig. 2.{number}: the center is {where}, $R_m$ = {cut:.3f} of $r_s$ = {radius:g}", fontsize=10)
        _plain(panel, (-2.8, 3.1), (-1.5, 2.6))
        found.append(f"R_m = {cut:.3f}")
    drawn.savefig(folder / "fan_fig_2_5.png", dpi=DOTS)
    return Drawn("fan_fig_2_5.png", ("Fig. 2.5", "Fig. 2.6"), "the widest circle of a ball in the slab", ", ".join(found))


def ranges_in_ring(s: Floats, e: Floats, near: float, far: float) -> list[tuple[float, float]]:
    """Return where the line s + t (e - s) is in a ring, by (2.16) and (2.17): ranges of t, not limited to 0..1."""
    v = e - s
    roots = []
    for radius in (far, near):
        a, b, c = v @ v, 2.0 * s @ v, s @ s - radius**2
        under = b * b - 4.0 * a * c
        roots.append(None if under < 0.0 else ((-b - math.sqrt(under)) / (2.0 * a), (-b + math.sqrt(under)) / (2.0 * a)))
    outer, inner = roots
    if outer is None:
        return []
    if inner is None:
        return [outer]
    return [(outer[0], inner[0]), (inner[1], outer[1])]


def _ranges(folder: Path) -> Drawn:
    """Draw Fig. 2.7: the three cases of the discriminants; and Fig. 2.8: a hit beside the angle."""
    drawn, panels = figure(1, 4, (16.0, 4.4))
    near, far = RING[0] - CAPSULE_RADIUS, RING[1] + CAPSULE_RADIUS
    names = ("$D_R < 0$", "$D_R \\geq 0$, $D_r \\geq 0$", "$D_R \\geq 0$, $D_r < 0$")
    counts = []
    for panel, (start, end), name in zip(panels[0, :3], LINES, names, strict=True):
        s, e = np.array(start), np.array(end)
        for radius in RING:
            _circle(panel, (0.0, 0.0), radius, _FAN, fill=False)
        for radius in (near, far):
            _circle(panel, (0.0, 0.0), radius, _LINE, fill=False, dashed=True)
        found = ranges_in_ring(s, e, near, far)
        panel.plot(*np.array((s, e)).T, color=_OUT, linewidth=1.6)
        for a, b in found:
            ends = s + np.array((a, b))[:, None] * (e - s)
            panel.plot(*ends.T, color=_IN, linewidth=3.0)
            panel.plot(*ends.T, "o", color=_IN, markersize=4)
        counts.append(len(found))
        panel.set_title(f"Fig. 2.7: {name}, {('no range', 'one range', 'two ranges')[len(found)]}", fontsize=10)
        _plain(panel, (-5.6, 5.6), (-5.2, 6.4))
    start, end, radius = BESIDE
    panel = panels[0, 3]
    panel.fill(*sector_outline(FAN.half_angle, FAN.inner, FAN.outer).T, color=_FAN, alpha=0.55, linewidth=0.0)
    panel.fill(*stadium(start, end, radius).T, color=_BALL, alpha=0.55, linewidth=0.0)
    panel.plot(*np.array((start, end)).T, "o-", color=_LINE, markersize=4)
    hit = bool(PublishedFan(FAN).hits_capsules_2d((start,), (end,), radius)[0])
    panel.set_title(f"Fig. 2.8: no t within the angle: {'hit' if hit else 'free'}", fontsize=10)
    _plain(panel, (-0.5, 7.0), (-4.4, 5.4))
    drawn.savefig(folder / "fan_fig_2_7.png", dpi=DOTS)
    return Drawn(
        "fan_fig_2_7.png",
        ("Fig. 2.7", "Fig. 2.8"),
        "where a segment is in the widened ring (dashed), and a capsule that hits beside the angle",
        f"{', '.join(map(str, counts))} ranges; {'hit' if hit else 'free'}",
    )


# ---- Figs. 2.9 to 2.11


def _seen_along(folder: Path) -> Drawn:
    """Draw Figs. 2.9 to 2.11: a capsule and the slab from the side, what is left seen along the axis, its enclosure, and w."""
    drawn, panels = figure(2, 2, (11.0, 6.4))
    (side, left), (around, shift) = panels
    start, end, radius = SLANTED
    h = FAN.half_thickness
    s, e = np.array(start), np.array(end)
    flat = (s[0], s[2]), (e[0], e[2])
    _slab(side, h, (-1.2, 10.0))
    side.fill(*stadium(*flat, radius).T, color=_BALL, alpha=0.55, linewidth=0.0)
    side.plot(*np.array(flat).T, "o-", color=_LINE, markersize=4)
    for name, place in (("S", flat[0]), ("E", flat[1])):
        side.text(place[0], place[1] + 0.2, name, ha="center", fontsize=11)
    side.set_title("Fig. 2.9, left: a capsule and the slab, from the side", fontsize=10)
    outline = seen_in_slab(start, end, radius, h)
    left.fill(*outline.T, color=_LINE, linewidth=0.0)
    left.set_title("Fig. 2.9, right: what the slab leaves, seen along the axis", fontsize=10)
    ax, ay, bx, by, wide = PublishedFan(FAN).capsules_of_plane((start,), (end,), radius)[0].tolist()
    around.fill(*stadium((ax, ay), (bx, by), wide).T, color=_PLANE, alpha=0.6, linewidth=0.0)
    around.fill(*outline.T, color=_LINE, linewidth=0.0)
    around.plot((ax, bx), (ay, by), "o-", color="white", markersize=4)
    for name, x in (("S'", ax), ("E'", bx)):
        around.text(x, 0.15, name, color="white", ha="center", fontsize=11)
    around.set_title(f"Fig. 2.10: enclosed in a capsule of the plane (pink), $r_c'$ = {wide:.3f}", fontsize=10)
    _shift(shift, s, e, radius, h)
    for panel, low, high in ((side, -1.6, 3.9), (left, -2.2, 2.2), (around, -2.2, 2.2), (shift, -1.6, 3.9)):
        _plain(panel, (-1.4, 10.2), (low, high))
    drawn.savefig(folder / "fan_fig_2_9.png", dpi=DOTS)
    return Drawn(
        "fan_fig_2_9.png",
        ("Fig. 2.9", "Fig. 2.10", "Fig. 2.11"),
        "what the slab leaves of a capsule, seen along the axis, and the capsule of the plane around it",
        f"radius {wide:.3f} where the capsule has {radius:g}",
    )


def shift_of(s: Floats, e: Floats, radius: float) -> float:
    """Return w (2.26), how far the line goes along the plane while it falls by a radius [length]; s is above e."""
    v = e - s
    return float(radius / -v[2] * math.hypot(v[0], v[1]))


def _shift(panel: Any, s: Floats, e: Floats, radius: float, h: float) -> None:
    """Draw Fig. 2.11: Q, where the line of the capsule's middles leaves the slab, and w."""
    v = e - s
    q = s + (h - s[2]) / v[2] * v  # (2.23)
    w = shift_of(s, e, radius)
    _slab(panel, h, (-1.2, 10.0))
    ends = np.array([s - 0.3 * v, e + 0.3 * v])
    panel.plot(ends[:, 0], ends[:, 2], color=_LINE, linewidth=1.2)
    panel.plot(q[0], q[2], "o", color=_LINE, markersize=4)
    panel.text(q[0] + 0.1, q[2] - 0.5, "Q", fontsize=11)
    corner = (q[0] - w, q[2])
    panel.plot((q[0], corner[0]), (q[2], q[2]), color=_IN, linewidth=2.5)
    panel.plot((corner[0], corner[0]), (q[2], q[2] + radius), color=_OUT, linewidth=2.5)
    panel.text(0.5 * (q[0] + corner[0]), q[2] - 0.42, f"w = {w:.3f}", color=_IN, ha="center", fontsize=11)
    panel.text(corner[0] - 0.12, q[2] + 0.5 * radius, "$r_c$", color=_OUT, ha="right", va="center", fontsize=11)
    panel.set_title("Fig. 2.11: w, how far the line goes along the plane while it falls by $r_c$", fontsize=10)


# ---- lines


def _plain(panel: Any, x: tuple[float, float], y: tuple[float, float]) -> None:
    panel.set_xlim(*x)
    panel.set_ylim(*y)
    panel.set_aspect("equal")
    panel.set_axis_off()


def _arrow(panel: Any, start: tuple[float, float], end: tuple[float, float], name: str, place: tuple[float, float]) -> None:
    panel.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": _LINE, "shrinkA": 0.0, "shrinkB": 0.0})
    panel.text(*place, name, fontsize=11)


def _slab(panel: Any, h: float, x: Sequence[float]) -> None:
    panel.fill_between(x, -h, h, color=_SLAB, linewidth=0.0, zorder=0.0)
    for z, name in ((h, "h"), (-h, "-h")):
        panel.plot(x, (z, z), color=_LINE, linewidth=0.7)
        panel.text(x[1], z, f" {name}", va="center", fontsize=10)


def _circle(
    panel: Any, center: tuple[float, float], radius: float, color: str, *, fill: bool = True, dashed: bool = False
) -> None:
    turn = np.linspace(0.0, 2.0 * math.pi, 120)
    outline = center[0] + radius * np.cos(turn), center[1] + radius * np.sin(turn)
    if fill:
        panel.fill(*outline, color=color, alpha=0.55, linewidth=0.0)
    else:
        panel.plot(*outline, "--" if dashed else "-", color=color, linewidth=1.0 if dashed else 2.0)
