"""Canvas: lines, marks and letters on an image, with smooth edges."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .palette import Rgb

_Floats = NDArray[np.floating[Any]]
_Array = NDArray[np.float64]

_WHITE = np.ones(3, np.float32)
_PIECE = 6.0  # pixels: longest part of a line that is drawn into one window
_CHUNK = 4096  # parts of lines that are drawn at once


class Canvas:
    """An image to draw on. Points are columns and rows [pixels]; (0, 0) is the upper left corner."""

    def __init__(self, image: _Floats) -> None:
        """Draw on an image, shape (rows, columns, 3), colors 0 to 1; it is changed."""
        self.image = image

    def _blend(self, top: int, left: int, cover: NDArray[Any], color: Rgb) -> None:
        """Lay a color over a part of the image; cover: how much, 0 to 1, shape (rows, columns)."""
        rows, columns = self.image.shape[:2]
        up, low = max(0, -top), max(0, -left)
        cover = cover[up : max(up, rows - top), low : max(low, columns - left)]
        if cover.size:
            top, left = max(top, 0), max(left, 0)
            part = self.image[top : top + cover.shape[0], left : left + cover.shape[1]]
            part += cover[..., None].astype(np.float32) * (color - part)

    def fill(self, left: float, top: float, width: float, height: float, color: Rgb, opacity: float = 1.0) -> None:
        """Fill a rectangle."""
        cover = np.full((round(top + height) - round(top), round(left + width) - round(left)), opacity)
        self._blend(round(top), round(left), cover, color)

    def line(self, start: ArrayLike, end: ArrayLike, color: Rgb, width: float = 1.5, opacity: float = 1.0) -> None:
        """Draw a straight line with round ends."""
        self.path(np.array((start, end), float), color, width, opacity)

    def path(self, points: _Array, color: Rgb, width: float = 1.5, opacity: float | _Array = 1.0) -> None:
        """Draw lines through points, shape (n, 2). Crossings are not darker. opacity: one value, or one for each line."""
        points = np.asarray(points, float)
        if not np.isfinite(points).all():
            return
        rows, columns = self.image.shape[:2]
        reach = 0.5 * width + 0.5
        starts, ends, which = _clip(points[:-1], points[1:], reach, (columns + reach, rows + reach))
        # Lines are cut into short pieces, and many pieces are drawn at once, each into a small window.
        counts = np.maximum(np.ceil(np.linalg.norm(ends - starts, axis=1) / _PIECE), 1.0).astype(np.int64)
        line = np.repeat(np.arange(len(counts)), counts)
        number = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
        step = ((ends - starts) / counts[:, None])[line]
        begin = starts[line] + number[:, None] * step
        strength = np.broadcast_to(np.asarray(opacity, np.float32), len(points) - 1)[which[line]]
        if not len(line):
            return
        side = int(np.ceil(_PIECE + 2.0 * reach)) + 1
        corner = np.floor(np.minimum(begin, begin + step) - reach).astype(np.int64)
        low = corner.min(axis=0)
        wide, high = corner.max(axis=0) - low + side
        cover = np.zeros((high, wide), np.float32)
        for first in range(0, len(line), _CHUNK):
            chosen = slice(first, first + _CHUNK)
            windows = corner[chosen] - low
            _cover_pieces(cover, side, windows, begin[chosen] - low, step[chosen], reach, strength[chosen])
        self._blend(int(low[1]), int(low[0]), cover, color)

    def disc(self, place: ArrayLike, radius: float, color: Rgb, opacity: float = 1.0) -> None:
        """Draw a disc."""
        x, y = np.asarray(place, float)
        if not np.isfinite((x, y)).all():
            return
        left, top = int(np.floor(x - radius - 1.0)), int(np.floor(y - radius - 1.0))
        count = int(np.ceil(2.0 * radius)) + 4
        rows, columns = np.mgrid[0:count, 0:count] + 0.5
        off = np.hypot(columns + left - x, rows + top - y)
        self._blend(top, left, opacity * np.clip(radius + 0.5 - off, 0.0, 1.0), color)

    def arrow(self, start: ArrayLike, end: ArrayLike, color: Rgb, width: float = 2.5) -> None:
        """Draw an arrow with a white rim; its head is a filled triangle."""
        a, b = np.asarray(start, float), np.asarray(end, float)
        size = float(np.linalg.norm(b - a))
        if not np.isfinite(size) or size < 2.0 * width:
            return  # along the view: only the mark is visible
        ahead = (b - a) / size
        head = min(4.2 * width, 0.6 * size)
        neck = b - head * ahead
        aside = 0.45 * head * np.array((-ahead[1], ahead[0]))
        corners = np.array((b, neck + aside, neck - aside))
        middle = corners.mean(axis=0)
        rim = middle + (corners - middle) * (1.0 + 1.1 * width / head)
        self.line(a, neck, _WHITE, 1.8 * width)
        self.triangle(rim, _WHITE)
        self.line(a, neck, color, width)
        self.triangle(corners, color)

    def triangle(self, corners: _Array, color: Rgb) -> None:
        """Fill a triangle, shape (3, 2)."""
        a, b, c = corners
        low, high = np.floor(corners.min(axis=0)).astype(int) - 1, np.ceil(corners.max(axis=0)).astype(int) + 1
        y, x = np.mgrid[low[1] : high[1], low[0] : high[0]] + 0.5
        cover = np.ones(x.shape)
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        for p, q in ((a, b), (b, c), (c, a)):
            side = ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) * np.sign(area)
            cover = np.minimum(cover, np.clip(side / max(float(np.linalg.norm(q - p)), 1e-9) + 0.5, 0.0, 1.0))
        self._blend(int(low[1]), int(low[0]), cover, color)

    def text(self, left: float, top: float, text: str, color: Rgb, *, large: bool = False, align: float = 0.0) -> float:
        """Write a line of text; align: 0 left, 0.5 centered, 1 right. Return its width [pixels]."""
        cover = letters(text, large)
        self._blend(round(top), round(left - align * cover.shape[1]), cover, color)
        return float(cover.shape[1])


def _clip(starts: _Array, ends: _Array, low: float, high: tuple[float, float]) -> tuple[_Array, _Array, NDArray[np.int64]]:
    """Clip lines to -low .. high along both axes. Return starts and ends, shape (m, 2), and the index of each line."""
    along = ends - starts
    safe = np.where(along == 0.0, 1.0, along)
    one, other = (-low - starts) / safe, (np.array(high) - starts) / safe
    inside = (starts >= -low) & (starts <= high)
    enter = np.where(along == 0.0, np.where(inside, 0.0, 2.0), np.minimum(one, other)).max(axis=1)
    leave = np.where(along == 0.0, 1.0, np.maximum(one, other)).min(axis=1)
    enter, leave = np.maximum(enter, 0.0), np.minimum(leave, 1.0)
    kept = np.flatnonzero(enter <= leave)
    begin, along = starts[kept], along[kept]
    return begin + enter[kept, None] * along, begin + leave[kept, None] * along, kept


def _cover_pieces(
    cover: _Floats,
    side: int,
    windows: NDArray[np.int64],
    begin: _Array,
    step: _Array,
    reach: float,
    strength: _Floats,
) -> None:
    """Draw short lines into a cover, which is changed: each pixel keeps its largest value.

    windows: column and row of the square of `side` pixels around each line, shape (n, 2). begin, step: the lines, shape (n, 2).
    """
    size = np.maximum((step * step).sum(axis=1), 1e-12).astype(np.float32)[:, None, None]
    place = np.arange(side, dtype=np.float32) + np.float32(0.5)
    shift = (windows - begin).astype(np.float32)
    x, y = place + shift[:, 0, None, None], place[:, None] + shift[:, 1, None, None]
    dx, dy = (part.astype(np.float32)[:, None, None] for part in step.T)
    along = np.clip((x * dx + y * dy) / size, 0.0, 1.0)
    off = np.hypot(x - along * dx, y - along * dy)
    values = strength[:, None, None] * np.clip(np.float32(reach) - off, 0.0, 1.0)
    rows = windows[:, 1, None, None] + np.arange(side)[:, None]
    pixels = rows * cover.shape[1] + windows[:, 0, None, None] + np.arange(side)
    np.maximum.at(cover.ravel(), pixels.ravel(), values.ravel())


@cache
def _atlas() -> tuple[dict[str, NDArray[Any]], dict[int, int]]:
    """Return the letters and the index of each sign; the file is read once."""
    with np.load(Path(__file__).parent / "glyphs.npz") as file:
        return {name: file[name] for name in file.files}, {int(sign): k for k, sign in enumerate(file["signs"])}


def letters(text: str, large: bool = False) -> _Floats:
    """Return a line of text as an image, 0 to 1, shape (height, width).

    Signs are Latin, Greek and Cyrillic; others become '?'.
    """
    atlas, known = _atlas()
    size = "large" if large else "small"
    strip, starts = atlas[size], atlas[f"{size}_starts"]
    fragments = [known.get(ord(sign), known[ord("?")]) for sign in text]
    parts = [strip[:, starts[k] : starts[k + 1]] for k in fragments] or [strip[:, :0]]
    return np.concatenate(parts, axis=1).astype(np.float32) / np.float32(255.0)


def text_width(text: str, large: bool = False) -> int:
    """Return the width of a line of text [pixels]."""
    atlas, known = _atlas()
    starts = atlas["large_starts" if large else "small_starts"]
    return sum(int(starts[k + 1] - starts[k]) for k in (known.get(ord(sign), known[ord("?")]) for sign in text))


def fit_text(text: str, width: float, large: bool = False) -> str:
    """Return a text that is at most `width` pixels wide; the end is cut off if needed."""
    if text_width(text, large) <= width:
        return text
    while text and text_width(text + "...", large) > width:
        text = text[:-1]
    return text + "..."
