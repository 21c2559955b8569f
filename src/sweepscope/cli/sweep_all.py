"""`sweepscope sweep --each`: everything on the way."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape

from ..motion import Motion
from ..results import SweepAllResult
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files, load
from .motion import amount
from .pictures import check_png, show_files
from .tables import columns


def run_sweep_all(
    mover: Path,
    others: list[Path],
    motion: Motion,
    start: NDArray[np.float64],
    margin: float,
    resting: Literal["free", "hit"],
    tolerance: float | None,
    as_json: bool,
    spacing: float | None,
    threshold: float | None,
    picture: Path | None,
) -> int:
    """Load, sweep, draw, print; return the exit code."""
    check_png(picture)
    scene = Scene(tolerance)
    body = scene.add(load(mover, spacing, threshold), start, name=str(mover))
    add_files(scene, others, spacing, threshold)
    found = scene.sweep_all(body, motion, margin=margin, resting=resting)
    if picture is not None:
        found.picture(picture)
    if as_json:
        unit = "radians" if motion.turns else "length"
        print(json.dumps({"hit": bool(found), "unit": unit, **found.as_dict()}))  # noqa: T201
    else:
        _show(found, motion)
        show_files(picture, None)
    return HIT if found else FREE


def _show(found: SweepAllResult, motion: Motion) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not found:
        console.print(f"free: hits nothing within {amount(motion, 1.0)}", style="green")
        return
    rows = []
    for passage in found:
        hit = passage.hit
        met = "overlaps at the start" if hit.overlapping else amount(motion, hit.time, 6)
        left = amount(motion, passage.left_time, 6) if math.isfinite(passage.left_time) else "not before the end"
        rows.append((met, left, escape(passage.obstacle.name)))
    console.print(columns(("hit after", "left after", "obstacle"), rows))
