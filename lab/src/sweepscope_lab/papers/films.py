"""Films of what the papers show as motion: balls that bounce, bodies that roll, hands that grasp, volumes that dissolve.

The papers judge these by eye. Each film is one run of a simulation, drawn by the library from one place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Rotate, Translate
from sweepscope.drawing import Picture
from sweepscope.drawing.animation import animate
from sweepscope.drawing.arrangement import arrange
from sweepscope.drawing.camera import OBLIQUE, camera_along
from sweepscope.drawing.canvas import Canvas
from sweepscope.drawing.paint import paint
from sweepscope.drawing.palette import BODIES, GRAY, Ink, body_colors
from sweepscope.drawing.picture import to_picture
from sweepscope.world.surfaces import corners_of

from ..simulate.bounce import Bounce, BounceSettings
from ..simulate.dissolve import Dissolve, DissolveSettings
from ..simulate.grasp import Grasp, GraspSettings
from ..simulate.roll import Roll, RollSettings
from .dissolve_pictures import DissolveFilm
from .grasp_pictures import GraspStrip
from .grasp_views import draw_box
from .rolling import PICTURE_ENDS

_TURN = math.radians(8.0)  # of a rolling body from picture to picture, at most
_DROP = 6  # pictures of a fall


@dataclass(frozen=True, slots=True)
class FilmOf:
    """A film of a paper's motion."""

    name: str
    shows: str
    of: str
    """The paper, and its figure."""
    make: Callable[[Path, int], int]
    """make(path, pictures) writes a GIF file of at most so many pictures; returns how many it holds."""


def bouncing(path: Path, pictures: int) -> int:
    """Fifty balls bounce in a room, each with a radar."""
    bounce = Bounce(BounceSettings())
    # The room hides what is in it; shells are the balls once more, a little larger.
    hidden = [bounce.room, *(body for body in bounce.scene if body.group == "shells")]
    colors = body_colors([body for body in bounce.scene if body not in hidden], (), dark=False)
    corners = corners_of(*bounce.room.bounds)
    camera = camera_along(OBLIQUE, None, (400, 360)).around(corners, 0.03)
    film = []
    for _ in range(pictures):
        painted = paint(arrange(bounce.scene, hidden), camera, colors, floor=float(corners[:, 2].min()))
        behind = painted.image.copy()
        draw_box(Canvas(behind), camera, corners, Ink(dark=False).faint)
        film.append(to_picture(np.where(painted.cover[..., None] > 0.0, painted.image, behind)))
        for _ in range(2):
            bounce.step()
    return _save(film, path)


def rolling(path: Path, pictures: int, settings: RollSettings) -> int:
    """A body rolls down uneven ground; each of its motions is shown in small parts."""
    roll = Roll(settings)
    poses = _rolled(roll, pictures)
    places = np.array([pose[:3, 3] for pose in poses])
    around = np.concatenate([places + 0.75 * roll.size * side for side in np.vstack((np.eye(3), -np.eye(3)))])
    camera = camera_along((0.25, 1.0, -0.55), None, (480, 360)).around(around, 0.06)
    colors = {roll.ground.id: GRAY, roll.body.id: BODIES[1]}
    film = []
    for pose in poses:
        roll.body.pose = pose
        film.append(to_picture(paint(arrange(roll.scene), camera, colors).image))
    return _save(film, path)


def _rolled(roll: Roll, pictures: int) -> list[NDArray[np.float64]]:
    """Let a body roll until it rests or leaves; return its poses, at most so many, close to each other."""
    poses: list[NDArray[np.float64]] = []
    while len(poses) < pictures:
        before = roll.body.pose.copy()
        event = roll.step()
        if event.kind == "turn":
            parts, motion = math.ceil(event.amount / _TURN), Rotate(event.axis, event.amount, about=event.about)
        elif event.kind == "drop":
            # Of a long fall, only its end: the rest of the ground would be small.
            fall = event.pose[:3, 3] - before[:3, 3]
            before[:3, 3] += max(0.0, 1.0 - roll.size / event.amount) * fall
            parts, motion = _DROP, Translate(event.pose[:3, 3] - before[:3, 3])
        else:
            break
        poses += [motion.at(part / parts) @ before for part in range(parts)]
    return [*poses[: pictures - 1], roll.body.pose.copy()]


def grasping(path: Path, pictures: int, settings: GraspSettings) -> int:
    """Hands close on a target."""
    grasp, strip = Grasp(settings), GraspStrip(settings)
    while not grasp.ended:
        strip.see(grasp, grasp.step())
    return _save(strip.film(grasp, most=pictures), path)


def dissolving(path: Path, pictures: int, story: str) -> int:
    """Two volumes change, and dissolve where they touch."""
    settings = DissolveSettings(story, frames=pictures, size=48)
    dissolve, film = Dissolve(settings), DissolveFilm(settings)
    while not dissolve.ended:
        film.see(dissolve, dissolve.step())
    return _save(film.pictures((400, 360)), path)


def _save(pictures: Sequence[Picture], path: Path) -> int:
    return animate(pictures, path, seconds=len(pictures) / 15.0)


FILMS = (
    FilmOf("bounce", "50 balls bounce, each with a radar", "radar, Fig. 8", bouncing),
    FilmOf(
        "roll",
        "a star rolls over uneven ground",
        "rolling, Fig. 7",
        lambda path, n: rolling(path, n, RollSettings("star", seed=1, roughness=0.2, slope=1.0)),
    ),
    FilmOf(
        "roll_radars",
        "a dodecahedron rolls in small steps, by two radars; axes from their pictures",
        "rolling, Fig. 7",
        lambda path, n: rolling(path, n, RollSettings("dodecahedron", seed=4, roughness=0.2, slope=1.0, **PICTURE_ENDS)),
    ),
    FilmOf(
        "grasp",
        "a hand closes on a mug, by radars and the paper's rule",
        "radar, Fig. 13",
        lambda path, n: grasping(path, n, GraspSettings("mug", method="radar", rule="closest")),
    ),
    FilmOf(
        "hands",
        "five hands on one target, by radars",
        "radar, Fig. 15",
        lambda path, n: grasping(path, n, GraspSettings("star", 5, "radar")),
    ),
    FilmOf("melting", "a ball melts over rising fog", "volume, data 1", lambda path, n: dissolving(path, n, "melting")),
    FilmOf("dripping", "two blobs exchange drops", "volume, data 2", lambda path, n: dissolving(path, n, "dripping")),
)
