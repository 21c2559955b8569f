"""`sweepscope simulate dissolve`: two volumes that change and collide in every frame."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from sweepscope import Scene
from sweepscope.cli.exits import FREE
from sweepscope.cli.pictures import check_gif, check_png
from sweepscope.drawing.animation import animate

from ..papers.dissolve_pictures import DissolveFilm, DissolveStrip
from ..simulate.dissolve import Dissolve, DissolveRecord, DissolveSettings, DissolveSummary
from .films import filmed
from .interrupt import until_interrupted
from .output_files import check_csv
from .tables import measured_table
from .view import Recording


def run_dissolve(
    settings: DissolveSettings,
    table: Path | None,
    picture: Path | None,
    as_json: bool,
    gif: Path | None = None,
    view: bool = False,
) -> int:
    """Run a story, print what was measured, write its frames and draw a film if asked. Ctrl-C ends it early."""
    check_csv(table)
    check_png(picture)
    check_gif(gif)
    film = None if gif is None else DissolveFilm(settings)
    strip = None if picture is None else DissolveStrip(settings)
    dissolve = Dissolve(settings)
    recording, second = None, None
    if view:
        scene = Scene()
        scene.add(dissolve.first, name="first")
        second = scene.add(dissolve.second, name="second")
        recording = Recording(scene, settings.frames)
    console, progress = Console(highlight=False), Console(highlight=False, stderr=True)
    frames = settings.frames
    for frame in track(until_interrupted(range(frames)), f"{settings.story}", frames, console=progress, transient=True):
        record = dissolve.step()
        if recording is not None and second is not None:
            second.pose = dissolve.pose
            recording.see()
        if strip is not None:
            strip.see(dissolve, record)
        if film is not None and filmed(frame, frames):
            film.see(dissolve, record)
    summary = dissolve.summary()
    if summary.frames < frames:
        progress.print(f"stopped after {summary.frames} of {frames} frames")
    if film is not None:
        animate(film.pictures(), gif, seconds=5.0)
    if table is not None:
        write_records(table, dissolve.records)
    if picture is not None and strip is not None:
        strip.save(picture, dissolve.records)
    if as_json:
        print(json.dumps({"settings": asdict(settings), "summary": asdict(summary)}))  # noqa: T201
    else:
        console.print(_table(settings, summary))
    if recording is not None:
        recording.show()
    return FREE


def write_records(path: Path, records: Sequence[DissolveRecord]) -> None:
    """Write a run's frames as CSV; without contact, the fields of region, center and normal are empty."""
    places = [f"{name}_{axis}" for name in ("low", "high", "center", "normal") for axis in "xyz"]
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(
            ["frame", "colliding", "count", *places, "first", "second", "changed", "written", "dissolved"]
            + ["edit_us", "overlap_us", "detail_us"]
        )
        for record in records:
            found: list[str] = [""] * len(places)
            if record.colliding:
                found = [str(index) for index in record.region.ravel().tolist()]
                found += [repr(x) for x in (*record.center.tolist(), *record.normal.tolist())]
            seconds = (record.edit_seconds, record.overlap_seconds, record.detail_seconds)
            out.writerow(
                [record.frame, int(record.colliding), record.count, *found, record.first, record.second, record.changed]
                + [record.written, record.dissolved, *(f"{1e6 * time:.2f}" for time in seconds)]
            )


def _table(settings: DissolveSettings, summary: DissolveSummary) -> Table:
    how = f"in the sense of {settings.sense}, threshold {settings.threshold:g}, seed {settings.seed}"
    first = "none" if summary.first_contact < 0 else f"frame {summary.first_contact}"
    rows = (
        ("frames", f"{summary.frames}"),
        ("frames with contact", f"{summary.colliding}"),
        ("first contact", first),
        ("periods of contact", f"{summary.stretches}"),
        ("longest period, frames", f"{summary.longest}"),
        ("most voxels in contact", f"{summary.most}"),
        ("most voxels dissolved by contact", f"{summary.dissolved}"),
        ("voxels changed a frame", f"{summary.changed_per_frame:.0f}"),
        ("voxels written a frame", f"{summary.written_per_frame:.0f}"),
        ("edits of a frame, mean and worst", _microseconds(summary.edit_mean, summary.edit_worst)),
        ("overlap, yes or no, mean and worst", _microseconds(summary.overlap_mean, summary.overlap_worst)),
        ("count, region, center, normal, mean", _microseconds(summary.detail_mean)),
    )
    return measured_table(f"{settings.story}, two volumes of {settings.size}^3 voxels, {how}", rows)


def _microseconds(*seconds: float) -> str:
    return ", ".join(f"{1e6 * time:.1f} us" for time in seconds)
