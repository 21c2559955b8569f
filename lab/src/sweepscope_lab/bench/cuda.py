"""Many sweeps on an NVIDIA card: time of a row, and of the same rows on all cores of the processor.

Answers are compared before anything is timed. Each work is timed as a call with NumPy arrays, copies to and from the card
included, and alone on the card, with questions and answers there already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Mesh, Motions, Scene, Sphere, SweepscopeError
from sweepscope.cuda.card import card
from sweepscope.cuda.scene import scene_on_card
from sweepscope.cuda.sweeps import ask_on_card
from sweepscope.kernels import layout as at
from sweepscope.kernels.sweep import many
from sweepscope.motions import paths_of
from sweepscope.queries.order import similar_first
from sweepscope.queries.rows import NO_STANDS, make_ready
from sweepscope.scene import store_of
from sweepscope.threads import CORES
from sweepscope.world.body import entry_of

from ..scenes import scattered_balls
from .rows import Row, best_of_rounds, directions
from .translate import balls_in_space

_SAME = 1e-12  # of the length of the motion
_SIDE = 20.0

_NO_PAIRS = np.empty((0, 2), np.int64)


def _toward_x(count: int, length: float) -> NDArray[np.float64]:
    """Return vectors of a length in directions around x, shape (count, 3)."""
    vectors = 0.35 * np.random.default_rng(0).normal(size=(count, 3)) + (1.0, 0.0, 0.0)
    return length * vectors / np.linalg.norm(vectors, axis=1)[:, None]


def _half_turns(count: int) -> Motions:
    rng = np.random.default_rng(0)
    return Motions.rotate(rng.normal(size=(count, 3)), np.pi, about=rng.normal(size=(count, 3)) * 5.0)


class _Alone:
    """Questions about a scene that are on the card already, in the order in which they are answered, and room for answers."""

    def __init__(self, scene: Scene, mover: Body, motions: Motions) -> None:
        store, count = store_of(scene), len(motions)
        paths, lengths, turning = paths_of(motions, np.arange(count))
        questions = np.empty((count, at.QUESTION))
        order = similar_first(paths, lengths, turning, None)
        many.write_questions(paths, lengths, order, np.zeros((1, 2), np.int64), 0.0, False, 1, False, False, questions)
        arrays = card().arrays
        world = make_ready(store, [body.id for body in scene.bodies])
        self._straight = not turning.any()
        self._scene = scene_on_card(store, world, store.hierarchy())
        self._given = map(arrays.asarray, (np.array([entry_of(mover).row]), NO_STANDS, _NO_PAIRS))
        self._given = *self._given, store.tolerance, arrays.asarray(questions)
        self._answers, self._undecided = arrays.empty((count, at.ANSWER)), arrays.empty(count, np.bool_)

    def ask(self) -> None:
        ask_on_card(self._scene, self._straight, *self._given, self._answers, self._undecided)
        card().cuda.synchronize()

    @property
    def again(self) -> float:
        """Share of rows that the processor must answer."""
        return float(self._undecided.mean())


def _check(scene: Scene, mover: Body, motions: Motions) -> str:
    """Raise unless both devices agree; return a note."""
    ours, theirs = scene.sweep_many(mover, motions), scene.sweep_many(mover, motions, device="cuda")
    apart = int((ours.free != theirs.free).sum())
    if apart:
        raise SweepscopeError(f"the card and the processor disagree whether there is a hit in {apart} rows")
    off = float((np.abs(ours.travel - theirs.travel) / np.maximum(ours.travel, 1.0)).max())
    if off > _SAME:
        raise SweepscopeError(f"travels on the card differ by {off:.1e} of their length")
    return f"{(~ours.free).mean():.0%} of {len(motions):,} rows hit; travels differ by at most {off:.0e} of their length"


def _row(name: str, bar: str, scene: Scene, mover: Body, motions: Motions, sample: int, rounds: int) -> Row:
    part = motions[:sample]
    note = _check(scene, mover, part)
    alone = _Alone(scene, mover, motions)
    times = best_of_rounds(
        {
            "call": lambda: scene.sweep_many(mover, motions, device="cuda"),
            "alone": alone.ask,
            "cores": lambda: scene.sweep_many(mover, part),
        },
        rounds,
    )
    count = len(motions)
    on_card, on_cores = times["alone"] / count, times["cores"] / sample
    note += (
        f"; {count / times['alone'] / 1e6:.2f} million a second alone on the card ({on_cores / on_card:.1f} x {CORES} cores)"
    )
    note += f"; {alone.again:.2%} answered by the processor"
    return Row(name, times["call"] / count, bar, {f"{CORES} cores": on_cores}, note)


def measure(repeats: int, say: Callable[[str], object], million: int = 1_000_000) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    rows: list[Row] = []

    def add(name: str, bar: str, scene: Scene, mover: Body, motions: Any, sample: int) -> None:
        say(f"{name} ...")
        rows.append(_row(name, bar, scene, mover, motions, min(sample, len(motions)), repeats))

    places = scattered_balls(50, _SIDE, 2.5, near=2.2)
    for shape, name, bar in (
        (Mesh.sphere(1.0, rows=9, sections=8), "ball of 128 triangles among 50 such", "40 million a second"),
        (Sphere(1.0), "ball among 50 balls", "200 million a second"),
    ):
        scene = Scene()
        scene.add_many(shape, places)
        mover = scene.add(shape)
        add(f"translations, {name}", bar, scene, mover, Motions.translate(directions(4 * million, _SIDE)), 10**5)
        if isinstance(shape, Mesh):
            add(f"half turns, {name}", "1 million a second", scene, mover, _half_turns(million // 2), 10**4)
    small, large, wide = balls_in_space()
    scene = Scene()
    scene.add_many(small, wide)
    mover = scene.add(large)
    vectors = Motions.translate(directions(million // 2, 800.0))
    add("translations, 1,250 triangles in 99,328", "1 million a second", scene, mover, vectors, 10**4)
    scene = Scene()
    scene.add(Mesh.sphere(3.0, rows=159, sections=158), (6.0, 0.0, 0.0))
    mover = scene.add(Mesh.sphere(1.0, rows=72, sections=71))
    vectors = Motions.translate(_toward_x(million // 4, 8.0))
    add("translations, 10,082 triangles on 49,928", "200,000 a second", scene, mover, vectors, 10**4)
    return rows
