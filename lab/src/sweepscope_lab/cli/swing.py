"""`sweepscope swing`: the exact hits of a swing, and the answers of fans, speculative boxes and straight sweeps."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sweepscope import Box, Capsule, Mesh, Rotate, Shape, Sphere, checks
from sweepscope.cli.exits import FREE, HIT
from sweepscope.cli.motion import amount
from sweepscope.cli.numbers import numbers_of
from sweepscope.cli.options import Triple
from sweepscope.cli.pictures import check_png
from sweepscope.errors import InvalidMotion, InvalidQuery

from ..scenes.swinging import SwingScene, SwingTarget, bat_and_ball, sword_and_shield
from .swing_answers import HEADINGS, METHODS, TargetAnswer, ask

_ACCEPTED = "--box W D H or --mesh FILE, --axis X Y Z, --angle DEGREES, and targets; no arguments: examples"


def run_swing(
    files: Sequence[Path],
    points: Sequence[str],
    balls: Sequence[str],
    capsules: Sequence[str],
    box: Triple | None,
    mesh: Path | None,
    pose: NDArray[np.float64],
    axis: Triple | None,
    degrees: float | None,
    about: Triple,
    picture: Path | None,
    as_json: bool,
    view: bool,
) -> int:
    """Swing, run all methods, print their answers; return the exit code: 1 if anything is hit. No arguments: examples."""
    check_png(picture)
    targets = _targets(files, points, balls, capsules)
    asked = box is not None or mesh is not None or axis is not None or degrees is not None or bool(targets)
    if asked:
        cases = [SwingScene(*_mover(box, mesh, pose), _motion(axis, degrees, about), _not_empty(targets))]
    else:
        cases = [bat_and_ball(), sword_and_shield()]
    answers = [(case, ask(case)) for case in cases]
    if picture is not None:
        from .swing_pictures import save_swings

        save_swings(picture, answers)
    if as_json:
        plain = [_plain(case, rows) for case, rows in answers]
        print(json.dumps(plain[0] if asked else plain))  # noqa: T201
    else:
        _show(answers, picture)
    if view:
        from .view import show_swing

        show_swing(cases[0])
    hit = any(row.time is not None for _, rows in answers for row in rows)
    return HIT if asked and hit else FREE


def _targets(
    files: Sequence[Path], points: Sequence[str], balls: Sequence[str], capsules: Sequence[str]
) -> tuple[SwingTarget, ...]:
    """Return the targets, in the order files, points, balls, capsules."""
    found = [SwingTarget(str(path), Mesh.load(path), np.eye(4)) for path in files]
    for k, text in enumerate(points):
        found.append(SwingTarget(f"point {k + 1}", Sphere(0.0), checks.pose(numbers_of(text), "--point")))
    for k, text in enumerate(balls):
        *place, radius = numbers_of(text)
        found.append(SwingTarget(f"ball {k + 1}", Sphere(radius), checks.pose(place, "--ball")))
    for k, text in enumerate(capsules):
        numbers = numbers_of(text)
        found.append(
            SwingTarget(f"capsule {k + 1}", Capsule.from_segment(numbers[:3], numbers[3:6], radius=numbers[6]), np.eye(4))
        )
    return tuple(found)


def _not_empty(targets: tuple[SwingTarget, ...]) -> tuple[SwingTarget, ...]:
    if not targets:
        raise InvalidQuery("no targets given; accepted: mesh files, --point, --ball, --capsule")
    return targets


def _mover(box: Triple | None, mesh: Path | None, pose: NDArray[np.float64]) -> tuple[str, Shape, NDArray[np.float64]]:
    """Return the mover: its title, shape and start pose."""
    if (box is None) == (mesh is None):
        raise InvalidQuery(f"given: {'neither --box nor --mesh' if box is None else '--box and --mesh'}; accepted: {_ACCEPTED}")
    if mesh is not None:
        return str(mesh), Mesh.load(mesh), pose
    return "box", Box(box), pose  # type: ignore[arg-type]


def _motion(axis: Triple | None, degrees: float | None, about: Triple) -> Rotate:
    if axis is None or degrees is None:
        missing = " and ".join(name for name, value in (("--axis", axis), ("--angle", degrees)) if value is None)
        raise InvalidMotion(f"given: no {missing}; accepted: {_ACCEPTED}")
    return Rotate(axis, math.radians(degrees), about=about)


def _plain(case: SwingScene, rows: list[TargetAnswer]) -> dict[str, Any]:
    """Return answers as plain data; null: not available."""
    return {
        "mover": case.title,
        "radians": case.motion.angle,
        "hit": any(row.time is not None for row in rows),
        "targets": [
            {
                "target": row.target.name,
                "hit": row.time is not None,
                "time": row.time,
                "radians": None if row.time is None else row.time * case.motion.length,
                "point": None if row.point is None else row.point.tolist(),
                "methods": row.methods,
            }
            for row in rows
        ],
    }


def _cell(answer: bool | None, hit: bool) -> str:
    """Return a method's answer, or how it is wrong."""
    if answer is None:
        return "-"
    if answer == hit:
        return "hit" if answer else "free"
    return "[yellow]false[/yellow]" if answer else "[red]missed[/red]"


def _table(*headings: str) -> Table:
    """Return an empty table; its first column holds names of targets."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(headings[0], overflow="fold")
    for heading in headings[1:]:
        table.add_column(heading, no_wrap=True)
    return table


def _exact_table(case: SwingScene, rows: list[TargetAnswer]) -> Table:
    """Return angle, time and point of each first contact."""
    table = _table("target", "exact: first hit", "share of the swing", "point")
    for row in rows:
        point = "" if row.point is None else " ".join(f"{x:.3f}" for x in row.point)
        found = ("free", "") if row.time is None else (amount(case.motion, row.time, 6), f"{row.time:.6f}")
        table.add_row(escape(row.target.name), *found, point)
    return table


def _method_table(rows: list[TargetAnswer]) -> Table:
    """Return the answers of the methods."""
    table = _table("target", *(HEADINGS[name] for name in METHODS))
    for row in rows:
        table.add_row(escape(row.target.name), *(_cell(row.methods[name], row.time is not None) for name in METHODS))
    return table


def _show(answers: list[tuple[SwingScene, list[TargetAnswer]]], picture: Path | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for case, rows in answers:
        axis, about = (" ".join(f"{x:.4g}" for x in values) for values in (case.motion.axis, case.motion.about))
        console.print(
            f"{escape(case.title)}: {math.degrees(case.motion.angle):g} degrees about {axis} through {about}", style="bold"
        )
        console.print(_exact_table(case, rows))
        console.print(_method_table(rows))
        _count(console.print, case, rows)
    console.print("missed: a hit not found; false: a hit that is not one")
    console.print(
        "fan: of the thesis, (2.1); encl.: the enclosing fan; A1, A2, D1, PhysX: boxes of speculative CCD (D1: inferred); "
        "str.: the box moved straight; SSV: a sphere around it moved straight"
    )
    if picture is not None:
        console.print(f"picture: {escape(str(picture))}")


def _count(say: Callable[[str], None], case: SwingScene, rows: list[TargetAnswer]) -> None:
    """Print how often each method is wrong."""
    wrong = []
    for name in METHODS:
        pairs = [(row.methods[name], row.time is not None) for row in rows if row.methods[name] is not None]
        missed, false = pairs.count((False, True)), pairs.count((True, False))
        if missed or false:
            wrong.append(f"{HEADINGS[name]} {missed} missed, {false} false")
    say("wrong: " + ("; ".join(wrong) or "none"))
    if any(row.methods["fan"] is None for row in rows):
        say("no published fan: it needs one edge along the axis, another towards it, and the axis outside the box")
    if not isinstance(case.mover, Box):
        say("all methods but the enclosing fan replace a mesh by the box around it")
