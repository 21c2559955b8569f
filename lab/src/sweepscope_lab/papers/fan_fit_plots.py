"""The figure of fitted swings: errors by frames and noise, and one swing beside its true path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .drawing import DOTS, LINE_COLORS
from .fan_fits import Foretold, ShownSwing
from .figures import gridded

_MEDIAN_OF_NORMAL = 0.6745
"""Median size of a normal error, in standard deviations."""


def plot_fits(found: Sequence[Foretold], shown: ShownSwing, path: Path) -> None:
    """Draw the median error of contact times by frames; one swing, true, tracked and fitted; and how the last two differ."""
    drawn, panels = gridded(1, 3, (17.0, 5.0))
    _plot_errors(panels[0, 0], found)
    _plot_swing(panels[0, 1], shown)
    _plot_difference(panels[0, 2], shown)
    drawn.suptitle("Contact times of tracked swings, foretold by the fitted motion", fontsize=11)
    drawn.savefig(path, dpi=DOTS)


def _plot_errors(panel: Any, found: Sequence[Foretold]) -> None:
    for noise, color in zip(dict.fromkeys(one.noise for one in found), LINE_COLORS, strict=False):
        mine = [one for one in found if one.noise == noise]
        frames = [one.frames for one in mine]
        panel.plot(frames, [1e3 * one.median for one in mine], "o-", color=color, label=noise_name(noise), markersize=4.0)
        stated = [1e3 * _MEDIAN_OF_NORMAL * one.stated_median for one in mine]
        panel.plot(frames, stated, "--", color=color, linewidth=1.0)
    frames = sorted({one.frames for one in found})
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(frames, [str(count) for count in frames])
    panel.xaxis.minorticks_off()
    panel.set_xlabel("frames (90 per second)")
    panel.set_ylabel("error of the contact time [ms]")
    panel.set_title("median error; dashed: as stated with the fit", fontsize=10)
    panel.legend(frameon=False, fontsize=8)


def _plot_swing(panel: Any, shown: ShownSwing) -> None:
    panel.plot(1e3 * shown.times, 1e3 * shown.fitted, "-", color=LINE_COLORS[0], label="fitted")
    panel.plot(1e3 * shown.times, 1e3 * shown.true, "--", color="#222222", linewidth=1.2, label="true")
    panel.plot(1e3 * shown.tracked_times, 1e3 * shown.tracked, "o", color=LINE_COLORS[1], markersize=3.5, label="tracked")
    panel.axvline(1e3 * shown.contact, color="#222222", linestyle=":", linewidth=1.0)
    panel.text(
        *(1e3 * shown.contact - 1.0, 0.03),
        f"contact {1e3 * shown.contact:.2f} ms\nforetold {1e3 * shown.foretold:.2f} +- {1e3 * shown.stated:.2f}",
        transform=panel.get_xaxis_transform(),
        ha="right",
        fontsize=8,
    )
    panel.set_xlabel("time since the last pose [ms]")
    panel.set_ylabel("tip of the bat, ahead of its place at contact [mm]")
    panel.set_title(f"one swing, {len(shown.tracked)} frames, {noise_name(shown.noise)}", fontsize=10)
    panel.legend(frameon=False, fontsize=8, loc="upper left")


def _plot_difference(panel: Any, shown: ShownSwing) -> None:
    off = shown.fitted - shown.true
    low, high = (1e3 * (off + sign * 2.0 * shown.spread) for sign in (-1.0, 1.0))
    panel.fill_between(
        1e3 * shown.times, low, high, color=LINE_COLORS[5], alpha=0.35, linewidth=0.0, label="2 standard deviations"
    )
    panel.plot(1e3 * shown.times, 1e3 * off, "-", color=LINE_COLORS[0], label="fitted")
    panel.plot(1e3 * shown.tracked_times, 1e3 * shown.tracked_off, "o", color=LINE_COLORS[1], markersize=3.5, label="tracked")
    panel.axhline(0.0, color="#222222", linestyle="--", linewidth=1.2, label="true")
    panel.axvline(1e3 * shown.contact, color="#222222", linestyle=":", linewidth=1.0)
    panel.set_xlabel("time since the last pose [ms]")
    panel.set_ylabel("tip of the bat, from its true place [mm]")
    panel.set_title("the same swing, less the true one", fontsize=10)
    panel.legend(frameon=False, fontsize=8, loc="lower left")


def noise_name(noise: tuple[float, float]) -> str:
    """Return a noise in words, metres and degrees."""
    return f"{1e3 * noise[0]:g} mm, {noise[1]:g} degrees"
