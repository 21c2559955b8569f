"""`sweepscope verify`: the long proof."""

from __future__ import annotations

from rich.console import Console
from rich.progress import track
from rich.table import Table

from ..verify import ERROR_LIMIT, judge_all, tally
from .main import FREE, HIT


def run_verify(cases: int, seed: int) -> int:
    """Judge cases, print a row for each kind; return 1 if anything is wrong."""
    console = Console(highlight=False)
    verdicts = list(track(judge_all(cases, seed), description="exact arithmetic", total=cases, console=console))
    table = Table(title=f"{cases} pairs against exact rational arithmetic, seeds from {seed}")
    for name in ("kind", "pairs", "hits", "missed", "late", "false", "gap", "error"):
        table.add_column(name, justify="left" if name == "kind" else "right", no_wrap=True)
    for row in tally(verdicts):
        counts = (row.cases, row.hits, row.missed, row.late, row.false_hits)
        table.add_row(row.kind, *map(str, counts), f"{row.worst_false_gap:.1e}", f"{row.worst_error:.1e}")
    console.print(table)
    missed = sum(verdict.missed for verdict in verdicts)
    late = sum(verdict.late for verdict in verdicts)
    off = sum(max(verdict.error, verdict.false_gap) >= ERROR_LIMIT for verdict in verdicts)
    console.print(f"missed {missed}, late {late}, off by {ERROR_LIMIT:g} of the size or more: {off}")
    return FREE if all(verdict.fine for verdict in verdicts) else HIT
