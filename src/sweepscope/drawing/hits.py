"""Pictures of hits: the mover at its start, a ghost at the contact, paths of points, the contact and its normal."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..results import Hit, LinkHit, PairContact
from ..world.body import Body
from ..world.surfaces import corners_of
from .as_found import as_found, robot_of_hit
from .camera import Camera
from .canvas import Canvas
from .captions import Name, caption_height, write_caption
from .framing import outline_points
from .ghosts import GhostPainter
from .glass import glass_of
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
        self.hit = hit
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
            # A copy of the robot moves there; the robot itself does not move.
            twin = copy.copy(self.robot)
            start = self.robot.positions
            twin.positions = {name: start[name] + time * (value - start[name]) for name, value in self.hit.positions.items()}
            return [twin.scene[body.id].pose for body in self.movers]
        carried = self.hit.motion.at(time * self.hit.time)
        return [carried @ body.pose for body in self.movers]


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
    hit, options = as_found(hit, options)
    stage = PictureStage(hit.mover.scene, path, **options)
    playback = HitPlayback(hit)
    camera = camera_of(stage, frame_of(playback), words_of(hit))
    usual = hit_colors(stage, hit.movers, [hit.obstacle])
    end = playback.poses(1.0)
    colors = stage.colors(usual)
    glass = glass_of(stage, camera, playback.movers, playback.poses(0.0), [(hit.point, end)])
    painted = stage.paint(camera, usual, glass)
    moved = not all(np.allclose(pose, body.pose, atol=1e-12) for pose, body in zip(end, playback.movers, strict=True))
    if moved:
        between = GhostPainter(colors)
        for k in range(1, _BETWEEN + 1):
            between.add(playback.movers, playback.poses(k / (_BETWEEN + 1)))
        between.lay_over(painted, camera, 0.12, stage.dark)
        GhostPainter(colors).add(playback.movers, end).lay_over(painted, camera, 0.55, stage.dark)
        draw_paths(painted, playback, camera, Ink(stage.dark))
    GhostPainter(colors).add(glass, [body.pose for body in glass]).lay_over(painted, camera, 0.4, stage.dark)
    draw_contact(painted, hit, camera, stage.dark)
    write_caption(painted.image, words_of(hit), stage.dark)
    return to_picture(painted.image, path)


def hit_colors(stage: PictureStage, movers: Iterable[Body], obstacles: Iterable[Body]) -> dict[int, Rgb]:
    """Return the colors of all bodies by id: of movers, obstacles and others."""
    behind = set(stage.subject.backdrop)
    found = {body.id: OTHER for body in stage.bodies if body not in behind}
    found |= {body.id: OBSTACLE_FLOOR if body in behind else OBSTACLE for body in obstacles}
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
    found = []
    for time in (0.0, 0.25, 0.5, 0.75, 1.0):
        for body, pose in zip(playback.movers, playback.poses(time), strict=True):
            found.append(points_at(body, pose))
    if playback.robot is not None:
        found.extend(points_at(body, body.pose) for body in playback.robot.bodies if not body.shape.empty)
    every = np.concatenate([*found, playback.hit.point[None]])
    size = float(np.ptp(every, axis=0).max())
    box = playback.hit.obstacle.bounds
    if np.isfinite(box).all():
        low, high = every.min(axis=0) - 0.1 * size, every.max(axis=0) + 0.1 * size
        near = np.clip(box, playback.hit.point - _NEAR * size, playback.hit.point + _NEAR * size)
        whole = float(np.ptp(box, axis=0).max()) <= 1.5 * size
        cut = box if whole else np.clip(near, low, high)
        every = np.concatenate((every, corners_of(cut[0], cut[1])))
    return every


def points_at(body: Body, pose: _Array) -> _Array:
    """Return points around a body at a pose, shape (n, 3), world."""
    box = body.bounds
    if np.array_equal(pose, body.pose):
        return outline_points(body.shape, pose, box)
    local = body.shape.bounds
    corners = corners_of(local[0], local[1]) @ pose[:3, :3].T + pose[:3, 3]
    return outline_points(body.shape, pose, np.array((corners.min(axis=0), corners.max(axis=0))))


def draw_contact(painted: PaintedImage, hit: Hit | PairContact, camera: Camera, dark: bool) -> None:
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
