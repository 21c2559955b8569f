"""Parts of the book that OpenGL draws."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from sweepscope.errors import GraphicsFailed, MissingPackage
from sweepscope.gl.card import renderer

from .result import BookTable, Result, Watch

WAYS = (
    "Plain: the card's own rasterizer, as on the paper's cards. Ours: R and M as backend=\"gl\" draws them, which tests every "
    "pixel in float64. R and M are read back; N stays on the card. The size of N, 640 x 480, is our assumption."
)


def where_opengl_works(part: Callable[..., Result]) -> Callable[..., Result]:
    """Return a part that says so in a table where OpenGL does not start."""

    @wraps(part)
    def run(folder: Path, watch: Watch, **settings: Any) -> Result:
        try:
            renderer()
        except (MissingPackage, GraphicsFailed) as reason:
            watch.begin(0)
            return Result((BookTable("not run: OpenGL does not start here", ("reason",), ((str(reason),),)),), ())
        return part(folder, watch, **settings)

    return run
