"""Fitted swings in the book: errors of foretold contact times by noise and frames, and how often they are as stated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..papers import fan_fit_plots, fan_fits
from ..papers.fan_fits import FRAMES, NOISES, Foretold
from .result import BookPicture, BookTable, Result, Watch
from .texts import share, write_rows

_PUBLISHED = "named as future work (4.4), without figures"


def measure_fits(folder: Path, watch: Watch, *, swings: int) -> Result:
    """Fit and foretell random swings, for every noise and number of frames."""
    watch.begin(swings * len(FRAMES) * len(NOISES))
    found = fan_fits.measure(swings, advance=watch.advance)
    write_rows(folder / "fan_fits.csv", [_row(one) for one in found])
    fan_fit_plots.plot_fits(found, fan_fits.shown_swing(), folder / "fan_fits.png")
    picture = BookPicture(
        "fan_fits.png",
        "errors of the contact time by frames and noise, with what the fit states; one swing, true, tracked and fitted",
        (),
        _PUBLISHED,
        f"median error {_span(found)}",
        "The thesis has no experiment on tracked tools; swings, noise and frames are ours.",
    )
    return Result((_errors(found, swings), _coverage(found, swings)), (picture,))


def _span(found: Sequence[Foretold]) -> str:
    medians = [one.median for one in found]
    return f"from {_ms(min(medians))} to {_ms(max(medians))} ms"


def _ms(seconds: float) -> str:
    """Return a time in milliseconds; "-" for a contact that was not foretold."""
    return f"{1e3 * seconds:.3f}" if math.isfinite(seconds) else "-"


def _errors(found: Sequence[Foretold], swings: int) -> BookTable:
    return BookTable(
        f"Contact times of {swings:,} tracked swings, foretold 20 to 120 ms ahead: errors in ms",
        ("noise", "frames", "median", "95 of 100", "not foretold", "Swing, median", "tip at contact [mm]"),
        tuple(
            (
                fan_fit_plots.noise_name(one.noise),
                str(one.frames),
                _ms(one.median),
                _ms(one.worst_of_20),
                str(one.missed),
                _ms(one.swing_median),
                f"{1e3 * float(np.median(one.places)):.1f}",
            )
            for one in found
        ),
        ends=_ends(),
        notes=(
            "bat 0.9 m long, 5 to 25 radians per second, slides up to 0.5 m/s; ball of radius 37 mm; 90 frames per second",
            "not foretold: the fitted motion passes the ball; such errors count as larger than any other",
            "Swing: the fitted rotation without its slide; tip: median distance from its true place at the true contact",
        ),
    )


def _coverage(found: Sequence[Foretold], swings: int) -> BookTable:
    return BookTable(
        f"The same {swings:,} swings: share of errors within 1 and 2 stated standard deviations",
        ("noise", "frames", "stated [ms]", "1, noise given", "2", "1, noise estimated", "2"),
        tuple(
            (
                fan_fit_plots.noise_name(one.noise),
                str(one.frames),
                _ms(one.stated_median),
                *(share(one.coverage(sigmas, estimated=estimated)) for estimated in (False, True) for sigmas in (1.0, 2.0)),
            )
            for one in found
        ),
        ends=_ends(),
        notes=(
            "stated: the median, with the noise given; errors of a normal distribution are within 1 in 68 %, within 2 in 95 %",
            "noise is estimated from 4 frames on",
        ),
    )


def _ends() -> tuple[int, ...]:
    return tuple(range(len(FRAMES) - 1, len(FRAMES) * len(NOISES), len(FRAMES)))


def _row(one: Foretold) -> dict[str, float]:
    return {
        "noise [m]": one.noise[0],
        "noise [degrees]": one.noise[1],
        "frames": one.frames,
        "swings": len(one.errors),
        "median [s]": one.median,
        "95 of 100 [s]": one.worst_of_20,
        "not foretold": one.missed,
        "swing median [s]": one.swing_median,
        "tip [m]": float(np.median(one.places)),
        "stated [s]": one.stated_median,
        "within 1, given": one.coverage(1.0),
        "within 2, given": one.coverage(2.0),
        "within 1, estimated": one.coverage(1.0, estimated=True),
        "within 2, estimated": one.coverage(2.0, estimated=True),
    }
