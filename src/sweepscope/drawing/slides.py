"""Pictures of slides: the mover at its start, ghosts at the ends of the legs, the path of its middle, every contact."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Translate
from ..results import SlideResult
from .arrangement import arrange_at
from .as_found import as_found
from .camera import Camera
from .canvas import Canvas
from .captions import Name, write_caption
from .framing import outline_points
from .ghosts import lay_over
from .glass import glass_of, movers_in_front
from .hits import camera_of, draw_contact, hit_colors
from .paint import PaintedImage
from .palette import Ink
from .picture import Picture, to_picture
from .stage import PictureStage

_Array = NDArray[np.float64]


def picture_of_slide(slide: SlideResult, path: Any, **options: Any) -> Picture:
    """Draw `SlideResult.picture`."""
    start = as_found(slide)
    scene = slide.movers[0].scene
    stage = PictureStage(scene, path, start=start, **options)
    movers = [body for body in slide.movers if not body.shape.empty]
    pushed = [] if slide.pushed is None else [slide.pushed.vector]
    stops = np.cumsum([(0.0, 0.0, 0.0), *pushed, *(leg.vector for leg in slide.legs)], axis=0)
    poses = [[Translate(stop).at() @ start[body] for body in movers] for stop in stops]
    ghosts = [arrange_at(scene, movers, each) for each in poses]
    words = words_of(slide)
    places = [outline_points(body) for each in ghosts for body in each.bodies]
    camera = camera_of(stage, np.concatenate([*places, *(hit.point[None] for hit in slide.hits)]), words)
    usual = hit_colors(stage, slide.movers, [hit.obstacle for hit in slide.hits])
    after = poses[len(pushed) + 1 :]  # leg k ends at hit k
    glass = glass_of(stage, camera, movers, poses[0], [(hit.point, at) for hit, at in zip(slide.hits, after, strict=False)])
    glass += movers_in_front(camera, movers, poses[0], [hit.point for hit in slide.hits])
    painted = stage.paint(camera, usual, glass)
    colors = stage.colors(usual)
    for each in ghosts[1:-1]:
        lay_over(painted, each, colors, camera, 0.25, stage.dark)
    if slide.travel > 0.0 or slide.pushed is not None:
        lay_over(painted, ghosts[-1], colors, camera, 0.55, stage.dark)
        _draw_path(painted, camera, stops, ghosts[0].bodies[0].bounds.mean(axis=0), Ink(stage.dark))
    lay_over(painted, stage.arrangement.only(glass), colors, camera, 0.4, stage.dark)
    for hit in slide.hits:
        draw_contact(painted, hit, camera, stage.dark)
    write_caption(painted.image, words, stage.dark)
    return to_picture(painted.image, path)


def words_of(slide: SlideResult) -> list[str]:
    """Return the caption, in parts: mover, travel and obstacles. Names may be shortened."""
    names = dict.fromkeys(Name(hit.obstacle.name) for hit in slide.hits)
    along = [part for name in names for part in (" and ", name)]
    end = ", and is stopped" if slide.stopped else ""
    return [Name(slide.movers[0].name), f" slides {slide.travel:.5g}", *([" along ", *along[1:]] if along else []), end]


def _draw_path(painted: PaintedImage, camera: Camera, stops: _Array, middle: _Array, ink: Ink) -> None:
    """Draw the path of the middle of the mover, with a dot at each stop."""
    canvas, places = Canvas(painted.image), camera.project(middle + stops)
    canvas.path(places, ink.text, 2.0, 0.8)
    for place in places:
        canvas.disc(place, 3.5, ink.text)
