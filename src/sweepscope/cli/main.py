"""`sweepscope`: reads files, prints a table or JSON. Exit codes: 0 free, 1 hit, 2 bad input, 3 error in the program.

Only typer is imported here, so that --help is fast; each command imports what it needs.
"""

from __future__ import annotations

import io
import json as json_text
import logging
import math
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer

from .body_options import BodiesCommand, numbers_by_body
from .exits import BAD_INPUT, BROKEN, FREE, INTERRUPTED
from .help import QUERIES, SETUP, VIEWING, Grouped, examples
from .numbers import NumbersCommand
from .options import (
    AXIS_ANGLE,
    About,
    Angle,
    At,
    Axis,
    Each,
    Every,
    Gif,
    Json,
    Margin,
    Method,
    Motions,
    Move,
    Mover,
    Obstacles,
    Orient,
    Out,
    Package,
    Picture,
    Pixels,
    Poses,
    Resting,
    Root,
    Show,
    Spacing,
    Threads,
    Threshold,
    Tolerance,
    ToolPath,
    Triple,
    Turn,
    TurnDae,
)

COMMANDS = "sweepscope.commands"
"""Entry points of other packages: functions that take `app` and add commands to it."""
_ORIGIN = (0.0, 0.0, 0.0)
_UsageError: Any = typer.BadParameter.__mro__[1]  # typer does not export it, and newer versions do not use the package click

LABORATORY = ("bench", "demo", "fuzz", "papers", "simulate", "swing", "verify")
"""Commands that the package sweepscope-lab adds."""


class _Commands(Grouped):
    """The commands; for one of the laboratory, where that is not installed, the error says how to get it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command's name, itself and the rest of the words."""
        if args and args[0] in LABORATORY and args[0] not in self.commands and not ctx.resilient_parsing:
            from ..errors import SweepscopeError

            raise SweepscopeError(
                f"{args[0]!r} is a command of the laboratory, which is not installed: "
                "pip install sweepscope-lab (in a checkout: pip install ./lab)"
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    help="Sees a collision before it happens: what is hit, when and where, and the free travel.",
    epilog="Examples: sweepscope COMMAND --help; all commands: docs/command_line.md.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _command(group: str, *lines: str, cls: type[NumbersCommand] = NumbersCommand) -> Callable[..., Any]:
    """Return a decorator that adds a command to a group of the help, with examples."""
    return app.command(cls=cls, rich_help_panel=group, epilog=examples(*lines))


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from .. import __version__

        typer.echo(f"sweepscope {__version__}")
        raise typer.Exit


@_command(
    QUERIES,
    "sweep tool.stl room.obj --move 0 0 -5",
    "sweep tool.stl room.obj shelf.stl --move 0 0 -5 --margin 0.1",
    "sweep tool.stl room.obj --move 0 0 -5 --orient 0 1 0 90",
    "sweep door.stl room.obj --axis 0 0 1 --angle 90 --json",
    "sweep tool.stl room.obj --path points.csv --picture hit.png",
    "sweep tool.stl room.obj --motions moves.npy --out hits.npz",
)
def sweep(
    mover: Mover,
    scene: Obstacles,
    move: Move = None,
    axis: Axis = None,
    angle: Angle = None,
    about: About = None,
    slide: Annotated[float, typer.Option(help="Slide along the axis during the turn [length].")] = 0.0,
    motions: Motions = None,
    poses: Poses = None,
    path: ToolPath = None,
    every: Every = False,
    each: Each = False,
    at: At = _ORIGIN,
    orient: Orient = None,
    margin: Margin = 0.0,
    resting: Annotated[Resting, typer.Option(help="Touching without approach counts as: free or hit.")] = "free",
    tolerance: Tolerance = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    out: Out = None,
    threads: Threads = None,
    picture: Picture = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Move a mesh or a volume; report what it hits first.

    The motion is straight, a turn or a screw; files give many, or a path. The report gives travel, point, normal and features.
    Exit code 0: free, 1: hit.
    """
    from .motion import motion_of
    from .poses import pose_of
    from .sweep import run_sweep
    from .sweep_all import run_sweep_all
    from .sweep_rows import RowOptions, run_sweep_rows

    rows = RowOptions(motions, poses, path, every, out, threads)
    others = {"--move": move, "--axis": axis, "--angle": angle, "--about": about, "--slide": slide or None}
    others |= {"--at": None if at == _ORIGIN else at, "--orient": orient}
    many = rows.check(others | {"--picture": picture, "--gif": gif, "--view": view or None, "--each": each or None})
    motion = None if motions or path else motion_of(move, axis, angle, about, slide)
    start = pose_of(at, orient)
    asked = (margin, resting, tolerance, json, spacing, threshold, picture)
    if many:
        raise typer.Exit(run_sweep_rows(mover, scene, motion, start, orient is not None, rows, *asked))
    assert motion is not None  # else it would have raised
    if each:
        raise typer.Exit(run_sweep_all(mover, scene, motion, start, *asked))
    raise typer.Exit(run_sweep(mover, scene, motion, start, *asked, gif, view))


@_command(
    QUERIES,
    "distance tool.stl room.obj",
    "distance tool.stl room.obj shelf.stl --count 3 --limit 0.5",
    "distance tool.stl room.obj --picture nearest.png --json",
)
def distance(
    body: Annotated[Path, typer.Argument(help="Mesh or volume file.")],
    scene: Obstacles,
    at: At = _ORIGIN,
    orient: Orient = None,
    limit: Annotated[float, typer.Option(help="Leave out bodies that are farther away [length].")] = math.inf,
    count: Annotated[int, typer.Option(help="How many bodies to report, nearest first.")] = 1,
    tolerance: Tolerance = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    picture: Picture = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Measure how near a mesh or a volume is to others.

    The report gives the distance and the nearest point of each. Exit code 0: apart, 1: they touch or overlap.
    """
    from .distance import run_distance
    from .poses import pose_of

    asked = (limit, count, tolerance, json, spacing, threshold, picture, view)
    raise typer.Exit(run_distance(body, scene, pose_of(at, orient), *asked))


@_command(
    QUERIES,
    "slide character.stl room.obj --move 3 1 0",
    "slide character.stl room.obj --move 3 1 0 --push-out --json",
)
def slide(
    mover: Mover,
    scene: Obstacles,
    move: Annotated[Triple, typer.Option(metavar="X Y Z", help="Straight motion to try [length].")],
    at: At = _ORIGIN,
    orient: Orient = None,
    margin: Margin = 0.0,
    legs: Annotated[int, typer.Option(help="Largest number of straight legs, 1 to 1000.")] = 8,
    push_out: Annotated[bool, typer.Option("--push-out", help="Move out of an overlap before the first leg.")] = False,
    tolerance: Tolerance = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    picture: Picture = None,
    json: Json = False,
) -> None:
    """Move along obstacles, as a character along a wall.

    After each contact the motion goes on along the surface. The report lists the legs of the path and what was hit.
    Exit code 0: nothing was hit, 1: hit.
    """
    from .poses import pose_of
    from .slide import run_slide

    asked = (margin, legs, push_out, tolerance, picture, json, spacing, threshold)
    raise typer.Exit(run_slide(mover, scene, move, pose_of(at, orient), *asked))


@_command(
    QUERIES,
    "predict --horizon 9 --body a.stl --velocity 1 0 0 --body b.stl",
    "predict room.obj --horizon 5 --body a.stl --velocity 0 0 -1",
    "predict room.obj --horizon 2 --body fan.stl --spin 0 0 1 90",
    cls=BodiesCommand,
)
def predict(
    scene: Annotated[list[Path] | None, typer.Argument(help="Mesh, volume or scene files of bodies that stand still.")] = None,
    *,
    horizon: Annotated[float, typer.Option(help="How far to look ahead, in units of time of your choice.")],
    body: Annotated[
        list[Path] | None,
        typer.Option(
            help="Mesh or volume file of a body; may be repeated. The next five options belong to the --body before them."
        ),
    ] = None,
    at: Annotated[list[str] | None, typer.Option(metavar="X Y Z", help="Its position now [length].")] = None,
    orient: Annotated[
        list[str] | None,
        typer.Option(metavar=AXIS_ANGLE, help="Its orientation now: turned about its origin, around X Y Z."),
    ] = None,
    velocity: Annotated[
        list[str] | None, typer.Option(metavar="X Y Z", help="Its straight motion in one unit of time [length].")
    ] = None,
    spin: Annotated[
        list[str] | None, typer.Option(metavar=AXIS_ANGLE, help="Or: its turn around X Y Z in one unit of time.")
    ] = None,
    about: Annotated[
        list[str] | None, typer.Option(metavar="X Y Z", help="A point on the axis of --spin [length]; default: its position.")
    ] = None,
    margin: Annotated[float, typer.Option(help="Bodies this near count as in contact [length].")] = 0.0,
    spacing: Spacing = None,
    threshold: Threshold = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the bodies at the first contact to this PNG file.")] = None,
    json: Json = False,
) -> None:
    """Move several bodies at once; report which will meet, and when.

    Each --body moves at constant speed; without --velocity and --spin it stands still. Bodies do not stop at a contact.
    Exit code 0: no two bodies meet, 1: some do.
    """
    from .predict import MovingFile, run_predict

    ats, orients, velocities, spins, abouts = map(numbers_by_body, (at, orient, velocity, spin, about))
    movers = [
        MovingFile(path, ats.get(k, _ORIGIN), orients.get(k), velocities.get(k), spins.get(k), abouts.get(k))
        for k, path in enumerate(body or [])
    ]
    raise typer.Exit(run_predict(movers, scene or [], horizon, margin, picture, json, spacing, threshold))


@_command(
    QUERIES,
    "probe tool.stl room.obj --move 0 0 -5",
    "probe tool.stl room.obj --move 0 0 -5 --picture radar.png",
    "probe tool.stl room.obj --move 0 0 -5 --method bounding",
)
def probe(
    mover: Mover,
    scene: Obstacles,
    move: Move = None,
    axis: Axis = None,
    angle: Angle = None,
    about: About = None,
    at: At = _ORIGIN,
    orient: Orient = None,
    pixels: Pixels = (100, 100),
    method: Method = "sampled",
    picture: Picture = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Measure the free travel of a mesh or a volume with a radar.

    The exact result is printed too. Exit code 0: free, 1: one of the two hits.
    """
    from .motion import motion_of
    from .poses import pose_of
    from .probe import run_probe

    motion, start = motion_of(move, axis, angle, about, 0.0), pose_of(at, orient)
    raise typer.Exit(run_probe(mover, scene, motion, start, pixels, method, picture, json, spacing, threshold, view))


@_command(
    QUERIES,
    "look room.obj shelf.stl --eye 0 0 5 --toward 0 0 -1 --size 4 4 10",
    "look room.obj --eye 0 0 5 --toward 0 0 -1 --size 4 4 10 --json",
)
def look(
    scene: Annotated[list[Path], typer.Argument(help="Mesh, volume or scene files.")],
    eye: Annotated[Triple, typer.Option(metavar="X Y Z", help="Center of the near side of the view [length].")],
    toward: Annotated[Triple, typer.Option(metavar="X Y Z", help="Direction of view.")],
    size: Annotated[Triple, typer.Option(metavar="WIDTH HEIGHT DEPTH", help="Size of the view [length].")],
    up: Annotated[Triple | None, typer.Option(metavar="X Y Z", help="Upward direction in the picture.")] = None,
    pixels: Pixels = (64, 64),
    bounding: Annotated[bool, typer.Option("--bounding", help="Also see objects thinner than a pixel.")] = False,
    picture: Picture = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Json = False,
) -> None:
    """Look through parallel rays; report which files are visible.

    The rays fill a box. The report gives the distance of each file. Exit code 0: none is visible, 1: some are.
    """
    from ..queries.view import View
    from .look import run_look

    view = View(eye, toward, width=size[0], height=size[1], depth=size[2], up=up)
    raise typer.Exit(run_look(view, scene, pixels, bounding, picture, json, spacing, threshold))


@_command(
    QUERIES,
    "cast room.obj shelf.stl --from 0 0 5 --toward 0 0 -1",
    "cast room.obj --from 0 0 5 --toward 0 0 -1 --radius 0.05 --json",
)
def cast(
    scene: Annotated[list[Path], typer.Argument(help="Mesh, volume or scene files.")],
    origin: Annotated[Triple, typer.Option("--from", metavar="X Y Z", help="Where the ray begins [length].")],
    toward: Annotated[Triple, typer.Option(metavar="X Y Z", help="Direction of the ray.")],
    length: Annotated[float, typer.Option(help="How far it goes [length].")] = math.inf,
    radius: Annotated[float, typer.Option(help="Radius of a ball that moves along the ray [length].")] = 0.0,
    every: Annotated[bool, typer.Option("--all", help="Report all faces on the way.")] = False,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Json = False,
) -> None:
    """Cast a ray, or a ball along it; report what it meets first.

    The report gives distance, face, point and normal. Exit code 0: nothing is met, 1: something is.
    """
    from .cast import run_cast

    raise typer.Exit(run_cast(scene, origin, toward, length, radius, every, json, spacing, threshold))


@_command(
    QUERIES,
    "overlap scan.npz implant.npz --at 0 0 12",
    "overlap bone.stl implant.stl --spacing 0.5 --orient 0 0 1 30",
)
def overlap(
    first: Annotated[Path, typer.Argument(help="Volume (.npy, .npz), or a closed mesh with --spacing.")],
    second: Annotated[Path, typer.Argument(help="The other volume or mesh.")],
    at: Annotated[
        Triple, typer.Option(metavar="X Y Z", help="Position of the second in the frame of the first [length].")
    ] = _ORIGIN,
    orient: Annotated[
        Turn | None,
        typer.Option(metavar=AXIS_ANGLE, help="Orientation of the second: turned about its origin, around X Y Z."),
    ] = None,
    spacing: Annotated[
        float | None, typer.Option(help="Width of a voxel for meshes, and for files that have none [length].")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="Voxels above it are occupied; overrides files.")] = None,
    sense: Annotated[
        str, typer.Option(metavar="centers|cubes", help="By centers of voxels of the first, or by cubes, which miss nothing.")
    ] = "centers",
    picture: Picture = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Report whether two volumes overlap, and where.

    The report also counts the voxels that each cull removed. Exit code 0: free, 1: overlap.
    """
    from .overlap import run_overlap
    from .poses import pose_of

    raise typer.Exit(run_overlap(first, second, pose_of(at, orient), spacing, threshold, sense, picture, json, view))


@_command(
    QUERIES,
    "overlaps walls.glb pipes.glb",
    "overlaps building.npz --limit 0.05",
    "overlaps walls.obj ducts.obj --tolerance 0.001 --json",
)
def overlaps(
    scene: Annotated[list[Path], typer.Argument(help="Mesh, volume or scene files. Each part of a file is a body.")],
    limit: Annotated[
        float | None, typer.Option(help="Report also pairs that are not farther apart [length]; 0: also those that touch.")
    ] = None,
    tolerance: Tolerance = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Report all pairs of bodies that overlap: a clash test.

    Each pair is crossing, one inside the other, a duplicate, touching or apart. Exit code 0: no such pair, 1: some.
    """
    from .overlaps import run_overlaps

    raise typer.Exit(run_overlaps(scene, limit, tolerance, json, spacing, threshold, view))


@_command(
    QUERIES,
    "robot arm.urdf",
    "robot arm.urdf --joint elbow --to 90deg --with room.obj",
    "robot arm.urdf --sweep-all --set shoulder=0.3 --json",
    "robot arm.urdf --suggest-ignores arm.srdf",
    "robot arm.urdf --srdf arm.srdf --sweep-all",
)
def robot(
    file: Annotated[Path, typer.Argument(help="URDF file.")],
    srdf: Annotated[
        Path | None, typer.Option(metavar="FILE", help="SRDF file: links that ignore each other, groups, states.")
    ] = None,
    suggest_ignores: Annotated[
        Path | None,
        typer.Option("--suggest-ignores", metavar="FILE", help="Write an SRDF file of links that need not be tested."),
    ] = None,
    samples: Annotated[int, typer.Option(help="Random configurations for --suggest-ignores.")] = 10_000,
    joint: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A joint to sweep; repeat it to move several at once.")
    ] = None,
    to: Annotated[
        list[str] | None, typer.Option(metavar="VALUE", help="Target value for each --joint [radians, or 90deg; length].")
    ] = None,
    start: Annotated[
        list[str] | None, typer.Option("--set", metavar="JOINT=VALUE", help="Start value of a joint; may be repeated.")
    ] = None,
    sweep_all: Annotated[bool, typer.Option("--sweep-all", help="Sweep each joint alone to both limits.")] = False,
    others: Annotated[
        list[Path] | None, typer.Option("--with", help="Mesh, volume or scene file of an obstacle; may be repeated.")
    ] = None,
    geometry: Annotated[str, typer.Option(metavar="collision|visual", help="Shapes of the links.")] = "collision",
    package: Package = None,
    root: Root = None,
    turn_dae: TurnDae = False,
    ignore: Annotated[list[str] | None, typer.Option(metavar="LINK,LINK", help="Links that pass through each other.")] = None,
    margin: Margin = 0.0,
    picture: Picture = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Print the tree of a robot (URDF), or sweep its joints.

    Values are in radians; 90deg is accepted. Exit code 0: free, or tree or SRDF file written; 1: hit.
    """
    from .robot import run_robot, run_suggest
    from .robot_files import mesh_options

    joints, targets, starts, obstacles = joint or [], to or [], start or [], others or []
    where = (geometry, mesh_options(package or [], root or [], turn_dae))
    asked = (ignore or [], margin, json, picture, gif, view, srdf)
    if suggest_ignores is not None:
        alone = not any((*joints, *targets, *starts, *obstacles, *(ignore or []), sweep_all, picture, gif, view, margin))
        raise typer.Exit(run_suggest(file, *where, srdf, suggest_ignores, samples, json, alone))
    raise typer.Exit(run_robot(file, joints, targets, starts, sweep_all, obstacles, *where, *asked))


@_command(
    QUERIES,
    "plan arm.urdf --from 0,0,0 --to 90deg,0,-0.5 --with room.obj",
    "plan arm.urdf --srdf arm.srdf --group arm --from home --to 1,0,0",
)
def plan(
    file: Annotated[Path, typer.Argument(help="URDF file.")],
    start: Annotated[
        str,
        typer.Option("--from", metavar="VALUES", help="Start: a value for each joint, with commas between, or a state's name."),
    ],
    goal: Annotated[str, typer.Option("--to", metavar="VALUES", help="Goal, as --from [radians, or 90deg; length].")],
    srdf: Annotated[Path | None, typer.Option(help="SRDF file: pairs that pass through each other, groups, states.")] = None,
    group: Annotated[
        str | None, typer.Option(metavar="NAME", help="Plan for the joints of this group of the SRDF file.")
    ] = None,
    set_values: Annotated[
        list[str] | None, typer.Option("--set", metavar="JOINT=VALUE", help="Value of another joint; may be repeated.")
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Option("--with", help="Mesh, volume or scene file of an obstacle; may be repeated.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="The most time for the search [s].")] = 5.0,
    planner: Annotated[str, typer.Option(metavar="NAME", help="A geometric planner of OMPL.")] = "RRTConnect",
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same path.")] = None,
    simplify: Annotated[bool, typer.Option(help="Make the path shorter.")] = True,
    geometry: Annotated[str, typer.Option(metavar="collision|visual", help="Shapes of the links.")] = "collision",
    package: Package = None,
    root: Root = None,
    turn_dae: TurnDae = False,
    ignore: Annotated[list[str] | None, typer.Option(metavar="LINK,LINK", help="Links that pass through each other.")] = None,
    margin: Margin = 0.0,
    out: Annotated[Path | None, typer.Option(help="Write the path to this .json or .npz file.")] = None,
    picture: Picture = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Plan a path of a robot (URDF) that is proven free; needs OMPL.

    Joints outside of --group stay where --from and --set put them. Exit code 0: solved and certified; 1: not.
    """
    from .plan import PlanOptions, run_plan
    from .robot_files import mesh_options

    options = PlanOptions(start, goal, group, planner, seconds, seed, simplify, margin)
    meshes = mesh_options(package or [], root or [], turn_dae)
    files = (out, picture, gif, json, view)
    raise typer.Exit(run_plan(file, srdf, others or [], options, set_values or [], ignore or [], geometry, meshes, *files))


@_command(
    VIEWING,
    "view tool.stl room.obj",
    "view arm.urdf room.obj --sweep-all --dark",
    "view arm.urdf --package arm_description=meshes --turn-dae",
)
def view(
    files: Annotated[list[Path], typer.Argument(help="Mesh, volume, scene or robot (.urdf) files.")],
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to serve; the default is this machine alone.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; the next free one if it is taken.")] = 8080,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    dark: Annotated[bool | None, typer.Option("--dark/--light", help="Colors; by default those of the system.")] = None,
    once: Annotated[bool, typer.Option("--once", help="End when the last visitor has left.")] = False,
    sweep_all: Annotated[bool, typer.Option("--sweep-all", help="Begin with bars of the free travel of each joint.")] = False,
    spacing: Spacing = None,
    threshold: Threshold = None,
    package: Package = None,
    root: Root = None,
    turn_dae: TurnDae = False,
) -> None:
    """Show files on a page in the browser, to move and turn them.

    The page runs until Ctrl-C.
    """
    from .robot_files import mesh_options
    from .view import run_view

    robot_meshes = mesh_options(package or [], root or [], turn_dae)
    options = {"host": host, "port": port, "browser": browser, "dark": dark, "once": once}
    raise typer.Exit(run_view(files, spacing, threshold, robot_meshes, sweep_all, options))


@_command(VIEWING, "info tool.stl room.obj", "info scan.npy --spacing 0.5 --json")
def info(
    files: Annotated[list[Path], typer.Argument(help="Files of meshes, volumes or scenes.")],
    picture: Picture = None,
    spacing: Spacing = None,
    json: Json = False,
) -> None:
    """Describe the content of files.

    Parts, triangles, size, unit, closed or open, triangles without area or repeated, and content that is not read.
    """
    from .info import run_info

    raise typer.Exit(run_info(files, spacing, picture, json))


@_command(SETUP, "warm", "warm sweeps turns --json")
def warm(
    kinds: Annotated[list[str] | None, typer.Argument(help="Kinds of question; all if none is given.")] = None,
    json: Json = False,
) -> None:
    """Compile all kernels now, on all cores.

    Queries then start without delay. Compiled kernels are kept on disk.
    """
    from .warm import run_warm

    raise typer.Exit(run_warm(kinds or [], json))


@cache
def commands() -> typer.Typer:
    """Return the app with the commands that other packages add."""
    for point in entry_points(group=COMMANDS):
        try:
            point.load()(app)
        except Exception as error:  # a package of commands for another version must not take the others with it
            name = point.dist.name if point.dist else point.value
            text = "commands of %s cannot be loaded (%s); reinstall the package"
            logging.getLogger("sweepscope").warning(text, name, error)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit code. arguments: those of the process by default.

    Bad input gives one line on the error stream. With --json every error is an object on the output:
    {"error": {"type": ..., "message": ...}}.
    """
    from ..errors import SweepscopeError

    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        return commands()(arguments, prog_name="sweepscope", standalone_mode=False) or FREE
    except SweepscopeError as error:
        kind, message, code = type(error).__name__, str(error), BAD_INPUT
        if not as_json:
            typer.echo(f"sweepscope: {message}", err=True)
    except _UsageError as error:
        kind, message, code = "UsageError", error.format_message(), BAD_INPUT
        if not as_json:
            error.show()
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        # Python would exit with 1, which means a hit.
        kind, message, code = type(error).__name__, str(error), BROKEN
        traceback.print_exc()
    if as_json:
        typer.echo(json_text.dumps({"error": {"type": kind, "message": message}}))
    return code


def run() -> None:
    """Run the command line of the process, and end it."""
    for stream in (sys.stdout, sys.stderr):  # a file name may have characters that a terminal cannot print
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())
