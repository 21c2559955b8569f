"""`sweepscope simulate dissolve`: two volumes that change and collide live, frame by frame."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from ..errors import InvalidQuery
from ..simulate.dissolve import Dissolve, Record, Settings, Summary
from .main import FREE
from .pictures import check_png
from .simulate import until_interrupted


def run_dissolve(settings: Settings, table: Path | None, picture: Path | None, as_json: bool) -> int:
    """Tell a story, print what was measured, write its frames if asked to. Ctrl-C ends it early."""
    if table is not None and not table.parent.is_dir():
        raise InvalidQuery(f"--csv: there is no folder {table.parent}")
    check_png(picture, "--picture")
    strip = None
    if picture is not None:
        from .dissolve_pictures import Strip

        strip = Strip(settings)
    dissolve = Dissolve(settings)
    console, aside = Console(highlight=False), Console(highlight=False, stderr=True)
    frames = settings.frames
    for _ in track(until_interrupted(range(frames)), f"{settings.story}", frames, console=aside, transient=True):
        record = dissolve.step()
        if strip is not None:
            strip.see(dissolve, record)
    summary = dissolve.summary()
    if summary.frames < frames:
        aside.print(f"stopped after {summary.frames} of {frames} frames")
    if table is not None:
        write_records(table, dissolve.records)
    if picture is not None and strip is not None:
        strip.save(picture, dissolve.records)
    if as_json:
        console.print_json(json.dumps({"settings": asdict(settings), "summary": asdict(summary)}))
    else:
        console.print(_table(settings, summary))
    return FREE


def write_records(path: Path, records: Sequence[Record]) -> None:
    """Write a run's frames as CSV; what is not there (centre and normal without contact) is left empty."""
    places = [f"{name}_{axis}" for name in ("low", "high", "centre", "normal") for axis in "xyz"]
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
                found += [repr(x) for x in (*record.centre.tolist(), *record.normal.tolist())]
            seconds = (record.edit_seconds, record.overlap_seconds, record.detail_seconds)
            out.writerow(
                [record.frame, int(record.colliding), record.count, *found, record.first, record.second, record.changed]
                + [record.written, record.dissolved, *(f"{1e6 * time:.2f}" for time in seconds)]
            )


def _table(settings: Settings, summary: Summary) -> Table:
    how = f"in the sense of {settings.sense}, threshold {settings.threshold:g}, seed {settings.seed}"
    table = Table(title=f"{settings.story}, two volumes of {settings.size}^3 voxels, {how}")
    table.add_column("what", no_wrap=True)
    table.add_column("measured", justify="right", no_wrap=True)
    first = "none" if summary.first_contact < 0 else f"frame {summary.first_contact}"
    for name, value in (
        ("frames", f"{summary.frames}"),
        ("frames with contact", f"{summary.colliding}"),
        ("first contact", first),
        ("stretches of contact", f"{summary.stretches}"),
        ("longest stretch, frames", f"{summary.longest}"),
        ("most voxels in contact", f"{summary.most}"),
        ("most voxels dissolved by contact", f"{summary.dissolved}"),
        ("voxels changed a frame", f"{summary.changed_per_frame:.0f}"),
        ("voxels written a frame", f"{summary.written_per_frame:.0f}"),
        ("edits of a frame, mean and worst", _microseconds(summary.edit_mean, summary.edit_worst)),
        ("overlap, yes or no, mean and worst", _microseconds(summary.overlap_mean, summary.overlap_worst)),
        ("count, region, centre, normal, mean", _microseconds(summary.detail_mean)),
    ):
        table.add_row(name, value)
    return table


def _microseconds(*seconds: float) -> str:
    return ", ".join(f"{1e6 * time:.1f} us" for time in seconds)
