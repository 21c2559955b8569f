"""Pictures of the thesis' experiments: accuracy by angle and by shape, the seven groups of points, box plots of times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .drawing import DOTS, LINE_COLORS, oblique_frame
from .fan_accuracy import GROUPS, METHODS, Bin
from .fan_speed import Times
from .figures import figure, gridded

_COLORS = {
    **dict(zip(("fan", "D1", "enclosing fan", "A2", "A1", "physx"), LINE_COLORS, strict=True)),
    "exact": "#222222",
}
_MEANING = dict(
    zip(
        GROUPS,
        ("truth only", "S-CCD only", "fan only", "truth, S-CCD", "truth, fan", "S-CCD, fan", "all three"),
        strict=True,
    )
)
_READINGS = {
    "pairs": "both sides of each test random",
    "one": "one against all",
    "once": "one volume against all",
    "once, all cores": "the public call",
    "each": "a volume for each",
}
_TRUTHS = {"100 poses": "the box at 100 poses, as in the thesis", "sweep": "the continuous sweep"}
_MOST_POINTS = 20_000  # of a group that are drawn
_ELEVATION, _AZIMUTH = 0.45, 0.6  # of the eye [radians]


def plot_bins(bins: Mapping[str, Sequence[Bin]], path: Path, label: str, title: str) -> None:
    """Draw Fig. 3.8 or 3.9: mean accuracy of every method by bin, a panel for each truth; label: of the x axis."""
    drawn, panels = gridded(1, len(bins), (6.0 * len(bins), 4.6))
    for panel, (truth, every) in zip(panels[0], bins.items(), strict=True):
        middle = [0.5 * (one.low + one.high) for one in every]
        for method in METHODS:
            strong = method in ("fan", "D1", "A1")
            panel.plot(
                *(middle, [one.accuracy[method] for one in every], "o-" if strong else "-"),
                color=_COLORS[method],
                label=method,
                markersize=3.5,
                linewidth=1.6 if strong else 1.0,
            )
        panel.set_ylim(0.0, 103.0)
        panel.set_xlabel(label)
        panel.set_title(f"against {_TRUTHS[truth]}", fontsize=9)
    panels[0, 0].set_ylabel("mean accuracy [%]")
    handles, names = panels[0, 0].get_legend_handles_labels()
    drawn.legend(handles, names, frameon=False, fontsize=8, ncols=len(METHODS), loc="outside lower center", columnspacing=1.4)
    drawn.suptitle(title, fontsize=11)
    drawn.savefig(path, dpi=DOTS)


def plot_groups(groups: dict[str, NDArray[np.float64]], swing: NDArray[np.float64], path: Path) -> None:
    """Draw Figs. 3.1 to 3.7: the lattice's points of each group, the axis black, the box at its start red."""
    drawn, panels = figure(2, 4, (14.0, 7.4))
    frame = oblique_frame(_ELEVATION, _AZIMUTH)
    for number, (panel, (name, points)) in enumerate(zip(panels.ravel(), groups.items(), strict=False), 1):
        few = points[:: max(1, -(-len(points) // _MOST_POINTS))]
        seen = few @ frame.T
        order = np.argsort(seen[:, 2])
        panel.scatter(
            *(seen[order, 0], seen[order, 1]),
            c=seen[order, 2],
            cmap="viridis",
            s=1.2,
            linewidths=0.0,
            vmin=-40.0,
            vmax=40.0,
        )
        panel.set_title(f"Fig. 3.{number}, {name}: {_MEANING[name]} ({len(points):,})", fontsize=10)
    for panel in panels.ravel():
        _outline(panel, swing, frame)
    panels[1, 3].set_title("axis, and the box at its start", fontsize=10)
    drawn.suptitle(f"a box that turns by {np.degrees(swing[10]):.0f} degrees; truth: 100 poses; S-CCD: D1", fontsize=11)
    drawn.savefig(path, dpi=DOTS)


def _outline(panel: Any, swing: NDArray[np.float64], frame: NDArray[np.float64]) -> None:
    """Draw axis and box of a swing (11,)."""
    axis, out = swing[:3], swing[3:6]
    across = np.cross(axis, out)
    ends = np.outer((-30.0, 30.0), axis) @ frame.T
    panel.plot(ends[:, 0], ends[:, 1], "-", color="#222222", linewidth=0.9)
    signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    corners = (swing[6] * out + (signs * swing[7:10]) @ np.array((across, out, axis))) @ frame.T
    for k in range(8):
        for bit in (1, 2, 4):
            if not k & bit:
                edge = corners[[k, k | bit]]
                panel.plot(edge[:, 0], edge[:, 1], "-", color="#c8201a", linewidth=0.9)
    panel.set_xlim(-48.0, 48.0)
    panel.set_ylim(-48.0, 48.0)
    panel.set_aspect("equal")
    panel.set_axis_off()


def plot_times(rows: Sequence[Times], path: Path, title: str) -> None:
    """Draw one of Figs. 3.10 to 3.14: box plots of the times, a panel for each reading; red: the published means."""
    readings = list(dict.fromkeys(row.reading for row in rows))
    drawn, panels = gridded(1, len(readings), (max(2.4 * len(readings), 1.6 + 0.62 * len(rows)), 5.4))
    for panel, reading in zip(panels[0], readings, strict=True):
        mine = [row for row in rows if row.reading == reading]
        panel.boxplot([1e3 * row.seconds for row in mine], whis=(0, 100), widths=0.6, medianprops={"color": "#3b6ea8"})
        for k, row in enumerate(mine):
            if row.published is not None:
                panel.plot(k + 1, row.published[0], "_", color="#c8553d", markersize=11, markeredgewidth=1.5)
        names = [f"{row.name}\n{row.method}" if row.method else row.name for row in mine]
        panel.set_xticks(range(1, len(mine) + 1), names, rotation=60, ha="right", fontsize=8)
        panel.set_yscale("log")
        panel.set_title(f"{reading}:\n{_READINGS[reading]}", fontsize=9)
    low, high = (f(p.get_ylim()[k] for p in panels[0]) for k, f in enumerate((min, max)))
    for panel in panels[0]:
        panel.set_ylim(low, high)
    panels[0, 0].set_ylabel("time of all tests [ms]; red: published mean")
    drawn.suptitle(title, fontsize=11)
    drawn.savefig(path, dpi=DOTS)
