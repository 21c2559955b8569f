"""The palette: colors of bodies, depths, paper and ink. Pictures and the page in the browser take their colors from here."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..scene import store_of
from ..world.body import Body

if TYPE_CHECKING:
    from ..scene import Scene
    from .arrangement import Placed

Color = str | tuple[float, float, float] | list[float] | NDArray[np.float64]
"""'#rrggbb', or red, green and blue, 0 to 1."""
Colors = Mapping[Body, Color] | Mapping[str, Color] | Mapping[Body | str, Color]
"""Colors of bodies, or of bodies by name."""
Rgb = NDArray[np.floating[Any]]

_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def rgb(text: str) -> Rgb:
    """Return '#rrggbb' as three numbers, 0 to 1."""
    return np.array([int(text[k : k + 2], 16) for k in (1, 3, 5)], np.float32) / np.float32(255.0)


MOVER = rgb("#3f8fca")
"""Blue: the mover, its ghosts and its motion."""
OBSTACLE = rgb("#e8a33d")
"""Orange: the body that is hit."""
OBSTACLE_FLOOR = rgb("#e9dcc3")
"""Pale orange: an obstacle that fills the background, where the full color would be too strong."""
RED = rgb("#d8352a")
"""Contacts, their normals, and the common part of two volumes."""
OTHER = rgb("#aab3bd")
"""Gray: bodies that have no part in a hit."""
GRAY = rgb("#c3c7cd")
"""Floors and walls."""
DARK_GRAY = rgb("#6d747e")
"""Floors and walls on a dark background."""
# Okabe and Ito (2008): distinct with every kind of color vision. Their black is left out, and yellow is darker.
BODIES = (MOVER, OBSTACLE, *map(rgb, ("#3aa884", "#cf7fae", "#74bde6", "#d9713c", "#d9c545", "#8f86c9")))
"""Colors of bodies in a scene, in turn."""


class Ink:
    """Colors of paper, text and lines, for a light or a dark picture."""

    __slots__ = ("faint", "line", "paper", "paper_low", "red", "text")

    def __init__(self, dark: bool) -> None:
        names = ("paper", "paper_low", "text", "faint", "line", "red")
        light = ("#fbfcfd", "#e6eaef", "#232b36", "#6c7683", "#1d242e", "#d8352a")
        night = ("#262c35", "#12151a", "#eef1f5", "#97a1ae", "#06080a", "#ff5b4d")
        for name, text in zip(names, night if dark else light, strict=True):
            setattr(self, name, rgb(text))

    paper: Rgb
    """At the top of the picture."""
    paper_low: Rgb
    """At the bottom."""
    text: Rgb
    faint: Rgb
    line: Rgb
    """Outlines."""
    red: Rgb


# Viridis (van der Walt and Smith, 2015) at ten steps: its lightness grows evenly.
_DEPTHS = np.array(
    [
        rgb(text)
        for text in (
            "#440154",
            "#482878",
            "#3e4a89",
            "#31688e",
            "#26828e",
            "#1f9e89",
            "#35b779",
            "#6dcd59",
            "#b4de2c",
            "#fde725",
        )
    ]
)


def depth_colors(shares: NDArray[np.floating[Any]]) -> Rgb:
    """Return colors of fractions, 0 (near: light) to 1 (far: dark), shape (..., 3)."""
    place = (1.0 - np.clip(shares, 0.0, 1.0)) * (len(_DEPTHS) - 1)
    low = np.minimum(place.astype(np.int64), len(_DEPTHS) - 2)
    part = (place - low)[..., None].astype(np.float32)
    return _DEPTHS[low] * (1.0 - part) + _DEPTHS[low + 1] * part


def checked_color(value: Any, name: str) -> Rgb:
    """Return a given color as three numbers, 0 to 1, checked."""
    if isinstance(value, str):
        if not _HEX.fullmatch(value):
            raise InvalidQuery(f"{name} is {checks.shown(value)}; accepted: '#rrggbb', or three numbers 0 to 1")
        return rgb(value)
    try:
        three = checks.vector(tuple(value) if isinstance(value, np.ndarray) else value, name, InvalidQuery)
    except TypeError:
        raise InvalidType(f"{name}: expected '#rrggbb', or three numbers 0 to 1, got {checks.shown(value)}") from None
    if not all(0.0 <= part <= 1.0 for part in three):
        raise InvalidQuery(f"{name} is {checks.shown(value)}; accepted: '#rrggbb', or three numbers 0 to 1")
    return np.array(three, np.float32)


def checked_colors(scene: Scene, colors: Any) -> dict[int, Rgb]:
    """Return the given colors by id of the body, checked."""
    if colors is None:
        return {}
    if not isinstance(colors, Mapping):
        raise InvalidType(f"colors: expected a mapping of bodies or names to colors, got {checks.shown(colors)}")
    found = {}
    for key, value in colors.items():
        body = scene[key] if isinstance(key, str) else store_of(scene).check(key, "colors").body
        found[body.id] = checked_color(value, f"colors[{checks.shown(key)}]")
    return found


def body_colors(bodies: Iterable[Body | Placed], backdrop: Collection[int], dark: bool) -> dict[int, Rgb]:
    """Return the default colors by id: gray for floors and walls, those of `BODIES` in turn for others. backdrop: ids."""
    found, k = {}, 0
    for body in bodies:
        if body.id in backdrop:
            found[body.id] = DARK_GRAY if dark else GRAY
        else:
            found[body.id] = BODIES[k % len(BODIES)]
            k += 1
    return found
