"""Pictures of everything on the way: the mover at its start, ghosts at each contact and at the end, and every contact."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..results import SweepAllResult
from .arrangement import arrange_at
from .as_found import as_found
from .captions import Name, write_caption
from .framing import outline_points
from .ghosts import lay_over
from .glass import glass_of, movers_in_front
from .hits import camera_of, draw_contact, hit_colors
from .picture import Picture, to_picture
from .stage import PictureStage

_MOST_GHOSTS = 12
_NAMED = 3  # obstacles in the caption


def picture_of_passages(result: SweepAllResult, path: Any, **options: Any) -> Picture:
    """Draw `SweepAllResult.picture`."""
    start = as_found(result)
    scene = result.movers[0].scene
    stage = PictureStage(scene, path, start=start, **options)
    movers = [body for body in result.movers if not body.shape.empty]
    hits = list(result.hits)
    times = [*dict.fromkeys(hit.time for hit in hits[:_MOST_GHOSTS]), 1.0]
    ghosts = [arrange_at(scene, movers, [result.motion.at(time) @ start[body] for body in movers]) for time in (0.0, *times)]
    words = words_of(result)
    places = [outline_points(body) for each in ghosts for body in each.bodies] or [stage.subject.points]
    camera = camera_of(stage, np.concatenate([*places, *(hit.point[None] for hit in hits)]), words)
    usual = hit_colors(stage, result.movers, result.obstacles)
    home = [start[body] for body in movers]
    there = [(hit.point, [result.motion.at(hit.time) @ start[body] for body in movers]) for hit in hits]
    glass = glass_of(stage, camera, movers, home, there)
    glass += movers_in_front(camera, movers, home, [hit.point for hit in hits])
    painted = stage.paint(camera, usual, glass)
    colors = stage.colors(usual)
    for time, each in zip(times, ghosts[1:], strict=True):
        if time > 0.0:
            lay_over(painted, each, colors, camera, 0.15 if time == 1.0 else 0.45, stage.dark)
    lay_over(painted, stage.arrangement.only(glass), colors, camera, 0.4, stage.dark)
    for hit in hits:
        draw_contact(painted, hit, camera, stage.dark)
    write_caption(painted.image, words, stage.dark)
    return to_picture(painted.image, path)


def words_of(result: SweepAllResult) -> list[str]:
    """Return the caption, in parts: mover and obstacles. Names may be shortened."""
    named = [Name(body.name) for body in result.obstacles[:_NAMED]]
    if not named:
        return [Name(result.movers[0].name), " meets nothing"]
    more = len(result) - len(named)
    listed = [part for name in named for part in (", ", name)][1:]
    return [Name(result.movers[0].name), " meets ", *listed, f" and {more} more" if more else ""]
