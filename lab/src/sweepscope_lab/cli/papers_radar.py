"""`sweepscope papers radar`: the first paper's figures, and the accuracy of radars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from sweepscope.cli.exits import FREE
from sweepscope.cli.figures import need_matplotlib

from ..papers import radar, radar_accuracy, radar_plots
from .tables import QUICK_NOTE, ms, table_of, write_rows

_FRAME = 1.0 / 60.0  # seconds that a game has for a frame
_LIMITS = "under 10, 20, 40 and over 50 radars on the four machines of 2002"


def run_radar(out: Path, quick: bool) -> int:
    """Run the experiments, print tables, write CSV files and figures into the existing folder `out`."""
    need_matplotlib()
    console = Console(highlight=False)
    say = console.print
    if quick:
        costs = radar.measure_costs(say, 1, polygons=radar.POLYGONS[:2], sides=(2000.0, 100.0), pixels=(50, 25), seats=1)
        frames = radar.measure_frames(say, 2, 1, radars=(10, 20))
        errors = radar_accuracy.measure_accuracy(say, 6, pixels=(8, 16, 32))
    else:
        costs = radar.measure_costs(say)
        frames = radar.measure_frames(say)
        errors = radar_accuracy.measure_accuracy(say)
    fits = radar.fit_frames(frames)
    write_rows(out / "fig7.csv", [{**asdict(row), "share": row.share} for row in costs])
    write_rows(out / "fig8.csv", [asdict(row) for row in frames])
    write_rows(out / "accuracy.csv", [{**asdict(row), "worst": row.worst} for row in errors])
    radar_plots.plot_costs(costs, out / "fig7.png")
    radar_plots.plot_frames(frames, fits, out / "fig8.png")
    radar_plots.plot_accuracy(errors, out / "accuracy.png")
    _show_costs(console, costs)
    _show_frames(console, frames, fits)
    _show_accuracy(console, errors, radar_accuracy.orders(errors))
    if quick:
        console.print(QUICK_NOTE)
    console.print(f"written to {out}: fig7, fig8 and accuracy, each as csv and png")
    return FREE


def _show_costs(console: Console, costs: Sequence[Any]) -> None:
    sides = list(dict.fromkeys(cost.side for cost in costs))
    few, many = min(cost.pixels for cost in costs), max(cost.pixels for cost in costs)
    columns = ("polygons", "side", "R", "M", "analysis", "N", "(R + M) / N", f"at {few}")
    table = table_of(f"Fig. 7: one detection at {many} x {many} pixels, in ms; the share also at {few} x {few}", *columns)
    by_case = {(cost.polygons, cost.side, cost.pixels): cost for cost in costs}
    for polygons in dict.fromkeys(cost.polygons for cost in costs):
        for side in sides:
            fine, rough = by_case[polygons, side, many], by_case[polygons, side, few]
            times = map(ms, (fine.range, fine.mask, fine.analysis, fine.normal))
            table.add_row(f"{polygons:,}", f"{side:g}", *times, f"{100.0 * fine.share:.1f} %", f"{100.0 * rough.share:.1f} %")
        table.add_section()
    console.print(table)
    shares = [100.0 * cost.share for cost in costs]
    analyses = [cost.analysis for cost in costs]
    console.print(f"(R + M) / N: {min(shares):.1f} % to {max(shares):.1f} %; published: 10 % to 60 %")
    console.print(
        f"analysis: {ms(min(analyses))} to {ms(max(analyses))} ms; published: a few ms to 10 ms, without the slowest machine"
    )


def _show_frames(console: Console, frames: Sequence[Any], fits: Sequence[Any]) -> None:
    table = table_of("Fig. 8: radars in one frame", "radars", *(f"{fit.pixels} x {fit.pixels}: ms, ms a radar" for fit in fits))
    by_case = {(frame.radars, frame.pixels): frame.seconds for frame in frames}
    for count in dict.fromkeys(frame.radars for frame in frames):
        times = [by_case[count, fit.pixels] for fit in fits]
        table.add_row(str(count), *(f"{ms(seconds)}, {ms(seconds / count)}" for seconds in times))
    console.print(table)
    for fit in fits:
        fitting = max(int((_FRAME - fit.start) / fit.each), 0) if fit.each > 0.0 else 0
        console.print(
            f"{fit.pixels} x {fit.pixels}: {ms(fit.start)} ms + {ms(fit.each)} ms a radar, "
            f"off by {100.0 * fit.residual:.1f} % at most; grows as radars^{fit.exponent:.2f}; about {fitting} radars in 1/60 s"
        )
    console.print(f"published: linear; real time up to {_LIMITS}")


def _show_accuracy(console: Console, rows: Sequence[Any], orders: dict[tuple[str, bool], float]) -> None:
    for bounding, last in ((False, "in slope"), (True, "bracketed")):
        mine = [row for row in rows if row.bounding == bounding]
        name = "bounding" if bounding else "sampled"
        title = f"{name} radars, {mine[0].pairs} hits: size of (read - exact travel) / mover's size"
        table = table_of(title, "contact", "pixels", "mean", "95 %", "worst", "missed", last)
        for row, after in zip(mine, [*mine[1:], None], strict=True):
            share = f"{row.bracketed} of {row.pairs}" if bounding else f"{row.within} of {row.judged}"
            sizes = (f"{value:.1e}" for value in (row.mean, row.p95, row.worst))
            table.add_row(
                row.kind, str(row.pixels), *sizes, str(row.missed), share, end_section=after is None or after.kind != row.kind
            )
        console.print(table)
    console.print("in slope: error at most one pixel's slope, where the pixel and its four neighbours see both bodies")
    console.print("bracketed: bounding <= exact <= sampled")
    for (kind, bounding), order in orders.items():
        console.print(f"{kind}, {'bounding' if bounding else 'sampled'}: error falls as pixel size^{order:.2f}")
    least = min(row.least for row in rows if not row.bounding)
    most = max(row.most for row in rows if row.bounding)
    console.print(
        f"least error of a sampled radar: {least:.1e} (below 0 is early); "
        f"largest of a bounding one: {most:.1e} (above 0 is late)"
    )
