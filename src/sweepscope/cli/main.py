"""`sweepscope`: reads files, prints a table or JSON. Exit code 0: free, 1: hit, 2: bad input, 3: an error in the program.

Only typer is imported here, so that --help is fast; each command imports what it needs.
"""

from __future__ import annotations

import io
import sys
import traceback
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer

from .exits import BAD_INPUT, BROKEN
from .help import ASK, SEE, SET_UP, Grouped, examples
from .options import About, Angle, At, Axis, Gif, Json, Method, Move, Picture, Resting, Show, Spacing, Threshold, Triple

COMMANDS = "sweepscope.commands"
"""Entry points of other packages: functions that take `app` and add commands to it."""

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
    epilog="Read on: sweepscope COMMAND --help, with examples; docs/first_steps.md.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from .. import __version__

        typer.echo(f"sweepscope {__version__}")
        raise typer.Exit


@app.command(
    rich_help_panel=ASK,
    epilog=examples(
        "sweep tool.stl room.obj --move 0 0 -5",
        "sweep tool.stl room.obj shelf.stl --move 0 0 -5 --margin 0.1",
        "sweep door.stl room.obj --axis 0 0 1 --angle 90 --json",
    ),
)
def sweep(
    mover: Annotated[Path, typer.Argument(help="Mesh or volume file of the mover.")],
    scene: Annotated[list[Path], typer.Argument(help="Mesh, volume or scene files of the obstacles.")],
    move: Move = None,
    axis: Axis = None,
    angle: Angle = None,
    about: About = None,
    slide: Annotated[float, typer.Option(help="Slide along the axis during the turn [length].")] = 0.0,
    at: At = (0.0, 0.0, 0.0),
    margin: Annotated[float, typer.Option(help="Distance to keep from obstacles [length].")] = 0.0,
    resting: Annotated[Resting, typer.Option(help="Touching without approach counts as: free or hit.")] = "free",
    tolerance: Annotated[
        float | None, typer.Option(help="Contact up to this depth is touching, deeper is overlap [length].")
    ] = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    picture: Picture = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Move a mesh or a volume; report what it hits first.

    It moves straight or about an axis. The report says after how much travel, where, and with which feature.
    Exit code 0: free, 1: hit.
    """
    from .motion import motion_of
    from .sweep import run_sweep

    motion = motion_of(move, axis, angle, about, slide)
    drawn = (picture, gif)
    raise typer.Exit(run_sweep(mover, scene, motion, at, margin, resting, tolerance, json, spacing, threshold, *drawn, view))


@app.command(
    rich_help_panel=ASK,
    epilog=examples(
        "probe tool.stl room.obj --move 0 0 -5",
        "probe tool.stl room.obj --move 0 0 -5 --picture radar.png",
        "probe tool.stl room.obj --move 0 0 -5 --method bounding",
    ),
)
def probe(
    mover: Annotated[Path, typer.Argument(help="Mesh or volume file of the mover.")],
    scene: Annotated[list[Path], typer.Argument(help="Mesh, volume or scene files of the obstacles.")],
    move: Move = None,
    axis: Axis = None,
    angle: Angle = None,
    about: About = None,
    at: At = (0.0, 0.0, 0.0),
    pixels: Annotated[tuple[int, int], typer.Option(help="Columns and rows.")] = (100, 100),
    method: Method = "sampled",
    picture: Picture = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Read the free travel of a mesh or a volume with a radar.

    The exact result is printed too. Exit code 0: free, 1: one of the two hits.
    """
    from .motion import motion_of
    from .probe import run_probe

    motion = motion_of(move, axis, angle, about, 0.0)
    raise typer.Exit(run_probe(mover, scene, motion, at, pixels, method, picture, json, spacing, threshold, view))


@app.command(
    rich_help_panel=ASK,
    epilog=examples(
        "look room.obj shelf.stl --eye 0 0 5 --toward 0 0 -1 --size 4 4 10",
        "look room.obj --eye 0 0 5 --toward 0 0 -1 --size 4 4 10 --json",
    ),
)
def look(
    scene: Annotated[list[Path], typer.Argument(help="Mesh, volume or scene files.")],
    eye: Annotated[tuple[float, float, float], typer.Option(help="Middle of the view's near side: X Y Z [length].")],
    toward: Annotated[tuple[float, float, float], typer.Option(help="Direction of view: X Y Z.")],
    size: Annotated[tuple[float, float, float], typer.Option(help="Width, height and depth of the view [length].")],
    up: Annotated[tuple[float, float, float] | None, typer.Option(help="Upward direction in the picture: X Y Z.")] = None,
    pixels: Annotated[tuple[int, int], typer.Option(help="Columns and rows.")] = (64, 64),
    bounding: Annotated[bool, typer.Option("--bounding", help="Also see objects thinner than a pixel.")] = False,
    picture: Picture = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Json = False,
) -> None:
    """Look through parallel rays; report which files are visible.

    The rays fill a box. The report says how far each is. Exit code 0: none, 1: some.
    """
    from ..queries.view import View
    from .look import run_look

    raise typer.Exit(run_look(View(eye, toward, *size, up=up), scene, pixels, bounding, picture, json, spacing, threshold))


@app.command(
    rich_help_panel=ASK,
    epilog=examples(
        "overlap scan.npz implant.npz --at 0 0 12",
        "overlap bone.stl implant.stl --spacing 0.5 --turn 0 0 1 30",
    ),
)
def overlap(
    first: Annotated[Path, typer.Argument(help="Volume (.npy, .npz), or a closed mesh with --spacing.")],
    second: Annotated[Path, typer.Argument(help="The other volume or mesh.")],
    at: Annotated[Triple, typer.Option(help="Position of the second in the first's frame: X Y Z [length].")] = (0.0, 0.0, 0.0),
    turn: Annotated[
        tuple[float, float, float, float] | None, typer.Option(help="Turn of the second: axis X Y Z, angle DEGREES.")
    ] = None,
    spacing: Annotated[
        float | None, typer.Option(help="Width of a voxel for meshes, and for files that have none [length].")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="Voxels above it are occupied; overrides files.")] = None,
    sense: Annotated[str, typer.Option(help="Test by centres of voxels (as published) or cubes (never misses).")] = "centres",
    picture: Picture = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Report whether two volumes overlap, and where.

    And what each cull removed. Exit code 0: free, 1: overlap.
    """
    from .overlap import run_overlap

    raise typer.Exit(run_overlap(first, second, at, turn, spacing, threshold, sense, picture, json, view))


@app.command(
    rich_help_panel=ASK,
    epilog=examples(
        "robot arm.urdf",
        "robot arm.urdf --joint elbow --to 90deg --with room.obj",
        "robot arm.urdf --sweep-all --set shoulder=0.3 --json",
    ),
)
def robot(
    file: Annotated[Path, typer.Argument(help="URDF file.")],
    joint: Annotated[list[str] | None, typer.Option(help="A joint to sweep; repeat it to move several at once.")] = None,
    to: Annotated[list[str] | None, typer.Option(help="Target value for each --joint [radians, or 90deg; length].")] = None,
    start: Annotated[
        list[str] | None, typer.Option("--set", metavar="JOINT=VALUE", help="Start value of a joint; may be repeated.")
    ] = None,
    sweep_all: Annotated[bool, typer.Option("--sweep-all", help="Sweep each joint alone to both limits.")] = False,
    others: Annotated[
        list[Path] | None, typer.Option("--with", help="Mesh, volume or scene file of an obstacle; may be repeated.")
    ] = None,
    geometry: Annotated[str, typer.Option(help="Shapes of the links: collision or visual.")] = "collision",
    package: Annotated[list[str] | None, typer.Option(metavar="NAME=FOLDER", help="Folder of package://NAME/.")] = None,
    root: Annotated[list[Path] | None, typer.Option(help="Another folder from which meshes may be read.")] = None,
    turn_dae: Annotated[bool, typer.Option("--turn-dae", help="Turn .dae meshes so that their up axis is z.")] = False,
    ignore: Annotated[list[str] | None, typer.Option(metavar="LINK,LINK", help="Links that pass through each other.")] = None,
    margin: Annotated[float, typer.Option(help="Distance to keep from obstacles [length].")] = 0.0,
    picture: Picture = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Print the tree of a robot (URDF), or sweep its joints.

    Values are in radians; 90deg is accepted. Exit code 0: free, or tree printed; 1: hit.
    """
    from .robot import run_robot

    joints, targets, starts, obstacles = joint or [], to or [], start or [], others or []
    where = (geometry, package or [], root or [], turn_dae)
    asked = (ignore or [], margin, json, picture, gif, view)
    raise typer.Exit(run_robot(file, joints, targets, starts, sweep_all, obstacles, *where, *asked))


@app.command(
    rich_help_panel=SEE,
    epilog=examples(
        "view tool.stl room.obj",
        "view arm.urdf room.obj --sweep-all --dark",
    ),
)
def view(
    files: Annotated[list[Path], typer.Argument(help="Mesh, volume, scene or robot (.urdf) files.")],
    host: Annotated[str, typer.Option(help="Address to serve on; the default is this machine alone.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; the next free one if it is taken.")] = 8080,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    dark: Annotated[bool, typer.Option("--dark", help="Dark colours.")] = False,
    once: Annotated[bool, typer.Option("--once", help="End when the last visitor has left.")] = False,
    sweep_all: Annotated[bool, typer.Option("--sweep-all", help="Begin with bars of the free travel of each joint.")] = False,
    spacing: Spacing = None,
    threshold: Threshold = None,
) -> None:
    """Show files on a page in the browser, to push and turn them.

    The page runs until Ctrl-C.
    """
    from .view import run_view

    options = {"host": host, "port": port, "browser": browser, "dark": dark, "once": once}
    raise typer.Exit(run_view(files, spacing, threshold, sweep_all, options))


@app.command(
    rich_help_panel=SEE,
    epilog=examples(
        "info tool.stl room.obj",
        "info scan.npy --spacing 0.5 --json",
    ),
)
def info(
    files: Annotated[list[Path], typer.Argument(help="Files of meshes, volumes or scenes.")],
    picture: Picture = None,
    spacing: Spacing = None,
    json: Json = False,
) -> None:
    """Say what is in files.

    Parts, triangles, size, unit, closed or open, triangles without area or repeated, and what is not read.
    """
    from .info import run_info

    raise typer.Exit(run_info(files, spacing, picture, json))


@app.command(
    rich_help_panel=SET_UP,
    epilog=examples(
        "warm",
        "warm sweeps turns --json",
    ),
)
def warm(
    kinds: Annotated[
        list[str] | None, typer.Argument(metavar="[KIND]...", help="Kinds of question; all if none is given.")
    ] = None,
    json: Json = False,
) -> None:
    """Compile all kernels now, on all cores.

    Questions then need not wait for it. What is compiled is kept for the next time.
    """
    from .warm import run_warm

    raise typer.Exit(run_warm(kinds or [], json))


@cache
def commands() -> typer.Typer:
    """Return the app with the commands that other packages add."""
    for point in entry_points(group=COMMANDS):
        point.load()(app)
    return app


def run() -> None:
    """Run the command line: errors about the input give one line and exit code 2."""
    from ..errors import SweepscopeError

    for stream in (sys.stdout, sys.stderr):  # a name of a file may hold what a terminal cannot print
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        commands()()
    except SweepscopeError as error:
        typer.echo(f"sweepscope: {error}", err=True)
        sys.exit(BAD_INPUT)
    except Exception:
        # Python would exit with 1, which means a hit.
        traceback.print_exc()
        sys.exit(BROKEN)
