"""`sweepscope verify swings`: hits of a swinging box, against a slow reference and against the sweep."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..reference.swing_cases import THINGS
from ..verify.swings import LIMIT, verify_against_sweeps, verify_swing
from .report import Report
from .tables import open_table

_SWEEPS = 100  # cases per sweep


def run_verify_swings(cases: int, seed: int, report: Report) -> int:
    """Judge cases of each kind of target and print a row for each; return 1 if anything is wrong."""
    console = report.console
    table = open_table("swings against a slow reference", "target", "cases", "hits", "early", "late", "graze", "open", "gap")
    wrong = 0
    work = verify_swing(cases, seed)
    for row in track(work, "against a slow reference", len(THINGS), console=report.progress):
        report.count([row], against="reference")
        wrong += row.wrong
        counts = (row.hits, row.early, row.late, row.grazes, row.undecided)
        table.add_row(row.thing, f"{row.cases:,}", *map(str, counts), f"{row.worst_gap:.0e}")
    console.print(table)
    table = open_table("swings against Scene.sweep", "target", "cases", "hits", "equal", "graze", "wrong")
    work = verify_against_sweeps(max(1, cases // _SWEEPS), seed)
    for row in track(work, "against Scene.sweep", len(THINGS), console=report.progress):
        report.count([row], against="sweeps")
        wrong += row.wrong
        table.add_row(row.thing, f"{row.cases:,}", *map(str, (row.hits, row.equal, row.grazes, row.wrong)))
    console.print(table)
    report.wrong = wrong
    console.print(
        f"wrong by {LIMIT:g} of the size or more: {wrong}; late: or missed; "
        "graze: a touch within rounding, hit and free are both right"
    )
    return HIT if wrong else FREE
