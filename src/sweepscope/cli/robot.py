"""`sweepscope robot`: prints the robot of a URDF file, sweeps its joints, or suggests links that ignore each other."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .. import checks
from ..errors import InvalidQuery
from ..results.hits import LinkHit, plain_link_hit
from ..robot.ends import ends
from ..robot.robot import Joint, Link, Robot
from ..scene import Scene
from .exits import FREE, HIT
from .files import add_files
from .pictures import check_gif, check_png, show_files
from .robot_files import split_pair
from .tables import facts, numbers

_VALUE = re.compile(r"\s*(\S+?)\s*(deg|rad|)\s*")
_WIDTH = 200  # of tables that are written to a file
_UNITS = {"revolute": "radians", "prismatic": "length"}
_Sweep = tuple[str, float, LinkHit | None]  # joint, target value, first contact


def run_robot(
    file: Path,
    joints: list[str],
    targets: list[str],
    starts: list[str],
    every: bool,
    others: list[Path],
    geometry: str,
    meshes: dict[str, Any],
    ignored: list[str],
    margin: float,
    as_json: bool,
    picture: Path | None,
    gif: Path | None,
    view: bool,
    srdf: Path | None,
) -> int:
    """Load, set the start values of joints, sweep, print; return the exit code. meshes: from `mesh_options`."""
    if len(joints) != len(targets):
        raise InvalidQuery(f"given: {len(joints)} --joint and {len(targets)} --to; every --joint NAME needs its --to VALUE")
    if len(set(joints)) < len(joints):
        raise InvalidQuery(f"--joint {next(name for name in joints if joints.count(name) > 1)!r} is given twice")
    check_png(picture)
    check_gif(gif)
    if (picture or gif) and every:
        raise InvalidQuery("--picture and --gif show one sweep, or the robot; leave out --sweep-all")
    if gif and not joints:
        raise InvalidQuery("--gif shows a sweep; give --joint and --to")
    if joints and every:
        raise InvalidQuery("give --joint with --to, or --sweep-all, not both")
    scene = Scene()
    add_files(scene, others)
    robot = Robot.load(file, scene, geometry=geometry, srdf=srdf, **meshes)
    set_joints(robot, starts)
    ignore_pairs(robot, ignored)
    code = _run_query(robot, joints, targets, every, margin, as_json, picture, gif)
    if view:
        from .view import serve, visual_of

        visual = None if geometry == "visual" else visual_of(file, robot.name, **meshes)
        serve(robot.show(visuals={} if visual is None else {robot.name: visual}, sweep_all=every))
    return code


def run_suggest(
    file: Path,
    geometry: str,
    meshes: dict[str, Any],
    srdf: Path | None,
    target: Path,
    samples: int,
    as_json: bool,
    alone: bool,
) -> int:
    """Find pairs of links that need not be tested, and write them to an SRDF file with what `srdf` says; print them.

    alone: whether no option of a sweep is given.
    """
    if not alone:
        raise InvalidQuery("--suggest-ignores writes a file and does not sweep; first write it, then use it: --srdf FILE")
    robot = Robot.load(file, geometry=geometry, srdf=srdf, **meshes)
    found = robot.suggest_ignores(samples)
    found.apply()
    robot.save_srdf(target)
    if as_json:
        print(json.dumps({"robot": robot.name, "samples": samples, "pairs": [list(pair) for pair in found]}))  # noqa: T201
        return FREE
    console = _console()
    table = _table("reason", "link", "link")
    for pair in sorted(found, key=lambda pair: pair.reason):
        table.add_row(*map(escape, (pair.reason, pair.a, pair.b)))
    console.print(table)
    counts = ", ".join(f"{count} {reason}" for reason, count in sorted(Counter(pair.reason for pair in found).items()))
    console.print(escape(f"wrote {target}: {counts or 'no pairs'}; {checks.amount(samples, 'sample')}"))
    console.print("Never means in no sample. Default overlaps at the start: check that it is the model, not a collision.")
    return FREE


def _run_query(
    robot: Robot,
    joints: list[str],
    targets: list[str],
    every: bool,
    margin: float,
    as_json: bool,
    picture: Path | None,
    gif: Path | None,
) -> int:
    """Sweep or describe the robot, draw and print; return the exit code."""
    if every:
        return _sweep_each(robot, margin, as_json)
    if joints:
        to = {name: joint_value(robot, name, text) for name, text in zip(joints, targets, strict=True)}
        return _sweep_together(robot, to, margin, as_json, picture, gif)
    if picture is not None:
        robot.picture(picture)
    if as_json:
        print(json.dumps(_robot_to_dict(robot)))  # noqa: T201
    else:
        _show_tree(robot)
        show_files(picture, None)
    return FREE


def set_joints(robot: Robot, values: list[str]) -> None:
    """Set joints to the values of --set JOINT=VALUE."""
    pairs = [split_pair(text, "--set", "JOINT=VALUE") for text in values]
    if len(dict(pairs)) < len(pairs):
        raise InvalidQuery(f"--set: a joint is given twice: {', '.join(name for name, _ in pairs)}")
    robot.positions = {name: joint_value(robot, name, text) for name, text in pairs}


def ignore_pairs(robot: Robot, pairs: list[str]) -> None:
    """Let the links of --ignore LINK,LINK pass through each other."""
    for text in pairs:
        names = [name.strip() for name in text.split(",")]
        if len(names) != 2:
            raise InvalidQuery(f"--ignore is {text!r}; expected two links: LINK,LINK")
        robot.ignore(*names)


def joint_value(robot: Robot, name: str, text: str) -> float:
    """Return the value of a joint from its text: [radians], or degrees with the suffix deg; [length] if it slides."""
    joint = robot.joints.get(name)
    found = _VALUE.fullmatch(text)
    try:
        number, unit = float(found.group(1) if found else text), found.group(2) if found else ""
        if "_" in text:
            raise ValueError
    except ValueError:
        raise InvalidQuery(
            f"position of joint {name!r} is {text!r}; expected a number [radians or length], or degrees such as 90deg"
        ) from None
    if unit and joint is not None and joint.kind != "revolute":
        raise InvalidQuery(f"position of joint {name!r} is {text!r}; it does not turn, so give a number [length]")
    return math.radians(number) if unit == "deg" else number


def _sweep_together(
    robot: Robot, to: dict[str, float], margin: float, as_json: bool, picture: Path | None, gif: Path | None
) -> int:
    hit = robot.sweep(to, margin=margin)
    if picture is not None:
        robot.picture(picture) if hit is None else hit.picture(picture)
    if gif is not None:
        robot.animate(to, gif) if hit is None else hit.animate(gif)
    if as_json:
        units = {name: _UNITS[robot.joints[name].kind] for name in (to if hit is None else hit.positions)}
        print(json.dumps({**plain_link_hit(hit), "to": to, "units": units}))  # noqa: T201
        return FREE if hit is None else HIT
    console = _console()
    moves = ", ".join(f"{name} to {_amount(robot.joints[name], value)}" for name, value in to.items())
    if hit is None:
        console.print(f"free: hits nothing with {escape(moves)}", style="green")
        show_files(picture, gif)
        return FREE
    table = facts()
    table.add_row("moves", escape(moves))
    table.add_row("hits", escape(f"{hit.link} meets {_obstacle(hit)}"), style="red")
    if hit.overlapping:
        table.add_row("", "they overlap at the start")
    for name, value in hit.positions.items():
        table.add_row("value", escape(f"{name} {_amount(robot.joints[name], value)}"))
    table.add_row("time", f"{hit.time:.9g}")
    table.add_row("point", numbers(hit.point))
    table.add_row("normal", numbers(hit.normal))
    if hit.bound > 0.0:
        table.add_row("bound", escape(f"{hit.bound:.3g} [length]: largest position error of the links"))
    console.print(table)
    show_files(picture, gif)
    return HIT


def _sweep_each(robot: Robot, margin: float, as_json: bool) -> int:
    """Sweep each joint that is not a mimic joint alone to both limits; the others keep their values."""
    sweeps: list[_Sweep] = []
    endless = []
    for name in robot.actuated_joints:
        for to in ends(robot, robot.joints[name]):
            if math.isinf(to):
                endless.append(name)
            elif to != robot[name]:
                sweeps.append((name, to, robot.sweep(name, to, margin=margin)))
    if as_json:
        rows = [
            {**plain_link_hit(hit), "joint": name, "from": robot[name], "to": to, "unit": _UNITS[robot.joints[name].kind]}
            for name, to, hit in sweeps
        ]
        print(json.dumps({"robot": robot.name, "sweeps": rows, "not swept": sorted(set(endless))}))  # noqa: T201
    else:
        _show_sweeps(robot, sweeps)
        for name in sorted(set(endless)):
            Console(highlight=False).print(f"{escape(name)} has no limit, so it was not swept; give --joint and --to")
    return HIT if any(hit is not None for _, _, hit in sweeps) else FREE


def _robot_to_dict(robot: Robot) -> dict[str, Any]:
    """Return links and joints as plain data; a missing limit is null."""
    links = []
    for link in robot.links.values():
        joint = link.joint
        plain_joint = None
        if joint is not None:
            plain_joint = {
                "name": joint.name,
                "kind": joint.kind,
                "axis": list(joint.axis),
                "limits": [None if math.isinf(limit) else limit for limit in joint.limits],
                "value": robot.positions.get(joint.name),
                "mimic": joint.mimic,
                "unit": _UNITS.get(joint.kind),
            }
        bodies = [{"name": body.name, "shape": type(body.shape).__name__} for body in link.bodies]
        parent = None if link.parent is None else link.parent.name
        links.append({"name": link.name, "parent": parent, "joint": plain_joint, "bodies": bodies, "pose": link.pose.tolist()})
    overlaps = [list(pair) for pair in robot.overlaps()]
    return {"robot": robot.name, "links": links, "groups": robot.groups, "states": robot.states, "overlaps": overlaps}


def _show_tree(robot: Robot) -> None:
    console = _console()
    counts = (
        f"{checks.amount(len(robot.links), 'link')}, {checks.amount(len(robot.bodies), 'body', 'bodies')}, "
        f"{checks.amount(len(robot.actuated_joints), 'joint')} to move"
    )
    console.print(f"{escape(robot.name)}: {counts}")
    depth: dict[str, int] = {}
    below: dict[str | None, list[str]] = {}
    for name, link in robot.links.items():
        above = None if link.parent is None else link.parent.name
        depth[name] = 0 if above is None else depth[above] + 1
        below.setdefault(above, []).append(name)
    waiting = list(below[None])
    while waiting:
        name = waiting.pop()
        waiting += reversed(below.get(name, []))
        link = robot.links[name]
        # Lines, not a table: a tree is deep and names are long, so its columns would be too narrow to read.
        joint = "" if link.joint is None else f", {'fixed' if link.joint.kind == 'fixed' else 'moved'} by {link.joint.name}"
        console.print(escape(f"{'  ' * depth[name]}{name}: {_shapes(link)}{joint}"))
    if robot.positions:
        console.print()
        console.print(_joint_table(robot))
        console.print("values in radians; prismatic joints in the file's unit of length")
    for name, joints in robot.groups.items():
        console.print(escape(f"group {name}: {', '.join(joints) or 'no joint that can be moved'}"))
    for name, positions in robot.states.items():
        console.print(escape(f"state {name}: {', '.join(f'{joint} {value:.6g}' for joint, value in positions.items())}"))
    overlaps = robot.overlaps()
    for one, other in overlaps:
        console.print(f"overlap now: {escape(one)} and {escape(other)}", style="yellow")
    if overlaps:
        console.print("--suggest-ignores FILE.srdf finds links that need not be tested; --srdf FILE.srdf ignores them")


def _shapes(link: Link) -> str:
    """Return the kinds of a link's shapes, equal ones counted: "Mesh, 4 Box"."""
    counts = Counter(type(body.shape).__name__ for body in link.bodies)
    return ", ".join(kind if count == 1 else f"{count} {kind}" for kind, count in counts.items()) or "no shape"


def _joint_table(robot: Robot) -> Table:
    """Return a row for each joint that moves; that of a follower ends with what it follows."""
    table = _table("joint", "value", "limits", "kind")
    for name, value in robot.positions.items():
        joint = robot.joints[name]
        low, high = joint.limits
        limits = "none" if math.isinf(low) and math.isinf(high) else f"{low:.6g} .. {high:.6g}"
        kind = joint.kind
        if joint.mimic is not None:
            leader, factor, offset = joint.mimic
            kind += f", {factor:g} x {leader}" + (f" {offset:+g}" if offset else "")
        table.add_row(*map(escape, (name, f"{value:.6g}", limits, kind)))
    return table


def _show_sweeps(robot: Robot, sweeps: Iterable[_Sweep]) -> None:
    console = _console()
    table = _table("joint", "to", "gets to", "where")
    for name, to, hit in sweeps:
        words = (name, f"{to:.6g}", f"{to if hit is None else hit.positions[name]:.6g}")
        where = "free" if hit is None else f"{hit.link} {'overlaps' if hit.overlapping else 'meets'} {_obstacle(hit)}"
        table.add_row(*map(escape, (*words, where)), style="green" if hit is None else "red")
    console.print(table)
    console.print(f"Each joint alone, from its value now: {_now(robot, [name for name, _, _ in sweeps])}.")
    console.print("Values in radians, prismatic joints in the file's unit of length.")


def _now(robot: Robot, names: list[str]) -> str:
    """Return the values of joints as a text, those at 0 together."""
    moved = [f"{name} at {robot[name]:.6g}" for name in dict.fromkeys(names) if robot[name] != 0.0]
    return escape(", ".join(moved) + ", all others at 0" if moved else "all at 0")


def _table(*titles: str) -> Table:
    """Return an empty table for narrow screens: only its last column wraps."""
    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold", no_wrap=title != titles[-1])
    return table


def _console() -> Console:
    """Return the console; output to a file is not cut to the width of a screen."""
    console = Console(highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = _WIDTH
    return console


def _obstacle(hit: LinkHit) -> str:
    return hit.obstacle.name if hit.obstacle_link is None else f"its own {hit.obstacle_link}"


def _amount(joint: Joint, value: float) -> str:
    return f"{value:.9g} ({math.degrees(value):.6g} deg)" if joint.kind == "revolute" else f"{value:.9g}"
