"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Resting = Literal["free", "hit"]
Triple = tuple[float, float, float]
Method = Annotated[
    Literal["sampled", "bounding", "published"],
    typer.Option(help="Gaps at the centers of pixels; the smallest in each pixel, never misses; as the paper of 2002."),
]
Move = Annotated[Triple | None, typer.Option(help="Straight motion: X Y Z [length].")]
Axis = Annotated[Triple | None, typer.Option(help="For a turn: direction of the axis, X Y Z.")]
Angle = Annotated[float | None, typer.Option(help="Angle of the turn, right-handed about the axis [degrees].")]
About = Annotated[Triple | None, typer.Option(help="A point on the axis: X Y Z [length]; the origin by default.")]
At = Annotated[Triple, typer.Option(help="Start position of the mover: X Y Z [length].")]
Spacing = Annotated[float | None, typer.Option(help="Width of a voxel for .npy and .npz files that have none [length].")]
Threshold = Annotated[float | None, typer.Option(help="Voxels above it are occupied; overrides .npz files.")]
Picture = Annotated[Path | None, typer.Option(help="Draw the result to this PNG file.")]
Gif = Annotated[Path | None, typer.Option(help="Draw the motion to this animated GIF file; needs Pillow.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Show = Annotated[bool, typer.Option("--view", help="Then show it on a page in the browser, until Ctrl-C.")]
