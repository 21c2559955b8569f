"""Let bodies walk for thousands of frames; look for one that got into something, or is held where it could move.

Three witnesses, none of which decides contact as the walker's own sweeps do: a smaller body at the same pose, which touches
nothing and so has no resting contact; the height of the ground below the body; faces that cross, in NumPy.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Mesh, Scene, Shape, Translate

from ..reference.nearest import corner_inside, soup_distance, winding
from ..reference.vectors import rotation
from ..scenes.touching import pose_of, scaled
from ..simulate.walk import Walker
from ..simulate.walk_worlds import BODIES, HALF, WORLDS, WalkingWorld

FRAMES = 2_000
"""Frames of a run: a new world and a new body."""
_SUNK = 1e-6  # a body smaller by this share overlaps nothing
_SMALLER = 1e-7  # a body smaller by this share touches nothing: many times the tolerance
_STEP = 0.02  # [length] far more than that: free over this step, a body's way leads along what it touches, or away
_UNCLEAR = 1e-5  # a direction against the normal by less may press and yet be free for the smaller body
_EVERY, _SELDOM = 50, 1_000  # frames between checks, and between checks by NumPy
_STILL = Translate((0.0, 0.0, 0.0))
_DIRECTIONS = [Translate(_STEP * np.array(each)) for each in itertools.product((-1, 0, 1), repeat=3) if any(each)]
_START = 6.0  # height


@dataclass(slots=True)
class WalkVerdict:
    """What happened in a run."""

    body: str
    world: str
    seed: int
    frames: int = 0
    hits: int = 0
    slides: int = 0
    turns: int = 0
    checks: int = 0
    """Poses at which all directions were asked."""
    unclear: int = 0
    """Directions along a contact so nearly that the smaller body cannot tell."""
    tunnelled: list[int] = field(default_factory=list)
    """Frames at whose end the body was in something; the run ends there."""
    frozen: list[int] = field(default_factory=list)
    """Frames at whose end the body was held in all directions, and a smaller one not; it then starts anew."""
    held: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)
    """Frames, and directions that were free for a smaller body and held the body at time 0."""


def names_of(seed: int) -> tuple[str, str]:
    """Return the body and the world of a run: each seed has its own."""
    return list(BODIES)[seed % len(BODIES)], list(WORLDS)[seed // len(BODIES) % len(WORLDS)]


def judge_walk(seed: int, frames: int, meshes: Sequence[Mesh] = ()) -> WalkVerdict:
    """Walk, and check."""
    run = WalkVerdict(*names_of(seed), seed)
    rng = np.random.default_rng((seed, 3))
    world = WORLDS[run.world](rng, meshes)
    shape = BODIES[run.body]()
    angle = rng.uniform(0.0, 6.0) if run.body != "box" else 0.0
    scene, body = _scene_of(world, shape, _start(rng, angle))
    walker = Walker(scene, body, seed, HALF - 0.5)
    check = _Check(world, shape)
    asked = np.zeros((4, 4))
    for frame in range(frames):
        moved = walker.frame()
        run.frames += 1
        often = frame % _EVERY == 0
        if often and check.is_inside(body.pose, thorough=frame % _SELDOM == 0 or frame + _EVERY >= frames):
            run.tunnelled.append(frame)
            break
        if (often or not moved) and not np.array_equal(body.pose, asked):
            asked = body.pose
            if check.is_frozen(scene, body, run, frame):
                body.pose = _start(rng, angle)
    run.hits, run.slides, run.turns = walker.hits, walker.slides, walker.turns
    return run


def _start(rng: np.random.Generator, angle: float) -> NDArray[np.float64]:
    """Return a pose high above a random place."""
    return pose_of(rotation(np.array((0.0, 0.0, 1.0)), angle), np.array((*rng.uniform(1.0 - HALF, HALF - 1.0, 2), _START)))


def _scene_of(world: WalkingWorld, shape: Shape, pose: NDArray[np.float64]) -> tuple[Scene, Body]:
    scene = Scene()
    for piece, place in world.pieces:
        scene.add(piece, place)
    return scene, scene.add(shape, pose)


class _Check:
    """The witnesses."""

    def __init__(self, world: WalkingWorld, shape: Shape) -> None:
        self._heights = world.heights
        self._sunk, self._small = scaled(shape, 1.0 - _SUNK), scaled(shape, 1.0 - _SMALLER)
        far = np.eye(4)
        self._sunk_scene, self._sunk_body = _scene_of(world, self._sunk, far)
        self._small_scene, self._small_body = _scene_of(world, self._small, far)
        self._faces = [_faces_of(piece, place) for piece, place in world.pieces]
        self._solid = [not isinstance(piece, Mesh) or (piece.closed and piece.solid is not False) for piece, _ in world.pieces]

    def is_inside(self, pose: NDArray[np.float64], *, thorough: bool) -> bool:
        """Return whether the body is in something, or below the ground."""
        x, y, z = pose[:3, 3].tolist()
        if max(abs(x), abs(y)) > HALF or z < self._heights(x, y):
            return True
        self._sunk_body.pose = pose
        if self._sunk_scene.sweep(self._sunk_body, _STILL) is not None:
            return True
        return thorough and self._crosses(pose)

    def _crosses(self, pose: NDArray[np.float64]) -> bool:
        """Return whether faces of the body and of the world cross, or one is inside the other; no sweep is asked."""
        own = _faces_of(self._sunk, pose)
        low, high = own.min(axis=(0, 1)) - self._sunk.radius, own.max(axis=(0, 1)) + self._sunk.radius
        for faces, solid in zip(self._faces, self._solid, strict=True):
            if solid and abs(winding(pose[None, :3, 3], faces)[0]) > 0.5:
                return True
            near = faces[((faces.min(axis=1) <= high) & (faces.max(axis=1) >= low)).all(axis=1)]
            if not len(near):
                continue
            distance, crossing, _ = soup_distance(own, near)
            if crossing or distance < self._sunk.radius:
                return True
            if self._sunk.radius == 0.0 and corner_inside(near.reshape(-1, 3), own, 0.0):
                return True
        return False

    def is_frozen(self, scene: Scene, body: Body, run: WalkVerdict, frame: int) -> bool:
        """Ask in which of 26 directions the body, and the smaller one, is free; write down what is wrong."""
        run.checks += 1
        self._small_body.pose = body.pose
        any_free, wrong = False, []
        for motion in _DIRECTIONS:
            hit = scene.sweep(body, motion)
            if hit is None or hit.travel > 1e-3 * _STEP:
                any_free = True
            elif self._small_scene.sweep(self._small_body, motion) is None:
                if -_UNCLEAR < float(hit.normal @ motion.direction) < -1e-12:
                    run.unclear += 1
                else:
                    wrong.append(tuple(round(x / _STEP) for x in motion.vector))
        run.held += [(frame, direction) for direction in wrong]
        frozen = bool(wrong) and not any_free
        if frozen:
            run.frozen.append(frame)
        return frozen


def _faces_of(shape: Shape, pose: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners of faces in the world, shape (m, 3, 3); a capsule is its segment."""
    places = shape.vertices @ pose[:3, :3].T + pose[:3, 3]
    faces = shape.faces if len(shape.faces) else np.array([(0, 1, 1)])
    return places[faces]


@dataclass(frozen=True, slots=True)
class WalkTally:
    """Sums over the runs of a body in a world."""

    body: str
    world: str
    frames: int
    hits: int
    slides: int
    turns: int
    checks: int
    unclear: int
    tunnelled: int
    frozen: int
    held: int


def tally_walks(verdicts: Iterable[WalkVerdict]) -> list[WalkTally]:
    """Return a row for each body and world."""
    rows: dict[tuple[str, str], list[WalkVerdict]] = {}
    for each in verdicts:
        rows.setdefault((each.body, each.world), []).append(each)
    counts, lists = ("frames", "hits", "slides", "turns", "checks", "unclear"), ("tunnelled", "frozen", "held")
    return [
        WalkTally(
            *names,
            **{name: sum(getattr(each, name) for each in own) for name in counts},
            **{name: sum(len(getattr(each, name)) for each in own) for name in lists},
        )
        for names, own in sorted(rows.items())
    ]
