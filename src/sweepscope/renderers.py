"""How things are shown. Rooms that draw and show lie above scenes and results, so they say here how it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypedDict

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import ArrayLike

    from .drawing.palette import Colors
    from .drawing.picture import Picture
    from .results import Method
    from .robot.robot import Robot
    from .world.body import Body

_renderers: dict[str, Callable[..., Any]] = {}


def register(**renderers: Callable[..., Any]) -> None:
    """Set how things are shown: functions of the thing, and of the arguments of its method.

    scene, hit, slide, sweep_all, reading, image_reading, sighting, overlap, volume, pair_distance, contacts, robot, plan:
    return a Picture; animate_motion, animate_hit, animate_robot, animate_path: write a GIF file; page: returns a page in the
    browser, of whatever can be shown.
    """
    _renderers.update(renderers)


def renderer_for(kind: str) -> Callable[..., Any]:
    """Return how a kind of thing is shown."""
    return _renderers[kind]


class PictureOptions(TypedDict, total=False):
    """How pictures of a scene are drawn, besides their size: see `Pictured.picture`."""

    eye: ArrayLike | None
    target: ArrayLike | None
    up: ArrayLike | None
    colors: Colors | None
    dark: bool
    ignore: Iterable[Body]


class PageOptions(TypedDict, total=False):
    """How a page begins and where it is served: docs/viewer.md."""

    host: str
    port: int
    browser: bool
    dark: bool | None
    once: bool
    visuals: Mapping[str, Robot] | None
    sweep_all: bool
    margin: float
    resting: Literal["free", "hit"]
    pixels: tuple[int, int] | int | None
    method: Method


class Drawable:
    """Base of what has a `picture` method: notebooks show it."""

    __slots__ = ()

    _small = (480, 360)
    """Columns and rows of the picture in a notebook."""

    if TYPE_CHECKING:
        picture: Any

    def _repr_png_(self) -> bytes | None:
        """Return a small picture for notebooks; None if it cannot be drawn."""
        try:
            return self.picture(size=self._small).png()
        except Exception:  # a notebook shows the text instead
            return None


class Pictured(Drawable):
    """Base of what is drawn in its scene: scenes, hits, slides, robots and plans."""

    __slots__ = ()

    _drawn_as: ClassVar[str]
    """Its kind, as in `register`."""

    def picture(
        self,
        path: str | PathLike[str] | None = None,
        *,
        eye: ArrayLike | None = None,
        target: ArrayLike | None = None,
        up: ArrayLike | None = None,
        size: tuple[int, int] = (800, 600),
        colors: Colors | None = None,
        dark: bool = False,
        ignore: Iterable[Body] = (),
    ) -> Picture:
        """Draw it, with shadows and outlines, through parallel rays. Save it if a path, *.png, is given.

        eye [length], world: where the camera is; nothing behind it is seen, and the picture is 0.8 of its distance from the
        target high. By default it looks from the front, the left and above, and frames what matters by itself: floors and
        walls fill the background, and what is far away from all else is left out. target [length]: the middle of the picture.
        up: the upward direction. size: (columns, rows). colors: of bodies, or of their names: '#rrggbb', or three numbers 0
        to 1. dark: dark background. ignore: bodies to leave out. See docs/pictures.md.
        """
        options = {"eye": eye, "target": target, "up": up, "size": size, "colors": colors, "dark": dark, "ignore": ignore}
        return renderer_for(self._drawn_as)(self, path, **options)
