"""Two bodies, most of them on a lattice, and a motion of the first, which the second may make instead, the other way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .contact_cases import ContactScene, contact_scene, pose_of
from .contact_motions import ContactMotion, any_motion
from .contact_nearness import nearness
from .contact_shapes import ContactBody, Rng
from .convex_depth import Floats
from .lattice_solids import SOLIDS, Solid
from .pieces import SurfacePiece, all_shadows, overlap_begins, placed
from .vectors import random_rotation

KINDS = ("shapes", "boxes", "hulls", "fans", "triangles", "triangle on shape", "shape on triangle", "tips")
_OFFSETS = 250
_TOLERANCES = (1e-3, 1e-5)
"""Shares of the mover's size, small beside the obstacle too, which moves as well."""
_AXES = np.array(((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1), (1, -1, 0), (1, 2, 2)))


@dataclass(frozen=True, slots=True)
class SwapCase:
    """Two bodies at poses, and a motion of the first."""

    seed: int
    kind: str
    bodies: tuple[ContactBody, ContactBody]
    poses: tuple[Floats, Floats]
    """Shape (4, 4), world."""
    motion: ContactMotion
    tolerance: float | None
    touching: bool
    """At the start."""
    truth: Fraction | None
    """Share of the motion from which interiors overlap, if it is straight and on a lattice; None: never."""
    known: bool
    """Whether `truth` is known."""


def swap_case(seed: int) -> SwapCase:
    """Return the case of a seed."""
    rng = np.random.default_rng((seed, 41))
    kind = KINDS[seed % len(KINDS)]
    return _tips(seed, rng) if kind == "tips" else _lattice(seed, kind, rng)


def _tips(seed: int, rng: Rng) -> SwapCase:
    """Return two bodies of the question of depth, and a motion that is long beside the tolerance."""
    scene: ContactScene = contact_scene(seed // len(KINDS), _TOLERANCES)
    near = nearness(scene, scene.start[None])
    gap, axis = near.nearest(0)
    motion = any_motion(scene, scene.start, gap, axis, rng, least=0.01)
    poses = scene.start, scene.place
    return SwapCase(seed, "tips", (scene.mover, scene.obstacle), poses, motion, scene.tau, True, None, False)


def triangle_solid(rng: Rng) -> Solid:
    """Return a triangle with whole corners, as a solid without an inside."""
    while True:
        corners = rng.integers(-3, 4, (3, 3)) * (1, 1, int(rng.random() < 0.5))
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        if normal.any():
            break
    corners = corners[:, rng.permutation(3)]
    sides = np.roll(corners, -1, axis=0) - corners
    normal = np.cross(sides[0], sides[1])
    # Normals of its sides within its plane separate it from what lies in that plane too.
    piece = SurfacePiece(corners, np.concatenate((normal[None], np.cross(sides, normal))), sides)
    return Solid([piece], corners, np.array(((0, 1, 2),)))


_FIRST: dict[str, Callable[[Rng], Solid]] = {
    **SOLIDS,
    "triangles": triangle_solid,
    "triangle on shape": triangle_solid,
    "shape on triangle": SOLIDS["shapes"],
}
_SECOND: dict[str, Callable[[Rng], Solid]] = {
    **SOLIDS,
    "triangles": triangle_solid,
    "triangle on shape": SOLIDS["shapes"],
    "shape on triangle": triangle_solid,
}


def _lattice(seed: int, kind: str, rng: Rng) -> SwapCase:
    while True:
        first, second = _FIRST[kind](rng), _SECOND[kind](rng)
        offset, touching = _offset(first, second, rng)
        if offset is not None:
            break
    first = first.shifted(offset)
    frame = np.eye(4)
    if rng.random() < 0.35:
        frame = pose_of(random_rotation(rng), rng.uniform(-5.0, 5.0, 3))
    vector, motion = _motion(first, second, touching, rng)
    turn, shift = frame[:3, :3], frame[:3, 3]
    about = None if motion.about is None else turn @ motion.about + shift
    world = ContactMotion(motion.name, turn @ motion.vector, motion.angle, 0.0, about)
    truth = None if vector is None else overlap_begins(all_shadows(first.pieces, second.pieces), vector)
    bodies = _body(kind, first), _body(kind, second)
    tolerance = None if rng.random() < 0.5 else 1e-6
    return SwapCase(seed, kind, bodies, (frame, frame), world, tolerance, touching, truth, vector is not None)


def _body(kind: str, solid: Solid) -> ContactBody:
    return ContactBody(kind, solid.vertices.astype(np.float64), solid.faces, ())


def _offset(first: Solid, second: Solid, rng: Rng) -> tuple[NDArray[np.int64] | None, bool]:
    """Return where the first body touches the second without overlap, most of the time; else where they are apart."""
    low = second.vertices.min(axis=0) - first.vertices.max(axis=0) - 1
    high = second.vertices.max(axis=0) - first.vertices.min(axis=0) + 1
    offsets = rng.integers(low, high + 1, (_OFFSETS, 3))
    inside, meeting = placed(all_shadows(first.pieces, second.pieces), offsets)
    touching = bool(rng.random() < 0.7)
    fits = np.nonzero(~inside & ((meeting > 0) == touching))[0]
    return (offsets[rng.choice(fits)], touching) if len(fits) else (None, touching)


def _motion(first: Solid, second: Solid, touching: bool, rng: Rng) -> tuple[NDArray[np.int64] | None, ContactMotion]:
    """Return a straight motion by a whole vector, or a turn about a whole axis through a corner."""
    if rng.random() < 0.6:
        towards = np.sign(np.round(second.vertices.mean(axis=0) - first.vertices.mean(axis=0))).astype(np.int64)
        vector = np.zeros(3, np.int64)
        while not vector.any():
            vector = rng.integers(-3, 4, 3) + (0 if touching else 3) * towards
        vector = vector * int(rng.choice((1, 2, 3)))
        return vector, ContactMotion("straight", vector.astype(np.float64))
    corners = np.concatenate((first.vertices, second.vertices)).astype(np.float64)
    axis = _AXES[rng.integers(len(_AXES))].astype(np.float64)
    angle = float(rng.uniform(0.1, 2.5) * rng.choice((-1.0, 1.0)))
    return None, ContactMotion("turn", axis, angle, 0.0, corners[rng.integers(len(corners))])


def opposite(motion: ContactMotion) -> ContactMotion:
    """Return the motion of the other body that is the same to both."""
    if motion.about is None:
        return ContactMotion(motion.name, -motion.vector)
    return ContactMotion(motion.name, motion.vector, -motion.angle, -motion.slide, motion.about)
