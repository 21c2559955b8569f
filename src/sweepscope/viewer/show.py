"""Opens the page of a scene, a hit or a robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..motion import Motion
from ..queries.view import checked_pixels
from ..renderers import register
from ..results import Hit, Method
from ..results.images import METHODS
from ..robot.robot import Robot
from ..scene import Scene, store_of
from ..world.body import Body, entry_of
from .serving import LOCAL, PORT

if TYPE_CHECKING:
    from .page import Page


def show(
    what: Scene | Hit | Robot,
    mover: Body | Sequence[Body] | None = None,
    motion: Motion | None = None,
    *,
    host: str = LOCAL,
    port: int = PORT,
    browser: bool = True,
    dark: bool | None = None,
    once: bool = False,
    visuals: Mapping[str, Robot] | None = None,
    sweep_all: bool = False,
    margin: float = 0.0,
    resting: Literal["free", "hit"] = "free",
    pixels: tuple[int, int] | int | None = None,
    method: Method = "sampled",
) -> Page:
    """Return the page of a scene, of a hit or of a robot; it is served when this returns.

    mover, motion: the question to start with; a hit has its own. By default the smallest body is pushed down, if there are no
    robots and no volumes. margin, resting: as in `Scene.sweep`.
    host, port: where it is served, by default to this machine only; if the port is taken, on the next free one. browser:
    whether to open it. dark: dark or light colors; None: as the visitor's system. once: whether `page.wait` ends when the last
    visitor has left.
    visuals: robots with visual shapes, by the name of the robot that they are drawn for. sweep_all: start with bars of the free
    travel of each joint. pixels: (columns, rows) of the radar's pictures, or one number for both; if given, they are drawn from
    the start. method: as for `Radar`.
    """
    from .page import Options, Page
    from .question import Asked

    gap = checks.length(margin, "margin", InvalidQuery)
    checks.choice(resting, "resting", ("free", "hit"))
    checks.choice(method, "method", METHODS)
    size = None if pixels is None else checked_pixels(pixels)
    options = Options(host, port, browser, dark, once, visuals or {}, sweep_all, size, method)
    if isinstance(what, Hit):
        movers = () if what.motion is None else what.movers  # several joints are not a single motion
        robot = what.mover.scene.robots.get(entry_of(what.mover).holder)
        subject = () if robot is None else robot.bodies
        return Page(what.mover.scene, Asked(movers, what.motion, gap, resting, what, subject), options)
    if not isinstance(what, (Scene, Robot)):
        raise InvalidType(f"show: expected a Scene, a Hit or a Robot, got {checks.shown(what)}")
    scene = what if isinstance(what, Scene) else what.scene
    if motion is not None and not isinstance(motion, Motion):
        raise InvalidType(f"motion: expected a Translate, Rotate or Screw, got {checks.shown(motion)}")
    given = () if mover is None else tuple(entry.body for entry in store_of(scene).check_movers(mover))
    subject = what.bodies if isinstance(what, Robot) else ()
    return Page(scene, Asked(given, motion, gap, resting, None, subject), options)


register(page=show)
