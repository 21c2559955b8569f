"""Swings and things to meet, random and difficult: grazes, surfaces, the axis itself, no width, no angle, many turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .swing import Rods, SwungBox
from .vectors import random_rotation

Array = NDArray[np.float64]
Rng = np.random.Generator

THINGS = ("points", "spheres", "upright capsules", "level capsules")
"""What the swing meets; capsules are parallel or square to the axis, and need an edge of the box parallel to it."""
_ANGLES = (0.0, 1e-9, 1e-4, np.pi / 2, np.pi, 2.0 * np.pi, 20.0)


@dataclass(frozen=True, slots=True)
class SwingCase:
    """A swing, and many things of one type."""

    kind: str
    thing: str
    box: SwungBox
    rods: Rods


def _about_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))


def _about_x(angle: float) -> Array:
    return _about_z(angle)[[2, 0, 1]][:, [2, 0, 1]]


# A kind returns half widths (3,), the box's axes (3, 3) and its center (3,) where the axis of the turn is z.
Kind = Callable[[Rng], tuple[Array, Array, Array]]


def thesis(rng: Rng) -> tuple[Array, Array, Array]:
    """The published pose: a box axis goes through the center of the turn, which is outside the box."""
    half = rng.uniform(0.0, 1.0, 3)
    return half, np.eye(3), np.array((0.0, half[1] + rng.choice((0.0, 1.0)) * rng.uniform(), 0.0))


def upright(rng: Rng) -> tuple[Array, Array, Array]:
    """An edge parallel to the axis, the box anywhere."""
    return rng.uniform(0.1, 1.0, 3), _about_z(rng.uniform(0.0, 6.0)), rng.normal(size=3)


def holding(rng: Rng) -> tuple[Array, Array, Array]:
    """The axis goes through the box."""
    half = rng.uniform(0.1, 1.0, 3)
    return half, np.eye(3), half * rng.uniform(-1.0, 1.0, 3)


def hinge(rng: Rng) -> tuple[Array, Array, Array]:
    """An edge of the box is the axis."""
    half = rng.uniform(0.1, 1.0, 3)
    return half, np.eye(3), half * rng.choice((-1.0, 1.0), 3)


def thin(rng: Rng) -> tuple[Array, Array, Array]:
    """A plate, a needle or a point."""
    half = rng.uniform(0.1, 1.0, 3) * (rng.random(3) < 0.5)
    return half, rng.choice((np.eye(3), _about_z(1.0), random_rotation(rng))), rng.normal(size=3)


def tilted(rng: Rng) -> tuple[Array, Array, Array]:
    """Any pose."""
    return rng.uniform(0.1, 1.0, 3), random_rotation(rng), rng.normal(size=3)


def tilted_hinge(rng: Rng) -> tuple[Array, Array, Array]:
    """A corner of a tilted box on the axis."""
    half, turn = rng.uniform(0.1, 1.0, 3), random_rotation(rng)
    return half, turn, turn @ (half * rng.choice((-1.0, 1.0), 3))


def leaning(rng: Rng) -> tuple[Array, Array, Array]:
    """Tilted very little."""
    half, lean = rng.uniform(0.1, 1.0, 3), 10.0 ** rng.uniform(-11.0, -3.0)
    return half, _about_z(rng.uniform(0.0, 6.0)) @ _about_x(lean), rng.choice((rng.normal(size=3), half))


def far(rng: Rng) -> tuple[Array, Array, Array]:
    """A far axis."""
    turn = rng.choice((_about_z(1.0), random_rotation(rng)))
    return rng.uniform(0.1, 1.0, 3), turn, np.array((10.0 ** rng.uniform(1.0, 3.0), 0.0, 0.0))


KINDS: tuple[Kind, ...] = (thesis, upright, holding, hinge, thin, tilted, tilted_hinge, leaning, far)


def _contact_offsets(rng: Rng, count: int) -> Array:
    """Return distances from contact: 0, or 1e-12 to 1e-3 to either side."""
    return rng.choice((-1.0, 0.0, 1.0), count) * 10.0 ** rng.uniform(-12.0, -3.0, count)


def _places(rng: Rng, half: Array, turn: Array, center: Array, angle: float, radii: Array) -> Array:
    """Return points (n, 3), axis z: near the box, on the axis, and about a radius from the swept volume."""
    count = len(radii)
    reach = np.linalg.norm(half) + 0.1
    local = rng.uniform(-1.0, 1.0, (count, 3)) * half
    # On a side, an edge or a corner of the box.
    pinned = rng.random((count, 3)) < 0.5
    pinned[np.arange(count), rng.integers(0, 3, count)] = True
    local = np.where(pinned, np.sign(local) * half, local)
    out = np.where(pinned, np.sign(local), 0.0) * rng.choice((0.0, 1.0, rng.uniform()), (count, 3))
    size = np.linalg.norm(out, axis=1, keepdims=True)
    out = np.divide(out, size, out=np.zeros_like(out), where=size > 0.0)
    local = local + out * (radii + _contact_offsets(rng, count))[:, None]
    when = np.where(rng.random(count) < 0.3, rng.choice((0.0, angle), count), rng.uniform(-0.2, 1.2, count) * angle)
    c, s = np.cos(when), np.sin(when)
    start = local @ turn.T + center
    touching = np.stack((c * start[:, 0] - s * start[:, 1], s * start[:, 0] + c * start[:, 1], start[:, 2]), axis=1)
    anywhere = center * rng.choice((-1.0, 1.0), (count, 1)) + rng.normal(size=(count, 3)) * reach
    on_axis = np.zeros((count, 3))
    on_axis[:, 2] = center[2] + rng.uniform(-1.0, 1.0, count) * reach
    # Beside the circle of the farthest corner, and above the top.
    corners = (np.array(np.meshgrid(*((-1, 1),) * 3)).reshape(3, 8).T * half) @ turn.T + center
    widest = np.hypot(corners[:, 0], corners[:, 1]).max() + radii + _contact_offsets(rng, count)
    phi = rng.uniform(-np.pi, np.pi, count)
    rim = np.stack((widest * np.cos(phi), widest * np.sin(phi), rng.choice(corners[:, 2], count)), axis=1)
    above = anywhere.copy()
    above[:, 2] = corners[:, 2].max() + radii + _contact_offsets(rng, count)
    sort = rng.choice(5, count, p=(0.45, 0.3, 0.05, 0.1, 0.1))
    return np.choose(sort[:, None], (touching, anywhere, on_axis, rim, above))


def make(kind: Kind, thing: str, count: int, seed: int) -> SwingCase:
    """Return a case of `count` things; the same arguments give the same case."""
    rng = np.random.default_rng((seed, KINDS.index(kind), THINGS.index(thing)))
    half, turn, center = kind(rng)
    angle = rng.choice((rng.choice(_ANGLES), rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.0, 2.0 * np.pi)))
    if kind is far:
        angle = min(angle, 3.0 / center[0])
    angle *= rng.choice((-1.0, 1.0))
    radii = np.zeros(count)
    if thing != "points":
        radii = rng.choice((0.0, 1e-9, 1e-3, 0.3, 3.0), count, p=(0.05, 0.05, 0.2, 0.6, 0.1)) * rng.uniform(0.2, 1.0, count)
    p0 = _places(rng, half, turn, center, angle, radii)
    p1 = p0.copy()
    if "capsules" in thing:
        length = rng.choice((0.0, 1e-9, 1.0, 10.0), (count, 1), p=(0.05, 0.05, 0.7, 0.2)) * rng.uniform(-1.0, 1.0, (count, 1))
        phi = rng.choice((rng.uniform(-np.pi, np.pi, count), rng.choice((0.0, 0.5 * np.pi), count)))
        along = (
            np.stack((np.cos(phi), np.sin(phi), 0.0 * phi), axis=1) if thing == "level capsules" else np.array((0.0, 0.0, 1.0))
        )
        # The point is an end of the capsule, or its middle.
        p0 = p0 - length * along * rng.choice((0.0, 0.5), (count, 1))
        p1 = p0 + length * along
    scale = rng.choice((1.0, 10.0 ** rng.uniform(-3.0, 3.0)))
    frame = rng.choice((np.eye(3), random_rotation(rng)))
    about = rng.choice((np.zeros(3), rng.normal(size=3)))
    pose = np.eye(4)
    pose[:3, :3] = frame @ turn
    pose[:3, 3] = scale * (frame @ center + about)
    box = SwungBox(scale * half, pose, frame[:, 2].copy(), float(angle), scale * about)
    p0, p1 = (scale * (places @ frame.T + about) for places in (p0, p1))
    rods = Rods(p0, p1, scale * radii)
    return SwingCase(kind.__name__, thing, box, rods)
