"""`sweepscope simulate grasp`: hands find a target, move there and close on it."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from sweepscope.cli.exits import FREE
from sweepscope.cli.pictures import check_gif
from sweepscope.drawing.animation import animate
from sweepscope.errors import InaccessibleFile, InvalidQuery

from ..papers.figures import check_figure
from ..scenes.targets import TARGETS
from ..simulate.gc_pauses import without_gc_pauses
from ..simulate.grasp import Grasp, GraspOutcome, GraspRecord, GraspSettings
from .interrupt import until_interrupted
from .output_files import check_csv
from .tables import console_of, measured_table, open_table
from .view import Recording

EVERY = "all"
"""Instead of a target's name: all targets in turn."""

_WIDTH = 120  # of tables in a file or a pipe
_ENDS = ("contact", "link", "limit")


def run_grasp(
    settings: GraspSettings,
    table: Path | None,
    picture: Path | None,
    map_picture: Path | None,
    as_json: bool,
    gif: Path | None = None,
    view: bool = False,
) -> int:
    """Grasp a target, print contacts and joints, write frames, pictures and a film if asked. Ctrl-C ends it early."""
    _check_files(table, picture, map_picture)
    check_gif(gif)
    strip = None
    if picture is not None or gif is not None:
        from ..papers.grasp_pictures import GraspStrip

        strip = GraspStrip(settings)
    grasp = Grasp(settings)
    recording = Recording(grasp.scene, settings.frames) if view else None

    def see(grasp: Grasp, record: GraspRecord) -> None:
        if strip is not None:
            strip.see(grasp, record)
        if recording is not None:
            recording.see()

    _run(grasp, see)
    if gif is not None and strip is not None:
        animate(strip.film(grasp), gif, seconds=6.0)
    outcome = grasp.outcome()
    if table is not None:
        write_records(table, outcome.frames)
    if picture is not None and strip is not None:
        strip.save(picture, grasp)
    if map_picture is not None:
        from ..papers.grasp_pictures import contact_map

        contact_map(map_picture, grasp, outcome)
    console = console_of(_WIDTH)
    if as_json:
        print(json.dumps(plain(settings, outcome)))  # noqa: T201
    else:
        for shown in (_contacts(settings, outcome), _joints(outcome), _summary(settings, outcome)):
            console.print(shown)
    if recording is not None:
        recording.show()
    return FREE


def run_all(
    settings: GraspSettings,
    table: Path | None,
    picture: Path | None,
    map_picture: Path | None,
    as_json: bool,
    gif: Path | None = None,
) -> int:
    """Grasp every target in turn and print a line for each; JSON: the output of each run, by target."""
    for option, path in (("--csv", table), ("--picture", picture), ("--contact-map", map_picture), ("--gif", gif)):
        if path is not None:
            raise InvalidQuery(f"{option} is {path}: a file holds one run; give one target")
    found: dict[str, tuple[GraspSettings, GraspOutcome]] = {}
    for name in TARGETS:
        grasp = Grasp(replace(settings, target=name))
        finished = _run(grasp)
        found[name] = grasp.settings, grasp.outcome()
        if not finished:
            break
    console = console_of(_WIDTH)
    if as_json:
        print(json.dumps({name: plain(*one) for name, one in found.items()}))  # noqa: T201
        return FREE
    columns = ("target", "frames", "contacts", *(f"by {end}" for end in _ENDS), "gap", "deepest", "ms")
    shown = open_table(f"every target: {_how(settings)}", *columns)
    for name, (_, outcome) in found.items():
        ends = Counter(end for one in outcome.ends for end in one.values())
        shown.add_row(
            *(name, str(len(outcome.frames)), str(len(outcome.contacts)), *(str(ends[end]) for end in _ENDS)),
            f"{max((abs(contact.separation) for contact in outcome.contacts), default=0.0):.1e}",
            f"{outcome.max_penetration / outcome.hand_size:.1e}",
            f"{1e3 * max((record.seconds for record in outcome.frames), default=0.0):.2f}",
        )
    console.print(shown)
    console.print("by contact, by link, by limit: how many joints the target, another link or the joint's limit stopped")
    console.print("gap: the widest separation of contacts; deepest: penetration in any frame, as a share of the hand's size")
    console.print("ms: the time of the slowest frame")
    return FREE


def plain(settings: GraspSettings, outcome: GraspOutcome) -> dict[str, Any]:
    """Return a run as plain data. Hands count from 1; with several, joints have names like bodies: "hand 2/index 3"."""
    several = len(outcome.joints) > 1

    def flat(each: Sequence[dict[str, Any]]) -> dict[str, Any]:
        return {f"hand {k}/{name}" if several else name: value for k, one in enumerate(each, 1) for name, value in one.items()}

    return {
        "settings": asdict(settings),
        "contacts": [
            {
                "hand": contact.hand + 1,
                "link": contact.link,
                "body": contact.body,
                "point": [float(x) for x in contact.point],
                "normal": [float(x) for x in contact.normal],
                "separation": contact.separation,
            }
            for contact in outcome.contacts
        ],
        "joints": flat(outcome.joints),
        "ends": flat(outcome.ends),
        "finished": outcome.finished,
        "held": list(outcome.held),
        "max_penetration": outcome.max_penetration,
        "hand_size": outcome.hand_size,
        "frames": [
            {
                "frame": record.frame,
                "phases": list(record.phases),
                "detections": record.detections,
                "ms": 1e3 * record.seconds,
                "contacts": record.contacts,
                "penetration": record.penetration,
            }
            for record in outcome.frames
        ],
    }


def write_records(path: Path, records: Sequence[GraspRecord]) -> None:
    """Write a run's frames as CSV; phases of several hands are in one cell, separated by spaces."""
    try:
        with path.open("w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["frame", "phases", "detections", "ms", "contacts", "penetration"])
            for record in records:
                out.writerow(
                    [record.frame, " ".join(record.phases), record.detections, f"{1e3 * record.seconds:.4f}"]
                    + [record.contacts, repr(float(record.penetration))]
                )
    except OSError as error:
        raise InaccessibleFile(f"--csv: {path} cannot be written: {error.strerror}") from None


def _check_files(table: Path | None, picture: Path | None, map_picture: Path | None) -> None:
    """Raise if files cannot be written, before any work is done."""
    check_csv(table)
    check_figure(picture, "--picture")
    check_figure(map_picture, "--contact-map")


def _run(grasp: Grasp, see: Callable[[Grasp, GraspRecord], object] | None = None) -> bool:
    """Run to the end or until Ctrl-C; return whether it ended. The error stream says if hands are not done."""
    progress = Console(highlight=False, stderr=True)
    most = grasp.settings.frames
    shown = track(
        until_interrupted(_frames(grasp)),
        f"grasping: {grasp.settings.target}",
        most,
        console=progress,
        transient=True,
        disable=not progress.is_terminal,
    )
    with without_gc_pauses():
        for _ in shown:
            record = grasp.step()
            if see is not None:
                see(grasp, record)
    done = len(grasp.records)
    if not grasp.ended:
        progress.print(f"stopped after {done} of at most {most} frames")
    elif any(phase != "done" for phase in grasp.phases):
        progress.print(f"not done after {done} frames, the limit; phases of the hands: {', '.join(grasp.phases)}")
    return grasp.ended


def _frames(grasp: Grasp) -> Iterator[int]:
    while not grasp.ended:
        yield len(grasp.records)


def _how(settings: GraspSettings) -> str:
    hands = f"a {settings.hand} hand" if settings.hands == 1 else f"{settings.hands} {settings.hand} hands"
    how = "exact turns"
    if settings.method == "radar":
        how = f"radars of {settings.pixels} x {settings.pixels} pixels, by {settings.rule}"
    return f"{hands}, {how}, at most {settings.step:g} degrees a frame, seed {settings.seed}"


def _contacts(settings: GraspSettings, outcome: GraspOutcome) -> Table:
    title = f"{settings.target}: what touches at the end\n{_how(settings)}"
    shown = Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in ("hand", "link", "body"):
        shown.add_column(name, overflow="fold")
    for name in ("point", "normal", "gap"):
        shown.add_column(name, justify="right", no_wrap=True)
    for contact in outcome.contacts:
        point = " ".join(f"{x:7.2f}" for x in contact.point)
        normal = " ".join(f"{x:5.2f}" for x in contact.normal)
        shown.add_row(str(contact.hand + 1), contact.link, contact.body, point, normal, f"{contact.separation:.1e}")
    return shown


def _joints(outcome: GraspOutcome) -> Table:
    """Return a table with a row for each finger: for each joint, from the root, its angle and why it stopped."""
    shown = Table(title="joints: degrees, and what stopped them")
    for name in ("hand", "finger"):
        shown.add_column(name, no_wrap=True)
    for k in range(3):
        shown.add_column(f"joint {k + 1}", justify="right", no_wrap=True)
    last = len(outcome.joints)
    for hand, (angles, ends) in enumerate(zip(outcome.joints, outcome.ends, strict=True), 1):
        fingers = list(dict.fromkeys(name.rsplit(" ", 1)[0] for name in angles))
        for finger in fingers:
            names = [name for name in angles if name.rsplit(" ", 1)[0] == finger]
            cells = [f"{math.degrees(angles[name]):7.2f} {ends.get(name, ''):<7}" for name in names]
            shown.add_row(str(hand), finger, *cells, end_section=finger == fingers[-1] and hand < last)
    return shown


def _summary(settings: GraspSettings, outcome: GraspOutcome) -> Table:
    records = outcome.frames
    times = [1e3 * record.seconds for record in records] or [0.0]
    detections = [record.detections for record in records] or [0]
    phases = Counter(record.phases[0] for record in records)
    phases_text = ", ".join(f"{phase} {count}" for phase, count in phases.items())
    rows = (
        ("frames", f"{len(records)}"),
        ("phases of the first hand" if settings.hands > 1 else "phases", phases_text),
        ("detections", f"{sum(detections)}"),
        ("most detections in a frame", f"{max(detections)}"),
        ("time of a frame, mean and worst", f"{sum(times) / len(times):.2f} ms, {max(times):.2f} ms"),
        ("contacts", f"{len(outcome.contacts)}"),
        ("widest separation of contacts", f"{max((abs(each.separation) for each in outcome.contacts), default=0.0):.1e}"),
        ("deepest penetration in any frame", f"{outcome.max_penetration:.1e}"),
        (f"as a share of the hand's size, {outcome.hand_size:g}", f"{outcome.max_penetration / outcome.hand_size:.1e}"),
    )
    return measured_table("measured", rows)
