"""`sweepscope simulate bounce`: many bodies that live on radars or sweeps."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from rich.console import Console
from rich.progress import track
from rich.table import Table

from ..simulate.bounce import Bounce, Settings, Summary, whole
from .main import FREE


def run_bounce(frames: int, moving: int, instrument: str, pixels: int, seed: int, as_json: bool) -> int:
    """Simulate, print what was measured as a table or as JSON. Ctrl-C ends it early, with what was measured by then."""
    whole(frames, "frames", 1, None)
    settings = Settings(moving=moving, instrument=instrument, pixels=pixels, seed=seed)
    bounce = Bounce(settings)
    console = Console(highlight=False)
    # On the error stream, so that what is printed can be read by programs.
    aside = Console(highlight=False, stderr=True)
    for _ in track(
        until_interrupted(range(frames)), "bouncing (the first frame compiles)", frames, console=aside, transient=True
    ):
        bounce.step()
    summary = bounce.summary()
    if summary.frames < frames:
        aside.print(f"stopped after {summary.frames} of {frames} frames")
    if as_json:
        console.print_json(json.dumps({"settings": asdict(settings), "summary": asdict(summary)}))
    else:
        console.print(_table(settings, summary))
    return FREE


def until_interrupted(frames: Iterable[int]) -> Iterator[int]:
    """Yield until Ctrl-C is pressed, and end between two frames; pressed again, it interrupts as ever.

    An exception would not do: raised while a kernel hands over its answer, it comes out as a SystemError.
    """
    pressed = False

    def note(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        for frame in frames:
            if pressed:
                break
            yield frame
    finally:
        signal.signal(signal.SIGINT, before)


def _table(settings: Settings, summary: Summary) -> Table:
    how = f"radars of {settings.pixels} x {settings.pixels} pixels" if settings.instrument == "radar" else "exact sweeps"
    table = Table(title=f"{settings.moving} of {settings.balls} balls moving, with {how}, seed {settings.seed}")
    table.add_column("what", no_wrap=True)
    table.add_column("measured", justify="right", no_wrap=True)
    for name, value in (
        ("frames", f"{summary.frames}"),
        ("contacts with walls", f"{summary.walls}"),
        ("contacts between balls", f"{summary.hits}"),
        ("energy at the start", f"{summary.energy_start:.9g}"),
        ("energy at the end", f"{summary.energy_end:.9g}"),
        ("largest change of energy", f"{summary.energy_drift:.1e}"),
        ("deepest overlap of two balls, in radii", f"{summary.deepest:.1e}"),
        ("farthest out of the room, in radii", f"{summary.farthest_out:.1e}"),
        ("way made, of speed x time", f"{summary.way:.4f}"),
        ("the same, least of all balls", f"{summary.least_way:.4f}"),
        ("questions a frame", f"{summary.probes_per_frame:.2f}"),
        ("time a frame", f"{1e3 * summary.seconds_per_frame:.2f} ms"),
    ):
        table.add_row(name, value)
    return table
