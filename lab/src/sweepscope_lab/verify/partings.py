"""Sweep a body to contact with another; from there it must be able to part and to slide, and not to press.

Often it slides on to a second and a third contact, and is asked again.

The witness is a body that touches nothing, so that its answers need no decision about resting contact:

* of a closed mover, a smaller one: all its faces lie a little further in (see reference/smaller.py). It is inside the mover,
  so what stops it stops the mover;
* an open mover has no inside: there the mover as a whole, a little away from the contacts, along the sum of their normals.

A witness counts only if it touches nothing at the start: a normal may lead into another contact, and a vertex that cannot move
inwards may be the one that touches.

The witness is asked at two distances. Free at both: nothing but what is nearer than both distances can hold the mover. Stopped
at both, and ten times sooner at a tenth of the distance: at distance 0, it is stopped at once. All else is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Hit, Mesh, Motion, Rotate, Scene, Screw, Translate
from sweepscope.queries.slide import Vector, along

from ..reference.smaller import inward
from ..reference.vectors import random_direction, random_rotation
from ..scenes.bodies import bumpy_ball, hook, ring
from ..scenes.rolling import dodecahedron, l_shape, star
from ..scenes.touching import bowl, l_block, part_of, pose_of

Array = NDArray[np.float64]
Rng = np.random.Generator

_DISTANCES = (1e-6, 1e-7, 1e-8)  # [length] of the witness; the last, a few times the tolerance, confirms a false hit
_SOON = 1e3  # a witness that is stopped within so many times its distance presses
_UNCLEAR = 1e-5  # a motion against the normal by less may press and yet be free for the witness
_ROUNDING = 1e-9
_MOST_CONTACTS = 3
_LEFT_OUT = 1e-6  # share of the way back
_STILL = Translate((0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    """A mesh, and how its vertices move inwards: None if it is open, or not turned one way."""

    mesh: Mesh
    inward: Array | None


@cache
def generated_parts() -> list[MeshPart]:
    """Return parts about 1 across: convex, with notches, with holes, open."""
    rng = np.random.default_rng(5)
    meshes = [
        Mesh.box((1.0, 0.7, 0.5)),
        Mesh.cylinder(0.4, 1.0, sections=12),
        Mesh.cylinder(0.2, 1.2, sections=7),
        Mesh.sphere(0.5, rows=8, sections=9),
    ]
    meshes += [
        ring(0.3, 0.6, 0.25, 14),
        star(),
        l_shape(),
        l_block(),
        dodecahedron(),
        hook(0.5, 0.65, 0.2),
        bumpy_ball(9, 12, 0.6),
    ]
    meshes += [bowl(0.6), bowl(0.5, 3, 7), Mesh.terrain(rng.uniform(-0.15, 0.15, (6, 6)), 0.25)]
    meshes += [Mesh.terrain(0.25 * rng.integers(-1, 2, (5, 5)), 0.25), Mesh.terrain(np.zeros((2, 2)), 0.8)]
    return [part_from(mesh) for mesh in meshes]


def part_from(mesh: Mesh) -> MeshPart:
    """Return the part of a mesh."""
    return MeshPart(mesh, inward(mesh) if mesh.closed else None)


@dataclass(slots=True)
class PartingVerdict:
    """A pair of bodies, and what was wrong when they parted."""

    kind: str
    seed: int
    met: int = 0
    """Contacts that the mover came to, one after the other."""
    asked: int = 0
    """Motions that the witness could tell."""
    freed: int = 0
    """Those that it calls free."""
    skipped: int = 0
    held_back: list[str] = field(default_factory=list)
    """The way back was not free."""
    false_hits: list[str] = field(default_factory=list)
    """Held at time 0 where the witness is free."""
    pressing_free: list[str] = field(default_factory=list)
    """Free, or hit late, where the witness is stopped at once."""


def judge_parting(seed: int, parts: Sequence[MeshPart], origin: str) -> PartingVerdict:
    """Bring two parts together, and ask for motions from each contact. `origin` says where the parts are from."""
    rng = np.random.default_rng((seed, 11))
    mover, obstacle = (parts[int(rng.integers(len(parts)))] for _ in range(2))
    straight = bool(rng.random() < 0.5)
    kind = f"{origin}, {'straight' if straight else 'turn'}, {'open' if mover.inward is None else 'closed'}"
    start = pose_of(_any_rotation(rng), 2.5 * random_direction(rng))
    end = pose_of(_any_rotation(rng), 0.2 * rng.normal(size=3))
    if straight:
        motion: Motion = Translate(1.5 * (end[:3, 3] + 0.2 * rng.normal(size=3) - start[:3, 3]))
    else:
        motion = Screw.between(start, pose_of(_any_rotation(rng), end[:3, 3]))
    scene = Scene()
    scene.add(obstacle.mesh, end)
    body = scene.add(mover.mesh, start, group="mover")
    run = PartingVerdict(kind, seed)
    witness = _Witness(scene, body, mover)
    normals: list[Vector] = []
    for _ in range(_MOST_CONTACTS):
        hit = scene.sweep(body, motion)
        if hit is None or hit.overlapping or hit.time <= 1e-6:
            break
        run.met += 1
        body.pose = motion.at(hit.time) @ body.pose
        # Not quite all the way back: where a slide left a contact, it comes to that again.
        back = scene.sweep(body, part_of(motion, -hit.time * (1.0 - _LEFT_OUT)))
        if back is not None:
            run.held_back.append(f"contact {run.met}: {back}")
        x, y, z = hit.normal.tolist()
        normals.append((x, y, z))
        witness.place(body.pose, normals)
        for each in [part_of(motion, 1.0 - hit.time), *_motions(rng, body.pose[:3, 3], hit)]:
            _ask(scene, body, witness, each, run)
        direction = random_direction(rng)
        x, y, z = (-np.copysign(1.0, direction @ hit.normal) * direction).tolist()  # it presses, and so slides
        motion = Translate(along((x, y, z), normals))
    return run


def _any_rotation(rng: Rng) -> Array:
    """Return a random rotation, or often none: then faces and edges meet that are parallel."""
    return np.eye(3) if rng.random() < 0.3 else random_rotation(rng)


def _motions(rng: Rng, middle: Array, hit: Hit) -> Iterable[Motion]:
    """Yield motions in random directions, along the contact, and turns about points near it."""
    for _ in range(5):
        yield Translate(rng.uniform(0.1, 0.5) * random_direction(rng))
    for _ in range(2):
        yield Translate(0.3 * np.cross(hit.normal, random_direction(rng)))
    for _ in range(3):
        yield Rotate(random_direction(rng), rng.uniform(0.1, 0.4), about=middle + 0.5 * rng.normal(size=3))
    yield Rotate(hit.normal, 0.3, about=hit.point)
    yield Rotate(random_direction(rng), 0.3, about=hit.point)


class _Witness:
    """The body at two distances, and at a third to confirm."""

    def __init__(self, scene: Scene, body: Body, part: MeshPart) -> None:
        self._scene, self._inside = scene, part.inward is not None
        self._bodies = [scene.add(part.mesh, body.pose, group="mover") for _ in _DISTANCES]
        scene.ignore_groups("mover", "mover")
        if part.inward is not None:
            for each, away in zip(self._bodies, _DISTANCES, strict=True):
                each.vertices = part.mesh.vertices + away * part.inward
        self._clear = [False] * len(_DISTANCES)

    def place(self, pose: Array, normals: list[Vector]) -> None:
        """Put it where the mover is, which touches something with these normals."""
        out = np.zeros(3) if self._inside else np.sum(normals, axis=0)
        for each, away in zip(self._bodies, _DISTANCES, strict=True):
            each.pose = pose_of(pose[:3, :3], pose[:3, 3] + away * out)
        self._clear = [self._scene.sweep(each, _STILL, resting="hit") is None for each in self._bodies]

    def is_clear(self) -> bool:
        """Return whether it touches nothing at the start, at both distances."""
        return all(self._clear[:2])

    def hits(self, motion: Motion) -> list[Hit | None]:
        """Return its answers at both distances."""
        return [self._scene.sweep(each, motion) for each in self._bodies[:2]]

    def confirms(self, motion: Motion) -> bool:
        """Return whether it is free at the least distance too."""
        return self._clear[2] and self._scene.sweep(self._bodies[2], motion) is None


def _ask(scene: Scene, body: Body, witness: _Witness, motion: Motion, run: PartingVerdict) -> None:
    """Compare the mover's answer with that of the witness."""
    if not witness.is_clear():
        run.skipped += 1
        return
    hit = scene.sweep(body, motion)
    first, second = witness.hits(motion)
    held = hit is not None and hit.travel <= _ROUNDING
    if first is None and second is None:
        if held and (_is_unclear(motion, hit) or not witness.confirms(motion)):
            run.skipped += 1
            return
        run.asked += 1
        run.freed += 1
        if held:
            run.false_hits.append(f"{motion}: {hit}")
    elif first is not None and second is not None and _at_once(motion, first, second):
        run.asked += 1
        if hit is None or hit.travel > second.travel + _ROUNDING:
            run.pressing_free.append(f"{motion}: {hit}, but {second} at a distance of {_DISTANCES[1]}")
    else:
        run.skipped += 1


def _at_once(motion: Motion, first: Hit, second: Hit) -> bool:
    """Return whether the witness is stopped within a travel in proportion to its distance."""
    near = first.travel <= _SOON * _DISTANCES[0] and second.travel <= _SOON * _DISTANCES[1]
    return near and 5.0 < first.travel / max(second.travel, 1e-300) < 20.0


def _is_unclear(motion: Motion, hit: Hit | None) -> bool:
    """Return whether the motion goes against the normal of a hit by so little that the witness cannot tell."""
    if hit is None:
        return False
    moved = motion.at(1e-6) - np.eye(4)
    step = moved[:3, :3] @ hit.point + moved[:3, 3]
    size = float(np.linalg.norm(step))
    return size == 0.0 or -_UNCLEAR < float(step @ hit.normal) / size < -1e-9


@dataclass(frozen=True, slots=True)
class PartingTally:
    """Sums over the pairs of a kind."""

    kind: str
    cases: int
    met: int
    asked: int
    freed: int
    skipped: int
    held_back: int
    false_hits: int
    pressing_free: int


def tally_partings(verdicts: Iterable[PartingVerdict]) -> list[PartingTally]:
    """Return a row for each kind."""
    rows: dict[str, list[PartingVerdict]] = {}
    for each in verdicts:
        rows.setdefault(each.kind, []).append(each)
    return [
        PartingTally(
            kind,
            len(own),
            *(sum(getattr(each, name) for each in own) for name in ("met", "asked", "freed", "skipped")),
            *(sum(len(getattr(each, name)) for each in own) for name in ("held_back", "false_hits", "pressing_free")),
        )
        for kind, own in sorted(rows.items())
    ]
