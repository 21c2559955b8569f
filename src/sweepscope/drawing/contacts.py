"""Pictures of contacts: the bodies that were asked for as glass, and each contact with its normal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..results.contacts import Contacts
from ..world.surfaces import corners_of
from .canvas import Canvas
from .captions import Name, write_caption
from .framing import outline_points
from .ghosts import lay_over
from .hits import camera_of, hit_colors
from .palette import Ink
from .picture import Picture, to_picture
from .stage import PictureStage

_GLASS = 0.35
_NEAR = 0.4  # part of the other bodies in the frame, relative to the size of the body
_ARROW = 0.11  # length of an arrow, as a share of the picture


def picture_of_contacts(found: Contacts, path: Any, **options: Any) -> Picture:
    """Draw `Contacts.picture`."""
    stage = PictureStage(found.scene, path, **options)
    bodies = list(dict.fromkeys(patch.body for patch in found.patches))
    words = _words(found)
    camera = camera_of(stage, _frame(stage, found, bodies), words)
    usual = hit_colors(stage, bodies, dict.fromkeys(patch.other for patch in found.patches))
    painted = stage.paint(camera, usual, bodies)
    lay_over(painted, stage.arrangement.only(bodies), stage.colors(usual), camera, _GLASS, stage.dark)
    canvas, ink = Canvas(painted.image), Ink(stage.dark)
    scale = max(1.0, stage.size[1] / 600.0)
    for point, normal in zip(found.point, found.normal, strict=True):
        place = camera.project(point)
        if np.isfinite(normal).all():
            canvas.arrow(place, camera.project(point + _ARROW * camera.height * normal), ink.red, 2.5 * scale)
        canvas.disc(place, 5.5 * scale, np.ones(3, np.float32))
        canvas.disc(place, 4.0 * scale, ink.red)
    write_caption(painted.image, words, stage.dark)
    return to_picture(painted.image, path)


def _frame(stage: PictureStage, found: Contacts, bodies: list[Any]) -> NDArray[np.float64]:
    """Return points to frame, shape (n, 3), world: the bodies, and what is near them."""
    if not bodies:
        return stage.subject.points
    every = np.concatenate([*(outline_points(part) for part in stage.arrangement.only(bodies).bodies), found.point])
    low, high = every.min(axis=0), every.max(axis=0)
    wide = _NEAR * float((high - low).max())
    return np.concatenate((every, *(corners_of(*np.clip(each.bounds, low - wide, high + wide)) for each in _others(found))))


def _others(found: Contacts) -> list[Any]:
    return list(dict.fromkeys(patch.other for patch in found.patches))


def _words(found: Contacts) -> list[str]:
    """Return the caption, in parts. Names may be shortened."""
    if not found:
        return ["no contacts"]
    others = _others(found)
    number = f"{len(found)} contact{'s' if len(found) > 1 else ''} of "
    rest = f" and {len(others) - 1} more" if len(others) > 1 else ""
    return [
        number,
        Name(found.patches[0].body.name),
        " with ",
        Name(others[0].name),
        f"{rest}, least gap {found.gap.min():.5g}",
    ]
