"""What a part of the book is, and what it finds: tables as text, figures as PNG files with what to know about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

Size = str
"""tiny: for tests; quick; full; published: as many cases as in the thesis (fan only)."""


class Watch:
    """Is told how far a part is. This one does nothing with it."""

    def begin(self, steps: int) -> None:
        """So many steps follow."""

    def say(self, line: str) -> None:
        """A step begins; the line says which."""

    def advance(self, steps: int) -> None:
        """So many steps are done, by parts that have many short ones."""


@dataclass(frozen=True, slots=True)
class BookTable:
    """A table of text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    of: tuple[str, ...] = ()
    """The tables and figures of the paper that it belongs to, "Table 3.1"; none: it goes beyond the paper."""
    ends: tuple[int, ...] = ()
    """Rows after which a group ends."""
    notes: tuple[str, ...] = ()
    """Lines below the table."""
    differs: str = ""
    """What differs from the paper, and why."""


@dataclass(frozen=True, slots=True)
class BookPicture:
    """A figure in a PNG file."""

    file: str
    """Its name in the part's folder."""
    shows: str
    of: tuple[str, ...] = ()
    """As of a Sheet."""
    published: str = ""
    ours: str = ""
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a part found."""

    sheets: tuple[BookTable, ...]
    pictures: tuple[BookPicture, ...]

    def plain(self) -> dict[str, Any]:
        """Return it as data for JSON."""
        return asdict(self)

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Result:
        """Return what `plain` gave, read from JSON: lists become tuples."""
        sheets = (BookTable(**{name: _frozen(value) for name, value in one.items()}) for one in data["sheets"])
        pictures = (BookPicture(**{name: _frozen(value) for name, value in one.items()}) for one in data["pictures"])
        return cls(tuple(sheets), tuple(pictures))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class BookPart:
    """One experiment: the same function serves its own command and the book."""

    name: str
    title: str
    run: Callable[..., Result]
    """run(folder, watch, **settings) writes CSV and PNG files into the folder."""
    sizes: Mapping[Size, Mapping[str, Any]]
    """Settings by size; plain data, so that they can be compared with saved ones."""

    def settings(self, size: Size) -> dict[str, Any]:
        """Return the settings of a size; "full" where it has no larger one."""
        return dict(self.sizes[size] if size in self.sizes else self.sizes["full"])


@dataclass(frozen=True, slots=True)
class Chapter:
    """A paper, or an application of one."""

    name: str
    """The word of the command line."""
    title: str
    source: str
    """Author, title, year."""
    parts: tuple[BookPart, ...]
    drawings: tuple[tuple[str, str, str], ...] = ()
    """Figures that hold no result, only explain: number, what it shows, which page of our documentation explains the same."""


def compared(title: str, of: Sequence[str], rows: Sequence[tuple[str, str, str, str]], differs: str = "") -> BookTable:
    """Return a table of published results and ours: what, published, ours, ratio."""
    return BookTable(title, ("what", "published", "ours", "published / ours"), tuple(rows), tuple(of), differs=differs)


def numbers(of: Sequence[str]) -> str:
    """Return numbers of tables and figures in words: "Fig. 3.1 to 3.3, Table 3.1"; those that follow each other joined."""
    texts = []
    keyed = [(*_split(one), k) for k, one in enumerate(of)]
    for (kind, chapter, _), group in groupby(keyed, key=lambda one: (one[0], one[1], one[2] - one[3])):
        last = [number for _, _, number, _ in group]
        ends = f"{chapter}{last[0]}" if len(last) == 1 else f"{chapter}{last[0]} to {chapter}{last[-1]}"
        texts.append(f"{kind} {ends}")
    return ", ".join(texts)


def _split(one: str) -> tuple[str, str, int]:
    """Return kind, chapter with its dot, and number: ("Fig.", "3.", 8)."""
    found = re.fullmatch(r"(\S+) (\d+\.)?(\d+)", one)
    assert found is not None, one
    return found[1], found[2] or "", int(found[3])


def figures(first: int, last: int, chapter: str = "") -> tuple[str, ...]:
    """Return the names of figures from first to last, "Fig. 3.1"; chapter: "3."."""
    return tuple(f"Fig. {chapter}{k}" for k in range(first, last + 1))


def ratio(published: float, ours: float) -> str:
    """Return published / ours in three digits."""
    return f"{published / ours:.3g}"
