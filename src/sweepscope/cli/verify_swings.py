"""`sweepscope verify --swings`: what a swinging box meets, against a slow twin and against the sweep."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ..verify_swing import LIMIT, verify_against_sweeps, verify_swing
from .main import FREE, HIT

_SWEEPS = 100  # one sweep is made for so many cases


def run_verify_swings(cases: int, seed: int) -> int:
    """Judge so many cases of each sort of thing and print a row for each; return 1 if anything is wrong."""
    console = Console(highlight=False)
    table = _table("swings against a slow twin", "hits", "early", "late or missed", "graze", "open", "worst gap")
    wrong = 0
    for row in verify_swing(cases, seed):
        wrong += row.wrong
        counts = (row.hits, row.early, row.late, row.grazes, row.undecided)
        table.add_row(row.thing, f"{row.cases:,}", *map(str, counts), f"{row.worst_gap:.0e}")
        console.print(f"{row.thing}: {row.wrong} wrong", style="dim")
    console.print(table)
    table = _table("swings against Scene.sweep", "hits", "equal", "graze", "wrong")
    for row in verify_against_sweeps(max(1, cases // _SWEEPS), seed):
        wrong += row.wrong
        table.add_row(row.thing, f"{row.cases:,}", *map(str, (row.hits, row.equal, row.grazes, row.wrong)))
    console.print(table)
    console.print(f"wrong by {LIMIT:g} of the size or more: {wrong}; graze: they hardly touch, and may be called either")
    return HIT if wrong else FREE


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("thing")
    for name in ("cases", *columns):
        table.add_column(name, justify="right")
    return table
