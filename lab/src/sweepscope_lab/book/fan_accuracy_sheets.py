"""The thesis' accuracy experiment in the book: Table 3.1, Figs. 3.1 to 3.9, against both truths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from ..compared.speculative import VARIANTS
from ..papers import fan_accuracy, fan_plots
from ..papers.fan_accuracy import Bin, Counts, Share
from ..papers.parts import Parts
from .result import BookPicture, BookTable, Result, Watch, compared, figures, ratio
from .texts import write_rows

_TRUTH = (
    "S-CCD is speculative detection, a box around the motion. The thesis does not say which box; D1 is inferred from its "
    "figures. "
    "Truth is the box at 100 poses, as published; thin boxes leave gaps between them, so the exact swept box is not at 100 "
    "% there. "
    "Against the continuous sweep it is."
)
_Bins = dict[str, list[Bin]]  # by truth


def measure_accuracy(folder: Path, watch: Watch, *, rotations: int) -> Result:
    """Run Table 3.1 and Figs. 3.1 to 3.9; what is saved of an earlier run in the folder is used."""
    fewer = rotations // 10
    watch.begin(rotations + fewer)
    fixed = Parts(folder / "fan_accuracy_parts", fan_accuracy.settings())
    random = Parts(folder / "fan_random_start_parts", fan_accuracy.settings(random_start=True))
    counts = fan_accuracy.measure(fixed, rotations, advance=watch.advance)
    other = fan_accuracy.measure(random, fewer, random_start=True, advance=watch.advance)
    angles = {truth: fan_accuracy.by_angle(counts, truth) for truth in fan_accuracy.TRUTHS}
    shapes = {truth: fan_accuracy.by_shape(counts, truth) for truth in fan_accuracy.TRUTHS}
    _write_accuracy(folder, counts, other, angles, shapes)
    rows = fan_accuracy.table(counts)
    return Result(
        (
            _shares(rows, "100 poses", len(counts.swings)),
            _shares(rows, "sweep", len(counts.swings), (*_accuracy_notes(rows, other), *_bin_notes(angles, shapes))),
            _bands(rows),
        ),
        (
            BookPicture(
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


def _bin_picture(file: str, number: str, by: str, bins: _Bins) -> BookPicture:
    main = bins["100 poses"]
    return BookPicture(
        file,
        f"mean accuracy by {by}, against the box at 100 poses and against the continuous sweep",
        (number,),
        "the fan is above S-CCD everywhere, and rises",
        f"{_span(main, 'fan')}; {'; '.join(_compared_bins(main))}",
        _TRUTH,
    )


def _compared_bins(bins: list[Bin]) -> list[str]:
    """Return for each box of S-CCD in how many bins the fan is above it, and where it is not."""
    texts = []
    for variant in VARIANTS:
        below = fan_accuracy.not_above(bins, variant)
        text = f"above {variant} in {len(bins) - len(below)} of {len(bins)} bins"
        if below:
            worst = max(below, key=lambda one: one.accuracy[variant] - one.accuracy["fan"])
            text += (
                f" (not at {worst.low:.4g} to {worst.high:.4g}: fan {worst.accuracy['fan']:.1f}, "
                f"{variant} {worst.accuracy[variant]:.1f} %)"
            )
        texts.append(text)
    return texts


def _span(bins: Sequence[Bin], method: str) -> str:
    return f"{method} {bins[0].accuracy[method]:.1f} to {bins[-1].accuracy[method]:.1f} %"


def _write_accuracy(out: Path, counts: Counts, other: Counts, angles: _Bins, shapes: _Bins) -> None:
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
        rows = [
            {"truth": truth, "low": one.low, "high": one.high, "rotations": one.rotations, **one.accuracy}
            for truth, every in bins.items()
            for one in every
        ]
        write_rows(out / f"fan_fig_{name}.csv", rows)
    fan_plots.plot_bins(angles, out / "fan_fig_3_8.png", "rotation angle [degrees]", "Fig. 3.8: accuracy by rotation angle")
    fan_plots.plot_bins(
        shapes, out / "fan_fig_3_9.png", "W_y - W_x [length]", "Fig. 3.9: accuracy by shape, bins of equal count"
    )
    swing = np.array(fan_accuracy.SHOWN)
    fan_plots.plot_groups(fan_accuracy.grouped(swing), swing[0], out / "fan_groups.png")


def _shares(rows: Sequence[Share], truth: str, rotations: int, notes: tuple[str, ...] = ()) -> BookTable:
    lines = []
    for row in rows:
        if row.truth == truth:
            known = truth == "100 poses" and row.method in fan_accuracy.PUBLISHED
            published = " / ".join(f"{value:.2f}" for value in fan_accuracy.PUBLISHED[row.method]) if known else ""
            lines.append((row.method, *_cells(row), f"{row.missed_points:,}", published))
    return BookTable(
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
        "left out: rotations for which a denominator of (3.1) or (3.2) is 0, as 3.1 says",
        *(
            f"{band.method}, {band.measure}: {band.mean:.2f}, published {band.published:.2f}, "
            f"{'inside' if band.inside else 'OUTSIDE'} the band of +- {band.band:.2f}"
            for band in fan_accuracy.bands(rows)
        ),
        f"with a random start direction, {len(other.swings):,} rotations: {'; '.join(texts)}",
    )


def _bands(rows: list[Share]) -> BookTable:
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


def _bin_notes(angles: _Bins, shapes: _Bins) -> tuple[str, ...]:
    notes = ["the thesis: the fan is above S-CCD in every bin of Figs. 3.8 and 3.9, and rises"]
    for what, unit, bins in (("3.8, by rotation angle", "degrees", angles), ("3.9, by W_y - W_x", "length", shapes)):
        for truth, every in bins.items():
            first, last = (f"{one.low:.1f}..{one.high:.1f}" for one in (every[0], every[-1]))
            spans = f"{_span(every, 'fan')}, {_span(every, 'D1')}, {_span(every, 'A1')}"
            notes.append(f"Fig. {what}, against {truth}: from {first} to {last} {unit}: {spans}")
            notes.append(f"  the fan is {'; '.join(_compared_bins(every))}")
    return tuple(notes)
