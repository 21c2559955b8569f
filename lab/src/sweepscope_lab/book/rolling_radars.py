"""The second paper's open problem: how many radars, where, and whether to turn back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ..papers import rolling_error_plots, rolling_errors
from ..papers.rolling_errors import ANGLES, TurnError
from ..papers.rolling_methods import LIMIT, MORE_RADARS, NAMES, STEP, WAYS
from ..scenes.rolling import BODIES
from ..simulate.foresight import SMALL
from .result import BookPart, BookPicture, BookTable, Result, Watch
from .texts import ms, number, share, write_rows

_BEFORE = ANGLES[3]  # 10 degrees
_BESIDE = ("row, in steps", "literal", "angular", "exact")
_BY_BODY = ("2 around, in steps", "2 shape, in steps", "2 around, turned back", "2 shape, turned back", "4 around, turned back")
_PUBLISHED = (
    "number and placement of the radars have to be improved (section 5); radars placed by the body's shape (problem 5), and "
    "turning first, testing, and turning back (problem 4) are named in section 3 and were not tried"
)
_DIFFERS = (
    "The paper does not say how more radars are placed, nor which part each reads. Here each reads the part of the body that "
    "is nearest in angle to its up. Around: at equal angles, the first along the arm of the center of mass. Shape: k-means of "
    "the directions in which the body's surface sweeps space. All by the subtended angle and with our rim. In steps: "
    f"{STEP:g} radians at most, limit {LIMIT:g}. Turned back: steps of {SMALL:g} radians, back by the overlap that is read "
    "until it is below the limit."
)


def measure_radars(folder: Path, watch: Watch, *, turns: int, grounds: int) -> Result:
    """Compare numbers and placements of straight radars on every body and ground. turns: on each ground, of each body."""
    watch.begin(len(BODIES))
    methods = (*MORE_RADARS, *_BESIDE)
    rows = rolling_errors.measure_on_all_grounds(watch.say, turns, grounds=grounds, angles=(_BEFORE,), methods=methods)
    write_rows(folder / "rolling_radars.csv", [{**asdict(row), "error": row.error} for row in rows])
    rolling_error_plots.plot_radars(rows, folder / "rolling_radars.png")
    return Result(
        (_by_method(rows, grounds), _by_body(rows)),
        (
            BookPicture(
                "rolling_radars.png",
                "straight radars by number, placement and way, 10 degrees before contact; dashed: one angular radar",
                published=_PUBLISHED,
                ours="; ".join(_words(rows, method) for method in ("2 around, in steps", "2 shape, turned back", "angular")),
                differs=_DIFFERS,
            ),
        ),
    )


def _of(rows: Sequence[TurnError], method: str) -> list[TurnError]:
    return [row for row in rows if row.method == method]


def _words(rows: Sequence[TurnError], method: str) -> str:
    mine = _of(rows, method)
    missed = sum(math.isnan(row.read) for row in mine)
    off, wrong = number(rolling_errors.mean_error(mine)), share(rolling_errors.wrong_axis_share(mine))
    return f"{NAMES.get(method, method)}: {missed} of {len(mine)} missed, {off} degrees off where seen, {wrong} wrong axes"


def _line(rows: Sequence[TurnError]) -> tuple[str, ...]:
    seconds = sorted(row.seconds for row in rows)
    return (
        f"{sum(math.isnan(row.read) for row in rows)} of {len(rows)}",
        share(rolling_errors.early_share(rows)),
        number(rolling_errors.mean_error(rows)),
        number(rolling_errors.worst_error(rows)),
        share(rolling_errors.wrong_axis_share(rows)),
        ms(seconds[len(seconds) // 2]) if seconds else "-",
    )


def _by_method(rows: Sequence[TurnError], grounds: int) -> BookTable:
    lines: list[tuple[str, ...]] = []
    ends = []
    for way in WAYS:
        for method, how in MORE_RADARS.items():
            if how.way == way:
                lines.append((str(how.radars), how.placement, WAYS[way], *_line(_of(rows, method))))
        ends.append(len(lines) - 1)
    beside = (("2", "around", "in steps, row"), ("2", "around", "in steps, literal"), ("1", "circles", "one look"))
    for method, words in zip(_BESIDE, (*beside, ("", "", "exact sweep")), strict=True):
        lines.append((*words, *_line(_of(rows, method))))
    return BookTable(
        f"number, placement and way of straight radars: 10 degrees before contact, {grounds} grounds, errors in degrees",
        ("radars", "placement", "way", "missed", "early", "mean of seen", "worst of seen", "axis wrong", "median ms"),
        tuple(lines),
        ends=tuple(ends),
        notes=(
            "early: read at less than half of the exact angle. Circles: the angular radar. Literal: row rule, S < D also "
            "behind the leading surface, no rim.",
            f"published: {_PUBLISHED}",
        ),
        differs=_DIFFERS,
    )


def _by_body(rows: Sequence[TurnError]) -> BookTable:
    methods = (*_BY_BODY, "angular")
    lines = []
    for body in dict.fromkeys(row.body for row in rows):
        mine = [row for row in rows if row.body == body]
        texts = []
        for method in methods:
            some = _of(mine, method)
            missed = sum(math.isnan(row.read) for row in some)
            off, wrong = number(rolling_errors.mean_error(some)), share(rolling_errors.wrong_axis_share(some))
            texts.append(f"{missed} / {off} / {wrong}")
        lines.append((body, str(len({row.contact for row in mine})), *texts))
    return BookTable(
        "by body: contacts missed / mean error of those seen in degrees / axis wrong",
        ("body", "contacts", *(NAMES.get(method, method) for method in methods)),
        tuple(lines),
    )


PART = BookPart(
    "rolling-radars",
    "The open problem: number and placement of radars, and turning back",
    measure_radars,
    {
        "tiny": {"turns": 1, "grounds": 2},
        "quick": {"turns": 1, "grounds": 20},
        "full": {"turns": 5, "grounds": 20},
    },
)
