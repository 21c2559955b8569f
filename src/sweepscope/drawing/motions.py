"""Animations of motions up to the contact, which is marked in the last frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..motion import Motion
from ..results import Hit
from ..robot.robot import poses_at, positions_at
from ..world.body import Body
from .animation import animate, need_pillow
from .arrangement import arrange_at
from .camera import Camera
from .captions import write_caption
from .ghosts import lay_over
from .glass import glass_of
from .hits import HitPlayback, camera_of, draw_contact, frame_of, hit_colors, words_of
from .paint import PaintedImage, paint
from .palette import MOVER, Rgb
from .picture import Picture, to_picture
from .stage import PictureStage, floor_below, points_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..robot.robot import Robot
    from ..scene import Scene

_Poses = list[NDArray[np.float64]]

MOST_FRAMES = 1000


def animate_hit(hit: Hit, path: Any, *, frames: Any, seconds: Any, **options: Any) -> None:
    """Write `Hit.animate`."""
    playback = HitPlayback(hit)
    stage = PictureStage(hit.mover.scene, path, suffix=".gif", start=playback.start, **options)
    _write_hit(stage, playback, frames, seconds)


def animate_motion(
    scene: Scene,
    mover: Body | Sequence[Body],
    motion: Motion,
    path: Any,
    *,
    frames: Any,
    seconds: Any,
    stop_at_contact: Any,
    **options: Any,
) -> None:
    """Write `Scene.animate`."""
    stage = PictureStage(scene, path, suffix=".gif", **options)
    hit = scene.sweep(mover, motion, ignore=stage.ignore)
    if checks.flag(stop_at_contact, "stop_at_contact") and hit is not None:
        _write_hit(stage, HitPlayback(hit), frames, seconds)
        return
    movers = [mover] if isinstance(mover, Body) else list(mover)
    movers = [body for body in movers if not body.shape.empty]

    def poses(time: float) -> _Poses:
        return [motion.at(time) @ body.pose for body in movers]

    _write(stage, movers, poses, None, _camera_along(stage, movers, poses), frames, seconds)


def animate_robot(
    robot: Robot, values: Any, path: Any, *, frames: Any, seconds: Any, stop_at_contact: Any, **options: Any
) -> None:
    """Write `Robot.animate` of a motion to one configuration."""
    stage = PictureStage(robot.scene, path, suffix=".gif", **options)
    hit = robot.sweep(values, ignore=stage.ignore)
    if checks.flag(stop_at_contact, "stop_at_contact") and hit is not None:
        _write_hit(stage, HitPlayback(hit), frames, seconds)
        return
    first, last = robot.positions, positions_at(robot, values)
    movers = [body for body in robot.bodies if not body.shape.empty]

    def poses(time: float) -> _Poses:
        there = poses_at(robot, {name: first[name] + time * (last[name] - first[name]) for name in robot.actuated_joints})
        return [there[body] for body in movers]

    _write(stage, movers, poses, None, _camera_along(stage, movers, poses), frames, seconds)


def _camera_along(stage: PictureStage, movers: list[Body], poses: Callable[[float], _Poses]) -> Camera:
    """Return a camera that frames the scene and the whole motion."""
    times = (0.0, 0.25, 0.5, 0.75, 1.0)
    along = arrange_at(stage.scene, movers * len(times), [pose for time in times for pose in poses(time)])
    return stage.camera(np.concatenate((stage.subject.points, points_of(along.bodies))))


def _write_hit(stage: PictureStage, playback: HitPlayback, frames: Any, seconds: Any) -> None:
    """Write the motion up to the contact."""
    camera = camera_of(stage, frame_of(playback), words_of(playback.hit))
    _write(stage, playback.movers, playback.poses, playback.hit, camera, frames, seconds)


def _write(
    stage: PictureStage,
    movers: list[Body],
    poses: Callable[[float], _Poses],
    hit: Hit | None,
    camera: Camera,
    frames: Any,
    seconds: Any,
) -> None:
    count = checks.whole(frames, "frames", InvalidQuery, 1, MOST_FRAMES)
    need_pillow()
    usual = hit_colors(stage, hit.movers, [hit.obstacle]) if hit is not None else {body.id: MOVER for body in movers}
    contacts = [] if hit is None else [(hit.point, poses(1.0))]

    def finish(painted: PaintedImage) -> None:
        if hit is not None:
            draw_contact(painted, hit, camera, stage.dark)
            write_caption(painted.image, words_of(hit), stage.dark)

    pictures = frames_of(stage, movers, poses, contacts, camera, count, stage.colors(usual), finish)
    animate(pictures, stage.path, seconds=seconds)


def frames_of(
    stage: PictureStage,
    movers: list[Body],
    poses: Callable[[float], _Poses],
    contacts: Sequence[tuple[NDArray[np.float64], _Poses]],
    camera: Camera,
    count: int,
    colors: dict[int, Rgb],
    finish: Callable[[PaintedImage], None],
) -> Iterator[Picture]:
    """Yield the pictures. contacts: at the end, as in `glass_of`; with one there is a ghost of the start.

    finish: draws on the last picture.
    """
    floor = floor_below(stage.subject)
    start = arrange_at(stage.scene, movers, poses(0.0))
    glass = glass_of(stage, camera, movers, poses(0.0), contacts)
    walls, shown = stage.arrangement.only(glass), stage.arrangement.without(glass)
    for k in range(count):
        time = k / max(count - 1, 1)
        there = shown.moved(dict(zip(movers, poses(time), strict=True)))
        painted = paint(there, camera, colors, dark=stage.dark, floor=floor)
        if k and contacts:
            lay_over(painted, start, colors, camera, 0.2, stage.dark)
        lay_over(painted, walls, colors, camera, 0.4, stage.dark)
        if k == count - 1:
            finish(painted)
        yield to_picture(painted.image)
