"""Says how scenes and results are drawn. What draws them is imported when something is drawn: `import sweepscope` is quick."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..renderers import register


def _later(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module of this room that is imported at the first call."""

    def call(*given: Any, **options: Any) -> Any:
        return getattr(import_module(f".{module}", __package__), name)(*given, **options)

    return call


register(
    scene=_later("stage", "picture_of_scene"),
    robot=_later("stage", "picture_of_robot"),
    hit=_later("hits", "picture_of_hit"),
    slide=_later("slides", "picture_of_slide"),
    reading=_later("scopes", "picture_of_reading"),
    sighting=_later("scopes", "picture_of_sighting"),
    overlap=_later("overlaps", "picture_of_overlap"),
    animate_motion=_later("motions", "animate_motion"),
    animate_hit=_later("motions", "animate_hit"),
    animate_robot=_later("motions", "animate_robot"),
)
