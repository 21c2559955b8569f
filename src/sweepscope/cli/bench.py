"""`sweepscope bench`: side by side with the peers, in one run."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ..errors import InvalidQuery
from .main import FREE


def run_bench(what: str, out: Path | None, repeats: int) -> int:
    """Measure, print a table of times and ratios, and write them to a file if asked."""
    if what != "translate":
        raise InvalidQuery(f"bench: there is no {what!r}; accepted: translate")
    from ..bench.translate import measure

    console = Console(highlight=False)
    rows = measure(repeats, console.print)
    table = Table(title="straight sweeps: time a query, and how many times as long the peer takes")
    for name in ("work", "sweepscope", "rapier3d", "python-fcl", "x rapier3d", "x python-fcl", "must reach"):
        table.add_column(name, justify="left" if name == "work" else "right")
    for row in rows:
        table.add_row(
            row.work,
            _time(row.ours),
            _time(row.rapier),
            _time(row.fcl),
            _ratio(row.rapier, row.ours),
            _ratio(row.fcl, row.ours),
            row.bar,
        )
    console.print(table)
    for row in rows:
        if row.note:
            console.print(f"{row.work}: {row.note}")
    if out is not None:
        out.write_text(json.dumps([row.plain() for row in rows], indent=1) + "\n")
    return FREE


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{1e6 * seconds:.1f} us" if seconds < 1e-3 else f"{1e3 * seconds:.2f} ms"


def _ratio(peer: float | None, ours: float) -> str:
    return "-" if peer is None else f"{peer / ours:.1f}"
