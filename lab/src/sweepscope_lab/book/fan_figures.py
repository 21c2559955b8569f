"""The thesis' pictures in the book: its definitions (Figs. 2.1 to 2.11), its tests (Figs. 2.12 to 2.22), and Fig. 4.1."""

from __future__ import annotations

from pathlib import Path

from ..papers import fan_definitions, fan_tests
from .result import BookPicture, Result, Watch

_DIFFERS = (
    "The thesis gives no numbers for its figures: the shapes are ours. Its tests say what is hit; the library draws, and hits "
    "are orange, not red, so that everybody can tell them from blue."
)
_PUBLISHED = {
    "fan_fig_2_1.png": "one example of the rotation that is assumed, and the two kinds of fan that it gives",
    "fan_fig_2_4.png": "the points, vectors and lengths of a fan",
    "fan_fig_2_5.png": "R_m where P_z is outside of the slab (2.5), and inside (2.6)",
    "fan_fig_2_7.png": "the three cases of the discriminants; a capsule that hits though no t fulfills (2.14), (2.15), (2.20)",
    "fan_fig_2_9.png": "the pseudo-capsule of a capsule and a slab, the capsule around it, and w of (2.26)",
    "fan_fig_2_12.png": "points all blue, then those in the fan red",
    "fan_fig_2_20.png": "no hit, a hit, and a hit that is none (2.22)",
    "fan_fig_4_1.png": "a small angle makes a narrow fan, which leaves most of the motion out",
}
_FREE_AND_HIT = "no hit (blue), a hit (red)"


def draw_figures(folder: Path, watch: Watch) -> Result:
    """Write Figs. 2.1 to 2.22 and 4.1."""
    watch.begin(2)
    drawn = fan_definitions.draw_all(folder)
    watch.advance(1)
    drawn += fan_tests.draw_all(folder)
    watch.advance(1)
    pictures = (
        BookPicture(one.file, one.shows, one.figures, _PUBLISHED.get(one.file, _FREE_AND_HIT), one.found, _DIFFERS)
        for one in drawn
    )
    return Result((), tuple(pictures))
