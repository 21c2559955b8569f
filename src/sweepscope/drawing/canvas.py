"""Canvas: lines, marks and letters on an image, with smooth edges."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .palette import Rgb

_Floats = NDArray[np.floating[Any]]
_Array = NDArray[np.float64]

_WHITE = np.ones(3, np.float32)


class Canvas:
    """An image to draw on. Places are columns and rows [pixels]; (0, 0) is the upper left corner."""

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

    def path(self, points: _Array, color: Rgb, width: float = 1.5, opacity: float = 1.0) -> None:
        """Draw lines through places, shape (n, 2); where they cross, they are not darker."""
        points = np.asarray(points, float)
        if not np.isfinite(points).all():
            return
        rows, columns = self.image.shape[:2]
        room = width + 2.0
        low = np.floor(np.maximum(points.min(axis=0) - room, 0.0)).astype(int)
        high = np.ceil(np.minimum(points.max(axis=0) + room, (columns, rows))).astype(int)
        if (high <= low).any():
            return
        cover = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        for a, b in pairwise(points):
            begin = np.clip(np.floor(np.minimum(a, b) - room).astype(int) - low, 0, high - low)
            end = np.clip(np.ceil(np.maximum(a, b) + room).astype(int) - low, 0, high - low)
            if (end <= begin).any():
                continue
            y, x = np.mgrid[begin[1] : end[1], begin[0] : end[0]].astype(np.float32)
            x, y = x + np.float32(low[0] + 0.5 - a[0]), y + np.float32(low[1] + 0.5 - a[1])
            dx, dy = b - a
            size = max(dx * dx + dy * dy, 1e-12)
            along = np.clip((x * np.float32(dx) + y * np.float32(dy)) / np.float32(size), 0.0, 1.0)
            off = np.hypot(x - along * np.float32(dx), y - along * np.float32(dy))
            part = cover[begin[1] : end[1], begin[0] : end[0]]
            np.maximum(part, np.clip(0.5 * width + 0.5 - off, 0.0, 1.0), out=part)
        self._blend(int(low[1]), int(low[0]), opacity * cover, color)

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
            return  # along the view: only its mark is seen
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
        """Write a line of text; align: 0 from the left, 0.5 about, 1 up to the place. Return its width [pixels]."""
        cover = letters(text, large)
        self._blend(round(top), round(left - align * cover.shape[1]), cover, color)
        return float(cover.shape[1])


@cache
def _atlas() -> tuple[dict[str, NDArray[Any]], dict[int, int]]:
    """Return the letters, read once, and the place of each sign among them."""
    with np.load(Path(__file__).parent / "glyphs.npz") as file:
        return {name: file[name] for name in file.files}, {int(sign): k for k, sign in enumerate(file["signs"])}


def letters(text: str, large: bool = False) -> _Floats:
    """Return a line of text as an image, 0 to 1, shape (height, width).

    It knows the signs of Latin, Greek and Cyrillic; others become '?'.
    """
    atlas, known = _atlas()
    size = "large" if large else "small"
    strip, starts = atlas[size], atlas[f"{size}_starts"]
    fragments = [known.get(ord(sign), known[ord("?")]) for sign in text]
    parts = [strip[:, starts[k] : starts[k + 1]] for k in fragments] or [strip[:, :0]]
    return np.concatenate(parts, axis=1).astype(np.float32) / np.float32(255.0)


def fit_text(text: str, width: float, large: bool = False) -> str:
    """Return a text that is at most `width` pixels wide: its end is cut off where needed."""
    if letters(text, large).shape[1] <= width:
        return text
    while text and letters(text + "...", large).shape[1] > width:
        text = text[:-1]
    return text + "..."
