"""Pictures and animations of a robot along a path of configurations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import checks
from ..errors import InvalidQuery
from ..robot.playback import PathPlayback
from .animation import animate, need_pillow
from .arrangement import arrange_at
from .camera import Camera
from .captions import Name, write_caption
from .ghosts import lay_over
from .glass import glass_of
from .hits import draw_contact, hit_colors
from .motions import MOST_FRAMES, frames_of
from .paint import PaintedImage
from .picture import Picture, to_picture
from .stage import PictureStage, points_of

if TYPE_CHECKING:
    from ..planning import PlanResult
    from ..robot.robot import Robot

_GHOSTS = 5  # between start and goal
_ON_THE_WAY, _AT_GOAL, _GLASS = 0.15, 0.6, 0.4  # opacities
_LOOKS = 17  # places of a path that the camera frames


def animate_path(
    robot: Robot, waypoints: Any, path: Any, *, frames: Any, seconds: Any, stop_at_contact: Any, **options: Any
) -> None:
    """Write `Robot.animate` of a path, shape (n, dof)."""
    stage = PictureStage(robot.scene, path, suffix=".gif", **options)
    route = np.array(checks.array(waypoints, "to", "an array of shape (n, dof)", InvalidQuery), dtype=np.float64)
    hit = robot.path(route, ignore=stage.ignore)
    count = checks.whole(frames, "frames", InvalidQuery, 1, MOST_FRAMES)
    if not checks.flag(stop_at_contact, "stop_at_contact"):
        hit = None
    need_pillow()
    usual = hit_colors(stage, robot.bodies, [])
    if hit is not None:
        usual = hit_colors(stage, robot.links[hit.link].bodies, [hit.obstacle])
        route = np.concatenate((route[: math.floor(hit.time) + 1], hit.q[None]))
    playback = PathPlayback(robot, route)
    camera = _camera_along(stage, playback)
    contacts = [] if hit is None else [(hit.point, playback.poses(1.0))]

    def finish(painted: PaintedImage) -> None:
        if hit is not None:
            other = hit.obstacle.name if hit.obstacle_link is None else hit.obstacle_link
            draw_contact(painted, hit, camera, stage.dark)
            write_caption(painted.image, [Name(hit.link), " meets ", Name(other)], stage.dark)

    pictures = frames_of(stage, playback.movers, playback.poses, contacts, camera, count, stage.colors(usual), finish)
    animate(pictures, stage.path, seconds=seconds)


def picture_of_plan(result: PlanResult, path: Any, **options: Any) -> Picture:
    """Draw `PlanResult.picture`: the robot at the start, and ghosts of it on the way and at the goal."""
    if not result.solved:
        raise InvalidQuery(f"there is no path to draw: {result.status}")
    playback = PathPlayback(result.robot, result.configurations)
    start = playback.poses(0.0)
    stage = PictureStage(result.robot.scene, path, start=dict(zip(playback.movers, start, strict=True)), **options)
    camera = _camera_along(stage, playback)
    usual = hit_colors(stage, playback.movers, [])
    colors = stage.colors(usual)
    glass = glass_of(stage, camera, playback.movers, start)
    painted = stage.paint(camera, usual, glass)
    for time, opacity in [*((k / (_GHOSTS + 1), _ON_THE_WAY) for k in range(1, _GHOSTS + 1)), (1.0, _AT_GOAL)]:
        ghost = arrange_at(stage.scene, playback.movers, playback.poses(time))
        lay_over(painted, ghost, colors, camera, opacity, stage.dark)
    lay_over(painted, stage.arrangement.only(glass), colors, camera, _GLASS, stage.dark)
    return to_picture(painted.image, path)


def _camera_along(stage: PictureStage, playback: PathPlayback) -> Camera:
    """Return a camera that frames the scene and the whole path."""
    poses = [pose for time in np.linspace(0.0, 1.0, _LOOKS) for pose in playback.poses(float(time))]
    along = arrange_at(stage.scene, playback.movers * _LOOKS, poses)
    return stage.camera(np.concatenate((stage.subject.points, points_of(along.bodies))))
