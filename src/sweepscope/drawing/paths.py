"""Paths of points of the mover of a hit, from its start to the contact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..motion import Turn, orbit_of
from ..results import LinkHit
from ..shapes import Shape, Volume
from .canvas import Canvas
from .palette import Ink

if TYPE_CHECKING:
    from .camera import Camera
    from .hits import HitPlayback
    from .paint import PaintedImage

_Array = NDArray[np.float64]

_PATHS = 4  # paths of points: on both sides of the mover, in front of it and behind it
_STRAIGHT = 48  # parts of a straight path: each part may be hidden
_APART = 3.0  # pixels: turns of one path that are closer cannot be distinguished
_PATHS_APART = 8.0  # pixels between the turns of all paths
_WIDTH = 1.2  # pixels
_VISIBLE, _HIDDEN = 0.6, 0.2  # opacity
_STILL = 1e-9  # speed of the middle of the mover beside its size: below this it turns on the spot


def draw_paths(painted: PaintedImage, playback: HitPlayback, camera: Camera, ink: Ink) -> None:
    """Draw paths of points on the surface of the mover; parts that are hidden are fainter."""
    canvas = Canvas(painted.image)
    for places in paths_of(playback, camera):
        hidden = _hidden(painted, camera, 0.5 * (places[1:] + places[:-1]))
        canvas.path(camera.project(places), ink.faint, _WIDTH, np.where(hidden, _HIDDEN, _VISIBLE))


def paths_of(playback: HitPlayback, camera: Camera) -> _Array:
    """Return paths of points on the surface of the mover, shape (n, steps + 1, 3) [length], world."""
    hit = playback.hit
    k = next(n for n, body in enumerate(playback.movers) if body is hit.mover)
    shape, start = hit.mover.shape, playback.poses(0.0)[k]
    turns = _angle(playback) / (2.0 * math.pi)
    pitch = _pitch(playback, camera)
    count, drawn = _PATHS, turns
    if turns > 1.0:
        # Whole turns are left out where they would be drawn over each other. The end stays where it is.
        drawn = min(turns, turns % 1.0 + max(1.0, math.floor(turns * pitch / _APART)))
        if drawn > 2.0:
            count = min(_PATHS, max(1, int(pitch * turns / drawn / _PATHS_APART)))
    # As many parts as a circle that fills the picture needs to look round: it is off by a quarter of a pixel.
    steps = max(_STRAIGHT, math.ceil(2.0 * math.pi * drawn * 0.5 * math.sqrt(max(camera.size))))
    middle = start[:3, :3] @ shape.bounds.mean(axis=0) + start[:3, 3]
    points = surface_points(shape, start, _direction(playback, k, middle, camera), camera, count)
    return _follow(playback, k, points, steps, drawn / turns if turns else 1.0)


def surface_points(shape: Shape, pose: _Array, along: _Array, camera: Camera, count: int) -> _Array:
    """Return points of the surface of a shape at a pose that are outermost across a direction, shape (n, 3), world.

    The first two are at the left and right of the motion in the picture, the others nearest to the camera and farthest.
    """
    ahead = along / np.linalg.norm(along)
    across = np.cross(ahead, camera.frame[2])
    if np.linalg.norm(across) < 1e-6:
        across = camera.frame[0]
    across = across / np.linalg.norm(across)
    toward = np.cross(ahead, across)
    # Of equally far corners, those in front: their paths do not cross the mover.
    sides = np.array((across, -across, toward, -toward))[:count] + 1e-3 * ahead
    sides /= np.linalg.norm(sides, axis=1)[:, None]
    local = sides @ pose[:3, :3]
    corners = _voxel_corners(shape, local) if isinstance(shape, Volume) else _vertices(shape, local)
    return np.unique((corners + shape.radius * local) @ pose[:3, :3].T + pose[:3, 3], axis=0)


def _vertices(shape: Shape, directions: _Array) -> _Array:
    """Return the outermost vertices that faces use, local, one for each direction."""
    used = np.zeros(len(shape.vertices), np.bool_)
    used[shape.faces.ravel()] = True
    vertices = shape.vertices[used]
    return vertices[np.argmax(vertices @ directions.T, axis=0)]


def _voxel_corners(volume: Volume, directions: _Array) -> _Array:
    """Return the outermost corners of occupied voxels, local, one for each direction."""
    occupied = volume.occupied
    column = np.argwhere(occupied.any(axis=2))
    lines = occupied[column[:, 0], column[:, 1]]
    lowest, highest = lines.argmax(axis=1), lines.shape[1] - 1 - lines[:, ::-1].argmax(axis=1)
    voxels = np.concatenate([np.column_stack((column, end)) for end in (lowest, highest)])
    best = voxels[np.argmax((voxels * volume.spacing) @ directions.T, axis=0)]
    return (best + (directions > 0.0)).astype(np.float64) * volume.spacing + volume.origin


def _angle(playback: HitPlayback) -> float:
    """Return how far the mover turns up to the contact [radians]; for several joints, the sum of their angles."""
    hit = playback.hit
    if hit.motion is not None:
        return hit.travel if hit.motion.turns else 0.0
    assert playback.robot is not None
    assert isinstance(hit, LinkHit)
    joints = playback.robot.joints
    angles = (abs(value - hit.start[name]) for name, value in hit.positions.items() if joints[name].kind == "revolute")
    return math.fsum(angles)


def _pitch(playback: HitPlayback, camera: Camera) -> float:
    """Return how far apart two turns of a screw are in the picture [pixels]; 0 if it is not a screw."""
    motion = playback.hit.motion
    if not isinstance(motion, Turn) or not motion.turns:
        return 0.0
    slide = motion.slide * 2.0 * math.pi / abs(motion.angle) * np.array(motion.axis)
    return float(np.linalg.norm(camera.frame[:2] @ slide)) / camera.pixel


def _direction(playback: HitPlayback, k: int, middle: _Array, camera: Camera) -> _Array:
    """Return the direction in which the middle of mover k starts to move; if it turns on the spot, the axis."""
    motion = playback.hit.motion
    if isinstance(motion, Turn) and motion.turns:
        orbit = orbit_of(motion)
        arm = middle - orbit[6:9] + orbit[3:6]
        speed = np.cross(orbit[:3], arm) + orbit[10] / orbit[9] * orbit[:3]
        size = max(float(np.linalg.norm(playback.hit.mover.shape.bounds)), float(np.linalg.norm(arm)))
        return speed if np.linalg.norm(speed) > _STILL * size else orbit[:3]
    if motion is not None:
        return motion.at()[:3, 3]
    first, last = playback.poses(0.0)[k][:3, 3], playback.poses(1.0)[k][:3, 3]
    return last - first if np.linalg.norm(last - first) > 0.0 else camera.frame[2]


def _follow(playback: HitPlayback, k: int, points: _Array, steps: int, share: float) -> _Array:
    """Return places of points of mover k from the start to the contact, shape (n, steps + 1, 3), world.

    share: of the angle, if a screw is drawn with fewer turns.
    """
    hit, times = playback.hit, np.linspace(0.0, 1.0, steps + 1)
    if isinstance(hit.motion, Turn) and hit.motion.turns:
        orbit = orbit_of(hit.motion)
        sideways = np.cross(orbit[:3], points - orbit[6:9] + orbit[3:6])[:, None]
        inward = np.cross(orbit[:3], sideways)
        angles = (share * hit.time * orbit[9] * times)[:, None]
        slides = (hit.time * orbit[10] * times)[:, None] * orbit[:3]
        return points[:, None] + np.sin(angles) * sideways + 2.0 * np.sin(0.5 * angles) ** 2 * inward + slides
    if hit.motion is not None:
        return points[:, None] + times[:, None] * (hit.time * hit.motion.at()[:3, 3])
    poses = np.array([playback.poses(time)[k] for time in times])
    local = (points - poses[0, :3, 3]) @ poses[0, :3, :3]
    return np.einsum("tij,nj->nti", poses[:, :3, :3], local) + poses[:, :3, 3]


def _hidden(painted: PaintedImage, camera: Camera, places: _Array) -> NDArray[np.bool_]:
    """Return which places are behind what is painted, shape (n,)."""
    columns, rows = camera.size
    column, row = np.clip(camera.project(places), 0.0, (columns - 1, rows - 1)).astype(np.int64).T
    return camera.to_view(places)[:, 2] > painted.depth[row, column] + 2.0 * camera.pixel
