"""The commands of the laboratory; an entry point adds them to `sweepscope` (see pyproject.toml).

Only typer is imported here, so that --help is fast; each command imports what it needs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sweepscope.cli.help import EXPERIMENTS, QUERIES, VERIFICATION, VIEWING, PlainCommand, examples
from sweepscope.cli.numbers import NumbersCommand
from sweepscope.cli.options import About, Angle, At, Axis, Json, Orient, Picture, Show, Triple

from .simulations import simulations

_SWING = examples(
    "swing",
    "swing --box 2 1 1 --axis 0 0 1 --angle 90 --ball 0 2 0 1.1",
    "swing room.obj --mesh bat.stl --axis 0 0 1 --angle 90 --json",
)
_DEMO = examples("demo", "demo --json")
_SIMULATE = examples("simulate bounce", "simulate roll --picture roll.png")
_PAPERS = examples("papers radar --quick", "papers films --out films", "papers all --out papers-out")
_VERIFY = examples(
    "verify translate --cases 1000",
    "verify volumes --question large --cases 200 --json",
    "verify walk --cases 2000 --meshes parts",
)
_FUZZ = examples("fuzz --minutes 5", "fuzz --format gltf --keep faults --json")
_BENCH = examples("bench translate", "bench robots --repeats 3 --json", "bench motions --only edges")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(cls=NumbersCommand, rich_help_panel=QUERIES, epilog=_SWING)(swing)
    app.command(cls=PlainCommand, rich_help_panel=VIEWING, epilog=_DEMO)(demo)
    about = "Run a simulation and print what was measured."
    app.add_typer(simulations, name="simulate", help=about, epilog=_SIMULATE, rich_help_panel=EXPERIMENTS)
    app.command(cls=PlainCommand, rich_help_panel=EXPERIMENTS, epilog=_PAPERS)(papers)
    app.command(cls=PlainCommand, rich_help_panel=VERIFICATION, epilog=_VERIFY)(verify)
    app.command(cls=PlainCommand, rich_help_panel=VERIFICATION, epilog=_FUZZ)(fuzz)
    app.command(cls=PlainCommand, rich_help_panel=VERIFICATION, epilog=_BENCH)(bench)


def demo(json: Json = False) -> None:
    """Run a few built-in scenes and print their answers."""
    from .demo import run_demo

    raise typer.Exit(run_demo(json))


def swing(
    scene: Annotated[list[Path] | None, typer.Argument(help="Mesh files of the targets.")] = None,
    box: Annotated[Triple | None, typer.Option(metavar="X Y Z", help="The mover: a box of these widths [length].")] = None,
    mesh: Annotated[Path | None, typer.Option(help="The mover: a mesh file.")] = None,
    at: At = (0.0, 0.0, 0.0),
    orient: Orient = None,
    axis: Axis = None,
    angle: Angle = None,
    about: About = None,
    point: Annotated[list[str] | None, typer.Option(metavar="X Y Z", help="A point as target; may be repeated.")] = None,
    ball: Annotated[list[str] | None, typer.Option(metavar="X Y Z RADIUS", help="A ball as target; may be repeated.")] = None,
    capsule: Annotated[
        list[str] | None, typer.Option(metavar="X0 Y0 Z0 X1 Y1 Z1 RADIUS", help="A capsule as target; may be repeated.")
    ] = None,
    picture: Picture = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Swing a box or a mesh about an axis; report what it hits.

    The exact hits are compared with those of fans and of S-CCD. Exit code 0: free, 1: hit. Without options it shows examples
    and exits with 0.
    """
    from sweepscope.cli.poses import pose_of

    from .swing import run_swing

    targets = (scene or [], point or [], ball or [], capsule or [])
    pose = pose_of(at, orient)
    raise typer.Exit(run_swing(*targets, box, mesh, pose, axis, angle, about or (0.0, 0.0, 0.0), picture, json, view))


def papers(
    what: Annotated[str, typer.Argument(help="Which: radar, grasp, rolling, volume, fan; films: of what moves; all: a page.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="For tables (CSV), plots (PNG) and the page (HTML).")] = Path(
        "papers-out"
    ),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repeats and cases.")] = False,
    full: Annotated[bool, typer.Option("--full", help="All repeats and cases (default).")] = False,
    published: Annotated[
        bool, typer.Option("--published", help="Fan only: as many cases as the thesis; continues an interrupted run.")
    ] = False,
    json: Json = False,
) -> None:
    """Run a paper's experiments again.

    The results are printed with the published ones. all: every table and figure on one page, papers.html; an interrupted run
    goes on where it was.
    """
    from .papers import run_papers, size_of

    raise typer.Exit(run_papers(what, out, size_of(quick, full, published), json))


def bench(
    what: Annotated[
        str,
        typer.Argument(
            help="Which comparison: translate, turn, scopes, fans, volumes, robots, large, files, many, memory, way, distance, "
            "overlaps, signed, rays, contacts, motions, cuda."
        ),
    ] = "translate",
    repeats: Annotated[int, typer.Option(help="Repeats of each measurement; the best counts.", min=1)] = 5,
    only: Annotated[str | None, typer.Option(metavar="NAME", help="One part of motions: motions, edges, robots, ...")] = None,
    problems: Annotated[Path | None, typer.Option(metavar="FILE", help="Motion problems (JSON) for motions.")] = None,
    json: Json = False,
) -> None:
    """Time sweepscope and its peers in one run.

    Checks that they agree, and prints ratios.
    """
    from .bench import run_bench

    raise typer.Exit(run_bench(what, repeats, json, only, problems))


def verify(
    what: Annotated[
        str,
        typer.Argument(
            help="Which proof: translate, turn, screw, fans, swings, volumes, robots, travel, sequences, files, touching, "
            "contact, walk, partings, distance, gradients, signed, images, motions, cuda."
        ),
    ] = "translate",
    cases: Annotated[int, typer.Option(help="Cases of each question; frames of walk.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="First seed.", min=0)] = 0,
    question: Annotated[
        str | None,
        typer.Option(
            help="One question of fans (points, ...), volumes (large, ...), robots (joint, several), files (obj, ...), "
            "touching (lattice, lattice_turns, tips, gaps) or contact (depth, normals, edges, swap, prefix, split)."
        ),
    ] = None,
    robot: Annotated[str | None, typer.Option(metavar="NAME", help="One robot of motions: panda, ur5, ...")] = None,
    meshes: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Mesh files for walk and partings; generated shapes without it.")
    ] = None,
    json: Json = False,
) -> None:
    """Check answers with proofs and slow references.

    Sweeps with exact rational arithmetic; turns, fans, swings, volumes and robots with proofs or slow references; travel:
    copies and pickles against the original, to the bit; sequences: scenes that were changed 200 times against the same
    scenes built anew, to the bit; files: random valid files against slow readers; touching: bodies that touch at the start,
    against whole numbers; walk: bodies that walk by sweeps are never inside anything nor held in vain; partings: bodies
    that have met can part; gradients: derivatives of the time of contact against differences; images: readings of depth
    images from several renderers against exact sweeps and each other; motions: all joints of ten real robots against
    pinocchio at every tenth of a degree, which needs pin and example-robot-data; cuda: an NVIDIA card against the processor.

    10,000 sweeps take about 5 minutes; a million cases of each question of fans 15 minutes; 10,000 of volumes 4; 1,000 of
    robots 5; 10,000 of travel 25; 1,000 of sequences 3; 10,000 of touching 12; 10,000 motions of each robot 20; 500 of
    images 2.
    """
    from .verify import run_verify

    raise typer.Exit(run_verify(what, cases, seed, question, meshes, json, robot))


def fuzz(
    kind: Annotated[str | None, typer.Option("--format", help="One format: obj, gltf, npz, ...; all without it.")] = None,
    minutes: Annotated[float, typer.Option(help="How long.", min=0.0)] = 1.0,
    seed: Annotated[int, typer.Option(help="First seed.", min=0)] = 0,
    keep: Annotated[Path, typer.Option(metavar="FOLDER", help="For files with a fault.")] = Path("fuzz-out"),
    json: Json = False,
) -> None:
    """Spoil files of every format and load them.

    Each is loaded in a process that is watched: for crashes, hangs, memory, raw exceptions, reads outside of its folder, and
    for meshes that differ from what a slow reader finds.
    """
    from .fuzz import run_fuzz

    raise typer.Exit(run_fuzz(kind, minutes, seed, keep, json))
