"""Motions of a mover in contact: pressing, grazing, sliding, parting, turning; from a tenth of a tolerance to its size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .contact_cases import ContactScene
from .contact_shapes import Rng
from .convex_depth import Floats
from .vectors import random_direction


@dataclass(frozen=True, slots=True)
class ContactMotion:
    """Straight by `vector`; or, if `angle` is not 0, a turn about `vector` through `about`, with a slide along it."""

    name: str
    vector: Floats
    """World, shape (3,): [length], or a unit axis."""
    angle: float = 0.0
    slide: float = 0.0
    about: Floats | None = None


def any_motion(scene: ContactScene, pose: Floats, gap: float, axis: Floats, rng: Rng, least: float = 0.0) -> ContactMotion:
    """Return a motion of a mover at a pose, with a signed distance `gap` to the obstacle along a unit axis (3,), world.

    least: the least length, as a share of the mover's size.
    """
    tau, size = scene.tau, scene.mover.size
    if gap > 20.0 * tau and rng.random() < 0.7:
        return ContactMotion("approach", -axis * (gap + tau * float(rng.choice((0.0, 0.5, rng.uniform(-1.0, 4.0), 100.0)))))
    length = max(_length(tau, size, rng), least * size * float(rng.uniform(1.0, 100.0)))
    if rng.random() < 0.6:
        name = list(_STRAIGHT)[rng.integers(len(_STRAIGHT))]
        direction = _STRAIGHT[name](axis, rng)
        return ContactMotion(name, length * direction / np.linalg.norm(direction))
    directions = (axis, beside(axis, rng), random_direction(rng), scene.place[:3, int(rng.integers(3))])
    places = scene.mover.vertices @ pose[:3, :3].T + pose[:3, 3]
    lowest = places[(places @ axis).argmin()]
    about = (lowest, places[rng.integers(len(places))], lowest + 0.3 * rng.normal(size=3))[rng.integers(3)]
    angle = min(length / size, 2.0) * float(rng.choice((-1.0, 1.0)))
    slide = length * float(rng.uniform(-1.0, 1.0)) if rng.random() < 0.4 else 0.0
    return ContactMotion("screw" if slide else "turn", directions[rng.integers(4)], angle, slide, about)


def short_motion(scene: ContactScene, pose: Floats, axis: Floats, rng: Rng) -> ContactMotion:
    """Return a motion shorter than the tolerance that presses, or turns about a place beside the contact."""
    length = scene.tau * float(rng.uniform(0.05, 1.0))
    if rng.random() < 0.6:
        direction = 0.5 * random_direction(rng) * (rng.random() < 0.5) - axis
        return ContactMotion("again", length * direction / np.linalg.norm(direction))
    places = scene.mover.vertices @ pose[:3, :3].T + pose[:3, 3]
    arm = beside(axis, rng)
    about = places[(places @ axis).argmin()] + scene.mover.size * arm
    # The contact goes down, about as far as the length.
    return ContactMotion("turn again", np.cross(arm, axis), length / scene.mover.size, 0.0, about)


def _length(tau: float, size: float, rng: Rng) -> float:
    draw = rng.random()
    if draw < 0.3:
        return tau * float(rng.uniform(0.1, 1.0))
    if draw < 0.6:
        return tau * float(rng.uniform(1.0, 10.0))
    if draw < 0.75:
        return min(tau * float(10.0 ** rng.uniform(1.0, 3.0)), size)
    return size * float(10.0 ** rng.uniform(-3.0, 0.0))


def beside(axis: Floats, rng: Rng) -> Floats:
    """Return a unit vector (3,) square to a unit axis."""
    across = np.cross(axis, random_direction(rng))
    across -= axis * (axis @ across)
    return across / np.linalg.norm(across)


_STRAIGHT: dict[str, Callable[[Floats, Rng], Floats]] = {
    "press": lambda axis, rng: -axis,
    "press aslant": lambda axis, rng: 0.5 * random_direction(rng) - axis,
    "graze": lambda axis, rng: beside(axis, rng) - 10.0 ** rng.uniform(-6.0, -0.5) * axis,
    "slide": beside,
    "part": lambda axis, rng: axis + 0.5 * random_direction(rng),
    "straight": lambda axis, rng: random_direction(rng),
}
