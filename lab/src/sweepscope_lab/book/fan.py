"""The thesis' experiments: how well fans fit the space of a swing, and how fast they are tested."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from ..papers import fan_accuracy, fan_plots, fan_speed
from ..papers.fan_accuracy import Bin, Counts, Share
from ..papers.fan_speed import Times
from ..papers.parts import Parts
from .result import Chapter, Part, Picture, Result, Sheet, Watch, compared, figures, ratio
from .texts import write_rows

_FIGURES = {"3.2": "3.10", "3.3": "3.11", "3.4": "3.12", "3.5": "3.13", "3.6": "3.14"}
_TITLES = {
    "3.2": "in the plane",
    "3.3": "in space",
    "3.4": "a rotation against spheres, test only",
    "3.5": "building the volume only",
    "3.6": "building and testing",
}
_TRUTH = (
    "S-CCD is speculative detection, a box around the motion. The thesis does not say which box; D1 is inferred from its "
    "figures. "
    "Truth is the box at 100 poses, as published; thin boxes leave gaps between them, so the exact swept box is not at 100 "
    "% there. "
    "Against the continuous sweep it is."
)
_SPEED = (
    "The thesis ran C# on an i9-10900K, 100,000 tests of objects in a loop; here kernels run over arrays on one thread. So "
    "ratios within a table say more than times. Shapes are ours, drawn so that a third to a half hit. 22 ms for one fan is not "
    "plausible, so we read Tables 3.5 and 3.6 as a volume for each sphere."
)


def measure_accuracy(folder: Path, watch: Watch, *, rotations: int) -> Result:
    """Run Table 3.1 and Figs. 3.1 to 3.9; what is saved of an earlier run in the folder is used."""
    fewer = rotations // 10
    watch.begin(rotations + fewer)
    fixed = Parts(folder / "fan_accuracy_parts", fan_accuracy.settings())
    random = Parts(folder / "fan_random_start_parts", fan_accuracy.settings(random_start=True))
    counts = fan_accuracy.measure(fixed, rotations, advance=watch.advance)
    other = fan_accuracy.measure(random, fewer, random_start=True, advance=watch.advance)
    angles, shapes = fan_accuracy.by_angle(counts), fan_accuracy.by_shape(counts)
    _write_accuracy(folder, counts, other, angles, shapes)
    rows = fan_accuracy.table(counts)
    return Result(
        (
            _shares(rows, "100 poses", len(counts.swings)),
            _shares(rows, "sweep", len(counts.swings), (*_accuracy_notes(rows, other), *_bin_notes(angles, shapes))),
            _bands(rows),
        ),
        (
            Picture(
                "fan_groups.png",
                "points of the lattice by what holds them: truth, box of S-CCD, fan, and each combination",
                figures(1, 7, "3."),
                "pictures of groups A to G",
                "all seven groups of one swing",
                "The thesis does not say which swing it drew; ours is one of the few with points in all seven groups.",
            ),
            _bin_picture("fan_fig_3_8.png", "Fig. 3.8", "rotation angle", angles),
            _bin_picture("fan_fig_3_9.png", "Fig. 3.9", "shape of the box, W_y - W_x", shapes),
        ),
    )


def _above(bins: Sequence[Bin]) -> int:
    return sum(one.accuracy["fan"] > one.accuracy["D1"] for one in bins)


def _bin_picture(file: str, number: str, by: str, bins: Sequence[Bin]) -> Picture:
    return Picture(
        file,
        f"mean accuracy by {by}",
        (number,),
        "the fan is above S-CCD everywhere, and rises",
        f"the fan is above D1 in {_above(bins)} of {len(bins)} bins, {_span(bins, 'fan')}",
        _TRUTH,
    )


def _span(bins: Sequence[Bin], method: str) -> str:
    return f"{method} {bins[0].accuracy[method]:.1f} to {bins[-1].accuracy[method]:.1f} %"


def _write_accuracy(out: Path, counts: Counts, other: Counts, angles: Sequence[Bin], shapes: Sequence[Bin]) -> None:
    rows = [{"start": "fixed", **asdict(row)} for row in fan_accuracy.table(counts)]
    rows += [{"start": "random", **asdict(row)} for row in fan_accuracy.table(other)]
    write_rows(out / "fan_table_3_1.csv", rows)
    write_rows(
        out / "fan_groups.csv",
        [
            {"variant": variant, **dict(zip(fan_accuracy.GROUPS, counts.groups(variant).mean(axis=0), strict=True))}
            for variant in fan_accuracy.VARIANTS
        ],
    )
    for name, bins in (("3_8", angles), ("3_9", shapes)):
        rows = [{"low": one.low, "high": one.high, "rotations": one.rotations, **one.accuracy} for one in bins]
        write_rows(out / f"fan_fig_{name}.csv", rows)
    fan_plots.plot_bins(angles, out / "fan_fig_3_8.png", "rotation angle [degrees]", "Fig. 3.8: accuracy by rotation angle")
    fan_plots.plot_bins(
        shapes, out / "fan_fig_3_9.png", "W_y - W_x [length]", "Fig. 3.9: accuracy by shape, bins of equal count"
    )
    swing = np.array(fan_accuracy.SHOWN)
    fan_plots.plot_groups(fan_accuracy.grouped(swing), swing[0], out / "fan_groups.png")


def _shares(rows: Sequence[Share], truth: str, rotations: int, notes: tuple[str, ...] = ()) -> Sheet:
    lines = []
    for row in rows:
        if row.truth == truth:
            known = truth == "100 poses" and row.method in fan_accuracy.PUBLISHED
            published = " / ".join(f"{value:.2f}" for value in fan_accuracy.PUBLISHED[row.method]) if known else ""
            lines.append((row.method, *_cells(row), f"{row.missed_points:,}", published))
    return Sheet(
        f"Table 3.1 against {'the box at 100 poses' if truth == '100 poses' else 'the continuous sweep'}, "
        f"{rotations:,} rotations: means and standard errors in percent",
        ("method", "accuracy", "excess", "missed", "points missed", "published"),
        tuple(lines),
        ("Table 3.1",),
        notes=notes,
    )


def _cells(row: Share) -> tuple[str, str, str]:
    return (
        f"{row.accuracy:.2f} +- {row.accuracy_error:.2f}",
        f"{row.excess:.2f} +- {row.excess_error:.2f}",
        f"{row.missed:.2f} +- {row.missed_error:.2f}",
    )


def _accuracy_notes(rows: list[Share], other: Counts) -> tuple[str, ...]:
    fewer = {row.method: row for row in fan_accuracy.table(other) if row.truth == "100 poses"}
    texts = (f"{name} {' / '.join(_cells(fewer[name]))}" for name in ("physx", "D1"))
    return (
        "S-CCD variants: the box around the motion; D1 is inferred from the published figures, not stated in the thesis",
        *(
            f"{band.method}, {band.measure}: {band.mean:.2f}, published {band.published:.2f}, "
            f"{'inside' if band.inside else 'OUTSIDE'} the band of +- {band.band:.2f}"
            for band in fan_accuracy.bands(rows)
        ),
        f"with a random start direction, {len(other.swings):,} rotations: {'; '.join(texts)}",
    )


def _bands(rows: list[Share]) -> Sheet:
    return compared(
        "Table 3.1, published and ours, in percent",
        ("Table 3.1",),
        [
            (
                f"{band.method}, {band.measure}",
                f"{band.published:.2f}",
                f"{band.mean:.2f} (accepted: +- {band.band:.2f})",
                ratio(band.published, band.mean) if band.mean else "",
            )
            for band in fan_accuracy.bands(rows)
        ],
        f"{_TRUTH} Differences come from the number of rotations: 100,000 in the thesis.",
    )


def _bin_notes(angles: Sequence[Bin], shapes: Sequence[Bin]) -> tuple[str, ...]:
    notes = []
    for what, unit, bins in (("3.8, by rotation angle", "degrees", angles), ("3.9, by W_y - W_x", "length", shapes)):
        first, last = bins[0], bins[-1]
        notes.append(
            f"Fig. {what}: from {first.low:.1f}..{first.high:.1f} to {last.low:.1f}..{last.high:.1f} {unit}: "
            f"{_span(bins, 'fan')}, {_span(bins, 'D1')}"
        )
    above, total = _above(angles) + _above(shapes), len(angles) + len(shapes)
    return (*notes, f"the fan is above D1 in {above} of {total} bins; published: in all, rising with both")


def measure_speed(folder: Path, watch: Watch, *, repeats: int, tests: int) -> Result:
    """Run Tables 3.2 to 3.6 and Figs. 3.10 to 3.14; what is saved of an earlier run in the folder is used."""
    watch.begin(repeats * fan_speed.count_works())
    name = "fan_speed_parts" if tests == fan_speed.TESTS else f"fan_speed_parts_{tests}"
    rows = fan_speed.measure(Parts(folder / name, fan_speed.settings(tests)), repeats, tests, advance=watch.advance)
    for table, figure in _FIGURES.items():
        mine = [row for row in rows if row.table == table]
        write_rows(folder / f"fan_table_{table.replace('.', '_')}.csv", [_plain(rows, row) for row in mine])
        fan_plots.plot_times(mine, folder / _file(figure), f"Fig. {figure}: {_TITLES[table]}")
    sheets = [_times(table, rows, tests) for table in _TITLES]
    return Result((*sheets, _speeds(rows, tests)), tuple(_time_picture(table, rows, tests) for table in _TITLES))


def _file(figure: str) -> str:
    return f"fan_fig_{figure.replace('.', '_')}.png"


def _time_picture(table: str, rows: Sequence[Times], tests: int) -> Picture:
    known = [row for row in rows if row.table == table and row.published and "fan" in row.name]
    published = {row.name: row.published[0] for row in known if row.published}
    ours = (f"{row.name}{f' ({row.method})' if row.method else ''} {1e3 * row.mean:.3g}" for row in known)
    return Picture(
        _file(_FIGURES[table]),
        f"times of Table {table}, {_TITLES[table]}, as box plots",
        (f"Fig. {_FIGURES[table]}",),
        f"mean ms of 100,000: {', '.join(f'{name} {value:.2f}' for name, value in published.items())}",
        f"mean ms of {tests:,}: {', '.join(ours)}",
        _SPEED,
    )


def _plain(rows: Sequence[Times], row: Times) -> dict[str, object]:
    """Return a line as plain data, times in milliseconds."""
    published = row.published or (math.nan,) * 3
    names = ("mean", "best", "worst")
    return {
        "reading": row.reading,
        "name": row.name,
        "method": row.method,
        "hits": row.hits,
        "repeats": len(row.seconds),
        **{f"{name} [ms]": 1e3 * getattr(row, name) for name in names},
        **{f"published {name} [ms]": value for name, value in zip(names, published, strict=True)},
        **{f"/ {base}": value for base, value in fan_speed.ratios(list(rows), row).items()},
        **{f"/ {base}, wide": value for base, value in fan_speed.ratios(list(rows), row, "wide").items()},
    }


def _times(table: str, rows: Sequence[Times], tests: int) -> Sheet:
    mine = [row for row in rows if row.table == table]
    bases = fan_speed.BASES.get(table, ())
    lines, ends = [], []
    for reading in dict.fromkeys(row.reading for row in mine):
        lines += [_line(rows, row) for row in mine if row.reading == reading]
        ends.append(len(lines) - 1)
    notes = []
    if bases:
        notes.append(
            "ratios refer to capsules and OBBs as in textbooks, published ratios in brackets; to those without branches:"
        )
        for row in mine:
            if row.method == "exact":
                wide = fan_speed.ratios(list(rows), row, "wide")
                texts = (f"/ {base} {value:.2f}" for base, value in wide.items() if base in ("capsule-capsule", "OBB"))
                notes.append(f"  {row.name}, {row.reading}: {', '.join(texts)}")
    return Sheet(
        f"Table {table}, {_TITLES[table]}: ms of {tests:,}, {len(mine[0].seconds):,} repetitions",
        ("test", "reading", "hits", "mean", "best", "worst", "published mean", *(f"/ {base}" for base in bases)),
        tuple(lines),
        (f"Table {table}",),
        tuple(ends),
        tuple(notes),
        _SPEED,
    )


def _line(rows: Sequence[Times], row: Times) -> tuple[str, ...]:
    """Return the cells of a line; published ratios in brackets."""
    published = f"{row.published[0]:.2f}" if row.published else ""
    old = _published_ratios(row)
    ratios = (
        f"{value:.2f} ({old[base]:.2f})" if base in old else f"{value:.2f}"
        for base, value in fan_speed.ratios(list(rows), row).items()
    )
    name = f"{row.name}, {row.method}" if row.method else row.name
    hits = "" if math.isnan(row.hits) else f"{100.0 * row.hits:.0f} %"
    return (name, row.reading, hits, *(f"{1e3 * value:.3g}" for value in (row.mean, row.best, row.worst)), published, *ratios)


def _published_ratios(row: Times) -> dict[str, float]:
    """Return the published ratios of the means, by volume."""
    if row.published is None:
        return {}
    return {base: row.published[0] / fan_speed.PUBLISHED[row.table, base][0] for base in fan_speed.BASES.get(row.table, ())}


def _speeds(rows: Sequence[Times], tests: int) -> Sheet:
    """Return the published means and ours, for as many tests."""
    scale = fan_speed.TESTS / tests
    lines = []
    for row in rows:
        if row.published is not None:
            name = f"Table {row.table}: {row.name}{f', {row.method}' if row.method else ''}"
            ours = 1e3 * row.mean * scale
            lines.append((name, f"{row.published[0]:.2f}", f"{ours:.3g}", ratio(row.published[0], ours)))
    tables = tuple(f"Table {table}" for table in _TITLES)
    scaled = "" if tests == fan_speed.TESTS else f" Ours are means of {tests:,} tests, scaled to 100,000."
    return compared("Tables 3.2 to 3.6, published and ours: mean ms of 100,000", tables, lines, _SPEED + scaled)


CHAPTER = Chapter(
    "fan",
    "Fans: what a swinging box sweeps",
    "Yamamoto, Improving the accuracy of continuous collision detection for rotating rigid bodies, master's thesis, 2023",
    (
        Part(
            "fan-accuracy",
            "Accuracy of fans",
            measure_accuracy,
            {
                "tiny": {"rotations": 60},
                "quick": {"rotations": 1_000},
                "full": {"rotations": 2_000},
                "published": {"rotations": 100_000},
            },
        ),
        Part(
            "fan-speed",
            "Speed of fans",
            measure_speed,
            {
                "tiny": {"repeats": 2, "tests": 2_000},
                "quick": {"repeats": 8, "tests": fan_speed.TESTS},
                "full": {"repeats": 100, "tests": fan_speed.TESTS},
                "published": {"repeats": 10_000, "tests": fan_speed.TESTS},
            },
        ),
    ),
    (
        ("Fig. 2.1 to 2.4", "a swing, the two kinds of fan, and their parts", "docs/fan.md"),
        ("Fig. 2.5 to 2.11", "cases of the tests of spheres and capsules", "docs/design/08_fans.md"),
        ("Fig. 2.12 to 2.22", "each test with and without a hit, and a wrong hit of the capsule test", "docs/fan.md"),
        ("Fig. 4.1", "why small angles and wide boxes are the fan's weakness", "docs/fan.md"),
    ),
)
