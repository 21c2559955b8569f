"""`sweepscope verify signed`: signed distances of points against exact rational arithmetic."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.signed import judge_meshes
from .report import Report
from .tables import open_table


def run_verify_signed(cases: int, seed: int, report: Report) -> int:
    """Judge 40 points of each of so many meshes and print a row for each kind; return 1 if anything is wrong."""
    console = report.console
    rows = judge_meshes(track(range(seed, seed + cases), "exact distances", console=report.progress))
    report.count(rows)
    names = ("mesh", "points", "inside", "on", "sign", "distance", "point", "worst")
    table = open_table("signed distances against exact arithmetic", *names)
    for row in rows:
        counts = (row.cases, row.inside, row.on_surface, row.wrong_signs, row.wrong_distances, row.wrong_points)
        table.add_row(row.kind, *(f"{count:,}" for count in counts), f"{row.worst:.0e}")
    console.print(table)
    report.wrong = sum(row.wrong for row in rows)
    console.print(f"sign, distance, point: wrong ones; worst: error, as a share of the coordinates. wrong: {report.wrong:,}")
    return HIT if report.wrong else FREE
