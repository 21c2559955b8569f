"""The second paper's experiments: bodies that roll, and radars that read a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ..papers import rolling, rolling_error_plots, rolling_errors, rolling_plots
from ..papers.rolling import FrameTime, Problem
from ..papers.rolling_errors import ANGLES, PIXELS, TurnError
from ..papers.rolling_methods import NAMES
from ..scenes.rolling import BODIES
from ..simulate.roll import Roll, RollSettings
from ..simulate.roll_file import write_events
from ..simulate.straight_radars import RULES
from . import rolling_answer, rolling_radars
from .result import BookPart, BookPicture, BookTable, Chapter, Result, Watch, compared
from .texts import ms, number, share, write_rows

_BODY = "dodecahedron"  # of Fig. 7
_METHODS = (*RULES, "angular")


def measure_times(folder: Path, watch: Watch, *, frames: int, repeats: int, bodies: Sequence[str]) -> Result:
    """Run Fig. 6, and draw Fig. 5."""
    watch.begin(len(bodies))
    rows = rolling.measure_frame_times(watch.say, frames, repeats, bodies=bodies)
    write_rows(folder / "rolling_fig6.csv", [asdict(row) for row in rows])
    rolling_plots.plot_frame_times(rows, folder / "rolling_fig6.png")
    rolling_plots.plot_bodies(folder / "rolling_fig5.png")
    worst = {name: max(getattr(row, name) for row in rows) for name in ("draw", "radars", "angular", "sweep")}
    whole = {name: ms(max(row.draw + getattr(row, name) for row in rows)) for name in ("radars", "angular", "sweep")}
    differs = (
        "The paper used a Pentium 4 at 2 GHz with a graphics card and gives times only in a diagram, of which the numbers "
        "cannot be read; "
        "it says that detection and choice of axis ran in real time. Here the processor draws as well. Bodies and ground "
        "are ours, "
        "of the kinds that the paper shows."
    )
    ours = (
        f"worst frame: {whole['radars']} ms with two radars, {whole['angular']} ms with an angular radar, "
        f"{whole['sweep']} ms with the exact sweep"
    )
    return Result(
        (
            _times(rows),
            compared(
                "Fig. 6, published and ours",
                ("Fig. 6",),
                (
                    ("frame with two radars", "real time", f"{whole['radars']} ms at worst", ""),
                    ("two radars alone", "not given", f"{ms(worst['radars'])} ms at worst", ""),
                    ("angular radar alone", "none", f"{ms(worst['angular'])} ms at worst", ""),
                    ("exact sweep alone", "none", f"{ms(worst['sweep'])} ms at worst", ""),
                ),
                differs,
            ),
        ),
        (
            BookPicture(
                "rolling_fig5.png", "the bodies that roll", ("Fig. 5",), "pictures of several bodies", f"{len(BODIES)} bodies",
                "The paper shows its bodies and does not describe them; ours are of the same kinds: smooth, long, bent, "
                "pointed.",
            ),
            BookPicture(
                "rolling_fig6.png", "time of a frame with detection and without it", ("Fig. 6",),
                "a diagram; real time", ours, differs,
            ),
        ),
    )  # fmt: skip


def _times(rows: Sequence[FrameTime]) -> BookTable:
    lines = []
    for body in dict.fromkeys(row.body for row in rows):
        mine = [row for row in rows if row.body == body]
        means = (sum(getattr(row, key) for row in mine) / len(mine) for key in ("draw", "radars", "angular", "sweep"))
        lines.append((body, f"{mine[0].polygons:,}", *map(ms, means)))
    return BookTable(
        "Fig. 6: mean time of a frame, in ms",
        ("body", "triangles", "drawing", "+ two radars", "+ angular radar", "+ exact sweep"),
        tuple(lines),
        ("Fig. 6",),
    )


def roll_body(folder: Path, watch: Watch, *, steps: int) -> Result:
    """Run Fig. 7, by the exact sweep, by an angular radar and by two radars."""
    # Of the two radars, those in the paper's steps.
    shown = {by: how for by, how in rolling.VARIANTS.items() if by != "two radars"}
    watch.begin(len(shown))
    rolls = {}
    for by, how in shown.items():
        watch.say(f"Fig. 7: {steps} steps of a {_BODY}, {by} ...")
        rolls[by] = roll = Roll(RollSettings(body=_BODY, **how))
        for _ in range(steps):
            roll.step()
    exact = rolls["exact sweep"]
    write_events(folder / "rolling_fig7.csv", exact.events)
    rolling_plots.plot_sequence(exact, folder / "rolling_fig7.png")
    rolling_plots.plot_sequences(rolls, folder / "rolling_fig7_radars.png")
    found = {by: roll.summary() for by, roll in rolls.items()}
    summary = found["exact sweep"]
    differs = (
        "The paper chooses the next axis from the pixels of two radars; with exact sweeps the axis is right at every "
        "contact. The paper judges by eye; depth below the ground is measured here by code that knows nothing of sweeps. "
        "Which two pixels of the collision are the ends of the next axis the paper does not say: here those farthest apart."
    )
    lines = [
        (f"{by}: turns / stuck / deepest below the ground", "almost right, by eye" if "radars" in by else "none",
         f"{one.turns} / {one.stuck} / {100.0 * one.deepest:.2g} % of the size", "")
        for by, one in found.items()
    ]  # fmt: skip
    deepest = ", ".join(f"{by} {100.0 * one.deepest:.2g} %" for by, one in found.items())
    return Result(
        (compared("Fig. 7, published and ours", ("Fig. 7",), lines, differs),),
        (
            BookPicture(
                "rolling_fig7.png",
                f"poses and axes of a {_BODY} that rolls down uneven ground, by exact sweeps",
                ("Fig. 7",),
                "poses and axes, judged by eye: almost natural",
                f"{summary.turns} turns in {steps} steps, deepest below the ground {summary.deepest:.1e} of the size",
                differs,
            ),
            BookPicture(
                "rolling_fig7_radars.png",
                f"the same {_BODY} from the same start, by exact sweeps, by an angular radar and by two radars",
                ("Fig. 7",),
                "poses and axes, judged by eye: almost natural",
                f"deepest below the ground, in sizes: {deepest}",
                differs,
            ),
        ),
    )


def measure_errors(
    folder: Path,
    watch: Watch,
    *,
    turns: int,
    pixels: Sequence[int],
    angles: Sequence[float],
    bodies: Sequence[str],
    problems: int,
) -> Result:
    """Compare radars with the exact sweep, and measure the five problems."""
    watch.begin(len(bodies) + 1)
    rows = rolling_errors.measure_errors(watch.say, turns, methods=_METHODS, pixels=pixels, angles=angles, bodies=bodies)
    five = rolling.measure_problems(watch.say, rows, problems)
    write_rows(folder / "rolling_errors.csv", [{**asdict(row), "error": row.error} for row in rows])
    write_rows(folder / "rolling_problems.csv", [asdict(row) for row in five])
    rolling_error_plots.plot_errors(rows, folder / "rolling_errors.png")
    fine = {method: [row for row in rows if (row.method, row.pixels) == (method, max(pixels))] for method in _METHODS}
    by_method = ", ".join(
        f"{NAMES[method]} {number(rolling_errors.mean_error(mine))} degrees where seen and "
        f"{share(rolling_errors.missed_share(mine))} missed"
        for method, mine in fine.items()
    )
    differs = (
        "The paper gives no error; it says that the axis is often chosen wrongly. It does not say how an angle follows from a "
        "gap L and the distance to the axis, so all three rules are ours: row is arctan(L / y), y the distance in the picture; "
        "arm is arctan(L / sqrt(y^2 + s^2)), the distance in space; subtended is the angle seen from the axis. Ground "
        "behind the body's leading surface is left out, which the paper does not do."
    )
    return Result(
        (_errors(rows, differs), _problems(five)),
        (
            BookPicture(
                "rolling_errors.png",
                "error of the angle to contact where it is seen, and share missed: by angle, distance from the axis, pixels",
                published="with very uneven bodies the axis is often chosen wrongly because of errors in deciding collision",
                ours=f"all bodies and angles at {max(pixels)} pixels: {by_method}",
                differs=differs,
            ),
        ),
    )


def _errors(rows: Sequence[TurnError], differs: str) -> BookTable:
    lines, ends = [], []
    for body in dict.fromkeys(row.body for row in rows):
        for pixels in dict.fromkeys(row.pixels for row in rows):
            mine = [row for row in rows if (row.body, row.pixels) == (body, pixels)]
            texts = []
            for method in _METHODS:
                some = [row for row in mine if row.method == method]
                texts.append(f"{number(rolling_errors.mean_error(some))} / {share(rolling_errors.missed_share(some))}")
            lines.append((body, str(pixels), str(len({row.contact for row in mine})), *texts))
        ends.append(len(lines) - 1)
    return BookTable(
        "radars against the exact sweep: mean error of the contacts seen in degrees / contacts missed",
        ("body", "pixels", "contacts", *(NAMES[method] for method in _METHODS)),
        tuple(lines),
        ends=tuple(ends),
        notes=(
            "missed: no contact within three times the exact angle. Means leave them out: a method that misses the hard ones "
            "has only easy ones in its mean.",
            "published: with very uneven bodies the axis is often chosen wrongly because of errors in deciding collision",
        ),
        differs=differs,
    )


def _problems(problems: Sequence[Problem]) -> BookTable:
    lines = []
    for row in problems:
        values = (row.mild, row.hard, row.angular_mild, row.angular_hard)
        texts = map(share, values) if row.unit == "share" else (f"{number(value)} degrees" for value in values)
        lines.append((f"({row.number}) {row.what}", *texts))
    return BookTable(
        "the five problems with rotation, each in a mild and in a hard case",
        ("problem", "two radars, mild", "two radars, hard", "angular radar, mild", "angular radar, hard"),
        tuple(lines),
        notes=("Errors are means over the contacts that were seen.",),
        differs="The paper names the problems; the numbers are ours.",
    )


CHAPTER = Chapter(
    "rolling",
    "Rolling: detection of turns",
    "Yamachi and Shindo, CyberRadar: real-time collision detection using Z buffers and application, about 2003",
    (
        BookPart(
            "rolling-times",
            "Time of a frame",
            measure_times,
            {
                "tiny": {"frames": 3, "repeats": 1, "bodies": ("cube", "star")},
                "quick": {"frames": 20, "repeats": 3, "bodies": tuple(BODIES)},
                "full": {"frames": 40, "repeats": 5, "bodies": tuple(BODIES)},
            },
        ),
        BookPart(
            "rolling-sequence",
            "Poses and axes",
            roll_body,
            {"tiny": {"steps": 20}, "quick": {"steps": 60}, "full": {"steps": 80}},
        ),
        BookPart(
            "rolling-errors",
            "Radars against the exact sweep",
            measure_errors,
            {
                "tiny": {
                    "turns": 2,
                    "pixels": (25, 50),
                    "angles": ANGLES[1:4],
                    "bodies": ("cube", "star"),
                    "problems": 1,
                },
                "quick": {
                    "turns": 2,
                    "pixels": (25, 100, 200),
                    "angles": ANGLES,
                    "bodies": tuple(BODIES),
                    "problems": 1,
                },
                "full": {
                    "turns": 10,
                    "pixels": PIXELS,
                    "angles": ANGLES,
                    "bodies": tuple(BODIES),
                    "problems": 3,
                },
            },
        ),
        rolling_answer.PART,
        rolling_radars.PART,
    ),
    (
        ("Fig. 1", "how a radar makes its depth pictures", "docs/radar.md"),
        ("Fig. 2", "the steps of a radar", "docs/radar.md"),
        ("Fig. 3", "where a turning body can collide", "docs/lab/rolling.md"),
        ("Fig. 4", "where the two radars of a turn stand", "docs/lab/rolling.md"),
    ),
)
