"""Solids on a lattice that touch: straight motions and turns, against whole numbers."""

from __future__ import annotations

import numpy as np

from sweepscope import Body, Hit, Mesh, Motion, Rotate, Scene, Screw, Translate

from ..reference.lattice_cases import LatticeCase, lattice_case
from ..reference.lattice_solids import Solid
from .touching_verdicts import AT_START, FALSE_HIT, LATE, PARTS, PRESSES, WRONG_FREE, TouchingVerdict, describe

ROUNDING = 1e-9
"""Of times and angles."""
BEGINNING = 1e-4
"""Angle by which a turn that presses must be a hit [radians]. One that presses to second order sinks in slowly."""


def judge_lattice(seed: int) -> TouchingVerdict:
    """Judge a straight motion."""
    case = lattice_case(seed, turning=False)
    hit = ask(case)
    if case.presses:
        wrong = "" if hit is not None and hit.travel <= AT_START else WRONG_FREE
    elif hit is not None and hit.travel <= AT_START:
        wrong = FALSE_HIT
    else:
        late = case.begins is not None and (hit is None or hit.time > float(case.begins) + ROUNDING)
        wrong = LATE if late else ""
    return _verdict("lattice", case, seed, wrong, hit)


def judge_lattice_turn(seed: int) -> TouchingVerdict:
    """Judge a turn or a screw."""
    case = lattice_case(seed, turning=True)
    hit = ask(case)
    if case.presses:
        wrong = "" if hit is not None and hit.travel <= BEGINNING else WRONG_FREE
    elif hit is not None and hit.travel <= AT_START:
        wrong = FALSE_HIT
    else:
        travel = case.angle if hit is None else hit.travel
        wrong = LATE if travel > case.limit + ROUNDING else ""
    return _verdict("lattice_turns", case, seed, wrong, hit)


def ask(case: LatticeCase, shrunk: float = 0.0) -> Hit | None:
    """Return the library's answer. shrunk: make the mover smaller by this share first."""
    scene = Scene()
    mover = _added(scene, case, case.mover, shrunk)
    _added(scene, case, case.obstacle, 0.0)
    return scene.sweep(mover, motion_of(case))


def motion_of(case: LatticeCase) -> Motion:
    """Return the motion in the world."""
    turn = case.turn
    if turn is None or case.vector is not None:
        return Translate(case.frame.rotation @ np.asarray(case.vector))
    axis, about = case.frame.rotation @ turn.axis, case.frame.of(np.array(turn.about))
    return (
        Screw(axis, case.angle, slide=turn.pitch * case.angle, about=about)
        if turn.pitch
        else Rotate(axis, case.angle, about=about)
    )


def _added(scene: Scene, case: LatticeCase, solid: Solid, shrunk: float) -> Body:
    middle = solid.vertices.mean(axis=0)
    places = solid.vertices + shrunk * (middle - solid.vertices)
    if case.baked:
        return scene.add(Mesh(places @ case.frame.rotation.T + case.frame.shift, solid.faces))
    return scene.add(Mesh(places, solid.faces), case.frame.pose)


def _verdict(question: str, case: LatticeCase, seed: int, wrong: str, hit: Hit | None) -> TouchingVerdict:
    truth = PRESSES if case.presses else PARTS
    when = "" if case.turn or case.presses else f", overlap {'never' if case.begins is None else f'from {case.begins}'}"
    how = f"by {case.vector.tolist()}" if case.vector is not None else f"{case.turn} by {case.angle:.3g}"
    return TouchingVerdict(question, case.kind, seed, case.touching, truth, wrong, f"{how}{when}: {describe(hit)}")
