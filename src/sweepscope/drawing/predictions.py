"""Pictures of predictions: the bodies where they first meet, the contact and a caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..results import PairContact
from .captions import Name, write_caption
from .hits import camera_of, draw_contact
from .picture import Picture, to_picture
from .stage import PictureStage

if TYPE_CHECKING:
    from ..scene import Scene

_SIZE = (800, 600)


def picture_of_prediction(
    scene: Scene, contacts: Sequence[PairContact], horizon: float, path: Any, size: tuple[int, int] = _SIZE
) -> Picture:
    """Draw the scene, whose bodies are where they are at the time of the first contact, if there is one.

    contacts: all that `Scene.predict` returned. horizon [time]: how far it looked ahead.
    """
    stage = PictureStage(scene, path, size=size)
    words = words_of(contacts, horizon)
    camera = camera_of(stage, stage.subject.points, words)
    painted = stage.paint(camera)
    if contacts:
        draw_contact(painted, contacts[0], camera, stage.dark)
    write_caption(painted.image, words, stage.dark)
    return to_picture(painted.image, path)


def words_of(contacts: Sequence[PairContact], horizon: float) -> list[str]:
    """Return the caption, in parts: the first two bodies that meet, and when. Names may be shortened."""
    if not contacts:
        return [f"no two bodies meet within {horizon:.5g}"]
    first = contacts[0]
    verb = "overlap" if first.overlapping else "touch" if first.time == 0.0 else "meet"
    when = "now" if first.overlapping or first.time == 0.0 else f"at time {first.time:.5g}"
    among = f", first of {len(contacts)} pairs" if len(contacts) > 1 else ""
    return [Name(first.first.name), " and ", Name(first.second.name), f" {verb} {when}{among}"]
