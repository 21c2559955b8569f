"""What a swing hits: the exact answer, and the answers of fans, speculative boxes and straight sweeps."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Scene, Sphere, Translate
from sweepscope.errors import InvalidGeometry
from sweepscope.fan import Fan, Swing

from ..compared import VARIANTS, PublishedFan, Speculative, StraightSweep, SweptSphere
from ..compared.box_rotation import SweptVolume
from ..scenes.swinging import SwingScene, SwingTarget

Triple = tuple[float, float, float]

METHODS = ("fan", "enclosing", *VARIANTS, "straight", "SSV")
"""Methods to compare with the exact answer: the published fan, the fan that never misses, boxes of speculative CCD, straight
sweeps of the box and of a sphere around it."""
HEADINGS = {name: name for name in METHODS} | {"enclosing": "encl.", "physx": "PhysX", "straight": "str."}
"""What tables and pictures call them."""


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """The answers for one target."""

    target: SwingTarget
    time: float | None
    """Exact first contact as a share of the swing; None if free."""
    point: NDArray[np.float64] | None
    """Where [length], shape (3,), world; None if free."""
    methods: dict[str, bool | None]
    """Answer of each method; None where it has none."""


def ask(case: SwingScene) -> list[TargetAnswer]:
    """Return what is hit, exactly and by each method, a row for each target."""
    box, pose = case.box_and_pose()
    motion: dict[str, Any] = {"axis": case.motion.axis, "angle": case.motion.angle, "about": case.motion.about}
    fans = {"enclosing": Fan.enclosing(case.mover, case.pose, **motion)}
    with suppress(InvalidGeometry):  # the published fan needs the pose of the thesis
        fans["fan"] = Fan.from_swing(box, pose, **motion)
    volumes = volumes_of(box, pose, motion)
    rows = []
    for target in case.targets:
        time, point = exact(case, target)
        methods: dict[str, bool | None] = dict.fromkeys(METHODS)
        for name, fan in fans.items():
            methods[name] = _fan_hits(PublishedFan(fan) if name == "fan" else fan, target)
        for name, volume in volumes.items():
            methods[name] = _volume_hits(volume, target)
        rows.append(TargetAnswer(target, time, point, methods))
    return rows


def exact(case: SwingScene, target: SwingTarget) -> tuple[float | None, NDArray[np.float64] | None]:
    """Return time and point of a target's first hit, touching included: in closed form if there is one, else by the sweep."""
    scene = Scene()
    mover = scene.add(case.mover, case.pose)
    scene.add(target.shape, target.pose)
    hit = scene.sweep(mover, case.motion, resting="hit")
    time, point = (None, None) if hit is None else (hit.time, hit.point)
    if isinstance(case.mover, Box) and isinstance(target.shape, Sphere):
        swing = Swing(case.mover, case.pose, axis=case.motion.axis, angle=case.motion.angle, about=case.motion.about)
        known = float(swing.sphere_times(target.pose[:3, 3], target.shape.radius))
        time = None if math.isnan(known) else known
        point = None if time is None else point
    return time, point


def _fan_hits(fan: Fan | PublishedFan, target: SwingTarget) -> bool:
    shape, pose = target.shape, target.pose
    if isinstance(shape, Sphere):
        return bool(fan.hits_spheres(pose[:3, 3], shape.radius))
    if isinstance(shape, Capsule):
        p0, p1 = shape.vertices @ pose[:3, :3].T + pose[:3, 3]
        return bool(fan.hits_capsules(p0, p1, shape.radius))
    # The thesis has no test for meshes: its fan is asked by ours.
    return (fan.fan if isinstance(fan, PublishedFan) else fan).hits_mesh(shape, pose)


def volumes_of(box: Box, pose: NDArray[np.float64], motion: dict[str, Any]) -> dict[str, SweptVolume]:
    """Return what methods other than fans take for the sweep of a box, by name; motion: axis, angle, about."""
    boxes: dict[str, SweptVolume] = {name: Speculative(box, pose, **motion, variant=name) for name in VARIANTS}
    return boxes | {"straight": StraightSweep(box, pose, **motion), "SSV": SweptSphere(box, pose, **motion)}


def _volume_hits(volume: SweptVolume, target: SwingTarget) -> bool:
    if isinstance(target.shape, Sphere):
        return bool(volume.hits_spheres(target.pose[:3, 3], target.shape.radius))
    scene = Scene()
    scene.add(target.shape, target.pose)
    shape, place, vector = volume.solid()
    return scene.sweep(scene.add(shape, place), Translate(vector), resting="hit") is not None
