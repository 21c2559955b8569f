"""How robots are saved. Their room lies above this one, so it says here how they are described and made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..world.body import Entry
    from ..world.store import Store
    from .fields import Fields


class Registration(NamedTuple):
    """How robots become descriptions, and descriptions robots."""

    describe: Callable[[Any, Mapping[int, int]], dict[str, Any]]
    """Returns a robot as plain values; gets the place of each body in the file, by id."""
    restore: Callable[[Store, Fields, Sequence[Entry]], None]
    """Makes a robot of bodies that are in the store already, in the order of the file."""


_registered: list[Registration] = []


def register(registration: Registration) -> None:
    """Set how robots are saved."""
    _registered[:] = [registration]


def registration() -> Registration:
    """Return how robots are saved."""
    return _registered[0]
