"""`sweepscope verify swings`: hits of a swinging box, against a slow reference and against the sweep."""

from __future__ import annotations

from rich.console import Console

from sweepscope.cli.exits import FREE, HIT

from ..verify.swings import LIMIT, verify_against_sweeps, verify_swing
from .tables import open_table

_SWEEPS = 100  # cases per sweep


def run_verify_swings(cases: int, seed: int) -> int:
    """Judge cases of each kind of target and print a row for each; return 1 if anything is wrong."""
    console = Console(highlight=False)
    table = open_table(
        "swings against a slow reference", "target", "cases", "hits", "early", "late or missed", "graze", "open", "worst gap"
    )
    wrong = 0
    for row in verify_swing(cases, seed):
        wrong += row.wrong
        counts = (row.hits, row.early, row.late, row.grazes, row.undecided)
        table.add_row(row.thing, f"{row.cases:,}", *map(str, counts), f"{row.worst_gap:.0e}")
        console.print(f"{row.thing}: {row.wrong} wrong", style="dim")
    console.print(table)
    table = open_table("swings against Scene.sweep", "target", "cases", "hits", "equal", "graze", "wrong")
    for row in verify_against_sweeps(max(1, cases // _SWEEPS), seed):
        wrong += row.wrong
        table.add_row(row.thing, f"{row.cases:,}", *map(str, (row.hits, row.equal, row.grazes, row.wrong)))
    console.print(table)
    console.print(
        f"wrong by {LIMIT:g} of the size or more: {wrong}; graze: a touch within rounding, hit and free are both right"
    )
    return HIT if wrong else FREE
