"""Sizes and views of a hand that searches and approaches (Figs. 9 to 12), published and ours."""

from __future__ import annotations

from ..papers import grasp_views
from ..scenes.hand import SIZE
from ..simulate.grasp_radar import RADARS
from .result import BookPicture, BookTable, figures


def sizes_sheet(found: grasp_views.Views) -> BookTable:
    """Return the paper's sizes beside ours."""
    ours = {name: " x ".join(f"{size:.6g}" for size in three) for name, three in grasp_views.sizes(found).items()}
    return BookTable(
        "Figs. 9 to 12: sizes [length]",
        ("what", "published", "ours"),
        (
            ("wide view, to find the target (Fig. 9)", "2000 x 2000 x 8000", ours["wide"]),
            ("target", "300 x 500 x 800", f"{ours['target']} (block)"),
            ("hand", "400 x 400 x 30", f"{ours['hand']} (flat); the hand of the other figures is {SIZE:g} across and thicker"),
            ("preset size of the mask's view (3.3)", "not given", ours["preset"]),
            ("view of the approach, read off the mask (Figs. 10, 11)", "440 x 440 x 1000", ours["sized"]),
            ("radars of a hand (Fig. 12)", "17", str(RADARS)),
        ),
        figures(9, 12),
        differs="Inferred: 50 x 50 pixels and a preset size of 2000; a pixel is 2000 / 50 = 40, and 400 and one pixel are the "
        "published 440. The paper shows its hand and gives its size; ours is made of round parts.",
    )


def view_pictures(found: grasp_views.Views) -> tuple[BookPicture, ...]:
    """Return what is to know about Figs. 9 to 11."""
    ours = {name: " x ".join(f"{size:.6g}" for size in three) for name, three in grasp_views.sizes(found).items()}
    return (
        BookPicture(
            "grasp_fig9.png",
            "the wide view round the hand and the target, and what it shows: depth, and which body",
            ("Fig. 9",),
            "2000 x 2000 x 8000, target 300 x 500 x 800, hand 400 x 400 x 30",
            f"{ours['wide']}, target {ours['target']}, hand {ours['hand']}",
            "Where hand and target are, and which side of the target the hand sees, is ours.",
        ),
        BookPicture(
            "grasp_fig10.png",
            "the mask in a view of a preset size, with the rows and columns that the hand covers, and in the view of that size",
            ("Fig. 10",),
            "min-max test of the mask; the view of the approach is 440 x 440 x 1000",
            f"from {ours['preset']} to {ours['sized']}",
            "The preset size, 2000, and 50 x 50 pixels are inferred from 440 = 400 + 2000 / 50.",
        ),
        BookPicture(
            "grasp_fig11.png",
            "the radar of the approach: range, mask, gap, and which body each pixel shows",
            ("Fig. 11",),
            "mask, frame buffer with color codes, range, LookAt (red is near)",
            f"the same; free for {found.sized.travel:.1f}",
            "Colors of depths are ours.",
        ),
    )
