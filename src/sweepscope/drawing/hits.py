"""Pictures of hits: the mover at its start, a ghost at the contact, paths of points, the contact and its normal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..results import Hit, LinkHit, PairContact, TrajectoryHit
from ..world.body import Body
from ..world.surfaces import corners_of
from .arrangement import Arrangement, arrange_at
from .as_found import as_found, poses_at_time, robot_of_hit
from .camera import Camera
from .canvas import Canvas
from .captions import Name, caption_height, write_caption
from .framing import outline_points
from .ghosts import lay_over
from .glass import glass_of, movers_in_front
from .paint import PaintedImage
from .palette import MOVER, OBSTACLE, OBSTACLE_FLOOR, OTHER, Ink, Rgb
from .paths import draw_paths
from .picture import Picture, to_picture
from .stage import PictureStage

if TYPE_CHECKING:
    from ..robot.robot import Robot

_Array = NDArray[np.float64]

_UNITS = {"revolute": "rad", "prismatic": "[length]"}
_BETWEEN = 3  # faint ghosts between start and contact
_NEAR = 0.6  # part of the obstacle in the frame around the contact, relative to the size of the motion


class HitPlayback:
    """Poses of the movers of a hit at a time: 0 is the start, 1 the contact."""

    def __init__(self, hit: Hit) -> None:
        """Raise if the scene has changed since the hit was found, except for the poses of the movers."""
        self.hit = hit
        self.start = as_found(hit)
        """Poses of the movers at the start."""
        self.movers = [body for body in hit.movers if not body.shape.empty]
        self.robot: Robot | None = None
        """The robot of the mover; None if the mover is not a link."""
        if isinstance(hit, LinkHit):
            self.robot = robot_of_hit(hit)
        elif hit.motion is None:
            raise InvalidQuery("hit: it is of a later leg of a slide, which starts elsewhere; draw the slide: slide.picture()")

    def poses(self, time: float) -> list[_Array]:
        """Return the poses of all movers, world."""
        if self.hit.motion is None:
            assert self.robot is not None
            assert isinstance(self.hit, LinkHit)
            there = poses_at_time(self.robot, self.hit, time)
            return [there[body] for body in self.movers]
        carried = self.hit.motion.at(time * self.hit.time)
        return [carried @ self.start[body] for body in self.movers]

    def at(self, *times: float) -> Arrangement:
        """Return all movers at times."""
        poses = [pose for time in times for pose in self.poses(time)]
        return arrange_at(self.hit.mover.scene, self.movers * len(times), poses)

    def at_start(self, bodies: Sequence[Body]) -> Arrangement:
        """Return bodies, movers or not, where they are at the start."""
        return arrange_at(self.hit.mover.scene, bodies, [self.start.get(body, body.pose) for body in bodies])


def words_of(hit: Hit) -> list[str]:
    """Return the caption, in parts: mover, obstacle and travel. Names may be shortened."""
    first, second = Name(hit.mover.name), Name(hit.obstacle.name)
    if isinstance(hit, LinkHit):
        first = Name(hit.link)
        second = second if hit.obstacle_link is None else Name(hit.obstacle_link)
    if hit.overlapping:
        return [first, " overlaps ", second, " at the start"]
    if isinstance(hit, LinkHit):
        return [first, " meets ", second, f" at {_positions(hit)}"]
    if hit.motion is not None and hit.motion.turns:
        return [first, " meets ", second, f" after {math.degrees(hit.travel):.4g}\N{DEGREE SIGN} ({hit.travel:.5g} radians)"]
    return [first, " meets ", second, f" after {hit.travel:.5g}"]


def _positions(hit: LinkHit) -> str:
    """Return the positions of the first joints, with units."""
    joints = robot_of_hit(hit).joints
    first = [f"{name} {value:.4g} {_UNITS[joints[name].kind]}" for name, value in list(hit.positions.items())[:3]]
    return ", ".join(first) + (" ..." if len(hit.positions) > 3 else "")


def picture_of_hit(hit: Hit, path: Any, **options: Any) -> Picture:
    """Draw `Hit.picture`."""
    playback = HitPlayback(hit)
    stage = PictureStage(hit.mover.scene, path, start=playback.start, **options)
    camera = camera_of(stage, frame_of(playback), words_of(hit))
    usual = hit_colors(stage, hit.movers, [hit.obstacle])
    end = playback.poses(1.0)
    colors = stage.colors(usual)
    glass = glass_of(stage, camera, playback.movers, playback.poses(0.0), [(hit.point, end)])
    marks = [hit.point] if np.isfinite(hit.normal).all() else []  # of a body inside another, no surface is touched
    in_front = movers_in_front(camera, playback.movers, playback.poses(0.0), marks)
    glass += in_front
    painted = stage.paint(camera, usual, glass)
    if not all(np.allclose(pose, playback.start[body], atol=1e-12) for pose, body in zip(end, playback.movers, strict=True)):
        between = [k / (_BETWEEN + 1) for k in range(1, _BETWEEN + 1)]
        lay_over(painted, playback.at(*between), colors, camera, 0.12, stage.dark)
        lay_over(painted, playback.at(1.0), colors, camera, 0.55, stage.dark)
        draw_paths(painted, playback, camera, Ink(stage.dark))
    else:  # as the ghost at a later contact
        lay_over(painted, stage.arrangement.only(in_front), colors, camera, 0.55, stage.dark)
    lay_over(painted, stage.arrangement.only(glass), colors, camera, 0.4, stage.dark)
    draw_contact(painted, hit, camera, stage.dark)
    write_caption(painted.image, words_of(hit), stage.dark)
    return to_picture(painted.image, path)


def hit_colors(stage: PictureStage, movers: Iterable[Body], obstacles: Iterable[Body]) -> dict[int, Rgb]:
    """Return the colors of all bodies by id: of movers, obstacles and others."""
    behind = stage.subject.backdrop
    found = {body.id: OTHER for body in stage.arrangement.bodies if body.id not in behind}
    found |= {body.id: OBSTACLE_FLOOR if body.id in behind else OBSTACLE for body in obstacles}
    return found | {body.id: MOVER for body in movers}


def camera_of(stage: PictureStage, points: _Array, caption: Sequence[str], above: int = 0) -> Camera:
    """Return the camera around points, shape (n, 3). It leaves room for the caption and `above` [pixels] if no eye is given."""
    camera = stage.camera(points)
    rows, below = stage.size[1], caption_height(caption, stage.size)
    if not stage.frames_itself:
        return camera
    wider = replace(camera, height=camera.height * rows / (rows - below - above))
    return replace(wider, origin=wider.origin - 0.5 * (below - above) * wider.pixel * wider.frame[1])


def frame_of(playback: HitPlayback) -> _Array:
    """Return points to frame, shape (n, 3), world: the movers on their way, and the near part of the obstacle."""
    shown = [*playback.at(0.0, 0.25, 0.5, 0.75, 1.0).bodies]
    if playback.robot is not None:
        shown += [body for body in playback.at_start(playback.robot.bodies).bodies if not body.shape.empty]
    every = np.concatenate([*map(outline_points, shown), playback.hit.point[None]])
    size = float(np.ptp(every, axis=0).max())
    box = playback.at_start([playback.hit.obstacle]).bodies[0].bounds
    if np.isfinite(box).all():
        low, high = every.min(axis=0) - 0.1 * size, every.max(axis=0) + 0.1 * size
        near = np.clip(box, playback.hit.point - _NEAR * size, playback.hit.point + _NEAR * size)
        whole = float(np.ptp(box, axis=0).max()) <= 1.5 * size
        cut = box if whole else np.clip(near, low, high)
        every = np.concatenate((every, corners_of(cut[0], cut[1])))
    return every


def draw_contact(painted: PaintedImage, hit: Hit | PairContact | TrajectoryHit, camera: Camera, dark: bool) -> None:
    """Draw a mark at the contact point and an arrow along the normal."""
    canvas, ink = Canvas(painted.image), Ink(dark)
    rows, _ = painted.image.shape[:2]
    scale = max(1.0, rows / 600.0)
    place = camera.project(hit.point)
    if np.isfinite(hit.normal).all():
        tip = camera.project(hit.point + 0.16 * camera.height * hit.normal)
        canvas.arrow(place, tip, ink.red, 3.0 * scale)
    canvas.disc(place, 6.5 * scale, np.ones(3, np.float32))
    canvas.disc(place, 4.5 * scale, ink.red)
