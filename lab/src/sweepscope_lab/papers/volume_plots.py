"""Pictures of the third paper's experiment: Table 1, times by size, what each cull removes, times by frame, and Fig. 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .drawing import DOTS
from .figures import figure, gridded
from .volume import DATA, PUBLISHED, SIDE, Mean, VolumeFrame, exponents
from .volume_frames import Bytes

_PLANES, _LINES, _LIBRARY = "#c8553d", "#3b6ea8", "#6aa56a"
_PALE = {_PLANES: "#e9b8ac", _LINES: "#b0c7e0"}
_CULLS = {"box": "#d9d4c7", "planes": "#e9b8ac", "lines": "#7fa6cf", "tested": "#222222"}
_TOUCHING = "#f6e7b4"
_FIRST, _SECOND, _LEFT = "#3b6ea8", "#e08a3c", "#c8201a"
_SIZES = ("#3b6ea8", "#4aa3a3", "#e08a3c", "#c8553d")


def _title(data: int) -> str:
    return f"data {data}, {DATA[data]}"


def _whole(rows: Sequence[Mean], data: int) -> list[Mean]:
    """Return a data set's means over all frames, by size."""
    return sorted((row for row in rows if (row.data, row.part) == (data, "all")), key=lambda row: row.n)


def plot_table(rows: Sequence[Mean], path: Path) -> None:
    """Draw Table 1: times of a frame measured here, the published ones, and the ratios."""
    mine = [row for row in rows if (row.n, row.part) == (SIDE, "all")]
    drawn, panels = gridded(1, 3, (12.0, 4.2))
    ours, then, ratios = panels[0]
    at = np.arange(len(mine))
    for k, (name, color) in enumerate((("planes", _PLANES), ("lines", _LINES))):
        places = at + 0.38 * (k - 0.5)
        upkeep = np.array([1e6 * getattr(row.costs, f"{name}_upkeep") for row in mine])
        test = np.array([1e6 * getattr(row.costs, f"{name}_test") for row in mine])
        ours.bar(places, upkeep, 0.34, color=_PALE[color], label=f"box + planes{' + lines' if k else ''}: upkeep")
        ours.bar(places, test, 0.34, bottom=upkeep, color=color, label="test")
        _label(ours, places, upkeep + test, "{:.1f}")
        published = np.array([PUBLISHED[row.data][k] for row in mine])
        then.bar(places, published, 0.34, color=color, label="box + planes + lines (proposed)" if k else "box + planes")
        _label(then, places, published, "{:.2f}")
    for k, (values, color, label) in enumerate(
        (
            ([row.published for row in mine], "#8c8c8c", "published"),
            ([row.costs.ratio for row in mine], _LINES, "here, upkeep counted"),
            ([row.costs.test_ratio for row in mine], _PALE[_LINES], "here, test alone"),
        )
    ):
        places = at + 0.27 * (k - 1)
        ratios.bar(places, values, 0.25, color=color, label=label)
        _label(ratios, places, np.array(values), "{:.1f}")
    for panel, label, title in (
        (ours, "mean time of a frame [microseconds]", "here"),
        (then, "mean time of a frame [ms]", "published: Pentium II, 400 MHz"),
        (ratios, "times faster with lines", "ratio"),
    ):
        panel.set_xticks(at, [_title(row.data) for row in mine])
        panel.set_ylabel(label)
        panel.set_title(title, fontsize=11)
        panel.margins(y=0.25)
        panel.legend(frameon=False, fontsize=8, loc="upper right")
    drawn.suptitle(f"Table 1: two changing volumes, {SIDE} x {SIDE} x {SIDE} voxels each", fontsize=12)
    drawn.savefig(path, dpi=DOTS)


def _label(panel: Any, places: NDArray[Any], values: NDArray[Any], form: str) -> None:
    for x, y in zip(places, values, strict=True):
        panel.text(x, y, form.format(y), ha="center", va="bottom", fontsize=8)


def plot_sizes(rows: Sequence[Mean], path: Path) -> None:
    """Draw times by size, both axes logarithmic, and below them the gain by lines."""
    data = list(dict.fromkeys(row.data for row in rows))
    drawn, panels = gridded(2, len(data), (6.0 * len(data), 7.0))
    powers = exponents(rows)
    for times, ratios, number in zip(panels[0], panels[1], data, strict=True):
        mine = _whole(rows, number)
        n = [row.n for row in mine]
        for name, label, style, color in (
            ("by_planes", "box + planes, voxel by voxel", "o-", _PLANES),
            ("by_lines", "box + planes + lines, voxel by voxel", "o-", _LINES),
            ("overlap_planes", "library's overlap (test alone), box + planes", "s--", _LIBRARY),
            ("overlap_lines", "library's overlap (test alone), all three", "s-", _LIBRARY),
        ):
            power = powers[number, name]
            text = f"{label}: n^{power:.1f}" if np.isfinite(power) else label
            times.loglog(n, [1e6 * getattr(row.costs, name) for row in mine], style, color=color, label=text, markersize=4)
        ratios.semilogx(n, [row.costs.ratio for row in mine], "o-", color=_LINES, label="upkeep counted", markersize=4)
        ratios.semilogx(n, [row.costs.test_ratio for row in mine], "o:", color=_LINES, label="test alone", markersize=4)
        ratios.semilogx(
            n, [row.costs.library_ratio for row in mine], "s-", color=_LIBRARY, label="library's test", markersize=4
        )
        ratios.plot(SIDE, PUBLISHED[number][2], "*", color="#222222", markersize=10, label="published")
        ratios.set_yscale("log", base=2)
        ratios.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        times.set_title(_title(number), fontsize=11)
        times.set_ylabel("mean time of a frame [microseconds]")
        ratios.set_ylabel("times faster with lines")
        for panel in (times, ratios):
            panel.set_xticks(n, [str(size) for size in n])
            panel.minorticks_off()
            panel.set_xlabel("voxels along each axis")
            panel.legend(frameon=False, fontsize=8, loc="upper left")
        times.set_ylim(top=8.0 * times.get_ylim()[1])
    drawn.savefig(path, dpi=DOTS)


def plot_culls(rows: Sequence[Mean], path: Path) -> None:
    """Draw by size the share of the first volume's voxels that each cull removes, stacked."""
    data = list(dict.fromkeys(row.data for row in rows))
    drawn, panels = gridded(1, len(data), (5.4 * len(data), 4.4))
    for panel, number in zip(panels[0], data, strict=True):
        mine = _whole(rows, number)
        at, floor = np.arange(len(mine)), np.zeros(len(mine))
        for name, color in _CULLS.items():
            shares = np.array([100.0 * getattr(row.costs, name) for row in mine])
            panel.bar(at, shares, 0.6, bottom=floor, color=color, label="left to be tested" if name == "tested" else name)
            for x, low, share in zip(at, floor, shares, strict=True):
                if name != "tested" and share >= 3.0:
                    panel.text(x, low + 0.5 * share, f"{share:.1f} %", ha="center", va="center", fontsize=8)
                elif name == "tested":
                    panel.text(x, 101.0, f"left: {share:.2g} %", ha="center", va="bottom", fontsize=8)
            floor += shares
        panel.set_xticks(at, [f"{row.n}^3" for row in mine])
        panel.set_ylim(0.0, 108.0)
        panel.set_ylabel("share of the first volume's voxels [%]")
        panel.set_title(f"{_title(number)}: removed by each cull, mean over frames", fontsize=11)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    drawn.savefig(path, dpi=DOTS)


def plot_frames(rows: Sequence[VolumeFrame], path: Path) -> None:
    """Draw the time of each frame of Table 1; frames in which the two touch are yellow."""
    data = list(dict.fromkeys(row.data for row in rows))
    drawn, panels = gridded(len(data), 1, (10.0, 3.2 * len(data)))
    for panel, number in zip(panels[:, 0], data, strict=True):
        mine = [row for row in rows if row.data == number]
        at = [row.frame for row in mine]
        label = "the two touch"
        for row in mine:
            if row.touching:
                panel.axvspan(row.frame - 0.5, row.frame + 0.5, color=_TOUCHING, linewidth=0.0, label=label)
                label = None
        panel.plot(at, [1e6 * row.costs.by_planes for row in mine], "-", color=_PLANES, linewidth=1.1, label="box + planes")
        panel.plot(
            at, [1e6 * row.costs.by_lines for row in mine], "-", color=_LINES, linewidth=1.1, label="box + planes + lines"
        )
        panel.plot(at, [1e6 * row.costs.lines_upkeep for row in mine], ":", color=_LINES, linewidth=1.0, label="its upkeep")
        panel.set_ylim(0.0, 1.25e6 * max(row.costs.by_planes for row in mine))
        panel.set_xlim(at[0], at[-1])
        panel.set_ylabel("time [microseconds]")
        panel.set_title(f"{_title(number)}: upkeep and test of each frame, {mine[0].n}^3", fontsize=11)
        panel.legend(fontsize=8, ncols=4, loc="upper right", facecolor="white", edgecolor="none", framealpha=1.0)
    panels[-1, 0].set_xlabel("frame")
    drawn.savefig(path, dpi=DOTS)


def plot_worth(rows: Sequence[VolumeFrame], path: Path) -> None:
    """Draw the gain by lines in every frame, by the number of voxels that planes leave per changed voxel."""
    drawn, panels = gridded(1, 1, (7.6, 4.8))
    panel = panels[0, 0]
    sizes = sorted({row.n for row in rows})
    for data, marker in zip(DATA, "o^", strict=True):
        for n, color in zip(sizes, _SIZES, strict=False):
            mine = [row for row in rows if (row.data, row.n) == (data, n) and not row.touching]
            left = [n**3 * row.costs.after_planes / max(row.costs.changed, 1.0) for row in mine]
            ratios = [row.costs.ratio for row in mine]
            panel.plot(left, ratios, marker, color=color, markersize=4.5, alpha=0.7, label=f"{_title(data)}, {n}^3", mew=0.0)
    panel.axhline(1.0, color="#222222", linewidth=0.9)
    panel.set_xscale("log")
    panel.set_yscale("log", base=2)
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.set_xlabel("voxels left by box and planes, for each that changed")
    panel.set_ylabel("times faster with lines, upkeep counted")
    panel.set_title("where lines are worth their upkeep: frames without contact", fontsize=11)
    for ticks in (panel.xaxis.set_major_formatter, panel.xaxis.set_minor_formatter):
        ticks(lambda value, _: f"{value:g}")
    panel.tick_params(axis="x", which="minor", labelsize=8)
    panel.set_ylim(bottom=min(0.55, panel.get_ylim()[0]))
    panel.legend(frameon=False, fontsize=8, ncols=2, loc="lower right")
    drawn.savefig(path, dpi=DOTS)


# ---- Fig. 2


@dataclass(frozen=True, slots=True, eq=False)
class _Slice:
    """Voxel lines of a volume in one plane across y, by x: zmin and one past zmax; equal where the line is empty."""

    filled: NDArray[np.bool_]
    """Which voxels are occupied, shape (nx, nz)."""
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    at: tuple[int, int]
    """Place of its voxel (0, 0), x and z."""


def _slice(filled: NDArray[np.bool_], at: tuple[int, int]) -> _Slice:
    some = filled.any(axis=1)
    low = np.where(some, filled.argmax(axis=1), 0)
    high = np.where(some, filled.shape[1] - filled[:, ::-1].argmax(axis=1), 0)
    return _Slice(filled, low + at[1], high + at[1], at)


def _live(first: NDArray[np.bool_], second: NDArray[np.bool_], offset: NDArray[np.int64], axis: int) -> NDArray[np.bool_]:
    """Return which planes of the first across an axis have occupied voxels in both."""
    others = tuple({0, 1, 2} - {axis})
    mine, theirs = np.asarray(first.any(axis=others)), np.asarray(second.any(axis=others))
    at = np.arange(len(mine)) - offset[axis]
    inside = (at >= 0) & (at < len(theirs))
    return mine & inside & theirs[np.where(inside, at, 0)]


def _left_by_lines(first: NDArray[np.bool_], second: NDArray[np.bool_], offset: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each y of the first how many voxels the lines of that plane leave."""
    left = np.zeros(first.shape[1], np.int64)
    for y in range(first.shape[1]):
        if 0 <= y - offset[1] < second.shape[1]:
            a = _slice(first[:, y], (0, 0))
            b = _slice(second[:, y - offset[1]], (int(offset[0]), int(offset[2])))
            left[y] = sum(max(0, high - low) for _, low, high in _remaining(a, b))
    return left


def _remaining(a: _Slice, b: _Slice) -> list[tuple[int, int, int]]:
    """Return where lines of both can share a voxel: x, lowest z, one past the highest."""
    found = []
    for x in range(max(0, b.at[0]), min(len(a.low), len(b.low) + b.at[0])):
        k = x - b.at[0]
        if a.low[x] < a.high[x] and b.low[k] < b.high[k]:
            low, high = max(a.low[x], b.low[k]), min(a.high[x], b.high[k])
            if low < high:
                found.append((x, int(low), int(high)))
    return found


def plot_lines(scenes: Sequence[tuple[str, tuple[Bytes, Bytes], NDArray[np.int64]]], path: Path) -> None:
    """Draw Fig. 2 again, a row for each scene (title, alpha of both, offset): a plane across y through two volumes.

    Left: the voxels, and what box and planes leave to be tested. Right: each line from zmin to zmax, and what lines leave.
    """
    drawn, panels = figure(len(scenes), 2, (11.0, 5.3 * len(scenes)))
    for (left, right), (title, alphas, offset) in zip(panels, scenes, strict=True):
        first, second = (alpha > 0 for alpha in alphas)
        y = int(_left_by_lines(first, second, offset).argmax())
        a = _slice(first[:, y], (0, 0))
        b = _slice(second[:, y - offset[1]], (int(offset[0]), int(offset[2])))
        left_by_planes = _live(first, second, offset, 0)[:, None] & _live(first, second, offset, 2)
        for panel in (left, right):
            _voxels(panel, a, _FIRST)
            _voxels(panel, b, _SECOND)
            panel.set_xlim(min(0, b.at[0]), max(len(a.low), b.at[0] + len(b.low)))
            panel.set_ylim(min(0, b.at[1]), max(a.filled.shape[1], b.at[1] + b.filled.shape[1]))
            panel.set_aspect("equal")
            panel.set_xlabel("x [voxels]")
            panel.set_ylabel("z [voxels]")
        _voxels(left, _slice(left_by_planes, (0, 0)), _LEFT)
        left.set_title(
            f"{title}, plane y = {y}\nbox and planes leave {np.count_nonzero(left_by_planes):,} voxels of it (red)", fontsize=10
        )
        _spans(right, a, _FIRST)
        _spans(right, b, _SECOND)
        rest = np.zeros_like(left_by_planes)
        for x, low, high in _remaining(a, b):
            rest[x, low:high] = left_by_planes[x, low:high]
        _voxels(right, _slice(rest, (0, 0)), _LEFT, 0.9)
        right.set_title(f"lines, each from its zmin to its zmax,\nleave {np.count_nonzero(rest):,} voxels (red)", fontsize=10)
    drawn.suptitle("Fig. 2: voxel lines of the first volume (blue) and of the second (orange)", fontsize=12)
    drawn.savefig(path, dpi=DOTS)


def _voxels(panel: Any, one: _Slice, color: str, strength: float = 0.35) -> None:
    """Draw occupied voxels."""
    from matplotlib.colors import to_rgba

    picture = np.zeros((*one.filled.T.shape, 4))
    picture[one.filled.T] = to_rgba(color, strength)
    nx, nz = one.filled.shape
    x, z = one.at
    panel.imshow(picture, origin="lower", extent=(x, x + nx, z, z + nz), interpolation="nearest", aspect="equal")


def _spans(panel: Any, one: _Slice, color: str) -> None:
    """Draw lines from zmin to zmax, a dot at each end."""
    some = one.low < one.high
    middle = np.arange(len(one.low))[some] + one.at[0] + 0.5
    panel.vlines(middle, one.low[some], one.high[some], color=color, linewidth=1.0)
    panel.plot(middle, one.low[some], ".", color=color, markersize=3)
    panel.plot(middle, one.high[some], ".", color=color, markersize=3)
