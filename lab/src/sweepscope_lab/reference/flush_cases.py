"""Boxes and prisms that meet flush, face on face, edge on edge or corner on corner, with the travel at which they do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .contact_cases import pose_of, quarter_turn
from .contact_motions import ContactMotion
from .contact_shapes import ContactBody, Rng, box_body, prism_body
from .convex_depth import Floats, part_of_mesh
from .vectors import random_rotation, rotation

KINDS = ("equal cubes", "faces", "edges", "corners", "prism caps", "prism sides", "landing")
_UP = np.array((0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class FlushCase:
    """A mover that meets an obstacle after a known travel."""

    seed: int
    kind: str
    mover: ContactBody
    obstacle: ContactBody
    start: Floats
    """Pose of the mover (4, 4), world."""
    place: Floats
    """Pose of the obstacle (4, 4), world."""
    motion: ContactMotion
    travel: float
    """At contact [length, or radians for a turn]; 0 if they touch at the start."""
    passes: bool
    """They only touch and slide past each other, so that the motion may be free."""
    tolerance: float | None
    """Of the scene [length]; None is the default."""
    lattice: bool


def flush_case(seed: int) -> FlushCase:
    """Return the case of a seed."""
    rng = np.random.default_rng((seed, 21))
    kind = KINDS[seed % len(KINDS)]
    lattice = bool(rng.random() < 0.5)
    mover, obstacle, touching, inwards = _pair(kind, lattice, rng)
    if lattice:
        frame = pose_of(quarter_turn(rng), rng.integers(-2, 3, 3).astype(np.float64))
    else:
        frame = pose_of(random_rotation(rng), rng.uniform(-2.0, 2.0, 3))
    motion, start, travel, passes = (
        _landing(mover, touching, rng) if kind == "landing" else _approach(touching, inwards, lattice, rng)
    )
    tolerance = None if rng.random() < 0.6 else mover.size * float(rng.choice((1e-3, 1e-5)))
    turn, shift = frame[:3, :3], frame[:3, 3]
    about = None if motion.about is None else turn @ motion.about + shift
    motion = ContactMotion(motion.name, turn @ motion.vector, motion.angle, 0.0, about)
    return FlushCase(seed, kind, mover, obstacle, frame @ start, frame, motion, travel, passes, tolerance, lattice)


def _pair(kind: str, lattice: bool, rng: Rng) -> tuple[ContactBody, ContactBody, Floats, Floats]:
    """Return a mover, an obstacle whose top is at z = 0, and the pose (4, 4) of the mover that touches it from above.

    Last (2,): which way along x and y leads over the obstacle, where only an edge or a corner of it is touched; else 0.
    """
    if kind == "equal cubes":
        cube = _box(0.25 * np.full(3, float(rng.integers(1, 5))), below=False)
        return cube, _box(np.ptp(cube.vertices, axis=0), below=True), np.eye(4), np.zeros(2)
    if kind in ("prism caps", "prism sides"):
        return *_PRISMS[kind](lattice, rng), np.zeros(2)
    mover, obstacle = _box(_widths(lattice, rng), below=False), _box(_widths(lattice, rng), below=True)
    reach = 0.5 * (np.ptp(mover.vertices, axis=0) + np.ptp(obstacle.vertices, axis=0))[:2]
    share = rng.choice((-0.5, 0.0, 0.5), 2) if lattice else rng.uniform(-0.9, 0.9, 2)
    sides = rng.choice((-1.0, 1.0), 2)
    aside, inwards = reach * share, np.zeros(2)
    if kind == "edges":
        k = int(rng.integers(2))
        aside[k], inwards[k] = sides[k] * reach[k], -sides[k]
    elif kind == "corners":
        aside, inwards = sides * reach, -sides
    return mover, obstacle, pose_of(np.eye(3), np.array((*aside, 0.0))), inwards


def _widths(lattice: bool, rng: Rng) -> Floats:
    return 0.25 * rng.integers(1, 6, 3).astype(np.float64) if lattice else rng.uniform(0.2, 1.5, 3)


def _box(widths: Floats, below: bool) -> ContactBody:
    low = np.array((-0.5 * widths[0], -0.5 * widths[1], -widths[2] if below else 0.0))
    return box_body("box", low, low + widths)


def _caps(lattice: bool, rng: Rng) -> tuple[ContactBody, ContactBody, Floats]:
    """Return prisms that stand on each other."""
    first, second = (int(rng.integers(3, 12)) for _ in range(2))
    mover = prism_body("prism", first, float(rng.uniform(0.3, 0.6)), 0.5)
    obstacle = prism_body("prism", first if rng.random() < 0.5 else second, float(rng.uniform(0.3, 0.6)), 0.75)
    turn = np.eye(3) if rng.random() < 0.5 else rotation(_UP, float(rng.uniform(0.0, 6.3)))
    aside = np.array((*rng.uniform(-0.2, 0.2, 2), 0.0)) * (rng.random() < 0.7)
    return mover, _shifted(obstacle, -0.75 * _UP), pose_of(turn, aside)


def _sides(lattice: bool, rng: Rng) -> tuple[ContactBody, ContactBody, Floats]:
    """Return a prism that lies with a side on a box, or on the side of an equal prism."""
    count, radius = int(rng.integers(3, 12)), float(rng.uniform(0.3, 0.6))
    prism = prism_body("prism", count, radius, float(rng.choice((0.5, rng.uniform(0.2, 1.0)))))
    # Turn the middle of the first side down.
    half = math.pi / count
    lay = rotation(np.array((0.0, 1.0, 0.0)), 0.5 * math.pi) @ rotation(_UP, -half)
    inner = radius * math.cos(half)
    middle = -0.5 * float(prism.vertices[:, 2].max())
    touching = pose_of(lay, np.array((middle + rng.uniform(-0.1, 0.1), rng.uniform(-0.05, 0.05), inner)))
    if rng.random() < 0.5:
        return prism, _box(_widths(lattice, rng), below=True), touching
    lying = pose_of(np.diag((1.0, -1.0, -1.0)) @ lay, np.array((middle, 0.0, -inner)))
    part = prism.vertices @ lying[:3, :3].T + lying[:3, 3]
    other = ContactBody("prism", part, prism.faces, (part_of_mesh(part, prism.faces),))
    return prism, other, touching


_PRISMS: dict[str, Callable[[bool, Rng], tuple[ContactBody, ContactBody, Floats]]] = {
    "prism caps": _caps,
    "prism sides": _sides,
}


def _shifted(body: ContactBody, shift: Floats) -> ContactBody:
    vertices = body.vertices + shift
    return ContactBody(body.name, vertices, body.faces, (part_of_mesh(vertices, body.faces),), box=body.box)


def _approach(touching: Floats, inwards: Floats, lattice: bool, rng: Rng) -> tuple[ContactMotion, Floats, float, bool]:
    """Return a straight motion down, or aslant, its start, the travel at contact, and whether it leads past the obstacle."""
    aslant = np.zeros(3)
    if rng.random() < 0.5:
        aslant = np.array((*(rng.integers(-1, 2, 2) if lattice else rng.uniform(-1.0, 1.0, 2)), 0.0)).astype(np.float64)
    if inwards.any() and rng.random() < 0.7:
        aslant[:2] = np.where(inwards == 0.0, aslant[:2], inwards * (1.0 if lattice else rng.uniform(0.05, 1.0)))
    meets = bool(((aslant[:2] * inwards > 0.0) | (inwards == 0.0)).all())
    direction = aslant - _UP
    high = 0.0 if rng.random() < 0.25 else float(rng.choice((0.5, 1.0, rng.uniform(0.01, 2.0))))
    start = touching.copy()
    start[:3, 3] -= high * direction
    beyond = float(rng.choice((0.25, 1.0)))
    return (
        ContactMotion("straight", (high + beyond) * direction),
        start,
        high * float(np.linalg.norm(direction)),
        not meets,
    )


def _landing(mover: ContactBody, touching: Floats, rng: Rng) -> tuple[ContactMotion, Floats, float, bool]:
    """Return a turn about an edge of the mover's bottom that lands the bottom flush."""
    angle = float(rng.choice((0.5, rng.uniform(0.05, 1.4))))
    half = 0.5 * float(np.ptp(mover.vertices, axis=0)[0])
    hinge = touching[:3, 3] + np.array((half, 0.0, 0.0))
    axis = np.array((0.0, 1.0, 0.0))
    back = rotation(axis, angle)
    start = pose_of(back @ touching[:3, :3], hinge + back @ (touching[:3, 3] - hinge))
    return ContactMotion("turn", axis, -(angle + 0.2), 0.0, hinge), start, angle, False
