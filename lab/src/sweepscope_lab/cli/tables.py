"""Tables of figures on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table


def table_of(title: str, *columns: str) -> Table:
    """Return an empty table with text in the first column and numbers in the others."""
    return _with_columns(Table(title=title), columns)


def open_table(title: str, *columns: str) -> Table:
    """Return the same kind of table without a frame, for many columns."""
    return _with_columns(Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0)), columns)


def measured_table(title: str, rows: Iterable[tuple[str, str]]) -> Table:
    """Return a table of names and measured values."""
    table = table_of(title, "what", "measured")
    for name, value in rows:
        table.add_row(name, value)
    return table


def console_of(width: int, stderr: bool = False) -> Console:
    """Return a console for tables that are `width` columns wide in a file or a pipe."""
    console = Console(highlight=False, stderr=stderr)
    if not console.is_terminal:
        console.width = width
    return console


def _with_columns(table: Table, columns: Sequence[str]) -> Table:
    """Add columns. On a narrow screen the text in the first is broken into lines; numbers never are."""
    for k, name in enumerate(columns):
        table.add_column(name, justify="right" if k else "left", no_wrap=k > 0, overflow="fold")
    return table
