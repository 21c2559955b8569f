"""A film of a roll: its longest run, with the axis of each turn, seen from where all of it is in the picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Capsule, Mesh, Rotate, Scene
from sweepscope.drawing.film import Film

from ..scenes.rolling import ground_near
from ..simulate.roll import Event, Roll, longest_run

_FRAMES = 72
_SECONDS = 6.0
_AROUND = 1.3  # sizes of ground that are drawn around the run
_MARKERS = 12  # poses that the camera frames
_AXIS = (0.7, 0.012)  # half length and radius of an axis, in sizes
_COLORS = {"ground": "#b9c4ae", "body": "#3f8fca", "axis": "#d8352a"}

_Array = NDArray[np.float64]

_BELOW = (0.0, 0.0, -1e3)  # where an axis is out of sight


def film_roll(roll: Roll, path: Path) -> int:
    """Write the run in which the body went farthest as an animated GIF. Return how many pictures it holds."""
    events = longest_run(roll.events)
    places = np.array([event.pose[:3, 3] for event in events])
    ground, mesh = roll.ground.shape, roll.body.shape
    scene = Scene()
    used, faces = np.unique(ground.faces[ground_near(ground, places, _AROUND * roll.size)], return_inverse=True)
    scene.add(Mesh(ground.vertices[used], faces.reshape(-1, 3)), name="ground")
    body = scene.add(mesh, events[0].pose, name="body")
    half, radius = (share * roll.size for share in _AXIS)
    axis = scene.add(Capsule.from_segment((0.0, 0.0, -half), (0.0, 0.0, half), radius=radius), name="axis")
    shown = np.unique(np.linspace(0, len(events) - 1, _MARKERS).astype(int))
    markers = [scene.add(mesh, events[k].pose) for k in shown]
    film = Film(scene, path, around=markers, ignore=markers, colors=_COLORS)
    for pose, about in _poses(events, roll.size):
        body.pose = pose
        axis.pose = _BELOW if about is None else about
        film.see()
    return film.save(_SECONDS)


def _poses(events: Sequence[Event], size: float) -> Iterator[tuple[_Array, _Array | None]]:
    """Yield a run's poses, evenly along its motions, each with the pose of its axis; None where nothing turns."""
    lengths = [event.amount * (size if event.kind == "turn" else 1.0) for event in events[1:]]
    each = max(sum(lengths) / _FRAMES, 1e-9 * size)
    yield events[0].pose, None
    for (before, event), length in zip(pairwise(events), lengths, strict=True):
        count = max(round(length / each), 1)
        for k in range(1, count + 1):
            if event.kind == "turn":
                motion = Rotate(event.axis, event.amount, about=event.about)
                yield motion.at(k / count) @ before.pose, _axis_pose(event)
            else:
                pose = before.pose.copy()
                pose[:3, 3] += (k / count) * (event.pose[:3, 3] - before.pose[:3, 3])
                yield pose, None


def _axis_pose(event: Event) -> _Array:
    """Return the pose that takes the z axis to the axis of a turn."""
    aside = np.cross(event.axis, np.eye(3)[np.argmin(np.abs(event.axis))])
    aside /= math.sqrt(aside @ aside)
    pose = np.eye(4)
    pose[:3] = np.stack((aside, np.cross(event.axis, aside), event.axis, event.about), axis=1)
    return pose
