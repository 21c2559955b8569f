"""Says how scenes and results are drawn. What draws them is imported when something is drawn: `import sweepscope` is quick."""

from __future__ import annotations

from typing import Any

from ..shown import register
from .picture import Picture


def _scene(*given: Any, **options: Any) -> Picture:
    from .stage import picture_of_scene

    return picture_of_scene(*given, **options)


def _robot(*given: Any, **options: Any) -> Picture:
    from .stage import picture_of_robot

    return picture_of_robot(*given, **options)


def _hit(*given: Any, **options: Any) -> Picture:
    from .hits import picture_of_hit

    return picture_of_hit(*given, **options)


def _reading(*given: Any, **options: Any) -> Picture:
    from .scopes import picture_of_reading

    return picture_of_reading(*given, **options)


def _sighting(*given: Any, **options: Any) -> Picture:
    from .scopes import picture_of_sighting

    return picture_of_sighting(*given, **options)


def _overlap(*given: Any, **options: Any) -> Picture:
    from .overlaps import picture_of_overlap

    return picture_of_overlap(*given, **options)


def _animate_motion(*given: Any, **options: Any) -> None:
    from .motions import animate_motion

    animate_motion(*given, **options)


def _animate_hit(*given: Any, **options: Any) -> None:
    from .motions import animate_hit

    animate_hit(*given, **options)


register(
    scene=_scene,
    hit=_hit,
    reading=_reading,
    sighting=_sighting,
    overlap=_overlap,
    robot=_robot,
    animate_motion=_animate_motion,
    animate_hit=_animate_hit,
)
