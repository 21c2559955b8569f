"""Send scenes, robots and results through copy, pickle and files, ask both sides the same questions, compare every bit."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from sweepscope import Body, Rotate, Scene, Screw, SweepscopeError, Translate, View, Volume, overlap
from sweepscope.results import OverlapResult

from ..reference.travel_cases import Things, build, change, free_bodies, saved
from ..reference.vectors import random_direction

RATE = (0.3, 0.9)
"""Accepted share of sweeps that hit; cases that hit less or more often prove little."""
_CHANGES = 6

Way = Callable[[Any], Any]
Answers = dict[str, Any]


def _pickled(protocol: int) -> Way:
    return lambda things: pickle.loads(pickle.dumps(things, protocol))


WAYS: dict[str, Way] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {protocol}": _pickled(protocol) for protocol in range(2, 6)},
}


SAVED = "save"
"""A way for scenes only: `Scene.save` and `Scene.load`, with the robots of the scene."""


@dataclass(frozen=True, slots=True)
class TravelVerdict:
    """A case, and what is wrong with its copies."""

    seed: int
    way: str
    questions: int
    """Questions whose answers were compared."""
    sweeps: int
    hits: int
    wrong: tuple[str, ...]
    """Each fault in words: when it was asked, and which question."""


def judge(seed: int) -> Iterator[TravelVerdict]:
    """Copy a case by all ways and compare the answers of the copies with those of the original.

    Both are asked twice, the second time after the original has changed. Then the copy is changed in the same way, and both are
    asked again: ids and versions have to go on alike.
    """
    things = build(seed)
    ways = ("copy", "deepcopy", f"pickle {2 + seed % 4}", SAVED)
    made = _results(things, seed)
    sent = {way: _sent(way, things, made) for way in ways}
    true = {name: bits_of(result) for name, result in made.items()}
    asked = [ask(things, seed), ask(things, seed + 1)]
    answers = {way: [ask(there, seed)] for way, (there, _) in sent.items()}
    _change(things, seed)
    for way, (there, _) in sent.items():
        answers[way].append(ask(there, seed + 1))
        _change(there, seed)
        answers[way].append(ask(there, seed))
    asked.append(ask(things, seed))
    for way, (_, results) in sent.items():
        wrong = [f"result {name}" for name in _differing(true, {name: bits_of(each) for name, each in results.items()})]
        for when, mine, theirs in zip(
            ("at once", "after a change there", "after the same change"), asked, answers[way], strict=True
        ):
            wrong += [f"{when}: {name}" for name in _differing(mine, theirs)]
        sweeps = [value for each in answers[way] for name, value in each.items() if name.startswith("sweep")]
        count = sum(map(len, answers[way])) + len(results)
        yield TravelVerdict(seed, way, count, len(sweeps), sum(value is not None for value in sweeps), tuple(wrong))


def _sent(way: str, things: Things, results: Answers) -> tuple[Things, Answers]:
    """Return the copies of a case and of its results. A shallow copy takes one thing: the scene, or the robot with it.

    A file holds the scene and its robot; results stay here.
    """
    if way == SAVED:
        there = saved(things.scene)
        return Things(there, there.robots.get("arm"), None, None), {}
    if way != "copy":
        return WAYS[way]((things, results))
    robot = copy.copy(things.robot)
    scene = copy.copy(things.scene) if robot is None else robot.scene
    return Things(scene, robot, None, None), {name: copy.copy(result) for name, result in results.items()}


def _results(things: Things, seed: int) -> Answers:
    """Return results of all kinds as objects, to be sent."""
    rng = np.random.default_rng((seed, 5))
    bodies = free_bodies(things.scene)
    mover = bodies[int(rng.integers(len(bodies)))]
    view = View(mover.pose[:3, 3] + 3.0, (-1, -1, -1), width=4.0, height=4.0, depth=8.0)
    results: Answers = {
        "hit": things.scene.sweep(mover, Translate(4.0 * random_direction(rng))),
        "sighting": things.scene.look(view, 8),
        "meetings": things.scene.predict({mover: Rotate(random_direction(rng), 1.0, about=mover.pose[:3, 3] + 0.5)}, 2.0),
        "overlap": _overlap(things.scene),
        "view": view,
        "body": mover,
    }
    if things.radar is not None:
        results["reading"] = _asked(things.radar.probe, Translate(random_direction(rng)))
    if things.robot is not None:
        results["link hit"] = things.robot.sweep("joint 0", 1.9)
    return results


def ask(things: Things, seed: int) -> Answers:
    """Ask questions of all kinds; return the answers as plain values, to the bit."""
    rng = np.random.default_rng((seed, 13))
    scene, robot = things.scene, things.robot
    bodies = free_bodies(scene)
    pick = [bodies[int(k)] for k in rng.permutation(len(bodies))[:4]]
    about = pick[1].pose[:3, 3] + rng.normal(size=3)
    ahead, turn = 4.0 * random_direction(rng), Rotate(random_direction(rng), float(rng.uniform(-4, 4)), about=about)
    view = View(pick[0].pose[:3, 3] - 0.5 * ahead, ahead, width=3.0, height=2.0, depth=6.0)
    asked: Answers = {
        "state": [
            (each.id, each.name, each.group, each.pose, each.bounds, each.vertices, each.shape.faces, each.shape.radius)
            for each in scene
        ],
        "tolerance": scene.tolerance,
        "sweep straight": scene.sweep(pick[0], Translate(ahead)),
        "sweep turn": scene.sweep(pick[1], turn, resting="hit"),
        "sweep screw": scene.sweep(pick[2], Screw(random_direction(rng), 2.0, slide=1.5, about=about), margin=0.05),
        "sweep several": scene.sweep(pick[:2], Translate(ahead), ignore=pick[2:3]),
        "look": scene.look(view, (12, 8)),
        "bounding look": scene.look(view, (12, 8), bounding=True, ignore=pick[3:4]),
        "search": _asked(scene.search, pick[3], view, 6, step=1.0),
        "predict": scene.predict({pick[0]: Translate(0.5 * ahead), pick[1]: turn}, 2.5, margin=0.01),
        "overlap": _overlap(scene),
    }
    if things.radar is not None:
        asked["probe"] = _asked(things.radar.probe, Translate(ahead))
        asked["probe again"] = _asked(things.radar.probe, Translate(ahead), ignore=pick[2:3])
        asked["angular probe"] = _asked(things.radar.probe, turn)
    if things.radars is not None:
        asked["probes"] = _asked(things.radars.probe, (Translate(ahead), turn))
    if robot is not None:
        asked["robot"] = [robot.positions, robot.pose, [(link.name, link.pose, link.bodies) for link in robot.links.values()]]
        asked["sweep joint"] = robot.sweep("joint 0", float(rng.uniform(-2, 2)))
        asked["sweep joints"] = robot.sweep({f"joint {k}": float(rng.uniform(-2, 2)) for k in range(3)}, accuracy=0.01)
        asked["overlaps"] = robot.overlaps()
    return {name: bits_of(value) for name, value in asked.items()}


def _overlap(scene: Scene) -> OverlapResult | None:
    volumes = [body for body in free_bodies(scene) if isinstance(body.shape, Volume)]
    return overlap(volumes[0], volumes[1]) if len(volumes) > 1 else None


def _asked(question: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the answer, or the error as a text: a mover may have been removed, or be too thin for a radar."""
    try:
        return question(*arguments, **options)
    except SweepscopeError as error:
        return str(error)


def _change(things: Things, seed: int) -> None:
    rng = np.random.default_rng((seed, 99))
    for _ in range(_CHANGES):
        change(rng, things.scene)
    if things.robot is not None:
        things.robot.positions = {"joint 1": float(rng.uniform(-1, 1)), "joint 2": float(rng.uniform(-1, 1))}


def bits_of(value: Any, *, ids: bool = True) -> Any:
    """Return a value without bodies and arrays: bodies by id and name, arrays and floats by their bits, results by fields.

    ids: without them, bodies are named only.
    """
    if isinstance(value, Body):
        return ("body", value.id, value.name) if ids else ("body", value.name)
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.flags.writeable, value.tobytes()
    if isinstance(value, float):
        return float(value).hex()
    if isinstance(value, OverlapResult):
        value = (bool(value), value.voxels, value.normal, value.region, value.center, value.removed, value.tested)
    if isinstance(value, (list, tuple)):
        return tuple(bits_of(each, ids=ids) for each in value)
    if isinstance(value, dict):
        return tuple((key, bits_of(each, ids=ids)) for key, each in value.items())
    if is_dataclass(value):
        return type(value).__name__, *(
            bits_of(getattr(value, field.name), ids=ids) for field in fields(value) if not field.name.startswith("_")
        )
    return value


def _differing(mine: Answers, theirs: Answers) -> list[str]:
    """Return the names of answers that differ; a shallow copy and a file have no radars."""
    return [name for name, value in theirs.items() if mine[name] != value]


@dataclass(slots=True)
class TravelTally:
    """Counts for one way."""

    way: str
    cases: int = 0
    questions: int = 0
    sweeps: int = 0
    hits: int = 0
    wrong: int = 0


def tally_travel(verdicts: Iterable[TravelVerdict]) -> list[TravelTally]:
    """Return a row for each way."""
    rows = {way: TravelTally(way) for way in (*WAYS, SAVED)}
    for verdict in verdicts:
        row = rows[verdict.way]
        row.cases += 1
        row.questions += verdict.questions
        row.sweeps += verdict.sweeps
        row.hits += verdict.hits
        row.wrong += bool(verdict.wrong)
    return [row for row in rows.values() if row.cases]
