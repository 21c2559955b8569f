"""Sweeps on an NVIDIA card against the same sweeps on the processor, easy ones and nasty ones.

Never missed, never later than rounding explains. Where several things are met at once the card may name another: each body
that it names instead must be met as early.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Capsule, Mesh, Motions, PointCloud, Scene, Shape, Sphere, Translate

from ..reference.vectors import random_rotation
from ..scenes.bodies import bumpy_ball

_SAME = 1e-12  # of the scene's size: two travels are one
_SIZE = 12.0
_BODIES = 40

Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CardTally:
    """What was found about one kind of sweep."""

    kind: str
    rows: int
    hits: int
    missed: int
    """Hits of the processor that are free on the card."""
    early: int
    """Free on the processor, hits on the card."""
    late: int
    """Hits that the card reports later than rounding explains."""
    overlaps: int
    """Rows where only one of the two overlaps at the start."""
    others: int
    """Rows that name another body, which is met at once too."""
    wrong_bodies: int
    """Rows that name another body, which is met later."""
    difference: float
    """Greatest difference of the travels, as a share of the scene's size."""

    @property
    def wrong(self) -> int:
        """Wrong answers."""
        return self.missed + self.early + self.late + self.overlaps + self.wrong_bodies


_COUNTS = ("rows", "hits", "missed", "early", "late", "overlaps", "others", "wrong_bodies")


def _tally(kind: str, counts: NDArray[np.int64], difference: float) -> CardTally:
    return CardTally(kind=kind, difference=difference, **dict(zip(_COUNTS, counts.tolist(), strict=True)))


def _shapes(rng: np.random.Generator) -> tuple[Shape, list[Shape]]:
    ball = Mesh.sphere(0.7, rows=9, sections=8)
    movers = (ball, Mesh.box((1, 1, 1)), Sphere(0.5), Capsule(0.3, 1.0), bumpy_ball(20, 20, 0.8))
    cloud = PointCloud(rng.normal(size=(80, 3)) * 0.4, radius=0.05)
    others = [ball, Mesh.box((1, 1.5, 0.7)), Sphere(0.6), Capsule(0.2, 1.5), cloud, bumpy_ball(30, 30, 1.0)]
    return movers[rng.integers(len(movers))], [others[k] for k in rng.permutation(len(others))[:3]]


def _crowd(rng: np.random.Generator, clear: float) -> tuple[Scene, Body]:
    """Return bodies around a mover at the origin, none nearer than `clear`."""
    mover, others = _shapes(rng)
    scene = Scene()
    body = scene.add(mover, group="movers")
    for k in range(_BODIES):
        pose = np.eye(4)
        pose[:3, :3] = random_rotation(rng)
        toward = rng.normal(size=3)
        pose[:3, 3] = toward / np.linalg.norm(toward) * rng.uniform(clear, _SIZE)
        scene.add(others[k % len(others)], pose, group="others")
    return scene, body


def _vectors(rng: np.random.Generator, count: int, length: float) -> Vectors:
    vectors = rng.normal(size=(count, 3))
    return length * vectors / np.linalg.norm(vectors, axis=1)[:, None]


def _translations(rng: np.random.Generator, count: int) -> Motions:
    return Motions.translate(_vectors(rng, count, 1.0) * rng.uniform(0.0, 1.5 * _SIZE, (count, 1)))


def _screws(rng: np.random.Generator, count: int) -> Motions:
    slide = np.where(rng.random(count) < 0.5, 0.0, rng.uniform(-3.0, 3.0, count))
    return Motions.screw(
        rng.normal(size=(count, 3)), rng.uniform(0.05, 6.5, count), slide=slide, about=rng.normal(size=(count, 3)) * 5
    )


def _resting(rng: np.random.Generator) -> tuple[Scene, Body]:
    """Return a box on a floor, beside a wall: it touches both."""
    scene = Scene()
    body = scene.add(Mesh.box((1, 1, 1)), (0, 0, 1.0))
    scene.add(Mesh.box((20, 20, 1)))
    scene.add(Mesh.box((1, 20, 5)), (1.0, 0, 3.0))
    scene.add(Sphere(0.5), (0, 0, rng.uniform(2.0, 4.0)))
    return scene, body


def _along(rng: np.random.Generator, count: int) -> Motions:
    """Return motions of a body that rests: along axes, along planes, nearly so, and any."""
    vectors = _vectors(rng, count, 4.0)
    vectors[: count // 4] *= rng.integers(0, 2, (count // 4, 3))
    vectors[count // 4 : count // 2, 2] *= 10.0 ** rng.uniform(-14.0, 0.0, count // 2 - count // 4)
    return Motions.translate(vectors)


KINDS: dict[str, Callable[[np.random.Generator, int], tuple[Scene, Body, Motions, Vectors | None, float, str]]] = {
    "translations": lambda rng, n: (*_crowd(rng, 2.5), _translations(rng, n), None, 0.0, "free"),
    "turns and screws": lambda rng, n: (*_crowd(rng, 2.5), _screws(rng, n), None, 0.0, "free"),
    "with a margin": lambda rng, n: (*_crowd(rng, 3.0), _translations(rng, n), None, 0.2, "free"),
    "from many starts": lambda rng, n: (*_crowd(rng, 0.0), _translations(rng, n), rng.uniform(-8, 8, (n, 3)), 0.0, "free"),
    "turns from many starts": lambda rng, n: (*_crowd(rng, 0.0), _screws(rng, n), rng.uniform(-8, 8, (n, 3)), 0.0, "free"),
    "at rest": lambda rng, n: (*_resting(rng), _along(rng, n), None, 0.0, "free"),
    "at rest, resting hits": lambda rng, n: (*_resting(rng), _along(rng, n), None, 0.0, "hit"),
}
"""Each returns a scene, the mover, motions, starts or None, the margin, and what resting contact is."""


def tally_card(kind: str, scenes: int, rows: int, seed: int) -> CardTally:
    """Ask both devices the same questions in some scenes."""
    counts = np.zeros(len(_COUNTS), np.int64)
    worst = 0.0
    for k in range(scenes):
        rng = np.random.default_rng((seed, k))
        scene, mover, motions, starts, margin, resting = KINDS[kind](rng, rows)
        options = {"margin": margin, "resting": resting}
        ours = scene.sweep_many(mover, motions, starts, **options)
        card = scene.sweep_many(mover, motions, starts, device="cuda", **options)
        lengths = ours.travel / np.where(ours.time > 0.0, ours.time, 1.0)
        both = ~ours.free & ~card.free
        apart = np.where(both, card.travel - ours.travel, 0.0)
        size = np.where(np.isfinite(lengths), np.maximum(lengths, 1.0), 1.0) * _SIZE
        worst = max(worst, float((np.abs(apart) / size).max(initial=0.0)))
        other = np.flatnonzero(both & (card.table["obstacle"] != ours.table["obstacle"]))
        wrong = 0
        for row in other.tolist():
            named = int(card.table["obstacle"][row])
            rest = [body for body in scene.bodies if body is not mover and body.id != named]
            start = None if starts is None else starts[row]
            alone = scene.sweep_many(mover, motions[row], start, ignore=rest, **options)
            wrong += not (abs(float(alone.travel) - ours.travel[row]) <= _SAME * size[row])
        counts += (
            len(motions),
            int((~ours.free).sum()),
            int((~ours.free & card.free).sum()),
            int((ours.free & ~card.free).sum()),
            int((apart > _SAME * size).sum()),
            int((ours.overlapping != card.overlapping).sum()),
            len(other) - wrong,
            wrong,
        )
    return _tally(kind, counts, worst)


def moved_scene(seed: int) -> CardTally:
    """Change one scene again and again, and ask after each change: the card must see all of it."""
    rng = np.random.default_rng(seed)
    scene, mover = _crowd(rng, 3.0)
    counts = np.zeros(len(_COUNTS), np.int64)
    for step in range(30):
        others = [body for body in scene.bodies if body is not mover]
        body = others[rng.integers(len(others))]
        if step % 5 == 4:
            (scene.ignore_groups, scene.unignore_groups)[step % 2]("movers", "others")
        elif step % 5 == 0:
            scene.move([body], [_vectors(rng, 1, 5.0)[0]])
        elif step % 5 == 1 and isinstance(body.shape, Mesh):
            scene.deform([body], [np.asarray(body.shape.vertices) * rng.uniform(0.5, 1.5, 3)])
        elif step % 5 == 2:
            scene.remove(body)
        else:
            scene.add(_shapes(rng)[1][0], _vectors(rng, 1, 6.0)[0], group="others")
        motions = Motions([Translate(vector) for vector in _vectors(rng, 200, 15.0)])
        ours, card = scene.sweep_many(mover, motions), scene.sweep_many(mover, motions, device="cuda")
        late = int((card.travel > ours.travel + _SAME * _SIZE).sum())
        hits = ~ours.free
        counts += (200, int(hits.sum()), int((hits & card.free).sum()), int((~hits & ~card.free).sum()), late, 0, 0, 0)
    return _tally("after changes", counts, 0.0)
