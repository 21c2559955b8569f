"""`sweepscope predict`: several bodies move at once."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .. import checks
from ..drawing.predictions import picture_of_prediction
from ..errors import InvalidMotion, InvalidQuery
from ..motion import Motion, Rotate, Translate
from ..results import PairContact
from ..scene import Scene, store_of
from .exits import FREE, HIT
from .files import add_files, load
from .options import Triple, Turn
from .pictures import check_png, show_files
from .poses import pose_of
from .tables import numbers


@dataclass(frozen=True)
class MovingFile:
    """A --body and its options. Speeds are per unit of time, which is that of --horizon."""

    path: Path
    at: Triple
    orient: Turn | None
    velocity: Triple | None
    spin: Turn | None
    about: Triple | None

    def check(self, number: int) -> None:
        """Raise if its options contradict each other; number: 1 for the first --body."""
        if self.velocity is not None and self.spin is not None:
            raise InvalidMotion(f"body {number}: given: --velocity and --spin; accepted: one of them")
        if self.about is not None and self.spin is None:
            raise InvalidMotion(f"body {number}: given: --about without --spin; accepted: --spin X Y Z DEGREES [--about X Y Z]")

    def motion(self, time: float = 1.0) -> Motion | None:
        """Return what it does from now until a time; None if it stands still."""
        if self.velocity is not None:
            x, y, z = self.velocity
            return Translate((time * x, time * y, time * z))
        if self.spin is not None:
            *axis, degrees = self.spin
            return Rotate(axis, time * math.radians(degrees), about=self.at if self.about is None else self.about)
        return None


def run_predict(
    movers: list[MovingFile],
    others: list[Path],
    horizon: float,
    margin: float,
    picture: Path | None,
    as_json: bool,
    spacing: float | None,
    threshold: float | None,
) -> int:
    """Load, predict, draw, print; return the exit code: a hit if any two meet."""
    check_png(picture)
    if not movers:
        raise InvalidQuery("no --body is given; accepted: --body FILE [--at X Y Z] --velocity X Y Z, once or more")
    scene, bodies = Scene(), []
    for number, each in enumerate(movers, 1):
        each.check(number)
        name = store_of(scene).free_name(str(each.path))
        pose = pose_of(each.at, each.orient, f"body {number}: ")
        bodies.append(scene.add(load(each.path, spacing, threshold), pose, name=name))
    add_files(scene, others, spacing, threshold)
    motions = {body: motion for body, each in zip(bodies, movers, strict=True) if (motion := each.motion()) is not None}
    contacts = scene.predict(motions, checks.number(horizon, "--horizon", InvalidQuery), margin=margin)
    if picture is not None:
        if contacts:
            moved = [(body, each.motion(contacts[0].time)) for body, each in zip(bodies, movers, strict=True)]
            for body, motion in moved:
                body.pose = body.pose if motion is None else motion.at() @ body.pose
        picture_of_prediction(scene, contacts, horizon, picture)
    if as_json:
        rows = [contact.as_dict() for contact in contacts]
        print(json.dumps({"hit": bool(contacts), "horizon": horizon, "contacts": rows}))  # noqa: T201
    else:
        _show(contacts, horizon)
        show_files(picture, None)
    return HIT if contacts else FREE


def _show(contacts: list[PairContact], horizon: float) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if not contacts:
        console.print(f"free: no two bodies meet within {horizon:g}", style="green")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("time", no_wrap=True, justify="right")
    for title in ("first", "second"):
        table.add_column(title, overflow="fold")
    for title in ("point", "normal"):
        table.add_column(title, no_wrap=True)
    for contact in contacts:
        when = "overlap" if contact.overlapping else f"{contact.time:.9g}"
        names = (escape(contact.first.name), escape(contact.second.name))
        table.add_row(when, *names, numbers(contact.point), numbers(contact.normal))
    console.print(table)
