"""`sweepscope distance`."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape

from .. import checks
from ..drawing.distances import words_of
from ..errors import InvalidQuery
from ..results import PairDistance
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files, load
from .pictures import check_png, show_files
from .sweep import words
from .tables import facts, numbers


def run_distance(
    first: Path,
    others: list[Path],
    pose: NDArray[np.float64],
    limit: float,
    count: int,
    tolerance: float | None,
    as_json: bool,
    spacing: float | None,
    threshold: float | None,
    picture: Path | None,
    view: bool,
) -> int:
    """Load, measure, draw, print; return the exit code: 1 if a body touches or overlaps the first."""
    check_png(picture)
    checks.whole(count, "--count", InvalidQuery, 1)
    if not limit >= 0.0:
        raise InvalidQuery(f"--limit is {limit}; accepted: 0 or more, also inf")
    scene = Scene(tolerance)
    body = scene.add(load(first, spacing, threshold), pose, name=str(first))
    add_files(scene, others, spacing, threshold)
    pairs = scene.nearest(body, limit=limit, k=count)
    if picture is not None:
        pairs[0].picture(picture) if pairs else scene.picture(picture)
    if as_json:
        print(json.dumps([pair.as_dict() for pair in pairs]))  # noqa: T201
    else:
        _show(pairs, limit)
        show_files(picture, None)
    if view:
        from .view import serve

        serve(scene.show())
    return HIT if pairs and pairs[0].kind != "apart" else FREE


def _show(pairs: list[PairDistance], limit: float) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not pairs:
        near = "" if math.isinf(limit) else f" within {limit:.9g}"
        console.print(f"apart: no body{near}", style="green")
    for pair in pairs:
        table = facts()
        if pair.kind == "apart":
            table.add_row("distance", f"{pair.distance:.9g} from {escape(pair.second.name)}", style="green")
        else:
            table.add_row("distance", f"0: {escape(''.join(words_of(pair)))}", style="red")
        table.add_row("points", f"{numbers(pair.first_point)} on the first, {numbers(pair.second_point)}")
        if pair.features[0].kind != "none":
            table.add_row("normal", numbers(pair.normal))
            table.add_row("features", f"{words(pair.features[0])} of the first, {words(pair.features[1])}")
        console.print(table)
