"""`sweepscope sweep`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..motion import Motion
from ..results import PushOutResult
from ..results.hits import Feature, Hit, plain_hit
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files, load
from .motion import amount
from .pictures import check_gif, check_png, show_files
from .tables import facts, numbers


def run_sweep(
    mover: Path,
    others: list[Path],
    motion: Motion,
    start: NDArray[np.float64],
    margin: float,
    resting: Literal["free", "hit"],
    tolerance: float | None,
    as_json: bool,
    spacing: float | None = None,
    threshold: float | None = None,
    picture: Path | None = None,
    gif: Path | None = None,
    view: bool = False,
) -> int:
    """Load, sweep, draw, print; return the exit code."""
    check_png(picture)
    check_gif(gif)
    scene = Scene(tolerance)
    body = scene.add(load(mover, spacing, threshold), start, name=str(mover))
    add_files(scene, others, spacing, threshold)
    hit = scene.sweep(body, motion, margin=margin, resting=resting)
    if picture is not None:
        scene.picture(picture) if hit is None else hit.picture(picture)
    if gif is not None:
        scene.animate(body, motion, gif) if hit is None else hit.animate(gif)
    if as_json:
        # Plain print: a console would wrap the line.
        print(json.dumps(plain_hit(hit, motion)))  # noqa: T201
    else:
        out = scene.push_out(body, margin=margin) if hit is not None and hit.overlapping else None
        _show(hit, motion, out)
        show_files(picture, gif)
    if view:
        from .view import serve

        serve(scene.show(body, motion, margin=margin, resting=resting))
    return FREE if hit is None else HIT


def words(feature: Feature) -> str:
    """Return a feature as a text."""
    if feature.kind == "none":
        return "-"
    if feature.voxel is not None:
        return f"{feature.kind} of voxel {' '.join(map(str, feature.voxel))}"
    return f"{feature.kind} {'-'.join(map(str, feature.vertices))}"


def _show(hit: Hit | None, motion: Motion, out: PushOutResult | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if hit is None:
        console.print(f"free: hits nothing within {amount(motion, 1.0)}", style="green")
        return
    table = facts()
    add_obstacle(table, hit)
    if out is not None:
        table.add_row("way out", f"{numbers(out.motion.vector)}, {'' if out.exact else 'at most '}{out.depth:.9g} long")
    table.add_row("travel", f"{amount(motion, hit.time)} of {amount(motion, 1.0)}")
    table.add_row("time", f"{hit.time:.9g}")
    add_contact(table, hit)
    console.print(table)


def add_obstacle(table: Table, hit: Hit) -> None:
    """Add what is hit to a table of facts."""
    table.add_row("hits", escape(hit.obstacle.name), style="red")
    if hit.overlapping:
        table.add_row("", "they overlap at the start" if hit.features[0].kind != "none" else "one is inside the other")


def add_contact(table: Table, hit: Hit) -> None:
    """Add point, normal and features to a table of facts."""
    table.add_row("point", numbers(hit.point))
    if hit.features[0].kind != "none":
        table.add_row("normal", numbers(hit.normal))
        table.add_row("touching", f"{words(hit.features[0])} of the mover, {words(hit.features[1])} of the obstacle")
