"""JSON of untrusted files: every value is checked for its type where it is taken, and a fault says where it lies."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from .. import checks
from ..errors import InvalidGeometry
from .file_reader import FileReader

_TAKES = {b"{": 200, b"[": 64, b",": 40}
"""What a character of JSON takes in memory as Python's objects, about [bytes]."""
_MOST = 2**53
"""Largest whole number that all writers of JSON agree on."""
_LARGEST = sys.float_info.max


class JsonTree:
    """JSON of a file, an object whose lists hold all others; they refer to each other by index."""

    def __init__(self, reader: FileReader, file: Path, content: bytes) -> None:
        self.file = file
        values = _parsed(reader, file, content)
        if type(values) is not dict:
            raise InvalidGeometry(f"{file}: its JSON is {checks.shown(values)}; expected an object")
        self.root = Item(self, "", values)
        self._lists: dict[str, list[Any]] = {}

    def size(self, kind: str) -> int:
        """Return the length of a list such as "nodes"; 0 if there is none."""
        return len(self._all(kind))

    def at(self, kind: str, index: int, user: str = "") -> Item:
        """Return an object of a list, by an index that is in range; user: where it is used, to be named with its faults."""
        where = f"{user}: {kind}[{index}]" if user else f"{kind}[{index}]"
        return self.root.checked(self._all(kind)[index], where)

    def _all(self, kind: str) -> list[Any]:
        if kind not in self._lists:
            self._lists[kind] = self.root.members(kind)
        return self._lists[kind]


@dataclass(frozen=True, slots=True)
class Item:
    """An object of the JSON, and where it lies."""

    tree: JsonTree
    where: str
    values: dict[str, Any]

    def fault(self, text: str) -> InvalidGeometry:
        """Return an error that names the file and this object."""
        return InvalidGeometry(f"{self.tree.file}: {self.where}: {text}" if self.where else f"{self.tree.file}: {text}")

    def has(self, key: str) -> bool:
        """True if the object has this key."""
        return key in self.values

    def checked(self, value: Any, where: str) -> Item:
        """Return a value as an object."""
        if type(value) is not dict:
            raise InvalidGeometry(f"{self.tree.file}: {where} is {checks.shown(value)}; expected an object")
        return Item(self.tree, where, value)

    def child(self, key: str) -> Item | None:
        """Return an object below this one; None if there is none."""
        if key not in self.values:
            return None
        return self.checked(self.values[key], self.place(key))

    def members(self, key: str) -> list[Any]:
        """Return a list; an empty one if there is none."""
        values = self.values.get(key, [])
        if type(values) is not list:
            raise self.fault(f"{key} is {checks.shown(values)}; expected a list")
        return values

    def children(self, key: str) -> list[Item]:
        """Return a list of objects; an empty one if there is none."""
        place = self.place(key)
        return [self.checked(value, f"{place}[{k}]") for k, value in enumerate(self.members(key))]

    def whole(self, key: str, otherwise: int | None = None) -> int:
        """Return a whole number from 0; otherwise: if there is no such key, None if there must be."""
        value = self.values.get(key, otherwise)
        # A bool is not accepted as a number, and a longer number could not be printed in an error.
        if type(value) is not int or not 0 <= value <= _MOST:
            found = f"{key} is {checks.shown(value)}" if key in self.values else f"has no {key}"
            raise self.fault(f"{found}; expected a whole number from 0")
        return value

    def index(self, key: str, kind: str) -> int | None:
        """Return an index of a list of the file, such as "meshes"; None if there is no such key."""
        if key not in self.values:
            return None
        return self.ranged(self.values[key], key, kind)

    def indices(self, key: str, kind: str) -> list[int]:
        """Return a list of indices of a list of the file; an empty one if there is no such key."""
        return [self.ranged(value, f"{key}[{k}]", kind) for k, value in enumerate(self.members(key))]

    def ranged(self, value: Any, name: str, kind: str) -> int:
        """Return a value as an index of a list of the file."""
        size = self.tree.size(kind)
        if type(value) is not int or not 0 <= value < size:
            accepted = f"0 to {size - 1}, as the file has {size} {kind}" if size else f"none, as the file has no {kind}"
            raise self.fault(f"{name} is {checks.shown(value)}; accepted: {accepted}")
        return value

    def flag(self, key: str, otherwise: bool) -> bool:
        """Return true or false; otherwise: if there is no such key."""
        value = self.values.get(key, otherwise)
        if type(value) is not bool:
            raise self.fault(f"{key} is {checks.shown(value)}; expected true or false")
        return value

    def text(self, key: str) -> str | None:
        """Return a text; None if there is no such key."""
        value = self.values.get(key)
        if key in self.values and type(value) is not str:
            raise self.fault(f"{key} is {checks.shown(value)}; expected a str")
        return value

    def numbers(self, key: str, count: int | None = None) -> list[float] | None:
        """Return finite numbers, `count` of them; None if there is no such key."""
        if key not in self.values:
            return None
        values = self.members(key)
        # Whole numbers may be too large for a float: they are compared first. NaN compares false.
        fine = all((type(v) is float or type(v) is int) and -_LARGEST <= v <= _LARGEST for v in values)
        if not fine or (count is not None and len(values) != count):
            expected = "finite numbers" if count is None else f"{count} finite numbers"
            raise self.fault(f"{key} is {checks.shown(values)}; expected {expected}")
        return [float(v) for v in values]

    def place(self, key: str) -> str:
        """Return where the value of a key lies."""
        return f"{self.where}.{key}" if self.where else key


def _parsed(reader: FileReader, file: Path, content: bytes) -> Any:
    takes = sum(size * content.count(mark) for mark, size in _TAKES.items())
    reader.unfold(takes, f"{file}: its JSON")
    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} is {content[error.start]:#x}"
        raise InvalidGeometry(f"{file}: its JSON is not valid UTF-8 text: {reason}; save it as UTF-8") from None
    except RecursionError:
        raise InvalidGeometry(f"{file}: its JSON is nested too deep") from None
    except ValueError as error:  # a number of thousands of digits is one as well
        raise InvalidGeometry(f"{file}: its JSON cannot be read: {error}") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")
