"""`Scene.sweep_all` by single sweeps: one for each body with all others ignored, and one back, in a copy of the scene."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal

from sweepscope import Body, Hit, Motion, Rotate, Scene, Screw, Translate


@dataclass(frozen=True, slots=True, eq=False)
class SlowPassage:
    """How a motion meets one body."""

    hit: Hit
    left_travel: float


def sweep_all_slow(
    movers: Sequence[Body],
    motion: Motion,
    *,
    margin: float = 0.0,
    resting: Literal["free", "hit"] = "free",
    ignore: Sequence[Body] = (),
) -> list[SlowPassage]:
    """Return the passages, in the order of the bodies."""
    scene = movers[0].scene
    hits = []
    for body in scene.bodies:
        if body not in movers and body not in ignore:
            hit = scene.sweep(list(movers), motion, margin=margin, resting=resting, ignore=_others(scene, body, movers))
            hits += [] if hit is None else [hit]
    there = deepcopy(scene)
    moving = [there[body.id] for body in movers]
    for body in moving:
        body.pose = motion.at() @ body.pose
    passages = []
    for hit in hits:
        ignored = _others(there, there[hit.obstacle.id], moving)
        back = there.sweep(moving, _back(motion), margin=margin, resting=resting, ignore=ignored)
        left = hit.travel
        if back is not None:
            left = math.inf if back.travel == 0.0 else motion.length - back.travel
        elif there.sweep(moving, Translate((0, 0, 0)), margin=margin, resting="hit", ignore=ignored) is not None:
            left = math.inf
        passages.append(SlowPassage(hit, max(left, hit.travel)))
    return passages


def _others(scene: Scene, body: Body, movers: Sequence[Body]) -> list[Body]:
    return [each for each in scene.bodies if each is not body and each not in movers]


def _back(motion: Motion) -> Motion:
    if isinstance(motion, Translate):
        return Translate([-x for x in motion.vector])
    if isinstance(motion, Rotate):
        return Rotate(motion.axis, -motion.angle, about=motion.about)
    assert isinstance(motion, Screw)
    return Screw(motion.axis, -motion.angle, slide=-motion.slide, about=motion.about)
