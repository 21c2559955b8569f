"""Things on tips, ridges and saddles: what presses is a hit at once, what parts or slides is free."""

from __future__ import annotations

import numpy as np

from sweepscope import Capsule, Hit, Mesh, Motion, PointCloud, Rotate, Scene, Shape, Translate

from ..reference.tip_cases import TipCase, tip_case
from ..reference.tip_shapes import Floats, Whole
from .touching_verdicts import AT_START, FALSE_HIT, PARTS, PRESSES, SKIPPED, WRONG_FREE, TouchingVerdict, describe

_LENGTH = 0.5
"""Of straight motions [length]."""
_ANGLE = 0.3
"""Of turns [radians]."""


def judge_tip(seed: int) -> TouchingVerdict:
    """Judge a thing on the apex of a fan."""
    case = tip_case(seed)
    hit = ask(case)
    now = hit is not None and hit.travel <= AT_START
    truth = {"presses": PRESSES, "skipped": SKIPPED}.get(case.truth, PARTS)
    wrong = ""
    if truth == PRESSES and not now:
        wrong = WRONG_FREE
    elif truth == PARTS and now:
        wrong = FALSE_HIT
    return TouchingVerdict("tips", case.kind, seed, True, truth, wrong, f"{_words(case)}: {describe(hit)}")


def ask(case: TipCase, lifted: float = 0.0) -> Hit | None:
    """Return the library's answer. lifted: raise the thing off the fan first."""
    scene = Scene()
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = case.rotation, case.shift
    up = np.array((0.0, 0.0, case.side * lifted))
    bodies = []
    for vertices, faces in ((case.thing.vertices + up, case.thing.faces), case.fan.mesh):
        if case.baked:
            bodies.append(scene.add(_shape(vertices @ case.rotation.T + case.shift, faces)))
        else:
            bodies.append(scene.add(_shape(vertices, faces), pose))
    return scene.sweep(bodies[1 if case.swapped else 0], _motion(case))


def _shape(vertices: Floats, faces: Whole) -> Shape:
    if faces.shape[1] == 1:
        return PointCloud(vertices)
    return Capsule.from_segment(vertices[0], vertices[1], radius=0.0) if faces.shape[1] == 2 else Mesh(vertices, faces)


def _motion(case: TipCase) -> Motion:
    sign = -1.0 if case.swapped else 1.0
    direction = case.rotation @ case.motion.direction
    if case.motion.about is None:
        return Translate(sign * _LENGTH * direction)
    return Rotate(direction, sign * _ANGLE, about=case.rotation @ case.motion.about + case.shift)


def _words(case: TipCase) -> str:
    fan = case.fan
    surface = "open, normals " + ("up" if fan.upwards else "down") if fan.bottom is None else f"closed, {-fan.bottom:g} high"
    how = "straight" if case.motion.about is None else "turn" if case.motion.about.any() else "turn about the apex"
    return f"{fan.name} ({surface}), {how}, {case.truth}{', the fan moves' if case.swapped else ''}"
