"""The second paper's experiments: bodies that roll, and two radars that read a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ..papers import rolling, rolling_plots
from ..papers.rolling import FrameTime, Problem, TurnError
from ..scenes.rolling import BODIES
from ..simulate.roll import Roll, Settings
from ..simulate.roll_file import write_events
from ..simulate.two_radars import RULES
from .result import Chapter, Part, Picture, Result, Sheet, Watch, compared
from .texts import ms, number, share, write_rows

_BODY = "dodecahedron"  # of Fig. 7


def measure_times(folder: Path, watch: Watch, *, frames: int, repeats: int, bodies: Sequence[str]) -> Result:
    """Run Fig. 6, and draw Fig. 5."""
    watch.begin(len(bodies))
    rows = rolling.measure_frame_times(watch.say, frames, repeats, bodies=bodies)
    write_rows(folder / "rolling_fig6.csv", [asdict(row) for row in rows])
    rolling_plots.plot_frame_times(rows, folder / "rolling_fig6.png")
    rolling_plots.plot_bodies(folder / "rolling_fig5.png")
    worst = {name: max(getattr(row, name) for row in rows) for name in ("draw", "radars", "sweep")}
    whole = {name: ms(max(row.draw + getattr(row, name) for row in rows)) for name in ("radars", "sweep")}
    differs = (
        "The paper used a Pentium 4 at 2 GHz with a graphics card and gives times only in a diagram, of which the numbers "
        "cannot be read; "
        "it says that detection and choice of axis ran in real time. Here the processor draws as well. Bodies and ground "
        "are ours, "
        "of the kinds that the paper shows."
    )
    ours = f"worst frame: {whole['radars']} ms with two radars, {whole['sweep']} ms with the exact sweep"
    return Result(
        (
            _times(rows),
            compared(
                "Fig. 6, published and ours",
                ("Fig. 6",),
                (
                    ("frame with two radars", "real time", f"{whole['radars']} ms at worst", ""),
                    ("two radars alone", "not given", f"{ms(worst['radars'])} ms at worst", ""),
                    ("exact sweep alone", "none", f"{ms(worst['sweep'])} ms at worst", ""),
                ),
                differs,
            ),
        ),
        (
            Picture(
                "rolling_fig5.png", "the bodies that roll", ("Fig. 5",), "pictures of several bodies", f"{len(BODIES)} bodies",
                "The paper shows its bodies and does not describe them; ours are of the same kinds: smooth, long, bent, "
                "pointed.",
            ),
            Picture(
                "rolling_fig6.png", "time of a frame with detection and without it", ("Fig. 6",),
                "a diagram; real time", ours, differs,
            ),
        ),
    )  # fmt: skip


def _times(rows: Sequence[FrameTime]) -> Sheet:
    lines = []
    for body in dict.fromkeys(row.body for row in rows):
        mine = [row for row in rows if row.body == body]
        means = (sum(getattr(row, key) for row in mine) / len(mine) for key in ("draw", "radars", "sweep"))
        lines.append((body, f"{mine[0].polygons:,}", *map(ms, means)))
    return Sheet(
        "Fig. 6: mean time of a frame, in ms",
        ("body", "triangles", "drawing", "+ two radars", "+ exact sweep"),
        tuple(lines),
        ("Fig. 6",),
    )


def roll_body(folder: Path, watch: Watch, *, steps: int) -> Result:
    """Run Fig. 7."""
    watch.begin(1)
    watch.say(f"Fig. 7: {steps} steps of a {_BODY} ...")
    roll = Roll(Settings(body=_BODY))
    for _ in range(steps):
        roll.step()
    write_events(folder / "rolling_fig7.csv", roll.events)
    rolling_plots.plot_sequence(roll, folder / "rolling_fig7.png")
    summary = roll.summary()
    differs = (
        "The paper chooses the next axis from the pixels of two radars; here exact sweeps do, so the axis is right at every "
        "contact. The paper judges by eye; depth below the ground is measured here by code that knows nothing of sweeps."
    )
    return Result(
        (
            compared(
                "Fig. 7, published and ours",
                ("Fig. 7",),
                (
                    ("choice of the axis", "almost right, by eye", f"{summary.turns} turns, {summary.stuck} times stuck", ""),
                    ("deepest below the ground [sizes]", "not given", f"{summary.deepest:.1e}", ""),
                ),
                differs,
            ),
        ),
        (
            Picture(
                "rolling_fig7.png",
                f"poses and axes of a {_BODY} that rolls down uneven ground",
                ("Fig. 7",),
                "poses and axes, judged by eye: almost natural",
                f"{summary.turns} turns in {steps} steps, deepest below the ground {summary.deepest:.1e} of the size",
                differs,
            ),
        ),
    )


def measure_errors(
    folder: Path,
    watch: Watch,
    *,
    cases: int,
    pixels: Sequence[int],
    angles: Sequence[float],
    bodies: Sequence[str],
    problems: int,
) -> Result:
    """Compare two radars with the exact sweep, and measure the five problems."""
    watch.begin(len(bodies) + 1)
    rows = rolling.measure_errors(watch.say, cases, pixels=pixels, angles=angles, bodies=bodies)
    five = rolling.measure_problems(watch.say, rows, problems)
    write_rows(folder / "rolling_errors.csv", [{**asdict(row), "error": row.error} for row in rows])
    write_rows(folder / "rolling_problems.csv", [asdict(row) for row in five])
    rolling_plots.plot_errors(rows, folder / "rolling_errors.png")
    by_rule = ", ".join(
        f"{rolling.mean_error(row for row in rows if (row.rule, row.pixels) == (rule, max(pixels))):.2g} degrees by the "
        f"{rule} rule"
        for rule in RULES
    )
    differs = (
        "The paper gives no error; it says that the axis is often chosen wrongly. It does not say how an angle follows from a "
        "gap: published stands for arctan(gap / distance), as in its first paper; subtended for the angle seen from the "
        "axis. Ground "
        "behind the body's leading surface is left out, which the paper does not do."
    )
    return Result(
        (_errors(rows, differs), _problems(five)),
        (
            Picture(
                "rolling_errors.png",
                "error of the angle that two radars read: by angle, by distance from the axis, by pixels",
                published="with very uneven bodies the axis is often chosen wrongly because of pixel error",
                ours=f"mean error at {max(pixels)} pixels: {by_rule}",
                differs=differs,
            ),
        ),
    )


def _errors(rows: Sequence[TurnError], differs: str) -> Sheet:
    lines, ends = [], []
    for body in dict.fromkeys(row.body for row in rows):
        for pixels in dict.fromkeys(row.pixels for row in rows):
            mine = [row for row in rows if (row.body, row.pixels) == (body, pixels)]
            published = [row for row in mine if row.rule == RULES[0]]
            errors = (number(rolling.mean_error(row for row in mine if row.rule == rule)) for rule in RULES)
            shares = (share(of(published)) for of in (rolling.missed_share, rolling.elsewhere_share))
            lines.append((body, str(pixels), str(len(published)), *errors, *shares))
        ends.append(len(lines) - 1)
    return Sheet(
        "two radars against the exact sweep: mean error in degrees, by the rule for a pixel's angle",
        ("body", "pixels", "turns", *RULES, "missed", "elsewhere"),
        tuple(lines),
        ends=tuple(ends),
        notes=(
            "missed: no contact within three times the exact angle; elsewhere: contact a tenth of the body "
            "or more from the exact one, so the next axis is wrong. Both by the published rule.",
            "published: with very uneven bodies the axis is often chosen wrongly because of pixel error",
        ),
        differs=differs,
    )


def _problems(problems: Sequence[Problem]) -> Sheet:
    return Sheet(
        "the five problems with rotation, each in a mild and in a hard case",
        ("problem", "mild", "hard", "unit"),
        tuple((f"({row.number}) {row.what}", number(row.mild), number(row.hard), row.unit) for row in problems),
        differs="The paper names the problems; the numbers are ours.",
    )


CHAPTER = Chapter(
    "rolling",
    "Rolling: detection of turns",
    "Yamachi and Shindo, CyberRadar: real-time collision detection using Z buffers and application, about 2003",
    (
        Part(
            "rolling-times",
            "Time of a frame",
            measure_times,
            {
                "tiny": {"frames": 3, "repeats": 1, "bodies": ("cube", "star")},
                "quick": {"frames": 20, "repeats": 3, "bodies": tuple(BODIES)},
                "full": {"frames": 40, "repeats": 5, "bodies": tuple(BODIES)},
            },
        ),
        Part(
            "rolling-sequence",
            "Poses and axes",
            roll_body,
            {"tiny": {"steps": 20}, "quick": {"steps": 80}, "full": {"steps": 80}},
        ),
        Part(
            "rolling-errors",
            "Two radars against the exact sweep",
            measure_errors,
            {
                "tiny": {
                    "cases": 8,
                    "pixels": (25, 50),
                    "angles": rolling.ANGLES[1:4],
                    "bodies": ("cube", "star"),
                    "problems": 4,
                },
                "quick": {
                    "cases": 12,
                    "pixels": (25, 100, 400),
                    "angles": rolling.ANGLES,
                    "bodies": tuple(BODIES),
                    "problems": 8,
                },
                "full": {
                    "cases": 40,
                    "pixels": rolling.PIXELS,
                    "angles": rolling.ANGLES,
                    "bodies": tuple(BODIES),
                    "problems": 12,
                },
            },
        ),
    ),
    (
        ("Fig. 1", "how a radar makes its depth pictures", "docs/radar.md"),
        ("Fig. 2", "the steps of a radar", "docs/radar.md"),
        ("Fig. 3", "where a turning body can collide", "docs/rolling.md"),
        ("Fig. 4", "where the two radars of a turn stand", "docs/rolling.md"),
    ),
)
