"""`sweepscope demo`: a few scenes with their answers."""

from __future__ import annotations

import json
import time

from rich.console import Console
from rich.progress import track
from rich.table import Table

from sweepscope import Hit
from sweepscope.cli.exits import FREE
from sweepscope.cli.motion import amount
from sweepscope.cli.warm import compile_kinds
from sweepscope.results.hits import plain_hit

from ..scenes import KNOWN_ANSWERS, KnownAnswer


def run_demo(as_json: bool) -> int:
    """Sweep in every built-in scene; print a table, or a list of answers as JSON."""
    compile_kinds(["turns", "volumes in scenes", "sweeps"])
    progress = Console(highlight=False, stderr=True)
    found = [_ask(build()) for build in track(KNOWN_ANSWERS, "scenes", console=progress, transient=True)]
    if as_json:
        said = [{"scene": case.title, **plain_hit(hit, case.motion), "seconds": taken} for case, hit, taken in found]
        print(json.dumps(said))  # noqa: T201
    else:
        _show(found)
    return FREE


def _ask(case: KnownAnswer) -> tuple[KnownAnswer, Hit | None, float]:
    """Return a case, its answer, and how long it took [s]."""
    case.scene.sweep(case.mover, case.motion)  # the first reads the compiled kernels
    start = time.perf_counter()
    hit = case.scene.sweep(case.mover, case.motion)
    return case, hit, time.perf_counter() - start


def _show(found: list[tuple[KnownAnswer, Hit | None, float]]) -> None:
    console = Console(highlight=False)
    table = Table(title="sweepscope: what is hit, and after how much travel")
    table.add_column("scene", no_wrap=True)
    table.add_column("hits", no_wrap=True)
    table.add_column("free travel", justify="right", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    table.add_column("took", justify="right", no_wrap=True)
    for case, hit, taken in found:
        table.add_row(
            case.title,
            "nothing" if hit is None else hit.obstacle.name,
            amount(case.motion, 1.0 if hit is None else hit.time, 6),
            amount(case.motion, 1.0, 4),
            f"{1e6 * taken:.0f} us",
        )
    console.print(table)
    console.print("Try next:")
    console.print("  sweepscope sweep MOVER.stl SCENE.obj --move 0 0 -5   your own meshes")
    console.print("  sweepscope info PART.stl                             what is in a file")
    console.print("  sweepscope view MOVER.stl SCENE.obj                  drag it in the browser")
    console.print("  sweepscope sweep --help                              margins, turns, JSON")
    console.print("  sweepscope probe MOVER.stl SCENE.obj --move 0 0 -5   by radar; also --picture")
    console.print("  sweepscope simulate bounce                           50 balls with radars")
    console.print("  sweepscope simulate roll --picture roll.png          a cube rolls downhill")
    console.print("  sweepscope swing                                     bat, ball, sword, shield")
    console.print("  sweepscope simulate grasp --picture grasp.png        a hand grasps a ball")
    console.print("  sweepscope robot ARM.urdf --sweep-all                what each joint hits")
    console.print("  sweepscope simulate dissolve --picture melt.png      volumes that melt")
    console.print("  python examples/00_first_sweep.py                    the same from Python")
