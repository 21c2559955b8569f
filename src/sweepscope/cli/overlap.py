"""`sweepscope overlap`."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape

from .. import checks
from ..queries.overlap import overlap
from ..results import OverlapResult
from ..scene import Scene, store_of
from ..shapes import Volume
from .exits import FREE, HIT
from .files import load_volume
from .pictures import check_png
from .tables import facts, numbers

_ROUNDS = 5  # the shortest time is printed


def run_overlap(
    first: Path,
    second: Path,
    pose: NDArray[np.float64],
    spacing: float | None,
    threshold: float | None,
    sense: str,
    picture: Path | None,
    as_json: bool,
    view: bool,
) -> int:
    """Load, test, print; return the exit code."""
    check_png(picture)
    checks.choice(sense, "--sense", ("centers", "cubes"))
    a, b = (load_volume(path, spacing, threshold) for path in (first, second))
    hit = overlap(a, b, pose, sense=sense)
    taken = _time(a, b, pose, sense)
    if picture is not None:
        hit.picture(picture, names=(first.name, second.name))
    if as_json:
        print(json.dumps({**hit.as_dict(), "sense": sense, "seconds": taken}))  # noqa: T201
    else:
        _show(first, second, a, hit, sense, taken, picture)
    if view:
        from .view import serve

        scene = Scene()
        scene.add(a, name=str(first))
        scene.add(b, pose, name=store_of(scene).free_name(str(second)))
        serve(scene.show())
    return HIT if hit else FREE


def _time(a: Volume, b: Volume, pose: NDArray[np.float64], sense: str) -> float:
    """Return the time of one test [s]."""
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        overlap(a, b, pose, sense=sense)
        times.append(time.perf_counter() - start)
    return min(times)


def _show(first: Path, second: Path, a: Volume, hit: OverlapResult, sense: str, taken: float, picture: Path | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    table = facts()
    names = f"{escape(str(first))} and {escape(str(second))}"
    if hit:
        table.add_row("overlap", names, style="red")
        table.add_row("count", f"{hit.count:,} of {a.count:,} occupied voxels of the first, by {sense}")
        low, high = hit.region.tolist()
        table.add_row("region", "  ".join(f"{i}..{j - 1}" for i, j in zip(low, high, strict=True)))
        table.add_row("center", numbers(hit.center))
        if not np.isnan(hit.normal).any():
            table.add_row("normal", numbers(hit.normal))
    else:
        table.add_row("free", f"{names} share nothing, by {sense}", style="green")
    every = max(1, math.prod(a.resolution))
    shares = (f"{cull} {count:,} ({100.0 * count / every:.1f} %)" for cull, count in hit.removed.items())
    table.add_row("removed", f"{', '.join(shares)} of {every:,} voxels; {hit.tested:,} left")
    table.add_row("time", f"{1e6 * taken:.1f} us for one test")
    if picture is not None:
        table.add_row("picture", escape(str(picture)))
    console.print(table)
