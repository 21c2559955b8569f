"""`sweepscope cast`."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..results.rays import RayHits
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files
from .options import Triple


def run_cast(
    files: list[Path],
    origin: Triple,
    toward: Triple,
    length: float,
    radius: float,
    every: bool,
    as_json: bool,
    spacing: float | None,
    threshold: float | None,
) -> int:
    """Load, cast, print; return the exit code."""
    scene = Scene()
    add_files(scene, files, spacing, threshold)
    if every:
        found = scene.cast_all(origin, toward, length=length, radius=radius)[()]
    else:
        found = scene.cast([origin], toward, length=length, radius=radius)
        found = found[found.hit]
    if as_json:
        rows = [{**found[k].as_dict(), "body": scene[int(found.body[k])].name} for k in range(len(found))]
        print(json.dumps({"hit": bool(found), "hits": rows}))  # noqa: T201
    else:
        _show(scene, found)
    return HIT if found else FREE


def _show(scene: Scene, found: RayHits) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not found:
        console.print("nothing is hit", style="green")
        return
    table = Table(box=None)
    table.add_column("body", overflow="fold")
    for name in ("distance", "face", "point", "normal"):
        table.add_column(name, justify="right")
    for k in range(len(found)):
        point, normal = (" ".join(f"{x:.6g}" for x in vector[k].tolist()) for vector in (found.point, found.normal))
        name = escape(scene[int(found.body[k])].name)
        table.add_row(name, f"{found.distance[k]:.9g}", f"{found.face[k]}", point, normal)
    console.print(table)
