"""Read rows of numbers, one for each motion, pose or point of a path: .npy, .npz or .csv."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from .arrays import Archive, Check, Header, map_array
from .file_reader import FileReader
from .numbers import NotANumber, line_at, scan

Ones = tuple[tuple[int, ...], ...]
"""Accepted shapes of one row."""

_BOM = b"\xef\xbb\xbf"  # spreadsheets write it before the text


def read_rows(path: Path, ones: Ones, holds: str, *others: str) -> NDArray[Any]:
    """Return the rows of a file, shape (n, ...): an .npy as a memory map, a .csv with three columns.

    holds: what they are. others: further endings that the caller accepts, for the message.
    """
    ending = path.suffix.lower()
    if ending == ".csv":
        return _table(*FileReader().read(path, (".csv",), holds))
    if ending != ".npy" and path.is_file():
        raise InvalidGeometry(f"{path}: accepted endings are {', '.join(('.npy', '.csv', *others))}")
    return map_array(path, holds, _check(ones))


def read_named_rows(path: Path, shapes: Mapping[str, tuple[int, ...]], holds: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file by name. shapes: by name, of a row; an array of this shape is the same in all rows."""
    reader = FileReader()
    archive = Archive(*reader.read(path, (".npz",), holds), reader)
    unknown = [name for name in archive.members if name.removesuffix(".npy") not in shapes]
    if unknown:
        raise InvalidGeometry(f"{path}: holds {checks.listed(unknown)}; accepted: arrays {', '.join(shapes)}")
    return {name: archive.array(name, _check((shapes[name],), alone=True)) for name in archive.arrays}


def _check(ones: Ones, *, alone: bool = False) -> Check:
    """Return a check of an array of rows; alone: whether it may be a single one, without an axis of rows."""
    accepted = " or ".join([str(("n", *one)).replace("'", "") for one in ones])

    def check(header: Header, what: str) -> None:
        if header.shape[1:] not in ones and not (alone and header.shape in ones):
            raise InvalidGeometry(f"{what} has shape {header.shape}; expected {accepted}")
        if header.dtype.kind not in "fiu":
            raise InvalidGeometry(f"{what} has dtype {header.dtype}; expected numbers")

    return check


def _table(file: Path, content: bytes) -> NDArray[np.float64]:
    """Return the rows of a text with three numbers in each line; its first line may name the columns."""
    text = content.removeprefix(_BOM).replace(b",", b" ")
    first, _, rest = text.partition(b"\n")
    if first.strip() and not any(map(_is_number, first.split())):
        text = b"\n" + rest  # line numbers stay
    try:
        found = scan(text)
    except NotANumber as error:
        raise InvalidGeometry(f"{file}: line {line_at(text, error.place)}: {error}") from None
    starts = np.flatnonzero(found.firsts)
    counts = np.diff(starts, append=len(found.values))
    wrong = np.flatnonzero(counts != 3)
    if len(wrong):
        line = line_at(text, int(found.places[starts[wrong[0]]]))
        raise InvalidGeometry(f"{file}: line {line} has {checks.amount(int(counts[wrong[0]]), 'number')}; expected three")
    return found.values.reshape(-1, 3)


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
