"""The first paper's figures of cost, and the accuracy of radars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Unpack

from ..papers import radar, radar_accuracy, radar_plots
from ..papers.radar import Areas, Cost, Fit, RadarFrame
from ..papers.radar_accuracy import Accuracy
from ..scenes.radar import bouncers
from .facts import processor
from .radar_figures import area_rows, keep_frames
from .radar_gl import measure_gl_costs, measure_gl_frames
from .radar_repairs import measure_repairs
from .result import BookPart, BookPicture, BookTable, Chapter, Result, Watch, compared, ratio
from .texts import ms, percents, write_rows

_FRAME = 1.0 / 60.0  # seconds that a game has for a frame
_LIMITS = "under 10, 20, 40 and over 50 radars on the four machines of 2002"
_MACHINES = (
    ("Low-end", "Pentium 3, 450 MHz", "3Dlabs Oxygen VX1", "13,074", "28.1"),
    ("Middle-class", "Pentium 3, 1 GHz", "NVIDIA GeForce2 MX", "26,898", "19.6"),
    ("High-class", "Pentium 4, 1.8 GHz", "NVIDIA GeForce3", "46,194", "10.0"),
    ("Professional", "2 x Xeon, 1.8 GHz", "3Dlabs Wildcat 5110", "100,626", "8.0"),
)
_NORMAL = 0.1  # seconds of a normal drawing of Fig. 7: scenes were made for it, "for real time" (section 4.2)


def measure_costs(folder: Path, watch: Watch, *, repeats: int, **areas: Unpack[Areas]) -> Result:
    """Run Fig. 7."""
    watch.begin(len(areas.get("polygons", radar.POLYGONS)))
    costs = radar.measure_costs(watch.say, repeats, **areas)
    write_rows(folder / "fig7.csv", [{**asdict(row), "share": row.share} for row in costs])
    radar_plots.plot_costs(costs, folder / "fig7.png")
    shares = percents([row.share for row in costs])
    analyses = f"{ms(min(row.analysis for row in costs))} to {ms(max(row.analysis for row in costs))} ms"
    largest = max(costs, key=lambda row: row.polygons)
    differs = (
        "The paper drew each scene on another machine, with a graphics card; here one core of one processor draws all four, "
        "with "
        "our own rasterizer for R, M and N. R and M hold only depth, N has textures, transparency and light. The size of N and "
        "the place of the sensor are not published: 640 x 480 is our assumption, and (R + M) / N depends on it; the sensor is "
        "at the middle of each side of the cube, so that the largest target area holds the whole scene. R and M are drawn as "
        "published, the analysis is our radar's."
    )
    return Result(
        (
            _machines(radar.measure_normal(bouncers(), repeats)),
            _costs(costs, shares, analyses),
            compared(
                "Fig. 7, published and ours",
                ("Fig. 7",),
                (
                    ("(R + M) / N", "10 % to 60 %", shares, ""),
                    ("analysis of the pixels", "a few ms to 10 ms, without the slowest machine", analyses, ""),
                    (
                        f"normal drawing of {largest.polygons:,} polygons",
                        "about 100 ms",
                        f"{ms(largest.normal)} ms",
                        ratio(_NORMAL, largest.normal),
                    ),
                ),
                differs,
            ),
        ),
        (
            BookPicture(
                "fig7.png",
                "cost of one detection: drawing R and M and analysing their pixels, beside one normal drawing N, for each "
                "scene",
                ("Fig. 7",),
                "R + M cost 10 % to 60 % of N; the analysis takes a few ms to 10 ms",
                f"R + M cost {shares} of N; the analysis takes {analyses}",
                differs,
            ),
        ),
    )


def _machines(normal: float) -> BookTable:
    return BookTable(
        "Table 1: machines; the last row is this one",
        ("machine", "processor", "graphics", "polygons of Fig. 7", "normal drawing of Fig. 8's scene [ms]"),
        (*_MACHINES, ("here", processor(), "none: the processor draws", "all four", ms(normal))),
        ("Table 1",),
        differs="The paper chose polygons so that a normal drawing takes about 100 ms on each machine. The last column is from "
        "the captions of Fig. 8; ours is at 640 x 480, which we assume, on one core.",
    )


def _costs(costs: Sequence[Cost], shares: str, analyses: str) -> BookTable:
    few, many = min(cost.pixels for cost in costs), max(cost.pixels for cost in costs)

    def cells(fine: Cost, rough: Cost) -> tuple[str, ...]:
        times = map(ms, (fine.range, fine.mask, fine.analysis, fine.normal))
        return *times, f"{100.0 * fine.share:.1f} %", f"{100.0 * rough.share:.1f} %"

    rows, ends = area_rows(costs, cells)
    return BookTable(
        f"Fig. 7: one detection at {many} x {many} pixels, in ms; the share also at {few} x {few}",
        ("polygons", "side", "R", "M", "analysis", "N", "(R + M) / N", f"at {few}"),
        rows,
        ("Fig. 7",),
        ends,
        (
            f"(R + M) / N: {shares}; published: 10 % to 60 %",
            f"analysis: {analyses}; published: a few ms to 10 ms, without the slowest machine",
        ),
    )


def measure_frames(folder: Path, watch: Watch, *, frames: int, repeats: int, radars: Sequence[int]) -> Result:
    """Run Fig. 8."""
    watch.begin(len(radars) * len(radar.RADAR_PIXELS))
    found = radar.measure_frames(watch.say, frames, repeats, radars=radars)
    fits, growth = keep_frames(folder, "fig8", found)
    normal = found[0].normal
    real = ", ".join(f"about {_fitting(fit, _FRAME)} at {fit.pixels} x {fit.pixels}" for fit in fits)
    whole = ", ".join(f"about {_fitting(fit, _NORMAL - normal)} at {fit.pixels} x {fit.pixels}" for fit in fits)
    differs = (
        "Stated by the paper: 50 balls of 128 polygons in a cube, masks drawn anew in every frame. Inferred: a frame has its "
        "normal drawing in it. "
        "Ours: all radars of a frame are read in one call on all cores; the normal drawing is one of 640 x 480 on one core, a "
        "size that we assume; detection alone stands beside it. The paper does not say what real time is here: with the normal "
        "drawing we take the 0.1 s of its section 4.2, for detection alone 1/60 s."
    )
    return Result(
        (
            _frames(found, fits),
            compared(
                "Fig. 8, published and ours",
                ("Fig. 8",),
                (
                    ("time grows", "linearly", growth, ""),
                    ("normal drawing of the scene", "28.1, 19.6, 10.0 and 8.0 ms on the four machines", f"{ms(normal)} ms", ""),
                    (
                        "radars in real time, normal drawing included",
                        "under 10, 20, 40 and over 50 on the four machines",
                        f"{whole}, in 0.1 s",
                        "",
                    ),
                    ("radars in real time, detection alone", "not published", f"{real}, in 1/60 s", ""),
                ),
                differs,
            ),
        ),
        (
            BookPicture(
                "fig8.png",
                "time of a frame by the number of radars in it, at 50 x 50 and at 100 x 100 pixels, with a normal drawing of "
                "640 x 480 pixels, our assumption, and without",
                ("Fig. 8",),
                f"linear; real time up to {_LIMITS}",
                f"{growth}; in 0.1 s {whole} with the normal drawing, in 1/60 s {real} without",
                differs,
            ),
        ),
    )


def _fitting(fit: Fit, seconds: float) -> int:
    """Return how many radars fit into a time [s]."""
    return max(int((seconds - fit.start) / fit.each), 0) if fit.each > 0.0 else 0


def _frames(frames: Sequence[RadarFrame], fits: Sequence[Fit]) -> BookTable:
    by_case = {(frame.radars, frame.pixels): frame for frame in frames}
    rows = []
    for count in dict.fromkeys(frame.radars for frame in frames):
        mine = [by_case[count, fit.pixels] for fit in fits]
        cells = [(ms(frame.frame), ms(frame.seconds), ms(frame.seconds / count)) for frame in mine]
        rows.append((str(count), *(cell for each in cells for cell in each)))
    notes = [
        f"{fit.pixels} x {fit.pixels}: {ms(fit.start)} ms + {ms(fit.each)} ms a radar, off by {100.0 * fit.residual:.1f} % at "
        f"most; grows as radars^{fit.exponent:.2f}; about {_fitting(fit, _FRAME)} radars in 1/60 s"
        for fit in fits
    ]
    return BookTable(
        "Fig. 8: radars in one frame, in ms, by pixels along a side; a whole frame has a normal drawing in it, 640 x 480",
        (
            "radars",
            *(f"{fit.pixels}: {what}" for fit in fits for what in ("whole frame", "detection alone", "a radar")),
        ),
        tuple(rows),
        ("Fig. 8",),
        notes=(*notes, f"published: linear; real time up to {_LIMITS}"),
    )


def measure_accuracy(folder: Path, watch: Watch, *, pairs: int, pixels: Sequence[int]) -> Result:
    """Compare radars with exact sweeps."""
    watch.begin(len(radar_accuracy.KINDS))
    errors = radar_accuracy.measure_accuracy(watch.say, pairs, pixels=pixels)
    write_rows(folder / "accuracy.csv", [{**asdict(row), "worst": row.worst} for row in errors])
    radar_plots.plot_accuracy(errors, folder / "accuracy.png")
    orders = radar_accuracy.orders(errors)
    least = min(row.least for row in errors if not row.bounding)
    most = max(row.most for row in errors if row.bounding)
    missed = sum(row.missed for row in errors if row.bounding)
    notes = (
        "in slope: error at most one pixel's slope, where the pixel and its four neighbors see both bodies",
        "bracketed: bounding <= exact <= sampled",
        *(
            f"{kind}, {'bounding' if bounding else 'sampled'}: error falls as pixel size^{order:.2f}"
            for (kind, bounding), order in orders.items()
        ),
        f"least error of a sampled radar: {least:.1e} (below 0 is early); "
        f"largest of a bounding one: {most:.1e} (above 0 is late)",
    )
    differs = (
        "The paper measures no accuracy. A sampled radar sees the middles of pixels, as the paper's does, so it is late or "
        "misses what is thin; our repairs of it are measured below. A bounding radar is ours: each pixel holds the least gap "
        "in it, so it is early and never misses."
    )
    return Result(
        (_accuracy(errors, False), _accuracy(errors, True, notes, differs)),
        (
            BookPicture(
                "accuracy.png",
                "error of the free travel that a radar reads, against the exact sweep, by the number of pixels",
                published="none",
                ours=f"least error of a sampled radar {least:.1e} (below 0 is early); bounding radars miss {missed} hits",
                differs=differs,
            ),
        ),
    )


def _accuracy(errors: Sequence[Accuracy], bounding: bool, notes: tuple[str, ...] = (), differs: str = "") -> BookTable:
    mine = [row for row in errors if row.bounding == bounding]
    rows, ends = [], []
    for k, row in enumerate(mine):
        share = f"{row.bracketed} of {row.pairs}" if bounding else f"{row.within} of {row.judged}"
        sizes = (f"{value:.1e}" for value in (row.mean, row.p95, row.worst))
        rows.append((row.kind, str(row.pixels), *sizes, str(row.missed), share))
        if k + 1 == len(mine) or mine[k + 1].kind != row.kind:
            ends.append(k)
    return BookTable(
        f"{'bounding' if bounding else 'sampled'} radars, {mine[0].pairs} hits: size of (read - exact travel) / mover's size",
        ("contact", "pixels", "mean", "95 %", "worst", "missed", "bracketed" if bounding else "in slope"),
        tuple(rows),
        ends=tuple(ends),
        notes=notes,
        differs=differs,
    )


_COSTS = {
    "tiny": {"repeats": 1, "polygons": radar.POLYGONS[:2], "sides": (2000.0, 100.0), "pixels": (50, 25), "seats": 1},
    "quick": {
        "repeats": 6,
        "polygons": radar.POLYGONS,
        "sides": (2000.0, 500.0, 100.0),
        "pixels": (200, 100, 25),
        "seats": 3,
    },
    "full": {"repeats": 30, "polygons": radar.POLYGONS, "sides": radar.SIDES, "pixels": radar.PIXELS, "seats": 6},
}
_FRAMES = {
    "tiny": {"frames": 2, "repeats": 1, "radars": (10, 20)},
    "quick": {"frames": 10, "repeats": 3, "radars": radar.RADARS},
    "full": {"frames": 20, "repeats": 3, "radars": radar.RADARS},
}

CHAPTER = Chapter(
    "radar",
    "Radar: detection by depth pictures",
    "Yamachi and Shindo, A technique for object and collision detection by Z-buffer, IPSJ Journal 43(6), 2002",
    (
        BookPart("radar-costs", "Cost of a detection", measure_costs, _COSTS),
        BookPart("radar-frames", "Many radars in one frame", measure_frames, _FRAMES),
        BookPart(
            "radar-costs-gl",
            "Cost of a detection on OpenGL",
            measure_gl_costs,
            {
                **_COSTS,
                "quick": {**_COSTS["quick"], "seats": 1},
                "full": {**_COSTS["full"], "repeats": 10, "seats": 3},
            },
        ),
        BookPart("radar-frames-gl", "Many radars in one frame on OpenGL", measure_gl_frames, _FRAMES),
        BookPart(
            "radar-accuracy",
            "Accuracy of radars",
            measure_accuracy,
            {
                "tiny": {"pairs": 6, "pixels": (8, 16, 32)},
                "quick": {"pairs": 30, "pixels": (8, 25, 50, 100, 200)},
                "full": {"pairs": 60, "pixels": radar_accuracy.PIXELS},
            },
        ),
        BookPart(
            "radar-repairs",
            "What our repairs are worth",
            measure_repairs,
            {"tiny": {"each": 3}, "quick": {"each": 20}, "full": {"each": 100}},
        ),
    ),
    (
        ("Fig. 1", "the box that is looked through to detect objects", "docs/radar.md"),
        ("Fig. 2", "the box that is looked through to detect collisions", "docs/radar.md"),
        ("Fig. 3", "the range picture R", "docs/radar.md"),
        ("Fig. 4", "the mask picture M", "docs/radar.md"),
        ("Fig. 5", "the free travel L of each pixel", "docs/radar.md"),
        ("Fig. 6", "center and normal of a contact from its pixels", "docs/radar.md"),
    ),
)
