"""Pictures of errors of the angle to contact: means over the contacts that were seen, and beside them the share missed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .drawing import DOTS, LINE_COLORS
from .figures import gridded
from .rolling_errors import ANGLES, TurnError, mean_error, missed_share, wrong_axis_share
from .rolling_methods import METHODS, MORE_RADARS, NAMES, RADARS, WAYS

LEVERS = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 1.0)
"""Limits of bands of the contact's distance from the axis [sizes]."""

_STYLES = {
    "row": (LINE_COLORS[1], "s", "-"),
    "arm": (LINE_COLORS[4], "^", "-"),
    "subtended": (LINE_COLORS[3], "v", "-"),
    "row, in steps": (LINE_COLORS[1], "s", ":"),
    "subtended, in steps": (LINE_COLORS[3], "v", ":"),
    "literal": (LINE_COLORS[2], "D", ":"),
    "angular": (LINE_COLORS[0], "o", "-"),
}
"""Color, marker and line of each method; those in steps are hollow."""


def plot_errors(rows: Sequence[TurnError], path: Path) -> None:
    """Draw mean errors of the contacts seen, and below them the shares missed: by angle, distance from the axis, pixels."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    drawn, panels = gridded(2, 3, (14.0, 7.6))
    pixels = sorted({row.pixels for row in rows})
    middle = 100 if 100 in pixels else pixels[len(pixels) // 2]
    angles = [angle for angle in ANGLES if any(row.angle == angle for row in rows)]
    bands = list(itertools.pairwise(LEVERS))
    for method in (name for name in _STYLES if any(row.method == name for row in rows)):
        mine = [row for row in rows if row.method == method]
        seen = [row for row in mine if row.pixels == middle]
        by_angle = [[row for row in seen if row.angle == angle] for angle in angles]
        by_lever = [[row for row in seen if low <= row.lever < high] for low, high in bands]
        by_pixels = [[row for row in mine if row.pixels == count] for count in pixels]
        _curves(panels[:, 0], np.degrees(angles), by_angle, method)
        _curves(panels[:, 1], [0.5 * (low + high) for low, high in bands], by_lever, method)
        _curves(panels[:, 2], pixels, by_pixels, method)
    for column, name in enumerate(
        ("exact angle to contact [degrees]", "contact's distance from the axis [sizes]", "pixels along each side")
    ):
        panels[0, column].set_yscale("log")
        panels[0, column].yaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
        panels[0, column].yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        panels[0, column].yaxis.set_minor_formatter(NullFormatter())
        panels[1, column].set_ylim(-3.0, 103.0)
        panels[1, column].set_xlabel(name)
    for panel in panels[:, 0]:
        panel.set_xscale("log")
        panel.set_xticks(np.degrees(angles), [f"{angle:.3g}" for angle in np.degrees(angles)])
        panel.minorticks_off()
    for panel in panels[:, 2]:
        panel.set_xscale("log")
        panel.set_xticks(pixels, [str(count) for count in pixels])
        panel.minorticks_off()
    panels[0, 0].set_ylabel("mean error of those seen [degrees]")
    panels[1, 0].set_ylabel("contacts missed [%]")
    panels[0, 0].set_title(f"{middle} pixels", fontsize=10)
    panels[0, 1].set_title(f"{middle} pixels, all angles", fontsize=10)
    panels[0, 2].set_title("all angles", fontsize=10)
    _legend(drawn, panels[0, 0])
    drawn.savefig(path, dpi=DOTS)


def _curves(panels: Any, x: Sequence[float] | Any, groups: Sequence[Sequence[TurnError]], method: str) -> None:
    """Draw one method into an upper panel of errors and a lower one of missed shares."""
    color, marker, line = _STYLES[method]
    style = {"color": color, "marker": marker, "linestyle": line, "markersize": 5, "label": NAMES[method]}
    panels[0].plot(x, [mean_error(group) for group in groups], **style)
    panels[1].plot(x, [100.0 * missed_share(group) for group in groups], **style)


def plot_answer(rows: Sequence[TurnError], angle: float, path: Path) -> None:
    """Draw mean error, share missed and share of wrong axes of each body and method, an angle [radians] before contact."""
    rows = [row for row in rows if row.angle == angle]
    bodies = list(dict.fromkeys(row.body for row in rows))
    methods = [name for name in METHODS if name in _STYLES and any(row.method == name for row in rows)]
    drawn, panels = gridded(1, 3, (14.0, 1.3 + 0.62 * len(bodies)))
    shown: tuple[tuple[str, Callable[[Sequence[TurnError]], float]], ...] = (
        ("mean error of the contacts seen [degrees]", mean_error),
        ("contacts missed [%]", lambda mine: 100.0 * missed_share(mine)),
        ("next axis wrong, missed ones included [%]", lambda mine: 100.0 * wrong_axis_share(mine)),
    )
    for panel, (title, of) in zip(panels[0], shown, strict=True):
        for n, method in enumerate(methods):
            color, marker, line = _STYLES[method]
            values = [of([row for row in rows if (row.body, row.method) == (body, method)]) for body in bodies]
            rise = 0.62 * (n / max(len(methods) - 1, 1) - 0.5)
            fill = "white" if line == ":" else color
            panel.plot(
                values, np.arange(len(bodies)) + rise, marker, color=color, markerfacecolor=fill, markersize=6,
                label=NAMES[method], clip_on=False, zorder=3,
            )  # fmt: skip
        panel.set_yticks(range(len(bodies)), bodies)
        panel.set_ylim(len(bodies) - 0.5, -0.5)
        panel.grid(axis="y", visible=False)
        panel.grid(axis="x", color="#dddddd", linewidth=0.6)
        for k in range(1, len(bodies)):
            panel.axhline(k - 0.5, color="#dddddd", linewidth=0.6, zorder=0)
        panel.set_xlabel(title)
    panels[0, 0].set_xscale("log")
    panels[0, 0].set_xticks((0.1, 0.3, 1.0, 3.0, 10.0), ("0.1", "0.3", "1", "3", "10"))
    panels[0, 0].minorticks_off()
    for panel in panels[0, 1:]:
        panel.set_xlim(-2.0, 102.0)
        panel.set_yticklabels([])
    panels[0, 1].set_title(f"{math.degrees(angle):.0f} degrees before contact, 100 x 100 pixels", fontsize=11)
    _legend(drawn, panels[0, 0])
    drawn.savefig(path, dpi=DOTS)


_PLACED = {"around": LINE_COLORS[1], "shape": LINE_COLORS[3]}
_WAYS = {"look": ("v", ":"), "steps": ("s", "-"), "back": ("D", "--")}


def plot_radars(rows: Sequence[TurnError], path: Path) -> None:
    """Draw error, wrong axes, misses and time of straight radars by their number; of one angular radar as a level line."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    drawn, panels = gridded(1, 4, (15.0, 4.2))
    shown: tuple[tuple[str, Callable[[Sequence[TurnError]], float]], ...] = (
        ("mean error of the contacts seen [degrees]", mean_error),
        ("next axis wrong, missed ones included [%]", lambda mine: 100.0 * wrong_axis_share(mine)),
        ("contacts missed [%]", lambda mine: 100.0 * missed_share(mine)),
        ("median time of a reading [ms]", lambda mine: 1e3 * float(np.median([row.seconds for row in mine]))),
    )
    for panel, (title, of) in zip(panels[0], shown, strict=True):
        for placement, color in _PLACED.items():
            for way, (marker, line) in _WAYS.items():
                found = {how.radars: name for name, how in MORE_RADARS.items() if (how.placement, how.way) == (placement, way)}
                values = [of([row for row in rows if row.method == found[count]]) for count in RADARS]
                panel.plot(
                    RADARS, values, marker + line, color=color, markersize=5, clip_on=False,
                    label=f"{placement}, {WAYS[way]}",
                )  # fmt: skip
        level = of([row for row in rows if row.method == "angular"])
        panel.axhline(level, color=LINE_COLORS[0], linewidth=1.6, label=NAMES["angular"])
        panel.set_xticks(RADARS)
        panel.set_title(title, fontsize=10)
        panel.set_xlabel("straight radars")
    for panel in panels[0, :3]:
        panel.set_ylim(bottom=0.0)
    panels[0, 3].set_yscale("log")
    panels[0, 3].set_yticks((0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0))
    panels[0, 3].yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panels[0, 3].yaxis.set_minor_formatter(NullFormatter())
    _legend(drawn, panels[0, 0])
    drawn.savefig(path, dpi=DOTS)


def _legend(drawn: Any, panel: Any) -> None:
    """Write the names of the methods above all panels."""
    handles, labels = panel.get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside upper center", ncols=min(len(labels), 4), frameon=False, fontsize=9)
