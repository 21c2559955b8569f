"""Motions on the command line."""

from __future__ import annotations

import math

from ..errors import InvalidMotion
from ..motion import Motion, Rotate, Screw, Translate
from .options import Triple


def motion_of(move: Triple | None, axis: Triple | None, degrees: float | None, about: Triple | None, slide: float) -> Motion:
    """Return the motion that the options describe: straight by `move`, or about an axis."""
    named = (("--move", move), ("--axis", axis), ("--angle", degrees), ("--about", about), ("--slide", slide or None))
    given = [name for name, value in named if value is not None]
    if given == ["--move"] and move is not None:
        return Translate(move)
    if move is not None or axis is None or degrees is None:
        text = " and ".join(given) or "no motion"
        raise InvalidMotion(f"given: {text}; accepted: --move X Y Z, or --axis X Y Z with --angle DEGREES [--about, --slide]")
    center = (0.0, 0.0, 0.0) if about is None else about
    if slide == 0.0:
        return Rotate(axis, math.radians(degrees), about=center)
    return Screw(axis, math.radians(degrees), slide=slide, about=center)


def amount(motion: Motion, fraction: float, digits: int = 9) -> str:
    """Return the size of a fraction of a motion, as a text."""
    if not motion.turns:
        return f"{fraction * motion.length:.{digits}g}"
    return f"{math.degrees(fraction * motion.length):.{digits}g} deg"
