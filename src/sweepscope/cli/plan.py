"""`sweepscope plan`: a free path of a robot from one configuration to another, proven free."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape

from .. import checks
from ..drawing.picture import checked_path
from ..errors import InvalidQuery, NotFound
from ..formats.file_writer import new_file
from ..planning import PlanResult, plan
from ..robot.robot import Robot
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files
from .pictures import check_gif, check_png, show_files
from .robot import ignore_pairs, joint_value, set_joints
from .tables import facts

_ENDINGS = (".json", ".npz")


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What to plan, as the command line gives it."""

    start: str
    goal: str
    group: str | None
    planner: str
    seconds: float
    seed: int | None
    simplify: bool
    margin: float


def run_plan(
    file: Path,
    srdf: Path | None,
    others: list[Path],
    options: PlanOptions,
    values: list[str],
    ignored: list[str],
    geometry: str,
    meshes: Mapping[str, Any],
    out: Path | None,
    picture: Path | None,
    gif: Path | None,
    as_json: bool,
    view: bool,
) -> int:
    """Load, plan, write, draw, print; return the exit code. values: positions of joints. meshes: from `mesh_options`."""
    check_png(picture)
    check_gif(gif)
    if out is not None:
        if out.suffix.lower() not in _ENDINGS:
            raise InvalidQuery(f"--out is {out}; accepted endings: {', '.join(_ENDINGS)}")
        checked_path(out, out.suffix.lower(), "--out")
    scene = Scene()
    add_files(scene, others)
    robot = Robot.load(file, scene, geometry=geometry, srdf=srdf, **meshes)
    set_joints(robot, values)
    ignore_pairs(robot, ignored)
    joints = _joints(robot, options.group)
    start = _configuration(robot, joints, options.start, "--from")
    goal = _configuration(robot, joints, options.goal, "--to")
    robot.positions = start
    result = plan(
        robot,
        [start[name] for name in joints],
        [goal[name] for name in joints],
        joints=joints,
        planner=options.planner,
        seconds=options.seconds,
        seed=options.seed,
        simplify=options.simplify,
        margin=options.margin,
    )
    if result:
        _write(result, out)
        if picture is not None:
            result.picture(picture)
        if gif is not None:
            result.animate(gif)
    if as_json:
        written = None if out is None or not result else str(out)
        print(json.dumps({**result.as_dict(), "out": written}))  # noqa: T201
    else:
        _show(result)
        if result:
            if out is not None:
                Console(highlight=False, soft_wrap=True).print(f"path: {escape(str(out))}")
            show_files(picture, gif)
    if view:
        from .view import serve

        serve(result.show() if result else robot.show())
    return FREE if result and result.certified else HIT


def _joints(robot: Robot, group: str | None) -> tuple[str, ...]:
    """Return the joints to plan for: those of a group of the SRDF file, or all."""
    if group is None:
        return robot.actuated_joints
    if group not in robot.groups:
        raise NotFound(f"--group is {group!r}; groups of the SRDF file: {checks.listed(robot.groups)}")
    if not robot.groups[group]:
        raise InvalidQuery(f"--group {group!r} has no joint that can be moved")
    return robot.groups[group]


def _configuration(robot: Robot, joints: tuple[str, ...], text: str, option: str) -> dict[str, float]:
    """Return positions by joint from a text: the name of a state, or a number for each of the joints."""
    states = robot.states
    if text in states:
        moved = robot.actuated_joints
        return {name: value for name, value in states[text].items() if name in moved} | {
            name: robot[name] for name in joints if name not in states[text]
        }
    words = text.split(",")
    if len(words) == 1 and len(joints) > 1:
        raise NotFound(f"{option} is {text!r}; accepted: {_accepted(joints)}; states: {checks.listed(states)}")
    if len(words) != len(joints):
        raise InvalidQuery(f"{option}: got {checks.amount(len(words), 'number')}; accepted: {_accepted(joints)}")
    return {name: joint_value(robot, name, word) for name, word in zip(joints, words, strict=True)}


def _accepted(joints: tuple[str, ...]) -> str:
    return f"{checks.amount(len(joints), 'number')} with commas between, for {checks.listed(joints)}, or the name of a state"


def _write(result: PlanResult, out: Path | None) -> None:
    """Write a path to a file."""
    if out is None:
        return
    with new_file(out, out.suffix.lower()) as stream:
        if out.suffix.lower() == ".json":
            stream.write(json.dumps(result.as_dict(), indent=1).encode())
        else:
            names = np.array(result.joints)
            np.savez(stream, path=result.path, joints=names, configurations=result.configurations, certified=result.certified)


def _show(result: PlanResult) -> None:
    console = Console(highlight=False, soft_wrap=True)
    table = facts()
    effort = f"{result.planner}, {result.seconds:.3g} s, {result.states} configurations and {result.motions} motions checked"
    if not result:
        console.print(escape(f"not solved: {result.status}{_contact(result)}"), style="red")
        if result.seconds:
            table.add_row("search", escape(effort))
            console.print(table)
        return
    style = "green" if result.certified else "red"
    proof = "certified: no contact anywhere on it" if result.certified else f"not certified{_contact(result)}"
    console.print(escape(f"solved: {checks.amount(len(result.path), 'waypoint')}; {proof}"), style=style)
    table.add_row("search", escape(effort))
    table.add_row("length", f"{result.length:.4g}, after {result.simplify_seconds:.3g} s of making it shorter")
    table.add_row("joints", escape(",".join(result.joints)))
    for k, row in enumerate(result.path):
        table.add_row(f"{k}", ",".join(f"{value:.6g}" for value in row))
    console.print(table)


def _contact(result: PlanResult) -> str:
    """Return what meets what, after a colon; nothing if there is no contact."""
    hit = result.hit
    if hit is None:
        return ""
    other = hit.obstacle.name if hit.obstacle_link is None else f"its own {hit.obstacle_link}"
    return f": {hit.link} meets {other}"
