"""The options of `sweepscope simulate`: what can be simulated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup


class _Simulations(TyperGroup):
    """Names the simulations there are, in one line, when asked for another."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            from sweepscope.errors import InvalidQuery

            raise InvalidQuery(f"simulate: there is no {args[0]!r}; accepted: {', '.join(self.commands)}")
        return super().resolve_command(ctx, args)


simulations = typer.Typer(cls=_Simulations, no_args_is_help=True, rich_markup_mode=None)


@simulations.command()
def bounce(
    frames: Annotated[int, typer.Option(help="How many frames.")] = 1000,
    moving: Annotated[int, typer.Option(help="How many of the 50 balls move.")] = 50,
    instrument: Annotated[str, typer.Option("--with", help="What finds contacts: radar or sweep.")] = "radar",
    pixels: Annotated[int, typer.Option(help="Columns and rows of each radar, 10 to 1000.")] = 50,
    seed: Annotated[int, typer.Option(help="Where they start.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Balls that bounce in a room, each with a radar; prints what was conserved."""
    from .simulate import run_bounce

    raise typer.Exit(run_bounce(frames, moving, instrument, pixels, seed, json))


@simulations.command()
def roll(
    body: Annotated[str, typer.Option(help="cube, long box, L-shape, star, dodecahedron or bumpy ball.")] = "cube",
    steps: Annotated[int, typer.Option(help="How many motions.")] = 100,
    seed: Annotated[int, typer.Option(help="Of the ground, and where the body starts.")] = 0,
    roughness: Annotated[float, typer.Option(help="Of the ground, 0 (flat) to 2.")] = 0.3,
    slope: Annotated[float, typer.Option(help="Mean fall of the ground, 0 to 2; 1 is 45 degrees.")] = 0.6,
    instrument: Annotated[str, typer.Option("--with", help="What finds contacts: sweep or radar.")] = "sweep",
    pixels: Annotated[int, typer.Option(help="Columns and rows of each radar, 10 to 1000.")] = 100,
    once: Annotated[bool, typer.Option("--once", help="Stop where it rests or leaves; else it is dropped anew.")] = False,
    soak: Annotated[bool, typer.Option("--soak", help="Every body on 20 grounds of all kinds, `steps` each.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Write poses and axes to this file.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw poses and axes into this PNG file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """A body that rolls over uneven ground by its weight; prints whether it ever went into the ground, or hung in the air."""
    from sweepscope.simulate.roll import Settings

    from .roll import run_roll, run_soak

    settings = Settings(body, instrument, pixels, seed, roughness, slope, not once)
    raise typer.Exit(run_soak(steps, settings, json) if soak else run_roll(steps, settings, csv, picture, json))


@simulations.command()
def dissolve(
    story: Annotated[str, typer.Option(help="melting: a ball over rising fog; dripping: blobs exchange drops.")] = "melting",
    frames: Annotated[int, typer.Option(help="How many frames the story is told in.")] = 120,
    size: Annotated[int, typer.Option(help="Voxels along each side of both volumes, 8 to 512.")] = 64,
    seed: Annotated[int, typer.Option(help="Of the story.")] = 0,
    threshold: Annotated[float, typer.Option(help="Opacity above which a voxel is occupied, 0 to below 1.")] = 0.0,
    sense: Annotated[str, typer.Option(help="What is contact: centres or cubes.")] = "centres",
    turn: Annotated[float, typer.Option(help="By how much the second turns in a frame [degrees].")] = 0.0,
    feedback: Annotated[float, typer.Option(help="Opacity that voxels in contact lose in a frame, 0 to 1.")] = 0.5,
    csv: Annotated[Path | None, typer.Option(help="Write every frame to this file.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw a strip of frames and timelines into this PNG file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Two volumes that change in every frame and dissolve where they touch; prints when they did, and what it took."""
    from sweepscope.simulate.dissolve import Settings

    from .dissolve import run_dissolve

    settings = Settings(story, frames, size, seed, threshold, sense, turn, feedback)
    raise typer.Exit(run_dissolve(settings, csv, picture, json))


@simulations.command()
def grasp(
    target: Annotated[
        str, typer.Option(help="box, ball, cylinder, cone, torus, mug, blob, chain, bottle, star, soft; all: each in turn.")
    ] = "ball",
    hands: Annotated[int, typer.Option(help="How many grasp it at once, 1 to 5.")] = 1,
    method: Annotated[str, typer.Option(help="How joints find contact: exact turns, or radar (as published).")] = "exact",
    pixels: Annotated[int, typer.Option(help="Columns and rows of radars and views, 8 to 1024.")] = 50,
    step: Annotated[float, typer.Option(help="Most that a joint turns in a frame [degrees].")] = 3.0,
    frames: Annotated[int, typer.Option(help="Most frames.")] = 600,
    seed: Annotated[int, typer.Option(help="Where hands start.")] = 0,
    csv: Annotated[Path | None, typer.Option(help="Write every frame to this file.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw a strip of frames into this PNG file.")] = None,
    contact_map: Annotated[Path | None, typer.Option(help="Draw where links touch into this PNG file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Hands that find a target, go there and close on it, finger by finger; prints what touches, where, and every joint."""
    from dataclasses import replace

    from sweepscope.simulate.grasp import Settings

    from .grasp import EVERY, run_all, run_grasp

    rest = Settings(hands=hands, method=method, pixels=pixels, step=step, frames=frames, seed=seed)
    if target == EVERY:
        raise typer.Exit(run_all(rest, csv, picture, contact_map, json))
    raise typer.Exit(run_grasp(replace(rest, target=target), csv, picture, contact_map, json))
