"""`sweepscope overlaps`: a clash test."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .. import checks
from ..results import PairDistance
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files
from .tables import numbers

_COLORS = {"crossing": "red", "inside": "red", "duplicate": "red", "touching": "yellow", "apart": ""}


def run_overlaps(
    files: list[Path],
    limit: float | None,
    tolerance: float | None,
    as_json: bool,
    spacing: float | None,
    threshold: float | None,
    view: bool,
) -> int:
    """Load, test all pairs, print; return the exit code: a hit if any pair is on the list."""
    scene = Scene(tolerance)
    add_files(scene, files, spacing, threshold)
    pairs = scene.overlaps(limit=limit)
    if as_json:
        print(json.dumps({"hit": bool(pairs), "bodies": len(scene), "pairs": [pair.as_dict() for pair in pairs]}))  # noqa: T201
    else:
        _show(pairs, scene, limit)
    if view:
        from .view import serve

        serve(scene.show())
    return HIT if pairs else FREE


def _show(pairs: list[PairDistance], scene: Scene, limit: float | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    bodies = checks.amount(len(scene), "body", "bodies")
    if not pairs:
        near = "overlap" if limit is None else f"are within {limit:g} of each other"
        console.print(f"free: no two of {bodies} {near}", style="green")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("kind", no_wrap=True)
    for title in ("first", "second"):
        table.add_column(title, overflow="fold")
    for title in ("distance", "point"):
        table.add_column(title, no_wrap=True)
    for pair in pairs:
        names = [escape(body.name) for body in pair.bodies]
        if pair.inner is not None:
            names[pair.bodies.index(pair.inner)] += " (inside)"
        table.add_row(pair.kind, *names, f"{pair.distance:.6g}", numbers(pair.first_point), style=_COLORS[pair.kind])
    console.print(table)
    kinds = Counter(pair.kind for pair in pairs)
    console.print(f"{bodies}: " + ", ".join(f"{kinds[kind]:,} {kind}" for kind in _COLORS if kinds[kind]))
