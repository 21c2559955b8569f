"""`sweepscope simulate grasp`: hands that find a target, go there and close on it, and the contact map that comes of it."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from ..errors import InvalidQuery
from ..scenes.targets import TARGETS
from ..simulate.grasp import Grasp, Outcome, Record, Settings
from ..simulate.steady import steady
from .main import FREE
from .pictures import check_png
from .simulate import until_interrupted

EVERY = "all"
"""In place of a target's name: each of them in turn."""

_WIDTH = 120  # of tables that go into a file
_ENDS = ("contact", "link", "limit")


def run_grasp(settings: Settings, table: Path | None, picture: Path | None, map_picture: Path | None, as_json: bool) -> int:
    """Let hands grasp a target, print the contact map, write frames and pictures if asked to. Ctrl-C ends it early."""
    _check_files(table, picture, map_picture)
    strip = None
    if picture is not None:
        from .grasp_pictures import Strip

        strip = Strip(settings)
    grasp = Grasp(settings)
    _watched(grasp, None if strip is None else strip.see)
    outcome = grasp.outcome()
    if table is not None:
        write_records(table, outcome.frames)
    if picture is not None and strip is not None:
        strip.save(picture, grasp)
    if map_picture is not None:
        from .grasp_pictures import contact_map

        contact_map(map_picture, grasp, outcome)
    console = _console()
    if as_json:
        console.print_json(json.dumps(plain(settings, outcome)))
        return FREE
    for shown in (_contacts(settings, outcome), _joints(outcome), _summary(settings, outcome)):
        console.print(shown)
    return FREE


def run_all(settings: Settings, table: Path | None, picture: Path | None, map_picture: Path | None, as_json: bool) -> int:
    """Let hands grasp every target in turn, and print a line for each; JSON: what one run gives, by target."""
    for option, path in (("--csv", table), ("--picture", picture), ("--contact-map", map_picture)):
        if path is not None:
            raise InvalidQuery(f"{option} is {path}: files are of one run; give one target")
    found: dict[str, tuple[Settings, Outcome]] = {}
    for name in TARGETS:
        grasp = Grasp(replace(settings, target=name))
        finished = _watched(grasp)
        found[name] = grasp.settings, grasp.outcome()
        if not finished:
            break
    console = _console()
    if as_json:
        console.print_json(json.dumps({name: plain(*one) for name, one in found.items()}))
        return FREE
    shown = _table(
        f"every target: {_how(settings)}",
        *("target", "frames", "contacts", *(f"by {end}" for end in _ENDS)),
        *("separation", "deepest", "worst ms"),
    )
    for name, (_, outcome) in found.items():
        ends = Counter(end for one in outcome.ends for end in one.values())
        shown.add_row(
            *(name, str(len(outcome.frames)), str(len(outcome.contacts)), *(str(ends[end]) for end in _ENDS)),
            f"{max((abs(contact.separation) for contact in outcome.contacts), default=0.0):.1e}",
            f"{outcome.max_penetration / outcome.hand_size:.1e}",
            f"{1e3 * max((record.seconds for record in outcome.frames), default=0.0):.2f}",
        )
    console.print(shown)
    console.print("by contact with the target, by a link, by its limit: what ended how many joints")
    console.print("separation: the widest of the contacts; deepest: penetration in any frame, as a share of the hand's size")
    return FREE


def plain(settings: Settings, outcome: Outcome) -> dict[str, Any]:
    """Return a run as plain data. Hands count from 1; of several, joints are called as bodies are: "hand 2/index 3"."""
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


def write_records(path: Path, records: Sequence[Record]) -> None:
    """Write a run's frames as CSV; the phases of several hands are in one cell, with spaces."""
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
        raise InvalidQuery(f"--csv: {path} cannot be written: {error.strerror}") from None


def _check_files(table: Path | None, picture: Path | None, map_picture: Path | None) -> None:
    """Refuse files that could not be written, before any work is done."""
    if table is not None and not table.parent.is_dir():
        raise InvalidQuery(f"--csv: there is no folder {table.parent}")
    check_png(picture, "--picture")
    check_png(map_picture, "--contact-map")


def _watched(grasp: Grasp, see: Callable[[Grasp, Record], object] | None = None) -> bool:
    """Run to the end, or until Ctrl-C, and say on the error stream how far it got if that is not all the way."""
    aside = Console(highlight=False, stderr=True)
    most = grasp.settings.frames
    shown = track(
        until_interrupted(_going(grasp)),
        f"grasping: {grasp.settings.target}",
        most,
        console=aside,
        transient=True,
        disable=not aside.is_terminal,
    )
    with steady():
        for _ in shown:
            record = grasp.step()
            if see is not None:
                see(grasp, record)
    done = len(grasp.records)
    if not grasp.ended:
        aside.print(f"stopped after {done} of at most {most} frames")
    elif any(phase != "done" for phase in grasp.phases):
        aside.print(f"not done after {done} frames, all there may be: the hands are at {', '.join(grasp.phases)}")
    return grasp.ended


def _going(grasp: Grasp) -> Iterator[int]:
    while not grasp.ended:
        yield len(grasp.records)


def _console() -> Console:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    return console


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for k, name in enumerate(columns):
        table.add_column(name, justify="right" if k else "left", no_wrap=True)
    return table


def _how(settings: Settings) -> str:
    hands = "a hand" if settings.hands == 1 else f"{settings.hands} hands"
    how = f"radars of {settings.pixels} x {settings.pixels} pixels" if settings.method == "radar" else "exact turns"
    return f"{hands}, {how}, at most {settings.step:g} degrees a frame, seed {settings.seed}"


def _contacts(settings: Settings, outcome: Outcome) -> Table:
    shown = Table(title=f"{settings.target}: {_how(settings)}; what touches at the end")
    for name in ("hand", "link", "body"):
        shown.add_column(name, no_wrap=True)
    for name in ("point", "normal", "separation"):
        shown.add_column(name, justify="right", no_wrap=True)
    for contact in outcome.contacts:
        point = " ".join(f"{x:8.2f}" for x in contact.point)
        normal = " ".join(f"{x:6.3f}" for x in contact.normal)
        shown.add_row(str(contact.hand + 1), contact.link, contact.body, point, normal, f"{contact.separation:.1e}")
    return shown


def _joints(outcome: Outcome) -> Table:
    """Return a table with a row for each finger and, of its joints from the root outward, angle and why it stopped."""
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


def _summary(settings: Settings, outcome: Outcome) -> Table:
    shown = Table(title="measured")
    shown.add_column("what", no_wrap=True)
    shown.add_column("measured", justify="right", no_wrap=True)
    records = outcome.frames
    times = [1e3 * record.seconds for record in records] or [0.0]
    detections = [record.detections for record in records] or [0]
    phases = Counter(record.phases[0] for record in records)
    course = ", ".join(f"{phase} {count}" for phase, count in phases.items())
    for name, value in (
        ("frames", f"{len(records)}"),
        ("of those, by what the first hand did" if settings.hands > 1 else "of those", course),
        ("detections", f"{sum(detections)}"),
        ("most detections in a frame", f"{max(detections)}"),
        ("time of a frame, mean and worst", f"{sum(times) / len(times):.2f} ms, {max(times):.2f} ms"),
        ("contacts", f"{len(outcome.contacts)}"),
        ("widest separation of these", f"{max((abs(each.separation) for each in outcome.contacts), default=0.0):.1e}"),
        ("deepest penetration in any frame", f"{outcome.max_penetration:.1e}"),
        (f"as a share of the hand's size, {outcome.hand_size:g}", f"{outcome.max_penetration / outcome.hand_size:.1e}"),
    ):
        shown.add_row(name, value)
    return shown
