"""The first paper's Fig. 16 on OpenGL: R, M and the normal drawing of hands that grasp, by one pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import numpy as np

from sweepscope.gl.card import renderer

from ..papers import grasp_gl, grasp_plots
from ..papers.grasp import PUBLISHED_RADARS, PUBLISHED_SECONDS
from ..papers.grasp_gl import GROUPS, GlGraspFrame
from .opengl import WAYS, where_opengl_works
from .result import BookPicture, BookTable, Result, Watch, compared, ratio
from .texts import ms, number, percents, write_rows


@where_opengl_works
def measure_gl_frames(folder: Path, watch: Watch, *, hands: int, repeats: int, every: int) -> Result:
    """Run Fig. 16 on OpenGL. every: one frame in so many is timed."""
    watch.begin(1)
    rows = grasp_gl.measure_gl_frames(watch.say, hands=hands, repeats=repeats, every=every)
    plain = [
        {**asdict(row), "share": row.share, "exact_share": row.exact_share, "each": row.each, "exact_each": row.exact_each}
        for row in rows
    ]
    write_rows(folder / "grasp_fig16_gl.csv", plain)
    grasp_plots.plot_gl_frames(rows, folder / "grasp_fig16_gl.png")
    worst, most = max(rows, key=lambda row: row.whole), max(row.radars for row in rows)
    each, exact = percents([row.each for row in rows]), percents([row.exact_each for row in rows])
    power = f"radars^{number(grasp_gl.growth(rows))}"
    differs = (
        f"{WAYS} Drawn by {renderer()}. Radars: R from the rear of the part, M from the far end, both drawn by each radar in "
        "every frame, so no mask is kept; which radars there are, and where they look, is ours. The paper gives neither the "
        "polygons nor the materials of its hands and targets: here the hands are lit, the target has a texture, nothing is "
        'transparent. The plain drawings have capsules as triangles; backend="gl" draws them as they are. The published '
        "203 ms are of a frame with its normal drawing, as far as the paper says."
    )
    return Result(
        (
            _by_radars(rows),
            compared(
                "Fig. 16 on OpenGL, published and measured",
                ("Fig. 16",),
                (
                    ("hands", "5", str(hands), ""),
                    ("most radars in a frame", str(PUBLISHED_RADARS), str(most), ""),
                    (
                        "worst frame, R + M + N, plain",
                        f"{1e3 * PUBLISHED_SECONDS:.0f} ms",
                        f"{ms(worst.whole)} ms, {worst.radars} radars in it",
                        ratio(PUBLISHED_SECONDS, worst.whole),
                    ),
                    ("(R + M) / N of one radar, plain", "10 % to 60 % (Fig. 7)", each, ""),
                    ("(R + M) / N of one radar, ours", "10 % to 60 % (Fig. 7)", exact, ""),
                    (f"R + M, plain, of {GROUPS[1]} radars or more grow as", "linearly (Fig. 8)", power, ""),
                ),
                differs,
            ),
        ),
        (
            BookPicture(
                "grasp_fig16_gl.png",
                "radars of every frame, times of R, M and N, and (R + M) / N of one radar by the number of radars",
                ("Fig. 16",),
                f"at most {PUBLISHED_RADARS} radars at work, worst frame {1e3 * PUBLISHED_SECONDS:.0f} ms",
                f"at most {most}, worst frame {ms(worst.whole)} ms; (R + M) / N of one radar {each}",
                differs,
            ),
        ),
    )


def _by_radars(rows: Sequence[GlGraspFrame]) -> BookTable:
    lines = []
    for least, above in pairwise((*GROUPS, None)):
        mine = [row for row in rows if grasp_gl.group_of(row) == least]
        if not mine:
            continue
        names = ("range", "mask", "exact_range", "exact_mask", "normal")
        times = (ms(float(np.mean([getattr(row, name) for row in mine]))) for name in names)
        shares = (np.mean([getattr(row, name) for row in mine]) for name in ("share", "each", "exact_share", "exact_each"))
        label = f"{least} or more" if above is None else f"{least} to {above - 1}"
        lines.append((label, str(len(mine)), *times, *(f"{100.0 * share:.1f} %" for share in shares)))
    one = rows[0]
    return BookTable(
        f"Fig. 16 on OpenGL: {one.hands} hands on a {one.target}, {one.polygons:,} triangles; means over frames, in ms",
        (
            *("radars in a frame", "frames", "R", "M", "R, ours", "M, ours", "N"),
            *("(R + M) / N", "of one radar", "ours", "of one radar, ours"),
        ),
        tuple(lines),
        ("Fig. 16",),
        notes=("R and M are those of all radars of a frame",),
    )
