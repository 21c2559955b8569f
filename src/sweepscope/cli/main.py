"""`sweepscope`: files in, a table or JSON out. Exit code 0 free, 1 hit, 2 bad input, 3 a fault of the program.

Only typer is imported here, so that --help answers at once; each command imports what it needs.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

FREE, HIT, BAD_INPUT, BROKEN = 0, 1, 2, 3

app = typer.Typer(
    help="See a collision before it happens: what will be hit, when, where, how far can it go.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from sweepscope import __version__

        typer.echo(f"sweepscope {__version__}")
        raise typer.Exit


@app.command()
def sweep(
    mover: Annotated[Path, typer.Argument(help="Mesh file of what moves.")],
    scene: Annotated[list[Path], typer.Argument(help="Mesh files of what stands in its way.")],
    move: Annotated[tuple[float, float, float], typer.Option(help="How far it moves: X Y Z [length].")],
    at: Annotated[tuple[float, float, float], typer.Option(help="Where the mover starts: X Y Z [length].")] = (0.0, 0.0, 0.0),
    margin: Annotated[float, typer.Option(help="How far to stay away [length].")] = 0.0,
    resting: Annotated[str, typer.Option(help="Touching without approaching: free or hit.")] = "free",
    tolerance: Annotated[float | None, typer.Option(help="Touching below, overlap above [length].")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Move one mesh file among others: what is hit first, and after how much travel."""
    from .sweep import run_sweep

    raise typer.Exit(run_sweep(mover, scene, move, at, margin, resting, tolerance, json))


@app.command()
def demo() -> None:
    """Run a few built-in scenes and print their answers."""
    from .demo import run_demo

    run_demo()


@app.command()
def bench(
    what: Annotated[str, typer.Argument(help="Which comparison: translate.")] = "translate",
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.")] = None,
    repeats: Annotated[int, typer.Option(help="Rounds of each measurement; the best counts.", min=1)] = 5,
) -> None:
    """Run rapier3d, python-fcl and sweepscope side by side, check that they agree, print ratios."""
    from .bench import run_bench

    raise typer.Exit(run_bench(what, json, repeats))


@app.command()
def verify(
    cases: Annotated[int, typer.Option(help="How many pairs of shapes.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="First seed.", min=0)] = 0,
) -> None:
    """Hold the sweep against exact rational arithmetic on random and nasty pairs (10,000 take about 5 minutes)."""
    from .verify import run_verify

    raise typer.Exit(run_verify(cases, seed))


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
