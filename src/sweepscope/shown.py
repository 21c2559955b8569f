"""How things are drawn. The room of pictures lies above scenes and results, so it says here how it draws them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .drawing.picture import Picture


class Way(NamedTuple):
    """How each kind of thing is drawn: functions of the thing, and of the arguments of its method."""

    scene: Callable[..., Picture]
    hit: Callable[..., Picture]
    reading: Callable[..., Picture]
    sighting: Callable[..., Picture]
    overlap: Callable[..., Picture]
    robot: Callable[..., Picture]
    animate_motion: Callable[..., None]
    animate_hit: Callable[..., None]


_ways: list[Way] = []


def register(way: Way) -> None:
    """Set how things are drawn."""
    _ways[:] = [way]


def way() -> Way:
    """Return how things are drawn."""
    return _ways[0]


class Drawable:
    """Base of what has a `picture` method: notebooks show it."""

    __slots__ = ()

    small = (480, 360)
    """Columns and rows of the picture in a notebook."""

    if TYPE_CHECKING:
        picture: Any

    def _repr_png_(self) -> bytes | None:
        """Return a small picture for notebooks; None if it cannot be drawn."""
        try:
            return self.picture(size=self.small).png()
        except Exception:  # a notebook shows the text instead
            return None
