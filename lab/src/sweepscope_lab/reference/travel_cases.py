"""Scenes and robots that test copies and pickles: all shapes, with a history of changes and questions."""

from __future__ import annotations

import math
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import (
    Body,
    Box,
    Capsule,
    Joint,
    Mesh,
    PointCloud,
    Robot,
    Scene,
    Shape,
    Sphere,
    SweepscopeError,
    Translate,
    Volume,
)
from sweepscope.fan import Fan
from sweepscope.radar import Radar, RadarSet
from sweepscope.shapes.given import can_deform

from .turn_cases import random_pose, small_mesh
from .vectors import random_direction

Array = NDArray[np.float64]
Rng = np.random.Generator

_SIZE = 1.0  # of a body
_ROOM = 2.5  # half width of a scene
_JOINTS = 3
_FAR = 1e6  # a scene this far from the origin has vertices relative to a center


@dataclass(slots=True)
class Things:
    """What a case sends: a scene and what belongs to it."""

    scene: Scene
    robot: Robot | None
    radar: Radar | None
    radars: RadarSet | None


def build(seed: int) -> Things:
    """Return a random scene; every second one holds a robot."""
    rng = np.random.default_rng((seed, 71))
    scene = Scene(None if rng.random() < 0.7 else 1e-8)
    place = _place(seed)
    for k in range(int(rng.integers(4, 9))):
        scene.add(_shape(rng), _pose(rng, place), group=str(rng.choice(("", "red", "blue"))), name=f"body {k}")
    for k in range(2):
        scene.add(_volume(rng), _pose(rng, place), name=f"volume {k}")
    robot = _arm(rng, scene, place) if seed % 2 else None
    for _ in range(int(rng.integers(0, 12))):
        change(rng, scene, place)
    movers = [body for body in free_bodies(scene) if not body.shape.empty]
    radar = Radar(scene, movers[0], pixels=12, method="bounding" if rng.random() < 0.3 else "sampled")
    radars = RadarSet(scene, movers[:2], pixels=(8, 10))
    if rng.random() < 0.5:
        # A history: surfaces of volumes, boxes of nodes, masks.
        scene.sweep(movers[0], Translate(random_direction(rng)))
        with suppress(SweepscopeError):  # a mover of points may cover no pixel's center
            radar.probe(Translate(random_direction(rng)))
    return Things(scene, robot, radar, radars)


def change(rng: Rng, scene: Scene, place: Array | None = None) -> None:
    """Change one thing in a scene: the same one for the same random numbers."""
    bodies = free_bodies(scene)
    body = bodies[int(rng.integers(len(bodies)))]
    other = bodies[int(rng.integers(len(bodies)))]
    at = body.pose[:3, 3] if place is None else place
    what = rng.choice(("move", "deform", "edit", "remove", "add", "ignore", "groups", "shape"))
    if what == "move":
        body.pose = _pose(rng, at)
    elif what == "deform" and can_deform(body.shape) and len(body.vertices):
        body.vertices = body.vertices * rng.uniform(0.8, 1.2, 3)
    elif what == "edit" and isinstance(body.shape, Volume):
        i, j, k = (int(n) for n in rng.integers(0, body.shape.resolution))
        body.shape[i:, j:, k] = rng.random() < 0.7
    elif what == "remove" and len(bodies) > 6:
        scene.remove(body)
    elif what == "add":
        scene.add(_shape(rng), _pose(rng, at))
    elif what == "ignore" and body is not other:
        (scene.ignore if rng.random() < 0.7 else scene.unignore)(body, other)
    elif what == "groups" and {"red", "blue"} <= {each.group for each in bodies}:
        (scene.ignore_groups if rng.random() < 0.7 else scene.unignore_groups)("red", "blue")
    elif what == "shape" and not isinstance(body.shape, Volume):
        body.shape = _shape(rng)


def free_bodies(scene: Scene) -> list[Body]:
    """Return the bodies that no robot holds, in order."""
    return [body for body in scene if not body.name.startswith("arm/")]


def saved(scene: Scene) -> Scene:
    """Return what comes back from the file of a scene."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.npz"
        scene.save(file)
        return Scene.load(file)


def _place(seed: int) -> Array:
    """Return the middle of a scene: every fifth lies far from the origin."""
    return np.full(3, _FAR if seed % 5 == 4 else 0.0)


def _pose(rng: Rng, place: Array) -> Array:
    return random_pose(rng, place + rng.uniform(-_ROOM, _ROOM, 3))


def _shape(rng: Rng) -> Shape:
    size = float(rng.uniform(0.3, 1.0)) * _SIZE
    kind = rng.integers(8)
    if kind == 0:
        return Box(rng.uniform(0.2, 1.0, 3))
    if kind == 1:
        return Sphere(0.6 * size)
    if kind == 2:
        return Capsule.from_segment((0, 0, -size), (0, 0.3, size), radius=0.3 * size)
    if kind == 3:
        return PointCloud(size * rng.normal(size=(12, 3)), radius=float(rng.choice((0.0, 0.1))))
    if kind == 4:
        return Fan(
            (0, 0, 0),
            (0, 0, 1),
            mid=(1, 0, 0),
            half_angle=float(rng.uniform(0.3, math.pi)),
            inner=0.3 * size,
            outer=size,
            half_thickness=0.2 * size,
        )
    if kind == 5:
        return small_mesh(rng)
    offset = rng.choice((0.0, 1e3)) * rng.normal(size=3)
    ball = Mesh.sphere(size, rows=6, sections=8)
    return Mesh(ball.vertices + offset * (kind == 7), ball.faces, solid=None if rng.random() < 0.8 else False)


def _volume(rng: Rng) -> Volume:
    alpha = rng.random(rng.integers(2, 9, 3))
    if rng.random() < 0.5:
        return Volume(alpha > 0.6, 0.2, keep_alpha=rng.random() < 0.7)
    return Volume(alpha.astype(np.float32), rng.uniform(0.1, 0.3, 3), threshold=0.6)


def _arm(rng: Rng, scene: Scene, place: Array) -> Robot:
    robot = Robot(scene, _pose(rng, place), name="arm")
    robot.add("base", Box((0.4, 0.4, 0.2)))
    above = "base"
    for k in range(_JOINTS):
        axis = random_direction(rng)
        kind = Joint.prismatic if k == 1 else Joint.revolute
        shape = Capsule.from_segment((0, 0, 0.15), (0, 0, 0.6), radius=0.1) if k % 2 else Mesh.cylinder(0.12, 0.5, sections=8)
        robot.add(f"link {k}", shape, parent=above, joint=kind(f"joint {k}", axis, origin=(0, 0, 0.6), limits=(-2.0, 2.0)))
        above = f"link {k}"
    robot.positions = {f"joint {k}": float(rng.uniform(-1, 1)) for k in range(_JOINTS)}
    if rng.random() < 0.5:
        tool = scene.add(Box((0.1, 0.1, 0.3)), robot.links[above].pose, name="arm/tool")
        robot.attach(tool, above)
    return robot
