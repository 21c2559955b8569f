"""Pictures of the first paper's experiments, each written to a PNG file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from .drawing import DOTS, LINE_COLORS
from .figures import gridded
from .radar import Cost, Fit, RadarFrame
from .radar_accuracy import Accuracy, orders
from .radar_gl import GlCost
from .radar_repairs import STEPS, Worth

_RANGE, _MASK, _ANALYSIS, _NORMAL = "#3b6ea8", "#e08a3c", "#6aa56a", "#8c8c8c"


def plot_costs(costs: Sequence[Cost], path: Path) -> None:
    """Draw Fig. 7: a panel for each scene, stacked bars of R, M and the analysis, the normal drawing on the right."""
    scenes = list(dict.fromkeys(cost.polygons for cost in costs))
    columns = min(2, len(scenes))
    drawn, panels = gridded(-(-len(scenes) // columns), columns, (7.0 * columns, 4.2 * -(-len(scenes) // columns)))
    for panel, polygons in zip(panels.ravel(), scenes, strict=False):
        mine = [cost for cost in costs if cost.polygons == polygons]
        _cost_panel(panel, mine)
        panel.set_title(f"{polygons:,} polygons", fontsize=11)
    for panel in panels.ravel()[len(scenes) :]:
        panel.set_visible(False)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside upper center", ncols=5, frameon=False)
    drawn.supxlabel("pixels along each side, by side of the cubic target area [length]", fontsize=10)
    drawn.savefig(path, dpi=DOTS)


def _cost_panel(panel: Any, costs: Sequence[Cost]) -> None:
    """Draw one panel of Fig. 7."""
    sides = list(dict.fromkeys(cost.side for cost in costs))
    group = max(sum(cost.side == side for cost in costs) for side in sides)
    places, seen = [], dict.fromkeys(sides, 0)
    for cost in costs:
        places.append(sides.index(cost.side) * (group + 1.0) + seen[cost.side])
        seen[cost.side] += 1
    at = np.array(places)
    ms = 1e3 * np.array([(cost.range, cost.mask, cost.analysis) for cost in costs])
    floor = np.zeros(len(costs))
    for k, (label, color) in enumerate((("draw R (target)", _RANGE), ("draw M (sensor)", _MASK), ("analysis", _ANALYSIS))):
        panel.bar(at, ms[:, k], 0.85, bottom=floor, color=color, label=label)
        floor += ms[:, k]
    normal = 1e3 * costs[0].normal
    last = len(sides) * (group + 1.0) + 0.3
    panel.axhspan(0.1 * normal, 0.6 * normal, color="#f3ead7", zorder=0.0, label="R + M as published: 10 % to 60 % of N")
    panel.bar([last], [normal], 1.3, color=_NORMAL, label="N: normal drawing, 640 x 480")
    panel.text(last, normal, f"{normal:.3g}", ha="center", va="bottom", fontsize=9)
    panel.set_ylim(0.0, 1.1 * max(normal, float(floor.max())))
    panel.set_ylabel("time [ms]")
    panel.set_xticks([*at, last], [*(str(cost.pixels) for cost in costs), "N"], fontsize=7)
    for k, side in enumerate(sides):
        middle = k * (group + 1.0) + 0.5 * (group - 1.0)
        panel.annotate(
            f"{side:g}", (middle, 0.0), (0.0, -26.0), ("data", "axes fraction"), "offset points", ha="center", fontsize=9
        )
    panel.tick_params(axis="x", length=0)


def plot_gl_costs(costs: Sequence[GlCost], path: Path) -> None:
    """Draw Fig. 7 on OpenGL: a panel for each scene, (R + M) / N by pixels, a line for each target area."""
    scenes = list(dict.fromkeys(cost.polygons for cost in costs))
    columns = min(2, len(scenes))
    drawn, panels = gridded(-(-len(scenes) // columns), columns, (6.0 * columns, 3.8 * -(-len(scenes) // columns)))
    for panel, polygons in zip(panels.ravel(), scenes, strict=False):
        mine = [cost for cost in costs if cost.polygons == polygons]
        panel.axhspan(10.0, 60.0, color="#f3ead7", zorder=0.0, label="published: 10 % to 60 %")
        for side, color in zip(dict.fromkeys(cost.side for cost in mine), LINE_COLORS, strict=False):
            line = [cost for cost in mine if cost.side == side]
            pixels = [cost.pixels for cost in line]
            panel.plot(pixels, [100.0 * cost.share for cost in line], "o-", color=color, markersize=4, label=f"side {side:g}")
            exact = [100.0 * cost.exact_share for cost in line]
            label = f'side {side:g}, R and M by backend="gl"'
            panel.plot(pixels, exact, "o--", color=color, markerfacecolor="none", linewidth=0.9, markersize=4, label=label)
        panel.set_xlim(left=0.0)
        panel.set_ylim(bottom=0.0)
        panel.set_title(f"{polygons:,} polygons, N {1e3 * mine[0].normal:.3g} ms", fontsize=11)
        panel.set_ylabel("(R + M) / N [%]")
        panel.set_xlabel("pixels along each side")
    for panel in panels.ravel()[len(scenes) :]:
        panel.set_visible(False)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    drawn.savefig(path, dpi=DOTS)


def plot_frames(frames: Sequence[RadarFrame], fits: Sequence[Fit], path: Path) -> None:
    """Draw Fig. 8: time by number of radars, detection alone and with the normal drawing, a line for each resolution."""
    drawn, panels = gridded(1, 1, (6.8, 5.0))
    panel = panels[0, 0]
    for fit, color in zip(fits, LINE_COLORS, strict=False):
        mine = [frame for frame in frames if frame.pixels == fit.pixels]
        count = np.array([frame.radars for frame in mine])
        panel.plot(
            count, [1e3 * frame.seconds for frame in mine], "o", color=color, label=f"{fit.pixels} x {fit.pixels} pixels"
        )
        ends = np.array((0.0, count.max()))
        label = f"{1e3 * fit.start:.2g} ms + {1e3 * fit.each:.2g} ms a radar"
        panel.plot(ends, 1e3 * (fit.start + fit.each * ends), "-", color=color, linewidth=1.2, label=label)
        label = "with a normal drawing, 640 x 480"
        whole = [1e3 * frame.frame for frame in mine]
        panel.plot(count, whole, "o--", color=color, markerfacecolor="none", linewidth=0.9, label=label)
    panel.set_xlim(left=0.0)
    panel.set_ylim(bottom=min(0.0, *(1e3 * fit.start for fit in fits)))
    panel.set_xlabel("radars")
    panel.set_ylabel("time of a frame [ms]")
    panel.set_title("50 balls of 128 polygons in a cube, no mask reused", fontsize=11)
    drawn.legend(loc="outside upper center", ncols=len(fits), frameon=False, fontsize=8)
    drawn.savefig(path, dpi=DOTS)


def plot_accuracy(rows: Sequence[Accuracy], path: Path) -> None:
    """Draw errors by resolution, sampled left and bounding right, with lines of order 1 and 2."""
    drawn, panels = gridded(1, 2, (11.0, 4.8))
    order = orders(rows)
    kinds = list(dict.fromkeys(row.kind for row in rows))
    ticks = sorted({row.pixels for row in rows})
    for panel, bounding, title in zip(
        panels[0], (False, True), ("sampled: above the exact travel", "bounding: below the exact travel"), strict=True
    ):
        for kind, color in zip(kinds, LINE_COLORS, strict=False):
            mine = [row for row in rows if (row.kind, row.bounding) == (kind, bounding)]
            slope = order.get((kind, bounding))
            label = kind if slope is None else f"{kind}: order {slope:.2f}"
            pixels = [row.pixels for row in mine]
            panel.loglog(pixels, [row.mean for row in mine], "o-", color=color, label=label, markersize=4)
            panel.loglog(pixels, [row.worst for row in mine], ":", color=color, linewidth=1.0)
        ends = np.array((ticks[0], ticks[-1]), np.float64)
        panel.loglog(ends, 1.0 / ends, "--", color="#999999", linewidth=0.9, label="one pixel (order 1)")
        if not bounding:
            panel.loglog(ends, 1.0 / ends**2, "-.", color="#999999", linewidth=0.9, label="its square (order 2)")
        panel.set_xticks(ticks, [str(n) for n in ticks])
        panel.minorticks_off()
        low, high = np.log10(panel.get_ylim())
        panel.set_ylim(10.0 ** np.floor(low), 10.0 ** np.ceil(high))
        panel.set_xlabel("pixels along each side")
        panel.set_ylabel("error / mover's size")
        panel.set_title(f"{title} (mean; dotted: worst)", fontsize=11)
        panel.legend(frameon=False, fontsize=8, loc="lower left")
    drawn.savefig(path, dpi=DOTS)


def plot_repairs(rows: Sequence[Worth], path: Path) -> None:
    """Draw what each repair changes, over all cases: wrong answers left, errors of the normal right."""
    mine = [row for row in rows if row.group == "all"]
    drawn, panels = gridded(1, 2, (11.0, 4.4))
    at = np.arange(len(mine))
    left, right = panels[0]
    wrong = (
        ("false alarms", [row.alarms for row in mine]),
        ("early", [0 if row.step == "bounding" else row.early for row in mine]),
        ("missed", [row.missed for row in mine]),
    )
    for k, (label, counts) in enumerate(wrong):
        bars = left.bar(at + 0.27 * (k - 1), counts, 0.25, color=LINE_COLORS[k], label=label)
        left.bar_label(bars, fontsize=8)
    left.set_ylabel(f"of {mine[0].cases:,} cases, {mine[0].hits:,} hits")
    left.set_title("wrong answers (bounds are early by design: not counted)", fontsize=10)
    for k, (label, values) in enumerate((("median", [row.normal for row in mine]), ("90 %", [row.p90 for row in mine]))):
        bars = right.bar(at + 0.36 * (k - 0.5), values, 0.34, color=LINE_COLORS[3 + k], label=label)
        right.bar_label(bars, fmt="%.1f", fontsize=8)
    right.set_ylabel("degrees")
    right.set_title("error of the normal", fontsize=10)
    for panel in (left, right):
        panel.set_xticks(at, [fill(step, 11) for step in STEPS], fontsize=8)
        panel.legend(frameon=False, fontsize=9)
    drawn.savefig(path, dpi=DOTS)
