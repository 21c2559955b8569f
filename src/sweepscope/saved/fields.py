"""Fields: a description that was read from a file, of which nothing is known yet. Each value is checked as it is taken."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry

_NONE = object()


class Fields:
    """A JSON object; where: its place in the description, as "bodies[3]"."""

    __slots__ = ("_values", "where")

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise InvalidGeometry(f"{where or 'scene.json'}: expected an object, got {checks.shown(value)}")
        self._values = value
        self.where = where

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def place(self, name: str) -> str:
        """Return the place of a value, for an error message."""
        return f"{self.where}.{name}" if self.where else name

    def value(self, name: str, otherwise: Any = _NONE) -> Any:
        """Return a value as it is; otherwise: if there is none, or null."""
        found = self._values.get(name)
        if found is not None:
            return found
        if otherwise is _NONE:
            raise InvalidGeometry(f"{self.place(name)} is missing")
        return otherwise

    def text(self, name: str) -> str:
        """Return a text."""
        found = self.value(name)
        if not isinstance(found, str):
            raise InvalidGeometry(f"{self.place(name)}: expected a str, got {checks.shown(found)}")
        return found

    def whole(self, name: str, below: int) -> int:
        """Return a whole number from 0 to one less than `below`."""
        return whole(self.value(name), self.place(name), below)

    def wholes(self, name: str, below: int) -> list[int]:
        """Return different whole numbers from 0 to one less than `below`."""
        found = [whole(each, f"{self.place(name)}[{k}]", below) for k, each in enumerate(self.items(name))]
        if len(set(found)) < len(found):
            raise InvalidGeometry(f"{self.place(name)}: has a number twice")
        return found

    def items(self, name: str) -> list[Any]:
        """Return a list; none is an empty one."""
        found = self.value(name, [])
        if not isinstance(found, list):
            raise InvalidGeometry(f"{self.place(name)}: expected a list, got {checks.shown(found)}")
        return found

    def objects(self, name: str) -> list[Fields]:
        """Return a list of objects; none is an empty one."""
        return [Fields(each, f"{self.place(name)}[{k}]") for k, each in enumerate(self.items(name))]

    def pose(self, name: str) -> NDArray[np.float64]:
        """Return a pose, shape (4, 4)."""
        return checks.given_pose(self.value(name), self.place(name))


def whole(value: Any, where: str, below: int) -> int:
    """Return a whole number from 0 to one less than `below`."""
    if type(value) is not int or not 0 <= value < below:
        raise InvalidGeometry(f"{where} is {checks.shown(value)}; expected a whole number from 0 to {below - 1}")
    return value
