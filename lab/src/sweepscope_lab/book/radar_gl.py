"""The first paper's figures of cost on OpenGL: R, M and the normal drawing by one pipeline, as the paper measured them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Unpack

from sweepscope.gl.card import renderer

from ..papers import radar, radar_gl, radar_plots
from ..papers.radar import Areas
from ..papers.radar_gl import GlCost
from .opengl import WAYS, where_opengl_works
from .radar_figures import area_rows, keep_frames
from .result import BookPicture, BookTable, Result, Watch, compared
from .texts import ms, percents, write_rows


@where_opengl_works
def measure_gl_costs(folder: Path, watch: Watch, *, repeats: int, **areas: Unpack[Areas]) -> Result:
    """Run Fig. 7 on OpenGL."""
    watch.begin(len(areas.get("polygons", radar.POLYGONS)))
    costs = radar_gl.measure_gl_costs(watch.say, repeats, **areas)
    write_rows(folder / "fig7_gl.csv", [{**asdict(row), "share": row.share, "exact_share": row.exact_share} for row in costs])
    radar_plots.plot_gl_costs(costs, folder / "fig7_gl.png")
    plain, exact = percents([row.share for row in costs]), percents([row.exact_share for row in costs])
    power = radar_gl.exponent_of(costs)
    differs = (
        f"{WAYS} N is lit, textured, a quarter transparent. Drawn by {renderer()}; radars are those of the paper, R from the "
        "rear, M from the far end."
    )
    few, many = min(row.pixels for row in costs), max(row.pixels for row in costs)

    def cells(fine: GlCost, rough: GlCost) -> tuple[str, ...]:
        shares = (fine.share, rough.share, fine.exact_share, rough.exact_share)
        times = (fine.range, fine.mask, fine.exact_range, fine.exact_mask, fine.normal)
        return *map(ms, times), *(f"{100.0 * share:.1f} %" for share in shares)

    rows, ends = area_rows(costs, cells)
    columns = ("polygons", "side", "R", "M", "R, ours", "M, ours", "N")
    more = ("(R + M) / N", f"at {few}", "ours", f"ours at {few}")
    title = f"Fig. 7 on OpenGL: drawings at {many} x {many} pixels, in ms; shares also at {few} x {few}"
    return Result(
        (
            BookTable(title, (*columns, *more), rows, ("Fig. 7",), ends),
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


@where_opengl_works
def measure_gl_frames(folder: Path, watch: Watch, *, frames: int, repeats: int, radars: Sequence[int]) -> Result:
    """Run Fig. 8 on OpenGL."""
    watch.begin(len(radars) * len(radar.RADAR_PIXELS))
    found = radar_gl.measure_gl_frames(watch.say, frames, repeats, radars=radars)
    fits, growth = keep_frames(folder, "fig8_gl", found)
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
