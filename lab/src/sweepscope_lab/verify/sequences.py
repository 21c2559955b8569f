"""Change a scene step by step, build the same scene anew, ask both the same questions, compare every bit.

A scene is what it holds, not how it came to hold it. The second scene is built by plain calls, `add`, `vertices` and `ignore`,
from a model in plain values; links and attached bodies are plain bodies in it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from sweepscope import Body, Rotate, Scene, Screw, Translate, View
from sweepscope.results import LookResult
from sweepscope.scene import store_of

from ..reference.sequence_cases import KINDS, Sequence, arm
from ..reference.vectors import random_direction
from .travel import bits_of

RATE = (0.3, 0.9)
"""Accepted share of sweeps that hit; questions that hit less or more often prove little."""
TIES = (0.01, 0.5)
"""Accepted share of sweeps whose answer depends on the order of bodies."""
STEPS = 200
"""Changes in a sequence."""
_BETWEEN = 20  # changes between two moments at which both scenes are asked
_ROUNDS = 2  # questions of each kind at a moment
_AXES = np.concatenate((np.eye(3), -np.eye(3)))

Rng = np.random.Generator
Question = Callable[[Sequence, Scene, Rng, list[Body]], Any]
"""Asks a scene; bodies: in the order of the model."""


class Difference(NamedTuple):
    """A question that the two scenes answer differently."""

    question: str
    steps: int
    """Changes before it was asked."""


@dataclass(frozen=True, slots=True)
class SequenceVerdict:
    """A sequence, and the answers of its scene that differ from those of the scene built anew."""

    seed: int
    steps: Counter[str]
    """Changes by kind."""
    asked: Counter[str]
    """Questions by kind."""
    hits: Counter[str]
    """Those that were answered by a hit."""
    ties: Counter[str]
    """Those whose answer depends on the order in which bodies were added: equal contacts, of which one is reported."""
    differences: tuple[Difference, ...]


def judge_sequence(seed: int) -> SequenceVerdict:
    """Run a sequence, and compare its scene with one built anew at several moments."""
    sequence = Sequence(seed)
    asked, hits, ties = Counter[str](), Counter[str](), Counter[str]()
    differences = []
    for moment in range(STEPS // _BETWEEN):
        for _ in range(_BETWEEN):
            sequence.step()
        names = list(sequence.model.bodies)
        fresh, reverse = rebuilt(sequence, names), rebuilt(sequence, names[::-1])
        for name, k in product(QUESTIONS, range(_ROUNDS)):
            rng = seed, moment, k
            answer = _asked(name, sequence, sequence.scene, rng)
            expected = _asked(name, sequence, fresh, rng)
            asked[name] += 1
            hits[name] += answer is not None
            ties[name] += name in SWEEPS and expected != _asked(name, sequence, reverse, rng)
            if answer != expected:
                differences.append(Difference(name, _BETWEEN * (moment + 1)))
    return SequenceVerdict(seed, sequence.counts, asked, hits, ties, tuple(differences))


def rebuilt(sequence: Sequence, order: list[str]) -> Scene:
    """Return a new scene that holds what the model says. Only the poses of a robot's bodies are those of the first scene.

    order: names of bodies.
    """
    scene, model = Scene(sequence.scene.tolerance), sequence.model
    for name in order:
        body = model.bodies[name]
        pose = sequence.scene[name].pose if body.link else body.pose
        added = scene.add(body.shape, pose, name=name, group=body.group)
        if body.vertices is not None:
            added.vertices = body.vertices
    for one, other in map(sorted, model.pairs()):
        scene.ignore(scene[one], scene[other])
    groups = {body.group for body in model.bodies.values()}
    for pair in model.ignored_groups:
        if pair <= groups:
            scene.ignore_groups(min(pair), max(pair))
    return scene


def _asked(name: str, sequence: Sequence, scene: Scene, seed: tuple[int, ...]) -> Any:
    """Ask a question; return the answer as plain values, to the bit, with names instead of ids. None: nothing was hit."""
    bodies = [scene[each] for each in sequence.model.bodies]
    answer = QUESTIONS[name](sequence, scene, np.random.default_rng((*seed, *name.encode())), bodies)
    if isinstance(answer, LookResult):
        places = {-1: -1} | {body.id: k for k, body in enumerate(bodies)}
        shown = np.vectorize(places.__getitem__)(answer.ids)
        answer = answer.bodies, answer.distances, answer.counts, answer.depth, shown, answer.faces
    return bits_of(answer, ids=False)


def _some(rng: Rng, bodies: list[Body], most: int) -> list[Body]:
    return [bodies[int(k)] for k in rng.permutation(len(bodies))[: int(rng.integers(1, most + 1))]]


def _margin(rng: Rng) -> float:
    return float(rng.choice((0.0, 0.0, 0.25, 0.1)))


def _resting(rng: Rng) -> Any:
    return str(rng.choice(("free", "hit")))


def _direction(rng: Rng) -> Any:
    """Return a direction: along an axis for the most part."""
    return _AXES[int(rng.integers(len(_AXES)))] if rng.random() < 0.85 else random_direction(rng)


def _angle(rng: Rng) -> float:
    return float(rng.choice((-1.0, 1.0)) * rng.choice((0.25, 0.5, 1.0, 2.0, rng.uniform(0.1, 2.0))) * math.pi)


def _place(rng: Rng) -> Any:
    return 0.5 * rng.integers(-4, 5, 3)


def _swept(scene: Scene, rng: Rng, bodies: list[Body], motion: Any) -> Any:
    movers = _some(rng, bodies, 2 if rng.random() < 0.3 else 1)
    ignore = _some(rng, bodies, 2) if rng.random() < 0.3 else []
    return scene.sweep(movers, motion, margin=_margin(rng), resting=_resting(rng), ignore=ignore)


def _state(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    """Return bodies and ignored pairs, by name."""
    store = store_of(scene)
    *_, of_user, of_robots = store.filters.packed()
    pairs = {
        (store.entry(a).name, store.entry(b).name)
        for each in (of_user, of_robots)
        for a, passed in each.items()
        for b in passed
    }
    return sorted(pairs), [
        (each.name, each.group, each.pose, each.bounds, each.vertices, each.shape.faces, each.shape.radius) for each in scene
    ]


def _robot(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    """Return where links are; not in the first scene, those of a robot built anew."""
    robot = sequence.robot
    if scene is not robot.scene:
        robot = arm(Scene(), robot.pose)
        robot.positions = sequence.model.values
    return robot.positions, [(link.name, link.pose) for link in robot.links.values()]


def _straight(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    return _swept(scene, rng, bodies, Translate(float(rng.choice((0.5, 1.0, 3.0))) * _direction(rng)))


def _turn(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    return _swept(scene, rng, bodies, Rotate(_direction(rng), _angle(rng), about=_place(rng)))


def _screw(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    return _swept(
        scene, rng, bodies, Screw(_direction(rng), _angle(rng), slide=float(rng.choice((-1.0, 0.5, 2.0))), about=_place(rng))
    )


def _overlap(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    return _swept(scene, rng, bodies, Translate((0, 0, 0)))


def _joint(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    """Sweep a joint of the robot; not in the first scene, the bodies that it moves."""
    robot = sequence.robot
    joint, to = str(rng.choice(robot.actuated_joints)), float(rng.uniform(-2, 2))
    options: Any = {"margin": _margin(rng), "resting": _resting(rng)}
    if scene is robot.scene:
        hit = robot.sweep(joint, to, **options)
    else:
        movers = [scene[body.name] for link in robot.descendants(joint) for body in link.bodies]
        hit = scene.sweep(movers, robot.motion(joint, to), **options) if movers else None
    # Without `travel`: here it is measured at the joint, there at the motion, which is rounded.
    return hit and (hit.time, hit.mover, hit.obstacle, hit.point, hit.normal, hit.features, hit.overlapping)


def _slide(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    return scene.slide(_some(rng, bodies, 1), 2.0 * _direction(rng) + 0.5 * _direction(rng), margin=_margin(rng), legs=4)


def _look(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    ahead = _direction(rng)
    view = View(-4.0 * ahead, ahead, width=6.0, height=6.0, depth=8.0, up=np.roll(ahead, 1))
    bounding = bool(rng.random() < 0.5)
    return scene.look(view, (12, 12), bounding=bounding, ignore=_some(rng, bodies, 2))


def _predict(sequence: Sequence, scene: Scene, rng: Rng, bodies: list[Body]) -> Any:
    movers = _some(rng, bodies, 3)
    motions: Any = {body: Translate(0.5 * _direction(rng)) for body in movers}
    motions[movers[0]] = Rotate(_direction(rng), 0.3, about=_place(rng))
    return scene.predict(motions, 2.0, margin=_margin(rng))


SWEEPS = ("straight", "turn", "screw", "overlap", "joint")
"""Questions whose answer is a hit or None."""
QUESTIONS: dict[str, Question] = {
    "state": _state,
    "robot": _robot,
    "straight": _straight,
    "turn": _turn,
    "screw": _screw,
    "overlap": _overlap,
    "joint": _joint,
    "slide": _slide,
    "look": _look,
    "predict": _predict,
}


@dataclass(slots=True)
class SequenceTally:
    """Counts for one question."""

    question: str
    cases: int = 0
    hits: int = 0
    ties: int = 0
    wrong: int = 0


@dataclass(slots=True)
class StepTally:
    """Counts for one kind of change."""

    step: str
    count: int


def tally_questions(verdicts: Iterable[SequenceVerdict]) -> list[SequenceTally]:
    """Return a row for each question."""
    rows = {name: SequenceTally(name) for name in QUESTIONS}
    for verdict in verdicts:
        for name, row in rows.items():
            row.cases += verdict.asked[name]
            row.hits += verdict.hits[name]
            row.ties += verdict.ties[name]
        for difference in verdict.differences:
            rows[difference.question].wrong += 1
    return list(rows.values())


def tally_steps(verdicts: Iterable[SequenceVerdict]) -> list[StepTally]:
    """Return a row for each kind of change."""
    counts = sum((verdict.steps for verdict in verdicts), Counter[str]())
    return [StepTally(kind, counts[kind]) for kind in KINDS]
