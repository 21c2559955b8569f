"""How things are shown. Rooms that draw and show lie above scenes and results, so they say here how it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

_ways: dict[str, Callable[..., Any]] = {}


def register(**ways: Callable[..., Any]) -> None:
    """Set how things are shown: functions of the thing, and of the arguments of its method.

    scene, hit, reading, sighting, overlap, robot: return a Picture of it; animate_motion, animate_hit: write a GIF file; page:
    returns a page in the browser, of whatever can be shown.
    """
    _ways.update(ways)


def way(kind: str) -> Callable[..., Any]:
    """Return how a kind of thing is shown."""
    return _ways[kind]


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
