"""`sweepscope papers radar` and its like: one paper, its tables on the console, its files in a folder."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from sweepscope.cli.exits import FREE

from ..book.contents import CHAPTERS
from ..book.result import BookTable
from ..papers.figures import need_matplotlib
from .papers_progress import Bars
from .tables import console_of, table_of

_WIDTH = 160  # of tables in a file or a pipe
_LONG = 26  # characters of a cell that may be broken
_NOTES = {
    "tiny": "tiny: these figures only show that everything works",
    "quick": "quick: fewer repeats and cases than in full; means scatter more",
}


def run_chapter(name: str, out: Path, size: str, as_json: bool) -> int:
    """Run a paper's parts, print their tables, write CSV files and figures into the existing folder `out`."""
    need_matplotlib()
    console = console_of(_WIDTH, stderr=as_json)
    parts = CHAPTERS[name].parts
    results = []
    with Bars(console, len(parts)) as bars:
        for part in parts:
            bars.start(part.title)
            results.append(part.run(out, bars, **part.settings(size)))
            bars.finish()
    for result in results:
        for sheet in result.sheets:
            _show(console, sheet)
    if size in _NOTES:
        console.print(_NOTES[size])
    files = [picture.file for result in results for picture in result.pictures]
    console.print(f"written to {out}: {', '.join(files)}, and their tables as csv", markup=False)
    if as_json:
        tables = [
            {"title": sheet.title, "columns": sheet.columns, "rows": sheet.rows, "notes": sheet.notes}
            for result in results
            for sheet in result.sheets
        ]
        print(json.dumps({"paper": name, "size": size, "tables": tables, "folder": str(out), "pictures": files}))  # noqa: T201
    return FREE


def _show(console: Console, sheet: BookTable) -> None:
    """Print a table. Columns with long text are broken into lines, the others never."""
    table = table_of(escape(sheet.title), *map(escape, sheet.columns))
    for k, row in enumerate(sheet.rows):
        table.add_row(*map(escape, row), end_section=k in sheet.ends)
    for k, column in enumerate(table.columns):
        if any(len(row[k]) > _LONG for row in sheet.rows):
            column.no_wrap, column.justify, column.overflow = False, "left", "fold"
    console.print(table)
    for note in sheet.notes:
        console.print(note, markup=False)
