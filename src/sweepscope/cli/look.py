"""`sweepscope look`."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..queries.look import View
from ..results import LookResult
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files
from .pictures import check_png


def run_look(
    view: View,
    files: list[Path],
    pixels: tuple[int, int],
    bounding: bool,
    picture: Path | None,
    as_json: bool,
    spacing: float | None = None,
    threshold: float | None = None,
) -> int:
    """Load, look, print; return the exit code."""
    check_png(picture)
    scene = Scene()
    add_files(scene, files, spacing, threshold)
    seen = scene.look(view, pixels, bounding=bounding)
    if picture is not None:
        seen.picture(picture)
    if as_json:
        print(json.dumps(seen.as_dict()))  # noqa: T201
    else:
        _show(seen, picture)
    return HIT if seen else FREE


def _show(seen: LookResult, picture: Path | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not seen:
        console.print(f"nothing within {seen.view.depth:g}", style="green")
    else:
        table = Table(box=None)
        table.add_column("body", overflow="fold")
        table.add_column("distance", justify="right")
        table.add_column("pixels", justify="right")
        for body, far, count in zip(seen.bodies, seen.distances, seen.counts, strict=True):
            table.add_row(escape(body.name), f"{far:.9g}", f"{count}")
        console.print(table)
    if picture is not None:
        console.print(f"picture: {escape(str(picture))}")
