"""The first paper's figures of cost on OpenGL: R, M and the normal drawing by one pipeline, as the paper measured them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any

from sweepscope.errors import GraphicsFailed, MissingPackage
from sweepscope.gl.card import renderer

from ..papers import radar, radar_gl, radar_plots
from .result import BookPicture, BookTable, Result, Watch, compared
from .texts import ms, write_rows

_WAY = (
    "Plain: the card's own rasterizer, as on the paper's cards. Ours: R and M as backend=\"gl\" draws them, which tests every "
    "pixel in float64. R and M are read back; N is lit, textured, a quarter transparent, and stays on the card. The size of N, "
    "640 x 480, is our assumption."
)


def _where_opengl_works(part: Callable[..., Result]) -> Callable[..., Result]:
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


@_where_opengl_works
def measure_gl_costs(
    folder: Path,
    watch: Watch,
    *,
    repeats: int,
    polygons: Sequence[int],
    sides: Sequence[float],
    pixels: Sequence[int],
    seats: int,
) -> Result:
    """Run Fig. 7 on OpenGL."""
    watch.begin(len(polygons))
    costs = radar_gl.measure_gl_costs(watch.say, repeats, polygons=polygons, sides=sides, pixels=pixels, seats=seats)
    rows = [{**asdict(row), "share": row.share, "exact_share": row.exact_share} for row in costs]
    write_rows(folder / "fig7_gl.csv", rows)
    radar_plots.plot_gl_costs(costs, folder / "fig7_gl.png")
    plain, exact = _range([row.share for row in costs]), _range([row.exact_share for row in costs])
    power = radar_gl.exponent_of(costs)
    differs = f"{_WAY} Drawn by {renderer()}; radars are those of the paper, R from the rear, M from the far end."
    few, many = min(pixels), max(pixels)
    by_case = {(row.polygons, row.side, row.pixels): row for row in costs}
    table, ends = [], []
    for count in polygons:
        for side in sides:
            row, rough = by_case[count, side, many], by_case[count, side, few]
            times = map(ms, (row.range, row.mask, row.exact_range, row.exact_mask, row.normal))
            shares = (row.share, rough.share, row.exact_share, rough.exact_share)
            table.append((f"{count:,}", f"{side:g}", *times, *(f"{100.0 * share:.1f} %" for share in shares)))
        ends.append(len(table) - 1)
    columns = ("polygons", "side", "R", "M", "R, ours", "M, ours", "N")
    more = ("(R + M) / N", f"at {few}", "ours", f"ours at {few}")
    title = f"Fig. 7 on OpenGL: drawings at {many} x {many} pixels, in ms; shares also at {few} x {few}"
    return Result(
        (
            BookTable(title, (*columns, *more), tuple(table), ("Fig. 7",), tuple(ends)),
            compared(
                "Fig. 7 on OpenGL, published and measured",
                ("Fig. 7",),
                (
                    ("(R + M) / N, plain", "10 % to 60 %", plain, ""),
                    ("(R + M) / N, ours", "10 % to 60 %", exact, ""),
                    ("R + M, plain, grow with pixels as", "not published", f"pixels^{power:.2f}", ""),
                ),
                differs,
            ),
        ),
        (
            BookPicture(
                "fig7_gl.png",
                '(R + M) / N by pixels, for each side of the target area; dashed: R and M as backend="gl" draws them',
                ("Fig. 7",),
                "R + M cost 10 % to 60 % of N",
                f"plain {plain}, ours {exact}",
                differs,
            ),
        ),
    )


@_where_opengl_works
def measure_gl_frames(folder: Path, watch: Watch, *, frames: int, repeats: int, radars: Sequence[int]) -> Result:
    """Run Fig. 8 on OpenGL."""
    watch.begin(len(radars) * len(radar.RADAR_PIXELS))
    found = radar_gl.measure_gl_frames(watch.say, frames, repeats, radars=radars)
    fits = radar.fit_frames(found)
    write_rows(folder / "fig8_gl.csv", [{**asdict(row), "frame": row.frame} for row in found])
    radar_plots.plot_frames(found, fits, folder / "fig8_gl.png")
    growth = ", ".join(f"radars^{fit.exponent:.2f} at {fit.pixels} x {fit.pixels}" for fit in fits)
    each = ", ".join(f"{ms(fit.each)} ms at {fit.pixels} x {fit.pixels}" for fit in fits)
    differs = (
        f'Radars are RadarSet(..., method="published", backend="gl"), masks drawn anew in every frame. Drawn by {renderer()}; '
        "the normal drawing, of 640 x 480 by our assumption, by the same context."
    )
    return Result(
        (
            compared(
                "Fig. 8 on OpenGL, published and measured",
                ("Fig. 8",),
                (
                    ("time grows", "linearly", growth, ""),
                    ("a radar", "not published", each, ""),
                    ("normal drawing of the scene", "28.1, 19.6, 10.0 and 8.0 ms", f"{ms(found[0].normal)} ms", ""),
                ),
                differs,
            ),
        ),
        (
            BookPicture(
                "fig8_gl.png",
                "time of a frame by the number of radars in it, with the normal drawing as published and without",
                ("Fig. 8",),
                "linear",
                growth,
                differs,
            ),
        ),
    )


def _range(shares: Sequence[float]) -> str:
    return f"{100.0 * min(shares):.1f} % to {100.0 * max(shares):.1f} %"
