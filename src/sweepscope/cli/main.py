"""`sweepscope`: files in, a table or JSON out. Exit code 0 free, 1 hit, 2 bad input, 3 a fault of the program.

Only typer is imported here, so that --help answers at once; each command imports what it needs.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand

from .simulations import simulations

FREE, HIT, BAD_INPUT, BROKEN = 0, 1, 2, 3

app = typer.Typer(
    help="See a collision before it happens: what will be hit, when, where, how far can it go.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Triple = tuple[float, float, float]
Move = Annotated[Triple | None, typer.Option(help="Straight motion: X Y Z [length].")]
Axis = Annotated[Triple | None, typer.Option(help="Turn instead: direction of the axis, X Y Z.")]
Angle = Annotated[float | None, typer.Option(help="By how much it turns, right-handed about the axis [degrees].")]
Spacing = Annotated[float | None, typer.Option(help="Width of a voxel of .npy and .npz files that do not say [length].")]
Threshold = Annotated[float | None, typer.Option(help="Voxels over it are occupied, whatever .npz files say.")]
About = Annotated[Triple | None, typer.Option(help="A point on the axis: X Y Z [length]; the origin by default.")]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from sweepscope import __version__

        typer.echo(f"sweepscope {__version__}")
        raise typer.Exit


@app.command()
def sweep(
    mover: Annotated[Path, typer.Argument(help="Mesh or volume file of what moves.")],
    scene: Annotated[list[Path], typer.Argument(help="Mesh or volume files of what stands in its way.")],
    move: Move = None,
    axis: Axis = None,
    angle: Angle = None,
    about: About = None,
    slide: Annotated[float, typer.Option(help="How far it slides along the axis meanwhile [length].")] = 0.0,
    at: Annotated[tuple[float, float, float], typer.Option(help="Where the mover starts: X Y Z [length].")] = (0.0, 0.0, 0.0),
    margin: Annotated[float, typer.Option(help="How far to stay away [length].")] = 0.0,
    resting: Annotated[str, typer.Option(help="Touching without approaching: free or hit.")] = "free",
    tolerance: Annotated[float | None, typer.Option(help="Touching below, overlap above [length].")] = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Move one mesh or volume among others, straight or about an axis: what is hit first, and after how much travel."""
    from .motion import motion_of
    from .sweep import run_sweep

    motion = motion_of(move, axis, angle, about, slide)
    raise typer.Exit(run_sweep(mover, scene, motion, at, margin, resting, tolerance, json, spacing, threshold))


@app.command()
def look(
    scene: Annotated[list[Path], typer.Argument(help="Mesh or volume files of what may be seen.")],
    eye: Annotated[tuple[float, float, float], typer.Option(help="Middle of the near side: X Y Z [length].")],
    toward: Annotated[tuple[float, float, float], typer.Option(help="Direction of view: X Y Z.")],
    size: Annotated[tuple[float, float, float], typer.Option(help="Width, height and depth of the view [length].")],
    up: Annotated[tuple[float, float, float] | None, typer.Option(help="What is up in the picture: X Y Z.")] = None,
    pixels: Annotated[tuple[int, int], typer.Option(help="Columns and rows.")] = (64, 64),
    bounding: Annotated[bool, typer.Option("--bounding", help="See also what is thinner than a pixel.")] = False,
    png: Annotated[Path | None, typer.Option(help="Write the picture to this file.")] = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look through a box of parallel rays: which files are seen, and how far. Exit code 0: nothing, 1: something."""
    from sweepscope.scope import View

    from .look import run_look

    raise typer.Exit(run_look(View(eye, toward, *size, up=up), scene, pixels, bounding, png, json, spacing, threshold))


@app.command()
def probe(
    mover: Annotated[Path, typer.Argument(help="Mesh or volume file of what moves.")],
    scene: Annotated[list[Path], typer.Argument(help="Mesh or volume files of what stands in its way.")],
    move: Move = None,
    axis: Axis = None,
    angle: Angle = None,
    about: About = None,
    at: Annotated[tuple[float, float, float], typer.Option(help="Where the mover starts: X Y Z [length].")] = (0.0, 0.0, 0.0),
    pixels: Annotated[tuple[int, int], typer.Option(help="Columns and rows.")] = (100, 100),
    bounding: Annotated[bool, typer.Option("--bounding", help="Bound the gap over whole pixels: never misses.")] = False,
    png: Annotated[Path | None, typer.Option(help="Write range, mask and gap as a picture to this file.")] = None,
    spacing: Spacing = None,
    threshold: Threshold = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read with a radar how far one mesh or volume may go among others, beside the exact answer. Exit code 1 if either hits."""
    from .motion import motion_of
    from .probe import run_probe

    motion = motion_of(move, axis, angle, about, 0.0)
    raise typer.Exit(run_probe(mover, scene, motion, at, pixels, bounding, png, json, spacing, threshold))


@app.command()
def overlap(
    first: Annotated[Path, typer.Argument(help="Volume (.npy, .npz), or a closed mesh with --spacing.")],
    second: Annotated[Path, typer.Argument(help="Another one.")],
    at: Annotated[Triple, typer.Option(help="Where the second is, in the first's frame: X Y Z [length].")] = (0.0, 0.0, 0.0),
    turn: Annotated[
        tuple[float, float, float, float] | None, typer.Option(help="How it is turned there: about X Y Z by DEGREES.")
    ] = None,
    spacing: Annotated[float | None, typer.Option(help="Width of voxels of meshes and of files that do not say.")] = None,
    threshold: Annotated[float | None, typer.Option(help="Voxels over it are occupied, whatever files say.")] = None,
    sense: Annotated[str, typer.Option(help="centres of voxels (as published), or cubes (never misses).")] = "centres",
    picture: Annotated[Path | None, typer.Option(help="Draw both, seen along x, y and z, into this PNG file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Do two volumes overlap? Where, and what did each cull remove? Exit code 0: free, 1: they do."""
    from .overlap import run_overlap

    raise typer.Exit(run_overlap(first, second, at, turn, spacing, threshold, sense, picture, json))


class _Swing(TyperCommand):
    """Lets options that may be given again take several numbers, as those do that are given once: --ball X Y Z RADIUS."""

    several: ClassVar[dict[str, int]] = {"--point": 3, "--ball": 4, "--capsule": 7}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Join the numbers of such an option into one word, X,Y,Z, which typer can repeat."""
        words: list[str] = []
        rest = list(args)
        while rest:
            word = rest.pop(0)
            words.append(word)
            if word in self.several and rest and "," not in rest[0]:
                words.append(",".join(rest[: self.several[word]]))
                del rest[: self.several[word]]
        return super().parse_args(ctx, words)


@app.command(cls=_Swing)
def swing(
    scene: Annotated[list[Path] | None, typer.Argument(help="Mesh files of what may be hit.")] = None,
    box: Annotated[Triple | None, typer.Option(help="What swings: a box of these widths [length].")] = None,
    mesh: Annotated[Path | None, typer.Option(help="Or a mesh file.")] = None,
    at: Annotated[Triple, typer.Option(help="Where its origin (a box's middle) starts: X Y Z [length].")] = (0.0, 0.0, 0.0),
    turned: Annotated[
        tuple[float, float, float, float] | None, typer.Option(help="How it is turned at the start: about X Y Z by DEGREES.")
    ] = None,
    axis: Annotated[Triple | None, typer.Option(help="Direction of the axis that it swings about, X Y Z.")] = None,
    angle: Angle = None,
    about: Annotated[Triple, typer.Option(help="A point on the axis: X Y Z [length].")] = (0.0, 0.0, 0.0),
    point: Annotated[list[str] | None, typer.Option(metavar="X Y Z", help="A point that may be hit; may be repeated.")] = None,
    ball: Annotated[list[str] | None, typer.Option(metavar="X Y Z RADIUS", help="A ball, likewise.")] = None,
    capsule: Annotated[list[str] | None, typer.Option(metavar="X0 Y0 Z0 X1 Y1 Z1 RADIUS", help="A capsule, likewise.")] = None,
    out: Annotated[Path | None, typer.Option(help="Draw it, seen along the axis, into this PNG file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Swing a box or a mesh about an axis: what is hit, exactly, by fans and by S-CCD, side by side.

    Exit code 0: free, 1: hit. Without options: examples, and 0.
    """
    from .swing import run_swing

    targets = (scene or [], point or [], ball or [], capsule or [])
    raise typer.Exit(run_swing(*targets, box, mesh, at, turned, axis, angle, about, out, json))


@app.command()
def robot(
    file: Annotated[Path, typer.Argument(help="URDF file.")],
    joint: Annotated[
        list[str] | None, typer.Option(help="A joint to sweep; may be repeated, they then arrive together.")
    ] = None,
    to: Annotated[list[str] | None, typer.Option(help="Where to: one for each --joint [radians, or 90deg; length].")] = None,
    at: Annotated[list[str] | None, typer.Option(metavar="JOINT=VALUE", help="Where a joint starts; may be repeated.")] = None,
    sweep_all: Annotated[bool, typer.Option("--sweep-all", help="Each joint alone to both its limits.")] = False,
    others: Annotated[
        list[Path] | None, typer.Option("--with", help="Mesh or volume file in its way; may be repeated.")
    ] = None,
    geometry: Annotated[str, typer.Option(help="What links are made of: collision or visual.")] = "collision",
    package: Annotated[list[str] | None, typer.Option(metavar="NAME=FOLDER", help="What package://NAME/ stands for.")] = None,
    root: Annotated[list[Path] | None, typer.Option(help="Another folder that meshes may be read from.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="LINK,LINK", help="Links that pass through each other.")] = None,
    margin: Annotated[float, typer.Option(help="How far to stay away [length].")] = 0.0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read a robot from a URDF file: print its tree, or sweep its joints. Values are in radians, 90deg is accepted.

    Exit code 0: free, or only printed, 1: hit.
    """
    from .robot import run_robot

    joints, targets, starts, obstacles = joint or [], to or [], at or [], others or []
    where = (geometry, package or [], root or [])
    raise typer.Exit(run_robot(file, joints, targets, starts, sweep_all, obstacles, *where, ignore or [], margin, json))


app.add_typer(simulations, name="simulate", help="Run a simulation and print what was measured.")


@app.command()
def papers(
    what: Annotated[str, typer.Argument(help="Which paper: radar, grasp, rolling, volume, fan.")],
    out: Annotated[Path, typer.Option(help="Folder for tables (CSV) and plots (PNG).")] = Path("papers-out"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repeats and cases.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Fan only: as many as in the thesis; goes on where it was.")] = False,
) -> None:
    """Run a paper's experiments again and print them beside what was published."""
    from .papers import run_papers

    raise typer.Exit(run_papers(what, out, quick, full))


@app.command()
def demo() -> None:
    """Run a few built-in scenes and print their answers."""
    from .demo import run_demo

    run_demo()


@app.command()
def bench(
    what: Annotated[
        str, typer.Argument(help="Which comparison: translate, turn, scopes, fans, volumes, robots.")
    ] = "translate",
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.")] = None,
    repeats: Annotated[int, typer.Option(help="Rounds of each measurement; the best counts.", min=1)] = 5,
) -> None:
    """Run peers and sweepscope side by side, check that they agree, print ratios."""
    from .bench import run_bench

    raise typer.Exit(run_bench(what, json, repeats))


@app.command()
def verify(
    cases: Annotated[int, typer.Option(help="How many cases, of each question.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="First seed.", min=0)] = 0,
    motion: Annotated[str, typer.Option(help="Which sweeps: translate, turn, screw.")] = "translate",
    fans: Annotated[bool, typer.Option("--fans", help="The questions of fans instead.")] = False,
    question: Annotated[
        str | None,
        typer.Option(help="One question of fans (points, ...), volumes (large, edits, ...) or robots (joint, several)."),
    ] = None,
    swings: Annotated[bool, typer.Option("--swings", help="What a swinging box meets, and when, instead.")] = False,
    volumes: Annotated[bool, typer.Option("--volumes", help="Overlaps of volumes, and edits, instead.")] = False,
    robots: Annotated[bool, typer.Option("--robots", help="Sweeps of robots' joints instead.")] = False,
) -> None:
    """Hold the sweep against exact rational arithmetic, turns, fans, swings, volumes and robots against proofs or slow twins.

    10,000 sweeps take about 5 minutes, a million of each question of fans 15, 10,000 of each of volumes 4, 1,000 of each of
    robots 5.
    """
    asked = fans + swings + volumes + robots + (motion != "translate")
    if asked > 1 or (question is not None and not (fans or volumes or robots)):
        from sweepscope.errors import InvalidQuery

        raise InvalidQuery(
            "verify: give one of --motion, --fans, --swings, --volumes and --robots; "
            "--question goes with --fans, --volumes and --robots"
        )
    if robots:
        from .verify_robots import run_verify_robots

        raise typer.Exit(run_verify_robots(cases, seed, question))
    if fans:
        from .verify_fans import run_verify_fans

        raise typer.Exit(run_verify_fans(cases, seed, question))
    if swings:
        from .verify_swings import run_verify_swings

        raise typer.Exit(run_verify_swings(cases, seed))
    if volumes:
        from .verify_volumes import run_verify_volumes

        raise typer.Exit(run_verify_volumes(cases, seed, question))
    from .verify import run_verify

    raise typer.Exit(run_verify(cases, seed, motion))


def run() -> None:
    """Entry point: errors about the input become one line and exit code 2."""
    from sweepscope.errors import SweepscopeError

    try:
        app()
    except SweepscopeError as error:
        typer.echo(f"sweepscope: {error}", err=True)
        sys.exit(BAD_INPUT)
    except Exception:
        # Python itself would exit with 1, which means a hit.
        traceback.print_exc()
        sys.exit(BROKEN)
