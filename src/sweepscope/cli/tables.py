"""Tables and number formats that several commands print."""

from __future__ import annotations

import math
from collections.abc import Iterable

from rich.table import Table


def facts() -> Table:
    """Return an empty table of two columns: name and value."""
    table = Table(show_header=False, box=None)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    return table


def columns(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """Return a table with titles; only its last column, of names, may be folded."""
    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold", no_wrap=title != "obstacle")
    for row in rows:
        table.add_row(*row)
    return table


def numbers(values: Iterable[float]) -> str:
    """Return numbers as a text; a dash for NaN, 0 for rounding errors beside the largest."""
    every = [float(x) for x in values]
    least = 1e-12 * max((abs(x) for x in every if not math.isnan(x)), default=0.0)
    return "  ".join("-" if math.isnan(x) else "0" if abs(x) <= least else f"{x:.6g}" for x in every)
