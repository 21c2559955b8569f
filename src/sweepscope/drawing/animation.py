"""Animated GIF files. They need Pillow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import checks
from ..errors import InaccessibleFile, InvalidQuery, InvalidType, MissingPackage
from .picture import Picture, checked_path

_FASTEST = 0.02  # seconds: players slow down shorter frames
_COLORS = 256


def need_pillow() -> None:
    """Raise if Pillow is missing. Called before anything is drawn."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise MissingPackage('animations need Pillow: pip install "sweepscope[pictures]"', name="PIL") from None


def animate(frames: Iterable[Picture], path: Any, *, seconds: float = 3.0, hold: float = 1.0) -> int:
    """Write pictures of one size as an animated GIF that repeats. Return the number of pictures.

    path: *.gif. seconds: how long all pictures take. hold [seconds]: how much longer the last one stays.
    """
    file = checked_path(path, ".gif")
    length, rest = (checks.length(value, name, InvalidQuery) for value, name in ((seconds, "seconds"), (hold, "hold")))
    need_pillow()
    from PIL import Image

    given: list[Picture] = []
    for k, frame in enumerate(frames):
        if not isinstance(frame, Picture):
            raise InvalidType(f"frames[{k}]: expected a Picture, got {checks.shown(frame)}")
        given.append(frame)
        if frame.pixels.shape != given[0].pixels.shape:
            raise InvalidQuery(f"frames[{k}] is {frame}; all must be as large as the first, {given[0]}")
    if not given:
        raise InvalidQuery("frames: expected at least one picture, got none")
    # One palette for all frames, so that colors do not flicker. It includes the last frame, which has the marks.
    some = np.concatenate([given[k].pixels for k in sorted({0, len(given) // 2, len(given) - 1})])
    palette = Image.fromarray(some).quantize(_COLORS, method=Image.Quantize.FASTOCTREE)
    images = [Image.fromarray(each.pixels).quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG) for each in given]
    each = max(_FASTEST, length / len(images))
    times = [round(1000 * each)] * len(images)
    times[-1] += round(1000 * rest)
    try:
        images[0].save(file, save_all=True, append_images=images[1:], duration=times, loop=0, optimize=False, disposal=1)
    except OSError as error:
        raise InaccessibleFile(f"path: {file} cannot be written: {error.strerror}") from None
    return len(images)
