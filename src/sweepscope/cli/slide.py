"""`sweepscope slide`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..results import SlideResult
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files, load
from .options import Triple
from .pictures import check_png, show_files
from .tables import facts, numbers


def run_slide(
    mover: Path,
    others: list[Path],
    vector: Triple,
    start: NDArray[np.float64],
    margin: float,
    legs: int,
    push_out: bool,
    tolerance: float | None,
    picture: Path | None,
    as_json: bool,
    spacing: float | None,
    threshold: float | None,
) -> int:
    """Load, slide, draw, print; return the exit code: a hit if anything was met."""
    check_png(picture)
    scene = Scene(tolerance)
    body = scene.add(load(mover, spacing, threshold), start, name=str(mover))
    add_files(scene, others, spacing, threshold)
    slide = scene.slide(body, vector, margin=margin, legs=legs, push_out=push_out)
    if picture is not None:
        slide.picture(picture)
    if as_json:
        print(json.dumps({"hit": bool(slide.hits), **slide.as_dict(), "unit": "length"}))  # noqa: T201
    else:
        _show(slide)
        show_files(picture, None)
    return HIT if slide.hits else FREE


def _show(slide: SlideResult) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if slide.hits:
        table = Table(box=None, pad_edge=False)
        for title in ("leg", "length", "vector", "hits"):
            table.add_column(title, overflow="fold", no_wrap=title != "hits")
        for k, leg in enumerate(slide.legs):
            hit = slide.hits[k] if k < len(slide.hits) else None
            name = "nothing" if hit is None else escape(hit.obstacle.name) + (", overlaps it" if hit.overlapping else "")
            table.add_row(f"{k + 1}", f"{leg.length:.6g}", numbers(leg.vector), name)
        console.print(table)
    else:
        console.print(f"free: hits nothing within {slide.travel:.9g}", style="green")
    table = facts()
    if slide.pushed is not None:
        table.add_row("pushed out", numbers(slide.pushed.vector))
    table.add_row("travel", f"{slide.travel:.9g}")
    table.add_row("moved by", numbers(slide.moved.vector))
    if slide.stopped:
        table.add_row("stopped", "before the end of the motion", style="red")
    console.print(table)
