"""Bodies nearer than a wide tolerance: the time of contact must not be later than the truth, and what parts must be free."""

from __future__ import annotations

import math

import numpy as np

from sweepscope import Body, Box, Hit, Mesh, Motion, Rotate, Scene, Translate

from ..reference.gap_cases import GapCase, gap_case
from ..reference.lattice_solids import Solid
from ..reference.tip_shapes import Floats
from .touching_verdicts import AT_START, FALSE_HIT, LATE, PARTS, PRESSES, SKIPPED, TouchingVerdict, describe

ROUNDING = 1e-9
"""Of times."""


def judge_gap(seed: int) -> TouchingVerdict:
    """Judge two convex bodies at a distance below the tolerance. Approaching without overlap may be called either way."""
    case = gap_case(seed)
    hit = ask(case)
    presses = case.approaching and case.begins < math.inf
    wrong = ""
    if hit is None:
        wrong = LATE if case.deepest > case.tolerance else ""
    elif hit.time > case.begins + ROUNDING:
        wrong = LATE
    elif not case.approaching and hit.travel <= AT_START:
        wrong = FALSE_HIT
    truth = PRESSES if presses else SKIPPED if case.approaching else PARTS
    words = f"tolerance {case.tolerance:.2g}, gap {case.gap:.2g}, overlap from {case.begins:.4g}, {case.deepest:.2g} deep"
    return TouchingVerdict("gaps", case.kind, seed, case.gap <= case.tolerance, truth, wrong, f"{words}: {_describe(hit)}")


def _describe(hit: Hit | None) -> str:
    return describe(hit) if hit is None else f"{describe(hit)}, time {hit.time:.4g}"


def ask(case: GapCase) -> Hit | None:
    """Return the library's answer."""
    scene = Scene(case.tolerance)
    rotation, shift = case.posed
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = rotation, shift
    local = np.eye(4)
    local[:3, :3], local[:3, 3] = case.rotation, case.shift
    mover = _added(scene, case.solids[0], case.scales[0], world @ local)
    _added(scene, case.solids[1], case.scales[1], world)
    return scene.sweep(mover, _motion(case))


def _added(scene: Scene, solid: Solid, scale: float, pose: Floats) -> Body:
    low, high = scale * solid.vertices.min(axis=0), scale * solid.vertices.max(axis=0)
    if len(solid.vertices) == 8 and len(solid.pieces[0].normals) == 3:
        middle = np.eye(4)
        middle[:3, 3] = 0.5 * (low + high)
        return scene.add(Box(high - low), pose @ middle)
    return scene.add(Mesh(scale * solid.vertices, solid.faces), pose)


def _motion(case: GapCase) -> Motion:
    rotation, shift = case.posed
    if case.motion.about is None:
        return Translate(rotation @ case.motion.vector)
    return Rotate(rotation @ case.motion.vector, case.motion.angle, about=rotation @ case.motion.about + shift)
