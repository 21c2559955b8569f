"""Captions: sentences that are broken into lines, and names that are shortened only where there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .canvas import Canvas, fit_text, text_width
from .palette import Ink

LINE = 18
"""Height of a line of small text [pixels]."""
_LARGE_COLUMNS = 640  # columns from which letters are large
_HEIGHT, _LARGE_HEIGHT = 24, 34  # of a caption of one line [pixels]
_MOST_HEIGHT = 0.25  # of a caption, as a share of the picture
_EDGE = 12  # pixels left and right of a caption
_LEAST = 9  # letters: names are not made shorter, dots included
_BREAKS = " _-/\\"  # a long name is broken after these


class Name(str):
    """The name of a body in a sentence; of a file, without folders. It may be shortened."""

    __slots__ = ()

    def __new__(cls, name: str) -> Name:
        """Take the name of a body."""
        file = name.replace("\\", "/").rsplit("/", 1)[-1]
        return super().__new__(cls, file if "." in file else name)

    def shorten(self) -> Name:
        """Return the name with one letter less, in the middle; start and end stay."""
        if len(self) <= _LEAST:
            return self
        start, dots, end = self.partition("...")
        if not dots:
            half = (len(self) - 4) // 2
            start, end = self[:half], self[half + 4 :]
        elif len(start) > len(end):
            start = start[:-1]
        else:
            end = end[1:]
        return str.__new__(Name, f"{start}...{end}")


def fit_words(words: Sequence[str], width: float, lines: int = 1, large: bool = False) -> list[str]:
    """Return a sentence in at most so many lines, each at most `width` pixels wide.

    words: parts of the sentence; those that are a Name are shortened where needed, the longest first. If that is not enough,
    the end is cut off.
    """
    parts = list(words)
    while True:
        found = _wrap("".join(parts), width, large)
        if len(found) <= lines and all(text_width(line, large) <= width for line in found):
            return found
        names = [k for k, part in enumerate(parts) if isinstance(part, Name) and len(part) > _LEAST]
        if not names:
            last = " ".join(found[lines - 1 :])
            return [fit_text(line, width, large) for line in (*found[: lines - 1], last)]
        longest = max(names, key=lambda k: len(parts[k]))
        name = parts[longest]
        assert isinstance(name, Name)
        parts[longest] = name.shorten()


def fit_heading(words: Sequence[str], width: float, large: bool, lines: int) -> tuple[list[str], bool]:
    """Return the lines of a heading, and whether its letters are large: that takes one line, small letters at most `lines`."""
    if large and text_width("".join(words), True) <= width:
        return ["".join(words)], True
    return fit_words(words, width, lines), False


def fit_names(names: Sequence[str], width: float, lines: int) -> list[list[str]]:
    """Return the lines of each name, in small letters, at most so many in all: broken where its parts end, or shortened."""
    for most in range(lines, 1, -1):
        found = [_fit_name(Name(name), width, most) for name in names]
        if sum(map(len, found)) <= lines:
            return found
    return [_fit_name(Name(name), width, 1) for name in names]


def _fit_name(name: Name, width: float, lines: int) -> list[str]:
    """Return the lines of a name, shortened where there are not enough."""
    while len(found := _break(name, width)) > lines:
        if len(name) <= _LEAST:
            return [fit_text(name, width)]
        name = name.shorten()
    return found


def _wrap(text: str, width: float, large: bool) -> list[str]:
    """Return the lines of a text, broken at spaces; a single word may be wider than `width`."""
    found: list[str] = []
    for word in text.split(" "):
        longer = f"{found[-1]} {word}" if found else word
        if found and text_width(longer, large) <= width:
            found[-1] = longer
        else:
            found.append(word)
    return found


def _break(name: str, width: float) -> list[str]:
    """Return the lines of a name, broken after a sign between its parts if there is one, else anywhere."""
    found = []
    while name and text_width(name) > width:
        count = max(1, next(n for n in range(len(name), -1, -1) if text_width(name[:n]) <= width))
        parts = [n for n in range(count, count // 2, -1) if name[n - 1] in _BREAKS]
        count = parts[0] if parts else count
        found.append(name[:count])
        name = name[count:]
    return [*found, name] if name else found


def _caption(words: Sequence[str], size: tuple[int, int]) -> tuple[list[str], bool, int]:
    """Return the lines of a caption, whether its letters are large, and its height [pixels]; 0 if there is no room."""
    columns, rows = size
    width, large = columns - 2 * _EDGE, columns >= _LARGE_COLUMNS
    height = _LARGE_HEIGHT if large else _HEIGHT
    if height > _MOST_HEIGHT * rows:
        return [], False, 0
    lines, large = fit_heading(words, width, large, int(_MOST_HEIGHT * rows - _HEIGHT) // LINE + 1)
    return lines, large, max(height, _HEIGHT + LINE * (len(lines) - 1))


def caption_height(words: Sequence[str], size: tuple[int, int]) -> int:
    """Return the height of a caption at the bottom of a picture [pixels]; 0 in a picture too small for it."""
    return _caption(words, size)[2]


def write_caption(image: NDArray[Any], words: Sequence[str], dark: bool) -> None:
    """Write a caption at the bottom of an image; it is changed."""
    canvas, ink = Canvas(image), Ink(dark)
    rows, columns, _ = image.shape
    lines, large, height = _caption(words, (columns, rows))
    canvas.fill(0, rows - height, columns, height, ink.paper, 0.82)
    top = rows - height + (6 if large else (height - LINE * len(lines)) // 2 + 1)
    for k, line in enumerate(lines):
        canvas.text(_EDGE, top + k * LINE, line, ink.text, large=large)
