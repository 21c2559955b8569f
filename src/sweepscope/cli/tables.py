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


def numbers(values: Iterable[float]) -> str:
    """Return numbers as a text; a dash for NaN."""
    return "  ".join("-" if math.isnan(x) else f"{x:.6g}" for x in values)
