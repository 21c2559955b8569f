"""How scenes, hits and robots get a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InvalidQuery
from ..results import Hit
from ..robot.robot import Robot
from ..scene import Scene
from ..shown import register

if TYPE_CHECKING:
    from ..motion import Motion
    from ..world.body import Body
    from .page import Page


def show(what: Scene | Hit | Robot, mover: Body | None = None, motion: Motion | None = None, **options: Any) -> Page:
    """Return the page of a scene, of a hit or of a robot; it is served when this returns. Options as for `Page`."""
    from .page import Page

    if isinstance(what, Hit):
        page = Page(what.mover.scene, mover=what.mover, motion=what.motion, **options)
        if what.motion is None or len(what.movers) > 1:
            page.mark(what)
        return page
    if isinstance(what, (Scene, Robot)):
        return Page(what if isinstance(what, Scene) else what.scene, mover=mover, motion=motion, **options)
    raise InvalidQuery(f"show: expected a Scene, a Hit or a Robot, got {what!r}")


register(page=show)
