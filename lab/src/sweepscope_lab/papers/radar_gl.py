"""The first paper's costs on OpenGL, as it measured them: R, M and the normal drawing by one pipeline (2002, Figs. 7 and 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from sweepscope.gl.draw import Picture

from ..bench.rows import best
from ..scenes.radar import Bouncers, Crowd
from .gl_drawing import GlTimes, PlainDrawing, time_drawings, whole_picture
from .radar import (
    RADAR_PIXELS,
    RADARS,
    Areas,
    RadarFrame,
    Say,
    Works,
    drawings_of_seat,
    measure_frames,
    normal_view,
    over_areas,
    painted,
    painted_plain,
    room_view,
)


@dataclass(frozen=True, slots=True)
class GlCost(GlTimes):
    """One bar of Fig. 7 [s]: the mean of the directions of view."""

    polygons: int
    side: float
    """Side of the cubic target area [length]."""
    pixels: int
    """Columns, and the same number of image rows."""


def measure_gl_costs(say: Say, repeats: int = 30, **areas: Unpack[Areas]) -> list[GlCost]:
    """Run Fig. 7 on OpenGL: the cost of R, M and a normal drawing."""

    def works(world: Crowd) -> Works:
        paint = painted(world)
        drawing, whole = PlainDrawing(paint), whole_picture(paint, normal_view())

        def detect(seat: int, side: float, pixels: int) -> tuple[float, ...]:
            ranges, masks = (Picture(row, (pixels, pixels), hidden) for row, hidden in drawings_of_seat(world, seat, side))
            return time_drawings(drawing, world.scene, [ranges], [masks], repeats)

        return lambda: drawing.normal(whole), detect

    found = over_areas(say, "Fig. 7 on OpenGL", works, repeats, **areas)
    return [
        GlCost(*times, normal=normal, polygons=polygons, side=side, pixels=pixels)
        for (polygons, side, pixels), times, normal in found
    ]


def measure_gl_frames(
    say: Say, frames: int = 20, repeats: int = 3, *, radars: Iterable[int] = RADARS, pixels: Sequence[int] = RADAR_PIXELS
) -> list[RadarFrame]:
    """Run Fig. 8 on OpenGL: `RadarSet(..., method="published", backend="gl")`; masks are drawn again in every frame."""
    return measure_frames(
        say, frames, repeats, radars=radars, pixels=pixels, normal=measure_gl_normal, method="published", backend="gl"
    )


def measure_gl_normal(world: Bouncers, repeats: int) -> float:
    """Return the time of a normal drawing of Fig. 8's scene [s]: 640 x 480, opaque, seen from just inside the room's wall."""
    paint = painted_plain(world.scene)
    drawing, whole = PlainDrawing(paint), whole_picture(paint, room_view(world))
    return best(lambda: drawing.normal(whole), repeats)


def exponent_of(costs: Sequence[GlCost]) -> float:
    """Return the power of the number of pixels that R + M, plain, grows with: the median over all scenes and sides."""
    slopes = []
    for polygons in {cost.polygons for cost in costs}:
        for side in {cost.side for cost in costs}:
            mine = [cost for cost in costs if (cost.polygons, cost.side) == (polygons, side)]
            counts, times = [cost.pixels**2 for cost in mine], [cost.range + cost.mask for cost in mine]
            slopes.append(float(np.polyfit(np.log(counts), np.log(times), 1)[0]))
    return float(np.median(slopes))
