"""`sweepscope simulate roll`: a body rolls over uneven ground."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from sweepscope.cli.exits import FREE
from sweepscope.cli.pictures import check_gif

from ..papers.figures import check_figure
from ..scenes.rolling import BODIES, GROUNDS, ground_kind
from ..simulate.bounce import whole
from ..simulate.roll import Roll, RollSettings, RollSummary
from ..simulate.roll_file import write_events
from .interrupt import until_interrupted
from .output_files import check_csv
from .tables import measured_table, table_of
from .view import Recording


def run_roll(
    steps: int,
    settings: RollSettings,
    table: Path | None,
    picture: Path | None,
    as_json: bool,
    gif: Path | None = None,
    view: bool = False,
) -> int:
    """Roll a body and print what was measured; write poses and axes, draw a film of the longest run if asked.

    Ctrl-C ends it early.
    """
    whole(steps, "steps", 1, None)
    check_csv(table)
    check_figure(picture, "--picture")
    check_gif(gif)
    roll = Roll(settings)
    recording = Recording(roll.scene, steps) if view else None
    console, progress = Console(highlight=False), Console(highlight=False, stderr=True)
    for _ in track(
        until_interrupted(range(steps)), "rolling (the first step compiles)", steps, console=progress, transient=True
    ):
        roll.step()
        if recording is not None:
            recording.see()
        if roll.ended and not settings.again:
            break
    summary = roll.summary()
    if gif is not None:
        from .roll_film import film_roll

        film_roll(roll, gif)
    if table is not None:
        write_events(table, roll.events)
    if picture is not None:
        from ..papers.rolling_plots import plot_sequence

        plot_sequence(roll, picture)
    if as_json:
        print(json.dumps({"settings": asdict(settings), "state": roll.state, "summary": asdict(summary)}))  # noqa: T201
    else:
        console.print(_table(settings, summary))
        console.print(f"last: {_STATES[roll.state]}")
    if recording is not None:
        recording.show()
    return FREE


_STATES = {
    "start": "above the ground",
    "turn": "still moving",
    "drop": "still moving",
    "rest": "at rest",
    "left": "left the ground's patch",
    "stuck": "stuck: no support, and no possible motion found",
}


def run_soak(steps: int, settings: RollSettings, as_json: bool) -> int:
    """Roll every body on twenty grounds, `steps` on each, and print the worst of each. Ctrl-C ends it early."""
    whole(steps, "steps", 1, None)
    console, progress = Console(highlight=False), Console(highlight=False, stderr=True)
    found: dict[str, list[RollSummary]] = {name: [] for name in BODIES}
    todo = [(name, k) for k in range(GROUNDS) for name in BODIES]
    for k in track(until_interrupted(range(len(todo))), "rolling", len(todo), console=progress, transient=True):
        name, ground = todo[k]
        roughness, slope = ground_kind(ground)
        roll = Roll(replace(settings, body=name, seed=settings.seed + ground, roughness=roughness, slope=slope, again=True))
        for _ in range(steps):
            roll.step()
        found[name].append(roll.summary())
    rows = {name: _worst(summaries) for name, summaries in found.items() if summaries}
    if as_json:
        print(json.dumps(rows))  # noqa: T201
        return FREE
    title = f"{steps} steps on each of {GROUNDS} grounds, with {_how(settings)}; lengths in sizes"
    shown = table_of(title, "body", "turns", "rests", "stuck", "deepest", "highest", "rise")
    for name, row in rows.items():
        counts = [str(row[key]) for key in ("turns", "rests", "stuck")]
        shown.add_row(name, *counts, *(f"{row[key]:.1e}" for key in ("deepest", "highest", "rise")))
    console.print(shown)
    console.print(f"deepest of all: {max((row['deepest'] for row in rows.values()), default=0.0):.1e} of the body's size")
    return FREE


def _worst(summaries: Sequence[RollSummary]) -> dict[str, float]:
    """Return the sums of counts and the largest lengths."""
    rows = [asdict(summary) for summary in summaries]
    total: dict[str, float] = {
        key: sum(row[key] for row in rows) for key in ("steps", "turns", "drops", "rests", "wedged", "left", "stuck")
    }
    return total | {key: max(row[key] for row in rows) for key in ("deepest", "highest", "rise")}


def _table(settings: RollSettings, summary: RollSummary) -> Table:
    rows = (
        ("steps", f"{summary.steps}"),
        ("turns", f"{summary.turns}"),
        ("drops", f"{summary.drops}"),
        ("came to rest", f"{summary.rests}"),
        ("of those wedged, not above its contacts", f"{summary.wedged}"),
        ("left the ground's patch", f"{summary.left}"),
        ("stuck", f"{summary.stuck}"),
        ("deepest below the ground, in sizes", f"{summary.deepest:.1e}"),
        ("widest gap at contact, in sizes", f"{summary.highest:.1e}"),
        ("rise of the center of mass, in sizes", f"{summary.rise:.1e}"),
        ("path over the ground, in sizes", f"{summary.way:.2f}"),
        ("queries a step", f"{summary.questions_per_step:.2f}"),
        ("time a step", f"{1e3 * summary.seconds_per_step:.2f} ms"),
    )
    return measured_table(f"{settings.body} on ground {settings.seed}, with {_how(settings)}", rows)


def _how(settings: RollSettings) -> str:
    """Return in words what finds contacts."""
    pixels = f"of {settings.pixels} x {settings.pixels} pixels"
    if settings.instrument == "straight":
        limit = "" if settings.limit is None else f", limit {math.degrees(settings.limit):.3g} degrees"
        back = ", turning back" if settings.turn_back else ""
        placed = f"{settings.radars} straight radars {pixels}, {settings.placement}"
        return f"{placed}, {settings.rule} rule{limit}{back}, axes from the {settings.ends}"
    return "exact sweeps" if settings.instrument == "sweep" else f"an angular radar {pixels}"
