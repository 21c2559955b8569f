"""`sweepscope papers rolling`: the second paper's experiments, run again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from sweepscope.cli.exits import FREE
from sweepscope.cli.figures import need_matplotlib

from ..papers import rolling, rolling_plots
from ..simulate.roll import Roll, Settings
from ..simulate.two_radars import RULES
from .roll import write_events
from .tables import QUICK_NOTE, ms, table_of, write_rows

_STEPS = 80  # of Fig. 7
_BODY = "dodecahedron"


def run_rolling(out: Path, quick: bool) -> int:
    """Run the experiments, print tables, write CSV files and figures into the existing folder `out`."""
    need_matplotlib()
    console = Console(highlight=False)
    say = console.print
    if quick:
        times = rolling.measure_frame_times(say, 3, 1, bodies=("cube", "star"))
        errors = rolling.measure_errors(say, 8, pixels=(25, 50), angles=rolling.ANGLES[1:4], bodies=("cube", "star"))
        problems = rolling.measure_problems(say, errors, 4)
    else:
        times = rolling.measure_frame_times(say)
        errors = rolling.measure_errors(say)
        problems = rolling.measure_problems(say, errors)
    roll = Roll(Settings(body=_BODY))
    for _ in range(20 if quick else _STEPS):
        roll.step()
    write_rows(out / "rolling_fig6.csv", [asdict(row) for row in times])
    write_events(out / "rolling_fig7.csv", roll.events)
    write_rows(out / "rolling_errors.csv", [{**asdict(row), "error": row.error} for row in errors])
    write_rows(out / "rolling_problems.csv", [asdict(row) for row in problems])
    rolling_plots.plot_frame_times(times, out / "rolling_fig6.png")
    rolling_plots.plot_sequence(roll, out / "rolling_fig7.png")
    rolling_plots.plot_errors(errors, out / "rolling_errors.png")
    _show_times(console, times)
    _show_errors(console, errors)
    _show_problems(console, problems)
    if quick:
        console.print(QUICK_NOTE)
    console.print(f"written to {out}: rolling_fig6, rolling_fig7 and rolling_errors as csv and png, rolling_problems as csv")
    return FREE


def _show_times(console: Console, rows: Sequence[rolling.FrameTime]) -> None:
    table = table_of("Fig. 6: mean time of a frame, in ms", "body", "triangles", "drawing", "+ two radars", "+ exact sweep")
    for body in dict.fromkeys(row.body for row in rows):
        mine = [row for row in rows if row.body == body]
        means = (sum(getattr(row, key) for row in mine) / len(mine) for key in ("draw", "radars", "sweep"))
        table.add_row(body, f"{mine[0].polygons:,}", *map(ms, means))
    console.print(table)


def _show_errors(console: Console, rows: Sequence[rolling.TurnError]) -> None:
    table = table_of(
        "two radars against the exact sweep: mean error in degrees, by the rule for a pixel's angle",
        *("body", "pixels", "turns", *RULES, "missed", "elsewhere"),
    )
    for body in dict.fromkeys(row.body for row in rows):
        for pixels in dict.fromkeys(row.pixels for row in rows):
            mine = [row for row in rows if (row.body, row.pixels) == (body, pixels)]
            published = [row for row in mine if row.rule == RULES[0]]
            errors = (_number(rolling.mean_error(row for row in mine if row.rule == rule)) for rule in RULES)
            shares = (_share(of(published)) for of in (rolling.missed_share, rolling.elsewhere_share))
            table.add_row(body, str(pixels), str(len(published)), *errors, *shares)
        table.add_section()
    console.print(table)
    console.print("missed: no contact within three times the exact angle; elsewhere: contact a tenth of the body")
    console.print("or more from the exact one, so the next axis is wrong. Both by the published rule.")
    console.print("published: with very uneven bodies the axis is often chosen wrongly because of pixel error")


def _show_problems(console: Console, problems: Sequence[rolling.Problem]) -> None:
    console.print("the five problems with rotation, each in a mild / in a hard case")
    for row in problems:
        console.print(f"({row.number}) {row.what}: {_number(row.mild)} / {_number(row.hard)} {row.unit}")


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{100.0 * value:.0f} %"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3g}"
