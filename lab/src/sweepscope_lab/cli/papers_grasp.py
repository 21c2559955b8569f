"""`sweepscope papers grasp`: the first paper's grasping hands (Figs 13 to 16), run again, and compared with exact turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from sweepscope.cli.exits import FREE
from sweepscope.cli.figures import need_matplotlib

from ..papers import grasp, grasp_plots
from ..papers.grasp import (
    GOAL,
    METHODS,
    PUBLISHED_RADARS,
    PUBLISHED_SECONDS,
    STARTS,
    GraspFrame,
    JointError,
    Spread,
    TargetResult,
)
from ..simulate.grasp import Grasp, Settings
from .grasp_pictures import Strip, gallery
from .tables import QUICK_NOTE, console_of, ms, table_of, write_rows

_QUICK_TARGETS = ("ball", "box")
_WIDTH = 160  # of tables in a file or a pipe


def run_grasp_paper(out: Path, quick: bool) -> int:
    """Run the experiments, print tables, write CSV files and figures into the existing folder `out`."""
    need_matplotlib()
    console = console_of(_WIDTH)
    say = console.print
    if quick:
        frames = grasp.measure_frames(say, hands=2, rounds=1)
        targets = grasp.measure_targets(say, _QUICK_TARGETS, rounds=1)
        errors = grasp.measure_errors(say, _QUICK_TARGETS[:1], counts=(25, 50))
    else:
        frames = grasp.measure_frames(say)
        targets = grasp.measure_targets(say)
        errors = grasp.measure_errors(say)
    for name, rows in (("fig16", frames), ("fig14", targets), ("errors", errors)):
        write_rows(out / f"grasp_{name}.csv", [grasp.plain(row) for row in rows])
    spreads = grasp.spreads(errors)
    write_rows(out / "grasp_spreads.csv", [grasp.plain(row) for row in spreads])
    grasp_plots.plot_frames(frames, out / "grasp_fig16.png")
    grasp_plots.plot_targets(targets, out / "grasp_fig14.png")
    grasp_plots.plot_errors(errors, out / "grasp_errors.png")
    say("Figs. 13 to 15: pictures ...")
    _draw(out, list(dict.fromkeys(row.target for row in targets)), Settings(frames[0].target, frames[0].hands, "radar"))
    _show_frames(console, frames)
    _show_targets(console, targets)
    _show_errors(console, errors, spreads)
    if quick:
        console.print(QUICK_NOTE)
    console.print(
        f"written to {out}: grasp_fig16, grasp_fig14, grasp_errors as csv and png, grasp_spreads as csv, "
        "grasp_gallery and grasp_hands as png"
    )
    return FREE


def _draw(out: Path, targets: Sequence[str], together: Settings) -> None:
    """Draw every target at the end of a grasp by exact turns, and a run of several hands."""
    gallery(out / "grasp_gallery.png", [grasp.finish(Settings(target))[0] for target in targets])
    strip, run = Strip(together), Grasp(together)
    while not run.ended:
        strip.see(run, run.step())
    strip.save(out / "grasp_hands.png", run)


def _show_frames(console: Console, rows: Sequence[GraspFrame]) -> None:
    one = rows[0]
    table = table_of(
        f"Fig. 16: {one.hands} hands on a {one.target}, time of a frame in ms",
        *("method", "frames", "most detections", f"frames with {PUBLISHED_RADARS} or more", "mean", "worst", "worst of those"),
        *("slowest in any round", "deepest"),
    )
    for method in METHODS:
        mine = [row for row in rows if row.method == method]
        many = [row for row in mine if row.detections >= PUBLISHED_RADARS]
        worst = max(many, key=lambda row: row.seconds, default=None)
        table.add_row(
            *(grasp.method_name(mine[0]), str(len(mine)), str(max(row.detections for row in mine)), str(len(many))),
            *(ms(sum(row.seconds for row in mine) / len(mine)), ms(max(row.seconds for row in mine))),
            "none" if worst is None else f"{ms(worst.seconds)}, {worst.detections} in it",
            *(ms(max(row.slowest for row in mine)), f"{max(row.depth for row in mine):.1e}"),
        )
    console.print(table)
    console.print(
        "a frame's time is that of its fastest round; deepest: penetration in any frame, as a share of the hand's size"
    )
    console.print(
        f"published: at most {PUBLISHED_RADARS} radars at work, worst frame {1e3 * PUBLISHED_SECONDS:.0f} ms; "
        f"a game has {1e3 * GOAL:.0f} ms for a frame"
    )


def _show_targets(console: Console, rows: Sequence[TargetResult]) -> None:
    table = table_of(
        f"Fig. 14: one hand on each target; radars of {rows[0].pixels} x {rows[0].pixels} pixels",
        *("target", "method", "frames", "detections", "most", "contacts", "separation"),
        *("on target", "on link", "at limit", "deepest", "mean ms", "worst ms"),
    )
    for row in rows:
        table.add_row(
            *(row.target, row.method, f"{row.frames}{'' if row.finished else ', not done'}"),
            *(str(row.detections), str(row.most), str(row.contacts), f"{row.apart:.1e}"),
            *(str(row.on_target), str(row.on_link), str(row.at_limit), f"{row.depth:.1e}", ms(row.mean), ms(row.slowest)),
            end_section=row.method == METHODS[-1],
        )
    console.print(table)
    console.print("separation of contacts (the widest) and deepest penetration: shares of the hand's size")
    console.print("contacts: pairs of bodies; by exact turns nearer than a length of 1e-6, by radars nearer than a pixel")
    for method in METHODS:
        mine = [row for row in rows if row.method == method]
        deepest = max(mine, key=lambda row: row.depth)
        text = (
            f"{method}: deepest {deepest.depth:.1e} ({deepest.target}), widest separation {max(row.apart for row in mine):.1e}"
        )
        console.print(f"{text}; {sum(row.finished for row in mine)} of {len(mine)} targets finished")


def _show_errors(console: Console, rows: Sequence[JointError], spreads: Sequence[Spread]) -> None:
    table = table_of(
        "joints by radar against exact turns: size of the error in degrees",
        *("start", "pixels", "joints", "within a pixel's angle", "early", "late", "median", "95 %", "worst"),
        *("worst, in pixels' angles", "a pixel's angle"),
    )
    for row, after in zip(spreads, [*spreads[1:], None], strict=True):
        angles = (f"{math.degrees(angle):.3f}" for angle in (row.median, row.p95, row.worst))
        table.add_row(
            *(row.start, str(row.pixels), str(row.joints), f"{row.within} ({100.0 * row.within / row.joints:.0f} %)"),
            *(str(row.early), str(row.late), *angles, f"{row.worst_in_pixels:.1f}", f"{math.degrees(row.pixel):.3f}"),
            end_section=after is None or after.start != row.start,
        )
    console.print(table)
    for start, words in STARTS.items():
        power = grasp.order(spreads, start)
        falls = "" if math.isnan(power) else f"; the median falls as pixel size^{power:.2f}"
        console.print(f"{start}: {words}{falls}")
        off = [row for row in rows if row.start == start and abs(row.in_pixels) > 1.0]
        for row in sorted(off, key=lambda row: -abs(row.error))[:3]:
            console.print(
                f"  farthest off: {row.target}, {row.joint}, {row.pixels} pixels: "
                f"{math.degrees(row.radar):.2f} ({row.end}), exact {math.degrees(row.exact):.2f} degrees"
            )
