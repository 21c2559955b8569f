"""The thesis' pictures in the book: each test with and without a hit (Figs. 2.12 to 2.22), and Fig. 4.1."""

from __future__ import annotations

from pathlib import Path

from ..papers import fan_tests
from .result import BookPicture, Result, Watch

_DIFFERS = (
    "The thesis gives no numbers for its figures: the shapes are ours. Its tests say what is hit; the library draws, and hits "
    "are orange, not red, so that everybody can tell them from blue."
)
_PUBLISHED = {
    "fan_fig_2_12.png": "points all blue, then those in the fan red",
    "fan_fig_2_20.png": "no hit, a hit, and a hit that is none (2.22)",
    "fan_fig_4_1.png": "a small angle makes a narrow fan, which leaves most of the motion out",
}
_FREE_AND_HIT = "no hit (blue), a hit (red)"


def draw_figures(folder: Path, watch: Watch) -> Result:
    """Write Figs. 2.12 to 2.22 and 4.1."""
    watch.begin(1)
    drawn = fan_tests.draw_all(folder)
    watch.advance(1)
    pictures = (
        BookPicture(one.file, one.shows, one.figures, _PUBLISHED.get(one.file, _FREE_AND_HIT), one.found, _DIFFERS)
        for one in drawn
    )
    return Result((), tuple(pictures))
