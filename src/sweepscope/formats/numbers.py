"""Read the numbers of a text, each as the float64 nearest to its digits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.files import numbers as kernel


class ScannedNumbers(NamedTuple):
    """The numbers of a text."""

    values: NDArray[np.float64]
    places: NDArray[np.int64]
    """Where they begin in the text."""
    firsts: NDArray[np.bool_]
    """Whether they are the first of their line."""


class NotANumber(ValueError):
    """A word that is not a number; `place`: where it begins."""

    def __init__(self, text: bytes, place: int) -> None:
        super().__init__(f"{word_at(text, place)!r} is not a number")
        self.place = place


def scan(text: bytes, start: int = 0, comment: bytes = b"\0") -> ScannedNumbers:
    """Read all numbers from a place on; comment: what begins one, up to the end of its line."""
    given = np.frombuffer(text, np.uint8)
    count = kernel.count(given, start, comment[0])
    found = ScannedNumbers(np.empty(count), np.empty(count, np.int64), np.empty(count, np.bool_))
    longs = np.empty(count, np.int64)
    _, listed, wrong = kernel.read(given, start, comment[0], *found, longs)
    if wrong >= 0:
        raise NotANumber(text, wrong)
    read_longs(text, found.values, longs[:listed], found.places[longs[:listed]])
    return found


def read_longs(text: bytes, values: NDArray[np.float64], indices: NDArray[np.int64], places: NDArray[np.int64]) -> None:
    """Read the numbers that kernels leave to Python: those of many digits, and very large or small ones."""
    for index, place in zip(indices.tolist(), places.tolist(), strict=True):
        values[index] = float(_word(text, place))


def floats(text: bytes) -> NDArray[np.float64]:
    """Return the numbers of a text, with white space between them; raise ValueError for anything else."""
    return scan(text).values


def wholes(text: bytes) -> NDArray[np.int64]:
    """Return the whole numbers of a text, with white space between them; raise ValueError for anything else."""
    found = scan(text)
    wrong = np.flatnonzero(~((np.abs(found.values) <= 2.0**53) & (found.values == np.floor(found.values))))
    if len(wrong):
        raise ValueError(f"{word_at(text, int(found.places[wrong[0]]))!r} is not a whole number")
    return found.values.astype(np.int64)


def _word(text: bytes, place: int) -> bytes:
    end = place
    while end < len(text) and not text[end : end + 1].isspace() and text[end] != 0x23:
        end += 1
    return text[place:end]


def word_at(text: bytes, place: int) -> str:
    """Return the word that begins at a place, for an error message."""
    found = text[place : place + 41].split()
    word = found[0].decode("latin-1") if found else ""
    return word if len(word) <= 40 else word[:37] + "..."


def line_at(text: bytes, place: int) -> int:
    """Return the number of the line of a place, counted from 1."""
    return text.count(b"\n", 0, place) + 1
