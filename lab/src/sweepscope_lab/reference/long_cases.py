"""Motions that are long beside the tolerance, of bodies that touch or are apart, for questions about parts of a motion."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from .contact_cases import ContactScene, contact_scene
from .contact_motions import ContactMotion, any_motion
from .contact_nearness import deepest_share, nearness
from .contact_shapes import Rng
from .convex_depth import Floats
from .vectors import random_direction, rotation

_TOLERANCES = (1e-5, 1e-7)
"""Shares of the mover's size."""
_LEAST = 0.01
"""Least length of a motion, as a share of the mover's size."""
_MOMENTS = np.linspace(0.0, 1.0, 65)[1:]


@dataclass(frozen=True, slots=True)
class LongCase:
    """A scene and a motion of its mover."""

    scene: ContactScene
    motion: ContactMotion
    touching: bool
    """At the start."""

    @property
    def slack(self) -> float:
        """Return by how much travels may differ [length, or radians]. Grazing turns are reported up to 1e-6 radians early."""
        tau, size = self.scene.tau, self.scene.mover.size
        return 10.0 * tau + 1e-9 * size if self.motion.about is None else 10.0 * tau / size + 2e-6


def long_case(seed: int) -> LongCase:
    """Return the case of a seed."""
    scene = contact_scene(seed, _TOLERANCES)
    rng = np.random.default_rng((seed, 51))
    gap, axis = nearness(scene, scene.start[None]).nearest(0)
    if rng.random() < 0.4:
        return LongCase(scene, any_motion(scene, scene.start, gap, axis, rng, least=_LEAST), True)
    away = float(rng.uniform(0.05, 1.0)) * (axis + 0.3 * random_direction(rng))
    start = scene.start.copy()
    start[:3, 3] += away
    scene = dataclasses.replace(scene, start=start)
    return LongCase(scene, _towards(scene, away, rng), False)


def _towards(scene: ContactScene, away: Floats, rng: Rng) -> ContactMotion:
    """Return a straight motion back to the contact and beyond, or a turn that leads about there."""
    back = -away * float(rng.uniform(0.5, 2.0)) + 0.2 * float(np.linalg.norm(away)) * random_direction(rng) * (
        rng.random() < 0.5
    )
    if rng.random() < 0.6:
        return ContactMotion("straight", back)
    axis = np.cross(away, random_direction(rng))
    axis /= np.linalg.norm(axis)
    length = float(np.linalg.norm(back))
    middle = scene.mover.vertices.mean(axis=0) @ scene.start[:3, :3].T + scene.start[:3, 3]
    about = middle + np.cross(axis, back / length) * float(rng.uniform(0.3, 2.0))
    radius = float(np.linalg.norm(about - middle))
    slide = 0.2 * length * float(rng.uniform(-1.0, 1.0)) if rng.random() < 0.3 else 0.0
    return ContactMotion("screw" if slide else "turn", axis, min(length / radius, 2.0), slide, about)


def part_of_motion(motion: ContactMotion, share: float) -> ContactMotion:
    """Return the beginning of a motion, or, if share is above 1, its continuation."""
    if motion.about is None:
        return ContactMotion(motion.name, share * motion.vector)
    return ContactMotion(motion.name, motion.vector, share * motion.angle, share * motion.slide, motion.about)


def moved(motion: ContactMotion, pose: Floats) -> Floats:
    """Return the pose (4, 4) after a motion."""
    after = pose.copy()
    if motion.about is None:
        after[:3, 3] += motion.vector
        return after
    turn = rotation(motion.vector, motion.angle)
    after[:3, :3] = turn @ pose[:3, :3]
    after[:3, 3] = turn @ (pose[:3, 3] - motion.about) + motion.about + motion.slide * motion.vector
    return after


def greatest_depth(case: LongCase, motion: ContactMotion) -> float:
    """Return the greatest depth during a motion from the start [length]; of turns, and in height fields, at some moments."""
    scene = case.scene
    if motion.about is None and scene.obstacle.field is None:
        shares = np.array((deepest_share(scene, scene.start, motion.vector, 1.0), 1.0))
    else:
        shares = _MOMENTS
    poses = np.array([moved(part_of_motion(motion, float(share)), scene.start) for share in shares])
    return float(nearness(scene, poses).most.max())
