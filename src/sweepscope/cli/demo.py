"""`sweepscope demo`: a few scenes with their answers."""

from __future__ import annotations

import time

from rich.console import Console
from rich.table import Table

from ..scenes import WORLDS
from .motion import amount


def run_demo() -> None:
    """Sweep every built-in world and print a table."""
    console = Console(highlight=False)
    table = Table(title="sweepscope: what will be hit, and after how much travel")
    table.add_column("scene", no_wrap=True)
    table.add_column("hits", no_wrap=True)
    table.add_column("free travel", justify="right", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    table.add_column("took", justify="right", no_wrap=True)
    for build in WORLDS:
        world = build()
        with console.status(f"{world.title} (kernels compile the first time, about a minute in all, and are kept)..."):
            world.scene.sweep(world.mover, world.motion)
        start = time.perf_counter()
        hit = world.scene.sweep(world.mover, world.motion)
        taken = time.perf_counter() - start
        table.add_row(
            world.title,
            "nothing" if hit is None else hit.body.name,
            amount(world.motion, 1.0 if hit is None else hit.time, 6),
            amount(world.motion, 1.0, 4),
            f"{1e6 * taken:.0f} us",
        )
    console.print(table)
    console.print("Try next:")
    console.print("  sweepscope sweep MOVER.stl SCENE.obj --move 0 0 -5   your own meshes")
    console.print("  sweepscope sweep --help                              margins, JSON, exit codes")
    console.print("  sweepscope probe MOVER.stl SCENE.obj --move 0 0 -5   read off pictures; --png")
    console.print("  sweepscope simulate bounce                           50 balls, a radar each")
    console.print("  sweepscope simulate roll --picture roll.png          a cube rolls downhill")
    console.print("  sweepscope swing                                     bat, ball, sword, shield")
    console.print("  sweepscope simulate grasp --picture grasp.png        a hand feels its way")
    console.print("  sweepscope robot ARM.urdf --sweep-all                what each joint hits")
    console.print("  sweepscope simulate dissolve --picture melt.png      voxels that melt")
    console.print("  python examples/00_first_sweep.py                    the same from Python")
