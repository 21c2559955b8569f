"""Everything on the way, compared with loops of sweeps; and what gradients of hits cost. Answers are compared before.

Two loops find what `sweep_all` does: one sweeps against each body alone, with all others ignored; the other sweeps again and
again and ignores what it has met. Neither tells when a body is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sweepscope import Body, Box, Hit, Motion, Rotate, Scene, Sphere, SweepscopeError, Translate

from ..reference.sweep_all import sweep_all_slow
from ..scenes import bumpy_ball, hills
from .rows import Row, best_in_turns, directions
from .translate import balls_in_space

_CHECKED = 5  # motions whose times of leaving are compared
_MOST_EXTRA = 1.10  # of a sweep with its gradient


def _each_alone(scene: Scene, mover: Body, motion: Motion) -> list[Hit]:
    """Return the hit of each body, by a sweep that ignores all others."""
    others = [body for body in scene if body is not mover]
    hits = []
    for k, _ in enumerate(others):
        hit = scene.sweep(mover, motion, ignore=others[:k] + others[k + 1 :])
        hits += [] if hit is None else [hit]
    return sorted(hits, key=lambda hit: hit.travel)


def _again_and_again(scene: Scene, mover: Body, motion: Motion) -> list[Hit]:
    """Return the hit of each body, by sweeps that ignore what was met before."""
    hits: list[Hit] = []
    while (hit := scene.sweep(mover, motion, ignore=[each.obstacle for each in hits])) is not None:
        hits.append(hit)
    return hits


def _way_row(name: str, scene: Scene, mover: Body, motions: Sequence[Motion], bar: str, repeats: int) -> Row:
    met = 0
    for k, motion in enumerate(motions):
        found = scene.sweep_all(mover, motion)
        met += len(found)
        travels = [passage.hit.travel for passage in found]
        if travels != [hit.travel for hit in _again_and_again(scene, mover, motion)]:
            raise SweepscopeError(f"{motion}: sweep_all and a loop of sweeps differ")
        if k < _CHECKED:
            slow = {each.hit.obstacle: each for each in sweep_all_slow([mover], motion)}
            for passage in found:
                other = slow.pop(passage.obstacle)
                near = np.isclose(passage.left_travel, other.left_travel, rtol=0.0, atol=1e-9 * motion.length)
                if passage.hit.travel != other.hit.travel or not near:
                    raise SweepscopeError(f"{motion}: {passage} differs from the single sweep")
            if slow:
                raise SweepscopeError(f"{motion}: sweep_all misses {len(slow)} bodies")
    few = motions[: max(1, len(motions) // 10)]  # this loop is slow
    times = best_in_turns(
        {
            "ours": lambda: [scene.sweep_all(mover, motion) for motion in motions],
            "again": lambda: [_again_and_again(scene, mover, motion) for motion in motions],
            "alone": lambda: [_each_alone(scene, mover, motion) for motion in few],
            "first": lambda: [scene.sweep(mover, motion) for motion in motions],
        },
        repeats,
    )
    ours = times["ours"] / len(motions)
    peers = {"each alone": times["alone"] / len(few), "again and again": times["again"] / len(motions)}
    note = f"{met / len(motions):.1f} bodies met; {len(motions) * ours / times['first']:.1f} x the time of the first hit alone"
    return Row(name, ours, bar, peers, note)


def _gradient_row(name: str, scene: Scene, mover: Body, motions: Sequence[Motion], bar: str, repeats: int) -> Row:
    hits = [scene.sweep(mover, motion) for motion in motions]
    smooth = sum(hit is not None and hit.gradient().smooth for hit in hits)

    def with_gradient() -> None:
        for motion in motions:
            hit = scene.sweep(mover, motion)
            if hit is not None:
                hit.gradient()

    times = best_in_turns(
        {"with": with_gradient, "without": lambda: [scene.sweep(mover, motion) for motion in motions]}, repeats
    )
    ours, plain = times["with"] / len(motions), times["without"] / len(motions)
    note = f"{ours / plain:.3f} x a sweep without; {smooth} of {len(motions)} smooth"
    return Row(name, ours, bar, {"sweep alone": plain}, note)


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    say("everything on the way ...")
    small, ball, places = balls_in_space()
    scene = Scene()
    scene.add_many(small, places)
    mover = scene.add(ball)
    straight = [Translate(vector) for vector in directions(40, 1600.0)]
    turns = [Rotate(axis, 2.0, about=(0.0, 0.0, 600.0)) for axis in directions(20, 1.0, seed=1)]
    rows = [
        _way_row("1,250 triangles through 194 bodies x 512", scene, mover, straight, "2 x", repeats),
        _way_row("the same, turns by 2 radians", scene, mover, turns, "2 x", repeats),
    ]
    scene = Scene()
    grid = np.stack(np.meshgrid(*[np.arange(10.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    scene.add_many(Sphere(0.2), grid - 4.5)
    mover = scene.add(Sphere(0.3), (-6.0, 0.3, 0.2))
    ways = [Translate((11.0, *vector[:2].tolist())) for vector in directions(40, 4.0, seed=2)]
    rows.append(_way_row("a ball through 1,000 balls", scene, mover, ways, "2 x", repeats))

    say("gradients ...")
    extra = f"{_MOST_EXTRA:.2f} x the time"
    scene = Scene()
    scene.add(hills(159))
    mover = scene.add(bumpy_ball(72, 71), (0.0, 0.0, 60.0))
    rng = np.random.default_rng(1)
    down = np.column_stack((rng.uniform(-0.6, 0.6, (20, 2)), -np.ones(20)))
    falls = [Translate(100.0 * way / np.linalg.norm(way)) for way in down]
    rows.append(_gradient_row("sweep and gradient, 10,082 on 49,928 triangles", scene, mover, falls, extra, repeats))
    turns = [Rotate((way[1], -way[0], 0.2), 1.5, about=(0.0, 0.0, -60.0)) for way in down]
    rows.append(_gradient_row("the same, turns", scene, mover, turns, extra, repeats))
    scene = Scene()
    scene.add(Box((10.0, 10.0, 0.2)))
    mover = scene.add(Sphere(0.5), (0.0, 0.0, 3.0))
    rows.append(_gradient_row("ball, floor", scene, mover, [Translate((0.1, 0.2, -5.0))] * 200, "", repeats))
    return rows
