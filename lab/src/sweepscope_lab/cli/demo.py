"""`sweepscope demo`: a few scenes with their answers."""

from __future__ import annotations

import time

from rich.console import Console
from rich.table import Table

from sweepscope.cli.motion import amount
from sweepscope.cli.warm import run_warm

from ..scenes import KNOWN_ANSWERS


def run_demo() -> None:
    """Sweep in every built-in scene and print a table."""
    run_warm(["turns", "volumes in scenes", "sweeps"])
    console = Console(highlight=False)
    table = Table(title="sweepscope: what is hit, and after how much travel")
    table.add_column("scene", no_wrap=True)
    table.add_column("hits", no_wrap=True)
    table.add_column("free travel", justify="right", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    table.add_column("took", justify="right", no_wrap=True)
    for build in KNOWN_ANSWERS:
        case = build()
        case.scene.sweep(case.mover, case.motion)  # the first reads the compiled kernels
        start = time.perf_counter()
        hit = case.scene.sweep(case.mover, case.motion)
        taken = time.perf_counter() - start
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
    console.print("  sweepscope sweep --help                              margins, turns, JSON")
    console.print("  sweepscope probe MOVER.stl SCENE.obj --move 0 0 -5   by radar; also --picture")
    console.print("  sweepscope simulate bounce                           50 balls with radars")
    console.print("  sweepscope simulate roll --picture roll.png          a cube rolls downhill")
    console.print("  sweepscope swing                                     bat, ball, sword, shield")
    console.print("  sweepscope simulate grasp --picture grasp.png        a hand grasps a ball")
    console.print("  sweepscope robot ARM.urdf --sweep-all                what each joint hits")
    console.print("  sweepscope simulate dissolve --picture melt.png      volumes that melt")
    console.print("  python examples/00_first_sweep.py                    the same from Python")
