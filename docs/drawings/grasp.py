"""Draws docs/pictures/grasp.png, four grasps side by side: `python docs/drawings/grasp.py` (needs the laboratory)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sweepscope_lab.papers.grasp import finish
from sweepscope_lab.papers.grasp_pictures import picture_of
from sweepscope_lab.simulate.grasp import GraspSettings

import sweepscope as ss

OUT = Path(__file__).parents[1] / "pictures" / "grasp.png"
TARGETS = ("torus", "mug", "chain", "star")
PIXELS, GAP = 300, 6


def draw() -> None:
    """Let a hand close on each target by exact turns, and draw how it holds it."""
    panels = [picture_of(finish(GraspSettings(target))[0], PIXELS).pixels for target in TARGETS]
    space = np.full((PIXELS, GAP, 3), 255, np.uint8)
    parts = [part for panel in panels for part in (panel, space)]
    ss.drawing.Picture(np.concatenate(parts[:-1], axis=1)).save(OUT)


if __name__ == "__main__":
    draw()
