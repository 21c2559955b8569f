"""`sweepscope papers films`: what the papers judge by eye, as animated GIF files."""

from __future__ import annotations

import json
from pathlib import Path

from rich.markup import escape

from sweepscope.cli.exits import FREE
from sweepscope.drawing.animation import need_pillow

from ..papers.films import FILMS
from .papers_progress import Bars
from .tables import console_of, table_of

_WIDTH = 120
_PICTURES = {"tiny": 4, "quick": 40, "full": 90}


def run_films(out: Path, size: str, as_json: bool) -> int:
    """Write a film of each motion into the existing folder `out`."""
    need_pillow()
    console = console_of(_WIDTH, stderr=as_json)
    rows = []
    with Bars(console, len(FILMS)) as bars:
        for film in FILMS:
            bars.start(film.name)
            path = out / f"{film.name}.gif"
            count = film.make(path, _PICTURES[size])
            rows.append(
                {"file": path.name, "shows": film.shows, "of": film.of, "pictures": count, "bytes": path.stat().st_size}
            )
            bars.finish()
    shown = table_of("films", "file", "shows", "of", "pictures", "MB")
    for row in rows:
        shown.add_row(*(escape(str(row[key])) for key in ("file", "shows", "of", "pictures")), f"{1e-6 * row['bytes']:.2f}")
    console.print(shown)
    console.print(f"written to {out}", markup=False)
    if as_json:
        print(json.dumps({"size": size, "folder": str(out), "films": rows}))  # noqa: T201
    return FREE
