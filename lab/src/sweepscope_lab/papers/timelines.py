"""Timelines: bars and lines over frames, on a canvas of the library's pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sweepscope.drawing.canvas import Canvas
from sweepscope.drawing.palette import Ink, Rgb

_LINE = 18  # height of a line of text [pixels]


class Timeline:
    """A panel over frames 0, 1, ...; values from low to high, evenly or by powers of ten."""

    def __init__(
        self, canvas: Canvas, box: tuple[float, float, float, float], frames: int, low: float, high: float, *, log: bool = False
    ) -> None:
        """Draw the panel's lines; box: left, top, width, height [pixels]."""
        self._canvas, self._ink, self._box = canvas, Ink(dark=False), box
        self._frames, self._low, self._high, self._log = frames, low, high, log
        left, top, width, height = box
        if log:
            ticks = [10.0**k for k in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]
        else:
            ticks = [low, high]
        for value in ticks:
            row = self._row(value)
            canvas.line((left, row), (left + width, row), self._ink.faint, 1.0, 0.35)
            canvas.text(left - 8, row - 9, f"{value:g}", self._ink.text, align=1.0)
        canvas.line((left, top), (left, top + height), self._ink.faint, 1.0, 0.8)

    def label(self, text: str, color: Rgb | None = None, place: float = 0.0) -> float:
        """Write a text above the panel, at a place [pixels] from its left; return where it ends."""
        left, top, _, _ = self._box
        wide = self._canvas.text(left + place, top - _LINE - 4, text, self._ink.text if color is None else color)
        return place + wide + 22.0

    def mark(self, frame: int) -> None:
        """Draw a faint upright line at a frame."""
        _, top, _, height = self._box
        column = self._column(frame)
        self._canvas.line((column, top), (column, top + height), self._ink.faint, 1.0, 0.6)

    def number(self, frame: int) -> None:
        """Write a frame's number below it."""
        _, top, _, height = self._box
        self._canvas.text(self._column(frame), top + height + 3, str(frame), self._ink.text, align=0.5)

    def bars(self, values: Sequence[float], color: Rgb) -> None:
        """Draw a bar for each frame."""
        _, top, width, height = self._box
        wide = max(1.0, 0.85 * width / max(self._frames, 1))
        for frame, value in enumerate(values):
            if value > self._low:
                row = self._row(value)
                self._canvas.fill(self._column(frame) - 0.5 * wide, row, wide, max(1.0, top + height - row), color)

    def line(self, frames: Sequence[int], values: Sequence[float], color: Rgb) -> None:
        """Draw a line through the values of frames; NaN and what is not above 0 on a scale of powers interrupt it."""
        run: list[tuple[float, float]] = []
        for frame, value in [*zip(frames, values, strict=True), (0, math.nan)]:
            if math.isfinite(value) and (value > 0.0 or not self._log):
                run.append((self._column(frame), self._row(value)))
                continue
            if len(run) > 1:
                self._canvas.path(np.array(run), color, 1.5)
            elif run:
                self._canvas.disc(run[0], 1.6, color)
            run = []

    def _column(self, frame: int) -> float:
        left, _, width, _ = self._box
        return left + width * (frame + 0.5) / max(self._frames, 1)

    def _row(self, value: float) -> float:
        _, top, _, height = self._box
        low, high = self._low, self._high
        if self._log:
            value, low, high = math.log10(value), math.log10(low), math.log10(high)
        share = (value - low) / (high - low) if high > low else 0.0
        return top + height * (1.0 - min(max(share, 0.0), 1.0))
