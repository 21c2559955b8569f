"""`sweepscope verify distance`: distances against rational arithmetic."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.distances import ERROR_LIMIT, MEET_RATE, judge_distances, tally_distances
from ..verify.tallies import outside
from .report import Report
from .tables import open_table


def run_verify_distance(cases: int, seed: int, report: Report) -> int:
    """Judge cases, print a row for each kind; return 1 if anything is wrong."""
    console = report.console
    verdicts = list(track(judge_distances(cases, seed), description="exact", total=cases, console=report.progress))
    columns = ("kind", "pairs", "meet", "too large", "off", "error", "points")
    table = open_table(f"{cases} pairs of bodies against exact rational arithmetic, seeds from {seed}", *columns)
    rows = tally_distances(verdicts)
    report.count(rows)
    for row in rows:
        counts = (row.cases, row.meet, row.too_large, row.off)
        table.add_row(row.kind, *map(str, counts), f"{row.worst_error:.1e}", f"{row.worst_points:.1e}")
    console.print(table)
    every = rows[0]
    if every.seeds:
        console.print(f"wrong: seeds {', '.join(map(str, every.seeds))}")
    console.print(f"too large {every.too_large}, off by {ERROR_LIMIT:g} of the size or more: {every.off}")
    report.wrong = sum(not verdict.fine for verdict in verdicts)
    few = outside(every.meet / max(1, every.cases), every.cases, MEET_RATE)
    if few:
        console.print(f"{every.meet} of {every.cases} pairs meet; accepted share: {MEET_RATE}")
    return HIT if report.wrong or few else FREE
