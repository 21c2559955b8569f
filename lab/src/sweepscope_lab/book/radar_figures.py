"""What the tables and pictures of Figs. 7 and 8 share, by whomever they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from ..papers import radar, radar_plots
from ..papers.radar import Cost, Fit, RadarFrame
from ..papers.radar_gl import GlCost
from .texts import write_rows

_Row = TypeVar("_Row", Cost, GlCost)


def area_rows(
    costs: Sequence[_Row], cells: Callable[[_Row, _Row], tuple[str, ...]]
) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Return a row of text for each scene and side of Fig. 7, and after which of them a scene ends.

    cells(fine, rough) returns what follows polygons and side, of the drawings with most and with fewest pixels.
    """
    few, many = min(cost.pixels for cost in costs), max(cost.pixels for cost in costs)
    by_case = {(cost.polygons, cost.side, cost.pixels): cost for cost in costs}
    rows: list[tuple[str, ...]] = []
    ends = []
    for polygons in dict.fromkeys(cost.polygons for cost in costs):
        for side in dict.fromkeys(cost.side for cost in costs):
            found = cells(by_case[polygons, side, many], by_case[polygons, side, few])
            rows.append((f"{polygons:,}", f"{side:g}", *found))
        ends.append(len(rows) - 1)
    return tuple(rows), tuple(ends)


def keep_frames(folder: Path, name: str, frames: Sequence[RadarFrame]) -> tuple[list[Fit], str]:
    """Write the rows and the picture of Fig. 8; return its lines, and in words how time grows."""
    fits = radar.fit_frames(frames)
    write_rows(folder / f"{name}.csv", [{**asdict(row), "frame": row.frame} for row in frames])
    radar_plots.plot_frames(frames, fits, folder / f"{name}.png")
    return fits, ", ".join(f"radars^{fit.exponent:.2f} at {fit.pixels} x {fit.pixels}" for fit in fits)
