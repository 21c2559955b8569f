"""`sweepscope probe`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape

from ..motion import Motion
from ..radar.radar import Radar
from ..results import Hit, Method, RadarReading
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files, load
from .motion import amount
from .pictures import check_png
from .tables import facts, numbers


def run_probe(
    mover: Path,
    files: list[Path],
    motion: Motion,
    start: NDArray[np.float64],
    pixels: tuple[int, int],
    method: Method,
    picture: Path | None,
    as_json: bool,
    spacing: float | None = None,
    threshold: float | None = None,
    view: bool = False,
) -> int:
    """Load, probe, print with the exact result; return the exit code: a hit if either hits."""
    check_png(picture)
    scene = Scene()
    body = scene.add(load(mover, spacing, threshold), start, name=str(mover))
    add_files(scene, files, spacing, threshold)
    reading = Radar(scene, body, pixels=pixels, method=method).probe(motion)
    exact = reading.confirm()
    if picture is not None:
        reading.picture(picture)
    if as_json:
        print(json.dumps(_plain(reading, exact)))  # noqa: T201
    else:
        _show(reading, exact, picture)
    if view:
        from .view import serve

        serve(scene.show(body, motion, pixels=pixels, method=method))
    return HIT if reading.hit or exact is not None else FREE


def _plain(reading: RadarReading, exact: Hit | None) -> dict[str, Any]:
    travel = reading.motion.length if exact is None else exact.travel
    return {**reading.as_dict(), "exact": {"hit": exact is not None, "travel": travel}}


def _show(reading: RadarReading, exact: Hit | None, picture: Path | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    motion = reading.motion
    table = facts()
    if reading.hit:
        table.add_row("meets", escape(" and ".join(body.name for body in reading.obstacles) or "no body"), style="red")
        if reading.overlapping:
            table.add_row("", "its leading surface is inside an obstacle at the start")
    else:
        table.add_row("free", f"no obstacle is visible within {amount(motion, 1.0)}", style="green")
    table.add_row("travel", f"{amount(motion, reading.time)} of {amount(motion, 1.0)}")
    table.add_row("exact", f"{amount(motion, exact.time)}, {escape(exact.obstacle.name)}" if exact else "free")
    if reading.hit:
        table.add_row("center", numbers(reading.center))
        table.add_row("normal", numbers(reading.normal))
    table.add_row("method", reading.method)
    table.add_row("drawings", f"{reading.drawings}")
    if picture is not None:
        table.add_row("picture", escape(str(picture)))
    console.print(table)
