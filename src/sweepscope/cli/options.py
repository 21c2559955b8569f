"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Resting = Literal["free", "hit"]
Triple = tuple[float, float, float]
Turn = tuple[float, float, float, float]
"""Axis X Y Z and angle [degrees]."""
AXIS_ANGLE = "X Y Z DEGREES"

Mover = Annotated[Path, typer.Argument(help="Mesh or volume file of the mover.")]
Obstacles = Annotated[list[Path], typer.Argument(help="Mesh, volume or scene files of the obstacles.")]
Method = Annotated[
    Literal["sampled", "bounding", "published"],
    typer.Option(
        help="sampled: gaps at pixel centers; bounding: smallest gap in each pixel, never misses; published: paper of 2002."
    ),
]
Move = Annotated[Triple | None, typer.Option(metavar="X Y Z", help="Straight motion [length].")]
Axis = Annotated[Triple | None, typer.Option(metavar="X Y Z", help="For a turning motion: direction of its axis.")]
Angle = Annotated[float | None, typer.Option(metavar="DEGREES", help="Angle of the motion, right-handed about --axis.")]
About = Annotated[Triple | None, typer.Option(metavar="X Y Z", help="A point on the axis [length]; default: the origin.")]
At = Annotated[Triple, typer.Option(metavar="X Y Z", help="Start position of the mover [length].")]
Orient = Annotated[
    Turn | None,
    typer.Option(metavar=AXIS_ANGLE, help="Start orientation of the mover: turned about its origin, around X Y Z."),
]
Margin = Annotated[float, typer.Option(help="Distance to keep from obstacles [length].")]
Tolerance = Annotated[float | None, typer.Option(help="Contact up to this depth is touching, deeper is overlap [length].")]
Spacing = Annotated[float | None, typer.Option(help="Width of a voxel for .npy and .npz files that have none [length].")]
Threshold = Annotated[float | None, typer.Option(help="Voxels above it are occupied; overrides .npz files.")]
Pixels = Annotated[tuple[int, int], typer.Option(metavar="COLUMNS ROWS", help="Size of the picture.")]
Motions = Annotated[
    Path | None,
    typer.Option(help="Many motions: .npy or .csv of vectors, shape (n, 3), or .npz with the arrays of turns and screws."),
]
Poses = Annotated[
    Path | None, typer.Option(help="Start poses, one for each motion: .npy, shape (n, 3) or (n, 4, 4), or .csv of positions.")
]
ToolPath = Annotated[
    Path | None,
    typer.Option(help="Points or poses that the mover passes: files as --poses. Stops at the first hit."),
]
Every = Annotated[bool, typer.Option("--all", help="With --path: sweep all segments, also after a hit.")]
Each = Annotated[
    bool,
    typer.Option(
        "--each", help="Report the first contact with each obstacle, as if the others were absent, and when it is left."
    ),
]
Out = Annotated[Path | None, typer.Option(help="Write all answers to this .npz file.")]
Threads = Annotated[int | None, typer.Option(help="The most threads for many motions; default: all cores.")]
Picture = Annotated[Path | None, typer.Option(help="Draw the result to this PNG file.")]
Gif = Annotated[Path | None, typer.Option(help="Draw the motion to this animated GIF file; needs Pillow.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON; errors too.")]
Show = Annotated[bool, typer.Option("--view", help="Then show it on a page in the browser, until Ctrl-C.")]
Package = Annotated[
    list[str] | None, typer.Option(metavar="NAME=FOLDER", help="Folder of package://NAME/ in a URDF file; may be repeated.")
]
Root = Annotated[
    list[Path] | None,
    typer.Option(metavar="FOLDER", help="Another folder from which meshes of a URDF file may be read; may be repeated."),
]
TurnDae = Annotated[bool, typer.Option("--turn-dae", help="Turn .dae meshes of a URDF file so that their up axis is z.")]
