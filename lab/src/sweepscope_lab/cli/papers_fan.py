"""`sweepscope papers fan`: the thesis' experiments, run again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sweepscope import InvalidQuery
from sweepscope.cli.exits import FREE
from sweepscope.cli.figures import need_matplotlib

from ..papers import fan_accuracy, fan_plots, fan_speed
from ..papers.fan_accuracy import Bin, Counts, Share
from ..papers.fan_speed import Times
from ..papers.parts import Parts
from .tables import QUICK_NOTE, console_of, table_of, write_rows

_ROTATIONS, _QUICK_ROTATIONS, _FULL_ROTATIONS = 2_000, 60, 100_000
_REPEATS, _QUICK_REPEATS, _FULL_REPEATS = 100, 2, 10_000
_QUICK_TESTS = 2_000
_WIDTH = 160  # of tables in a file or a pipe
_FIGURES = {"3.2": "3_10", "3.3": "3_11", "3.4": "3_12", "3.5": "3_13", "3.6": "3_14"}
_TITLES = {
    "3.2": "in the plane",
    "3.3": "in space",
    "3.4": "a rotation against spheres, test only",
    "3.5": "building the volume only",
    "3.6": "building and testing",
}


def run_fan(out: Path, quick: bool, full: bool) -> int:
    """Run the experiments, print tables, write CSV files and figures into the existing folder `out`.

    full: the size of the thesis. An interrupted run continues where it stopped: its parts are saved in `out`.
    """
    if quick and full:
        raise InvalidQuery("quick and full: choose one")
    need_matplotlib()
    console = console_of(_WIDTH)
    rotations = _QUICK_ROTATIONS if quick else _FULL_ROTATIONS if full else _ROTATIONS
    repeats = _QUICK_REPEATS if quick else _FULL_REPEATS if full else _REPEATS
    tests = _QUICK_TESTS if quick else fan_speed.TESTS
    fixed = Parts(out / "fan_accuracy_parts", fan_accuracy.settings())
    random = Parts(out / "fan_random_start_parts", fan_accuracy.settings(random_start=True))
    timed = Parts(out / ("fan_speed_quick_parts" if quick else "fan_speed_parts"), fan_speed.settings(tests))
    fewer = rotations // 10
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*bar, console=console, transient=True) as progress:

        def counting(what: str, total: int) -> Callable[[int], None]:
            task = progress.add_task(what, total=total)
            return lambda done: progress.advance(task, done)

        counts = fan_accuracy.measure(fixed, rotations, advance=counting("rotations", rotations))
        other = fan_accuracy.measure(random, fewer, random_start=True, advance=counting("rotations, random start", fewer))
        times = fan_speed.measure(timed, repeats, tests, advance=counting("times", repeats * fan_speed.count_works()))
    _write_accuracy(out, counts, other)
    _write_times(out, times)
    _show_accuracy(console, counts, other)
    _show_bins(console, fan_accuracy.by_angle(counts), fan_accuracy.by_shape(counts))
    for table in _TITLES:
        _show_times(console, table, times, tests)
    if quick:
        console.print(QUICK_NOTE)
    console.print(f"written to {out}: fan_table_3_1 to fan_table_3_6 as csv, fan_groups and fan_fig_3_8 to fan_fig_3_14 as png")
    return FREE


# ---- accuracy


def _write_accuracy(out: Path, counts: Counts, other: Counts) -> None:
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
    angles, shapes = fan_accuracy.by_angle(counts), fan_accuracy.by_shape(counts)
    for name, bins in (("3_8", angles), ("3_9", shapes)):
        rows = [{"low": one.low, "high": one.high, "rotations": one.rotations, **one.accuracy} for one in bins]
        write_rows(out / f"fan_fig_{name}.csv", rows)
    fan_plots.plot_bins(angles, out / "fan_fig_3_8.png", "rotation angle [degrees]", "Fig. 3.8: accuracy by rotation angle")
    fan_plots.plot_bins(
        shapes, out / "fan_fig_3_9.png", "W_y - W_x [length]", "Fig. 3.9: accuracy by shape, bins of equal count"
    )
    swing = np.array(fan_accuracy.SHOWN)
    fan_plots.plot_groups(fan_accuracy.grouped(swing), swing[0], out / "fan_groups.png")


def _show_accuracy(console: Console, counts: Counts, other: Counts) -> None:
    rows = fan_accuracy.table(counts)
    for truth in fan_accuracy.TRUTHS:
        mine = [row for row in rows if row.truth == truth]
        table = table_of(
            f"Table 3.1 against {'the box at 100 poses' if truth == '100 poses' else 'the continuous sweep'}, "
            f"{len(counts.swings):,} rotations: means and standard errors in percent",
            *("method", "accuracy", "excess", "missed", "points missed", "published"),
        )
        for row in mine:
            table.add_row(row.method, *_cells(row), f"{row.missed_points:,}", _published(row))
        console.print(table)
    console.print(
        "S-CCD variants: the box around the motion; D1 is inferred from the published figures, not stated in the thesis"
    )
    for band in fan_accuracy.bands(rows):
        console.print(
            f"{band.method}, {band.measure}: {band.mean:.2f}, published {band.published:.2f}, "
            f"{'inside' if band.inside else 'OUTSIDE'} the band of +- {band.band:.2f}"
        )
    fewer = {row.method: row for row in fan_accuracy.table(other) if row.truth == "100 poses"}
    texts = (f"{name} {' / '.join(_cells(fewer[name]))}" for name in ("physx", "D1"))
    console.print(f"with a random start direction, {len(other.swings):,} rotations: {'; '.join(texts)}")


def _cells(row: Share) -> tuple[str, str, str]:
    return (
        f"{row.accuracy:.2f} +- {row.accuracy_error:.2f}",
        f"{row.excess:.2f} +- {row.excess_error:.2f}",
        f"{row.missed:.2f} +- {row.missed_error:.2f}",
    )


def _published(row: Share) -> str:
    if row.truth != "100 poses" or row.method not in fan_accuracy.PUBLISHED:
        return ""
    return " / ".join(f"{value:.2f}" for value in fan_accuracy.PUBLISHED[row.method])


def _show_bins(console: Console, angles: Sequence[Bin], shapes: Sequence[Bin]) -> None:
    for what, unit, bins in (("3.8, by rotation angle", "degrees", angles), ("3.9, by W_y - W_x", "length", shapes)):
        first, last = bins[0], bins[-1]
        texts = (f"{method} {first.accuracy[method]:.1f} to {last.accuracy[method]:.1f} %" for method in ("fan", "D1"))
        console.print(
            f"Fig. {what}: from {first.low:.1f}..{first.high:.1f} to {last.low:.1f}..{last.high:.1f} {unit}: {', '.join(texts)}"
        )
    above = sum(one.accuracy["fan"] > one.accuracy["D1"] for one in (*angles, *shapes))
    console.print(f"the fan is above D1 in {above} of {len(angles) + len(shapes)} bins; published: in all, rising with both")


# ---- speed


def _write_times(out: Path, rows: Sequence[Times]) -> None:
    for table, figure in _FIGURES.items():
        mine = [row for row in rows if row.table == table]
        write_rows(out / f"fan_table_{table.replace('.', '_')}.csv", [_plain(rows, row) for row in mine])
        number = figure.replace("_", ".")
        fan_plots.plot_times(mine, out / f"fan_fig_{figure}.png", f"Fig. {number}: {_TITLES[table]}")


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
        **{f"/ {base}": ratio for base, ratio in fan_speed.ratios(list(rows), row).items()},
        **{f"/ {base}, wide": ratio for base, ratio in fan_speed.ratios(list(rows), row, "wide").items()},
    }


def _show_times(console: Console, table: str, rows: Sequence[Times], tests: int) -> None:
    mine = [row for row in rows if row.table == table]
    bases = fan_speed.BASES.get(table, ())
    shown = table_of(
        f"Table {table}, {_TITLES[table]}: ms of {tests:,}, {len(mine[0].seconds):,} repetitions",
        *("test", "reading", "hits", "mean", "best", "worst", "published mean", *(f"/ {base}" for base in bases)),
    )
    for reading in dict.fromkeys(row.reading for row in mine):
        for row in mine:
            if row.reading == reading:
                shown.add_row(*_line(rows, row))
        shown.add_section()
    console.print(shown)
    if bases:
        console.print(
            "ratios refer to capsules and OBBs as in textbooks, published ratios in brackets; to those without branches:"
        )
        for row in mine:
            if row.method == "exact":
                wide = fan_speed.ratios(list(rows), row, "wide")
                texts = (f"/ {base} {ratio:.2f}" for base, ratio in wide.items() if base in ("capsule-capsule", "OBB"))
                console.print(f"  {row.name}, {row.reading}: {', '.join(texts)}")


def _line(rows: Sequence[Times], row: Times) -> list[str]:
    """Return the cells of a line; published ratios in brackets."""
    published = f"{row.published[0]:.2f}" if row.published else ""
    old = _published_ratios(row)
    ratios = (
        f"{ratio:.2f} ({old[base]:.2f})" if base in old else f"{ratio:.2f}"
        for base, ratio in fan_speed.ratios(list(rows), row).items()
    )
    name = f"{row.name}, {row.method}" if row.method else row.name
    hits = "" if math.isnan(row.hits) else f"{100.0 * row.hits:.0f} %"
    return [name, row.reading, hits, *(f"{1e3 * value:.3g}" for value in (row.mean, row.best, row.worst)), published, *ratios]


def _published_ratios(row: Times) -> dict[str, float]:
    """Return the published ratios of the means, by volume."""
    if row.published is None:
        return {}
    return {base: row.published[0] / fan_speed.PUBLISHED[row.table, base][0] for base in fan_speed.BASES.get(row.table, ())}
