"""The commands of `sweepscope simulate` and their options."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from sweepscope.cli.help import PlainCommand, examples
from sweepscope.cli.options import Gif, Json, Show


class _Simulations(TyperGroup):
    """Lists the simulations, in one line, if the given one does not exist."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            from sweepscope.errors import InvalidQuery

            raise InvalidQuery(f"simulate: there is no {args[0]!r}; accepted: {', '.join(self.commands)}")
        return super().resolve_command(ctx, args)


simulations = typer.Typer(cls=_Simulations, no_args_is_help=True, rich_markup_mode=None)


@simulations.command(
    cls=PlainCommand,
    epilog=examples(
        "simulate bounce",
        "simulate bounce --frames 200 --with sweep --gif bounce.gif",
    ),
)
def bounce(
    frames: Annotated[int, typer.Option(help="How many frames.")] = 1000,
    moving: Annotated[int, typer.Option(help="How many of the 50 balls move.")] = 50,
    instrument: Annotated[str, typer.Option("--with", help="What finds contacts: radar or sweep.")] = "radar",
    pixels: Annotated[int, typer.Option(help="Columns and rows of each radar, 10 to 1000.")] = 50,
    seed: Annotated[int, typer.Option(help="Seed of the start positions.")] = 0,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Balls bounce in a room, each with a radar.

    Prints contacts, energy and overlap.
    """
    from .bounce import run_bounce

    raise typer.Exit(run_bounce(frames, moving, instrument, pixels, seed, json, gif, view))


@simulations.command(
    cls=PlainCommand,
    epilog=examples(
        "simulate roll --picture roll.png",
        "simulate roll --body star --steps 300 --seed 4 --json",
        "simulate roll --body star --with angular",
        "simulate roll --with straight --limit 0.573 --turn-back",
        "simulate roll --with straight --behind hit --limit 0.573",
    ),
)
def roll(
    body: Annotated[str, typer.Option(help="cube, long box, L-shape, star, dodecahedron or bumpy ball.")] = "cube",
    steps: Annotated[int, typer.Option(help="How many motions.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the ground and of the start position.")] = 0,
    roughness: Annotated[float, typer.Option(help="Roughness of the ground, 0 (flat) to 2.")] = 0.3,
    slope: Annotated[float, typer.Option(help="Mean fall of the ground, 0 to 2; 1 is 45 degrees.")] = 0.6,
    instrument: Annotated[
        str,
        typer.Option("--with", help="What finds contacts: sweep (exact), angular (one radar on circles) or straight (radars)."),
    ] = "sweep",
    pixels: Annotated[int, typer.Option(help="Columns and rows of each radar, 10 to 1000.")] = 100,
    rule: Annotated[
        str, typer.Option(help="Straight radars: angle of a pixel by row, arm or subtended; the paper has no formula.")
    ] = "arm",
    limit: Annotated[
        float | None, typer.Option(help="Straight radars: turn in small steps to this angle [degrees], above 0, up to 5.7.")
    ] = None,
    ends: Annotated[
        str, typer.Option(help="Next axis from the support, or from the picture of the collision if it has two places.")
    ] = "support",
    radars: Annotated[int, typer.Option(help="Straight radars: how many, 2 (as in the paper) to 24.")] = 2,
    placement: Annotated[
        str, typer.Option(help="Straight radars: around the axis at equal angles, or by the body's shape.")
    ] = "around",
    turn_back: Annotated[
        bool, typer.Option("--turn-back", help="Straight radars: turn, test, and turn back; with --limit.")
    ] = False,
    behind: Annotated[
        str, typer.Option(help="Straight radars: skip what is behind the leading surface, or hit it (the paper's S < D).")
    ] = "skip",
    rim: Annotated[
        float | None,
        typer.Option(
            help="Straight radars: test nothing nearer to the axis [sizes]; paper: 0. By default 0.08; 0.02 with --limit."
        ),
    ] = None,
    old_contacts: Annotated[
        str, typer.Option(help="Straight radars: keep or forget old contacts where another is found.")
    ] = "keep",
    drops: Annotated[str, typer.Option(help="Straight radars: drops by a sampled radar, or by the published one.")] = "sampled",
    once: Annotated[bool, typer.Option("--once", help="Stop where it rests or leaves; otherwise it is dropped again.")] = False,
    soak: Annotated[bool, typer.Option("--soak", help="Every body on 20 grounds of all kinds, `steps` each.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Write poses and axes to this file.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw poses and axes into this PNG file.")] = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """A body rolls over uneven ground by its weight.

    Prints its deepest overlap and its widest gap.
    """
    from ..simulate.roll import RollSettings
    from .roll import run_roll, run_soak

    radians = None if limit is None else math.radians(limit)
    settings = RollSettings(
        body=body,
        instrument=instrument,
        pixels=pixels,
        seed=seed,
        roughness=roughness,
        slope=slope,
        again=not once,
        rule=rule,
        limit=radians,
        ends=ends,
        radars=radars,
        placement=placement,
        turn_back=turn_back,
        behind=behind,
        rim=rim,
        old_contacts=old_contacts,
        drops=drops,
    )
    raise typer.Exit(run_soak(steps, settings, json) if soak else run_roll(steps, settings, csv, picture, json, gif, view))


@simulations.command(
    cls=PlainCommand,
    epilog=examples(
        "simulate dissolve --picture melt.png",
        "simulate dissolve --story dripping --frames 60 --csv drops.csv",
    ),
)
def dissolve(
    story: Annotated[
        str, typer.Option(help="melting: a ball over rising fog; dripping: blobs exchange drops; shuffling: stacks of plates.")
    ] = "melting",
    frames: Annotated[int, typer.Option(help="Frames of the story.")] = 120,
    size: Annotated[int, typer.Option(help="Voxels along each side of both volumes, 8 to 512.")] = 64,
    seed: Annotated[int, typer.Option(help="Seed of the story.")] = 0,
    threshold: Annotated[float, typer.Option(help="Opacity above which a voxel is occupied, 0 to below 1.")] = 0.0,
    sense: Annotated[str, typer.Option(help="What makes contact: centers or cubes of voxels.")] = "centers",
    turn: Annotated[float, typer.Option(help="By how much the second turns in a frame [degrees].")] = 0.0,
    feedback: Annotated[float, typer.Option(help="Opacity that voxels in contact lose in a frame, 0 to 1.")] = 0.5,
    csv: Annotated[Path | None, typer.Option(help="Write every frame to this file.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw a strip of frames and timelines into this PNG file.")] = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Two volumes change and dissolve where they touch.

    Prints contacts and times.
    """
    from ..simulate.dissolve import DissolveSettings
    from .dissolve import run_dissolve

    settings = DissolveSettings(story, frames, size, seed, threshold, sense, turn, feedback)
    raise typer.Exit(run_dissolve(settings, csv, picture, json, gif, view))


@simulations.command(
    cls=PlainCommand,
    epilog=examples(
        "simulate grasp --picture grasp.png",
        "simulate grasp --target mug --hands 2 --contact-map mug.png",
        "simulate grasp --target block --hand flat --method radar",
    ),
)
def grasp(
    target: Annotated[
        str,
        typer.Option(
            help="box, ball, cylinder, cone, torus, mug, blob, chain, bottle, star, soft, block (the paper's size); all."
        ),
    ] = "ball",
    hands: Annotated[int, typer.Option(help="Hands that grasp at once, 1 to 5.")] = 1,
    method: Annotated[str, typer.Option(help="How joints find contact: exact turns, or radar.")] = "exact",
    rule: Annotated[
        str, typer.Option(help="Angle off a radar's picture: pixels (least of all), or closest (the paper's).")
    ] = "pixels",
    form: Annotated[str, typer.Option("--hand", help="The hand: round, or flat (400 x 400 x 30, the paper's).")] = "round",
    pixels: Annotated[int, typer.Option(help="Columns and rows of radars and views, 8 to 1024.")] = 50,
    step: Annotated[float, typer.Option(help="Largest turn of a joint in a frame [degrees].")] = 3.0,
    frames: Annotated[int, typer.Option(help="Largest number of frames.")] = 600,
    seed: Annotated[int, typer.Option(help="Seed of the start positions.")] = 0,
    csv: Annotated[Path | None, typer.Option(help="Write every frame to this file.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw a strip of frames into this PNG file.")] = None,
    contact_map: Annotated[Path | None, typer.Option(help="Draw where links touch into this PNG file.")] = None,
    gif: Gif = None,
    json: Json = False,
    view: Show = False,
) -> None:
    """Hands find a target, move there and close.

    Finger by finger; prints contacts and joints.
    """
    from dataclasses import replace

    from ..simulate.grasp import GraspSettings
    from .grasp import EVERY, run_all, run_grasp

    rest = GraspSettings(hands=hands, method=method, pixels=pixels, step=step, frames=frames, seed=seed, hand=form, rule=rule)
    if target == EVERY:
        raise typer.Exit(run_all(rest, csv, picture, contact_map, json, gif))
    raise typer.Exit(run_grasp(replace(rest, target=target), csv, picture, contact_map, json, gif, view))
