"""Colors that people with every kind of color vision can tell apart; depths in colors."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..drawing import palette

Rgb = tuple[int, int, int]

# Okabe and Ito: bluish green, orange, reddish purple, yellow; and a gray. Their blues are left out: the mover is blue.
BODIES: tuple[Rgb, ...] = ((0, 158, 115), (230, 159, 0), (204, 121, 167), (240, 228, 66), (150, 150, 150))
"""Colors of bodies, in the order of their ids."""
CONTACT: Rgb = (213, 94, 0)
"""Vermilion: what touches. No body has it."""
MOTION: Rgb = tuple(round(255.0 * float(part)) for part in palette.MOVER)  # type: ignore[assignment]
"""Blue, as in pictures: the mover, and its motion: ghosts, paths, free travel. No other body has it."""

# Cividis (Nunez, Anderton, Renslow 2018) at nine places: as bright with every kind of color vision; near is yellow.
_CIVIDIS = np.array(
    [(0, 34, 78), (18, 53, 112), (59, 73, 108), (87, 93, 109), (112, 113, 115), (138, 134, 120), (165, 156, 116),
     (195, 179, 105), (254, 232, 56)],
    np.float64,
)  # fmt: skip
_NOTHING: Rgb = (235, 235, 235)


def body_color(number: int, *, lit: bool = False, mover: bool = False) -> Rgb:
    """Return the color of the body with this id. lit: it touches something. mover: it moves in the question."""
    return CONTACT if lit else MOTION if mover else BODIES[number % len(BODIES)]


def hexadecimal(color: Rgb) -> str:
    """Return a color as #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def depths(image: NDArray[np.float64], seen: NDArray[np.bool_], width: int) -> NDArray[np.uint8]:
    """Return depths, shape (rows, columns), in colors, near yellow, shape (rows k, columns k, 3), at least `width` wide.

    seen: where there is a depth; other pixels are gray.
    """
    picture = np.full((*image.shape, 3), _NOTHING, np.uint8)
    if seen.any():
        values = image[seen]
        low, high = float(values.min()), float(values.max())
        place = (high - values) / (high - low) if high > low else np.ones(len(values))
        steps = place * (len(_CIVIDIS) - 1)
        picture[seen] = np.stack([np.interp(steps, np.arange(len(_CIVIDIS)), row) for row in _CIVIDIS.T], axis=1).astype(
            np.uint8
        )
    return _enlarged(picture, width)


def names(ids: NDArray[np.int32], lit: Iterable[int], width: int) -> NDArray[np.uint8]:
    """Return ids of bodies, shape (rows, columns), -1 for none, in the colors of the bodies; enlarged as in `depths`.

    lit: ids of bodies that touch.
    """
    table = np.array([*BODIES, _NOTHING], np.uint8)
    picture = table[np.where(ids < 0, len(BODIES), ids % len(BODIES))]
    picture[np.isin(ids, list(lit))] = CONTACT
    return _enlarged(picture, width)


def _enlarged(picture: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    """Repeat pixels, so that the browser does not blur them."""
    times = max(1, -(-width // picture.shape[1]))
    return np.repeat(np.repeat(picture, times, axis=0), times, axis=1)
