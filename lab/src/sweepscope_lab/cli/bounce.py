"""`sweepscope simulate bounce`: many bodies that move by radars or sweeps."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from sweepscope.cli.exits import FREE
from sweepscope.cli.pictures import check_gif
from sweepscope.drawing.film import Film

from ..simulate.bounce import Bounce, BounceSettings, BounceSummary, whole
from .films import filmed
from .interrupt import until_interrupted
from .tables import measured_table
from .view import Recording


def run_bounce(
    frames: int,
    moving: int,
    instrument: str,
    pixels: int,
    seed: int,
    as_json: bool,
    gif: Path | None = None,
    view: bool = False,
) -> int:
    """Simulate and print what was measured, as a table or as JSON; draw a film if asked. Ctrl-C ends it early."""
    whole(frames, "frames", 1, None)
    check_gif(gif)
    settings = BounceSettings(moving=moving, instrument=instrument, pixels=pixels, seed=seed)
    bounce = Bounce(settings)
    film = None
    if gif is not None:
        # The room hides what is in it; shells are the balls once more, a little larger.
        shells = [body for body in bounce.scene if body.group == "shells"]
        film = Film(bounce.scene, gif, around=[bounce.room], ignore=[bounce.room, *shells])
    recording = Recording(bounce.scene, frames) if view else None
    console = Console(highlight=False)
    # Progress goes to the error stream, so that programs can read the output.
    progress = Console(highlight=False, stderr=True)
    for frame in track(
        until_interrupted(range(frames)), "bouncing (the first frame compiles)", frames, console=progress, transient=True
    ):
        if film is not None and filmed(frame, frames):
            film.see()
        bounce.step()
        if recording is not None:
            recording.see()
    if film is not None:
        film.save()
    summary = bounce.summary()
    if summary.frames < frames:
        progress.print(f"stopped after {summary.frames} of {frames} frames")
    if as_json:
        print(json.dumps({"settings": asdict(settings), "summary": asdict(summary)}))  # noqa: T201
    else:
        console.print(_table(settings, summary))
    if recording is not None:
        recording.show()
    return FREE


def _table(settings: BounceSettings, summary: BounceSummary) -> Table:
    how = f"radars of {settings.pixels} x {settings.pixels} pixels" if settings.instrument == "radar" else "exact sweeps"
    rows = (
        ("frames", f"{summary.frames}"),
        ("contacts with walls", f"{summary.walls}"),
        ("contacts between balls", f"{summary.hits}"),
        ("energy at the start", f"{summary.energy_start:.9g}"),
        ("energy at the end", f"{summary.energy_end:.9g}"),
        ("largest change of energy", f"{summary.energy_drift:.1e}"),
        ("deepest overlap of two balls, in radii", f"{summary.deepest:.1e}"),
        ("farthest out of the room, in radii", f"{summary.farthest_out:.1e}"),
        ("path length, of speed x time", f"{summary.way:.4f}"),
        ("the same, least of all balls", f"{summary.least_way:.4f}"),
        ("queries a frame", f"{summary.probes_per_frame:.2f}"),
        ("time a frame", f"{1e3 * summary.seconds_per_frame:.2f} ms"),
    )
    return measured_table(f"{settings.moving} of {settings.balls} balls moving, with {how}, seed {settings.seed}", rows)
