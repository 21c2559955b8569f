"""Registers the renderers of scenes and results. Their modules are imported at the first picture."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..renderers import register


def _lazy(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module in `drawing`, which is imported at the first call."""

    def call(*given: Any, **options: Any) -> Any:
        return getattr(import_module(f".{module}", __package__), name)(*given, **options)

    return call


register(
    scene=_lazy("stage", "picture_of_scene"),
    robot=_lazy("stage", "picture_of_robot"),
    hit=_lazy("hits", "picture_of_hit"),
    slide=_lazy("slides", "picture_of_slide"),
    sweep_all=_lazy("passages", "picture_of_passages"),
    reading=_lazy("scopes", "picture_of_reading"),
    image_reading=_lazy("scopes", "picture_of_images"),
    sighting=_lazy("scopes", "picture_of_sighting"),
    overlap=_lazy("overlaps", "picture_of_overlap"),
    volume=_lazy("volumes", "picture_of_volume"),
    pair_distance=_lazy("distances", "picture_of_distance"),
    contacts=_lazy("contacts", "picture_of_contacts"),
    animate_motion=_lazy("motions", "animate_motion"),
    animate_hit=_lazy("motions", "animate_hit"),
    animate_robot=_lazy("motions", "animate_robot"),
    animate_path=_lazy("robot_paths", "animate_path"),
    plan=_lazy("robot_paths", "picture_of_plan"),
)
