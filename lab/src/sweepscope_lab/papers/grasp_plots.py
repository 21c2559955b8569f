"""Pictures of the grasping experiments: Fig. 16 by frame, Fig. 14 by target, and the error of radars."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .drawing import DOTS, LINE_COLORS
from .figures import gridded
from .grasp import (
    GOAL,
    METHODS,
    PUBLISHED_RADARS,
    PUBLISHED_SECONDS,
    STARTS,
    GraspFrame,
    JointError,
    Spread,
    TargetResult,
    method_name,
    spreads,
)
from .grasp_gl import GlGraspFrame

_COLORS = {"radar": "#3b6ea8", "exact": "#c8553d"}
_PALE = {"radar": "#b0c7e0", "exact": "#e9b8ac"}
_PHASES = {"search": "#d9d4c7", "approach": "#f0cf7a", "four": "#8fbf8f", "fingers": "#3d8f8a", "done": "#ffffff"}
_INK = "#222222"
_SHARES = (1, 2, 5, 10, 20, 60)  # ticks [%]
_GROUND = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1.0}  # keeps text readable over bars


def plot_frames(rows: Sequence[GraspFrame], path: Path) -> None:
    """Draw Fig. 16 again, a column for each method: detections of every frame, its time, the phase of each hand."""
    methods = [method for method in METHODS if any(row.method == method for row in rows)]
    drawn, panels = gridded(3, len(methods), (6.4 * len(methods), 7.6))
    drawn.get_layout_engine().set(h_pad=0.05)
    heights = panels[0, 0].get_gridspec()
    heights.set_height_ratios((4.0, 4.0, 1.2))
    most = max(max(row.detections for row in rows), PUBLISHED_RADARS)
    slowest = max(max(row.slowest for row in rows), PUBLISHED_SECONDS)
    fastest = min(row.seconds for row in rows if row.detections)
    for (counts, times, phases), method in zip(panels.T, methods, strict=True):
        mine = [row for row in rows if row.method == method]
        at = np.array([row.frame for row in mine])
        counts.bar(at, [row.detections for row in mine], 1.0, color=_COLORS[method])
        _mark(counts, PUBLISHED_RADARS, f"published: at most {PUBLISHED_RADARS} radars", at[-1])
        counts.set_ylim(0.0, 1.15 * most)
        counts.set_ylabel("detections in a frame")
        counts.set_title(f"{method_name(mine[0])}", fontsize=11)
        seconds, slow = (1e3 * np.array([getattr(row, name) for row in mine]) for name in ("seconds", "slowest"))
        times.fill_between(at, seconds, slow, color=_PALE[method], linewidth=0.0, label="slowest of the rounds")
        times.plot(at, seconds, "-", color=_COLORS[method], linewidth=1.0, label="fastest of the rounds")
        many = np.array([row.detections >= PUBLISHED_RADARS for row in mine])
        if many.any():
            times.plot(at[many], seconds[many], ".", color=_INK, markersize=4, label=f"{PUBLISHED_RADARS} detections or more")
        times.set_yscale("log")
        times.set_ylim(0.5e3 * fastest, 2.0e3 * slowest)
        times.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        _mark(times, 1e3 * PUBLISHED_SECONDS, f"published: {1e3 * PUBLISHED_SECONDS:.0f} ms at worst", at[-1])
        _mark(times, 1e3 * GOAL, f"a frame of a game: {1e3 * GOAL:.0f} ms", at[-1])
        times.set_ylabel("time of a frame [ms]")
        times.legend(frameon=False, fontsize=8, loc="lower left", ncols=2)
        _draw_phases(phases, mine)
        for panel in (counts, times, phases):
            panel.set_xlim(at[0] - 0.5, at[-1] + 0.5)
        for panel in (counts, times):
            panel.tick_params(labelbottom=False)
    from matplotlib.patches import Patch

    patches = [Patch(facecolor=color, edgecolor="#bbbbbb", label=name) for name, color in _PHASES.items()]
    drawn.legend(handles=patches, loc="outside lower center", ncols=len(patches), frameon=False, fontsize=9)
    drawn.suptitle(f"Fig. 16: {rows[0].hands} hands grasp one target at once ({rows[0].target})", fontsize=12)
    drawn.savefig(path, dpi=DOTS)


def plot_gl_frames(rows: Sequence[GlGraspFrame], path: Path) -> None:
    """Draw Fig. 16 on OpenGL: radars of every frame, times of R, M and N, and the share of one radar by their number."""
    drawn, panels = gridded(3, 1, (8.4, 9.6))
    counts, times, shares = panels[:, 0]
    at, radars = np.array([(row.frame, row.radars) for row in rows]).T
    counts.bar(at, radars, float(np.diff(at).min(initial=1)), color=_COLORS["radar"])
    _mark(counts, PUBLISHED_RADARS, f"published: at most {PUBLISHED_RADARS} radars", at[-1])
    counts.set_ylim(0.0, 1.15 * max(int(radars.max()), PUBLISHED_RADARS))
    counts.set_ylabel("radars in a frame")
    ranges, masks, normals = 1e3 * np.array([(row.range, row.mask, row.normal) for row in rows]).T
    heights = ranges, ranges + masks, ranges + masks + normals
    for low, high, label, color in (
        (0.0, heights[0], "R of all radars", LINE_COLORS[0]),
        (heights[0], heights[1], "M of all radars", LINE_COLORS[1]),
        (heights[1], heights[2], "N: normal drawing, 640 x 480", "#c9c9c9"),
    ):
        times.fill_between(at, low, high, color=color, linewidth=0.0, label=label)
    ours = [1e3 * (row.exact_range + row.exact_mask) for row in rows]
    times.plot(at, ours, "-", color=_INK, linewidth=0.9, label='R + M by backend="gl"')
    times.set_ylim(0.0, 1.35 * max(float(heights[2].max()), *ours))
    times.set_ylabel("time [ms]")
    times.set_xlabel("frame")
    times.legend(frameon=False, fontsize=8, ncols=2, loc="upper left")
    shares.axhspan(10.0, 60.0, color="#f3ead7", zorder=0.0)
    shares.text(0.5 * radars.max(), 24.0, "published of one radar: 10 % to 60 % (Fig. 7)", ha="center", va="center", fontsize=8)
    shares.plot(radars, [100.0 * row.each for row in rows], "o", color=LINE_COLORS[0], markersize=4, label="plain")
    exact = [100.0 * row.exact_each for row in rows]
    shares.plot(radars, exact, "o", color=_INK, markerfacecolor="none", markersize=4, label='R and M by backend="gl"')
    shares.set_xlim(left=0.0)
    shares.set_yscale("log")
    shares.set_ylim(0.8 * min(*exact, *(100.0 * row.each for row in rows)), 100.0)
    shares.set_yticks(_SHARES, [f"{share:g}" for share in _SHARES])
    shares.minorticks_off()
    shares.set_ylabel("(R + M) / N of one radar [%]")
    shares.set_xlabel("radars in the frame")
    shares.legend(frameon=False, fontsize=8, ncols=2, loc="upper right")
    one = rows[0]
    drawn.suptitle(f"Fig. 16 on OpenGL: {one.hands} hands on a {one.target}, {one.polygons:,} triangles", fontsize=12)
    drawn.savefig(path, dpi=DOTS)


def _draw_phases(panel: Any, rows: Sequence[GraspFrame]) -> None:
    from matplotlib.colors import to_rgb

    picture = np.array([[to_rgb(_PHASES[phase]) for phase in row.phases] for row in rows]).transpose(1, 0, 2)
    hands = picture.shape[0]
    edges = (rows[0].frame - 0.5, rows[-1].frame + 0.5, hands + 0.5, 0.5)
    panel.imshow(picture, extent=edges, aspect="auto", interpolation="nearest")
    panel.set_yticks(range(1, hands + 1))
    panel.tick_params(axis="y", labelsize=7, length=0)
    panel.grid(visible=False)
    panel.set_ylabel("hand")
    panel.set_xlabel("frame")


def _mark(panel: Any, value: float, text: str, right: float) -> None:
    """Draw a level line with its text above it, at the right."""
    panel.axhline(value, color=_INK, linewidth=0.9, linestyle="--")
    place = {"xytext": (0.0, 3.0), "textcoords": "offset points", "ha": "right", "va": "bottom"}
    panel.annotate(text, (right, value), **place, fontsize=8, color=_INK, bbox=_GROUND)


def plot_targets(rows: Sequence[TargetResult], path: Path) -> None:
    """Draw Fig. 14 as numbers: frames, contacts, worst frame and deepest penetration of every target, by both methods."""
    names = list(dict.fromkeys(row.target for row in rows))
    drawn, panels = gridded(2, 2, (13.0, 7.4))
    at = np.arange(len(names))
    kinds = (
        ("frames until every joint has ended", lambda row: row.frames, "{:.0f}", False),
        ("contacts at the end", lambda row: row.contacts, "{:.0f}", False),
        ("worst frame [ms]", lambda row: 1e3 * row.slowest, "{:.1f}", False),
        ("deepest penetration, share of the hand's size", lambda row: row.depth, "{:.0e}", True),
    )
    for panel, (label, value, form, log) in zip(panels.ravel(), kinds, strict=True):
        for k, method in enumerate(METHODS):
            mine = {row.target: row for row in rows if row.method == method}
            values = np.array([value(mine[name]) for name in names])
            places = at + 0.4 * (k - 0.5)
            if log:
                # A logarithmic axis has no 0: it is drawn as 1e-12 and labeled 0.
                values = np.maximum(values, 1e-12)
            panel.bar(places, values, 0.37, color=_COLORS[method], label=method)
            for x, y in zip(places, values, strict=True):
                text = "0" if log and y <= 1e-12 else form.format(y)
                panel.text(x, y, text, ha="center", va="bottom", fontsize=6.5)
        if log:
            panel.set_yscale("log")
            panel.set_ylim(1e-12, 30.0)
            panel.axhline(1e-6, color=_INK, linewidth=0.9, linestyle="--")
            panel.text(0.99, 0.97, "dashed: 1e-6", transform=panel.transAxes, ha="right", va="top", fontsize=8)
        panel.set_ylabel(label)
        panel.set_xticks(at, names)
        panel.margins(y=0.15)
    panels[0, 0].legend(frameon=False, fontsize=9, loc="upper right", ncols=2)
    drawn.suptitle(
        f"Fig. 14: one hand, {len(names)} targets; radars of {rows[0].pixels} x {rows[0].pixels} pixels", fontsize=12
    )
    drawn.savefig(path, dpi=DOTS)


def plot_errors(rows: Sequence[JointError], path: Path) -> None:
    """Draw the errors of joints, a row for each start: a histogram in pixels' angles, and curves by pixel count."""
    pixels = sorted({row.pixels for row in rows})
    shown = 50 if 50 in pixels else pixels[0]
    drawn, panels = gridded(len(STARTS), 2, (12.0, 4.0 * len(STARTS)))
    for (bars, curves), start in zip(panels, STARTS, strict=True):
        mine = [row for row in rows if row.start == start]
        _histogram(bars, [row for row in mine if row.pixels == shown], shown)
        bars.set_title(STARTS[start], fontsize=10)
        _curves(curves, [row for row in spreads(rows) if row.start == start])
        curves.set_title("by pixels", fontsize=10)
    drawn.suptitle("angles at which joints end: radar less exact", fontsize=12)
    drawn.savefig(path, dpi=DOTS)


def _histogram(panel: Any, rows: Sequence[JointError], pixels: int) -> None:
    """Draw errors in pixels' angles; those beyond the axis count in its end bins."""
    edge = 2.0
    values = np.array([row.in_pixels for row in rows])
    within = np.count_nonzero(np.abs(values) <= 1.0)
    bins = np.linspace(-edge, edge, 82)
    panel.axvspan(-1.0, 1.0, color="#eef3e6", linewidth=0.0, zorder=0)
    # Logarithmic: most errors are near 0, and a single larger one must be visible.
    panel.hist(np.clip(values, -edge, edge), bins, color=_COLORS["radar"], log=True)
    panel.set_ylim(0.7, 2.0 * len(values))
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    early, late = np.count_nonzero(values < -1.0), np.count_nonzero(values > 1.0)
    text = f"{within} of {len(values)} within one\n{early} earlier\n{late} later"
    panel.text(0.02, 0.95, text, transform=panel.transAxes, ha="left", va="top", fontsize=9)
    panel.set_xlim(-edge, edge)
    panel.set_xlabel(f"error in pixels' angles, {pixels} x {pixels}; below 0: stopped early; at the rims: {edge:g} or more")
    panel.set_ylabel("joints")


def _curves(panel: Any, rows: Sequence[Spread]) -> None:
    pixels = [row.pixels for row in rows]
    for name, label, style in (
        ("median", "median", "o-"),
        ("p95", "95 %", "s-"),
        ("worst", "worst", "^-"),
        ("pixel", "a pixel's angle, median", ":"),
    ):
        color = _INK if name == "pixel" else _COLORS["radar"]
        values = np.maximum([getattr(row, name) for row in rows], 1e-6)
        panel.loglog(pixels, np.degrees(values), style, color=color, label=label, markersize=4, linewidth=1.1)
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.set_xticks(pixels, [str(each) for each in pixels])
    panel.minorticks_off()
    panel.set_xlabel("pixels along a side")
    panel.set_ylabel("size of the error [degrees]")
    low, high = panel.get_ylim()
    panel.set_ylim(low, 8.0 * high)
    panel.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
