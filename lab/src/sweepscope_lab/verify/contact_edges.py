"""Slides along edges and ridges: what never comes nearer than its radius must not be stopped; what presses must be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sweepscope import Scene, Translate

from ..reference.edge_cases import EdgeCase, edge_case, touches_within
from ..reference.vectors import random_direction
from .contact_bodies import add_body
from .contact_verdicts import ContactTally, ContactVerdict

COUNTS = ("slides", "free", "partings", "presses", "hits", "arrivals", "grazed")
"""slides, and how many are free; partings; presses, and how many are hits. arrivals: the mover begins beyond the end of the
edge and only then touches it, which may be called either way; grazed: those that are hits.
"""
STOPPED, HELD, MISSED = "stopped", "held", "missed"
WRONGS = (STOPPED, HELD, MISSED)
"""stopped: a slide that is a hit. held: a parting that is a hit. missed: a press that is free."""


def judge_edges(seed: int) -> ContactVerdict:
    """Judge the slide of a seed; then a motion that parts, and one that presses."""
    case = edge_case(seed)
    rng = np.random.default_rng((seed, 32))
    scene = Scene(case.tolerance)
    mover, _ = add_body(scene, case.mover, case.pose)
    add_body(scene, case.obstacle, case.pose)
    length = float(np.linalg.norm(case.vector))
    verdict = ContactVerdict(seed, f"{case.kind} on {case.obstacle_name}", _groups(case), dict.fromkeys(COUNTS, 0))
    counts = verdict.counts
    aside = random_direction(rng)
    parting = 0.3 * case.normal + (aside if aside @ case.normal >= 0.0 else -aside)
    if not touches_within(case, 0.0):
        counts["arrivals"] += 1
        counts["grazed"] += scene.sweep(mover, Translate(case.vector), margin=case.margin) is not None
        return verdict
    for name, vector, wrong in (("slides", case.vector, STOPPED), ("partings", length * parting, HELD)):
        hit = scene.sweep(mover, Translate(vector), margin=case.margin)
        counts[name] += 1
        counts["free"] += name == "slides" and hit is None
        if hit is not None:
            verdict.wrongs.append((wrong, f"by {np.round(vector, 6).tolist()}: {hit}"))
    if touches_within(case, 1e-6) and case.obstacle_name not in ("sheet", "open roof"):
        counts["presses"] += 1
        hit = scene.sweep(mover, Translate(0.1 * case.down), margin=case.margin)
        counts["hits"] += hit is not None
        if hit is None:
            verdict.wrongs.append((MISSED, "pressed down by 0.1"))
    return verdict


def _groups(case: EdgeCase) -> tuple[str, ...]:
    tolerance = "default tolerance" if case.tolerance is None else "wide tolerance"
    return f"{case.kind} on ...", f"... on {case.obstacle_name}", "lattice" if case.lattice else "generic", tolerance


def poor_edges(row: ContactTally) -> Sequence[str]:
    """Return what came up too seldom."""
    presses = row.counts["presses"] / row.cases
    return [f"{presses:.0%} of the cases press"] if row.cases >= 100 and presses < 0.3 else []
